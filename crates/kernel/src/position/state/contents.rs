//! The contents of a pile as a whole, to put them back later.

use super::{PileSlot, State};
use crate::bits::single;
use crate::position::journal::{Entry, Journal, PileHash};

/// The cards of a pile, its hash, and whether it takes no more dealt cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PileContents<'c> {
    pub(crate) pile: u8,
    pub(crate) cards: &'c [u8],
    pub(crate) hash: u128,
    /// What the pile adds to the hash of the position.
    pub(crate) hash_term: u128,
    pub(crate) closed: bool,
}

impl PileContents<'_> {
    /// Whether the pile has these contents in a position.
    pub(crate) fn are_in(&self, state: &State) -> bool {
        let pile = usize::from(self.pile);
        *self.cards == *state.pile(pile) && self.closed == state.is_closed(pile)
    }
}

impl State {
    /// The contents of a pile.
    pub(crate) fn contents(&self, pile: u8) -> PileContents<'_> {
        let slot = &self.slots[usize::from(pile)];
        let cards = self.pile(usize::from(pile));
        let PileSlot { hash, hash_term, closed, .. } = *slot;
        PileContents { pile, cards, hash, hash_term, closed }
    }

    /// Gives piles and counters what they have after some moves, as one move. The cards must be the
    /// same as before, but for their places and faces.
    pub(crate) fn leap(
        &mut self,
        journal: &mut Journal,
        piles: &[PileContents<'_>],
        counters: &[u16],
    ) {
        self.begin_move(journal);
        for contents in piles {
            self.replace(journal, contents);
        }
        for (counter, &value) in (0..).zip(counters) {
            self.set_counter(journal, counter, value);
        }
    }

    /// Replaces the contents of a pile that has not changed in this move.
    fn replace(&mut self, journal: &mut Journal, contents: &PileContents<'_>) {
        let &PileContents { pile, cards, hash, hash_term, closed } = contents;
        let index = usize::from(pile);
        journal.cards.extend_from_slice(self.pile(index));
        self.set_vacant(pile, cards.is_empty());
        let slot = &mut self.slots[index];
        journal.saved.push(PileHash { hash: slot.hash, hash_term: slot.hash_term, pile });
        journal.entries.push(Entry::Replace { pile, count: slot.len });
        if slot.closed != closed {
            slot.closed = closed;
            journal.entries.push(Entry::Close { pile });
        }
        self.sum = self.sum.wrapping_sub(slot.hash_term).wrapping_add(hash_term);
        (slot.hash, slot.hash_term) = (hash, hash_term);
        self.set_cards(index, cards);
    }

    pub(super) fn set_vacant(&mut self, pile: u8, is_vacant: bool) {
        if is_vacant {
            self.vacant |= single(pile);
        } else {
            self.vacant &= !single(pile);
        }
    }

    /// Puts cards in the place of those of a pile.
    pub(super) fn set_cards(&mut self, pile: usize, cards: &[u8]) {
        let slot = &mut self.slots[pile];
        let start = usize::from(slot.start);
        slot.len = cards.len() as u16;
        self.slab[start..start + cards.len()].copy_from_slice(cards);
    }
}
