//! Options of a search: its limits, and what it may use.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::search::strategy::Strategy;
use crate::search::weights::Weights;

/// The limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most positions generated.
    pub nodes: u64,
    /// About the most bytes used by all threads together. A strategy that needs more is given up.
    pub memory: usize,
}

impl Limits {
    /// A budget of nodes, with about 2 GiB of memory.
    pub const fn nodes(nodes: u64) -> Self {
        Self { nodes, memory: 2 << 30 }
    }
}

/// Options of [`solve`](crate::search::solve).
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The limits.
    pub limits: Limits,
    /// Prunings to switch off. No pruning changes a verdict; tests use this to check it.
    pub without: Prunings,
    /// Weights of the evaluation that replace the first set of [`Weights::of`], the second, and so
    /// on.
    pub weights: Vec<Weights>,
    /// Shares of a round for turns by name ([`Strategy::labels`]), in hundredths of the smallest
    /// share, instead of the defaults. Names of turns that the program does not use are ignored. No
    /// verdict depends on shares, only how soon it is found.
    pub shares: Vec<(String, u64)>,
    /// How many turns may run at the same time, each on its own thread. The answer is the same.
    pub threads: usize,
    /// The turns of a round. If empty, the default for the program.
    pub turns: Vec<Strategy>,
    /// Whether the line of a win is wanted. If not, none is translated or shortened, which takes
    /// most of the time of a short search, and the verdict may have an empty line.
    pub wants_line: bool,
}

impl Options {
    /// A budget of nodes, about 2 GiB of memory, one thread, and everything switched on.
    pub fn nodes(nodes: u64) -> Self {
        Self::within(Limits::nodes(nodes))
    }

    /// Limits, one thread, and everything switched on.
    pub fn within(limits: Limits) -> Self {
        Self {
            limits,
            without: Prunings::NONE,
            weights: Vec::new(),
            shares: Vec::new(),
            threads: 1,
            turns: Vec::new(),
            wants_line: true,
        }
    }
}

/// A part of the work that the search skips because a proof says that the verdict is the same.
///
/// Each derives from the program whether it applies. Its proof is at the head of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// Cards that no rule distinguishes count as the same card in exact keys (`equivalence.rs`);
    /// of two piles with such cards, the longer one is played (`spaces/counting/`).
    CardClasses,
    /// If nothing ever leaves a pile, only its top card counts in keys (`equivalence.rs`).
    Sinks,
    /// Losses are proved in simpler games (`abstraction.rs`, `spaces/card_sets/tables.rs`).
    AbstractGames,
    /// Wins are searched with keys in which cards count as the same if building rules do not
    /// distinguish them (`equivalence.rs`). Proves no loss, so it needs no proof.
    ClassBlind,
    /// Games in which cards only leave piles are searched by how many cards these hold
    /// (`spaces/counting/`).
    Counting,
    /// Games in which cards leave their piles two at a time are searched by which are left
    /// (`spaces/pairing/`).
    Pairing,
    /// Positions of games of both kinds are left out if the cards that must leave cannot all have a
    /// partner, or a card to lie on (`spaces/pairing/dead_ends.rs`,
    /// `spaces/counting/dead_ends.rs`).
    Partners,
    /// Games of one or two packs with interchangeable piles are searched in a faster space
    /// (`card_links/`).
    CardLinks,
    /// Games whose stock is dealt in rows, whose complete sequences go up as a whole, or that have
    /// more than two packs are searched in a faster space (`spaces/columns/`).
    Columns,
    /// Games in which built cards can be rearranged freely are searched without their arrangement
    /// (`spaces/card_sets/`).
    CardSets,
    /// Cards that are no longer of use go to foundations automatically (`spaces/safe_play.rs`).
    SafePlay,
    /// Cards of a reserve that nothing refills are moved to the tableau only to be covered at once
    /// (`card_links/reserve_macro.rs`, `card_sets/reserve_macro.rs`).
    ReserveMacro,
    /// Runs are split only if the card below can go up (`card_links/splits.rs`).
    Splits,
    /// Positions that differ only in which of several cards that take the same ones a built card
    /// lies on count as the same in proofs (`card_links/rearrangements.rs`).
    Rearrangements,
    /// Positions are left out if a pile that must be emptied never can be (`deadlock.rs`).
    Deadlocks,
    /// Positions are left out if some card can never go up or leave, even if nothing ever got worse
    /// (`card_links/relaxed.rs`, `spaces/pairing/dead_ends.rs`, `spaces/counting/dead_ends.rs`).
    DeleteRelaxation,
    /// The stock is turned only to play a card of the waste (`stock_macro.rs`).
    StockMacro,
    /// Wins are searched by beams that split runs only to lengthen others
    /// (`strategies/run_beam.rs`). Proves no loss, so it needs no proof.
    WholeRuns,
    /// Wins are searched in stages of equal progress (`strategies/stage_beam.rs`). Proves no loss,
    /// so it needs no proof.
    Stages,
    /// Wins are searched by composite steps that dig cards out (`card_links/digging.rs`). Proves no
    /// loss, so it needs no proof.
    Digging,
}

impl Pruning {
    /// Every pruning.
    pub const ALL: [Self; 20] = [
        Self::CardClasses,
        Self::Sinks,
        Self::AbstractGames,
        Self::ClassBlind,
        Self::Counting,
        Self::Pairing,
        Self::Partners,
        Self::CardLinks,
        Self::Columns,
        Self::CardSets,
        Self::SafePlay,
        Self::ReserveMacro,
        Self::Splits,
        Self::Rearrangements,
        Self::Deadlocks,
        Self::DeleteRelaxation,
        Self::StockMacro,
        Self::WholeRuns,
        Self::Stages,
        Self::Digging,
    ];

    /// Its name for `--disable`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CardClasses => "card-classes",
            Self::Sinks => "sinks",
            Self::AbstractGames => "abstract-games",
            Self::ClassBlind => "class-blind",
            Self::Counting => "counting",
            Self::Pairing => "pairing",
            Self::Partners => "partners",
            Self::CardLinks => "card-links",
            Self::Columns => "columns",
            Self::CardSets => "card-sets",
            Self::SafePlay => "safe-play",
            Self::ReserveMacro => "reserve-macro",
            Self::Splits => "splits",
            Self::Rearrangements => "rearrangements",
            Self::Deadlocks => "deadlocks",
            Self::DeleteRelaxation => "delete-relaxation",
            Self::StockMacro => "stock-macro",
            Self::WholeRuns => "whole-runs",
            Self::Stages => "stages",
            Self::Digging => "digging",
        }
    }
}

impl fmt::Display for Pruning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Unknown pruning.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no pruning \"{0}\"; {hint}", hint = hint(.0))]
pub struct UnknownPruning(pub String);

/// Prunings by the names that they had before.
const FORMER_NAMES: [(&str, Pruning); 3] = [
    ("linked", Pruning::CardLinks),
    ("locks", Pruning::Deadlocks),
    ("dead-ends", Pruning::DeleteRelaxation),
];

fn hint(name: &str) -> String {
    match FORMER_NAMES.iter().find(|(former, _)| *former == name) {
        Some((_, pruning)) => format!("it is called \"{pruning}\" now"),
        None => format!("there are {}", Pruning::ALL.map(Pruning::name).join(", ")),
    }
}

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
        let error = "locks".parse::<Pruning>().unwrap_err().to_string();
        assert_eq!(error, "there is no pruning \"locks\"; it is called \"deadlocks\" now");
    }

    #[test]
    fn sets_have_what_was_put_in() {
        let set: Prunings = [Pruning::Sinks].into_iter().collect();
        assert!(set.has(Pruning::Sinks) && !set.has(Pruning::CardClasses));
        assert!(Pruning::ALL.into_iter().all(|pruning| Prunings::all().has(pruning)));
    }
}
