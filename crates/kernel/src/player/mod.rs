//! Players that see what a person sees: what comes of a deal when nobody knows it beforehand.
//!
//! [`play_out`] takes moves at random, or those that look best; [`play_fair`] weighs them in
//! layouts that it imagines ([`fair`]), with a memory of the cards it has seen ([`memory`]). None
//! of them goes back to a position that it has met in the same game, so that every game ends; which
//! one is played depends on a seed and on nothing else that is not told here.

pub(crate) mod belief;
pub(crate) mod fair;
pub(crate) mod game;
mod progress;
