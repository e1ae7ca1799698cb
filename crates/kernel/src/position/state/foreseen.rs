//! Transfers whose outcome is known before they are made.

use super::{PileSlot, State, Touched, turned};
use crate::bits::single;
use crate::position::journal::{Entry, Journal, PileHash};
use crate::position::moves::Move;
use crate::program::compiled::Program;
use crate::program::format::{End, Face};
use crate::program::lone_transfer::{LoneCards, LoneTransfer};

/// A transfer from the top of one pile to the top of another, and the hashes of both after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ForeseenTransfer {
    from_hash: u128,
    pub(super) to_hash: u128,
    pub(crate) from_term: u128,
    pub(crate) to_term: u128,
    pub(crate) from: u8,
    pub(crate) to: u8,
    pub(super) count: u16,
    reverse: bool,
    face: Face,
}

impl ForeseenTransfer {
    /// No transfer, to be replaced by one.
    pub(crate) const NONE: Self = Self {
        from_hash: 0,
        to_hash: 0,
        from_term: 0,
        to_term: 0,
        from: 0,
        to: 0,
        count: 0,
        reverse: false,
        face: Face::Keep,
    };
}

impl State {
    /// Replaces a transfer by the one that a move of a rule makes between two piles. Returns false,
    /// and replaces nothing, if that is impossible. No choice may be open.
    #[inline]
    pub(crate) fn foresee(
        &self,
        program: &Program,
        lone: LoneTransfer,
        played: Move,
        (from, to): (u8, u8),
        foreseen: &mut ForeseenTransfer,
    ) -> bool {
        let (source, target) = (&self.slots[usize::from(from)], &self.slots[usize::from(to)]);
        let count = match lone.cards {
            LoneCards::Said => played.count().into(),
            LoneCards::All | LoneCards::Taken { .. } => source.len,
            LoneCards::AtMost(number) => source.len.min(number),
            LoneCards::Dealt { .. } => u16::from(!target.closed),
        };
        let is_possible = count > 0 && count <= source.len && count <= target.capacity - target.len;
        if !is_possible {
            return false;
        }
        let (left, height) = (usize::from(source.len - count), usize::from(target.len));
        let begin = usize::from(source.start) + left;
        let (of_from, of_to) = if count == 1 {
            let byte = self.slab[begin];
            (program.keys.card(byte, left), program.keys.card(turned(byte, lone.face), height))
        } else {
            let cards = &self.slab[begin..begin + usize::from(count)];
            hashes_of_block(program, lone, cards, left, height)
        };
        let (of_from, of_to) = (source.hash ^ of_from, target.hash ^ of_to);
        let term = |slot: &PileSlot, hash| program.keys.pile(hash, slot.class, slot.closed);
        *foreseen = ForeseenTransfer {
            from_hash: of_from,
            to_hash: of_to,
            from_term: term(source, of_from),
            to_term: term(target, of_to),
            from,
            to,
            count,
            reverse: lone.reverse,
            face: lone.face,
        };
        true
    }

    /// The top card of the target after a transfer that was foreseen.
    #[inline]
    pub(crate) fn top_after(&self, foreseen: &ForeseenTransfer) -> u8 {
        let cards = self.pile(usize::from(foreseen.from));
        let depth = if foreseen.reverse { usize::from(foreseen.count) } else { 1 };
        turned(cards[cards.len() - depth], foreseen.face)
    }

    /// Transfers the cards. What the piles add to the hash of the position is not updated.
    #[inline]
    pub(crate) fn make_foreseen(&mut self, journal: &mut Journal, foreseen: &ForeseenTransfer) {
        let &ForeseenTransfer { from_hash, to_hash, from, to, count, reverse, face, .. } = foreseen;
        let source = &mut self.slots[usize::from(from)];
        let PileSlot { hash, hash_term, .. } = *source;
        let of_source = PileHash { hash, hash_term, pile: from };
        source.hash = from_hash;
        source.len -= count;
        if source.len == 0 {
            self.vacant |= single(from);
        }
        let begin = usize::from(source.start) + usize::from(source.len);
        let target = &mut self.slots[usize::from(to)];
        let PileSlot { hash, hash_term, .. } = *target;
        journal.saved.extend_from_slice(&[of_source, PileHash { hash, hash_term, pile: to }]);
        target.hash = to_hash;
        if target.len == 0 {
            self.vacant &= !single(to);
        }
        let place = usize::from(target.start) + usize::from(target.len);
        target.len += count;
        if count == 1 {
            let byte = self.slab[begin];
            self.slab[place] = turned(byte, face);
            journal.entries.push(Entry::MoveCard { from, to, byte });
            return;
        }
        let count = usize::from(count);
        journal.cards.extend_from_slice(&self.slab[begin..begin + count]);
        for index in 0..count {
            let laid = if reverse { count - 1 - index } else { index };
            self.slab[place + laid] = turned(self.slab[begin + index], face);
        }
        journal.entries.push(Entry::MoveBlock {
            from,
            to,
            from_end: End::Top,
            to_end: End::Top,
            count: count as u16,
            reverse,
        });
    }

    /// Updates the hash, if nothing else has changed.
    #[inline]
    pub(crate) fn finish_foreseen(&mut self, program: &Program, foreseen: &ForeseenTransfer) {
        let &ForeseenTransfer { from, to, from_term, to_term, .. } = foreseen;
        for (pile, hash_term) in [(from, from_term), (to, to_term)] {
            let slot = &mut self.slots[usize::from(pile)];
            debug_assert_eq!(hash_term, program.keys.pile(slot.hash, slot.class, slot.closed));
            let before = std::mem::replace(&mut slot.hash_term, hash_term);
            self.sum = self.sum.wrapping_sub(before).wrapping_add(hash_term);
        }
    }

    /// Has the hash updated after all further changes of the move.
    #[inline]
    pub(crate) fn postpone_foreseen(&mut self, foreseen: &ForeseenTransfer) {
        let &ForeseenTransfer { from, to, from_term, to_term, .. } = foreseen;
        for (pile, hash_term) in [(from, from_term), (to, to_term)] {
            let slot = &mut self.slots[usize::from(pile)];
            (slot.hash_term, slot.touched) = (hash_term, Touched::Known);
        }
    }
}

/// The hashes of some cards of a pile from a depth on, and of the same cards as they come to lie on
/// another one of a certain height.
#[inline(never)]
fn hashes_of_block(
    program: &Program,
    lone: LoneTransfer,
    cards: &[u8],
    depth: usize,
    height: usize,
) -> (u128, u128) {
    let mut hashes = (0, 0);
    for (index, &byte) in cards.iter().enumerate() {
        let laid = if lone.reverse { cards.len() - 1 - index } else { index };
        hashes.0 ^= program.keys.card(byte, depth + index);
        hashes.1 ^= program.keys.card(turned(byte, lone.face), height + laid);
    }
    hashes
}
