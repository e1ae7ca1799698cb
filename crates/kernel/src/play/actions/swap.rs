//! The top cards of two piles change places: listing and testing.

use std::ops::ControlFlow;

use crate::bits::bits;
use crate::card::has;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;

impl State {
    /// Visits the pairs of piles whose top cards differ until `visit` breaks.
    pub(super) fn swap_instances(
        &self,
        program: &Program,
        piles: u128,
        belong: bool,
        mut visit: impl FnMut(u8, u8) -> bool,
    ) -> ControlFlow<()> {
        let filled = piles & !self.vacant() & self.open_piles(program);
        for from in bits(filled) {
            for to in bits(filled).filter(|&to| to > from) {
                let may = self.top(from) != self.top(to)
                    && (!belong || self.belong_elsewhere(program, from, to));
                if may && !visit(from as u8, to as u8) {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether two piles have one card each that is wanted at the bottom of the other pile and not
    /// of its own.
    fn belong_elsewhere(&self, program: &Program, one: usize, other: usize) -> bool {
        let (&[here], &[there]) = (self.pile(one), self.pile(other)) else { return false };
        let begins = |pile, byte| has(self.wanted(program, pile, 0, None), byte);
        begins(other, here) && begins(one, there) && !begins(one, here) && !begins(other, there)
    }

    /// Whether a move is an instance of a swap of some piles.
    pub(super) fn is_swap_instance(
        &self,
        program: &Program,
        piles: u128,
        belong: bool,
        instance: Move,
    ) -> bool {
        let (from, to) = (instance.from(), instance.to());
        let filled = piles & !self.vacant() & self.open_piles(program);
        let is_filled = |pile: u8| pile < 128 && filled >> pile & 1 != 0;
        instance.count() == 0
            && from < to
            && is_filled(from)
            && is_filled(to)
            && self.top(usize::from(from)) != self.top(usize::from(to))
            && (!belong || self.belong_elsewhere(program, usize::from(from), usize::from(to)))
    }
}
