//! When a rule may be used.

use crate::program::format::{Compare, Condition};

/// When a rule may be used.
#[derive(Clone, Debug, Default)]
pub(super) struct When {
    /// Only once all of the stock is dealt.
    pub(super) at_last: bool,
    /// Only if counters compare with numbers as asked.
    pub(super) counts: Vec<(u8, Compare, u16)>,
}

impl When {
    /// None if a rule asks for something else. `later` are the stock and the hand, if there is one.
    pub(super) fn new(conditions: &[Condition], later: u128) -> Option<Self> {
        let mut when = Self::default();
        for condition in conditions {
            match condition {
                Condition::Vacant { piles, number }
                    if piles.0 == later && u32::from(*number) == later.count_ones() =>
                {
                    when.at_last = true;
                }
                &Condition::Counter { counter, compare, number } => {
                    when.counts.push((counter, compare, number));
                }
                _ => return None,
            }
        }
        Some(when)
    }
}
