//! Rearrangements: on which of several cards that take the same ones a built card lies.
//!
//! Single cards move. Two cards are *alike* if the same cards can be built on them. A card is
//! *loose* if it is built on a card of the tableau, one that is alike to that lies free, and any
//! card on it is loose, too. Positions that differ only in which of the cards that are alike the
//! loose cards lie on are a *class*. They have the same key, and steps lead from one position of a
//! class to each other class that any of its positions leads to. So one position of each class is
//! searched.
//!
//! *From each position of a class the others can be reached.* A loose card c with nothing on it can
//! move to the free card that is alike to the one under it. Then that one is free instead, so such
//! moves change neither which cards are loose nor the number of free cards of each kind. With a
//! loose card u on it, c can move as well: u goes to a free card that is alike to c, in the same
//! way, c moves, and u goes back on c. That free card does not lie on c, since no card can come to
//! lie on one alike by building. With one free card every arrangement of the others can be brought
//! about, as in a sliding puzzle in which each piece can jump into the gap. So begin with the cards
//! that lie lowest: bring each to where it lies in the other position, then those that lie on them,
//! and so on. Hence all positions of a class can be won, or none can.
//!
//! *The steps reach all next classes.* Call the cards of a kind that are free or hold a loose card
//! its *places*. All positions of a class have the same places, and if n of them are free, so they
//! are in each of its positions. Take any move of any position of the class, and the current one.
//!
//! - A card that lies free in that position is free here, or all cards on it are loose. Then these
//!   move aside first, to a card that is alike.
//! - A card that is put on another one in that position finds a free card here that is alike to
//!   that one. Afterwards, if a card of the kind is still free, the moved card is loose, so it does
//!   not matter on which one it went. If none is free, it matters, and so it does for the other
//!   cards that were loose on cards of the kind. So there is a step for each arrangement of all of
//!   these: the moved card and the others, each on a place of its own.
//! - The same holds if a card leaves the tableau and was the last free one of its kind: there is a
//!   step for each arrangement of the cards that were loose on others of the kind.
//! - A card that is no longer loose fixes the one that it lies on. If that was loose, there is a
//!   step for each place of its kind that it could lie on, and so on downwards.
//! - A move of a loose card to a card that is alike to the one under it does not leave the class.
//!
//! A chain of `reserve_macro.rs` is put down like its first card, and the card that covers it is
//! freed in the same way. If a card of the chain cannot move again from the one below it, because
//! no card alike is free, it fixes that one, and so the first card of the chain.
//!
//! *A win is found if there is one.* Give each class the smallest pair of numbers of which a line
//! to a win has the first and the second, from any of its positions: of the moves that do not move
//! a loose card to a card alike, and of all moves. The first move of that line leaves the class, as
//! the line would be shorter without it, and leads to a class with a smaller pair. The proofs of
//! `safe_play.rs` and `reserve_macro.rs` make neither number larger: they drop moves, put some off,
//! or send a card up that would go up later anyway.
//!
//! *Preconditions* ([`Tables::rearranged_kinds`]). One pack, no stock, no face-down cards, and
//! nothing comes back from foundations or fills piles at once. One zone is built on, in one way
//! wherever the cards come from, and its cards can move within it. The cards that a card can be
//! built on are alike, and no card can come to lie on itself by building.

use crate::search::spaces::card_links::kinds::Kinds;
use crate::search::spaces::card_links::packs::{CardSet, Packs};
use crate::search::spaces::card_links::space::{CardLinksSpace, NONE};
use crate::search::spaces::card_links::step::Step;
use crate::search::spaces::card_links::tables::{MoveUnit, Tables};

impl<P: Packs> Tables<P> {
    /// The kinds of the zone in which cards can be rearranged; none if that is of no use, or might
    /// do harm.
    pub(super) fn rearranged_kinds(&self) -> Option<Kinds<P>> {
        let is_simple = P::COPIES == 1
            && !self.has_units
            && self.stock.is_none()
            && self.refill.is_none()
            && self.returns.is_empty()
            && self.down.is_empty();
        let mut built = self.routes.iter().filter(|route| !route.builds.is_empty());
        let own = built.clone().find(|route| route.from == route.to)?;
        let is_uniform = built.all(|route| route.to == own.to && route.under == own.under);
        let kinds = Kinds::new(own.to, &own.under, self.order.pack);
        kinds.filter(|_| is_simple && is_uniform && own.unit == MoveUnit::Top)
    }
}

/// Choices one after the other, which are made in all ways in turn.
#[derive(Default)]
struct Choices {
    /// What was chosen, and the number of possibilities.
    made: Vec<(u32, u32)>,
    next: usize,
}

impl Choices {
    /// The next one of several possibilities.
    fn choose(&mut self, possibilities: u32) -> u32 {
        if self.next == self.made.len() {
            self.made.push((0, possibilities));
        }
        self.next += 1;
        self.made[self.next - 1].0
    }

    /// The choices as one number, whose last digit is the first choice; none if it is too large.
    fn number(&self) -> Option<u32> {
        let add = |number: u32, &(chosen, possibilities): &(u32, u32)| {
            number.checked_mul(possibilities)?.checked_add(chosen)
        };
        self.made.iter().rev().try_fold(0, add)
    }

    /// Goes on to the next way, and returns whether there is one.
    fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some((chosen, possibilities)) = self.made.last_mut() {
            *chosen += 1;
            if chosen < possibilities {
                return true;
            }
            self.made.pop();
        }
        false
    }
}

impl<P: Packs> CardLinksSpace<'_, P> {
    /// The free cards of the zone that are alike to a card.
    #[inline]
    fn free_like(&self, kinds: &Kinds<P>, card: u8) -> P::Set {
        kinds.alike[usize::from(card)] & self.tops[kinds.zone]
    }

    /// The card that a card of the zone lies on, if it is loose once nothing lies on it.
    #[inline]
    fn loose_on(&self, kinds: &Kinds<P>, card: u8) -> Option<u8> {
        let below = self.below[usize::from(card)];
        let is_loose = below < P::BASE
            && kinds.under[usize::from(card)].has(below)
            && !self.free_like(kinds, below).is_empty();
        is_loose.then_some(below)
    }

    /// What the key gains if a card counts as loose, not as linked to the card below it.
    #[inline]
    fn loosened(&self, card: u8, below: u8) -> u128 {
        let card = usize::from(card);
        self.keys.loose(card).wrapping_sub(self.keys.link(card, below))
    }

    /// Updates which cards are loose.
    #[inline]
    pub(super) fn find_loose_cards(&mut self) {
        let Some(kinds) = self.kinds else { return };
        (self.loose, self.loose_key) = (P::Set::NONE, 0);
        for top in self.tops[kinds.zone].cards() {
            let mut card = top as u8;
            while let Some(below) = self.loose_on(kinds, card) {
                self.loose |= P::Set::of(card);
                self.loose_key = self.loose_key.wrapping_add(self.loosened(card, below));
                card = below;
            }
            if usize::from(card) != top {
                let [pile, rest] = [top, usize::from(card)].map(|card| self.keys.pile(card));
                self.loose_key = self.loose_key.wrapping_sub(pile).wrapping_add(rest);
            }
        }
    }

    /// The cards of a zone that lie free in some position of the class.
    #[inline]
    pub(super) fn can_lie_free(&self, zone: usize) -> P::Set {
        let free = self.tops[zone];
        match self.kinds {
            Some(kinds) if kinds.zone == zone => free | self.under_loose_cards(self.loose),
            _ => free,
        }
    }

    /// The cards that some loose cards lie on.
    #[inline]
    fn under_loose_cards(&self, cards: P::Set) -> P::Set {
        P::Set::union(cards.cards().map(|card| P::Set::of(self.below[card])))
    }

    /// Lists the steps of some cards to free cards of the tableau.
    #[inline]
    pub(super) fn list_on(&self, step: Step<P>, targets: P::Set, steps: &mut Vec<Step<P>>) {
        if self.kinds.is_none() {
            steps.extend(targets.cards().map(|to| step.to(to as u8)));
            return;
        }
        // A loose card alone would not leave the class.
        let is_within_class = step.is_single() && self.loose.has(step.first());
        if !targets.is_empty() && !is_within_class {
            self.list_arranged(step.to(targets.lowest()), steps);
        }
    }

    /// Lists a step for each arrangement that matters after it.
    #[inline]
    pub(super) fn list_arranged(&self, step: Step<P>, steps: &mut Vec<Step<P>>) {
        let Some(kinds) = self.kinds else {
            steps.push(step);
            return;
        };
        let mut choices = Choices::default();
        loop {
            let (to, _) = self.arranged(kinds, step, &mut |number| choices.choose(number));
            let order = choices.number().unwrap_or(u32::MAX).min(Step::<P>::LAST_ORDER);
            steps.push(step.to(to).in_order(order));
            // Nothing comes after the limit.
            if order == Step::<P>::LAST_ORDER || !choices.advance() {
                return;
            }
        }
    }

    /// The target of a step, and an arrangement of the cards that are fixed after it: each with the
    /// place that it comes to lie on. Calls a function for each choice, with the number of places.
    fn arranged(
        &self,
        kinds: &Kinds<P>,
        step: Step<P>,
        choose: &mut impl FnMut(u32) -> u32,
    ) -> (u8, Vec<(u8, u8)>) {
        let mut choose = |places: P::Set| {
            places.nth(choose(places.count())).expect("there is a free place") as u8
        };
        let (card, mut to) = (step.first(), step.target());
        let is_built = to < P::BASE;
        let kind = if is_built { to } else { card };
        let is_last = self.free_like(kinds, kind).count() == 1;
        let is_plain = if is_built {
            !is_last && !self.stays_put(kinds, step)
        } else {
            !is_last
                || to == P::BASE + kinds.zone as u8
                || !self.tops[kinds.zone].has(self.topmost(usize::from(card)))
        };
        let mut arrangement = Vec::new();
        if is_plain {
            let to = if is_built { self.free_like(kinds, kind).lowest() } else { to };
            return (to, arrangement);
        }
        if is_built {
            to = choose(self.places(kinds, kind));
        }
        if is_last {
            let taken = if is_built { to } else { card };
            let mut places = self.places(kinds, kind) & !P::Set::of(taken);
            for loose in (self.loose & kinds.over[usize::from(kind)]).cards() {
                let place = choose(places);
                places &= !P::Set::of(place);
                arrangement.push((loose as u8, place));
            }
        }
        let mut fixed = Some(to).filter(|_| is_built);
        let mut done = 0;
        loop {
            if let Some(card) = fixed.filter(|&card| self.loose.has(card)) {
                let taken = arrangement.iter().map(|&(_, place)| P::Set::of(place));
                let places = self.places(kinds, self.below[usize::from(card)]);
                arrangement.push((card, choose(places & !P::Set::union(taken))));
            }
            let Some(&(_, place)) = arrangement.get(done) else { return (to, arrangement) };
            fixed = Some(place);
            done += 1;
        }
    }

    /// The cards of the kind of a card that are free or hold a loose card.
    fn places(&self, kinds: &Kinds<P>, card: u8) -> P::Set {
        let loose = self.loose & kinds.over[usize::from(card)];
        self.free_like(kinds, card) | self.under_loose_cards(loose)
    }

    /// Whether a card of a chain cannot move again from the one below it.
    fn stays_put(&self, kinds: &Kinds<P>, step: Step<P>) -> bool {
        let is_fixed = |lower: u8, upper: u8| {
            let below = self.below[usize::from(upper)];
            let frees_one = below < P::BASE && kinds.under[usize::from(upper)].has(below);
            !frees_one && self.free_like(kinds, lower).is_empty()
        };
        step.cards().zip(step.cards().skip(1)).any(|(lower, upper)| is_fixed(lower, upper))
    }

    /// Moves loose cards as a step requires. Returns false if it has too many arrangements.
    #[inline]
    pub(super) fn rearrange(&mut self, step: Step<P>) -> bool {
        let Some(kinds) = self.kinds else { return true };
        let mut order = step.order();
        if order == Step::<P>::LAST_ORDER {
            return false;
        }
        let (_, arrangement) = self.arranged(kinds, step, &mut |number| {
            let chosen = order % number;
            order /= number;
            chosen
        });
        if self.below[usize::from(step.first())] != P::UP {
            self.free(kinds, step.first());
        }
        // The lowest ones first.
        for (card, place) in arrangement.into_iter().rev() {
            if self.below[usize::from(card)] != place {
                self.free(kinds, place);
                self.move_loose(kinds, card, place);
            }
        }
        if step.target() < P::BASE {
            self.free(kinds, step.target());
        }
        true
    }

    /// Moves a loose card away that lies on a card.
    #[inline]
    fn free(&mut self, kinds: &Kinds<P>, card: u8) {
        let upper = self.above[usize::from(card)];
        if upper != NONE {
            self.move_loose(kinds, upper, self.free_like(kinds, card).lowest());
        }
    }

    /// Moves a loose card, with those on it, to a free card.
    fn move_loose(&mut self, kinds: &Kinds<P>, card: u8, to: u8) {
        let upper = self.above[usize::from(card)];
        self.free(kinds, card);
        self.place(card, to);
        if upper != NONE {
            self.move_loose(kinds, upper, card);
        }
    }

    /// The key of the class after a step of one card, if nothing else changes, no arrangement
    /// matters, and no other card becomes loose or fixed than the moved one and those that lie
    /// under it.
    pub(super) fn class_key_with(&self, kinds: &Kinds<P>, step: Step<P>) -> Option<u128> {
        let (card, to) = (step.first(), step.target());
        let (at, below) = (usize::from(card), self.below[usize::from(card)]);
        if to == P::UP || step.order() != 0 || !self.changes_nothing_else(card) {
            return None;
        }
        let is_inside = self.above[at] != NONE || self.tops[kinds.zone].has(card);
        let is_built = to < P::BASE;
        let goes_inside = is_built || to == P::BASE + kinds.zone as u8;
        let has_others = |kind: u8| self.free_like(kinds, kind).count() > 1;
        if is_built && !has_others(to)
            || is_inside && !goes_inside && !has_others(card)
            || !is_inside && goes_inside && self.would_loosen(kinds, card)
        {
            return None;
        }
        let keys = &self.keys;
        let mut key = self.key.wrapping_add(self.loose_key);
        let is_loose = self.loose.has(card);
        if is_loose {
            key = key.wrapping_sub(keys.loose(at));
        } else {
            key = key.wrapping_sub(keys.pile(at)).wrapping_sub(keys.link(at, below));
            if below < P::BASE {
                if is_inside && self.would_loosen(kinds, below) {
                    return None;
                }
                let mut top = below;
                while let Some(lower) = self.loose_on(kinds, top).filter(|_| is_inside) {
                    key = key.wrapping_add(self.loosened(top, lower));
                    top = lower;
                }
                key = key.wrapping_add(keys.pile(usize::from(top)));
            }
        }
        Some(if is_built {
            key.wrapping_add(keys.loose(at))
        } else {
            let zone = usize::from(to - P::BASE);
            key.wrapping_add(keys.link(at, to)).wrapping_add(keys.pile_with(at, to, zone))
        })
    }

    /// Whether other cards would become loose if a card became free.
    #[inline]
    fn would_loosen(&self, kinds: &Kinds<P>, card: u8) -> bool {
        let alike = kinds.alike[usize::from(card)] & !self.up & !P::Set::of(card);
        let holds_built_card = |at: usize| {
            let upper = self.above[at];
            upper != NONE && kinds.over[at].has(upper)
        };
        self.free_like(kinds, card).is_empty() && alike.cards().any(holds_built_card)
    }
}
