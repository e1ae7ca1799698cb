//! The order in which a depth-first search tries moves.

use crate::move_score::MoveScorer;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::search::spaces::space::chance;

/// Puts the best moves first; seeds other than 0 bring some chance in.
pub(crate) fn sort(
    scorer: &MoveScorer,
    program: &Program,
    state: &State,
    moves: &mut [Move],
    seed: u64,
) {
    if moves.len() > 1 {
        moves.sort_by_cached_key(|&each| {
            let chance = chance(seed, state.hash128(), each.code());
            -scorer.score(program, state, each) - chance
        });
    }
}
