//! The distance of a position: how promising it looks, as in the general space (`evaluation.rs`).

use crate::bits::ones;
use crate::card::{CARDS, card, is_face_down};
use crate::position::moves::Move;
use crate::search::spaces::columns::change::Moved;
use crate::search::spaces::columns::foundations::Wishes;
use crate::search::spaces::columns::limits::COLUMNS;
use crate::search::spaces::columns::space::ColumnsSpace;
use crate::search::spaces::waits::differing;

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
    pub(super) fn estimate(&mut self) -> i32 {
        let stock = i32::from(self.totals.stock) * (self.weights.remaining + self.weights.stock);
        let sum = self.totals.sum + stock;
        match &mut self.foundations {
            // Mostly the step is undone at once, so the parts stay as they are.
            Some(foundations) if self.epoch != self.wishes_epoch => {
                let wishes = foundations.wishes();
                sum + self.blocking_by(&wishes) + self.buried(&wishes)
            }
            _ => sum + self.buried(&self.wishes),
        }
    }

    /// How much more cards add with certain wishes for lying on those that are wanted sooner.
    fn blocking_by(&self, wishes: &Wishes) -> i32 {
        let differing = differing(&wishes.waits, &self.wishes.waits);
        let of_column = |column: usize| {
            if self.whole(column).faces & differing == 0 {
                return 0;
            }
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
        if self.foundations.is_some() && self.epoch != self.wishes_epoch {
            return None;
        }
        if self.is_from_hand(step) {
            return self.change_by_hand(step);
        }
        let moved = self.moved(step)?;
        let Moved { from, to, count } = moved;
        if self.fills(moved) {
            return None;
        }
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
        let cards = (left + 1..=size).rev().map(|place| self.part(from, place).byte);
        Some(after - before + self.change_of_buried(to, cards, from, count)?)
    }

    /// How much it changes the distance to put the card in the hand on a column.
    fn change_by_hand(&self, step: Move) -> Option<i32> {
        let face = self.hand()?;
        let to = self.tables.column(step.to())?;
        let (size, onto) = (self.size(to), self.whole(to));
        let laid = self.chain(onto, face, to, size + 1);
        let change = self.distance(to, laid.sum, size + 1) - self.distance(to, onto.sum, size);
        let change = change + self.change_of_buried(to, std::iter::once(face), COLUMNS, 0)?;
        Some(change - self.weights.remaining - self.weights.stock)
    }

    /// Finds what the foundations want, and changes the distances of all columns accordingly.
    pub(super) fn look_at_foundations(&mut self) {
        let Some(foundations) =
            self.foundations.as_mut().filter(|_| self.epoch != self.wishes_epoch)
        else {
            return;
        };
        self.wishes_epoch = self.epoch;
        let before = std::mem::replace(&mut self.wishes, foundations.wishes());
        let differing = differing(&self.wishes.waits, &before.waits);
        for column in ones(u64::from(self.tables.built)) {
            if self.whole(column).faces & differing == 0 {
                continue;
            }
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
