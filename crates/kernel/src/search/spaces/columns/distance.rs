//! The distance of a position: how promising it looks, as in the general space (`evaluation.rs`).

use crate::bits::ones;
use crate::card::{CARDS, card, is_face_down};
use crate::position::moves::Move;
use crate::search::spaces::columns::change::Moved;
use crate::search::spaces::columns::foundations::Wishes;
use crate::search::spaces::columns::part::Part;
use crate::search::spaces::columns::space::ColumnsSpace;
use crate::search::spaces::evaluation::DEEP;

impl ColumnsSpace<'_> {
    /// What a card adds to the distance for the cards below it in a column.
    #[inline]
    pub(super) fn blocking(&self, wishes: &Wishes, byte: u8, soonest: u8, column: usize) -> i32 {
        let wait = wishes.waits[usize::from(card(byte))];
        if wait <= soonest || self.tables.built >> column & 1 == 0 {
            return 0;
        }
        self.weights.blocking + if is_face_down(byte) { 0 } else { self.weights.blocking_open }
    }

    /// What a card adds to the distance for the card that it lies on.
    #[inline]
    pub(super) fn joint(&self, lower: u8, upper: u8) -> i32 {
        if is_face_down(lower) {
            return 0;
        }
        let is_in = |over: &[u64; CARDS]| over[usize::from(lower)] >> card(upper) & 1 != 0;
        let joined = if is_in(&self.tables.build) { self.weights.joined } else { 0 };
        joined + if is_in(&self.tables.carry) { self.weights.carried } else { 0 }
    }

    /// What a column of so many cards adds to the distance.
    #[inline]
    pub(super) fn distance(&self, column: usize, sum: i32, size: usize) -> i32 {
        let (weights, size) = (&self.weights, i32::from(size as u8));
        let is_built = self.tables.built >> column & 1 != 0;
        let vacancy =
            if size == 0 && self.tables.open >> column & 1 != 0 { weights.vacancy } else { 0 };
        sum + vacancy + if is_built { weights.tall * size * size / 8 } else { weights.aside * size }
    }

    /// The whole distance.
    pub(super) fn estimate(&self) -> i32 {
        let stock = i32::from(self.totals.stock) * (self.weights.remaining + self.weights.stock);
        let sum = self.totals.sum + stock;
        match &self.foundations {
            // Mostly the step is undone at once, so the parts stay as they are.
            Some(foundations) if self.epoch != self.wishes_epoch => {
                let wishes = foundations.wishes();
                sum + self.blocking_by(&wishes) + self.buried(&wishes, None)
            }
            _ => sum + self.buried(&self.wishes, None),
        }
    }

    /// How much more cards add with certain wishes for lying on those that are wanted sooner.
    fn blocking_by(&self, wishes: &Wishes) -> i32 {
        if wishes.waits == self.wishes.waits {
            return 0;
        }
        let of_column = |column: usize| {
            let (mut blocking, mut soonest) = (0, u8::MAX);
            for place in 1..=self.size(column) {
                let byte = self.part(column, place).byte;
                blocking += self.blocking(wishes, byte, soonest, column);
                soonest = soonest.min(wishes.waits[usize::from(card(byte))]);
            }
            blocking - self.whole(column).blocking
        };
        ones(u64::from(self.tables.built)).map(of_column).sum()
    }

    /// How much a move changes the distance, if it completes no sequence.
    pub(super) fn change(&self, step: Move) -> Option<i32> {
        let moved = self.moved(step)?;
        if self.foundations.is_some() && self.epoch != self.wishes_epoch {
            return None;
        }
        let Moved { from, to, count } = moved;
        let (size, target, onto) = (self.size(from), self.size(to), self.whole(to));
        let left = size - count;
        let mut below = *self.part(from, left);
        if left > 0 && is_face_down(below.byte) {
            below = self.chain(self.part(from, left - 1), card(below.byte), from, left);
        }
        let (mut sum, mut soonest, mut under) = (onto.sum, onto.soonest, onto.byte);
        for place in left + 1..=size {
            let byte = self.part(from, place).byte;
            sum += self.weights.remaining
                + self.blocking(&self.wishes, byte, soonest, to)
                + self.joint(under, byte);
            soonest = soonest.min(self.wishes.waits[usize::from(byte)]);
            under = byte;
        }
        let after = self.distance(from, below.sum, left) + self.distance(to, sum, target + count);
        let before =
            self.distance(from, self.whole(from).sum, size) + self.distance(to, onto.sum, target);
        let wishes = &self.wishes;
        let faces = self.whole(from).faces | onto.faces;
        let buried = if faces & self.interesting(wishes) == 0 {
            0
        } else {
            self.buried(wishes, Some(moved)) - self.buried(wishes, None)
        };
        Some(after - before + buried)
    }

    /// The cards that count if they lie deep.
    fn interesting(&self, wishes: &Wishes) -> u64 {
        let wanted = if self.weights.burying == 0 { 0 } else { wishes.wanted };
        wanted | if self.weights.ahead == 0 { 0 } else { wishes.near }
    }

    /// What cards add that are wanted soon and lie deep, now or after a move.
    fn buried(&self, wishes: &Wishes, moved: Option<Moved>) -> i32 {
        let interesting = self.interesting(wishes);
        let mut depths = [DEEP; CARDS];
        let mut found = 0u64;
        let columns = if interesting == 0 { 0 } else { self.tables.piles.len() };
        for column in 0..columns {
            // A pile from which no card goes up is as if another card lay on it.
            let is_feeding = self.tables.feeding >> column & 1 != 0;
            let mut depth = if is_feeding { 0 } else { self.weights.detour };
            let mut wanted = interesting;
            let mut look = |part: &Part| {
                let face = usize::from(card(part.byte));
                if wanted >> face & 1 != 0 {
                    wanted &= !(1 << face);
                    depths[face] = depths[face].min(depth);
                }
                depth += 1;
                wanted
            };
            let mut size = self.size(column);
            if let Some(Moved { from, to, count }) = moved {
                if column == to {
                    let places = (self.size(from) - count + 1..=self.size(from)).rev();
                    places.for_each(|place| _ = look(self.part(from, place)));
                } else if column == from {
                    size -= count;
                }
            }
            let held = self.part(column, size).faces & interesting;
            if held != 0 {
                // The deeper one of two cards does not count.
                let mut places = (1..=size).rev();
                places.find(|&place| held & look(self.part(column, place)) == 0);
            }
            found |= interesting & !wanted;
        }
        let term = |face: usize| {
            if wishes.wanted >> face & 1 != 0 {
                self.weights.burying * depths[face]
            } else {
                self.weights.ahead * depths[face] / (i32::from(wishes.waits[face]) + 1)
            }
        };
        ones(found).map(term).sum()
    }

    /// Finds what the foundations want, and changes the distances of all columns accordingly.
    pub(super) fn look_at_foundations(&mut self) {
        let Some(foundations) =
            self.foundations.as_ref().filter(|_| self.epoch != self.wishes_epoch)
        else {
            return;
        };
        self.wishes_epoch = self.epoch;
        let before = std::mem::replace(&mut self.wishes, foundations.wishes());
        if self.wishes.waits == before.waits {
            return;
        }
        for column in ones(u64::from(self.tables.built)) {
            self.writes[column] = self.writes[column].wrapping_add(1);
            let before = self.whole(column).sum;
            let (mut blocking, mut soonest) = (0, u8::MAX);
            for place in 1..=self.size(column) {
                let at = self.index(column, place);
                let byte = self.parts[at].byte;
                blocking += self.blocking(&self.wishes, byte, soonest, column);
                soonest = soonest.min(self.wishes.waits[usize::from(card(byte))]);
                let part = &mut self.parts[at];
                part.sum += blocking - part.blocking;
                (part.blocking, part.soonest) = (blocking, soonest);
            }
            self.totals.sum += self.whole(column).sum - before;
        }
    }
}
