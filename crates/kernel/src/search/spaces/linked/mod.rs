//! A quick space for games of one pack whose piles are alike.
//!
//! A position is a link for every card: what it lies on. No pile is kept as a list, and piles of a
//! zone need no names: a card that is laid on another, or on an empty pile, changes one link,
//! whatever lies on it. Cards of a stock lie side by side, and those that can be reached by turning
//! it are all on top (`stock.rs`). Which programs can be done so, `tables.rs` says; all others are
//! left to the general space. The moves are those of play: a line is told in them by playing it
//! there (`line.rs`).

pub(crate) mod keys;
pub(crate) mod line;
mod relaxed;
mod reserve_macro;
pub(crate) mod safe_play;
pub(crate) mod space;
pub(crate) mod step;
mod stock;
pub(crate) mod tables;
mod update;
