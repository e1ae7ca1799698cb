//! Lines in which the aim wants cards in order.

use crate::bits::bits;
use crate::card::{CARDS, card, has, is_face_down};
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::Condition;

/// Lines of piles in which the aim wants cards in order.
#[derive(Clone, Debug)]
pub(crate) struct OrderedLines {
    lines: Vec<Vec<u8>>,
    relation: u8,
    /// The cards that may begin a line; if any may, those that follow no other card of the pack.
    first: u64,
}

impl OrderedLines {
    /// Those that the aim of a program names.
    pub(crate) fn of_aim(program: &Program) -> Vec<Self> {
        let game = program.source();
        let pack = program.pack;
        let lines = |condition: &Condition| {
            let Condition::Ordered { lines, relation, first, .. } = condition else {
                return None;
            };
            let under = &program.relations[usize::from(*relation)].under;
            let leads = bits(u128::from(pack)).filter(|&card| under[card] & pack == 0);
            let leads = leads.fold(0, |leads, card| leads | 1 << card);
            let first = first.map_or(leads, |first| first.0);
            Some(Self { lines: lines.clone(), relation: *relation, first })
        };
        game.aim.iter().filter_map(lines).collect()
    }

    /// The number of cards that do not lie in order in a position.
    pub(crate) fn out_of_order(&self, program: &Program, state: &State) -> usize {
        let over: &[u64; CARDS] = &program.relations[usize::from(self.relation)].over;
        let mut count = 0;
        for line in &self.lines {
            let mut wanted = self.first;
            for &pile in line {
                for &byte in state.pile(usize::from(pile)) {
                    count += usize::from(is_face_down(byte) || !has(wanted, byte));
                    wanted = over[usize::from(card(byte))];
                }
            }
        }
        count
    }
}
