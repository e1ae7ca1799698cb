//! Scores that estimate how good a move is.
//!
//! This is the only table of scores: depth-first search tries moves in this order, the greedy
//! player follows it, and the card-links space sorts its steps by the same numbers. Scores depend
//! only on face-up cards. They know no particular game, and no verdict depends on them.

use crate::card::{has, is_face_down};
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::actions::{CompiledAction, Sort};
use crate::program::compiled::Program;

/// A play to a foundation, also a joint one: seldom wrong.
pub(crate) const UP: i32 = 1000;
/// Cards leave the game.
const DISCARDS: i32 = 500;
/// A face-down card is uncovered.
pub(crate) const UNCOVERS: i32 = 400;
/// The same in the card-links space, where it is weighed against other features, too.
pub(crate) const UNCOVERS_LINKED: i32 = 100;
/// A card is built on another.
pub(crate) const BUILDS: i32 = 200;
/// A pile becomes empty.
pub(crate) const VACATES: i32 = 80;
/// A card that is wanted sooner becomes free. The same amount is subtracted if such a card is
/// buried, or if a card leaves one that it fits.
pub(crate) const FREES: i32 = 60;
/// Any other move.
const PLAIN: i32 = 0;
/// An empty pile is used up.
pub(crate) const FILLS: i32 = -50;
/// A swap.
const SWAPS: i32 = -100;
/// The card lay on an equally good card before.
const IDLES: i32 = -250;
/// A card comes back from a foundation.
pub(crate) const WORRIES_BACK: i32 = -300;
/// Piles are taken together for a redeal.
const GATHERS: i32 = -500;

/// What counts for all moves of a rule.
struct RuleScore {
    /// Whatever it moves.
    base: i32,
    /// If it puts cards on a pile that is not empty.
    builds: i32,
    /// Whether the cards moved count, too.
    moves_cards: bool,
    /// Whether it may take cards from a foundation.
    takes_back: bool,
}

/// Scores the moves of a program.
pub(crate) struct MoveScorer {
    rules: Box<[RuleScore]>,
    /// Piles on which cards are built, if leaving a card that fits counts against a move.
    built: u128,
}

impl MoveScorer {
    /// Scores for a search, which sees the results of moves.
    pub(crate) fn for_search(program: &Program) -> Self {
        Self { rules: rules(program, PLAIN - 1), built: 0 }
    }

    /// Scores for a player that does not look ahead. They are multiples of ten.
    pub(crate) fn for_player(program: &Program) -> Self {
        let built = program.plans.iter().fold(0, |built, plan| match &plan.kind {
            CompiledAction::Move(plan)
                if plan.action.build.is_some() && !plan.action.build_order =>
            {
                built | plan.to_mask
            }
            _ => built,
        });
        Self { rules: rules(program, PLAIN - 10), built }
    }

    /// The score of a move by its rule alone.
    pub(crate) fn score_of_rule(&self, each: Move) -> i32 {
        self.rules[usize::from(each.rule())].base
    }

    /// The score of a move, whatever follows it.
    pub(crate) fn score(&self, program: &Program, state: &State, each: Move) -> i32 {
        let rule = &self.rules[usize::from(each.rule())];
        let mut score = rule.base;
        if !rule.moves_cards {
            return score;
        }
        let (from, to) = (usize::from(each.from()), usize::from(each.to()));
        if rule.takes_back && program.places[from].build_order.is_some() {
            score += WORRIES_BACK;
        }
        match state.below_top(from, usize::from(each.count())) {
            None => score += VACATES,
            Some(below) if is_face_down(below) => {
                if state.top(from).is_some_and(|top| !is_face_down(top)) {
                    score += UNCOVERS;
                }
            }
            Some(below) if self.built != 0 => score += self.of_leaving(program, state, each, below),
            Some(_) => {}
        }
        score + if state.is_vacant(to) { FILLS } else { rule.builds }
    }

    /// What it counts that cards leave one that lies face up.
    #[inline(never)]
    fn of_leaving(&self, program: &Program, state: &State, each: Move, below: u8) -> i32 {
        let from = usize::from(each.from());
        let cards = state.pile(from);
        let moved = cards[cards.len() - usize::from(each.count())];
        let fits = |&relation: &u8| {
            has(program.relations[usize::from(relation)].over[usize::from(below)], moved)
        };
        let is_idle = self.built >> from & 1 != 0
            && program.places[usize::from(each.to())].build_order.is_none()
            && match &program.plans[usize::from(each.rule())].kind {
                CompiledAction::Move(plan) => plan.action.build.iter().any(fits),
                _ => false,
            };
        if is_idle { IDLES } else { 0 }
    }
}

/// The scores of all rules, given that of dealing cards.
fn rules(program: &Program, deals: i32) -> Box<[RuleScore]> {
    let score = |sort: Sort| match sort {
        Sort::Play => UP,
        Sort::Discard => DISCARDS,
        Sort::Plain => PLAIN,
        Sort::Swap => SWAPS,
        Sort::Gather => GATHERS,
        Sort::Deal => deals,
    };
    let rules = program.plans.iter().map(|plan| {
        let base = score(plan.kind.sort());
        let CompiledAction::Move(moving) = &plan.kind else {
            return RuleScore { base, builds: 0, moves_cards: false, takes_back: false };
        };
        let builds = if moving.action.build.is_some() { BUILDS } else { 0 };
        let takes_back = moving.from_mask & program.goals != 0;
        RuleScore { base, builds, moves_cards: true, takes_back }
    });
    rules.collect()
}
