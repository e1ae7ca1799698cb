//! The top cards of two piles change places.

use crate::bits::bits;
use crate::program::footprint::Footprint;
use crate::program::format::{PileMask, Source};
use crate::program::validate::{Check, Checked};

/// Whether two swaps can make the same move.
pub(super) const fn overlaps(piles: u128, others: u128) -> bool {
    (piles & others).count_ones() > 1
}

/// Adds what a swap reads and writes.
pub(crate) fn add_footprint(
    program: &Source,
    piles: u128,
    belong: bool,
    footprint: &mut Footprint,
) {
    if belong {
        footprint.reads |= piles;
        bits(piles).for_each(|pile| footprint.add_build_order(program, pile as u8));
    }
    footprint.takes |= piles;
    footprint.takes_freely |= piles;
    footprint.deals |= piles;
    // Only cards that differ are swapped.
    footprint.compares_cards = true;
    footprint.has_choice = true;
}

impl Check<'_> {
    /// Validates a swap.
    pub(super) fn swap(&self, piles: PileMask, belong: bool) -> Checked {
        self.mask(piles)?;
        let mut ordered = bits(if belong { piles.0 } else { 0 });
        ordered.try_for_each(|pile| self.has_build_order(pile as u8))
    }
}
