//! Lists the moves of simple rules ([`CompiledMove::is_simple`]), with what is known of the tops of
//! piles.

use std::ops::ControlFlow;

use crate::bits::bits;
use crate::card::{card, has, is_face_down};
use crate::play::actions::transfer::{first_vacancies, in_order};
use crate::play::tops::Tops;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::actions::transfer::CompiledMove;
use crate::program::compiled::Program;

impl State {
    /// Visits the moves of a bare rule ([`CompiledMove::is_bare`]).
    #[inline(never)]
    pub(in crate::play) fn bare_moves(
        &self,
        program: &Program,
        plan: &CompiledMove,
        rule: u8,
        sources: u128,
        tops: &Tops,
        mut visit: impl FnMut(Move),
    ) {
        let _ = self.simple_instances::<true>(program, plan, sources, tops, |from, count, to| {
            visit(Move::of_cards(rule, from, count, to));
            true
        });
    }

    /// Visits the instances of a simple rule, with fewer tests if it is bare. If it does more than
    /// to fill empty piles, the sources must be those of [`Tops::sources`].
    #[inline]
    pub(super) fn simple_instances<const IS_BARE: bool>(
        &self,
        program: &Program,
        plan: &CompiledMove,
        sources: u128,
        tops: &Tops,
        mut visit: impl FnMut(usize, usize, usize) -> bool,
    ) -> ControlFlow<()> {
        let action = &plan.action;
        let [least, most] = action.to_holds;
        let open = tops.open(program, self);
        let mut targets = plan.to_mask & open;
        if !IS_BARE && !plan.takes_any_size {
            let fits = |&target: &usize| plan.takes_size(self.len(target));
            targets = bits(targets).filter(fits).fold(0, |piles, target| piles | 1 << target);
        }
        let held = if most == 0 { 0 } else { targets & !self.vacant() };
        let mut vacant = if least > 0 { 0 } else { targets & self.vacant() };
        if held | vacant == 0 {
            return ControlFlow::Continue(());
        }
        let mut has_twins = action.build_order;
        if vacant != 0 && !has_twins {
            if plan.is_uniform && (IS_BARE || plan.is_plain) && !action.first_vacant {
                vacant = first_vacancies(program, plan, vacant);
            } else {
                has_twins = true;
            }
        }
        let which = if IS_BARE { action.which.0 } else { self.which_now(plan) };
        let build = action.build.map(|relation| &program.relations[usize::from(relation)]);
        let build = build.zip(tops.known());
        let sources = sources & plan.from_mask & open & !self.vacant();
        for source in in_order(sources, &action.from, IS_BARE || plan.from_ascending) {
            let Some(top) = self.top(source) else { continue };
            if !has(which, top)
                || (IS_BARE || plan.takes_shown_top()) && is_face_down(top)
                || !IS_BARE && plan.asks_of_source && !self.may_give(program, plan, source)
                || !IS_BARE && plan.asks_of_cards && !self.may_leave(program, plan, source, 1, top)
            {
                continue;
            }
            let onto = build.map_or(u128::MAX, |(relation, piles)| piles.taking(relation, top));
            let mut into = if has(action.space.0, top) { vacant } else { 0 };
            if into != 0 && self.len(source) == 1 {
                // A move of the only card to an empty pile of the same class changes nothing.
                into &= !program.places[source].peers;
            }
            let wanting = if action.build_order { tops.takers(card(top)) } else { u128::MAX };
            let taking = (held & onto | into) & wanting & plan.targets[source];
            let has_twins = has_twins && taking & taking.wrapping_sub(1) != 0;
            let mut accepted = 0u128;
            for target in in_order(taking, &action.to, IS_BARE || plan.to_ascending) {
                if !IS_BARE
                    && (!plan.has_room && self.free_slots(target) == 0
                        || !plan.is_plain && !self.takes_as_asked(program, plan, target, top))
                {
                    continue;
                }
                if has_twins {
                    if accepted != 0 && self.twins(program, plan, target, accepted) != 0 {
                        continue;
                    }
                    accepted |= 1 << target;
                }
                debug_assert_eq!(self.refusal(program, plan, source, 1, target), None);
                if !visit(source, 1, target) {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether a target takes a card by what few rules ask.
    fn takes_as_asked(
        &self,
        program: &Program,
        plan: &CompiledMove,
        target: usize,
        byte: u8,
    ) -> bool {
        let mut takes = true;
        self.asked_of_target(program, plan, target, |_, asked| takes &= has(asked, byte));
        takes
    }
}
