//! The estimated distance to a win, and the scores of steps.

use crate::move_score::{self, BUILDS, FILLS, FREES, UNCOVERS_LINKED, VACATES, WORRIES_BACK};
use crate::search::spaces::card_links::packs::{CardSet, Packs};
use crate::search::spaces::card_links::space::{CardLinksSpace, NONE};
use crate::search::spaces::card_links::step::Step;

impl<P: Packs> CardLinksSpace<'_, P> {
    /// The estimated distance to a win.
    #[inline]
    pub(super) fn distance(&self) -> i32 {
        let weights = &self.weights;
        let mut distance = self.score;
        for zone in 0..self.tables.zones {
            distance += weights.vacancy * i32::from(self.empty[zone]);
        }
        if self.counts_piles {
            distance += self.weights.aside * i32::from(self.left.dealt);
        }
        for card in (self.wanted & !self.free_to_go_up()).cards() {
            let mut at = self.above[card];
            while at != NONE {
                distance += weights.burying;
                at = self.above[usize::from(at)];
            }
        }
        distance
    }

    /// How much a step changes the distance, if its key is known beforehand.
    #[inline]
    pub(super) fn distance_change(&self, step: Step<P>) -> i32 {
        // One top card moves, and nothing goes up or is turned up (see `key_with`).
        let (card, to) = (usize::from(step.first()), step.target());
        let below = self.below[card];
        let mut change = self.score_on(card, to) - self.score_on(card, below);
        change += self.weights.burying * (self.buried(to) - self.buried(below));
        change += self.weights.vacancy * (i32::from(below >= P::BASE) - i32::from(to >= P::BASE));
        change
    }

    /// The part of a card that is not up in the distance.
    #[inline]
    pub(super) fn card_score(&self, card: usize) -> i32 {
        self.score_on(card, self.below[card])
    }

    /// The same, if the card lies on something.
    #[inline]
    pub(super) fn score_on(&self, card: usize, below: u8) -> i32 {
        let mut card_score = self.weights.remaining;
        if below < P::BASE {
            let below = usize::from(below);
            if self.tables.order.height[card] > self.lowest[below] {
                card_score += self.weights.blocking;
            }
            if self.fits(card, below) {
                card_score += self.weights.joined;
            }
            if self.down.has(card) {
                card_score += self.weights.hidden;
            }
        } else if usize::from(below - P::BASE) == self.tables.waste {
            card_score += self.weights.stock;
        }
        if self.counts_piles {
            card_score += self.pile_score_on(card, below);
        }
        card_score
    }

    /// What a card on something adds to the part of its pile in the distance.
    pub(super) fn pile_score_on(&self, card: usize, below: u8) -> i32 {
        let is_aside = if below < P::BASE {
            self.tables.aside_on[card] == below
        } else {
            let zone = usize::from(below - P::BASE);
            if zone == self.tables.waste {
                return 0;
            }
            !self.tables.built[zone]
        };
        if is_aside {
            return self.weights.aside;
        }
        let under = if below < P::BASE { self.lower[usize::from(below)].count() } else { 0 };
        let of = |cards: u32| self.weights.tall * (cards * cards).cast_signed() / 8;
        of(under + 1) - of(under)
    }

    /// How many wanted cards a card would bury on a card or in an empty pile.
    #[inline]
    pub(super) fn buried(&self, below: u8) -> i32 {
        if below < P::BASE {
            (self.lower[usize::from(below)] & self.wanted).count().cast_signed()
        } else {
            0
        }
    }

    /// Whether some rule allows a card on another one outside foundations.
    #[inline]
    pub(super) fn fits(&self, card: usize, below: usize) -> bool {
        self.tables.over[P::face(below)].has(P::face(card))
    }

    /// The score of a step: how promising it looks.
    pub(super) fn step_score(&self, step: Step<P>) -> i32 {
        let (card, to) = (step.first(), step.target());
        if step.is_turn() {
            return 0;
        }
        if to == P::UP {
            return move_score::UP;
        }
        let below = self.below[usize::from(card)];
        let mut step_score = if to < P::BASE { BUILDS } else { FILLS };
        match below {
            _ if below == P::UP => step_score += WORRIES_BACK,
            _ if below >= P::BASE => step_score += VACATES,
            _ => {
                let lowest = self.lowest[usize::from(below)];
                if lowest < self.tables.order.height[usize::from(card)] {
                    step_score += FREES;
                }
                if self.down.has(below) {
                    step_score += UNCOVERS_LINKED;
                } else if self.fits(usize::from(card), usize::from(below)) {
                    step_score -= FREES;
                }
            }
        }
        if to < P::BASE
            && self.lowest[usize::from(to)] < self.tables.order.height[usize::from(card)]
        {
            step_score -= FREES;
        }
        step_score
    }
}
