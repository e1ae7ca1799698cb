//! Positions of the columns space, their steps, keys and distances.

use crate::card::{CARDS, card, in_common, is_face_down, rank};
use crate::move_score::{BUILDS, FILLS, MoveScorer, UNCOVERS, VACATES, WORRIES_BACK};
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::random::SplitMix64;
use crate::search::spaces::columns::change::{Change, Moved};
use crate::search::spaces::columns::depths::Depths;
use crate::search::spaces::columns::foundations::{Foundations, Wishes};
use crate::search::spaces::columns::limits::{COLUMNS, RUNS};
use crate::search::spaces::columns::part::{FACTOR, NUMBERS, Numbers, Part};
use crate::search::spaces::columns::rules::Kind;
use crate::search::spaces::columns::table::{Table, term_of};
use crate::search::spaces::columns::tables::{ColumnsTables, Place};
use crate::search::spaces::deadlock::{Deadlocks, LastTest};
use crate::search::spaces::known_locks::KnownLocks;
use crate::search::spaces::piles::Piles;
use crate::search::spaces::space::{Space, chance};
use crate::search::weights::Weights;

/// What playing the card in the hand adds to the score of a rule.
const TURNED: i32 = 98;

/// What the beginning of a step is restored from.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    totals: Totals,
    changes: u32,
    epoch: u64,
    wishes_epoch: u64,
}

/// Sums over all columns, and the stock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Totals {
    key: u128,
    pub(super) sum: i32,
    /// The cards in columns, and those in the stock.
    pub(super) held: u8,
    pub(super) stock: u8,
}

/// The positions after a root.
pub(crate) struct ColumnsSpace<'t> {
    pub(super) tables: &'t ColumnsTables,
    pub(super) numbers: &'static Numbers,
    scorer: MoveScorer,
    pub(super) weights: Weights,
    /// For each card the one that counts as the same.
    representative: [u8; CARDS],
    /// By column, room for all cards and one part more: the bottom, and the part up to each card.
    pub(super) parts: Vec<Part>,
    pub(super) sizes: [u8; COLUMNS],
    /// By column, how often a card was put there or distances changed.
    pub(super) writes: [u32; COLUMNS],
    /// What foundations hold that are built card by card, and a number of its own for that.
    pub(super) foundations: Option<Foundations<'t>>,
    pub(super) epoch: u64,
    /// The last such number.
    pub(super) epochs: u64,
    /// What the parts and the totals were computed with, and the number of that.
    pub(super) wishes: Wishes,
    pub(super) wishes_epoch: u64,
    pub(super) depths: Option<Box<Depths>>,
    /// Whether distances are asked for.
    pub(super) measures: bool,
    pub(super) totals: Totals,
    /// Whether runs are split only to lengthen others.
    pub(super) keeps_runs_whole: bool,
    /// Whether cards of no more use go up at once.
    pub(super) sheds_cards: bool,
    pub(super) changes: Vec<Change>,
    pub(super) marks: Vec<Mark>,
    /// The cards that completed sequences took away.
    pub(super) gone: Vec<u8>,
    /// The cards of columns: their bytes as in `parts`.
    bytes: Vec<u8>,
    /// The counters, and a table for redeals if there are any.
    pub(super) counters: Box<[u16]>,
    pub(super) table: Option<Box<Table<'t>>>,
    /// The locks, what the last test of them left, and the piles that have changed since.
    locks: Option<&'t Deadlocks>,
    known_locks: Option<KnownLocks>,
    last_test: Option<LastTest>,
    pub(super) touched: u128,
    tested_stock: u8,
}

impl<'t> ColumnsSpace<'t> {
    /// The positions after a root. The tables must be those of the program and the root.
    /// `representative` has for each card the one that counts as the same.
    pub(crate) fn new(
        program: &'t Program,
        tables: &'t ColumnsTables,
        root: &State,
        representative: [u8; CARDS],
        weights: Weights,
    ) -> Self {
        let totals = Totals { key: 0, sum: 0, held: 0, stock: tables.stock.len() as u8 };
        let has_redeals = !tables.redeals.is_empty();
        let mut space = Self {
            tables,
            numbers: &NUMBERS,
            scorer: MoveScorer::for_search(program),
            weights,
            representative,
            parts: vec![Part::NONE; tables.piles.len() * (tables.cards + 1)],
            sizes: [0; COLUMNS],
            writes: [0; COLUMNS],
            foundations: tables.goals.as_ref().map(|goals| Foundations::new(goals, root)),
            epoch: 1,
            epochs: 1,
            wishes: Wishes::new(std::array::from_fn(|face| rank(face as u8)), 0),
            depths: None,
            wishes_epoch: 0,
            measures: false,
            totals,
            keeps_runs_whole: false,
            sheds_cards: false,
            changes: Vec::new(),
            marks: Vec::new(),
            gone: Vec::new(),
            bytes: vec![0; tables.piles.len() * (tables.cards + 1)],
            counters: root.counters().into(),
            table: has_redeals.then(|| Box::new(Table::new(program, root))),
            locks: None,
            known_locks: None,
            last_test: None,
            touched: 0,
            tested_stock: u8::MAX,
        };
        for (column, &pile) in tables.piles.iter().enumerate() {
            root.pile(usize::from(pile)).iter().for_each(|&byte| space.push(column, byte));
        }
        space.recount();
        space.look_at_foundations();
        space
    }

    /// The same, without steps from deadlocked positions. If the keys are exact, they tell those
    /// from others.
    pub(crate) fn with_deadlocks(mut self, locks: Option<&'t Deadlocks>, is_exact: bool) -> Self {
        self.locks = locks;
        // If all columns are locks, the same ones seldom come again.
        let is_lock = |pile: &u8, locks: &Deadlocks| locks.piles() >> pile & 1 != 0;
        let others =
            |locks: &&Deadlocks| !self.tables.piles.iter().all(|pile| is_lock(pile, locks));
        self.known_locks = locks.filter(others).map(|_| KnownLocks::new(is_exact));
        self
    }

    /// A key for the cards of all locks and foundations.
    fn key_of_locks(&self, locks: &Deadlocks) -> u128 {
        let up = self.foundations.as_ref().map_or(0, Foundations::code_of_cards);
        let columns = self.tables.piles.iter().enumerate();
        let locks = columns.filter(|(_, pile)| locks.piles() >> **pile & 1 != 0);
        let term = |(column, _)| self.term(column, self.whole(column).hash);
        locks.map(term).fold(up, u128::wrapping_add)
    }

    /// Whether the locks of the position are deadlocked.
    fn is_deadlocked(&mut self) -> bool {
        let Some(locks) = self.locks else { return false };
        let key = if self.known_locks.is_some() { self.key_of_locks(locks) } else { 0 };
        if let Some(is_deadlocked) = self.known_locks.as_ref().and_then(|known| known.get(key)) {
            debug_assert!(!is_deadlocked || locks.is_deadlocked(self, &mut LastTest::unknown()));
            return is_deadlocked;
        }
        let mut last = self.last_test.take().unwrap_or_else(LastTest::unknown);
        let mut touched = std::mem::take(&mut self.touched);
        if std::mem::replace(&mut self.tested_stock, self.totals.stock) != self.totals.stock {
            touched |= 1 << self.tables.source;
        }
        let is_deadlocked = locks.is_deadlocked_after(touched, self, &mut last);
        debug_assert_eq!(is_deadlocked, locks.is_deadlocked(self, &mut LastTest::unknown()));
        self.last_test = Some(last);
        if let Some(known) = &mut self.known_locks {
            known.set(key, is_deadlocked);
        }
        is_deadlocked
    }

    /// What the rule of a step does.
    #[inline]
    pub(super) fn kind(&self, step: Move) -> Kind {
        self.tables.kinds[usize::from(step.rule())]
    }

    /// Whether cards are put on locks, to stay until they go up.
    pub(super) fn has_heaps(&self) -> bool {
        self.locks.is_some_and(Deadlocks::has_heaps)
    }

    /// Notes that a column changes.
    #[inline]
    pub(super) fn touch(&mut self, column: usize) {
        self.touched |= 1 << self.tables.piles[column];
    }

    /// The index of the part of a column up to so many cards.
    #[inline]
    pub(super) const fn index(&self, column: usize, count: usize) -> usize {
        column * (self.tables.cards + 1) + count
    }

    /// The part of a column up to so many cards.
    #[inline]
    pub(super) fn part(&self, column: usize, count: usize) -> &Part {
        &self.parts[self.index(column, count)]
    }

    #[inline]
    pub(super) fn size(&self, column: usize) -> usize {
        usize::from(self.sizes[column])
    }

    /// The cards of a column.
    #[inline]
    fn cards(&self, column: usize) -> &[u8] {
        let first = self.index(column, 1);
        &self.bytes[first..first + self.size(column)]
    }

    /// Replaces the byte at the index of a part.
    #[inline]
    pub(super) fn set_byte(&mut self, at: usize, byte: u8) {
        self.bytes[at] = byte;
    }

    /// The part of a whole column.
    #[inline]
    pub(super) fn whole(&self, column: usize) -> &Part {
        self.part(column, self.size(column))
    }

    /// The number of a card for hashes.
    #[inline]
    pub(super) fn number(&self, byte: u8) -> u128 {
        let alike = usize::from(self.representative[usize::from(card(byte))]);
        self.numbers.cards[alike + if is_face_down(byte) { CARDS } else { 0 }]
    }

    /// By relation, the length of the run that ends with a card on a part of a column.
    #[inline]
    pub(super) fn runs(&self, below: &Part, byte: u8) -> [u8; RUNS] {
        let mut runs = [u8::from(!is_face_down(byte)); RUNS];
        if !is_face_down(byte) && !is_face_down(below.byte) {
            for ((length, over), before) in runs.iter_mut().zip(&self.tables.runs).zip(below.runs) {
                let goes_on = over[usize::from(below.byte)] >> byte & 1 != 0;
                *length += if goes_on { before } else { 0 };
            }
        }
        runs
    }

    /// The part up to a card on top of another part of a column.
    #[inline]
    pub(super) fn chain(&self, below: &Part, byte: u8, column: usize, place: usize) -> Part {
        let is_down = is_face_down(byte);
        let blocking = self.blocking(&self.wishes, byte, below.soonest, column);
        let sum = self.weights.remaining
            + if is_down { self.weights.hidden } else { 0 }
            + blocking
            + self.joint(below.byte, byte);
        let term = self.number(byte).wrapping_mul(self.numbers.power(place, 0));
        Part {
            hash: below.hash.wrapping_add(term),
            sum: below.sum + sum,
            blocking: below.blocking + blocking,
            byte,
            soonest: below.soonest.min(self.wishes.waits[usize::from(card(byte))]),
            hidden: below.hidden + u8::from(is_down),
            runs: self.runs(below, byte),
            faces: below.faces | 1 << card(byte),
        }
    }

    /// For each column the first one that is interchangeable with it.
    #[inline]
    pub(super) fn alike(&self) -> &'t [u8] {
        if self.keeps_runs_whole || self.totals.stock == 0 {
            &self.tables.alike_at_last
        } else {
            &self.tables.alike
        }
    }

    /// What a column with a certain hash adds to the key.
    #[inline]
    pub(super) fn term(&self, column: usize, hash: u128) -> u128 {
        let salt = self.numbers.columns[usize::from(self.alike()[column])];
        let term = (hash ^ salt).wrapping_mul(FACTOR);
        term ^ term >> 64
    }

    /// Removes a column from the totals.
    #[inline]
    pub(super) fn leave(&mut self, column: usize) {
        let (part, size) = (self.whole(column), self.size(column));
        let (term, distance) =
            (self.term(column, part.hash), self.distance(column, part.sum, size));
        self.totals.key = self.totals.key.wrapping_sub(term);
        self.totals.sum -= distance;
        self.totals.held -= self.sizes[column];
        self.touch(column);
    }

    /// Adds a column to the totals.
    #[inline]
    pub(super) fn join(&mut self, column: usize) {
        let (part, size) = (self.whole(column), self.size(column));
        let (term, distance) =
            (self.term(column, part.hash), self.distance(column, part.sum, size));
        self.totals.key = self.totals.key.wrapping_add(term);
        self.totals.sum += distance;
        self.totals.held += self.sizes[column];
    }

    /// Puts a card on a column that is not in the totals.
    #[inline]
    pub(super) fn push(&mut self, column: usize, byte: u8) {
        let size = self.size(column);
        let at = self.index(column, size);
        self.parts[at + 1] = self.chain(&self.parts[at], byte, column, size + 1);
        self.bytes[at + 1] = byte;
        self.sizes[column] += 1;
        self.writes[column] = self.writes[column].wrapping_add(1);
    }

    /// The distances of all columns.
    fn sum(&self) -> i32 {
        let columns = 0..self.tables.piles.len();
        let distance = |at: usize| self.distance(at, self.whole(at).sum, self.size(at));
        columns.map(distance).sum()
    }

    /// Computes the totals of all columns.
    pub(super) fn recount(&mut self) {
        self.totals = Totals { key: 0, sum: 0, held: 0, stock: self.totals.stock };
        (0..self.tables.piles.len()).for_each(|column| self.join(column));
    }

    /// Goes to a packed position.
    pub(super) fn restore(&mut self, bytes: &[u8]) {
        let count = self.foundations.as_ref().map_or(0, Foundations::count);
        let (stock, mut rest) = bytes.split_at(1);
        if !self.tables.redeals.is_empty() {
            let (counters, others) = rest.split_at(2 * self.counters.len());
            for (counter, &pair) in self.counters.iter_mut().zip(counters.as_chunks().0) {
                *counter = u16::from_le_bytes(pair);
            }
            rest = others;
        }
        let (foundations, rest) = rest.split_at(count);
        let (sizes, mut rest) = rest.split_at(self.tables.piles.len());
        let before = self.alike();
        self.totals.stock = stock[0];
        let is_same = self.alike() == before;
        for (column, &size) in sizes.iter().enumerate() {
            let (cards, others) = rest.split_at(size.into());
            rest = others;
            self.lay(column, cards);
        }
        if !is_same {
            self.recount();
        }
        if let Some(each) = &mut self.foundations {
            let changed = each.unpack(foundations, rest);
            if changed != 0 {
                self.touched |= changed;
                self.epochs += 1;
                self.epoch = self.epochs;
            }
        }
    }

    /// Lays the cards of a column.
    pub(super) fn lay(&mut self, column: usize, cards: &[u8]) {
        // The cards that lie there already need no new part.
        let same = in_common(self.cards(column), cards);
        if same == self.size(column) && same == cards.len() {
            return;
        }
        self.leave(column);
        self.sizes[column] = same as u8;
        cards[same..].iter().for_each(|&byte| self.push(column, byte));
        self.join(column);
    }

    /// The first empty foundation for a complete sequence.
    pub(super) fn foundation(&self) -> Option<usize> {
        let held = usize::from(self.totals.held) + usize::from(self.totals.stock);
        let completed = (self.tables.cards - held) / self.tables.length;
        self.tables.foundations.get(completed).map(|&pile| usize::from(pile))
    }
}

impl Space for ColumnsSpace<'_> {
    type Step = Move;

    #[inline]
    fn key(&self) -> u128 {
        let stock = u128::from(self.totals.stock).wrapping_mul(FACTOR);
        let has_redeals = !self.tables.redeals.is_empty();
        let counters = if has_redeals { term_of(&self.counters) } else { 0 };
        let key = self.totals.key.wrapping_add(stock).wrapping_add(counters);
        self.foundations.as_ref().map_or(key, |foundations| key.wrapping_add(foundations.key))
    }

    #[inline]
    fn is_won(&self) -> bool {
        self.totals.held == 0 && self.totals.stock == 0
    }

    fn list(&mut self, steps: &mut Vec<Move>) {
        if self.is_deadlocked() {
            return;
        }
        // A search may ask for changes before it asks for the first distance.
        if self.measures || self.marks.is_empty() {
            self.look_at_foundations();
            self.look_for_depths();
        }
        self.list_steps(steps);
    }

    fn keep_runs_whole(&mut self) {
        self.keeps_runs_whole = true;
        self.recount();
    }

    fn shed_cards(&mut self) {
        self.sheds_cards = true;
    }

    #[inline]
    fn key_after(&self, step: Move) -> Option<u128> {
        if self.is_from_hand(step) {
            return self.key_after_hand(step);
        }
        let Moved { from, to, count } = self.moved(step)?;
        let (left, target) = (self.size(from) - count, self.size(to));
        let [below, all, onto] =
            [self.part(from, left), self.whole(from), self.whole(to)].map(|part| part.hash);
        let moved = all.wrapping_sub(below).wrapping_mul(self.numbers.power(target, left));
        let byte = self.part(from, left).byte;
        let rest = if left > 0 && is_face_down(byte) {
            let change = self.number(card(byte)).wrapping_sub(self.number(byte));
            below.wrapping_add(change.wrapping_mul(self.numbers.power(left, 0)))
        } else {
            below
        };
        let key = self.key().wrapping_sub(self.term(from, all)).wrapping_sub(self.term(to, onto));
        let key = key.wrapping_add(self.term(from, rest));
        Some(key.wrapping_add(self.term(to, onto.wrapping_add(moved))))
    }

    fn heuristic_change(&self, step: Move) -> Option<i32> {
        self.change(step)
    }

    fn make(&mut self, step: Move) -> bool {
        let Self { totals, epoch, wishes_epoch, .. } = *self;
        let changes = self.changes.len() as u32;
        self.marks.push(Mark { totals, changes, epoch, wishes_epoch });
        if !self.play(step) {
            self.marks.pop();
            return false;
        }
        true
    }

    fn unmake(&mut self) {
        let Some(mark) = self.marks.pop() else { return };
        let steps = self.marks.len();
        if let Some(depths) = &mut self.depths {
            depths.forget_beyond(steps);
        }
        while self.changes.len() > mark.changes as usize {
            self.undo();
        }
        self.totals = mark.totals;
        self.epoch = mark.epoch;
        if self.wishes_epoch != mark.wishes_epoch {
            self.totals.sum = self.sum();
        }
    }

    fn reset_root(&mut self) {
        if let Some(depths) = &mut self.depths {
            depths.forget();
        }
        self.changes.clear();
        self.marks.clear();
        self.gone.clear();
        if let Some(table) = &mut self.table {
            table.forget();
        }
    }

    fn trail_bytes(&self) -> usize {
        let of_redeals = self.table.as_ref().map_or(0, |table| table.bytes());
        size_of_val(&*self.changes) + size_of_val(&*self.marks) + self.gone.len() + of_redeals
    }

    fn packed_size(&self) -> usize {
        let foundations = self.foundations.as_ref().map_or(0, Foundations::count);
        let has_redeals = !self.tables.redeals.is_empty();
        let counters = if has_redeals { self.counters.len() } else { 0 };
        1 + 2 * counters + foundations + self.tables.piles.len() + self.tables.cards
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        let end = bytes.len() + self.packed_size();
        bytes.push(self.totals.stock);
        if !self.tables.redeals.is_empty() {
            bytes.extend(self.counters.iter().flat_map(|counter| counter.to_le_bytes()));
        }
        if let Some(foundations) = &self.foundations {
            foundations.pack_sizes(bytes);
        }
        bytes.extend(&self.sizes[..self.tables.piles.len()]);
        (0..self.tables.piles.len()).for_each(|column| bytes.extend(self.cards(column)));
        if let Some(foundations) = &self.foundations {
            foundations.pack_cards(bytes);
        }
        bytes.resize(end, 0);
    }

    fn unpack(&mut self, bytes: &[u8]) {
        self.reset_root();
        self.restore(bytes);
    }

    fn heuristic(&mut self) -> i32 {
        self.measures = true;
        self.estimate()
    }

    fn progress_left(&self) -> usize {
        let columns = 0..self.tables.piles.len();
        let hidden = columns.map(|column| usize::from(self.whole(column).hidden)).sum::<usize>();
        usize::from(self.totals.held) + 2 * usize::from(self.totals.stock) + hidden
    }

    fn sort(&mut self, steps: &mut [Move], seed: u64) {
        let key = if seed == 0 { 0 } else { self.key() };
        steps.sort_by_cached_key(|&step| -self.score(step) - chance(seed, key, step.code()));
    }

    fn score(&self, step: Move) -> i32 {
        let score = self.scorer.score_of_rule(step);
        if matches!(self.kind(step), Kind::Row(_) | Kind::Redeal(_) | Kind::Other) {
            return score;
        }
        if self.is_from_hand(step) {
            // As in the general space after a turn: the target is ignored.
            return score + TURNED;
        }
        let of_source = match (self.tables.column(step.from()), &self.foundations) {
            (Some(from), _) => {
                let left = self.size(from) - usize::from(step.count());
                match self.part(from, left).byte {
                    _ if left == 0 => VACATES,
                    below if is_face_down(below) => UNCOVERS,
                    _ => 0,
                }
            }
            (None, Some(foundations)) => {
                let is_last = foundations.size(self.tables.foundation(step.from())) == 1;
                WORRIES_BACK + if is_last { VACATES } else { 0 }
            }
            (None, None) => 0,
        };
        let of_target = match (self.tables.column(step.to()), &self.foundations) {
            (Some(to), _) if self.sizes[to] > 0 => BUILDS,
            (None, Some(foundations))
                if foundations.size(self.tables.foundation(step.to())) > 0 =>
            {
                0
            }
            _ => FILLS,
        };
        score + of_source + of_target
    }

    fn feature_code(&self, step: Move) -> u64 {
        let moved = match (self.tables.column(step.from()), &self.foundations) {
            _ if self.is_from_hand(step) => self.hand().unwrap_or(0).into(),
            (Some(from), _) => {
                let place = self.size(from) + 1 - usize::from(step.count());
                u64::from(card(self.part(from, place).byte))
            }
            (None, Some(foundations)) if step.count() > 0 => {
                foundations.top(self.tables.foundation(step.from())).into()
            }
            _ => 64 + u64::from(self.totals.stock),
        };
        let onto = match self.tables.column(step.to()) {
            Some(to) if self.sizes[to] > 0 => u64::from(card(self.whole(to).byte)),
            Some(to) => 64 + to as u64,
            None => 255,
        };
        SplitMix64::new(u64::from(step.rule()) << 32 | moved << 16 | onto).next()
    }

    fn length(&self) -> u64 {
        (u64::from(self.totals.held) + u64::from(self.totals.stock)) * 3 / 2
    }
}

impl Piles for ColumnsSpace<'_> {
    #[inline]
    fn pile(&self, pile: usize) -> &[u8] {
        match self.tables.places[pile] {
            Place::Column(column) => self.cards(column.into()),
            Place::Foundation(index) => {
                self.foundations.as_ref().map_or(&[], |each| each.cards(index.into()))
            }
            Place::Stock => &self.tables.stock[..usize::from(self.totals.stock)],
            Place::Hand => &[],
        }
    }

    fn vacant(&self) -> u128 {
        let columns = self.tables.piles.iter().zip(&self.sizes);
        let foundations = self.foundations.iter().flat_map(Foundations::sizes);
        columns
            .chain(foundations)
            .filter(|(_, size)| **size == 0)
            .fold(0, |vacant, (&pile, _)| vacant | 1 << pile)
    }
}
