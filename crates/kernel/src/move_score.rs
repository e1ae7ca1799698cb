//! How good a move looks at a glance.
//!
//! This is the one table of scores: depth-first search tries moves in this order, the greedy player
//! plays by it, and the space of linked cards sorts its steps by the same numbers. Only cards that
//! lie open are looked at. No game is known here, and no verdict depends on it.

use crate::card::{has, is_face_down};
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::actions::{CompiledAction, Sort};
use crate::program::compiled::Program;

/// Up a ladder, or jointly: seldom wrong.
pub(crate) const UP: i32 = 1000;
/// A face-down card is laid open.
const UNCOVERS: i32 = 400;
/// The same among linked cards, where it is weighed against other things, too.
pub(crate) const UNCOVERS_LINKED: i32 = 100;
/// A card is built on another.
pub(crate) const BUILDS: i32 = 200;
/// A pile becomes empty.
pub(crate) const VACATES: i32 = 80;
/// A card that is wanted sooner becomes free, or, counted against the move, is buried. Taking a
/// card from one that it fits counts against it just as much.
pub(crate) const FREES: i32 = 60;
/// Something else.
const PLAIN: i32 = 0;
/// An empty pile is used up.
pub(crate) const FILLS: i32 = -50;
/// Cards change places.
const SWAPS: i32 = -100;
/// It lay on a card just as good.
const IDLES: i32 = -250;
/// A card comes back from a ladder.
pub(crate) const WORRIES_BACK: i32 = -300;
/// Piles are taken together for a redeal.
const GATHERS: i32 = -500;

/// Scores the moves of a program.
pub(crate) struct MoveScorer {
    /// By rule, what speaks for it whatever it moves.
    rules: Box<[i32]>,
    /// Piles on which cards are built, if to leave a card that fits counts against a move.
    built: u128,
}

impl MoveScorer {
    /// Scores for a search, which sees for itself what a move is good for.
    pub(crate) fn for_search(program: &Program) -> Self {
        Self { rules: rules(program, PLAIN - 1), built: 0 }
    }

    /// Scores for a player who looks no further. They are multiples of ten.
    pub(crate) fn for_player(program: &Program) -> Self {
        let built = program.plans.iter().fold(0, |built, plan| match &plan.kind {
            CompiledAction::Move(plan) if plan.action.onto.is_some() && !plan.action.ladder => {
                built | plan.to_mask
            }
            _ => built,
        });
        Self { rules: rules(program, PLAIN - 10), built }
    }

    /// The score of a move by its rule alone.
    pub(crate) fn score_of_rule(&self, each: Move) -> i32 {
        self.rules[usize::from(each.rule())]
    }

    /// The score of a move, whatever it leads to.
    pub(crate) fn score(&self, program: &Program, state: &State, each: Move) -> i32 {
        let mut score = self.score_of_rule(each);
        let CompiledAction::Move(plan) = &program.plans[usize::from(each.rule())].kind else {
            return score;
        };
        let (from, to) = (usize::from(each.from()), usize::from(each.to()));
        let cards = state.pile(from);
        let left = cards.len().saturating_sub(usize::from(each.count()));
        if program.places[from].ladder.is_some() {
            score += WORRIES_BACK;
        }
        match left.checked_sub(1).map(|below| cards[below]) {
            None => score += VACATES,
            Some(below) if is_face_down(below) && !is_face_down(cards[cards.len() - 1]) => {
                score += UNCOVERS;
            }
            Some(below) if !is_face_down(below) && self.built >> from & 1 != 0 => {
                let fits = |&onto: &u8| {
                    has(program.relations[usize::from(onto)].over[usize::from(below)], cards[left])
                };
                if program.places[to].ladder.is_none() && plan.action.onto.iter().any(fits) {
                    score += IDLES;
                }
            }
            Some(_) => {}
        }
        if state.is_vacant(to) {
            score += FILLS;
        } else if plan.action.onto.is_some() {
            score += BUILDS;
        }
        score
    }
}

/// By rule its score, given that of dealing cards.
fn rules(program: &Program, deals: i32) -> Box<[i32]> {
    let score = |sort: Sort| match sort {
        Sort::Play => UP,
        Sort::Plain => PLAIN,
        Sort::Swap => SWAPS,
        Sort::Gather => GATHERS,
        Sort::Deal => deals,
    };
    program.plans.iter().map(|plan| score(plan.kind.sort())).collect()
}
