//! Which forced rules a change can trigger.
//!
//! After every move forced rules run until none has anything to do. Whether a rule has depends only
//! on the piles and counters that it looks at. So after the next move only those rules need to be
//! tried that look at something which that move changed.

use crate::program::footprint::{Footprint, mask};
use crate::program::format::{Action, During, Source};
use crate::program::rule_set::RuleSet;

/// The rules that look at each pile and counter.
#[derive(Debug)]
pub(crate) struct Triggers {
    piles: Box<[RuleSet]>,
    counters: Box<[RuleSet]>,
    /// Of those that look at a pile, the forced rules after the layout.
    forced: Box<[RuleSet]>,
    /// The rules that move cards only to empty piles, and all targets of these rules.
    filling: RuleSet,
    filled: u128,
}

impl Triggers {
    /// The triggers of rules with these footprints.
    pub(crate) fn new(program: &Source, footprints: &[Footprint]) -> Self {
        let mut triggers = Self {
            piles: vec![RuleSet::EMPTY; program.piles.len()].into(),
            counters: vec![RuleSet::EMPTY; program.counters.len()].into(),
            forced: Box::default(),
            filling: RuleSet::EMPTY,
            filled: 0,
        };
        let mut forced = RuleSet::EMPTY;
        for (at, rule) in (0u8..).zip(&program.rules) {
            if rule.forced && rule.during != During::Layout {
                forced.insert(at);
            }
            if let Action::Move(action) = &rule.action
                && action.to_holds[1] == 0
            {
                triggers.filling.insert(at);
                triggers.filled |= mask(action.to.iter().copied());
            }
        }
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
        triggers.forced = triggers.piles.iter().map(|&rules| rules & forced).collect();
        triggers
    }

    /// The forced rules after the layout that look at a pile.
    #[inline]
    pub(crate) fn forced(&self, pile: u8) -> RuleSet {
        self.forced[usize::from(pile)]
    }

    /// Whether some rules surely have nothing to do since they fill empty piles only, and there are
    /// none.
    #[inline]
    pub(crate) fn nothing_to_fill(&self, rules: RuleSet, vacant: u128) -> bool {
        self.filled & vacant == 0 && (rules & !self.filling).is_empty()
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
