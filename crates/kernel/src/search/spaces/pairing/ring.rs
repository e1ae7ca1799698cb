//! The stock, the waste, and the places beside them: cards that stay in one order.

use crate::program::format::{
    Action, Compare, Condition, Effect, End, Face, MoveAction, Quantity, Rule, Step, Unit,
};
use crate::search::spaces::plain_deal::plain_deal;

/// How often the waste is dealt again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Redeals {
    /// As long as the counter is below the number.
    Below {
        /// The counter.
        counter: u8,
        /// The number.
        number: u16,
    },
    /// Without limit.
    Unlimited,
}

/// The piles of stock and waste.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ring {
    pub(crate) stock: u8,
    pub(crate) waste: u8,
    /// The pile between them, if there is one. It is always refilled.
    pub(crate) tray: Option<u8>,
    /// The pile that gets the bottom card of the waste.
    pub(crate) tail: Option<u8>,
    /// How many cards are dealt at a time.
    pub(crate) each: u16,
    pub(crate) redeals: Option<Redeals>,
    /// Whether the top two cards of the waste may leave together.
    pub(crate) deep: bool,
}

impl Ring {
    /// The ring of some rules that move no card to the sink; none if they are other rules.
    pub(crate) fn new(rules: &[&Rule], cards: usize, pack: u64) -> Option<Self> {
        let refilled = |rule: &Rule| refilled(rule, cards, pack);
        let mut ring = Self::default();
        let deals: Vec<(u8, u8, u16)> = rules.iter().filter_map(|rule| plain_deal(rule)).collect();
        let [(from, waste, each)] = deals[..] else { return None };
        ring.waste = waste;
        ring.each = each;
        let filled: Vec<(u8, u8)> = rules.iter().filter_map(|rule| refilled(rule)).collect();
        match filled[..] {
            [] => ring.stock = from,
            [(stock, tray)] if tray == from && each == 1 => {
                ring.stock = stock;
                ring.tray = Some(tray);
            }
            _ => return None,
        }
        for rule in rules {
            if let Some((from, to)) = tailed(rule) {
                if from != ring.waste || ring.tail.is_some() {
                    return None;
                }
                ring.tail = Some(to);
            } else if plain_deal(rule).is_none() && refilled(rule).is_none() {
                if ring.redeals.is_some() {
                    return None;
                }
                ring.redeals = Some(ring.redealt(rule)?);
            } else if !rule.when.iter().all(|condition| ring.asks_for_stock(condition)) {
                return None;
            }
        }
        let piles = ring.piles();
        let is_plain = piles.count_ones()
            == 2 + u32::from(ring.tray.is_some()) + u32::from(ring.tail.is_some());
        (is_plain && !(ring.tail.is_some() && (ring.tray.is_some() || ring.redeals.is_some())))
            .then_some(ring)
    }

    /// All its piles.
    pub(crate) fn piles(&self) -> u128 {
        let pile = |pile: Option<u8>| pile.map_or(0, |pile| 1u128 << pile);
        1 << self.stock | 1 << self.waste | pile(self.tray) | pile(self.tail)
    }

    /// The piles with cards that were not dealt.
    fn undealt(&self) -> u128 {
        1 << self.stock | self.tray.map_or(0, |tray| 1 << tray)
    }

    fn asks_for_stock(&self, condition: &Condition) -> bool {
        matches!(condition, Condition::Filled { piles, number: 1 } if piles.0 == 1 << self.stock)
            && self.tray.is_none()
    }

    /// How often a rule redeals the waste; none if it does something else.
    fn redealt(&self, rule: &Rule) -> Option<Redeals> {
        let Action::Script { steps } = &rule.action else { return None };
        let turns_over = match &steps[..] {
            [
                Step::Take {
                    from,
                    number: Quantity::All,
                    end: End::Top,
                    to,
                    at: _,
                    turned: true,
                    face: _,
                },
            ] => (*from, *to) == (self.waste, self.stock),
            [Step::Gather { piles, to, at: _, turned: true, face: _, keep: None }] => {
                piles[..] == [self.waste] && *to == self.stock
            }
            _ => false,
        };
        if !turns_over || rule.forced {
            return None;
        }
        let (mut is_over, mut limit) = (false, None);
        for condition in &rule.when {
            match condition {
                Condition::Vacant { piles, number }
                    if piles.0 == self.undealt() && u32::from(*number) == piles.0.count_ones() =>
                {
                    is_over = true;
                }
                Condition::Filled { piles, number: 1 } if piles.0 == 1 << self.waste => {}
                Condition::Counter { counter, compare: Compare::Below, number }
                    if limit.is_none() =>
                {
                    limit = Some((*counter, *number));
                }
                _ => return None,
            }
        }
        let redeals = match (limit, &rule.effects[..]) {
            (None, []) => Redeals::Unlimited,
            (Some((counter, number)), [Effect::Add { counter: other, value: 1 }])
                if counter == *other =>
            {
                Redeals::Below { counter, number }
            }
            _ => return None,
        };
        is_over.then_some(redeals)
    }
}

/// The stock and the tray of a rule that refills it, in a game of so many cards, which are these.
fn refilled(rule: &Rule, cards_in_game: usize, pack: u64) -> Option<(u8, u8)> {
    let Action::Move(action) = &rule.action else { return None };
    // All fields are named, so that a new one is not overlooked.
    let MoveAction {
        from,
        yields_to,
        to,
        along,
        from_holds,
        to_holds: [0, 0],
        cards: Unit::Count { number: 1 },
        which,
        build: None,
        space,
        build_order: false,
        first_vacant: _,
        prefer: None,
        beaten_by: None,
        laid_one_by_one: _,
        face: Face::Up,
        choose: _,
        asks,
        beside: None,
        by_top: false,
    } = action
    else {
        return None;
    };
    let (&[from], &[to]) = (&from[..], &to[..]) else { return None };
    let is_plain = yields_to[0].0 == 0
        && along[0].0 >> to & 1 != 0
        && from_holds[0] <= 1
        && usize::from(from_holds[1]) >= cards_in_game
        && pack & !(which.0 & space.0) == 0
        && asks.is_empty();
    (is_plain && rule.forced && rule.when.is_empty() && rule.effects.is_empty())
        .then_some((from, to))
}

/// The waste and the tail of a rule that fills the tail.
fn tailed(rule: &Rule) -> Option<(u8, u8)> {
    let Action::Script { steps } = &rule.action else { return None };
    let [
        Step::Take {
            from,
            number: Quantity::Fixed { number: 1 },
            end: End::Bottom,
            to,
            at: _,
            turned: _,
            face: Face::Keep | Face::Up,
        },
    ] = &steps[..]
    else {
        return None;
    };
    let [Condition::Vacant { piles, number: 1 }] = &rule.when[..] else { return None };
    (rule.forced && rule.effects.is_empty() && piles.0 == 1 << to).then_some((*from, *to))
}
