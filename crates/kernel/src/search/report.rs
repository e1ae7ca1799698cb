//! The result of a search.

use crate::position::moves::Move;
use crate::search::proof::Proof;
use crate::search::turn::Checkpoint;

/// What a search knows of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// These moves of the player, with the forced moves after each, reach the aim.
    Winnable(Vec<Move>),
    /// The aim cannot be reached.
    Unwinnable,
    /// Unknown.
    Unknown,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// A verdict was reached.
    Decided,
    /// The budget of nodes was spent.
    Budget,
    /// Every strategy that could have found more ran out of memory.
    Memory,
    /// All enabled strategies are exhausted: a larger budget would not help.
    StrategiesExhausted,
    /// The same, but moves were left out after which the forced rules never end.
    ForcedLoop,
    /// The caller ended the search.
    Interrupted,
}

/// The answer of [`solve`](crate::search::solve).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The verdict.
    pub verdict: Verdict,
    /// The positions generated, each counted once per turn. The won position is not counted.
    pub nodes: u64,
    /// The strategy that reached the verdict, or the last one tried.
    pub strategy: &'static str,
    /// The proof of the verdict; none if it is unknown.
    pub proof: Option<Proof>,
    /// Why the search ended.
    pub end: StopReason,
    /// Where [`resume`](crate::search::resume) continues, if the verdict is unknown.
    pub checkpoint: Option<Checkpoint>,
}
