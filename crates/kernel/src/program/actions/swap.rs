//! The top cards of two piles change places.

use crate::program::footprint::Footprint;
use crate::program::format::PileMask;
use crate::program::validate::{Check, Checked};

/// Whether two swaps can make the same move.
pub(super) const fn overlaps(piles: u128, others: u128) -> bool {
    (piles & others).count_ones() > 1
}

/// Adds what a swap reads and writes.
pub(crate) fn add_footprint(piles: u128, footprint: &mut Footprint) {
    footprint.takes |= piles;
    footprint.takes_freely |= piles;
    footprint.deals |= piles;
    // Only cards that differ are swapped.
    footprint.compares_cards = true;
    footprint.has_choice = true;
}

impl Check<'_> {
    /// Validates a swap.
    pub(super) fn swap(&self, piles: PileMask) -> Checked {
        self.mask(piles)
    }
}
