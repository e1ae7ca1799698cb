//! Which forced rules a change can trigger.
//!
//! After every move forced rules run until none has anything to do. Whether a rule has depends only
//! on the piles and counters that it looks at. So after the next move only those rules need to be
//! tried that look at something which that move changed.

use crate::program::footprint::Footprint;
use crate::program::format::Source;
use crate::program::rule_set::RuleSet;

/// The rules that look at each pile and counter.
#[derive(Debug)]
pub(crate) struct Triggers {
    piles: Box<[RuleSet]>,
    counters: Box<[RuleSet]>,
}

impl Triggers {
    /// The triggers of rules with these footprints.
    pub(crate) fn new(program: &Source, footprints: &[Footprint]) -> Self {
        let mut triggers = Self {
            piles: vec![RuleSet::EMPTY; program.piles.len()].into(),
            counters: vec![RuleSet::EMPTY; program.counters.len()].into(),
        };
        for (rule, footprint) in (0u8..).zip(footprints) {
            for (pile, wake) in triggers.piles.iter_mut().enumerate() {
                if footprint.looks_at() >> pile & 1 != 0 {
                    wake.insert(rule);
                }
            }
            for (counter, wake) in triggers.counters.iter_mut().enumerate() {
                if footprint.counters() >> counter & 1 != 0 {
                    wake.insert(rule);
                }
            }
        }
        triggers
    }

    /// The rules that look at a pile.
    #[inline]
    pub(crate) fn pile(&self, pile: u8) -> RuleSet {
        self.piles[usize::from(pile)]
    }

    /// The rules that look at a counter.
    #[inline]
    pub(crate) fn counter(&self, counter: u8) -> RuleSet {
        self.counters[usize::from(counter)]
    }
}
