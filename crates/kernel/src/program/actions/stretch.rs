//! Cards that lie beside each other in a row leave their piles at the same time.

use crate::program::footprint::{Footprint, list};
use crate::program::format::StretchAction;
use crate::program::validate::{Check, Checked, MAX_CARDS, MAX_PILES, at_least_one, most};

/// How many ranks there are.
const RANKS: usize = 13;

/// A compiled stretch action.
#[derive(Debug)]
pub(crate) struct CompiledStretch {
    pub(crate) action: StretchAction,
    /// Whether cards may leave that are worth so much together. No stretch is worth more.
    pub(crate) adds_up: Box<[bool]>,
    /// The piles of the row.
    pub(crate) row: u128,
    /// The place in the row of each pile.
    places: [Option<u8>; MAX_PILES],
}

impl CompiledStretch {
    pub(super) fn new(action: &StretchAction) -> Self {
        let sums = &action.sums;
        let most_worth = sums.iter().copied().max().unwrap_or_else(|| {
            let dearest = action.worth.iter().copied().max().unwrap_or(0);
            dearest.saturating_mul(action.number[1].min(action.piles.len() as u16))
        });
        let adds_up = (0..=most_worth).map(|worth| sums.is_empty() || sums.contains(&worth));
        let mut places = [None; MAX_PILES];
        for (place, &pile) in (0..).zip(&action.piles) {
            places[usize::from(pile)] = Some(place);
        }
        let row = list(&action.piles);
        Self { action: action.clone(), adds_up: adds_up.collect(), row, places }
    }

    /// The places of the first and the last pile of a stretch, if they lie in the row in this
    /// order.
    #[inline]
    pub(crate) fn places_of(&self, first: u8, last: u8) -> Option<(usize, usize)> {
        let place = |pile: u8| self.places.get(usize::from(pile)).copied().flatten();
        let (first, last) = (place(first)?, place(last)?);
        (first <= last).then_some((first.into(), last.into()))
    }

    /// The first and last places of the stretches that may leave, as indices into the row.
    pub(crate) fn places(&self) -> impl Iterator<Item = (usize, usize)> {
        let row = self.action.piles.len();
        let [fewest, most] = self.action.number.map(usize::from);
        // The cards at both sides have places, too.
        let side = usize::from(self.action.around.is_some());
        (side..row).flat_map(move |first| {
            (first + fewest - 1..(first + most).min(row - side)).map(move |last| (first, last))
        })
    }

    /// The first and last piles of the stretches that may leave.
    pub(super) fn ends(&self) -> impl Iterator<Item = (u8, u8)> {
        let row = &self.action.piles;
        self.places().map(|(first, last)| (row[first], row[last]))
    }

    /// Whether two stretch rules can make the same move.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.row & other.row != 0
    }
}

/// Adds what a stretch reads and writes.
pub(super) fn add_footprint(action: &StretchAction, footprint: &mut Footprint) {
    let row = list(&action.piles);
    footprint.takes |= row;
    footprint.takes_freely |= row;
    footprint.deals |= 1 << action.to;
    footprint.relations |= action.around.map_or(0, |relation| 1 << relation);
    footprint.has_choice = true;
    footprint.most_cards = footprint.most_cards.max(action.number[1]);
}

impl Check<'_> {
    /// Validates a stretch action.
    pub(super) fn stretch(&self, action: &StretchAction) -> Checked {
        self.piles(&action.piles)?;
        self.has_ranks_only()?;
        self.is_pile(action.to)?;
        if action.piles.contains(&action.to) {
            return Err("a pile both gives and takes".to_owned());
        }
        at_least_one("the fewest cards of a stretch", action.number[0])?;
        action.around.map_or(Ok(()), |relation| self.is_relation(relation))?;
        most("sums", action.sums.len(), MAX_CARDS)?;
        if action.worth.len() != RANKS {
            return Err(format!("{} ranks are worth something, not {RANKS}", action.worth.len()));
        }
        Ok(())
    }
}
