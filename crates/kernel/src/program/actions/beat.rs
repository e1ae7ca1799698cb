//! Cards beat a pile: they go to another pile with all of its cards if they are worth more.

use crate::bits::bits;
use crate::card::rank;
use crate::program::footprint::{Footprint, list};
use crate::program::format::BeatAction;
use crate::program::validate::{Check, Checked};

/// How many ranks there are.
const RANKS: usize = 13;

/// The greatest distance between the first and the last pile whose cards beat another one. (The
/// count of a move has a bit for each pile after the first.)
pub(crate) const SPAN: u8 = 7;

/// A compiled beat action.
#[derive(Debug)]
pub(crate) struct CompiledBeat {
    pub(crate) action: BeatAction,
    pub(crate) with: u128,
    pub(crate) beaten: u128,
}

impl CompiledBeat {
    pub(super) fn new(action: &BeatAction) -> Self {
        Self { action: action.clone(), with: list(&action.with), beaten: list(&action.beat) }
    }

    /// What a card is worth.
    pub(crate) fn worth(&self, card: u8) -> u32 {
        u32::from(self.action.worth[usize::from(rank(card))])
    }

    /// Whether so many cards may beat a pile.
    pub(crate) fn takes(&self, number: u32) -> bool {
        let [fewest, most] = self.action.number.map(u32::from);
        (fewest..=most).contains(&number)
    }

    /// The groups of some piles whose cards may beat another one, as they stand in a move: the
    /// first pile and the count. In ascending order.
    pub(crate) fn groups(&self, piles: u128) -> impl Iterator<Item = (u8, u8)> {
        bits(piles).flat_map(move |first| {
            let others = (piles >> first) as u8 & !1;
            // The subsets of the others, each by a subtraction from the one before.
            let after = move |&group: &u8| {
                let next = group.wrapping_sub(others) & others;
                (next != 0).then_some(next)
            };
            std::iter::successors(Some(0), after)
                .map(|group| group | 1)
                .filter(|group| self.takes(group.count_ones()))
                .map(move |group| (first as u8, group))
        })
    }

    /// Whether two beat rules can make the same move.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.with & other.with != 0 && self.beaten & other.beaten != 0
    }
}

/// The piles of a group, as a move has it.
pub(crate) fn group_piles(first: u8, group: u8) -> u128 {
    u128::from(group).checked_shl(u32::from(first)).unwrap_or(0)
}

/// Adds what beating reads and writes.
pub(super) fn add_footprint(action: &BeatAction, footprint: &mut Footprint) {
    let (with, beaten) = (list(&action.with), list(&action.beat));
    let backing = action.backing.iter().fold(0, |piles, mask| piles | mask.0);
    footprint.takes |= with | beaten;
    footprint.takes_freely |= with | beaten;
    footprint.deals |= 1 << action.to;
    footprint.reads |= backing;
    footprint.measures |= beaten | backing;
    if action.blind {
        footprint.turns |= beaten;
    }
    footprint.add_worth(&action.worth);
    footprint.has_choice = true;
    footprint.most_cards = Footprint::NO_LIMIT;
}

impl Check<'_> {
    /// Validates a beat action.
    pub(super) fn beat(&self, action: &BeatAction) -> Checked {
        self.piles(&action.beat)?;
        self.piles(&action.with)?;
        self.has_ranks_only()?;
        self.is_pile(action.to)?;
        if list(&action.beat) & list(&action.with) != 0 {
            return Err("a pile beats itself".to_owned());
        }
        if action.beat.contains(&action.to) || action.with.contains(&action.to) {
            return Err("a pile both gives and takes".to_owned());
        }
        let span = action.with.iter().max().zip(action.with.iter().min());
        if span.is_some_and(|(last, first)| last - first > SPAN) {
            return Err(format!("the piles that beat others are more than {SPAN} apart"));
        }
        if action.number[0] == 0 {
            return Err("no cards beat a pile".to_owned());
        }
        if action.worth.len() != RANKS {
            return Err(format!("{} ranks are worth something, not {RANKS}", action.worth.len()));
        }
        if action.backing.len() != action.beat.len() {
            return Err("backing does not have one entry for each pile".to_owned());
        }
        action.backing.iter().try_for_each(|&mask| self.mask(mask))
    }
}
