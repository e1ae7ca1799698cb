//! The space itself: which cards are up, which lie at the head of each column, and the stock.

use crate::bits::ones;
use crate::card::{CARDS, card};
use crate::position::state::State;
use crate::search::options::{Pruning, Prunings};
use crate::search::spaces::card_links::stock::StockState;
use crate::search::spaces::card_sets::tables::{COLUMNS, NONE, SetTables};
use crate::search::spaces::safe_play::SafePlay;
use crate::search::spaces::space::{Space, chance};

/// A step: a card goes to its foundation, or is put on a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Step(u8);

/// Marks a step to a foundation.
const GOES_UP: u8 = 64;

impl Step {
    pub(super) const fn up(card: u8) -> Self {
        Self(card | GOES_UP)
    }

    pub(super) const fn down(card: u8) -> Self {
        Self(card)
    }

    pub(super) const fn card(self) -> u8 {
        self.0 & (GOES_UP - 1)
    }

    pub(super) const fn goes_up(self) -> bool {
        self.0 & GOES_UP != 0
    }
}

/// Which prunings are active.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActivePrunings {
    pub(crate) safe_play: bool,
    pub(crate) delete_relaxation: bool,
}

impl ActivePrunings {
    pub(crate) const fn new(without: Prunings) -> Self {
        Self {
            safe_play: !without.has(Pruning::SafePlay),
            delete_relaxation: !without.has(Pruning::DeleteRelaxation),
        }
    }
}

/// A position.
#[derive(Clone, Copy)]
pub(super) struct Position {
    /// The cards on foundations.
    pub(super) up: u64,
    /// The cards on columns that can move or be built on.
    pub(super) open: u64,
    /// The lowest cards of the last segments of columns and reserves.
    pub(super) heads: u64,
    pub(super) left: StockState,
    /// The segments left of each column; none once it is like one that began empty.
    pub(super) segments: [u8; COLUMNS],
    pub(super) key: u128,
}

/// The positions after a root.
pub(crate) struct CardSetsSpace<'t> {
    pub(super) tables: &'t SetTables,
    safe_play: &'t SafePlay,
    prunings: ActivePrunings,
    pub(super) at: Position,
    trail: Vec<Position>,
    /// The steps made to foundations automatically and by choice, while a line is translated.
    pub(super) record: Option<Vec<Step>>,
}

impl<'t> CardSetsSpace<'t> {
    pub(crate) fn new(
        tables: &'t SetTables,
        safe_play: &'t SafePlay,
        root: &State,
        prunings: ActivePrunings,
    ) -> Self {
        let at = Position {
            up: 0,
            open: 0,
            heads: 0,
            left: StockState::default(),
            segments: [0; COLUMNS],
            key: 0,
        };
        let mut space =
            Self { tables, safe_play, prunings, at, trail: Vec::new(), record: None };
        space.begin(root);
        space
    }

    /// Goes to a root, and plays the automatic moves there.
    pub(super) fn begin(&mut self, root: &State) {
        self.trail.clear();
        let tables = self.tables;
        let mut up = 0;
        for (pile, cards) in root.piles().enumerate() {
            if tables.links.is_foundation[pile] {
                up |= cards.iter().fold(0, |up, &byte| up | 1 << card(byte));
            }
        }
        let left = tables.stock().map(|stock| stock.whole()).unwrap_or_default();
        self.at = Position {
            up,
            open: 0,
            heads: 0,
            left,
            segments: [0; COLUMNS],
            key: 0,
        };
        for (column, each) in tables.columns.iter().enumerate() {
            self.at.segments[column] = each.segments.len() as u8;
            self.open_column(column);
        }
        self.at.key = self.key_of(&self.at);
        self.play_automatically();
    }

    /// The key, computed from scratch.
    fn key_of(&self, at: &Position) -> u128 {
        let tables = self.tables;
        let sum = |cards: u64, keys: &[u128; CARDS]| {
            ones(cards).fold(0u128, |sum, card| sum.wrapping_add(keys[card]))
        };
        let stock = tables.stock().map_or(0, |stock| stock.cards(at.left));
        sum(at.up, &tables.up_keys)
            .wrapping_add(sum(at.heads, &tables.head_keys))
            .wrapping_add(sum(stock, &tables.stock_keys))
            .wrapping_add(tables.dealt_keys[usize::from(at.left.dealt)])
    }

    /// Turns to the last segment of a column, whose head is not counted yet.
    #[inline]
    fn open_column(&mut self, column: usize) {
        let tables = self.tables;
        let held = self.at.segments[column];
        let Some(last) = held.checked_sub(1) else { return };
        let (head, cards) = tables.columns[column].segments[usize::from(last)];
        if column < tables.building {
            self.at.open |= cards;
            if last == 0 && tables.space >> head & 1 != 0 {
                // It lies where it could go.
                self.at.segments[column] = 0;
                return;
            }
        }
        self.at.heads |= 1 << head;
        self.at.key = self.at.key.wrapping_add(tables.head_keys[usize::from(head)]);
    }

    /// The head of a column has left.
    #[inline]
    fn leave(&mut self, head: u8) {
        let tables = self.tables;
        self.at.heads &= !(1 << head);
        self.at.key = self.at.key.wrapping_sub(tables.head_keys[usize::from(head)]);
        let column = usize::from(tables.column_of[usize::from(head)]);
        self.at.segments[column] -= 1;
        self.open_column(column);
    }

    /// Whether a class has room for one more child.
    #[inline]
    fn has_room(&self, class: u8) -> bool {
        let class = &self.tables.classes[usize::from(class)];
        let parents = (self.at.open & class.parents).count_ones();
        let children = (self.at.open & !self.at.heads & class.children).count_ones();
        parents > children
    }

    /// The number of columns that are or could be made empty.
    #[inline]
    pub(super) fn empty(&self) -> u32 {
        let columns = &self.at.segments[..self.tables.building];
        let free = columns.iter().filter(|&&segments| segments == 0).count() as u32;
        free - (self.at.open & !self.at.heads & self.tables.space).count_ones()
    }

    /// Whether a card can be uncovered.
    #[inline]
    fn is_free(&self, card: usize) -> bool {
        let class = self.tables.parent_in[card];
        class == NONE || self.at.heads & !self.at.open & 1 << card != 0 || self.has_room(class)
    }

    /// The cards for which there is a place on columns.
    fn placeable(&self) -> u64 {
        let mut cards = if self.empty() > 0 { self.tables.space } else { 0 };
        for class in &self.tables.classes {
            let parents = (self.at.open & class.parents).count_ones();
            let children = (self.at.open & !self.at.heads & class.children).count_ones();
            if parents > children {
                cards |= class.children;
            }
        }
        cards
    }

    /// The cards that foundations want.
    fn wanted(&self) -> u64 {
        self.tables.links.order.wanted(self.at.up)
    }

    /// The cards of the stock that can be reached.
    fn reach(&self) -> u64 {
        self.tables.stock().map_or(0, |stock| stock.reach(self.at.left))
    }

    fn play_automatically(&mut self) {
        if !self.prunings.safe_play {
            return;
        }
        loop {
            let wanted = self.wanted();
            let stock = self.tables.stock().filter(|stock| stock.is_reserve());
            let reach = stock.map_or(0, |stock| stock.reach(self.at.left));
            let ready = wanted & (self.at.open | self.at.heads | reach);
            let safe = self.safe_play.of(ready, self.at.up, wanted);
            let Some(card) = ones(safe).find(|&card| reach >> card & 1 != 0 || self.is_free(card))
            else {
                return;
            };
            self.put(Step::up(card as u8));
        }
    }

    /// Makes a step without anything automatic.
    fn put(&mut self, step: Step) {
        if let Some(record) = &mut self.record {
            record.push(step);
        }
        let tables = self.tables;
        let card = step.card();
        let (index, bit) = (usize::from(card), 1u64 << card);
        if self.at.up & bit != 0 {
            self.at.up &= !bit;
            self.at.key = self.at.key.wrapping_sub(tables.up_keys[index]);
        } else if self.at.heads & bit != 0 {
            self.leave(card);
        } else if self.at.open & bit == 0
            && let Some(stock) = tables.stock()
        {
            let left = stock.without(self.at.left, card);
            self.at.key = self
                .at
                .key
                .wrapping_sub(tables.stock_keys[index])
                .wrapping_sub(tables.dealt_keys[usize::from(self.at.left.dealt)])
                .wrapping_add(tables.dealt_keys[usize::from(left.dealt)]);
            self.at.left = left;
        }
        if step.goes_up() {
            self.at.open &= !bit;
            self.at.up |= bit;
            self.at.key = self.at.key.wrapping_add(tables.up_keys[index]);
        } else {
            self.at.open |= bit;
        }
    }
}

impl Space for CardSetsSpace<'_> {
    type Step = Step;

    fn key(&self) -> u128 {
        debug_assert_eq!(self.at.key, self.key_of(&self.at), "the key is out of date");
        self.at.key
    }

    fn is_won(&self) -> bool {
        self.at.up == self.tables.links.order.pack
    }

    fn is_lost(&self) -> bool {
        self.prunings.delete_relaxation && self.is_unsolvable_relaxed()
    }

    fn list(&mut self, steps: &mut Vec<Step>) {
        let tables = self.tables;
        let (wanted, placeable, reach) = (self.wanted(), self.placeable(), self.reach());
        let Position { up, open, heads, .. } = self.at;
        for card in ones((open | heads) & wanted) {
            if self.is_free(card) {
                steps.push(Step::up(card as u8));
            }
        }
        steps.extend(ones(reach & wanted).map(|card| Step::up(card as u8)));
        steps.extend(ones((heads | reach) & placeable).map(|card| Step::down(card as u8)));
        if tables.returns {
            let is_top = |&card: &usize| {
                let next = tables.next[card];
                next == NONE || up >> next & 1 == 0
            };
            steps.extend(ones(up & placeable).filter(is_top).map(|card| Step::down(card as u8)));
        }
    }

    fn make(&mut self, step: Step) -> bool {
        self.trail.push(self.at);
        self.put(step);
        self.play_automatically();
        true
    }

    fn unmake(&mut self) {
        if let Some(before) = self.trail.pop() {
            self.at = before;
        }
    }

    fn reset_root(&mut self) {
        self.trail.clear();
    }

    fn trail_bytes(&self) -> usize {
        size_of_val(&*self.trail)
    }

    fn packed_size(&self) -> usize {
        3 * 8 + 8 + 1 + COLUMNS
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        let Position { up, open, heads, left, segments, key: _ } = &self.at;
        for set in [up, open, heads, &left.places] {
            bytes.extend(set.to_le_bytes());
        }
        bytes.push(left.dealt);
        bytes.extend(segments);
    }

    fn unpack(&mut self, bytes: &[u8]) {
        self.trail.clear();
        let set = |at: usize| {
            bytes[at * 8..at * 8 + 8].iter().rev().fold(0, |set, &byte| set << 8 | u64::from(byte))
        };
        self.at.up = set(0);
        self.at.open = set(1);
        self.at.heads = set(2);
        self.at.left = StockState { places: set(3), dealt: bytes[32] };
        self.at.segments.copy_from_slice(&bytes[33..]);
        self.at.key = self.key_of(&self.at);
    }

    fn heuristic(&mut self) -> i32 {
        let tables = self.tables;
        let pack = tables.links.order.pack;
        let hidden: u32 = self.at.segments.iter().map(|&segments| u32::from(segments)).sum();
        let stock = self.at.left.places.count_ones();
        let up = (pack & !self.at.up).count_ones();
        (4 * hidden + 2 * stock + up).cast_signed()
    }

    fn sort(&mut self, steps: &mut [Step], seed: u64) {
        let key = if seed == 0 { 0 } else { self.key() };
        steps.sort_by_cached_key(|&step| {
            (-self.score(step) - chance(seed, key, u32::from(step.0)), step)
        });
    }

    fn score(&self, step: Step) -> i32 {
        let bit = 1u64 << step.card();
        let mut score = if step.goes_up() { 100 } else { 0 };
        if self.at.heads & bit != 0 {
            let column = usize::from(self.tables.column_of[usize::from(step.card())]);
            score += 300 + 10 * i32::from(self.at.segments[column]);
        } else if self.at.up & bit != 0 {
            score -= 300;
        } else if self.at.open & bit == 0 {
            score += 100;
        }
        score
    }

    fn feature_code(&self, step: Step) -> u64 {
        u64::from(step.0)
    }

    fn length(&self) -> u64 {
        u64::from((self.tables.links.order.pack & !self.at.up).count_ones()) * 2
    }
}
