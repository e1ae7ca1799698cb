//! The proof of a verdict.

use std::fmt;

/// The proof of a verdict: a line, or the complete search of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The position is won already.
    WonAlready,
    /// A line that can be played.
    Line,
    /// Every reachable position was searched, with positions of equal keys counted as one.
    Exhausted {
        /// The number of positions of that search.
        positions: u64,
    },
    /// Every position of the abstract game of a level was searched. That game has every line of the
    /// real one.
    Abstract {
        /// From this height on, foundations ignore suits.
        level: usize,
        /// The number of positions of that search.
        positions: u64,
    },
    /// Every position was searched, except those after positions that were searched likewise in an
    /// abstract game, whose foundations ask for suits only below some height, and are lost there.
    Hierarchy {
        /// The number of positions of all these games.
        positions: u64,
    },
    /// Every position of the abstract game was searched in which all cards of the stock can always
    /// be reached. That game has every line of the real one.
    FreeStock {
        /// The number of positions of that search.
        positions: u64,
    },
    /// A deadlock: a pile must be emptied but cannot be, since its cards block each other.
    Deadlock,
}

impl Proof {
    /// An upper bound on the probability that two different positions of the proof had the same
    /// 128-bit key, if keys are as good as random: n² / 2¹²⁹. Zero for proofs without keys.
    pub fn collision_bound(self) -> f64 {
        match self {
            Self::WonAlready | Self::Line | Self::Deadlock => 0.0,
            Self::Exhausted { positions }
            | Self::Abstract { positions, .. }
            | Self::Hierarchy { positions }
            | Self::FreeStock { positions } => {
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
            Self::Deadlock => formatter
                .write_str("a pile can never be emptied, since its cards need cards below them"),
            Self::Exhausted { positions } => {
                write!(formatter, "all {positions} positions were searched")
            }
            Self::Hierarchy { positions } => write!(
                formatter,
                "all {positions} positions were searched, those of easier games among them, except \
                 what follows positions that are lost there"
            ),
            Self::FreeStock { positions } => write!(
                formatter,
                "all {positions} positions of the game in which every card of the stock can \
                 always be played were searched"
            ),
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
