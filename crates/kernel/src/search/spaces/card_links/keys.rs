//! The keys of positions in the card-links space.
//!
//! If no two cards count as the same, a position is the set of its links, and the key is the sum of
//! a random number for each (card, what it lies on). If cards of a class count as the same, links
//! are not enough: of two sevens on two eights they do not say which seven has the six on it. Then
//! the key is the sum over all piles of a hash of their cards in order.

use std::sync::LazyLock;

use crate::card::SUITED as CARDS;
use crate::program::compiled::Program;
use crate::random::SplitMix64;
use crate::search::spaces::card_links::tables::{BASE, NOWHERE, PLACES, Tables, UP, ZONES};
use crate::search::strategy::CardEquivalence;

/// The random numbers, and the hash of each pile up to each card.
pub(super) struct Keys {
    /// By card and what it lies on.
    links: &'static [[u128; PLACES]],
    /// By card, for being up, if piles are hashed as a whole.
    ups: [u128; CARDS],
    /// The waste, or no place. Cards of the stock are not exchangeable, since their order matters.
    waste: u8,
    /// By card, for piles that are hashed as a whole.
    cards: [u128; CARDS],
    zones: [u128; ZONES],
    /// By card, for lying face down, if piles are not hashed as a whole; and by the number of cards
    /// on the waste.
    faces: [u128; CARDS],
    dealt: [u128; CARDS + 1],
    is_chained: bool,
    /// By card, for the pile up to it: its hash, and the term of such a pile in the key.
    chains: [u128; CARDS],
    shares: [u128; CARDS],
    /// Earlier hashes of cards that moved.
    saved: Vec<(u128, u128)>,
}

/// Random numbers, the same for all searches.
struct Numbers {
    links: Box<[[u128; PLACES]]>,
    cards: [u128; CARDS],
    zones: [u128; ZONES],
    others: [u128; 2 * CARDS],
}

static NUMBERS: LazyLock<Numbers> = LazyLock::new(|| {
    let mut generator = SplitMix64::new(0x11A7_ED00);
    let mut number = || u128::from(generator.next()) << 64 | u128::from(generator.next());
    Numbers {
        links: (0..CARDS).map(|_| std::array::from_fn(|_| number())).collect(),
        cards: std::array::from_fn(|_| number()),
        zones: std::array::from_fn(|_| number()),
        others: std::array::from_fn(|_| number()),
    }
});

/// A random number for a card and what it lies on.
pub(super) fn link_number(card: usize, below: u8) -> u128 {
    NUMBERS.links[card][usize::from(below)]
}

/// An odd number with as many ones as zeros.
const FACTOR: u128 = 0xC0A0_BA1D_6B35_5A4F_9E37_79B9_7F4A_7C15;

/// Changes the hash of a pile if its card lies face down.
const BACK: u128 = 0x5D8C_A417_09E3_62BF_71F2_3C6E_D845_9B0A;

impl Keys {
    pub(super) fn new(program: &Program, tables: &Tables, equivalence: CardEquivalence) -> Self {
        let representatives = match equivalence {
            CardEquivalence::Distinct => tables.representatives(program, |_| false),
            CardEquivalence::Exact => {
                tables.representatives(program, |height| tables.is_suitless(height))
            }
            CardEquivalence::ByClass { from } => {
                tables.representatives(program, |height| height >= usize::from(from))
            }
        };
        let is_chained =
            representatives.iter().enumerate().any(|(card, &first)| card != usize::from(first));
        let numbers = &*NUMBERS;
        let ups = std::array::from_fn(|card| {
            numbers.links[usize::from(representatives[card])][usize::from(UP)]
        });
        let waste = if tables.waste == NOWHERE { u8::MAX } else { BASE + tables.waste as u8 };
        let cards = std::array::from_fn(|card| numbers.cards[usize::from(representatives[card])]);
        let zones = numbers.zones;
        let (faces, others) = numbers.others.split_at(if is_chained { 0 } else { CARDS });
        let faces = std::array::from_fn(|card| faces.get(card).copied().unwrap_or(0));
        let dealt = std::array::from_fn(|dealt| if dealt == 0 { 0 } else { others[dealt - 1] });
        let (chains, shares) = ([0; CARDS], [0; CARDS]);
        let links = &numbers.links;
        Self {
            links,
            ups,
            waste,
            cards,
            zones,
            faces,
            dealt,
            is_chained,
            chains,
            shares,
            saved: Vec::new(),
        }
    }

    /// The term of a card in the key for what it lies on.
    #[inline]
    pub(super) fn link(&self, card: usize, below: u8) -> u128 {
        match below {
            _ if !self.is_chained || below == self.waste => self.links[card][usize::from(below)],
            UP => self.ups[card],
            _ => 0,
        }
    }

    /// The term of a card in the key for lying face down.
    #[inline]
    pub(super) fn face(&self, card: usize) -> u128 {
        self.faces[card]
    }

    /// The term of the waste in the key for the number of its cards.
    #[inline]
    pub(super) fn dealt(&self, dealt: u8) -> u128 {
        self.dealt[usize::from(dealt)]
    }

    /// Updates the hashes of a card in a zone from what it lies on and whether it lies face down.
    /// The hashes of the card below must be up to date.
    #[inline]
    pub(super) fn chain(&mut self, card: usize, below: u8, zone: usize, is_down: bool) {
        if self.is_chained {
            (self.chains[card], self.shares[card]) = self.hashes(card, below, zone, is_down);
        }
    }

    /// The term of a pile in the key with a card on top of it.
    #[inline]
    pub(super) fn pile_with(&self, card: usize, below: u8, zone: usize) -> u128 {
        if self.is_chained { self.hashes(card, below, zone, false).1 } else { 0 }
    }

    /// The hashes of a card in a zone: of the pile up to it, and the term of such a pile in the
    /// key.
    #[inline]
    fn hashes(&self, card: usize, below: u8, zone: usize, is_down: bool) -> (u128, u128) {
        let lower = if below < BASE { self.chains[usize::from(below)] } else { 0 };
        let chain = lower.wrapping_mul(FACTOR).wrapping_add(self.cards[card]);
        let chain = if is_down { chain ^ BACK } else { chain };
        let hash = chain ^ self.zones[zone];
        let hash = (hash ^ hash >> 67).wrapping_mul(FACTOR);
        let hash = (hash ^ hash >> 65).wrapping_mul(0x8CB9_2BA7_2F3D_8DD7_A24B_AED4_963E_E407);
        (chain, hash ^ hash >> 64)
    }

    /// The term in the key of the pile with a certain top card.
    #[inline]
    pub(super) fn pile(&self, top: usize) -> u128 {
        self.shares[top]
    }

    /// Saves the hashes of a card that is about to move.
    #[inline]
    pub(super) fn save(&mut self, card: u8) {
        if self.is_chained {
            self.saved.push((self.chains[usize::from(card)], self.shares[usize::from(card)]));
        }
    }

    /// Restores the hashes of a card that were saved last.
    #[inline]
    pub(super) fn restore(&mut self, card: u8) {
        if let Some(hashes) = self.saved.pop() {
            self.note(card, hashes);
        }
    }

    /// Forgets what was saved.
    pub(super) fn forget(&mut self) {
        self.saved.clear();
    }

    /// The number of bytes saved.
    pub(super) fn saved_bytes(&self) -> usize {
        size_of_val(&*self.saved)
    }

    /// Sets the hashes of a card.
    #[inline]
    pub(super) fn note(&mut self, card: u8, (chain, share): (u128, u128)) {
        self.chains[usize::from(card)] = chain;
        self.shares[usize::from(card)] = share;
    }
}
