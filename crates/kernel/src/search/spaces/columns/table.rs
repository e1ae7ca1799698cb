//! A table to play redeals on.

use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::hash;

/// A table to play redeals on, and what the redeals of the steps so far changed.
pub(super) struct Table<'t> {
    pub(super) program: &'t Program,
    pub(super) state: State,
    /// The packed positions before the redeals.
    pub(super) before: Vec<u8>,
}

impl<'t> Table<'t> {
    pub(super) fn new(program: &'t Program, root: &State) -> Self {
        Self { program, state: root.clone(), before: Vec::new() }
    }

    /// Forgets the redeals so far.
    pub(super) fn forget(&mut self) {
        self.before.clear();
    }

    /// The number of bytes that it takes to undo the redeals so far.
    pub(super) const fn bytes(&self) -> usize {
        self.before.len()
    }
}

/// What counters add to the key.
pub(super) fn term_of(counters: &[u16]) -> u128 {
    let terms = counters.iter().enumerate().map(|(index, &value)| hash::counter(index, value));
    terms.fold(0, u128::wrapping_add)
}
