//! Several cards dealt from one pile to another at once.

use super::{State, Touched, turned};
use crate::bits::single;
use crate::position::journal::{Entry, Journal};
use crate::program::compiled::Program;
use crate::program::format::Face;

impl State {
    /// Moves top cards of a pile one after the other to another pile that has room, as many as
    /// there are up to a number.
    pub(crate) fn move_top_cards(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        (from, to): (u8, u8),
        most: u16,
        face: Face,
    ) {
        let count = most.min(self.slots[usize::from(from)].len);
        if count == 0 {
            return;
        }
        self.touch(journal, usize::from(from));
        self.touch(journal, usize::from(to));
        let source = &self.slots[usize::from(from)];
        let (mut end, mut depth) =
            (usize::from(source.start + source.len), usize::from(source.len));
        let (mut from_hash, is_hashed) = (source.hash, source.touched != Touched::NeedsRehash);
        let target = &self.slots[usize::from(to)];
        let (mut place, mut height) = (usize::from(target.start + target.len), target.len.into());
        let mut to_hash = target.hash;
        for _ in 0..count {
            (end, depth) = (end - 1, depth - 1);
            let byte = self.slab[end];
            let laid = turned(byte, face);
            self.slab[place] = laid;
            to_hash ^= program.keys.card(laid, height);
            if is_hashed {
                from_hash ^= program.keys.card(byte, depth);
            }
            (place, height) = (place + 1, height + 1);
            journal.entries.push(Entry::MoveCard { from, to, byte });
        }
        let target = &mut self.slots[usize::from(to)];
        (target.hash, target.len) = (to_hash, target.len + count);
        let source = &mut self.slots[usize::from(from)];
        (source.hash, source.len) = (from_hash, source.len - count);
        self.vacant &= !single(to);
        if source.len == 0 {
            (source.hash, source.touched) = (0, Touched::Yes);
            self.vacant |= single(from);
        }
    }
}
