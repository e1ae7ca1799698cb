//! Lost positions of the pairing space.
//!
//! *Partners.* Each card that must still leave does so alone or with a partner, and no card is the
//! partner of two. Of two cards that leave together neither must have left before the other is
//! open. So a position is lost unless there is a matching, of cards that are left and can leave
//! together, that contains all cards that must leave and cannot leave alone. The test asks for
//! less:
//! - Cards are in one *part* if they are linked by pairs that can leave at the root. If a part
//!   falls into two sides such that partners are always of different sides, there is such a
//!   matching if and only if there is one for the cards of each side alone (Mendelsohn and
//!   Dulmage), which is tested.
//! - If all cards of a part that are left must leave, and none can leave alone, their number is
//!   even. Each of them has a partner.
//!
//! When there is no redeal any more, two cards of the waste do not leave together, unless its top
//! two cards can or it has a tail: only its top card is open, until all above the other one have
//! left, itself among them.
//!
//! *Delete relaxation.* Suppose that a card that was open once can be used again and again. Then
//! more and more cards can leave; if some card that must leave never can, it never can in the game
//! either, where cards are open only after the same cards have left. Cards of the stock count as
//! open, and those of a waste that is redealt or has a tail or a pair; otherwise a card of the
//! waste is open after all above it have left.

use crate::bits::bits;
use crate::search::spaces::pairing::place::{Place, below};
use crate::search::spaces::pairing::tables::PairingTables;

/// What the tests know beforehand.
#[derive(Debug)]
pub(crate) struct DeadEnds {
    parts: Vec<Part>,
    /// For each card: the cards that it lies before.
    under: Vec<u128>,
}

/// Cards that are linked by pairs.
#[derive(Debug)]
struct Part {
    cards: u128,
    /// One of its two sides, if it falls into two.
    side: Option<u128>,
}

impl DeadEnds {
    pub(crate) fn new(tables: &PairingTables) -> Self {
        let mut parts: Vec<Part> = Vec::new();
        let mut seen = 0u128;
        for card in 0..tables.cards.len() {
            if seen >> card & 1 == 0 && tables.partners[card] != 0 {
                let part = Part::of(tables, card);
                seen |= part.cards;
                parts.push(part);
            }
        }
        let mut under = vec![0; tables.cards.len()];
        for (card, &before) in tables.before.iter().enumerate() {
            for above in bits(before) {
                under[above] |= 1 << card;
            }
        }
        Self { parts, under }
    }

    /// The number of cards that a card must leave before.
    pub(crate) fn covers(&self, card: usize, left: u128) -> i32 {
        (self.under[card] & left).count_ones().cast_signed()
    }

    /// The cards of a waste of which only the top one is open, and which is never dealt again.
    fn settled_waste(tables: &PairingTables, place: &Place) -> u128 {
        match &tables.ring {
            Some(ring) if place.redeals == 0 && ring.tail.is_none() && !ring.deep => {
                place.left & tables.ring_cards & below(place.dealt)
            }
            _ => 0,
        }
    }

    /// Whether some card that must leave lacks a partner.
    pub(crate) fn lacks_partners(&self, tables: &PairingTables, place: &Place) -> bool {
        let left = place.left;
        let wanted = left & tables.needed & !tables.alone;
        let waste = Self::settled_waste(tables, place);
        let partners = |card: usize| {
            let others = if waste >> card & 1 != 0 { left & !waste } else { left };
            tables.partners[card] & others
        };
        let in_parts = self.parts.iter().fold(0, |cards, part| cards | part.cards);
        if wanted & !in_parts != 0 {
            return true;
        }
        self.parts.iter().any(|part| {
            let wanted = wanted & part.cards;
            if wanted == 0 {
                return false;
            }
            let Some(side) = part.side else {
                let is_odd = wanted == left & part.cards && wanted.count_ones() % 2 == 1;
                return is_odd || bits(wanted).any(|card| partners(card) == 0);
            };
            !is_matched(wanted & side, &partners) || !is_matched(wanted & !side, &partners)
        })
    }

    /// Whether some card that must leave cannot leave in the relaxed game.
    pub(crate) fn is_stuck(tables: &PairingTables, place: &Place) -> bool {
        let waste = Self::settled_waste(tables, place);
        let mut left = place.left;
        let mut open = left & tables.ring_cards & !waste;
        loop {
            let is_open =
                |sets: &[u128]| sets.is_empty() || sets.iter().any(|&cards| cards & left == 0);
            for pile in &tables.piles {
                let cards = pile.cards & left;
                if cards != 0 && is_open(&pile.open_when) {
                    open |= 1 << cards.ilog2();
                }
            }
            let cards = waste & left;
            if cards != 0 {
                open |= 1 << cards.ilog2();
            }
            let leaves =
                |&card: &usize| tables.alone >> card & 1 != 0 || tables.partners[card] & open != 0;
            let leaving = bits(open & left).filter(leaves).fold(0, |cards, card| cards | 1 << card);
            if leaving == 0 {
                return left & tables.needed != 0;
            }
            left &= !leaving;
            if left & tables.needed == 0 {
                return false;
            }
        }
    }
}

impl Part {
    /// The part of a card.
    fn of(tables: &PairingTables, card: usize) -> Self {
        let (mut sides, mut fresh) = ([1u128 << card, 0], [1u128 << card, 0]);
        while fresh != [0, 0] {
            let across = |cards: u128| bits(cards).fold(0, |all, card| all | tables.partners[card]);
            let next = [across(fresh[1]) & !sides[0], across(fresh[0]) & !sides[1]];
            sides = [sides[0] | next[0], sides[1] | next[1]];
            fresh = next;
        }
        let side = (sides[0] & sides[1] == 0).then_some(sides[0]);
        Self { cards: sides[0] | sides[1], side }
    }
}

/// Whether each of some cards can have a partner of its own. None of them are partners.
fn is_matched(cards: u128, partners: &impl Fn(usize) -> u128) -> bool {
    let mut of = [u8::MAX; 128];
    bits(cards).all(|card| {
        let mut seen = 0;
        augments(card, partners, &mut of, &mut seen)
    })
}

/// Finds a partner for a card, and others for those that lose theirs to it.
fn augments(
    card: usize,
    partners: &impl Fn(usize) -> u128,
    of: &mut [u8; 128],
    seen: &mut u128,
) -> bool {
    for other in bits(partners(card)) {
        if *seen >> other & 1 != 0 {
            continue;
        }
        *seen |= 1 << other;
        if of[other] == u8::MAX || augments(usize::from(of[other]), partners, of, seen) {
            of[other] = card as u8;
            return true;
        }
    }
    false
}
