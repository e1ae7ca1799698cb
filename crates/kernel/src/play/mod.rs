//! Legal moves and forced moves.

mod actions;
mod awake;
pub(crate) mod condition;
pub(crate) mod deal;
pub(crate) mod forced;
mod generate;
pub(crate) mod hands;
pub(crate) mod legality;
pub(crate) mod lines;
pub(crate) mod make;
pub(crate) mod score;
pub(crate) mod tops;
