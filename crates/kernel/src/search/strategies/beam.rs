//! Beam search: layer by layer, only the most promising positions of each.
//!
//! It fails on other deals than best-first search does: it cannot be lured into one corner, and it
//! cannot come back. How many positions a layer keeps is worked out from what is left of the turn's
//! share, so that a turn reaches about as deep as a game is long, whatever the number of moves.

use crate::search::budget::{Interrupted, NodeBudget};
use crate::search::spaces::result::SearchResult;
use crate::search::spaces::space::Space;
use crate::search::strategies::explorer::{Explorer, OpenNode};

/// Layers that are always reckoned with.
const LEAST_LAYERS: u64 = 30;

/// Searches in layers until the turn's share is used up. Where every layer was kept whole,
/// exhaustion is a proof, as for the other searches.
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
        let mut next: Vec<OpenNode<S::Step>> = Vec::new();
        for &at in &layer {
            explorer.go_to(at);
            let end = explorer.expand(budget, at, |met| {
                next.push(met);
                next.capacity()
            })?;
            if let Some(end) = end {
                return Ok(end);
            }
        }
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
        next.sort_unstable();
        let kept = next.into_iter();
        layer = kept.filter_map(|met| explorer.enter(met.parent, met.step)).collect();
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
