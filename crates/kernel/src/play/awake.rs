//! Which forced rules may follow a move, by a quick look at the piles that it has changed.
//!
//! A rule that looks at many piles is triggered by most moves, and to try it takes longer than the
//! move itself. After a move from the top of a pile to that of another, a look at these two mostly
//! shows that it has nothing to do.

use crate::card::is_face_down;
use crate::play::forced::pending;
use crate::position::journal::{Entry, Journal};
use crate::position::state::State;
use crate::program::actions::CompiledAction;
use crate::program::compiled::{Phase, Program};
use crate::program::format::{End, Unit};
use crate::program::rule_set::RuleSet;

impl State {
    /// Whether a forced rule surely has nothing to do after a transfer from the top of one pile to
    /// the top of another, if it had nothing to do before.
    ///
    /// - A rule that moves cards needs one of its sources occupied, and one of its targets empty if
    ///   it takes no others.
    /// - Take a rule without conditions that moves long runs, looks at no other piles than source
    ///   and target, and has neither of the two piles as a target. Whether it moves a run depends
    ///   on that run's pile and on targets that have not changed. So after the move only the two
    ///   piles can have got such a run, and neither has if it holds too few cards.
    /// - In the same way, a rule without conditions that turns up top cards can only have got one
    ///   of the two piles to turn.
    #[inline]
    fn is_left_at_rest(&self, program: &Program, rule: u8, from: usize, to: usize) -> bool {
        let plan = &program.plans[usize::from(rule)];
        let is_free = || plan.when.is_empty() && program.covered.is_empty();
        let has = |piles: u128, pile: usize| piles >> pile & 1 != 0;
        match &plan.kind {
            CompiledAction::Move(moving) => {
                if moving.action.to_holds[1] == 0 && moving.to_mask & self.vacant() == 0
                    || moving.from_mask & !self.vacant() == 0
                {
                    return true;
                }
                let Unit::Run { least, .. } = moving.action.cards else { return false };
                let is_local = is_free()
                    && moving.is_plain
                    && !moving.asks_of_source
                    && !moving.asks_of_cards
                    && moving.action.beside.is_none()
                    && !has(moving.to_mask, from)
                    && !has(moving.to_mask, to);
                let is_short = |pile: usize| {
                    !has(moving.from_mask, pile) || self.len(pile) < usize::from(least)
                };
                is_local && is_short(from) && is_short(to)
            }
            CompiledAction::TurnUp(piles) => {
                let lies_down =
                    |pile: usize| has(*piles, pile) && self.top(pile).is_some_and(is_face_down);
                is_free() && !lies_down(from) && !lies_down(to)
            }
            _ => false,
        }
    }

    /// Of the forced rules that a player's move may have triggered, those that may have something
    /// to do, after all changes of the move itself.
    pub(crate) fn awake(&self, program: &Program, journal: &Journal, since: usize) -> RuleSet {
        let changes = &journal.entries[since..];
        let mut rules = pending(program, changes, program.forced_in(Phase::Play));
        let &[
            Entry::MoveCard { from, to, .. }
            | Entry::MoveBlock { from, to, from_end: End::Top, to_end: End::Top, .. },
        ] = changes
        else {
            return rules;
        };
        self.remove_resting(program, usize::from(from), usize::from(to), &mut rules);
        rules
    }

    /// The same after a transfer from the top of one pile to the top of another, and nothing else.
    #[inline]
    pub(crate) fn awake_after(&self, program: &Program, from: usize, to: usize) -> RuleSet {
        let triggers = &program.triggers;
        if triggers.nothing_to_fill(self.vacant()) {
            return RuleSet::EMPTY;
        }
        let mut rules = triggers.forced(from as u8) | triggers.forced(to as u8);
        if !rules.is_empty() {
            self.remove_resting(program, from, to, &mut rules);
        }
        rules
    }

    /// Removes the forced rules that have nothing to do after such a transfer.
    #[inline]
    fn remove_resting(&self, program: &Program, from: usize, to: usize, rules: &mut RuleSet) {
        rules.remove_if(|rule| self.is_left_at_rest(program, rule, from, to));
    }
}
