//! What a turn may spend, and whether it may go on.

use thiserror::Error;

/// The caller asked a search to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("interrupted")]
pub struct Interrupted;

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The positions met so far.
    pub nodes: u64,
    /// About the bytes used by the turns under way.
    pub bytes: usize,
    /// How many moves deep the present turn is, or how many positions it has expanded.
    pub depth: usize,
    /// The present round, from 0 on.
    pub round: u32,
    /// The strategy whose turn it is.
    pub strategy: &'static str,
}

/// Is told every few thousand nodes how far a search has come, and says whether to go on.
pub type Observer<'o> = dyn FnMut(&Progress) -> bool + 'o;

/// What one turn may spend and has spent.
///
/// A turn does the same whatever the budget is: [`Self::end`] says where it is cut and nothing
/// else. This is why a search can be continued, and why several turns may be taken at the same
/// time.
pub(crate) struct NodeBudget<'s> {
    pub(crate) observer: &'s mut Observer<'s>,
    /// Bytes that the turn may use.
    pub(crate) memory: usize,
    /// Nodes that the turn would be given if the budget had no end.
    pub(crate) share: u64,
    /// Positions met in this turn so far.
    pub(crate) nodes: u64,
    /// How many may be met: the share, or what is left of the budget.
    pub(crate) end: u64,
    /// Positions met in the turns before, for the observer.
    pub(crate) before: u64,
    pub(crate) round: u32,
    pub(crate) strategy: &'static str,
    /// Whether the turn ended for want of memory.
    pub(crate) out_of_memory: bool,
}

impl NodeBudget<'_> {
    /// Tells the observer how far the turn has come. False if the turn must end because it uses too
    /// much memory. To be called every [`POLL`](crate::perft::POLL) nodes.
    pub(crate) fn check(&mut self, bytes: usize, depth: usize) -> Result<bool, Interrupted> {
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
        self.out_of_memory = bytes > self.memory;
        Ok(!self.out_of_memory)
    }
}
