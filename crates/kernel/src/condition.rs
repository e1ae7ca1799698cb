//! Whether conditions hold, and what ladders want.

use crate::card::{SUIT, card, has, rank};
use crate::compiled::{Compiled, Kind};
use crate::program::{Compare, Condition};
use crate::state::State;

impl State {
    /// Whether all conditions hold.
    #[inline]
    pub(crate) fn all_hold(&self, program: &Compiled, conditions: &[Condition]) -> bool {
        conditions.iter().all(|condition| self.holds(program, condition))
    }

    /// Whether a condition holds.
    pub(crate) fn holds(&self, program: &Compiled, condition: &Condition) -> bool {
        match condition {
            Condition::Vacant { piles, number } => {
                (piles.0 & self.vacant()).count_ones() >= u32::from(*number)
            }
            Condition::Filled { piles, number } => {
                (piles.0 & !self.vacant()).count_ones() >= u32::from(*number)
            }
            Condition::Holds { piles, cards, compare, number } => {
                let held = bits(piles.0 & !self.vacant()).map(|pile| self.held(pile, cards.0));
                compares(held.sum(), *compare, *number)
            }
            Condition::Top { pile, cards } => {
                self.top(usize::from(*pile)).is_some_and(|top| has(cards.0, top))
            }
            Condition::Counter { counter, compare, number } => {
                let value = self.counters()[usize::from(*counter)];
                compares(usize::from(value), *compare, *number)
            }
            Condition::Complete { piles } => {
                bits(piles.0).all(|pile| self.is_complete(program, pile))
            }
            Condition::Blocked { rules, from } => {
                rules.iter().all(|&rule| !self.has_instance_from(program, rule, from.0))
            }
        }
    }

    /// Whether a move rule has an instance from any of some piles.
    fn has_instance_from(&self, program: &Compiled, rule: u8, from: u128) -> bool {
        let plan = &program.plans[usize::from(rule)];
        let Kind::Move(moving) = &plan.kind else { return false };
        self.all_hold(program, &plan.when)
            && self.move_instances(program, moving, from, |_, _, _| false).is_stopped()
    }

    /// Whether the ladder of a pile has all its cards; a pile without one is never complete.
    pub(crate) fn is_complete(&self, program: &Compiled, pile: usize) -> bool {
        let ladder = program.places[pile].ladder;
        ladder.is_some_and(|ladder| {
            self.len(pile) >= program.program().ladders[usize::from(ladder)].wants.len()
        })
    }

    /// The cards that the ladder of a pile wants at a height, on a card if there is one.
    #[inline]
    pub(crate) fn wanted(
        &self,
        program: &Compiled,
        pile: usize,
        height: usize,
        top: Option<u8>,
    ) -> u64 {
        let Some(ladder) = program.places[pile].ladder else { return 0 };
        let ladder = &program.program().ladders[usize::from(ladder)];
        if height >= ladder.wants.len() {
            return 0;
        }
        let step = match ladder.base {
            Some(counter) => {
                (height + usize::from(self.counters()[usize::from(counter)])) % ladder.wants.len()
            }
            None => height,
        };
        let mut wants = ladder.wants[step].0;
        if ladder.apart && height == 0 {
            wants &= !self.begun_suits(program, pile);
        }
        match (ladder.relation, top) {
            (Some(relation), Some(top)) => {
                let over = &program.relations[usize::from(relation)].over;
                wants & over[usize::from(crate::card::card(top))]
            }
            _ => wants,
        }
    }

    /// The cards of the suits that other piles with the same ladder have begun.
    fn begun_suits(&self, program: &Compiled, pile: usize) -> u64 {
        let places = &program.places;
        (0..places.len())
            .filter(|&other| other != pile && places[other].ladder == places[pile].ladder)
            .filter_map(|other| self.pile(other).first())
            .fold(0, |begun, &bottom| begun | SUIT << (card(bottom) % 4))
    }

    /// The cards that the ladder of a pile wants now.
    #[inline]
    pub(crate) fn wanted_now(&self, program: &Compiled, pile: usize) -> u64 {
        self.wanted(program, pile, self.len(pile), self.top(pile))
    }

    /// The rank of the top card of a pile.
    pub(crate) fn top_rank(&self, pile: usize) -> Option<u16> {
        self.top(pile).map(|top| u16::from(rank(top)))
    }
}

fn compares(value: usize, compare: Compare, number: u16) -> bool {
    let number = usize::from(number);
    match compare {
        Compare::Below => value < number,
        Compare::Equal => value == number,
        Compare::AtLeast => value >= number,
    }
}

/// The numbers of the bits set in a mask, lowest first.
#[inline]
pub(crate) fn bits(mut mask: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            bit
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_lowest_first() {
        let mask = 1 << 127 | 1 << 64 | 1 << 3;
        assert!(bits(mask).eq([3, 64, 127]));
        assert_eq!(bits(0).count(), 0);
    }

    #[test]
    fn comparisons_are_with_the_number() {
        assert!(compares(2, Compare::Below, 3) && !compares(3, Compare::Below, 3));
        assert!(compares(3, Compare::Equal, 3) && !compares(4, Compare::Equal, 3));
        assert!(compares(3, Compare::AtLeast, 3) && !compares(2, Compare::AtLeast, 3));
    }
}
