//! Cards that go up together, none without the others.

use crate::card::{card, has, is_face_down};
use crate::play::actions::Walk;
use crate::position::journal::Journal;
use crate::position::moves::NONE;
use crate::position::state::{State, Transfer};
use crate::program::actions::joint::JointPlan;
use crate::program::compiled::Compiled;
use crate::program::format::{End, Face, Part};
use crate::program::validate::MAX_PILES;

/// The most cards of a joint action: two parts of two.
const MOST: usize = 4;

/// A card that goes up: its byte, its pile, and the pile it goes to.
#[derive(Clone, Copy, Debug, Default)]
struct Rise {
    byte: u8,
    from: u8,
    to: u8,
}

/// The cards of the picked piles: parts in order, top card first.
#[derive(Clone, Copy, Debug, Default)]
struct Party {
    rises: [Rise; MOST],
    len: usize,
}

/// What the foundations of a joint action want, in its order, as things are.
struct Wants {
    each: [u64; MAX_PILES],
    any: u64,
}

/// The piles that a part may pick, in its order, each with its cards.
struct Picks {
    piles: [u8; MAX_PILES],
    cards: [u64; MAX_PILES],
    len: usize,
}

impl Picks {
    fn iter(&self) -> impl Iterator<Item = (u8, u64)> + '_ {
        self.piles[..self.len].iter().copied().zip(self.cards.iter().copied())
    }
}

impl JointPlan {
    /// Two parts over the same piles pick each pair once.
    fn is_pair(&self, first: u8, second: u8) -> bool {
        if self.alike { first < second } else { first != second }
    }

    /// Whether cards might all go up together when some are wanted: each is wanted, or is one that
    /// might be wanted on another of them that can go up before it. Looks at no heights.
    fn may_rise(&self, wanted: u64, cards: u64) -> bool {
        let mut risen = 0;
        let mut rising = cards & wanted;
        while rising != 0 {
            risen |= rising;
            let mut next = 0;
            while rising != 0 {
                next |= self.next[rising.trailing_zeros() as usize];
                rising &= rising - 1;
            }
            rising = next & cards & !risen;
        }
        risen == cards
    }
}

impl State {
    /// Walks over the pairs of piles (the second 255 if there is one part), until `visit` says no.
    pub(crate) fn joint_instances(
        &self,
        program: &Compiled,
        plan: &JointPlan,
        mut visit: impl FnMut(u8, u8) -> bool,
    ) -> Walk {
        let wants = self.joint_wants(program, plan);
        if wants.any == 0 {
            return Walk::Finished;
        }
        let firsts = self.picks(program, plan, &plan.parts[0], &wants);
        if plan.parts.len() == 1 {
            for (first, cards) in firsts.iter() {
                if plan.may_rise(wants.any, cards)
                    && self.accepted(program, plan, Some(&wants), self.party(first, NONE)).is_some()
                    && !visit(first, NONE)
                {
                    return Walk::Stopped;
                }
            }
            return Walk::Finished;
        }
        let seconds = self.picks(program, plan, &plan.parts[1], &wants);
        for (first, ours) in firsts.iter() {
            for (second, theirs) in seconds.iter() {
                let cards = ours | theirs;
                if cards & wants.any != 0
                    && plan.is_pair(first, second)
                    && plan.may_rise(wants.any, cards)
                    && self
                        .accepted(program, plan, Some(&wants), self.party(first, second))
                        .is_some()
                    && !visit(first, second)
                {
                    return Walk::Stopped;
                }
            }
        }
        Walk::Finished
    }

    /// Whether the cards of these piles (any numbers) can go up together.
    pub(crate) fn is_joint_instance(
        &self,
        program: &Compiled,
        plan: &JointPlan,
        first: u8,
        second: u8,
    ) -> bool {
        let lists = |part: &Part, pile: u8| part.from.contains(&pile) && self.is_part(part, pile);
        let picked = match plan.parts.get(1) {
            None => second == NONE,
            Some(part) => lists(part, second) && plan.is_pair(first, second),
        };
        if !picked || !lists(&plan.parts[0], first) {
            return false;
        }
        let alone = |pile| self.accepted(program, plan, None, self.party(pile, NONE)).is_some();
        if second != NONE && plan.only_if_blocked && (alone(first) || alone(second)) {
            return false;
        }
        self.accepted(program, plan, None, self.party(first, second)).is_some()
    }

    /// Takes the cards of the picked piles up.
    pub(crate) fn go_up(
        &mut self,
        program: &Compiled,
        journal: &mut Journal,
        plan: &JointPlan,
        first: u8,
        second: u8,
    ) {
        let party = self.party(first, second);
        let Some(order) = self.accepted(program, plan, None, party) else { return };
        for rise in &order.rises[..order.len] {
            let (from, to) = (usize::from(rise.from), usize::from(rise.to));
            // Of two cards the lower one may have to go first.
            let from_end = if self.top(from) == Some(rise.byte) { End::Top } else { End::Bottom };
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

    /// Whether a pile has the cards of a part, all face up.
    fn is_part(&self, part: &Part, pile: u8) -> bool {
        let cards = self.pile(usize::from(pile));
        cards.len() == usize::from(part.size) && !cards.iter().any(|&byte| is_face_down(byte))
    }

    /// The piles that a part may pick. Those that block nobody are left out if only blocked ones may.
    fn picks(&self, program: &Compiled, plan: &JointPlan, part: &Part, wants: &Wants) -> Picks {
        let mut picks = Picks { piles: [0; MAX_PILES], cards: [0; MAX_PILES], len: 0 };
        for &pile in &part.from {
            if !self.is_part(part, pile) {
                continue;
            }
            let cards = self.pile(usize::from(pile)).iter().fold(0, |all, &byte| all | 1 << byte);
            let blocks = plan.only_if_blocked && plan.parts.len() == 2;
            let alone = || {
                plan.may_rise(wants.any, cards)
                    && self.accepted(program, plan, Some(wants), self.party(pile, NONE)).is_some()
            };
            if !blocks || !alone() {
                picks.piles[picks.len] = pile;
                picks.cards[picks.len] = cards;
                picks.len += 1;
            }
        }
        picks
    }

    /// What the ladders want now.
    fn joint_wants(&self, program: &Compiled, plan: &JointPlan) -> Wants {
        let mut wants = Wants { each: [0; MAX_PILES], any: 0 };
        for (each, &pile) in wants.each.iter_mut().zip(&plan.to) {
            *each = self.joint_want(program, pile);
            wants.any |= *each;
        }
        wants
    }

    /// What a pile takes now.
    fn joint_want(&self, program: &Compiled, pile: u8) -> u64 {
        let pile = usize::from(pile);
        if self.room(pile) > 0 { self.wanted_now(program, pile) } else { 0 }
    }

    /// The cards of one or two piles.
    fn party(&self, first: u8, second: u8) -> Party {
        let mut party = Party::default();
        for pile in [first, second] {
            if pile != NONE {
                for &byte in self.pile(usize::from(pile)).iter().rev().take(MOST / 2) {
                    party.rises[party.len] = Rise { byte, from: pile, to: NONE };
                    party.len += 1;
                }
            }
        }
        party
    }

    /// The first order in which all cards are accepted, with their places.
    fn accepted(
        &self,
        program: &Compiled,
        plan: &JointPlan,
        wants: Option<&Wants>,
        party: Party,
    ) -> Option<Party> {
        let mut ordered = Party::default();
        self.extend(program, plan, wants, &party, 0, &mut ordered).then_some(ordered)
    }

    /// Completes an order with the cards not yet `used`, trying them in the order of the party.
    fn extend(
        &self,
        program: &Compiled,
        plan: &JointPlan,
        wants: Option<&Wants>,
        party: &Party,
        used: u8,
        ordered: &mut Party,
    ) -> bool {
        if ordered.len == party.len {
            return true;
        }
        for next in (0..party.len).filter(|next| used >> next & 1 == 0) {
            let mut rise = party.rises[next];
            let laid = &ordered.rises[..ordered.len];
            let Some(to) = self.place(program, plan, wants, laid, rise.byte) else { continue };
            rise.to = to;
            ordered.rises[ordered.len] = rise;
            ordered.len += 1;
            if self.extend(program, plan, wants, party, used | 1 << next, ordered) {
                return true;
            }
            ordered.len -= 1;
        }
        false
    }

    /// The first pile whose ladder wants a card after others were laid.
    fn place(
        &self,
        program: &Compiled,
        plan: &JointPlan,
        wants: Option<&Wants>,
        laid: &[Rise],
        byte: u8,
    ) -> Option<u8> {
        let taker = plan.to.iter().enumerate().find(|&(index, &to)| {
            let pile = usize::from(to);
            let mut laid_here = laid.iter().filter(|rise| rise.to == to);
            let Some(last) = laid_here.next_back() else {
                let want = wants.map_or_else(|| self.joint_want(program, to), |w| w.each[index]);
                return has(want, byte) && !self.begins_twice(program, laid, to, byte);
            };
            let count = laid_here.count() + 1;
            count < self.room(pile)
                && has(self.wanted(program, pile, self.len(pile) + count, Some(last.byte)), byte)
        });
        taker.map(|(_, &to)| to)
    }

    /// Whether a card would begin, on an empty pile, a suit that a card laid before it has begun on
    /// another one, where the ladder forbids that.
    fn begins_twice(&self, program: &Compiled, laid: &[Rise], to: u8, byte: u8) -> bool {
        let ladder = |pile: u8| program.places[usize::from(pile)].ladder;
        let apart = |ladder: u8| program.program().ladders[usize::from(ladder)].apart;
        self.is_vacant(usize::from(to))
            && ladder(to).is_some_and(apart)
            && laid.iter().all(|rise| rise.to != to)
            && laid.iter().any(|rise| {
                ladder(rise.to) == ladder(to)
                    && self.is_vacant(usize::from(rise.to))
                    && card(rise.byte) % 4 == card(byte) % 4
            })
    }
}
