//! The top cards of two piles that belong together go to a third pile.

use crate::program::footprint::{Footprint, list};
use crate::program::format::PairAction;
use crate::program::validate::{Check, Checked};

/// A compiled pair action. Its sets are by pile, empty for piles that no card may come from.
#[derive(Debug)]
pub(crate) struct CompiledPair {
    pub(crate) from_mask: u128,
    /// The piles that the other card may come from.
    pub(crate) partners: Box<[u128]>,
    /// The piles that must be empty first.
    pub(crate) yields_to: Box<[u128]>,
    pub(crate) pair: usize,
    pub(crate) to: usize,
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
            pair: usize::from(action.pair),
            to: usize::from(action.to),
        }
    }

    /// Whether two pair rules can make the same move.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.partners.iter().zip(&other.partners).any(|(this, other)| this & other != 0)
    }
}

/// Adds what a pair reads and writes.
pub(super) fn add_footprint(action: &PairAction, footprint: &mut Footprint) {
    let from = list(&action.from);
    footprint.takes |= from;
    footprint.takes_freely |= from;
    footprint.deals |= 1 << action.to;
    footprint.reads |= action.yields_to.iter().fold(0, |piles, mask| piles | mask.0);
    footprint.relations |= 1 << action.pair;
    footprint.has_choice = true;
    footprint.most_cards = footprint.most_cards.max(2);
}

impl Check<'_> {
    /// Validates a pair action.
    pub(super) fn pair(&self, action: &PairAction) -> Checked {
        self.piles(&action.from)?;
        self.is_pile(action.to)?;
        self.is_relation(action.pair)?;
        for (what, list) in [("yields_to", &action.yields_to), ("partners", &action.partners)] {
            if list.len() != action.from.len() {
                return Err(format!("{what} does not have one entry for each pile"));
            }
            list.iter().try_for_each(|&mask| self.mask(mask))?;
        }
        if action.from.contains(&action.to) {
            return Err("a pile both gives and takes".to_owned());
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
}
