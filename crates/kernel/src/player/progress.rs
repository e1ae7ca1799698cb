//! How close the aim is.

use crate::bits::bits;
use crate::play::lines::OrderedLines;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::Condition;

/// The piles that the aim names.
#[derive(Debug)]
pub(crate) struct Progress {
    /// Piles in which it wants cards, and in which it wants none.
    goals: u128,
    clears: u128,
    /// Lines in which it wants cards in order.
    ordered: Vec<OrderedLines>,
}

impl Progress {
    pub(crate) fn new(program: &Program) -> Self {
        let (mut goals, mut clears) = (0, 0);
        for condition in &program.source().aim {
            match condition {
                Condition::Complete { piles } | Condition::Filled { piles, .. } => goals |= piles.0,
                Condition::Vacant { piles, .. } => clears |= piles.0,
                Condition::Holds { .. }
                | Condition::Top { .. }
                | Condition::Counter { .. }
                | Condition::Score { .. }
                | Condition::Size { .. }
                | Condition::Each { .. }
                | Condition::ByCounter { .. }
                | Condition::AnyOf { .. }
                | Condition::Ordered { .. }
                | Condition::Sums { .. }
                | Condition::Blocked { .. } => {}
            }
        }
        Self { goals, clears, ordered: OrderedLines::of_aim(program) }
    }

    /// The number of cards where the aim wants them, minus those where it wants none or which lie
    /// out of order. The worth, where points decide.
    pub(crate) fn of(&self, program: &Program, state: &State) -> isize {
        if program.is_decided_by_points() {
            return state.worth(program) as isize;
        }
        let count =
            |piles: u128| bits(piles).map(|pile| state.len(pile).cast_signed()).sum::<isize>();
        let astray = self.ordered.iter().map(|lines| lines.out_of_order(program, state));
        count(self.goals) - count(self.clears) - astray.sum::<usize>().cast_signed()
    }
}
