//! Positions as a few bytes, for what is kept of many.

use super::State;
use crate::position::moves::Choice;
use crate::program::compiled::Program;
use crate::program::hash;

impl State {
    /// The number of bytes that [`Self::pack`] writes. It is the same for all positions of a game.
    pub(crate) fn packed_size(&self) -> usize {
        let cards: usize = self.slots.iter().map(|slot| usize::from(slot.len)).sum();
        (self.slots.len() + self.counters.len()) * 2 + cards + 16 + 3
    }

    /// Serializes the position without its hash.
    pub(crate) fn pack(&self, bytes: &mut Vec<u8>) {
        let begin = bytes.len();
        bytes.resize(begin + self.packed_size(), 0);
        let (lens, rest) = bytes[begin..].split_at_mut(self.slots.len() * 2);
        let (counters, rest) = rest.split_at_mut(self.counters.len() * 2);
        let (closed, rest) = rest.split_at_mut(16);
        let (choice, mut rest) = rest.split_at_mut(3);
        for (counter, place) in self.counters.iter().zip(counters.chunks_exact_mut(2)) {
            place.copy_from_slice(&counter.to_le_bytes());
        }
        choice.copy_from_slice(&[self.choice.rule, self.choice.source, self.choice.target]);
        let mut mask = 0u128;
        for ((pile, slot), place) in self.slots.iter().enumerate().zip(lens.chunks_exact_mut(2)) {
            place.copy_from_slice(&slot.len.to_le_bytes());
            mask |= u128::from(slot.closed) << pile;
            let cards = self.pile(pile);
            let (block, others) = rest.split_at_mut(cards.len());
            block.copy_from_slice(cards);
            rest = others;
        }
        closed.copy_from_slice(&mask.to_le_bytes());
    }

    /// Restores a position that was packed. Returns the piles that may differ from before; for the
    /// others no hash is computed anew.
    pub(crate) fn unpack(&mut self, program: &Program, bytes: &[u8]) -> u128 {
        let (lens, rest) = bytes.split_at(self.slots.len() * 2);
        let (counters, rest) = rest.split_at(self.counters.len() * 2);
        let number = |pair: &[u8]| u16::from_le_bytes([pair[0], pair[1]]);
        let (closed, rest) = rest.split_at(16);
        let closed = closed.try_into().map_or(0, u128::from_le_bytes);
        self.choice = Choice { rule: rest[0], source: rest[1], target: rest[2] };
        let mut cards = &rest[3..];
        let mut changed = 0;
        for (pile, len) in lens.chunks_exact(2).map(number).enumerate() {
            let (block, others) = cards.split_at(usize::from(len));
            cards = others;
            let is_closed = closed >> pile & 1 != 0;
            let slot = &mut self.slots[pile];
            if slot.closed == is_closed && slot.len == len {
                let start = usize::from(slot.start);
                if self.slab[start..start + block.len()] == *block {
                    continue;
                }
            }
            changed |= 1 << pile;
            let start = usize::from(slot.start);
            self.slab[start..start + block.len()].copy_from_slice(block);
            slot.len = len;
            slot.closed = is_closed;
            slot.hash = program.keys.cards(block);
            self.vacant = self.vacant & !(1 << pile) | u128::from(len == 0) << pile;
            self.update_hash_term(program, pile);
        }
        for (index, value) in counters.chunks_exact(2).map(number).enumerate() {
            let old = std::mem::replace(&mut self.counters[index], value);
            if old != value {
                let (old, new) = (hash::counter(index, old), hash::counter(index, value));
                self.sum = self.sum.wrapping_sub(old).wrapping_add(new);
            }
        }
        debug_assert_eq!(self.sum, self.sum_from_scratch(program), "a hash is out of date");
        changed
    }
}
