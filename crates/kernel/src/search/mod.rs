//! The solver: several ways of searching, taken in turn with growing budgets.
//!
//! No single way is good at all games. *Finders* ([`best`], [`depth`] with a random order) are quick at
//! finding a line where there is one; *provers* (depth-first with exact keys) are the ones whose
//! exhaustion proves that there is none. They take turns in rounds, each round a few times longer
//! than the one before, so that no more than a constant part of the work is lost on the ways that do
//! not suit a deal. A budget counts positions met, so the same question has the same answer with the
//! same number of nodes on every machine.
//!
//! A position met again in a round is not searched again. Positions are told apart by 128-bit keys
//! ([`key`]); exact keys are equal for positions that differ by an interchange of piles of one class
//! (from those the same games can be played), blind keys also for positions that differ by cards of
//! one class, so their exhaustion proves nothing. With n positions met in a proof, the chance that any
//! two different ones shared an exact key is about n * n / 2^129: below 10^-20 for a thousand million.

mod beam;
mod best;
mod depth;
mod evaluation;
mod key;
mod ordering;

use thiserror::Error;

use crate::compiled::Compiled;
use crate::moves::Move;
use crate::state::State;
use beam::beam;
use best::best_first;
use depth::depth_first;
use evaluation::{Evaluation, WEIGHTS};
use key::Blindness;
use ordering::Ordering;

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
    let mut effort = Effort { program, limits, interrupt, nodes: 0, end: 0 };
    let report = |nodes, strategy, verdict| Ok(Report { verdict, nodes, strategy });
    if state.is_won(program) {
        return report(0, "won already", Verdict::Winnable(Vec::new()));
    }
    let blindness = Blindness::new(program);
    let mut share = FIRST_SHARE;
    let mut strategy = Strategy::Depth { blind: false };
    for round in 0u64.. {
        for turn in &TURNS {
            if turn.is_blind() && !blindness.helps() {
                continue;
            }
            let left = limits.nodes - effort.nodes;
            if left == 0 {
                return report(effort.nodes, strategy.name(), Verdict::Unknown);
            }
            strategy = *turn;
            effort.end = effort.nodes + share.min(left);
            let blind = turn.is_blind().then_some(&blindness);
            let outcome = match turn {
                Strategy::Best { weights, .. } => {
                    let evaluation = Evaluation::new(program, state, WEIGHTS[*weights]);
                    best_first(&mut effort, state, &evaluation, blind)?
                }
                Strategy::Beam { weights, .. } => {
                    let evaluation = Evaluation::new(program, state, WEIGHTS[*weights]);
                    beam(&mut effort, state, &evaluation, blind)?
                }
                Strategy::Depth { .. } => {
                    depth_first(&mut effort, state, &Ordering::new(program, round), blind)?
                }
            };
            match outcome {
                Outcome::Won(line) => {
                    return report(effort.nodes, turn.name(), Verdict::Winnable(line));
                }
                Outcome::Exhausted => {
                    return report(effort.nodes, turn.name(), Verdict::Unwinnable);
                }
                Outcome::Open => {}
            }
        }
        share *= GROWTH;
    }
    unreachable!("the rounds end with the budget")
}

/// Nodes of each turn of the first round.
const FIRST_SHARE: u64 = 2000;
/// How many times longer a round is than the one before.
const GROWTH: u64 = 3;

/// A way of searching.
#[derive(Clone, Copy, Debug)]
enum Strategy {
    /// The most promising position first.
    Best { weights: usize, blind: bool },
    /// The most promising positions of each layer.
    Beam { weights: usize, blind: bool },
    /// Depth first; with exact keys, exhaustion is a proof.
    Depth { blind: bool },
}

/// The turns of a round.
const TURNS: [Strategy; 8] = [
    Strategy::Best { weights: 0, blind: true },
    Strategy::Depth { blind: false },
    Strategy::Best { weights: 0, blind: false },
    Strategy::Beam { weights: 0, blind: true },
    Strategy::Depth { blind: true },
    Strategy::Beam { weights: 1, blind: false },
    Strategy::Best { weights: 1, blind: true },
    Strategy::Best { weights: 1, blind: false },
];

impl Strategy {
    const fn is_blind(self) -> bool {
        let (Self::Best { blind, .. } | Self::Beam { blind, .. } | Self::Depth { blind }) = self;
        blind
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Best { blind: true, .. } => "best first, class-blind",
            Self::Best { blind: false, .. } => "best first",
            Self::Beam { blind: true, .. } => "beam, class-blind",
            Self::Beam { blind: false, .. } => "beam",
            Self::Depth { blind: true } => "depth first, class-blind",
            Self::Depth { blind: false } => "depth first",
        }
    }
}

/// What one turn found out.
enum Outcome {
    /// A line to the aim.
    Won(Vec<Move>),
    /// The whole space was searched and the aim is nowhere in it.
    Exhausted,
    /// Nothing, within its share or its memory, or in a way that proves nothing.
    Open,
}

/// What all turns share: the budget and the caller's wish to stop.
struct Effort<'s> {
    program: &'s Compiled,
    limits: Limits,
    interrupt: &'s mut dyn FnMut() -> bool,
    /// Positions met so far, in all turns.
    nodes: u64,
    /// Where the present turn ends.
    end: u64,
}
