//! Keys for the 128-bit hash of a position.
//!
//! The hash of a pile is the exclusive or of a key for each (card, depth). The hash of a position
//! is the sum, over all piles, of the mixed pile hash together with the pile's class, so that
//! positions which differ only by an interchange of piles of one class have equal hashes. The keys
//! come from [`crate::random::SplitMix64`], so hashes are the same on every machine.

use crate::card::{CARDS, FACE_DOWN};
use crate::program::validate::{MAX_COUNTERS, MAX_RULES};
use crate::random::SplitMix64;

/// The byte of a card, face up or face down, is below this number.
const BYTES: usize = 128;

const CLASS: u64 = 1 << 32;
const CLOSED: u64 = 2 << 32;
const COUNTER: u64 = 3 << 32;
const CHOICE: u64 = 4 << 32;
const SEED: u128 = key(5 << 32);

static COUNTERS: [u128; MAX_COUNTERS] = keys(COUNTER);
static CHOICES: [u128; MAX_RULES] = keys(CHOICE);

/// The keys for the piles of one program.
#[derive(Debug)]
pub(crate) struct Keys {
    /// Ordered by depth first, so that shallow piles use few cache lines.
    cards: Box<[u128]>,
    classes: Box<[u128; 256]>,
    closed: u128,
}

impl Keys {
    /// Keys for piles of at most `capacity` cards.
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            cards: (0..capacity * BYTES).map(|index| key(index as u64)).collect(),
            classes: Box::new(keys(CLASS)),
            closed: key(CLOSED),
        }
    }

    /// Keys in which every card counts as the first card of its class.
    pub(crate) fn merged(capacity: usize, representative: &[u8; CARDS]) -> Self {
        let mut keys = Self::new(capacity);
        for row in keys.cards.chunks_exact_mut(BYTES) {
            for face in [0, FACE_DOWN] {
                for (card, &first) in (0u8..).zip(representative) {
                    row[usize::from(card | face)] = row[usize::from(first | face)];
                }
            }
        }
        keys
    }

    /// Whether different cards count as the same.
    pub(crate) fn merge_cards(&self) -> bool {
        let cards = self.cards.get(..CARDS).unwrap_or_default();
        (1..cards.len()).any(|card| cards[..card].contains(&cards[card]))
    }

    /// The key of a card at a depth (0 is the bottom of the pile).
    #[inline]
    pub(crate) fn card(&self, byte: u8, depth: usize) -> u128 {
        self.cards[depth * BYTES + usize::from(byte)]
    }

    /// What a pile adds to the hash of its position.
    #[inline]
    pub(crate) fn pile(&self, hash: u128, class: u8, closed: bool) -> u128 {
        let closed = if closed { self.closed } else { 0 };
        mix(hash ^ self.classes[usize::from(class)] ^ closed)
    }

    /// The hash of a whole pile.
    pub(crate) fn cards(&self, cards: &[u8]) -> u128 {
        cards.iter().enumerate().fold(0, |hash, (depth, &byte)| hash ^ self.card(byte, depth))
    }
}

/// What a counter adds to the hash of its position.
#[inline]
pub(crate) fn counter(index: usize, value: u16) -> u128 {
    mix(COUNTERS[index].wrapping_add(u128::from(value)))
}

/// What the seed of its shuffles adds to the hash of a position; nothing in a game without
/// shuffles.
pub(crate) fn seed(seed: u64) -> u128 {
    if seed == 0 { 0 } else { mix(SEED ^ u128::from(seed)) }
}

/// What an open choice adds to the hash of its position; `fixed` is what the fixed pile adds.
#[inline]
pub(crate) fn choice(rule: u8, source: Option<u128>, target: Option<u128>) -> u128 {
    let pile = |fixed: Option<u128>, turn: u32| fixed.map_or(0, |hash| mix(hash.rotate_left(turn)));
    mix(CHOICES[usize::from(rule)] ^ pile(source, 1) ^ pile(target, 2))
}

/// The key of a number.
const fn key(number: u64) -> u128 {
    let mut generator = SplitMix64::new(number.wrapping_mul(0xD1B5_4A32_D192_ED03));
    let high = generator.next() as u128;
    high << 64 | generator.next() as u128
}

/// The keys of the numbers from `first` on.
const fn keys<const LENGTH: usize>(first: u64) -> [u128; LENGTH] {
    let mut keys = [0; LENGTH];
    let mut index = 0;
    while index < LENGTH {
        keys[index] = key(first + index as u64);
        index += 1;
    }
    keys
}

/// A fixed permutation of the 128-bit numbers that spreads every bit.
#[inline]
pub(crate) const fn mix(hash: u128) -> u128 {
    let hash = (hash ^ hash >> 67).wrapping_mul(0xC0A0_BA1D_6B35_5A4F_9E37_79B9_7F4A_7C15);
    let hash = (hash ^ hash >> 65).wrapping_mul(0x8CB9_2BA7_2F3D_8DD7_A24B_AED4_963E_E407);
    hash ^ hash >> 64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn keys_differ() {
        let keys = Keys::new(416);
        let all: HashSet<u128> = keys.cards.iter().chain(keys.classes.iter()).copied().collect();
        assert_eq!(all.len(), 416 * BYTES + 256);
    }

    #[test]
    fn keys_are_the_same_on_every_machine() {
        assert_eq!(Keys::new(1).card(0, 0), 0xE220_A839_7B1D_CDAF_6E78_9E6A_A1B9_65F4);
    }
}
