//! Beam search: layer by layer, with only the most promising positions of each layer.
//!
//! It fails on other deals than best-first search: it cannot get stuck in one part of the space,
//! and it cannot go back. The width of a layer is computed from the rest of the turn's share, so
//! that a turn gets about as deep as a game is long, whatever the branching factor.

use std::ops::ControlFlow;

use crate::search::budget::{Interrupted, NodeBudget};
use crate::search::spaces::result::SearchResult;
use crate::search::spaces::space::Space;
use crate::search::strategies::explorer::Explorer;

/// The fewest further layers to plan for.
const LEAST_LAYERS: u64 = 30;

/// Searches in layers until the turn's share is used up. If no layer was cut, exhaustion is a
/// proof, as for the other strategies.
pub(crate) fn beam<S: Space>(
    budget: &mut NodeBudget<'_>,
    space: &mut S,
) -> Result<SearchResult<S::Step>, Interrupted> {
    if space.is_won() {
        return Ok(SearchResult::Solved(Vec::new()));
    }
    let length = space.length();
    let mut explorer = Explorer::new(space);
    budget.nodes += 1;
    let mut layer = vec![0];
    let mut is_whole = true;
    for depth in 0.. {
        let mut next = match explorer.expand_layer(budget, &layer)? {
            ControlFlow::Continue(next) => next,
            ControlFlow::Break(end) => return Ok(end),
        };
        if next.is_empty() {
            break;
        }
        let branching = (next.len() as u64).div_ceil(layer.len() as u64);
        let layers = length.saturating_sub(depth).max(LEAST_LAYERS);
        let width =
            (budget.share.saturating_sub(budget.nodes) / (layers * branching)).max(1) as usize;
        if next.len() > width {
            next.select_nth_unstable(width);
            next.truncate(width);
            is_whole = false;
        }
        layer = explorer.enter_layer(next);
        if layer.is_empty() {
            break;
        }
    }
    Ok(match (is_whole, explorer.unplayable) {
        (false, _) => SearchResult::OutOfBudget,
        (true, true) => SearchResult::Incomplete,
        (true, false) => SearchResult::Exhausted,
    })
}
