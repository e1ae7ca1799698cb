//! Conditions, and what they compare.

use std::ops::Not;

use serde::{Deserialize, Serialize};

use super::masks::{CardMask, PileMask};

/// A number of cards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Quantity {
    /// All there are.
    All,
    /// A fixed number.
    Fixed {
        /// How many.
        number: u16,
    },
    /// A multiple of a counter.
    Times {
        /// The factor.
        factor: u16,
        /// The counter.
        counter: u8,
    },
    /// A multiple of the number of cards of a class in a pile.
    Held {
        /// The factor.
        factor: u16,
        /// The class.
        cards: CardMask,
        /// The pile.
        pile: u8,
    },
    /// The fewest cards that include a certain number of cards of a class: a multiple of a counter.
    Until {
        /// The factor.
        factor: u16,
        /// The counter.
        counter: u8,
        /// The class that is counted. Cards of other classes in between are taken, too.
        cards: CardMask,
    },
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compare {
    /// Fewer than.
    Below,
    /// Exactly.
    Equal,
    /// As many or more.
    AtLeast,
}

/// A sum of cards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sum {
    /// The sum.
    pub total: u16,
    /// The values of the thirteen ranks.
    pub values: Vec<u8>,
}

/// A condition on a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Condition {
    /// At least this number of these piles are empty.
    Vacant {
        /// The piles.
        piles: PileMask,
        /// How many.
        number: u16,
    },
    /// At least this number of these piles hold a card.
    Filled {
        /// The piles.
        piles: PileMask,
        /// How many.
        number: u16,
    },
    /// At least this number of these piles hold so many cards of a class.
    Each {
        /// The piles.
        piles: PileMask,
        /// How many piles.
        number: u16,
        /// The class.
        cards: CardMask,
        /// The comparison of their number.
        compare: Compare,
        /// With this number.
        held: u16,
        /// Whether only top cards are counted.
        #[serde(default, skip_serializing_if = "Not::not")]
        tops: bool,
    },
    /// Compares the number of cards of a class in these piles.
    Holds {
        /// The piles.
        piles: PileMask,
        /// The class.
        cards: CardMask,
        /// The comparison.
        compare: Compare,
        /// With this number.
        number: u16,
    },
    /// The pile is not empty and its top card is of this class.
    Top {
        /// The pile.
        pile: u8,
        /// The class.
        cards: CardMask,
    },
    /// Compares a counter.
    Counter {
        /// The counter.
        counter: u8,
        /// The comparison.
        compare: Compare,
        /// With this number.
        number: u16,
    },
    /// Compares the number of cards in some piles with that in others.
    Size {
        /// The piles.
        piles: PileMask,
        /// The comparison.
        compare: Compare,
        /// With these piles.
        than: PileMask,
    },
    /// One of these conditions holds: the first if the counter is 0, and so on; none for a greater
    /// value. None of them is `AnyOf`, `Blocked` or `ByCounter`.
    ByCounter {
        /// The counter.
        counter: u8,
        /// The conditions.
        conditions: Vec<Self>,
    },
    /// At least one of these conditions holds. None of them is `AnyOf` or `Blocked`.
    AnyOf {
        /// The conditions.
        conditions: Vec<Self>,
    },
    /// The build orders of all these piles are complete.
    Complete {
        /// The piles.
        piles: PileMask,
    },
    /// The cards of each line lie face up and in order, and at least one line has cards. A line is
    /// read pile by pile, each from the bottom; piles after its first empty one must be empty, too,
    /// unless gaps are allowed.
    Ordered {
        /// The lines, each with its piles in order.
        lines: Vec<Vec<u8>>,
        /// The relation of a card to the one before it.
        relation: u8,
        /// The length of each sequence, if a line consists of sequences of equal length; 0 if it is
        /// a single sequence of any length.
        length: u16,
        /// Whether piles may be empty anywhere in a line.
        #[serde(default, skip_serializing_if = "Not::not")]
        gaps: bool,
        /// The cards with which a line must begin, if not any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first: Option<CardMask>,
    },
    /// No pile of the lines is empty, and the top cards of each line lie face up and add up to the
    /// sum.
    Sums {
        /// The lines, each with its piles.
        lines: Vec<Vec<u8>>,
        /// The sum.
        sum: Sum,
    },
    /// The score is at least this good: this many points, or more if more are better. Only the
    /// search asks for it.
    Score {
        /// The points.
        points: i64,
    },
    /// None of these rules has an instance from any of these piles. Only the actions may be asked
    /// for that [`super::Action`] allows, and only if they ask for no `Blocked` themselves.
    Blocked {
        /// The rules.
        rules: Vec<u8>,
        /// The sources that are tested.
        from: PileMask,
    },
}
