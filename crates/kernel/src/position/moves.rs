//! Values: a move, an open choice, the outcome of a game.

use std::fmt;

/// No pile, or no rule.
pub(crate) const NONE: u8 = 255;

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
/// has count 255.
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
}
