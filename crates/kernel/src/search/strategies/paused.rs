//! Depth-first searches that go on in the next round where they were.
//!
//! *The same answer.* A depth-first search with a fixed order visits one sequence of positions, and
//! its turns divide that sequence: the input of a turn is how many positions earlier turns visited
//! ([`Carryover::spent`]). What a search keeps in memory between two turns only saves time. Where
//! it is missing, because the search was continued from a checkpoint or used too much memory, the
//! turn visits the same positions again, without counting them.

use std::any::Any;
use std::sync::{Mutex, PoisonError};

use crate::search::budget::{Interrupted, NodeBudget};
use crate::search::spaces::result::SearchResult;
use crate::search::spaces::space::Space;
use crate::search::strategies::depth_first::DepthFirst;
use crate::search::turn::Carryover;

/// The share of the memory of the search that each paused search may use.
const SHARE: usize = 8;

/// The search of one turn between two rounds, and how many positions it has visited.
#[derive(Default)]
pub(crate) struct Paused(Mutex<Option<(u64, Box<dyn Any + Send>)>>);

impl Paused {
    /// Continues a search from the root of a space, or begins it.
    pub(crate) fn depth_first<S: Space<Step: Send + 'static>>(
        &self,
        carry: &mut Carryover,
        budget: &mut NodeBudget<'_>,
        space: &mut S,
    ) -> Result<SearchResult<S::Step>, Interrupted> {
        let begun = budget.nodes;
        let mut search = if let Some(search) = self.take::<S::Step>(carry.spent) {
            search.go_back_to(space);
            search
        } else {
            let mut search = Box::new(DepthFirst::new(space));
            let end = std::mem::replace(&mut budget.end, begun + carry.spent);
            let found = search.run(budget, space, 0)?;
            if budget.out_of_memory {
                return Ok(found);
            }
            (budget.nodes, budget.end) = (begun, end);
            search
        };
        let found = search.run(budget, space, 0)?;
        carry.spent += budget.nodes - begun;
        if matches!(found, SearchResult::OutOfBudget) && search.bytes() <= budget.memory / SHARE {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((carry.spent, search));
        }
        Ok(found)
    }

    /// The search, if it is there and has visited so many positions.
    fn take<T: 'static>(&self, spent: u64) -> Option<Box<DepthFirst<T>>> {
        let (visited, search) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        (visited == spent).then(|| search.downcast().ok()).flatten()
    }
}
