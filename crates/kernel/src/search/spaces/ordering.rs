//! The order in which a depth-first search tries moves.

use crate::card::is_face_down;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::actions::{Kind, Sort};
use crate::program::compiled::Compiled;
use crate::search::spaces::space::chance;

/// Which moves are tried first.
pub(crate) struct Ordering {
    /// By rule, what speaks for it whatever it moves.
    rules: Box<[i32]>,
}

/// Up a ladder, or jointly: seldom wrong.
const UP: i32 = 1000;
/// A face-down card is laid open.
const UNCOVERS: i32 = 400;
/// A card is built on another.
const BUILDS: i32 = 200;
/// A pile becomes empty.
const VACATES: i32 = 80;
/// From the stock to where it can be seen.
const DEALS: i32 = 0;
/// An empty pile is used up.
const FILLS: i32 = -50;
/// Cards change places.
const SWAPS: i32 = -100;
/// A card comes back from a ladder.
const WORRIES_BACK: i32 = -300;
/// Piles are taken together for a redeal.
const GATHERS: i32 = -500;

impl Ordering {
    pub(crate) fn new(program: &Compiled) -> Self {
        let rules = program.plans.iter().map(|plan| match plan.kind.sort() {
            Sort::Play => UP,
            Sort::Plain => DEALS,
            Sort::Swap => SWAPS,
            Sort::Gather => GATHERS,
            Sort::Deal => DEALS - 1,
        });
        Self { rules: rules.collect() }
    }

    /// Puts the best moves first; seeds other than 0 bring some chance in.
    pub(crate) fn sort(&self, program: &Compiled, state: &State, moves: &mut [Move], seed: u64) {
        if moves.len() > 1 {
            moves.sort_by_cached_key(|&each| {
                let chance = chance(seed, state.hash128(), each.code());
                -self.worth(program, state, each) - chance
            });
        }
    }

    /// What speaks for a move by its rule alone.
    pub(crate) fn rule_worth(&self, each: Move) -> i32 {
        self.rules[usize::from(each.rule())]
    }

    /// What speaks for a move, whatever it leads to.
    pub(crate) fn worth(&self, program: &Compiled, state: &State, each: Move) -> i32 {
        let mut worth = self.rules[usize::from(each.rule())];
        if let Kind::Move(plan) = &program.plans[usize::from(each.rule())].kind {
            let (from, to) = (usize::from(each.from()), usize::from(each.to()));
            let cards = state.pile(from);
            let left = cards.len().saturating_sub(usize::from(each.count()));
            if program.places[from].ladder.is_some() {
                worth += WORRIES_BACK;
            }
            match left.checked_sub(1).map(|below| cards[below]) {
                None => worth += VACATES,
                Some(below) if is_face_down(below) && !is_face_down(cards[cards.len() - 1]) => {
                    worth += UNCOVERS;
                }
                Some(_) => {}
            }
            if state.is_vacant(to) {
                worth += FILLS;
            } else if plan.action.onto.is_some() {
                worth += BUILDS;
            }
        }
        worth
    }
}
