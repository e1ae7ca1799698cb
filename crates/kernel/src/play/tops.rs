//! What the rules find at the tops of piles, found once for all rules.

use std::cell::{Cell, OnceCell};

use crate::bits::{bits, ones};
use crate::card::{CARDS, card, is_face_down};
use crate::position::state::State;
use crate::program::compiled::{Program, Relation};
use crate::program::validate::MAX_PILES;

/// The most piles with build orders of which it is remembered what they want.
const REMEMBERED: usize = 32;

/// No pile.
const NONE: u8 = u8::MAX;

/// The piles of a position by their top cards, and what build orders want, found when a rule first
/// asks for it. Each position needs its own.
#[derive(Default)]
pub(crate) struct Tops {
    piles: OnceCell<PilesByCard>,
    /// The relation that was asked for last, and the piles whose top card may lie on another one.
    fitting: Cell<Option<(u8, u128)>>,
    /// For each pile with a build order the cards that it does not want; 0 if that is not known.
    unwanted: [Cell<u64>; REMEMBERED],
}

/// Piles with a top card that lies face up, by that card.
pub(super) struct PilesByCard {
    all: u128,
    /// The cards on top of any of them.
    cards: u64,
    /// For each card the last pile that was added with it, and for each pile the one before it.
    last: [u8; CARDS],
    before: [u8; MAX_PILES],
}

impl Tops {
    /// The piles of a position, which is always the same.
    #[inline]
    pub(super) fn piles(&self, program: &Program, state: &State) -> &PilesByCard {
        self.piles.get_or_init(|| PilesByCard::of(program, state))
    }

    /// The piles, if some rule has asked for them.
    #[inline]
    pub(super) fn known(&self) -> Option<&PilesByCard> {
        self.piles.get()
    }

    /// The piles whose top card may lie on that of another one by a relation.
    pub(super) fn fitting(&self, program: &Program, state: &State, relation: u8) -> u128 {
        if let Some((_, piles)) = self.fitting.get().filter(|(known, _)| *known == relation) {
            return piles;
        }
        let piles = self.piles(program, state);
        let under = &program.relations[usize::from(relation)].under;
        let fits = |&top: &usize| under[top] & piles.cards != 0;
        let cards = ones(piles.cards).filter(fits).fold(0, |cards, top| cards | 1 << top);
        let fitting = piles.with(cards);
        self.fitting.set(Some((relation, fitting)));
        fitting
    }

    /// The cards that the build order of a pile wants.
    #[inline]
    pub(super) fn wanted(&self, program: &Program, state: &State, pile: usize) -> u64 {
        let Some(unwanted) = self.unwanted.get(usize::from(program.places[pile].goal)) else {
            return state.wanted_now(program, pile);
        };
        if unwanted.get() == 0 {
            unwanted.set(!state.wanted_now(program, pile));
        }
        !unwanted.get()
    }
}

impl Default for PilesByCard {
    fn default() -> Self {
        Self { all: 0, cards: 0, last: [NONE; CARDS], before: [NONE; MAX_PILES] }
    }
}

impl PilesByCard {
    /// All such piles of a position of which move rules ask for the top card.
    fn of(program: &Program, state: &State) -> Self {
        let mut piles = Self::default();
        for pile in bits(program.tops_asked & !state.vacant()) {
            if let Some(top) = state.top(pile).filter(|&top| !is_face_down(top)) {
                piles.add(pile, top);
            }
        }
        piles
    }

    /// Adds a pile with its top card.
    #[inline]
    pub(super) fn add(&mut self, pile: usize, top: u8) {
        self.all |= 1 << pile;
        self.cards |= 1 << top;
        self.before[pile] = std::mem::replace(&mut self.last[usize::from(top)], pile as u8);
    }

    /// All that were added.
    pub(super) const fn all(&self) -> u128 {
        self.all
    }

    /// The cards on top of any of them.
    pub(super) const fn cards(&self) -> u64 {
        self.cards
    }

    /// Those on whose top card a card may lie.
    #[inline]
    pub(super) fn taking(&self, relation: &Relation, byte: u8) -> u128 {
        self.with(relation.under[usize::from(card(byte))])
    }

    /// Those with certain top cards.
    #[inline]
    pub(super) fn with(&self, cards: u64) -> u128 {
        let mut piles = 0;
        for top in ones(cards & self.cards) {
            let mut pile = self.last[top];
            while pile != NONE {
                piles |= 1 << pile;
                pile = self.before[usize::from(pile)];
            }
        }
        piles
    }
}
