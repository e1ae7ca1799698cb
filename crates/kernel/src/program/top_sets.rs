//! What rules ask of the top cards of piles, so that play can keep the answers.

use crate::program::actions::CompiledAction;
use crate::program::actions::transfer::CompiledMove;

/// The most sets of piles, and the most builds on them, that are kept.
const MOST: usize = 64;

/// The sets of piles from which, or on which, rules move single top cards.
#[derive(Debug, Default)]
pub(crate) struct TopSets {
    /// Each set once.
    pub(crate) piles: Vec<u128>,
    /// For each pile the sets that have it, as a mask.
    pub(crate) with: Box<[u64]>,
    /// Each relation by which a rule builds on the top cards of a set: that set and the relation.
    pub(crate) builds: Vec<(u8, u8)>,
    /// For each pile the `builds` on sets that have it, as a mask.
    pub(crate) builds_on: Box<[u64]>,
    /// By rule, what it asks; none if it moves no single top cards that lie face up.
    pub(crate) rules: Box<[Option<TopMove>]>,
}

/// Which top cards a rule may move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TopMove {
    /// The set of its sources, and the cards that it moves.
    pub(crate) from: u8,
    pub(crate) which: u64,
    /// Its targets, and the cards that it may move to those that are empty.
    pub(crate) to: u128,
    pub(crate) space: u64,
    /// The cards that it may move to the others.
    pub(crate) onto: Onto,
}

/// The cards that a rule may move to targets that are not empty, or to any by a build order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Onto {
    /// None.
    Nothing,
    /// Any card.
    AnyCard,
    /// Those that fit the top card of a target: an index of [`TopSets::builds`].
    Build(u8),
    /// Those that the build order of a target of a set wants.
    BuildOrder(u8),
}

impl TopSets {
    /// Those of the rules in order.
    pub(super) fn new<'r>(rules: impl Iterator<Item = &'r CompiledAction>, piles: usize) -> Self {
        let mut sets = Self::default();
        sets.rules = rules.map(|kind| sets.add(kind)).collect();
        let those = |test: &dyn Fn(usize) -> bool, count: usize| {
            (0..count).filter(|&at| test(at)).fold(0, |mask, at| mask | 1 << at)
        };
        let has = |set: usize, pile: usize| sets.piles[set] >> pile & 1 != 0;
        let with = |pile| those(&|set| has(set, pile), sets.piles.len());
        let builds_on = |pile| those(&|at| has(sets.builds[at].0.into(), pile), sets.builds.len());
        let (with, builds_on) =
            ((0..piles).map(with).collect(), (0..piles).map(builds_on).collect());
        (sets.with, sets.builds_on) = (with, builds_on);
        sets
    }

    fn add(&mut self, kind: &CompiledAction) -> Option<TopMove> {
        let CompiledAction::Move(plan) = kind else { return None };
        if !plan.takes_shown_top() {
            return None;
        }
        let from = position(&mut self.piles, plan.from_mask)?;
        let onto = self.onto(plan)?;
        let [least, _] = plan.action.to_holds;
        let takes_first = least == 0 && !plan.action.build_order;
        let space = if takes_first { plan.action.space.0 } else { 0 };
        Some(TopMove { from, which: plan.action.which.0, to: plan.to_mask, space, onto })
    }

    fn onto(&mut self, plan: &CompiledMove) -> Option<Onto> {
        let [_, most] = plan.action.to_holds;
        if !plan.action.build_order && most == 0 {
            return Some(Onto::Nothing);
        }
        let mut set = || position(&mut self.piles, plan.to_mask);
        if plan.action.build_order {
            return set().map(Onto::BuildOrder);
        }
        let Some(relation) = plan.action.build else { return Some(Onto::AnyCard) };
        let set = set()?;
        position(&mut self.builds, (set, relation)).map(Onto::Build)
    }
}

/// The place of a value in a list, to which it is added if it is not there; none if there is no
/// room.
fn position<T: PartialEq>(list: &mut Vec<T>, value: T) -> Option<u8> {
    let place = list.iter().position(|other| *other == value);
    let place = place.or_else(|| {
        list.push(value);
        Some(list.len() - 1)
    })?;
    if place >= MOST {
        list.truncate(MOST);
        return None;
    }
    Some(place as u8)
}
