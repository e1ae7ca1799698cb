//! Shortens lines, and searches for shortest ones.
//!
//! A search accepts any winning line, and those of a depth-first search are long. [`shorten`]
//! shortens a line until its budget is used up:
//!
//! - *Loops*: moves that lead back to an earlier position of the line are removed.
//! - *Idle moves* are dropped, alone or several together. The other moves are played as before (the
//!   same card to the same pile, from wherever it lies now), and those that are no longer possible
//!   are dropped, too.
//! - *Other lines* are found by beam searches, which generate positions in the order of their
//!   distance from the beginning.
//! - *Shortcuts* from every position of the line to later ones are searched breadth-first.
//!
//! [`shortest`] searches for a shortest line (`bound.rs`), and reports how much it has proved.

mod bound;
mod path;

use std::collections::{HashMap, HashSet, VecDeque};

use crate::perft::POLL;
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::actions::CompiledAction;
use crate::program::compiled::Program;
use crate::search::budget::{Interrupted, NodeBudget, Observer};
use crate::search::options::Options;
use crate::search::problem::Problem;
use crate::search::shorten::bound::Bound;
use crate::search::shorten::path::Path;
use crate::search::spaces::equivalence::Equivalence;
use crate::search::spaces::evaluation::Evaluation;
use crate::search::spaces::general::General;
use crate::search::spaces::space::Space;
use crate::search::strategy::{CardEquivalence, Strategy};
use crate::search::turn::{Finding, Turn};
use crate::search::visited::Visited;
use crate::search::weights::Weights;

/// A shortened line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortened {
    /// The player's moves, which win. They visit no position twice.
    pub line: Vec<Move>,
    /// No winning line has fewer moves than this. If it is the length of the line, the line is a
    /// shortest one.
    pub lower_bound: usize,
    /// Positions generated.
    pub nodes: u64,
}

/// Shortens a winning line within the limits of the options. None if the line does not win.
///
/// The result is the same on every machine. If the observer ends the search, the result is the
/// shortest line so far.
pub fn shorten(
    program: &Program,
    state: &State,
    line: &[Move],
    options: &Options,
    observer: &mut Observer<'_>,
) -> Option<Shortened> {
    let keyed = KeyedProgram::new(program, options);
    let mut work = Shortener::new(&keyed, program, state, line, options, observer)?;
    // The shortest path so far is saved in any case.
    let _ = work.shorten(&Problem::new(program, state, &beams(options)));
    Some(work.done())
}

/// Searches for a shortest winning line, given any, within the limits of the options. None if the
/// line does not win.
///
/// [`Shortened::lower_bound`] says how close it came. Call [`shorten`] first, unless the line is
/// short already.
pub fn shortest(
    program: &Program,
    state: &State,
    line: &[Move],
    options: &Options,
    observer: &mut Observer<'_>,
) -> Option<Shortened> {
    let keyed = KeyedProgram::new(program, options);
    let mut work = Shortener::new(&keyed, program, state, line, options, observer)?;
    let _ = work.prove(&Bound::new(program));
    Some(work.done())
}

/// Removes the loops from a winning line.
pub(crate) fn without_loops(program: &Program, state: &State, line: Vec<Move>) -> Vec<Move> {
    let options = Options::nodes(0);
    let keyed = KeyedProgram::new(program, &options);
    if keyed.visits_each_once(program, state, &line) {
        return line;
    }
    let mut root = Vec::new();
    let mut space = keyed.space(program, state, &mut root);
    match Path::walk(&mut space, &root, &line) {
        Some(path) => path.without_loops(&mut space, &root).steps,
        None => line,
    }
}

/// The program with exact keys.
struct KeyedProgram {
    key: Equivalence,
    merged: Option<Program>,
}

impl KeyedProgram {
    fn new(program: &Program, options: &Options) -> Self {
        let key = Equivalence::exact(program, options.without);
        Self { merged: key.with_merged_cards(program), key }
    }

    /// Whether a line is legal, wins with its last move, and visits no position twice. (A line of
    /// most searches does, and then this is much cheaper than a [`Path`].)
    fn visits_each_once(&self, program: &Program, state: &State, line: &[Move]) -> bool {
        let program = self.merged.as_ref().unwrap_or(program);
        let mut state = state.rehashed(program);
        let mut journal = Journal::new();
        let mut visited = Visited::default();
        visited.insert(self.key.of(program, &state));
        let is_new = |&step: &Move| {
            journal.clear();
            state.play(program, step, &mut journal).is_ok()
                && visited.insert(self.key.of(program, &state))
        };
        line.iter().all(is_new) && state.is_won(program)
    }

    /// The positions after a first one, which is also packed.
    fn space<'w>(&'w self, program: &'w Program, state: &State, root: &mut Vec<u8>) -> General<'w> {
        let program = self.merged.as_ref().unwrap_or(program);
        let evaluation = Evaluation::new(program, state, Weights::DEFAULTS[0]);
        let space = General::new(program, &self.key, state, evaluation);
        space.pack(root);
        space
    }
}

/// The beam searches for other lines.
fn beams(options: &Options) -> Options {
    Options { turns: BEAMS.to_vec(), threads: 1, ..options.clone() }
}

const BEAMS: [Strategy; 4] = [
    Strategy::Beam { weights: 0, cards: CardEquivalence::BY_CLASS },
    Strategy::Beam { weights: 0, cards: CardEquivalence::Exact },
    Strategy::Beam { weights: 1, cards: CardEquivalence::BY_CLASS },
    Strategy::Beam { weights: 1, cards: CardEquivalence::Exact },
];

/// The state of the work.
struct Shortener<'w, 'o> {
    space: General<'w>,
    program: &'w Program,
    /// The first position, packed.
    root: Vec<u8>,
    path: Path,
    lower_bound: usize,
    budget: NodeBudget<'o>,
    /// The position that was evaluated last.
    polled: u64,
}

impl<'w, 'o> Shortener<'w, 'o> {
    fn new(
        keyed: &'w KeyedProgram,
        program: &'w Program,
        state: &'w State,
        line: &[Move],
        options: &Options,
        observer: &'o mut Observer<'o>,
    ) -> Option<Self> {
        let mut root = Vec::new();
        let mut space = keyed.space(program, state, &mut root);
        let path = Path::walk(&mut space, &root, line)?.without_loops(&mut space, &root);
        let budget = NodeBudget {
            observer,
            memory: options.limits.memory,
            share: options.limits.nodes,
            nodes: 0,
            end: options.limits.nodes,
            before: 0,
            round: 0,
            strategy: "shortening",
            out_of_memory: false,
        };
        let lower_bound = Bound::new(program).of(state).min(path.steps.len());
        Some(Self { space, program, root, path, lower_bound, budget, polled: 0 })
    }

    fn done(self) -> Shortened {
        let Path { steps: line, .. } = self.path;
        Shortened { line, lower_bound: self.lower_bound, nodes: self.budget.nodes }
    }

    /// Counts generated positions. False if the budget or the memory is used up.
    fn spend(&mut self, nodes: u64, bytes: usize) -> Result<bool, Interrupted> {
        self.budget.nodes += nodes;
        if self.budget.nodes - self.polled >= POLL {
            self.polled = self.budget.nodes;
            if !self.budget.check(bytes, self.path.steps.len())? {
                return Ok(false);
            }
        }
        Ok(self.budget.nodes < self.budget.end)
    }

    /// Takes a path if it is shorter.
    fn take(&mut self, path: Option<Path>) -> bool {
        let Some(path) = path else { return false };
        let path = path.without_loops(&mut self.space, &self.root);
        let is_shorter = path.steps.len() < self.path.steps.len();
        if is_shorter {
            self.path = path;
        }
        is_shorter
    }

    fn shorten(&mut self, problem: &Problem<'_>) -> Result<(), Interrupted> {
        let mut share = FIRST_SHARE;
        loop {
            let beams = problem.carries().into_iter().enumerate();
            for (index, carry) in beams.filter(|(_, carry)| !carry.retired) {
                let left = self.budget.end - self.budget.nodes.min(self.budget.end);
                if left == 0 {
                    return Ok(());
                }
                let turn = Turn { index, round: self.budget.round, share, carry };
                let (nodes, observer) = (self.budget.nodes, &mut *self.budget.observer);
                let taken = problem.take(turn, left, nodes, observer);
                self.budget.nodes += taken.nodes;
                if let Finding::Line(line) = taken.found? {
                    let path = Path::walk(&mut self.space, &self.root, &line);
                    self.take(path);
                }
            }
            if !self.drop_idle_moves(share)? || !self.take_shortcuts(share)? {
                return Ok(());
            }
            share = share.saturating_mul(2);
            self.budget.round += 1;
        }
    }

    /// Drops moves that nothing depends on, long ranges first. False if the budget is used up.
    fn drop_idle_moves(&mut self, share: u64) -> Result<bool, Interrupted> {
        let mut stretch = (self.path.steps.len() / 4).clamp(1, LONGEST_STRETCH);
        loop {
            let end = self.budget.nodes + share;
            if !self.drop_stretches(stretch, end)? {
                return Ok(false);
            }
            if stretch == 1 {
                return Ok(true);
            }
            stretch /= 2;
        }
    }

    /// Drops ranges of moves up to a number of nodes. False if the budget is used up.
    fn drop_stretches(&mut self, stretch: usize, end: u64) -> Result<bool, Interrupted> {
        let mut place = 0;
        // The position at this place.
        let mut here = self.root.clone();
        while place < self.path.steps.len() && self.budget.nodes < end {
            let (line, played) = self.play_without(&here, place, stretch);
            if !self.spend(played, 0)? {
                return Ok(false);
            }
            let path = line.and_then(|rest| {
                let line = [&self.path.steps[..place], &rest].concat();
                Path::walk(&mut self.space, &self.root, &line)
            });
            let before = self.path.keys[..=place].to_vec();
            if self.take(path) {
                if !self.path.keys.starts_with(&before) {
                    // A loop was removed before this place.
                    place = 0;
                    here.clone_from(&self.root);
                }
                continue;
            }
            self.space.unpack(&here);
            self.space.make(self.path.steps[place]);
            here.clear();
            self.space.pack(&mut here);
            place += 1;
        }
        Ok(true)
    }

    /// The line from a place on without some moves, if it still wins, and the number of moves
    /// played.
    fn play_without(
        &mut self,
        here: &[u8],
        place: usize,
        stretch: usize,
    ) -> (Option<Vec<Move>>, u64) {
        // Playing the original line as well shows which cards its moves move.
        self.space.unpack(here);
        let rest = &self.path.steps[place..];
        let mut meant = Vec::with_capacity(rest.len());
        for &step in rest {
            meant.push(self.space.card_moved(step));
            self.space.make(step);
            self.space.reset_root();
        }
        self.space.unpack(here);
        let mut line = Vec::new();
        let mut legal = Vec::new();
        for (&step, &card) in rest.iter().zip(&meant).skip(stretch) {
            let as_it_was = self.space.is_legal(step) && self.space.card_moved(step) == card;
            let step = if as_it_was {
                Some(step)
            } else {
                legal.clear();
                self.space.list_unless_won(&mut legal);
                let is_move = |each: Move| {
                    matches!(
                        self.program.plans[usize::from(each.rule())].kind,
                        CompiledAction::Move(_)
                    )
                };
                let mut legal = legal.iter().copied();
                legal.find(|&other| {
                    card.is_some()
                        && other.to() == step.to()
                        && is_move(other)
                        && self.space.card_moved(other) == card
                })
            };
            let Some(step) = step else { continue };
            if !self.space.make(step) {
                continue;
            }
            self.space.reset_root();
            line.push(step);
            if self.space.is_won() {
                break;
            }
        }
        let played = rest.len() as u64 * 2;
        ((self.space.is_won() && line.len() < rest.len()).then_some(line), played)
    }

    /// Searches breadth-first from every position of the line for later ones. False if the budget
    /// is used up.
    fn take_shortcuts(&mut self, share: u64) -> Result<bool, Interrupted> {
        let mut place = 0;
        let mut here = self.root.clone();
        let mut places = self.path.places();
        while place < self.path.steps.len() {
            let each = (share / self.path.steps.len() as u64).max(LEAST_LOOK);
            let Some(found) = self.look_around(&here, place, each, &places)? else {
                return Ok(false);
            };
            if let Some((between, target)) = found {
                let (keys, steps): (Vec<u128>, Vec<Move>) = between.into_iter().unzip();
                let old = &self.path;
                let keys = [&old.keys[..=place], &keys, old.keys.get(target + 1..).unwrap_or(&[])];
                let hints = [&old.steps[..place], &steps, old.steps.get(target..).unwrap_or(&[])];
                let path = Path::along(&mut self.space, &self.root, keys.concat(), &hints.concat());
                if self.take(path) {
                    places = self.path.places();
                    continue;
                }
            }
            self.space.unpack(&here);
            self.space.make(self.path.steps[place]);
            here.clear();
            self.space.pack(&mut here);
            place += 1;
        }
        Ok(true)
    }

    /// The shortcut that saves most among the positions near one of the line: keys and steps to a
    /// later place. The outer `None` means that the budget is used up.
    #[expect(clippy::type_complexity, reason = "used once")]
    fn look_around(
        &mut self,
        here: &[u8],
        place: usize,
        most: u64,
        places: &HashMap<u128, usize>,
    ) -> Result<Option<Option<(Vec<(u128, Move)>, usize)>>, Interrupted> {
        // By generated position: its parent, its key, the step, and its distance from the start.
        let mut reached: Vec<(usize, u128, Option<Move>, usize)> =
            vec![(0, self.path.keys[place], None, 0)];
        let mut packed = VecDeque::from([here.to_vec()]);
        let mut known = HashSet::from([self.path.keys[place]]);
        let mut best: Option<(usize, usize, usize)> = None;
        let mut legal = Vec::new();
        let mut at = 0;
        let mut nodes = 0;
        'all: while let Some(bytes) = packed.pop_front() {
            self.space.unpack(&bytes);
            legal.clear();
            self.space.list_unless_won(&mut legal);
            let distance = reached[at].3 + 1;
            for &step in &legal {
                if !self.space.make(step) {
                    continue;
                }
                let key = self.space.key();
                if known.insert(key) {
                    nodes += 1;
                    reached.push((at, key, Some(step), distance));
                    let mut next = Vec::with_capacity(bytes.len());
                    self.space.pack(&mut next);
                    packed.push_back(next);
                    let end = self.path.keys.len() - 1;
                    let target =
                        if self.space.is_won() { Some(end) } else { places.get(&key).copied() };
                    let saved = target.map_or(0, |target| target.saturating_sub(place + distance));
                    if saved > best.map_or(0, |(saved, ..)| saved) {
                        best = Some((saved, reached.len() - 1, target.unwrap_or(end)));
                    }
                }
                self.space.unmake();
                if nodes >= most {
                    break 'all;
                }
            }
            at += 1;
        }
        let bytes = packed.len() * here.len();
        if !self.spend(nodes, bytes)? {
            return Ok(None);
        }
        Ok(Some(best.map(|(_, mut at, target)| {
            let mut between = Vec::new();
            while let (from, key, Some(step), _) = reached[at] {
                between.push((key, step));
                at = from;
            }
            between.reverse();
            (between, target)
        })))
    }

    /// Searches for a shortest line by A*: positions with the smallest sum of distance and bound
    /// first.
    ///
    /// A position is expanded when no other generated one promises a shorter line. The bound is a
    /// lower bound and decreases by at most one with each move, so the first line that is no longer
    /// than what any position promises is a shortest one.
    fn prove(&mut self, bound: &Bound) -> Result<(), Interrupted> {
        self.space.unpack(&self.root.clone());
        let first = bound.of(self.space.state());
        let size = self.root.len();
        let mut records: Vec<u8> = Vec::new();
        let mut origins: Vec<Option<(u32, Move)>> = Vec::new();
        let mut nearest = HashMap::from([(self.path.keys[0], 0u32)]);
        // By the promised length of the line.
        let mut open: Vec<Vec<OpenNode>> = vec![Vec::new(); first + 1];
        open[first].push((None, 0, self.path.keys[0]));
        let mut legal = Vec::new();
        let mut promised = first;
        // Positions that promise no shorter line than the known one are not stored.
        while promised < self.path.steps.len() && promised < open.len() {
            let Some((origin, distance, key)) = open[promised].pop() else {
                promised += 1;
                self.lower_bound = self.lower_bound.max(promised.min(self.path.steps.len()));
                continue;
            };
            if nearest.get(&key).is_some_and(|&nearer| nearer < distance) {
                continue;
            }
            match origin {
                None => self.space.unpack(&self.root.clone()),
                Some((parent, step)) => {
                    self.space.unpack(&records[parent as usize * size..][..size]);
                    self.space.make(step);
                    self.space.reset_root();
                }
            }
            let record = origins.len() as u32;
            origins.push(origin);
            self.space.pack(&mut records);
            legal.clear();
            self.space.list_unless_won(&mut legal);
            let mut nodes = 0;
            for &step in &legal {
                if !self.space.make(step) {
                    continue;
                }
                let (key, further) = (self.space.key(), distance + 1);
                let known = nearest.get(&key);
                if known.is_none_or(|&nearer| nearer > further) {
                    nodes += u64::from(known.is_none());
                    nearest.insert(key, further);
                    if self.space.is_won() {
                        let mut line = vec![step];
                        let mut at = Some(record);
                        while let Some((parent, step)) = at.and_then(|at| origins[at as usize]) {
                            line.push(step);
                            at = Some(parent);
                        }
                        line.reverse();
                        if line.len() < self.path.steps.len() {
                            self.path.steps = line;
                        }
                    } else {
                        let promise = further as usize + bound.of(self.space.state());
                        if promise < self.path.steps.len() {
                            if promise >= open.len() {
                                open.resize_with(promise + 1, Vec::new);
                            }
                            open[promise].push((Some((record, step)), further, key));
                            // This is correct even if a move decreases the bound by more than one.
                            promised = promised.min(promise);
                        }
                    }
                }
                self.space.unmake();
            }
            let bytes = records.capacity()
                + origins.capacity() * 16
                + nearest.capacity() * 33
                + self.budget.nodes as usize * size_of::<OpenNode>();
            if !self.spend(nodes, bytes)? {
                return Ok(());
            }
        }
        self.lower_bound = self.path.steps.len();
        Ok(())
    }
}

/// A position generated by the search for a shortest line: the record of its parent and the step
/// from there, its distance from the beginning, and its key.
type OpenNode = (Option<(u32, Move)>, u32, u128);

/// Nodes of each beam of the first round.
const FIRST_SHARE: u64 = 4000;
/// The fewest positions to search around each position of a line.
const LEAST_LOOK: u64 = 60;
/// The most moves that are dropped together.
const LONGEST_STRETCH: usize = 64;
