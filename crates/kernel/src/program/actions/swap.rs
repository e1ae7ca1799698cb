//! The top cards of two piles change places.

use crate::program::footprint::Footprint;

/// Whether two swaps can make the same move.
pub(super) const fn overlaps(piles: u128, others: u128) -> bool {
    (piles & others).count_ones() > 1
}

/// Adds what a swap reads and writes.
pub(crate) fn add_footprint(piles: u128, footprint: &mut Footprint) {
    footprint.takes |= piles;
    footprint.takes_freely |= piles;
    footprint.deals |= piles;
    // Only different cards change places.
    footprint.compares_cards = true;
    footprint.has_choice = true;
}
