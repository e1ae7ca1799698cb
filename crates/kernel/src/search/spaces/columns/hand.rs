//! The hand: where the stock is turned card by card, and each card leaves before the next one is
//! turned.
//!
//! A turn is no step. A step that plays the card in the hand stands for the turn before it, too,
//! unless the card is there already. So a position does not say whether the stock has been turned:
//! the card in the hand counts as the top card of the stock.
//!
//! *The claim.* If a position can be won, it can be won by such steps.
//!
//! *Proof.* Take a winning line, and a turn in it that is not followed by the move that plays its
//! card. The next move puts no card on stock or hand and takes none from there. If it asks anything
//! about the two, it asks that both are empty, which they are not. So the turn can be postponed
//! past that move, and nothing changes before, between and after. Postpone all turns until their
//! cards are played. That all of them are follows from the aim: everything goes up.

use crate::program::actions::CompiledAction;
use crate::program::compiled::Program;
use crate::program::format::{During, Face, Unit};
use crate::search::spaces::columns::limits::ALL;

/// The pile that holds the card, and how it gets there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hand {
    /// The rule that turns the stock.
    pub(super) turn: u8,
    pub(super) pile: u8,
}

impl Hand {
    /// The hand, if a rule turns single cards of the stock onto a pile whenever that is empty.
    pub(super) fn new(program: &Program) -> Option<Self> {
        let source = usize::from(program.source().source_pile);
        let turns = |&index: &usize| {
            let rule = &program.source().rules[index];
            let CompiledAction::Move(plan) = &program.plans[index].kind else { return false };
            let action = &plan.action;
            !rule.forced
                && !matches!(rule.during, During::Layout)
                && rule.when.is_empty()
                && rule.effects.is_empty()
                && plan.is_plain
                && matches!(action.cards, Unit::Count { number: 1 })
                && plan.from_mask == 1 << source
                && plan.to_mask.is_power_of_two()
                && plan.targets[source] == plan.to_mask
                && action.to_holds == [0, 0]
                && action.build.is_none()
                && !action.build_order
                && action.which.0 & ALL == ALL
                && action.space.0 & ALL == ALL
                && action.face == Face::Up
        };
        let turn = (0..program.plans.len()).find(turns)?;
        let CompiledAction::Move(plan) = &program.plans[turn].kind else { return None };
        Some(Self { turn: turn as u8, pile: plan.to_mask.trailing_zeros() as u8 })
    }
}
