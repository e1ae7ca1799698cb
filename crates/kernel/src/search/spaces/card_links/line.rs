//! Translates a line of steps of the card-links space into moves of play.

use crate::bits::bits;
use crate::card::{SUITED as CARDS, card, has};
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::actions::CompiledAction;
use crate::program::compiled::Program;
use crate::search::spaces::card_links::keys::link_number;
use crate::search::spaces::card_links::space::CardLinksSpace;
use crate::search::spaces::card_links::step::{Change, Step};
use crate::search::spaces::card_links::tables::{BASE, Tables, UP};
use crate::search::spaces::space::Space;
use crate::search::visited::Visited;

/// The moves of a line, without its loops; none if it cannot be played exactly so.
pub(crate) fn to_moves(
    space: &mut CardLinksSpace<'_>,
    program: &Program,
    root: &State,
    steps: &[Step],
) -> Option<Vec<Move>> {
    space.begin(root);
    for &step in steps {
        space.make(step);
    }
    let changes = std::mem::take(&mut space.changes);
    play(space, program, root, &changes)
}

/// The same for a space that has taken the steps of the line, and no others, since its root.
pub(crate) fn taken_moves(
    space: &mut CardLinksSpace<'_>,
    program: &Program,
    root: &State,
) -> Option<Vec<Move>> {
    let taken = std::mem::take(&mut space.changes);
    space.begin(root);
    let mut changes = std::mem::take(&mut space.changes);
    changes.extend(taken);
    play(space, program, root, &changes)
}

/// The moves of all changes from the beginning.
///
/// Every change of place, automatic ones included, must be one legal move. So this also checks the
/// card-links space, move by move.
fn play(
    space: &mut CardLinksSpace<'_>,
    program: &Program,
    root: &State,
    changes: &[Change],
) -> Option<Vec<Move>> {
    debug_assert!(
        has_no_lost_position(space, root, changes),
        "a line that wins goes through a lost position"
    );
    let tables = space.tables;
    let mut state = root.clone();
    let mut journal = Journal::new();
    let mut line = Vec::with_capacity(changes.len());
    let mut piles = PileFinder::new(root);
    // Forced moves are part of the moves before them.
    let is_forced = |change: &Change| {
        tables.refill.is_some_and(|refill| {
            usize::from(change.from_zone) == refill.from && change.to == BASE + refill.to as u8
        })
    };
    let changes = if tables.stock.is_some() { changes.to_vec() } else { without_loops(changes) };
    for &Change { card, to, .. } in changes.iter().filter(|change| !is_forced(change)) {
        let mut turns = 0;
        let played = loop {
            if let Some(played) = find(tables, program, &state, &mut piles, card, to) {
                break played;
            }
            // Turn the stock until the card is reached: that is less than two passes.
            turns += 1;
            let turn = turn(tables, program, &state).filter(|_| turns <= 2 * CARDS + 2)?;
            journal.clear();
            state.play(program, turn, &mut journal).ok()?;
            line.push(turn);
        };
        journal.clear();
        state.play_unchecked(program, played, &mut journal).ok()?;
        piles.moved(card, usize::from(played.to()));
        line.push(played);
    }
    state.is_won(program).then_some(line)
}

/// Whether no position of a line is called lost.
fn has_no_lost_position(space: &mut CardLinksSpace<'_>, root: &State, changes: &[Change]) -> bool {
    space.begin(root);
    let automatic = space.changes.len();
    let mut later = changes[automatic..].iter();
    !space.is_unsolvable_relaxed()
        && later.all(|change| {
            space.place(change.card, change.to);
            !space.is_unsolvable_relaxed()
        })
}

/// The changes of place of a line, without those between two equal positions.
///
/// Without a stock, what the cards lie on and which lie face down make up the position, but for the
/// order of the piles of a zone. So the changes after a position can be made after an equal one.
fn without_loops(changes: &[Change]) -> Vec<Change> {
    let mut links = 0u128;
    let mut keys: Vec<u128> = Vec::with_capacity(changes.len() + 1);
    for change in changes {
        keys.push(links ^ u128::from(change.down));
        let number = |to: u8| link_number(usize::from(change.card), to);
        links = links.wrapping_sub(number(change.from)).wrapping_add(number(change.to));
    }
    // After a win all cards are up.
    keys.push(links);
    let mut visited = Visited::default();
    if keys.iter().all(|&key| visited.insert(key)) {
        return changes.to_vec();
    }
    // From each position on to the last one that is equal. Keys and places are sorted together; 96
    // bits of a key are enough.
    let mut last: Vec<u128> = (0..).zip(&keys).map(|(at, key)| key << 32 | at).collect();
    last.sort_unstable();
    let last = |key: u128| {
        let number = last.partition_point(|&other| other <= (key << 32 | u128::from(u32::MAX)));
        last[number - 1] as u32 as usize
    };
    let mut kept = Vec::with_capacity(changes.len());
    let mut at = last(keys[0]);
    while let Some(change) = changes.get(at) {
        kept.push(*change);
        at = last(keys[at + 1]);
    }
    kept
}

/// The legal turn of the stock.
fn turn(tables: &Tables, program: &Program, state: &State) -> Option<Move> {
    let stock = tables.stock.as_ref()?;
    state.moves(program).into_iter().find(|each| stock.rules >> each.rule() & 1 != 0)
}

/// Finds cards in piles: in which pile each card was last seen.
struct PileFinder([u8; CARDS]);

impl PileFinder {
    fn new(root: &State) -> Self {
        let mut piles = Self([0; CARDS]);
        for (pile, cards) in root.piles().enumerate() {
            for &byte in cards {
                piles.moved(card(byte), pile);
            }
        }
        piles
    }

    /// Notes where a card went.
    fn moved(&mut self, card: u8, pile: usize) {
        self.0[usize::from(card)] = pile as u8;
    }

    /// The pile that a card lies in, and the number of cards from it upwards.
    fn find(&mut self, state: &State, moved: u8) -> Option<(usize, usize)> {
        let within = |pile: usize| {
            let cards = state.pile(pile);
            let place = cards.iter().rposition(|&byte| card(byte) == moved)?;
            Some((pile, cards.len() - place))
        };
        within(usize::from(self.0[usize::from(moved)])).or_else(|| {
            let found = (0..state.piles().len()).find_map(within)?;
            self.moved(moved, found.0);
            Some(found)
        })
    }
}

/// The legal move of a card, with the cards on it, to a place.
fn find(
    tables: &Tables,
    program: &Program,
    state: &State,
    piles: &mut PileFinder,
    moved: u8,
    to: u8,
) -> Option<Move> {
    let goals = match to {
        UP => {
            let before = tables.order.before[usize::from(moved)];
            let fits =
                |&pile: &usize| before == 0 || state.top(pile).is_some_and(|top| has(before, top));
            bits(tables.order.foundations).filter(fits).fold(0, |goals, pile| goals | 1 << pile)
        }
        BASE.. => {
            let zone = Some(usize::from(to - BASE));
            let is_goal = |&pile: &usize| tables.zone_of[pile] == zone;
            bits(state.vacant()).filter(is_goal).fold(0, |goals, pile| goals | 1 << pile)
        }
        _ => match piles.find(state, to)? {
            (pile, 1) if !tables.is_foundation[pile] => 1 << pile,
            _ => 0,
        },
    };
    let (from, count) = piles.find(state, moved)?;
    for (rule, plan) in program.plans.iter().enumerate() {
        let CompiledAction::Move(plan) = &plan.kind else { continue };
        let mut options = bits(plan.targets[from] & goals)
            .map(|pile| Move::of_cards(rule as u8, from, count, pile));
        if let Some(found) = options.find(|&each| state.is_legal(program, each)) {
            return Some(found);
        }
    }
    None
}
