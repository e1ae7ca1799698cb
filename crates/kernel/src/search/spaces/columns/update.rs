//! Moves of play on columns, what is forced after them, and undo.

use crate::bits::ones;
use crate::card::{FACE_DOWN, card, is_face_down};
use crate::position::moves::Move;
use crate::search::spaces::columns::change::{Change, Moved};
use crate::search::spaces::columns::rules::{Completion, Kind};
use crate::search::spaces::columns::space::ColumnsSpace;

impl ColumnsSpace<'_> {
    /// Plays a step, and what it forces. Returns false, and changes nothing, if that never ends.
    pub(super) fn play(&mut self, step: Move) -> bool {
        let column = |pile: u8| self.tables.column(pile).unwrap_or(0);
        match self.kind(step) {
            Kind::Build(_) if self.is_from_hand(step) => {
                let to = column(step.to());
                self.turn_over(|space, face| {
                    space.leave(to);
                    space.push(to, face);
                    space.join(to);
                    Change::Dealt { column: to as u8 }
                });
            }
            Kind::Play(_) if self.is_from_hand(step) => {
                self.turn_over(|space, face| {
                    let foundation = space.put_up(step.to(), face);
                    Change::WentUpFromHand { foundation }
                });
            }
            Kind::Build(_) => {
                let (from, to) = (column(step.from()), column(step.to()));
                let moved = Moved { from, to, count: step.count().into() };
                self.leave(from);
                self.leave(to);
                self.carry(moved);
                self.join(from);
                self.join(to);
                self.changes.push(Change::Moved(moved, self.writes[from]));
                self.settle(from);
                self.settle(to);
            }
            Kind::Completion(_) => {
                let from = column(step.from());
                self.complete(from);
                self.settle(from);
            }
            Kind::Play(_) => {
                let from = column(step.from());
                self.go_up(from, step.to());
                self.settle(from);
            }
            Kind::Return(_) => {
                let to = column(step.to());
                self.come_back(step.from(), to);
                self.settle(to);
            }
            Kind::Row(index) => self.deal(index),
            Kind::Redeal(_) => return self.redeal(step),
            Kind::Other => {}
        }
        self.refill();
        true
    }

    /// Fills the empty columns that are filled at once.
    fn refill(&mut self) {
        let Some(refill) = &self.tables.refill else { return };
        while let Some(to) = ones(refill.to.into()).find(|&column| self.sizes[column] == 0) {
            let holds = |source: &&Option<u8>| match source {
                Some(column) => self.sizes[usize::from(*column)] > 0,
                None => self.totals.stock > 0,
            };
            match refill.sources.iter().find(holds) {
                None => return,
                Some(None) => self.deal_to(to),
                Some(&Some(from)) => {
                    let byte = card(self.whole(from.into()).byte);
                    self.leave(from.into());
                    self.leave(to);
                    self.push(to, byte);
                    self.sizes[usize::from(from)] -= 1;
                    self.join(from.into());
                    self.join(to);
                    self.changes.push(Change::Filled { column: to as u8, from });
                    self.settle(from.into());
                }
            }
        }
    }

    /// Deals a card of the stock to a column.
    fn deal_to(&mut self, column: usize) {
        let before = self.alike();
        self.leave(column);
        self.totals.stock -= 1;
        let byte = self.tables.stock[usize::from(self.totals.stock)];
        self.push(column, card(byte));
        self.join(column);
        self.changes.push(Change::Dealt { column: column as u8 });
        if self.alike() != before {
            self.recount();
        }
    }

    /// Puts the top cards of a column on another one. Neither is in the totals.
    #[inline]
    fn carry(&mut self, Moved { from, to, count }: Moved) {
        let left = self.size(from) - count;
        for place in left + 1..=left + count {
            self.push(to, self.part(from, place).byte);
        }
        self.sizes[from] = left as u8;
    }

    /// Plays what is forced on a column.
    #[inline]
    fn settle(&mut self, column: usize) {
        loop {
            let top = self.whole(column).byte;
            if self.sizes[column] > 0 && is_face_down(top) {
                self.leave(column);
                self.turn(column, card(top));
                self.join(column);
                self.changes.push(Change::TurnedUp { column: column as u8 });
            } else if self.may_be_complete(column) && self.is_complete(column) {
                self.complete(column);
            } else {
                return;
            }
        }
    }

    /// Replaces the top card of a column that is not in the totals.
    fn turn(&mut self, column: usize, byte: u8) {
        let size = self.size(column);
        let at = self.index(column, size);
        self.parts[at] = self.chain(&self.parts[at - 1], byte, column, size);
        self.set_byte(at, byte);
    }

    /// Whether a sequence is long enough to leave a column at once.
    #[inline]
    fn may_be_complete(&self, column: usize) -> bool {
        let runs = &self.whole(column).runs;
        let mut completions = self.tables.completions.iter();
        completions.any(|&Completion { is_forced, run, .. }| {
            is_forced && usize::from(runs[run]) >= self.tables.length
        })
    }

    /// Whether a complete sequence must leave a column.
    fn is_complete(&self, column: usize) -> bool {
        let mut forced = self.tables.completions.iter().enumerate();
        forced.any(|(index, completion)| completion.is_forced && self.completes(index, column))
    }

    /// Whether a rule takes a complete sequence from a column.
    pub(super) fn completes(&self, completion: usize, column: usize) -> bool {
        let (completion, length) = (&self.tables.completions[completion], self.tables.length);
        completion.from >> column & 1 != 0
            && usize::from(self.whole(column).runs[completion.run]) >= length
            && completion.lowest >> self.part(column, self.size(column) + 1 - length).byte & 1 != 0
    }

    /// Takes a complete sequence from a column.
    fn complete(&mut self, column: usize) {
        self.leave(column);
        let left = self.size(column) - self.tables.length;
        let first = self.index(column, left + 1);
        let cards = self.parts[first..first + self.tables.length].iter().map(|part| part.byte);
        self.gone.extend(cards);
        self.sizes[column] = left as u8;
        self.join(column);
        self.changes.push(Change::Completed { column: column as u8 });
    }

    /// Deals a row.
    fn deal(&mut self, index: usize) {
        let row = &self.tables.rows[index];
        for &column in &row.to {
            if self.totals.stock == 0 {
                break;
            }
            if !row.only_held || self.sizes[usize::from(column)] > 0 {
                self.deal_to(column.into());
            }
        }
        (0..self.tables.piles.len()).for_each(|column| self.settle(column));
    }

    /// Takes the card in the hand, and puts it somewhere.
    fn turn_over(&mut self, put: impl FnOnce(&mut Self, u8) -> Change) {
        let Some(face) = self.hand() else { return };
        let before = self.alike();
        self.totals.stock -= 1;
        let change = put(self, face);
        self.changes.push(change);
        if self.alike() != before {
            self.recount();
        }
    }

    /// Plays the top card of a column to a foundation.
    fn go_up(&mut self, column: usize, pile: u8) {
        let foundation = self.put_up(pile, self.whole(column).byte);
        self.leave(column);
        self.sizes[column] -= 1;
        self.join(column);
        self.changes.push(Change::WentUp { column: column as u8, foundation });
    }

    /// Puts a card on the foundation that a pile is. Returns its number.
    fn put_up(&mut self, pile: u8, face: u8) -> u8 {
        let Some(foundations) = &mut self.foundations else { return 0 };
        let foundation = self.tables.foundation(pile);
        foundations.put(foundation, face);
        self.touched |= 1 << pile;
        self.epochs += 1;
        self.epoch = self.epochs;
        foundation as u8
    }

    /// Brings the top card of a foundation back to a column.
    fn come_back(&mut self, pile: u8, column: usize) {
        let Some(foundations) = &mut self.foundations else { return };
        let foundation = self.tables.foundation(pile);
        let face = foundations.take(foundation);
        self.touched |= 1 << pile;
        self.leave(column);
        self.push(column, face);
        self.join(column);
        self.changes.push(Change::CameBack { column: column as u8, foundation: foundation as u8 });
        self.epochs += 1;
        self.epoch = self.epochs;
    }

    /// Undoes the last change, except the totals.
    pub(super) fn undo(&mut self) {
        match self.changes.pop() {
            None => {}
            Some(Change::Redealt) => self.take_back_redeal(),
            Some(Change::Moved(Moved { from, to, count }, writes)) => {
                self.touch(from);
                self.touch(to);
                if writes == self.writes[from] {
                    // The parts of the cards are still there.
                    self.sizes[from] += count as u8;
                    self.sizes[to] -= count as u8;
                } else {
                    self.carry(Moved { from: to, to: from, count });
                }
            }
            Some(Change::TurnedUp { column }) => {
                let column = usize::from(column);
                self.touch(column);
                self.turn(column, self.whole(column).byte | FACE_DOWN);
            }
            Some(Change::Completed { column }) => {
                self.touch(column.into());
                let first = self.gone.len() - self.tables.length;
                for at in first..self.gone.len() {
                    self.push(column.into(), self.gone[at]);
                }
                self.gone.truncate(first);
            }
            Some(Change::Dealt { column }) => {
                self.touch(column.into());
                self.sizes[usize::from(column)] -= 1;
            }
            Some(Change::Filled { column, from }) => {
                let byte = self.whole(column.into()).byte;
                self.touch(column.into());
                self.touch(from.into());
                self.sizes[usize::from(column)] -= 1;
                self.push(from.into(), byte);
            }
            Some(Change::WentUp { column, foundation }) => {
                if let Some(face) = self.take_down(foundation) {
                    self.touch(column.into());
                    self.push(column.into(), face);
                }
            }
            Some(Change::WentUpFromHand { foundation }) => _ = self.take_down(foundation),
            Some(Change::CameBack { column, foundation }) => {
                let face = self.whole(column.into()).byte;
                self.touch(column.into());
                self.sizes[usize::from(column)] -= 1;
                if let Some(foundations) = &mut self.foundations {
                    self.touched |= 1 << foundations.pile(foundation.into());
                    foundations.put(foundation.into(), face);
                }
            }
        }
    }

    /// Takes the top card from a foundation.
    fn take_down(&mut self, foundation: u8) -> Option<u8> {
        let foundations = self.foundations.as_mut()?;
        self.touched |= 1 << foundations.pile(foundation.into());
        Some(foundations.take(foundation.into()))
    }

    /// Whether a sequence may leave a column at once after a move; in doubt, yes.
    #[inline]
    fn may_complete(&self, Moved { from, to, count }: Moved) -> bool {
        let [left, moved, onto] =
            [self.part(from, self.size(from) - count), self.whole(from), self.whole(to)];
        let mut completions = self.tables.completions.iter();
        completions.any(|&Completion { is_forced, run, .. }| {
            let joined = usize::from(moved.runs[run]).min(count) + usize::from(onto.runs[run]);
            is_forced && joined.max(left.runs[run].into()) >= self.tables.length
        })
    }

    /// Whether a column must be filled after a move; in doubt, yes.
    #[inline]
    pub(super) fn fills(&self, Moved { from, count, .. }: Moved) -> bool {
        let refill = self.tables.refill.as_ref();
        refill.is_some_and(|refill| refill.to >> from & 1 != 0) && self.size(from) == count
    }

    /// What a move moves that builds on a column and completes no sequence.
    #[inline]
    pub(super) fn moved(&self, step: Move) -> Option<Moved> {
        let is_build = matches!(self.kind(step), Kind::Build(_));
        if !is_build || self.is_from_hand(step) {
            return None;
        }
        let column = |pile: u8| self.tables.column(pile).unwrap_or(0);
        let (from, to) = (column(step.from()), column(step.to()));
        let moved = Moved { from, to, count: step.count().into() };
        (!self.may_complete(moved)).then_some(moved)
    }
}
