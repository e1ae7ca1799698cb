//! Beam search: layer by layer, only the most promising positions of each.
//!
//! It fails on other deals than best-first search does: it cannot be lured into one corner, and it
//! cannot come back. How many positions a layer keeps is worked out from what is left of the turn's
//! share, so that a turn reaches about as deep as a game is long, whatever the number of moves.

use super::best::Records;
use super::depth::Table;
use super::evaluation::Evaluation;
use super::key::Key;
use super::{Effort, Interrupted, Outcome};
use crate::journal::Journal;
use crate::moves::Move;
use crate::perft::POLL;
use crate::state::State;

/// Layers that are always reckoned with.
const LEAST_LAYERS: u64 = 30;

/// Searches in layers until the turn's share is used up. Proves nothing.
pub(super) fn beam(
    effort: &mut Effort<'_>,
    root: &State,
    evaluation: &Evaluation<'_>,
    key: &Key,
) -> Result<Outcome, Interrupted> {
    let program = effort.program;
    let mut records = Records::new(root);
    let mut table = Table::default();
    let mut state = root.clone();
    let mut journal = Journal::new();
    let mut moves = Vec::new();
    // A game takes about a move a card, and some to make way.
    let length = evaluation.cards_to_go(root) * 3 / 2;
    let mut layer = vec![records.add(None, root)];
    table.meet(key.of(program, root));
    effort.nodes += 1;
    for depth in 0.. {
        let mut next: Vec<(i32, u32, u32, Move)> = Vec::new();
        for &at in &layer {
            records.restore(program, at, &mut state);
            journal.clear();
            moves.clear();
            state.moves_into(program, &mut moves);
            for &played in &moves {
                if state.play_unchecked(program, played, &mut journal).is_err() {
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
                    next.push((evaluation.distance(&state), next.len() as u32, at, played));
                    if effort.nodes.is_multiple_of(POLL) {
                        if (effort.interrupt)() {
                            return Err(Interrupted);
                        }
                        let heap = next.capacity() * size_of::<(i32, u32, u32, Move)>();
                        if table.bytes_soon() + heap + records.bytes() > effort.limits.memory {
                            return Ok(Outcome::Open);
                        }
                    }
                }
                state.undo(program, &mut journal);
            }
        }
        if next.is_empty() {
            break;
        }
        let branching = (next.len() as u64).div_ceil(layer.len() as u64);
        let layers = length.saturating_sub(depth).max(LEAST_LAYERS);
        let width = ((effort.end - effort.nodes) / (layers * branching)).max(1) as usize;
        if next.len() > width {
            next.select_nth_unstable(width);
            next.truncate(width);
        }
        next.sort_unstable();
        layer.clear();
        for (_, _, parent, played) in next {
            records.restore(program, parent, &mut state);
            journal.clear();
            if state.play_unchecked(program, played, &mut journal).is_ok() {
                layer.push(records.add(Some((parent, played)), &state));
            }
        }
    }
    Ok(Outcome::Open)
}
