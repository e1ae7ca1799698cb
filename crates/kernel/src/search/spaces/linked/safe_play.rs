//! Cards that can go to their foundation at once, whatever comes.
//!
//! *The claim.* Let x be a card that can go up now, and let nothing that may ever be laid on x be
//! of any use there. Then, if the position can be won at all, it can be won after x went up.
//!
//! *Without worrying back* (nothing comes back from foundations) a card is of no use on x if it is
//! up already, or if its foundation waits for it and it is itself safe there. Proof: take a line
//! that wins, and leave out of it every move of x but its way up, which comes first now. As x is
//! not in the way any more, each pile has fewer cards on it or as many, each zone as many empty
//! piles or more, and foundations hold what they held and x. The other moves stay possible, save
//! those that lay a card y on x: y was not up then, so its foundation waited for it at the outset
//! and it goes up instead of being laid on x, and is safe there by the same argument (it is lower
//! on its foundation than x is on its own, so the argument comes to an end). If y was laid on x
//! with a run on it, the cards of the run are such cards in turn, and go up before it from the top
//! down; with packets, on which any card may lie, only cards that are up already count as of no
//! use. At the end all cards are up all the same.
//!
//! *With worrying back* let U be the least set that has x in it, with each card all that may be
//! laid on it outside of foundations, and with each card the one below it on its foundation. The
//! card x is safe if all of U but x is up. Proof: take a line that wins and leave out of it all
//! moves of cards of U but the way up of x, which comes first. So the cards of U are up all the
//! time. A card w outside of U never goes on a card of U (it would be in U), and what it is laid on
//! otherwise, or an empty pile, is there as before. Where it goes up, what must lie below it there
//! is up. Where it comes back from a foundation, no card of U lies on it there, since with each
//! card U has all those below. So every move left can be made.
//!
//! *With a stock* (`stock.rs`) a card y that goes up instead of being laid on x, or that is left
//! out of a line, is up already or leaves the stock when it did before, so the cards of the stock
//! can be reached as before. The card x itself must not come from a stock in which that would
//! change, and such cards are left to the search. A card that is turned up where x lay is turned up
//! sooner than it was.
//!
//! *Asked for.* That no rule does anything when a pile becomes empty or a card goes up, which holds
//! in all linked games; that cards of a height have a foundation each and that their order is by
//! single cards (`chained`), since otherwise x could take the place of another card.

use crate::bits::ones;
use crate::card::CARDS;
use crate::search::spaces::linked::tables::{MoveUnit, Tables};

/// For each card what must be up for it to be safe.
pub(crate) struct SafePlay {
    /// Whether cards can come back from foundations.
    returns: bool,
    /// With returns: the set U without the card itself. Without: what may be laid on it.
    needs: [u64; CARDS],
    /// The cards that can be safe at all.
    may_be: u64,
    /// Whether units of any cards can be moved.
    packets: bool,
}

impl SafePlay {
    pub(crate) fn new(tables: &Tables) -> Self {
        let returns = !tables.returns.is_empty();
        let mut may_be = 0;
        for (height, &cards) in tables.wants.iter().enumerate() {
            if height > 0 && !tables.chained[height] {
                break;
            }
            may_be |= cards;
        }
        let needs = std::array::from_fn(|card| {
            if !returns {
                return tables.over[card];
            }
            let mut set = 1u64 << card;
            loop {
                let more = ones(set)
                    .fold(set, |more, each| more | tables.over[each] | tables.before[each]);
                if more == set {
                    break set & !(1 << card);
                }
                set = more;
            }
        });
        if !returns {
            // The argument goes down the foundations: what may be laid on a card must be lower.
            for card in ones(tables.pack) {
                let height = tables.height[card];
                if ones(tables.over[card]).any(|upper| tables.height[upper] >= height) {
                    may_be &= !(1 << card);
                }
            }
        }
        let packets = tables.ways.iter().any(|way| way.unit == MoveUnit::Packet);
        Self { returns, needs, may_be, packets }
    }

    /// Those of some cards, all of them wanted and free to go up, that are safe.
    #[inline]
    pub(super) fn of(&self, ready: u64, up: u64, wanted: u64) -> u64 {
        let mut safe = 0;
        for card in ones(ready & self.may_be) {
            if self.is_safe(card, up, wanted) {
                safe |= 1 << card;
            }
        }
        safe
    }

    fn is_safe(&self, card: usize, up: u64, wanted: u64) -> bool {
        let missing = self.needs[card] & !up;
        missing == 0
            || !(self.returns || self.packets)
                && missing & !(wanted & self.may_be) == 0
                && ones(missing).all(|each| self.is_safe(each, up, wanted))
    }
}
