//! What a turn may spend, and whether it may go on.

use thiserror::Error;

use super::report::{Observer, Progress};

/// The caller asked a search to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("interrupted")]
pub struct Interrupted;

/// What one turn may spend and has spent.
///
/// A turn does the same whatever the budget is: [`Self::end`] says where it is cut and nothing else.
/// This is why a search can be continued, and why several turns may be taken at the same time.
pub(super) struct Effort<'s> {
    pub(super) observer: &'s mut Observer<'s>,
    /// Bytes that the turn may use.
    pub(super) memory: usize,
    /// Nodes that the turn would be given if the budget had no end.
    pub(super) share: u64,
    /// Positions met in this turn so far.
    pub(super) nodes: u64,
    /// How many may be met: the share, or what is left of the budget.
    pub(super) end: u64,
    /// Positions met in the turns before, for the observer.
    pub(super) before: u64,
    pub(super) round: u32,
    pub(super) strategy: &'static str,
    /// Whether the turn ended for want of memory.
    pub(super) is_full: bool,
}

impl Effort<'_> {
    /// Tells the observer how far the turn has come. False if the turn must end because it uses too
    /// much memory. To be called every [`POLL`](crate::perft::POLL) nodes.
    pub(super) fn goes_on(&mut self, bytes: usize, depth: usize) -> Result<bool, Interrupted> {
        let progress = Progress {
            nodes: self.before + self.nodes,
            bytes,
            depth,
            round: self.round,
            strategy: self.strategy,
        };
        if !(self.observer)(&progress) {
            return Err(Interrupted);
        }
        self.is_full = bytes > self.memory;
        Ok(!self.is_full)
    }
}
