//! The space itself: links of cards, and steps that change them.

use crate::position::state::State;
use crate::program::compiled::Program;
use crate::search::options::{Pruning, Prunings};
use crate::search::spaces::card_links::keys::Keys;
use crate::search::spaces::card_links::kinds::Kinds;
use crate::search::spaces::card_links::packs::{CardSet, Packs, ZONES, next, numbered};
use crate::search::spaces::card_links::step::{Change, Step};
use crate::search::spaces::card_links::stock::{Stock, StockState};
use crate::search::spaces::card_links::tables::Tables;
use crate::search::spaces::ordering::sort_by_score;
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
    /// Positions that differ only in which of several alike cards a built card lies on count as the
    /// same.
    pub(crate) rearrangements: bool,
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
            rearrangements: !without.has(Pruning::Rearrangements),
        }
    }
}

/// The beginning of a step.
#[derive(Clone, Copy)]
pub(super) struct Mark<P: Packs> {
    key: u128,
    score: i32,
    changes: u32,
    left: StockState<P>,
    loose: P::Set,
    loose_key: u128,
}

/// The positions after a root.
pub(crate) struct CardLinksSpace<'p, P: Packs> {
    pub(super) program: &'p Program,
    pub(super) tables: &'p Tables<P>,
    pub(super) keys: Keys<P>,
    pub(super) safe_play_rules: &'p SafePlay,
    /// The kinds of cards, if positions that differ only by a rearrangement have the same key.
    pub(super) kinds: Option<&'p Kinds<P>>,
    pub(super) prunings: ActivePrunings,
    pub(super) weights: Weights,
    /// For each card what it lies on, and the card on it.
    pub(super) below: P::Each<u8>,
    pub(super) above: P::Each<u8>,
    /// For each card the lowest height among it and the cards below it.
    pub(super) lowest: P::Each<u8>,
    /// For each card of a pile that card and the cards below it.
    pub(super) lower: P::Each<P::Set>,
    /// Cards that are up, and cards that foundations want now.
    pub(super) up: P::Set,
    pub(super) wanted: P::Set,
    /// By zone: the top cards and the number of empty piles.
    pub(super) tops: [P::Set; ZONES],
    pub(super) empty: [u8; ZONES],
    /// Face-down cards, except those of the stock; and the rest of the stock.
    pub(super) down: P::Set,
    pub(super) left: StockState<P>,
    pub(super) key: u128,
    /// The loose cards, and what the key gains because they are loose (`rearrangements.rs`).
    pub(super) loose: P::Set,
    pub(super) loose_key: u128,
    pub(super) score: i32,
    /// Whether the heuristic counts the cards of each pile.
    pub(super) counts_piles: bool,
    /// Whether each turn of the stock is a step.
    pub(super) turns_singly: bool,
    /// Whether cards on which nothing can be built any more go up at once.
    pub(super) sheds_cards: bool,
    pub(super) changes: Vec<Change<P>>,
    pub(super) marks: Vec<Mark<P>>,
    /// Scratch space for sorting.
    pub(super) step_scores: Vec<(i32, Step<P>)>,
}

impl<'p, P: Packs> CardLinksSpace<'p, P> {
    /// The positions after a root. The tables must be those of the program.
    pub(crate) fn new(
        program: &'p Program,
        tables: &'p Tables<P>,
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
            kinds: tables.kinds.as_ref().filter(|_| prunings.rearrangements),
            prunings,
            weights,
            below: P::each(P::ABSENT),
            above: P::each(NONE),
            lowest: P::each(0),
            lower: P::each(P::Set::NONE),
            up: P::Set::NONE,
            wanted: P::Set::NONE,
            tops: [P::Set::NONE; ZONES],
            empty: [0; ZONES],
            down: P::Set::NONE,
            left: StockState::default(),
            key: 0,
            loose: P::Set::NONE,
            loose_key: 0,
            score: 0,
            counts_piles: weights.tall != 0 || weights.aside != 0,
            turns_singly: false,
            sheds_cards: false,
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
        for (pile, cards) in numbered(root).into_iter().enumerate() {
            let is_stock = tables.stock.as_ref().is_some_and(|stock| stock.source == pile);
            let zone = if is_stock { Some(tables.waste) } else { tables.zone_of[pile] };
            let (mut below, is_spread) = match zone {
                _ if tables.is_foundation[pile] => (P::UP, true),
                Some(zone) => (P::BASE + zone as u8, zone == tables.waste),
                None => continue,
            };
            for card in cards {
                self.below[usize::from(card)] = below;
                below = if is_spread { below } else { card };
            }
        }
        self.down = tables.down;
        self.left = tables.stock.as_ref().map(Stock::whole).unwrap_or_default();
        self.recompute();
        self.play_automatically();
        self.find_loose_cards();
    }

    /// Recomputes everything from what the cards lie on.
    pub(super) fn recompute(&mut self) {
        self.up = P::Set::NONE;
        self.tops = [P::Set::NONE; ZONES];
        self.empty = self.tables.piles;
        self.score = 0;
        for card in self.tables.order.pack.cards() {
            if self.below[card] == P::UP {
                self.up |= P::Set::of(card);
            }
        }
        self.above = P::each(NONE);
        self.stack(&P::each(NONE), P::Set::NONE);
        self.wanted = P::Set::NONE;
        for height in 0..self.tables.order.wants.len() {
            self.want(height);
        }
        for card in self.tables.order.pack.cards() {
            let base = self.below[card];
            if base < P::BASE || base == P::UP {
                continue;
            }
            let zone = usize::from(base - P::BASE);
            self.empty[zone] -= 1;
            self.tops[zone] |= P::Set::of(self.topmost(card));
        }
        if let Some(stock) = &self.tables.stock {
            self.tops[self.tables.waste] = self.reach(stock);
        }
        for card in (self.tables.order.pack & !self.up).cards() {
            self.score += self.card_score(card);
        }
        self.key = self.whole_key();
    }

    /// The key, from everything else.
    fn whole_key(&self) -> u128 {
        let keys = &self.keys;
        let add = |key: u128, number: u128| key.wrapping_add(number);
        let tops = P::Set::union(self.tops);
        let piles = tops.cards().map(|top| keys.pile(top)).fold(0, add);
        let links = self.tables.order.pack.cards().map(|card| keys.link(card, self.below[card]));
        let faces = self.down.cards().map(|card| keys.face(card)).fold(0, add);
        links.fold(add(keys.stock(self.left), add(piles, faces)), add)
    }

    /// Updates what lies on each card, and everything that depends on the piles up to it, from what
    /// the cards lie on and which lie face down. `below` and `down` are the earlier values: the
    /// part of a pile up to its first change is up to date.
    pub(super) fn stack(&mut self, below: &P::Each<u8>, down: P::Set) {
        let [before, now] =
            [below.as_ref(), self.below.as_ref()].map(|links| links.as_chunks::<4>().0);
        let differing =
            before.iter().zip(now).enumerate().filter(|(_, (before, now))| before != now);
        let mut moved = P::Set::NONE;
        for card in differing.flat_map(|(at, _)| 4 * at..4 * at + 4) {
            if below[card] != self.below[card] {
                moved |= P::Set::of(card);
            }
        }
        for card in moved.cards() {
            if below[card] < P::BASE {
                self.above[usize::from(below[card])] = NONE;
            }
        }
        for card in moved.cards() {
            if self.below[card] < P::BASE {
                self.above[usize::from(self.below[card])] = card as u8;
            }
        }
        let changed = (moved | self.down ^ down) & self.tables.order.pack & !self.up;
        for card in changed.cards() {
            // The lowest changed card of a pile updates the others.
            let mut base = self.below[card];
            while base < P::BASE && !changed.has(base) {
                base = self.below[usize::from(base)];
            }
            if base < P::BASE {
                continue;
            }
            let (mut at, zone) = (card as u8, usize::from(base - P::BASE));
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
        (self.lowest[card], self.lower[card]) = if below < P::BASE {
            let below = usize::from(below);
            (height.min(self.lowest[below]), self.lower[below] | P::Set::of(card))
        } else {
            (height, P::Set::of(card))
        };
        if zone == self.tables.waste {
            self.keys.note(card as u8, (0, 0));
        } else {
            self.keys.chain(card, below, zone, self.down.has(card));
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
        while zone + 1 < self.tables.zones && !self.tops[zone].has(top) {
            zone += 1;
        }
        zone
    }

    /// The number of cards of the stock that have not been turned yet, if there is a limit.
    fn rest_of_stock(&self) -> usize {
        self.tables.stock.as_ref().map_or(0, |stock| stock.rest(self.left))
    }
}

impl<P: Packs> Level for CardLinksSpace<'_, P> {
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
        self.find_loose_cards();
    }
}

impl<P: Packs> Space for CardLinksSpace<'_, P> {
    type Step = Step<P>;

    #[inline]
    fn key(&self) -> u128 {
        self.key.wrapping_add(self.loose_key)
    }

    #[inline]
    fn is_won(&self) -> bool {
        self.up == self.tables.order.pack
    }

    fn is_lost(&self) -> bool {
        self.prunings.delete_relaxation && self.is_unsolvable_relaxed()
    }

    fn list(&mut self, steps: &mut Vec<Step<P>>) {
        self.list_steps(steps);
    }

    fn shed_cards(&mut self) {
        self.sheds_cards = true;
        self.play_automatically();
        self.reset_root();
    }

    fn turn_singly(&mut self) {
        if let Some(stock) = self.tables.stock.as_ref().filter(|stock| stock.is_limited()) {
            self.turns_singly = true;
            self.tops[self.tables.waste] = self.reach(stock);
        }
    }

    fn progress_left(&self) -> usize {
        let held = self.tables.order.pack & !self.up;
        (held.count() + self.down.count()) as usize + self.rest_of_stock()
    }

    #[inline]
    fn key_after(&self, step: Step<P>) -> Option<u128> {
        match self.kinds {
            _ if !step.is_single() => None,
            None => self.key_with(step.first(), step.target()),
            Some(kinds) => self.class_key_with(kinds, step),
        }
    }

    #[inline]
    fn make(&mut self, step: Step<P>) -> bool {
        let changes = self.changes.len() as u32;
        let Self { key, score, left, loose, loose_key, .. } = *self;
        self.marks.push(Mark { key, score, changes, left, loose, loose_key });
        if step.is_turn() {
            self.turn();
            self.play_automatically();
            return true;
        }
        if !self.rearrange(step) {
            self.marks.pop();
            return false;
        }
        let mut to = step.target();
        for card in step.cards() {
            self.place(card, to);
            self.refill();
            to = card;
        }
        self.play_automatically();
        self.find_loose_cards();
        true
    }

    #[inline]
    fn unmake(&mut self) {
        let Some(mark) = self.marks.pop() else { return };
        while self.changes.len() > mark.changes as usize {
            self.unplace();
        }
        if self.left != mark.left {
            self.turn_to(mark.left);
        }
        self.key = mark.key;
        self.score = mark.score;
        (self.loose, self.loose_key) = (mark.loose, mark.loose_key);
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
        let masks = (5 + self.tables.zones) * size_of::<P::Set>();
        P::CARDS + ZONES + size_of::<i32>() + size_of::<u128>() + masks + 3
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(self.below.as_ref());
        bytes.extend_from_slice(&self.empty);
        bytes.extend_from_slice(&self.score.to_le_bytes());
        bytes.extend_from_slice(&self.key.to_le_bytes());
        for cards in [self.up, self.wanted, self.down, self.left.places, self.left.cards] {
            cards.pack(bytes);
        }
        bytes.extend_from_slice(&self.left.numbers());
        for tops in &self.tops[..self.tables.zones] {
            tops.pack(bytes);
        }
    }

    fn unpack(&mut self, bytes: &[u8]) {
        self.reset_root();
        let (below, down) = (self.below, self.down);
        let mut bytes = bytes;
        let (links, rest) = bytes.split_at(P::CARDS);
        self.below.as_mut().copy_from_slice(links);
        bytes = rest;
        self.empty = next(&mut bytes);
        self.score = i32::from_le_bytes(next(&mut bytes));
        self.key = u128::from_le_bytes(next(&mut bytes));
        self.up = P::Set::unpack(&mut bytes);
        self.wanted = P::Set::unpack(&mut bytes);
        self.down = P::Set::unpack(&mut bytes);
        self.left.places = P::Set::unpack(&mut bytes);
        self.left.cards = P::Set::unpack(&mut bytes);
        self.left.set_numbers(next(&mut bytes));
        for tops in &mut self.tops[..self.tables.zones] {
            *tops = P::Set::unpack(&mut bytes);
        }
        self.stack(&below, down);
        self.find_loose_cards();
    }

    #[inline]
    fn heuristic(&mut self) -> i32 {
        self.distance()
    }

    #[inline]
    fn heuristic_change(&self, step: Step<P>) -> Option<i32> {
        Some(self.distance_change(step))
    }

    fn sort(&mut self, steps: &mut [Step<P>], seed: u64) {
        let mut scored = std::mem::take(&mut self.step_scores);
        let score = |step: Step<P>| self.step_score(step) + chance(seed, self.key, step.code());
        sort_by_score(steps, &mut scored, score);
        self.step_scores = scored;
    }

    fn length(&self) -> u64 {
        u64::from((self.tables.order.pack & !self.up).count()) * 3 / 2
    }
}
