//! Which forced rules may follow a move, by a quick look at the piles that it has changed.
//!
//! A rule that looks at many piles is triggered by most moves, and to try it takes longer than the
//! move itself. After a move from the top of a pile to that of another, a look at these two mostly
//! shows that it has nothing to do.

use crate::card::is_face_down;
use crate::play::forced::pending;
use crate::position::journal::{Entry, Journal};
use crate::position::moves::Move;
use crate::position::state::{State, Transfer};
use crate::program::actions::CompiledAction;
use crate::program::compiled::{Phase, Program};
use crate::program::format::{End, Unit};
use crate::program::rule_set::RuleSet;

/// Two piles after cards have moved from the top of the one to the top of the other.
struct Ends<'c> {
    /// The empty piles.
    vacant: u128,
    from: usize,
    /// The cards left on the first pile.
    left: &'c [u8],
    to: usize,
    /// The number of cards on the second pile.
    height: usize,
    /// Its top card.
    top: u8,
}

impl Ends<'_> {
    /// Whether a forced rule surely has nothing to do, if it had nothing to do before the move.
    ///
    /// - A rule that moves cards needs one of its sources occupied, and one of its targets empty if
    ///   it takes no others.
    /// - Take a rule without conditions that moves long runs, looks at no other piles than source
    ///   and target, and has neither of the two piles as a target. Whether it moves a run depends
    ///   on that run's pile and on targets that have not changed. So after the move only the two
    ///   piles can have got such a run, and neither has if it holds too few cards.
    /// - In the same way, a rule without conditions that turns up top cards can only have got one
    ///   of the two piles to turn.
    fn leave_at_rest(&self, program: &Program, rule: u8) -> bool {
        let plan = &program.plans[usize::from(rule)];
        let is_free = plan.when.is_empty() && program.covered.is_empty();
        let has = |piles: u128, pile: usize| piles >> pile & 1 != 0;
        match &plan.kind {
            CompiledAction::Move(moving) => {
                if moving.action.to_holds[1] == 0 && moving.to_mask & self.vacant == 0
                    || moving.from_mask & !self.vacant == 0
                {
                    return true;
                }
                let Unit::Run { least, .. } = moving.action.cards else { return false };
                let is_local = is_free
                    && moving.is_plain
                    && !moving.asks_of_source
                    && !moving.asks_of_cards
                    && moving.action.beside.is_none()
                    && !has(moving.to_mask, self.from)
                    && !has(moving.to_mask, self.to);
                let is_short = |pile: usize, cards: usize| {
                    !has(moving.from_mask, pile) || cards < usize::from(least)
                };
                is_local && is_short(self.from, self.left.len()) && is_short(self.to, self.height)
            }
            CompiledAction::TurnUp(piles) => {
                let lies_down = |pile: usize, top: Option<u8>| {
                    has(*piles, pile) && top.is_some_and(is_face_down)
                };
                is_free
                    && !lies_down(self.from, self.left.last().copied())
                    && !lies_down(self.to, Some(self.top))
            }
            _ => false,
        }
    }
}

impl State {
    /// The cards that a move transfers from the top of one pile to the top of another, if that is
    /// all that it changes before forced rules: its rule has no other effects.
    ///
    /// No choice may be open.
    #[inline]
    pub(crate) fn lone_transfer(&self, program: &Program, played: Move) -> Option<Transfer> {
        let plan = &program.plans[usize::from(played.rule())];
        let CompiledAction::Move(moving) = &plan.kind else { return None };
        let transfer = self.transfer_of(moving, played).filter(|_| plan.effects.is_empty())?;
        let Transfer { from, to, count, .. } = transfer;
        let is_possible = count > 0 && count <= self.len(from) && count <= self.free_slots(to);
        is_possible.then_some(transfer)
    }

    /// Of the forced rules that a player's move may have triggered, those that may have something
    /// to do, after all changes of the move itself.
    pub(crate) fn awake(&self, program: &Program, journal: &Journal, since: usize) -> RuleSet {
        let changes = &journal.entries[since..];
        let mut rules = pending(program, changes) & program.forced_in(Phase::Play);
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
        let mut rules =
            (triggers.pile(from as u8) | triggers.pile(to as u8)) & program.forced_in(Phase::Play);
        if !rules.is_empty() {
            self.remove_resting(program, from, to, &mut rules);
        }
        rules
    }

    /// Removes the forced rules that have nothing to do after such a transfer.
    #[inline]
    fn remove_resting(&self, program: &Program, from: usize, to: usize, rules: &mut RuleSet) {
        let Some(top) = self.top(to) else { return };
        let (vacant, left, height) = (self.vacant(), self.pile(from), self.len(to));
        let ends = Ends { vacant, from, left, to, height, top };
        for rule in rules.iter() {
            if ends.leave_at_rest(program, rule) {
                rules.remove(rule);
            }
        }
    }
}
