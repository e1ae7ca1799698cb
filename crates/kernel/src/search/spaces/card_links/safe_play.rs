//! Safe play: cards that can go to their foundation at once without losing a win.
//!
//! *The claim.* Let x be a card that can go up now, and suppose that no card that may ever be put
//! on x is of any use there. Then, if the position can be won at all, it can be won after x went
//! up.
//!
//! *Without worrying back* (nothing comes back from foundations) a card is of no use on x if it is
//! up already, or if its foundation wants it now and it is itself safe there. Proof: take a winning
//! line, drop every move of x from it, and play x up first. Since x is no longer in the way, each
//! pile has at most as many cards as before, each zone at least as many empty piles, and
//! foundations hold what they held and x. The other moves remain possible, except those that put a
//! card y on x. Such a y was not up then, so its foundation wanted it at the beginning. It goes up
//! instead of going on x, and is safe there by the same argument. (Its height on its foundation is
//! lower than that of x on its own, so the argument terminates.) If y was put on x with a run on
//! it, the cards of the run are such cards in turn, and go up before y from the top down. With
//! packets, in which any card may lie on any other, only cards that are up already count as of no
//! use. In the end all cards are up all the same.
//!
//! *With worrying back* let U be the smallest set that contains x, with each card all cards that
//! may be put on it outside foundations, and with each card the one below it on its foundation. The
//! card x is safe if all of U except x is up. Proof: take a winning line, drop all moves of cards
//! of U from it, and play x up first. So the cards of U are up all the time. A card w outside U
//! never goes on a card of U (otherwise it would be in U), and any other card that it is put on, or
//! the empty pile, is available as before. When w goes up, the card that must lie below it there is
//! up. When it comes back from a foundation, no card of U lies on it there, since with each card U
//! contains all those below. So every remaining move can be made.
//!
//! *With a stock* (`stock.rs`) a card y that goes up instead of going on x, or whose moves are
//! dropped, is up already or leaves the stock at the same time as before, so the cards of the stock
//! can be reached as before. The card x itself must not come from a stock in which taking it
//! changes what can be reached; the search decides when to play such cards. A card under x is
//! turned up sooner than before.
//!
//! *Preconditions.* No rule does anything when a pile becomes empty or a card goes up; this holds
//! in all games of the card-links space. Cards of a height have a foundation each, and each card
//! must lie on one certain card there (`chained`), since otherwise x could take the place of
//! another card.

use crate::bits::ones;
use crate::card::CARDS;
use crate::search::spaces::card_links::tables::{MoveUnit, Tables};

/// For each card what must be up for it to be safe.
pub(crate) struct SafePlay {
    /// Whether cards can come back from foundations.
    returns: bool,
    /// With worrying back: the set U without the card itself. Without: the cards that may be put on
    /// it.
    needs: [u64; CARDS],
    /// The cards that can ever be safe.
    may_be: u64,
    /// Whether packets (units of any cards) can be moved.
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
            // The argument descends the foundations: what may be put on a card must be lower.
            for card in ones(tables.pack) {
                let height = tables.height[card];
                if ones(tables.over[card]).any(|upper| tables.height[upper] >= height) {
                    may_be &= !(1 << card);
                }
            }
        }
        let packets = tables.routes.iter().any(|route| route.unit == MoveUnit::Packet);
        Self { returns, needs, may_be, packets }
    }

    /// The safe ones of some cards, all of which are wanted and free to go up.
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
