//! Whether conditions hold, and what build orders want.

use std::iter;

use crate::bits::bits;
use crate::card::{CARDS, card, has, is_face_down, rank, same_suit};
use crate::play::tops::Tops;
use crate::position::state::State;
use crate::program::actions::CompiledAction;
use crate::program::compiled::{BuildOrder, Program, RANKS};
use crate::program::format::{Compare, Condition, Sum};

impl State {
    /// Whether all conditions hold.
    #[inline]
    pub(crate) fn all_hold(&self, program: &Program, conditions: &[Condition]) -> bool {
        conditions.iter().all(|condition| self.holds(program, condition))
    }

    /// The same, where the tops of this position may be known.
    #[inline]
    pub(super) fn all_hold_with(
        &self,
        program: &Program,
        conditions: &[Condition],
        tops: &Tops,
    ) -> bool {
        conditions.iter().all(|condition| match condition {
            Condition::Blocked { rules, from } => self.are_blocked(program, rules, from.0, tops),
            condition => self.holds(program, condition),
        })
    }

    /// Whether a condition holds.
    #[inline]
    pub(crate) fn holds(&self, program: &Program, condition: &Condition) -> bool {
        match condition {
            Condition::Vacant { piles, number } => at_least(piles.0 & self.vacant(), *number),
            Condition::Filled { piles, number } => at_least(piles.0 & !self.vacant(), *number),
            Condition::Counter { counter, compare, number } => {
                let value = self.counters()[usize::from(*counter)];
                compares(usize::from(value), *compare, usize::from(*number))
            }
            Condition::Complete { piles } => {
                bits(piles.0).all(|pile| self.is_complete(program, pile))
            }
            _ => self.holds_rare(program, condition),
        }
    }

    /// Whether a condition holds that is rare or takes long to test.
    fn holds_rare(&self, program: &Program, condition: &Condition) -> bool {
        match condition {
            Condition::Vacant { .. }
            | Condition::Filled { .. }
            | Condition::Counter { .. }
            | Condition::Complete { .. } => self.holds(program, condition),
            Condition::Holds { piles, cards, compare, number } => {
                if program.pack & !cards.0 == 0 {
                    let held = bits(piles.0).map(|pile| self.len(pile)).sum();
                    return compares(held, *compare, usize::from(*number));
                }
                self.holds_cards(piles.0, cards.0, *compare, *number)
            }
            Condition::Top { pile, cards } => {
                self.top(usize::from(*pile)).is_some_and(|top| has(cards.0, top))
            }
            Condition::Size { piles, compare, than } => {
                let size = |piles: u128| bits(piles).map(|pile| self.len(pile)).sum::<usize>();
                compares(size(piles.0), *compare, size(than.0))
            }
            Condition::Each { piles, number, cards, compare, held, tops } => {
                let fits = |pile: &usize| {
                    if *tops {
                        let is_held = self.top(*pile).is_some_and(|top| has(cards.0, top));
                        return compares(usize::from(is_held), *compare, usize::from(*held));
                    }
                    self.holds_cards(1 << pile, cards.0, *compare, *held)
                };
                bits(piles.0).filter(fits).take(usize::from(*number)).count()
                    >= usize::from(*number)
            }
            Condition::ByCounter { counter, conditions } => conditions
                .get(usize::from(self.counters()[usize::from(*counter)]))
                .is_some_and(|condition| self.holds(program, condition)),
            Condition::AnyOf { conditions } => {
                conditions.iter().any(|condition| self.holds(program, condition))
            }
            Condition::Score { points } => {
                let score = program.source().score.as_ref();
                score.is_some_and(|score| self.worth(program) >= score.aim.worth(*points))
            }
            Condition::Ordered { lines, relation, length, gaps, first } => {
                let over = &program.relations[usize::from(*relation)].over;
                let begins = |line: &Vec<u8>| {
                    let mut cards = line.iter().flat_map(|&pile| self.pile(usize::from(pile)));
                    cards.next().is_none_or(|&byte| first.is_none_or(|first| has(first.0, byte)))
                };
                lines.iter().all(begins)
                    && self.lie_in_order(lines, over, usize::from(*length), *gaps)
            }
            Condition::Sums { lines, sum } => lines.iter().all(|line| self.adds_up(line, sum)),
            Condition::Blocked { rules, from } => {
                self.are_blocked(program, rules, from.0, &Tops::default())
            }
        }
    }

    /// The piles that are open: vacant, or not covered by others.
    #[inline]
    pub(crate) fn open_piles(&self, program: &Program) -> u128 {
        if program.covered.is_empty() {
            return u128::MAX;
        }
        let is_covered = |sets: &[u128]| sets.iter().all(|covers| covers & !self.vacant() != 0);
        let covered = program.covered.iter().filter(|(_, sets)| is_covered(sets));
        self.vacant() | !covered.fold(0u128, |piles, (pile, _)| piles | 1 << pile)
    }

    /// Whether a pile is open.
    #[inline]
    pub(crate) fn is_open(&self, program: &Program, pile: usize) -> bool {
        self.open_piles(program) >> pile & 1 != 0
    }

    /// Whether a pile would be open if another one were vacant.
    pub(crate) fn is_open_without(&self, program: &Program, pile: usize, other: usize) -> bool {
        let filled = !self.vacant() & !(1 << other);
        let is_open = |sets: &[u128]| sets.iter().any(|covers| covers & filled == 0);
        program.covered.iter().all(|(covered, sets)| usize::from(*covered) != pile || is_open(sets))
    }

    /// Compares the number of cards of a class in some piles to a number. Stops counting when the
    /// answer is known.
    fn holds_cards(&self, piles: u128, cards: u64, compare: Compare, number: u16) -> bool {
        let enough = match compare {
            Compare::Below | Compare::AtLeast => usize::from(number),
            Compare::Equal => usize::from(number) + 1,
        };
        let mut held = 0;
        for pile in bits(piles & !self.vacant()) {
            for &byte in self.pile(pile).iter().rev() {
                if held >= enough {
                    return compares(held, compare, usize::from(number));
                }
                held += usize::from(has(cards, byte));
            }
        }
        compares(held, compare, usize::from(number))
    }

    /// Whether every line that has cards consists of sequences, and one line has cards.
    fn lie_in_order(
        &self,
        lines: &[Vec<u8>],
        over: &[u64; CARDS],
        length: usize,
        gaps: bool,
    ) -> bool {
        let mut has_cards = false;
        for line in lines {
            if let [pile] = line[..]
                && length != 0
                && !self.len(usize::from(pile)).is_multiple_of(length)
            {
                return false;
            }
            let (mut count, mut before, mut gap) = (0, None, false);
            for &pile in line {
                let cards = self.pile(usize::from(pile));
                gap |= cards.is_empty();
                for &byte in cards {
                    let begins = length != 0 && count % length == 0;
                    let follows = begins
                        || before.is_none_or(|lower: u8| has(over[usize::from(lower)], byte));
                    if (gap && !gaps) || is_face_down(byte) || !follows {
                        return false;
                    }
                    before = Some(card(byte));
                    count += 1;
                }
            }
            if length != 0 && count % length != 0 {
                return false;
            }
            has_cards |= count != 0;
        }
        has_cards
    }

    /// Whether all piles hold cards, and their top cards, face up, add up to a sum.
    fn adds_up(&self, piles: &[u8], sum: &Sum) -> bool {
        let values = piles.iter().map(|&pile| {
            let top = self.top(usize::from(pile)).filter(|&top| !is_face_down(top))?;
            Some(u32::from(sum.values[usize::from(rank(card(top)))]))
        });
        values.sum::<Option<u32>>() == Some(u32::from(sum.total))
    }

    /// Whether no rule of some that move cards, or take sets of them away, has an instance from one
    /// of some piles.
    fn are_blocked(&self, program: &Program, rules: &[u8], from: u128, tops: &Tops) -> bool {
        rules.iter().all(|&rule| {
            let plan = &program.plans[usize::from(rule)];
            let has_instance = || match &plan.kind {
                CompiledAction::Move(moving) => {
                    let sources = from & tops.sources(program, self, rule);
                    let visit = |_, _, _| false;
                    self.move_instances(program, moving, sources, tops, visit).is_break()
                }
                kind => kind.takes_set_from(self, program, from),
            };
            !self.all_hold(program, &plan.when) || !has_instance()
        })
    }

    /// Whether the build order of a pile is complete. A pile without one never is.
    pub(crate) fn is_complete(&self, program: &Program, pile: usize) -> bool {
        self.len(pile) >= program.places[pile].complete
    }

    /// The cards that the build order of a pile wants at a height, on a card if there is one.
    #[inline]
    pub(crate) fn wanted(
        &self,
        program: &Program,
        pile: usize,
        height: usize,
        top: Option<u8>,
    ) -> u64 {
        let Some(build_order) = program.places[pile].build_order else { return 0 };
        let build_order = &program.build_orders[usize::from(build_order)];
        if height >= build_order.wants.len() {
            return 0;
        }
        let mut wants = if build_order.is_plain {
            self.wanted_from_base(build_order, height)
        } else {
            self.wanted_by_cards(build_order, pile, height, top)
        };
        if build_order.one_suit_each && height == 0 {
            wants &= !self.begun_suits(build_order.piles & !(1 << pile));
        }
        match (build_order.relation, top) {
            (Some(relation), Some(top)) => {
                let over = &program.relations[usize::from(relation)].over;
                wants & over[usize::from(crate::card::card(top))]
            }
            _ => wants,
        }
    }

    /// The cards that a build order wants at a height, from its base on.
    #[inline]
    fn wanted_from_base(&self, build_order: &BuildOrder, height: usize) -> u64 {
        let Some(counter) = build_order.base else { return build_order.wants[height] };
        let base = usize::from(self.counters()[usize::from(counter)]);
        match build_order.places.get(base) {
            Some(&place) if place != u8::MAX => {
                let steps = build_order.wants.len();
                let wants = build_order.wants[(usize::from(place) + height) % steps];
                if height == 0 { wants & SAME_RANK << (4 * base) } else { wants }
            }
            // The base is not known yet.
            None if height == 0 => build_order.wants.iter().fold(0, |all, wants| all | wants),
            _ => 0,
        }
    }

    /// The cards that a build order wants at a height if that depends on the cards of its piles.
    fn wanted_by_cards(
        &self,
        build_order: &BuildOrder,
        pile: usize,
        height: usize,
        top: Option<u8>,
    ) -> u64 {
        let cards = self.pile(pile);
        if height == 0 {
            return self.wanted_first(build_order);
        }
        if build_order.waits && self.is_waiting(build_order, pile) {
            return 0;
        }
        let ways = || {
            let others = build_order.ways.iter().map(|way| (&*way.wants, &way.places));
            iter::once((&*build_order.wants, &build_order.places)).chain(others)
        };
        // What a way wants at a height on a pile with a certain bottom card.
        let wants = |(wants, places): (&[u64], &[u8; RANKS]), bottom: Option<u8>, height: usize| {
            let base = if build_order.own_base {
                bottom.map(|bottom| usize::from(rank(card(bottom))))
            } else if let Some(counter) = build_order.base {
                Some(usize::from(self.counters()[usize::from(counter)]))
            } else {
                return wants[height];
            };
            match base.and_then(|base| places.get(base)) {
                Some(&place) if place != u8::MAX => {
                    wants[build_order.place_at(usize::from(place), height)]
                }
                _ => 0,
            }
        };
        let bottom = cards.first().copied().or(if height == 1 { top } else { None });
        // The cards that decide which way is taken: of this pile or of another one.
        let decided = if cards.len() > 1 {
            Some((cards[0], cards[1], 1))
        } else if height > 1 {
            bottom.zip(top).map(|(bottom, top)| (bottom, top, height - 1))
        } else if build_order.one_way {
            let mut others = bits(build_order.piles).map(|other| self.pile(other));
            others.find(|other| other.len() > 1).map(|other| (other[0], other[1], 1))
        } else {
            None
        };
        let is_open = |way| match decided {
            Some((bottom, here, at)) => has(wants(way, Some(bottom), at), here),
            None => true,
        };
        let open = ways().filter(|&way| build_order.ways.is_empty() || is_open(way));
        open.fold(0, |all, way| all | wants(way, bottom, height))
    }

    /// The cards with which a pile of a build order may begin.
    fn wanted_first(&self, build_order: &BuildOrder) -> u64 {
        if build_order.own_base {
            build_order.wants.iter().fold(0, |all, wants| all | wants)
        } else {
            self.wanted_from_base(build_order, 0)
        }
    }

    /// Whether the bottom card of a pile is not wanted there.
    fn is_waiting(&self, build_order: &BuildOrder, pile: usize) -> bool {
        let begins = self.wanted_first(build_order);
        self.pile(pile).first().is_some_and(|&bottom| !has(begins, bottom))
    }

    /// Whether a pile has a bottom card that its build order does not want there.
    pub(crate) fn has_waiting_card(&self, program: &Program, pile: usize) -> bool {
        program.places[pile]
            .build_order
            .is_some_and(|at| self.is_waiting(&program.build_orders[usize::from(at)], pile))
    }

    /// The cards of the suits that lie at the bottom of some piles.
    fn begun_suits(&self, piles: u128) -> u64 {
        bits(piles)
            .filter_map(|pile| self.pile(pile).first())
            .fold(0, |begun, &bottom| begun | same_suit(card(bottom)))
    }

    /// The cards that a foundation wants next, as a mask; none if it is complete or is not a
    /// foundation.
    ///
    /// # Panics
    ///
    /// Panics if there is no such pile.
    pub fn next_cards(&self, program: &Program, pile: usize) -> u64 {
        self.wanted_now(program, pile)
    }

    /// The first condition of a rule that does not hold, by its index in the program; none if all
    /// hold, or if there is no such rule.
    pub fn failed_condition(&self, program: &Program, rule: usize) -> Option<usize> {
        let mut when = program.source().rules.get(rule)?.when.iter();
        when.position(|condition| !self.holds(program, condition))
    }

    /// The cards that the build order of a pile wants now.
    #[inline]
    pub(crate) fn wanted_now(&self, program: &Program, pile: usize) -> u64 {
        self.wanted(program, pile, self.len(pile), self.top(pile))
    }

    /// The rank of the top card of a pile.
    pub(crate) fn top_rank(&self, pile: usize) -> Option<u16> {
        self.top(pile).map(|top| u16::from(rank(top)))
    }
}

fn at_least(piles: u128, number: u16) -> bool {
    match number {
        0 => true,
        1 => piles != 0,
        _ => piles.count_ones() >= u32::from(number),
    }
}

/// Whether a value compares with a number as asked.
pub(crate) const fn compares(value: usize, compare: Compare, number: usize) -> bool {
    match compare {
        Compare::Below => value < number,
        Compare::Equal => value == number,
        Compare::AtLeast => value >= number,
    }
}

/// The cards of the lowest rank.
const SAME_RANK: u64 = 0b1111;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_with_the_number() {
        assert!(compares(2, Compare::Below, 3) && !compares(3, Compare::Below, 3));
        assert!(compares(3, Compare::Equal, 3) && !compares(4, Compare::Equal, 3));
        assert!(compares(3, Compare::AtLeast, 3) && !compares(2, Compare::AtLeast, 3));
    }
}
