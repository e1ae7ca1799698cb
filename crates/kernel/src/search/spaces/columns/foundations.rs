//! Foundations that are built card by card.

use crate::bits::ones;
use crate::card::{CARDS, card, in_common};
use crate::position::state::State;
use crate::search::spaces::columns::goals::Goals;
use crate::search::spaces::columns::limits::FOUNDATIONS;
use crate::search::spaces::columns::part::{FACTOR, NUMBERS};
use crate::search::spaces::evaluation::NEAR;
use crate::search::spaces::waits::{ALL_SUITS, TABLE};

/// No card.
const NONE: u8 = u8::MAX;

/// How many wishes are kept.
const WISHES: usize = 128;

/// Which cards foundations want.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Wishes {
    /// In how many steps each card is wanted; its rank in games without a build order.
    pub(super) waits: [u8; TABLE],
    /// The cards that are wanted now, and those that are wanted soon.
    pub(super) wanted: u64,
    pub(super) near: u64,
}

impl Wishes {
    pub(super) fn new(waits: [u8; TABLE], wanted: u64) -> Self {
        let is_near = |&face: &usize| waits[face] <= NEAR;
        let near = (0..CARDS).filter(is_near).fold(0, |near, face| near | 1 << face);
        Self { waits, wanted, near }
    }
}

/// What the foundations of a position hold.
#[derive(Clone)]
pub(super) struct Foundations<'t> {
    goals: &'t Goals,
    /// Room for the cards of each, and their numbers.
    cards: Vec<u8>,
    sizes: Vec<u8>,
    /// By foundation and number of its cards, what these add to the key.
    terms: Vec<u128>,
    /// For each card how many copies are not up, and the cards of which all are up.
    left: [u8; CARDS],
    all_up: u64,
    /// What they add to the key of a position: nothing if the cards that are up determine what is
    /// wanted.
    pub(super) key: u128,
    /// Wishes, by the last bits of a number for all that decides them.
    known: Vec<Option<(u128, Wishes)>>,
}

impl<'t> Foundations<'t> {
    pub(super) fn new(goals: &'t Goals, root: &State) -> Self {
        let count = goals.piles.len();
        let cards = vec![NONE; count * goals.height];
        let terms = vec![0; count * (goals.height + 1)];
        let (sizes, known) = (vec![0; count], vec![None; WISHES]);
        let mut foundations =
            Self { goals, cards, sizes, terms, left: goals.copies, all_up: 0, key: 0, known };
        (0..count).for_each(|index| foundations.add_term(index));
        for (index, &pile) in goals.piles.iter().enumerate() {
            root.pile(pile.into()).iter().for_each(|&byte| foundations.put(index, card(byte)));
        }
        foundations
    }

    /// The cards of a foundation.
    #[inline]
    pub(super) fn cards(&self, index: usize) -> &[u8] {
        let first = index * self.goals.height;
        &self.cards[first..first + usize::from(self.sizes[index])]
    }

    /// The top card of a foundation.
    #[inline]
    pub(super) fn top(&self, index: usize) -> u8 {
        self.cards(index).last().copied().unwrap_or(NONE)
    }

    /// The number of cards of a foundation.
    pub(super) fn size(&self, index: usize) -> u8 {
        self.sizes[index]
    }

    /// The cards that a foundation wants now.
    #[inline]
    fn wanted_on(&self, index: usize) -> u64 {
        let order = self.goals.order(index);
        let wants = order.wants.get(usize::from(self.sizes[index])).copied().unwrap_or(0);
        match (&order.over, self.cards(index).last()) {
            (Some(over), Some(&top)) => wants & over[usize::from(top)],
            _ => wants,
        }
    }

    /// The cards that each foundation wants now.
    pub(super) fn wanted(&self) -> [u64; FOUNDATIONS] {
        let mut wanted = [0; FOUNDATIONS];
        (0..self.sizes.len()).for_each(|index| wanted[index] = self.wanted_on(index));
        wanted
    }

    /// The first one of some foundations that are alike in that they want the same card.
    ///
    /// If the cards that are up determine what is wanted, all that want a card are alike.
    pub(super) fn is_first(&self, index: usize, others: u32) -> bool {
        let others = others & ((1 << index) - 1);
        if self.goals.is_determined {
            others == 0
        } else {
            !ones(others.into()).any(|other| self.are_alike(other, index))
        }
    }

    /// Whether the same can happen to two foundations from now on.
    fn are_alike(&self, one: usize, other: usize) -> bool {
        if self.goals.keeps_cards {
            return self.goals.alike[one] == self.goals.alike[other]
                && self.cards(one) == self.cards(other);
        }
        self.goals.alike[one] == self.goals.alike[other]
            && self.sizes[one] == self.sizes[other]
            && (self.goals.order(one).over.is_none() || self.top(one) == self.top(other))
    }

    /// All cards of the game.
    pub(super) const fn pack(&self) -> u64 {
        self.goals.pack
    }

    /// The pile of a foundation.
    pub(super) fn pile(&self, index: usize) -> usize {
        usize::from(self.goals.piles[index])
    }

    /// The piles, and the number of cards of each.
    pub(super) fn sizes(&self) -> impl Iterator<Item = (&u8, &u8)> {
        self.goals.piles.iter().zip(&self.sizes)
    }

    /// The place of what a foundation adds to the key.
    #[inline]
    fn place_of_term(&self, index: usize) -> usize {
        index * (self.goals.height + 1) + usize::from(self.sizes[index])
    }

    /// Computes what a foundation adds to the key, and adds it.
    fn add_term(&mut self, index: usize) {
        if self.goals.is_determined {
            return;
        }
        let place = self.place_of_term(index);
        let held = match self.cards(index).last() {
            None => NUMBERS.foundations[usize::from(self.goals.alike[index])],
            Some(&top) if self.goals.keeps_cards => self.terms[place - 1] ^ u128::from(top),
            Some(&top) => {
                let top = if self.goals.order(index).over.is_some() { top } else { NONE };
                let held = u128::from(self.sizes[index]) << 8 | u128::from(top);
                self.terms[place - usize::from(self.sizes[index])] ^ held
            }
        };
        let term = held.wrapping_mul(FACTOR);
        self.terms[place] = term ^ term >> 64;
        self.key = self.key.wrapping_add(self.terms[place]);
    }

    /// Puts a card on a foundation.
    pub(super) fn put(&mut self, index: usize, face: u8) {
        self.key = self.key.wrapping_sub(self.terms[self.place_of_term(index)]);
        self.cards[index * self.goals.height + usize::from(self.sizes[index])] = face;
        self.sizes[index] += 1;
        self.count_up(face);
        self.add_term(index);
    }

    /// Counts a card that is up.
    fn count_up(&mut self, face: u8) {
        let left = &mut self.left[usize::from(face)];
        *left -= 1;
        self.all_up |= u64::from(*left == 0) << face;
    }

    /// Takes the top card from a foundation.
    pub(super) fn take(&mut self, index: usize) -> u8 {
        let face = self.top(index);
        self.key = self.key.wrapping_sub(self.terms[self.place_of_term(index)]);
        self.sizes[index] -= 1;
        self.left[usize::from(face)] += 1;
        self.all_up &= !(1 << face);
        self.key = self.key.wrapping_add(self.terms[self.place_of_term(index)]);
        face
    }

    /// Those of some foundations with cards from which a card may come back, and the top card of
    /// each: of those that are alike only the first one.
    pub(super) fn tops(&self, among: u32) -> impl Iterator<Item = (usize, u8)> {
        let held = move |&index: &usize| among >> index & 1 != 0 && self.sizes[index] > 0;
        let is_first = move |&index: &usize| {
            !(0..index).filter(held).any(|earlier| {
                let top = self.top(earlier) == self.top(index);
                top && (self.goals.is_determined || self.are_alike(earlier, index))
            })
        };
        let indices = (0..self.sizes.len()).filter(held).filter(is_first);
        indices.map(|index| (index, self.top(index)))
    }

    /// What they want.
    pub(super) fn wishes(&mut self) -> Wishes {
        let code = self.code();
        let at = (code >> 64) as usize % WISHES;
        if let Some((known, wishes)) = &self.known[at]
            && *known == code
        {
            return *wishes;
        }
        let indices = 0..self.sizes.len();
        let wanted = indices.fold(0, |wanted, index| wanted | self.wanted_on(index));
        let wishes = Wishes::new(self.waits(), wanted);
        self.known[at] = Some((code, wishes));
        wishes
    }

    /// A number for all that decides what they want: of each the number of its cards, the lowest
    /// one and the top one.
    fn code(&self) -> u128 {
        (0..self.sizes.len()).fold(0, |code: u128, index| {
            let cards = self.cards(index);
            let end = |end: Option<&u8>| u128::from(end.copied().unwrap_or(NONE));
            let ends = end(cards.first()) << 16 | end(cards.last()) << 8 | cards.len() as u128;
            let code = (code ^ ends).wrapping_mul(FACTOR);
            code ^ code >> 64
        })
    }

    /// A number for the cards that are up, and for where the lowest and the top ones lie.
    pub(super) fn code_of_cards(&self) -> u128 {
        let (eights, others) = self.left.as_chunks::<8>();
        let others = others.iter().fold(0, |others, &byte| others << 8 | u64::from(byte));
        let eights = eights.iter().map(|&eight| u64::from_le_bytes(eight));
        eights.chain([others]).fold(self.code(), |code, number| {
            let code = (code ^ u128::from(number)).wrapping_mul(FACTOR);
            code ^ code >> 64
        })
    }

    /// For each card: in how many steps the first foundation will want it. As in the general space,
    /// a foundation that has begun wants its suit, if its build order has a relation.
    fn waits(&self) -> [u8; TABLE] {
        let mut waits = [u8::MAX; TABLE];
        let mut begun = 0u64;
        for index in 0..self.sizes.len() {
            let (order, cards) = (self.goals.order(index), self.cards(index));
            let suit = match cards.first() {
                Some(&bottom) if order.over.is_some() => usize::from(bottom % 4),
                Some(_) => ALL_SUITS,
                None if begun >> self.goals.order[index] & 1 == 0 => {
                    begun |= 1 << self.goals.order[index];
                    ALL_SUITS
                }
                // Empty foundations with the same build order are alike.
                None => continue,
            };
            let least = waits.iter_mut().zip(&order.rows[cards.len()][suit]);
            least.for_each(|(least, &wait)| *least = wait.min(*least));
        }
        waits
    }

    /// The cards of which all copies are up.
    pub(super) const fn all_up(&self) -> u64 {
        self.all_up
    }

    /// Whether a rule plays up the top card of a pile safely.
    pub(super) fn is_safe(&self, rule: u8, face: u8, pile: usize) -> bool {
        let safe_moves = self.goals.safe_moves.as_ref();
        safe_moves.is_some_and(|safe_moves| safe_moves.has(rule, face, pile, self.all_up()))
    }

    /// Packs the number of cards of each.
    pub(super) fn pack_sizes(&self, bytes: &mut Vec<u8>) {
        bytes.extend(&self.sizes);
    }

    /// Packs the cards of all.
    pub(super) fn pack_cards(&self, bytes: &mut Vec<u8>) {
        (0..self.sizes.len()).for_each(|index| bytes.extend(self.cards(index)));
    }

    /// The number of foundations.
    pub(super) fn count(&self) -> usize {
        self.sizes.len()
    }

    /// Restores packed foundations from the number of cards of each, and from the cards of all.
    /// Returns the piles that differ from before.
    pub(super) fn unpack(&mut self, sizes: &[u8], cards: &[u8]) -> u128 {
        let mut changed = 0;
        let ends = sizes.iter().scan(0, |end, &size| {
            let begin = *end;
            *end += usize::from(size);
            Some(begin..*end)
        });
        // All cards that go are taken before others are put.
        for (index, these) in ends.clone().enumerate() {
            let same = in_common(self.cards(index), &cards[these.clone()]);
            if same < these.len().max(self.sizes[index].into()) {
                changed |= 1 << self.pile(index);
            }
            (same..self.sizes[index].into()).for_each(|_| _ = self.take(index));
        }
        for (index, these) in ends.enumerate() {
            let held = usize::from(self.sizes[index]);
            cards[these].iter().skip(held).for_each(|&face| self.put(index, face));
        }
        changed
    }
}
