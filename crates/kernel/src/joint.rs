//! Cards that go up together, none without the others.

use crate::card::{card, has, is_face_down};
use crate::compiled::Compiled;
use crate::journal::Journal;
use crate::moves::Walk;
use crate::program::{End, Face, JointAction, Part};
use crate::state::{NONE, State, Transfer};

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

impl State {
    /// Walks over the pairs of piles (the second 255 if there is one part), until `visit` says no.
    pub(crate) fn joint_instances(
        &self,
        program: &Compiled,
        action: &JointAction,
        mut visit: impl FnMut(u8, u8) -> bool,
    ) -> Walk {
        let wanted = self.joint_wanted(program, action);
        if wanted == 0 {
            return Walk::Finished;
        }
        for &first in &action.parts[0].from {
            if !self.is_part(&action.parts[0], first) {
                continue;
            }
            let first_rises = self.any_in(first, wanted);
            let Some(part) = action.parts.get(1) else {
                if first_rises
                    && self.joint_order(program, action, first, NONE).is_some()
                    && !visit(first, NONE)
                {
                    return Walk::Stopped;
                }
                continue;
            };
            for &second in &part.from {
                // Some card has to go first, and it must be wanted as things are.
                if self.is_part(part, second)
                    && (first_rises || self.any_in(second, wanted))
                    && Self::is_pair(action, first, second)
                    && self.joint_order(program, action, first, second).is_some()
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
        action: &JointAction,
        first: u8,
        second: u8,
    ) -> bool {
        let lists = |part: &Part, pile: u8| part.from.contains(&pile) && self.is_part(part, pile);
        let picked = match action.parts.get(1) {
            None => second == NONE,
            Some(part) => lists(part, second) && Self::is_pair(action, first, second),
        };
        picked
            && lists(&action.parts[0], first)
            && self.joint_order(program, action, first, second).is_some()
    }

    /// Takes the cards of the picked piles up.
    pub(crate) fn go_up(
        &mut self,
        program: &Compiled,
        journal: &mut Journal,
        action: &JointAction,
        first: u8,
        second: u8,
    ) {
        let Some(order) = self.joint_order(program, action, first, second) else { return };
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

    /// Two parts over the same piles pick each pair once.
    fn is_pair(action: &JointAction, first: u8, second: u8) -> bool {
        if action.parts[0].from == action.parts[1].from { first < second } else { first != second }
    }

    /// Whether a pile has the cards of a part, all face up.
    fn is_part(&self, part: &Part, pile: u8) -> bool {
        let cards = self.pile(usize::from(pile));
        cards.len() == usize::from(part.size) && !cards.iter().any(|&byte| is_face_down(byte))
    }

    fn any_in(&self, pile: u8, wanted: u64) -> bool {
        self.pile(usize::from(pile)).iter().any(|&byte| has(wanted, byte))
    }

    /// The cards that any of the ladders wants now.
    fn joint_wanted(&self, program: &Compiled, action: &JointAction) -> u64 {
        action
            .to
            .iter()
            .fold(0, |wanted, &pile| wanted | self.wanted_now(program, usize::from(pile)))
    }

    /// The first order in which all cards are accepted, with their places.
    fn joint_order(
        &self,
        program: &Compiled,
        action: &JointAction,
        first: u8,
        second: u8,
    ) -> Option<Party> {
        let mut party = Party::default();
        self.join(&mut party, first);
        if second != NONE {
            if action.only_if_blocked {
                let alone = |pile: u8| {
                    let mut alone = Party::default();
                    self.join(&mut alone, pile);
                    self.accepted(program, action, alone).is_some()
                };
                if alone(first) || alone(second) {
                    return None;
                }
            }
            self.join(&mut party, second);
        }
        self.accepted(program, action, party)
    }

    fn join(&self, party: &mut Party, pile: u8) {
        for &byte in self.pile(usize::from(pile)).iter().rev().take(MOST / 2) {
            party.rises[party.len] = Rise { byte, from: pile, to: NONE };
            party.len += 1;
        }
    }

    fn accepted(&self, program: &Compiled, action: &JointAction, party: Party) -> Option<Party> {
        let mut ordered = Party::default();
        self.extend(program, action, &party, 0, &mut ordered).then_some(ordered)
    }

    /// Completes an order with the cards not yet `used`, trying them in the order of the party.
    fn extend(
        &self,
        program: &Compiled,
        action: &JointAction,
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
            let Some(to) = self.place(program, action, laid, rise.byte) else { continue };
            rise.to = to;
            ordered.rises[ordered.len] = rise;
            ordered.len += 1;
            if self.extend(program, action, party, used | 1 << next, ordered) {
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
        action: &JointAction,
        laid: &[Rise],
        byte: u8,
    ) -> Option<u8> {
        action.to.iter().copied().find(|&to| {
            let pile = usize::from(to);
            let mut laid_here = laid.iter().filter(|rise| rise.to == to);
            let count = laid_here.clone().count();
            let top = laid_here.next_back().map(|rise| rise.byte).or_else(|| self.top(pile));
            count < self.room(pile)
                && !self.begins_twice(program, laid, to, byte)
                && has(self.wanted(program, pile, self.len(pile) + count, top), card(byte))
        })
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
