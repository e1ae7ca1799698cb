//! Translates a line of steps of the card-links space into moves of play.

use crate::bits::bits;
use crate::card::has;
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::actions::CompiledAction;
use crate::program::compiled::Program;
use crate::search::spaces::card_links::packs::{CardSet, Packs, numbered};
use crate::search::spaces::card_links::space::CardLinksSpace;
use crate::search::spaces::card_links::step::{Change, Step};
use crate::search::spaces::card_links::tables::Tables;
use crate::search::spaces::space::Space;
use crate::search::visited::Visited;

/// The moves of a line, without its loops; none if it cannot be played exactly so.
pub(crate) fn to_moves<P: Packs>(
    space: &mut CardLinksSpace<'_, P>,
    program: &Program,
    root: &State,
    steps: &[Step<P>],
) -> Option<Vec<Move>> {
    space.begin(root);
    for &step in steps {
        space.make(step);
    }
    let changes = std::mem::take(&mut space.changes);
    play(space, program, root, &changes)
}

/// The same for a space that has taken the steps of the line, and no others, since its root.
pub(crate) fn taken_moves<P: Packs>(
    space: &mut CardLinksSpace<'_, P>,
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
fn play<P: Packs>(
    space: &mut CardLinksSpace<'_, P>,
    program: &Program,
    root: &State,
    changes: &[Change<P>],
) -> Option<Vec<Move>> {
    debug_assert!(
        has_no_lost_position(space, root, changes),
        "a line that wins goes through a lost position"
    );
    let tables = space.tables;
    let mut state = root.clone();
    let mut journal = Journal::new();
    let mut line = Vec::with_capacity(changes.len());
    let mut piles = NumberedPiles::new(root);
    // Forced moves are part of the moves before them.
    let is_forced = |change: &Change<P>| {
        tables.refill.is_some_and(|refill| {
            usize::from(change.from_zone) == refill.from && change.to == P::BASE + refill.to as u8
        })
    };
    let changes = if tables.stock.is_some() { changes.to_vec() } else { without_loops(changes) };
    for change in &changes {
        if is_forced(change) {
            piles.refilled(change.card, &state)?;
            continue;
        }
        let mut turns = 0;
        let played = loop {
            if let Some(played) = find(tables, program, &state, &mut piles, change) {
                break played;
            }
            // Turn the stock until the card is reached: that is less than two passes.
            turns += 1;
            let turn = turn(tables, program, &state).filter(|_| turns <= 2 * P::CARDS + 2)?;
            journal.clear();
            state.play(program, turn, &mut journal).ok()?;
            piles.turned(tables, &state);
            line.push(turn);
        };
        journal.clear();
        state.play_unchecked(program, played, &mut journal).ok()?;
        piles.moved(change.card, usize::from(played.to()));
        line.push(played);
    }
    state.is_won(program).then_some(line)
}

/// Whether no position of a line is called lost.
fn has_no_lost_position<P: Packs>(
    space: &mut CardLinksSpace<'_, P>,
    root: &State,
    changes: &[Change<P>],
) -> bool {
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
fn without_loops<P: Packs>(changes: &[Change<P>]) -> Vec<Change<P>> {
    let mut links = 0u128;
    let mut keys: Vec<u128> = Vec::with_capacity(changes.len() + 1);
    for change in changes {
        keys.push(links ^ change.down.mask());
        let number = |to: u8| P::numbers().link(usize::from(change.card), to);
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
fn turn<P: Packs>(tables: &Tables<P>, program: &Program, state: &State) -> Option<Move> {
    let stock = tables.stock.as_ref()?;
    state.moves(program).into_iter().find(|each| stock.rules >> each.rule() & 1 != 0)
}

/// The piles of a position, with the numbers of their cards.
struct NumberedPiles<P: Packs> {
    piles: Vec<Vec<u8>>,
    /// In which pile each card is.
    pile: P::Each<u8>,
}

impl<P: Packs> NumberedPiles<P> {
    fn new(root: &State) -> Self {
        let mut piles = Self { piles: numbered(root), pile: P::each(0) };
        (0..piles.piles.len()).for_each(|pile| piles.note(pile));
        piles
    }

    /// Notes in which pile the cards of a pile are.
    fn note(&mut self, pile: usize) {
        for &card in &self.piles[pile] {
            self.pile[usize::from(card)] = pile as u8;
        }
    }

    /// The pile that a card lies in, and the number of cards from it upwards.
    fn find(&self, card: u8) -> Option<(usize, usize)> {
        let pile = usize::from(self.pile[usize::from(card)]);
        let place = self.piles[pile].iter().rposition(|&each| each == card)?;
        Some((pile, self.piles[pile].len() - place))
    }

    /// Moves a card, with those on it, to a pile.
    fn moved(&mut self, card: u8, to: usize) {
        if let Some((from, count)) = self.find(card) {
            let rest = self.piles[from].len() - count;
            let cards = self.piles[from].split_off(rest);
            self.piles[to].extend(cards);
            self.note(to);
        }
    }

    /// Moves a card to the pile that has been filled with it at once.
    fn refilled(&mut self, card: u8, state: &State) -> Option<()> {
        let is_filled = |&pile: &usize| self.piles[pile].is_empty() && !state.pile(pile).is_empty();
        let to = (0..self.piles.len()).find(is_filled)?;
        self.moved(card, to);
        Some(())
    }

    /// Moves the cards of the stock as it has been turned.
    fn turned(&mut self, tables: &Tables<P>, state: &State) {
        let Some(stock) = &tables.stock else { return };
        let mut cards = std::mem::take(&mut self.piles[stock.waste]);
        cards.extend(self.piles[stock.source].drain(..).rev());
        let rest = cards.split_off(state.len(stock.waste));
        self.piles[stock.source] = rest.into_iter().rev().collect();
        self.piles[stock.waste] = cards;
        self.note(stock.source);
        self.note(stock.waste);
    }

    /// Gives a card that comes back from a foundation the number of the copy that lies on top of
    /// one. The space does not tell on which foundation each copy lies.
    fn bring_up(&mut self, tables: &Tables<P>, card: u8) -> Option<()> {
        let is_copy = |other: u8| P::face(other) == P::face(card);
        let top = bits(tables.faces.foundations)
            .find_map(|pile| self.piles[pile].last().copied().filter(|&top| is_copy(top)))?;
        let ((here, number), (there, other)) = (self.find(card)?, self.find(top)?);
        let (place, top_place) = (self.piles[here].len() - number, self.piles[there].len() - other);
        self.piles[here][place] = top;
        self.piles[there][top_place] = card;
        self.note(here);
        self.note(there);
        Some(())
    }
}

/// The legal move of a card, with the cards on it, to a place.
fn find<P: Packs>(
    tables: &Tables<P>,
    program: &Program,
    state: &State,
    piles: &mut NumberedPiles<P>,
    change: &Change<P>,
) -> Option<Move> {
    let &Change { card: moved, to, .. } = change;
    let goals = if to == P::UP {
        let before = tables.faces.before[P::face(moved)];
        let fits =
            |&pile: &usize| before == 0 || state.top(pile).is_some_and(|top| has(before, top));
        bits(tables.faces.foundations).filter(fits).fold(0, |goals, pile| goals | 1 << pile)
    } else if to >= P::BASE {
        let zone = Some(usize::from(to - P::BASE));
        let is_goal = |&pile: &usize| tables.zone_of[pile] == zone;
        bits(state.vacant()).filter(is_goal).fold(0, |goals, pile| goals | 1 << pile)
    } else {
        match piles.find(to)? {
            (pile, 1) if !tables.is_foundation[pile] => 1 << pile,
            _ => 0,
        }
    };
    if change.from == P::UP {
        piles.bring_up(tables, moved)?;
    }
    let (from, count) = piles.find(moved)?;
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
