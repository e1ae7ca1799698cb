//! An imagined layout, and what the solver has found out about it.

use crate::perft::CountError;
use crate::player::belief::Belief;
use crate::player::game::GameError;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::search::options::Options;
use crate::search::report::{Report, StopReason};
use crate::search::solve;

/// An imagined layout.
pub(super) struct World {
    pub(super) belief: Belief,
    pub(super) future: Future,
}

/// What the solver has found out about a position of an imagined layout.
#[derive(Clone, Debug)]
pub(super) enum Future {
    /// It was not asked.
    Unasked,
    /// This line wins, or begins a line that does.
    Won(Vec<Move>),
    /// The position cannot be won.
    Lost,
    /// It found nothing within its nodes.
    Open,
}

impl Future {
    pub(super) fn is_won(&self) -> bool {
        matches!(self, Self::Won(_))
    }

    /// What is left of it after a move.
    fn after(self, played: Move) -> Self {
        match self {
            Self::Won(line) if line.len() > 1 && line[0] == played => Self::Won(line[1..].to_vec()),
            Self::Lost => Self::Lost,
            Self::Won(_) | Self::Open | Self::Unasked => Self::Unasked,
        }
    }
}

impl World {
    pub(super) fn play(&mut self, played: Move) {
        self.future = std::mem::replace(&mut self.future, Future::Unasked).after(played);
    }
}

/// What the solver decides within some nodes, with the line of a win if one is wanted.
pub(super) fn solved(
    program: &Program,
    state: &State,
    nodes: u64,
    wants_line: bool,
    interrupt: &mut dyn FnMut() -> bool,
) -> Result<Report, GameError> {
    let options = Options { wants_line, ..Options::nodes(nodes) };
    let report = solve(program, state, &options, &mut |_| !interrupt());
    match report.end {
        StopReason::Interrupted => Err(CountError::Interrupted.into()),
        _ => Ok(report),
    }
}
