//! Positions as sets of cards.

use crate::bits::bits;
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::Action;
use crate::random::random_key;
use crate::search::options::{Pruning, Prunings};
use crate::search::spaces::pairing::dead_ends::DeadEnds;
use crate::search::spaces::pairing::place::{Place, below};
use crate::search::spaces::pairing::tables::PairingTables;
use crate::search::spaces::space::{Space, chance};

/// No second card.
const NO_CARD: u8 = u8::MAX;

/// Cards leave after a number of deals and redeals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PairingStep {
    turns: u16,
    first: u8,
    /// Greater than the first one; [`NO_CARD`] if that leaves alone.
    second: u8,
}

impl PairingStep {
    fn cards(self) -> u128 {
        let second = if self.second == NO_CARD { 0 } else { 1 << self.second };
        1 << self.first | second
    }
}

/// The number of the last card of a set that is not empty.
const fn last(cards: u128) -> usize {
    cards.ilog2() as usize
}

/// The set of the first card of a set, if it has any.
const fn first(cards: u128) -> u128 {
    cards & cards.wrapping_neg()
}

/// The set of the last card of a set, if it has any.
const fn top(cards: u128) -> u128 {
    if cards == 0 { 0 } else { 1 << last(cards) }
}

/// Positions as sets of cards that are left.
pub(crate) struct PairingSpace<'t> {
    tables: &'t PairingTables,
    dead_ends: &'t DeadEnds,
    without: Prunings,
    place: Place,
    /// For each place in stock and waste and each class a random number.
    ring_keys: &'t [u128],
    trail: Vec<Place>,
}

/// Random numbers for the keys of stock and waste.
pub(crate) fn ring_keys(tables: &PairingTables) -> Vec<u128> {
    let number = u64::from(tables.ring_cards.count_ones()) * 64;
    (0..number).map(|code| random_key(1 << 32 | code)).collect()
}

impl<'t> PairingSpace<'t> {
    pub(crate) fn new(
        tables: &'t PairingTables,
        dead_ends: &'t DeadEnds,
        ring_keys: &'t [u128],
        without: Prunings,
    ) -> Self {
        let (left, redeals) = (below(tables.cards.len()), tables.redeals);
        let mut place = Place { left, dealt: tables.dealt, redeals, number: 0 };
        place.number = Self::number_of(tables, left);
        place.dealt = Self::dealt_after(tables, &place);
        Self { tables, dead_ends, without, place, ring_keys, trail: Vec::new() }
    }

    /// The sum of the keys of the fixed piles.
    fn number_of(tables: &PairingTables, left: u128) -> u128 {
        bits(left & !tables.ring_cards)
            .fold(0, |sum, card| sum.wrapping_sub(tables.key_changes[card]))
    }

    /// The number after the top card of the waste, which does not depend on what has left.
    fn dealt_after(tables: &PairingTables, place: &Place) -> usize {
        let dealt = place.left & tables.ring_cards & below(place.dealt);
        if dealt == 0 { 0 } else { last(dealt) + 1 }
    }

    /// The open cards of the fixed piles.
    fn open(&self) -> u128 {
        let left = self.place.left;
        let is_open = |open_when: &[u128]| {
            open_when.is_empty() || open_when.iter().any(|&cards| cards & left == 0)
        };
        let piles = self.tables.piles.iter().filter(|pile| is_open(&pile.open_when));
        piles.fold(0, |open, pile| open | top(pile.cards & left))
    }

    /// The open cards of waste, tray and tail, and the two that leave the waste together.
    fn open_in_ring(&self, place: &Place) -> (u128, u128) {
        let Some(ring) = &self.tables.ring else { return (0, 0) };
        let cards = place.left & self.tables.ring_cards;
        let mut waste = cards & below(place.dealt);
        let mut open = 0;
        if ring.tail.is_some() {
            open = first(waste);
            waste &= !open;
        }
        open |= top(waste);
        if ring.tray.is_some() {
            open |= first(cards & !below(place.dealt));
        }
        let second = top(waste & !top(waste));
        (open, if ring.deep && second != 0 { top(waste) | second } else { 0 })
    }

    /// Deals, or redeals if the stock is empty. Returns what was laid open; none if neither can be
    /// done.
    fn turn(&self, place: &mut Place) -> Option<u128> {
        let ring = self.tables.ring.as_ref()?;
        let cards = place.left & self.tables.ring_cards;
        let mut rest = cards & !below(place.dealt);
        if rest == 0 {
            if cards == 0 || place.redeals == 0 {
                return None;
            }
            place.dealt = 0;
            place.redeals -= u16::from(place.redeals != u16::MAX);
            rest = cards;
        } else {
            let mut fresh = 0;
            for _ in 0..ring.each {
                fresh |= first(rest);
                rest &= !first(rest);
            }
            place.dealt = last(fresh) + 1;
            if ring.tray.is_none() {
                return Some(fresh);
            }
        }
        Some(if ring.tray.is_some() { first(rest) } else { 0 })
    }

    /// Lists how cards leave after some turns, at least one of which is `fresh`.
    fn list_after(
        &self,
        steps: &mut Vec<PairingStep>,
        (turns, place): (u16, &Place),
        open: u128,
        fresh: u128,
    ) {
        let (in_ring, deep) = self.open_in_ring(place);
        let all = open | in_ring;
        let mut push = |first: usize, second: u8| {
            steps.push(PairingStep { turns, first: first as u8, second });
        };
        for card in bits(all & fresh) {
            if self.tables.alone >> card & 1 != 0 {
                push(card, NO_CARD);
            }
            // Of two fresh cards only the first one lists the pair.
            for other in bits(self.tables.partners[card] & all & !(fresh & below(card))) {
                push(card.min(other), card.max(other) as u8);
            }
        }
        if deep & fresh != 0 {
            let (low, high) = (first(deep).trailing_zeros() as usize, last(deep));
            if self.tables.partners[low] >> high & 1 != 0 {
                push(low, high as u8);
            }
        }
    }

    /// The moves of a line from the root; none if it cannot be played.
    pub(crate) fn line_of(
        &mut self,
        program: &Program,
        root: &State,
        steps: &[PairingStep],
    ) -> Option<Vec<Move>> {
        let (mut state, mut journal) = (root.clone(), Journal::new());
        let mut line = Vec::new();
        let mut play = |is_played: &dyn Fn(&Move) -> bool| {
            let played = state.moves(program).iter().find(|played| is_played(played)).copied()?;
            state.play(program, played, &mut journal).ok()?;
            line.push(played);
            Some(state.is_won(program))
        };
        let mut is_won = root.is_won(program);
        while !self.trail.is_empty() {
            self.unmake();
        }
        let is_script = |played: &Move| {
            matches!(
                program.source().rules[usize::from(played.rule())].action,
                Action::Script { .. }
            )
        };
        for &step in steps {
            let mut place = self.place;
            for _ in 0..step.turns {
                self.turn(&mut place)?;
                play(&is_script)?;
            }
            let cards = [Some(step.first), Some(step.second).filter(|&second| second != NO_CARD)];
            let mut piles: Vec<u8> = Vec::new();
            for card in cards.into_iter().flatten() {
                piles.push(self.pile_of(&place, usize::from(card))?);
            }
            piles.sort_unstable();
            is_won = play(&|played: &Move| match piles[..] {
                [pile] => {
                    played.from() == pile
                        && usize::from(played.to()) == self.tables.sink
                        && !is_script(played)
                }
                _ => played.set_piles().is_some_and(|(found, number)| found[..number] == piles[..]),
            })?;
            self.make(step);
        }
        is_won.then_some(line)
    }

    /// The pile on which a card lies.
    fn pile_of(&self, place: &Place, card: usize) -> Option<u8> {
        if self.tables.ring_cards >> card & 1 == 0 {
            return self.tables.fixed_pile(card).map(|pile| pile as u8);
        }
        let ring = self.tables.ring.as_ref()?;
        let cards = place.left & self.tables.ring_cards;
        if card >= place.dealt {
            return ring.tray;
        }
        let is_tail = ring.tail.is_some() && first(cards) == 1 << card;
        if is_tail { ring.tail } else { Some(ring.waste) }
    }
}

impl Space for PairingSpace<'_> {
    type Step = PairingStep;

    fn key(&self) -> u128 {
        let (tables, place) = (self.tables, &self.place);
        let mut sum = place.number;
        let cards = place.left & tables.ring_cards;
        if cards != 0 {
            let keys = self.ring_keys.chunks_exact(64);
            for (card, keys) in bits(cards).zip(keys) {
                sum = sum.wrapping_add(keys[usize::from(tables.class_of[card])]);
            }
            let dealt = (cards & below(place.dealt)).count_ones();
            sum = sum.wrapping_add(random_key(u64::from(place.redeals) << 8 | u64::from(dealt)));
        }
        sum
    }

    fn is_won(&self) -> bool {
        self.place.left & self.tables.needed == 0
    }

    fn is_lost(&self) -> bool {
        let place = &self.place;
        !self.without.has(Pruning::Partners) && self.dead_ends.lacks_partners(self.tables, place)
            || !self.without.has(Pruning::DeleteRelaxation)
                && DeadEnds::is_stuck(self.tables, place)
    }

    fn list(&mut self, steps: &mut Vec<PairingStep>) {
        let open = self.open();
        self.list_after(steps, (0, &self.place), open, u128::MAX);
        let mut place = self.place;
        // Where there is no limit, no number of dealt cards comes back.
        let mut seen = 0u128;
        for turns in 1..u16::MAX {
            let Some(fresh) = self.turn(&mut place) else { break };
            if place.redeals == u16::MAX {
                let bit = 1 << place.dealt.min(127);
                if seen & bit != 0 {
                    break;
                }
                seen |= bit;
            }
            self.list_after(steps, (turns, &place), open, fresh);
        }
    }

    fn make(&mut self, step: PairingStep) -> bool {
        self.trail.push(self.place);
        let mut place = self.place;
        for _ in 0..step.turns {
            if self.turn(&mut place).is_none() {
                self.trail.pop();
                return false;
            }
        }
        let cards = step.cards();
        place.left &= !cards;
        for card in bits(cards & !self.tables.ring_cards) {
            place.number = place.number.wrapping_add(self.tables.key_changes[card]);
        }
        place.dealt = Self::dealt_after(self.tables, &place);
        self.place = place;
        true
    }

    fn unmake(&mut self) {
        if let Some(place) = self.trail.pop() {
            self.place = place;
        }
    }

    fn reset_root(&mut self) {
        self.trail.clear();
    }

    fn trail_bytes(&self) -> usize {
        size_of_val(&*self.trail)
    }

    fn packed_size(&self) -> usize {
        19
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.place.left.to_le_bytes());
        bytes.push(self.place.dealt as u8);
        bytes.extend(self.place.redeals.to_le_bytes());
    }

    fn unpack(&mut self, bytes: &[u8]) {
        let mut left = [0; 16];
        left.copy_from_slice(&bytes[..16]);
        let left = u128::from_le_bytes(left);
        let number = Self::number_of(self.tables, left);
        let redeals = u16::from_le_bytes([bytes[17], bytes[18]]);
        self.place = Place { left, dealt: usize::from(bytes[16]), redeals, number };
        self.trail.clear();
    }

    fn heuristic(&mut self) -> i32 {
        let needed = self.place.left & self.tables.needed;
        let fixed = (needed & !self.tables.ring_cards).count_ones().cast_signed();
        4 * needed.count_ones().cast_signed() + 4 * fixed
    }

    fn sort(&mut self, steps: &mut [PairingStep], seed: u64) {
        let key = if seed == 0 { 0 } else { self.key() };
        let code = |step: &PairingStep| {
            u32::from(step.turns) << 16 | u32::from(step.first) << 8 | u32::from(step.second)
        };
        steps
            .sort_by_cached_key(|step| (-self.score(*step) - chance(seed, key, code(step)), *step));
    }

    fn score(&self, step: PairingStep) -> i32 {
        let cards = step.cards();
        // Cards that open others come first, and such as are soon reached.
        let below: i32 = bits(cards & !self.tables.ring_cards)
            .map(|card| 8 + 4 * self.dead_ends.covers(card, self.place.left))
            .sum();
        8 * below - 2 * i32::from(step.turns)
    }

    fn feature_code(&self, step: PairingStep) -> u64 {
        u64::from(step.first) << 8 | u64::from(step.second)
    }

    fn length(&self) -> u64 {
        u64::from((self.place.left & self.tables.needed).count_ones())
    }
}
