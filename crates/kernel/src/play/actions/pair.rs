//! Two cards that belong together leave their piles: listing, testing and applying.

use std::ops::ControlFlow;

use crate::bits::bits;
use crate::card::{card, has, is_face_down};
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::actions::pair::CompiledPair;
use crate::program::compiled::Program;
use crate::program::format::Face;

impl State {
    /// Visits the pairs of piles whose top cards belong together until `visit` breaks.
    pub(super) fn pair_instances(
        &self,
        program: &Program,
        plan: &CompiledPair,
        mut visit: impl FnMut(u8, u8) -> bool,
    ) -> ControlFlow<()> {
        if self.free_slots(plan.to) < 2 {
            return ControlFlow::Continue(());
        }
        let open = |pile: usize| self.open_top(plan, pile).is_some();
        let filled = plan.from_mask & !self.vacant() & self.open_piles(program);
        let available = bits(filled).filter(|&pile| open(pile));
        let available = available.fold(0u128, |piles, pile| piles | 1 << pile);
        for from in bits(available) {
            let partners = available & plan.partners[from] & u128::MAX << from;
            for to in bits(partners) {
                if self.belong_together(program, plan, from, to) && !visit(from as u8, to as u8) {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether a move takes away a pair.
    pub(super) fn is_pair_instance(
        &self,
        program: &Program,
        plan: &CompiledPair,
        instance: Move,
    ) -> bool {
        let (from, to) = (usize::from(instance.from()), usize::from(instance.to()));
        instance.count() == 0
            && from < to
            && to < plan.partners.len()
            && plan.partners[from] >> to & 1 != 0
            && self.free_slots(plan.to) >= 2
            && self.is_open(program, from)
            && self.is_open(program, to)
            && self.belong_together(program, plan, from, to)
    }

    /// Takes away a pair, the lower card (by its number) first: the order in which they lie then
    /// does not depend on which pile had which card, so piles can be interchanged.
    pub(super) fn apply_pair(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        plan: &CompiledPair,
        mut piles: [usize; 2],
    ) {
        piles.sort_by_key(|&pile| self.top(pile));
        for pile in piles {
            self.move_top_card(program, journal, pile, plan.to, Face::Up);
        }
    }

    /// The card of an open pile that may be taken: the top card, face up, if it need not wait.
    fn open_top(&self, plan: &CompiledPair, pile: usize) -> Option<u8> {
        if plan.yields_to[pile] & !self.vacant() != 0 {
            return None;
        }
        self.top(pile).filter(|&byte| !is_face_down(byte))
    }

    fn belong_together(
        &self,
        program: &Program,
        plan: &CompiledPair,
        first: usize,
        second: usize,
    ) -> bool {
        let over = &program.relations[plan.pair].over;
        match (self.open_top(plan, first), self.open_top(plan, second)) {
            (Some(first), Some(second)) => {
                has(over[usize::from(card(first))], second)
                    || has(over[usize::from(card(second))], first)
            }
            _ => false,
        }
    }
}
