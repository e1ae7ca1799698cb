//! The card-sets space: positions as sets, where the arrangement of cards does not matter.

pub(crate) mod line;
mod relaxed;
pub(crate) mod space;
pub(crate) mod tables;
