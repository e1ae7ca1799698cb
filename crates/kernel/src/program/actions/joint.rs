//! Cards that go to foundations together or not at all.

use std::collections::BTreeSet;
use std::iter;

use crate::card::CARDS;
use crate::program::actions::pair::add_set;
use crate::program::footprint::{Footprint, list};
use crate::program::format::{CardSet, JointAction, Part, Source};
use crate::program::validate::{Check, Checked};

/// A compiled joint action.
#[derive(Debug)]
pub(crate) struct CompiledJoint {
    pub(crate) together: Box<[Part]>,
    /// Whether it makes no difference which of two piles is picked first.
    pub(crate) is_even: bool,
    pub(crate) to: Box<[u8]>,
    pub(crate) only_if_blocked: bool,
    pub(crate) in_turn: bool,
    pub(crate) matching: Option<CardSet>,
    /// For each card: those that a build order of `to` may want on it, at any height.
    pub(crate) next: Box<[u64; CARDS]>,
}

impl CompiledJoint {
    pub(super) fn new(action: &JointAction, program: &Source) -> Self {
        let mut next = Box::new([0; CARDS]);
        let build_order = |&pile: &u8| program.piles[usize::from(pile)].build_order;
        let build_orders: BTreeSet<u8> = action.to.iter().filter_map(build_order).collect();
        for build_order in build_orders
            .into_iter()
            .map(|build_order| &program.build_orders[usize::from(build_order)])
        {
            // With a base the last step may come before the first one.
            let laps = if build_order.base.is_some() || build_order.own_base { 2 } else { 1 };
            if build_order.by_first {
                // Steps of any length.
                next.iter_mut().for_each(|next| *next = u64::MAX);
            }
            for way in iter::once(&build_order.wants).chain(&build_order.ways) {
                let wants = || way.iter().map(|wants| wants.0);
                let steps: Vec<u64> = (0..laps).flat_map(|_| wants()).collect();
                for pair in steps.windows(2) {
                    for card in (0..CARDS).filter(|card| pair[0] >> card & 1 != 0) {
                        let over =
                            build_order.relation.map(|over| &program.relations[usize::from(over)]);
                        next[card] |= pair[1] & over.map_or(u64::MAX, |over| over[card].0);
                    }
                }
            }
        }
        let parts = &action.together;
        Self {
            together: parts.clone().into(),
            is_even: parts.len() == 2 && parts[0] == parts[1] && !action.in_turn,
            to: action.to.clone().into(),
            only_if_blocked: action.only_if_blocked,
            in_turn: action.in_turn,
            matching: action.matching.clone(),
            next,
        }
    }

    /// Whether both parts take as many cards, so that two piles can be picked in two ways.
    pub(crate) fn takes_alike(&self) -> bool {
        matches!(&*self.together, [one, other] if one.holds.max(1) == other.holds.max(1))
    }

    /// The pairs of piles that it can pick, by the first; 255 if there is one part.
    pub(super) fn pile_pairs(&self) -> Vec<(u8, u8)> {
        let firsts = self.together[0].from.iter().copied();
        let mut pairs: Vec<(u8, u8)> = match self.together.get(1) {
            None => firsts.map(|first| (first, u8::MAX)).collect(),
            Some(part) => firsts
                .flat_map(|first| part.from.iter().map(move |&second| (first, second)))
                .filter(|&(first, second)| self.is_pair(first, second))
                .collect(),
        };
        pairs.sort_unstable();
        pairs
    }

    /// Whether two joint rules can make the same move.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.together.len() == other.together.len()
            && list(&self.together[0].from) & list(&other.together[0].from) != 0
    }
}

/// Adds what a joint action reads and writes.
pub(crate) fn add_footprint(program: &Source, action: &JointAction, footprint: &mut Footprint) {
    let from = action.together.iter().fold(0, |piles, part| piles | list(&part.from));
    footprint.reads |= from;
    footprint.measures |= from;
    footprint.takes |= from;
    footprint.takes_freely |= from;
    footprint.plays |= list(&action.to);
    action.to.iter().for_each(|&pile| footprint.add_build_order(program, pile));
    footprint.asks_for_moves |= action.only_if_blocked;
    footprint.has_choice = true;
    action.matching.iter().for_each(|set| add_set(set, footprint));
    let cards =
        action.together.iter().fold(0u16, |sum, part| sum.saturating_add(part.holds.max(1)));
    footprint.most_cards = footprint.most_cards.max(cards);
}

impl Check<'_> {
    /// Validates a joint action.
    pub(super) fn joint(&self, action: &JointAction) -> Checked {
        if !(1..=2).contains(&action.together.len()) {
            return Err(format!("{} parts instead of one or two", action.together.len()));
        }
        self.piles(&action.to)?;
        action.to.iter().try_for_each(|&pile| self.has_build_order(pile))?;
        for part in &action.together {
            self.piles(&part.from)?;
            if part.holds > 2 {
                return Err(format!("a part of {} cards instead of one or two", part.holds));
            }
            if part.from.iter().any(|pile| action.to.contains(pile)) {
                return Err("a pile both gives and takes".to_owned());
            }
        }
        action.matching.as_ref().map_or(Ok(()), |set| self.card_set(set))
    }
}
