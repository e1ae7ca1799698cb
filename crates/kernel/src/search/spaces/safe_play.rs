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
//! *With worrying back* call a set of cards closed if it contains with each card all cards that may
//! be put on it outside foundations, and the one below it on its foundation. Let F be the largest
//! closed set of cards that are up. First, if the position can be won, some winning line moves no
//! card of F. Proof: take a winning line and drop all moves of cards of F. A card w outside F never
//! goes on a card of F (otherwise it would be in F), and any other card that it is put on, or the
//! empty pile, is available as before. When w goes up, the card that must lie below it there is up.
//! When it comes back from a foundation, no card of F lies on it there, since with each card F
//! contains all those below. So every remaining move can be made.
//!
//! Now let T be the smallest set that contains x, and with each card all cards that may be put on
//! it. The card x is safe if for each card of T the one below it on its foundation is in F. Proof:
//! take a winning line that moves no card of F, and change it as above: x goes up first, whenever
//! the line puts a card y on a card of S, the cards that went up early, y goes up or stays up and
//! joins S with the cards of T on it, and all moves of cards of S are dropped. All this is in T.
//! Each card of T is wanted or up all the time, since the card below it stays up, so y can go up.
//! Cards of F never move, so units contain none, and the rest is as above, with two additions. When
//! a card w outside S comes back from a foundation, no card of S lies on it there, since with each
//! card of T the card below it is in F, so it does not move. When w comes back to a card of S, it
//! stays up and joins S. The changed line is not longer: a card that joins S had another move to
//! its foundation later, which is dropped, or it was up and stays there.
//!
//! For a red nine in alternate colours this means that the black sevens and the other red six are
//! up. In the cases below, and where x lies below a card of T on its foundation, F must contain T
//! without x, and the card below x. Then no card is ever put on x.
//!
//! With packets, in which any card may lie on any other, a packet put on x may contain cards that
//! foundations do not want. The same holds if a run may be put together otherwise than by building,
//! and y cannot go up at all if it lies where cards do not go up from. Then T must be x alone.
//!
//! *With a stock* a card y that goes up instead of going on x, or whose moves are dropped, is up
//! already or leaves the stock at the same time as before, so the cards of the stock can be reached
//! as before. The card x itself must not come from a stock in which taking it changes what can be
//! reached. A card under x is turned up sooner than before.
//!
//! *With rows dealt* from a stock, a card on each of certain piles, whatever these hold, cards of S
//! may lie under others in the line. Dropping them leaves the rest of the pile as it is in the
//! changed line, and a pile whose top card is not of S has the same one in both. A dealt card that
//! may be put on the card of S on which it falls is in T and wanted, so it goes up at once and
//! joins S, if cards go up from there. Units must consist of cards that may be put on each other.
//! So what lies above a card of S in a unit is in S, as before, and no unit has a card outside F
//! above one of F: that card would be in F, and so up from the beginning. Other dealt cards move
//! off those of F and S before these move. A pile of cards of S is empty sooner, so a row must not
//! ask for that.
//!
//! *With piles that are filled at once* from another one, the filling pile R: piles that consist of
//! cards of S are empty sooner than in the line, and so cards of R leave it sooner. The changed
//! line has k more of them on the table than the line, each alone in its pile, where k is the
//! number of these piles: the next cards of R in the line. When the line moves the top card of R,
//! the changed line moves that card from its pile, which is filled anew; it may go wherever it may
//! go from R. When R fills a pile in the line, the pile with that card takes its part, since the
//! piles are interchangeable, and the one that is filled in the changed line takes the part of the
//! other. Once R is empty in the line, nothing fills piles in either.
//!
//! *Preconditions.* No rule does anything else when a pile becomes empty or a card goes up, and no
//! rule asks for piles, except empty ones, that x may leave. This holds in all games of the
//! card-links space; `safe_moves.rs` finds out for all others. Cards of a height have a
//! foundation each, and each card must lie on one certain card there (`chained`), since otherwise x
//! could take the place of another card.
//!
//! *With several packs* T and F contain all copies of a card or none. A card is up if all its
//! copies are. It is wanted if all copies of the card below it are up and not all of its own: then
//! there is a foundation with that card on top for each copy that is not up, so each can go up at
//! any time, as above. How many copies of each card are up determines what the foundations of a
//! suit hold, and these are alike. If no copy of the next card is in S or F, a card that lies on
//! top of a foundation in the line does so in the changed line, too, and can come back. One thing
//! is different: when x is up, another copy of it may not be. So where F must contain T without x,
//! no copy of x may be in T, nor below a card of T.
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

/// For each card the smallest set that contains it, and with each card those that `next` names.
fn closures(next: impl Fn(usize) -> u64) -> [u64; CARDS] {
    std::array::from_fn(|card| {
        let mut set = 1 << card;
        let mut fresh = set;
        while fresh != 0 {
            fresh = ones(fresh).fold(0, |more, each| more | next(each)) & !set;
            set |= fresh;
        }
        set
    })
}

/// For each card what must be up for it to be safe.
pub(crate) struct SafePlay {
    /// With worrying back: what must be up so that it is safe. Without: the cards that may be put
    /// on it.
    needs: [u64; CARDS],
    /// For each card the one that must lie below it on a foundation, as a mask.
    before: [u64; CARDS],
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
        // What the smallest closed set with some cards contains is what those with each of them do.
        let follow = closures(|each| over[each]);
        let closed = closures(|each| over[each] | order.before[each]);
        let closure = |cards: u64| ones(cards).fold(0, |set, each| set | closed[each]);
        let needs = std::array::from_fn(|card| {
            if !returns {
                return over[card];
            }
            let (itself, below) = (1u64 << card, |each: usize| closure(order.before[each]));
            let follow = follow[card];
            let fixed = ones(follow).fold(0, |fixed, each| fixed | below(each));
            if can_go_up && follow & !may_be == 0 && fixed & itself == 0 {
                fixed
            } else {
                let others = closure(over[card] | order.before[card]);
                if order.copies[card] > 1 { others } else { others & !itself }
            }
        });
        Self { needs, before: order.before, may_be, may_follow: !returns && can_go_up }
    }

    /// The safe ones of some cards, all of which are wanted and free to go up, given those that are
    /// up (of several packs: of which all copies are up).
    #[inline]
    pub(crate) fn of(&self, ready: u64, up: u64) -> u64 {
        let mut safe = 0;
        for card in ones(ready & self.may_be) {
            if self.is_safe(card, up) {
                safe |= 1 << card;
            }
        }
        safe
    }

    /// Those of some cards on top of foundations that are safe there, with worrying back.
    #[inline]
    pub(crate) fn settled(&self, tops: u64, up: u64) -> u64 {
        ones(tops & self.may_be)
            .filter(|&card| self.needs[card] & !up == 0)
            .fold(0, |settled, card| settled | 1 << card)
    }

    fn is_safe(&self, card: usize, up: u64) -> bool {
        // The lowest cards have a foundation each, and so has each of the others once all copies of
        // the card below it are up. So these are wanted until all their copies are up.
        let follows = |cards: u64| {
            cards & !self.may_be == 0 && ones(cards).all(|at| self.before[at] & !up == 0)
        };
        let mut set = 1u64 << card;
        let mut missing = self.needs[card] & !up;
        if missing == 0 || !self.may_follow || !follows(set) {
            return missing == 0 && follows(set);
        }
        while follows(missing) {
            set |= missing;
            missing = ones(missing).fold(0, |more, each| more | self.needs[each]) & !up & !set;
            if missing == 0 {
                return true;
            }
        }
        false
    }
}
