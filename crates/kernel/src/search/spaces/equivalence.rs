//! Keys by which a search recognises positions.

use crate::bits::bits;
use crate::card::{CARDS, of_rank_before};
use crate::position::state::State;
use crate::position::state::foreseen::ForeseenTransfer;
use crate::program::compiled::Program;
use crate::search::options::{Pruning, Prunings};

/// Which positions count as equal.
///
/// *Classes of cards.* Two cards of a rank are of one class if every relation and every set of
/// cards that the rules test treats them alike. Counting such cards as the same card is exact: a
/// permutation of them changes nothing that any rule looks at, so it maps the games that can be
/// played from a position onto those from its image. Rules that compare cards directly switch this
/// off: a preferred equal card, one suit on each foundation, swaps of cards that differ. A
/// *class-blind* key ignores the suit rules of foundations: its classes are ranks in a game that
/// builds regardless of suit, and pairs of rank and colour where colours alternate. A search that
/// counts positions as equal if they differ only within such classes generates far fewer of them.
/// But it may overlook a win, so its exhaustion proves nothing.
///
/// *Sinks.* If nothing ever leaves a pile and no rule looks at any of its cards but the top one,
/// only the top card counts: the cards below can never matter again.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Equivalence {
    /// For each card the first card of its class; none if every class has one card.
    representative: Option<[u8; CARDS]>,
    /// The sinks.
    sinks: u128,
}

impl Equivalence {
    /// Distinguishes everything that the rules can distinguish.
    pub(crate) fn exact(program: &Program, without: Prunings) -> Self {
        let (mut relations, masks) = tables(program);
        let build_orders = &program.source().build_orders;
        relations.extend(
            build_orders.iter().filter_map(|build_order| build_order.relation).map(usize::from),
        );
        let compares_cards = build_orders.iter().any(|build_order| build_order.one_suit_each)
            || program.footprints.iter().any(|footprint| footprint.compares_cards);
        let is_off = compares_cards || without.has(Pruning::CardClasses);
        let representative =
            if is_off { None } else { representatives(program, &relations, &masks) };
        Self { representative, sinks: sinks(program, without) }
    }

    /// Ignores the suit rules of build orders. Not exact.
    pub(crate) fn inexact(program: &Program, without: Prunings) -> Self {
        let (relations, masks) = tables(program);
        Self {
            representative: representatives(program, &relations, &masks),
            sinks: sinks(program, without),
        }
    }

    /// For each card the one that counts as the same.
    pub(crate) fn representatives(&self) -> [u8; CARDS] {
        self.representative.unwrap_or_else(|| std::array::from_fn(|index| index as u8))
    }

    /// Whether any two cards count as the same.
    pub(crate) const fn merges_cards(&self) -> bool {
        self.representative.is_some()
    }

    /// Whether only equal positions count as equal.
    pub(crate) const fn is_plain(&self) -> bool {
        self.representative.is_none() && self.sinks == 0
    }

    /// The program with hashes in which cards of a class are the same; none if every class has one
    /// card.
    pub(crate) fn with_merged_cards(&self, program: &Program) -> Option<Program> {
        self.representative
            .and_then(|representative| program.with_merged_cards(&representative).ok())
    }

    /// The key of a position of the program of [`Self::with_merged_cards`].
    #[inline]
    pub(crate) fn of(&self, program: &Program, state: &State) -> u128 {
        if self.sinks == 0 {
            return state.hash128();
        }
        bits(self.sinks & !state.vacant()).fold(state.hash128(), |key, pile| {
            let top = state.top(pile).map_or(0, |top| program.keys.card(top, 0));
            key.wrapping_sub(state.hash_term(pile))
                .wrapping_add(state.hash_term_with(program, pile, top))
        })
    }

    /// The sinks.
    pub(crate) const fn sinks(&self) -> u128 {
        self.sinks
    }

    /// How much a transfer that is all that a move changes adds to the key. It depends on the two
    /// piles alone.
    #[inline]
    pub(crate) fn difference(
        &self,
        program: &Program,
        state: &State,
        foreseen: &ForeseenTransfer,
    ) -> u128 {
        let (from, to) = (usize::from(foreseen.from), usize::from(foreseen.to));
        let of_from = foreseen.from_term.wrapping_sub(state.hash_term(from));
        let top = || state.top_after(foreseen);
        self.difference_of_pile(program, state, to, top, || foreseen.to_term).wrapping_add(of_from)
    }

    /// How much a pile adds to the key by which more cards come to lie on it. It depends on its top
    /// card then, or on what it adds to the hash of the position.
    #[inline]
    pub(crate) fn difference_of_pile(
        &self,
        program: &Program,
        state: &State,
        pile: usize,
        top: impl FnOnce() -> u8,
        hash_term: impl FnOnce() -> u128,
    ) -> u128 {
        let before = state.hash_term(pile);
        if self.sinks >> pile & 1 == 0 {
            return hash_term().wrapping_sub(before);
        }
        let sunk = |top| state.hash_term_with(program, pile, program.keys.card(top, 0));
        sunk(top()).wrapping_sub(state.top(pile).map_or(before, sunk))
    }
}

/// For each card the first of its class; none if every class has one card.
fn representatives(program: &Program, relations: &[usize], masks: &[u64]) -> Option<[u8; CARDS]> {
    let alike = |a: usize, b: usize| {
        relations.iter().all(|&index| {
            let relation = &program.relations[index];
            relation.over[a] == relation.over[b] && relation.under[a] == relation.under[b]
        }) && masks.iter().all(|mask| mask >> a & 1 == mask >> b & 1)
    };
    let mut representative = [0; CARDS];
    let mut merged = false;
    for (index, slot) in representative.iter_mut().enumerate() {
        let first = of_rank_before(index).find(|&earlier| alike(earlier, index)).unwrap_or(index);
        merged |= first != index;
        *slot = first as u8;
    }
    merged.then_some(representative)
}

/// The piles that nothing ever leaves and of which no rule looks below the top card or at the size.
fn sinks(program: &Program, without: Prunings) -> u128 {
    if without.has(Pruning::Sinks) {
        return 0;
    }
    let with_build_order =
        program.places.iter().map(|place| u128::from(place.build_order.is_some()));
    let with_build_order =
        (0..).zip(with_build_order).fold(0, |mask, (pile, bit): (u32, _)| mask | bit << pile);
    let used = program
        .footprints
        .iter()
        .chain([&program.aim])
        .fold(with_build_order, |used, footprint| {
            used | footprint.takes | footprint.turns | footprint.measures
        });
    program.all_piles & !used & !(1 << program.source().source_pile)
}

/// The relations between cards and the sets of cards that rules, the aim and build orders test,
/// except the suit rules of build orders.
fn tables(program: &Program) -> (Vec<usize>, Vec<u64>) {
    let build_orders = program.source().build_orders.iter();
    let mut masks: Vec<u64> = build_orders
        .flat_map(|build_order| build_order.wants.iter().chain(build_order.ways.iter().flatten()))
        .map(|mask| mask.0)
        .collect();
    let mut relations = 0;
    for footprint in program.footprints.iter().chain([&program.aim]) {
        relations |= footprint.relations;
        masks.extend(&footprint.classes);
    }
    (bits(relations).collect(), masks)
}
