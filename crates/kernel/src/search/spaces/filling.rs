//! Rules that fill empty piles at once from another pile.

use crate::bits::{bits, ones};
use crate::position::state::State;
use crate::program::actions::transfer::CompiledMove;
use crate::program::compiled::Program;
use crate::program::format::{Face, Unit};
use crate::program::validate::MAX_CARDS;

/// Whether a rule fills empty piles with any single card of a pack, whatever its source holds.
pub(crate) fn fills_any(plan: &CompiledMove, pack: u64) -> bool {
    let action = &plan.action;
    plan.is_plain
        && action.from_holds[0] <= 1
        && usize::from(action.from_holds[1]) >= MAX_CARDS
        && action.to_holds == [0, 0]
        && (action.which.0 & action.space.0) & pack == pack
        && matches!(action.cards, Unit::Top | Unit::Count { number: 1 })
        && matches!(action.face, Face::Keep | Face::Up)
        && action.prefer.is_none()
        && action.beaten_by.is_none()
        && action.beside.is_none()
        && !action.build_order
}

/// A pile that fills others, and these.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Filling {
    pub(crate) from: usize,
    pub(crate) to: u128,
}

impl Filling {
    /// What a forced rule fills with any card of a pack; none if it does anything else.
    pub(crate) fn new(plan: &CompiledMove, pack: u64) -> Option<Self> {
        let takes_any = fills_any(plan, pack) && plan.yields_to.iter().all(|&mask| mask == 0);
        let from = plan.from_mask.trailing_zeros() as usize;
        let is_free =
            plan.from_mask.is_power_of_two() && plan.targets[from] == plan.to_mask & !(1 << from);
        (takes_any && is_free).then_some(Self { from, to: plan.to_mask })
    }

    /// Whether the filled piles are interchangeable.
    pub(crate) fn fills_alike(self, program: &Program) -> bool {
        let classes = || program.places.iter().map(|place| place.class);
        let filled = self.to.trailing_zeros() as usize;
        let alike =
            classes().enumerate().filter(|&(_, class)| class == program.places[filled].class);
        alike.fold(0, |piles, (pile, _)| piles | 1 << pile) == self.to
    }

    /// Whether no pile waits to be filled.
    pub(crate) fn is_at_rest(self, state: &State) -> bool {
        state.pile(self.from).is_empty() || self.to & state.vacant() == 0
    }

    /// Whether each card that one rule moves from the filling pile could be moved by another one
    /// from a filled pile on which it lies alone.
    pub(crate) fn is_served(
        self,
        program: &Program,
        plan: &CompiledMove,
        other: &CompiledMove,
        pack: u64,
    ) -> bool {
        let (here, there) = (&plan.action, &other.action);
        let under = |build: Option<u8>, card: usize| {
            build.map_or(u64::MAX, |relation| program.relations[usize::from(relation)].under[card])
        };
        here.build_order == there.build_order
            && here.to_holds[0] >= there.to_holds[0]
            && here.to_holds[1] <= there.to_holds[1]
            && (here.which.0 & !there.which.0 | here.space.0 & !there.space.0) & pack == 0
            && ones(here.which.0 & pack)
                .all(|card| under(here.build, card) & !under(there.build, card) & pack == 0)
            && bits(self.to).all(|pile| {
                other.yields_to[pile] == 0
                    && plan.targets[self.from] & !(other.targets[pile] | 1 << pile) == 0
            })
    }
}
