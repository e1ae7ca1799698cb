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
//! *With a limit* the waste may be turned over some number of times. A card that can be reached
//! without turning it over is reached so: the state after taking it is the same but for the turns
//! over that are left, and more of them never harm. No other card is reached after two of them that
//! is not reached after one. So taking a card uses up one at most, and which states count as equal
//! does not change.
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
use crate::program::format::{
    Action, Compare, Condition, DealtTo, Effect, End, Quantity, Rule, Step,
};
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
    /// Whether the waste can be turned over again, without limit; and otherwise how often at the
    /// root.
    again: bool,
    redeals: u8,
    /// The cards in the order in which they are turned, and for each card its place there.
    order: Vec<u8>,
    place: P::Each<u8>,
    /// For each place the cards there and after it.
    following: Vec<P::Set>,
    /// The number of them on the waste at the root.
    dealt: u8,
}

/// The state of a stock: the places that still have their card, as a mask, these cards, and the
/// number of them on the waste.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::search::spaces) struct StockState<P: Packs> {
    pub(in crate::search::spaces) places: P::Set,
    pub(in crate::search::spaces) cards: P::Set,
    pub(in crate::search::spaces) dealt: u8,
    /// The place of the top card of the waste, or 0.
    top: u8,
    /// How often the waste can be turned over, if there is a limit.
    pub(in crate::search::spaces) redeals: u8,
}

impl<P: Packs> StockState<P> {
    /// The place of the top card of the waste, or 0, from the number of its cards.
    fn top_place(&self) -> u8 {
        let number = u32::from(self.dealt.saturating_sub(1));
        let place = self.places.nth(number).filter(|_| self.dealt > 0);
        place.unwrap_or(0) as u8
    }

    /// What is packed besides the sets.
    pub(super) const fn numbers(&self) -> [u8; 3] {
        [self.dealt, self.top, self.redeals]
    }

    /// Restores what was packed besides the sets.
    pub(super) const fn set_numbers(&mut self, numbers: [u8; 3]) {
        [self.dealt, self.top, self.redeals] = numbers;
    }
}

impl<P: Packs> Stock<P> {
    /// The stock of a program; none if it is turned in any other way.
    pub(crate) fn new(program: &Program, root: &State) -> Option<Self> {
        let turns = StockRules::new(program)?;
        let game = program.source();
        let (source, waste) = (game.source_pile, turns.waste());
        let (mut step, mut redeals) = (None, None);
        let rules = game.rules.iter().enumerate();
        for (_, rule) in rules.filter(|(index, _)| turns.rules() >> index & 1 != 0) {
            let Action::Script { steps } = &rule.action else { return None };
            let [only] = steps.as_slice() else { return None };
            let has = |each: &Condition, pile: u8| matches!(each, Condition::Filled { piles, number: 1 } if piles.0 == 1 << pile);
            let has_none = |each: &Condition| matches!(each, Condition::Vacant { piles, number: 1 } if piles.0 == 1 << source);
            match only {
                Step::Deal {
                    from, then, to, each, only: DealtTo::Any, apart: None, terms, ..
                } if *from == source
                    && terms.is_empty()
                    && then.is_empty()
                    && *to == [waste]
                    && step.is_none()
                    && *each > 0
                    && rule.effects.is_empty()
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
                    && redeals.is_none()
                    && rule.when.iter().any(has_none) =>
                {
                    let counted = |each: &&Condition| !has_none(each) && !has(each, waste);
                    let limits: Vec<&Condition> = rule.when.iter().filter(counted).collect();
                    redeals = Some(read_limit(program, root, rule, &limits)?);
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
            // With more packs the places are not needed: only `is_reserve` is asked for.
            if let Some(place) = place.as_mut().get_mut(usize::from(each)) {
                *place = at as u8;
            }
        }
        if order.len() > usize::from(program.places[waste].capacity) {
            return None;
        }
        let mut following = vec![P::Set::NONE; order.len() + 1];
        for (at, &each) in order.iter().enumerate().rev() {
            let is_known = usize::from(each) < P::CARDS;
            let here = if is_known { P::Set::of(each) } else { P::Set::NONE };
            following[at] = following[at + 1] | here;
        }
        let dealt = root.len(waste) as u8;
        let (rules, step) = (turns.rules(), step?);
        let again = redeals == Some(Redeals::Unlimited);
        let redeals = if let Some(Redeals::Left(number)) = redeals { number } else { 0 };
        Some(Self { source, waste, rules, step, again, redeals, order, place, following, dealt })
    }

    /// The same cards with single cards turned without limit, so that each can always be reached.
    pub(in crate::search::spaces) fn freed(&self) -> Self {
        Self { step: 1, again: true, redeals: 0, dealt: 0, ..self.clone() }
    }

    /// Whether taking a card never prevents another one from being reached.
    pub(crate) const fn is_reserve(&self) -> bool {
        self.step == 1 && self.again
    }

    /// Whether the waste can be turned over some number of times.
    pub(in crate::search::spaces) const fn has_redeals(&self) -> bool {
        self.redeals > 0
    }

    /// Whether the waste cannot be turned over without limit.
    pub(crate) const fn is_limited(&self) -> bool {
        !self.again
    }

    /// The top card of the waste, if there is a limit.
    pub(in crate::search::spaces) fn top(&self, left: StockState<P>) -> P::Set {
        if left.dealt == 0 { P::Set::NONE } else { P::Set::of(self.order[usize::from(left.top)]) }
    }

    /// The number of cards that have not been turned yet, if there is a limit.
    pub(in crate::search::spaces) fn rest(&self, left: StockState<P>) -> usize {
        if self.again { 0 } else { left.places.count() as usize - usize::from(left.dealt) }
    }

    /// The state after a turn, if there is one and a limit.
    pub(in crate::search::spaces) fn turned(&self, left: StockState<P>) -> Option<StockState<P>> {
        if self.rest(left) == 0 {
            let redeals = left.redeals.checked_sub(1).filter(|_| left.dealt > 0)?;
            return Some(StockState { dealt: 0, top: 0, redeals, ..left });
        }
        let dealt = (u32::from(left.dealt) + self.step).min(left.places.count());
        let mut left = StockState { dealt: dealt as u8, ..left };
        left.top = left.top_place();
        Some(left)
    }

    /// The number of its cards at the root.
    pub(in crate::search::spaces) fn len(&self) -> usize {
        self.order.len()
    }

    /// Its state at the root.
    pub(in crate::search::spaces) fn whole(&self) -> StockState<P> {
        let places = P::Set::first(self.order.len());
        let (cards, dealt, redeals) = (self.following[0], self.dealt, self.redeals);
        let top = dealt.saturating_sub(1);
        self.normalized(StockState { places, cards, dealt, top, redeals })
    }

    /// The state with the cards of some places left, and so many of them on the waste.
    pub(in crate::search::spaces) fn at(&self, places: P::Set, dealt: u8) -> StockState<P> {
        let cards = P::Set::union(places.cards().map(|place| P::Set::of(self.order[place])));
        let mut left = StockState { places, cards, dealt, ..StockState::default() };
        left.top = left.top_place();
        left
    }

    /// The same with an empty waste, if the waste counts as empty.
    fn normalized(&self, left: StockState<P>) -> StockState<P> {
        let dealt = u32::from(left.dealt);
        let is_begun = dealt % self.step != 0 && dealt != left.places.count();
        if is_begun || !self.again { left } else { StockState { dealt: 0, top: 0, ..left } }
    }

    /// The cards that can be reached.
    pub(in crate::search::spaces) fn reach(&self, left: StockState<P>) -> P::Set {
        if self.step == 1 && (self.again || left.redeals > 0) {
            return left.cards;
        }
        if self.step == 1 {
            // The top card of the waste, and all that follow.
            return left.cards & self.following[usize::from(left.top)];
        }
        let mut reach = P::Set::NONE;
        for (place, count) in left.places.cards().zip(1u32..) {
            let comes_anew = (self.again || left.redeals > 0) && count.is_multiple_of(self.step);
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
            _ if self.is_reserve() => left.cards,
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
        let comes_anew = !self.again && !self.comes_on(left, before.count() + 1);
        let redeals = left.redeals - u8::from(comes_anew);
        let cards = left.cards & !P::Set::of(taken);
        let top = before.highest().unwrap_or(0) as u8;
        self.normalized(StockState { places, cards, dealt, top, redeals })
    }
}

/// How often the waste can be turned over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Redeals {
    Unlimited,
    Left(u8),
}

/// How often a rule can turn the waste over, whose other conditions are given: none, or a counter
/// that it counts up to a limit. No other rule changes a counter of a rule that turns the stock.
fn read_limit(
    program: &Program,
    root: &State,
    rule: &Rule,
    limits: &[&Condition],
) -> Option<Redeals> {
    match (limits, rule.effects.as_slice()) {
        ([], []) => Some(Redeals::Unlimited),
        (
            [Condition::Counter { counter, compare: Compare::Below, number }],
            [Effect::Add { counter: counted, value: 1 }],
        ) if counter == counted => {
            let at = usize::from(*counter);
            let here = root.counters()[at];
            let is_reached = program.source().counters[at].cap >= *number;
            let left = u8::try_from(number.saturating_sub(here)).ok()?;
            is_reached.then_some(Redeals::Left(left))
        }
        _ => None,
    }
}
