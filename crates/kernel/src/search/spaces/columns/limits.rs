//! What the columns space has room for.

use crate::card::SUITED;

/// The most columns.
pub(super) const COLUMNS: usize = 32;

/// The most foundations that are built card by card.
pub(super) const FOUNDATIONS: usize = 32;

/// The most different relations within units.
pub(super) const RUNS: usize = 3;

/// All cards but jokers.
pub(super) const ALL: u64 = (1 << SUITED) - 1;
