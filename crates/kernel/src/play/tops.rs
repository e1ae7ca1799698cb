//! What the rules find at the tops of piles, found once for all rules, and from one position to the
//! next only where piles have changed.

use std::cell::{Cell, OnceCell};

use crate::bits::{bits, ones};
use crate::card::{CARDS, card, is_face_down};
use crate::position::state::State;
use crate::program::compiled::{Program, Relation};
use crate::program::footprint::Footprint;
use crate::program::hash;
use crate::program::rule_set::RuleSet;
use crate::program::top_sets::{Onto, TopSets};
use crate::program::validate::MAX_PILES;

/// No card.
const NONE: u8 = u8::MAX;

/// The length of tables of cards. With a power of two, no index needs a check.
const TABLE: usize = 64;

/// The piles of a position by their top cards, found when a rule first asks for them, and perhaps
/// more that is kept. It is of one position until it is updated.
#[derive(Default)]
pub(crate) struct Tops {
    piles: OnceCell<PilesByCard>,
    /// None if only one position is looked at, for which it does not pay.
    kept: Option<Box<Kept>>,
}

/// What is kept from one position to the next.
struct Kept {
    /// For each set of piles of [`TopSets`] the cards on top of them, face up.
    shown: Vec<u64>,
    /// For each build the cards that fit any of those, and of which builds that is known.
    fitting: Vec<Cell<u64>>,
    fitting_known: Cell<u64>,
    /// For each pile the cards that its build order wants, and for each card the piles that want
    /// it.
    wants: Vec<u64>,
    takers: [u128; TABLE],
    /// For each set the cards that its build orders want.
    wanted: Vec<u64>,
    /// A number for the bases of build orders.
    bases: u128,
    /// The vacant piles, and those that are open.
    vacant: u128,
    open: u128,
    /// The free rules without those whose conditions do not hold, as far as that follows from the
    /// piles and counters that `asked` reads. None if it is not known.
    in_force: Cell<Option<RuleSet>>,
    asked: Footprint,
    counters: Vec<u16>,
}

/// Piles with a top card that lies face up, by that card.
pub(super) struct PilesByCard {
    /// The cards on top of any of them.
    cards: u64,
    /// For each card the piles that have it on top.
    with: [u128; CARDS],
    /// For each pile its top card; none if the pile is not among these.
    top: [u8; MAX_PILES],
}

impl Tops {
    /// Those of a position that is one of many.
    pub(crate) fn kept(program: &Program, state: &State) -> Self {
        let mut piles = PilesByCard::default();
        let mut kept = Box::new(Kept::new(program));
        kept.update(program, state, &mut piles, u128::MAX);
        Self { piles: piles.into(), kept: Some(kept) }
    }

    /// Whether nothing has been found yet.
    pub(super) fn is_empty(&self) -> bool {
        self.piles.get().is_none()
    }

    /// Goes on to another position, in which only some piles may differ.
    pub(crate) fn update(&mut self, program: &Program, state: &State, changed: u128) {
        let Some(piles) = self.piles.get_mut() else { return };
        if let Some(kept) = &mut self.kept {
            kept.update(program, state, piles, changed);
        } else {
            for pile in bits(changed & program.tops_asked) {
                piles.set(pile, state);
            }
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

    /// The piles from which a rule may have moves; all if that is not known.
    #[inline]
    pub(super) fn sources(&self, program: &Program, state: &State, rule: u8) -> u128 {
        let (Some(kept), Some(asked)) = (&self.kept, &program.top_sets.rules[usize::from(rule)])
        else {
            return u128::MAX;
        };
        let shown = asked.which & kept.shown[usize::from(asked.from)];
        let mut cards = match asked.onto {
            Onto::Nothing => 0,
            Onto::AnyCard => u64::MAX,
            Onto::BuildOrder(set) => kept.wanted[usize::from(set)],
            Onto::Build(_) if shown == 0 => 0,
            Onto::Build(build) => kept.fitting(program, build),
        };
        if asked.space & shown & !cards != 0 && asked.to & kept.vacant != 0 {
            cards |= asked.space;
        }
        self.piles(program, state).with(cards & shown)
    }

    /// Whether more than the piles by their top cards is kept.
    pub(super) const fn are_kept(&self) -> bool {
        self.kept.is_some()
    }

    /// The free rules, if more is kept without those that are known not to be in force.
    #[inline]
    pub(super) fn in_force(&self, program: &Program, state: &State) -> RuleSet {
        let Some(kept) = &self.kept else { return program.free.iter().copied().collect() };
        kept.in_force.get().unwrap_or_else(|| {
            let holds = |rule: &u8| {
                let plan = &program.plans[usize::from(*rule)];
                !plan.seldom_changes || state.all_hold(program, &plan.when)
            };
            let rules = program.free.iter().copied().filter(holds).collect();
            kept.in_force.set(Some(rules));
            rules
        })
    }

    /// The piles that are open.
    #[inline]
    pub(super) fn open(&self, program: &Program, state: &State) -> u128 {
        self.kept.as_ref().map_or_else(|| state.open_piles(program), |kept| kept.open)
    }

    /// The piles whose build orders want a card, if that is kept.
    #[inline]
    pub(super) fn takers(&self, card: u8) -> u128 {
        self.kept.as_ref().map_or(u128::MAX, |kept| kept.takers[usize::from(card) % TABLE])
    }

    /// The cards that the build order of a pile wants.
    #[inline]
    pub(super) fn wanted(&self, program: &Program, state: &State, pile: usize) -> u64 {
        let Some(kept) = &self.kept else { return state.wanted_now(program, pile) };
        debug_assert_eq!(
            kept.wants[pile],
            state.wanted_now(program, pile),
            "they are of another position"
        );
        kept.wants[pile]
    }
}

impl Kept {
    /// Before the first position.
    fn new(program: &Program) -> Self {
        let TopSets { piles: sets, builds, .. } = &program.top_sets;
        let mut asked = Footprint::default();
        let plans = program.free.iter().map(|&rule| &program.plans[usize::from(rule)]);
        let conditions = plans.filter(|plan| plan.seldom_changes).flat_map(|plan| &plan.when);
        conditions.for_each(|condition| asked.add_condition(condition, &[]));
        Self {
            shown: vec![0; sets.len()],
            fitting: vec![Cell::new(0); builds.len()],
            fitting_known: Cell::new(0),
            wants: vec![0; program.places.len()],
            takers: [0; TABLE],
            wanted: vec![0; sets.len()],
            bases: 0,
            vacant: u128::MAX,
            open: u128::MAX,
            in_force: Cell::new(None),
            asked,
            counters: vec![0; program.source().counters.len()],
        }
    }

    fn update(&mut self, program: &Program, state: &State, piles: &mut PilesByCard, changed: u128) {
        let sets = &program.top_sets;
        for pile in bits(changed & program.tops_asked) {
            let Some((before, after)) = piles.set(pile, state) else { continue };
            let (hidden, others) = match before {
                NONE => (0, 0),
                top => (1 << top, piles.with[usize::from(top)]),
            };
            let shown = if after == NONE { 0 } else { 1 << after };
            for set in ones(sets.with[pile]) {
                let kept = if others & sets.piles[set] == 0 { !hidden } else { u64::MAX };
                self.shown[set] = self.shown[set] & kept | shown;
            }
            *self.fitting_known.get_mut() &= !sets.builds_on[pile];
        }
        let mut goals = changed & program.goals;
        if goals != 0 {
            // What a pile wants depends on others only until it has two cards.
            let is_short = |&pile: &usize| state.len(pile) <= 1;
            let others = bits(program.goals_in_common & !goals).filter(is_short);
            goals = others.fold(goals, |goals, pile| goals | 1 << pile);
        }
        if program.has_bases {
            let bases = bases(program, state);
            if std::mem::replace(&mut self.bases, bases) != bases {
                goals = program.goals;
            }
        }
        for pile in bits(goals) {
            self.set_wants(program, pile, state.wanted_now(program, pile));
        }
        let vacant = std::mem::replace(&mut self.vacant, state.vacant());
        if vacant != self.vacant {
            self.open = state.open_piles(program);
        }
        let mut is_known = (vacant ^ self.vacant) & self.asked.reads == 0;
        for counter in ones(self.asked.counters_read.into()) {
            let value = state.counters()[counter];
            is_known &= std::mem::replace(&mut self.counters[counter], value) == value;
        }
        if !is_known {
            self.in_force.set(None);
        }
    }

    /// Notes what the build order of a pile wants.
    #[inline]
    fn set_wants(&mut self, program: &Program, pile: usize, wants: u64) {
        let changed = std::mem::replace(&mut self.wants[pile], wants) ^ wants;
        for card in ones(changed) {
            self.takers[card] ^= 1 << pile;
        }
        let sets = &program.top_sets;
        for set in ones(if changed == 0 { 0 } else { sets.with[pile] }) {
            let wanted = |card: usize| self.takers[card] & sets.piles[set] != 0;
            let cards = ones(changed).filter(|&card| wanted(card));
            let now = cards.fold(0, |cards, card| cards | 1 << card);
            self.wanted[set] = self.wanted[set] & !changed | now;
        }
    }

    /// The cards that fit any top card of a set.
    #[inline]
    fn fitting(&self, program: &Program, build: u8) -> u64 {
        let fitting = &self.fitting[usize::from(build)];
        let known = self.fitting_known.get();
        if known >> build & 1 == 0 {
            let (set, relation) = program.top_sets.builds[usize::from(build)];
            let over = &program.relations[usize::from(relation)].over;
            let shown = ones(self.shown[usize::from(set)]);
            fitting.set(shown.fold(0, |all, top| all | over[top]));
            self.fitting_known.set(known | 1 << build);
        }
        fitting.get()
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
        Self { cards: 0, with: [0; CARDS], top: [NONE; MAX_PILES] }
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
        self.cards |= 1 << top;
        self.with[usize::from(top)] |= 1 << pile;
        self.top[pile] = top;
    }

    /// Notes the top card of a pile. Returns the one before and the one after, if they differ.
    #[inline]
    fn set(&mut self, pile: usize, state: &State) -> Option<(u8, u8)> {
        let after = state.top(pile).filter(|&top| !is_face_down(top)).unwrap_or(NONE);
        let before = std::mem::replace(&mut self.top[pile], after);
        if before == after {
            return None;
        }
        if before != NONE {
            let piles = &mut self.with[usize::from(before)];
            *piles &= !(1 << pile);
            if *piles == 0 {
                self.cards &= !(1 << before);
            }
        }
        if after != NONE {
            self.add(pile, after);
        }
        Some((before, after))
    }

    /// The top card of a pile that was added.
    #[inline]
    pub(super) const fn top(&self, pile: usize) -> u8 {
        self.top[pile]
    }

    /// All that were added.
    pub(super) fn all(&self) -> u128 {
        self.with(self.cards)
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
