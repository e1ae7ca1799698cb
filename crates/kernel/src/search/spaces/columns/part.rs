//! What the cards of a column up to some card come to.

use std::sync::LazyLock;

use crate::card::{CARDS, FACE_DOWN};
use crate::random::random_key;
use crate::search::spaces::columns::limits::{COLUMNS, FOUNDATIONS, RUNS};

/// An odd number with as many ones as zeros.
pub(super) const FACTOR: u128 = 0xC0A0_BA1D_6B35_5A4F_9E37_79B9_7F4A_7C15;

/// The most cards of a game.
pub(super) const MOST: usize = u8::MAX as usize;

/// The random numbers for keys: of cards face up and face down, of columns, and of foundations; and
/// the powers of [`FACTOR`] from the most negative one on.
pub(super) struct Numbers {
    pub(super) cards: [u128; 2 * CARDS],
    pub(super) columns: [u128; COLUMNS],
    pub(super) foundations: [u128; FOUNDATIONS],
    powers: [u128; 2 * MOST + 1],
}

pub(super) static NUMBERS: LazyLock<Numbers> = LazyLock::new(|| {
    let mut powers = [1u128; 2 * MOST + 1];
    for exponent in 1..=MOST {
        powers[MOST + exponent] = powers[MOST + exponent - 1].wrapping_mul(FACTOR);
        powers[MOST - exponent] = powers[MOST - exponent + 1].wrapping_mul(inverse(FACTOR));
    }
    Numbers {
        cards: std::array::from_fn(|index| random_key(0xC01_0000 + index as u64)),
        columns: std::array::from_fn(|index| random_key(0xC01_F000 + index as u64)),
        foundations: std::array::from_fn(|index| random_key(0xC01_E000 + index as u64)),
        powers,
    }
});

/// The inverse of an odd number, by Newton's method: each round doubles the number of right bits.
fn inverse(odd: u128) -> u128 {
    (0..7)
        .fold(odd, |inverse, _| inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse))))
}

impl Numbers {
    /// The power of [`FACTOR`] with an exponent that is the difference of two numbers of cards.
    #[inline]
    pub(super) fn power(&self, more: usize, less: usize) -> u128 {
        self.powers[MOST + more - less]
    }
}

/// What the cards of a column up to some card come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The sum of the numbers of the cards, each times [`FACTOR`] to the power of its place. So the
    /// part of some cards is a difference, and on another column it is multiplied by a power.
    pub(super) hash: u128,
    /// What they add to the distance, and the part of it for lying on cards that are wanted sooner.
    pub(super) sum: i32,
    pub(super) blocking: i32,
    /// The card; none at the bottom.
    pub(super) byte: u8,
    /// In how many steps the first of them is wanted.
    pub(super) soonest: u8,
    /// How many of them lie face down.
    pub(super) hidden: u8,
    /// By relation, how many of them are the run that ends here.
    pub(super) runs: [u8; RUNS],
    /// Their faces.
    pub(super) faces: u64,
}

impl Part {
    /// The bottom of a column.
    pub(super) const NONE: Self = Self {
        hash: 0,
        sum: 0,
        blocking: 0,
        byte: FACE_DOWN,
        soonest: u8::MAX,
        hidden: 0,
        runs: [0; RUNS],
        faces: 0,
    };
}
