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
