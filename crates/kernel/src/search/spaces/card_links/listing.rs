//! The list of the steps of a position.

use crate::search::spaces::card_links::packs::{CardSet, Packs};
use crate::search::spaces::card_links::space::CardLinksSpace;
use crate::search::spaces::card_links::step::Step;
use crate::search::spaces::card_links::tables::{MoveUnit, Route};

impl<P: Packs> CardLinksSpace<'_, P> {
    /// Lists the steps from the current position.
    pub(super) fn list_steps(&self, steps: &mut Vec<Step<P>>) {
        let zones = (0..self.tables.zones).filter(|&zone| self.tables.reaches_foundation[zone]);
        let free = P::Set::union(zones.map(|zone| self.can_lie_free(zone)));
        for card in (self.wanted & free).cards() {
            self.list_arranged(Step::of(card as u8, P::UP), steps);
        }
        for route in &self.tables.routes {
            if self.prunings.reserve_macro && self.tables.reserves[route.from] {
                continue;
            }
            let is_plain = !self.prunings.reserve_macro && self.kinds.is_none();
            if route.unit == MoveUnit::Top && is_plain {
                self.list_tops(route, steps);
                continue;
            }
            for top in self.can_lie_free(route.from).cards() {
                self.list_unit(route, top, top, steps);
                let mut card = top;
                loop {
                    let below = self.below[card];
                    let hangs = below < P::BASE
                        && !self.down.has(below)
                        && match route.unit {
                            MoveUnit::Top => false,
                            MoveUnit::Packet => true,
                            MoveUnit::Run(relation) => {
                                let relation = &self.program.relations[usize::from(relation)];
                                relation.over[P::face(below)].has(P::face(card))
                            }
                        };
                    if !hangs {
                        break;
                    }
                    card = usize::from(below);
                    self.list_unit(route, card, top, steps);
                }
            }
        }
        if !self.tables.returns.is_empty() && !self.prunings.greedy_play {
            self.list_returns(steps);
        }
        if let Some(stock) = self.tables.stock.as_ref().filter(|_| self.turns_singly)
            && stock.turned(self.left).is_some()
        {
            steps.push(Step::turn());
        }
    }

    /// Lists the targets of a unit with a certain lowest card on a route.
    #[inline]
    pub(super) fn list_unit(
        &self,
        route: &Route<P>,
        card: usize,
        top: usize,
        steps: &mut Vec<Step<P>>,
    ) {
        let targets = route.under[card] & self.tops[route.to] & !P::Set::of(top);
        self.list_on(Step::cover(card as u8), targets & !self.needless(route, card), steps);
        let is_whole = usize::from(self.below[card]) == usize::from(P::BASE) + route.to;
        if self.empty[route.to] > 0 && route.space.has(card) && !is_whole {
            self.list_arranged(Step::of(card as u8, P::BASE + route.to as u8), steps);
        }
        if self.prunings.reserve_macro {
            self.list_covers(route, Step::cover(card as u8), card, top, steps);
        }
    }

    /// Lists the targets of the top cards on a route.
    #[inline]
    fn list_tops(&self, route: &Route<P>, steps: &mut Vec<Step<P>>) {
        let (targets, empty) = (self.tops[route.to], P::BASE + route.to as u8);
        let space = if self.empty[route.to] > 0 { route.space } else { P::Set::NONE };
        for top in (self.tops[route.from] & (route.builds | space)).cards() {
            for to in (route.under[top] & targets & !P::Set::of(top)).cards() {
                steps.push(Step::of(top as u8, to as u8));
            }
            if space.has(top) && self.below[top] != empty {
                steps.push(Step::of(top as u8, empty));
            }
        }
    }

    /// Lists the cards that can come back from foundations.
    pub(super) fn list_returns(&self, steps: &mut Vec<Step<P>>) {
        for height in 0..self.tables.order.wants.len() {
            let cards = self.tables.order.wants[height] & self.up;
            if cards.is_empty() {
                break;
            }
            let next =
                self.tables.order.wants.get(height + 1).copied().unwrap_or_default() & self.up;
            let chained = self.tables.order.chained.get(height + 1).is_some_and(|&chained| chained);
            if !chained && next.count() >= cards.count() {
                continue;
            }
            for card in cards.cards() {
                // As many copies as of the next card can lie under it, and the others are alike.
                let above = next.cards().filter(|&at| self.tables.order.before[at].has(card));
                let copies = P::copies_of(1 << P::face(card)) & self.up;
                if chained && above.count() >= copies.count() as usize
                    || usize::from(copies.lowest()) != card
                {
                    continue;
                }
                for route in &self.tables.returns {
                    for to in (route.under[card] & self.tops[route.to]).cards() {
                        steps.push(Step::of(card as u8, to as u8));
                    }
                    if self.empty[route.to] > 0 && route.space.has(card) {
                        steps.push(Step::of(card as u8, P::BASE + route.to as u8));
                    }
                    if self.prunings.reserve_macro {
                        let cover = Step::cover(card as u8);
                        self.list_covers(route, cover, card, card, steps);
                    }
                }
            }
        }
    }
}
