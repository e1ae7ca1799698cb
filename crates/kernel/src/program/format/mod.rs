//! The program: a game as tables.
//!
//! The compiler in `python/cadogan/rules/compile/` turns a rulebook into a program. It is all
//! that the kernel sees of a game. It holds no code: piles, bit masks, relations between two cards
//! evaluated beforehand, scripts of card transfers, and rules that are closed enums. Its written
//! form is JSON (UTF-8 bytes): masks are hexadecimal strings, piles and cards are small numbers.
//!
//! A *card* is `rank * 4 + suit` with ranks `A = 0 .. K = 12` and suits `C D H S = 0 .. 3`. Cards
//! of several packs with the same face are the same card. A *pile* is an index into
//! [`Source::piles`]. Pile contents are listed bottom card first; the next card of a stock is its
//! last card.
//!
//! Nothing in here is trusted. [`crate::program::compiled::Program::new`] checks every index and
//! bound before a position can exist.

mod action;
mod condition;
mod effect;
mod masks;
mod pile;
mod rule;
mod score;
mod step;

use serde::{Deserialize, Serialize};

pub use action::*;
pub use condition::*;
pub use effect::*;
pub use masks::*;
pub use pile::*;
pub use rule::*;
pub use score::*;
pub use step::*;

/// The version of the format written in [`Source::format`].
pub const FORMAT: u32 = 2;

/// A whole game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Version of this format, [`FORMAT`].
    pub format: u32,
    /// The cards that are shuffled and dealt, as a sorted multiset.
    pub deck: Vec<u8>,
    /// Cards withdrawn before the shuffle and put on piles, in order, face up.
    pub preset: Vec<Preset>,
    /// The pile that holds the shuffled pack when the layout begins (the first card of the deck in
    /// dealing order is its last card), face down.
    pub source_pile: u8,
    /// All piles.
    pub piles: Vec<Pile>,
    /// "May lie on" tables; `relations[r][under]` is the set of cards that may lie on `under`.
    pub relations: Vec<Vec<CardMask>>,
    /// What foundations take, by height.
    pub build_orders: Vec<BuildOrder>,
    /// Numbers that rules count with.
    pub counters: Vec<Counter>,
    /// The steps that lay out the table, in order.
    pub layout: Vec<Step>,
    /// If there are any, and all of them hold when the table is laid out, before forced rules of
    /// play, then the next shuffle of the deal is dealt instead. Decks that are given are dealt as
    /// they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deal_again: Vec<Condition>,
    /// All rules, in the order of the file.
    pub rules: Vec<Rule>,
    /// The game is won when all of these conditions hold. Only a game with a score may have none.
    pub aim: Vec<Condition>,
    /// The points of a game, if it is scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
}

/// A card that lies on a pile before the deal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// The card.
    pub card: u8,
    /// The pile it lies on.
    pub pile: u8,
}

/// A number that rules change and test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counter {
    /// Its name in the rules file.
    pub name: String,
    /// Its value when the layout begins.
    pub start: u16,
    /// It never exceeds this value, so that positions can repeat.
    pub cap: u16,
}
