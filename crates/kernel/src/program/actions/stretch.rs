//! Cards that lie beside each other in a row leave their piles at the same time.

use crate::program::footprint::{Footprint, list};
use crate::program::format::StretchAction;
use crate::program::validate::{Check, Checked, MAX_CARDS, at_least_one, most};

/// How many ranks there are.
const RANKS: usize = 13;

/// A compiled stretch action.
#[derive(Debug)]
pub(crate) struct CompiledStretch {
    pub(crate) action: StretchAction,
    /// The largest of the sums.
    pub(crate) most_worth: u16,
}

impl CompiledStretch {
    pub(super) fn new(action: &StretchAction) -> Self {
        let most_worth = action.sums.iter().copied().max().unwrap_or(u16::MAX);
        Self { action: action.clone(), most_worth }
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
        list(&self.action.piles) & list(&other.action.piles) != 0
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
