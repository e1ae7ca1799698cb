//! How well piles fit together that are put on each other as wholes.
//!
//! In such a game every move leaves one pile less, so only a look ahead tells positions apart. What
//! counts is how many of the top cards fit each other, wherever they lie: most of them will lie
//! side by side some time. Two cards that fit are worth the more the fewer others fit both of them.
//! Where cards fit in suit or rank, a pair of a rank is worth four times as much as one of a suit:
//! it connects two suits.

use crate::bits::{bits, ones};
use crate::card::{CARDS, card};
use crate::position::state::State;
use crate::program::actions::CompiledAction;
use crate::program::compiled::Program;
use crate::program::format::{Condition, Unit};

/// What two cards are worth that fit each other and no third one.
const WORTH: u32 = 12;

/// The piles that the aim wants empty and that rules put on each other as wholes, by their top
/// cards.
#[derive(Clone, Default)]
pub(crate) struct Merging {
    piles: u128,
    /// For each worth, and each card: the cards that fit it and are worth that with it.
    partners: Vec<(i32, [u64; CARDS])>,
    /// The top cards when last asked for, and what all pairs of them were worth.
    last: (u64, i32),
}

impl Merging {
    /// The piles of a program.
    pub(crate) fn new(program: &Program) -> Self {
        let clears = program.source().aim.iter().fold(0, |piles, condition| match condition {
            Condition::Vacant { piles: clears, .. } => piles | clears.0,
            _ => piles,
        });
        let mut merging = Self::default();
        let mut fits = [0u64; CARDS];
        for plan in &program.plans {
            let CompiledAction::Move(plan) = &plan.kind else { continue };
            let is_merging = plan.action.by_top && plan.action.cards == Unit::All;
            if let (true, Some(relation)) = (is_merging, plan.action.build) {
                merging.piles |= plan.from_mask & plan.to_mask & clears;
                let relation = &program.relations[usize::from(relation)];
                for (here, fits) in fits.iter_mut().enumerate() {
                    *fits |= (relation.over[here] | relation.under[here]) & !(1 << here);
                }
            }
        }
        for here in 0..CARDS {
            for other in ones(fits[here]) {
                let both = (fits[here] & fits[other]).count_ones();
                merging.add_pair(here, other, (WORTH / (1 + both)).cast_signed());
            }
        }
        merging
    }

    /// Whether there are such piles.
    pub(crate) const fn has_piles(&self) -> bool {
        self.piles != 0
    }

    fn add_pair(&mut self, here: usize, other: usize, worth: i32) {
        let known = self.partners.iter().position(|&(each, _)| each == worth);
        let at = known.unwrap_or(self.partners.len());
        if known.is_none() {
            self.partners.push((worth, [0; CARDS]));
        }
        self.partners[at].1[here] |= 1 << other;
    }

    /// Whether no piles fit together.
    pub(crate) const fn is_empty(&self) -> bool {
        self.partners.is_empty()
    }

    /// What the pairs of top cards are worth less than if all were of the best. Equal cards count
    /// once.
    pub(crate) fn unmatched(&mut self, state: &State) -> i32 {
        let piles = bits(self.piles & !state.vacant());
        let tops = piles.filter_map(|pile| state.top(pile));
        let tops = tops.fold(0u64, |tops, top| tops | 1 << card(top));
        let worth = self.worth(tops);
        let best = self.partners.iter().map(|&(worth, _)| worth).max().unwrap_or(0);
        let count = tops.count_ones().cast_signed();
        best * count * (count - 1) / 2 - worth
    }

    /// What the pairs of some cards are worth. Mostly few of them are others than when last asked
    /// for.
    fn worth(&mut self, cards: u64) -> i32 {
        let (mut held, mut sum) = self.last;
        for card in ones(held ^ cards) {
            let gain = if held >> card & 1 != 0 { -1 } else { 1 };
            held ^= 1 << card;
            for (worth, partners) in &self.partners {
                sum += gain * worth * (partners[card] & held).count_ones().cast_signed();
            }
        }
        self.last = (cards, sum);
        sum
    }
}
