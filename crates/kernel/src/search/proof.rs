//! What a verdict rests on.

use std::fmt;

/// What a verdict rests on: a line, or the complete search of a space.
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
