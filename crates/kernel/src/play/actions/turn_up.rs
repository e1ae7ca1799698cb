//! A face-down top card is turned face up: listing and testing.

use std::ops::ControlFlow;

use crate::bits::bits;
use crate::card::is_face_down;
use crate::position::moves::{Move, NONE};
use crate::position::state::State;
use crate::program::compiled::Program;

impl State {
    /// Visits the piles whose top card lies face down until `visit` breaks.
    pub(super) fn turn_up_instances(
        &self,
        program: &Program,
        piles: u128,
        mut visit: impl FnMut(u8) -> bool,
    ) -> ControlFlow<()> {
        for pile in bits(piles & !self.vacant() & self.open_piles(program)) {
            if self.top(pile).is_some_and(is_face_down) && !visit(pile as u8) {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether a move turns up a face-down top card of one of some piles.
    pub(super) fn is_turn_up_instance(
        &self,
        program: &Program,
        piles: u128,
        instance: Move,
    ) -> bool {
        let from = instance.from();
        instance.count() == 0
            && instance.to() == NONE
            && from < 128
            && piles >> from & 1 != 0
            && self.top(usize::from(from)).is_some_and(is_face_down)
            && self.is_open(program, usize::from(from))
    }
}
