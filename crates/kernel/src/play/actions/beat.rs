//! Cards beat a pile: listing, testing and applying.

use std::ops::ControlFlow;

use crate::bits::bits;
use crate::card::{card, is_face_down};
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::{State, Transfer};
use crate::program::actions::beat::{CompiledBeat, group_piles};
use crate::program::compiled::Program;
use crate::program::format::{End, Face};

impl CompiledBeat {
    /// All moves that it can make in any position, as of rule 0, in ascending order.
    pub(super) fn possible_moves(&self) -> Vec<Move> {
        let groups = self.groups(self.with);
        let beaten = || bits(self.beaten);
        groups
            .flat_map(|(first, group)| {
                beaten().map(move |pile| Move::new(0, first, group, pile as u8))
            })
            .collect()
    }
}

impl State {
    /// Visits the moves by which cards beat a pile, or try to, until `visit` breaks. The rule of
    /// the moves is 0.
    pub(super) fn beat_instances(
        &self,
        program: &Program,
        plan: &CompiledBeat,
        mut visit: impl FnMut(Move) -> bool,
    ) -> ControlFlow<()> {
        let open = self.open_piles(program);
        let shows = |&pile: &usize| self.top(pile).is_some_and(|top| !is_face_down(top));
        let with = bits(plan.with & open & !self.vacant()).filter(shows);
        let with = with.fold(0u128, |piles, pile| piles | 1 << pile);
        let resists = |(index, &pile): (usize, &u8)| {
            let is_open = open >> pile & 1 != 0;
            let least = if is_open { self.least_worth(plan, index) } else { None };
            least.map(|least| (pile, least))
        };
        let mut beaten: Vec<(u8, u32)> =
            plan.action.beat.iter().enumerate().filter_map(resists).collect();
        beaten.sort_unstable();
        for (first, group) in plan.groups(with) {
            let worth = self.group_worth(plan, first, group);
            for &(pile, least) in &beaten {
                if worth >= least
                    && self.has_room(plan, group, pile)
                    && !visit(Move::new(0, first, group, pile))
                {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether by a move cards beat a pile, or try to.
    pub(super) fn is_beat_instance(
        &self,
        program: &Program,
        plan: &CompiledBeat,
        instance: Move,
    ) -> bool {
        let (first, group, pile) = (instance.from(), instance.count(), instance.to());
        let with = group_piles(first, group);
        let Some(index) = plan.action.beat.iter().position(|&other| other == pile) else {
            return false;
        };
        let can_go = |with: usize| {
            plan.with >> with & 1 != 0
                && self.top(with).is_some_and(|top| !is_face_down(top))
                && self.is_open(program, with)
        };
        group & 1 != 0
            && with.count_ones() == group.count_ones()
            && plan.takes(group.count_ones())
            && bits(with).all(can_go)
            && self.is_open(program, usize::from(pile))
            && self
                .least_worth(plan, index)
                .is_some_and(|least| self.group_worth(plan, first, group) >= least)
            && self.has_room(plan, group, pile)
    }

    /// Beats a pile, or tries to. The cards that beat it go first, the lowest (by its number)
    /// before the others: the order in which they then lie does not depend on which pile had which
    /// card, so piles can be interchanged.
    pub(super) fn apply_beat(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        plan: &CompiledBeat,
        played: Move,
    ) {
        let (first, group, pile) = (played.from(), played.count(), usize::from(played.to()));
        let Some(index) = plan.action.beat.iter().position(|&other| usize::from(other) == pile)
        else {
            return;
        };
        let is_beaten = self.group_worth(plan, first, group) > self.full_worth(plan, index);
        let to = usize::from(plan.action.to);
        let mut with: Vec<usize> = bits(group_piles(first, group)).collect();
        with.sort_by_key(|&pile| self.top(pile));
        for pile in with {
            self.move_top_card(program, journal, pile, to, Face::Up);
        }
        if is_beaten {
            let transfer = Transfer {
                from: pile,
                from_end: End::Top,
                to,
                to_end: End::Top,
                count: self.len(pile),
                reverse: false,
                face: Face::Up,
            };
            self.transfer(program, journal, transfer);
        } else {
            self.turn_cards(program, journal, pile, Face::Up, false);
        }
    }

    /// The least worth that may be tried against a pile of the action; none if it has no cards, or
    /// cards that the player does not know and may not try.
    fn least_worth(&self, plan: &CompiledBeat, index: usize) -> Option<u32> {
        let cards = self.pile(usize::from(plan.action.beat[index]));
        if cards.is_empty() {
            None
        } else if cards.iter().any(|&byte| is_face_down(byte)) {
            plan.action.blind.then_some(0)
        } else {
            Some(self.full_worth(plan, index) + 1)
        }
    }

    /// What all cards of a pile of the action are worth, with the face-up cards that back it.
    fn full_worth(&self, plan: &CompiledBeat, index: usize) -> u32 {
        let own = self.pile(usize::from(plan.action.beat[index])).iter();
        let backing = bits(plan.action.backing[index].0).flat_map(|pile| self.pile(pile));
        let backing = backing.filter(|&&byte| !is_face_down(byte));
        own.chain(backing).map(|&byte| plan.worth(card(byte))).sum()
    }

    /// What the cards of a group are worth.
    fn group_worth(&self, plan: &CompiledBeat, first: u8, group: u8) -> u32 {
        let tops = bits(group_piles(first, group)).filter_map(|pile| self.top(pile));
        tops.map(|top| plan.worth(card(top))).sum()
    }

    /// Whether the cards of a group and those of a pile can go.
    fn has_room(&self, plan: &CompiledBeat, group: u8, pile: u8) -> bool {
        let cards = group.count_ones() as usize + self.len(usize::from(pile));
        cards <= self.free_slots(usize::from(plan.action.to))
    }
}
