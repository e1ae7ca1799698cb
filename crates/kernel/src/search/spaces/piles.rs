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
    let (eights, _) = one.as_chunks::<8>();
    let (others, _) = other.as_chunks::<8>();
    let mut same = 0;
    for (&eight, &other) in eights.iter().zip(others) {
        let differing = u64::from_le_bytes(eight) ^ u64::from_le_bytes(other);
        if differing != 0 {
            return same + differing.trailing_zeros() as usize / 8;
        }
        same += 8;
    }
    let rest = one[same..].iter().zip(&other[same..]);
    same + rest.take_while(|(one, other)| one == other).count()
}
