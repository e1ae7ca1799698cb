//! The stock of a linked position: the cards of it that can be reached, all of which may be played.
//!
//! The stock is turned onto a waste, so many cards at a time, and the waste may be turned over
//! again without limit or not at all. Why only the turns before a card of the waste is played
//! matter, `search/spaces/stock_macro.rs` proves. So a position has the cards that are left in the
//! order in which they are turned, and how many of them lie on the waste; the cards that come to
//! lie on top of it by some turns are what can be reached.
//!
//! *Places that count as the same.* Where the waste can be turned over again, it is begun anew: the
//! waste counts as empty if so many turns from an empty waste lead to where it is, or if the stock
//! is empty. Proof: each of the two positions is led to from the other by turns alone (on to the
//! end, over, and on), so both are won or neither. Where single cards are turned, this is so
//! always. Then nothing that is taken keeps anything else from being reached, and the stock is a
//! reserve (`reserve.rs`), a card a pile.
//!
//! Elsewhere a card that is taken changes what can be reached after it. So such cards do not go up
//! by themselves, however safe they are (`safe.rs`): their place in the line must be chosen.

use crate::bits::ones;
use crate::card::{CARDS, card};
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::{Action, Condition, End, Quantity, Step};
use crate::search::spaces::stock_rules::StockRules;

/// How the stock is turned, and its cards at the root.
#[derive(Clone, Debug)]
pub(crate) struct Stock {
    /// The piles.
    pub(super) source: usize,
    pub(super) waste: usize,
    /// The rules that turn the stock, as a mask.
    pub(super) rules: u128,
    /// How many cards are turned at a time.
    step: u32,
    /// Whether the waste is turned over again, without limit.
    again: bool,
    /// The cards in the order in which they are turned, and for each card its place there.
    order: Vec<u8>,
    place: [u8; CARDS],
    /// How many of them lie on the waste at the root.
    dealt: u8,
}

/// What is left of a stock: the places that still have their card, as a mask, and how many of these
/// cards lie on the waste.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StockState {
    pub(super) places: u64,
    pub(super) dealt: u8,
}

impl Stock {
    /// The stock of a program, if it is turned in one of these ways.
    pub(super) fn new(program: &Program, root: &State) -> Option<Self> {
        let turns = StockRules::new(program)?;
        let game = program.source();
        let (source, waste) = (game.source, turns.waste());
        let (mut step, mut again) = (None, false);
        let rules = game.rules.iter().enumerate();
        for (_, rule) in rules.filter(|(index, _)| turns.rules() >> index & 1 != 0) {
            let Action::Script { steps } = &rule.action else { return None };
            let [only] = steps.as_slice() else { return None };
            let has = |each: &Condition, pile: u8| matches!(each, Condition::Filled { piles, number: 1 } if piles.0 == 1 << pile);
            let has_none = |each: &Condition| matches!(each, Condition::Vacant { piles, number: 1 } if piles.0 == 1 << source);
            if !rule.then.is_empty() {
                return None;
            }
            match only {
                Step::Deal { from, to, each, .. }
                    if *from == source
                        && *to == [waste]
                        && step.is_none()
                        && *each > 0
                        && rule.when.iter().all(|each| has(each, source)) =>
                {
                    step = Some(u32::from(*each));
                }
                Step::Take {
                    from,
                    number: Quantity::All,
                    from_end: End::Top,
                    to,
                    to_end: End::Top,
                    reverse: true,
                    ..
                } if *from == waste
                    && *to == source
                    && rule.when.iter().all(|each| has_none(each) || has(each, waste))
                    && rule.when.iter().any(has_none) =>
                {
                    again = true;
                }
                _ => return None,
            }
        }
        let (source, waste) = (usize::from(source), usize::from(waste));
        let turned = root.pile(waste).iter().chain(root.pile(source).iter().rev());
        let order: Vec<u8> = turned.map(|&byte| card(byte)).collect();
        let mut place = [u8::MAX; CARDS];
        for (at, &each) in order.iter().enumerate() {
            place[usize::from(each)] = at as u8;
        }
        if order.len() > usize::from(program.places[waste].capacity) {
            return None;
        }
        let dealt = root.len(waste) as u8;
        let rules = turns.rules();
        Some(Self { source, waste, rules, step: step?, again, order, place, dealt })
    }

    /// Whether nothing that is taken keeps anything else from being reached.
    pub(super) const fn is_reserve(&self) -> bool {
        self.step == 1 && self.again
    }

    /// How many cards it has at the root.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// What is left of it at the root.
    pub(super) fn whole(&self) -> StockState {
        let places = (1u64 << self.order.len()) - 1;
        self.settled(StockState { places, dealt: self.dealt })
    }

    /// The same with the waste turned over, where it counts as empty.
    fn settled(&self, left: StockState) -> StockState {
        let dealt = u32::from(left.dealt);
        let is_begun = dealt % self.step != 0 && dealt != left.places.count_ones();
        if is_begun || !self.again { left } else { StockState { dealt: 0, ..left } }
    }

    /// All cards that are left.
    pub(super) fn cards(&self, left: StockState) -> u64 {
        ones(left.places).fold(0, |cards, place| cards | 1 << self.order[place])
    }

    /// The cards that can be reached.
    pub(super) fn reach(&self, left: StockState) -> u64 {
        let (all, dealt) = (left.places.count_ones(), u32::from(left.dealt));
        let mut reach = 0;
        for (place, count) in ones(left.places).zip(1..) {
            let comes_on = count >= dealt && (count == all || (count - dealt) % self.step == 0);
            let comes_anew = self.again && count % self.step == 0;
            if comes_on || comes_anew {
                reach |= 1 << self.order[place];
            }
        }
        reach
    }

    /// What is left after a card that can be reached was taken.
    pub(super) fn without(&self, left: StockState, taken: u8) -> StockState {
        let place = self.place[usize::from(taken)];
        let before = left.places & ((1 << place) - 1);
        let (places, dealt) = (left.places & !(1 << place), before.count_ones() as u8);
        self.settled(StockState { places, dealt })
    }
}
