//! What the turns of a stock come to, one after the other.
//!
//! A turn looks at the stock and the waste only, and nothing else looks at these two or at what it
//! counts ([`StockRules`]). So what comes of any number of turns depends on the cards of these two
//! piles and on the counters alone, and is the same in all positions that agree in them. It is
//! found once, by turning or from the cards alone ([`PlainTurn`]), and kept; then a position leaps
//! there at once.

use std::ops::Range;

use crate::position::moves::Move;
use crate::position::state::contents::PileContents;
use crate::position::state::{State, turned};
use crate::program::hash::{self, Keys};
use crate::search::spaces::general::General;
use crate::search::spaces::plain_turn::PlainTurn;
use crate::search::spaces::space::Space;
use crate::search::spaces::stock_rules::StockRules;

/// The most turns of a walk.
const MOST_TURNS: u8 = 200;

/// The number of marks that most keys of a walk do not share with earlier ones.
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
#[derive(Clone, Debug)]
struct TurnedPile {
    pile: u8,
    /// Its cards among those of the walk, some of which may belong to other piles, too.
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
    /// Finds what turns come to from the current position. Forgets the walk before.
    fn find(&mut self, space: &mut General<'_>, turns: &StockRules) {
        self.after.clear();
        self.cards.clear();
        self.counters.clear();
        self.keys.clear();
        let is_plain = !space.ignores_places() && space.tells_apart(turns.both);
        match turns.plain.as_deref().filter(|_| is_plain) {
            Some(plain) => {
                self.compute(space, turns, plain);
                debug_assert!(self.is_as_made(space, turns), "a turn comes to something else");
            }
            None => self.turn(space, turns),
        }
    }

    /// A pile of a position.
    fn pile_of(&mut self, state: &State, pile: u8) -> TurnedPile {
        let PileContents { cards, hash, hash_term, closed, .. } = state.contents(pile);
        let first = self.cards.len();
        self.cards.extend_from_slice(cards);
        TurnedPile { pile, cards: first..self.cards.len(), hash, hash_term, closed }
    }

    /// Notes the key of a position. Returns whether it was noted before.
    fn is_repeated(&mut self, key: u128, seen: &mut [bool; SEEN]) -> bool {
        let is_seen = std::mem::replace(&mut seen[key as usize % SEEN], true);
        let is_repeated = is_seen && self.keys.contains(&key);
        self.keys.push(key);
        is_repeated
    }

    /// Turns the stock again and again, and then goes back.
    fn turn(&mut self, space: &mut General<'_>, turns: &StockRules) {
        let mut made = 0;
        let mut seen = [false; SEEN];
        while !self.is_repeated(space.key(), &mut seen) {
            let mut legal = Vec::new();
            space.list_by(&turns.turning, turns.both, &mut legal);
            let turn = legal.first().copied().filter(|_| made < MOST_TURNS);
            let state = space.state();
            let piles = [turns.stock, turns.waste].map(|pile| self.pile_of(state, pile));
            self.counters.extend_from_slice(state.counters());
            let other_turns = legal[usize::from(turn.is_some())..].to_vec();
            self.after.push(Turned { piles, other_turns });
            if !turn.is_some_and(|turn| space.make(turn)) {
                break;
            }
            made += 1;
        }
        space.unmake_many(made.into());
    }

    /// Finds what plain turns come to from the cards alone. Moves are listed only where others may
    /// be legal than before.
    fn compute(&mut self, space: &mut General<'_>, turns: &StockRules, plain: &[PlainTurn]) {
        let keys = &space.program().keys;
        let state = space.state();
        let places = [turns.stock, turns.waste];
        let classes = places.map(|pile| state.class(usize::from(pile)));
        let capacities = places.map(|pile| {
            let pile = usize::from(pile);
            state.len(pile) + state.free_slots(pile)
        });
        let mut piles = places.map(|pile| self.pile_of(state, pile));
        let mut counters = state.counters().to_vec();
        let mut counters_key = key_of(&counters);
        let mut seen = [false; SEEN];
        let mut legal = Vec::new();
        // The empty piles when moves were listed last, and whether that was with these counters.
        let (mut vacant, mut is_listed) = ([false; 2], false);
        loop {
            let key = piles.iter().fold(counters_key, |key, pile| pile.hash_term.wrapping_add(key));
            if self.is_repeated(key, &mut seen) {
                break;
            }
            let turns_made = self.after.len();
            self.counters.extend_from_slice(&counters);
            self.after.push(Turned { piles: piles.clone(), other_turns: Vec::new() });
            let empty = piles.each_ref().map(|pile| pile.cards.is_empty());
            let has_room =
                capacities.iter().zip(&piles).all(|(&most, pile)| pile.cards.len() < most);
            if !is_listed || empty != vacant || !has_room {
                legal.clear();
                if turns_made > 0 {
                    self.make(space, turns_made);
                }
                space.list_by(&turns.turning, turns.both, &mut legal);
                if turns_made > 0 {
                    space.unmake();
                }
                (vacant, is_listed) = (empty, has_room);
            }
            let turn = legal.first().filter(|_| turns_made < usize::from(MOST_TURNS));
            self.after[turns_made]
                .other_turns
                .extend(legal.get(usize::from(turn.is_some())..).unwrap_or_default());
            let by_rule = |turn: &Move| plain.iter().find(|plain| plain.rule == turn.rule());
            let Some(turn) = turn.and_then(by_rule) else { break };
            let [from, to] = if turn.from == turns.stock { [0, 1] } else { [1, 0] };
            let room = capacities[to] - piles[to].cards.len();
            let number = turn.number.min(piles[from].cards.len()).min(room);
            self.move_cards(keys, turn, number, &mut piles, [from, to]);
            for (pile, class) in piles.iter_mut().zip(classes) {
                pile.hash_term = keys.pile(pile.hash, class, pile.closed);
            }
            for change in &turn.changes {
                let counter = &mut counters[usize::from(change.counter)];
                *counter = change.after(*counter);
            }
            if !turn.changes.is_empty() {
                counters_key = key_of(&counters);
                is_listed = false;
            }
        }
    }

    /// Moves a number of cards between the two piles by a turn.
    fn move_cards(
        &mut self,
        keys: &Keys,
        turn: &PlainTurn,
        number: usize,
        piles: &mut [TurnedPile; 2],
        [from, to]: [usize; 2],
    ) {
        let cards = &mut self.cards;
        let taken = piles[from].cards.end - number..piles[from].cards.end;
        piles[from].cards.end = taken.start;
        if piles[to].cards.end != cards.len() {
            // What lies after the target belongs to others.
            let first = cards.len();
            cards.extend_from_within(piles[to].cards.clone());
            piles[to].cards = first..cards.len();
        }
        let (left, height) = (piles[from].cards.len(), piles[to].cards.len());
        for index in 0..number {
            let at = if turn.reverse { number - 1 - index } else { index };
            let byte = cards[taken.start + at];
            let laid = turned(byte, turn.face);
            piles[from].hash ^= keys.card(byte, left + at);
            piles[to].hash ^= keys.card(laid, height + index);
            cards.push(laid);
        }
        piles[to].cards.end = cards.len();
    }

    /// Whether the turns come to the same when they are made; for tests.
    fn is_as_made(&self, space: &mut General<'_>, turns: &StockRules) -> bool {
        let mut made = Self::default();
        made.turn(space, turns);
        made.after.len() == self.after.len()
            && (0..made.after.len()).all(|turns| {
                self.piles(turns) == made.piles(turns)
                    && self.counters(turns) == made.counters(turns)
                    && self.after[turns].other_turns == made.after[turns].other_turns
            })
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

/// What counters add to the key of a position.
fn key_of(counters: &[u16]) -> u128 {
    let counters = counters.iter().enumerate();
    counters.fold(0, |key, (index, &value)| hash::counter(index, value).wrapping_add(key))
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
