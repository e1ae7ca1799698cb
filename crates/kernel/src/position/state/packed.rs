//! Positions as a few bytes, for what is kept of many.

use std::ops::Range;

use super::State;
use crate::bits::bits;
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

    /// The same for a position that differs from one that was packed into the same bytes, at a
    /// certain place, in a few piles.
    pub(crate) fn pack_changes(&self, bytes: &mut Vec<u8>, before: Range<usize>, changed: u128) {
        if changed.count_ones() as usize * 4 > self.slots.len() {
            self.pack(bytes);
            return;
        }
        let begin = bytes.len();
        bytes.extend_from_within(before.start..before.start + self.slots.len() * 2);
        for pile in bits(changed) {
            let slot = &self.slots[pile];
            bytes[begin + 2 * pile..][..2].copy_from_slice(&head(slot.len, slot.closed));
        }
        for counter in &self.counters {
            bytes.extend_from_slice(&counter.to_le_bytes());
        }
        bytes.extend_from_slice(&[self.choice.rule, self.choice.source, self.choice.target]);
        // All cards up to here are packed, and those before a pile begin there.
        let mut packed = before.start + (bytes.len() - begin);
        let (mut pile_begins, mut first) = (packed, 0);
        for pile in bits(changed) {
            let length = |head| usize::from(head >> 1);
            let heads = &bytes[before.start + 2 * first..before.start + 2 * (pile + 1)];
            let (others, last) = heads.split_at(2 * (pile - first));
            let len: usize = numbers(last).map(length).sum();
            pile_begins += numbers(others).map(length).sum::<usize>();
            bytes.extend_from_within(packed..pile_begins);
            bytes.extend_from_slice(self.pile(pile));
            pile_begins += len;
            (packed, first) = (pile_begins, pile + 1);
        }
        bytes.extend_from_within(packed..before.end);
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
        self.choice = Choice { rule: rest[0], source: rest[1], target: rest[2] };
        let mut cards = &rest[3..];
        let mut changed = 0;
        for (pile, head) in numbers(heads).enumerate() {
            let (len, is_closed) = (usize::from(head >> 1), head & 1 != 0);
            let slot = &self.slots[pile];
            let is_same = usize::from(slot.len) == len && slot.closed == is_closed;
            if is_same && (len == 0 || self.starts(pile, cards)) {
                cards = &cards[len..];
                continue;
            }
            let (block, others) = cards.split_at(len);
            cards = others;
            changed |= 1 << pile;
            self.restore(program, pile, block, is_closed);
        }
        for (index, value) in numbers(counters).enumerate() {
            let old = std::mem::replace(&mut self.counters[index], value);
            if old != value {
                let (old, new) = (hash::counter(index, old), hash::counter(index, value));
                self.sum = self.sum.wrapping_sub(old).wrapping_add(new);
            }
        }
        debug_assert_eq!(self.sum, self.sum_from_scratch(program), "a hash is out of date");
        changed
    }

    /// Whether some cards start with those of a pile that is not empty.
    #[inline]
    fn starts(&self, pile: usize, cards: &[u8]) -> bool {
        let slot = &self.slots[pile];
        match cards.first_chunk() {
            Some(&eight) if slot.len <= 8 => {
                let differing = self.eight(usize::from(slot.start)) ^ u64::from_le_bytes(eight);
                differing << (64 - 8 * slot.len) == 0
            }
            _ => cards.starts_with(self.pile(pile)),
        }
    }

    /// Gives a pile the cards that it had.
    fn restore(&mut self, program: &Program, pile: usize, cards: &[u8], is_closed: bool) {
        let slot = &mut self.slots[pile];
        let start = usize::from(slot.start);
        let before = &self.slab[start..start + usize::from(slot.len)];
        let shorter = before.len().min(cards.len());
        let mut same = 0;
        while same < shorter && before[same] == cards[same] {
            same += 1;
        }
        let hash = |cards: &[u8], hash: u128| {
            let keys = (same..).zip(&cards[same..]);
            keys.fold(hash, |hash, (depth, &byte)| hash ^ program.keys.card(byte, depth))
        };
        slot.hash = hash(cards, hash(before, slot.hash));
        if before.is_empty() != cards.is_empty() {
            self.vacant ^= 1 << pile;
        }
        (slot.len, slot.closed) = (cards.len() as u16, is_closed);
        for (place, &byte) in self.slab[start + same..].iter_mut().zip(&cards[same..]) {
            *place = byte;
        }
        self.update_hash_term(program, pile);
    }
}

/// The numbers of which pairs of bytes consist.
fn numbers(bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes.as_chunks::<2>().0.iter().map(|&pair| u16::from_le_bytes(pair))
}
