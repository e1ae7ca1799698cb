//! Keys by which a search knows a position again.

use crate::bits::bits;
use crate::card::{CARDS, rank};
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::search::options::{Pruning, Prunings};

/// How positions are told apart.
///
/// *Classes of cards.* Two cards of a rank are of one class if every relation that the rules ask
/// for and every set of cards in them treats them alike. To take such cards for the same card is
/// exact: a permutation of them changes nothing that any rule looks at, so it maps the games that
/// can be played from a position onto those from its image. Rules that compare cards by themselves
/// switch it off: a preferred equal card, one suit a foundation, different cards that change
/// places. A *blind* key leaves the suit rules of foundations out: in a game that builds regardless
/// of suit its class is a rank, in alternate colours a rank and colour. A search that takes
/// positions for equal which differ only within such classes meets far fewer of them, but may
/// overlook a win, so its exhaustion proves nothing.
///
/// *Sinks.* Of a pile that nothing ever leaves and of which no rule looks at anything but the top
/// card, only the top card counts: what lies below can never matter again.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Equivalence {
    /// For each card the first card of its class; none where each is a class of its own.
    representative: Option<[u8; CARDS]>,
    /// The sinks.
    sinks: u128,
}

impl Equivalence {
    /// Tells apart whatever the rules can tell apart.
    pub(crate) fn exact(program: &Program, without: Prunings) -> Self {
        let (mut relations, masks) = tables(program);
        let ladders = &program.source().ladders;
        relations.extend(ladders.iter().filter_map(|ladder| ladder.relation).map(usize::from));
        let compares_cards = ladders.iter().any(|ladder| ladder.apart)
            || program.footprints.iter().any(|footprint| footprint.compares_cards);
        let is_off = compares_cards || without.has(Pruning::CardClasses);
        let representative =
            if is_off { None } else { representatives(program, &relations, &masks) };
        Self { representative, sinks: sinks(program, without) }
    }

    /// Leaves the suit rules of ladders out. Not exact.
    pub(crate) fn inexact(program: &Program, without: Prunings) -> Self {
        let (relations, masks) = tables(program);
        Self {
            representative: representatives(program, &relations, &masks),
            sinks: sinks(program, without),
        }
    }

    /// Whether any two cards count as the same.
    pub(crate) const fn merges_cards(&self) -> bool {
        self.representative.is_some()
    }

    /// The program with hashes in which cards of a class are the same; none where each is a class
    /// of its own.
    pub(crate) fn with_merged_cards(&self, program: &Program) -> Option<Program> {
        self.representative
            .and_then(|representative| program.with_merged_cards(&representative).ok())
    }

    /// The key of a position that was hashed by the keys of [`Self::merged`].
    #[inline]
    pub(crate) fn of(&self, program: &Program, state: &State) -> u128 {
        if self.sinks == 0 {
            return state.hash128();
        }
        bits(self.sinks & !state.vacant()).fold(state.hash128(), |key, pile| {
            let top = state.top(pile).map_or(0, |top| program.keys.card(top, 0));
            key.wrapping_sub(state.hash_term(pile)).wrapping_add(share(program, state, pile, top))
        })
    }
}

/// What a pile with a certain hash adds to a key.
fn share(program: &Program, state: &State, pile: usize, hash: u128) -> u128 {
    program.keys.pile(hash, program.places[pile].class, state.is_closed(pile))
}

/// For each card the first of its class; none where each is a class of its own.
fn representatives(program: &Program, relations: &[usize], masks: &[u64]) -> Option<[u8; CARDS]> {
    let alike = |a: usize, b: usize| {
        rank(a as u8) == rank(b as u8)
            && masks.iter().all(|mask| mask >> a & 1 == mask >> b & 1)
            && relations.iter().all(|&index| {
                let relation = &program.relations[index];
                relation.over[a] == relation.over[b] && relation.under[a] == relation.under[b]
            })
    };
    let mut representative = [0; CARDS];
    let mut merged = false;
    for (index, slot) in representative.iter_mut().enumerate() {
        let first = (0..=index).find(|&earlier| alike(earlier, index)).unwrap_or(index);
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
    let laddered = program.places.iter().map(|place| u128::from(place.ladder.is_some()));
    let laddered = (0..).zip(laddered).fold(0, |mask, (pile, bit): (u32, _)| mask | bit << pile);
    let used = program.footprints.iter().chain([&program.aim]).fold(laddered, |used, footprint| {
        used | footprint.takes | footprint.turns | footprint.measures
    });
    program.all_piles & !used & !(1 << program.source().source)
}

/// The relations asked for between cards, and the sets of cards, of all rules and ladders. The suit
/// rules of ladders are left out.
fn tables(program: &Program) -> (Vec<usize>, Vec<u64>) {
    let ladders = program.source().ladders.iter();
    let mut masks: Vec<u64> = ladders.flat_map(|ladder| &ladder.wants).map(|mask| mask.0).collect();
    let mut relations = 0;
    for footprint in program.footprints.iter().chain([&program.aim]) {
        relations |= footprint.relations;
        masks.extend(&footprint.classes);
    }
    (bits(relations).collect(), masks)
}
