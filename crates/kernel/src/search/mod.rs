//! The solver: several ways of searching, taken in turn with growing budgets.
//!
//! No single way is good at all games. *Finders* ([`best`], [`depth`] with a random order) are quick at
//! finding a line where there is one; *provers* (depth-first with exact keys) are the ones whose
//! exhaustion proves that there is none. They take turns in rounds, each round a few times longer
//! than the one before, so that no more than a constant part of the work is lost on the ways that do
//! not suit a deal. A budget counts positions met, so the same question has the same answer with the
//! same number of nodes on every machine.
//!
//! A position met again in a turn is not searched again. Positions are told apart by 128-bit keys
//! ([`key`]): exact ones are equal only for positions from which the same games can be played, blind
//! ones serve to find wins. With n positions met in a proof, the chance that any two different ones
//! shared an exact key is about n * n / 2^129: below 10^-20 for a thousand million.

mod abstraction;
mod beam;
mod best;
mod depth;
mod evaluation;
mod explorer;
mod general;
mod key;
mod ordering;
mod space;
mod table;

use thiserror::Error;

use crate::compiled::Compiled;
use crate::moves::Move;
use crate::state::State;
use abstraction::Abstraction;
use beam::beam;
use best::best_first;
use depth::depth_first;
use evaluation::{Evaluation, WEIGHTS};
use general::General;
use key::Key;

/// How far a search may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most positions met.
    pub nodes: u64,
    /// About the most bytes used; a search that needs more ends with [`Verdict::Unknown`].
    pub memory: usize,
}

impl Limits {
    /// A budget of nodes, with about 2 GiB of memory.
    pub const fn nodes(nodes: u64) -> Self {
        Self { nodes, memory: 2 << 30 }
    }
}

/// What a search found out about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// These moves of the player, with the forced moves after each, reach the aim.
    Winnable(Vec<Move>),
    /// The whole space was searched and the aim is nowhere in it.
    Unwinnable,
    /// Neither, within the limits.
    Unknown,
}

/// The answer of [`solve`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What was found out.
    pub verdict: Verdict,
    /// The positions met, each counted once a turn; the won one is not counted.
    pub nodes: u64,
    /// The strategy that gave the answer, or the last one tried.
    pub strategy: &'static str,
}

/// The caller asked a search to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("interrupted")]
pub struct Interrupted;

/// Searches for a line that wins, seeing every card.
///
/// The same question gives the same answer with the same number of nodes, on every machine.
/// `interrupt` is asked every few thousand nodes whether to give up. Lines are seldom short.
pub fn solve(
    program: &Compiled,
    state: &State,
    limits: Limits,
    interrupt: &mut dyn FnMut() -> bool,
) -> Result<Report, Interrupted> {
    solve_by(program, state, limits, &Strategy::TURNS, interrupt)
}

/// Searches as [`solve`] does, by some strategies only.
///
/// Strategies that cannot be used for a program are passed over; if none is left, the verdict is
/// unknown.
pub fn solve_by(
    program: &Compiled,
    state: &State,
    limits: Limits,
    turns: &[Strategy],
    interrupt: &mut dyn FnMut() -> bool,
) -> Result<Report, Interrupted> {
    let mut effort = Effort { limits, interrupt, nodes: 0, end: 0 };
    let report = |nodes, strategy, verdict| Ok(Report { verdict, nodes, strategy });
    if state.is_won(program) {
        return report(0, "won already", Verdict::Winnable(Vec::new()));
    }
    let (exact, blind) = (Key::exact(program), Key::blind(program));
    let (exact_program, blind_program) = (exact.merged(program), blind.merged(program));
    let mut abstraction = Abstraction::new(program, state);
    let mut share = FIRST_SHARE;
    let mut strategy = "none";
    for round in 0u64.. {
        // Whether a longer round could find more.
        let mut is_cut_short = false;
        for turn in turns {
            let is_of_use = match turn {
                Strategy::Abstract => abstraction.as_ref().is_some_and(Abstraction::is_open),
                _ => !turn.is_blind() || blind != exact,
            };
            if !is_of_use {
                continue;
            }
            let left = limits.nodes - effort.nodes;
            if left == 0 {
                return report(effort.nodes, strategy, Verdict::Unknown);
            }
            strategy = turn.name();
            effort.end = effort.nodes + share.min(left);
            let (key, keyed) =
                if turn.is_blind() { (&blind, &blind_program) } else { (&exact, &exact_program) };
            let keyed = keyed.as_ref().unwrap_or(program);
            let space = |weights: usize| {
                let weights = WEIGHTS[weights % WEIGHTS.len()];
                General::new(keyed, key, state, Evaluation::new(keyed, state, weights))
            };
            let outcome = match *turn {
                Strategy::Best { weights, .. } => best_first(&mut effort, &mut space(weights))?,
                Strategy::Beam { weights, .. } => beam(&mut effort, &mut space(weights))?,
                Strategy::Depth { .. } => depth_first(&mut effort, &mut space(0), round)?,
                Strategy::Abstract => match &mut abstraction {
                    Some(abstraction) => abstraction.prove(&mut effort, program, state)?,
                    None => Outcome::Open,
                },
            };
            match outcome {
                Outcome::Won(line) => {
                    return report(effort.nodes, turn.name(), Verdict::Winnable(line));
                }
                Outcome::Exhausted if turn.is_blind() => {}
                Outcome::Exhausted => {
                    return report(effort.nodes, turn.name(), Verdict::Unwinnable);
                }
                Outcome::Open => is_cut_short = true,
            }
        }
        if !is_cut_short {
            break;
        }
        share = share.saturating_mul(GROWTH);
    }
    report(effort.nodes, strategy, Verdict::Unknown)
}

/// Nodes of each turn of the first round.
const FIRST_SHARE: u64 = 2000;
/// How many times longer a round is than the one before.
const GROWTH: u64 = 3;

/// A way of searching. Blind ones find wins only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// The most promising position first.
    Best {
        /// Which of the two sets of weights.
        weights: usize,
        /// Whether cards of one class count as the same card.
        blind: bool,
    },
    /// The most promising positions of each layer; finds wins only.
    Beam {
        /// Which of the two sets of weights.
        weights: usize,
        /// Whether cards of one class count as the same card.
        blind: bool,
    },
    /// The abstract games, level by level, for proofs of loss.
    Abstract,
    /// Depth first; with exact keys, exhaustion is a proof.
    Depth {
        /// Whether cards of one class count as the same card.
        blind: bool,
    },
}

impl Strategy {
    /// The turns of a round.
    pub const TURNS: [Self; 9] = [
        Self::Best { weights: 0, blind: true },
        Self::Depth { blind: false },
        Self::Abstract,
        Self::Best { weights: 0, blind: false },
        Self::Beam { weights: 0, blind: true },
        Self::Depth { blind: true },
        Self::Beam { weights: 1, blind: false },
        Self::Best { weights: 1, blind: true },
        Self::Best { weights: 1, blind: false },
    ];

    const fn is_blind(self) -> bool {
        match self {
            Self::Best { blind, .. } | Self::Beam { blind, .. } | Self::Depth { blind } => blind,
            Self::Abstract => false,
        }
    }

    /// Its name, as reports give it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Best { blind: true, .. } => "best first, class-blind",
            Self::Best { blind: false, .. } => "best first",
            Self::Beam { blind: true, .. } => "beam, class-blind",
            Self::Beam { blind: false, .. } => "beam",
            Self::Abstract => "abstract games",
            Self::Depth { blind: true } => "depth first, class-blind",
            Self::Depth { blind: false } => "depth first",
        }
    }
}

/// What one turn found out.
enum Outcome<Step> {
    /// A line to the aim.
    Won(Vec<Step>),
    /// The whole space was searched, as its keys tell positions apart, and the aim is nowhere in it.
    Exhausted,
    /// Nothing, within its share or its memory.
    Open,
}

/// What all turns share: the budget and the caller's wish to stop.
struct Effort<'s> {
    limits: Limits,
    interrupt: &'s mut dyn FnMut() -> bool,
    /// Positions met so far, in all turns.
    nodes: u64,
    /// Where the present turn ends.
    end: u64,
}
