//! The space itself: links of cards, and steps that change them.

use crate::bits::ones;
use crate::card::{SUITED as CARDS, card};
use crate::move_score::{self, BUILDS, FILLS, FREES, UNCOVERS_LINKED, VACATES, WORRIES_BACK};
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::search::options::{Pruning, Prunings};
use crate::search::spaces::card_links::keys::Keys;
use crate::search::spaces::card_links::step::{Change, Step};
use crate::search::spaces::card_links::stock::{Stock, StockState};
use crate::search::spaces::card_links::tables::{ABSENT, BASE, MoveUnit, Route, Tables, UP, ZONES};
use crate::search::spaces::safe_play::SafePlay;
use crate::search::spaces::space::{Level, Space, chance};
use crate::search::strategy::CardEquivalence;
use crate::search::weights::Weights;

/// No card.
pub(super) const NONE: u8 = u8::MAX;

/// Which prunings and shortcuts are active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is switched by itself")]
pub(crate) struct ActivePrunings {
    /// Cards that are safe on foundations go there automatically.
    pub(crate) safe_play: bool,
    /// All cards that can go to foundations go there automatically. Overlooks wins.
    pub(crate) greedy_play: bool,
    /// Cards of a reserve go to the tableau only to be covered at once.
    pub(crate) reserve_macro: bool,
    /// Positions that cannot be won in the delete relaxation are left out.
    pub(crate) delete_relaxation: bool,
    /// Runs are split only if the card below can go up.
    pub(crate) splits: bool,
}

impl ActivePrunings {
    /// All prunings with a proof, except those switched off.
    pub(crate) const fn new(without: Prunings) -> Self {
        Self {
            safe_play: !without.has(Pruning::SafePlay),
            greedy_play: false,
            reserve_macro: !without.has(Pruning::ReserveMacro),
            delete_relaxation: !without.has(Pruning::DeleteRelaxation),
            splits: !without.has(Pruning::Splits),
        }
    }
}

/// The beginning of a step.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    key: u128,
    score: i32,
    changes: u32,
}

/// The positions after a root.
pub(crate) struct CardLinksSpace<'p> {
    pub(super) program: &'p Program,
    pub(super) tables: &'p Tables,
    pub(super) keys: Keys,
    pub(super) safe_play_rules: &'p SafePlay,
    pub(super) prunings: ActivePrunings,
    pub(super) weights: Weights,
    /// For each card what it lies on, and the card on it.
    pub(super) below: [u8; CARDS],
    pub(super) above: [u8; CARDS],
    /// For each card the lowest height among it and the cards below it.
    pub(super) lowest: [u8; CARDS],
    /// For each card of a pile that card and the cards below it.
    pub(super) lower: [u64; CARDS],
    /// Cards that are up, and cards that foundations want now.
    pub(super) up: u64,
    pub(super) wanted: u64,
    /// By zone: the top cards and the number of empty piles.
    pub(super) tops: [u64; ZONES],
    pub(super) empty: [u8; ZONES],
    /// Face-down cards, except those of the stock; and the rest of the stock.
    pub(super) down: u64,
    pub(super) left: StockState,
    pub(super) key: u128,
    pub(super) score: i32,
    pub(super) changes: Vec<Change>,
    pub(super) marks: Vec<Mark>,
    /// Scratch space for sorting.
    pub(super) step_scores: Vec<(i32, Step)>,
}

impl<'p> CardLinksSpace<'p> {
    /// The positions after a root. The tables must be those of the program.
    pub(crate) fn new(
        program: &'p Program,
        tables: &'p Tables,
        safe_play_rules: &'p SafePlay,
        root: &State,
        equivalence: CardEquivalence,
        prunings: ActivePrunings,
        weights: Weights,
    ) -> Self {
        let prunings = ActivePrunings {
            delete_relaxation: prunings.delete_relaxation && tables.has_relaxed_test(),
            reserve_macro: prunings.reserve_macro
                && tables.reserves.contains(&true)
                && tables.has_few_chains(root),
            ..prunings
        };
        let prunings =
            ActivePrunings { splits: prunings.splits && !prunings.reserve_macro, ..prunings };
        let mut space = Self {
            program,
            tables,
            keys: Keys::new(program, tables, equivalence),
            safe_play_rules,
            prunings,
            weights,
            below: [ABSENT; CARDS],
            above: [NONE; CARDS],
            lowest: [0; CARDS],
            lower: [0; CARDS],
            up: 0,
            wanted: 0,
            tops: [0; ZONES],
            empty: [0; ZONES],
            down: 0,
            left: StockState::default(),
            key: 0,
            score: 0,
            changes: Vec::new(),
            marks: Vec::new(),
            step_scores: Vec::new(),
        };
        space.begin(root);
        space.reset_root();
        space
    }

    /// Goes to a root and plays the automatic moves there. They can be undone.
    pub(crate) fn begin(&mut self, root: &State) {
        self.reset_root();
        let tables = self.tables;
        for (pile, cards) in root.piles().enumerate() {
            let is_stock = tables.stock.as_ref().is_some_and(|stock| stock.source == pile);
            let zone = if is_stock { Some(tables.waste) } else { tables.zone_of[pile] };
            let (mut below, is_spread) = match zone {
                _ if tables.is_foundation[pile] => (UP, true),
                Some(zone) => (BASE + zone as u8, zone == tables.waste),
                None => continue,
            };
            for &byte in cards {
                self.below[usize::from(card(byte))] = below;
                below = if is_spread { below } else { card(byte) };
            }
        }
        self.down = tables.down;
        self.left = tables.stock.as_ref().map(Stock::whole).unwrap_or_default();
        self.recompute();
        self.play_automatically();
    }

    /// Recomputes everything from what the cards lie on.
    pub(super) fn recompute(&mut self) {
        self.up = 0;
        self.tops = [0; ZONES];
        self.empty = self.tables.piles;
        self.score = 0;
        for card in ones(self.tables.order.pack) {
            if self.below[card] == UP {
                self.up |= 1 << card;
            }
        }
        self.above = [NONE; CARDS];
        self.stack(&[NONE; CARDS], 0);
        self.wanted = 0;
        for height in 0..self.tables.order.wants.len() {
            self.want(height);
        }
        for card in ones(self.tables.order.pack) {
            let base = self.below[card];
            if base < BASE || base == UP {
                continue;
            }
            let zone = usize::from(base - BASE);
            self.empty[zone] -= 1;
            self.tops[zone] |= 1 << self.topmost(card);
        }
        if let Some(stock) = &self.tables.stock {
            self.tops[self.tables.waste] = stock.reach(self.left);
        }
        for card in ones(self.tables.order.pack & !self.up) {
            self.score += self.card_score(card);
        }
        self.key = self.whole_key();
    }

    /// The key, from everything else.
    fn whole_key(&self) -> u128 {
        let keys = &self.keys;
        let add = |key: u128, number: u128| key.wrapping_add(number);
        let tops = self.tops.iter().fold(0, |tops, zone| tops | zone);
        let piles = ones(tops).map(|top| keys.pile(top)).fold(0, add);
        let links = ones(self.tables.order.pack).map(|card| keys.link(card, self.below[card]));
        let faces = ones(self.down).map(|card| keys.face(card)).fold(0, add);
        links.fold(add(keys.dealt(self.left.dealt), add(piles, faces)), add)
    }

    /// Updates what lies on each card, and everything that depends on the piles up to it, from what
    /// the cards lie on and which lie face down. `below` and `down` are the earlier values: the
    /// part of a pile up to its first change is up to date.
    pub(super) fn stack(&mut self, below: &[u8; CARDS], down: u64) {
        let mut moved = 0u64;
        for (card, (before, now)) in below.iter().zip(&self.below).enumerate() {
            moved |= u64::from(before != now) << card;
        }
        for card in ones(moved) {
            if below[card] < BASE {
                self.above[usize::from(below[card])] = NONE;
            }
        }
        for card in ones(moved) {
            if self.below[card] < BASE {
                self.above[usize::from(self.below[card])] = card as u8;
            }
        }
        let changed = (moved | self.down ^ down) & self.tables.order.pack & !self.up;
        for card in ones(changed) {
            // The lowest changed card of a pile updates the others.
            let mut base = self.below[card];
            while base < BASE && changed >> base & 1 == 0 {
                base = self.below[usize::from(base)];
            }
            if base < BASE {
                continue;
            }
            let (mut at, zone) = (card as u8, usize::from(base - BASE));
            while at != NONE {
                self.chain(usize::from(at), zone);
                at = self.above[usize::from(at)];
            }
        }
    }

    /// Recomputes what depends on the pile up to a card. The cards below must be up to date.
    #[inline]
    pub(super) fn chain(&mut self, card: usize, zone: usize) {
        let below = self.below[card];
        let height = self.tables.order.height[card];
        (self.lowest[card], self.lower[card]) = if below < BASE {
            let below = usize::from(below);
            (height.min(self.lowest[below]), self.lower[below] | 1 << card)
        } else {
            (height, 1 << card)
        };
        if zone == self.tables.waste {
            self.keys.note(card as u8, (0, 0));
        } else {
            self.keys.chain(card, below, zone, self.down >> card & 1 != 0);
        }
    }

    /// The part of a card that is not up in the distance.
    #[inline]
    pub(super) fn card_score(&self, card: usize) -> i32 {
        self.score_on(card, self.below[card])
    }

    /// The same, if the card lies on something.
    #[inline]
    fn score_on(&self, card: usize, below: u8) -> i32 {
        let mut card_score = self.weights.remaining;
        if below < BASE {
            let below = usize::from(below);
            if self.tables.order.height[card] > self.lowest[below] {
                card_score += self.weights.blocking;
            }
            if self.tables.over[below] >> card & 1 != 0 {
                card_score += self.weights.joined;
            }
            if self.down >> card & 1 != 0 {
                card_score += self.weights.hidden;
            }
        } else if usize::from(below - BASE) == self.tables.waste {
            card_score += self.weights.stock;
        }
        card_score
    }

    /// How many wanted cards a card would bury on a card or in an empty pile.
    #[inline]
    fn buried(&self, below: u8) -> i32 {
        if below < BASE {
            (self.lower[usize::from(below)] & self.wanted).count_ones().cast_signed()
        } else {
            0
        }
    }

    /// Updates which cards of a height are wanted.
    #[inline]
    pub(super) fn want(&mut self, height: usize) {
        let order = &self.tables.order;
        let Some(&cards) = order.wants.get(height) else { return };
        self.wanted = self.wanted & !cards | order.wanted_at(height, self.up);
    }

    /// The top card of the pile that a card is in.
    #[inline]
    pub(super) fn top_of(&self, card: u8) -> u8 {
        if self.tables.has_units { self.topmost(usize::from(card)) } else { card }
    }

    /// The same, even if only single cards can move.
    #[inline]
    pub(super) fn topmost(&self, card: usize) -> u8 {
        let mut top = card as u8;
        while self.above[usize::from(top)] != NONE {
            top = self.above[usize::from(top)];
        }
        top
    }

    /// The zone of a top card.
    #[inline]
    pub(super) fn zone_of(&self, top: u8) -> usize {
        let mut zone = 0;
        while zone + 1 < self.tables.zones && self.tops[zone] >> top & 1 == 0 {
            zone += 1;
        }
        zone
    }

    /// Plays the automatic moves to foundations.
    #[inline]
    pub(super) fn play_automatically(&mut self) {
        if !self.prunings.safe_play && !self.prunings.greedy_play {
            return;
        }
        loop {
            let mut ready = self.wanted & self.free_to_go_up() & !self.tied();
            if !self.prunings.greedy_play {
                ready = self.safe_play_rules.of(ready, self.up, self.wanted);
            }
            if ready == 0 {
                return;
            }
            self.place(ready.trailing_zeros() as u8, UP);
            self.refill();
        }
    }

    /// Fills the empty piles that are filled at once.
    #[inline]
    fn refill(&mut self) {
        let Some(refill) = self.tables.refill else { return };
        while self.empty[refill.to] > 0 && self.tops[refill.from] != 0 {
            let top = self.tops[refill.from].trailing_zeros();
            self.place(top as u8, BASE + refill.to as u8);
        }
    }

    /// The cards whose time in a line matters, because taking them changes which others can be
    /// reached.
    #[inline]
    pub(super) fn tied(&self) -> u64 {
        match &self.tables.stock {
            Some(stock) if !stock.is_reserve() => self.tops[self.tables.waste],
            _ => 0,
        }
    }

    /// The cards that could go up if they were wanted.
    #[inline]
    pub(super) fn free_to_go_up(&self) -> u64 {
        let mut free = 0;
        for zone in 0..self.tables.zones {
            if self.tables.reaches_foundation[zone] {
                free |= self.tops[zone];
            }
        }
        free
    }

    /// Lists the targets of a unit with a certain lowest card on a route.
    #[inline]
    pub(super) fn list_unit(&self, route: &Route, card: usize, top: usize, steps: &mut Vec<Step>) {
        let targets = route.under[card] & self.tops[route.to] & !(1 << top);
        for to in ones(targets & !self.needless(route, card)) {
            steps.push(Step::of(card as u8, to as u8));
        }
        let is_whole = usize::from(self.below[card]) == usize::from(BASE) + route.to;
        if self.empty[route.to] > 0 && route.space >> card & 1 != 0 && !is_whole {
            steps.push(Step::of(card as u8, BASE + route.to as u8));
        }
        if self.prunings.reserve_macro {
            self.list_covers(route, Step::of(card as u8, NONE & 63), card, top, steps);
        }
    }

    /// Lists the targets of the top cards on a route.
    #[inline]
    fn list_tops(&self, route: &Route, steps: &mut Vec<Step>) {
        let (targets, empty) = (self.tops[route.to], BASE + route.to as u8);
        let space = if self.empty[route.to] > 0 { route.space } else { 0 };
        for top in ones(self.tops[route.from] & (route.builds | space)) {
            for to in ones(route.under[top] & targets & !(1 << top)) {
                steps.push(Step::of(top as u8, to as u8));
            }
            if space >> top & 1 != 0 && self.below[top] != empty {
                steps.push(Step::of(top as u8, empty));
            }
        }
    }

    /// Lists the cards that can come back from foundations.
    pub(super) fn list_returns(&self, steps: &mut Vec<Step>) {
        for height in 0..self.tables.order.wants.len() {
            let cards = self.tables.order.wants[height] & self.up;
            if cards == 0 {
                break;
            }
            let next = self.tables.order.wants.get(height + 1).map_or(0, |next| next & self.up);
            let chained = self.tables.order.chained.get(height + 1).is_some_and(|&chained| chained);
            if !chained && next.count_ones() >= cards.count_ones() {
                continue;
            }
            for card in ones(cards) {
                let is_covered = chained
                    && ones(next).any(|upper| self.tables.order.before[upper] >> card & 1 != 0);
                if is_covered {
                    continue;
                }
                for route in &self.tables.returns {
                    for to in ones(route.under[card] & self.tops[route.to]) {
                        steps.push(Step::of(card as u8, to as u8));
                    }
                    if self.empty[route.to] > 0 && route.space >> card & 1 != 0 {
                        steps.push(Step::of(card as u8, BASE + route.to as u8));
                    }
                    if self.prunings.reserve_macro {
                        let cover = Step::of(card as u8, NONE & 63);
                        self.list_covers(route, cover, card, card, steps);
                    }
                }
            }
        }
    }

    /// The score of a step: how promising it looks.
    pub(super) fn step_score(&self, step: Step) -> i32 {
        let (card, to) = (step.first(), step.target());
        if to == UP {
            return move_score::UP;
        }
        let below = self.below[usize::from(card)];
        let mut step_score = if to < BASE { BUILDS } else { FILLS };
        match below {
            UP => step_score += WORRIES_BACK,
            BASE.. => step_score += VACATES,
            _ => {
                let lowest = self.lowest[usize::from(below)];
                if lowest < self.tables.order.height[usize::from(card)] {
                    step_score += FREES;
                }
                if self.down >> below & 1 != 0 {
                    step_score += UNCOVERS_LINKED;
                } else if self.tables.over[usize::from(below)] >> card & 1 != 0 {
                    step_score -= FREES;
                }
            }
        }
        if to < BASE && self.lowest[usize::from(to)] < self.tables.order.height[usize::from(card)] {
            step_score -= FREES;
        }
        step_score
    }
}

/// Reads the next bytes.
fn next<const COUNT: usize>(bytes: &mut &[u8]) -> [u8; COUNT] {
    let mut here = [0; COUNT];
    let (first, rest) = bytes.split_at(COUNT);
    here.copy_from_slice(first);
    *bytes = rest;
    here
}

impl Level for CardLinksSpace<'_> {
    fn load(&mut self, harder: &Self) {
        self.reset_root();
        let (below, down) = (self.below, self.down);
        self.below = harder.below;
        self.empty = harder.empty;
        self.up = harder.up;
        self.tops = harder.tops;
        self.down = harder.down;
        self.left = harder.left;
        self.wanted = self.tables.order.wanted(self.up);
        self.stack(&below, down);
        self.key = self.whole_key();
        self.play_automatically();
    }
}

impl Space for CardLinksSpace<'_> {
    type Step = Step;

    #[inline]
    fn key(&self) -> u128 {
        self.key
    }

    #[inline]
    fn is_won(&self) -> bool {
        self.up == self.tables.order.pack
    }

    fn is_lost(&self) -> bool {
        self.prunings.delete_relaxation && self.is_unsolvable_relaxed()
    }

    fn list(&mut self, steps: &mut Vec<Step>) {
        for card in ones(self.wanted & self.free_to_go_up()) {
            steps.push(Step::of(card as u8, UP));
        }
        for route in &self.tables.routes {
            if self.prunings.reserve_macro && self.tables.reserves[route.from] {
                continue;
            }
            if route.unit == MoveUnit::Top && !self.prunings.reserve_macro {
                self.list_tops(route, steps);
                continue;
            }
            for top in ones(self.tops[route.from]) {
                self.list_unit(route, top, top, steps);
                let mut card = top;
                loop {
                    let below = self.below[card];
                    let hangs = below < BASE
                        && self.down >> below & 1 == 0
                        && match route.unit {
                            MoveUnit::Top => false,
                            MoveUnit::Packet => true,
                            MoveUnit::Run(relation) => {
                                let relation = &self.program.relations[usize::from(relation)];
                                relation.over[usize::from(below)] >> card & 1 != 0
                            }
                        };
                    if !hangs {
                        break;
                    }
                    card = usize::from(below);
                    self.list_unit(route, card, top, steps);
                }
            }
        }
        if !self.tables.returns.is_empty() && !self.prunings.greedy_play {
            self.list_returns(steps);
        }
    }

    #[inline]
    fn key_after(&self, step: Step) -> Option<u128> {
        if step.is_single() { self.key_with(step.first(), step.target()) } else { None }
    }

    #[inline]
    fn make(&mut self, step: Step) -> bool {
        let changes = self.changes.len() as u32;
        self.marks.push(Mark { key: self.key, score: self.score, changes });
        let mut to = step.target();
        for card in step.cards() {
            self.place(card, to);
            self.refill();
            to = card;
        }
        self.play_automatically();
        true
    }

    #[inline]
    fn unmake(&mut self) {
        let Some(mark) = self.marks.pop() else { return };
        while self.changes.len() > mark.changes as usize {
            self.unplace();
        }
        self.key = mark.key;
        self.score = mark.score;
    }

    fn reset_root(&mut self) {
        self.marks.clear();
        self.changes.clear();
        self.keys.forget();
    }

    fn trail_bytes(&self) -> usize {
        size_of_val(&*self.marks) + size_of_val(&*self.changes) + self.keys.saved_bytes()
    }

    fn packed_size(&self) -> usize {
        CARDS + ZONES + size_of::<i32>() + size_of::<u128>() + (4 + self.tables.zones) * 8 + 1
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.below);
        bytes.extend_from_slice(&self.empty);
        bytes.extend_from_slice(&self.score.to_le_bytes());
        bytes.extend_from_slice(&self.key.to_le_bytes());
        bytes.extend_from_slice(&self.up.to_le_bytes());
        bytes.extend_from_slice(&self.wanted.to_le_bytes());
        bytes.extend_from_slice(&self.down.to_le_bytes());
        bytes.extend_from_slice(&self.left.places.to_le_bytes());
        bytes.push(self.left.dealt);
        for tops in &self.tops[..self.tables.zones] {
            bytes.extend_from_slice(&tops.to_le_bytes());
        }
    }

    fn unpack(&mut self, bytes: &[u8]) {
        self.reset_root();
        let (below, down) = (self.below, self.down);
        let mut bytes = bytes;
        self.below = next(&mut bytes);
        self.empty = next(&mut bytes);
        self.score = i32::from_le_bytes(next(&mut bytes));
        self.key = u128::from_le_bytes(next(&mut bytes));
        self.up = u64::from_le_bytes(next(&mut bytes));
        self.wanted = u64::from_le_bytes(next(&mut bytes));
        self.down = u64::from_le_bytes(next(&mut bytes));
        self.left.places = u64::from_le_bytes(next(&mut bytes));
        [self.left.dealt] = next(&mut bytes);
        for tops in &mut self.tops[..self.tables.zones] {
            *tops = u64::from_le_bytes(next(&mut bytes));
        }
        self.stack(&below, down);
    }

    #[inline]
    fn heuristic(&mut self) -> i32 {
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
        distance
    }

    #[inline]
    fn heuristic_change(&self, step: Step) -> Option<i32> {
        // One top card moves, and nothing goes up or is turned up (see `key_with`).
        let (card, to) = (usize::from(step.first()), step.target());
        let below = self.below[card];
        let mut change = self.score_on(card, to) - self.score_on(card, below);
        change += self.weights.burying * (self.buried(to) - self.buried(below));
        change += self.weights.vacancy * (i32::from(below >= BASE) - i32::from(to >= BASE));
        Some(change)
    }

    fn sort(&mut self, steps: &mut [Step], seed: u64) {
        if steps.len() > 1 {
            let mut step_scores = std::mem::take(&mut self.step_scores);
            step_scores.clear();
            step_scores.extend(
                steps.iter().map(|&step| {
                    (-self.step_score(step) - chance(seed, self.key, step.code()), step)
                }),
            );
            // Steps of equal score retain their order.
            step_scores.sort_by_key(|&(step_score, _)| step_score);
            for (step, &(_, sorted)) in steps.iter_mut().zip(&step_scores) {
                *step = sorted;
            }
            self.step_scores = step_scores;
        }
    }

    fn length(&self) -> u64 {
        u64::from((self.tables.order.pack & !self.up).count_ones()) * 3 / 2
    }
}
