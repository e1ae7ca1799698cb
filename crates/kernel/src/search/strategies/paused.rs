//! Depth-first searches that go on in the next round where they were.
//!
//! *The same answer.* A depth-first search with a fixed order visits one sequence of positions, and
//! its turns divide that sequence: the input of a turn is how many positions earlier turns visited
//! ([`Carryover::spent`]). What a search keeps in memory between two turns only saves time. Where
//! it is missing, because the search was continued from a checkpoint or used too much memory, the
//! turn visits the same positions again, without counting them.

use std::any::Any;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::search::budget::{Interrupted, NodeBudget};
use crate::search::spaces::result::SearchResult;
use crate::search::spaces::space::Space;
use crate::search::strategies::depth_first::DepthFirst;
use crate::search::turn::Carryover;

/// A paused search may use this part of the memory of a turn.
const SHARE: usize = 8;

/// The search of one turn between two rounds; none if there is none in memory.
#[derive(Default)]
pub(crate) struct Paused(Mutex<Option<Stored>>);

struct Stored {
    /// How many positions it has visited.
    visited: u64,
    /// About the number of bytes that it uses.
    bytes: usize,
    /// A [`DepthFirst`].
    search: Box<dyn Any + Send>,
}

impl Paused {
    /// About the number of bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.lock().as_ref().map_or(0, |stored| stored.bytes)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Stored>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

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
        let bytes = search.bytes();
        if matches!(found, SearchResult::OutOfBudget) && bytes <= budget.memory / SHARE {
            *self.lock() = Some(Stored { visited: carry.spent, bytes, search });
        }
        Ok(found)
    }

    /// The search, if it is there and has visited so many positions.
    fn take<T: 'static>(&self, spent: u64) -> Option<Box<DepthFirst<T>>> {
        let Stored { visited, search, .. } = self.lock().take()?;
        (visited == spent).then(|| search.downcast().ok()).flatten()
    }
}
