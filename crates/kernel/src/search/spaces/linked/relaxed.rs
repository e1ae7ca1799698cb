//! Positions that cannot be won, seen at a glance.
//!
//! *The test.* Let nothing ever get worse: a card that was free once is free for good, a pile that
//! was empty once is empty for good, what went up is up and still serves to be built on. So the
//! sets of what is free, empty and up only grow, and a few passes find all that could ever come. If
//! a card is not among those that go up, the position is lost.
//!
//! *Proof.* By induction along any line of the game, what is free, empty or up after each move is
//! so in this sense. A card that moves was free before, and what it was laid on was free in its
//! zone, or was an empty pile; so the test lets it move too, and frees what lay below it. A card
//! that goes up was free, and of the cards one height lower one was up (the one it asks for, where
//! it asks for one). So a card that the test leaves down never goes up.
//!
//! *Asked for.* That single cards move, and that nothing comes back from foundations. Where a pile
//! is empty nearly everything is possible in this sense, so the test is not made then.

use crate::bits::ones;
use crate::search::spaces::linked::space::Linked;
use crate::search::spaces::linked::tables::{BASE, ZONES};

impl Linked<'_> {
    /// Whether the present position is lost at a glance.
    pub(super) fn is_unsolvable_relaxed(&self) -> bool {
        let tables = self.tables;
        if !tables.has_relaxed_test() {
            return false;
        }
        if (0..tables.zones).any(|zone| self.empty[zone] > 0 && tables.fills[zone]) {
            return false;
        }
        // By zone: the cards that were free there, and whether a pile was empty.
        let mut free = self.tops;
        let mut empty = [false; ZONES];
        let mut up = self.up;
        // Cards that left their place, and by zone all that lay at the top of a pile when their
        // turn came.
        let mut gone = 0u64;
        let mut home = self.tops;
        if let Some(stock) = &tables.stock {
            // In time all of the stock is there to be played.
            free[tables.waste] = stock.cards(self.left);
            home[tables.waste] = free[tables.waste];
        }
        loop {
            let before = (free, empty, up);
            let feeding = free
                .iter()
                .zip(&tables.reaches_foundation)
                .filter(|(_, reaches_foundation)| **reaches_foundation);
            let all = feeding.fold(0, |all, (free, _)| all | free);
            for card in ones(all & !up) {
                let height = usize::from(tables.height[card]);
                let is_wanted = height == 0
                    || if tables.chained[height] {
                        tables.before[card] & up != 0
                    } else {
                        tables.wants[height - 1] & up != 0
                    };
                if is_wanted {
                    up |= 1 << card;
                }
            }
            if up == tables.pack {
                return false;
            }
            let mut moved = up & !self.up;
            for way in &tables.ways {
                if empty[way.to] {
                    free[way.to] |= free[way.from] & way.vacant;
                    moved |= free[way.from] & way.vacant;
                }
                for card in ones(free[way.from] & way.builds & !(free[way.to] & gone)) {
                    if way.under[card] & free[way.to] & !(1 << card) != 0 {
                        free[way.to] |= 1 << card;
                        moved |= 1 << card;
                    }
                }
            }
            for zone in 0..tables.zones {
                for card in ones(moved & !gone & home[zone]) {
                    match self.below[card] {
                        below if below < BASE => {
                            free[zone] |= 1 << below;
                            home[zone] |= 1 << below;
                        }
                        _ => empty[zone] = true,
                    }
                }
            }
            gone |= moved;
            // Once any card can go to an empty pile, all will be free.
            if (0..tables.zones).any(|zone| empty[zone] && tables.accepts_any[zone]) {
                return false;
            }
            if before == (free, empty, up) {
                return true;
            }
        }
    }
}
