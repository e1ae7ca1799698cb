//! Positions as a few bytes, for what is kept of many.

use std::ops::Range;

use super::{PileSlot, State};
use crate::bits::{bits, single};
use crate::card::in_common;
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
        if bits(changed).nth(self.slots.len() / 4).is_some() {
            self.pack(bytes);
            return;
        }
        let begin = bytes.len();
        let cards = (self.slots.len() + self.counters.len()) * 2 + 3;
        bytes.extend_from_within(before.start..before.start + cards);
        let (heads, rest) = bytes[begin..].split_at_mut(self.slots.len() * 2);
        let (counters, choice) = rest.split_at_mut(self.counters.len() * 2);
        let heads = heads.as_chunks_mut().0;
        for pile in bits(changed) {
            heads[pile] = head(self.slots[pile].len, self.slots[pile].closed);
        }
        for (counter, place) in self.counters.iter().zip(counters.as_chunks_mut().0) {
            *place = counter.to_le_bytes();
        }
        choice.copy_from_slice(&[self.choice.rule, self.choice.source, self.choice.target]);
        // All cards up to here are packed, and those before a pile begin there.
        let mut packed = before.start + cards;
        let (mut pile_begins, mut first) = (packed, 0);
        for pile in bits(changed) {
            let length =
                |heads: &[u8]| usize::from(numbers(heads).map(|head| head >> 1).sum::<u16>());
            let heads = &bytes[before.start + 2 * first..before.start + 2 * (pile + 1)];
            let (others, last) = heads.split_at(2 * (pile - first));
            let len = length(last);
            pile_begins += length(others);
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
        let Self { slots, slab, vacant, sum, .. } = self;
        for ((pile, slot), packed) in (0..).zip(slots.iter_mut()).zip(numbers(heads)) {
            let len = usize::from(packed >> 1);
            if !slot.is_packed_as(slab, packed, cards) {
                changed |= single(pile);
                if (slot.len == 0) != (len == 0) {
                    *vacant ^= single(pile);
                }
                *sum = sum.wrapping_sub(slot.hash_term);
                slot.restore(program, slab, packed, cards);
                *sum = sum.wrapping_add(slot.hash_term);
            }
            cards = &cards[len..];
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
}

impl PileSlot {
    /// Whether the pile has a head and the cards with which some bytes begin.
    #[inline]
    fn is_packed_as(&self, slab: &[u8], packed: u16, cards: &[u8]) -> bool {
        let len = usize::from(self.len);
        if u16::from_le_bytes(head(self.len, self.closed)) != packed {
            return false;
        }
        if len == 0 {
            return true;
        }
        let own = &slab[usize::from(self.start)..];
        match (own.first_chunk(), cards.first_chunk()) {
            (Some(&one), Some(&other)) if len <= 8 => {
                let differing = u64::from_le_bytes(one) ^ u64::from_le_bytes(other);
                differing << (64 - 8 * len) == 0
            }
            _ => own[..len] == cards[..len],
        }
    }

    /// Gives the pile a head and the cards with which some bytes begin.
    #[inline]
    fn restore(&mut self, program: &Program, slab: &mut [u8], packed: u16, cards: &[u8]) {
        let own = &mut slab[usize::from(self.start)..];
        let (before, len) = (usize::from(self.len), usize::from(packed >> 1));
        let same = in_common(own, cards).min(before).min(len);
        let hash = |cards: &[u8], hash: u128| {
            let keys = (same..).zip(cards);
            keys.fold(hash, |hash, (depth, &byte)| hash ^ program.keys.card(byte, depth))
        };
        self.hash = hash(&cards[same..len], hash(&own[same..before], self.hash));
        for (place, &byte) in own[same..len].iter_mut().zip(&cards[same..len]) {
            *place = byte;
        }
        (self.len, self.closed) = (packed >> 1, packed & 1 != 0);
        self.hash_term = program.keys.pile(self.hash, self.class, self.closed);
    }
}

/// The numbers of which pairs of bytes consist.
fn numbers(bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes.as_chunks::<2>().0.iter().map(|&pair| u16::from_le_bytes(pair))
}
