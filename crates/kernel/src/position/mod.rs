//! A position, and the only operations that change it.

pub(crate) mod journal;
pub(crate) mod moves;
pub(crate) mod state;
