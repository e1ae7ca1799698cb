//! What was done to a state, so that it can be undone.

use crate::moves::Move;
use crate::program::End;
use crate::state::Choice;

/// One primitive change. Small, because millions are written a second.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry {
    /// A player's move begins.
    Mark,
    /// The top card of one pile went onto another; `byte` is how it lay.
    Card { from: u8, to: u8, byte: u8 },
    /// Several cards went; their bytes are on the stack of [`Journal::cards`].
    Block { from: u8, to: u8, from_end: End, to_end: End, count: u16 },
    /// The top card was turned.
    Turn { pile: u8 },
    /// The top cards of two piles changed places.
    Exchange { first: u8, second: u8 },
    /// A counter had another value.
    Counter { counter: u8, before: u16 },
    /// A pile was closed or opened.
    Close { pile: u8 },
    /// Another choice was open, or none.
    Choice { before: Choice },
}

/// The changes made to one state since the journal was begun or cleared.
///
/// A journal belongs to the state it was used with; undoing with another one has no meaning.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    pub(crate) entries: Vec<Entry>,
    pub(crate) cards: Vec<u8>,
    pub(crate) forced: Vec<Move>,
    /// Scratch room for the instances of a forced rule.
    pub(crate) instances: Vec<Move>,
}

impl Journal {
    /// An empty journal.
    pub fn new() -> Self {
        Self::default()
    }

    /// The forced moves carried out after the last move played.
    pub fn forced(&self) -> &[Move] {
        &self.forced
    }

    /// The number of moves that can be undone.
    pub fn len(&self) -> usize {
        self.entries.iter().filter(|entry| matches!(entry, Entry::Mark)).count()
    }

    /// Whether no move can be undone.
    pub fn is_empty(&self) -> bool {
        !self.entries.iter().any(|entry| matches!(entry, Entry::Mark))
    }

    /// Forgets everything; what was played can no longer be undone.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.cards.clear();
        self.forced.clear();
    }

    pub(crate) fn take_forced(self) -> Vec<Move> {
        self.forced
    }

    pub(crate) fn begin(&mut self) {
        self.entries.push(Entry::Mark);
        self.forced.clear();
    }
}
