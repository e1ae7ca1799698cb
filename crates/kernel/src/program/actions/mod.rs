//! The kinds of rule before play: one module for each kind.
//!
//! A kind defines what makes it valid, its compiled form, which of its rules can make the same
//! move, what it reads and writes ([`add_footprint`]) and what sort of move it makes. The module of
//! the same name in `play/actions` lists, tests and applies its moves. A kind with a missing part
//! does not compile.

pub(crate) mod beat;
pub(crate) mod joint;
pub(crate) mod pair;
pub(crate) mod script;
pub(crate) mod stretch;
mod swap;
pub(crate) mod transfer;
mod turn_up;

use crate::bits::bits;
use crate::program::actions::beat::CompiledBeat;
use crate::program::actions::joint::CompiledJoint;
use crate::program::actions::pair::CompiledPair;
use crate::program::actions::stretch::CompiledStretch;
use crate::program::actions::transfer::CompiledMove;
use crate::program::footprint::{Footprint, list};
use crate::program::format::{Action, Rule, Source, Step, SwapAction};
use crate::program::validate::{Check, Checked};

/// A compiled action.
#[derive(Debug)]
pub(crate) enum CompiledAction {
    Move(Box<CompiledMove>),
    Joint(Box<CompiledJoint>),
    Pair(Box<CompiledPair>),
    Stretch(Box<CompiledStretch>),
    Beat(Box<CompiledBeat>),
    Swap(SwapAction),
    TurnUp(u128),
    Script(Box<[Step]>),
}

/// What sort of move a rule makes. Move scores depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// To a foundation, by its build order.
    Play,
    /// From pile to pile.
    Plain,
    /// Cards leave the game.
    Discard,
    /// Cards change places.
    Swap,
    /// Cards are dealt.
    Deal,
    /// Piles are taken together for a redeal.
    Gather,
}

impl CompiledAction {
    /// The piles that a rule takes top cards from, or on whose top cards it builds.
    pub(super) fn piles_asked(&self) -> u128 {
        match self {
            Self::Move(plan) if plan.action.build.is_some() => plan.from_mask | plan.to_mask,
            Self::Move(plan) => plan.from_mask,
            Self::Joint(plan) => {
                plan.together.iter().fold(0, |piles, part| piles | list(&part.from))
            }
            _ => 0,
        }
    }

    /// Compiles an action.
    pub(super) fn new(action: &Action, program: &Source) -> Self {
        match action {
            Action::Move(action) => Self::Move(Box::new(CompiledMove::new(action, program))),
            Action::Joint(action) => Self::Joint(Box::new(CompiledJoint::new(action, program))),
            Action::Pair(action) => {
                Self::Pair(Box::new(CompiledPair::new(action, program.piles.len())))
            }
            Action::Stretch(action) => Self::Stretch(Box::new(CompiledStretch::new(action))),
            Action::Beat(action) => Self::Beat(Box::new(CompiledBeat::new(action))),
            Action::Swap(action) => Self::Swap(action.clone()),
            Action::TurnUp { turn_up } => Self::TurnUp(turn_up.0),
            Action::Script { steps } => Self::Script(steps.clone().into()),
        }
    }

    /// Whether two rules can make the same move. Rules of different kinds cannot, nor can two
    /// scripts.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        match self {
            Self::Move(this) => matches!(other, Self::Move(other) if this.overlaps(other)),
            Self::Joint(this) => matches!(other, Self::Joint(other) if this.overlaps(other)),
            Self::Pair(this) => matches!(other, Self::Pair(other) if this.overlaps(other)),
            Self::Stretch(this) => {
                matches!(other, Self::Stretch(other) if this.overlaps(other))
            }
            Self::Beat(this) => matches!(other, Self::Beat(other) if this.overlaps(other)),
            Self::Swap(this) => {
                matches!(other, Self::Swap(other) if swap::overlaps(this, other))
            }
            Self::TurnUp(_) | Self::Script(_) => false,
        }
    }

    /// The pairs of piles between which its moves go, by the first pile; 255 stands for no pile.
    pub(crate) fn pile_pairs(&self) -> Vec<(u8, u8)> {
        let with = |from: usize, others: u128| bits(others).map(move |to| (from as u8, to as u8));
        match self {
            Self::Move(plan) => {
                bits(plan.from_mask).flat_map(|from| with(from, plan.targets[from])).collect()
            }
            Self::Joint(plan) => plan.pile_pairs(),
            Self::Pair(plan) => {
                let later = |from: usize| plan.partners[from] & u128::MAX << from;
                bits(plan.from_mask).flat_map(|from| with(from, later(from))).collect()
            }
            Self::Stretch(plan) => plan.ends().collect(),
            Self::Beat(plan) => bits(plan.with).flat_map(|from| with(from, plan.beaten)).collect(),
            Self::Swap(plan) => swap::pile_pairs(plan),
            // Only forced rules turn up cards.
            Self::TurnUp(_) => Vec::new(),
            Self::Script(_) => vec![(u8::MAX, u8::MAX)],
        }
    }

    /// The piles of a row, if the rule closes it up and does nothing else, and if the order of the
    /// row is that of the piles; otherwise none.
    pub(super) fn row_closed(&self) -> u128 {
        match self {
            Self::Script(steps) => match &**steps {
                [Step::CloseUp { piles }] if piles.is_sorted() => list(piles),
                _ => 0,
            },
            _ => 0,
        }
    }

    /// The sort of its moves.
    pub(crate) fn sort(&self) -> Sort {
        match self {
            Self::Move(plan) if plan.action.build_order => Sort::Play,
            Self::Joint(_) => Sort::Play,
            Self::Pair(_) | Self::Stretch(_) | Self::Beat(_) => Sort::Discard,
            Self::Move(_) | Self::TurnUp(_) => Sort::Plain,
            Self::Swap(_) => Sort::Swap,
            Self::Script(steps) if script::gathers(steps) => Sort::Gather,
            Self::Script(_) => Sort::Deal,
        }
    }
}

impl Check<'_> {
    /// Validates what a rule does.
    pub(super) fn action(&self, rule: &Rule) -> Checked {
        match &rule.action {
            Action::Move(action) => self.moving(action),
            Action::Joint(action) => self.joint(action),
            Action::Pair(action) => self.pair(action),
            Action::Stretch(action) => self.stretch(action),
            Action::Beat(action) => self.beat(action),
            Action::Swap(action) => self.swap(action),
            Action::TurnUp { turn_up } => self.turn_up(rule, *turn_up),
            Action::Script { steps } => self.steps(steps, false),
        }
    }
}

/// Adds what an action reads and writes.
fn add_footprint(program: &Source, action: &Action, footprint: &mut Footprint) {
    match action {
        Action::Move(action) => transfer::add_footprint(program, action, footprint),
        Action::Joint(action) => joint::add_footprint(program, action, footprint),
        Action::Pair(action) => pair::add_footprint(action, footprint),
        Action::Stretch(action) => stretch::add_footprint(action, footprint),
        Action::Beat(action) => beat::add_footprint(action, footprint),
        Action::Swap(action) => swap::add_footprint(program, action, footprint),
        Action::TurnUp { turn_up } => turn_up::add_footprint(turn_up.0, footprint),
        Action::Script { steps } => {
            for step in steps {
                script::add_footprint(program, step, footprint);
            }
        }
    }
}

/// The footprints of all rules, and that of the aim.
pub(super) fn footprints(program: &Source) -> (Box<[Footprint]>, Footprint) {
    let rules = || program.rules.iter();
    // A rule that `Blocked` names has no `Blocked` itself.
    let plain: Box<[Footprint]> = rules().map(|rule| footprint(program, rule, &[])).collect();
    let all = rules().map(|rule| footprint(program, rule, &plain)).collect();
    let mut aim = Footprint::default();
    program.aim.iter().for_each(|condition| aim.add_condition(condition, &plain));
    let score = program.score.iter().flat_map(|score| &score.terms);
    score.for_each(|term| term.add_to(&mut aim, &plain));
    (all, aim)
}

/// The footprint of a rule, given those of the rules that `Blocked` may name.
fn footprint(program: &Source, rule: &Rule, named: &[Footprint]) -> Footprint {
    let mut footprint = Footprint::default();
    rule.when.iter().for_each(|condition| footprint.add_condition(condition, named));
    add_footprint(program, &rule.action, &mut footprint);
    if !matches!(rule.action, Action::Script { .. }) {
        // Whether a card is open depends on the piles that may cover it.
        for pile in bits(footprint.takes | footprint.puts() | footprint.turns) {
            let covers = program.piles.get(pile).map_or(&[][..], |pile| &pile.open_when);
            footprint.reads |= covers.iter().fold(0, |piles, mask| piles | mask.0);
        }
    }
    rule.effects.iter().for_each(|effect| footprint.add_effect(effect));
    footprint.classes.sort_unstable();
    footprint.classes.dedup();
    footprint
}
