//! A game as tables: what is known before the first card is dealt.

pub(crate) mod actions;
pub(crate) mod compiled;
pub(crate) mod footprint;
pub(crate) mod format;
pub(crate) mod hash;
pub(crate) mod triggers;
pub(crate) mod validate;

pub use format::*;
