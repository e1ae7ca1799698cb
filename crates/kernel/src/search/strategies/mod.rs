//! How a space is searched.

pub(crate) mod beam;
pub(crate) mod best_first;
pub(crate) mod depth_first;
mod explorer;
pub(crate) mod nrpa;
pub(crate) mod restarts;
