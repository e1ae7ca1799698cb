//! Cards that belong together, usually two, go from their piles to another one.

use std::sync::OnceLock;

use crate::card::CARDS;
use crate::program::footprint::{Footprint, list};
use crate::program::format::{CardSet, PairAction};
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
    /// The most cards that leave together.
    pub(crate) most: usize,
    /// For each card those that may leave together with it, as two. Found when first asked for.
    pub(crate) mates: OnceLock<Box<[u64; CARDS]>>,
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
            most: usize::from(most_cards(action)),
            mates: OnceLock::new(),
        }
    }

    /// Whether so many cards may leave together.
    pub(crate) fn takes(&self, number: usize) -> bool {
        number == 2 && self.pair.is_some()
            || self.sets.iter().any(|set| (set.size[0]..=set.size[1]).contains(&(number as u8)))
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
