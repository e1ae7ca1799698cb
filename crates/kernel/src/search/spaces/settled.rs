//! What can no longer change after a position: rules that are spent, and bases of foundations.
//!
//! *A rule is spent* if one of its conditions compares a counter, does not hold, and never will. It
//! never will if only spent rules change that counter: none of them can be the first to be used
//! again. So the largest set of rules of which each has such a condition is spent.
//!
//! *A condition lasts* if it compares a counter, holds, and no rule that is not spent changes that
//! counter.
//!
//! *A base is settled* if it is known and no rule that is not spent changes it. An effect that only
//! sets a base that is not known yet does not change one that is known.

use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::{Action, Condition, During, Effect, Step};

/// The highest rank.
const KING: u16 = 12;

/// For each rule whether it can never be used again after a position.
pub(crate) fn spent_rules(program: &Program, root: &State) -> Vec<bool> {
    let rules = &program.source().rules;
    let fails = |condition: &Condition| match condition {
        Condition::Counter { counter, .. } if !root.holds(program, condition) => Some(*counter),
        _ => None,
    };
    let failing = |at: usize| rules[at].when.iter().filter_map(fails);
    let mut spent: Vec<bool> = (0..rules.len())
        .map(|at| rules[at].during == During::Layout || failing(at).next().is_some())
        .collect();
    loop {
        let changing = changing_counters(program, root, &spent);
        let before = spent.clone();
        for (at, spent) in spent.iter_mut().enumerate() {
            *spent = rules[at].during == During::Layout
                || *spent && failing(at).any(|counter| changing >> counter & 1 == 0);
        }
        if spent == before {
            return spent;
        }
    }
}

/// For each rule whether all its conditions hold at a position and at all later ones.
pub(crate) fn lasting_rules(program: &Program, root: &State, spent: &[bool]) -> Vec<bool> {
    let changing = changing_counters(program, root, spent);
    let lasts = |condition: &Condition| match condition {
        Condition::Counter { counter, .. } => {
            changing >> counter & 1 == 0 && root.holds(program, condition)
        }
        _ => false,
    };
    program.source().rules.iter().map(|rule| rule.when.iter().all(lasts)).collect()
}

/// The counters that rules change which are not spent, as a mask.
fn changing_counters(program: &Program, root: &State, spent: &[bool]) -> u32 {
    let mut changing = 0;
    for (rule, _) in program.source().rules.iter().zip(spent).filter(|(_, spent)| !**spent) {
        for effect in rule.effects.iter().filter(|effect| is_at_work(root, effect)) {
            let (Effect::Set { counter, .. }
            | Effect::Add { counter, .. }
            | Effect::Count { counter, .. }
            | Effect::Rank { counter, .. }
            | Effect::Tally { counter, .. }) = effect;
            changing |= 1u32 << counter;
        }
        if let Action::Script { steps } = &rule.action {
            for step in steps {
                if let Step::Base { counter, .. } = step {
                    changing |= 1 << counter;
                }
            }
        }
    }
    changing
}

/// Whether an effect may still change its counter, as long as no other effect does.
pub(crate) fn is_at_work(root: &State, effect: &Effect) -> bool {
    match effect {
        Effect::Rank { counter, once } => !once || root.counters()[usize::from(*counter)] > KING,
        Effect::Set { .. } | Effect::Add { .. } | Effect::Count { .. } | Effect::Tally { .. } => {
            true
        }
    }
}

/// For each build order the place in its `wants` at which a pile begins; none if that is not
/// settled, or if what a pile wants depends on more than its height and its top card.
pub(crate) fn settled_bases(program: &Program, root: &State) -> Option<Vec<usize>> {
    let has_base = program.build_orders.iter().any(|build_order| build_order.base.is_some());
    let changing =
        if has_base { changing_counters(program, root, &spent_rules(program, root)) } else { 0 };
    let place = |build_order: &crate::program::compiled::BuildOrder| {
        if !build_order.is_plain {
            return None;
        }
        let Some(base) = build_order.base else { return Some(0) };
        let rank = usize::from(root.counters()[usize::from(base)]);
        let place = build_order.places.get(rank).copied().filter(|&place| place != u8::MAX)?;
        (changing >> base & 1 == 0).then_some(usize::from(place))
    };
    program.build_orders.iter().map(place).collect()
}
