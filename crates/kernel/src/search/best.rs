//! Best-first search: always on from the most promising position met so far.
//!
//! Positions are not kept whole. A position that was expanded is packed into a record of bytes; one that
//! was only met is its parent and the move that leads to it, and is made again when its turn comes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::depth::Table;
use super::evaluation::Evaluation;
use super::key::Key;
use super::{Effort, Interrupted, Outcome};
use crate::journal::Journal;
use crate::moves::Move;
use crate::perft::POLL;
use crate::state::State;

/// Searches best first until the turn's share is used up.
///
/// Exhaustion is a proof, as for a depth-first search, if the keys are exact; where they are not, the
/// caller must not take it for one.
pub(super) fn best_first(
    effort: &mut Effort<'_>,
    root: &State,
    evaluation: &Evaluation<'_>,
    key: &Key,
) -> Result<Outcome, Interrupted> {
    let program = effort.program;
    let mut records = Records::new(root);
    let mut table = Table::default();
    let mut open = BinaryHeap::new();
    let mut state = root.clone();
    let mut journal = Journal::new();
    let mut moves = Vec::new();
    let mut unplayable = false;
    let mut met = 0u32;
    let mut at = records.add(None, &state);
    table.meet(key.of(program, &state));
    effort.nodes += 1;
    loop {
        moves.clear();
        state.moves_into(program, &mut moves);
        for &played in &moves {
            if state.play_unchecked(program, played, &mut journal).is_err() {
                unplayable = true;
                continue;
            }
            if table.meet(key.of(program, &state)) {
                if state.is_won(program) {
                    return Ok(Outcome::Won(records.line(at, played)));
                }
                if effort.nodes >= effort.end {
                    return Ok(Outcome::Open);
                }
                effort.nodes += 1;
                // Of equally promising positions the last one met goes first: it is deepest.
                met += 1;
                open.push((Reverse(evaluation.distance(&state)), met, at, played));
                if effort.nodes.is_multiple_of(POLL) {
                    if (effort.interrupt)() {
                        return Err(Interrupted);
                    }
                    let heap = open.capacity() * size_of::<(i32, u32, u32, Move)>();
                    if table.bytes_soon() + heap + records.bytes() > effort.limits.memory {
                        return Ok(Outcome::Open);
                    }
                }
            }
            state.undo(program, &mut journal);
        }
        let Some((_, _, parent, played)) = open.pop() else { break };
        records.restore(program, parent, &mut state);
        journal.clear();
        if state.play_unchecked(program, played, &mut journal).is_err() {
            unplayable = true;
            continue;
        }
        journal.clear();
        at = records.add(Some((parent, played)), &state);
    }
    Ok(if unplayable { Outcome::Open } else { Outcome::Exhausted })
}

/// The positions expanded, packed.
pub(super) struct Records {
    size: usize,
    bytes: Vec<u8>,
    /// By record: the record and the move it came from; the root comes from nothing.
    origins: Vec<Option<(u32, Move)>>,
}

impl Records {
    pub(super) fn new(root: &State) -> Self {
        Self { size: root.packed_size(), bytes: Vec::new(), origins: Vec::new() }
    }

    pub(super) fn add(&mut self, origin: Option<(u32, Move)>, state: &State) -> u32 {
        self.origins.push(origin);
        state.pack(&mut self.bytes);
        (self.origins.len() - 1) as u32
    }

    pub(super) fn restore(
        &self,
        program: &crate::compiled::Compiled,
        record: u32,
        state: &mut State,
    ) {
        let start = record as usize * self.size;
        state.unpack(program, &self.bytes[start..start + self.size]);
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.capacity() + self.origins.capacity() * size_of::<Option<(u32, Move)>>()
    }

    /// The moves from the root to a record, and one more.
    pub(super) fn line(&self, mut at: u32, last: Move) -> Vec<Move> {
        let mut line = vec![last];
        while let Some((parent, played)) = self.origins[at as usize] {
            line.push(played);
            at = parent;
        }
        line.reverse();
        line
    }
}
