//! What is asked of a search: how far it may go, and by which means.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::search::strategy::Strategy;
use crate::search::weights::Weights;

/// How far a search may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most positions met.
    pub nodes: u64,
    /// About the most bytes used, by all threads together; a way of searching that needs more is
    /// given up.
    pub memory: usize,
}

impl Limits {
    /// A budget of nodes, with about 2 GiB of memory.
    pub const fn nodes(nodes: u64) -> Self {
        Self { nodes, memory: 2 << 30 }
    }
}

/// A question to [`solve`](crate::search::solve).
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// How far to go.
    pub limits: Limits,
    /// What not to make use of. No pruning changes a verdict; this is how that is tested.
    pub without: Prunings,
    /// Weights of the evaluation instead of the first of [`Weights::of`], of the second, and so on.
    pub weights: Vec<Weights>,
    /// How much of a round turns get that are named here ([`Strategy::labels`]), in hundredths of
    /// the least share, instead of what is best for most games. Names of turns that do not suit the
    /// program mean nothing. No verdict depends on them, only how soon it is found.
    pub shares: Vec<(String, u64)>,
    /// How many turns may be taken at the same time, on threads of their own. The answer is the
    /// same.
    pub threads: usize,
    /// The turns of a round; those that suit the program if there are none.
    pub turns: Vec<Strategy>,
}

impl Options {
    /// A budget of nodes, about 2 GiB of memory, one thread, and every means there is.
    pub fn nodes(nodes: u64) -> Self {
        Self::within(Limits::nodes(nodes))
    }

    /// Limits, one thread, and every means there is.
    pub fn within(limits: Limits) -> Self {
        Self {
            limits,
            without: Prunings::NONE,
            weights: Vec::new(),
            shares: Vec::new(),
            threads: 1,
            turns: Vec::new(),
        }
    }
}

/// A part of the work that the search saves itself, where it is proved that the verdict is the
/// same.
///
/// Each derives from the program whether it may be used. Its proof stands where it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// Cards that no rule tells apart count as the same card in exact keys (`equivalence.rs`).
    CardClasses,
    /// Of a pile that nothing leaves only the top card counts in keys (`equivalence.rs`).
    Sinks,
    /// Losses are proved in simpler games (`abstraction.rs`).
    AbstractGames,
    /// Wins are looked for with keys that take cards for equal which building rules do not tell
    /// apart (`equivalence.rs`). It proves nothing, so it needs no proof.
    ClassBlind,
    /// Games of one pack with like piles are searched in a quicker space (`linked/`).
    Linked,
    /// Cards that are of no use any more go to foundations by themselves (`linked/safe_play.rs`).
    SafePlay,
    /// Cards of a reserve that nothing refills are laid out only to be covered at once
    /// (`linked/reserve_macro.rs`).
    ReserveMacro,
    /// Positions are given up in which a pile can never be emptied that must be (`deadlock.rs`).
    Locks,
    /// Positions from which some card can never go up, whatever else is possible, are left out
    /// (`linked/relaxed.rs`).
    DeadEnds,
    /// Turns of the stock are made only to play a card of the waste (`stock_macro.rs`).
    StockMacro,
}

impl Pruning {
    /// Every pruning.
    pub const ALL: [Self; 10] = [
        Self::CardClasses,
        Self::Sinks,
        Self::AbstractGames,
        Self::ClassBlind,
        Self::Linked,
        Self::SafePlay,
        Self::ReserveMacro,
        Self::Locks,
        Self::DeadEnds,
        Self::StockMacro,
    ];

    /// Its name, as `--disable` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CardClasses => "card-classes",
            Self::Sinks => "sinks",
            Self::AbstractGames => "abstract-games",
            Self::ClassBlind => "class-blind",
            Self::Linked => "linked",
            Self::SafePlay => "safe-play",
            Self::ReserveMacro => "reserve-macro",
            Self::Locks => "locks",
            Self::DeadEnds => "dead-ends",
            Self::StockMacro => "stock-macro",
        }
    }
}

impl fmt::Display for Pruning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// There is no pruning of that name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no pruning \"{0}\"; there are {names}", names = Pruning::ALL.map(Pruning::name).join(", "))]
pub struct UnknownPruning(pub String);

impl FromStr for Pruning {
    type Err = UnknownPruning;

    fn from_str(text: &str) -> Result<Self, UnknownPruning> {
        let found = Self::ALL.into_iter().find(|pruning| pruning.name() == text);
        found.ok_or_else(|| UnknownPruning(text.to_owned()))
    }
}

/// A set of prunings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prunings(u32);

impl Prunings {
    /// No pruning.
    pub const NONE: Self = Self(0);

    /// Every pruning.
    pub fn all() -> Self {
        Pruning::ALL.into_iter().collect()
    }

    /// Whether a pruning is in the set.
    pub const fn has(self, pruning: Pruning) -> bool {
        self.0 >> pruning as u32 & 1 != 0
    }
}

impl FromIterator<Pruning> for Prunings {
    fn from_iter<T: IntoIterator<Item = Pruning>>(prunings: T) -> Self {
        Self(prunings.into_iter().fold(0, |set, pruning| set | 1 << pruning as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for pruning in Pruning::ALL {
            assert_eq!(pruning.name().parse(), Ok(pruning));
        }
        let error = "sink".parse::<Pruning>().unwrap_err().to_string();
        assert!(error.starts_with("there is no pruning \"sink\"; there are card-classes, sinks,"));
    }

    #[test]
    fn sets_have_what_was_put_in() {
        let set: Prunings = [Pruning::Sinks].into_iter().collect();
        assert!(set.has(Pruning::Sinks) && !set.has(Pruning::CardClasses));
        assert!(Pruning::ALL.into_iter().all(|pruning| Prunings::all().has(pruning)));
    }
}
