//! A step of the card-links space.

use std::fmt;

use crate::search::spaces::card_links::stock::StockState;

/// Cards that are put one on the other, the first of them on a target.
///
/// Ten numbers of six bits: the target, then the cards from the last one put down to the first; and
/// the number of cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Step(u64);

/// The most cards of a step.
pub(super) const MOST: u32 = 9;
const BITS: u32 = 6;
const NUMBER: u32 = 60;

impl Step {
    /// One card goes to a target.
    #[inline]
    pub(super) const fn of(card: u8, to: u8) -> Self {
        Self(1 << NUMBER | (card as u64) << BITS | to as u64)
    }

    /// The same cards on another one that is put down first; none if there are too many.
    #[inline]
    pub(super) fn on(self, card: u8) -> Option<Self> {
        let number = self.number();
        (number < MOST)
            .then(|| Self((self.0 | u64::from(card) << ((number + 1) * BITS)) + (1 << NUMBER)))
    }

    /// The same cards on another target.
    #[inline]
    pub(super) const fn to(self, to: u8) -> Self {
        Self(self.0 >> BITS << BITS | to as u64)
    }

    #[inline]
    const fn number(self) -> u32 {
        (self.0 >> NUMBER) as u32
    }

    /// Whether only one card moves.
    #[inline]
    pub(super) const fn is_single(self) -> bool {
        self.number() == 1
    }

    /// The target of the first card.
    #[inline]
    pub(super) const fn target(self) -> u8 {
        (self.0 & 63) as u8
    }

    #[inline]
    const fn card(self, at: u32) -> u8 {
        (self.0 >> ((at + 1) * BITS) & 63) as u8
    }

    /// The cards in the order in which they are put down.
    #[inline]
    pub(super) fn cards(self) -> impl Iterator<Item = u8> {
        (0..self.number()).rev().map(move |at| self.card(at))
    }

    /// The card that is put down last.
    #[inline]
    pub(super) const fn first(self) -> u8 {
        self.card(0)
    }

    /// Whether a card is one of the cards.
    #[inline]
    pub(super) fn has(self, card: u8) -> bool {
        self.cards().any(|each| each == card)
    }

    /// A code that is different for most different steps.
    pub(super) const fn code(self) -> u32 {
        (self.0 ^ self.0 >> 29) as u32
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cards: Vec<u8> = self.cards().collect();
        write!(formatter, "Step({cards:?} on {})", self.target())
    }
}

/// One card, with the cards on it, changed its place.
#[derive(Clone, Copy)]
pub(super) struct Change {
    /// The card, the top card of its unit, what it lay on, and what it lies on now.
    pub(super) card: u8,
    pub(super) top: u8,
    pub(super) from: u8,
    pub(super) to: u8,
    /// The zones that it came from and went to; foundations have none.
    pub(super) from_zone: u8,
    pub(super) to_zone: u8,
    pub(super) lowest: u8,
    pub(super) wanted: u64,
    pub(super) down: u64,
    pub(super) left: StockState,
}
