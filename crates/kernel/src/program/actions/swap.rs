//! The top cards of two piles change places.

use crate::bits::bits;
use crate::program::footprint::Footprint;
use crate::program::format::{Source, SwapAction};
use crate::program::validate::{Check, Checked, cards};

/// The pairs of piles between which cards can change places, by the first pile.
pub(super) fn pile_pairs(action: &SwapAction) -> Vec<(u8, u8)> {
    let piles = action.exchange.0;
    let later = |from: usize| bits(piles & u128::MAX << from & !(1 << from));
    let pairs = bits(piles).flat_map(|from| later(from).map(move |to| (from, to)));
    let fits = |&(from, to): &(usize, usize)| {
        let is_on = |pile: usize, side: usize| action.sides[side].piles.0 >> pile & 1 != 0;
        action.sides.is_empty() || is_on(from, 0) && is_on(to, 1) || is_on(from, 1) && is_on(to, 0)
    };
    pairs.filter(fits).map(|(from, to)| (from as u8, to as u8)).collect()
}

/// Whether two swaps can make the same move.
pub(super) const fn overlaps(this: &SwapAction, other: &SwapAction) -> bool {
    (this.exchange.0 & other.exchange.0).count_ones() > 1
}

/// Adds what a swap reads and writes.
pub(crate) fn add_footprint(program: &Source, action: &SwapAction, footprint: &mut Footprint) {
    let piles = action.exchange.0;
    if action.belong {
        footprint.reads |= piles;
        bits(piles).for_each(|pile| footprint.add_build_order(program, pile as u8));
    }
    action.sides.iter().for_each(|side| footprint.add_class(side.cards));
    footprint.takes |= piles;
    footprint.takes_freely |= piles;
    footprint.deals |= piles;
    // Only cards that differ are swapped.
    footprint.compares_cards = true;
    footprint.has_choice = true;
}

impl Check<'_> {
    /// Validates a swap.
    pub(super) fn swap(&self, action: &SwapAction) -> Checked {
        self.mask(action.exchange)?;
        if !matches!(action.sides.len(), 0 | 2) {
            return Err(format!("an exchange between {} sides", action.sides.len()));
        }
        for side in &action.sides {
            self.mask(side.piles)?;
            cards(side.cards)?;
            if side.piles.0 & !action.exchange.0 != 0 {
                return Err("a side of an exchange has other piles than the exchange".to_owned());
            }
        }
        let mut ordered = bits(if action.belong { action.exchange.0 } else { 0 });
        ordered.try_for_each(|pile| self.has_build_order(pile as u8))
    }
}
