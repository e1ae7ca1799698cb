//! Safe play: cards that can go to their foundation at once without losing a win.
//!
//! *The claim.* Let x be a card that can go up now, and suppose that no card that may ever be put
//! on x is of any use there. Then, if the position can be won at all, it can be won after x went
//! up.
//!
//! *Without worrying back* (nothing comes back from foundations) let T be the smallest set that
//! contains x, and with each card all cards that may be put on it outside foundations and are not
//! up. The card x is safe if foundations want every card of T now. Proof: take a winning line, play
//! x up first, drop every later move of x, and whenever the line puts a card y on a card that went
//! up early, send y up instead. Call S the cards that went up early; all are in T. A card of T is
//! wanted until it is up, since the card below it stays up, so y can go up. If y was put down with
//! a run on it, the cards of the run are in T, too, and go up before y from the top down. So in
//! each pile the cards of S are on top of all others, and dropping them leaves the rest of the pile
//! as it was in the line. A unit moves without its cards of S: its lowest card is the same. If its
//! target has a card of S on top, the unit goes up instead; otherwise the target is as it was in
//! the line. Foundations hold what they held and S. Thus the other moves remain possible, and in
//! the end all cards are up all the same.
//!
//! With packets, in which any card may lie on any other, a packet put on x may contain cards that
//! foundations do not want. The same holds if a run may be put together otherwise than by building,
//! and y cannot go up at all if it lies where cards do not go up from. Then T must be x alone.
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
//! *With a stock* a card y that goes up instead of going on x, or whose moves are dropped, is up
//! already or leaves the stock at the same time as before, so the cards of the stock can be reached
//! as before. The card x itself must not come from a stock in which taking it changes what can be
//! reached. A card under x is turned up sooner than before.
//!
//! *Preconditions.* No rule does anything when a pile becomes empty or a card goes up, and no rule
//! asks for piles, except empty ones, that x may leave. This holds in all games of the linked
//! space; `search/safe_moves.rs` finds out for all others. Cards of a height have a foundation
//! each, and each card must lie on one certain card there (`chained`), since otherwise x could take
//! the place of another card.
//!
//! *What it looks at.* The rules, the cards of the game, which of them are up, and x. So it holds
//! for every arrangement of the other cards, and to play x up reveals nothing about hidden cards.

use crate::bits::ones;
use crate::card::CARDS;
use crate::program::compiled::Relation;
use crate::search::spaces::foundation_order::FoundationOrder;

/// How cards are put on each other outside foundations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Building<'t> {
    /// For each card: the cards that some rule allows on it.
    pub(crate) over: &'t [u64; CARDS],
    /// Whether cards can come back from foundations.
    pub(crate) returns: bool,
    /// Whether every unit that is put on a card could go up card by card, if foundations wanted
    /// its cards, and consists of cards that may be put on each other.
    pub(crate) can_go_up: bool,
}

/// Whether a card may be put on every card that it can lie on in a run.
pub(crate) fn is_built(run: &Relation, over: &[u64; CARDS], pack: u64) -> bool {
    ones(pack).all(|card| run.over[card] & pack & !over[card] == 0)
}

/// For each card what must be up for it to be safe.
pub(crate) struct SafePlay {
    /// With worrying back: the set U without the card itself. Without: the cards that may be put on
    /// it.
    needs: [u64; CARDS],
    /// The cards that can ever be safe.
    may_be: u64,
    /// Whether cards that are needed may go up instead (the set T).
    may_follow: bool,
}

impl SafePlay {
    pub(crate) fn new(order: &FoundationOrder, building: Building<'_>) -> Self {
        let Building { over, returns, can_go_up } = building;
        let mut may_be = 0;
        for (height, &cards) in order.wants.iter().enumerate() {
            if height > 0 && !order.chained[height] {
                break;
            }
            may_be |= cards;
        }
        let needs = std::array::from_fn(|card| {
            if !returns {
                return over[card];
            }
            let mut set = 1u64 << card;
            loop {
                let more = ones(set).fold(set, |more, each| more | over[each] | order.before[each]);
                if more == set {
                    break set & !(1 << card);
                }
                set = more;
            }
        });
        Self { needs, may_be, may_follow: !returns && can_go_up }
    }

    /// The safe ones of some cards, all of which are wanted and free to go up.
    #[inline]
    pub(crate) fn of(&self, ready: u64, up: u64, wanted: u64) -> u64 {
        let mut safe = 0;
        for card in ones(ready & self.may_be) {
            if self.is_safe(card, up, wanted) {
                safe |= 1 << card;
            }
        }
        safe
    }

    fn is_safe(&self, card: usize, up: u64, wanted: u64) -> bool {
        let mut missing = self.needs[card] & !up;
        if missing == 0 || !self.may_follow {
            return missing == 0;
        }
        let follows = wanted & self.may_be;
        let mut set = 1u64 << card;
        while missing & !follows == 0 {
            set |= missing;
            missing = ones(missing).fold(0, |more, each| more | self.needs[each]) & !up & !set;
            if missing == 0 {
                return true;
            }
        }
        false
    }
}
