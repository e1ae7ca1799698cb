//! The common part of best-first and beam search: generating the successors of a position, and
//! restoring a position.
//!
//! Only expanded positions are stored, packed into a record of bytes. A generated position is
//! stored as its parent's record and the step from there, and is rebuilt when it is expanded.

use std::ops::{ControlFlow, Range};

use crate::perft::POLL;
use crate::search::budget::{Interrupted, NodeBudget};
use crate::search::spaces::result::SearchResult;
use crate::search::spaces::space::Space;
use crate::search::visited::Visited;

/// A position that was generated but not expanded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OpenNode<Step> {
    /// Its distance from the aim.
    pub(crate) distance: i32,
    /// The number of positions generated before it.
    pub(crate) number: u32,
    /// Its parent's record, and the step from there.
    pub(crate) parent: u32,
    pub(crate) step: Step,
}

/// The positions after a layer, or what ends the turn.
pub(crate) type Layer<Step> = ControlFlow<SearchResult<Step>, Vec<OpenNode<Step>>>;

/// Undoing this many steps costs about as much as unpacking a position.
const STEPS_BACK: usize = 24;

/// Expands positions and stores what is needed to restore them.
pub(crate) struct Explorer<'e, S: Space> {
    pub(crate) space: &'e mut S,
    steps: Vec<S::Step>,
    visited: Visited,
    records: Records<S::Step>,
    /// The records on the path to the current position, as far as steps can be undone.
    path: Vec<u32>,
    /// The last step from there, if it is not undone yet: it is often the next one to be entered.
    ahead: Option<S::Step>,
    generated: u32,
    /// Whether to find the progress that is left after each step.
    pub(crate) measures_progress: bool,
    /// A step could not be taken ([`Space::make`]), so part of the space was not searched.
    pub(crate) unplayable: bool,
}

impl<'e, S: Space> Explorer<'e, S> {
    /// Starts at the current position of the space, which gets record 0.
    pub(crate) fn new(space: &'e mut S) -> Self {
        space.reset_root();
        let mut records = Records::new(space);
        let root = records.add(None);
        records.pack(root, space);
        let mut visited = Visited::default();
        visited.insert(space.key());
        let path = vec![0];
        Self {
            space,
            steps: Vec::new(),
            visited,
            records,
            path,
            ahead: None,
            generated: 0,
            measures_progress: false,
            unplayable: false,
        }
    }

    /// Generates all positions after the one that was entered last, whose record is `at`. Returns
    /// what ends the turn: a win, or nothing within the share and the memory.
    pub(crate) fn expand(
        &mut self,
        budget: &mut NodeBudget<'_>,
        at: u32,
        mut keep: impl FnMut(OpenNode<S::Step>, usize) -> usize,
    ) -> Result<Option<SearchResult<S::Step>>, Interrupted> {
        if self.space.is_lost() {
            return Ok(None);
        }
        self.steps.clear();
        self.space.list(&mut self.steps);
        let mut here = None;
        for index in 0..self.steps.len() {
            let step = self.steps[index];
            if self.ahead.take().is_some() {
                self.space.unmake_soon();
            }
            let known = self.space.key_after(step);
            if known.is_some_and(|key| !self.visited.insert(key)) {
                debug_assert!(self.leads_nowhere_new(step), "it was not visited");
                continue;
            }
            // Many positions have no new ones after them, and are never returned to.
            self.records.pack(at, self.space);
            // What progress a step makes is known only after it.
            let is_foreseen = known.is_some() && !self.measures_progress;
            let change = if is_foreseen { self.space.heuristic_change(step) } else { None };
            let (distance, progress_left) = if let Some(change) = change {
                let here = *here.get_or_insert_with(|| self.space.heuristic());
                debug_assert_eq!((known, here + change), self.outcome(step), "it leads elsewhere");
                (here + change, 0)
            } else {
                if !self.space.make(step) {
                    self.unplayable = true;
                    continue;
                }
                self.ahead = Some(step);
                let key = self.space.key();
                if known != Some(key) && !self.visited.insert(key) {
                    continue;
                }
                if self.space.is_won() {
                    return Ok(Some(SearchResult::Solved(self.records.line(at, step))));
                }
                let progress_left =
                    if self.measures_progress { self.space.progress_left() } else { 0 };
                (self.space.heuristic(), progress_left)
            };
            if budget.nodes >= budget.end {
                return Ok(Some(SearchResult::OutOfBudget));
            }
            budget.nodes += 1;
            self.generated += 1;
            let (distance, number) = (distance.max(0), self.generated);
            let kept = keep(OpenNode { distance, number, parent: at, step }, progress_left);
            if budget.nodes.is_multiple_of(POLL) {
                let bytes = kept * size_of::<OpenNode<S::Step>>() + self.records.bytes();
                let expanded = self.records.origins.len();
                if !budget.check(self.visited.bytes_soon() + bytes, expanded)? {
                    return Ok(Some(SearchResult::OutOfBudget));
                }
            }
        }
        Ok(None)
    }

    /// Generates all positions after those of a layer, which are named by their records, unless
    /// something ends the turn.
    pub(crate) fn expand_layer(
        &mut self,
        budget: &mut NodeBudget<'_>,
        layer: &[u32],
    ) -> Result<Layer<S::Step>, Interrupted> {
        let mut next = Vec::new();
        for &at in layer {
            self.go_to(at);
            let end = self.expand(budget, at, |node, _| {
                next.push(node);
                next.capacity()
            })?;
            if let Some(end) = end {
                return Ok(ControlFlow::Break(end));
            }
        }
        Ok(ControlFlow::Continue(next))
    }

    /// Gives the positions of a layer records, the best first.
    pub(crate) fn enter_layer(&mut self, mut layer: Vec<OpenNode<S::Step>>) -> Vec<u32> {
        layer.sort_unstable();
        let enter = |node: OpenNode<S::Step>| {
            let record = self.enter(node.parent, node.step)?;
            self.records.pack(record, self.space);
            Some(record)
        };
        layer.into_iter().filter_map(enter).collect()
    }

    /// The key and the heuristic after a step, by taking it.
    fn outcome(&mut self, step: S::Step) -> (Option<u128>, i32) {
        self.space.make(step);
        let outcome = (Some(self.space.key()), self.space.heuristic());
        self.space.unmake();
        outcome
    }

    /// Whether a step cannot be taken or leads to a visited position; in most cases unchecked.
    fn leads_nowhere_new(&mut self, step: S::Step) -> bool {
        if !self.generated.is_multiple_of(16) || !self.space.make(step) {
            return true;
        }
        let is_visited = self.visited.get(self.space.key()).is_some();
        self.space.unmake();
        is_visited
    }

    /// Goes to a position whose parent was expanded, and gives it a record; none if its step cannot
    /// be played. The record is packed only when a new position after it is generated, before any
    /// other position is entered.
    pub(crate) fn enter(&mut self, parent: u32, step: S::Step) -> Option<u32> {
        if self.ahead != Some(step) || self.path.last() != Some(&parent) {
            self.go_to(parent);
            if !self.space.make(step) {
                self.unplayable = true;
                return None;
            }
        }
        self.ahead = None;
        let record = self.records.add(Some((parent, step)));
        self.path.push(record);
        Some(record)
    }

    /// Goes to a position that has a record. If it is on the current path, undoes steps, which is
    /// faster than unpacking.
    pub(crate) fn go_to(&mut self, record: u32) {
        if self.ahead.take().is_some() {
            self.space.unmake_soon();
        }
        self.space.settle();
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

impl<S: Space> Drop for Explorer<'_, S> {
    fn drop(&mut self) {
        self.space.settle();
    }
}

/// The expanded positions, packed.
struct Records<Step> {
    size: usize,
    bytes: Vec<u8>,
    /// By record: its parent's record and the step from there; none for the root.
    origins: Vec<Option<(u32, Step)>>,
    /// Whether the last record is not packed yet.
    is_open: bool,
}

impl<Step: Copy> Records<Step> {
    fn new(space: &impl Space) -> Self {
        Self { size: space.packed_size(), bytes: Vec::new(), origins: Vec::new(), is_open: false }
    }

    /// Adds a record. A record before it that was never packed gets its room all the same.
    fn add(&mut self, origin: Option<(u32, Step)>) -> u32 {
        if self.is_open {
            self.bytes.resize(self.origins.len() * self.size, 0);
        }
        self.origins.push(origin);
        self.is_open = true;
        (self.origins.len() - 1) as u32
    }

    /// Packs the current position of a space into the last record, unless that was done before.
    #[inline]
    fn pack(&mut self, record: u32, space: &impl Space) {
        if !std::mem::take(&mut self.is_open) {
            return;
        }
        debug_assert_eq!(record as usize + 1, self.origins.len(), "it is not the last one");
        debug_assert_eq!(self.bytes.len(), self.place(record).start);
        match self.origins[record as usize].map(|(parent, _)| self.place(parent)) {
            Some(before) => space.pack_after(&mut self.bytes, before),
            None => space.pack(&mut self.bytes),
        }
        debug_assert_eq!(self.bytes.len(), self.place(record).end);
    }

    /// The place of the bytes of a record.
    fn place(&self, record: u32) -> Range<usize> {
        let start = record as usize * self.size;
        start..start + self.size
    }

    fn packed(&self, record: u32) -> &[u8] {
        &self.bytes[self.place(record)]
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
