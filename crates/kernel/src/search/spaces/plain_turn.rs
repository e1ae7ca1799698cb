//! Turns of a stock that only move a number of top cards between the stock and the waste.
//!
//! What such a turn comes to follows from the cards of the two piles alone, without a position.

use crate::program::actions::CompiledAction;
use crate::program::compiled::{CompiledRule, Program};
use crate::program::format::{Condition, DealtTo, Effect, End, Face, Quantity, Step};

/// A turn that moves top cards from one of the two piles to the top of the other.
#[derive(Debug)]
pub(crate) struct PlainTurn {
    pub(crate) rule: u8,
    /// The pile that gives cards to the other one.
    pub(crate) from: u8,
    /// The most cards that it moves.
    pub(crate) number: usize,
    /// Whether the cards come to lie in reverse order.
    pub(crate) reverse: bool,
    pub(crate) face: Face,
    /// The counters that it changes.
    pub(crate) changes: Box<[CounterChange]>,
}

/// What a turn does to a counter.
#[derive(Debug)]
pub(crate) struct CounterChange {
    pub(crate) counter: u8,
    /// Whether the counter grows by the value, or becomes it.
    grows: bool,
    value: u16,
    /// The most that the counter can be.
    cap: u16,
}

impl CounterChange {
    fn new(program: &Program, effect: &Effect) -> Option<Self> {
        let (counter, grows, value) = match *effect {
            Effect::Set { counter, value } => (counter, false, value),
            Effect::Add { counter, value } => (counter, true, value),
            _ => return None,
        };
        let cap = program.source().counters[usize::from(counter)].cap;
        Some(Self { counter, grows, value, cap })
    }

    /// The counter afterwards.
    pub(crate) fn after(&self, before: u16) -> u16 {
        let begin = if self.grows { before } else { 0 };
        begin.saturating_add(self.value).min(self.cap)
    }
}

impl PlainTurn {
    /// A turn by a rule, if it is plain and it depends only on the counters and on which piles are
    /// empty whether it is legal, as long as no pile is full.
    pub(crate) fn new(program: &Program, rule: u8) -> Option<Self> {
        let CompiledRule { kind, when, duplicates, effects, .. } =
            &program.plans[usize::from(rule)];
        let CompiledAction::Script(steps) = kind else { return None };
        let (from, to, number, reverse, face) = match &**steps {
            [
                Step::Deal {
                    from,
                    then,
                    to,
                    each,
                    face,
                    only: DealtTo::Any,
                    apart: None,
                    leave,
                    terms,
                },
            ] => {
                let &[to] = &to[..] else { return None };
                let is_plain = then.is_empty() && leave.is_empty() && terms.is_empty();
                is_plain.then_some((*from, to, usize::from(*each), true, *face))?
            }
            [Step::Take { from, number, end: End::Top, to, at: End::Top, turned, face }] => {
                let number = match number {
                    Quantity::All => usize::MAX,
                    Quantity::Fixed { number } => usize::from(*number),
                    _ => return None,
                };
                (*from, *to, number, *turned, *face)
            }
            _ => return None,
        };
        let is_simple = |condition: &Condition| {
            matches!(
                condition,
                Condition::Vacant { .. } | Condition::Filled { .. } | Condition::Counter { .. }
            )
        };
        let changes = effects.iter().map(|effect| CounterChange::new(program, effect));
        let changes = changes.collect::<Option<_>>()?;
        let is_plain = from != to && duplicates.is_empty() && when.iter().all(is_simple);
        is_plain.then_some(Self { rule, from, number, reverse, face, changes })
    }
}
