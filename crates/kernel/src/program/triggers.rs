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
    /// Whether all of these move cards only to empty piles, and the targets of those that do.
    only_fill: bool,
    filled: u128,
}

impl Triggers {
    /// The triggers of rules with these footprints.
    pub(crate) fn new(program: &Source, footprints: &[Footprint]) -> Self {
        let mut triggers = Self {
            piles: vec![RuleSet::EMPTY; program.piles.len()].into(),
            counters: vec![RuleSet::EMPTY; program.counters.len()].into(),
            forced: Box::default(),
            only_fill: true,
            filled: 0,
        };
        let mut forced = RuleSet::EMPTY;
        for (at, rule) in (0u8..).zip(&program.rules) {
            if !rule.forced || rule.during == During::Layout {
                continue;
            }
            forced.insert(at);
            match &rule.action {
                Action::Move(action) if action.to_holds[1] == 0 => {
                    triggers.filled |= mask(action.to.iter().copied());
                }
                _ => triggers.only_fill = false,
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

    /// Whether no forced rule after the layout has anything to do, since they fill empty piles only
    /// and there are none.
    #[inline]
    pub(crate) const fn nothing_to_fill(&self, vacant: u128) -> bool {
        self.only_fill && self.filled & vacant == 0
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
