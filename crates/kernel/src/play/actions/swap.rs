//! The top cards of two piles change places: listing and testing.

use std::ops::ControlFlow;

use crate::bits::bits;
use crate::card::{has, is_face_down};
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
        let filled = action.exchange.0 & !self.vacant() & self.open_piles(program);
        for from in bits(filled) {
            for to in bits(filled).filter(|&to| to > from) {
                if self.may_swap(program, action, from, to) && !visit(from as u8, to as u8) {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether the top cards of two open piles may change places.
    fn may_swap(&self, program: &Program, action: &SwapAction, one: usize, other: usize) -> bool {
        let is_of = |pile: usize, side: &Side| {
            side.piles.0 >> pile & 1 != 0
                && self.top(pile).is_some_and(|top| !is_face_down(top) && has(side.cards.0, top))
        };
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
