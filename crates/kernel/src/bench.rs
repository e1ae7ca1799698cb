//! Measuring how fast a game is played.
//!
//! What is done depends on the program, the position and the amount alone, never on a clock: the
//! time is the caller's business, and whoever counts instructions counts the same ones each time.

use std::hint::black_box;

use crate::perft::{CountError, POLL};
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;

/// What [`benchmark`], [`make_and_unmake`] or [`generate`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Benchmark {
    /// Moves made and taken back; for [`generate`], moves listed.
    pub made: u64,
    /// Positions whose moves were generated.
    pub generated: u64,
    /// Depends on every position met; the same on every machine.
    pub checksum: u64,
}

/// Makes and unmakes moves in a fixed order until so many positions were generated.
///
/// From the given position on, all moves of a position are made and unmade, then the game goes on
/// with one of them, chosen by the hash; a finished or long game begins again.
pub fn benchmark(
    program: &Program,
    state: &State,
    nodes: u64,
    interrupt: &mut dyn FnMut() -> bool,
) -> Result<Benchmark, CountError> {
    /// A game this long begins again.
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

/// Makes and unmakes at least so many moves; nothing else is done but to look at the hash after
/// each.
///
/// The moves are all those of the first positions of one game, again and again.
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

/// Lists the moves of at least so many positions; they are not played.
///
/// The positions are the first ones of one game, again and again.
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

/// The first positions of a game in which each time another move is taken, with their moves.
fn walk(program: &Program, state: &State) -> Result<Vec<(State, Vec<Move>)>, CountError> {
    /// Positions looked at: enough to be different, few enough to stay in the cache.
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
