//! What a strategy searches: positions, steps between them, and what may be left out.

pub(crate) mod deadlock;
pub(crate) mod equivalence;
pub(crate) mod evaluation;
pub(crate) mod general;
pub(crate) mod linked;
mod ordering;
pub(crate) mod result;
pub(crate) mod space;
pub(crate) mod stock_macro;
pub(crate) mod stock_rules;
