//! Splits of runs: a card, with the cards on it, moves from a card on which it is built to another
//! one that takes the same cards only if the card below can go up.
//!
//! *The claim.* Let P and Q be cards that take the same cards, and call it a split if a unit is
//! built on P and moves to Q. If a position can be won, it has a winning line that is no longer
//! than any other and in which foundations want P at each split.
//!
//! *Proof.* Take a shortest winning line, and its first split after which P does not go up at once.
//! Leave it out, and go on with what lies on P and what lies on Q interchanged. Call these stacks p
//! and q, as they lie in the line. All cards of a stack are a run, since units are put on each
//! other only as runs allow, and so a run from below goes on through P or Q and all of its stack.
//! Each later move of the line has its counterpart. What the line puts on P goes on Q, and the
//! other way round. A unit within a stack moves as in the line. A unit with P or Q and the stack on
//! it moves with the other stack; it never goes on the other stack itself, since no card can come
//! to lie on one that lies on it in a run. If the line plays P up, p is empty: in the changed line
//! q lies on P, moves to Q, and then P goes up. That is a split, if q is not empty, but a good one,
//! and now both lines are in the same position. If the line plays Q up, the same holds the other
//! way round. If the line moves all of p to another card R that takes the same cards, and then P
//! goes up, the changed line moves q there, plays P up, and goes on with what lies on Q and R
//! interchanged. So no later split becomes a bad one, and there is one less. The changed line has
//! lost a move and gained at most one.
//!
//! *Together with others.* No pile becomes empty, no card is turned up or goes up, and no card
//! leaves a stock or a reserve sooner or later than in the line. The claim speaks of shortest lines
//! from every position, and safe play does not make them longer (`spaces/safe_play.rs`). So from a
//! position that can be won some step that is left leads to one that can be won in fewer moves.
//! Where `reserve_macro.rs` applies, this does not.
//!
//! *Preconditions* ([`Tables::read_splits`]). All moves from piles of the zone go to piles of the
//! zone, or up one by one. They all move runs, however long, in which every card may lie on every
//! card that it can be built on. No card comes to lie on itself by way of others, built or as they
//! lie at the root. (With packets, or round the corner, Q's stack may take P.) What is built there
//! is built in one way, wherever it comes from, foundations included, and comes as such units or as
//! single cards.

use crate::position::state::State;
use crate::program::compiled::Program;
use crate::search::spaces::card_links::kinds::is_acyclic;
use crate::search::spaces::card_links::packs::{CardSet, Packs, SetByCard, numbered};
use crate::search::spaces::card_links::space::CardLinksSpace;
use crate::search::spaces::card_links::tables::{MoveUnit, Route, Tables};

impl<P: Packs> Tables<P> {
    /// For each zone in which splits can be left out, and for each card: the cards that take the
    /// same cards.
    pub(super) fn read_splits(&mut self, program: &Program, root: &State) {
        self.splits = std::array::from_fn(|zone| self.alike_in(zone, program, root));
    }

    fn alike_in(&self, zone: usize, program: &Program, root: &State) -> Option<SetByCard<P>> {
        let is_own = |route: &&Route<P>| route.from == zone;
        let own = self.routes.iter().find(is_own)?;
        let pack = self.order.pack;
        let built = || {
            let routes = self.routes.iter().chain(&self.returns);
            routes.filter(|route| route.to == zone && !route.builds.is_empty())
        };
        let under = &built().next()?.under;
        let MoveUnit::Run(run) = own.unit else { return None };
        let run = &program.relations[usize::from(run)];
        let goes_on =
            pack.cards().all(|card| P::faces(under[card]) & !run.under[P::face(card)] == 0);
        let is_uniform = self
            .routes
            .iter()
            .filter(is_own)
            .all(|route| route.to == zone && route.unit == own.unit)
            && built().all(|route| {
                route.under == *under && (route.unit == own.unit || route.unit == MoveUnit::Top)
            });
        // What is built on each card, and what may lie on it in a run: that, or as at the root.
        let mut over = P::each(P::Set::NONE);
        for each in pack.cards() {
            for below in under[each].cards() {
                over[below] |= P::Set::of(each);
            }
        }
        let mut carried = over;
        let comes_whole = |from: usize| {
            let mut routes = self.routes.iter();
            routes.any(|route| (route.from, route.to, route.unit) == (from, zone, own.unit))
        };
        let piles = numbered(root).into_iter().zip(&self.zone_of);
        for (cards, _) in piles.filter(|(_, from)| from.is_some_and(comes_whole)) {
            for pair in cards.windows(2) {
                carried[usize::from(pair[0])] |= P::Set::of(pair[1]);
            }
        }
        for (card, carried) in carried.as_mut().iter_mut().enumerate() {
            *carried &= P::copies_of(run.over[P::face(card)]);
        }
        if !goes_on || !is_uniform || !is_acyclic(carried.as_ref(), pack) {
            return None;
        }
        let alike = |card: usize| {
            let others = pack.cards().filter(|&other| over[other] == over[card]);
            P::Set::union(others.map(P::Set::of))
        };
        Some(Box::new(P::each_by(alike)))
    }
}

impl<P: Packs> CardLinksSpace<'_, P> {
    /// The cards to which a unit with a certain lowest card need not be moved.
    #[inline]
    pub(super) fn needless(&self, route: &Route<P>, card: usize) -> P::Set {
        let below = self.below[card];
        match &self.tables.splits[route.to] {
            Some(alike)
                if self.prunings.splits
                    && route.from == route.to
                    && below < P::BASE
                    && !(self.down | self.wanted).has(below)
                    && route.under[card].has(below) =>
            {
                alike[usize::from(below)]
            }
            _ => P::Set::NONE,
        }
    }
}
