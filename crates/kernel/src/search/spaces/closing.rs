//! What steps come to in games in which a row closes up after each of them, known before they are
//! taken.

use crate::bits::single;
use crate::card::FACE_DOWN;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::position::state::foreseen::ForeseenTransfer;
use crate::program::actions::CompiledAction;
use crate::program::compiled::{CompiledRule, Program};
use crate::program::rule_set::RuleSet;
use crate::search::spaces::equivalence::Equivalence;

/// A row that closes up after each move, if nothing else is forced.
pub(crate) struct ClosingRow {
    /// Its piles, in the order of the row.
    piles: u128,
    /// The rules by which a stretch of it leaves and nothing else happens.
    stretches: RuleSet,
}

impl ClosingRow {
    /// The row of a game.
    pub(crate) fn of(program: &Program) -> Option<Self> {
        let (_, piles) = program.closing?;
        let takes_stretch = |rule: &CompiledRule| match &rule.kind {
            CompiledAction::Stretch(plan) => {
                let elsewhere = plan.row & !piles | single(plan.action.to) & piles;
                elsewhere == 0 && rule.effects.is_empty()
            }
            _ => false,
        };
        let rules = (0u8..).zip(&program.plans);
        let stretches = rules.filter(|(_, rule)| takes_stretch(rule)).map(|(at, _)| at).collect();
        Some(Self { piles, stretches })
    }

    /// How much the row adds to the key when it closes up after a transfer. None if it does so in a
    /// way that is not foreseen.
    #[inline]
    pub(crate) fn difference_after(
        &self,
        program: &Program,
        state: &State,
        transfer: &ForeseenTransfer,
    ) -> Option<u128> {
        let is_filled =
            single(transfer.to) & self.piles != 0 && state.is_vacant(usize::from(transfer.to));
        (!is_filled).then(|| state.closing_after(program, self.piles, transfer))
    }

    /// How much a step adds to the key that takes a stretch of the row away. None for other steps.
    pub(crate) fn difference_of_stretch(
        &self,
        program: &Program,
        key: &Equivalence,
        state: &State,
        step: Move,
    ) -> Option<u128> {
        let CompiledAction::Stretch(plan) = &program.plans[usize::from(step.rule())].kind else {
            return None;
        };
        if !self.stretches.has(step.rule()) {
            return None;
        }
        let to = usize::from(plan.action.to);
        let (first, last) = plan.places_of(step.from(), step.to())?;
        let taken = &plan.action.piles[first..=last];
        let mut emptied = 0;
        for &pile in taken {
            if state.len(usize::from(pile)) != 1 {
                return None;
            }
            emptied |= single(pile);
        }
        let card = |pile: u8| state.top(usize::from(pile)).map_or(0, |byte| byte & !FACE_DOWN);
        let cards = || taken.iter().map(|&pile| card(pile));
        let term = || state.hash_term_with_more(program, to, cards());
        let of_target = key.difference_of_pile(program, state, to, || card(step.to()), term);
        Some(of_target.wrapping_add(state.closing_difference(program, self.piles, emptied, None)))
    }
}
