//! Which forced rules a change can wake.
//!
//! In a position at rest no forced rule has anything to do. Whether one has depends on the piles and
//! counters that it looks at, so after a move only those rules need be tried that look at something
//! which the move has changed.

use crate::footprint::Footprint;
use crate::journal::Entry;
use crate::program::Program;

/// The rules that look at each pile and counter, as masks of rules.
#[derive(Debug)]
pub(crate) struct Wakes {
    piles: Box<[u128]>,
    counters: Box<[u128]>,
}

impl Wakes {
    /// The triggers of rules with these footprints.
    pub(crate) fn new(program: &Program, footprints: &[Footprint]) -> Self {
        let mut wakes = Self {
            piles: vec![0; program.piles.len()].into(),
            counters: vec![0; program.counters.len()].into(),
        };
        for (index, footprint) in footprints.iter().enumerate() {
            for (pile, wake) in wakes.piles.iter_mut().enumerate() {
                *wake |= (footprint.looks_at() >> pile & 1) << index;
            }
            for (counter, wake) in wakes.counters.iter_mut().enumerate() {
                *wake |= u128::from(footprint.counters() >> counter & 1) << index;
            }
        }
        wakes
    }

    /// The rules that some changes can wake.
    #[inline]
    pub(crate) fn woken(&self, changes: &[Entry]) -> u128 {
        let pile = |pile: u8| self.piles[usize::from(pile)];
        let mut woken = 0;
        for change in changes {
            woken |= match *change {
                Entry::Card { from, to, .. } | Entry::Block { from, to, .. } => {
                    pile(from) | pile(to)
                }
                Entry::Exchange { first, second } => pile(first) | pile(second),
                Entry::Turn { pile: only } | Entry::Close { pile: only } => pile(only),
                Entry::Counter { counter, .. } => self.counters[usize::from(counter)],
                Entry::Choice { .. } => 0,
            };
        }
        woken
    }
}
