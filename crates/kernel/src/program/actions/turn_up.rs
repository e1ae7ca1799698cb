//! A face-down top card is turned face up.

use crate::program::footprint::Footprint;

/// Adds what turning up reads and writes.
pub(super) const fn add_footprint(piles: u128, footprint: &mut Footprint) {
    footprint.turns |= piles;
}
