//! Which forced rules a change can wake.
//!
//! In a position at rest no forced rule has anything to do. Whether one has depends on the piles and
//! counters that it looks at, so after a move only those rules need be tried that look at something
//! which the move has changed.

use crate::journal::Entry;
use crate::program::{Action, Condition, Effect, Program, Quantity, Rule, Step};

/// The rules that look at each pile and counter, as masks of rules.
#[derive(Debug)]
pub(crate) struct Wakes {
    piles: Box<[u128]>,
    counters: Box<[u128]>,
}

impl Wakes {
    /// Finds out what every rule of a program looks at.
    pub(crate) fn new(program: &Program) -> Self {
        let mut wakes = Self {
            piles: vec![0; program.piles.len()].into(),
            counters: vec![0; program.counters.len()].into(),
        };
        for (index, rule) in program.rules.iter().enumerate() {
            let mut seen = Seen { program, piles: 0, counters: 0 };
            seen.rule(rule);
            for (pile, wake) in wakes.piles.iter_mut().enumerate() {
                *wake |= (seen.piles >> pile & 1) << index;
            }
            for (counter, wake) in wakes.counters.iter_mut().enumerate() {
                *wake |= u128::from(seen.counters >> counter & 1) << index;
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

/// The piles and counters that a rule looks at.
struct Seen<'p> {
    program: &'p Program,
    piles: u128,
    counters: u64,
}

impl Seen<'_> {
    fn pile(&mut self, pile: u8) {
        self.piles |= 1 << pile;
    }

    fn each(&mut self, piles: &[u8]) {
        for &pile in piles {
            self.pile(pile);
        }
    }

    fn counter(&mut self, counter: u8) {
        self.counters |= 1 << counter;
    }

    /// The pile, and what its ladder looks at besides.
    fn ladder(&mut self, pile: u8) {
        self.pile(pile);
        let at = self.program.piles[usize::from(pile)].ladder;
        let Some(ladder) = at.map(|at| &self.program.ladders[usize::from(at)]) else { return };
        if let Some(base) = ladder.base {
            self.counter(base);
        }
        if ladder.apart {
            for (other, place) in self.program.piles.iter().enumerate() {
                if place.ladder == at {
                    self.pile(other as u8);
                }
            }
        }
    }

    fn rule(&mut self, rule: &Rule) {
        for condition in &rule.when {
            self.condition(condition);
        }
        match &rule.action {
            Action::Move(action) => {
                self.each(&action.from);
                self.each(action.prefer.as_slice());
                self.piles |= action.yields_to.iter().fold(0, |all, mask| all | mask.0);
                for &pile in &action.to {
                    if action.ladder { self.ladder(pile) } else { self.pile(pile) }
                }
            }
            Action::Joint(action) => {
                action.parts.iter().for_each(|part| self.each(&part.from));
                action.to.iter().for_each(|&pile| self.ladder(pile));
            }
            Action::Swap { piles } | Action::TurnUp { piles } => self.piles |= piles.0,
            Action::Script { steps } => steps.iter().for_each(|step| self.step(step)),
        }
        for effect in &rule.then {
            let (Effect::Set { counter, .. }
            | Effect::Add { counter, .. }
            | Effect::AddCards { counter, .. }) = effect;
            self.counter(*counter);
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Deal { from, to, .. } => {
                self.pile(*from);
                self.each(to);
            }
            Step::Take { from, number, to, .. } => {
                self.pile(*from);
                self.pile(*to);
                match number {
                    Quantity::All | Quantity::Fixed { .. } => {}
                    Quantity::Times { counter, .. } | Quantity::Until { counter, .. } => {
                        self.counter(*counter);
                    }
                    Quantity::Held { pile, .. } => self.pile(*pile),
                }
            }
            Step::Gather { piles, to, .. } => {
                self.each(piles);
                self.pile(*to);
            }
            Step::Route { from, ways, until_filled } => {
                self.pile(*from);
                self.piles |= until_filled.0;
                for way in ways {
                    self.each(&way.vacant);
                    self.pile(way.overflow);
                }
            }
            Step::Close { pairs } => pairs.iter().for_each(|pair| self.each(pair)),
            Step::Base { counter, pile } => {
                self.counter(*counter);
                self.pile(*pile);
            }
            Step::Settle => {}
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Vacant { piles, .. }
            | Condition::Filled { piles, .. }
            | Condition::Holds { piles, .. }
            | Condition::Complete { piles } => self.piles |= piles.0,
            Condition::Top { pile, .. } => self.pile(*pile),
            Condition::Counter { counter, .. } => self.counter(*counter),
            // The rules named ask for no `Blocked` themselves.
            Condition::Blocked { rules, .. } => {
                let program = self.program;
                for &rule in rules {
                    self.rule(&program.rules[usize::from(rule)]);
                }
            }
        }
    }
}
