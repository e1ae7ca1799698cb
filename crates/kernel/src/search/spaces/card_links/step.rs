//! A step of the card-links space.

use std::fmt;
use std::marker::PhantomData;

use crate::search::spaces::card_links::packs::Packs;
use crate::search::spaces::card_links::stock::StockState;

/// Cards that are put one on the other, the first of them on a target.
///
/// Numbers of a few bits each ([`Packs::BITS`]): the target, then the cards from the last one put
/// down to the first; the number of an arrangement of other cards (`rearrangements.rs`); and the
/// number of cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Step<P: Packs>(u64, PhantomData<P>);

/// The places of the number of cards and of that of an arrangement.
const NUMBER: u32 = 60;
const ORDER: u32 = 42;

impl<P: Packs> Step<P> {
    /// The most cards of a step.
    pub(super) const MOST: u32 = if P::COPIES == 1 { ORDER } else { NUMBER } / P::BITS - 1;
    /// The highest number of an arrangement.
    pub(super) const LAST_ORDER: u32 = (1 << (NUMBER - ORDER)) - 1;
    /// A number that stands for no target.
    const OPEN: u8 = (1 << P::BITS) - 1;

    const fn new(code: u64) -> Self {
        Self(code, PhantomData)
    }

    /// A card that goes to a target that is not known yet.
    #[inline]
    pub(super) const fn cover(card: u8) -> Self {
        Self::of(card, Self::OPEN)
    }

    /// One card goes to a target.
    #[inline]
    pub(super) const fn of(card: u8, to: u8) -> Self {
        Self::new(1 << NUMBER | (card as u64) << P::BITS | to as u64)
    }

    /// A turn of the stock.
    #[inline]
    pub(super) const fn turn() -> Self {
        Self::of(0, P::ABSENT)
    }

    /// The same cards on another one that is put down first; none if there are too many.
    #[inline]
    pub(super) fn on(self, card: u8) -> Option<Self> {
        let number = self.number();
        let card = u64::from(card) << ((number + 1) * P::BITS);
        (number < Self::MOST).then(|| Self::new((self.0 | card) + (1 << NUMBER)))
    }

    /// The same cards on another target.
    #[inline]
    pub(super) const fn to(self, to: u8) -> Self {
        Self::new(self.0 >> P::BITS << P::BITS | to as u64)
    }

    /// The same step with the number of an arrangement.
    #[inline]
    pub(super) const fn in_order(self, number: u32) -> Self {
        Self::new(self.0 | (number as u64) << ORDER)
    }

    /// The number of the arrangement.
    #[inline]
    pub(super) const fn order(self) -> u32 {
        (self.0 >> ORDER) as u32 & Self::LAST_ORDER
    }

    #[inline]
    const fn number(self) -> u32 {
        (self.0 >> NUMBER) as u32
    }

    /// Whether it turns the stock.
    #[inline]
    pub(super) fn is_turn(self) -> bool {
        self == Self::turn()
    }

    /// Whether only one card moves.
    #[inline]
    pub(super) const fn is_single(self) -> bool {
        self.number() == 1
    }

    /// The target of the first card.
    #[inline]
    pub(super) const fn target(self) -> u8 {
        self.0 as u8 & Self::OPEN
    }

    #[inline]
    const fn card(self, at: u32) -> u8 {
        (self.0 >> ((at + 1) * P::BITS)) as u8 & Self::OPEN
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

impl<P: Packs> fmt::Debug for Step<P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cards: Vec<u8> = self.cards().collect();
        write!(formatter, "Step({cards:?} on {})", self.target())
    }
}

/// One card, with the cards on it, changed its place.
#[derive(Clone, Copy)]
pub(super) struct Change<P: Packs> {
    /// The card, the top card of its unit, what it lay on, and what it lies on now.
    pub(super) card: u8,
    pub(super) top: u8,
    pub(super) from: u8,
    pub(super) to: u8,
    /// The zones that it came from and went to; foundations have none.
    pub(super) from_zone: u8,
    pub(super) to_zone: u8,
    pub(super) lowest: u8,
    pub(super) wanted: P::Set,
    pub(super) down: P::Set,
    pub(super) left: StockState<P>,
}
