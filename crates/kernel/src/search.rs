//! The first solver: depth-first search with a table of the positions met.
//!
//! A question is answered in rounds. The early rounds are short and order equally good moves at
//! random (by a fixed seed), because a depth-first search that took a wrong turn near the root seldom
//! finds back; the last round has what is left of the budget. Every round searches the whole space as
//! far as its limit goes, so whichever round exhausts it has proved that there is no win.
//!
//! A position met again is not searched again. Positions are told apart by their 128-bit hash, which
//! is equal for positions that differ by an interchange of piles of one class: from those the same
//! games can be played.

use hashbrown::HashTable;
use thiserror::Error;

use crate::card::is_face_down;
use crate::compiled::{Compiled, Kind};
use crate::deal::SplitMix64;
use crate::journal::{Entry, Journal};
use crate::moves::Move;
use crate::perft::POLL;
use crate::script::gathers;
use crate::state::State;

/// How far a search may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most positions expanded.
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
    /// The positions expanded.
    pub nodes: u64,
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
    if state.is_won(program) {
        return Ok(Report { verdict: Verdict::Winnable(Vec::new()), nodes: 0 });
    }
    let mut search = Search::new(program, limits, interrupt);
    let mut round_limit = FIRST_ROUND;
    for seed in 0u64.. {
        let left = limits.nodes - search.nodes;
        // Nothing is gained by a last round that is shorter than the one before it.
        let last = left / 2 <= round_limit;
        search.ordering = Ordering::new(program, if last { 0 } else { seed });
        let end = search.nodes + if last { left } else { round_limit };
        match search.round(state, end)? {
            Round::Won => {
                let verdict = Verdict::Winnable(std::mem::take(&mut search.line));
                return Ok(Report { verdict, nodes: search.nodes });
            }
            Round::Exhausted if search.unplayable => {
                return Ok(Report { verdict: Verdict::Unknown, nodes: search.nodes });
            }
            Round::Exhausted => {
                return Ok(Report { verdict: Verdict::Unwinnable, nodes: search.nodes });
            }
            Round::Limit if last => break,
            Round::Limit => round_limit += round_limit / GROWTH,
            Round::Memory => break,
        }
    }
    Ok(Report { verdict: Verdict::Unknown, nodes: search.nodes })
}

/// Nodes of the first round.
const FIRST_ROUND: u64 = 1000;
/// Each round is longer than the one before by one part in so many.
const GROWTH: u64 = 4;

enum Round {
    Won,
    Exhausted,
    Limit,
    Memory,
}

struct Search<'s> {
    program: &'s Compiled,
    limits: Limits,
    interrupt: &'s mut dyn FnMut() -> bool,
    ordering: Ordering,
    met: HashTable<u128>,
    nodes: u64,
    line: Vec<Move>,
    /// A legal move led to forced rules without end, so the space was not searched whole.
    unplayable: bool,
}

impl<'s> Search<'s> {
    fn new(program: &'s Compiled, limits: Limits, interrupt: &'s mut dyn FnMut() -> bool) -> Self {
        Self {
            program,
            limits,
            interrupt,
            ordering: Ordering::new(program, 0),
            met: HashTable::new(),
            nodes: 0,
            line: Vec::new(),
            unplayable: false,
        }
    }

    /// One depth-first search from the root until `end` nodes were expanded in all.
    fn round(&mut self, root: &State, end: u64) -> Result<Round, Interrupted> {
        let program = self.program;
        let mut state = root.clone();
        let mut journal = Journal::new();
        let mut moves = Vec::new();
        // For each move of the line: where the moves of its position begin, and the next to try.
        let mut steps = Vec::new();
        self.met.clear();
        self.line.clear();
        self.unplayable = false;
        self.meet(state.hash128());
        if self.nodes >= end {
            return Ok(Round::Limit);
        }
        self.expand(&state, &mut moves, &mut steps);
        while let Some((begin, next)) = steps.last_mut() {
            if *next == moves.len() {
                moves.truncate(*begin);
                steps.pop();
                self.line.pop();
                state.undo(program, &mut journal);
                continue;
            }
            let played = moves[*next];
            *next += 1;
            if state.play_unchecked(program, played, &mut journal).is_err() {
                self.unplayable = true;
                continue;
            }
            if !self.meet(state.hash128()) {
                state.undo(program, &mut journal);
                continue;
            }
            self.line.push(played);
            if state.is_won(program) {
                return Ok(Round::Won);
            }
            if self.nodes >= end {
                return Ok(Round::Limit);
            }
            self.expand(&state, &mut moves, &mut steps);
            if self.nodes.is_multiple_of(POLL) {
                if (self.interrupt)() {
                    return Err(Interrupted);
                }
                let stacks = moves.len() * size_of::<Move>()
                    + journal.entries.len() * size_of::<Entry>()
                    + journal.cards.len();
                if self.table_bytes_soon() + stacks > self.limits.memory {
                    return Ok(Round::Memory);
                }
            }
        }
        Ok(Round::Exhausted)
    }

    /// Notes a position; false if it was met before.
    fn meet(&mut self, hash: u128) -> bool {
        // The hash is mixed already: its low half is as good as any.
        let low = |hash: &u128| *hash as u64;
        if self.met.find(low(&hash), |other| *other == hash).is_some() {
            return false;
        }
        self.met.insert_unique(low(&hash), hash, low);
        true
    }

    /// Bytes of the table, or of both tables while it grows, if it will have to before long.
    fn table_bytes_soon(&self) -> usize {
        let slots = self.met.capacity();
        let grows = self.met.len() + (POLL as usize) * 32 > slots;
        slots * (size_of::<u128>() + 1) * 8 / 7 * if grows { 3 } else { 1 }
    }

    fn expand(&mut self, state: &State, moves: &mut Vec<Move>, steps: &mut Vec<(usize, usize)>) {
        self.nodes += 1;
        let begin = moves.len();
        state.moves_into(self.program, moves);
        self.ordering.sort(self.program, state, &mut moves[begin..]);
        steps.push((begin, begin));
    }
}

/// Which moves are tried first.
struct Ordering {
    seed: u64,
    /// By rule, what speaks for it whatever it moves.
    rules: Box<[i32]>,
}

/// Up a ladder, or jointly: seldom wrong.
const UP: i32 = 1000;
/// A face-down card is laid open.
const UNCOVERS: i32 = 400;
/// A card is built on another.
const BUILDS: i32 = 200;
/// A pile becomes empty.
const VACATES: i32 = 80;
/// From the stock to where it can be seen.
const DEALS: i32 = 0;
/// An empty pile is used up.
const FILLS: i32 = -50;
/// Cards change places.
const SWAPS: i32 = -100;
/// A card comes back from a ladder.
const WORRIES_BACK: i32 = -300;
/// Piles are taken together for a redeal.
const GATHERS: i32 = -500;
/// How far chance may move a move in the rounds with a seed.
const CHANCE: u64 = 256;

impl Ordering {
    fn new(program: &Compiled, seed: u64) -> Self {
        let rules = program.plans.iter().map(|plan| match &plan.kind {
            Kind::Move(plan) if plan.action.ladder => UP,
            Kind::Joint(_) => UP,
            Kind::Move(_) | Kind::TurnUp(_) => DEALS,
            Kind::Swap(_) => SWAPS,
            Kind::Script(steps) if gathers(steps) => GATHERS,
            Kind::Script(_) => DEALS - 1,
        });
        Self { seed, rules: rules.collect() }
    }

    fn sort(&self, program: &Compiled, state: &State, moves: &mut [Move]) {
        if moves.len() > 1 {
            moves.sort_by_cached_key(|&each| -self.worth(program, state, each));
        }
    }

    fn worth(&self, program: &Compiled, state: &State, each: Move) -> i32 {
        let mut worth = self.rules[usize::from(each.rule())];
        if let Kind::Move(plan) = &program.plans[usize::from(each.rule())].kind {
            let (from, to) = (usize::from(each.from()), usize::from(each.to()));
            let cards = state.pile(from);
            let left = cards.len().saturating_sub(usize::from(each.count()));
            if program.places[from].ladder.is_some() {
                worth += WORRIES_BACK;
            }
            match left.checked_sub(1).map(|below| cards[below]) {
                None => worth += VACATES,
                Some(below) if is_face_down(below) && !is_face_down(cards[cards.len() - 1]) => {
                    worth += UNCOVERS;
                }
                Some(_) => {}
            }
            if state.is_vacant(to) {
                worth += FILLS;
            } else if plan.action.onto.is_some() {
                worth += BUILDS;
            }
        }
        if self.seed != 0 {
            let number = self.seed << 32 ^ u64::from(each.code()) ^ state.hash128() as u64;
            worth += SplitMix64::new(number).below(CHANCE) as i32;
        }
        worth
    }
}
