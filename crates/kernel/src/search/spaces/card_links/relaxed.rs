//! A delete relaxation that recognises many positions that cannot be won.
//!
//! *The test.* Suppose that nothing ever gets worse: a card that was free once is free forever, a
//! pile that was empty once is empty forever, and a card that went up is up but can still be built
//! on. Then the sets of free cards, empty piles and cards that are up only grow, and a few passes
//! find everything that could ever come about. If some card is not among those that go up, the
//! position is lost.
//!
//! *Proof.* By induction along any line of the game, everything that is free, empty or up after
//! each move is so in the relaxation. A card that moves was free before, and its target was free in
//! its zone or was an empty pile. So the relaxation moves it, too, and frees what lay below it. A
//! card that goes up was free, and one of the cards one height lower was up (if the foundation
//! requires a certain one, that one). So a card that does not go up in the relaxation never goes
//! up.
//!
//! *Preconditions.* Single cards move, and nothing comes back from foundations. With an empty pile
//! nearly everything is possible in the relaxation, so the test is skipped then.

use crate::search::spaces::card_links::packs::{CardSet, Packs, ZONES};
use crate::search::spaces::card_links::space::CardLinksSpace;

impl<P: Packs> CardLinksSpace<'_, P> {
    /// Whether the current position cannot be won even in the relaxation.
    pub(in crate::search::spaces) fn is_unsolvable_relaxed(&self) -> bool {
        let tables = self.tables;
        if !tables.has_relaxed_test() {
            return false;
        }
        if (0..tables.zones).any(|zone| self.empty[zone] > 0 && tables.fills[zone]) {
            return false;
        }
        // By zone: the cards that were free there once, and whether a pile was empty once.
        let mut free = self.tops;
        let mut empty = [false; ZONES];
        let mut up = self.up;
        // Cards that left their place, and by zone the cards whose own place became the top of a
        // pile.
        let mut gone = P::Set::NONE;
        let mut home = self.tops;
        if tables.stock.is_some() {
            // In the end all cards of the stock can be played.
            free[tables.waste] = self.left.cards;
            home[tables.waste] = free[tables.waste];
        }
        loop {
            let before = (free, empty, up);
            let feeding = free
                .iter()
                .zip(&tables.reaches_foundation)
                .filter(|(_, reaches_foundation)| **reaches_foundation);
            let all = P::Set::union(feeding.map(|(free, _)| *free));
            for card in (all & !up).cards() {
                let height = usize::from(tables.order.height[card]);
                let is_wanted = height == 0
                    || if tables.order.chained[height] {
                        !(tables.order.before[card] & up).is_empty()
                    } else {
                        !(tables.order.wants[height - 1] & up).is_empty()
                    };
                if is_wanted {
                    up |= P::Set::of(card);
                }
            }
            if up == tables.order.pack {
                return false;
            }
            let mut moved = up & !self.up;
            for route in &tables.routes {
                if empty[route.to] {
                    free[route.to] |= free[route.from] & route.space;
                    moved |= free[route.from] & route.space;
                }
                for card in (free[route.from] & route.builds & !(free[route.to] & gone)).cards() {
                    if !(route.under[card] & free[route.to] & !P::Set::of(card)).is_empty() {
                        free[route.to] |= P::Set::of(card);
                        moved |= P::Set::of(card);
                    }
                }
            }
            for zone in 0..tables.zones {
                for card in (moved & !gone & home[zone]).cards() {
                    match self.below[card] {
                        below if below < P::BASE => {
                            free[zone] |= P::Set::of(below);
                            home[zone] |= P::Set::of(below);
                        }
                        _ => empty[zone] = true,
                    }
                }
            }
            gone |= moved;
            // Once every card can go to an empty pile, all cards become free.
            if (0..tables.zones).any(|zone| empty[zone] && tables.accepts_any[zone]) {
                return false;
            }
            if before == (free, empty, up) {
                return true;
            }
        }
    }
}
