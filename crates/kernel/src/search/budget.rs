//! What a turn may spend, and whether it may continue.

use thiserror::Error;

/// The caller ended the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("interrupted")]
pub struct Interrupted;

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The positions generated so far.
    pub nodes: u64,
    /// About the number of bytes used by the running turns.
    pub bytes: usize,
    /// The depth of the current turn in moves, or the number of positions it has expanded.
    pub depth: usize,
    /// The current round, from 0.
    pub round: u32,
    /// The strategy of the current turn.
    pub strategy: &'static str,
}

/// Receives the progress of a search every few thousand nodes. Returns whether to continue.
pub type Observer<'o> = dyn FnMut(&Progress) -> bool + 'o;

/// What one turn may spend, and what it has spent.
///
/// A turn does the same for any budget, except that [`Self::end`] cuts it short. So a search can be
/// continued, and several turns can run at the same time.
pub(crate) struct NodeBudget<'s> {
    pub(crate) observer: &'s mut Observer<'s>,
    /// The number of bytes that the turn may use.
    pub(crate) memory: usize,
    /// The number of nodes that the turn would get with an unlimited budget.
    pub(crate) share: u64,
    /// Positions generated in this turn so far.
    pub(crate) nodes: u64,
    /// How many may be generated: the share, or the rest of the budget.
    pub(crate) end: u64,
    /// Positions generated in earlier turns, for the observer.
    pub(crate) before: u64,
    pub(crate) round: u32,
    pub(crate) strategy: &'static str,
    /// Whether the turn ended because it ran out of memory.
    pub(crate) out_of_memory: bool,
}

impl NodeBudget<'_> {
    /// Reports progress to the observer. Returns false if the turn must end because it uses too
    /// much memory. Call it every [`POLL`](crate::perft::POLL) nodes.
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
