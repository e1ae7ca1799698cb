//! Kinds of cards: those that the same cards can be built on.

use crate::search::spaces::card_links::packs::{CardSet, Packs, SetByCard};

/// The kinds of a zone in which each card can be built on the cards of one kind only.
#[derive(Clone, Debug)]
pub(in crate::search::spaces) struct Kinds<P: Packs> {
    pub(super) zone: usize,
    /// For each card those that it can be built on, those that can be built on it, and those of its
    /// kind.
    pub(super) under: SetByCard<P>,
    pub(super) over: SetByCard<P>,
    pub(super) alike: SetByCard<P>,
}

impl<P: Packs> Kinds<P> {
    /// The kinds of some cards, from what they can be built on. None if a card can be built on some
    /// cards of a kind but not on others, if a card can come to lie on itself by building, or if no
    /// card can be built on several.
    pub(super) fn new(zone: usize, under: &SetByCard<P>, pack: P::Set) -> Option<Self> {
        let mut over = P::each(P::Set::NONE);
        for card in pack.cards() {
            for below in under[card].cards() {
                over[below] |= P::Set::of(card);
            }
        }
        let alike = P::each_by(|card| {
            P::Set::union(pack.cards().filter(|&at| over[at] == over[card]).map(P::Set::of))
        });
        let has_one_kind = |card: usize| {
            under[card].is_empty() || under[card] == alike[usize::from(under[card].lowest())]
        };
        let is_wanted = pack.cards().all(has_one_kind)
            && pack.cards().any(|card| under[card].count() > 1)
            && is_acyclic(over.as_ref(), pack);
        let (under, over, alike) = (under.clone(), Box::new(over), Box::new(alike));
        is_wanted.then_some(Self { zone, under, over, alike })
    }
}

/// Whether no card can lie on itself by way of others.
pub(super) fn is_acyclic<S: CardSet>(over: &[S], pack: S) -> bool {
    let mut left = pack;
    loop {
        let ends = left.cards().filter(|&card| (over[card] & left).is_empty());
        let ends = S::union(ends.map(S::of));
        if ends.is_empty() {
            return left.is_empty();
        }
        left &= !ends;
    }
}
