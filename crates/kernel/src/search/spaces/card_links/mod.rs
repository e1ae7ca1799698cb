//! The card-links space: a fast space for games of one or two packs with interchangeable piles.
//!
//! A position is one link for every card: what it lies on. There are no lists of cards, and the
//! piles of a zone need no numbers. Moving a card to another card, or to an empty pile, changes one
//! link, whatever lies on it. Cards of a stock lie side by side, and all those that can be reached
//! by turning it count as top cards (`stock.rs`). Links distinguish the copies of a card, keys do
//! not (`packs.rs`). `tables.rs` decides which programs this space handles; all others are
//! searched in the general space. A line is translated into moves of play by playing it there
//! (`line.rs`).

mod automatic;
pub(crate) mod digging;
mod distance;
pub(crate) mod game;
pub(crate) mod keys;
mod kinds;
pub(crate) mod line;
mod listing;
mod numbers;
mod order;
pub(crate) mod packs;
mod rearrangements;
mod relaxed;
mod reserve_macro;
pub(crate) mod space;
mod splits;
pub(crate) mod step;
pub(crate) mod stock;
pub(crate) mod tables;
mod update;
