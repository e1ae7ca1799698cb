//! Positions of the columns space, their steps, keys and distances.

use crate::card::{CARDS, card, is_face_down, rank};
use crate::move_score::{BUILDS, FILLS, MoveScorer, UNCOVERS, VACATES, WORRIES_BACK};
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::random::SplitMix64;
use crate::search::spaces::columns::change::{Change, Moved};
use crate::search::spaces::columns::foundations::{Foundations, Wishes};
use crate::search::spaces::columns::part::{FACTOR, NUMBERS, Numbers, Part};
use crate::search::spaces::columns::tables::{COLUMNS, ColumnsTables, Kind, NOWHERE, RUNS};
use crate::search::spaces::space::{Space, chance};
use crate::search::weights::Weights;

/// What the beginning of a step is restored from.
#[derive(Clone, Copy)]
struct Mark {
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
    numbers: &'static Numbers,
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
    /// Whether distances are asked for.
    pub(super) measures: bool,
    pub(super) totals: Totals,
    /// Whether runs are split only to lengthen others.
    pub(super) keeps_runs_whole: bool,
    /// Whether cards of no more use go up at once.
    pub(super) sheds_cards: bool,
    pub(super) changes: Vec<Change>,
    marks: Vec<Mark>,
    /// The cards that completed sequences took away.
    pub(super) gone: Vec<u8>,
}

impl<'t> ColumnsSpace<'t> {
    /// The positions after a root. The tables must be those of the program and the root.
    /// `representative` has for each card the one that counts as the same.
    pub(crate) fn new(
        program: &Program,
        tables: &'t ColumnsTables,
        root: &State,
        representative: [u8; CARDS],
        weights: Weights,
    ) -> Self {
        let totals = Totals { key: 0, sum: 0, held: 0, stock: tables.stock.len() as u8 };
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
            wishes_epoch: 0,
            measures: false,
            totals,
            keeps_runs_whole: false,
            sheds_cards: false,
            changes: Vec::new(),
            marks: Vec::new(),
            gone: Vec::new(),
        };
        for (column, &pile) in tables.piles.iter().enumerate() {
            root.pile(usize::from(pile)).iter().for_each(|&byte| space.push(column, byte));
        }
        space.recount();
        space.look_at_foundations();
        space
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

    /// The part of a whole column.
    #[inline]
    pub(super) fn whole(&self, column: usize) -> &Part {
        self.part(column, self.size(column))
    }

    /// The number of a card for hashes.
    #[inline]
    fn number(&self, byte: u8) -> u128 {
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
    fn term(&self, column: usize, hash: u128) -> u128 {
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

    /// The column that a pile is.
    fn column(&self, pile: u8) -> Option<usize> {
        let column = self.tables.column.get(usize::from(pile))?;
        (*column != NOWHERE).then(|| usize::from(*column))
    }

    /// How many copies of each card lie in columns and in the stock.
    fn left(&self) -> [u8; CARDS] {
        let mut left = [0; CARDS];
        let stock = &self.tables.stock[..usize::from(self.totals.stock)];
        let columns = 0..self.tables.piles.len();
        let parts = columns.flat_map(|column| {
            let first = self.index(column, 1);
            &self.parts[first..first + self.size(column)]
        });
        let bytes = parts.map(|part| part.byte).chain(stock.iter().copied());
        bytes.for_each(|byte| left[usize::from(card(byte))] += 1);
        left
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
        self.totals.key.wrapping_add(stock)
    }

    #[inline]
    fn is_won(&self) -> bool {
        self.totals.held == 0 && self.totals.stock == 0
    }

    fn list(&mut self, steps: &mut Vec<Move>) {
        if self.measures {
            self.look_at_foundations();
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
        self.play(step);
        true
    }

    fn unmake(&mut self) {
        let Some(mark) = self.marks.pop() else { return };
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
        self.changes.clear();
        self.marks.clear();
        self.gone.clear();
    }

    fn trail_bytes(&self) -> usize {
        size_of_val(&*self.changes) + size_of_val(&*self.marks) + self.gone.len()
    }

    fn packed_size(&self) -> usize {
        let of_foundations = self.foundations.as_ref().map_or(0, Foundations::packed_size);
        1 + self.tables.piles.len() + self.tables.cards + of_foundations
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        let end = bytes.len() + self.packed_size();
        if let Some(foundations) = &self.foundations {
            foundations.pack(bytes);
        }
        bytes.push(self.totals.stock);
        bytes.extend(&self.sizes[..self.tables.piles.len()]);
        for column in 0..self.tables.piles.len() {
            let first = self.index(column, 1);
            let cards = &self.parts[first..first + self.size(column)];
            bytes.extend(cards.iter().map(|part| part.byte));
        }
        bytes.resize(end, 0);
    }

    fn unpack(&mut self, bytes: &[u8]) {
        self.reset_root();
        let of_foundations = self.foundations.as_ref().map_or(0, Foundations::packed_size);
        let (foundations, rest) = bytes.split_at(of_foundations);
        let (stock, rest) = rest.split_at(1);
        let (sizes, mut rest) = rest.split_at(self.tables.piles.len());
        self.totals.stock = stock[0];
        for (column, &size) in sizes.iter().enumerate() {
            let (cards, others) = rest.split_at(size.into());
            rest = others;
            // The cards that lie there already need no new part.
            let first = self.index(column, 1);
            let before = self.parts[first..first + self.size(column)].iter();
            let same = before.zip(cards).take_while(|(part, byte)| part.byte == **byte).count();
            self.sizes[column] = same as u8;
            cards[same..].iter().for_each(|&byte| self.push(column, byte));
        }
        self.recount();
        let left = self.foundations.as_ref().map(|_| self.left());
        if let Some((each, left)) = self.foundations.as_mut().zip(left) {
            each.unpack(foundations, &left);
            self.epochs += 1;
            self.epoch = self.epochs;
        }
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
        if matches!(self.tables.kinds[usize::from(step.rule())], Kind::Row(_) | Kind::Other) {
            return score;
        }
        let of_source = match (self.column(step.from()), &self.foundations) {
            (Some(from), _) => {
                let left = self.size(from) - usize::from(step.count());
                match self.part(from, left).byte {
                    _ if left == 0 => VACATES,
                    below if is_face_down(below) => UNCOVERS,
                    _ => 0,
                }
            }
            (None, Some(foundations)) => {
                let is_last = foundations.size(foundations.index(step.from())) == 1;
                WORRIES_BACK + if is_last { VACATES } else { 0 }
            }
            (None, None) => 0,
        };
        let of_target = match (self.column(step.to()), &self.foundations) {
            (Some(to), _) if self.sizes[to] > 0 => BUILDS,
            (None, Some(foundations)) if foundations.size(foundations.index(step.to())) > 0 => 0,
            _ => FILLS,
        };
        score + of_source + of_target
    }

    fn feature_code(&self, step: Move) -> u64 {
        let moved = match (self.column(step.from()), &self.foundations) {
            (Some(from), _) => {
                let place = self.size(from) + 1 - usize::from(step.count());
                u64::from(card(self.part(from, place).byte))
            }
            (None, Some(foundations)) if step.count() > 0 => {
                foundations.top(foundations.index(step.from())).into()
            }
            _ => 64 + u64::from(self.totals.stock),
        };
        let onto = match self.column(step.to()) {
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
