//! The strategies that search a space.

pub(crate) mod beam;
pub(crate) mod best_first;
pub(crate) mod depth_first;
mod explorer;
pub(crate) mod hierarchy;
pub(crate) mod nrpa;
pub(crate) mod paused;
pub(crate) mod playouts;
pub(crate) mod restarts;
pub(crate) mod run_beam;
pub(crate) mod scans;
pub(crate) mod stage_beam;
