//! Depth-first search with a set of visited positions.

use crate::perft::POLL;
use crate::search::budget::{Interrupted, NodeBudget};
use crate::search::spaces::result::SearchResult;
use crate::search::spaces::space::Space;
use crate::search::visited::Visited;

/// Searches depth first until the turn's share is used up.
///
/// With exact keys, exhaustion proves that there is no win: every step of every position met was
/// taken, and a position is left out only if one with the same key was met. That is sound in any
/// order, since a position is won from or not whatever led to it.
pub(crate) fn depth_first<S: Space>(
    budget: &mut NodeBudget<'_>,
    space: &mut S,
    seed: u64,
) -> Result<SearchResult<S::Step>, Interrupted> {
    if space.is_won() {
        return Ok(SearchResult::Solved(Vec::new()));
    }
    space.reset_root();
    let mut visited = Visited::default();
    let mut line: Vec<S::Step> = Vec::new();
    let mut steps: Vec<S::Step> = Vec::new();
    // For each step of the line: where the steps of its position begin, and the next to try.
    let mut turns: Vec<(usize, usize)> = Vec::new();
    // A step led to forced rules without end, so the space was not searched whole.
    let mut unplayable = false;
    let expand = |space: &mut S, steps: &mut Vec<S::Step>, turns: &mut Vec<(usize, usize)>| {
        let begin = steps.len();
        space.list(steps);
        space.sort(&mut steps[begin..], seed);
        turns.push((begin, begin));
    };
    visited.insert(space.key());
    budget.nodes += 1;
    expand(space, &mut steps, &mut turns);
    while let Some((begin, next)) = turns.last_mut() {
        if *next == steps.len() {
            steps.truncate(*begin);
            turns.pop();
            if line.pop().is_some() {
                space.unmake();
            }
            continue;
        }
        let step = steps[*next];
        *next += 1;
        let known = space.key_after(step);
        if known.is_some_and(|key| !visited.insert(key)) {
            continue;
        }
        if !space.make(step) {
            unplayable = true;
            continue;
        }
        debug_assert!(known.is_none_or(|key| key == space.key()), "it leads elsewhere");
        if known.is_none() && !visited.insert(space.key()) {
            space.unmake();
            continue;
        }
        line.push(step);
        if space.is_won() {
            return Ok(SearchResult::Solved(line));
        }
        if budget.nodes >= budget.end {
            return Ok(SearchResult::OutOfBudget);
        }
        budget.nodes += 1;
        if space.is_dead() {
            turns.push((steps.len(), steps.len()));
        } else {
            expand(space, &mut steps, &mut turns);
        }
        if budget.nodes.is_multiple_of(POLL) {
            let stacks = size_of_val(&*steps) + size_of_val(&*turns) + size_of_val(&*line);
            let bytes = visited.bytes_soon() + stacks + space.trail_bytes();
            if !budget.check(bytes, line.len())? {
                return Ok(SearchResult::OutOfBudget);
            }
        }
    }
    Ok(if unplayable { SearchResult::Incomplete } else { SearchResult::Exhausted })
}
