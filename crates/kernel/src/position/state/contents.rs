//! The contents of a pile as a whole, to put them back later.

use super::State;
use crate::position::journal::{Entry, Journal};
use crate::program::compiled::Program;

/// The cards of a pile, its hash, and whether it takes no more dealt cards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PileContents<'c> {
    pub(crate) pile: u8,
    pub(crate) cards: &'c [u8],
    pub(crate) hash: u128,
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
        PileContents { pile, cards, hash: slot.hash, closed: slot.closed }
    }

    /// Gives piles and counters what they have after some moves, as one move. The cards must be the
    /// same as before, but for their places and faces.
    pub(crate) fn leap(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        piles: &[PileContents<'_>],
        counters: &[u16],
    ) {
        self.begin_move(journal);
        for contents in piles {
            self.replace(journal, contents);
            self.set_closed(journal, usize::from(contents.pile), contents.closed);
        }
        for (counter, &value) in (0..).zip(counters) {
            self.set_counter(journal, counter, value);
        }
        self.finish_move(program, journal);
    }

    /// Replaces the cards of a pile.
    fn replace(&mut self, journal: &mut Journal, contents: &PileContents<'_>) {
        let pile = usize::from(contents.pile);
        self.touch(journal, pile);
        journal.cards.extend_from_slice(self.pile(pile));
        journal.entries.push(Entry::Replace { pile: contents.pile, count: self.slots[pile].len });
        self.set_cards(pile, contents.cards);
        self.slots[pile].hash = contents.hash;
        self.vacant = self.vacant & !(1 << pile) | u128::from(contents.cards.is_empty()) << pile;
    }

    /// Puts cards in the place of those of a pile.
    pub(super) fn set_cards(&mut self, pile: usize, cards: &[u8]) {
        let slot = &mut self.slots[pile];
        let start = usize::from(slot.start);
        slot.len = cards.len() as u16;
        self.slab[start..start + cards.len()].copy_from_slice(cards);
    }
}
