//! Playouts: whole games by the rules of thumb of the greedy player, each with other luck.
//!
//! Games with two packs and a stock have long lines, and a search that keeps all alternatives open
//! never gets deep enough. A player who takes the move that looks best wins some of them all the
//! same. So each playout takes the best move by the player's scores plus noise, and never returns
//! to a position that it has visited. With little noise it plays well, but always alike; with much
//! noise it tries more. Which suits a game is not known, so playouts take turns with all of them.

use crate::perft::POLL;
use crate::player::game::Player;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::random::SplitMix64;
use crate::search::budget::{Interrupted, NodeBudget};
use crate::search::spaces::result::SearchResult;

/// The range of the random part of a score, in the playouts one after the other.
///
/// A play to a foundation scores 1000, a card built on another 200.
const NOISE: [u64; 4] = [300, 1000, 600, 2000];
/// A playout is given up after this many moves.
const MOST_MOVES: usize = 2_000;

/// Plays until the turn's share is used up. Proves nothing.
pub(crate) fn playouts(
    budget: &mut NodeBudget<'_>,
    program: &Program,
    root: &State,
    round: u64,
) -> Result<SearchResult<Move>, Interrupted> {
    let mut player = Player::new(program);
    let mut line = Vec::new();
    let mut next_report = POLL;
    for (attempt, &noise) in (0u64..).zip(NOISE.iter().cycle()) {
        let begun = budget.nodes;
        let mut chance = SplitMix64::new(round << 32 | attempt);
        let mut state = root.clone();
        line.clear();
        player.begin(&state);
        while line.len() < MOST_MOVES && budget.nodes < budget.end {
            // A move after which forced rules never end also ends the playout.
            let taken = player.step(&mut state, Some(noise), &mut chance, &mut budget.nodes);
            let Ok(Some(taken)) = taken else { break };
            line.push(taken);
            if state.is_won(program) {
                return Ok(SearchResult::Solved(line));
            }
            if budget.nodes >= next_report {
                next_report = budget.nodes + POLL;
                if !budget.check(player.bytes() + size_of_val(&*line), line.len())? {
                    return Ok(SearchResult::OutOfBudget);
                }
            }
        }
        if budget.nodes >= budget.end {
            break;
        }
        // There is no move at all.
        if budget.nodes == begun {
            return Ok(SearchResult::Incomplete);
        }
    }
    Ok(SearchResult::OutOfBudget)
}
