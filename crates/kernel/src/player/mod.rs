//! Players that see only what a person sees, to measure how often deals are won without knowing the
//! hidden cards.
//!
//! [`game::play_out`] plays random moves, or those with the best scores. [`fair::play_fair`]
//! evaluates moves in imagined layouts ([`fair`]), and remembers the cards that it has seen
//! ([`belief`]). No player returns to a position that it has visited in the same game, so every
//! game ends. Apart from the deal and the options, a game depends only on a seed.

pub(crate) mod belief;
pub(crate) mod fair;
pub(crate) mod game;
mod hindsight;
mod plan;
pub(crate) mod progress;
mod takeback;
pub(crate) mod thinker;
mod world;
