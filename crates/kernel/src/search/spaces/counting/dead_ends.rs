//! Lost positions of the counting space.
//!
//! Each card that must still leave lies, once it has left, on a card of the sink: on its present
//! top card, or on one that arrives later, from a source or from the stock.
//!
//! *Partners.* No two cards lie on the same card. So a position is lost unless the cards that must
//! leave can be matched with those that are left to lie on. By Hall's theorem they can if there is
//! no set of classes with more cards that must leave than there are cards on which those can lie.
//! If each class can lie on at most two classes, and at most two can lie on it, then classes to lie
//! and classes to lie on form chains in turn, and rings; and only stretches of a chain need be
//! looked at: a set that falls into parts which lie on nothing in common is no stricter than one of
//! its parts. For each class to lie on, [`DeadEnds::lacks_partners`] finds the worst stretch that
//! ends there, from the worst one that ends at the class before. It goes twice round a ring. A
//! stretch longer than the ring is the whole ring, which is a set of its own, and another stretch.
//! If one is too many, so is one of these.
//!
//! *Walks.* Without a stock, and if all cards must leave, the cards that leave and the top card
//! before them make a walk: from each card to one that can lie on it. Let the classes form one ring
//! of an odd number of classes, each of which can lie on its two neighbours. If `b` is twice the
//! number of cards of a class, less one for the class where the walk begins, and less one for the
//! class where it ends, then `b` is the number of times that the walk passes the two edges of that
//! class. In an odd ring these equations have one solution: twice the number for an edge is the sum
//! of the `b` from there on, once round, with alternating signs. Where the walk ends is unknown;
//! but that is the bottom card of a source. So a position is lost unless for some such end no edge
//! is passed a negative number of times, and the edges that are passed connect all cards: where
//! some are not, the ring falls into as many parts, and all but one of them must be single classes
//! without cards. (A class without cards is such a part: neither of its edges is passed.)
//!
//! *Delete relaxation.* A position is lost if some card that must leave is in no chain of relations
//! from the top card of the sink, or from a card of the stock, over cards that are left.

use crate::bits::bits;
use crate::card::CARDS;

/// The number of cards of each class; the last one is for [`NONE`].
pub(crate) type Counts = [u8; CARDS + 1];

/// A class without cards.
const NONE: u8 = CARDS as u8;

/// What the tests know beforehand.
#[derive(Debug, Default)]
pub(crate) struct DeadEnds {
    /// For each class: the classes that may lie on it.
    pub(super) above: Vec<u64>,
    links: Vec<Link>,
    ring: Option<Ring>,
}

/// A class, and the two on which it can lie.
#[derive(Clone, Copy, Debug)]
struct Link {
    under: u8,
    over: u8,
    next: u8,
    /// Whether no other link of its chain is before it.
    is_first: bool,
}

/// A ring of an odd number of classes, each of which can lie on its two neighbours.
#[derive(Debug)]
struct Ring {
    /// The classes in order. An edge has the index of the class before it.
    classes: Vec<u8>,
    /// For each class: the edges that are passed half as often less if the walk ends there. The
    /// others are passed half as often more.
    fewer: Vec<u64>,
}

impl DeadEnds {
    /// The tests for classes, given for each of them which may lie on it, and on which it may lie.
    ///
    /// `is_walk` says whether there is no stock and all cards must leave.
    pub(crate) fn new(above: Vec<u64>, below: &[u64], is_walk: bool) -> Self {
        let is_simple = above.iter().chain(below).all(|next| next.count_ones() <= 2);
        let links = if is_simple { links(&above, below) } else { Vec::new() };
        let ring = (is_walk && above == below).then(|| Ring::new(&above)).flatten();
        Self { above, links, ring }
    }

    /// Whether some card that must leave is in no chain of relations from some classes over cards
    /// that are left in piles.
    pub(crate) fn is_out_of_reach(&self, needed: &Counts, left: &Counts, from: u64) -> bool {
        let mask = |counts: &Counts| {
            let counts = counts.iter().take(self.above.len()).enumerate();
            counts.fold(0, |mask, (class, &count)| mask | u64::from(count > 0) << class)
        };
        let (wanted, left) = (mask(needed), mask(left));
        let (mut reached, mut fresh) = (from, from);
        while fresh != 0 && wanted & !reached != 0 {
            let next = bits(fresh.into()).fold(0, |next, class| next | self.above[class]);
            fresh = next & left & !reached;
            reached |= fresh;
        }
        wanted & !reached != 0
    }

    /// Whether the cards that must leave cannot all find a card to lie on, or cannot all leave one
    /// after the other.
    ///
    /// `needed` counts the cards that must leave, and `left` these and all others on which cards
    /// may still lie. `ends` gives the classes of the lowest cards of all sources.
    #[inline]
    pub(crate) fn lacks_partners(
        &self,
        needed: &Counts,
        left: &Counts,
        top: u8,
        ends: impl FnOnce() -> u64,
    ) -> bool {
        if let Some(ring) = &self.ring {
            return ring.has_no_walk(left, top, ends);
        }
        let count = |counts: &Counts, class: u8| i16::from(counts[usize::from(class)]);
        let mut excess = 0;
        self.links.iter().any(|link| {
            let alone = -count(left, link.under);
            let before = if link.is_first { alone } else { alone.max(excess) };
            excess = before + count(needed, link.over) - count(left, link.next);
            excess > 0
        })
    }
}

impl Ring {
    fn new(next: &[u64]) -> Option<Self> {
        let count = next.len();
        if count < 3 || count.is_multiple_of(2) || next.iter().any(|next| next.count_ones() != 2) {
            return None;
        }
        let (mut classes, mut here) = (Vec::new(), 0);
        let mut seen = 0u64;
        while here != NONE {
            classes.push(here);
            seen |= 1 << here;
            here = first(next[usize::from(here)] & !seen);
        }
        if classes.len() != count {
            return None;
        }
        let mut fewer = vec![0; count];
        for (at, &class) in classes.iter().enumerate() {
            let edges = (0..count).step_by(2).map(|far| (at + far) % count);
            fewer[usize::from(class)] = edges.fold(0, |mask, edge| mask | 1 << edge);
        }
        Some(Self { classes, fewer })
    }

    /// Whether there is no walk from the top card over all cards that are left.
    fn has_no_walk(&self, left: &Counts, top: u8, ends: impl FnOnce() -> u64) -> bool {
        let ends_of =
            |&class: &u8| 2 * i16::from(left[usize::from(class)]) - i16::from(class == top);
        // Twice the number of times that an edge would be passed by a walk without an end.
        let mut passed: i16 = self
            .classes
            .iter()
            .zip([1, -1].iter().cycle())
            .map(|(at, sign)| sign * ends_of(at))
            .sum();
        let (mut unless_more, mut if_fewer, mut vacant) = (0u64, 0u64, 0);
        for (edge, class) in self.classes.iter().enumerate() {
            passed = 2 * ends_of(class) - passed;
            if passed < -1 {
                return true;
            }
            unless_more |= u64::from(passed == -1) << edge;
            if_fewer |= u64::from(passed == 1) << edge;
            vacant += u32::from(left[usize::from(*class)] == 0);
        }
        // Then every edge is passed, wherever the walk ends.
        if unless_more | if_fewer == 0 {
            return false;
        }
        bits(ends().into()).all(|end| {
            let fewer = self.fewer[end];
            let unused = unless_more | if_fewer & fewer;
            unless_more & fewer != 0 || unused.count_ones() > 1 + vacant
        })
    }
}

/// The first class of a set.
fn first(classes: u64) -> u8 {
    if classes == 0 { NONE } else { classes.trailing_zeros() as u8 }
}

/// The chains of classes to lie on and classes that lie on them, and the rings, twice round.
fn links(above: &[u64], below: &[u64]) -> Vec<Link> {
    let classes = 0..above.len() as u8;
    let count = |masks: &[u64], class: u8| masks[usize::from(class)].count_ones();
    let ends = classes.clone().filter(|&over| count(below, over) < 2).map(|over| (NONE, over));
    let under_one = classes.clone().filter(|&under| count(above, under) == 1);
    let begins = under_one.map(|under| (under, first(above[usize::from(under)])));
    let rings = classes.map(|over| (first(below[usize::from(over)]), over));
    let mut links = Vec::new();
    let mut seen = 0u64;
    for (under, start) in ends.chain(begins).chain(rings) {
        if seen >> start & 1 == 0 {
            follow(above, below, under, start, &mut links);
            seen |= links.iter().fold(0, |seen, link| seen | 1 << link.over);
        }
    }
    links
}

/// Appends the chain, or twice the ring, that begins with a class and one on which it can lie.
fn follow(above: &[u64], below: &[u64], under: u8, start: u8, links: &mut Vec<Link>) {
    let (mut under, mut over, mut rounds) = (under, start, 0);
    let mut is_first = true;
    while over != NONE && rounds < 2 {
        let next = first(below[usize::from(over)] & !(1 << under));
        links.push(Link { under, over, next, is_first });
        is_first = false;
        over = if next == NONE { NONE } else { first(above[usize::from(next)] & !(1 << over)) };
        under = next;
        rounds += u32::from(over == start);
    }
}
