//! Beam search of constant width that moves runs as wholes.
//!
//! Where only cards of one suit move together but any suit may be built on, most positions have a
//! dozen ways to split a run, and nearly all of them only make the order worse. So this search
//! splits a run only to lengthen another one ([`Space::keep_runs_whole`]). Positions count as the
//! same whichever pile their cards lie in, although the next row of the stock may tell them apart:
//! a layer has no room for the same piles in another order. With both, a beam of a few hundred
//! positions mostly reaches the end of the game.
//!
//! Unlike [`beam`](crate::search::strategies::beam), all layers are equally wide, since the hardest
//! part may come late, and a beam whose best position has long been the same is given up, since the
//! positions that remain only move cards to and fro.

use std::ops::ControlFlow;

use crate::random::SplitMix64;
use crate::search::budget::{Interrupted, NodeBudget};
use crate::search::spaces::result::SearchResult;
use crate::search::spaces::space::Space;
use crate::search::strategies::explorer::{Explorer, OpenNode};

/// About the number of new positions after each position of a layer.
const BRANCHING: u64 = 6;

/// A beam is given up after this many layers without a better position.
const PATIENCE: u32 = 60;

/// Searches one beam. Its width is such that it takes about the turn's share. Proves nothing.
pub(crate) fn run_beam<S: Space>(
    budget: &mut NodeBudget<'_>,
    space: &mut S,
) -> Result<SearchResult<S::Step>, Interrupted> {
    if space.is_won() {
        return Ok(SearchResult::Solved(Vec::new()));
    }
    space.keep_runs_whole();
    let layers = space.length().max(1);
    let width = (budget.share / (layers * BRANCHING)).max(1) as usize;
    let mut explorer = Explorer::new(space);
    budget.nodes += 1;
    let mut layer = vec![0];
    // Of equally good positions any may be kept. Those generated first have the same parents, and a
    // beam of positions that are nearly alike fails as a whole.
    let rank =
        |node: &OpenNode<S::Step>| (node.distance, SplitMix64::new(u64::from(node.number)).next());
    let (mut best, mut idle) = (i32::MAX, 0);
    let mut is_whole = true;
    while idle <= PATIENCE {
        let mut next = match explorer.expand_layer(budget, &layer)? {
            ControlFlow::Continue(next) => next,
            ControlFlow::Break(end) => return Ok(end),
        };
        if next.len() > width {
            next.select_nth_unstable_by_key(width, rank);
            next.truncate(width);
            is_whole = false;
        }
        let Some(least) = next.iter().map(|node| node.distance).min() else {
            let is_exhausted = is_whole && !explorer.unplayable;
            return Ok(if is_exhausted {
                SearchResult::Exhausted
            } else {
                SearchResult::OutOfBudget
            });
        };
        idle = if least < best { 0 } else { idle + 1 };
        best = best.min(least);
        layer = explorer.enter_layer(next);
    }
    Ok(SearchResult::OutOfBudget)
}
