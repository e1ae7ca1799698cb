//! What a search found out, and what it tells while it is under way.

use std::fmt;

use super::portfolio::Checkpoint;
use crate::moves::Move;

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

/// What a verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Nothing had to be done.
    WonAlready,
    /// A line, which can be played.
    Line,
    /// Every position that can be reached was searched, so many as keys tell apart.
    Exhausted {
        /// The positions of that search.
        positions: u64,
    },
    /// Every position of the abstract game of a level was searched, and it has every line that the
    /// game has.
    Abstract {
        /// From this height on foundations ask for no suit.
        level: usize,
        /// The positions of that search.
        positions: u64,
    },
    /// A pile must be emptied and cannot: its cards lock each other in.
    Locked,
}

impl Proof {
    /// How likely it is, at most, that two different positions of the proof had the same key of 128
    /// bits, if keys are as good as random ones: n² / 2¹²⁹. Zero where no key is relied on.
    pub fn collision_bound(self) -> f64 {
        match self {
            Self::WonAlready | Self::Line | Self::Locked => 0.0,
            Self::Exhausted { positions } | Self::Abstract { positions, .. } => {
                #[expect(clippy::cast_precision_loss, reason = "a bound of two digits")]
                let positions = positions as f64;
                positions * positions / 2f64.powi(129)
            }
        }
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WonAlready => formatter.write_str("the aim is reached already"),
            Self::Line => formatter.write_str("a line that was played to the end"),
            Self::Locked => formatter
                .write_str("a pile can never be emptied, since its cards need cards below them"),
            Self::Exhausted { positions } => {
                write!(formatter, "all {positions} positions were searched")
            }
            Self::Abstract { level: 0, positions } => write!(
                formatter,
                "all {positions} positions of the game without suits on foundations were searched"
            ),
            Self::Abstract { level, positions } => write!(
                formatter,
                "all {positions} positions of the game with suits on foundations only below card \
                 {} were searched",
                level + 1
            ),
        }
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The verdict was found.
    Decided,
    /// The budget of nodes was spent.
    Budget,
    /// Every way of searching that could have found more was out of memory.
    Memory,
    /// No way of searching could find more, however long.
    Helpless,
    /// The caller asked for it.
    Interrupted,
}

/// The answer of [`solve`](super::solve).
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
    pub end: End,
    /// Where [`resume`](super::resume) goes on, if the verdict is unknown.
    pub checkpoint: Option<Checkpoint>,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The positions met so far.
    pub nodes: u64,
    /// About the bytes used by the turns under way.
    pub bytes: usize,
    /// How many moves deep the present turn is, or how many positions it has expanded.
    pub depth: usize,
    /// The present round, from 0 on.
    pub round: u32,
    /// The strategy whose turn it is.
    pub strategy: &'static str,
}

/// Is told every few thousand nodes how far a search has come, and says whether to go on.
pub type Observer<'o> = dyn FnMut(&Progress) -> bool + 'o;
