//! Depth-first search with a table of the positions met.

use hashbrown::HashTable;

use super::key::Key;
use super::ordering::Ordering;
use super::{Effort, Interrupted, Outcome};
use crate::journal::Journal;
use crate::moves::Move;
use crate::perft::POLL;
use crate::state::State;

/// Searches depth first until the turn's share is used up.
///
/// With exact keys, exhaustion proves that there is no win: every legal move of every position met
/// was played, and a position is left out only if one with the same key was met. That is sound in
/// any order, since a position is won from or not whatever led to it.
pub(super) fn depth_first(
    effort: &mut Effort<'_>,
    root: &State,
    ordering: &Ordering,
    key: &Key,
) -> Result<Outcome, Interrupted> {
    let program = effort.program;
    let mut state = root.clone();
    let mut journal = Journal::new();
    let mut table = Table::default();
    let mut line: Vec<Move> = Vec::new();
    let mut moves = Vec::new();
    // For each move of the line: where the moves of its position begin, and the next to try.
    let mut steps: Vec<(usize, usize)> = Vec::new();
    // A legal move led to forced rules without end, so the space was not searched whole.
    let mut unplayable = false;
    let expand = |state: &State, moves: &mut Vec<Move>, steps: &mut Vec<(usize, usize)>| {
        let begin = moves.len();
        state.moves_into(program, moves);
        ordering.sort(program, state, &mut moves[begin..]);
        steps.push((begin, begin));
    };
    table.meet(key.of(program, &state));
    effort.nodes += 1;
    expand(&state, &mut moves, &mut steps);
    while let Some((begin, next)) = steps.last_mut() {
        if *next == moves.len() {
            moves.truncate(*begin);
            steps.pop();
            if line.pop().is_some() {
                state.undo(program, &mut journal);
            }
            continue;
        }
        let played = moves[*next];
        *next += 1;
        if state.play_unchecked(program, played, &mut journal).is_err() {
            unplayable = true;
            continue;
        }
        if !table.meet(key.of(program, &state)) {
            state.undo(program, &mut journal);
            continue;
        }
        line.push(played);
        if state.is_won(program) {
            return Ok(Outcome::Won(line));
        }
        if effort.nodes >= effort.end {
            return Ok(Outcome::Open);
        }
        effort.nodes += 1;
        expand(&state, &mut moves, &mut steps);
        if effort.nodes.is_multiple_of(POLL) {
            if (effort.interrupt)() {
                return Err(Interrupted);
            }
            let stacks = moves.len() * size_of::<Move>() + journal.bytes();
            if table.bytes_soon() + stacks > effort.limits.memory {
                return Ok(Outcome::Open);
            }
        }
    }
    Ok(if unplayable { Outcome::Open } else { Outcome::Exhausted })
}

/// The keys of the positions met.
#[derive(Default)]
pub(super) struct Table {
    met: HashTable<u128>,
}

impl Table {
    /// Notes a position; false if it was met before.
    pub(super) fn meet(&mut self, key: u128) -> bool {
        // A key is mixed already: its low half is as good as any.
        let low = |key: &u128| *key as u64;
        if self.met.find(low(&key), |other| *other == key).is_some() {
            return false;
        }
        self.met.insert_unique(low(&key), key, low);
        true
    }

    /// Bytes of the table, or of both tables while it grows, if it will have to before long.
    pub(super) fn bytes_soon(&self) -> usize {
        let slots = self.met.capacity();
        let grows = self.met.len() + (POLL as usize) * 32 > slots;
        slots * (size_of::<u128>() + 1) * 8 / 7 * if grows { 3 } else { 1 }
    }
}
