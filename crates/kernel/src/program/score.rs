//! Points: what a score reads, and its validation.

use crate::program::footprint::{Footprint, list};
use crate::program::format::{CardMask, Source, Term};
use crate::program::validate::{Check, Checked, MAX_PILES, cards, most};

/// The largest number of points that a term may give for one thing.
const MAX_POINTS: i32 = 10_000;
const MAX_TERMS: usize = 60;
/// The most cards of a line that make a hand.
pub(crate) const MAX_HAND: usize = 6;

impl Term {
    /// All numbers of points in it.
    fn points(&self) -> &[i32] {
        match self {
            Self::Cards { points, .. }
            | Self::Counter { points, .. }
            | Self::Runs { points, .. }
            | Self::Bonus { points, .. } => std::slice::from_ref(points),
            Self::Poker { points, .. } => points,
            Self::Cribbage { points, .. } => points,
        }
    }

    /// Adds what it reads.
    pub(crate) fn add_to(&self, footprint: &mut Footprint, named: &[Footprint]) {
        match self {
            Self::Cards { piles, cards, .. } => {
                footprint.reads |= piles.0;
                footprint.measures |= piles.0;
                footprint.add_class(*cards);
            }
            Self::Counter { counter, .. } => footprint.counters_read |= 1 << counter,
            Self::Runs { runs, .. } => runs.add_to(footprint),
            Self::Bonus { when, .. } => {
                for condition in when {
                    footprint.add_condition(condition, named);
                }
            }
            Self::Poker { .. } | Self::Cribbage { .. } => {
                let piles = self.piles();
                footprint.reads |= piles;
                footprint.measures |= piles;
                footprint.compares_cards = true;
                // Every card counts as itself.
                (0..crate::card::CARDS).for_each(|card| footprint.add_class(CardMask(1 << card)));
            }
        }
    }

    /// The piles of its lines.
    pub(crate) fn piles(&self) -> u128 {
        let (lines, starter) = match self {
            Self::Poker { lines, .. } => (lines, None),
            Self::Cribbage { lines, starter, .. } => (lines, *starter),
            Self::Cards { .. } | Self::Counter { .. } | Self::Runs { .. } | Self::Bonus { .. } => {
                return 0;
            }
        };
        let piles = lines.iter().fold(0, |piles, line| piles | list(line));
        piles | starter.map_or(0, |starter| 1 << starter)
    }
}

impl Check<'_> {
    /// Whether the score of a program is valid.
    pub(super) fn score(&self, program: &Source) -> Checked {
        let Some(score) = &program.score else { return Ok(()) };
        if score.won_from.is_some() && !program.aim.is_empty() {
            return Err("there is an aim, so no number of points may decide".to_owned());
        }
        most("terms", score.terms.len(), MAX_TERMS)?;
        if score.start.unsigned_abs() > 1_000_000 {
            return Err(format!("begins with {} points", score.start));
        }
        score.terms.iter().try_for_each(|term| {
            if let Some(points) = term.points().iter().find(|points| points.abs() > MAX_POINTS) {
                return Err(format!("{points} points are too many"));
            }
            let hands = |lines: &[Vec<u8>], longest: usize| {
                self.has_ranks_only()?;
                most("lines", lines.len(), MAX_PILES)?;
                lines.iter().try_for_each(|line| {
                    most("piles in a line", line.len(), longest)?;
                    self.piles(line)
                })
            };
            match term {
                Term::Cards { piles, cards: mask, .. } => {
                    cards(*mask)?;
                    self.mask(*piles)
                }
                Term::Counter { counter, .. } => self.is_counter(*counter),
                Term::Runs { runs, .. } => self.runs(runs),
                Term::Bonus { when, .. } => self.conditions(when),
                Term::Poker { lines, .. } => hands(lines, 5),
                Term::Cribbage { lines, starter, .. } => {
                    hands(lines, MAX_HAND - 1)?;
                    starter.map_or(Ok(()), |starter| self.is_pile(starter))
                }
            }
        })
    }
}
