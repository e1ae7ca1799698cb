//! A quick space for games of one pack whose piles are alike.
//!
//! A position is a link for every card: what it lies on. No pile is kept as a list, and piles of a
//! zone need no names: a card that is laid on another, or on an empty pile, changes one link,
//! whatever lies on it. Which programs can be done so, [`tables`] says; all others are left to the
//! general space. The moves are those of play: a line is told in them by playing it there
//! ([`tell`]).

mod dead;
mod keys;
mod reserve;
mod safe;
mod step;
mod tables;
mod tell;

use super::evaluation::Weights;
use super::options::{Pruning, Prunings};
use super::space::{Space, chance};
use crate::card::CARDS;
use crate::compiled::Compiled;
use crate::state::State;
use keys::Keys;
pub(super) use keys::Likeness;
pub(super) use safe::Safety;
pub(super) use step::Step;
pub(super) use tables::Tables;
use tables::{ABSENT, BASE, UP, Unit, Way, ZONES, ones};
pub(super) use tell::tell;

/// No card.
const NONE: u8 = u8::MAX;

/// Which prunings and short cuts are in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is switched by itself")]
pub(super) struct Habits {
    /// Cards that are safe on foundations go there by themselves.
    pub(super) safe_play: bool,
    /// All cards that can go to foundations go there by themselves. Overlooks wins.
    pub(super) greedy_play: bool,
    /// Cards of a reserve are laid out only to be covered at once.
    pub(super) reserve_macro: bool,
    /// Positions that are lost at a glance are left out.
    pub(super) dead_ends: bool,
}

impl Habits {
    /// All that is proved, but for what is switched off.
    pub(super) const fn new(without: Prunings) -> Self {
        Self {
            safe_play: !without.has(Pruning::SafePlay),
            greedy_play: false,
            reserve_macro: !without.has(Pruning::ReserveMacro),
            dead_ends: !without.has(Pruning::DeadEnds),
        }
    }
}

/// One card, with what lies on it, changed its place.
#[derive(Clone, Copy)]
struct Change {
    /// The card, the top of what lies on it, and what it lay on.
    card: u8,
    top: u8,
    from: u8,
    /// The zones it came from and went to; foundations have none.
    from_zone: u8,
    to_zone: u8,
    lowest: u8,
    wanted: u64,
    /// The hashes noted for the card.
    noted: (u128, u128),
}

/// A step begins.
#[derive(Clone, Copy)]
struct Mark {
    key: u128,
    score: i32,
    changes: u32,
}

/// The positions after a root.
pub(super) struct Linked<'p> {
    program: &'p Compiled,
    tables: &'p Tables,
    keys: Keys,
    safety: &'p Safety,
    habits: Habits,
    weights: Weights,
    /// For each card what it lies on, and the card that lies on it.
    below: [u8; CARDS],
    above: [u8; CARDS],
    /// For each card the lowest height among it and those below it.
    lowest: [u8; CARDS],
    /// Cards that went up, and cards that foundations take now.
    up: u64,
    wanted: u64,
    /// By zone: the top cards and the number of empty piles.
    tops: [u64; ZONES],
    empty: [u8; ZONES],
    key: u128,
    score: i32,
    changes: Vec<Change>,
    marks: Vec<Mark>,
    /// Room for sorting.
    merits: Vec<(i32, Step)>,
}

impl<'p> Linked<'p> {
    /// The positions after a root of the program that the tables were made of.
    pub(super) fn new(
        program: &'p Compiled,
        tables: &'p Tables,
        safety: &'p Safety,
        root: &State,
        likeness: Likeness,
        habits: Habits,
        weights: Weights,
    ) -> Self {
        let habits = Habits {
            dead_ends: habits.dead_ends && dead::is_testable(tables),
            reserve_macro: habits.reserve_macro && tables.reserves.contains(&true),
            ..habits
        };
        let mut linked = Self {
            program,
            tables,
            keys: Keys::new(program, tables, likeness),
            safety,
            habits,
            weights,
            below: [ABSENT; CARDS],
            above: [NONE; CARDS],
            lowest: [0; CARDS],
            up: 0,
            wanted: 0,
            tops: [0; ZONES],
            empty: [0; ZONES],
            key: 0,
            score: 0,
            changes: Vec::new(),
            marks: Vec::new(),
            merits: Vec::new(),
        };
        linked.begin(root);
        linked.stay();
        linked
    }

    /// Goes to a root and lets happen there what happens by itself, with a way back to the root.
    fn begin(&mut self, root: &State) {
        self.stay();
        for (pile, cards) in root.piles().enumerate() {
            let mut below = match self.tables.zone_of[pile] {
                _ if self.tables.is_foundation[pile] => UP,
                Some(zone) => BASE + zone as u8,
                None => continue,
            };
            for &card in cards {
                self.below[usize::from(card)] = below;
                below = if below == UP { UP } else { card };
            }
        }
        self.survey();
        self.play_by_itself();
    }

    /// Works everything out anew from what the cards lie on.
    fn survey(&mut self) {
        self.up = 0;
        self.above = [NONE; CARDS];
        self.tops = [0; ZONES];
        self.empty = self.tables.piles;
        self.key = 0;
        self.score = 0;
        for card in ones(self.tables.pack) {
            match self.below[card] {
                UP => self.up |= 1 << card,
                below if below < BASE => self.above[usize::from(below)] = card as u8,
                _ => {}
            }
        }
        self.wanted = 0;
        for height in 0..self.tables.wants.len() {
            self.want(height);
        }
        for card in ones(self.tables.pack) {
            let base = self.below[card];
            if base < BASE || base == UP {
                if base == UP {
                    self.key = self.key.wrapping_add(self.keys.link(card, UP));
                }
                continue;
            }
            let zone = usize::from(base - BASE);
            self.empty[zone] -= 1;
            let mut at = card;
            self.chain(at, zone);
            while self.above[at] != NONE {
                at = usize::from(self.above[at]);
                self.chain(at, zone);
            }
            self.tops[zone] |= 1 << at;
            self.key = self.key.wrapping_add(self.keys.pile(at));
        }
        for card in ones(self.tables.pack & !self.up) {
            self.score += self.worth(card);
            if !self.keys.is_chained() {
                self.key = self.key.wrapping_add(self.keys.link(card, self.below[card]));
            }
        }
    }

    /// Works out what hangs on the pile up to a card, those below being done.
    #[inline]
    fn chain(&mut self, card: usize, zone: usize) {
        let below = self.below[card];
        let height = self.tables.height[card];
        self.lowest[card] =
            if below < BASE { height.min(self.lowest[usize::from(below)]) } else { height };
        self.keys.chain(card, below, zone);
    }

    /// What a card that is not up adds to the distance.
    #[inline]
    fn worth(&self, card: usize) -> i32 {
        let below = self.below[card];
        let mut worth = self.weights.remaining;
        if below < BASE {
            let below = usize::from(below);
            if self.tables.height[card] > self.lowest[below] {
                worth += self.weights.blocking;
            }
            if self.tables.over[below] >> card & 1 != 0 {
                worth += self.weights.joined;
            }
        }
        worth
    }

    /// Brings up to date which cards of a height are wanted.
    #[inline]
    fn want(&mut self, height: usize) {
        let tables = self.tables;
        let Some(&cards) = tables.wants.get(height) else { return };
        self.wanted &= !cards;
        let down = cards & !self.up;
        if height == 0 {
            if (cards & self.up).count_ones() < tables.foundations {
                self.wanted |= down;
            }
        } else if tables.chained[height] {
            for card in ones(down) {
                if tables.before[card] & self.up != 0 {
                    self.wanted |= 1 << card;
                }
            }
        } else if (cards & self.up).count_ones() < (tables.wants[height - 1] & self.up).count_ones()
        {
            self.wanted |= down;
        }
    }

    /// The top of what lies on a card.
    #[inline]
    fn top_of(&self, card: u8) -> u8 {
        let mut top = card;
        if self.tables.has_units {
            while self.above[usize::from(top)] != NONE {
                top = self.above[usize::from(top)];
            }
        }
        top
    }

    /// The zone of a top card.
    #[inline]
    fn zone_of(&self, top: u8) -> usize {
        let mut zone = 0;
        while zone + 1 < self.tables.zones && self.tops[zone] >> top & 1 == 0 {
            zone += 1;
        }
        zone
    }

    /// Lays a card, with what lies on it, elsewhere.
    #[inline]
    fn place(&mut self, card: u8, to: u8) {
        let from = self.below[usize::from(card)];
        let mut change = Change {
            card,
            top: card,
            from,
            from_zone: NONE,
            to_zone: NONE,
            lowest: self.lowest[usize::from(card)],
            wanted: self.wanted,
            noted: self.keys.noted(card),
        };
        if from == UP {
            self.up ^= 1 << card;
            self.key = self.key.wrapping_sub(self.keys.link(usize::from(card), UP));
        } else {
            change.top = self.top_of(card);
            let zone = self.zone_of(change.top);
            change.from_zone = zone as u8;
            self.leave(card, change.top, zone);
        }
        if to == UP {
            self.above_is(from, NONE);
            self.below[usize::from(card)] = UP;
            self.up ^= 1 << card;
            self.key = self.key.wrapping_add(self.keys.link(usize::from(card), UP));
        } else {
            let zone = if to < BASE { self.zone_of(to) } else { usize::from(to - BASE) };
            change.to_zone = zone as u8;
            self.above_is(from, NONE);
            self.below[usize::from(card)] = to;
            self.above_is(to, card);
            self.join(card, change.top, zone);
        }
        if from == UP || to == UP {
            let height = usize::from(self.tables.height[usize::from(card)]);
            self.want(height);
            self.want(height + 1);
        }
        self.changes.push(change);
    }

    /// Notes which card lies on another, if that is a card.
    #[inline]
    fn above_is(&mut self, below: u8, card: u8) {
        if below < BASE {
            self.above[usize::from(below)] = card;
        }
    }

    /// Takes a unit out of what its zone, the key and the score count.
    #[inline]
    fn leave(&mut self, card: u8, top: u8, zone: usize) {
        let below = self.below[usize::from(card)];
        self.tops[zone] &= !(1 << top);
        self.key = self.key.wrapping_sub(self.keys.pile(usize::from(top)));
        if below < BASE {
            self.tops[zone] |= 1 << below;
            self.key = self.key.wrapping_add(self.keys.pile(usize::from(below)));
        } else {
            self.empty[zone] += 1;
        }
        self.key = self.key.wrapping_sub(self.keys.link(usize::from(card), below));
        let mut at = card;
        loop {
            self.score -= self.worth(usize::from(at));
            if at == top {
                break;
            }
            at = self.above[usize::from(at)];
        }
    }

    /// Counts a unit that was laid on its new place in.
    #[inline]
    fn join(&mut self, card: u8, top: u8, zone: usize) {
        let below = self.below[usize::from(card)];
        if below < BASE {
            self.tops[zone] &= !(1 << below);
            self.key = self.key.wrapping_sub(self.keys.pile(usize::from(below)));
        } else {
            self.empty[zone] -= 1;
        }
        self.tops[zone] |= 1 << top;
        let mut at = card;
        loop {
            self.chain(usize::from(at), zone);
            self.score += self.worth(usize::from(at));
            if at == top {
                break;
            }
            at = self.above[usize::from(at)];
        }
        self.key = self.key.wrapping_add(self.keys.link(usize::from(card), below));
        self.key = self.key.wrapping_add(self.keys.pile(usize::from(top)));
    }

    /// Takes the last change back, all but the key and the score.
    #[inline]
    fn unplace(&mut self) {
        let Some(change) = self.changes.pop() else { return };
        let Change { card, top, from, from_zone, to_zone, lowest, wanted, noted } = change;
        let to = self.below[usize::from(card)];
        if to == UP {
            self.up ^= 1 << card;
        } else {
            let zone = usize::from(to_zone);
            self.tops[zone] &= !(1 << top);
            if to < BASE {
                self.tops[zone] |= 1 << to;
                self.above[usize::from(to)] = NONE;
            } else {
                self.empty[zone] += 1;
            }
        }
        self.below[usize::from(card)] = from;
        if from == UP {
            self.up ^= 1 << card;
        } else {
            let zone = usize::from(from_zone);
            if from < BASE {
                self.tops[zone] &= !(1 << from);
                self.above[usize::from(from)] = card;
            } else {
                self.empty[zone] -= 1;
            }
            self.tops[zone] |= 1 << top;
            self.lowest[usize::from(card)] = lowest;
            self.keys.note(card, noted);
            let mut at = card;
            while at != top {
                at = self.above[usize::from(at)];
                self.chain(usize::from(at), zone);
            }
        }
        self.wanted = wanted;
    }

    /// Cards that go up by themselves go up.
    #[inline]
    fn play_by_itself(&mut self) {
        if !self.habits.safe_play && !self.habits.greedy_play {
            return;
        }
        loop {
            let mut ready = self.wanted & self.free_to_go_up();
            if !self.habits.greedy_play {
                ready = self.safety.of(ready, self.up, self.wanted);
            }
            if ready == 0 {
                return;
            }
            self.place(ready.trailing_zeros() as u8, UP);
        }
    }

    /// The cards that could go up if they were wanted.
    #[inline]
    fn free_to_go_up(&self) -> u64 {
        let mut free = 0;
        for zone in 0..self.tables.zones {
            if self.tables.feeds[zone] {
                free |= self.tops[zone];
            }
        }
        free
    }

    /// Lists the places that a card which leads a unit may be laid on by a way.
    #[inline]
    fn list_unit(&self, way: &Way, card: usize, top: usize, steps: &mut Vec<Step>) {
        for to in ones(way.under[card] & self.tops[way.to] & !(1 << top)) {
            steps.push(Step::of(card as u8, to as u8));
        }
        let is_whole = usize::from(self.below[card]) == usize::from(BASE) + way.to;
        if self.empty[way.to] > 0 && way.vacant >> card & 1 != 0 && !is_whole {
            steps.push(Step::of(card as u8, BASE + way.to as u8));
        }
        if self.habits.reserve_macro {
            self.list_covers(way, Step::of(card as u8, NONE & 63), card, top, steps);
        }
    }

    /// Lists the cards that can come back from foundations.
    fn list_returns(&self, steps: &mut Vec<Step>) {
        for height in 0..self.tables.wants.len() {
            let cards = self.tables.wants[height] & self.up;
            if cards == 0 {
                break;
            }
            let next = self.tables.wants.get(height + 1).map_or(0, |next| next & self.up);
            let chained = self.tables.chained.get(height + 1).is_some_and(|&chained| chained);
            if !chained && next.count_ones() >= cards.count_ones() {
                continue;
            }
            for card in ones(cards) {
                let is_covered =
                    chained && ones(next).any(|upper| self.tables.before[upper] >> card & 1 != 0);
                if is_covered {
                    continue;
                }
                for way in &self.tables.returns {
                    for to in ones(way.under[card] & self.tops[way.to]) {
                        steps.push(Step::of(card as u8, to as u8));
                    }
                    if self.empty[way.to] > 0 && way.vacant >> card & 1 != 0 {
                        steps.push(Step::of(card as u8, BASE + way.to as u8));
                    }
                    if self.habits.reserve_macro {
                        let cover = Step::of(card as u8, NONE & 63);
                        self.list_covers(way, cover, card, card, steps);
                    }
                }
            }
        }
    }

    /// How promising a step looks.
    fn merit(&self, step: Step) -> i32 {
        let (card, to) = (step.first(), step.target());
        if to == UP {
            return 1000;
        }
        let below = self.below[usize::from(card)];
        let mut merit = if to < BASE { 200 } else { -50 };
        match below {
            UP => merit -= 300,
            BASE.. => merit += 80,
            _ => {
                let lowest = self.lowest[usize::from(below)];
                if lowest < self.tables.height[usize::from(card)] {
                    merit += 60;
                }
                if self.tables.over[usize::from(below)] >> card & 1 != 0 {
                    merit -= 60;
                }
            }
        }
        if to < BASE && self.lowest[usize::from(to)] < self.tables.height[usize::from(card)] {
            merit -= 60;
        }
        merit
    }
}

impl Space for Linked<'_> {
    type Step = Step;

    #[inline]
    fn key(&self) -> u128 {
        self.key
    }

    #[inline]
    fn is_won(&self) -> bool {
        self.up == self.tables.pack
    }

    fn is_dead(&self) -> bool {
        self.habits.dead_ends && self.looks_dead()
    }

    fn list(&mut self, steps: &mut Vec<Step>) {
        for card in ones(self.wanted & self.free_to_go_up()) {
            steps.push(Step::of(card as u8, UP));
        }
        for way in &self.tables.ways {
            if self.habits.reserve_macro && self.tables.reserves[way.from] {
                continue;
            }
            for top in ones(self.tops[way.from]) {
                self.list_unit(way, top, top, steps);
                let mut card = top;
                loop {
                    let below = self.below[card];
                    let hangs = below < BASE
                        && match way.unit {
                            Unit::Top => false,
                            Unit::Packet => true,
                            Unit::Run(relation) => {
                                let relation = &self.program.relations[usize::from(relation)];
                                relation.over[usize::from(below)] >> card & 1 != 0
                            }
                        };
                    if !hangs {
                        break;
                    }
                    card = usize::from(below);
                    self.list_unit(way, card, top, steps);
                }
            }
        }
        if !self.tables.returns.is_empty() && !self.habits.greedy_play {
            self.list_returns(steps);
        }
    }

    #[inline]
    fn advance(&mut self, step: Step) -> bool {
        let changes = self.changes.len() as u32;
        self.marks.push(Mark { key: self.key, score: self.score, changes });
        let mut to = step.target();
        for card in step.cards() {
            self.place(card, to);
            to = card;
        }
        self.play_by_itself();
        true
    }

    #[inline]
    fn retreat(&mut self) {
        let Some(mark) = self.marks.pop() else { return };
        while self.changes.len() > mark.changes as usize {
            self.unplace();
        }
        self.key = mark.key;
        self.score = mark.score;
    }

    fn stay(&mut self) {
        self.marks.clear();
        self.changes.clear();
    }

    fn trail_bytes(&self) -> usize {
        size_of_val(&*self.marks) + size_of_val(&*self.changes)
    }

    fn packed_size(&self) -> usize {
        CARDS
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.below);
    }

    fn unpack(&mut self, bytes: &[u8]) {
        self.stay();
        self.below.copy_from_slice(bytes);
        self.survey();
    }

    #[inline]
    fn distance(&mut self) -> i32 {
        let weights = &self.weights;
        let mut distance = self.score;
        for zone in 0..self.tables.zones {
            distance += weights.vacancy * i32::from(self.empty[zone]);
        }
        for card in ones(self.wanted & !self.free_to_go_up()) {
            let mut at = self.above[card];
            while at != NONE {
                distance += weights.burying;
                at = self.above[usize::from(at)];
            }
        }
        distance.max(0)
    }

    fn sort(&mut self, steps: &mut [Step], seed: u64) {
        if steps.len() > 1 {
            let mut merits = std::mem::take(&mut self.merits);
            merits.clear();
            merits.extend(
                steps
                    .iter()
                    .map(|&step| (-self.merit(step) - chance(seed, self.key, step.code()), step)),
            );
            // Steps of equal merit stay in order.
            merits.sort_by_key(|&(merit, _)| merit);
            for (step, &(_, sorted)) in steps.iter_mut().zip(&merits) {
                *step = sorted;
            }
            self.merits = merits;
        }
    }

    fn length(&self) -> u64 {
        u64::from((self.tables.pack & !self.up).count_ones()) * 3 / 2
    }
}
