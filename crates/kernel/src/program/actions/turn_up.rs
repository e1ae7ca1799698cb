//! A face-down top card is turned face up.

use crate::program::footprint::Footprint;
use crate::program::format::{PileMask, Rule};
use crate::program::validate::{Check, Checked};

/// Adds what turning up reads and writes.
pub(super) const fn add_footprint(piles: u128, footprint: &mut Footprint) {
    footprint.turns |= piles;
}

impl Check<'_> {
    /// Validates turning up.
    pub(super) fn turn_up(&self, rule: &Rule, piles: PileMask) -> Checked {
        if !rule.forced {
            return Err("turning up is for forced rules only".to_owned());
        }
        self.mask(piles)
    }
}
