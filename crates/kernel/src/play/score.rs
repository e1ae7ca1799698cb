//! The score of a position.

use crate::bits::bits;
use crate::card::{has, is_face_down, rank};
use crate::play::hands::{KNAVE, cribbage, poker};
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::score::{Better, MAX_HAND, Score, Term};

impl State {
    /// The points of a position; none in games that are not scored.
    pub fn score(&self, program: &Program) -> Option<i64> {
        program.source().score.as_ref().map(|score| self.points(program, score))
    }

    /// The score so that more is better; 0 in games that are not scored.
    pub(crate) fn worth(&self, program: &Program) -> i64 {
        let Some(score) = &program.source().score else { return 0 };
        score.aim.worth(self.points(program, score))
    }

    fn points(&self, program: &Program, score: &Score) -> i64 {
        let terms = score.terms.iter().map(|term| self.points_of(program, term));
        i64::from(score.start) + terms.sum::<i64>()
    }

    /// The points that a term gives.
    pub(crate) fn points_of(&self, program: &Program, term: &Term) -> i64 {
        match term {
            Term::Cards { piles, cards, points } => {
                let shown = program.pack & !cards.0 != 0;
                let counts = |&&byte: &&u8| has(cards.0, byte) && !(shown && is_face_down(byte));
                let held = bits(piles.0).map(|pile| self.pile(pile).iter().filter(counts).count());
                held.sum::<usize>() as i64 * i64::from(*points)
            }
            Term::Counter { counter, points } => {
                i64::from(self.counters()[usize::from(*counter)]) * i64::from(*points)
            }
            Term::Bonus { when, points } => {
                if self.all_hold(program, when) {
                    i64::from(*points)
                } else {
                    0
                }
            }
            Term::Poker { lines, points } => {
                let hands = lines.iter().map(|line| {
                    let (hand, number) = self.hand(line);
                    i64::from(poker(&hand[..number], points))
                });
                hands.sum()
            }
            Term::Cribbage { lines, starter, points } => {
                let starter = self.starter(*starter);
                let hands = lines.iter().map(|line| {
                    let (hand, number) = self.hand(line);
                    i64::from(cribbage(&hand[..number], starter, line.len(), points))
                });
                let heels = starter.is_some_and(|starter| rank(starter) == KNAVE);
                hands.sum::<i64>() + if heels { i64::from(points[5]) } else { 0 }
            }
        }
    }

    /// The starter, if there is one and it lies face up.
    pub(crate) fn starter(&self, pile: Option<u8>) -> Option<u8> {
        self.top(usize::from(pile?)).filter(|&byte| !is_face_down(byte))
    }

    /// The face-up top cards of the piles of a line, and their number.
    pub(crate) fn hand(&self, line: &[u8]) -> ([u8; MAX_HAND], usize) {
        let (mut hand, mut number) = ([0; MAX_HAND], 0);
        for &pile in line.iter().take(MAX_HAND) {
            if let Some(top) = self.top(usize::from(pile)).filter(|&byte| !is_face_down(byte)) {
                hand[number] = top;
                number += 1;
            }
        }
        (hand, number)
    }
}

impl Better {
    /// A score so that more is better, or such a number as a score again.
    pub const fn worth(self, points: i64) -> i64 {
        match self {
            Self::Most => points,
            Self::Fewest => -points,
        }
    }
}
