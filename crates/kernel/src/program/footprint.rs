//! What a rule reads and writes.
//!
//! This is the only answer to that question. Triggers, equivalences, macro moves, deadlocks,
//! relaxations and bounds all rest on it, so a kind of rule that is missing here does not compile.

use crate::program::format::{
    Action, CardMask, Cards, Condition, Effect, JointAction, MoveAction, Program, Quantity, Rule,
    Step,
};

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
    /// Those of [`Self::takes`] that cards may leave otherwise than by a play: one card from the top
    /// to a pile whose ladder wants it.
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

    /// The footprints of all rules, and that of the aim.
    pub(crate) fn all(program: &Program) -> (Box<[Self]>, Self) {
        // A rule that `Blocked` names asks for no `Blocked` itself.
        let plain: Box<[Self]> =
            program.rules.iter().map(|rule| Self::of_rule(program, rule, &[])).collect();
        let rules = program.rules.iter().map(|rule| Self::of_rule(program, rule, &plain)).collect();
        let mut aim = Self::default();
        program.aim.iter().for_each(|condition| aim.add_condition(condition, &plain));
        (rules, aim)
    }

    /// The footprint of a rule, given those of the rules that `Blocked` may name.
    fn of_rule(program: &Program, rule: &Rule, named: &[Self]) -> Self {
        let mut footprint = Self::default();
        rule.when.iter().for_each(|condition| footprint.add_condition(condition, named));
        match &rule.action {
            Action::Move(action) => footprint.add_move(program, action),
            Action::Joint(action) => footprint.add_joint(program, action),
            Action::Swap { piles } => footprint.add_swap(piles.0),
            Action::TurnUp { piles } => footprint.turns |= piles.0,
            Action::Script { steps } => steps.iter().for_each(|step| footprint.add_step(step)),
        }
        rule.then.iter().for_each(|effect| footprint.add_effect(effect));
        footprint.classes.sort_unstable();
        footprint.classes.dedup();
        footprint
    }

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

    fn add_class(&mut self, cards: CardMask) {
        self.classes.push(cards.0);
    }

    fn add_condition(&mut self, condition: &Condition, named: &[Self]) {
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

    fn add_effect(&mut self, effect: &Effect) {
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

    /// What it takes to know what the ladder of a pile wants.
    fn add_ladder(&mut self, program: &Program, pile: u8) {
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

    fn add_move(&mut self, program: &Program, action: &MoveAction) {
        let (from, to) = (list(&action.from), list(&action.to));
        self.takes |= from;
        if !(action.ladder && action.cards == Cards::Top) {
            self.takes_freely |= from;
        }
        if action.ladder {
            self.plays |= to;
            action.to.iter().for_each(|&pile| self.add_ladder(program, pile));
        } else {
            self.builds |= to;
        }
        // A target may be asked to be empty or not, but not to hold so many.
        let capacity = action.to.iter().map(|&pile| program.piles[usize::from(pile)].capacity);
        let [fewest, most] = action.to_size;
        if fewest > 1 || most > 0 && most < capacity.max().unwrap_or(0) {
            self.measures |= to;
        }
        self.reads |= action.yields_to.iter().fold(0, |piles, mask| piles | mask.0);
        if let Some(prefer) = action.prefer {
            self.reads |= 1 << prefer;
            self.compares_cards = true;
        }
        self.relations |= action.onto.map_or(0, |relation| 1 << relation);
        self.add_class(action.lead);
        self.add_class(action.vacant);
        let cards = match action.cards {
            Cards::Top => 1,
            Cards::Run { relation, max, .. } => {
                self.relations |= 1 << relation;
                max
            }
            Cards::Count { number } => number,
            Cards::Packet | Cards::All => Self::NO_LIMIT,
        };
        self.most_cards = self.most_cards.max(cards);
        self.has_choice |= match action.cards {
            Cards::Top | Cards::Run { .. } | Cards::Packet => true,
            Cards::Count { .. } | Cards::All => false,
        };
    }

    fn add_joint(&mut self, program: &Program, action: &JointAction) {
        let from = action.parts.iter().fold(0, |piles, part| piles | list(&part.from));
        self.reads |= from;
        self.measures |= from;
        self.takes |= from;
        self.takes_freely |= from;
        self.plays |= list(&action.to);
        action.to.iter().for_each(|&pile| self.add_ladder(program, pile));
        self.asks_for_moves |= action.only_if_blocked;
        self.has_choice = true;
        let cards = action.parts.iter().fold(0u16, |sum, part| sum.saturating_add(part.size));
        self.most_cards = self.most_cards.max(cards);
    }

    fn add_swap(&mut self, piles: u128) {
        self.takes |= piles;
        self.takes_freely |= piles;
        self.deals |= piles;
        // Only different cards change places.
        self.compares_cards = true;
        self.has_choice = true;
    }

    fn add_script(&mut self, from: u128, to: u128) {
        self.reads |= from;
        self.measures |= from;
        self.takes |= from;
        self.takes_freely |= from;
        self.deals |= to;
        self.most_cards = Self::NO_LIMIT;
    }

    fn add_step(&mut self, step: &Step) {
        match step {
            Step::Deal { from, to, .. } => self.add_script(1 << from, list(to)),
            Step::Take { from, number, to, .. } => {
                self.add_script(1 << from, 1 << to);
                self.add_quantity(number);
            }
            Step::Gather { piles, to, .. } => self.add_script(list(piles), 1 << to),
            Step::Route { from, ways, until_filled } => {
                let to = ways.iter().flat_map(|way| way.vacant.iter().chain([&way.overflow]));
                self.add_script(1 << from, mask(to.copied()));
                self.reads |= until_filled.0;
                for way in ways {
                    self.add_class(way.cards);
                }
                self.has_choice = true;
            }
            Step::Close { pairs } => {
                for [pile, partner] in pairs {
                    self.closes |= 1 << pile;
                    self.reads |= 1 << partner;
                    self.measures |= 1 << partner;
                }
            }
            Step::Base { counter, pile } => {
                self.reads |= 1 << pile;
                self.counters_written |= 1 << counter;
            }
            Step::Settle => {}
        }
    }

    fn add_quantity(&mut self, number: &Quantity) {
        match number {
            Quantity::All | Quantity::Fixed { .. } => {}
            Quantity::Times { counter, .. } => self.counters_read |= 1 << counter,
            Quantity::Held { pile, cards, .. } => {
                self.reads |= 1 << pile;
                self.measures |= 1 << pile;
                self.add_class(*cards);
            }
            Quantity::Until { counter, cards, .. } => {
                self.counters_read |= 1 << counter;
                self.add_class(*cards);
            }
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
