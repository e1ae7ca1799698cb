//! `solve` and its result.

use cadogan_kernel::{
    Limits, Move, Options, Progress, Pruning, Shortened, StopReason, Strategy, Verdict, Weights,
    resume,
};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::convert::{Number, codes};
use crate::long::watched;
use crate::state::State;

/// Where a search without a verdict continues.
#[pyclass(frozen, module = "cadogan._kernel")]
pub(crate) struct Checkpoint {
    place: cadogan_kernel::Checkpoint,
}

/// The result of a search.
#[pyclass(frozen, get_all, module = "cadogan._kernel")]
pub(crate) struct Report {
    /// "winnable", "unwinnable" or "unknown".
    status: &'static str,
    /// The codes of the player's moves.
    line: Vec<u32>,
    nodes: u64,
    strategy: &'static str,
    /// The proof of the verdict in words; empty if it is unknown.
    proof: String,
    /// An upper bound on the probability that the proof confused two positions.
    collision_bound: f64,
    /// "decided", "budget", "memory", "helpless", "endless" or "interrupted".
    end: &'static str,
    checkpoint: Option<Py<Checkpoint>>,
}

/// The name of a reason, as Python receives it.
const fn end_name(end: StopReason) -> &'static str {
    match end {
        StopReason::Decided => "decided",
        StopReason::Budget => "budget",
        StopReason::Memory => "memory",
        StopReason::StrategiesExhausted => "helpless",
        StopReason::ForcedLoop => "endless",
        StopReason::Interrupted => "interrupted",
    }
}

impl Report {
    fn new(py: Python<'_>, report: cadogan_kernel::Report) -> PyResult<Self> {
        let (status, line) = match report.verdict {
            Verdict::Winnable(line) => ("winnable", codes(&line)),
            Verdict::Unwinnable => ("unwinnable", Vec::new()),
            Verdict::Unknown => ("unknown", Vec::new()),
        };
        let end = end_name(report.end);
        let checkpoint = report.checkpoint.map(|place| Py::new(py, Checkpoint { place }));
        Ok(Self {
            status,
            line,
            nodes: report.nodes,
            strategy: report.strategy,
            proof: report.proof.map(|proof| proof.to_string()).unwrap_or_default(),
            collision_bound: report.proof.map_or(0.0, cadogan_kernel::Proof::collision_bound),
            end,
            checkpoint: checkpoint.transpose()?,
        })
    }
}

/// Searches for a winning line, up to ``budget`` nodes.
///
/// The observer is called regularly with (nodes, bytes, depth, round, strategy) and returns whether
/// to continue. Ctrl-C and exceptions of the observer end the search.
#[pyfunction]
#[pyo3(signature = (state, budget, *, memory, threads, without, weights, shares, observer, checkpoint))]
#[expect(clippy::too_many_arguments, reason = "all but two are named where it is called")]
pub(crate) fn solve(
    py: Python<'_>,
    state: &Bound<'_, State>,
    budget: Number<u64>,
    memory: Number<usize>,
    threads: Number<usize>,
    without: Vec<PyBackedStr>,
    weights: Vec<Vec<(String, Number<i32>)>>,
    shares: Vec<(String, Number<u64>)>,
    observer: Option<&Bound<'_, PyAny>>,
    checkpoint: Option<&Bound<'_, Checkpoint>>,
) -> PyResult<Report> {
    let (program, position) = (state.get().program(), state.get().position());
    let mut options = Options::within(Limits { nodes: budget.0, memory: memory.0 });
    options.threads = threads.0;
    let without = without.into_iter().map(|name| name.parse::<Pruning>());
    options.without = without
        .collect::<Result<_, _>>()
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    options.weights = weights
        .into_iter()
        .enumerate()
        .map(|(index, set)| weights_of(Weights::of(program, position), index, set))
        .collect::<PyResult<_>>()?;
    let known = if shares.is_empty() { Vec::new() } else { turn_names() };
    options.shares = shares
        .into_iter()
        .map(|(name, share)| {
            if known.contains(&name) { Ok((name, share.0)) } else { Err(PyKeyError::new_err(name)) }
        })
        .collect::<PyResult<_>>()?;
    let place = checkpoint.map(|checkpoint| &checkpoint.get().place);
    let report = watched(py, report(observer), |goes_on| {
        resume(program, position, &options, place, goes_on)
    });
    Report::new(py, report?)
}

/// A score, its line, a bound, the nodes and why the search ended.
type FoundScore = (i64, Vec<u32>, Option<i64>, u64, &'static str);

/// Searches for the best score: (score, line, bound, nodes, end); none if the game is not scored.
#[pyfunction]
#[pyo3(signature = (state, budget, *, memory, threads, observer))]
pub(crate) fn best_score(
    py: Python<'_>,
    state: &Bound<'_, State>,
    budget: Number<u64>,
    memory: Number<usize>,
    threads: Number<usize>,
    observer: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<FoundScore>> {
    let (program, position) = (state.get().program(), state.get().position());
    let mut options = Options::within(Limits { nodes: budget.0, memory: memory.0 });
    options.threads = threads.0;
    let best = watched(py, report(observer), |goes_on| {
        cadogan_kernel::best_score(program, position, &options, goes_on)
    })?;
    Ok(best.map(|best| (best.score, codes(&best.line), best.bound, best.nodes, end_name(best.end))))
}

/// Shortens a winning line, or searches for a shortest one: (line, fewest moves, nodes).
///
/// ``ValueError`` for a line that does not win. If the observer ends the search, returns the
/// shortest line so far.
#[pyfunction]
#[pyo3(signature = (state, line, budget, *, memory, shortest, observer))]
pub(crate) fn shorten(
    py: Python<'_>,
    state: &Bound<'_, State>,
    line: Vec<Number<u32>>,
    budget: Number<u64>,
    memory: Number<usize>,
    shortest: bool,
    observer: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Vec<u32>, usize, u64)> {
    let (program, position) = (state.get().program(), state.get().position());
    let options = Options::within(Limits { nodes: budget.0, memory: memory.0 });
    let line: Vec<Move> = line.into_iter().map(|code| Move::from_code(code.0)).collect();
    let work = if shortest { cadogan_kernel::shortest } else { cadogan_kernel::shorten };
    let done =
        watched(py, report(observer), |goes_on| work(program, position, &line, &options, goes_on));
    match done? {
        Some(Shortened { line, lower_bound, nodes }) => Ok((codes(&line), lower_bound, nodes)),
        None => Err(PyValueError::new_err("the line does not win")),
    }
}

/// Asks an observer, if there is one, whether to continue.
fn report(observer: Option<&Bound<'_, PyAny>>) -> impl Fn(Python<'_>, &Progress) -> PyResult<bool> {
    let observer = observer.map(|observer| observer.clone().unbind());
    move |py, &Progress { nodes, bytes, depth, round, strategy }| {
        py.check_signals()?;
        let Some(observer) = &observer else { return Ok(true) };
        observer.call1(py, (nodes, bytes, depth, round, strategy))?.is_truthy(py)
    }
}

fn weights_of(
    defaults: &[Weights],
    set: usize,
    given: Vec<(String, Number<i32>)>,
) -> PyResult<Weights> {
    let mut weights = defaults[set % defaults.len()];
    for (name, value) in given {
        let Some(weight) = weights.named(&name) else { return Err(PyKeyError::new_err(name)) };
        *weight = value.0;
    }
    Ok(weights)
}

/// The names of all prunings, as ``solve(without=...)`` takes them.
pub(crate) fn prunings() -> Vec<&'static str> {
    Pruning::ALL.into_iter().map(Pruning::name).collect()
}

/// The default sets of weights of a search, by name.
#[pyfunction]
pub(crate) fn weights(state: &Bound<'_, State>) -> Vec<Vec<(&'static str, i32)>> {
    let values = |set: &Weights| {
        let mut set = *set;
        let names = Weights::NAMES.iter();
        names.filter_map(|&name| set.named(name).map(|weight| (name, *weight))).collect()
    };
    let sets = Weights::of(state.get().program(), state.get().position());
    sets.iter().map(values).collect()
}

/// The turns of a search from a position by name, with the default share of a round for each, in
/// hundredths of the smallest share.
#[pyfunction]
pub(crate) fn turns(state: &Bound<'_, State>) -> Vec<(String, u64)> {
    Strategy::shares(state.get().program(), state.get().position())
}

/// The names of all turns, as ``solve(shares=...)`` takes them.
pub(crate) fn turn_names() -> Vec<String> {
    let mut names = Vec::new();
    for name in Strategy::ROUNDS.into_iter().flat_map(Strategy::labels) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The names of all weights.
pub(crate) const fn weight_names() -> &'static [&'static str] {
    Weights::NAMES
}
