//! What a search found out.

use crate::position::moves::Move;
use crate::search::proof::Proof;
use crate::search::turn::Checkpoint;

/// What a search found out about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// These moves of the player, with the forced moves after each, reach the aim.
    Winnable(Vec<Move>),
    /// The aim cannot be reached.
    Unwinnable,
    /// Neither is known.
    Unknown,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The verdict was found.
    Decided,
    /// The budget of nodes was spent.
    Budget,
    /// Every way of searching that could have found more was out of memory.
    Memory,
    /// No way of searching could find more, however long.
    StrategiesExhausted,
    /// The caller asked for it.
    Interrupted,
}

/// The answer of [`solve`](crate::search::solve).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What was found out.
    pub verdict: Verdict,
    /// The positions met, each counted once a turn; the won one is not counted.
    pub nodes: u64,
    /// The strategy that gave the answer, or the last one tried.
    pub strategy: &'static str,
    /// What the verdict rests on; nothing if it is unknown.
    pub proof: Option<Proof>,
    /// Why the search ended.
    pub end: StopReason,
    /// Where [`resume`](crate::search::resume) goes on, if the verdict is unknown.
    pub checkpoint: Option<Checkpoint>,
}
