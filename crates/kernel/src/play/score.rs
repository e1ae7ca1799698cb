//! The score of a position.
#![allow(clippy::cast_possible_wrap, reason = "numbers of cards and points are small")]

use crate::bits::bits;
use crate::card::{has, is_face_down, rank};
use crate::play::hands::{
    FLUSH, FULL_HOUSE, KNAVE, STRAIGHT, STRAIGHT_FLUSH, STRAIGHTS, cribbage, poker,
};
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::{Better, Score, Term};
use crate::program::score::MAX_HAND;

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

    /// How promising a position is, in hundredths of a point, so that more is better: its worth,
    /// and something for hands that can still be made.
    pub(crate) fn promise(&self, program: &Program) -> i64 {
        let Some(score) = &program.source().score else { return 0 };
        let hopes = score.terms.iter().map(|term| match term {
            Term::Poker { lines, points } if score.aim == Better::Most => {
                lines.iter().map(|line| self.hope(line, points)).sum::<i64>()
            }
            _ => 0,
        });
        self.worth(program) * 100 + hopes.sum::<i64>()
    }

    /// What an unfinished hand at poker may gain, in hundredths of a point.
    fn hope(&self, line: &[u8], points: &[i32; 9]) -> i64 {
        let (hand, number) = self.hand(line);
        if number == 0 || number >= line.len() || line.len() < 5 {
            return 0;
        }
        let hand = &hand[..number];
        let now = i64::from(poker(hand, points));
        let ranks = hand.iter().fold(0u16, |ranks, &byte| ranks | 1 << rank(byte));
        let suit = hand[0] % 4;
        let is_flush = hand.iter().all(|byte| byte % 4 == suit);
        let is_distinct = ranks.count_ones() as usize == number;
        let straights = STRAIGHTS.iter().filter(|straight| ranks & !**straight == 0).count();
        let is_straight = is_distinct && straights > 0;
        // The more cards are there, the likelier the rest comes.
        let share = 4 * (number * number) as i64;
        let gain = |hand: usize| (i64::from(points[hand]) - now).max(0);
        let mut hope = 0;
        if is_flush {
            hope += gain(FLUSH) * share / 2;
        }
        if is_straight {
            hope += gain(STRAIGHT) * share * straights.min(3) as i64 / 8;
        }
        if is_flush && is_straight {
            hope += gain(STRAIGHT_FLUSH) * share / 8;
        }
        if !is_distinct && number - ranks.count_ones() as usize == number - 2 && number >= 3 {
            hope += gain(FULL_HOUSE) * share / 6;
        }
        hope
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
            Term::Runs { runs, points } => {
                i64::from(self.kept(program, Some(runs)).count_ones()) * i64::from(*points)
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
