//! Positions as a few bytes, for what is kept of many.

use super::State;
use crate::position::moves::Choice;
use crate::program::compiled::Program;

impl State {
    /// The number of bytes that [`Self::pack`] writes. It is the same for all positions of a game.
    pub(crate) fn packed_size(&self) -> usize {
        let cards: usize = self.slots.iter().map(|slot| usize::from(slot.len)).sum();
        (self.slots.len() + self.counters.len()) * 2 + cards + 16 + 3
    }

    /// Serializes the position without its hash.
    pub(crate) fn pack(&self, bytes: &mut Vec<u8>) {
        for slot in &self.slots {
            bytes.extend(slot.len.to_le_bytes());
        }
        for counter in &self.counters {
            bytes.extend(counter.to_le_bytes());
        }
        bytes.extend(self.closed().to_le_bytes());
        bytes.extend([self.choice.rule, self.choice.source, self.choice.target]);
        for pile in self.piles() {
            bytes.extend_from_slice(pile);
        }
    }

    /// Restores a position that was packed.
    pub(crate) fn unpack(&mut self, program: &Program, bytes: &[u8]) {
        let (numbers, rest) = bytes.split_at((self.slots.len() + self.counters.len()) * 2);
        let mut numbers =
            numbers.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        let (closed, rest) = rest.split_at(16);
        let closed = closed.iter().rev().fold(0, |sum, &byte| sum << 8 | u128::from(byte));
        self.choice = Choice { rule: rest[0], source: rest[1], target: rest[2] };
        let mut cards = &rest[3..];
        self.vacant = 0;
        for pile in 0..self.slots.len() {
            let len = numbers.next().unwrap_or(0);
            let (block, others) = cards.split_at(usize::from(len));
            cards = others;
            let start = usize::from(self.slots[pile].start);
            self.slab[start..start + block.len()].copy_from_slice(block);
            self.slots[pile].len = len;
            self.slots[pile].closed = closed >> pile & 1 != 0;
            self.vacant |= u128::from(len == 0) << pile;
            self.slots[pile].hash = program.keys.cards(block);
            self.update_hash_term(program, pile);
        }
        for (counter, value) in self.counters.iter_mut().zip(numbers) {
            *counter = value;
        }
        self.sum = self.sum_from_scratch(program);
    }
}
