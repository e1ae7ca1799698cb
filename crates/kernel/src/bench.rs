//! Measures the speed of play.
//!
//! The work depends only on the program, the position and the amount, never on a clock. The caller
//! measures the time. Two counts of instructions give the same number.

use std::hint::black_box;

use crate::perft::{CountError, POLL};
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;

/// What [`benchmark`], [`make_and_unmake`] or [`generate`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Benchmark {
    /// Moves made and unmade; for [`generate`], moves listed.
    pub made: u64,
    /// Positions whose moves were generated.
    pub generated: u64,
    /// A checksum of every position visited. It is the same on every machine.
    pub checksum: u64,
}

/// Makes and unmakes moves in a fixed order until a number of positions were expanded.
///
/// From the given position on, it makes and unmakes all moves of a position, then continues with
/// one of them, chosen by the hash. A finished or long game starts again.
pub fn benchmark(
    program: &Program,
    state: &State,
    nodes: u64,
    interrupt: &mut dyn FnMut() -> bool,
) -> Result<Benchmark, CountError> {
    /// A game of this length starts again.
    const LONG: usize = 500;
    let mut done = Benchmark::default();
    let mut moves = Vec::new();
    let mut turn = 0u64;
    while done.generated < nodes {
        let mut state = state.clone();
        let mut journal = Journal::new();
        for _ in 0..LONG {
            moves.clear();
            state.moves_into(program, &mut moves);
            done.generated += 1;
            for &each in &moves {
                state.play_unchecked(program, each, &mut journal)?;
                done.checksum = done.checksum.rotate_left(1) ^ state.hash128() as u64;
                state.undo(program, &mut journal);
            }
            done.made += moves.len() as u64;
            if done.generated.is_multiple_of(POLL) && interrupt() {
                return Err(CountError::Interrupted);
            }
            if moves.is_empty() || done.generated >= nodes {
                break;
            }
            turn += 1;
            let pick = (state.hash128() as u64 ^ turn) % moves.len() as u64;
            state.play_unchecked(program, moves[pick as usize], &mut journal)?;
            journal.clear();
        }
    }
    Ok(done)
}

/// Makes and unmakes at least a number of moves, and reads the hash after each.
///
/// The moves are all those of the first positions of one game, repeatedly.
pub fn make_and_unmake(
    program: &Program,
    state: &State,
    moves: u64,
    interrupt: &mut dyn FnMut() -> bool,
) -> Result<Benchmark, CountError> {
    let mut walk = walk(program, state)?;
    let mut journal = Journal::new();
    let mut done = Benchmark::default();
    while done.made < moves && walk.iter().any(|(_, listed)| !listed.is_empty()) {
        for (state, listed) in &mut walk {
            for &each in &*listed {
                state.play_unchecked(program, each, &mut journal)?;
                done.checksum = done.checksum.rotate_left(1) ^ state.hash128() as u64;
                state.undo(program, &mut journal);
            }
            done.made += listed.len() as u64;
        }
        if interrupt() {
            return Err(CountError::Interrupted);
        }
    }
    Ok(done)
}

/// Lists the moves of at least a number of positions, without playing them.
///
/// The positions are the first ones of one game, repeatedly.
pub fn generate(
    program: &Program,
    state: &State,
    positions: u64,
    interrupt: &mut dyn FnMut() -> bool,
) -> Result<Benchmark, CountError> {
    let walk = walk(program, state)?;
    let mut moves = Vec::new();
    let mut done = Benchmark::default();
    while done.generated < positions {
        for (state, _) in &walk {
            moves.clear();
            state.moves_into(program, &mut moves);
            done.made += black_box(&moves).len() as u64;
        }
        done.generated += walk.len() as u64;
        if interrupt() {
            return Err(CountError::Interrupted);
        }
    }
    Ok(done)
}

/// The first positions of a game with varied moves, each with its legal moves.
fn walk(program: &Program, state: &State) -> Result<Vec<(State, Vec<Move>)>, CountError> {
    /// The number of positions: enough variety, but few enough to stay in the cache.
    const LENGTH: usize = 60;
    let mut walk = Vec::new();
    let mut journal = Journal::new();
    let mut state = state.clone();
    loop {
        let moves = state.moves(program);
        let picked = moves.get(walk.len() * 7 % moves.len().max(1)).copied();
        walk.push((state.clone(), moves));
        match picked {
            Some(picked) if walk.len() <= LENGTH => {
                state.play_unchecked(program, picked, &mut journal)?;
            }
            _ => return Ok(walk),
        }
    }
}
