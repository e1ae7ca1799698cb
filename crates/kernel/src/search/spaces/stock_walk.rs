//! What the turns of a stock come to, one after the other.
//!
//! A turn looks at the stock and the waste only, and nothing else looks at these two or at what it
//! counts ([`StockRules`]). So what comes of any number of turns depends on the cards of these two
//! piles and on the counters alone, and is the same in all positions that agree in them. It is
//! found once, by turning, and kept; then a position leaps there at once.

use crate::position::moves::Move;
use crate::position::state::State;
use crate::position::state::contents::PileContents;
use crate::search::spaces::general::General;
use crate::search::spaces::space::Space;
use crate::search::spaces::stock_rules::StockRules;

/// The most turns of a walk.
const MOST_TURNS: u8 = 200;

/// How many walks are kept: a few megabytes at most.
const WALKS: usize = 256;

/// What turns come to: the stock, the waste and the counters.
#[derive(Debug)]
pub(crate) struct Turned {
    piles: [PileContents; 2],
    counters: Box<[u16]>,
    /// The turns that are legal now, except the first of them: that is the next turn of the walk.
    pub(crate) other_turns: Vec<Move>,
}

impl Turned {
    /// Of a position.
    fn of(state: &State, turns: &StockRules, other_turns: Vec<Move>) -> Self {
        let piles = [turns.stock, turns.waste].map(|pile| state.contents(pile));
        Self { piles, counters: state.counters().into(), other_turns }
    }

    /// Takes a position of the walk there.
    pub(crate) fn make(&self, space: &mut General<'_>) {
        space.leap(&self.piles, &self.counters);
    }

    /// The top card of the waste.
    pub(crate) fn top(&self) -> Option<u8> {
        self.piles[1].top()
    }

    /// Whether it is what a position has.
    fn is_in(&self, state: &State) -> bool {
        self.piles.iter().all(|contents| contents.are_in(state))
            && *self.counters == *state.counters()
    }
}

/// The results of no turn, of one turn and so on, until they repeat or there is no turn.
pub(crate) struct StockWalk {
    pub(crate) after: Vec<Turned>,
}

impl StockWalk {
    /// Turns the stock again and again, and then goes back.
    fn new(space: &mut General<'_>, turns: &StockRules) -> Self {
        let (mut after, mut visited, mut legal) = (Vec::new(), Vec::new(), Vec::new());
        let mut made = 0;
        while !visited.contains(&space.key()) {
            visited.push(space.key());
            legal.clear();
            space.list_by(&turns.turning, turns.both, &mut legal);
            let others = legal.split_off(usize::from(made < MOST_TURNS && !legal.is_empty()));
            after.push(Turned::of(space.state(), turns, others));
            let Some(&turn) = legal.first().filter(|_| made < MOST_TURNS) else { break };
            if !space.make(turn) {
                break;
            }
            made += 1;
        }
        (0..made).for_each(|_| space.unmake());
        Self { after }
    }
}

/// The walks found last.
pub(crate) struct StockWalks {
    walks: Vec<Option<StockWalk>>,
}

impl StockWalks {
    pub(crate) const fn new() -> Self {
        Self { walks: Vec::new() }
    }

    /// The walk from the current position of a space.
    pub(crate) fn from(&mut self, space: &mut General<'_>, turns: &StockRules) -> &StockWalk {
        self.walks.resize_with(WALKS, || None);
        let state = space.state();
        let terms = [turns.stock, turns.waste].map(|pile| state.hash_term(usize::from(pile)));
        let slot = &mut self.walks[(terms[0] ^ terms[1] >> 64) as usize % WALKS];
        if slot.as_ref().is_none_or(|walk| !walk.after[0].is_in(state)) {
            *slot = None;
        }
        slot.get_or_insert_with(|| StockWalk::new(space, turns))
    }
}
