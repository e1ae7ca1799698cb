//! Translates a line of steps of the card-links space into moves of play.

use crate::bits::bits;
use crate::card::{SUITED as CARDS, card};
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::actions::CompiledAction;
use crate::program::compiled::Program;
use crate::search::spaces::card_links::space::CardLinksSpace;
use crate::search::spaces::card_links::step::Step;
use crate::search::spaces::card_links::tables::{BASE, UP};
use crate::search::spaces::space::Space;

/// The moves of a line; none if it cannot be played exactly so.
///
/// `space` must be at the root. Every change of place, automatic ones included, must be one legal
/// move. So this also checks the card-links space, move by move.
pub(crate) fn to_moves(
    space: &mut CardLinksSpace<'_>,
    program: &Program,
    root: &State,
    steps: &[Step],
) -> Option<Vec<Move>> {
    let mut state = root.clone();
    let mut journal = Journal::new();
    let mut line = Vec::new();
    space.begin(root);
    let mut translated = 0;
    loop {
        for index in translated..space.changes.len() {
            let change = space.changes[index];
            let mut turns = 0;
            let to = space.changes[index + 1..]
                .iter()
                .find(|later| later.card == change.card)
                .map_or(space.below[usize::from(change.card)], |later| later.from);
            let played = loop {
                if let Some(played) = find(space, program, &state, change.card, to) {
                    break played;
                }
                // Turn the stock until the card is reached: that is less than two passes.
                turns += 1;
                let turn = turn(space, program, &state).filter(|_| turns <= 2 * CARDS + 2)?;
                state.play(program, turn, &mut journal).ok()?;
                line.push(turn);
            };
            state.play_unchecked(program, played, &mut journal).ok()?;
            line.push(played);
        }
        translated = space.changes.len();
        debug_assert!(
            !space.is_unsolvable_relaxed(),
            "a line that wins goes through a lost position"
        );
        let Some(&step) = steps.get(space.marks.len()) else { break };
        space.make(step);
    }
    state.is_won(program).then_some(line)
}

/// The legal turn of the stock.
fn turn(space: &CardLinksSpace<'_>, program: &Program, state: &State) -> Option<Move> {
    let stock = space.tables.stock.as_ref()?;
    state.moves(program).into_iter().find(|each| stock.rules >> each.rule() & 1 != 0)
}

/// The legal move of a card, with the cards on it, to a place.
fn find(
    space: &CardLinksSpace<'_>,
    program: &Program,
    state: &State,
    moved: u8,
    to: u8,
) -> Option<Move> {
    let tables = space.tables;
    let is_goal = |pile: usize| match to {
        UP => tables.is_foundation[pile],
        BASE.. => {
            state.pile(pile).is_empty() && tables.zone_of[pile] == Some(usize::from(to - BASE))
        }
        _ => {
            !tables.is_foundation[pile]
                && state.pile(pile).last().is_some_and(|&top| card(top) == to)
        }
    };
    let (from, count) = state.piles().enumerate().find_map(|(pile, cards)| {
        let place = cards.iter().rposition(|&byte| card(byte) == moved)?;
        Some((pile, cards.len() - place))
    })?;
    for (rule, plan) in program.plans.iter().enumerate() {
        let CompiledAction::Move(plan) = &plan.kind else { continue };
        if plan.from_mask >> from & 1 == 0 {
            continue;
        }
        let goals = bits(plan.to_mask).filter(|&pile| is_goal(pile));
        let mut options = goals.map(|pile| Move::of_cards(rule as u8, from, count, pile));
        if let Some(found) = options.find(|&each| state.is_legal(program, each)) {
            return Some(found);
        }
    }
    None
}
