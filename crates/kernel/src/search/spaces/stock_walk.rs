//! What the turns of a stock come to, one after the other.
//!
//! A turn looks at the stock and the waste only, and nothing else looks at these two or at what it
//! counts ([`StockRules`]). So what comes of any number of turns depends on the cards of these two
//! piles and on the counters alone, and is the same in all positions that agree in them. It is
//! found once, by turning, and kept; then a position leaps there at once.

use std::ops::Range;

use crate::position::moves::Move;
use crate::position::state::State;
use crate::position::state::contents::PileContents;
use crate::search::spaces::general::General;
use crate::search::spaces::space::Space;
use crate::search::spaces::stock_rules::StockRules;

/// The most turns of a walk.
const MOST_TURNS: u8 = 200;

/// How many keys are told apart at a glance.
const SEEN: usize = 1024;

/// How many walks are kept: a few megabytes at most.
const WALKS: usize = 256;

/// What turns come to: the stock and the waste.
#[derive(Debug)]
pub(crate) struct Turned {
    piles: [TurnedPile; 2],
    /// The turns that are legal now, except the first of them: that is the next turn of the walk.
    pub(crate) other_turns: Vec<Move>,
}

/// A pile after some turns.
#[derive(Debug)]
struct TurnedPile {
    pile: u8,
    /// Its cards among those of the walk.
    cards: Range<usize>,
    hash: u128,
    hash_term: u128,
    closed: bool,
}

/// The results of no turn, of one turn and so on, until they repeat or there is no turn.
#[derive(Default)]
pub(crate) struct StockWalk {
    pub(crate) after: Vec<Turned>,
    /// The cards of all piles, and the counters, each time.
    cards: Vec<u8>,
    counters: Vec<u16>,
    /// The key of the position each time.
    keys: Vec<u128>,
}

impl StockWalk {
    /// Turns the stock again and again, and then goes back. Forgets the walk before.
    fn find(&mut self, space: &mut General<'_>, turns: &StockRules) {
        self.after.clear();
        self.cards.clear();
        self.counters.clear();
        self.keys.clear();
        let mut legal = Vec::new();
        let mut made = 0;
        let mut seen = [false; SEEN];
        let mut vacant = 0;
        loop {
            let key = space.key();
            let is_seen = std::mem::replace(&mut seen[key as usize % SEEN], true);
            if is_seen && self.keys.contains(&key) {
                break;
            }
            self.keys.push(key);
            if !self.is_like_last(space.state(), turns, vacant) {
                legal.clear();
                space.list_by(&turns.turning, turns.both, &mut legal);
            }
            debug_assert_eq!(
                legal,
                {
                    let mut fresh = Vec::new();
                    space.list_by(&turns.turning, turns.both, &mut fresh);
                    fresh
                },
                "other turns are legal than before"
            );
            vacant = space.state().vacant();
            let turn = legal.first().copied().filter(|_| made < MOST_TURNS);
            let others = legal[usize::from(turn.is_some())..].to_vec();
            self.add(space.state(), turns, others);
            if !turn.is_some_and(|turn| space.make(turn)) {
                break;
            }
            made += 1;
        }
        space.unmake_many(made.into());
    }

    /// Whether the same turns are legal as in the last position added, in which some piles were
    /// empty.
    fn is_like_last(&self, state: &State, turns: &StockRules, vacant: u128) -> bool {
        let has_room = |pile: u8| state.free_slots(pile.into()) > 0;
        turns.are_uniform
            && !self.after.is_empty()
            && vacant == state.vacant()
            && has_room(turns.stock)
            && has_room(turns.waste)
            && self.counters(self.after.len() - 1) == state.counters()
    }

    /// Adds what the turns to a position come to.
    fn add(&mut self, state: &State, turns: &StockRules, other_turns: Vec<Move>) {
        let piles = [turns.stock, turns.waste].map(|pile| {
            let PileContents { cards, hash, hash_term, closed, .. } = state.contents(pile);
            let first = self.cards.len();
            self.cards.extend_from_slice(cards);
            TurnedPile { pile, cards: first..self.cards.len(), hash, hash_term, closed }
        });
        self.counters.extend_from_slice(state.counters());
        self.after.push(Turned { piles, other_turns });
    }

    /// The stock and the waste after a number of turns.
    fn piles(&self, turns: usize) -> [PileContents<'_>; 2] {
        self.after[turns].piles.each_ref().map(|turned| {
            let &TurnedPile { pile, ref cards, hash, hash_term, closed } = turned;
            let cards = &self.cards[cards.clone()];
            PileContents { pile, cards, hash, hash_term, closed }
        })
    }

    /// The counters after a number of turns.
    fn counters(&self, turns: usize) -> &[u16] {
        let each = self.counters.len() / self.after.len();
        &self.counters[turns * each..][..each]
    }

    /// Takes the position from which the walk began to where a number of turns leads, if there are
    /// so many.
    pub(crate) fn make(&self, space: &mut General<'_>, turns: usize) -> bool {
        let is_in = turns < self.after.len();
        if is_in {
            space.leap(&self.piles(turns), self.counters(turns));
        }
        is_in
    }

    /// The top card of the waste after a number of turns.
    pub(crate) fn top(&self, turns: usize) -> Option<u8> {
        self.cards[self.after[turns].piles[1].cards.clone()].last().copied()
    }

    /// Whether the walk begins with the stock, the waste and the counters of a position.
    fn begins_at(&self, state: &State) -> bool {
        !self.after.is_empty()
            && self.piles(0).iter().all(|contents| contents.are_in(state))
            && *self.counters(0) == *state.counters()
    }
}

/// The walks found last.
pub(crate) struct StockWalks {
    walks: Vec<StockWalk>,
}

impl StockWalks {
    pub(crate) const fn new() -> Self {
        Self { walks: Vec::new() }
    }

    /// The walk from the current position of a space.
    pub(crate) fn from(&mut self, space: &mut General<'_>, turns: &StockRules) -> &StockWalk {
        if self.walks.is_empty() {
            self.walks.resize_with(WALKS, StockWalk::default);
        }
        let state = space.state();
        let terms = [turns.stock, turns.waste].map(|pile| state.hash_term(usize::from(pile)));
        let walk = &mut self.walks[(terms[0] ^ terms[1] >> 64) as usize % WALKS];
        if !walk.begins_at(state) {
            walk.find(space, turns);
        }
        walk
    }
}
