//! How good a move looks at a glance.
//!
//! Only what lies open is looked at: the identity of a face-down card, or of one in a squared pile, makes
//! no difference. No game is known here.

use crate::card::{has, is_face_down};
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::actions::{Kind, Sort};
use crate::program::compiled::Compiled;
use crate::program::format::Condition;

/// Up a ladder, or jointly: seldom wrong.
const UP: i32 = 1000;
/// A face-down card is laid open.
const UNCOVERS: i32 = 400;
/// A card is built on another.
const BUILDS: i32 = 200;
/// It lay on a card just as good.
const IDLES: i32 = -250;
/// A pile becomes empty.
const VACATES: i32 = 80;
/// Something else, such as dealing from the stock.
const PLAIN: i32 = 0;
/// An empty pile is used up.
const FILLS: i32 = -50;
/// Cards change places.
const SWAPS: i32 = -100;
/// A card comes back from a ladder.
const WORRIES_BACK: i32 = -300;
/// Piles are taken together for a redeal.
const GATHERS: i32 = -500;

/// What a game's rules are worth, and what its aim is.
pub(crate) struct Taste {
    rules: Box<[i32]>,
    /// Piles in which the aim wants cards, and in which it wants none.
    goals: u128,
    clears: u128,
    /// Piles on which cards are built: those that are spread out, not squared.
    built: u128,
}

impl Taste {
    pub(crate) fn new(program: &Compiled) -> Self {
        let rules = program.plans.iter().map(|plan| match plan.kind.sort() {
            Sort::Play => UP,
            Sort::Plain => PLAIN,
            Sort::Swap => SWAPS,
            Sort::Gather => GATHERS,
            Sort::Deal => PLAIN - 10,
        });
        let (mut goals, mut clears) = (0, 0);
        for condition in &program.program().aim {
            match condition {
                Condition::Complete { piles } | Condition::Filled { piles, .. } => goals |= piles.0,
                Condition::Vacant { piles, .. } => clears |= piles.0,
                _ => {}
            }
        }
        let built = program.plans.iter().fold(0, |built, plan| match &plan.kind {
            Kind::Move(plan) if plan.action.onto.is_some() && !plan.action.ladder => {
                built | plan.to_mask
            }
            _ => built,
        });
        Self { rules: rules.collect(), goals, clears, built }
    }

    /// The worth of the rule alone.
    pub(crate) fn worth_of_rule(&self, each: Move) -> i32 {
        self.rules[usize::from(each.rule())]
    }

    /// The worth of a move, a multiple of ten.
    pub(crate) fn worth(&self, program: &Compiled, state: &State, each: Move) -> i32 {
        let mut worth = self.rules[usize::from(each.rule())];
        let Kind::Move(plan) = &program.plans[usize::from(each.rule())].kind else { return worth };
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
            Some(below) if !is_face_down(below) && self.built >> from & 1 != 0 => {
                let fits = |&onto: &u8| {
                    has(program.relations[usize::from(onto)].over[usize::from(below)], cards[left])
                };
                if program.places[to].ladder.is_none() && plan.action.onto.iter().any(fits) {
                    worth += IDLES;
                }
            }
            Some(_) => {}
        }
        if state.is_vacant(to) {
            worth += FILLS;
        } else if plan.action.onto.is_some() {
            worth += BUILDS;
        }
        worth
    }

    /// How near the aim is: cards that lie where it wants them, less those where it wants none.
    pub(crate) fn progress(&self, state: &State) -> isize {
        let count = |piles: u128| {
            crate::bits::bits(piles).map(|pile| state.len(pile).cast_signed()).sum::<isize>()
        };
        count(self.goals) - count(self.clears)
    }
}
