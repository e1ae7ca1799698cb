//! Cards that belong together leave their piles: listing, testing and applying.

use std::ops::ControlFlow;

use crate::bits::{bits, ones};
use crate::card::{CARDS, card, has, is_face_down};
use crate::play::tops::PilesByCard;
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::actions::pair::{CompiledPair, MOST_IN_SET};
use crate::program::compiled::Program;
use crate::program::format::{CardSet, Face};

/// Up to four piles that are picked one after the other.
#[derive(Default)]
struct Picked {
    piles: [u8; MOST_IN_SET],
    len: usize,
}

impl CompiledPair {
    /// See [`CompiledAction::possible_sets`](crate::program::actions::CompiledAction).
    pub(super) fn possible_sets(&self) -> Option<Vec<Move>> {
        if self.deep == 0 && self.sets.is_empty() {
            return None;
        }
        let mut sets = Vec::new();
        let _ = self.visit_piles(
            self.from_mask,
            |_| true,
            |_| u128::MAX,
            |piles| {
                sets.push(Move::of_set(0, piles));
                true
            },
        );
        sets.sort_unstable();
        Some(sets)
    }

    /// The same as [`Self::visit_piles`] for sets of at most two cards, without most of the piles
    /// that cannot go together. `mates` are those that may go with a pile.
    fn visit_twos(
        &self,
        tops: &PilesByCard,
        is_deep: impl Fn(usize) -> bool,
        mates: impl Fn(usize) -> u128,
        mut visit: impl FnMut(&[u8]) -> bool,
    ) -> ControlFlow<()> {
        for first in bits(tops.all()) {
            let pile = first as u8;
            let twice = self.deep >> first & 1 != 0 && is_deep(first);
            if self.takes(1) && !visit(&[pile]) || twice && !visit(&[pile, pile]) {
                return ControlFlow::Break(());
            }
            let others = mates(first) & self.partners[first] & u128::MAX << first;
            if !bits(others).all(|other| visit(&[pile, other as u8])) {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the groups of piles that a set can come from, in the order of the format, until
    /// `visit` breaks. `available` are the piles with an open card, `is_deep` says which of them
    /// have two, `next` which piles may be added to a group.
    pub(crate) fn visit_piles(
        &self,
        available: u128,
        is_deep: impl Fn(usize) -> bool,
        next: impl Fn(&[u8]) -> u128,
        mut visit: impl FnMut(&[u8]) -> bool,
    ) -> ControlFlow<()> {
        for first in bits(available) {
            let pile = first as u8;
            let twice = self.deep >> first & 1 != 0 && self.takes(2) && is_deep(first);
            if self.takes(1) && !visit(&[pile]) || twice && !visit(&[pile, pile]) {
                return ControlFlow::Break(());
            }
            let mut picked = Picked::default();
            picked.piles[0] = pile;
            picked.len = 1;
            if self.most == 1 {
                continue;
            }
            let others = available & self.partners[first] & u128::MAX << first;
            self.visit_more(others, &mut picked, &next, &mut visit)?;
        }
        ControlFlow::Continue(())
    }

    fn visit_more(
        &self,
        others: u128,
        picked: &mut Picked,
        next: &impl Fn(&[u8]) -> u128,
        visit: &mut impl FnMut(&[u8]) -> bool,
    ) -> ControlFlow<()> {
        let fitting = others & next(&picked.piles[..picked.len]);
        for pile in bits(fitting) {
            picked.piles[picked.len] = pile as u8;
            picked.len += 1;
            if self.takes(picked.len) && !visit(&picked.piles[..picked.len]) {
                return ControlFlow::Break(());
            }
            if picked.len < self.most {
                let rest = others & self.partners[pile] & !(u128::MAX >> (127 - pile));
                self.visit_more(rest, picked, next, visit)?;
            }
            picked.len -= 1;
        }
        ControlFlow::Continue(())
    }
}

impl State {
    /// Visits the sets that may leave until `visit` breaks. The rule of the moves is 0.
    pub(super) fn pair_instances(
        &self,
        program: &Program,
        plan: &CompiledPair,
        mut visit: impl FnMut(Move) -> bool,
    ) -> ControlFlow<()> {
        let filled = plan.from_mask & !self.vacant() & self.open_piles(program);
        let mut tops = PilesByCard::default();
        for pile in bits(filled) {
            if let Some(top) = self.open_card(plan, pile, 1) {
                tops.add(pile, top);
            }
        }
        let is_deep = |pile: usize| self.open_card(plan, pile, 2).is_some();
        let belongs = |piles: &[u8]| self.belong_together(program, plan, piles);
        if plan.most == 2 {
            let mates = plan.mates.get_or_init(|| Box::new(mates(program, plan)));
            return plan.visit_twos(
                &tops,
                is_deep,
                |first| tops.with(self.top(first).map_or(0, |top| mates[usize::from(top)])),
                |piles| !belongs(piles) || visit(Move::of_set(0, piles)),
            );
        }
        let cards_of = |piles: &[u8]| {
            let mut cards = [0; MOST_IN_SET];
            for (card, &pile) in cards.iter_mut().zip(piles) {
                *card = tops.top(usize::from(pile));
            }
            cards
        };
        let room = self.free_slots(plan.to);
        let may_leave = |piles: &[u8]| match piles {
            [one, other] if one == other => belongs(piles),
            _ => piles.len() <= room && are_set(program, plan, &cards_of(piles)[..piles.len()]),
        };
        plan.visit_piles(
            tops.all(),
            is_deep,
            |piles| match piles {
                // The two cards of the pair may be in no set.
                [_] if plan.pair.is_some() => u128::MAX,
                _ => tops.with(plan.added_to(&cards_of(piles)[..piles.len()], |relation, card| {
                    let relation = &program.relations[usize::from(relation)];
                    relation.over[usize::from(card)] | relation.under[usize::from(card)]
                })),
            },
            |piles| !may_leave(piles) || visit(Move::of_set(0, piles)),
        )
    }

    /// Whether a set may leave of which one card comes from some piles.
    pub(super) fn takes_set_from(
        &self,
        program: &Program,
        plan: &CompiledPair,
        from: u128,
    ) -> bool {
        let visited = self.pair_instances(program, plan, |set| {
            let (piles, len) = set.set_piles().unwrap_or_default();
            piles[..len].iter().all(|&pile| from >> pile & 1 == 0)
        });
        visited.is_break()
    }

    /// Whether a move takes away a set.
    pub(super) fn is_pair_instance(
        &self,
        program: &Program,
        plan: &CompiledPair,
        instance: Move,
    ) -> bool {
        let Some((piles, len)) = instance.set_piles() else { return false };
        let piles = &piles[..len];
        let linked = piles.iter().enumerate().all(|(index, &pile)| {
            let is_listed =
                usize::from(pile) < plan.partners.len() && plan.from_mask >> pile & 1 != 0;
            is_listed
                && self.is_open(program, usize::from(pile))
                && piles[..index].iter().all(|&other| {
                    let links =
                        if other == pile { plan.deep } else { plan.partners[usize::from(pile)] };
                    links >> other & 1 != 0
                })
        });
        linked && self.belong_together(program, plan, piles)
    }

    /// Takes away a set, the lowest card (by its number) first: the order in which they lie then
    /// does not depend on which pile had which card, so piles can be interchanged.
    pub(super) fn apply_pair(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        plan: &CompiledPair,
        played: Move,
    ) {
        let Some((mut piles, len)) = played.set_piles() else { return };
        let piles = &mut piles[..len];
        piles.sort_by_key(|&pile| self.top(usize::from(pile)));
        for pile in piles {
            self.move_top_card(program, journal, usize::from(*pile), plan.to, Face::Up);
        }
    }

    /// The card of an open pile that may be taken: so many from the top, face up like those on it,
    /// of a pile that need not wait.
    fn open_card(&self, plan: &CompiledPair, pile: usize, depth: usize) -> Option<u8> {
        if plan.yields_to[pile] & !self.vacant() != 0 {
            return None;
        }
        let cards = self.pile(pile);
        let open = &cards[cards.len().checked_sub(depth)?..];
        (!open.iter().any(|&byte| is_face_down(byte))).then_some(card(open[0]))
    }

    /// Whether the cards of some piles, as [`Move::of_set`] lists them, may leave together.
    fn belong_together(&self, program: &Program, plan: &CompiledPair, piles: &[u8]) -> bool {
        if self.free_slots(plan.to) < piles.len() {
            return false;
        }
        let mut taken = [0; MOST_IN_SET];
        for (index, &pile) in piles.iter().enumerate() {
            let depth = if index == 1 && piles[0] == pile { 2 } else { 1 };
            let Some(card) = self.open_card(plan, usize::from(pile), depth) else { return false };
            taken[index] = card;
        }
        are_set(program, plan, &taken[..piles.len()])
    }
}

/// Whether cards may leave together.
fn are_set(program: &Program, plan: &CompiledPair, cards: &[u8]) -> bool {
    plan.pair
        .is_some_and(|relation| cards.len() == 2 && related(program, relation, cards[0], cards[1]))
        || plan.sets.iter().any(|set| is_set(program, set, cards))
}

/// For each card those that may leave together with it, as two.
fn mates(program: &Program, plan: &CompiledPair) -> [u64; CARDS] {
    std::array::from_fn(|one| {
        let is_mate = |&other: &usize| {
            program.pack >> one & 1 != 0 && are_set(program, plan, &[one as u8, other as u8])
        };
        ones(program.pack).filter(is_mate).fold(0, |mates, other| mates | 1 << other)
    })
}

/// Whether a relation holds between two cards in one order or the other.
fn related(program: &Program, relation: usize, one: u8, other: u8) -> bool {
    let over = &program.relations[relation].over;
    has(over[usize::from(one)], other) || has(over[usize::from(other)], one)
}

/// Whether cards, at most four, belong together.
pub(super) fn is_set(program: &Program, set: &CardSet, cards: &[u8]) -> bool {
    if !(usize::from(set.size[0])..=usize::from(set.size[1])).contains(&cards.len()) {
        return false;
    }
    let adds_up = set.sum.as_ref().is_none_or(|sum| {
        let values = cards.iter().map(|&card| u16::from(sum.values[usize::from(card / 4)]));
        values.sum::<u16>() == sum.total
    });
    let each = set.each.is_none_or(|relation| {
        cards.iter().enumerate().all(|(index, &one)| {
            cards[..index].iter().all(|&other| related(program, usize::from(relation), one, other))
        })
    });
    adds_up
        && each
        && (set.cards.is_empty()
            || in_some_order(cards, 0, None, &|at, _, card| {
                set.cards.get(at).is_none_or(|&class| has(class.0, card))
            }))
        && set.chain.is_none_or(|relation| {
            let relation = &program.relations[usize::from(relation)];
            let all = cards.iter().fold(0, |all, &card| all | 1 << card);
            // At most the first card of the order fits none of the others.
            let fits_none = |&&card: &&u8| relation.under[usize::from(card)] & all == 0;
            cards.iter().filter(fits_none).count() <= 1
                && in_some_order(cards, 0, None, &|_, before, card| {
                    before.is_none_or(|before| has(relation.over[usize::from(before)], card))
                })
        })
}

/// Whether cards, without those that are `used`, can be put in an order in which each one fits its
/// place and the card before it.
fn in_some_order(
    cards: &[u8],
    used: u8,
    before: Option<u8>,
    fits: &impl Fn(usize, Option<u8>, u8) -> bool,
) -> bool {
    let at = used.count_ones() as usize;
    at == cards.len()
        || (0..cards.len()).any(|next| {
            used >> next & 1 == 0
                && fits(at, before, cards[next])
                && in_some_order(cards, used | 1 << next, Some(cards[next]), fits)
        })
}
