//! The keys of positions in the card-links space.
//!
//! If no two cards count as the same, a position is the set of its links, and the key is the sum of
//! a random number for each (card, what it lies on). If cards of a class count as the same, as the
//! copies of a card always do, links are not enough: of two sevens on two eights they do not say
//! which seven has the six on it. Then the key is the sum over all piles of a hash of their cards
//! in order.

use crate::program::compiled::Program;
use crate::search::spaces::card_links::numbers::Numbers;
use crate::search::spaces::card_links::packs::{Packs, ZONES};
use crate::search::spaces::card_links::stock::StockState;
use crate::search::spaces::card_links::tables::{NOWHERE, Tables};
use crate::search::strategy::CardEquivalence;

/// The random numbers, and the hash of each pile up to each card.
pub(super) struct Keys<P: Packs> {
    numbers: &'static Numbers,
    /// By card, for being up, if piles are hashed as a whole.
    ups: P::Each<u128>,
    /// The waste, or no place. Cards of the stock are not exchangeable, since their order matters.
    waste: u8,
    /// By card, for piles that are hashed as a whole.
    cards: P::Each<u128>,
    zones: [u128; ZONES],
    /// By card, for lying face down, if piles are not hashed as a whole; and by the number of cards
    /// on the waste.
    faces: P::Each<u128>,
    dealt: Vec<u128>,
    is_chained: bool,
    /// By card, for the pile up to it: its hash, and the term of such a pile in the key.
    chains: P::Each<u128>,
    shares: P::Each<u128>,
    /// Earlier hashes of cards that moved.
    saved: Vec<(u128, u128)>,
}

/// An odd number with as many ones as zeros.
const FACTOR: u128 = 0xC0A0_BA1D_6B35_5A4F_9E37_79B9_7F4A_7C15;

/// The number of a time that the waste can be turned over.
const REDEAL: u128 = 0xB7E1_5162_8AED_2A6A_BF71_5880_9CF4_F3C7;

/// Changes the number of a loose card.
const LOOSE: u128 = 0x13F4_D6A9_7C21_E05B_88A3_4F0E_B1D2_C697;

/// Changes the hash of a pile if its card lies face down.
const BACK: u128 = 0x5D8C_A417_09E3_62BF_71F2_3C6E_D845_9B0A;

impl<P: Packs> Keys<P> {
    pub(super) fn new(program: &Program, tables: &Tables<P>, equivalence: CardEquivalence) -> Self {
        let representatives = match equivalence {
            CardEquivalence::Distinct => tables.representatives(program, |_| false),
            CardEquivalence::Exact => {
                tables.representatives(program, |height| tables.is_suitless(height))
            }
            CardEquivalence::ByClass { from } => {
                tables.representatives(program, |height| height >= usize::from(from))
            }
        };
        let first = |card: usize| usize::from(representatives[card]);
        let is_chained = (0..P::CARDS).any(|card| card != first(card));
        let numbers = P::numbers();
        let (faces, others) = numbers.others.split_at(if is_chained { 0 } else { P::CARDS });
        Self {
            numbers,
            ups: P::each_by(|card| numbers.link(first(card), P::UP)),
            waste: if tables.waste == NOWHERE { u8::MAX } else { P::BASE + tables.waste as u8 },
            cards: P::each_by(|card| numbers.cards[first(card)]),
            zones: std::array::from_fn(|zone| numbers.zones[zone]),
            faces: P::each_by(|card| faces.get(card).copied().unwrap_or(0)),
            dealt: [0].into_iter().chain(others.iter().copied().take(P::CARDS)).collect(),
            is_chained,
            chains: P::each(0),
            shares: P::each(0),
            saved: Vec::new(),
        }
    }

    /// The term of a card in the key for what it lies on.
    #[inline]
    pub(super) fn link(&self, card: usize, below: u8) -> u128 {
        match below {
            _ if !self.is_chained || below == self.waste => self.numbers.link(card, below),
            _ if below == P::UP => self.ups[card],
            _ => 0,
        }
    }

    /// The term of a loose card in the key, in the place of its link and its part of a pile
    /// (`rearrangements.rs`).
    #[inline]
    pub(super) fn loose(&self, card: usize) -> u128 {
        let term = (self.cards[card] ^ LOOSE).wrapping_mul(FACTOR);
        term ^ term >> 64
    }

    /// The term of a card in the key for lying face down.
    #[inline]
    pub(super) fn face(&self, card: usize) -> u128 {
        self.faces[card]
    }

    /// The term of the stock in the key for the number of cards on the waste, and for how often it
    /// can be turned over. What is left in the stock has terms of its own.
    #[inline]
    pub(super) fn stock(&self, left: StockState<P>) -> u128 {
        self.dealt[usize::from(left.dealt)]
            .wrapping_add(u128::from(left.redeals).wrapping_mul(REDEAL))
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
        let lower = if below < P::BASE { self.chains[usize::from(below)] } else { 0 };
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
