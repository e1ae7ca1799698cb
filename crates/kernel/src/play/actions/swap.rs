//! The top cards of two piles change places: listing and testing.

use std::ops::ControlFlow;

use crate::bits::{bits, ones};
use crate::card::{ALL, CARDS, card, has, is_face_down};
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::{Side, SwapAction};

impl State {
    /// Visits the pairs of piles whose top cards may change places until `visit` breaks.
    pub(super) fn swap_instances(
        &self,
        program: &Program,
        action: &SwapAction,
        mut visit: impl FnMut(u8, u8) -> bool,
    ) -> ControlFlow<()> {
        let mut filled = action.exchange.0 & !self.vacant() & self.open_piles(program);
        // For each card the piles that want it at the bottom.
        let mut begins = [0; CARDS];
        if action.belong {
            for pile in bits(filled) {
                let wanted = self.wanted(program, pile, 0, None);
                if let &[only] = self.pile(pile)
                    && !has(wanted, only)
                {
                    ones(wanted & ALL).for_each(|card| begins[card] |= 1 << pile);
                } else {
                    filled &= !(1 << pile);
                }
            }
        }
        let of_side = |side: &Side| {
            let is_of = |&pile: &usize| self.is_of_side(pile, side);
            bits(filled & side.piles.0).filter(is_of).fold(0u128, |piles, pile| piles | 1 << pile)
        };
        let sides = match &*action.sides {
            [first, second] => [of_side(first), of_side(second)],
            _ => [filled; 2],
        };
        for from in bits(filled) {
            let top = self.top(from).filter(|_| action.belong);
            let mut others = top.map_or(filled, |top| begins[usize::from(card(top))]);
            let opposite =
                |side: usize| if sides[side] >> from & 1 != 0 { sides[1 - side] } else { 0 };
            others &= opposite(0) | opposite(1);
            for to in bits(others & (u128::MAX << from)) {
                let other = self.top(to);
                let is_wanted =
                    |top: u8| !action.belong || begins[usize::from(card(top))] >> from & 1 != 0;
                let may_swap = self.top(from) != other && other.is_some_and(is_wanted);
                debug_assert_eq!(may_swap, from != to && self.may_swap(program, action, from, to));
                if may_swap && !visit(from as u8, to as u8) {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether the top cards of two open piles may change places.
    fn may_swap(&self, program: &Program, action: &SwapAction, one: usize, other: usize) -> bool {
        let is_of = |pile: usize, side: &Side| self.is_of_side(pile, side);
        self.top(one) != self.top(other)
            && (!action.belong || self.belong_elsewhere(program, one, other))
            && match &*action.sides {
                [first, second] => {
                    is_of(one, first) && is_of(other, second)
                        || is_of(one, second) && is_of(other, first)
                }
                _ => true,
            }
    }

    /// Whether a pile shows a card of a side.
    fn is_of_side(&self, pile: usize, side: &Side) -> bool {
        side.piles.0 >> pile & 1 != 0
            && self.top(pile).is_some_and(|top| !is_face_down(top) && has(side.cards.0, top))
    }

    /// Whether two piles have one card each that is wanted at the bottom of the other pile and not
    /// of its own.
    fn belong_elsewhere(&self, program: &Program, one: usize, other: usize) -> bool {
        let (&[here], &[there]) = (self.pile(one), self.pile(other)) else { return false };
        let begins = |pile, byte| has(self.wanted(program, pile, 0, None), byte);
        begins(other, here) && begins(one, there) && !begins(one, here) && !begins(other, there)
    }

    /// Whether a move is an instance of a swap.
    pub(super) fn is_swap_instance(
        &self,
        program: &Program,
        action: &SwapAction,
        instance: Move,
    ) -> bool {
        let (from, to) = (instance.from(), instance.to());
        let filled = action.exchange.0 & !self.vacant() & self.open_piles(program);
        let is_filled = |pile: u8| pile < 128 && filled >> pile & 1 != 0;
        instance.count() == 0
            && from < to
            && is_filled(from)
            && is_filled(to)
            && self.may_swap(program, action, usize::from(from), usize::from(to))
    }
}
