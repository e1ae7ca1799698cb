//! The legal moves.
//!
//! [`State::moves`] lists them and [`State::is_legal`] tests one. The kind of a rule defines its
//! moves ([`crate::play::actions`]).

use crate::play::tops::Tops;
use crate::position::moves::{Move, Outcome};
use crate::position::state::State;
use crate::program::actions::CompiledAction;
use crate::program::compiled::Program;
use crate::program::format::Score;

impl State {
    /// Whether the aim is reached, so that the game is over.
    #[inline]
    pub(crate) fn is_aim_reached(&self, program: &Program) -> bool {
        let game = program.source();
        !game.aim.is_empty() && self.all_hold(program, &game.aim)
    }

    /// Whether the aim is reached, or, in a game that points decide, no move is left and there are
    /// enough points.
    #[inline]
    pub fn is_won(&self, program: &Program) -> bool {
        let Some(score) = &program.source().score else { return self.is_aim_reached(program) };
        match score.won_from {
            None => self.is_aim_reached(program),
            Some(points) => {
                self.worth(program) >= score.aim.worth(i64::from(points))
                    && self.moves(program).is_empty()
            }
        }
    }

    /// Won, lost, over or open. Only this position is tested: an open game may have no way to win.
    pub fn outcome(&self, program: &Program) -> Outcome {
        if self.is_won(program) {
            Outcome::Won
        } else if self.moves(program).is_empty() {
            let game = program.source();
            let decides = |score: &Score| score.won_from.is_some() || !game.aim.is_empty();
            if game.score.as_ref().is_none_or(decides) { Outcome::Lost } else { Outcome::Over }
        } else {
            Outcome::Open
        }
    }

    /// All legal moves: by rule, then source, then number of cards, then target.
    pub fn moves(&self, program: &Program) -> Vec<Move> {
        let mut moves = Vec::new();
        self.moves_into(program, &mut moves);
        moves
    }

    /// Appends all legal moves to a list.
    pub fn moves_into(&self, program: &Program, moves: &mut Vec<Move>) {
        if !self.is_aim_reached(program) {
            self.moves_with(program, &Tops::default(), moves);
        }
    }

    /// The same if the aim is not reached, where the tops of this position may be known.
    pub(crate) fn moves_with(&self, program: &Program, tops: &Tops, moves: &mut Vec<Move>) {
        let choice = self.choice();
        if choice.is_open() {
            let _ = self.for_each_move(program, choice.rule, u128::MAX, tops, |instance| {
                if choice.offers(instance.from(), instance.to()) {
                    moves.push(instance);
                }
                true
            });
            return;
        }
        for rule in tops.in_force(program, self).iter() {
            let plan = &program.plans[usize::from(rule)];
            let is_known = plan.seldom_changes && tops.are_kept();
            debug_assert!(!is_known || self.all_hold(program, &plan.when));
            if !is_known && !self.all_hold_with(program, &plan.when, tops) {
                continue;
            }
            self.for_each_free_move(program, rule, tops, |instance| {
                moves.push(instance);
            });
        }
    }

    /// Appends the moves of some free rules to a list; of rules that move cards, only those from
    /// some piles. No choice may be open and the game may not be won. `tops` must be of this
    /// position.
    pub(crate) fn moves_by(
        &self,
        program: &Program,
        rules: &[u8],
        sources: u128,
        tops: &Tops,
        moves: &mut Vec<Move>,
    ) {
        for &rule in rules {
            let plan = &program.plans[usize::from(rule)];
            if !self.all_hold(program, &plan.when) {
                continue;
            }
            let mut list = |played: Move| {
                if plan.duplicates.is_empty() || self.is_legal(program, played) {
                    moves.push(played);
                }
                true
            };
            let sources = sources & tops.sources(program, self, rule);
            if sources == 0 {
                continue;
            }
            let _ = self.for_each_move(program, rule, sources, tops, &mut list);
        }
    }

    /// Visits the moves of a free rule whose conditions hold, except those that an earlier rule
    /// makes.
    #[inline]
    pub(crate) fn for_each_free_move(
        &self,
        program: &Program,
        rule: u8,
        tops: &Tops,
        mut visit: impl FnMut(Move),
    ) {
        let sources = tops.sources(program, self, rule);
        if sources == 0 {
            return;
        }
        let plan = &program.plans[usize::from(rule)];
        let duplicates = &plan.duplicates;
        if duplicates.is_empty() {
            if let CompiledAction::Move(moving) = &plan.kind
                && moving.is_bare
                && tops.are_kept()
            {
                self.bare_moves(program, moving, rule, sources, tops, visit);
                return;
            }
            let _ = self.for_each_move(program, rule, sources, tops, |instance| {
                visit(instance);
                true
            });
            return;
        }
        let _ = self.for_each_move(program, rule, sources, tops, |instance| {
            let mut duplicates = duplicates.iter();
            if !duplicates.any(|&duplicate| {
                self.all_hold(program, &program.plans[usize::from(duplicate)].when)
                    && self.is_instance(program, duplicate, instance)
            }) {
                visit(instance);
            }
            true
        });
    }

    /// Whether a move is one of [`State::moves`]. Any code is allowed.
    pub fn is_legal(&self, program: &Program, played: Move) -> bool {
        let rule = played.rule();
        let Some(plan) = program.plans.get(usize::from(rule)) else { return false };
        if self.is_aim_reached(program) {
            return false;
        }
        let choice = self.choice();
        if choice.is_open() {
            return choice.rule == rule
                && choice.offers(played.from(), played.to())
                && self.is_instance(program, rule, played);
        }
        if program.source().rules[usize::from(rule)].forced || !self.all_hold(program, &plan.when) {
            return false;
        }
        self.is_instance(program, rule, played)
            && !plan.duplicates.iter().any(|&duplicate| {
                self.is_instance(program, duplicate, played)
                    && self.all_hold(program, &program.plans[usize::from(duplicate)].when)
            })
    }
}
