//! Positions as a few bytes, for what is kept of many.

use super::State;
use crate::position::moves::Choice;
use crate::program::compiled::Program;
use crate::program::hash;

/// The number of the cards of a packed pile and whether it is closed, in two bytes.
#[inline]
pub(crate) const fn head(len: u16, is_closed: bool) -> [u8; 2] {
    (len << 1 | is_closed as u16).to_le_bytes()
}

impl State {
    /// The number of bytes that [`Self::pack`] writes. It is the same for all positions of a game.
    pub(crate) fn packed_size(&self) -> usize {
        let cards: usize = self.slots.iter().map(|slot| usize::from(slot.len)).sum();
        (self.slots.len() + self.counters.len()) * 2 + 3 + cards
    }

    /// Serializes the position without its hash: the heads of all piles ([`head`]), the counters,
    /// the open choice, and all cards.
    pub(crate) fn pack(&self, bytes: &mut Vec<u8>) {
        let begin = bytes.len();
        bytes.resize(begin + (self.slots.len() + self.counters.len()) * 2, 0);
        let (heads, counters) = bytes[begin..].split_at_mut(self.slots.len() * 2);
        for (slot, place) in self.slots.iter().zip(heads.chunks_exact_mut(2)) {
            place.copy_from_slice(&head(slot.len, slot.closed));
        }
        for (counter, place) in self.counters.iter().zip(counters.chunks_exact_mut(2)) {
            place.copy_from_slice(&counter.to_le_bytes());
        }
        bytes.extend_from_slice(&[self.choice.rule, self.choice.source, self.choice.target]);
        self.piles().for_each(|cards| {
            if !cards.is_empty() {
                bytes.extend_from_slice(cards);
            }
        });
    }

    /// Goes to a position of the same deal without an open choice and without closed piles.
    pub(crate) fn set<'a>(
        &mut self,
        program: &Program,
        piles: impl Iterator<Item = &'a [u8]>,
        counters: &[u16],
    ) {
        let piles: Vec<&[u8]> = piles.collect();
        let mut bytes: Vec<u8> =
            piles.iter().flat_map(|cards| head(cards.len() as u16, false)).collect();
        bytes.extend(counters.iter().flat_map(|counter| counter.to_le_bytes()));
        let Choice { rule, source, target } = Choice::CLOSED;
        bytes.extend_from_slice(&[rule, source, target]);
        bytes.extend(piles.iter().copied().flatten());
        self.unpack(program, &bytes);
    }

    /// Restores a position that was packed. Returns the piles that may differ from before; for the
    /// others no hash is computed anew.
    pub(crate) fn unpack(&mut self, program: &Program, bytes: &[u8]) -> u128 {
        let (heads, rest) = bytes.split_at(self.slots.len() * 2);
        let (counters, rest) = rest.split_at(self.counters.len() * 2);
        let number = |pair: &[u8]| u16::from_le_bytes([pair[0], pair[1]]);
        self.choice = Choice { rule: rest[0], source: rest[1], target: rest[2] };
        let mut cards = &rest[3..];
        let mut changed = 0;
        for (pile, head) in heads.chunks_exact(2).map(number).enumerate() {
            let (len, is_closed) = (head >> 1, head & 1 != 0);
            let slot = &self.slots[pile];
            let is_same = slot.len == len && slot.closed == is_closed;
            if is_same && len == 0 {
                continue;
            }
            let (block, others) = cards.split_at(usize::from(len));
            cards = others;
            if is_same && self.pile(pile) == block {
                continue;
            }
            changed |= 1 << pile;
            self.restore(program, pile, block, is_closed);
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

    /// Gives a pile the cards that it had.
    fn restore(&mut self, program: &Program, pile: usize, cards: &[u8], is_closed: bool) {
        let before = self.pile(pile);
        let same = before.iter().zip(cards).take_while(|(one, other)| one == other).count();
        let hash = |cards: &[u8]| {
            let keys = (same..).zip(cards).map(|(depth, &byte)| program.keys.card(byte, depth));
            keys.fold(0, |hash, key| hash ^ key)
        };
        let difference = hash(&before[same..]) ^ hash(&cards[same..]);
        let was_vacant = before.is_empty();
        self.set_cards(pile, cards);
        let slot = &mut self.slots[pile];
        slot.closed = is_closed;
        slot.hash ^= difference;
        if was_vacant != cards.is_empty() {
            self.vacant ^= 1 << pile;
        }
        self.update_hash_term(program, pile);
    }
}
