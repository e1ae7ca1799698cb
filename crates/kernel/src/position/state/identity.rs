//! When two positions are the same: their hashes, and their equality.

use super::State;
use crate::position::moves::NONE;
use crate::program::compiled::Program;
use crate::program::hash;

impl State {
    /// The hash of the position, equal for equal positions on every machine.
    #[inline]
    pub fn hash128(&self) -> u128 {
        if self.choice.is_open() {
            self.sum.wrapping_add(self.choice_hash_term())
        } else {
            self.sum
        }
    }

    /// A hash that is the same whichever pile cards lie in.
    pub(crate) fn hash_without_places(&self, program: &Program) -> u128 {
        let piles = self.slots.iter().fold(0, |sum: u128, slot| {
            sum.wrapping_add(program.keys.pile(slot.hash, 0, slot.closed))
        });
        let counters = (0..).zip(&*self.counters);
        let sum = counters
            .fold(piles, |sum, (index, &value)| sum.wrapping_add(hash::counter(index, value)));
        if self.choice.is_open() { sum.wrapping_add(self.choice_hash_term()) } else { sum }
    }

    /// The same hash, recomputed from scratch; for tests.
    pub fn hash_from_scratch(&self, program: &Program) -> u128 {
        self.rehashed(program).hash128()
    }

    /// The same position, hashed with the keys of a program.
    pub(crate) fn rehashed(&self, program: &Program) -> Self {
        let mut fresh = self.clone();
        for pile in 0..fresh.slots.len() {
            fresh.rehash(program, pile);
            fresh.update_hash_term(program, pile);
        }
        fresh.sum = fresh.sum_from_scratch(program);
        fresh
    }

    pub(super) fn sum_from_scratch(&self, program: &Program) -> u128 {
        let piles = self.slots.iter().fold(0, |sum: u128, slot| {
            sum.wrapping_add(program.keys.pile(slot.hash, slot.class, slot.closed))
        });
        self.counters
            .iter()
            .enumerate()
            .fold(piles, |sum, (index, &value)| sum.wrapping_add(hash::counter(index, value)))
            .wrapping_add(hash::seed(self.seed))
    }

    fn choice_hash_term(&self) -> u128 {
        let hash_term = |pile: u8| (pile != NONE).then(|| self.slots[usize::from(pile)].hash_term);
        hash::choice(self.choice.rule, hash_term(self.choice.source), hash_term(self.choice.target))
    }

    /// What a pile would add to the hash of the position with other cards of a certain hash.
    #[inline]
    pub(crate) fn hash_term_with(&self, program: &Program, pile: usize, hash: u128) -> u128 {
        let slot = &self.slots[pile];
        program.keys.pile(hash, slot.class, slot.closed)
    }

    /// The same with more cards on top.
    pub(crate) fn hash_term_with_more(
        &self,
        program: &Program,
        pile: usize,
        cards: impl Iterator<Item = u8>,
    ) -> u128 {
        let key = |(depth, byte)| program.keys.card(byte, depth);
        let keys = (self.len(pile)..).zip(cards).map(key);
        let hash = keys.fold(self.slots[pile].hash, |hash, key| hash ^ key);
        self.hash_term_with(program, pile, hash)
    }

    /// Whether the states are equal byte for byte, without any interchange of piles.
    pub fn is_identical(&self, other: &Self) -> bool {
        self.slots == other.slots
            && self.piles().eq(other.piles())
            && self.counters == other.counters
            && self.seed == other.seed
            && self.vacant == other.vacant
            && self.sum == other.sum
            && self.choice == other.choice
    }

    /// The piles of each class in an order that depends on their contents alone.
    fn canonical(&self) -> Vec<(u8, bool, bool, bool, &[u8])> {
        let mut piles: Vec<_> = self
            .slots
            .iter()
            .enumerate()
            .map(|(pile, slot)| {
                let is = |fixed: u8| usize::from(fixed) == pile;
                let (source, target) = (is(self.choice.source), is(self.choice.target));
                (slot.class, slot.closed, source, target, self.pile(pile))
            })
            .collect();
        piles.sort_unstable();
        piles
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.hash128() == other.hash128()
            && self.counters == other.counters
            && self.seed == other.seed
            && self.choice.rule == other.choice.rule
            && self.canonical() == other.canonical()
    }
}

impl Eq for State {}

impl std::hash::Hash for State {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        hasher.write_u128(self.hash128());
    }
}
