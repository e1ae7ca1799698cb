//! The solver: several strategies that take turns, with growing budgets.
//!
//! No strategy is good at all games. *Finders* (best-first and beam search, beams that move runs
//! as wholes or go in stages, scans that dig cards out, restarts, nested rollout policy adaptation)
//! quickly find a winning line where there is one. *Provers* (depth-first search with exact keys,
//! the games of [`abstraction`], deadlock detection) prove that there is none. They take turns in
//! rounds. Each round is a few times longer than the one before, so strategies that do not suit a
//! deal waste no more than a constant part of the work. Some provers go on in the next round where
//! they were ([`strategies::paused`]). A budget counts generated positions, so the same problem has
//! the same answer with the same number of nodes on every machine.
//!
//! A turn does not search a position twice. It recognises positions by 128-bit keys
//! ([`spaces::equivalence`]). Exact keys are equal only for positions from which the same games can
//! be played; class-blind keys serve to find wins. In a proof with n positions, the probability
//! that any two different ones share an exact key is about n * n / 2^129: below 10^-20 for a
//! thousand million.

mod abstraction;
pub(crate) mod best_score;
pub(crate) mod budget;
pub(crate) mod certificate;
mod counter_bound;
pub(crate) mod options;
pub(crate) mod portfolio;
mod problem;
pub(crate) mod proof;
pub(crate) mod report;
mod schedule;
mod score_bound;
pub(crate) mod shorten;
pub(crate) mod spaces;
mod statuses;
mod strategies;
pub(crate) mod strategy;
pub(crate) mod turn;
mod visited;
pub(crate) mod weights;

use crate::position::state::State;
use crate::program::compiled::Program;
use crate::search::budget::Observer;
use crate::search::options::Options;
use crate::search::problem::Problem;
use crate::search::proof::Proof;
use crate::search::report::{Report, StopReason, Verdict};
use crate::search::strategy::Strategy;
use crate::search::turn::Checkpoint;
use crate::search::weights::Weights;

/// Searches for a winning line. It sees every card.
///
/// The same problem has the same answer with the same number of nodes on every machine and for any
/// number of threads (unless memory runs out, which the threads share). Every few thousand nodes
/// the observer receives the progress of the search. If it returns false, the search ends and the
/// report contains what is known so far. Lines visit no position twice, but are seldom short
/// ([`shorten`](crate::shorten)). Strategies that cannot handle a program are skipped.
pub fn solve(
    program: &Program,
    state: &State,
    options: &Options,
    observer: &mut Observer<'_>,
) -> Report {
    resume(program, state, options, None, observer)
}

/// Continues a search that ended without a verdict.
///
/// The checkpoint must come from an earlier report on the same program and position with the same
/// options, except for the budget. The report is the one that [`solve`] gives with the larger
/// budget, node for node. Only the turn that the smaller budget cut short is searched again.
pub fn resume(
    program: &Program,
    state: &State,
    options: &Options,
    checkpoint: Option<&Checkpoint>,
    observer: &mut Observer<'_>,
) -> Report {
    if state.is_won(program) {
        return Report {
            verdict: Verdict::Winnable(Vec::new()),
            nodes: 0,
            strategy: "won already",
            proof: Some(Proof::WonAlready),
            end: StopReason::Decided,
            checkpoint: None,
        };
    }
    if !program.can_be_won() {
        return Report {
            verdict: Verdict::Unknown,
            nodes: 0,
            strategy: "none",
            proof: None,
            end: StopReason::StrategiesExhausted,
            checkpoint: None,
        };
    }
    let problem = Problem::new(program, state, options);
    if problem.is_deadlocked() {
        return Report {
            verdict: Verdict::Unwinnable,
            nodes: 0,
            strategy: "deadlocks",
            proof: Some(Proof::Deadlock),
            end: StopReason::Decided,
            checkpoint: None,
        };
    }
    let mut report = portfolio::search(&problem, checkpoint, observer);
    if let Verdict::Winnable(line) = &mut report.verdict
        && options.wants_line
        && !problem.avoids_loops(report.strategy)
    {
        *line = shorten::without_loops(program, state, std::mem::take(line));
    }
    report
}

impl Strategy {
    /// The turns of a search from a position, by [`Strategy::labels`], and the default share of a
    /// round for each, in hundredths of the smallest share.
    pub fn shares(program: &Program, state: &State) -> Vec<(String, u64)> {
        let options = Options::nodes(0);
        let problem = Problem::new(program, state, &options);
        let carries = problem.carries();
        let labels = Self::labels(problem.turns).into_iter();
        let turns = labels.enumerate().filter(|&(index, _)| !carries[index].retired);
        turns.map(|(index, label)| (label, problem.share(index, 100, &carries))).collect()
    }
}

impl Weights {
    /// The default weights of a search from a position.
    pub fn of(program: &Program, state: &State) -> &'static [Self] {
        Problem::new(program, state, &Options::nodes(0)).default_weights()
    }
}
