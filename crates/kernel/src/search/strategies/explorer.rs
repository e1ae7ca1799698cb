//! What best-first and beam search share: meeting the positions after a position, and going back to
//! one.
//!
//! Positions are not kept whole. A position that was expanded is packed into a record of bytes; one
//! that was only met is its parent's record and the step that leads to it, and is made again when
//! its turn comes.

use crate::perft::POLL;
use crate::search::budget::{Interrupted, NodeBudget};
use crate::search::spaces::result::SearchResult;
use crate::search::spaces::space::Space;
use crate::search::visited::Visited;

/// A position met and not yet expanded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OpenNode<Step> {
    /// Its distance from the aim.
    pub(crate) distance: i32,
    /// How many were met before it.
    number: u32,
    /// Its parent's record, and the step from there.
    pub(crate) parent: u32,
    pub(crate) step: Step,
}

/// Undoing this many steps costs about as much as unpacking a position.
const STEPS_BACK: usize = 24;

/// Expands positions and keeps what is needed to come back to them.
pub(crate) struct Explorer<'e, S: Space> {
    pub(crate) space: &'e mut S,
    steps: Vec<S::Step>,
    visited: Visited,
    records: Records<S::Step>,
    /// The records on the way to the present position, as far as it can be gone back.
    path: Vec<u32>,
    met: u32,
    /// A step led to forced rules without end, so the space was not searched whole.
    pub(crate) unplayable: bool,
}

impl<'e, S: Space> Explorer<'e, S> {
    /// Begins at the space's present position, which has the record 0.
    pub(crate) fn new(space: &'e mut S) -> Self {
        space.reset_root();
        let mut records = Records::new(space);
        records.add(None, space);
        let mut visited = Visited::default();
        visited.insert(space.key());
        let path = vec![0];
        Self { space, steps: Vec::new(), visited, records, path, met: 0, unplayable: false }
    }

    /// Meets all positions after the one that was entered last, whose record is `at`. Returns what
    /// ends the turn: a win, or nothing within its share or its memory.
    pub(crate) fn expand(
        &mut self,
        budget: &mut NodeBudget<'_>,
        at: u32,
        mut keep: impl FnMut(OpenNode<S::Step>) -> usize,
    ) -> Result<Option<SearchResult<S::Step>>, Interrupted> {
        if self.space.is_dead() {
            return Ok(None);
        }
        self.steps.clear();
        self.space.list(&mut self.steps);
        for index in 0..self.steps.len() {
            let step = self.steps[index];
            let known = self.space.key_after(step);
            if known.is_some_and(|key| !self.visited.insert(key)) {
                continue;
            }
            if !self.space.make(step) {
                self.unplayable = true;
                continue;
            }
            debug_assert!(known.is_none_or(|key| key == self.space.key()), "it leads elsewhere");
            if known.is_some() || self.visited.insert(self.space.key()) {
                if self.space.is_won() {
                    return Ok(Some(SearchResult::Solved(self.records.line(at, step))));
                }
                if budget.nodes >= budget.end {
                    return Ok(Some(SearchResult::OutOfBudget));
                }
                budget.nodes += 1;
                self.met += 1;
                let distance = self.space.heuristic();
                let kept = keep(OpenNode { distance, number: self.met, parent: at, step });
                if budget.nodes.is_multiple_of(POLL) {
                    let bytes = kept * size_of::<OpenNode<S::Step>>() + self.records.bytes();
                    let expanded = self.records.origins.len();
                    if !budget.check(self.visited.bytes_soon() + bytes, expanded)? {
                        return Ok(Some(SearchResult::OutOfBudget));
                    }
                }
            }
            self.space.unmake();
        }
        Ok(None)
    }

    /// Goes to a position whose parent was expanded, and gives it a record; none if it cannot be
    /// played.
    pub(crate) fn enter(&mut self, parent: u32, step: S::Step) -> Option<u32> {
        self.go_to(parent);
        if !self.space.make(step) {
            self.unplayable = true;
            return None;
        }
        let record = self.records.add(Some((parent, step)), self.space);
        self.path.push(record);
        Some(record)
    }

    /// Goes to a position that has a record: back on the present path if it lies there, which is
    /// quicker than to unpack it.
    pub(crate) fn go_to(&mut self, record: u32) {
        let first = self.path.len().saturating_sub(STEPS_BACK);
        if let Some(place) = self.path[first..].iter().rposition(|&each| each == record) {
            for _ in first + place + 1..self.path.len() {
                self.space.unmake();
            }
            self.path.truncate(first + place + 1);
        } else {
            self.space.unpack(self.records.packed(record));
            self.path.clear();
            self.path.push(record);
        }
    }
}

/// The positions expanded, packed.
struct Records<Step> {
    size: usize,
    bytes: Vec<u8>,
    /// By record: the record and the step it came from; the root comes from nothing.
    origins: Vec<Option<(u32, Step)>>,
}

impl<Step: Copy> Records<Step> {
    fn new(space: &impl Space) -> Self {
        Self { size: space.packed_size(), bytes: Vec::new(), origins: Vec::new() }
    }

    fn add(&mut self, origin: Option<(u32, Step)>, space: &impl Space) -> u32 {
        self.origins.push(origin);
        space.pack(&mut self.bytes);
        (self.origins.len() - 1) as u32
    }

    fn packed(&self, record: u32) -> &[u8] {
        let start = record as usize * self.size;
        &self.bytes[start..start + self.size]
    }

    fn bytes(&self) -> usize {
        self.bytes.capacity() + self.origins.capacity() * size_of::<Option<(u32, Step)>>()
    }

    /// The steps from the root to a record, and one more.
    fn line(&self, mut at: u32, last: Step) -> Vec<Step> {
        let mut line = vec![last];
        while let Some((parent, step)) = self.origins[at as usize] {
            line.push(step);
            at = parent;
        }
        line.reverse();
        line
    }
}
