//! Depth-first search with a table of the positions met.

use crate::perft::POLL;
use crate::search::budget::{Effort, Interrupted};
use crate::search::spaces::outcome::Outcome;
use crate::search::spaces::space::Space;
use crate::search::visited::Table;

/// Searches depth first until the turn's share is used up.
///
/// With exact keys, exhaustion proves that there is no win: every step of every position met was
/// taken, and a position is left out only if one with the same key was met. That is sound in any
/// order, since a position is won from or not whatever led to it.
pub(crate) fn depth_first<S: Space>(
    effort: &mut Effort<'_>,
    space: &mut S,
    seed: u64,
) -> Result<Outcome<S::Step>, Interrupted> {
    if space.is_won() {
        return Ok(Outcome::Won(Vec::new()));
    }
    space.stay();
    let mut table = Table::default();
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
    table.meet(space.key());
    effort.nodes += 1;
    expand(space, &mut steps, &mut turns);
    while let Some((begin, next)) = turns.last_mut() {
        if *next == steps.len() {
            steps.truncate(*begin);
            turns.pop();
            if line.pop().is_some() {
                space.retreat();
            }
            continue;
        }
        let step = steps[*next];
        *next += 1;
        let peeked = space.peek(step);
        if peeked.is_some_and(|key| !table.meet(key)) {
            continue;
        }
        if !space.advance(step) {
            unplayable = true;
            continue;
        }
        debug_assert!(peeked.is_none_or(|key| key == space.key()), "it leads elsewhere");
        if peeked.is_none() && !table.meet(space.key()) {
            space.retreat();
            continue;
        }
        line.push(step);
        if space.is_won() {
            return Ok(Outcome::Won(line));
        }
        if effort.nodes >= effort.end {
            return Ok(Outcome::Open);
        }
        effort.nodes += 1;
        if space.is_dead() {
            turns.push((steps.len(), steps.len()));
        } else {
            expand(space, &mut steps, &mut turns);
        }
        if effort.nodes.is_multiple_of(POLL) {
            let stacks = size_of_val(&*steps) + size_of_val(&*turns) + size_of_val(&*line);
            let bytes = table.bytes_soon() + stacks + space.trail_bytes();
            if !effort.goes_on(bytes, line.len())? {
                return Ok(Outcome::Open);
            }
        }
    }
    Ok(if unplayable { Outcome::Stuck } else { Outcome::Exhausted })
}
