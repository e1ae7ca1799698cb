//! Search spaces: positions, the steps between them, and the prunings.

pub(crate) mod blockade;
pub(crate) mod card_links;
pub(crate) mod card_sets;
pub(crate) mod columns;
pub(crate) mod counting;
pub(crate) mod deadlock;
pub(crate) mod equivalence;
pub(crate) mod evaluation;
pub(crate) mod filling;
pub(crate) mod foundation_order;
pub(crate) mod general;
mod known_locks;
pub(crate) mod merging;
mod ordering;
pub(crate) mod pairing;
mod piles;
mod plain_deal;
pub(crate) mod result;
pub(crate) mod safe_moves;
pub(crate) mod safe_play;
pub(crate) mod settled;
pub(crate) mod space;
pub(crate) mod stock_macro;
pub(crate) mod stock_rules;
mod stock_walk;
