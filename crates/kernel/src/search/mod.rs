//! The solver: several ways of searching, taken in turn with growing budgets.
//!
//! No single way is good at all games. *Finders* ([`best`], [`beam`], [`restarts`], [`nested`]) are
//! quick at finding a line where there is one; *provers* (depth-first with exact keys,
//! [`abstraction`], [`locks`]) are the ones that prove that there is none. They take turns in
//! rounds, each round a few times longer than the one before, so that no more than a constant part
//! of the work is lost on the ways that do not suit a deal. A budget counts positions met, so the
//! same problem has the same answer with the same number of nodes on every machine.
//!
//! A position met again in a turn is not searched again. Positions are told apart by 128-bit keys
//! ([`key`]): exact ones are equal only for positions from which the same games can be played,
//! blind ones serve to find wins. With n positions met in a proof, the chance that any two
//! different ones shared an exact key is about n * n / 2^129: below 10^-20 for a thousand million.

mod abstraction;
pub(crate) mod budget;
pub(crate) mod options;
mod portfolio;
mod problem;
pub(crate) mod proof;
pub(crate) mod report;
mod schedule;
pub(crate) mod shorten;
mod spaces;
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
use crate::search::spaces::linked::tables::Tables;
use crate::search::strategy::Strategy;
use crate::search::turn::Checkpoint;
use crate::search::weights::Weights;

/// Searches for a line that wins, seeing every card.
///
/// The same problem gives the same answer with the same number of nodes, on every machine, whatever
/// the number of threads (unless memory runs out: it is shared among them). The observer is told
/// every few thousand nodes how far the search has come; when it says no, the report is what is
/// known by then. Lines pass no position twice, but are seldom short ([`shorten`](crate::shorten)).
/// Strategies that cannot be used for a program are passed over.
pub fn solve(
    program: &Program,
    state: &State,
    options: &Options,
    observer: &mut Observer<'_>,
) -> Report {
    resume(program, state, options, None, observer)
}

/// Goes on with a search that ended without a verdict.
///
/// The checkpoint is that of an earlier report on the same program, position and options, but for
/// the budget. The report is the one that [`solve`] with the larger budget gives, node for node;
/// only the turn that was cut by the smaller budget is searched again.
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
    let problem = Problem::new(program, state, options);
    if problem.is_deadlocked() {
        return Report {
            verdict: Verdict::Unwinnable,
            nodes: 0,
            strategy: "locks",
            proof: Some(Proof::Locked),
            end: StopReason::Decided,
            checkpoint: None,
        };
    }
    let mut report = portfolio::search(&problem, checkpoint, observer);
    if let Verdict::Winnable(line) = &mut report.verdict {
        *line = shorten::without_loops(program, state, std::mem::take(line));
    }
    report
}

impl Strategy {
    /// The turns that a search takes from a position, by [`Strategy::labels`], and what each gets
    /// of a round where nothing else is given, in hundredths of the least share.
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
    /// The weights that a search from a position uses where none are given.
    pub fn of(program: &Program, state: &State) -> &'static [Self] {
        if Tables::new(program, state, false).is_some() { &Self::LINKED } else { &Self::DEFAULTS }
    }
}
