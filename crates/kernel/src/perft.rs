//! Counts move paths.

use thiserror::Error;

use crate::play::make::PlayError;
use crate::position::journal::Journal;
use crate::position::state::State;
use crate::program::compiled::Program;

/// The number of positions between two checks for an interrupt.
pub(crate) const POLL: u64 = 4096;

/// Why a count ended early.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CountError {
    /// The caller ended it.
    #[error("interrupted")]
    Interrupted,
    /// A move could not be played.
    #[error(transparent)]
    Play(#[from] PlayError),
}

/// Counts legal move paths of a given length. Forced moves do not count as steps.
///
/// Perft numbers can take a very long time, so `interrupt` is called regularly and may end the
/// count. The moves of the last step are counted without playing them.
pub fn perft(
    program: &Program,
    state: &State,
    depth: u32,
    interrupt: &mut dyn FnMut() -> bool,
) -> Result<u64, CountError> {
    if depth == 0 {
        return Ok(1);
    }
    let mut state = state.clone();
    let mut journal = Journal::new();
    let mut moves = state.moves(program);
    if depth == 1 {
        return Ok(moves.len() as u64);
    }
    // For each step of the path: where its moves begin in `moves`, and the next one to play.
    let mut steps = vec![(0, 0)];
    let mut paths = 0u64;
    let mut visits = 0u64;
    while let Some((begin, next)) = steps.last_mut() {
        if *next == moves.len() {
            moves.truncate(*begin);
            steps.pop();
            state.undo(program, &mut journal);
            continue;
        }
        let played = moves[*next];
        *next += 1;
        state.play_unchecked(program, played, &mut journal)?;
        visits += 1;
        if visits.is_multiple_of(POLL) && interrupt() {
            return Err(CountError::Interrupted);
        }
        let begin = moves.len();
        state.moves_into(program, &mut moves);
        if steps.len() + 1 == depth as usize {
            paths = paths.saturating_add((moves.len() - begin) as u64);
            moves.truncate(begin);
            state.undo(program, &mut journal);
        } else {
            steps.push((begin, begin));
        }
    }
    Ok(paths)
}
