//! A line of linked steps told in moves of play.

use crate::card::{CARDS, card};
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::search::spaces::linked::space::Linked;
use crate::search::spaces::linked::step::Step;
use crate::search::spaces::linked::tables::{BASE, UP};
use crate::search::spaces::space::Space;

/// The moves of a line, if it can be played as it stands.
///
/// `linked` must be at the root. Every change of place, those that came by themselves too, must be
/// one legal move; so this is also a check of the linked space, move by move.
pub(crate) fn to_moves(
    linked: &mut Linked<'_>,
    program: &Program,
    root: &State,
    steps: &[Step],
) -> Option<Vec<Move>> {
    let mut state = root.clone();
    let mut journal = Journal::new();
    let mut line = Vec::new();
    linked.begin(root);
    let mut told = 0;
    loop {
        for index in told..linked.changes.len() {
            let change = linked.changes[index];
            let mut turns = 0;
            let to = linked.changes[index + 1..]
                .iter()
                .find(|later| later.card == change.card)
                .map_or(linked.below[usize::from(change.card)], |later| later.from);
            let played = loop {
                if let Some(played) = find(linked, program, &state, change.card, to) {
                    break played;
                }
                // The stock is turned until the card is reached: less than twice through it.
                turns += 1;
                let turn = turn(linked, program, &state).filter(|_| turns <= 2 * CARDS + 2)?;
                state.play(program, turn, &mut journal).ok()?;
                line.push(turn);
            };
            state.play(program, played, &mut journal).ok()?;
            line.push(played);
        }
        told = linked.changes.len();
        debug_assert!(
            !linked.is_unsolvable_relaxed(),
            "a line that wins goes through a lost position"
        );
        let Some(&step) = steps.get(linked.marks.len()) else { break };
        linked.make(step);
    }
    state.is_won(program).then_some(line)
}

/// The turn of the stock that is legal.
fn turn(linked: &Linked<'_>, program: &Program, state: &State) -> Option<Move> {
    let stock = linked.tables.stock.as_ref()?;
    state.moves(program).into_iter().find(|each| stock.rules >> each.rule() & 1 != 0)
}

/// The legal move that brings a card, with what lies on it, to a place.
fn find(linked: &Linked<'_>, program: &Program, state: &State, moved: u8, to: u8) -> Option<Move> {
    let tables = linked.tables;
    state.moves(program).into_iter().find(|each| {
        let (from, target) = (usize::from(each.from()), usize::from(each.to()));
        let (Some(source), Some(goal)) = (pile(state, from), pile(state, target)) else {
            return false;
        };
        let lowest = source.len().checked_sub(usize::from(each.count())).map(|at| source[at]);
        let goes_there = match to {
            UP => tables.is_foundation[target],
            BASE.. => goal.is_empty() && tables.zone_of[target] == Some(usize::from(to - BASE)),
            _ => !tables.is_foundation[target] && goal.last().is_some_and(|&top| card(top) == to),
        };
        lowest.is_some_and(|lowest| card(lowest) == moved) && goes_there
    })
}

fn pile(state: &State, pile: usize) -> Option<&[u8]> {
    (pile < state.piles().len()).then(|| state.pile(pile))
}
