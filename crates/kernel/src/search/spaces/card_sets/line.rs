//! Translates a line of steps of the card-sets space into moves of play.

use crate::card::{SUITED as CARDS, card, has};
use crate::play::tops::Tops;
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::search::spaces::card_sets::space::{CardSetsSpace, Step};
use crate::search::spaces::card_sets::tables::{NONE, SetTables};
use crate::search::spaces::space::Space;

/// The moves of a line; none if it cannot be played.
pub(crate) fn to_moves(
    space: &mut CardSetsSpace<'_>,
    program: &Program,
    root: &State,
    steps: &[Step],
) -> Option<Vec<Move>> {
    space.record = Some(Vec::new());
    space.begin(root);
    for &step in steps {
        debug_assert!(
            !space.is_unsolvable_relaxed(),
            "a line that wins goes through a lost position"
        );
        space.make(step);
    }
    let mut game = Game {
        program,
        tables: space.tables,
        state: root.clone(),
        journal: Journal::new(),
        turns: Vec::new(),
        line: Vec::new(),
    };
    for step in space.record.take()? {
        game.play(step)?;
    }
    game.state.is_won(program).then_some(game.line)
}

/// The game while a line is translated.
struct Game<'g> {
    program: &'g Program,
    tables: &'g SetTables,
    state: State,
    journal: Journal,
    /// The moves that have turned the stock so far.
    turns: Vec<Move>,
    line: Vec<Move>,
}

impl Game<'_> {
    /// Plays a step, after the moves that prepare it.
    fn play(&mut self, step: Step) -> Option<()> {
        let card = step.card();
        if step.goes_up()
            && let Some(cover) = self.cover_of(card)
        {
            // It goes to any other card that takes it.
            let played = self.find(cover, false)?;
            self.make(played)?;
        }
        let mut turns = 0;
        loop {
            if !self.is_in_stock(card)
                && let Some(played) = self.find(card, step.goes_up())
            {
                return self.make(played);
            }
            // Turn the stock until the card is reached: that is less than two passes.
            turns += 1;
            let turn = self.turn().filter(|_| turns <= 2 * CARDS + 2)?;
            self.make(turn)?;
        }
    }

    /// Whether a card of the stock or of the waste cannot be played before the stock is turned.
    fn is_in_stock(&self, wanted: u8) -> bool {
        let Some(stock) = self.tables.stock() else { return false };
        let mut places = [stock.source, stock.waste].into_iter().flat_map(|pile| {
            let cards = self.state.pile(pile).iter().rev().enumerate();
            cards.map(move |(depth, &byte)| (pile, depth, byte))
        });
        let place = places.find(|&(_, _, byte)| card(byte) == wanted);
        place.is_some_and(|(pile, depth, _)| pile == stock.source || depth > 0)
    }

    /// The move that turns the stock.
    fn turn(&mut self) -> Option<Move> {
        let known = self.turns.iter().find(|&&turn| self.state.is_legal(self.program, turn));
        if let Some(&turn) = known {
            return Some(turn);
        }
        let stock = self.tables.stock()?;
        let moves = self.state.moves(self.program);
        let turn = moves.into_iter().find(|each| stock.rules >> each.rule() & 1 != 0)?;
        self.turns.push(turn);
        Some(turn)
    }

    fn make(&mut self, played: Move) -> Option<()> {
        self.state.play(self.program, played, &mut self.journal).ok()?;
        self.line.push(played);
        Some(())
    }

    /// The card on a card of a column.
    fn cover_of(&self, below: u8) -> Option<u8> {
        self.tables.columns[..self.tables.building].iter().find_map(|column| {
            let mut pairs = self.state.pile(column.pile).windows(2);
            pairs.find(|pair| card(pair[0]) == below).map(|pair| card(pair[1]))
        })
    }

    /// The legal move of a card, with all cards on it, to a foundation, or to a card or the empty
    /// column that it fits.
    fn find(&self, moved: u8, goes_up: bool) -> Option<Move> {
        let tables = self.tables;
        let pile = |pile: u8| {
            (usize::from(pile) < self.state.piles().len())
                .then(|| self.state.pile(usize::from(pile)))
        };
        let from = (0..self.state.piles().len())
            .find(|&from| self.state.pile(from).iter().any(|&byte| card(byte) == moved))?;
        let mut list = Vec::new();
        let tops = Tops::default();
        self.state.moves_by(self.program, &self.program.free, 1 << from, &tops, &mut list);
        list.into_iter().find(|each| {
            let (Some(source), Some(goal)) = (pile(each.from()), pile(each.to())) else {
                return false;
            };
            let lowest = source.len().checked_sub(usize::from(each.count())).map(|at| source[at]);
            let fits = |top: u8| {
                let class = tables.child_in[usize::from(moved)];
                class != NONE && has(tables.classes[usize::from(class)].parents, top)
            };
            let is_foundation = tables.links.is_foundation[usize::from(each.to())];
            let goes_there =
                is_foundation == goes_up && (goes_up || goal.last().is_none_or(|&top| fits(top)));
            lowest.is_some_and(|lowest| card(lowest) == moved) && goes_there
        })
    }
}
