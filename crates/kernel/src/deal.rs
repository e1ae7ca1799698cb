//! Deal numbers and the layout of a table.

use thiserror::Error;

use crate::card::FACE_DOWN;
use crate::compiled::Compiled;
use crate::condition::bits;
use crate::forced::{Phase, STEPS};
use crate::journal::Journal;
use crate::moves::Move;
use crate::program::Step;
use crate::state::State;

/// Sebastiano Vigna's `SplitMix64`, written out because deal numbers must never change.
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// A generator with a number as its state.
    pub const fn new(number: u64) -> Self {
        Self { state: number }
    }

    /// The next number.
    pub const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = self.state;
        let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `bound`, every one equally likely (Daniel Lemire's method).
    ///
    /// # Panics
    ///
    /// If `bound` is 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        let threshold = bound.wrapping_neg() % bound;
        loop {
            let product = self.next() as u128 * bound as u128;
            if product as u64 >= threshold {
                return (product >> 64) as u64;
            }
        }
    }
}

/// The permutation of deal `cadogan:number`: card `i` in dealing order is card `permutation[i]` of
/// the sorted deck.
pub fn shuffle(number: u64, length: usize) -> Vec<u32> {
    let mut generator = SplitMix64::new(number);
    let mut permutation: Vec<u32> = (0..length as u32).collect();
    for last in (1..length).rev() {
        permutation.swap(last, generator.below(last as u64 + 1) as usize);
    }
    permutation
}

/// Why a deck cannot be laid out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DealError {
    /// The cards are not those of the pack.
    #[error("the deck of {dealt} cards is not a shuffle of this game's pack of {wanted} cards")]
    NotThePack {
        /// How many cards were given.
        dealt: usize,
        /// How many cards the pack has.
        wanted: usize,
    },
    /// The forced rules go on for ever.
    #[error("the forced rules do not come to rest during the layout")]
    Restless {
        /// The rules that go on, in the order of the program.
        rules: Vec<u8>,
    },
}

impl Compiled {
    /// Lays out the table with the cards of a deck, first dealt first, and carries out the forced
    /// rules. Returns the position and the forced moves made on the way.
    pub fn deal(&self, deck: &[u8]) -> Result<(State, Vec<Move>), DealError> {
        let (state, journal) = self.deal_journaled(deck)?;
        Ok((state, journal.take_forced()))
    }

    /// The same, with all that was done to the table before it lay there.
    pub(crate) fn deal_journaled(&self, deck: &[u8]) -> Result<(State, Journal), DealError> {
        let mut sorted = deck.to_vec();
        sorted.sort_unstable();
        let pack = &self.program().deck;
        if sorted != *pack {
            return Err(DealError::NotThePack { dealt: deck.len(), wanted: pack.len() });
        }

        let mut state = State::empty(self);
        let source = usize::from(self.program().source);
        for &card in deck.iter().rev() {
            state.put(self, source, card | FACE_DOWN);
        }
        for preset in &self.program().preset {
            state.put(self, usize::from(preset.pile), preset.card);
        }

        let mut journal = Journal::new();
        let mut steps = STEPS;
        let mut settle = |state: &mut State, journal: &mut Journal, phase: Phase| {
            let rules = self.forced_in(phase);
            state.settle(self, journal, phase, rules, &mut steps).map_err(|_| {
                // Most of what was forced is the loop; what led into it is not to blame.
                let loops = journal.forced.iter().rev().take(STEPS as usize / 8);
                let rules = loops.fold(0u128, |rules, forced| rules | 1 << forced.rule());
                DealError::Restless { rules: bits(rules).map(|rule| rule as u8).collect() }
            })
        };
        for step in &self.program().layout {
            if matches!(step, Step::Settle) {
                settle(&mut state, &mut journal, Phase::Layout)?;
            } else {
                state.run_step(self, &mut journal, step);
            }
        }
        settle(&mut state, &mut journal, Phase::Play)?;
        state.rest(self, &journal);
        Ok((state, journal))
    }

    /// The deck of deal `cadogan:number`, first dealt first.
    pub fn deck(&self, number: u64) -> Vec<u8> {
        let pack = &self.program().deck;
        shuffle(number, pack.len()).into_iter().map(|index| pack[index as usize]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_splitmix64() {
        let mut generator = SplitMix64::new(1_234_567);
        let first = [generator.next(), generator.next(), generator.next()];
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn a_shuffle_is_a_permutation() {
        for number in [0, 1, 2, u64::MAX] {
            let mut permutation = shuffle(number, 104);
            permutation.sort_unstable();
            assert!(permutation.into_iter().eq(0..104));
        }
        assert!(shuffle(1, 0).is_empty());
        assert_ne!(shuffle(1, 52), shuffle(2, 52));
    }

    #[test]
    fn numbers_below_a_bound_stay_below_it() {
        let mut generator = SplitMix64::new(3);
        let mut seen = [0; 7];
        for _ in 0..7000 {
            seen[generator.below(7) as usize] += 1;
        }
        assert!(seen.iter().all(|&times| (800..1200).contains(&times)));
    }
}
