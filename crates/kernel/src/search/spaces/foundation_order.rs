//! What the foundations of a game take, card by card.

use crate::bits::{bits, ones};
use crate::card::{CARDS, card, has, is_face_down};
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::Condition;
use crate::search::spaces::settled::settled_bases;

/// The build order of all foundations, in a game whose aim is that everything goes up.
///
/// Each card has one height, and as many copies as the card below it has. In a game of one pack the
/// set of cards that went up determines which cards are wanted.
#[derive(Clone, Debug)]
pub(crate) struct FoundationOrder {
    /// All cards of the game.
    pub(crate) pack: u64,
    /// For each card the number of its copies.
    pub(crate) copies: [u8; CARDS],
    /// The foundations, as a mask of piles.
    pub(crate) foundations: u128,
    /// By height: the cards wanted there.
    pub(crate) wants: Vec<u64>,
    /// For each card its height on a foundation.
    pub(crate) height: [u8; CARDS],
    /// By height: whether the card below must be the one of [`Self::before`], or may be any of its
    /// height.
    pub(crate) chained: Vec<bool>,
    /// For each card the one that must lie below it on a foundation, as a mask.
    pub(crate) before: [u64; CARDS],
}

impl FoundationOrder {
    /// The order of a program for positions after a root; none if there is not exactly one build
    /// order, if its state is not determined by the cards that went up, or if the aim is another
    /// one.
    pub(crate) fn new(program: &Program, root: &State) -> Option<Self> {
        let copies = copies(root, program.all_piles);
        let pack =
            (0..CARDS).filter(|&card| copies[card] > 0).fold(0, |pack, card| pack | 1 << card);
        let [build_order] = program.build_orders.as_ref() else { return None };
        let foundations = build_order.piles;
        if foundations == 0 {
            return None;
        }
        let steps = build_order.wants.len();
        let base = settled_bases(program, root)?[0];
        let wants: Vec<u64> =
            (0..steps).map(|at| build_order.wants[(at + base) % steps] & pack).collect();
        let mut order = Self {
            pack,
            copies,
            foundations,
            wants,
            height: [u8::MAX; CARDS],
            chained: vec![false; steps],
            before: [0; CARDS],
        };
        order.read_heights()?;
        // A base card of a suit that another pile has begun with would not be wanted any more.
        let same_suit = |first: usize, other: usize| first != other && first % 4 == other % 4;
        let base_cards = || ones(order.wants.first().copied().unwrap_or(0));
        let is_repeated =
            |card| order.copies[card] > 1 || base_cards().any(|other| same_suit(card, other));
        if build_order.one_suit_each && base_cards().any(is_repeated) {
            return None;
        }
        if let Some(relation) = build_order.relation {
            order.read_chains(&program.relations[usize::from(relation)].under)?;
        }
        let is_aim = matches!(program.source().aim.as_slice(),
            [Condition::Complete { piles }] if piles.0 == foundations);
        let is_whole = order.count(pack) == steps as u32 * foundations.count_ones();
        (is_aim && is_whole && order.holds_at(root)).then_some(order)
    }

    /// The number of all copies of some cards.
    fn count(&self, cards: u64) -> u32 {
        ones(cards).map(|card| u32::from(self.copies[card])).sum()
    }

    /// The cards of which all copies lie in some piles.
    pub(crate) fn all_in(&self, piles: u128, state: &State) -> u64 {
        let here = copies(state, piles);
        ones(self.pack)
            .filter(|&card| here[card] == self.copies[card])
            .fold(0, |cards, card| cards | 1 << card)
    }

    /// The same order, but from a height on any card of the height goes on any of the one below.
    pub(crate) fn with_suits_below(&self, height: usize) -> Self {
        let mut order = self.clone();
        for at in height..self.wants.len() {
            order.chained[at] = false;
            for card in ones(self.wants[at]) {
                order.before[card] = 0;
            }
        }
        order
    }

    /// Gives each card its height.
    fn read_heights(&mut self) -> Option<()> {
        let mut all = 0;
        for (height, &wants) in self.wants.iter().enumerate() {
            if wants & all != 0 || self.count(wants) > self.foundations.count_ones() {
                return None;
            }
            all |= wants;
            for card in ones(wants) {
                self.height[card] = height as u8;
            }
        }
        (all == self.pack).then_some(())
    }

    /// Finds for each card the one that must lie below it, given the cards that it may lie on.
    fn read_chains(&mut self, under: &[u64; CARDS]) -> Option<()> {
        for height in 1..self.wants.len() {
            let (lower, upper) = (self.wants[height - 1], self.wants[height]);
            if ones(upper).all(|card| under[card] & lower == lower) {
                continue;
            }
            // Every card has exactly one height.
            let mut taken = 0;
            for card in ones(upper) {
                let below = under[card] & lower;
                if below.count_ones() != 1
                    || taken & below != 0
                    || self.copies[below.trailing_zeros() as usize] != self.copies[card]
                {
                    return None;
                }
                taken |= below;
                self.before[card] = below;
            }
            self.chained[height] = true;
            // After a height at which any card is taken, it would matter which card lies where.
            if height > 1 && !self.chained[height - 1] {
                return None;
            }
        }
        Some(())
    }

    /// Whether the foundations hold what they want, height by height, as they may not after a
    /// layout.
    fn holds_at(&self, root: &State) -> bool {
        bits(self.foundations).all(|pile| {
            let cards = root.pile(pile);
            cards.iter().enumerate().all(|(height, &byte)| {
                let before = self.before[usize::from(card(byte))];
                !is_face_down(byte)
                    && usize::from(self.height[usize::from(byte)]) == height
                    && (before == 0 || has(before, cards[height - 1]))
            })
        })
    }

    /// Whether at every height but the first each card must lie on a certain card.
    pub(crate) fn is_suited(&self) -> bool {
        self.chained.iter().skip(1).all(|&chained| chained)
    }
}

/// How often each card lies in some piles.
pub(crate) fn copies(state: &State, piles: u128) -> [u8; CARDS] {
    let mut copies = [0; CARDS];
    for pile in bits(piles) {
        state.pile(pile).iter().for_each(|&byte| copies[usize::from(card(byte))] += 1);
    }
    copies
}
