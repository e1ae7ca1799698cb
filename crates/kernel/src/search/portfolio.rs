//! Runs turns one after the other or several at the same time, with the same answer.
//!
//! *Why the budget changes only the end.* The input of a turn is its share, its round, and what the
//! same turn of the previous round carried over. The budget is no part of it; it only cuts the turn
//! short. So each problem has one sequence of turns, and a budget decides how far along it the
//! search goes. Two things follow. A search that was cut short continues from the beginning of that
//! turn ([`Checkpoint`]) and then reports, node for node, what it would have reported with the
//! larger budget in the first place. And other threads can run later turns speculatively: their
//! results are processed in the order of the sequence, and those beyond the answer or the budget
//! are discarded.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Scope, scope};
use std::time::Duration;

use crate::search::budget::{Observer, Progress};
use crate::search::problem::Problem;
use crate::search::proof::Proof;
use crate::search::report::{Report, StopReason, Verdict};
use crate::search::turn::{Carryover, Checkpoint, Finding, Turn, TurnResult};

/// The nodes of each turn of the first round whose strategy has one share.
pub const FIRST_SHARE: u64 = 2000;
/// The factor by which each round is longer than the one before.
const GROWTH: u64 = 3;

impl Checkpoint {
    fn beginning(problem: &Problem<'_>) -> Self {
        Self {
            round: 0,
            index: 0,
            share: FIRST_SHARE,
            nodes: 0,
            strategy: "none",
            is_cut_short: false,
            carries: problem.carries(),
        }
    }

    /// Advances to the next turn; none if no turn could find more.
    fn turn(&mut self, problem: &Problem<'_>) -> Option<Turn> {
        loop {
            if let Some(&carry) = self.carries.get(self.index) {
                if !carry.retired {
                    let Self { index, round, .. } = *self;
                    let share = problem.share(index, self.share, &self.carries);
                    return Some(Turn { index, round, share, carry });
                }
                self.index += 1;
            } else if self.is_cut_short {
                self.round += 1;
                self.index = 0;
                self.share = self.share.saturating_mul(GROWTH);
                self.is_cut_short = false;
            } else {
                return None;
            }
        }
    }

    /// Advances past a turn that ended and found nothing.
    fn pass(&mut self, nodes: u64, carry: Carryover, is_cut_short: bool) {
        self.nodes += nodes;
        self.is_cut_short |= is_cut_short && !carry.retired;
        self.carries[self.index] = carry;
        self.index += 1;
    }

    fn report(self, verdict: Verdict, proof: Option<Proof>, end: StopReason, nodes: u64) -> Report {
        let unknown = verdict == Verdict::Unknown;
        let strategy = self.strategy;
        Report { verdict, nodes, strategy, proof, end, checkpoint: unknown.then_some(self) }
    }

    fn inconclusive(self) -> Report {
        let end = if self.carries.iter().any(|carry| carry.full) {
            StopReason::Memory
        } else if self.carries.iter().any(|carry| carry.forced_loop) {
            StopReason::ForcedLoop
        } else {
            StopReason::StrategiesExhausted
        };
        let nodes = self.nodes;
        self.report(Verdict::Unknown, None, end, nodes)
    }
}

/// Runs turns from a checkpoint, or from the beginning, until there is an answer.
pub(crate) fn search(
    problem: &Problem<'_>,
    checkpoint: Option<&Checkpoint>,
    observer: &mut Observer<'_>,
) -> Report {
    let place = checkpoint
        .filter(|place| place.carries.len() == problem.turns.len())
        .cloned()
        .unwrap_or_else(|| Checkpoint::beginning(problem));
    if problem.options.threads > 1 {
        Speculative::new(place).search(problem, observer)
    } else {
        one_by_one(problem, place, observer)
    }
}

fn one_by_one(problem: &Problem<'_>, mut place: Checkpoint, observer: &mut Observer<'_>) -> Report {
    loop {
        let Some(turn) = place.turn(problem) else { return place.inconclusive() };
        let left = problem.options.limits.nodes.saturating_sub(place.nodes);
        if left == 0 {
            let nodes = place.nodes;
            return place.report(Verdict::Unknown, None, StopReason::Budget, nodes);
        }
        let taken = problem.take(turn, left, place.nodes, observer);
        place = match absorb(problem, place, turn, taken) {
            Ok(place) => place,
            Err(report) => return *report,
        };
    }
}

/// Processes the result of a turn: returns the place after it, or the report as an error.
fn absorb(
    problem: &Problem<'_>,
    mut place: Checkpoint,
    turn: Turn,
    taken: TurnResult,
) -> Result<Checkpoint, Box<Report>> {
    let before = place.strategy;
    place.strategy = problem.turns[turn.index].name();
    let left = problem.options.limits.nodes.saturating_sub(place.nodes);
    let nodes = place.nodes + taken.nodes.min(left);
    let answer = |place: Checkpoint, verdict, proof| {
        Err(Box::new(place.report(verdict, Some(proof), StopReason::Decided, nodes)))
    };
    match taken.found {
        Err(_) => {
            let mut report = place.report(Verdict::Unknown, None, StopReason::Interrupted, nodes);
            if let Some(checkpoint) = &mut report.checkpoint {
                checkpoint.strategy = before;
            }
            Err(Box::new(report))
        }
        // The turn went beyond the budget.
        Ok(_) if taken.nodes > left => Err(Box::new(budget_spent(place, before, nodes))),
        Ok(Finding::Line(line)) => answer(place, Verdict::Winnable(line), Proof::Line),
        Ok(Finding::Loss(proof)) => answer(place, Verdict::Unwinnable, proof),
        Ok(Finding::Nothing { is_cut_short }) => {
            if is_cut_short && taken.nodes == left && left < turn.share && !taken.carry.retired {
                return Err(Box::new(budget_spent(place, before, nodes)));
            }
            place.pass(taken.nodes, taken.carry, is_cut_short);
            Ok(place)
        }
    }
}

/// The report of a search whose budget ends within a turn. That turn will be run again.
fn budget_spent(place: Checkpoint, before: &'static str, nodes: u64) -> Report {
    let mut report = place.report(Verdict::Unknown, None, StopReason::Budget, nodes);
    if let Some(checkpoint) = &mut report.checkpoint {
        checkpoint.strategy = before;
    }
    report
}

/// How long the caller's thread waits for results before it reports progress.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Turns that run speculatively.
struct Speculative {
    /// The place before the first turn that is not absorbed.
    place: Checkpoint,
    /// The place after the last turn that is running.
    front: Checkpoint,
    pending: VecDeque<Pending>,
    /// The number of turns ever started, which gives each its number.
    begun: u64,
}

/// A turn that is running, or done but not absorbed.
struct Pending {
    number: u64,
    turn: Turn,
    monitor: Arc<Monitor>,
    taken: Option<TurnResult>,
}

/// What a turn and the caller's thread share.
struct Monitor {
    stop: AtomicBool,
    nodes: AtomicU64,
    progress: Mutex<Option<Progress>>,
}

impl Speculative {
    fn new(place: Checkpoint) -> Self {
        Self { front: place.clone(), place, pending: VecDeque::new(), begun: 0 }
    }

    fn search(mut self, problem: &Problem<'_>, observer: &mut Observer<'_>) -> Report {
        scope(|scope| {
            let (sender, receiver) = channel();
            let report = loop {
                if let Some(report) = self.absorb(problem) {
                    break report;
                }
                self.launch(problem, scope, &sender);
                match receiver.recv_timeout(POLL_INTERVAL) {
                    Ok((number, taken)) => {
                        let mut pending = self.pending.iter_mut();
                        if let Some(done) = pending.find(|pending| pending.number == number) {
                            done.taken = Some(taken);
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {
                        let progress = self.progress(problem);
                        if !observer(&progress) {
                            let (nodes, place) = (progress.nodes, self.place.clone());
                            break place.report(
                                Verdict::Unknown,
                                None,
                                StopReason::Interrupted,
                                nodes,
                            );
                        }
                    }
                    // Unreachable: this thread holds a sender.
                    Err(RecvTimeoutError::Disconnected) => break self.place.clone().inconclusive(),
                }
            };
            self.discard();
            report
        })
    }

    /// Absorbs the turns that are done, in the order of the sequence. Returns the report if one of
    /// them ends the search.
    fn absorb(&mut self, problem: &Problem<'_>) -> Option<Report> {
        loop {
            let Some(turn) = self.place.turn(problem) else {
                return Some(self.place.clone().inconclusive());
            };
            if self.place.nodes >= problem.options.limits.nodes {
                let (place, nodes) = (self.place.clone(), self.place.nodes);
                return Some(place.report(Verdict::Unknown, None, StopReason::Budget, nodes));
            }
            let first = self.pending.front()?;
            if first.turn != turn {
                // The prediction for an earlier turn was wrong.
                self.discard();
                return None;
            }
            first.taken.as_ref()?;
            let taken = self.pending.pop_front()?.taken?;
            match absorb(problem, self.place.clone(), turn, taken) {
                Ok(place) => self.place = place,
                Err(report) => return Some(*report),
            }
        }
    }

    /// Starts turns while threads are free. Predicts that the running turns will find nothing.
    fn launch<'scope>(
        &mut self,
        problem: &'scope Problem<'scope>,
        scope: &'scope Scope<'scope, '_>,
        sender: &Sender<(u64, TurnResult)>,
    ) {
        loop {
            let under_way = self.pending.iter().filter(|pending| pending.taken.is_none()).count();
            if under_way >= problem.options.threads {
                return;
            }
            // The results of turns that are done are known, absorbed or not.
            self.front = self.place.clone();
            for pending in &self.pending {
                if self.front.turn(problem) != Some(pending.turn) {
                    return;
                }
                match &pending.taken {
                    Some(TurnResult {
                        nodes,
                        carry,
                        found: Ok(Finding::Nothing { is_cut_short }),
                    }) => {
                        self.front.pass(*nodes, *carry, *is_cut_short);
                    }
                    // This turn has the answer.
                    Some(_) => return,
                    None => self.front.pass(0, pending.turn.carry, true),
                }
            }
            let Some(turn) = self.front.turn(problem) else { return };
            let mut pending = self.pending.iter();
            let waits =
                pending.any(|other| other.turn.index == turn.index && other.taken.is_none());
            let left = problem.options.limits.nodes.saturating_sub(self.front.nodes);
            if waits || left == 0 {
                return;
            }
            self.begun += 1;
            let number = self.begun;
            let monitor = Arc::new(Monitor {
                stop: AtomicBool::new(false),
                nodes: AtomicU64::new(0),
                progress: Mutex::new(None),
            });
            self.pending.push_back(Pending {
                number,
                turn,
                monitor: Arc::clone(&monitor),
                taken: None,
            });
            let sender = sender.clone();
            scope.spawn(move || {
                let taken = problem.take(turn, left, 0, &mut |progress| monitor.check(progress));
                // The receiver is gone once the answer is known.
                let _ = sender.send((number, taken));
            });
        }
    }

    fn discard(&mut self) {
        for pending in self.pending.drain(..) {
            pending.monitor.stop.store(true, Ordering::Relaxed);
        }
    }

    /// The progress of all running turns together.
    fn progress(&self, problem: &Problem<'_>) -> Progress {
        let mut all = Progress {
            nodes: self.place.nodes,
            bytes: 0,
            depth: 0,
            round: self.place.round,
            strategy: self.place.strategy,
        };
        for (place, pending) in self.pending.iter().enumerate() {
            let heard = pending.monitor.progress.lock().unwrap_or_else(PoisonError::into_inner);
            all.nodes += pending.monitor.nodes.load(Ordering::Relaxed);
            all.bytes += heard.map_or(0, |heard| heard.bytes);
            if place == 0 {
                all.depth = heard.map_or(0, |heard| heard.depth);
                all.strategy = problem.turns[pending.turn.index].name();
            }
        }
        all.nodes = all.nodes.min(problem.options.limits.nodes);
        all
    }
}

impl Monitor {
    fn check(&self, progress: &Progress) -> bool {
        self.nodes.store(progress.nodes, Ordering::Relaxed);
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some(*progress);
        !self.stop.load(Ordering::Relaxed)
    }
}
