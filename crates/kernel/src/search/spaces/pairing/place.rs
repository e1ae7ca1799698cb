//! What changes in a search of the pairing space.

/// What changes in a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The cards that have not left.
    pub(crate) left: u128,
    /// The cards of stock and waste with lower numbers are dealt, or were.
    pub(crate) dealt: usize,
    pub(crate) redeals: u16,
    /// The sum of the keys of the fixed piles.
    pub(crate) number: u128,
}

/// The set of the cards with lower numbers.
pub(crate) const fn below(number: usize) -> u128 {
    if number >= 128 { u128::MAX } else { (1 << number) - 1 }
}
