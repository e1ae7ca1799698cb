//! Piles, and what foundations take.

use std::ops::Not;

use serde::{Deserialize, Serialize};

use super::masks::{CardMask, PileMask};

/// A place for cards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pile {
    /// Its name, `garden.3`, or `stock` when its group has one pile.
    pub name: String,
    /// Piles of one class may be interchanged without changing the game; a pile that cannot be
    /// interchanged has a class of its own.
    pub class: u8,
    /// The most cards it can ever hold.
    pub capacity: u16,
    /// Index into [`build_orders`](super::Source::build_orders), if the pile has a build order.
    pub build_order: Option<u8>,
    /// If there are any, its cards are *open* only while all piles of one of these sets are empty.
    /// Otherwise, no rule but a script moves them, puts cards on them or turns them up. A vacancy
    /// is always open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open_when: Vec<PileMask>,
}

/// What a foundation takes, card by card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub struct BuildOrder {
    /// The cards wanted at height 0, 1, 2, ... (all suits; the suit rule is `relation`).
    pub wants: Vec<CardMask>,
    /// Relation that the card must also have to the top card, usually "same suit".
    pub relation: Option<u8>,
    /// Counter with the base rank, if it becomes known only after the deal. The pile begins with a
    /// card of that rank and continues with the cards that follow it in `wants`, from the last one
    /// on with the first. While the counter is greater than 12, the base is not known yet: an empty
    /// pile wants every card of `wants`.
    pub base: Option<u8>,
    /// Whether a suit may begin on one pile only: an empty pile wants no card of a suit that lies
    /// at the bottom of another pile with this build order.
    pub one_suit_each: bool,
    /// Other ways to build a pile, as long as `wants`. The second card of a pile decides which way
    /// it is built.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ways: Vec<Vec<CardMask>>,
    /// Whether all piles are built the same way: that of the first of them with two cards.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub one_way: bool,
    /// Whether each pile begins with any card of `wants` and continues with those that follow it.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub own_base: bool,
    /// Whether a bottom card that is not wanted there may wait there. Nothing is wanted on it, and
    /// moves take only such cards from the pile.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub waits: bool,
}

/// How cards lie after a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Face {
    /// As before.
    Keep,
    /// Face up.
    Up,
    /// Face down.
    Down,
}
