//! Cards that lie beside each other in a row leave their piles: listing, testing and applying.

use std::ops::ControlFlow;

use crate::bits::single;
use crate::card::{card, has, is_face_down, rank};
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::actions::stretch::CompiledStretch;
use crate::program::compiled::{Program, Relation};
use crate::program::format::Face;
use crate::program::validate::MAX_PILES;

/// What a pile counts as worth whose top card cannot leave: more than any stretch is worth, but not
/// too much to be added up for a whole row.
const CLOSED: u32 = 1 << 24;

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
        let most = most.min(self.free_slots(usize::from(action.to)));
        let open = self.open_piles(program);
        // The open top cards of the row, and what the piles before each place are worth together.
        let (mut tops, mut sums) = ([None; MAX_PILES + 1], [0; MAX_PILES + 1]);
        let (mut sum, mut end) = (0, 0);
        let mut held = (plan.row & !self.vacant()).count_ones();
        for (place, &pile) in row.iter().enumerate() {
            let mut worth = CLOSED;
            if let Some(top) = self.top(usize::from(pile)) {
                let is_open = open == u128::MAX || open & single(pile) != 0;
                if is_open && !is_face_down(top) {
                    tops[place] = Some(top);
                    worth = action.worth[usize::from(rank(top))].into();
                    end = place + 1;
                }
                held -= 1;
            }
            sum += worth;
            sums[place + 1] = sum;
            if held == 0 {
                break;
            }
        }
        let relation = action.around.map(|relation| &program.relations[usize::from(relation)]);
        for first in 0..end {
            let mut beside = u64::MAX;
            if let Some(relation) = relation {
                beside = cards_beside(relation, first.checked_sub(1).and_then(|left| tops[left]));
                if beside == 0 {
                    continue;
                }
            }
            let longest = end.min(first.saturating_add(most));
            for last in first.saturating_add(fewest - 1)..longest {
                let worth = sums[last + 1] - sums[first];
                let Some(&adds_up) = plan.adds_up.get(worth as usize) else { break };
                if adds_up
                    && (relation.is_none() || tops[last + 1].is_some_and(|top| has(beside, top)))
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
        let Some((first, last)) = plan.places_of(instance.from(), instance.to()) else {
            return false;
        };
        let number = last - first + 1;
        let [fewest, most] = action.number.map(usize::from);
        let tops = action.piles[first..=last].iter().map(|&pile| self.open(program, pile));
        let worth = tops.map(|top| top.map(|top| u32::from(action.worth[usize::from(rank(top))])));
        instance.count() == 0
            && (fewest..=most).contains(&number)
            && number <= self.free_slots(usize::from(action.to))
            && worth.sum::<Option<u32>>().is_some_and(|worth| {
                plan.adds_up.get(worth as usize).is_some_and(|&adds_up| adds_up)
            })
            && {
                let at = |place: usize| {
                    action.piles.get(place).and_then(|&pile| self.open(program, pile))
                };
                action.around.is_none_or(|relation| {
                    let relation = &program.relations[usize::from(relation)];
                    let beside = cards_beside(relation, first.checked_sub(1).and_then(at));
                    at(last + 1).is_some_and(|right| has(beside, right))
                })
            }
    }

    /// Takes away a stretch.
    pub(super) fn apply_stretch(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        plan: &CompiledStretch,
        played: Move,
    ) {
        let Some((first, last)) = plan.places_of(played.from(), played.to()) else { return };
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

/// The cards that may lie on the right side of a stretch, by the card on its left side.
#[inline]
fn cards_beside(relation: &Relation, left: Option<u8>) -> u64 {
    let beside = |left| relation.over[usize::from(left)] | relation.under[usize::from(left)];
    left.map_or(0, |left| beside(card(left)))
}
