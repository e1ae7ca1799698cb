//! Rewards, and whether a move kept the win.

use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::search::options::Options;
use crate::search::report::Verdict;
use crate::search::solve;

/// How much a step is worth: the sum of these.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rewards {
    /// For winning the game.
    pub won: f64,
    /// For each card that a move brings to where the aim wants it; the opposite for each that it
    /// takes away from there.
    pub cards: f64,
    /// Subtracted for a move that throws away the win: the position before was proved winnable, the
    /// one after it unwinnable.
    pub kept: f64,
    /// The node budget of a search for `kept`.
    pub budget: u64,
}

/// What is known about a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Hope {
    /// It can be won by these moves, the next one last.
    Winnable(Vec<Move>),
    /// It cannot be won.
    Unwinnable,
    /// Nothing.
    #[default]
    Unknown,
}

impl Hope {
    /// Searches from a position.
    pub(super) fn of(
        program: &Program,
        state: &State,
        budget: u64,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Self {
        let report = solve(program, state, &Options::nodes(budget), &mut |_| goes_on());
        match report.verdict {
            Verdict::Winnable(mut line) => {
                line.reverse();
                Self::Winnable(line)
            }
            Verdict::Unwinnable => Self::Unwinnable,
            Verdict::Unknown => Self::Unknown,
        }
    }

    /// What is known after a move. Does not search if the move is the next one of the known line,
    /// or if the game was lost before.
    pub(super) fn after(
        self,
        played: Move,
        program: &Program,
        state: &State,
        budget: u64,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Self {
        match self {
            Self::Unwinnable => Self::Unwinnable,
            Self::Winnable(mut line) if line.last() == Some(&played) => {
                line.pop();
                Self::Winnable(line)
            }
            Self::Winnable(_) | Self::Unknown => Self::of(program, state, budget, goes_on),
        }
    }
}
