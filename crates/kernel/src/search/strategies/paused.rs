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
use crate::search::turn::Carryover;

/// A search of a space, or of several, that can go on where it was.
pub(crate) trait Resumable<Place: ?Sized>: Send + Sized + 'static {
    /// A step of a line to the aim.
    type Step;

    /// A search from the current position, which becomes the root.
    fn new(place: &mut Place) -> Self;

    /// Goes from the root to where the search was.
    fn go_back_to(&self, place: &mut Place);

    /// About the number of bytes that it uses.
    fn bytes(&self) -> usize;

    /// Searches on until the end of the budget.
    fn run(
        &mut self,
        budget: &mut NodeBudget<'_>,
        place: &mut Place,
    ) -> Result<SearchResult<Self::Step>, Interrupted>;
}

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
    /// A [`Resumable`].
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
    pub(crate) fn proceed<Search: Resumable<Place>, Place: ?Sized>(
        &self,
        carry: &mut Carryover,
        budget: &mut NodeBudget<'_>,
        place: &mut Place,
    ) -> Result<SearchResult<Search::Step>, Interrupted> {
        let begun = budget.nodes;
        let mut search = if let Some(search) = self.take::<Search>(carry.spent) {
            search.go_back_to(place);
            search
        } else {
            let mut search = Box::new(Search::new(place));
            let end = std::mem::replace(&mut budget.end, begun + carry.spent);
            let found = search.run(budget, place)?;
            if budget.out_of_memory {
                return Ok(found);
            }
            (budget.nodes, budget.end) = (begun, end);
            search
        };
        let found = search.run(budget, place)?;
        carry.spent += budget.nodes - begun;
        let bytes = search.bytes();
        if matches!(found, SearchResult::OutOfBudget) && bytes <= budget.memory / SHARE {
            *self.lock() = Some(Stored { visited: carry.spent, bytes, search });
        }
        Ok(found)
    }

    /// The search, if it is there and has visited so many positions.
    fn take<Search: 'static>(&self, spent: u64) -> Option<Box<Search>> {
        let Stored { visited, search, .. } = self.lock().take()?;
        (visited == spent).then(|| search.downcast().ok()).flatten()
    }
}
