//! Best-first search: always on from the most promising position met so far.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::evaluation::Evaluation;
use super::explorer::Explorer;
use super::key::Key;
use super::{Effort, Interrupted, Outcome};
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
    let mut explorer = Explorer::new(effort.program, root, evaluation, key);
    effort.nodes += 1;
    let mut open = BinaryHeap::new();
    let mut at = Some(0);
    loop {
        if let Some(at) = at {
            // Of equally promising positions the last one met goes first: it is deepest.
            let end = explorer.expand(effort, at, |(distance, number, parent, played)| {
                open.push((Reverse(distance), number, parent, played));
                open.capacity()
            })?;
            if let Some(end) = end {
                return Ok(end);
            }
        }
        let Some((_, _, parent, played)) = open.pop() else { break };
        at = explorer.enter(parent, played);
    }
    Ok(if explorer.unplayable { Outcome::Open } else { Outcome::Exhausted })
}
