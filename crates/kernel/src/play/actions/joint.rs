//! Cards that go to foundations together or not at all.

use crate::bits::ones;
use crate::card::{ALL, card, has, is_face_down};
use std::ops::ControlFlow;

use crate::play::actions::pair::is_set;
use crate::play::tops::{PilesByCard, Tops};
use crate::position::journal::Journal;
use crate::position::moves::NONE;
use crate::position::state::{State, Transfer};
use crate::program::actions::joint::CompiledJoint;
use crate::program::compiled::Program;
use crate::program::format::{End, Face, Part};
use crate::program::validate::MAX_PILES;

/// The most cards of a joint action: two parts of two.
const MOST: usize = 4;

/// A card to play: its byte, its pile, and its foundation.
#[derive(Clone, Copy, Debug, Default)]
struct CardMove {
    byte: u8,
    from: u8,
    to: u8,
}

/// The cards of the picked piles: parts in order, top card first.
#[derive(Clone, Copy, Debug, Default)]
struct Batch {
    moves: [CardMove; MOST],
    len: usize,
}

/// What the foundations of a joint action want now, in the order of the action.
struct Demand {
    each: [u64; MAX_PILES],
    any: u64,
}

/// The piles that a part may pick, in the order of the part, each with its cards.
struct Candidates {
    piles: [u8; MAX_PILES],
    cards: [u64; MAX_PILES],
    len: usize,
}

/// The cards within reach, and the piles with one of them on top.
#[derive(Clone, Copy)]
struct Within {
    reach: u64,
    piles: u128,
}

impl Within {
    fn new(reach: u64, piles: &PilesByCard) -> Self {
        Self { reach, piles: piles.with(reach & ALL) }
    }
}

impl Candidates {
    fn iter(&self) -> impl Iterator<Item = (u8, u64)> + '_ {
        self.piles[..self.len].iter().copied().zip(self.cards.iter().copied())
    }
}

impl CompiledJoint {
    /// Two parts that ask for the same pick each pair once.
    pub(crate) fn is_pair(&self, first: u8, second: u8) -> bool {
        if self.is_even { first < second } else { first != second }
    }

    /// The cards that might be wanted on some others.
    #[inline]
    fn wanted_on(&self, cards: u64) -> u64 {
        // Sets of wanted cards may contain numbers that are no cards.
        ones(cards & ALL).fold(0, |wanted, card| wanted | self.next[card])
    }

    /// The cards that might be played, given those wanted now, if as many are played together as
    /// the action asks for.
    fn within_reach(&self, wanted: u64) -> u64 {
        let cards: u16 = self.together.iter().map(|part| part.holds.max(1)).sum();
        (1..cards).fold(wanted, |reach, _| reach | self.wanted_on(reach))
    }

    /// Whether cards might all be played together, given those wanted now: each is wanted, or might
    /// be wanted on another of them that can be played before it. Heights are ignored.
    fn can_play_all(&self, wanted: u64, cards: u64) -> bool {
        let mut risen = 0;
        let mut rising = cards & wanted;
        while rising != 0 {
            risen |= rising;
            rising = self.wanted_on(rising) & cards & !risen;
        }
        risen == cards
    }
}

/// Whether cards are the set that the action asks for.
fn matches(program: &Program, plan: &CompiledJoint, batch: &Batch) -> bool {
    plan.matching.as_ref().is_none_or(|set| {
        let cards = batch.moves.map(|card_move| card(card_move.byte));
        is_set(program, set, &cards[..batch.len])
    })
}

impl State {
    /// Visits the pairs of piles until `visit` breaks. (The second is 255 if there is one part.)
    /// `tops` must be of this position.
    pub(crate) fn joint_instances(
        &self,
        program: &Program,
        plan: &CompiledJoint,
        tops: &Tops,
        mut visit: impl FnMut(u8, u8) -> bool,
    ) -> ControlFlow<()> {
        let wants = self.joint_wants(program, plan, tops);
        if wants.any == 0 {
            return ControlFlow::Continue(());
        }
        let within = Within::new(plan.within_reach(wants.any), tops.piles(program, self));
        let firsts = self.candidates(program, plan, &plan.together[0], &wants, within);
        if plan.together.len() == 1 {
            for (first, cards) in firsts.iter() {
                let batch = self.batch(plan, first, NONE);
                if plan.can_play_all(wants.any, cards)
                    && matches(program, plan, &batch)
                    && self.accepted(program, plan, Some(&wants), batch).is_some()
                    && !visit(first, NONE)
                {
                    return ControlFlow::Break(());
                }
            }
            return ControlFlow::Continue(());
        }
        if firsts.len == 0 {
            return ControlFlow::Continue(());
        }
        let others;
        let seconds = if plan.is_even {
            &firsts
        } else {
            others = self.candidates(program, plan, &plan.together[1], &wants, within);
            &others
        };
        for (first, ours) in firsts.iter() {
            for (second, theirs) in seconds.iter() {
                let cards = ours | theirs;
                if cards & wants.any != 0
                    && plan.is_pair(first, second)
                    && plan.can_play_all(wants.any, cards)
                {
                    let batch = self.batch(plan, first, second);
                    if matches(program, plan, &batch)
                        && self.accepted(program, plan, Some(&wants), batch).is_some()
                        && !self.is_picked_before(program, plan, first, second)
                        && !visit(first, second)
                    {
                        return ControlFlow::Break(());
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether the cards of these piles can be played together. Any pile numbers are allowed.
    pub(crate) fn is_joint_instance(
        &self,
        program: &Program,
        plan: &CompiledJoint,
        first: u8,
        second: u8,
    ) -> bool {
        self.joins(program, plan, first, second)
            && !self.is_picked_before(program, plan, first, second)
    }

    /// Whether the same cards can be played with the piles picked the other way round. Of two such
    /// moves only the one with the smaller first pile is listed.
    fn is_picked_before(
        &self,
        program: &Program,
        plan: &CompiledJoint,
        first: u8,
        second: u8,
    ) -> bool {
        plan.takes_alike() && second < first && self.joins(program, plan, second, first)
    }

    /// Whether the parts may take these piles, and the cards can be played together.
    fn joins(&self, program: &Program, plan: &CompiledJoint, first: u8, second: u8) -> bool {
        let lists = |part: &Part, pile: u8| {
            part.from.contains(&pile) && self.is_part(program, part, pile, u64::MAX)
        };
        let picked = match plan.together.get(1) {
            None => second == NONE,
            Some(part) => lists(part, second) && plan.is_pair(first, second),
        };
        if !picked || !lists(&plan.together[0], first) {
            return false;
        }
        let alone = |part: usize, pile| {
            let batch = self.batch_of(&[(&plan.together[part], pile)]);
            self.accepted(program, plan, None, batch).is_some()
        };
        if second != NONE && plan.only_if_blocked && (alone(0, first) || alone(1, second)) {
            return false;
        }
        let batch = self.batch(plan, first, second);
        matches(program, plan, &batch) && self.accepted(program, plan, None, batch).is_some()
    }

    /// Plays the cards of the picked piles.
    pub(crate) fn play_joint(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        plan: &CompiledJoint,
        first: u8,
        second: u8,
    ) {
        let batch = self.batch(plan, first, second);
        let Some(order) = self.accepted(program, plan, None, batch) else { return };
        for card_move in &order.moves[..order.len] {
            let (from, to) = (usize::from(card_move.from), usize::from(card_move.to));
            // Of two cards the lower one may have to be played first.
            let from_end =
                if self.top(from) == Some(card_move.byte) { End::Top } else { End::Bottom };
            let transfer = Transfer {
                from,
                from_end,
                to,
                to_end: End::Top,
                count: 1,
                reverse: false,
                face: Face::Up,
            };
            self.transfer(program, journal, transfer);
        }
    }

    /// Whether a pile has the cards of a part, all within reach, face up and open.
    #[inline]
    fn is_part(&self, program: &Program, part: &Part, pile: u8, reach: u64) -> bool {
        let count = self.len(usize::from(pile));
        count >= usize::from(part.least.max(1))
            && (part.holds == 0 || count == usize::from(part.holds))
            && self.part_of(part, pile).all(|&byte| has(reach, byte))
            && !self.part_of(part, pile).any(|&byte| is_face_down(byte))
            && self.is_open(program, usize::from(pile))
    }

    /// The piles that a part may pick, without those whose cards are out of reach, and those whose
    /// cards can be played alone if the action requires blocked ones.
    fn candidates(
        &self,
        program: &Program,
        plan: &CompiledJoint,
        part: &Part,
        wants: &Demand,
        within: Within,
    ) -> Candidates {
        let mut candidates = Candidates { piles: [0; MAX_PILES], cards: [0; MAX_PILES], len: 0 };
        for &pile in &part.from {
            if within.piles >> pile & 1 == 0
                || part.holds != 0 && self.len(usize::from(pile)) != usize::from(part.holds)
                || !self.is_part(program, part, pile, within.reach)
            {
                continue;
            }
            let cards = self.part_of(part, pile).fold(0, |all, &byte| all | 1 << byte);
            let blocks = plan.only_if_blocked && plan.together.len() == 2;
            let alone = || {
                let batch = || self.batch_of(&[(part, pile)]);
                plan.can_play_all(wants.any, cards)
                    && self.accepted(program, plan, Some(wants), batch()).is_some()
            };
            if !blocks || !alone() {
                candidates.piles[candidates.len] = pile;
                candidates.cards[candidates.len] = cards;
                candidates.len += 1;
            }
        }
        candidates
    }

    /// What the build orders want now.
    fn joint_wants(&self, program: &Program, plan: &CompiledJoint, tops: &Tops) -> Demand {
        let mut wants = Demand { each: [0; MAX_PILES], any: 0 };
        for (each, &pile) in wants.each.iter_mut().zip(&plan.to) {
            let pile = usize::from(pile);
            *each = if self.free_slots(pile) > 0 { tops.wanted(program, self, pile) } else { 0 };
            wants.any |= *each;
        }
        wants
    }

    /// What a pile takes now.
    fn joint_want(&self, program: &Program, pile: u8) -> u64 {
        let pile = usize::from(pile);
        if self.free_slots(pile) > 0 { self.wanted_now(program, pile) } else { 0 }
    }

    /// The cards that go from the picked piles.
    fn batch(&self, plan: &CompiledJoint, first: u8, second: u8) -> Batch {
        match plan.together.get(1) {
            Some(part) if second != NONE => {
                self.batch_of(&[(&plan.together[0], first), (part, second)])
            }
            _ => self.batch_of(&[(&plan.together[0], first)]),
        }
    }

    /// The cards of a part, top card first.
    #[inline]
    fn part_of(&self, part: &Part, pile: u8) -> impl Iterator<Item = &u8> {
        let cards = self.pile(usize::from(pile));
        cards[cards.len().saturating_sub(usize::from(part.holds.max(1)))..].iter().rev()
    }

    fn batch_of(&self, picked: &[(&Part, u8)]) -> Batch {
        let mut batch = Batch::default();
        for &(part, pile) in picked {
            for &byte in self.part_of(part, pile) {
                batch.moves[batch.len] = CardMove { byte, from: pile, to: NONE };
                batch.len += 1;
            }
        }
        batch
    }

    /// The first order in which all cards are accepted, with their foundations.
    fn accepted(
        &self,
        program: &Program,
        plan: &CompiledJoint,
        wants: Option<&Demand>,
        batch: Batch,
    ) -> Option<Batch> {
        let mut ordered = Batch::default();
        self.extend(program, plan, wants, &batch, 0, &mut ordered).then_some(ordered)
    }

    /// Completes an order with the cards that are not yet `used`. Tries them in the order of the
    /// batch.
    fn extend(
        &self,
        program: &Program,
        plan: &CompiledJoint,
        wants: Option<&Demand>,
        batch: &Batch,
        used: u8,
        ordered: &mut Batch,
    ) -> bool {
        if ordered.len == batch.len {
            return true;
        }
        let turn = ordered.len;
        for next in (0..batch.len).filter(|next| used >> next & 1 == 0) {
            if plan.in_turn && next != turn {
                continue;
            }
            let mut card_move = batch.moves[next];
            for index in 0..plan.to.len() {
                let laid = &ordered.moves[..ordered.len];
                if !self.takes(program, plan, wants, laid, index, card_move.byte) {
                    continue;
                }
                card_move.to = plan.to[index];
                ordered.moves[ordered.len] = card_move;
                ordered.len += 1;
                if self.extend(program, plan, wants, batch, used | 1 << next, ordered) {
                    return true;
                }
                ordered.len -= 1;
            }
        }
        false
    }

    /// Whether the build order of a pile of `to` wants a card after other cards were played.
    fn takes(
        &self,
        program: &Program,
        plan: &CompiledJoint,
        wants: Option<&Demand>,
        laid: &[CardMove],
        index: usize,
        byte: u8,
    ) -> bool {
        let to = plan.to[index];
        let pile = usize::from(to);
        let mut laid_here = laid.iter().filter(|card_move| card_move.to == to);
        let Some(last) = laid_here.next_back() else {
            let want = wants.map_or_else(|| self.joint_want(program, to), |w| w.each[index]);
            return has(want, byte) && !self.begins_twice(program, laid, to, byte);
        };
        let count = laid_here.count() + 1;
        count < self.free_slots(pile)
            && has(self.wanted(program, pile, self.len(pile) + count, Some(last.byte)), byte)
    }

    /// Whether a card would begin a suit on an empty pile although an earlier card of this action
    /// began it on another one and the build order forbids that.
    fn begins_twice(&self, program: &Program, laid: &[CardMove], to: u8, byte: u8) -> bool {
        let build_order = |pile: u8| program.places[usize::from(pile)].build_order;
        let one_suit_each =
            |build_order: u8| program.source().build_orders[usize::from(build_order)].one_suit_each;
        self.is_vacant(usize::from(to))
            && build_order(to).is_some_and(one_suit_each)
            && laid.iter().all(|card_move| card_move.to != to)
            && laid.iter().any(|card_move| {
                build_order(card_move.to) == build_order(to)
                    && self.is_vacant(usize::from(card_move.to))
                    && card(card_move.byte) % 4 == card(byte) % 4
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::CARDS;

    #[test]
    fn any_card_may_be_within_reach() {
        let part = Part { from: vec![0, 1], holds: 2, least: 2 };
        let joint = CompiledJoint {
            together: vec![part.clone(), part].into(),
            is_even: true,
            to: vec![2].into(),
            only_if_blocked: false,
            in_turn: false,
            matching: None,
            // As where foundations are built in steps of any length.
            next: Box::new([u64::MAX; CARDS]),
        };
        assert_eq!(joint.within_reach(1), u64::MAX);
        assert!(joint.can_play_all(1, 0b1111));
    }
}
