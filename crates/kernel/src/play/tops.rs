//! What the rules find at the tops of piles, found once for all rules, and from one position to the
//! next only where piles have changed.

use std::cell::{Cell, OnceCell};

use crate::bits::{bits, ones};
use crate::card::{CARDS, card, is_face_down};
use crate::position::state::State;
use crate::program::compiled::{Program, Relation};
use crate::program::hash;
use crate::program::validate::MAX_PILES;

/// The most piles with build orders of which it is remembered what they want.
const REMEMBERED: usize = 32;

/// No card.
const NONE: u8 = u8::MAX;

/// The piles of a position by their top cards, and what build orders want, found when a rule first
/// asks for it. It is of one position until it is updated.
#[derive(Default)]
pub(crate) struct Tops {
    piles: OnceCell<PilesByCard>,
    /// The relation that was asked for last, and the piles whose top card may lie on another one.
    fitting: Cell<Option<(u8, u128)>>,
    /// For each pile with a build order the cards that it wants, and of which piles that is known.
    wanted: [Cell<u64>; REMEMBERED],
    known: Cell<u32>,
    /// A number for the bases of build orders when that was found.
    bases: Cell<u128>,
}

/// Piles with a top card that lies face up, by that card.
pub(super) struct PilesByCard {
    all: u128,
    /// The cards on top of any of them.
    cards: u64,
    /// For each card the piles that have it on top.
    with: [u128; CARDS],
    /// For each pile its top card; none if the pile is not among these.
    top: [u8; MAX_PILES],
}

impl Tops {
    /// Whether nothing has been found yet.
    pub(super) fn is_empty(&self) -> bool {
        self.piles.get().is_none() && self.known.get() == 0
    }

    /// Goes on to another position, in which only some piles may differ.
    pub(crate) fn update(&mut self, program: &Program, state: &State, changed: u128) {
        self.fitting.set(None);
        if let Some(piles) = self.piles.get_mut() {
            for pile in bits(changed & program.tops_asked) {
                piles.set(pile, state.top(pile).filter(|&top| !is_face_down(top)));
            }
        }
        if self.known.get() == 0 {
            return;
        }
        let has_new_goals = changed & program.goals != 0;
        if program.wants_depend_on_others && has_new_goals
            || self.bases.get() != bases(program, state)
        {
            self.known.set(0);
        } else {
            let goal = |pile: usize| 1u32.checked_shl(program.places[pile].goal.into());
            let changed = bits(changed & program.goals).filter_map(goal);
            self.known.set(changed.fold(self.known.get(), |known, goal| known & !goal));
        }
    }

    /// The piles of the position.
    #[inline]
    pub(super) fn piles(&self, program: &Program, state: &State) -> &PilesByCard {
        let piles = self.piles.get_or_init(|| PilesByCard::of(program, state));
        debug_assert!(piles.top == PilesByCard::of(program, state).top, "of another position");
        piles
    }

    /// The piles, if some rule has asked for them.
    #[inline]
    pub(super) fn known(&self) -> Option<&PilesByCard> {
        self.piles.get()
    }

    /// The piles whose top card may lie on that of another one by a relation.
    pub(super) fn fitting(&self, program: &Program, state: &State, relation: u8) -> u128 {
        if let Some((_, piles)) = self.fitting.get().filter(|(known, _)| *known == relation) {
            return piles;
        }
        let piles = self.piles(program, state);
        let under = &program.relations[usize::from(relation)].under;
        let fits = |&top: &usize| under[top] & piles.cards != 0;
        let cards = ones(piles.cards).filter(fits).fold(0, |cards, top| cards | 1 << top);
        let fitting = piles.with(cards);
        self.fitting.set(Some((relation, fitting)));
        fitting
    }

    /// The cards that the build order of a pile wants.
    #[inline]
    pub(super) fn wanted(&self, program: &Program, state: &State, pile: usize) -> u64 {
        let goal = usize::from(program.places[pile].goal);
        let Some(wanted) = self.wanted.get(goal) else {
            return state.wanted_now(program, pile);
        };
        let known = self.known.get();
        if known == 0 {
            self.bases.set(bases(program, state));
        }
        if known >> goal & 1 == 0 {
            wanted.set(state.wanted_now(program, pile));
            self.known.set(known | 1 << goal);
        }
        debug_assert_eq!(
            wanted.get(),
            state.wanted_now(program, pile),
            "they are of another position"
        );
        wanted.get()
    }
}

/// A number for the counters on which it depends what build orders want.
fn bases(program: &Program, state: &State) -> u128 {
    let base = |counter: u8| u128::from(state.counters()[usize::from(counter)]);
    let bases = program.build_orders.iter().filter_map(|build_order| build_order.base);
    bases.fold(0, |number, counter| hash::mix(number ^ base(counter)))
}

impl Default for PilesByCard {
    fn default() -> Self {
        Self { all: 0, cards: 0, with: [0; CARDS], top: [NONE; MAX_PILES] }
    }
}

impl PilesByCard {
    /// All such piles of a position of which move rules ask for the top card.
    fn of(program: &Program, state: &State) -> Self {
        let mut piles = Self::default();
        for pile in bits(program.tops_asked & !state.vacant()) {
            if let Some(top) = state.top(pile).filter(|&top| !is_face_down(top)) {
                piles.add(pile, top);
            }
        }
        piles
    }

    /// Adds a pile with its top card.
    #[inline]
    pub(super) fn add(&mut self, pile: usize, top: u8) {
        self.all |= 1 << pile;
        self.cards |= 1 << top;
        self.with[usize::from(top)] |= 1 << pile;
        self.top[pile] = top;
    }

    /// Gives a pile another top card, or none.
    fn set(&mut self, pile: usize, top: Option<u8>) {
        let before = self.top[pile];
        if before == top.unwrap_or(NONE) {
            return;
        }
        self.top[pile] = NONE;
        if before != NONE {
            let piles = &mut self.with[usize::from(before)];
            *piles &= !(1 << pile);
            if *piles == 0 {
                self.cards &= !(1 << before);
            }
            self.all &= !(1 << pile);
        }
        if let Some(top) = top {
            self.add(pile, top);
        }
    }

    /// All that were added.
    pub(super) const fn all(&self) -> u128 {
        self.all
    }

    /// The cards on top of any of them.
    pub(super) const fn cards(&self) -> u64 {
        self.cards
    }

    /// Those on whose top card a card may lie.
    #[inline]
    pub(super) fn taking(&self, relation: &Relation, byte: u8) -> u128 {
        self.with(relation.under[usize::from(card(byte))])
    }

    /// Those with certain top cards.
    #[inline]
    pub(super) fn with(&self, cards: u64) -> u128 {
        ones(cards & self.cards).fold(0, |piles, top| piles | self.with[top])
    }
}
