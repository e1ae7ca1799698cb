//! What is played automatically after each step.

use crate::search::spaces::card_links::packs::{CardSet, Packs};
use crate::search::spaces::card_links::space::CardLinksSpace;

impl<P: Packs> CardLinksSpace<'_, P> {
    /// Plays the automatic moves to foundations.
    #[inline]
    pub(super) fn play_automatically(&mut self) {
        if !self.prunings.safe_play && !self.prunings.greedy_play && !self.sheds_cards {
            return;
        }
        loop {
            let can_go_up = self.wanted & self.free_to_go_up();
            let mut ready = can_go_up & !self.tied();
            if !self.prunings.greedy_play {
                ready = if self.prunings.safe_play { self.safe(ready) } else { P::Set::NONE };
            }
            if self.sheds_cards && ready.is_empty() {
                ready = self.of_no_use(can_go_up);
            }
            if ready.is_empty() {
                return;
            }
            self.place(ready.lowest(), P::UP);
            self.refill();
        }
    }

    /// The safe ones of some cards that can go up.
    #[inline]
    fn safe(&self, ready: P::Set) -> P::Set {
        let (rules, faces) = (self.safe_play_rules, P::faces(ready));
        ready & P::copies_of(rules.of(faces, self.tables.order.all_up(self.up)))
    }

    /// Those of some cards on which nothing can be built any more.
    fn of_no_use(&self, cards: P::Set) -> P::Set {
        let up = self.tables.order.all_up(self.up);
        let is_useless = |&card: &usize| self.tables.over[P::face(card)] & !up == 0;
        P::Set::union(cards.cards().filter(is_useless).map(P::Set::of))
    }

    /// Fills the empty piles that are filled at once.
    #[inline]
    pub(super) fn refill(&mut self) {
        let Some(refill) = self.tables.refill else { return };
        while self.empty[refill.to] > 0 && !self.tops[refill.from].is_empty() {
            let top = self.tops[refill.from].lowest();
            self.place(top, P::BASE + refill.to as u8);
        }
    }

    /// The cards whose time in a line matters, because taking them changes which others can be
    /// reached.
    #[inline]
    pub(super) fn tied(&self) -> P::Set {
        match &self.tables.stock {
            Some(stock) if !stock.is_reserve() => self.tops[self.tables.waste],
            _ => P::Set::NONE,
        }
    }

    /// The cards that could go up if they were wanted.
    #[inline]
    pub(super) fn free_to_go_up(&self) -> P::Set {
        let mut free = P::Set::NONE;
        for zone in 0..self.tables.zones {
            if self.tables.reaches_foundation[zone] {
                free |= self.tops[zone];
            }
        }
        free
    }
}
