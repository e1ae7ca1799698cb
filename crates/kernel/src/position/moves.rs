//! Values: a move, an open choice, the outcome of a game.

use std::fmt;

use crate::program::actions::pair::{FOUR_SPAN, MOST_IN_SET};

/// No pile, or no rule.
pub(crate) const NONE: u8 = 255;

/// The number of couples among so many piles, fewer than [`FOUR_SPAN`].
const fn couples(piles: u8) -> u8 {
    (piles as u16 * (piles as u16 - 1) / 2) as u8
}

/// The counts of sets from a single pile. (With 0 or 1 in their place, the search would take a
/// single card for a pair of two equal piles.)
const SINGLE: u8 = 254;
const DOUBLE: u8 = 255;

/// A forced rule that waits for the player, and the part of its instance that is fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub(crate) rule: u8,
    pub(crate) source: u8,
    pub(crate) target: u8,
}

impl Choice {
    pub(crate) const CLOSED: Self = Self { rule: NONE, source: NONE, target: NONE };

    pub(crate) const fn is_open(self) -> bool {
        self.rule != NONE
    }

    /// Whether an instance is one of those offered.
    pub(crate) const fn offers(self, source: u8, target: u8) -> bool {
        (self.source == NONE || self.source == source)
            && (self.target == NONE || self.target == target)
    }
}

/// A move: a rule, the pile it takes from, the number of cards and the pile it puts them on.
///
/// Packed as `rule << 24 | from << 16 | count << 8 | to`. A pile that an action does not have is
/// 255. A script has neither pile. A pile whose top card is turned up is `from`. A joint action has
/// the pile of its first part in `from` and that of its second part in `to`. A pair and a swap have
/// their two piles with `from < to`. The count is 0 for all of these. A move of more than 255 cards
/// has count 255. Of cards that beat a pile, which is `to`, the first pile is in `from`; the bits
/// of the count say from which they come: that pile (bit 0) and the next seven. For other sets of
/// cards that leave together, see `of_set`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u32);

impl Move {
    /// Packs a move. It may be illegal.
    pub const fn new(rule: u8, from: u8, count: u8, to: u8) -> Self {
        Self(u32::from_be_bytes([rule, from, count, to]))
    }

    /// Decodes a move.
    pub const fn from_code(code: u32) -> Self {
        Self(code)
    }

    /// The code of the move.
    pub const fn code(self) -> u32 {
        self.0
    }

    /// The index of the rule.
    pub const fn rule(self) -> u8 {
        self.0.to_be_bytes()[0]
    }

    /// The pile that it takes cards from, or 255.
    pub const fn from(self) -> u8 {
        self.0.to_be_bytes()[1]
    }

    /// The number of cards.
    pub const fn count(self) -> u8 {
        self.0.to_be_bytes()[2]
    }

    /// The pile that it puts them on, or 255.
    pub const fn to(self) -> u8 {
        self.0.to_be_bytes()[3]
    }

    pub(crate) fn of_cards(rule: u8, from: usize, count: usize, to: usize) -> Self {
        Self::new(rule, from as u8, packed_count(count), to as u8)
    }

    /// A set of one to four cards that leave together, by their piles in ascending order; a pile
    /// that stands there twice gives its top two cards (and then there is no other).
    ///
    /// `from` is the first pile, `to` the last. The count is 0 for a pair, 254 for a single card,
    /// 255 for two cards of one pile. For one pile between them it is 2 more than its distance from
    /// the pile after `from`; for two piles, 2 + the number of piles between `from` and `to` + the
    /// place of the two among all such couples ((0, 1), (0, 2), (1, 2), (0, 3), ...). So four piles
    /// must lie close to each other: [`FOUR_SPAN`].
    pub(crate) fn of_set(rule: u8, piles: &[u8]) -> Self {
        let (first, last) = (piles[0], piles[piles.len() - 1]);
        let count = match *piles {
            [_] => SINGLE,
            [one, other] if one == other => DOUBLE,
            [_, middle, _] => 2 + (middle - first - 1),
            [_, one, other, _] => {
                let (low, high) = (one - first - 1, other - first - 1);
                2 + (last - first - 1) + couples(high) + low
            }
            _ => 0,
        };
        Self::new(rule, first, count, last)
    }

    /// The piles of a set, as [`Self::of_set`] packs them, and their number; `None` if the move is
    /// no set.
    pub(crate) fn set_piles(self) -> Option<([u8; MOST_IN_SET], usize)> {
        let (first, last) = (self.from(), self.to());
        match self.count() {
            0 if first < last => Some(([first, last, 0, 0], 2)),
            SINGLE if first == last => Some(([first, 0, 0, 0], 1)),
            DOUBLE if first == last => Some(([first, last, 0, 0], 2)),
            2..SINGLE if first < last => {
                let (index, between) = (self.count() - 2, last - first - 1);
                let Some(index) = index.checked_sub(between) else {
                    return Some(([first, first + 1 + index, last, 0], 3));
                };
                let high = (1..between.min(FOUR_SPAN)).find(|&high| index < couples(high + 1))?;
                let low = index - couples(high);
                Some(([first, first + 1 + low, first + 1 + high, last], 4))
            }
            _ => None,
        }
    }

    pub(crate) const fn of_script(rule: u8) -> Self {
        Self::new(rule, NONE, 0, NONE)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [rule, from, count, to] = self.0.to_be_bytes();
        write!(formatter, "Move(rule {rule}: {count} from {from} to {to})")
    }
}

pub(crate) fn packed_count(count: usize) -> u8 {
    count.min(255) as u8
}

/// The outcome of a game so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There are legal moves.
    Open,
    /// The aim is reached.
    Won,
    /// There is no legal move.
    Lost,
    /// There is no legal move in a game that only counts points.
    Over,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_packed_as_documented() {
        let packed = Move::new(7, 1, 2, 3);
        assert_eq!(packed.code(), 7 << 24 | 1 << 16 | 2 << 8 | 3);
        assert_eq!((packed.rule(), packed.from(), packed.count(), packed.to()), (7, 1, 2, 3));
        assert_eq!(Move::from_code(packed.code()), packed);
    }

    #[test]
    fn sets_are_unpacked_as_they_were_packed() {
        let mut codes = std::collections::HashSet::new();
        let mut check = |piles: &[u8]| {
            let packed = Move::of_set(3, piles);
            let (unpacked, len) = packed.set_piles().unwrap();
            assert_eq!(&unpacked[..len], piles);
            assert!(codes.insert(packed.code()), "{piles:?} has the code of another set");
        };
        for a in 0..23 {
            check(&[a]);
            check(&[a, a]);
            for b in a + 1..23 {
                check(&[a, b]);
                for c in b + 1..23 {
                    check(&[a, b, c]);
                    (c + 1..23).for_each(|d| check(&[a, b, c, d]));
                }
            }
        }
        check(&[0, 125, 126]);
        check(&[100, 120, 121, 122]);
    }
}
