//! Cards that lie beside each other in a row leave their piles: listing, testing and applying.

use std::ops::ControlFlow;

use crate::card::{card, has, is_face_down, rank};
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::actions::stretch::CompiledStretch;
use crate::program::compiled::Program;
use crate::program::format::Face;
use crate::program::validate::MAX_PILES;

impl State {
    /// Visits the stretches that may leave, as first and last pile, until `visit` breaks.
    pub(super) fn stretch_instances(
        &self,
        program: &Program,
        plan: &CompiledStretch,
        mut visit: impl FnMut(u8, u8) -> bool,
    ) -> ControlFlow<()> {
        let action = &plan.action;
        let row = &action.piles;
        let [fewest, most] = action.number.map(usize::from);
        let room = self.free_slots(usize::from(action.to));
        let mut tops = [None; MAX_PILES];
        for (top, &pile) in tops.iter_mut().zip(row) {
            *top = self.open(program, pile);
        }
        let at = |place: usize| tops.get(place).copied().flatten();
        for first in 0..row.len() {
            let mut worth = 0;
            for last in first..row.len().min(first.saturating_add(most.min(room))) {
                let Some(top) = tops[last] else { break };
                worth += u32::from(action.worth[usize::from(rank(top))]);
                if worth > u32::from(plan.most_worth) {
                    break;
                }
                if last - first + 1 >= fewest
                    && adds_up(plan, worth)
                    && is_surrounded(program, plan, (first, last), at)
                    && !visit(row[first], row[last])
                {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether a move takes away a stretch.
    pub(super) fn is_stretch_instance(
        &self,
        program: &Program,
        plan: &CompiledStretch,
        instance: Move,
    ) -> bool {
        let action = &plan.action;
        let Some((first, last)) = ends(plan, instance) else { return false };
        let number = last - first + 1;
        let [fewest, most] = action.number.map(usize::from);
        let tops = action.piles[first..=last].iter().map(|&pile| self.open(program, pile));
        let worth = tops.map(|top| top.map(|top| u32::from(action.worth[usize::from(rank(top))])));
        instance.count() == 0
            && (fewest..=most).contains(&number)
            && number <= self.free_slots(usize::from(action.to))
            && worth.sum::<Option<u32>>().is_some_and(|worth| adds_up(plan, worth))
            && is_surrounded(program, plan, (first, last), |place| {
                action.piles.get(place).and_then(|&pile| self.open(program, pile))
            })
    }

    /// Takes away a stretch.
    pub(super) fn apply_stretch(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        plan: &CompiledStretch,
        played: Move,
    ) {
        let Some((first, last)) = ends(plan, played) else { return };
        for &pile in &plan.action.piles[first..=last] {
            let to = usize::from(plan.action.to);
            self.move_top_card(program, journal, usize::from(pile), to, Face::Up);
        }
    }

    /// The top card of a pile, if it lies face up and is not covered.
    fn open(&self, program: &Program, pile: u8) -> Option<u8> {
        let pile = usize::from(pile);
        self.top(pile).filter(|&top| !is_face_down(top) && self.is_open(program, pile))
    }
}

/// Whether the cards at both sides of a stretch belong together, if that is asked for. `at` says
/// which card lies open at a place.
fn is_surrounded(
    program: &Program,
    plan: &CompiledStretch,
    (first, last): (usize, usize),
    at: impl Fn(usize) -> Option<u8>,
) -> bool {
    let Some(relation) = plan.action.around else { return true };
    let over = &program.relations[usize::from(relation)].over;
    match (first.checked_sub(1).and_then(&at), at(last + 1)) {
        (Some(left), Some(right)) => {
            has(over[usize::from(card(left))], right) || has(over[usize::from(card(right))], left)
        }
        _ => false,
    }
}

/// The places of the first and the last pile of a move, if they are in the row in this order.
fn ends(plan: &CompiledStretch, played: Move) -> Option<(usize, usize)> {
    let place = |pile: u8| plan.action.piles.iter().position(|&other| other == pile);
    let (first, last) = (place(played.from())?, place(played.to())?);
    (first <= last).then_some((first, last))
}

/// Whether cards may leave that are worth so much together.
fn adds_up(plan: &CompiledStretch, worth: u32) -> bool {
    let sums = &plan.action.sums;
    sums.is_empty() || sums.iter().any(|&sum| u32::from(sum) == worth)
}
