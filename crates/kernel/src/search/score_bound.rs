//! An upper bound on the score that can be reached from a position.
//!
//! *The claim.* No line of moves leads to a position that is worth more. Each term is bounded
//! alone. Cards that may still come are counted as if all came, and cards that may still leave as
//! if all left, unless no rule puts cards on these piles, or takes any from them. A card on a place
//! that nothing leaves and that holds only one card stays there, so a hand that it belongs to can
//! only be completed from the cards elsewhere. If every rule moves single top cards, and all cards
//! go from the pack by way of some piles to such places, then only the next cards of the pack can
//! ever get there: as many as there are vacant places, and those that wait on the way.
#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "numbers of cards and points are small"
)]

use crate::bits::bits;
use crate::card::{CARDS, card, is_face_down};
use crate::play::hands::{
    FLUSH, FOUR, FULL_HOUSE, PAIR, ROYAL_FLUSH, STRAIGHT, STRAIGHT_FLUSH, STRAIGHTS, THREE,
    TWO_PAIRS, cribbage, poker,
};
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::{Action, During, Effect, Score, Step, Term, Unit};
use crate::search::counter_bound::CounterBound;

/// The most cards for which all hands of five are tried.
const MOST_TRIED: usize = 27;

/// What the bound needs to know of a program.
pub(crate) struct ScoreBound<'p> {
    program: &'p Program,
    score: &'p Score,
    /// Piles that cards leave or come to in play, and those whose cards are turned.
    takes: u128,
    puts: u128,
    turns: u128,
    written: u32,
    /// Counters that rules may lower.
    lowered: u32,
    /// Places that hold one card, which stays there.
    fixed: u128,
    /// Whether all cards go from the pack to fixed places, card by card.
    is_draining: bool,
    /// For each term the most points of one of its hands at cribbage.
    hands: Vec<i64>,
    /// For each term that counts a counter without a cap how that can rise.
    rises: Vec<Option<CounterBound>>,
}

/// Cards by rank and suit, with the number of copies of each.
#[derive(Clone)]
struct Pool {
    copies: [u8; CARDS],
    ranks: [u8; 14],
    suits: [u8; 4],
}

impl Pool {
    fn new(cards: impl Iterator<Item = u8>) -> Self {
        let mut pool = Self { copies: [0; CARDS], ranks: [0; 14], suits: [0; 4] };
        for byte in cards {
            let here = usize::from(card(byte));
            pool.copies[here] += 1;
            pool.ranks[here / 4] += 1;
            pool.suits[here % 4] += 1;
        }
        pool
    }
}

impl<'p> ScoreBound<'p> {
    /// Prepares the bound; none if the game is not scored.
    pub(crate) fn new(program: &'p Program) -> Option<Self> {
        let game = program.source();
        let score = game.score.as_ref()?;
        let (mut takes, mut puts, mut turns, mut written) = (0, 0, 0, 0);
        let mut lowered = 0u32;
        let mut moves_tops = true;
        for (rule, footprint) in game.rules.iter().zip(&program.footprints) {
            if rule.forced && rule.during == During::Layout {
                continue;
            }
            takes |= footprint.takes;
            puts |= footprint.puts();
            turns |= footprint.turns;
            written |= footprint.counters_written;
            moves_tops &= matches!(&rule.action, Action::Move(action)
                if matches!(action.cards, Unit::Top | Unit::Count { number: 1 }));
            for effect in &rule.effects {
                if let Effect::Set { counter, .. }
                | Effect::Rank { counter, .. }
                | Effect::Tally { counter, grows: false, .. } = effect
                {
                    lowered |= 1 << counter;
                }
            }
            if let Action::Script { steps } = &rule.action {
                for step in steps {
                    if let Step::Base { counter, .. } = step {
                        lowered |= 1 << counter;
                    }
                }
            }
        }
        let single = program.places.iter().enumerate().filter(|(_, place)| place.capacity <= 1);
        let fixed = single.fold(0, |fixed, (pile, _)| fixed | 1 << pile) & !takes & !turns;
        let starter = score.terms.iter().fold(0, |piles, term| match term {
            Term::Cribbage { starter: Some(starter), .. } => piles | 1u128 << starter,
            _ => piles,
        });
        let is_draining = moves_tops && puts & !(fixed | takes | starter) == 0;
        let hands = score.terms.iter().map(|term| most_at_cribbage(program, term)).collect();
        let rises = score.terms.iter().map(|term| match term {
            Term::Counter { counter, .. }
                if game.counters[usize::from(*counter)].cap == u16::MAX =>
            {
                CounterBound::new(program, *counter)
            }
            _ => None,
        });
        Some(Self {
            rises: rises.collect(),
            program,
            score,
            takes,
            puts,
            turns,
            written,
            lowered,
            fixed,
            is_draining,
            hands,
        })
    }

    /// The most that a position can be worth later on; none if there is no bound.
    pub(crate) fn of(&self, state: &State) -> Option<i64> {
        let mut sum = self.score.aim.worth(i64::from(self.score.start));
        let mut pool = None;
        for (index, term) in self.score.terms.iter().enumerate() {
            sum += self.of_term(state, term, index, &mut pool)?;
        }
        Some(sum)
    }

    /// The same by a closer look at the cards that are to come, which takes milliseconds.
    pub(crate) fn closely(&self, state: &State) -> Option<i64> {
        let plain = self.of(state)?;
        let pool = self.pool(state);
        let number: usize = pool.copies.iter().map(|&copies| usize::from(copies)).sum();
        let mut closer = plain;
        for (index, term) in self.score.terms.iter().enumerate() {
            let Term::Poker { lines, points } = term else { continue };
            if number > MOST_TRIED || self.score.aim.worth(1) < 0 {
                continue;
            }
            // Only lines that are still empty and have no place in common share out the cards.
            let is_free = |line: &Vec<u8>| {
                line.iter()
                    .all(|&pile| state.len(usize::from(pile)) == 0 && self.fixed >> pile & 1 != 0)
            };
            let mut groups: Vec<(u128, i64)> = Vec::new();
            for line in lines.iter().filter(|line| line.len() == 5 && is_free(line)) {
                let mask = crate::program::footprint::list(line);
                match groups.iter_mut().find(|group| group.0 & mask == 0) {
                    Some(group) => *group = (group.0 | mask, group.1 + 1),
                    None => groups.push((mask, 1)),
                }
            }
            if groups.is_empty() {
                continue;
            }
            let shares = shares(&pool, points);
            let mut alone = Some(pool.clone());
            let all = self.of_term(state, term, index, &mut alone)?;
            let others = lines.iter().filter(|line| line.len() != 5 || !is_free(line));
            let others: i64 = others.map(|line| self.of_line(state, line, points, &pool)).sum();
            let by_shares: i64 = groups
                .iter()
                .map(|&(_, lines)| shares.iter().take(5 * lines as usize).sum::<i64>() / 5)
                .sum();
            closer += (others + by_shares).min(all) - all;
        }
        Some(closer)
    }

    fn of_term(
        &self,
        state: &State,
        term: &Term,
        index: usize,
        pool: &mut Option<Pool>,
    ) -> Option<i64> {
        let worth = |points: i32| self.score.aim.worth(i64::from(points));
        Some(match term {
            Term::Cards { piles, cards, points } => {
                let each = worth(*points);
                let count = |piles: u128, up: bool| {
                    let counts = |&&byte: &&u8| {
                        crate::card::has(cards.0, byte) && !(up && is_face_down(byte))
                    };
                    let held =
                        bits(piles).map(|pile| state.pile(pile).iter().filter(counts).count());
                    held.sum::<usize>() as i64
                };
                let shown = self.program.pack & !cards.0 != 0;
                if each > 0 {
                    let comes = self.puts & piles.0 != 0;
                    each * count(if comes { self.program.all_piles } else { piles.0 }, false)
                } else {
                    each * count(piles.0 & !(self.takes | self.turns), shown)
                }
            }
            Term::Counter { counter, points } => {
                let (each, bit) = (worth(*points), 1u32 << counter);
                let at = usize::from(*counter);
                let (now, cap) = (state.counters()[at], self.program.source().counters[at].cap);
                match (self.written & bit != 0, each > 0) {
                    (true, true) if cap == u16::MAX => {
                        each * self.rises[index].as_ref()?.most(state)
                    }
                    (true, true) => each * i64::from(cap),
                    (true, false) if self.lowered & bit != 0 => 0,
                    (false, _) | (true, false) => each * i64::from(now),
                }
            }
            // At most every place that can hold cards lies in a run.
            Term::Runs { runs, points } => {
                let places: usize = runs.lines.iter().map(Vec::len).sum();
                let cards = self.program.source().deck.len() + self.program.source().preset.len();
                worth(*points).max(0) * places.min(cards) as i64
            }
            Term::Bonus { points, .. } => worth(*points).max(0),
            Term::Poker { lines, points } => {
                if worth(1) < 0 {
                    return Some(
                        points.iter().map(|&points| worth(points)).fold(0, i64::max)
                            * lines.len() as i64,
                    );
                }
                let pool = pool.get_or_insert_with(|| self.pool(state));
                lines.iter().map(|line| self.of_line(state, line, points, pool)).sum()
            }
            Term::Cribbage { lines, starter, points } => {
                let most = self.hands[index];
                let stays =
                    |pile: u8| self.fixed >> pile & 1 != 0 && state.len(usize::from(pile)) == 1;
                let is_final = starter.is_none_or(stays) && worth(1) > 0;
                let turned = state.starter(*starter);
                let of = |line: &Vec<u8>| {
                    if is_final && line.iter().all(|&pile| stays(pile)) {
                        let (hand, number) = state.hand(line);
                        i64::from(cribbage(&hand[..number], turned, line.len(), points))
                    } else {
                        most
                    }
                };
                lines.iter().map(of).sum::<i64>() + worth(points[5]).max(0)
            }
        })
    }

    /// The cards that may still come to the fixed places.
    fn pool(&self, state: &State) -> Pool {
        let source = usize::from(self.program.source().source_pile);
        let elsewhere = bits(self.program.all_piles & !self.fixed);
        if !self.is_draining || self.fixed >> source & 1 != 0 {
            return Pool::new(elsewhere.flat_map(|pile| state.pile(pile).iter().copied()));
        }
        let vacant = (self.fixed & self.puts & state.vacant()).count_ones() as usize;
        let waiting = bits(self.takes & !(1 << source))
            .map(|pile| usize::from(self.program.places[pile].capacity));
        let number = vacant + waiting.sum::<usize>();
        let stock = state.pile(source).iter().rev().take(number).copied();
        let rest = elsewhere.filter(|&pile| pile != source);
        Pool::new(stock.chain(rest.flat_map(|pile| state.pile(pile).iter().copied())))
    }

    /// The most points of a line at poker.
    fn of_line(&self, state: &State, line: &[u8], points: &[i32; 9], pool: &Pool) -> i64 {
        if line.iter().any(|&pile| self.fixed >> pile & 1 == 0) {
            return i64::from(points.iter().copied().max().unwrap_or(0).max(0));
        }
        let (hand, number) = state.hand(line);
        let hand = &hand[..number];
        if number == line.len() {
            return i64::from(poker(hand, points));
        }
        let possible = possible_hands(hand, line.len() - number, pool);
        let best = (0..9).filter(|hand| possible >> hand & 1 != 0).map(|hand| points[hand]).max();
        i64::from(best.unwrap_or(0).max(0))
    }
}

/// The poker hands that some cards can still become with a number of cards of a pool, as a mask.
fn possible_hands(hand: &[u8], free: usize, pool: &Pool) -> u16 {
    let (mut counts, mut suits, mut ranks) = ([0usize; 13], [0usize; 4], 0u16);
    for &byte in hand {
        let here = usize::from(card(byte));
        counts[here / 4] += 1;
        suits[here % 4] += 1;
        ranks |= 1 << (here / 4);
    }
    let number = hand.len();
    // How many cards are lacking for so many of a rank; too many if there are not enough.
    let lacking = |rank: usize, wanted: usize| {
        let lacking = wanted.saturating_sub(counts[rank]);
        if lacking <= usize::from(pool.ranks[rank]) { lacking } else { 99 }
    };
    let mut possible = 0u16;
    // The ranks with the fewest cards lacking for a pair, and of how many.
    let (mut fewest, mut second) = (99, 99);
    for rank in 0..13 {
        for (of_a_rank, hand) in [(2, PAIR), (3, THREE), (4, FOUR)] {
            possible |= u16::from(lacking(rank, of_a_rank) <= free) << hand;
        }
        let pair = lacking(rank, 2);
        second = second.min(pair.max(fewest));
        fewest = fewest.min(pair);
    }
    possible |= u16::from(fewest + second <= free) << TWO_PAIRS;
    // In a full house there are no other ranks.
    if number + free == 5 && ranks.count_ones() <= 2 {
        for rank in 0..13 {
            for other in (0..13).filter(|&other| other != rank) {
                let used = counts[rank].min(3) + counts[other].min(2);
                let is_house = number == used && lacking(rank, 3) + lacking(other, 2) <= free;
                possible |= u16::from(is_house) << FULL_HOUSE;
            }
        }
    }
    if number + free < 5 {
        return possible;
    }
    let is_distinct = ranks.count_ones() as usize == number;
    for (&suited, &left) in suits.iter().zip(&pool.suits) {
        if suited == number && usize::from(left) >= free {
            possible |= 1 << FLUSH;
        }
    }
    for (place, straight) in STRAIGHTS.iter().enumerate() {
        if !is_distinct || ranks & !straight != 0 {
            continue;
        }
        let missing = || (0..13usize).filter(|rank| (straight & !ranks) >> rank & 1 != 0);
        if missing().all(|rank| pool.ranks[rank] > 0) {
            possible |= 1 << STRAIGHT;
        }
        for suit in (0..4).filter(|&suit| suits[suit] == number) {
            if missing().all(|rank| pool.copies[rank * 4 + suit] > 0) {
                possible |= 1 << STRAIGHT_FLUSH;
                possible |= u16::from(place == STRAIGHTS.len() - 1) << ROYAL_FLUSH;
            }
        }
    }
    possible
}

/// For each card of a pool the points of the best hand of five that it can belong to, the largest
/// first. The points of disjoint hands are at most a fifth of the sum over their cards.
fn shares(pool: &Pool, points: &[i32; 9]) -> Vec<i64> {
    let all: Vec<u8> = (0..CARDS)
        .flat_map(|card| std::iter::repeat_n(card as u8, usize::from(pool.copies[card])))
        .collect();
    let mut best = vec![0i64; all.len()];
    let mut chosen = [0usize; 5];
    choose_hands(&all, points, 0, 0, &mut chosen, &mut best);
    best.sort_unstable_by_key(|&worth| std::cmp::Reverse(worth));
    best
}

/// The most points of one hand at cribbage; 0 for other terms.
fn most_at_cribbage(program: &Program, term: &Term) -> i64 {
    let Term::Cribbage { lines, starter, points } = term else { return 0 };
    let longest = lines.iter().map(Vec::len).max().unwrap_or(0) + usize::from(starter.is_some());
    let game = program.source();
    let preset = game.preset.iter().map(|preset| preset.card);
    let pool = Pool::new(game.deck.iter().copied().chain(preset));
    let is_one_pack = pool.copies.iter().all(|&copies| copies <= 1);
    let [_, _, _, flush, nobs, _] = *points;
    let plain = [points[0], points[1], points[2], 0, 0, 0];
    let mut best = 0;
    let mut hand: Vec<u8> = Vec::new();
    choose_ranks(&pool, longest, 0, &mut hand, &mut |hand| {
        let is_distinct = hand.windows(2).all(|pair| pair[0] != pair[1]);
        let suited = if is_distinct || !is_one_pack { flush * hand.len() as i32 } else { 0 };
        let knaves = if starter.is_some() { nobs * if is_one_pack { 1 } else { 5 } } else { 0 };
        best = best.max(cribbage(hand, None, hand.len(), &plain) + suited.max(0) + knaves.max(0));
    });
    let sign = program.source().score.as_ref().map_or(1, |score| score.aim.worth(1));
    if sign > 0 { i64::from(best) } else { 0 }
}

/// Gives each card of every hand of five the points of this hand, if they are more than before.
fn choose_hands(
    all: &[u8],
    points: &[i32; 9],
    depth: usize,
    from: usize,
    chosen: &mut [usize; 5],
    best: &mut [i64],
) {
    if depth == 5 {
        let worth = i64::from(poker(&chosen.map(|place| all[place]), points));
        for &place in chosen.iter() {
            best[place] = best[place].max(worth);
        }
        return;
    }
    for place in from..all.len() {
        chosen[depth] = place;
        choose_hands(all, points, depth + 1, place + 1, chosen, best);
    }
}

/// Visits every choice of ranks for a hand.
fn choose_ranks(
    pool: &Pool,
    longest: usize,
    from: u8,
    hand: &mut Vec<u8>,
    visit: &mut impl FnMut(&[u8]),
) {
    visit(hand);
    if hand.len() == longest {
        return;
    }
    for rank in from..13 {
        let held = hand.iter().filter(|&&card| card / 4 == rank).count();
        if held < usize::from(pool.ranks[usize::from(rank)]) {
            hand.push(rank * 4);
            choose_ranks(pool, longest, rank, hand, visit);
            hand.pop();
        }
    }
}
