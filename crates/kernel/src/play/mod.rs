//! What may happen and what must.

mod actions;
mod condition;
pub(crate) mod deal;
mod forced;
mod generate;
pub(crate) mod legality;
pub(crate) mod make;
