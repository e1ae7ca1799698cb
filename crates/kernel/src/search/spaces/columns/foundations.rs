//! Foundations that are built card by card.

use crate::bits::ones;
use crate::card::{CARDS, card};
use crate::position::state::State;
use crate::search::spaces::evaluation::NEAR;
use crate::search::spaces::foundation_order::FoundationOrder;
use crate::search::spaces::safe_moves::SafeMoves;

/// No card.
const NONE: u8 = u8::MAX;

/// What the foundations of a program take.
pub(super) struct Goals {
    pub(super) order: FoundationOrder,
    /// Whether the build order has a relation.
    pub(super) is_related: bool,
    /// Their piles, in the order in which they are filled.
    pub(super) piles: Vec<u8>,
    /// The safe moves, if there is a proof for the rules.
    pub(super) safe_moves: Option<SafeMoves>,
}

/// Which cards foundations want.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Wishes {
    /// In how many steps each card is wanted; its rank in games without a build order.
    pub(super) waits: [u8; CARDS],
    /// The cards that are wanted now, and those that are wanted soon.
    pub(super) wanted: u64,
    pub(super) near: u64,
}

impl Wishes {
    pub(super) fn new(waits: [u8; CARDS], wanted: u64) -> Self {
        let is_near = |&face: &usize| waits[face] <= NEAR;
        let near = (0..CARDS).filter(is_near).fold(0, |near, face| near | 1 << face);
        Self { waits, wanted, near }
    }
}

/// What the foundations of a position hold.
#[derive(Clone)]
pub(super) struct Foundations<'t> {
    goals: &'t Goals,
    /// By foundation, the number of cards, the bottom card and the top card.
    piles: Vec<[u8; 3]>,
    /// For each card how many copies are up.
    up: [u8; CARDS],
}

impl<'t> Foundations<'t> {
    pub(super) fn new(goals: &'t Goals, root: &State) -> Self {
        let mut up = [0; CARDS];
        let mut ends = |&pile: &u8| {
            let cards = root.pile(usize::from(pile));
            for &byte in cards {
                up[usize::from(card(byte))] += 1;
            }
            let end = |byte: Option<&u8>| byte.map_or(NONE, |&byte| card(byte));
            [cards.len() as u8, end(cards.first()), end(cards.last())]
        };
        let piles = goals.piles.iter().map(&mut ends).collect();
        Self { goals, piles, up }
    }

    /// The first foundation that takes a card.
    #[inline]
    pub(super) fn target(&self, face: u8) -> Option<usize> {
        let (height, before) = {
            let order = &self.goals.order;
            (order.height[usize::from(face)], order.before[usize::from(face)])
        };
        self.piles.iter().position(|&[size, _, top]| {
            size == height && (before == 0 || top != NONE && before >> top & 1 != 0)
        })
    }

    /// The pile of a foundation.
    pub(super) fn pile(&self, index: usize) -> usize {
        usize::from(self.goals.piles[index])
    }

    /// The foundation that a pile is.
    pub(super) fn index(&self, pile: u8) -> usize {
        self.goals.piles.iter().position(|&each| each == pile).unwrap_or(0)
    }

    /// The number of cards of a foundation.
    pub(super) fn size(&self, index: usize) -> u8 {
        self.piles[index][0]
    }

    /// The top card of a foundation.
    pub(super) fn top(&self, index: usize) -> u8 {
        self.piles[index][2]
    }

    /// Puts a card on a foundation. Returns what was its top card.
    pub(super) fn put(&mut self, index: usize, face: u8) -> u8 {
        let [size, bottom, top] = &mut self.piles[index];
        if *size == 0 {
            *bottom = face;
        }
        *size += 1;
        self.up[usize::from(face)] += 1;
        std::mem::replace(top, face)
    }

    /// The foundations with cards, and the top card of each.
    pub(super) fn tops(&self) -> impl Iterator<Item = (usize, u8)> {
        let held = self.piles.iter().enumerate().filter(|(_, [size, ..])| *size > 0);
        held.map(|(index, &[_, _, top])| (index, top))
    }

    /// The card that lies under the top card of a foundation that is built in suit.
    pub(super) fn below(&self, index: usize) -> u8 {
        let [size, _, top] = self.piles[index];
        let before = self.goals.order.before[usize::from(top)];
        if size > 1 { before.trailing_zeros() as u8 } else { NONE }
    }

    /// Takes the top card from a foundation, given the one below it.
    pub(super) fn take(&mut self, index: usize, below: u8) -> u8 {
        let [size, _, top] = &mut self.piles[index];
        *size -= 1;
        let face = std::mem::replace(top, below);
        self.up[usize::from(face)] -= 1;
        face
    }

    /// What they want.
    pub(super) fn wishes(&self) -> Wishes {
        Wishes::new(self.waits(), self.wanted())
    }

    /// The cards that are wanted now.
    fn wanted(&self) -> u64 {
        let order = &self.goals.order;
        let wanted = |&[size, _, top]: &[u8; 3]| {
            let wants = order.wants.get(usize::from(size)).copied().unwrap_or(0);
            let fits =
                |&face: &usize| order.before[face] == 0 || order.before[face] >> top & 1 != 0;
            ones(wants).filter(fits).fold(0, |wanted, face| wanted | 1 << face)
        };
        self.piles.iter().fold(0, |all, pile| all | wanted(pile))
    }

    /// For each card: in how many steps the first foundation will want it. As in the general space,
    /// a foundation that has begun wants its suit, if its build order has a relation.
    fn waits(&self) -> [u8; CARDS] {
        let heights = &self.goals.order.height;
        let mut waits = [u8::MAX; CARDS];
        let mut begun = false;
        for &[size, bottom, _] in &self.piles {
            let wait = |face: usize| heights[face].checked_sub(size).unwrap_or(u8::MAX);
            if size > 0 && self.goals.is_related {
                for face in (usize::from(bottom % 4)..CARDS).step_by(4) {
                    waits[face] = waits[face].min(wait(face));
                }
            } else if size > 0 || !begun {
                begun |= size == 0;
                for (face, least) in waits.iter_mut().enumerate() {
                    *least = (*least).min(wait(face));
                }
            }
        }
        waits
    }

    /// The cards of which all copies are up.
    pub(super) fn all_up(&self) -> u64 {
        let order = &self.goals.order;
        ones(order.pack)
            .filter(|&face| self.up[face] == order.copies[face])
            .fold(0, |cards, face| cards | 1 << face)
    }

    /// Whether a rule plays up the top card of a pile safely.
    pub(super) fn is_safe(&self, rule: u8, face: u8, pile: usize) -> bool {
        let safe_moves = self.goals.safe_moves.as_ref();
        safe_moves.is_some_and(|safe_moves| safe_moves.has(rule, face, pile, self.all_up()))
    }

    /// The number of bytes that it is packed into.
    pub(super) fn packed_size(&self) -> usize {
        3 * self.piles.len()
    }

    pub(super) fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.piles.iter().flatten());
    }

    /// Restores packed foundations. `left` says how many copies of each card are not up.
    pub(super) fn unpack(&mut self, bytes: &[u8], left: &[u8; CARDS]) {
        for (pile, packed) in self.piles.iter_mut().zip(bytes.as_chunks().0) {
            *pile = *packed;
        }
        let copies = &self.goals.order.copies;
        self.up = std::array::from_fn(|face| copies[face] - left[face]);
    }
}
