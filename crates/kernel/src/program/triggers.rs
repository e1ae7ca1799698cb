//! Which forced rules a change can wake.
//!
//! In a position at rest no forced rule has anything to do. Whether one has depends on the piles
//! and counters that it looks at, so after a move only those rules need be tried that look at
//! something which the move has changed.

use crate::program::footprint::Footprint;
use crate::program::format::Source;

/// The rules that look at each pile and counter, as masks of rules.
#[derive(Debug)]
pub(crate) struct Triggers {
    piles: Box<[u128]>,
    counters: Box<[u128]>,
}

impl Triggers {
    /// The triggers of rules with these footprints.
    pub(crate) fn new(program: &Source, footprints: &[Footprint]) -> Self {
        let mut triggers = Self {
            piles: vec![0; program.piles.len()].into(),
            counters: vec![0; program.counters.len()].into(),
        };
        for (index, footprint) in footprints.iter().enumerate() {
            for (pile, wake) in triggers.piles.iter_mut().enumerate() {
                *wake |= (footprint.looks_at() >> pile & 1) << index;
            }
            for (counter, wake) in triggers.counters.iter_mut().enumerate() {
                *wake |= u128::from(footprint.counters() >> counter & 1) << index;
            }
        }
        triggers
    }

    /// The rules that look at a pile.
    #[inline]
    pub(crate) fn pile(&self, pile: u8) -> u128 {
        self.piles[usize::from(pile)]
    }

    /// The rules that look at a counter.
    #[inline]
    pub(crate) fn counter(&self, counter: u8) -> u128 {
        self.counters[usize::from(counter)]
    }
}
