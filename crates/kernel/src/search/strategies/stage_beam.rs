//! Beam search in stages, for games with a stock or with face-down cards.
//!
//! A layer of an ordinary beam holds all positions after as many moves. There a position in which
//! a dozen cards were played up competes with one in which a dozen were dealt, and no weighing of
//! features is fair to both. So here a layer, a *stage*, holds all positions after as much progress
//! that is not taken back ([`Space::progress_left`]): cards in their place, dealt or turned up.
//! Moves among the piles make none, so positions of a stage follow from others. The search expands
//! the most promising ones, in turn, until the stage's share is used up, and goes on to the next.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::random::SplitMix64;
use crate::search::budget::{Interrupted, NodeBudget};
use crate::search::spaces::result::SearchResult;
use crate::search::spaces::space::Space;
use crate::search::strategies::explorer::{Explorer, OpenNode};

/// The positions of a stage, the most promising first; of equally promising ones any.
type Stage<Step> = BinaryHeap<Reverse<(i32, u32, u32, Step)>>;

/// Searches all stages once, such that they take about the turn's share together. Proves nothing.
pub(crate) fn stage_beam<S: Space>(
    budget: &mut NodeBudget<'_>,
    space: &mut S,
    whole_runs: bool,
) -> Result<SearchResult<S::Step>, Interrupted> {
    space.turn_singly();
    space.shed_cards();
    if whole_runs {
        space.keep_runs_whole();
    }
    if space.is_won() {
        return Ok(SearchResult::Solved(Vec::new()));
    }
    let first = space.progress_left();
    let mut stages: Vec<Stage<S::Step>> = Vec::new();
    stages.resize_with(first + 1, Stage::new);
    let mut explorer = Explorer::new(space);
    explorer.measures_progress = true;
    budget.nodes += 1;
    let (mut is_whole, mut capacity) = (true, 0);
    for left in (0..=first).rev() {
        let share = budget.share.saturating_sub(budget.nodes) / (left as u64 + 1);
        let end = budget.nodes + share;
        let mut at = (left == first).then_some(0);
        loop {
            if let Some(at) = at {
                let found = explorer.expand(budget, at, |node, progress_left| {
                    let OpenNode { distance, number, parent, step } = node;
                    let chance = SplitMix64::new(u64::from(number)).next() as u32;
                    let stage = &mut stages[progress_left.min(left)];
                    let before = stage.capacity();
                    stage.push(Reverse((distance, chance, parent, step)));
                    capacity += stage.capacity() - before;
                    capacity
                })?;
                if let Some(found) = found {
                    return Ok(found);
                }
            }
            if budget.nodes >= end && left > 0 {
                break;
            }
            let Some(Reverse((_, _, parent, step))) = stages[left].pop() else { break };
            at = explorer.enter(parent, step);
        }
        is_whole &= stages[left].is_empty();
        stages[left] = Stage::new();
    }
    Ok(if is_whole && !explorer.unplayable {
        SearchResult::Exhausted
    } else {
        SearchResult::OutOfBudget
    })
}
