//! Cards that belong together, usually two, go from their piles to another one.

use std::sync::OnceLock;

use crate::card::{CARDS, has, rank};
use crate::program::footprint::{Footprint, list};
use crate::program::format::{CardSet, PairAction, Sum};
use crate::program::validate::{Check, Checked, cards};

/// The most cards of a set.
pub(crate) const MOST_IN_SET: usize = 4;

/// The greatest distance between the first and the last of four piles of a set. (A move could not
/// name others; see `Move::of_set`.)
pub(crate) const FOUR_SPAN: u8 = 22;

/// A compiled pair action. Its sets are by pile, empty for piles that no card may come from.
#[derive(Debug)]
pub(crate) struct CompiledPair {
    pub(crate) from_mask: u128,
    /// The piles that the other cards may come from.
    pub(crate) partners: Box<[u128]>,
    /// The piles that must be empty first.
    pub(crate) yields_to: Box<[u128]>,
    pub(crate) pair: Option<usize>,
    pub(crate) to: usize,
    pub(crate) sets: Box<[CardSet]>,
    pub(crate) deep: u128,
    /// By set.
    members: Box<[Members]>,
    /// The numbers of cards that leave together, as a mask, and the greatest of them.
    numbers: u8,
    pub(crate) most: usize,
    /// For each card those that may leave together with it, as two. Found when first asked for.
    pub(crate) mates: OnceLock<Box<[u64; CARDS]>>,
}

/// The cards that may be in a set.
#[derive(Debug)]
struct Members {
    all: u64,
    /// For each number the cards of that value, and those of at most that value; empty if no sum
    /// is asked for.
    by_value: Box<[[u64; 2]]>,
}

impl Members {
    fn new(set: &CardSet) -> Self {
        let all = match &*set.cards {
            [] => u64::MAX,
            classes => classes.iter().fold(0, |all, class| all | class.0),
        };
        let values = set.sum.iter().flat_map(|sum| (0..=u8::MAX).map(move |value| (sum, value)));
        let cards = |test: &dyn Fn(u8) -> bool, sum: &Sum| {
            let ranks = (0..).zip(&sum.values).filter(|&(_, &value)| test(value));
            ranks.fold(0, |cards, (rank, _): (u32, _)| cards | 0b1111 << (4 * rank))
        };
        let by_value = values
            .map(|(sum, most)| {
                [cards(&|value| value == most, sum), cards(&|value| value <= most, sum)]
            })
            .collect();
        Self { all, by_value }
    }
}

impl CompiledPair {
    pub(super) fn new(action: &PairAction, piles: usize) -> Self {
        let from_mask = list(&action.from);
        let mut partners = vec![0; piles];
        let mut yields_to = vec![0; piles];
        for (index, &source) in action.from.iter().enumerate() {
            let source = usize::from(source);
            partners[source] = action.partners[index].0 & from_mask & !(1 << source);
            yields_to[source] = action.yields_to[index].0;
        }
        Self {
            from_mask,
            partners: partners.into(),
            yields_to: yields_to.into(),
            pair: action.pair.map(usize::from),
            to: usize::from(action.to),
            sets: action.sets.clone().into(),
            deep: action.deep.0 & from_mask,
            members: action.sets.iter().map(Members::new).collect(),
            numbers: {
                let pair = u8::from(action.pair.is_some()) << 2;
                let numbers = action.sets.iter().flat_map(|set| set.size[0]..=set.size[1]);
                numbers.fold(pair, |numbers, number| numbers | 1 << number)
            },
            most: usize::from(most_cards(action)),
            mates: OnceLock::new(),
        }
    }

    /// Whether so many cards may leave together.
    pub(crate) fn takes(&self, number: usize) -> bool {
        self.numbers >> number & 1 != 0
    }

    /// The cards that may be added to some others to make a set, or a part of one. `related` are
    /// those that a relation joins with a card.
    pub(crate) fn added_to(&self, cards: &[u8], related: impl Fn(u8, u8) -> u64) -> u64 {
        let added = |(set, members): (&CardSet, &Members)| {
            let all_are_members = || cards.iter().all(|&card| has(members.all, card));
            if cards.len() >= usize::from(set.size[1]) || !all_are_members() {
                return 0;
            }
            let fitting = set.each.map_or(u64::MAX, |relation| {
                cards.iter().fold(u64::MAX, |fitting, &card| fitting & related(relation, card))
            });
            let Some(sum) = &set.sum else { return members.all & fitting };
            let values = cards.iter().map(|&card| usize::from(sum.values[usize::from(rank(card))]));
            let Some(rest) = usize::from(sum.total).checked_sub(values.sum()) else { return 0 };
            let is_last = cards.len() + 1 == usize::from(set.size[1]);
            let rest = members.by_value.get(rest).unwrap_or(&[0, u64::MAX]);
            members.all & fitting & rest[usize::from(!is_last)]
        };
        self.sets.iter().zip(&self.members).fold(0, |all, set| all | added(set))
    }

    /// Whether two pair rules can make the same move.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.takes(1) && other.takes(1) && self.from_mask & other.from_mask != 0
            || self.deep & other.deep != 0
            || self.partners.iter().zip(&other.partners).any(|(this, other)| this & other != 0)
    }
}

/// The most cards that leave together.
fn most_cards(action: &PairAction) -> u8 {
    let pair = if action.pair.is_some() { 2 } else { 0 };
    action.sets.iter().map(|set| set.size[1]).fold(pair, u8::max)
}

/// Adds what a pair reads and writes.
pub(super) fn add_footprint(action: &PairAction, footprint: &mut Footprint) {
    let from = list(&action.from);
    footprint.takes |= from;
    footprint.takes_freely |= from;
    footprint.deals |= 1 << action.to;
    footprint.reads |= action.yields_to.iter().fold(0, |piles, mask| piles | mask.0);
    footprint.measures |= action.deep.0;
    footprint.relations |= action.pair.map_or(0, |pair| 1 << pair);
    action.sets.iter().for_each(|set| add_set(set, footprint));
    footprint.has_choice = true;
    footprint.most_cards = footprint.most_cards.max(u16::from(most_cards(action)));
}

/// Adds what it depends on whether cards are a set.
pub(super) fn add_set(set: &CardSet, footprint: &mut Footprint) {
    for relation in [set.chain, set.each].into_iter().flatten() {
        footprint.relations |= 1 << relation;
    }
    set.cards.iter().for_each(|&class| footprint.add_class(class));
    set.sum.iter().for_each(|sum| footprint.add_values(sum));
}

impl Check<'_> {
    /// Validates a pair action.
    pub(super) fn pair(&self, action: &PairAction) -> Checked {
        self.piles(&action.from)?;
        self.is_pile(action.to)?;
        action.pair.map_or(Ok(()), |pair| self.is_relation(pair))?;
        action.sets.iter().try_for_each(|set| self.card_set(set))?;
        self.mask(action.deep)?;
        if action.pair.is_none() && action.sets.is_empty() {
            return Err("neither a pair nor a set".to_owned());
        }
        for (what, list) in [("yields_to", &action.yields_to), ("partners", &action.partners)] {
            if list.len() != action.from.len() {
                return Err(format!("{what} does not have one entry for each pile"));
            }
            list.iter().try_for_each(|&mask| self.mask(mask))?;
        }
        if action.from.contains(&action.to) {
            return Err("a pile both gives and takes".to_owned());
        }
        let span = action.from.iter().max().zip(action.from.iter().min());
        if most_cards(action) == 4 && span.is_some_and(|(last, first)| last - first > FOUR_SPAN) {
            return Err(format!("four piles of a set are more than {FOUR_SPAN} apart"));
        }
        let is_partner = |first: usize, second: u8| action.partners[first].0 >> second & 1 != 0;
        for (first, &pile) in action.from.iter().enumerate() {
            for (second, &other) in action.from.iter().enumerate() {
                if is_partner(first, other) != is_partner(second, pile) {
                    return Err(format!("piles {pile} and {other} are partners on one side only"));
                }
            }
        }
        Ok(())
    }

    /// Validates a set of cards.
    pub(super) fn card_set(&self, set: &CardSet) -> Checked {
        let [fewest, most] = set.size;
        if fewest == 0 || fewest > most || usize::from(most) > MOST_IN_SET {
            return Err(format!("a set of {fewest} to {most} cards"));
        }
        for relation in [set.chain, set.each].into_iter().flatten() {
            self.is_relation(relation)?;
        }
        set.cards.iter().try_for_each(|&class| cards(class))?;
        if !set.cards.is_empty() && (fewest != most || set.cards.len() != usize::from(most)) {
            return Err("a set has more or fewer cards than classes".to_owned());
        }
        set.sum.as_ref().map_or(Ok(()), |sum| self.adds_up(sum))
    }
}
