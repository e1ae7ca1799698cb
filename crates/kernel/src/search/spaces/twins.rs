//! Piles of a class with equal contents.
//!
//! Two such piles can be interchanged without changing the key. So the same move from (or to)
//! either of them leads to the same key. To leave one of them out saves only playing it and finding
//! its key.

use crate::bits::{bits, single};
use crate::card::{CARDS, FACE_DOWN, card};
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::validate::MAX_PILES;

/// The number of groups of each class of piles: one for each byte of a card. The last one, which no
/// card has, is for empty piles.
const GROUPS: u16 = 128;

/// No group.
const NONE: u16 = u16::MAX;

/// No pile.
const NO_PILE: u8 = u8::MAX;

/// The piles of a position by what shows that they may have equal contents.
pub(crate) struct Twins {
    /// For each card the one that counts as the same.
    representative: [u8; CARDS],
    /// The piles of classes that have several.
    paired: u128,
    /// Whether empty piles are compared.
    with_empty: bool,
    /// For each of the paired piles the first group of its class.
    begins: [u16; MAX_PILES],
    /// For each of them its group: the piles of its class with the same top card.
    groups: [u16; MAX_PILES],
    /// The number of piles of each group.
    sizes: Box<[u8]>,
    /// The number of piles in groups, less the number of these groups.
    surplus: usize,
    /// For each pile of which another one has the same contents, the first of these; none for other
    /// numbers. Empty between calls.
    firsts: Box<[u8; 256]>,
    /// Room for a pile of each kind of contents, and a part of what these add to the hash.
    kinds: [(u8, u64); MAX_PILES],
    /// For each first pile taken from, the first piles that cards go to. Empty between calls.
    seen: Box<[u128; MAX_PILES]>,
}

impl Twins {
    /// Before the first position.
    pub(crate) fn new(program: &Program, representative: [u8; CARDS], with_empty: bool) -> Self {
        let mut begins = [0; MAX_PILES];
        let (mut paired, mut next) = (0u128, 0);
        for (pile, place) in program.places.iter().enumerate() {
            if place.peers.count_ones() > 1 {
                let first = place.peers.trailing_zeros() as usize;
                if first == pile {
                    begins[pile] = next;
                    next += GROUPS;
                }
                begins[pile] = begins[first];
                paired |= 1 << pile;
            }
        }
        Self {
            representative,
            paired,
            with_empty,
            begins,
            groups: [NONE; MAX_PILES],
            sizes: vec![0; next.into()].into(),
            surplus: 0,
            firsts: Box::new([NO_PILE; 256]),
            kinds: [(NO_PILE, 0); MAX_PILES],
            seen: Box::new([0; MAX_PILES]),
        }
    }

    /// The group of a pile by its top card.
    #[inline]
    fn group(&self, state: &State, pile: usize) -> u16 {
        match state.top(pile) {
            Some(top) => {
                let same = self.representative[usize::from(card(top))] | top & FACE_DOWN;
                self.begins[pile] + u16::from(same)
            }
            None if self.with_empty => self.begins[pile] + GROUPS - 1,
            None => NONE,
        }
    }

    /// Goes on to another position, in which only some piles may differ.
    pub(crate) fn update(&mut self, state: &State, changed: u128) {
        for pile in bits(changed & self.paired) {
            let group = self.group(state, pile);
            let before = std::mem::replace(&mut self.groups[pile], group);
            if before == group {
                continue;
            }
            if before != NONE {
                let size = &mut self.sizes[usize::from(before)];
                *size -= 1;
                self.surplus -= usize::from(*size > 0);
            }
            if group != NONE {
                let size = &mut self.sizes[usize::from(group)];
                self.surplus += usize::from(*size > 0);
                *size += 1;
            }
        }
        debug_assert!(
            bits(self.paired).all(|pile| self.groups[pile] == self.group(state, pile)),
            "a change was not noted"
        );
    }

    /// Drops from a list, from an index on, the moves of a single card or of none that are
    /// equivalent to an earlier one. No choice may be open, since it could distinguish two piles.
    pub(crate) fn drop_moves(&mut self, state: &State, steps: &mut Vec<Move>, begin: usize) {
        if self.surplus == 0 {
            return;
        }
        let twins = self.find(state);
        if twins == 0 {
            return;
        }
        let (mut rule, mut used) = (None, 0u128);
        let mut kept = begin;
        for place in begin..steps.len() {
            let step = steps[place];
            if rule != Some(step.rule()) {
                rule = Some(step.rule());
                self.forget(std::mem::take(&mut used));
            }
            let piles = [step.from(), step.to()];
            let firsts = piles.map(|pile| self.firsts[usize::from(pile)]);
            if firsts != [NO_PILE; 2] && step.count() <= 1 {
                // For a pile without a twin, the pile itself.
                let [from, to] = [0, 1].map(|at| firsts[at].min(piles[at]));
                if from.max(to) < MAX_PILES as u8 {
                    let seen = &mut self.seen[usize::from(from)];
                    if *seen & single(to) != 0 {
                        continue;
                    }
                    *seen |= single(to);
                    used |= single(from);
                }
            }
            steps[kept] = step;
            kept += 1;
        }
        steps.truncate(kept);
        self.forget(used);
        for pile in bits(twins) {
            self.firsts[pile] = NO_PILE;
        }
    }

    /// Finds the piles of which another one has the same contents, and the first of each kind.
    fn find(&mut self, state: &State) -> u128 {
        let (mut number, mut twins) = (0, 0u128);
        for pile in bits(self.paired) {
            let group = self.groups[pile];
            if group == NONE || self.sizes[usize::from(group)] == 1 {
                continue;
            }
            let term = state.hash_term(pile);
            let is_same = |&&(first, part): &&(u8, u64)| {
                part == term as u64 && state.hash_term(usize::from(first)) == term
            };
            if let Some(&(first, _)) = self.kinds[..number].iter().find(is_same) {
                self.firsts[usize::from(first)] = first;
                self.firsts[pile] = first;
                twins |= single(first) | single(pile as u8);
            } else {
                self.kinds[number] = (pile as u8, term as u64);
                number += 1;
            }
        }
        twins
    }

    /// Empties what was seen of moves from some piles.
    fn forget(&mut self, used: u128) {
        for pile in bits(used) {
            self.seen[pile] = 0;
        }
    }
}
