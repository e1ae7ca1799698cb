//! The top cards of two piles change places: listing and testing.

use std::ops::ControlFlow;

use crate::bits::bits;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;

impl State {
    /// Visits the pairs of piles whose top cards differ until `visit` breaks.
    pub(super) fn swap_instances(
        &self,
        program: &Program,
        piles: u128,
        mut visit: impl FnMut(u8, u8) -> bool,
    ) -> ControlFlow<()> {
        let filled = piles & !self.vacant() & self.open_piles(program);
        for from in bits(filled) {
            for to in bits(filled).filter(|&to| to > from) {
                if self.top(from) != self.top(to) && !visit(from as u8, to as u8) {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether a move is an instance of a swap of some piles.
    pub(super) fn is_swap_instance(&self, program: &Program, piles: u128, instance: Move) -> bool {
        let (from, to) = (instance.from(), instance.to());
        let filled = piles & !self.vacant() & self.open_piles(program);
        let is_filled = |pile: u8| pile < 128 && filled >> pile & 1 != 0;
        instance.count() == 0
            && from < to
            && is_filled(from)
            && is_filled(to)
            && self.top(usize::from(from)) != self.top(usize::from(to))
    }
}
