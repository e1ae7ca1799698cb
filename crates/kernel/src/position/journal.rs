//! A record of the changes to a state, so that they can be undone.

use crate::bits::single;
use crate::position::moves::{Choice, Move};
use crate::program::format::End;

/// One primitive change to cards and numbers. It is small, because millions are written per second.
///
/// It has no hashes. Those are saved as a whole in [`PileHash`] and [`Mark`], so that undo needs no
/// hashing.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry {
    /// The top card of a pile moved to another pile. `byte` is its byte before.
    MoveCard { from: u8, to: u8, byte: u8 },
    /// A card moved from under others. `byte` is its byte before, and `depth` is 1 for the top
    /// card.
    PullCard { from: u8, to: u8, byte: u8, depth: u16 },
    /// Several cards moved. Their bytes are on the stack of [`Journal::cards`].
    MoveBlock { from: u8, to: u8, from_end: End, to_end: End, count: u16, reverse: bool },
    /// All cards of a pile moved as they were to an empty pile. When this is undone, they still lie
    /// there.
    MovePile { from: u8, to: u8, count: u16 },
    /// The cards of a pile were shuffled. The stack of [`Journal::cards`] has their bytes before,
    /// then those afterwards.
    Shuffle { pile: u8, count: u16 },
    /// A pile got other cards, from wherever they came. Those that it had, so many, are on the
    /// stack of [`Journal::cards`].
    Replace { pile: u8, count: u16 },
    /// A card of a pile went from one depth to another (0 is the bottom).
    Shift { pile: u8, from: u16, to: u16 },
    /// The top card was turned over.
    Turn { pile: u8 },
    /// The top cards of two piles changed places.
    Exchange { first: u8, second: u8 },
    /// A counter was set.
    Counter { counter: u8, before: u16 },
    /// A pile was closed or opened.
    Close { pile: u8 },
    /// The open choice was set.
    Choice { before: Choice },
}

/// The beginning of a player's move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// The hash of the position, without an open choice.
    pub(crate) sum: u128,
    pub(crate) vacant: u128,
    /// The numbers of entries and of saved hashes at that time.
    pub(crate) entries: usize,
    pub(crate) saved: usize,
}

/// The hash of a pile before a move touched it for the first time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PileHash {
    pub(crate) hash: u128,
    /// What the pile adds to the hash of the position.
    pub(crate) hash_term: u128,
    pub(crate) pile: u8,
}

/// The changes to one state since the journal was created or cleared.
///
/// A journal belongs to the state that it was used with. Undo with another state has no meaning.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    pub(crate) entries: Vec<Entry>,
    pub(crate) cards: Vec<u8>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) saved: Vec<PileHash>,
    pub(crate) forced: Vec<Move>,
    /// The results of shuffles that a player imagines, by the number of shuffles made before. Other
    /// shuffles follow from the deal.
    pub(crate) imagined: Vec<Vec<u8>>,
    /// Scratch room for the cards that are gathered and dealt again.
    pub(crate) redealt: Vec<u8>,
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
        self.marks.len()
    }

    /// Whether no move can be undone.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// The piles that the last move and the forced moves after it touched.
    #[inline]
    pub(crate) fn touched(&self) -> u128 {
        let since = self.marks.last().map_or(0, |mark| mark.saved);
        self.saved[since..].iter().fold(0, |piles, saved| piles | single(saved.pile))
    }

    /// Clears the journal. Earlier moves can no longer be undone.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.cards.clear();
        self.marks.clear();
        self.saved.clear();
        self.forced.clear();
    }

    /// The number of bytes of all that can be undone.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.entries)
            + size_of_val(&*self.cards)
            + size_of_val(&*self.marks)
            + size_of_val(&*self.saved)
    }

    pub(crate) fn take_forced(self) -> Vec<Move> {
        self.forced
    }
}
