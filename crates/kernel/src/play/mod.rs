//! What may happen and what must.

mod condition;
pub(crate) mod deal;
mod forced;
mod generate;
mod joint;
pub(crate) mod legality;
pub(crate) mod make;
pub(crate) mod script;
