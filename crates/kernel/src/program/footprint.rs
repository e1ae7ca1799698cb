//! What a rule reads and writes.
//!
//! This is the only answer to that question. Triggers, equivalences, macro moves, deadlocks,
//! relaxations and bounds all rest on it, so a kind of rule that is missing here does not compile.

use crate::program::format::{CardMask, Condition, Effect, Source};

/// Which piles, counters and properties of cards a rule, a condition or a step reads and writes.
///
/// Sets of piles and of counters are masks. When in doubt, a set is too large.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub struct Footprint {
    /// Piles that it looks at, apart from those of which a move takes cards and those that a move
    /// puts cards on.
    pub reads: u128,
    /// Piles of which it looks at the size, or at cards below the top, without taking them.
    pub measures: u128,
    /// Piles that cards may leave.
    pub takes: u128,
    /// Those of [`Self::takes`] that cards may leave otherwise than by a play: one card from the
    /// top to a pile whose ladder wants it.
    pub takes_freely: u128,
    /// Piles that get cards only if their ladder wants them.
    pub plays: u128,
    /// Piles that a move lays cards on, whatever their ladder wants.
    pub builds: u128,
    /// Piles that get cards in any other way: by a script or an exchange.
    pub deals: u128,
    /// Piles whose top card may be turned.
    pub turns: u128,
    /// Piles that may be closed or opened.
    pub closes: u128,
    /// Counters that it looks at.
    pub counters_read: u32,
    /// Counters that it may change.
    pub counters_written: u32,
    /// Relations between two cards that it asks for. Those of ladders are left out.
    pub relations: u128,
    /// Sets of cards that it tells apart from others. Those of ladders are left out.
    pub classes: Vec<u64>,
    /// Whether it asks if two cards are equal, or of one suit, and not only for a relation.
    pub compares_cards: bool,
    /// Whether it asks if other moves are possible.
    pub asks_for_moves: bool,
    /// Whether the player, or a card, may decide how many cards go or which ones.
    pub has_choice: bool,
    /// By how many cards the piles of any set may grow or shrink at once; [`Self::NO_LIMIT`] if
    /// there is no limit. An exchange changes no pile's size.
    pub most_cards: u16,
}

impl Footprint {
    /// Any number of cards.
    pub const NO_LIMIT: u16 = u16::MAX;

    /// Piles that cards may come to.
    pub const fn puts(&self) -> u128 {
        self.plays | self.builds | self.deals
    }

    /// Piles that may change.
    pub const fn writes(&self) -> u128 {
        self.takes | self.puts() | self.turns | self.closes
    }

    /// Piles that decide whether it has anything to do, and what it does.
    pub const fn looks_at(&self) -> u128 {
        self.reads | self.measures | self.writes()
    }

    /// Counters that decide that, too: one that is at its cap does not grow.
    pub const fn counters(&self) -> u32 {
        self.counters_read | self.counters_written
    }

    /// Takes note of a set of cards that is told apart from others.
    pub(crate) fn add_class(&mut self, cards: CardMask) {
        self.classes.push(cards.0);
    }

    /// Adds what a condition looks at, given the footprints of the rules that `Blocked` may name.
    pub(crate) fn add_condition(&mut self, condition: &Condition, named: &[Self]) {
        match condition {
            Condition::Vacant { piles, .. } | Condition::Filled { piles, .. } => {
                self.reads |= piles.0;
            }
            Condition::Holds { piles, cards, .. } => {
                self.reads |= piles.0;
                self.measures |= piles.0;
                self.add_class(*cards);
            }
            Condition::Top { pile, cards } => {
                self.reads |= 1 << pile;
                self.add_class(*cards);
            }
            Condition::Counter { counter, .. } => self.counters_read |= 1 << counter,
            Condition::Complete { piles } => {
                self.reads |= piles.0;
                self.measures |= piles.0;
            }
            // What the rules named ask of cards is in their own footprints.
            Condition::Blocked { rules, from: _ } => {
                self.asks_for_moves = true;
                for rule in rules.iter().filter_map(|&rule| named.get(usize::from(rule))) {
                    self.reads |= rule.looks_at();
                    self.measures |= rule.looks_at();
                    self.counters_read |= rule.counters();
                }
            }
        }
    }

    /// Adds what an effect changes.
    pub(crate) fn add_effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Set { counter, .. } => self.counters_written |= 1 << counter,
            Effect::Add { counter, .. } => {
                self.counters_read |= 1 << counter;
                self.counters_written |= 1 << counter;
            }
            Effect::AddCards { counter, cards } => {
                self.counters_read |= 1 << counter;
                self.counters_written |= 1 << counter;
                self.add_class(*cards);
            }
        }
    }

    /// Adds what it takes to know what the ladder of a pile wants.
    pub(crate) fn add_ladder(&mut self, program: &Source, pile: u8) {
        self.measures |= 1 << pile;
        let at = program.piles[usize::from(pile)].ladder;
        let Some(ladder) = at.map(|at| &program.ladders[usize::from(at)]) else { return };
        if let Some(base) = ladder.base {
            self.counters_read |= 1 << base;
        }
        if ladder.apart {
            self.compares_cards = true;
            let with_ladder = (0u8..).zip(&program.piles).filter(|(_, other)| other.ladder == at);
            let with_ladder = mask(with_ladder.map(|(other, _)| other));
            self.reads |= with_ladder;
            self.measures |= with_ladder;
        }
    }
}

/// Piles as a mask.
pub(crate) fn mask(piles: impl IntoIterator<Item = u8>) -> u128 {
    piles.into_iter().fold(0, |mask, pile| mask | 1 << pile)
}

/// The piles of a list as a mask.
pub(crate) fn list(piles: &[u8]) -> u128 {
    mask(piles.iter().copied())
}
