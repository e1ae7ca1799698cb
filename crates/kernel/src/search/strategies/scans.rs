//! Short depth-first scans, each in another order.
//!
//! Where most positions offer a few good steps and a win is near, a depth-first search in a good
//! order goes straight to it, or errs early and spends all its time below the error. So it is given
//! up soon, and the next one goes another way.

use crate::perft::POLL;
use crate::search::budget::{Interrupted, NodeBudget};
use crate::search::spaces::result::SearchResult;
use crate::search::spaces::space::Space;
use crate::search::visited::Visited;

/// Positions of a scan.
const QUOTA: u64 = 200;

/// The number of scans.
const SCANS: u64 = 3;

/// Searches depth first in several orders. Proves nothing: exhaustion says that more scans would
/// hardly find more.
///
/// The first scan takes the steps in the order of their scores. The others add randomness. After
/// success the space is at the end of the line, and has taken no other steps since the root.
pub(crate) fn scans<S: Space>(
    budget: &mut NodeBudget<'_>,
    space: &mut S,
) -> Result<SearchResult<S::Step>, Interrupted> {
    let mut root = Vec::new();
    space.pack(&mut root);
    let mut scan = Scan { visited: Visited::default(), steps: Vec::new(), line: Vec::new() };
    for seed in 0..SCANS {
        space.unpack(&root);
        let end = budget.end.min(budget.nodes + QUOTA);
        match scan.run(budget, space, end, seed)? {
            SearchResult::OutOfBudget if budget.nodes < budget.end && !budget.out_of_memory => {}
            found => return Ok(found),
        }
    }
    Ok(SearchResult::Exhausted)
}

/// What scans use one after the other.
struct Scan<Step> {
    visited: Visited,
    /// The steps of the positions on the line that were not taken yet, the best last.
    steps: Vec<Step>,
    /// For each position on the line the step that led there, and the number of the steps before
    /// its own.
    line: Vec<(Step, usize)>,
}

impl<Step: Copy + Ord> Scan<Step> {
    fn run<S: Space<Step = Step>>(
        &mut self,
        budget: &mut NodeBudget<'_>,
        space: &mut S,
        end: u64,
        seed: u64,
    ) -> Result<SearchResult<Step>, Interrupted> {
        self.visited.clear();
        self.visited.insert(space.key());
        self.steps.clear();
        self.line.clear();
        self.expand(space, 0, seed);
        loop {
            let begin = self.line.last().map_or(0, |&(_, begin)| begin);
            if self.steps.len() == begin {
                if self.line.pop().is_none() {
                    return Ok(SearchResult::Exhausted);
                }
                space.unmake();
                continue;
            }
            let Some(step) = self.steps.pop() else { continue };
            if !space.make(step) {
                continue;
            }
            if !self.visited.insert(space.key()) {
                space.unmake();
                continue;
            }
            self.line.push((step, self.steps.len()));
            if space.is_won() {
                return Ok(SearchResult::Solved(self.line.iter().map(|&(step, _)| step).collect()));
            }
            if budget.nodes >= end {
                return Ok(SearchResult::OutOfBudget);
            }
            budget.nodes += 1;
            if budget.nodes.is_multiple_of(POLL) {
                let bytes = self.visited.bytes_soon() + size_of_val(&*self.steps);
                if !budget.check(bytes + space.trail_bytes(), self.line.len())? {
                    return Ok(SearchResult::OutOfBudget);
                }
            }
            self.expand(space, self.steps.len(), seed);
        }
    }

    /// Adds the steps from the current position.
    fn expand<S: Space<Step = Step>>(&mut self, space: &mut S, begin: usize, seed: u64) {
        space.list(&mut self.steps);
        space.sort(&mut self.steps[begin..], seed);
        self.steps[begin..].reverse();
    }
}
