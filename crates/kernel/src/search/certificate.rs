//! Finds closed sets of positions: proofs of loss that another program can check.
//!
//! The set begins with a position. It contains every position that a legal move leads to from a
//! position of the set, except where an argument makes that unnecessary. For each position of the
//! set, in the order in which they are found, there is one byte that names the argument. The
//! checker (`python/cadogan/certificates/`, documented in `docs/certificates.md`) uses the same
//! order, but no code of this crate. It repeats everything, so a mistake made here leads to a
//! certificate that is rejected, never to one that is wrongly accepted.

use std::collections::HashSet;

use thiserror::Error;

use crate::bits::{bits, ones};
use crate::card::{CARDS, card, has, is_face_down};
use crate::position::journal::Journal;
use crate::position::moves::NONE;
use crate::position::state::State;
use crate::position::state::packed::head;
use crate::program::actions::CompiledAction;
use crate::program::actions::transfer::CompiledMove;
use crate::program::compiled::Program;
use crate::program::format::During;
use crate::program::validate::MAX_PILES;
use crate::search::spaces::deadlock::Deadlocks;

/// All legal moves of the position count.
const ALL_MOVES: u8 = 0;
/// Some pile can never be emptied.
const LOCKED: u8 = 1;
/// Some card can never go up, even if nothing ever gets worse.
const DEAD_END: u8 = 2;
/// The top card of a pile may go up at once; the number of the pile is added to this.
const SAFE_PLAY: u8 = 128;

/// The number of positions between two reports.
const POLL: usize = 1024;

/// What has to be up for a card to go up at once. The checker derives this from the rules.
#[derive(Clone, Debug)]
pub struct SafeCards {
    /// For each card: the cards that may be put on it.
    pub fits: [u64; CARDS],
    /// For each card: the cards, at most one, on which its foundation takes it.
    pub before: [u64; CARDS],
    /// The cards that can be safe.
    pub may_be: u64,
    /// Whether cards that are safe themselves count as up.
    pub chains: bool,
}

/// The arguments that apply to a game.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// Safe play, if it applies.
    pub safe: Option<SafeCards>,
    /// Whether locked piles end the game.
    pub locks: bool,
    /// Whether cards that can never go up end the game, even if nothing ever gets worse.
    pub dead_ends: bool,
}

/// A closed set of positions without a win.
#[derive(Clone, Debug)]
pub struct ClosedSet {
    /// All positions in order, each as [`State::certificate_key`] writes it. All have one length.
    pub positions: Vec<u8>,
    /// For each position the argument.
    pub arguments: Vec<u8>,
}

/// Why there is no closed set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoClosedSet {
    /// A winning line exists.
    #[error("the game can be won")]
    Won,
    /// The set has more positions than allowed.
    #[error("more than {0} positions")]
    TooLarge(usize),
    /// Forced rules do not come to an end.
    #[error("the forced rules do not come to rest")]
    ForcedLoop,
    /// The bytes are not a position.
    #[error("the bytes are not a position of the game")]
    NoPosition,
    /// The caller ended it.
    #[error("interrupted")]
    Interrupted,
}

impl SafeCards {
    fn is_safe(&self, card: usize, up: u64) -> bool {
        if self.may_be >> card & 1 == 0 || self.before[card] & !up != 0 {
            return false;
        }
        let missing = self.fits[card] & !up;
        missing == 0
            || self.chains
                && ones(missing)
                    .all(|other| self.height(other) < self.height(card) && self.is_safe(other, up))
    }

    fn height(&self, card: usize) -> u32 {
        let (mut before, mut height) = (self.before[card], 0);
        while before != 0 && height < CARDS as u32 {
            before = self.before[before.trailing_zeros() as usize];
            height += 1;
        }
        height
    }
}

/// Finds cards that can never go up, even if nothing ever gets worse. The proof is in
/// `python/cadogan/certificates/dead_ends.py`.
struct DeadEnds<'p> {
    foundations: u128,
    /// The moves that are no plays to foundations.
    builds: Vec<&'p CompiledMove>,
    /// The cards that foundations take first, and for each card those that they take on it.
    first: u64,
    after: [u64; CARDS],
}

impl<'p> DeadEnds<'p> {
    fn new(program: &'p Program, foundations: u128) -> Self {
        let moves = program.plans.iter().zip(&program.source().rules);
        let builds = moves.filter_map(|(plan, rule)| match &plan.kind {
            CompiledAction::Move(build)
                if !build.action.build_order && rule.during != During::Layout =>
            {
                Some(&**build)
            }
            _ => None,
        });
        let mut ends = Self { foundations, builds: builds.collect(), first: 0, after: [0; CARDS] };
        for order in &program.build_orders {
            ends.first |= order.wants[0];
            for pair in order.wants.windows(2) {
                for card in ones(pair[0]) {
                    let over =
                        order.relation.map(|over| &program.relations[usize::from(over)].over);
                    ends.after[card] |= pair[1] & over.map_or(u64::MAX, |over| over[card]);
                }
            }
        }
        ends
    }

    fn is_dead(&self, program: &Program, state: &State) -> bool {
        let (mut up, mut loose, mut wanted) = (0u64, 0u64, self.first);
        let mut empty = state.vacant() & !self.foundations;
        // For each pile how many cards have not left it, and those that were on top of it.
        let mut places = [0usize; MAX_PILES];
        let mut shown = [0u64; MAX_PILES];
        for pile in bits(!state.vacant() & program.all_piles) {
            if self.foundations >> pile & 1 != 0 {
                for &byte in state.pile(pile) {
                    up |= 1 << card(byte);
                    wanted |= self.after[usize::from(card(byte))];
                }
            } else {
                places[pile] = state.len(pile);
                shown[pile] = state.top(pile).map_or(0, |top| 1 << card(top));
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            let free = shown.iter().fold(loose, |free, cards| free | cards);
            for card in ones(free & wanted & !up) {
                changed = true;
                up |= 1 << card;
                wanted |= self.after[card];
            }
            for pile in bits(!state.vacant() & program.all_piles & !self.foundations) {
                let Some(below) = places[pile].checked_sub(1) else { continue };
                let top = card(state.pile(pile)[below]);
                if !has(wanted, top) && !self.moves(program, pile, top, empty, loose, &shown) {
                    continue;
                }
                changed = true;
                loose |= 1 << top;
                places[pile] = below;
                match below.checked_sub(1) {
                    Some(next) => shown[pile] |= 1 << card(state.pile(pile)[next]),
                    None => empty |= 1 << pile,
                }
            }
        }
        places.iter().any(|&cards| cards > 0) || loose & !up != 0
    }

    /// Whether a card can leave its first pile other than for a foundation.
    fn moves(
        &self,
        program: &Program,
        pile: usize,
        top: u8,
        empty: u128,
        loose: u64,
        shown: &[u64; MAX_PILES],
    ) -> bool {
        self.builds.iter().any(|build| {
            let action = &build.action;
            if build.from_mask >> pile & 1 == 0 || !has(action.which.0, top) {
                return false;
            }
            if has(action.space.0, top) && empty & build.to_mask != 0 {
                return true;
            }
            action.to_holds[1] > 0
                && action.build.is_none_or(|onto| {
                    let under = program.relations[usize::from(onto)].under[usize::from(top)];
                    under & bits(build.to_mask).fold(loose, |cards, to| cards | shown[to]) != 0
                })
        })
    }
}

/// Finds a closed set that contains a position.
///
/// `observe` is called regularly with the number of positions that were expanded and of those that
/// were found, and may end the work.
///
/// # Errors
///
/// If there is none, or none with at most `limit` positions. See [`NoClosedSet`].
pub fn closed_set(
    program: &Program,
    start: &[u8],
    arguments: &Arguments,
    limit: usize,
    observe: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<ClosedSet, NoClosedSet> {
    let mut state = State::from_certificate_key(program, start).ok_or(NoClosedSet::NoPosition)?;
    let locks = arguments.locks.then(|| Deadlocks::new(program, &state)).flatten();
    let foundations = (0..program.piles())
        .filter(|&pile| program.places[pile].build_order.is_some())
        .fold(0u128, |piles, pile| piles | 1 << pile);
    let dead_ends = arguments.dead_ends.then(|| DeadEnds::new(program, foundations));
    let mut set = ClosedSet { positions: state.certificate_key(), arguments: Vec::new() };
    let size = set.positions.len();
    let mut known = HashSet::from([state.hash128()]);
    let mut journal = Journal::new();
    let mut moves = Vec::new();
    let mut found: Vec<Vec<u8>> = Vec::new();
    while set.arguments.len() * size < set.positions.len() {
        let at = set.arguments.len();
        if at.is_multiple_of(POLL) && !observe(at, known.len()) {
            return Err(NoClosedSet::Interrupted);
        }
        state = State::from_certificate_key(program, &set.positions[at * size..][..size])
            .ok_or(NoClosedSet::NoPosition)?;
        if state.is_won(program) {
            return Err(NoClosedSet::Won);
        }
        if locks.as_ref().is_some_and(|locks| locks.is_locked(&state)) {
            set.arguments.push(LOCKED);
            continue;
        }
        if dead_ends.as_ref().is_some_and(|dead_ends| dead_ends.is_dead(program, &state)) {
            set.arguments.push(DEAD_END);
            continue;
        }
        moves.clear();
        state.moves_into(program, &mut moves);
        let safe = arguments.safe.as_ref().and_then(|safe| {
            let up = bits(foundations)
                .flat_map(|pile| state.pile(pile))
                .fold(0u64, |up, &byte| up | 1 << card(byte));
            let is_safe = |pile: usize| {
                state
                    .top(pile)
                    .is_some_and(|top| !is_face_down(top) && safe.is_safe(usize::from(top), up))
            };
            let plays = |rule: u8| match &program.plans[usize::from(rule)].kind {
                CompiledAction::Move(plan) => plan.action.build_order,
                _ => false,
            };
            let mut goes_up = moves
                .iter()
                .copied()
                .filter(|each| plays(each.rule()) && is_safe(usize::from(each.from())));
            goes_up.next()
        });
        if let Some(safe) = safe {
            set.arguments.push(SAFE_PLAY + safe.from());
            moves.clear();
            moves.push(safe);
        } else {
            set.arguments.push(ALL_MOVES);
        }
        for &each in &moves {
            state
                .play_unchecked(program, each, &mut journal)
                .map_err(|_| NoClosedSet::ForcedLoop)?;
            if known.insert(state.hash128()) {
                found.push(state.certificate_key());
            }
            state.undo(program, &mut journal);
        }
        if known.len() > limit {
            return Err(NoClosedSet::TooLarge(limit));
        }
        found.sort_unstable();
        found.drain(..).for_each(|key| set.positions.extend_from_slice(&key));
    }
    Ok(set)
}

impl State {
    /// The position as bytes, equal for positions that differ only by an interchange of piles of
    /// one class. `docs/certificates.md` describes them.
    pub fn certificate_key(&self) -> Vec<u8> {
        let choice = self.choice();
        let mut names: Vec<u8> = (0..self.piles().len() as u8).collect();
        let contents = |&pile: &u8| {
            let index = usize::from(pile);
            let marks = (self.is_closed(index), choice.source == pile, choice.target == pile);
            (self.pile(index), marks)
        };
        // The piles of a class share the places of the class, in the order of their contents.
        for first in 0..names.len() {
            let class = self.class(first);
            let places: Vec<usize> =
                (first..names.len()).filter(|&other| self.class(other) == class).collect();
            let is_first = (0..first).all(|other| self.class(other) != class);
            if is_first && places.len() > 1 {
                let mut members: Vec<u8> = places.iter().map(|&place| place as u8).collect();
                members.sort_by(|one, other| contents(one).cmp(&contents(other)));
                places.iter().zip(members).for_each(|(&place, member)| names[place] = member);
            }
        }
        let mut key = Vec::new();
        for (place, &pile) in names.iter().enumerate() {
            if place > 0 {
                key.push(u8::MAX);
            }
            key.extend_from_slice(self.pile(usize::from(pile)));
        }
        for counter in self.counters() {
            key.extend(counter.to_le_bytes());
        }
        let placed = |pile: u8| {
            names.iter().position(|&other| other == pile).map_or(NONE, |place| place as u8)
        };
        let closed =
            bits(self.closed()).fold(0u128, |closed, pile| closed | 1 << placed(pile as u8));
        key.extend(closed.to_le_bytes());
        key.extend([choice.rule, placed(choice.source), placed(choice.target)]);
        key
    }

    /// The position of a key; none if it is not a key of this program.
    pub fn from_certificate_key(program: &Program, key: &[u8]) -> Option<Self> {
        let mut state = Self::empty(program);
        let counters = state.counters().len() * 2;
        let (cards, tail) = key.split_at_checked(key.len().checked_sub(counters + 16 + 3)?)?;
        let (counters, tail) = tail.split_at(counters);
        let (closed, choice) = tail.split_at(16);
        let closed = u128::from_le_bytes(closed.try_into().ok()?);
        let piles: Vec<&[u8]> = cards.split(|&byte| byte == u8::MAX).collect();
        let fits = |(pile, cards): (usize, &&[u8])| {
            cards.len() <= usize::from(program.places[pile].capacity)
                && cards.iter().all(|&byte| usize::from(card(byte)) < CARDS)
        };
        if piles.len() != program.piles() || !piles.iter().enumerate().all(fits) {
            return None;
        }
        let heads = piles
            .iter()
            .enumerate()
            .flat_map(|(pile, cards)| head(cards.len() as u16, closed >> pile & 1 != 0));
        let packed: Vec<u8> =
            heads.chain([counters, choice].concat()).chain(piles.concat()).collect();
        state.unpack(program, &packed);
        Some(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::format::Source;

    /// Two piles of a class, a foundation for an ace and a two, and nothing else.
    fn program() -> Program {
        let source = br#"{"aim":[{"kind":"complete","piles":"1"}],"counters":[],"deck":[0,4],
            "format":2,"build_orders":[{"one_suit_each":false,"base":null,"relation":null,
            "wants":["1","10"]}],
            "layout":[{"each":1,"face":"up","from":3,"kind":"deal","to":[1,1]}],
            "piles":[{"capacity":2,"class":0,"build_order":0,"name":"f"},
            {"capacity":2,"class":1,"build_order":null,"name":"a"},
            {"capacity":2,"class":1,"build_order":null,"name":"b"},
            {"capacity":2,"class":2,"build_order":null,"name":"pack"}],
            "preset":[],"relations":[],"rules":[{"action":{"cards":{"kind":"top"},"choose":"none",
            "face":"keep","first_vacant":false,"from":[1,2],"from_holds":[1,9],"kind":"move",
            "build_order":true,"which":"fffffffffffff","build":null,"prefer":null,
            "laid_one_by_one":false,
            "along":["1","1"],"to":[0],"to_holds":[0,9],"space":"fffffffffffff",
            "yields_to":["0","0"]},"during":"play","forced":false,"name":"play","effects":[],
            "when":[]}],"source_pile":3}"#;
        Program::new(Source::from_bytes(source).expect("it is JSON")).expect("it is valid")
    }

    fn find(deck: &[u8], locks: bool, limit: usize) -> Result<ClosedSet, NoClosedSet> {
        let program = program();
        let start = program.deal(deck).expect("it is a shuffle").0.certificate_key();
        let arguments = Arguments { safe: None, locks, dead_ends: false };
        closed_set(&program, &start, &arguments, limit, &mut |_, _| true)
    }

    #[test]
    fn an_ace_below_a_two_is_a_closed_set_of_one_position() {
        assert_eq!(find(&[0, 4], false, 10).expect("it is lost").arguments, [ALL_MOVES]);
        assert_eq!(find(&[0, 4], true, 10).expect("it is lost").arguments, [LOCKED]);
    }

    #[test]
    fn a_win_and_a_limit_end_the_work() {
        assert_eq!(find(&[4, 0], false, 10).expect_err("it is won"), NoClosedSet::Won);
        assert_eq!(find(&[4, 0], false, 1).expect_err("too few"), NoClosedSet::TooLarge(1));
    }

    #[test]
    fn equal_piles_have_one_order_in_a_key() {
        let program = program();
        let tail = [0; 16].into_iter().chain([NONE; 3]).collect::<Vec<u8>>();
        let key = |cards: &[u8]| [cards, &tail].concat();
        let sep = u8::MAX;
        let state = State::from_certificate_key(&program, &key(&[sep, 4, sep, 0, sep]));
        let found = state.expect("it is a position").certificate_key();
        assert_eq!(found, key(&[sep, 0, sep, 4, sep]));
        for wrong in [&[][..], &[sep, sep, 0, 4], &[sep, 0, 4, 0, sep, sep], &[sep, 60, sep, sep]] {
            assert!(State::from_certificate_key(&program, &key(wrong)).is_none(), "{wrong:?}");
        }
    }
}
