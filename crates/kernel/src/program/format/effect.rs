//! What rules and steps do to counters.

use serde::{Deserialize, Serialize};

use super::masks::CardMask;

/// What a rule does to a counter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Effect {
    /// The counter becomes this.
    Set {
        /// The counter.
        counter: u8,
        /// The value.
        value: u16,
    },
    /// The counter grows by this.
    Add {
        /// The counter.
        counter: u8,
        /// By how much.
        value: u16,
    },
    /// The counter grows by the number of moved cards of a class (`Move` actions only).
    Count {
        /// The counter.
        counter: u8,
        /// The class.
        cards: CardMask,
    },
    /// The counter becomes the rank (0 .. 12) of the moved card that now lies lowest (`Move`
    /// actions only).
    Rank {
        /// The counter.
        counter: u8,
        /// Whether it keeps a rank that it has, so that only values greater than 12 change.
        once: bool,
    },
    /// The counter becomes a multiple of another counter, or grows by it.
    Tally {
        /// The counter.
        counter: u8,
        /// The other counter, as it is after the effects before this one.
        of: u8,
        /// The factor.
        times: u16,
        /// Whether the counter grows.
        grows: bool,
    },
}
