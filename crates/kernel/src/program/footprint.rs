//! What a rule reads and writes.
//!
//! Triggers, equivalences, macro moves, deadlocks, relaxations and bounds all ask this file and
//! derive nothing of their own. A kind of rule that is missing here does not compile.

use crate::program::format::{CardMask, Condition, Effect, Neighbours, Source, Sum};

/// Which piles, counters and properties of cards a rule, a condition or a step reads and writes.
///
/// Sets of piles and of counters are masks. A set may be too large, but never too small.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub struct Footprint {
    /// Piles that it looks at, except those that a move takes cards from or puts cards on.
    pub reads: u128,
    /// Piles whose size, or whose cards below the top, it looks at without taking them.
    pub measures: u128,
    /// Piles that cards may leave.
    pub takes: u128,
    /// Those of [`Self::takes`] that cards may leave other than by a play: one card from the top to
    /// a pile whose build order wants it.
    pub takes_freely: u128,
    /// Piles that receive cards only if their build order wants them.
    pub plays: u128,
    /// Piles that a move puts cards on, whatever their build order wants.
    pub builds: u128,
    /// Piles that receive cards in any other way: by a script or a swap.
    pub deals: u128,
    /// Piles whose top card may be turned.
    pub turns: u128,
    /// Piles that may be closed or opened.
    pub closes: u128,
    /// Counters that it looks at.
    pub counters_read: u32,
    /// Counters that it may change.
    pub counters_written: u32,
    /// Relations between two cards that it tests, except those of build orders.
    pub relations: u128,
    /// Sets of cards that it distinguishes from others, except those of build orders.
    pub classes: Vec<u64>,
    /// Whether it tests if two cards are equal, or of one suit, other than by a relation.
    pub compares_cards: bool,
    /// Whether it tests if other moves are possible.
    pub asks_for_moves: bool,
    /// Whether the player, or a card, may decide how many cards go or which ones.
    pub has_choice: bool,
    /// The most cards by which the piles of any set may grow or shrink at once; [`Self::NO_LIMIT`]
    /// if there is no limit. A swap changes no pile's size.
    pub most_cards: u16,
}

impl Footprint {
    /// Any number of cards.
    pub const NO_LIMIT: u16 = u16::MAX;

    /// Piles that may receive cards.
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

    /// Counters that decide the same. (A written counter counts, since one at its cap does not
    /// grow.)
    pub const fn counters(&self) -> u32 {
        self.counters_read | self.counters_written
    }

    /// Adds a set of cards that is distinguished from others.
    pub(crate) fn add_class(&mut self, cards: CardMask) {
        self.classes.push(cards.0);
    }

    /// Adds a look at the top cards of piles that lie beside each other.
    pub(crate) fn add_neighbours(&mut self, neighbours: &Neighbours) {
        self.reads |= mask(neighbours.pairs.iter().flatten().copied());
        self.relations |= 1 << neighbours.relation;
    }

    /// Adds what a condition reads, given the footprints of the rules that `Blocked` may name.
    pub(crate) fn add_condition(&mut self, condition: &Condition, named: &[Self]) {
        match condition {
            Condition::Vacant { piles, .. } | Condition::Filled { piles, .. } => {
                self.reads |= piles.0;
            }
            Condition::Holds { piles, cards, .. } | Condition::Each { piles, cards, .. } => {
                self.reads |= piles.0;
                self.measures |= piles.0;
                self.add_class(*cards);
            }
            Condition::Top { pile, cards } => {
                self.reads |= 1 << pile;
                self.add_class(*cards);
            }
            Condition::Counter { counter, .. } => self.counters_read |= 1 << counter,
            Condition::Size { piles, than, .. } => {
                self.reads |= piles.0 | than.0;
                self.measures |= piles.0 | than.0;
            }
            Condition::ByCounter { counter, conditions } => {
                self.counters_read |= 1 << counter;
                for condition in conditions {
                    self.add_condition(condition, named);
                }
            }
            Condition::AnyOf { conditions } => {
                for condition in conditions {
                    self.add_condition(condition, named);
                }
            }
            Condition::Complete { piles } => {
                self.reads |= piles.0;
                self.measures |= piles.0;
            }
            Condition::Ordered { lines, relation, .. } => {
                let piles = lines.iter().fold(0, |piles, line| piles | list(line));
                self.reads |= piles;
                self.measures |= piles;
                self.relations |= 1 << relation;
            }
            Condition::Sums { lines, sum } => {
                self.reads |= lines.iter().fold(0, |piles, line| piles | list(line));
                self.add_values(sum);
            }
            // What the score reads is in the footprint of the aim.
            Condition::Score { .. } => {}
            // What the named rules ask of cards is in their own footprints.
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

    /// Adds what a sum depends on: the classes of cards of one value.
    pub(crate) fn add_values(&mut self, sum: &Sum) {
        self.add_worth(&sum.values);
    }

    /// Adds the classes of cards that are worth the same.
    pub(crate) fn add_worth<Worth: PartialEq>(&mut self, worth: &[Worth]) {
        for (rank, value) in worth.iter().enumerate() {
            let same = worth.iter().enumerate().filter(|&(_, other)| other == value);
            let class = same.fold(0u64, |class, (rank, _)| class | 0b1111 << (4 * rank));
            if class.trailing_zeros() as usize / 4 == rank {
                self.add_class(CardMask(class));
            }
        }
    }

    /// Adds what an effect reads and writes.
    pub(crate) fn add_effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Set { counter, .. } => self.counters_written |= 1 << counter,
            Effect::Add { counter, .. } => {
                self.counters_read |= 1 << counter;
                self.counters_written |= 1 << counter;
            }
            Effect::Count { counter, cards } => {
                self.counters_read |= 1 << counter;
                self.counters_written |= 1 << counter;
                self.add_class(*cards);
            }
            Effect::Rank { counter, once } => {
                self.counters_read |= u32::from(*once) << counter;
                self.counters_written |= 1 << counter;
            }
            Effect::Tally { counter, of, grows, .. } => {
                self.counters_read |= 1 << of | u32::from(*grows) << counter;
                self.counters_written |= 1 << counter;
            }
        }
    }

    /// Adds what the cards wanted by the build order of a pile depend on.
    pub(crate) fn add_build_order(&mut self, program: &Source, pile: u8) {
        self.measures |= 1 << pile;
        let at = program.piles[usize::from(pile)].build_order;
        let Some(build_order) = at.map(|at| &program.build_orders[usize::from(at)]) else { return };
        if let Some(base) = build_order.base {
            self.counters_read |= 1 << base;
        }
        if build_order.one_suit_each || build_order.one_way {
            self.compares_cards |= build_order.one_suit_each;
            let with_build_order =
                (0u8..).zip(&program.piles).filter(|(_, other)| other.build_order == at);
            let with_build_order = mask(with_build_order.map(|(other, _)| other));
            self.reads |= with_build_order;
            self.measures |= with_build_order;
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
