//! The space itself: which cards are up, which lie at the head of each column, and the stock.

use crate::bits::ones;
use crate::card::{SUITED as CARDS, card};
use crate::position::state::State;
use crate::search::options::{Pruning, Prunings};
use crate::search::spaces::card_links::packs::OnePack;
use crate::search::spaces::card_links::stock::{Stock, StockState};
use crate::search::spaces::card_sets::tables::{CLASSES, COLUMNS, NONE, SetTables};
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
    pub(crate) reserve_macro: bool,
}

impl ActivePrunings {
    pub(crate) const fn new(without: Prunings) -> Self {
        Self {
            safe_play: !without.has(Pruning::SafePlay),
            delete_relaxation: !without.has(Pruning::DeleteRelaxation),
            reserve_macro: !without.has(Pruning::ReserveMacro),
        }
    }
}

/// A position.
#[derive(Clone, Copy, Default)]
pub(super) struct Position {
    /// The cards on foundations, and those that foundations want.
    pub(super) up: u64,
    pub(super) wanted: u64,
    /// The cards on columns that can move or be built on.
    pub(super) open: u64,
    /// The lowest cards of the last segments of columns and reserves.
    pub(super) heads: u64,
    /// The cards of the stock, and those that can be reached.
    pub(super) stock: u64,
    pub(super) reach: u64,
    /// The children and the parents of classes with room.
    pub(super) fitting: u64,
    pub(super) roomy: u64,
    pub(super) left: StockState<OnePack>,
    /// For each class how many more children than it has could be put on its parents.
    room: [u8; CLASSES],
    /// The segments left of each column; none once it is like one that began empty.
    pub(super) segments: [u8; COLUMNS],
    /// The number of columns that are empty.
    pub(super) empty: u8,
    /// The card that came from the stock and must be built on next, plus one; 0 if there is none.
    pub(super) due: u8,
    pub(super) key: u128,
}

/// The positions after a root.
pub(crate) struct CardSetsSpace<'t> {
    pub(super) tables: &'t SetTables,
    pub(super) safe_play: &'t SafePlay,
    pub(super) prunings: ActivePrunings,
    pub(super) at: Position,
    trail: Vec<Position>,
    /// Scratch space for sorting.
    sorted: Vec<(i32, Step)>,
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
        let at = Position::default();
        let mut space = Self {
            tables,
            safe_play,
            prunings,
            at,
            trail: Vec::new(),
            sorted: Vec::new(),
            record: None,
        };
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
        let left = tables.stock().map(Stock::whole).unwrap_or_default();
        self.at = Position { up, left, ..Position::default() };
        for (column, each) in tables.columns.iter().enumerate() {
            self.at.segments[column] = each.segments.len() as u8;
            if let Some(&(head, cards)) = each.segments.last() {
                self.at.heads |= 1 << head;
                if column < tables.building {
                    self.at.open |= cards;
                    if each.segments.len() == 1 && tables.space >> head & 1 != 0 {
                        // It lies where it could go.
                        self.at.heads &= !(1 << head);
                        self.at.segments[column] = 0;
                    }
                }
            }
        }
        self.recompute();
        self.play_automatically();
    }

    /// Recomputes everything from the cards that are up, open and heads, the stock and the
    /// segments.
    fn recompute(&mut self) {
        let tables = self.tables;
        let at = &mut self.at;
        at.wanted = tables.links.order.wanted(at.up);
        at.stock = at.left.cards;
        at.reach = tables.stock().map_or(0, |stock| stock.reach(at.left));
        (at.fitting, at.roomy) = (0, 0);
        for (index, class) in tables.classes.iter().enumerate() {
            let parents = (at.open & class.parents).count_ones();
            let children = (at.open & !at.heads & class.children).count_ones();
            at.room[index] = (parents - children) as u8;
            if parents > children {
                at.fitting |= class.children;
                at.roomy |= class.parents;
            }
        }
        let columns = &at.segments[..tables.building];
        let free: u32 = columns.iter().map(|&segments| u32::from(segments == 0)).sum();
        at.empty = (free - (at.open & !at.heads & tables.space).count_ones()) as u8;
        at.key = key_of(tables, at);
    }

    /// A card of a class comes to be free for children.
    #[inline]
    fn add_room(&mut self, class: u8) {
        if class == NONE {
            return;
        }
        let room = &mut self.at.room[usize::from(class)];
        *room += 1;
        if *room == 1 {
            let class = &self.tables.classes[usize::from(class)];
            self.at.fitting |= class.children;
            self.at.roomy |= class.parents;
        }
    }

    /// The opposite.
    #[inline]
    fn take_room(&mut self, class: u8) {
        if class == NONE {
            return;
        }
        let room = &mut self.at.room[usize::from(class)];
        *room -= 1;
        if *room == 0 {
            let class = &self.tables.classes[usize::from(class)];
            self.at.fitting &= !class.children;
            self.at.roomy &= !class.parents;
        }
    }

    /// A card is put on a column.
    #[inline]
    fn put_down(&mut self, card: usize) {
        let tables = self.tables;
        self.add_room(tables.parent_in[card]);
        self.take_room(tables.child_in[card]);
        self.at.open |= 1 << card;
        self.at.empty -= (tables.space >> card & 1) as u8;
    }

    /// The head of a column has left.
    fn leave(&mut self, head: usize) {
        let tables = self.tables;
        self.at.heads &= !(1 << head);
        self.at.key = self.at.key.wrapping_sub(tables.head_keys[head]);
        let column = usize::from(tables.column_of[head]);
        let is_building = column < tables.building;
        let segments = self.at.segments[column] - 1;
        self.at.segments[column] = segments;
        let Some(last) = segments.checked_sub(1) else {
            self.at.empty += u8::from(is_building);
            return;
        };
        let (head, cards) = tables.columns[column].segments[usize::from(last)];
        if is_building {
            self.at.open |= cards;
            for card in ones(cards) {
                self.add_room(tables.parent_in[card]);
            }
            for card in ones(cards & !(1 << head)) {
                self.take_room(tables.child_in[card]);
            }
            if last == 0 && tables.space >> head & 1 != 0 {
                // It lies where it could go.
                self.at.segments[column] = 0;
                return;
            }
        }
        self.at.heads |= 1 << head;
        self.at.key = self.at.key.wrapping_add(tables.head_keys[usize::from(head)]);
    }

    /// The cards that can be uncovered: no card need lie on them.
    #[inline]
    const fn free(&self) -> u64 {
        self.at.open & (self.at.roomy | self.tables.childless) | self.at.heads & !self.at.open
    }

    /// The top cards of foundations.
    #[inline]
    fn tops(&self) -> u64 {
        ones(self.at.wanted).fold(self.tables.last & self.at.up, |tops, card| {
            tops | self.tables.links.order.before[card]
        })
    }

    /// The cards for which there is a place on columns.
    #[inline]
    const fn placeable(&self) -> u64 {
        self.at.fitting | if self.at.empty > 0 { self.tables.space } else { 0 }
    }

    /// The cards of the stock that are worth playing now. Before the waste is turned over, its last
    /// card goes up if it is safe (`card_links/stock.rs`).
    fn playable(&self) -> u64 {
        if let Some(stock) = self.tables.stock()
            && self.prunings.safe_play
        {
            let Position { left, up, wanted, .. } = self.at;
            if self.safe_play.of(stock.last(left) & wanted, up) != 0 {
                return stock.reach_on(left);
            }
        }
        self.at.reach
    }

    fn play_automatically(&mut self) {
        if !self.prunings.safe_play || self.at.due != 0 {
            return;
        }
        loop {
            // When any other card of the stock is taken matters.
            let stock = self.tables.stock().map_or(0, |stock| stock.indifferent(self.at.left));
            let ready = self.at.wanted & (self.free() | stock);
            let safe = self.safe_play.of(ready, self.at.up);
            if safe == 0 {
                return;
            }
            self.put(Step::up(safe.trailing_zeros() as u8));
        }
    }

    /// Makes a step without anything automatic.
    #[inline]
    fn put(&mut self, step: Step) {
        if let Some(record) = &mut self.record {
            record.push(step);
        }
        let tables = self.tables;
        let card = usize::from(step.card());
        let bit = 1u64 << card;
        let is_open = self.at.open & bit != 0;
        let next = tables.next[card];
        if self.at.up & bit != 0 {
            self.at.up &= !bit;
            self.at.wanted = self.at.wanted & !next | bit;
            self.at.key = self.at.key.wrapping_sub(tables.up_keys[card]);
            self.put_down(card);
            return;
        }
        let is_head = self.at.heads & bit != 0;
        if step.goes_up() {
            self.at.up |= bit;
            self.at.wanted = self.at.wanted & !bit | next;
            self.at.key = self.at.key.wrapping_add(tables.up_keys[card]);
            if is_open {
                self.at.open &= !bit;
                self.take_room(tables.parent_in[card]);
                if !is_head {
                    self.add_room(tables.child_in[card]);
                    self.at.empty += (tables.space >> card & 1) as u8;
                }
            }
        } else if is_open {
            // It is a head; it has been open already.
            self.take_room(tables.child_in[card]);
            self.at.empty -= (tables.space >> card & 1) as u8;
        } else {
            self.put_down(card);
        }
        if is_head {
            self.leave(card);
        } else if !is_open && let Some(stock) = tables.stock() {
            let left = stock.without(self.at.left, card as u8);
            self.at.key = self
                .at
                .key
                .wrapping_sub(tables.stock_keys[card])
                .wrapping_sub(tables.dealt_keys[usize::from(self.at.left.dealt)])
                .wrapping_add(tables.dealt_keys[usize::from(left.dealt)]);
            self.at.stock &= !bit;
            self.at.left = left;
            self.at.reach = stock.reach(left);
        }
    }
}

/// The key of a position, computed from scratch.
fn key_of(tables: &SetTables, at: &Position) -> u128 {
    let sum = |cards: u64, keys: &[u128; CARDS]| {
        ones(cards).fold(0u128, |sum, card| sum.wrapping_add(keys[card]))
    };
    let due = at.due.checked_sub(1).map_or(0, |card| tables.due_keys[usize::from(card)]);
    due.wrapping_add(sum(at.up, &tables.up_keys))
        .wrapping_add(sum(at.heads, &tables.head_keys))
        .wrapping_add(sum(at.stock, &tables.stock_keys))
        .wrapping_add(tables.dealt_keys[usize::from(at.left.dealt)])
}

impl Space for CardSetsSpace<'_> {
    type Step = Step;

    fn key(&self) -> u128 {
        debug_assert_eq!(self.at.key, key_of(self.tables, &self.at), "the key is out of date");
        self.at.key
    }

    fn is_won(&self) -> bool {
        self.at.up == self.tables.links.order.pack
    }

    fn is_lost(&self) -> bool {
        self.prunings.delete_relaxation && self.is_unsolvable_relaxed()
    }

    fn list(&mut self, steps: &mut Vec<Step>) {
        let placeable = self.placeable();
        let Position { wanted, heads, .. } = self.at;
        let reach = self.playable();
        let tops = if self.tables.returns { self.tops() } else { 0 };
        let ups = wanted & (self.free() | reach);
        let downs = (heads | tops | self.worth_placing(reach, heads | tops | reach)) & placeable;
        let (ups, downs) = self.using_room(ups, downs);
        steps.extend(ones(ups).map(|card| Step::up(card as u8)));
        steps.extend(ones(downs).map(|card| Step::down(card as u8)));
    }

    fn make(&mut self, step: Step) -> bool {
        self.trail.push(self.at);
        self.note_due(step);
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
        3 * 8 + 8 + 2 + COLUMNS
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        let Position { up, open, heads, left, segments, due, .. } = &self.at;
        for set in [up, open, heads, &left.places] {
            bytes.extend(set.to_le_bytes());
        }
        bytes.extend([left.dealt, *due]);
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
        let stock = self.tables.stock();
        self.at.left = stock.map(|stock| stock.at(set(3), bytes[32])).unwrap_or_default();
        self.at.due = bytes[33];
        self.at.segments.copy_from_slice(&bytes[34..]);
        self.recompute();
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
        if steps.len() < 2 {
            return;
        }
        let key = if seed == 0 { 0 } else { self.key() };
        let mut sorted = std::mem::take(&mut self.sorted);
        sorted.clear();
        let score = |step: Step| -self.score(step) - chance(seed, key, u32::from(step.0));
        sorted.extend(steps.iter().map(|&step| (score(step), step)));
        sorted.sort_unstable();
        for (step, (_, next)) in steps.iter_mut().zip(&sorted) {
            *step = *next;
        }
        self.sorted = sorted;
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
