//! The random numbers of which the keys of the card-links space are made.

use crate::random::SplitMix64;

/// Random numbers, the same for all searches.
pub(crate) struct Numbers {
    /// The number of things that a card can lie on.
    places: usize,
    /// By card and what it lies on.
    links: Vec<u128>,
    pub(super) cards: Vec<u128>,
    pub(super) zones: Vec<u128>,
    /// For what only some games need.
    pub(super) others: Vec<u128>,
}

impl Numbers {
    pub(super) fn new(cards: usize, zones: usize, places: usize) -> Self {
        let mut generator = SplitMix64::new(0x11A7_ED00);
        let mut numbers = |count: usize| {
            let mut number = || u128::from(generator.next()) << 64 | u128::from(generator.next());
            (0..count).map(|_| number()).collect()
        };
        Self {
            places,
            links: numbers(cards * places),
            cards: numbers(cards),
            zones: numbers(zones),
            others: numbers(2 * cards),
        }
    }

    /// The number of a card and what it lies on.
    #[inline]
    pub(super) fn link(&self, card: usize, below: u8) -> u128 {
        self.links[card * self.places + usize::from(below)]
    }
}
