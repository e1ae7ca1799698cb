//! Validates a program. Afterwards every index in it is in range and every list is bounded.
//!
//! Programs can come from untrusted sources. No other file checks an index again.

use thiserror::Error;

use crate::card::{CARDS, JOKER};
use crate::program::format::{
    Action, CardMask, Condition, During, Effect, FORMAT, Neighbours, PileMask, Source, Sum,
};

/// The most bytes that a written program may have.
pub const MAX_BYTES: usize = 4 << 20;
/// The most piles; a pile mask has a bit for each.
pub const MAX_PILES: usize = 128;
/// The most rules.
pub const MAX_RULES: usize = 250;
/// The most cards of all packs together.
pub const MAX_CARDS: usize = 416;
/// The most build orders.
pub const MAX_BUILD_ORDERS: usize = 64;
/// The most counters.
pub const MAX_COUNTERS: usize = 32;
/// The most relations.
pub const MAX_RELATIONS: usize = 128;

const MAX_WANTS: usize = 1024;
const MAX_WAYS: usize = 16;
const MAX_CONDITIONS: usize = 64;
const MAX_EFFECTS: usize = 64;
/// The most sets of piles one of which must be vacant for a pile to be open.
const MAX_WAYS_TO_OPEN: usize = 8;
const MAX_NAME: usize = 1000;

/// Why a program is invalid.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// The bytes are not the JSON of a program.
    #[error("the program cannot be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// There are more bytes than any game needs.
    #[error("the program has {0} bytes, but at most {MAX_BYTES} are read")]
    TooLong(usize),
    /// A part of the program is invalid.
    #[error("{place}: {fault}")]
    Faulty {
        /// The part, in terms of the format: `rules[3] (turn)`.
        place: String,
        /// What is wrong with it.
        fault: String,
    },
}

/// What is wrong with a part of a program, if anything.
pub(super) type Checked = Result<(), String>;

/// Validates everything that the rest of the kernel relies on.
pub(crate) fn check(program: &Source) -> Result<(), ProgramError> {
    let check = Check { program };
    let at = |place: &str, checked: Checked| {
        checked.map_err(|fault| ProgramError::Faulty { place: place.to_owned(), fault })
    };
    at("program", check.head())?;
    for (index, pile) in program.piles.iter().enumerate() {
        at(&format!("piles[{index}] ({:.60})", pile.name), check.pile(index))?;
    }
    at("deck", check.deck())?;
    for (index, relation) in program.relations.iter().enumerate() {
        at(&format!("relations[{index}]"), check_relation(relation))?;
    }
    for index in 0..program.build_orders.len() {
        at(&format!("build_orders[{index}]"), check.build_order(index))?;
    }
    for (index, counter) in program.counters.iter().enumerate() {
        let fault = if counter.name.len() > MAX_NAME {
            Err("the name is too long".to_owned())
        } else if counter.start > counter.cap {
            Err(format!("starts at {}, beyond its cap {}", counter.start, counter.cap))
        } else {
            Ok(())
        };
        at(&format!("counters[{index}]"), fault)?;
    }
    at("layout", check.steps(&program.layout, true))?;
    for (index, rule) in program.rules.iter().enumerate() {
        at(&format!("rules[{index}] ({:.60})", rule.name), check.rule(index))?;
    }
    at("deal_again", check.conditions(&program.deal_again))?;
    at("aim", check.conditions(&program.aim))?;
    at("score", check.score(program))?;
    if program.aim.is_empty() && program.score.is_none() {
        return at("aim", Err("there is none, so every position would be won".to_owned()));
    }
    Ok(())
}

/// A program that is being validated. Each kind of rule has its part in its own module.
pub(super) struct Check<'p> {
    program: &'p Source,
}

/// Whether a list is no longer than its limit.
pub(super) fn most(what: &str, length: usize, limit: usize) -> Checked {
    if length <= limit {
        Ok(())
    } else {
        Err(format!("{length} {what}, but at most {limit} are possible"))
    }
}

fn index(what: &str, index: u8, length: usize) -> Checked {
    if usize::from(index) < length { Ok(()) } else { Err(format!("there is no {what} {index}")) }
}

/// Whether a number is not zero.
pub(super) fn at_least_one(what: &str, number: u16) -> Checked {
    if number == 0 { Err(format!("{what} is 0")) } else { Ok(()) }
}

/// Whether the fewest are not more than the most.
pub(super) fn in_order(what: &str, [fewest, most]: [u16; 2]) -> Checked {
    if fewest <= most {
        Ok(())
    } else {
        Err(format!("at least {fewest} {what}, but at most {most}"))
    }
}

/// Whether a mask has the bits of cards only.
pub(super) fn cards(mask: CardMask) -> Checked {
    if mask.0 >> CARDS == 0 {
        Ok(())
    } else {
        Err(format!("a card mask has bits beyond the {CARDS} cards"))
    }
}

fn check_relation(relation: &[CardMask]) -> Checked {
    // Only games with jokers say what lies on them.
    if ![CARDS, CARDS - 1].contains(&relation.len()) {
        return Err(format!("{} entries instead of {CARDS}", relation.len()));
    }
    relation.iter().try_for_each(|&mask| cards(mask))
}

impl Check<'_> {
    fn head(&self) -> Checked {
        let program = self.program;
        if program.format != FORMAT {
            return Err(format!("format {} is not {FORMAT}", program.format));
        }
        if program.piles.is_empty() {
            return Err("there are no piles".to_owned());
        }
        most("piles", program.piles.len(), MAX_PILES)?;
        most("rules", program.rules.len(), MAX_RULES)?;
        most("relations", program.relations.len(), MAX_RELATIONS)?;
        most("build orders", program.build_orders.len(), MAX_BUILD_ORDERS)?;
        most("counters", program.counters.len(), MAX_COUNTERS)?;
        most("cards", program.deck.len().saturating_add(program.preset.len()), MAX_CARDS)
    }

    fn pile(&self, at: usize) -> Checked {
        let pile = &self.program.piles[at];
        most("bytes of name", pile.name.len(), MAX_NAME)?;
        most("cards of capacity", usize::from(pile.capacity), MAX_CARDS)?;
        most("sets of piles that cover it", pile.open_when.len(), MAX_WAYS_TO_OPEN)?;
        for &covers in &pile.open_when {
            self.mask(covers)?;
            if at < MAX_PILES && covers.0 >> at & 1 != 0 {
                return Err("it covers itself".to_owned());
            }
        }
        pile.build_order.map_or(Ok(()), |build_order| {
            index("build order", build_order, self.program.build_orders.len())
        })
    }

    fn deck(&self) -> Checked {
        let program = self.program;
        if !program.deck.is_sorted() {
            return Err("the cards are not sorted".to_owned());
        }
        for &card in program.deck.iter().chain(program.preset.iter().map(|preset| &preset.card)) {
            index("card", card, CARDS)?;
        }
        self.is_pile(program.source_pile)?;
        let mut held = vec![0; program.piles.len()];
        held[usize::from(program.source_pile)] = program.deck.len();
        for preset in &program.preset {
            self.is_pile(preset.pile)?;
            held[usize::from(preset.pile)] += 1;
        }
        for (pile, held) in program.piles.iter().zip(held) {
            most(&format!("cards in {:.60}", pile.name), held, usize::from(pile.capacity))?;
        }
        Ok(())
    }

    fn build_order(&self, at: usize) -> Checked {
        let build_order = &self.program.build_orders[at];
        if build_order.wants.is_empty() {
            return Err("it wants no cards".to_owned());
        }
        most("wants", build_order.wants.len(), MAX_WANTS)?;
        build_order.wants.iter().try_for_each(|&mask| cards(mask))?;
        most("ways", build_order.ways.len(), MAX_WAYS)?;
        for way in &build_order.ways {
            if way.len() != build_order.wants.len() {
                return Err("one way is longer than another".to_owned());
            }
            way.iter().try_for_each(|&mask| cards(mask))?;
        }
        if build_order.by_first && (!build_order.own_base || !build_order.ways.is_empty()) {
            return Err("only piles with a base of their own go by their first card".to_owned());
        }
        build_order.relation.map_or(Ok(()), |relation| self.is_relation(relation))?;
        build_order.base.map_or(Ok(()), |counter| self.is_counter(counter))
    }

    /// Whether all cards have one of the thirteen ranks, of which something is said.
    pub(super) fn has_ranks_only(&self) -> Checked {
        let preset = self.program.preset.iter().map(|preset| &preset.card);
        if self.program.deck.iter().chain(preset).any(|&card| card == JOKER) {
            return Err("there are jokers, who have no value".to_owned());
        }
        Ok(())
    }

    /// Whether a sum has a value for each rank.
    pub(super) fn adds_up(&self, sum: &Sum) -> Checked {
        self.has_ranks_only()?;
        match sum.values.len() {
            13 => Ok(()),
            _ => Err("a sum does not have thirteen values".to_owned()),
        }
    }

    /// Whether there is such a pile.
    pub(super) fn is_pile(&self, pile: u8) -> Checked {
        index("pile", pile, self.program.piles.len())
    }

    /// Whether there is such a counter.
    pub(super) fn is_counter(&self, counter: u8) -> Checked {
        index("counter", counter, self.program.counters.len())
    }

    /// Whether there is such a relation.
    pub(super) fn is_relation(&self, relation: u8) -> Checked {
        index("relation", relation, self.program.relations.len())
    }

    /// Whether a mask has the bits of piles only.
    pub(super) fn mask(&self, mask: PileMask) -> Checked {
        let piles = self.program.piles.len();
        if piles == MAX_PILES || mask.0 >> piles == 0 {
            Ok(())
        } else {
            Err(format!("a pile mask has bits beyond the {piles} piles"))
        }
    }

    /// A list of piles without repetition.
    pub(super) fn piles(&self, piles: &[u8]) -> Checked {
        let mut seen = 0u128;
        for &pile in piles {
            self.is_pile(pile)?;
            if seen >> pile & 1 != 0 {
                return Err(format!("pile {pile} is listed twice"));
            }
            seen |= 1 << pile;
        }
        Ok(())
    }

    /// The places of a row that closes up: each has room for whatever lies on another.
    pub(super) fn row(&self, piles: &[u8]) -> Checked {
        self.piles(piles)?;
        let capacity = |&pile: &u8| self.program.piles[usize::from(pile)].capacity;
        if piles.iter().any(|pile| capacity(pile) != capacity(&piles[0])) {
            return Err("piles that close up have different capacities".to_owned());
        }
        Ok(())
    }

    /// Whether a pile has a build order.
    pub(super) fn has_build_order(&self, pile: u8) -> Checked {
        let pile = &self.program.piles[usize::from(pile)];
        if pile.build_order.is_some() {
            Ok(())
        } else {
            Err(format!("{:.60} has no build order", pile.name))
        }
    }

    fn rule(&self, at: usize) -> Checked {
        let rule = &self.program.rules[at];
        most("bytes of name", rule.name.len(), MAX_NAME)?;
        if !rule.forced && rule.during != During::Play {
            return Err("a free rule is always in force during play".to_owned());
        }
        self.conditions(&rule.when)?;
        self.action(rule)?;
        most("effects", rule.effects.len(), MAX_EFFECTS)?;
        rule.effects.iter().try_for_each(|effect| match effect {
            Effect::Set { counter, .. } | Effect::Add { counter, .. } => self.is_counter(*counter),
            Effect::Tally { counter, of, times, .. } => {
                at_least_one("the factor", *times)?;
                self.is_counter(*of)?;
                self.is_counter(*counter)
            }
            Effect::Count { counter, cards: mask } => {
                if !matches!(rule.action, Action::Move(_)) {
                    return Err("only a move counts cards".to_owned());
                }
                cards(*mask)?;
                self.is_counter(*counter)
            }
            Effect::Rank { counter, .. } => {
                if !matches!(rule.action, Action::Move(_)) {
                    return Err("only a move has a card with a rank".to_owned());
                }
                self.is_counter(*counter)
            }
        })
    }

    pub(super) fn conditions(&self, conditions: &[Condition]) -> Checked {
        most("conditions", conditions.len(), MAX_CONDITIONS)?;
        conditions.iter().try_for_each(|condition| self.condition(condition))
    }

    fn condition(&self, condition: &Condition) -> Checked {
        match condition {
            Condition::Vacant { piles, .. } | Condition::Filled { piles, .. } => self.mask(*piles),
            Condition::Holds { piles, cards: mask, .. }
            | Condition::Each { piles, cards: mask, .. } => {
                cards(*mask)?;
                self.mask(*piles)
            }
            Condition::Top { pile, cards: mask } => {
                cards(*mask)?;
                self.is_pile(*pile)
            }
            Condition::Counter { counter, .. } => self.is_counter(*counter),
            Condition::Score { .. } if self.program.score.is_some() => Ok(()),
            Condition::Score { .. } => Err("the game is not scored".to_owned()),
            Condition::Size { piles, than, .. } => {
                self.mask(*piles)?;
                self.mask(*than)
            }
            Condition::ByCounter { counter, conditions } => {
                self.is_counter(*counter)?;
                most("conditions", conditions.len(), MAX_PILES)?;
                let is_nested = |condition: &Condition| {
                    matches!(
                        condition,
                        Condition::AnyOf { .. }
                            | Condition::Blocked { .. }
                            | Condition::ByCounter { .. }
                    )
                };
                if conditions.iter().any(is_nested) {
                    return Err("a counter cannot select a condition of this kind".to_owned());
                }
                conditions.iter().try_for_each(|condition| self.condition(condition))
            }
            Condition::AnyOf { conditions } => {
                if conditions.is_empty() {
                    return Err("one of no conditions can never hold".to_owned());
                }
                let is_nested = |condition: &Condition| {
                    matches!(condition, Condition::AnyOf { .. } | Condition::Blocked { .. })
                };
                if conditions.iter().any(is_nested) {
                    return Err("a condition cannot be one of several".to_owned());
                }
                self.conditions(conditions)
            }
            Condition::Complete { piles } => {
                self.mask(*piles)?;
                let with_build_order = |pile: &usize| piles.0 >> pile & 1 != 0;
                (0..self.program.piles.len())
                    .filter(with_build_order)
                    .try_for_each(|pile| self.has_build_order(pile as u8))
            }
            Condition::Ordered { lines, relation, first, .. } => {
                self.is_relation(*relation)?;
                first.map_or(Ok(()), cards)?;
                most("lines", lines.len(), MAX_PILES)?;
                lines.iter().try_for_each(|line| self.piles(line))
            }
            Condition::Sums { lines, sum } => {
                most("lines", lines.len(), MAX_PILES)?;
                lines.iter().try_for_each(|line| self.piles(line))?;
                self.adds_up(sum)
            }
            Condition::Blocked { rules, from } => {
                self.mask(*from)?;
                most("rules", rules.len(), MAX_RULES)?;
                rules.iter().try_for_each(|&rule| self.can_be_blocked(rule))
            }
        }
    }

    /// Whether there are such piles and such a relation.
    pub(super) fn neighbours(&self, neighbours: &Neighbours) -> Checked {
        self.is_relation(neighbours.relation)?;
        most("pairs of neighbours", neighbours.pairs.len(), MAX_PILES * 4)?;
        neighbours.pairs.iter().flatten().try_for_each(|&pile| self.is_pile(pile))
    }

    fn can_be_blocked(&self, rule: u8) -> Checked {
        index("rule", rule, self.program.rules.len())?;
        let rule = &self.program.rules[usize::from(rule)];
        if !rule.action.can_be_blocked() {
            return Err(format!("{:.60} is no move that could be blocked", rule.name));
        }
        if rule.when.iter().any(|condition| matches!(condition, Condition::Blocked { .. })) {
            return Err(format!("{:.60} asks itself whether rules are blocked", rule.name));
        }
        Ok(())
    }
}
