//! The piles of a position, whatever it is made of.

use crate::position::state::State;

/// The piles of a position, by their numbers in the program.
pub(crate) trait Piles {
    /// The cards of a pile, the lowest one first.
    fn pile(&self, pile: usize) -> &[u8];

    /// The piles without cards.
    fn vacant(&self) -> u128;
}

impl Piles for State {
    fn pile(&self, pile: usize) -> &[u8] {
        self.pile(pile)
    }

    fn vacant(&self) -> u128 {
        self.vacant()
    }
}

/// The number of cards that two piles have in common, from the bottom on.
pub(crate) fn in_common(one: &[u8], other: &[u8]) -> usize {
    // Mostly they differ in the top card at most.
    let shorter = one.len().min(other.len());
    if shorter > 0 && one[..shorter - 1] == other[..shorter - 1] {
        return shorter - usize::from(one[shorter - 1] != other[shorter - 1]);
    }
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}
