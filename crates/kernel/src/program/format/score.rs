//! What a game is worth in points.

use serde::{Deserialize, Serialize};

use super::condition::Condition;
use super::masks::{CardMask, PileMask};
use super::step::Runs;

/// What a game is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// Whether many points are good, or few.
    pub aim: Better,
    /// The points at the beginning.
    pub start: i32,
    /// What points are given for.
    pub terms: Vec<Term>,
    /// The points from which a game counts as won when no move is left. Such a game has no other
    /// aim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub won_from: Option<i32>,
}

/// Which of two scores is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// The one with more points.
    Most,
    /// The one with fewer points.
    Fewest,
}

/// What points are given for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Term {
    /// Each card of a class in some piles. Face-down cards count only if the class has all cards.
    Cards {
        /// The piles.
        piles: PileMask,
        /// The class.
        cards: CardMask,
        /// The points for a card.
        points: i32,
    },
    /// The value of a counter.
    Counter {
        /// The counter.
        counter: u8,
        /// The points for each unit.
        points: i32,
    },
    /// Each pile of some runs: of the cards that lie in order from the beginning of lines.
    Runs {
        /// The runs.
        runs: Runs,
        /// The points for a pile.
        points: i32,
    },
    /// Conditions that all hold.
    Bonus {
        /// The conditions.
        when: Vec<Condition>,
        /// The points.
        points: i32,
    },
    /// The best poker hand in each line, of the top cards of its piles.
    Poker {
        /// The lines.
        lines: Vec<Vec<u8>>,
        /// The points for a pair, two pairs, three of a kind, a straight, a flush, a full house,
        /// four of a kind, a straight flush, a royal flush.
        points: [i32; 9],
    },
    /// All that counts at cribbage in each line, of the top cards of its piles.
    Cribbage {
        /// The lines.
        lines: Vec<Vec<u8>>,
        /// The pile of the starter, which counts with each line.
        starter: Option<u8>,
        /// The points for cards that add up to fifteen, a pair, each card of a run, each card of a
        /// flush, the knave of the starter's suit, a knave as the starter.
        points: [i32; 6],
    },
}
