//! What foundations take, by the numbers of the cards.

use crate::bits::ones;
use crate::card::{CARDS, SUITED};
use crate::search::spaces::card_links::packs::{CardSet, Packs};
use crate::search::spaces::foundation_order::FoundationOrder;

/// The build order of all foundations ([`FoundationOrder`]), card by card.
#[derive(Clone, Debug)]
pub(crate) struct CardOrder<P: Packs> {
    /// All cards of the game.
    pub(in crate::search::spaces) pack: P::Set,
    /// The number of foundations.
    foundations: u32,
    /// By height: the cards wanted there.
    pub(in crate::search::spaces) wants: Vec<P::Set>,
    /// For each card its height on a foundation.
    pub(in crate::search::spaces) height: P::Each<u8>,
    /// By height: whether the card below must be one of [`Self::before`].
    pub(in crate::search::spaces) chained: Vec<bool>,
    /// For each card the copies of the one that must lie below it on a foundation.
    pub(in crate::search::spaces) before: P::Each<P::Set>,
    /// By face, the face of that card, as a mask.
    before_face: [u64; CARDS],
}

impl<P: Packs> CardOrder<P> {
    /// The order card by card; none if a card has too many copies.
    pub(super) fn new(order: &FoundationOrder) -> Option<Self> {
        let copies = |face: usize| usize::from(order.copies[face]);
        if ones(order.pack).any(|face| face >= SUITED || copies(face) > P::COPIES) {
            return None;
        }
        let pack = P::Set::union(
            (0..P::CARDS).filter(|&card| card / SUITED < copies(P::face(card))).map(P::Set::of),
        );
        let cards = |faces: u64| P::copies_of(faces) & pack;
        Some(Self {
            pack,
            foundations: order.foundations.count_ones(),
            wants: order.wants.iter().map(|&faces| cards(faces)).collect(),
            height: P::each_by(|card| order.height[P::face(card)]),
            chained: order.chained.clone(),
            before: P::each_by(|card| cards(order.before[P::face(card)])),
            before_face: order.before,
        })
    }

    /// The cards wanted at a height, given those that are up.
    #[inline]
    pub(in crate::search::spaces) fn wanted_at(&self, height: usize, up: P::Set) -> P::Set {
        let cards = self.wants[height];
        let down = cards & !up;
        if height > 0 && self.chained[height] {
            let [first, second] = P::by_copy(up);
            let number = |faces: u64| u8::from(first & faces != 0) + u8::from(second & faces != 0);
            // More copies of the card below are up: on one of them lies none of these.
            let is_wanted = |&face: &usize| number(self.before_face[face]) > number(1 << face);
            let wanted = ones(P::faces(down)).filter(is_wanted);
            return down & P::copies_of(wanted.fold(0, |wanted, face| wanted | 1 << face));
        }
        let room =
            if height == 0 { self.foundations } else { (self.wants[height - 1] & up).count() };
        if (cards & up).count() < room { down } else { P::Set::NONE }
    }

    /// All wanted cards, given those that are up.
    pub(in crate::search::spaces) fn wanted(&self, up: P::Set) -> P::Set {
        P::Set::union((0..self.wants.len()).map(|height| self.wanted_at(height, up)))
    }

    /// The faces of which all copies are up.
    #[inline]
    pub(super) fn all_up(&self, up: P::Set) -> u64 {
        if P::COPIES == 1 { P::faces(up) } else { P::faces(up) & !P::faces(self.pack & !up) }
    }
}
