//! Changes of places, and undo.
//!
//! Each change updates all parts of a position: the top cards and empty piles of the zones, the
//! cards that are up and those that foundations want, the key and the score, the state of the
//! stock, and which cards lie face down.

use crate::search::spaces::card_links::packs::{CardSet, Packs};
use crate::search::spaces::card_links::space::{CardLinksSpace, NONE};
use crate::search::spaces::card_links::step::Change;
use crate::search::spaces::card_links::stock::{Stock, StockState};
use crate::search::spaces::card_links::tables::Refill;

impl<P: Packs> CardLinksSpace<'_, P> {
    /// Moves a card, with the cards on it, to another place.
    #[inline]
    pub(super) fn place(&mut self, card: u8, to: u8) {
        let from = self.below[usize::from(card)];
        let mut change = Change {
            card,
            top: card,
            from,
            to,
            from_zone: NONE,
            to_zone: NONE,
            lowest: self.lowest[usize::from(card)],
            wanted: self.wanted,
            down: self.down,
            left: self.left,
        };
        if from == P::UP {
            self.up ^= P::Set::of(card);
            self.key = self.key.wrapping_sub(self.keys.link(usize::from(card), P::UP));
        } else {
            self.keys.save(card);
            change.top = self.top_of(card);
            let zone = self.zone_of(change.top);
            change.from_zone = zone as u8;
            self.leave(card, change.top, zone);
        }
        if to == P::UP {
            self.above_is(from, NONE);
            self.below[usize::from(card)] = P::UP;
            self.up ^= P::Set::of(card);
            self.key = self.key.wrapping_add(self.keys.link(usize::from(card), P::UP));
        } else {
            let zone = if to < P::BASE { self.zone_of(to) } else { usize::from(to - P::BASE) };
            change.to_zone = zone as u8;
            self.above_is(from, NONE);
            self.below[usize::from(card)] = to;
            self.above_is(to, card);
            self.join(card, change.top, zone);
        }
        if from == P::UP || to == P::UP {
            let height = usize::from(self.tables.order.height[usize::from(card)]);
            self.want(height);
            self.want(height + 1);
        }
        self.changes.push(change);
    }

    /// The key after a card moves, if nothing else changes: the stock stays the same, no card is
    /// turned up, no pile is filled at once, and none goes up automatically.
    ///
    /// Before a step all automatic moves have been played. A step that plays nothing to foundations
    /// changes neither the cards that are up nor those that are wanted. So only two cards can go up
    /// automatically after it: the card that it uncovers, if that is wanted, and the moved card
    /// itself, from a zone whose cards may go to foundations.
    #[inline]
    pub(super) fn key_with(&self, card: u8, to: u8) -> Option<u128> {
        let at = usize::from(card);
        let below = self.below[at];
        if to == P::UP || to == P::ABSENT || below == P::UP || self.above[at] != NONE {
            return None;
        }
        if !self.changes_nothing_else(card) {
            return None;
        }
        let keys = &self.keys;
        let pile = |top: u8| if top < P::BASE { keys.pile(usize::from(top)) } else { 0 };
        let zone = if to < P::BASE { self.zone_of(to) } else { usize::from(to - P::BASE) };
        let key = self.key.wrapping_sub(keys.link(at, below)).wrapping_add(keys.link(at, to));
        let key = key.wrapping_sub(keys.pile(at)).wrapping_add(pile(below));
        Some(key.wrapping_sub(pile(to)).wrapping_add(keys.pile_with(at, to, zone)))
    }

    /// Whether nothing else changes if a card moves, unless to a foundation.
    #[inline]
    pub(super) fn changes_nothing_else(&self, card: u8) -> bool {
        let below = self.below[usize::from(card)];
        let is_plain = if below < P::BASE {
            !(self.down | self.wanted).has(below)
        } else {
            let zone = usize::from(below - P::BASE);
            let is_filled =
                |refill: Refill| zone == refill.to && !self.tops[refill.from].is_empty();
            zone != self.tables.waste && !self.tables.refill.is_some_and(is_filled)
        };
        is_plain && !self.wanted.has(card)
    }

    /// Stores which card lies on another, if that is a card.
    #[inline]
    fn above_is(&mut self, below: u8, card: u8) {
        if below < P::BASE {
            self.above[usize::from(below)] = card;
        }
    }

    /// Removes a unit from the counts of its zone, the key and the score.
    #[inline]
    fn leave(&mut self, card: u8, top: u8, zone: usize) {
        let below = self.below[usize::from(card)];
        self.tops[zone] &= !P::Set::of(top);
        self.key = self.key.wrapping_sub(self.keys.pile(usize::from(top)));
        if below < P::BASE {
            self.tops[zone] |= P::Set::of(below);
            if self.down.has(below) {
                self.turn_up(usize::from(below), zone);
            }
            self.key = self.key.wrapping_add(self.keys.pile(usize::from(below)));
        } else {
            self.empty[zone] += 1;
            if zone == self.tables.waste {
                self.draw(card);
            }
        }
        self.key = self.key.wrapping_sub(self.keys.link(usize::from(card), below));
        let mut at = card;
        loop {
            self.score -= self.card_score(usize::from(at));
            if at == top {
                break;
            }
            at = self.above[usize::from(at)];
        }
    }

    /// Turns up a card on which nothing lies any more.
    fn turn_up(&mut self, card: usize, zone: usize) {
        self.score -= self.card_score(card);
        self.down &= !P::Set::of(card);
        self.score += self.card_score(card);
        self.key = self.key.wrapping_sub(self.keys.face(card));
        self.chain(card, zone);
    }

    /// The cards of the stock that can be played.
    pub(super) fn reach(&self, stock: &Stock<P>) -> P::Set {
        if self.turns_singly { stock.top(self.left) } else { stock.reach(self.left) }
    }

    /// Turns the stock.
    pub(super) fn turn(&mut self) {
        if let Some(stock) = &self.tables.stock {
            self.turn_to(stock.turned(self.left).unwrap_or(self.left));
        }
    }

    /// Changes the state of the stock.
    pub(super) fn turn_to(&mut self, left: StockState<P>) {
        let Some(stock) = &self.tables.stock else { return };
        self.key = self.key.wrapping_sub(self.keys.stock(self.left));
        self.left = left;
        self.key = self.key.wrapping_add(self.keys.stock(self.left));
        self.tops[self.tables.waste] = self.reach(stock);
    }

    /// Takes a card that can be reached from the stock.
    fn draw(&mut self, card: u8) {
        if let Some(stock) = &self.tables.stock {
            self.turn_to(stock.without(self.left, card));
        }
    }

    /// Adds a unit at its new place to the counts of its zone, the key and the score.
    #[inline]
    fn join(&mut self, card: u8, top: u8, zone: usize) {
        let below = self.below[usize::from(card)];
        if below < P::BASE {
            self.tops[zone] &= !P::Set::of(below);
            self.key = self.key.wrapping_sub(self.keys.pile(usize::from(below)));
        } else {
            self.empty[zone] -= 1;
        }
        self.tops[zone] |= P::Set::of(top);
        let mut at = card;
        loop {
            self.chain(usize::from(at), zone);
            self.score += self.card_score(usize::from(at));
            if at == top {
                break;
            }
            at = self.above[usize::from(at)];
        }
        self.key = self.key.wrapping_add(self.keys.link(usize::from(card), below));
        self.key = self.key.wrapping_add(self.keys.pile(usize::from(top)));
    }

    /// Undoes the last change, except the key and the score.
    #[inline]
    pub(super) fn unplace(&mut self) {
        let Some(change) = self.changes.pop() else { return };
        let Change { card, top, from, to, from_zone, to_zone, lowest, .. } = change;
        let Change { wanted, down, left, .. } = change;
        if to == P::UP {
            self.up ^= P::Set::of(card);
        } else {
            let zone = usize::from(to_zone);
            self.tops[zone] &= !P::Set::of(top);
            if to < P::BASE {
                self.tops[zone] |= P::Set::of(to);
                self.above[usize::from(to)] = NONE;
            } else {
                self.empty[zone] += 1;
            }
        }
        self.below[usize::from(card)] = from;
        if from == P::UP {
            self.up ^= P::Set::of(card);
        } else {
            let zone = usize::from(from_zone);
            if from < P::BASE {
                self.tops[zone] &= !P::Set::of(from);
                self.above[usize::from(from)] = card;
            } else {
                self.empty[zone] -= 1;
            }
            self.tops[zone] |= P::Set::of(top);
            if down != self.down {
                self.down = down;
                self.chain(usize::from(from), zone);
            }
            if zone == self.tables.waste
                && let Some(stock) = &self.tables.stock
            {
                self.left = left;
                self.tops[zone] = self.reach(stock);
            }
            self.lowest[usize::from(card)] = lowest;
            self.lower[usize::from(card)] =
                if from < P::BASE { self.lower[usize::from(from)] } else { P::Set::NONE }
                    | P::Set::of(card);
            self.keys.restore(card);
            let mut at = card;
            while at != top {
                at = self.above[usize::from(at)];
                self.chain(usize::from(at), zone);
            }
        }
        self.wanted = wanted;
    }
}
