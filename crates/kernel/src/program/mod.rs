//! A game as tables: everything that is known before the first card is dealt.

pub(crate) mod actions;
pub(crate) mod compiled;
pub(crate) mod footprint;
pub(crate) mod format;
pub(crate) mod hash;
pub(crate) mod lone_transfer;
pub(crate) mod redeal;
pub(crate) mod rule_set;
pub(crate) mod score;
pub(crate) mod top_sets;
pub(crate) mod triggers;
pub(crate) mod validate;

pub use format::*;
