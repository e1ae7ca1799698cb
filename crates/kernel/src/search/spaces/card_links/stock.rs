//! The stock in the card-links space: all its cards that can be reached by turning it can be
//! played.
//!
//! The stock is turned onto a waste, a fixed number of cards at a time, and the waste may be turned
//! over again without limit or not at all. `search/spaces/stock_macro.rs` proves that only the
//! turns right before a card of the waste is played matter. So a position consists of the cards
//! left, in the order in which they are turned, and the number of them on the waste. The cards that
//! can be reached are those that come to be its top card after some turns.
//!
//! *Positions that count as equal.* If the waste can be turned over again, it counts as empty when
//! some number of turns from an empty waste leads to it, or when the stock is empty. Proof: each of
//! the two positions can be reached from the other by turns alone (to the end, over, and on), so
//! both can be won or neither. If single cards are turned, the waste always counts as empty. Then
//! taking a card never prevents another one from being reached, and the stock is a reserve
//! (`reserve_macro.rs`) with one card per pile.
//!
//! Otherwise taking a card changes which others can be reached. So such cards do not go up
//! automatically, however safe they are (`spaces/safe_play.rs`): the search decides when to play
//! them. There is one exception.
//!
//! *The last card.* Suppose that the waste can be turned over again, and counts as empty. Then the
//! last card x can be taken at once without making any other card harder to reach. Proof: follow
//! any line without the move of x. As long as the line has not taken x, both stocks have the same
//! cards but for x at the end, and the same number of them on the waste. So each other card has the
//! same number from the beginning, and is reached if it is reached in the line. When the line takes
//! x, all other cards lie on its waste, which then counts as empty. Without x, the cards can be
//! turned until this is so.
//!
//! If the waste does not count as empty, taking x changes that. But a card that is reached only by
//! turning the waste over need not be taken while x can go up and is safe: right after turning it
//! over, x could go up first.
//!
//! *What can ever be reached.* A card that cannot be reached now may be reached once a card before
//! it or the next one after it was taken ([`Stock::uncovered`]). Proof: let the card y be reached
//! while all cards before it are left. So its number from the beginning is the same as now. If it
//! is reached anew, it is reached now; if it is the last one, the next one after it was taken. In
//! all other cases it is reached by going on from the place of the card that was taken last, which
//! lay after y, since otherwise y could be reached now. So y lies right before this place, and the
//! next card after y was taken.

use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::{Action, Condition, DealtTo, End, Quantity, Step};
use crate::search::spaces::card_links::packs::{CardSet, Packs, numbered};
use crate::search::spaces::stock_rules::StockRules;

/// How the stock is turned, and its cards at the root.
#[derive(Clone, Debug)]
pub(crate) struct Stock<P: Packs> {
    /// The piles.
    pub(crate) source: usize,
    pub(crate) waste: usize,
    /// The rules that turn the stock, as a mask.
    pub(in crate::search::spaces) rules: u128,
    /// The number of cards turned at a time.
    step: u32,
    /// Whether the waste can be turned over again, without limit.
    again: bool,
    /// The cards in the order in which they are turned, and for each card its place there.
    order: Vec<u8>,
    place: P::Each<u8>,
    /// The number of them on the waste at the root.
    dealt: u8,
}

/// The state of a stock: the places that still have their card, as a mask, and the number of these
/// cards on the waste.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::search::spaces) struct StockState<P: Packs> {
    pub(in crate::search::spaces) places: P::Set,
    pub(in crate::search::spaces) dealt: u8,
}

impl<P: Packs> Stock<P> {
    /// The stock of a program; none if it is turned in any other way.
    pub(crate) fn new(program: &Program, root: &State) -> Option<Self> {
        let turns = StockRules::new(program)?;
        let game = program.source();
        let (source, waste) = (game.source_pile, turns.waste());
        let (mut step, mut again) = (None, false);
        let rules = game.rules.iter().enumerate();
        for (_, rule) in rules.filter(|(index, _)| turns.rules() >> index & 1 != 0) {
            let Action::Script { steps } = &rule.action else { return None };
            let [only] = steps.as_slice() else { return None };
            let has = |each: &Condition, pile: u8| matches!(each, Condition::Filled { piles, number: 1 } if piles.0 == 1 << pile);
            let has_none = |each: &Condition| matches!(each, Condition::Vacant { piles, number: 1 } if piles.0 == 1 << source);
            if !rule.effects.is_empty() {
                return None;
            }
            match only {
                Step::Deal {
                    from, then, to, each, only: DealtTo::Any, apart: None, terms, ..
                } if *from == source
                    && terms.is_empty()
                    && then.is_empty()
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
                    end: End::Top,
                    to,
                    at: End::Top,
                    turned: true,
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
        let piles = numbered(root);
        let order: Vec<u8> =
            piles[waste].iter().chain(piles[source].iter().rev()).copied().collect();
        let mut place = P::each(u8::MAX);
        for (at, &each) in order.iter().enumerate() {
            // Other cards are told apart by nobody.
            if let Some(place) = place.as_mut().get_mut(usize::from(each)) {
                *place = at as u8;
            }
        }
        if order.len() > usize::from(program.places[waste].capacity) {
            return None;
        }
        let dealt = root.len(waste) as u8;
        let rules = turns.rules();
        Some(Self { source, waste, rules, step: step?, again, order, place, dealt })
    }

    /// The same cards with single cards turned without limit, so that each can always be reached.
    pub(in crate::search::spaces) fn freed(&self) -> Self {
        Self { step: 1, again: true, dealt: 0, ..self.clone() }
    }

    /// Whether taking a card never prevents another one from being reached.
    pub(crate) const fn is_reserve(&self) -> bool {
        self.step == 1 && self.again
    }

    /// Whether it is turned once only.
    pub(crate) const fn is_turned_once(&self) -> bool {
        !self.again
    }

    /// The top card of the waste, if the stock is turned once only.
    pub(in crate::search::spaces) fn top(&self, left: StockState<P>) -> P::Set {
        let place = left.dealt.checked_sub(1).and_then(|at| left.places.nth(u32::from(at)));
        place.map_or(P::Set::NONE, |place| P::Set::of(self.order[place]))
    }

    /// The number of cards that have not been turned yet, if the stock is turned once only.
    pub(in crate::search::spaces) fn rest(&self, left: StockState<P>) -> usize {
        if self.again { 0 } else { left.places.count() as usize - usize::from(left.dealt) }
    }

    /// The state after a turn, if the stock is turned once only.
    pub(in crate::search::spaces) fn turned(&self, left: StockState<P>) -> StockState<P> {
        let dealt = (u32::from(left.dealt) + self.step).min(left.places.count());
        StockState { dealt: dealt as u8, ..left }
    }

    /// The number of its cards at the root.
    pub(in crate::search::spaces) fn len(&self) -> usize {
        self.order.len()
    }

    /// Its state at the root.
    pub(in crate::search::spaces) fn whole(&self) -> StockState<P> {
        let places = P::Set::first(self.order.len());
        self.normalized(StockState { places, dealt: self.dealt })
    }

    /// The same with an empty waste, if the waste counts as empty.
    fn normalized(&self, left: StockState<P>) -> StockState<P> {
        let dealt = u32::from(left.dealt);
        let is_begun = dealt % self.step != 0 && dealt != left.places.count();
        if is_begun || !self.again { left } else { StockState { dealt: 0, ..left } }
    }

    /// The cards left.
    pub(in crate::search::spaces) fn cards(&self, left: StockState<P>) -> P::Set {
        P::Set::union(left.places.cards().map(|place| P::Set::of(self.order[place])))
    }

    /// The cards that can be reached.
    pub(in crate::search::spaces) fn reach(&self, left: StockState<P>) -> P::Set {
        let mut reach = P::Set::NONE;
        if self.step == 1 && !self.again {
            // The top card of the waste, and all that follow.
            let first = u32::from(left.dealt.saturating_sub(1));
            let passed = left.places.nth(first).map_or(P::Set::NONE, P::Set::first);
            for place in (left.places & !passed).cards() {
                reach |= P::Set::of(self.order[place]);
            }
            return reach;
        }
        for (place, count) in left.places.cards().zip(1..) {
            let comes_anew = self.again && count % self.step == 0;
            if comes_anew || self.comes_on(left, count) {
                reach |= P::Set::of(self.order[place]);
            }
        }
        reach
    }

    /// The cards that can be reached without turning the waste over.
    pub(in crate::search::spaces) fn reach_on(&self, left: StockState<P>) -> P::Set {
        let comes_on = |&(_, count): &(usize, u32)| self.comes_on(left, count);
        let cards = left.places.cards().zip(1..).filter(comes_on);
        P::Set::union(cards.map(|(place, _)| P::Set::of(self.order[place])))
    }

    /// Whether the card with a number among those left is reached without turning the waste over.
    #[inline]
    fn comes_on(&self, left: StockState<P>, count: u32) -> bool {
        let (all, dealt) = (left.places.count(), u32::from(left.dealt));
        count >= dealt && (count == all || (count - dealt).is_multiple_of(self.step))
    }

    /// The last card, if the waste can be turned over.
    pub(in crate::search::spaces) fn last(&self, left: StockState<P>) -> P::Set {
        let last = left.places.highest().filter(|_| self.again);
        last.map_or(P::Set::NONE, |place| P::Set::of(self.order[place]))
    }

    /// The cards that can be reached and whose taking keeps all others reachable.
    pub(in crate::search::spaces) fn indifferent(&self, left: StockState<P>) -> P::Set {
        match left.dealt {
            _ if self.is_reserve() => self.cards(left),
            0 => self.last(left),
            _ => P::Set::NONE,
        }
    }

    /// The cards that may be reached after some of those that can be taken were taken: all cards
    /// after one of them, and the one right before each.
    pub(in crate::search::spaces) fn uncovered(
        &self,
        left: StockState<P>,
        taken: P::Set,
    ) -> P::Set {
        let (mut uncovered, mut before, mut is_after) = (P::Set::NONE, P::Set::NONE, false);
        for place in left.places.cards() {
            let card = P::Set::of(self.order[place]);
            if !(taken & card).is_empty() {
                uncovered |= before;
                is_after = true;
            }
            if is_after {
                uncovered |= card;
            }
            before = card;
        }
        uncovered
    }

    /// The state after taking a card that can be reached.
    pub(in crate::search::spaces) fn without(
        &self,
        left: StockState<P>,
        taken: u8,
    ) -> StockState<P> {
        let place = self.place[usize::from(taken)];
        let before = left.places & P::Set::first(usize::from(place));
        let (places, dealt) = (left.places & !P::Set::of(place), before.count() as u8);
        self.normalized(StockState { places, dealt })
    }
}
