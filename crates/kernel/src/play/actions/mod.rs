//! The kinds of rule in play: one module for each kind.
//!
//! A kind lists its instances, tests one, and applies one by the primitive operations of
//! `position/state.rs`, which record how to undo it. List and test must agree: a property test
//! calls [`State::is_legal`] with every possible code. A kind with a missing part does not compile.

mod beat;
mod joint;
mod pair;
pub(super) mod script;
mod simple;
mod stretch;
mod swap;
pub(super) mod transfer;
mod turn_up;

use std::ops::ControlFlow;

use crate::play::tops::Tops;
use crate::position::journal::Journal;
use crate::position::moves::{Move, NONE};
use crate::position::state::State;
use crate::program::actions::CompiledAction;
use crate::program::compiled::Program;

impl CompiledAction {
    /// Whether a set of cards may leave of which one comes from some piles.
    pub(super) fn takes_set_from(&self, state: &State, program: &Program, from: u128) -> bool {
        match self {
            Self::Pair(plan) => state.takes_set_from(program, plan, from),
            _ => false,
        }
    }

    /// Whether a move takes a card from a pile; in doubt, yes.
    pub(crate) fn may_take_from(&self, pile: u8, played: Move) -> bool {
        match self {
            Self::Move(_) => played.from() == pile,
            Self::Joint(_) => played.from() == pile || played.to() == pile,
            Self::Pair(_) => {
                played.set_piles().is_none_or(|(piles, number)| piles[..number].contains(&pile))
            }
            Self::Stretch(_)
            | Self::Beat(_)
            | Self::Swap { .. }
            | Self::TurnUp(_)
            | Self::Script(_) => true,
        }
    }

    /// All moves that it can make in any position, as of rule 0, in ascending order, if they are
    /// sets of cards that two piles do not describe.
    pub(crate) fn possible_sets(&self) -> Option<Vec<Move>> {
        match self {
            Self::Pair(plan) => plan.possible_sets(),
            Self::Beat(plan) => Some(plan.possible_moves()),
            _ => None,
        }
    }
}

impl State {
    /// Visits the instances of a rule until `visit` breaks. Ignores its `when`. A rule that moves
    /// cards is asked only for those from some piles. `tops` must be of this position.
    pub(crate) fn for_each_move(
        &self,
        program: &Program,
        rule: u8,
        sources: u128,
        tops: &Tops,
        mut visit: impl FnMut(Move) -> bool,
    ) -> ControlFlow<()> {
        match &program.plans[usize::from(rule)].kind {
            CompiledAction::Move(plan) => {
                self.move_instances(program, plan, sources, tops, |from, count, to| {
                    visit(Move::of_cards(rule, from, count, to))
                })
            }
            CompiledAction::Joint(plan) => {
                self.joint_instances(program, plan, tops, |first, second| {
                    visit(Move::new(rule, first, 0, second))
                })
            }
            CompiledAction::Pair(plan) => self.pair_instances(program, plan, |set| {
                visit(Move::new(rule, set.from(), set.count(), set.to()))
            }),
            CompiledAction::Stretch(plan) => {
                self.stretch_instances(program, plan, |first, last| {
                    visit(Move::new(rule, first, 0, last))
                })
            }
            CompiledAction::Beat(plan) => self.beat_instances(program, plan, |beat| {
                visit(Move::new(rule, beat.from(), beat.count(), beat.to()))
            }),
            CompiledAction::Swap(action) => {
                self.swap_instances(program, action, |from, to| visit(Move::new(rule, from, 0, to)))
            }
            CompiledAction::TurnUp(piles) => self
                .turn_up_instances(program, *piles, |pile| visit(Move::new(rule, pile, 0, NONE))),
            CompiledAction::Script(steps) => {
                if self.is_script_possible(program, rule, steps) && !visit(Move::of_script(rule)) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            }
        }
    }

    /// Whether a move is an instance of a rule. Ignores the rule's `when` and the rule of the move.
    pub(crate) fn is_instance(&self, program: &Program, rule: u8, instance: Move) -> bool {
        match &program.plans[usize::from(rule)].kind {
            CompiledAction::Move(plan) => self.is_move_instance(program, plan, instance),
            CompiledAction::Joint(plan) => {
                instance.count() == 0
                    && self.is_joint_instance(program, plan, instance.from(), instance.to())
            }
            CompiledAction::Pair(plan) => self.is_pair_instance(program, plan, instance),
            CompiledAction::Stretch(plan) => self.is_stretch_instance(program, plan, instance),
            CompiledAction::Beat(plan) => self.is_beat_instance(program, plan, instance),
            CompiledAction::Swap(action) => self.is_swap_instance(program, action, instance),
            CompiledAction::TurnUp(piles) => self.is_turn_up_instance(program, *piles, instance),
            CompiledAction::Script(steps) => {
                (instance.from(), instance.count(), instance.to()) == (NONE, 0, NONE)
                    && self.is_script_possible(program, rule, steps)
            }
        }
    }

    /// Applies a move and the effects of its rule, but no forced moves.
    pub(crate) fn apply(&mut self, program: &Program, journal: &mut Journal, played: Move) {
        let plan = &program.plans[usize::from(played.rule())];
        let (from, to) = (usize::from(played.from()), usize::from(played.to()));
        let mut moved = 0;
        match &plan.kind {
            CompiledAction::Move(action) => {
                moved = self.apply_move(program, journal, action, played);
            }
            CompiledAction::Joint(action) => {
                self.play_joint(program, journal, action, played.from(), played.to());
            }
            CompiledAction::Pair(plan) => self.apply_pair(program, journal, plan, played),
            CompiledAction::Stretch(plan) => self.apply_stretch(program, journal, plan, played),
            CompiledAction::Beat(plan) => self.apply_beat(program, journal, plan, played),
            CompiledAction::Swap(_) => self.exchange(program, journal, from, to),
            CompiledAction::TurnUp(_) => self.turn(program, journal, from),
            CompiledAction::Script(steps) => {
                for step in steps {
                    self.run_step(program, journal, step);
                }
            }
        }
        if !plan.effects.is_empty() {
            self.apply_effects(program, journal, &plan.effects, (to, moved));
        }
    }
}
