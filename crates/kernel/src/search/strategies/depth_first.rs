//! Depth-first search with a set of visited positions.

use crate::perft::POLL;
use crate::search::budget::{Interrupted, NodeBudget};
use crate::search::spaces::result::SearchResult;
use crate::search::spaces::space::Space;
use crate::search::strategies::paused::Resumable;
use crate::search::visited::Visited;

/// In the seed of a search the number of its round has so many bits.
const ROUND_BITS: u32 = 8;

/// Searches depth first until the turn's share is used up.
///
/// With exact keys, exhaustion proves that there is no win: every step of every visited position
/// was taken, and a position is skipped only if one with the same key was visited before. That is
/// sound in any order, since whether a position can be won does not depend on the moves that led to
/// it.
pub(crate) fn depth_first<S: Space>(
    budget: &mut NodeBudget<'_>,
    space: &mut S,
    seed: u64,
) -> Result<SearchResult<S::Step>, Interrupted> {
    DepthFirst { seed, ..DepthFirst::new(space) }.run(budget, space)
}

/// Searches depth first, in another order each time that the space is exhausted.
pub(crate) fn again_and_again<S: Space>(
    budget: &mut NodeBudget<'_>,
    space: &mut S,
    seed: u64,
) -> Result<SearchResult<S::Step>, Interrupted> {
    let mut found = depth_first(budget, space, seed)?;
    for attempt in 1.. {
        if !matches!(found, SearchResult::Exhausted) || budget.nodes >= budget.share {
            break;
        }
        found = match depth_first(budget, space, seed | attempt << ROUND_BITS)? {
            SearchResult::OutOfBudget if budget.nodes >= budget.share => SearchResult::Exhausted,
            found => found,
        };
    }
    Ok(found)
}

/// A depth-first search that can be continued.
pub(crate) struct DepthFirst<T> {
    seed: u64,
    visited: Visited,
    /// The steps to the current position.
    line: Vec<T>,
    steps: Vec<T>,
    /// For each position of the line: where its steps begin, and the next one to try.
    turns: Vec<(usize, usize)>,
    /// Whether the current position has just been reached and its steps are not listed.
    is_new: bool,
    /// A step could not be taken ([`Space::make`]), so part of the space was not searched.
    unplayable: bool,
}

impl<S: Space> Resumable<S> for DepthFirst<S::Step> {
    type Step = S::Step;

    fn new(space: &mut S) -> Self {
        space.reset_root();
        let mut visited = Visited::default();
        visited.insert(space.key());
        Self {
            seed: 0,
            visited,
            line: Vec::new(),
            steps: Vec::new(),
            turns: Vec::new(),
            is_new: true,
            unplayable: false,
        }
    }

    fn go_back_to(&self, space: &mut S) {
        space.reset_root();
        for &step in &self.line {
            space.make(step);
        }
    }

    fn bytes(&self) -> usize {
        let Self { visited, line, steps, turns, .. } = self;
        visited.bytes_soon() + size_of_val(&**steps) + size_of_val(&**turns) + size_of_val(&**line)
    }

    fn run(
        &mut self,
        budget: &mut NodeBudget<'_>,
        space: &mut S,
    ) -> Result<SearchResult<S::Step>, Interrupted> {
        let end = self.descend(budget, space);
        space.settle();
        end
    }
}

impl<T: Copy + Ord + Send + 'static> DepthFirst<T> {
    /// Whether a step cannot be taken or leads to a visited position; in most cases unchecked.
    fn leads_nowhere_new<S: Space<Step = T>>(&self, space: &mut S, step: T) -> bool {
        let is_unchecked = !self.steps.len().is_multiple_of(16);
        is_unchecked || !space.make(step) || {
            let is_visited = self.visited.get(space.key()).is_some();
            space.unmake();
            is_visited
        }
    }

    /// Searches on, and leaves the last steps to be undone soon.
    fn descend<S: Space<Step = T>>(
        &mut self,
        budget: &mut NodeBudget<'_>,
        space: &mut S,
    ) -> Result<SearchResult<T>, Interrupted> {
        loop {
            if self.is_new {
                if space.is_won() {
                    return Ok(SearchResult::Solved(std::mem::take(&mut self.line)));
                }
                if budget.nodes >= budget.end {
                    return Ok(SearchResult::OutOfBudget);
                }
                budget.nodes += 1;
                self.is_new = false;
                let begin = self.steps.len();
                if !space.is_lost() {
                    space.list(&mut self.steps);
                    space.sort(&mut self.steps[begin..], self.seed);
                }
                self.turns.push((begin, begin));
                if budget.nodes.is_multiple_of(POLL)
                    && !budget
                        .check(Resumable::<S>::bytes(self) + space.trail_bytes(), self.line.len())?
                {
                    return Ok(SearchResult::OutOfBudget);
                }
            }
            let Some((begin, next)) = self.turns.last_mut() else { break };
            if *next == self.steps.len() {
                self.steps.truncate(*begin);
                self.turns.pop();
                if self.line.pop().is_some() {
                    space.unmake_soon();
                }
                continue;
            }
            let step = self.steps[*next];
            *next += 1;
            let known = space.key_after(step);
            if known.is_some_and(|key| !self.visited.insert(key)) {
                debug_assert!(self.leads_nowhere_new(space, step), "it was not visited");
                continue;
            }
            if !space.make(step) {
                self.unplayable = true;
                continue;
            }
            let key = space.key();
            if known != Some(key) && !self.visited.insert(key) {
                space.unmake_soon();
                continue;
            }
            self.line.push(step);
            self.is_new = true;
        }
        Ok(if self.unplayable { SearchResult::Incomplete } else { SearchResult::Exhausted })
    }
}
