//! What the columns space needs to know of a program, and which programs it handles.

use crate::bits::{bits, ones};
use crate::card::{CARDS, is_face_down};
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::{Condition, During};
use crate::search::options::{Pruning, Prunings};
use crate::search::spaces::columns::goals::Goals;
use crate::search::spaces::columns::hand::Hand;
use crate::search::spaces::columns::limits::COLUMNS;
use crate::search::spaces::columns::rules::{Build, Completion, Kind, Play, Redeal, Refill, Row};
use crate::search::spaces::columns::when::When;
use crate::search::spaces::safe_moves::SafeMoves;
use crate::search::spaces::stock_rules::StockRules;

/// What a pile of the program is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Column(u8),
    /// A foundation, by its number among those that are built card by card.
    Foundation(u8),
    Stock,
    Hand,
}

/// The tables of a program.
pub(crate) struct ColumnsTables {
    /// The pile of each column, and what each pile is.
    pub(super) piles: Vec<u8>,
    pub(super) places: Vec<Place>,
    /// By rule: what it does, when it may be used, and whether a rule before it may make the same
    /// moves. Then a move is one of the first rule.
    pub(super) kinds: Vec<Kind>,
    pub(super) when: Vec<When>,
    pub(super) repeats: Vec<bool>,
    pub(super) builds: Vec<Build>,
    pub(super) completions: Vec<Completion>,
    pub(super) plays: Vec<Play>,
    /// The rules that bring cards back from foundations.
    pub(super) returns: Vec<Build>,
    pub(super) rows: Vec<Row>,
    pub(super) redeals: Vec<Redeal>,
    pub(super) refill: Option<Refill>,
    /// What foundations take that are built card by card.
    pub(super) goals: Option<Goals>,
    /// The number of cards of a complete sequence.
    pub(super) length: usize,
    /// The empty foundations for complete sequences, in the order in which they are filled.
    pub(super) foundations: Vec<u8>,
    /// The cards of the stock, the one dealt last first, and then the card in the hand.
    pub(super) stock: Vec<u8>,
    pub(super) source: u8,
    pub(super) hand: Option<Hand>,
    /// The most cards of each column, if there are fewer than all.
    pub(super) room: Vec<u8>,
    /// The most cards that stock and columns hold together.
    pub(super) cards: usize,
    /// The relations within units, as the cards that may lie on each card.
    pub(super) runs: Vec<[u64; CARDS]>,
    /// The columns whose top card is turned up if it lies face down.
    pub(super) turned_up: u32,
    /// For each column the first one that is interchangeable with it as long as rows are dealt, and
    /// afterwards.
    pub(super) alike: Vec<u8>,
    pub(super) alike_at_last: Vec<u8>,
    /// For the distance: the columns from which cards go up, those that are built on, and those
    /// that can be filled when empty.
    pub(super) feeding: u32,
    pub(super) built: u32,
    pub(super) open: u32,
    /// For each card the cards that may be built on it, and those of them that move together with
    /// it.
    pub(super) build: [u64; CARDS],
    pub(super) carry: [u64; CARDS],
}

impl ColumnsTables {
    /// The tables of a program for positions after a root; none if the columns space does not
    /// handle it.
    ///
    /// Requirements: the aim is that all cards are on foundations, either as complete sequences,
    /// which leave columns as runs of one length, or card by card in build orders that ask for the
    /// heights and top cards of foundations only. Every other rule builds on columns, asking at
    /// most how many cards these hold, turns up cards, fills empty columns at once, deals one card
    /// to each of some columns, asking at most how many columns hold cards, or deals columns again
    /// (`reading.rs`). Only redeals change counters. A rule may ask for counters, and for all of
    /// the stock to be dealt (`when.rs`). If macro moves of the stock apply, `stock` are its rules;
    /// the space handles such a game only if it has a hand.
    pub(crate) fn new(
        program: &Program,
        root: &State,
        stock: Option<&StockRules>,
        without: Prunings,
    ) -> Option<Self> {
        let game = program.source();
        let goals = Goals::new(program, root);
        let foundations = match (&goals, game.aim.as_slice()) {
            (Some(goals), _) => goals.piles.iter().fold(0, |piles, &pile| piles | 1 << pile),
            (None, [Condition::Filled { piles, number }])
                if game.build_orders.is_empty() && piles.0.count_ones() == u32::from(*number) =>
            {
                piles.0
            }
            _ => return None,
        };
        let is_plain = !program.is_decided_by_points()
            && program.covered.is_empty()
            && root.choosing().is_none()
            && root.closed() == 0;
        if !is_plain {
            return None;
        }
        let source = usize::from(game.source_pile);
        let mut tables = Self {
            piles: Vec::new(),
            places: vec![Place::Stock; program.places.len()],
            kinds: vec![Kind::Other; game.rules.len()],
            when: vec![When::default(); game.rules.len()],
            repeats: program.plans.iter().map(|plan| !plan.duplicates.is_empty()).collect(),
            builds: Vec::new(),
            completions: Vec::new(),
            plays: Vec::new(),
            returns: Vec::new(),
            rows: Vec::new(),
            redeals: Vec::new(),
            refill: None,
            goals,
            length: 0,
            foundations: Vec::new(),
            stock: root.pile(source).to_vec(),
            source: game.source_pile,
            hand: None,
            room: Vec::new(),
            cards: 0,
            runs: Vec::new(),
            turned_up: 0,
            alike: Vec::new(),
            alike_at_last: Vec::new(),
            feeding: 0,
            built: 0,
            open: 0,
            build: [0; CARDS],
            carry: [0; CARDS],
        };
        let hand = Hand::new(program).filter(|_| !without.has(Pruning::StockMacro));
        if stock.is_some() && hand.is_none() {
            return None;
        }
        if let Some(hand) = hand {
            tables.take(hand, root)?;
        }
        for (index, pile) in (0..).zip(bits(foundations)) {
            tables.places[pile] = Place::Foundation(index);
        }
        for pile in bits(program.all_piles & !foundations & !(1 << source) & !tables.in_hand()) {
            tables.places[pile] = Place::Column(tables.piles.len() as u8);
            tables.piles.push(pile as u8);
            tables.room.push(u8::try_from(program.places[pile].capacity).unwrap_or(u8::MAX));
        }
        // Cards of complete sequences do not come back.
        let by_card = tables.goals.is_some();
        let held = if by_card { program.all_piles } else { program.all_piles & !foundations };
        tables.cards = bits(held).map(|pile| root.len(pile)).sum();
        if tables.piles.len() > COLUMNS || tables.cards > usize::from(u8::MAX) {
            return None;
        }
        for (index, (rule, plan)) in game.rules.iter().zip(&program.plans).enumerate() {
            if matches!(rule.during, During::Layout) {
                continue;
            }
            tables.kinds[index] =
                tables.read_rule(program, index as u8, rule, &plan.kind, foundations)?;
        }
        if by_card {
            let is_of_use = !without.has(Pruning::SafePlay);
            let safe_moves = is_of_use.then(|| SafeMoves::new(program, root)).flatten();
            let plays = tables.plays.iter().map(|play| play.to);
            let returns = tables.returns.iter().map(|build| build.back);
            let rules: Vec<u32> = plays.chain(returns).collect();
            let goals = tables.goals.take()?;
            tables.goals = Some(goals.ready(&rules, !tables.returns.is_empty(), safe_moves));
            if !tables.completions.is_empty() {
                return None;
            }
        } else {
            tables.find_goals(program, root, foundations)?;
        }
        tables.check_faces(root)?;
        tables.check_redeals(root)?;
        tables.check_refill(root)?;
        tables.group(program);
        // A stock is dealt in one of two ways.
        let is_dealt = tables.rows.is_empty() == tables.hand.is_some();
        (tables.stock.is_empty() || is_dealt).then_some(tables)
    }

    /// Adds the hand, and its card to those of the stock.
    fn take(&mut self, hand: Hand, root: &State) -> Option<()> {
        let cards = root.pile(hand.pile.into());
        if cards.len() > 1 || cards.iter().any(|&byte| is_face_down(byte)) {
            return None;
        }
        self.stock.extend(cards);
        self.places[usize::from(hand.pile)] = Place::Hand;
        self.hand = Some(hand);
        Some(())
    }

    /// The hand, as a mask of piles.
    pub(super) fn in_hand(&self) -> u128 {
        self.hand.map_or(0, |hand| 1 << hand.pile)
    }

    /// The column that a pile is.
    #[inline]
    pub(super) fn column(&self, pile: u8) -> Option<usize> {
        match self.places.get(usize::from(pile)) {
            Some(&Place::Column(column)) => Some(column.into()),
            _ => None,
        }
    }

    /// The foundation that a pile is; the first one for other piles.
    #[inline]
    pub(super) fn foundation(&self, pile: u8) -> usize {
        match self.places.get(usize::from(pile)) {
            Some(&Place::Foundation(index)) => index.into(),
            _ => 0,
        }
    }

    /// The columns that some piles are; none if others are among them.
    pub(super) fn columns_in(&self, piles: u128) -> Option<u32> {
        bits(piles).try_fold(0, |all, pile| Some(all | 1 << self.column(pile as u8)?))
    }

    /// Finds the empty foundations, and checks that there is one for each complete sequence of the
    /// other cards.
    fn find_goals(&mut self, program: &Program, root: &State, foundations: u128) -> Option<()> {
        let holds =
            |pile: usize| matches!(root.len(pile), size if size == 0 || size == self.length);
        let takes = |pile: usize| usize::from(program.places[pile].capacity) >= self.length;
        if !bits(foundations).all(|pile| holds(pile) && takes(pile)) {
            return None;
        }
        self.foundations.retain(|&pile| root.is_vacant(usize::from(pile)));
        (self.length > 0 && self.foundations.len() * self.length == self.cards).then_some(())
    }

    /// Checks that face-down cards are turned up as soon as nothing lies on them, and that all
    /// sequences that leave at once have left.
    fn check_faces(&self, root: &State) -> Option<()> {
        let is_at_rest = |(column, &pile): (usize, &u8)| {
            let cards = root.pile(usize::from(pile));
            let hides = cards.iter().any(|&byte| is_face_down(byte));
            let is_hidden = cards.last().is_some_and(|&byte| is_face_down(byte));
            !is_hidden && (!hides || self.turned_up >> column & 1 != 0)
        };
        self.piles.iter().enumerate().all(is_at_rest).then_some(())
    }

    /// Checks that redeals deal all cards and hide none that stay hidden, and that there is no
    /// other stock.
    fn check_redeals(&self, root: &State) -> Option<()> {
        // Foundations give back cards or do not.
        let in_columns = self.piles.iter().map(|&pile| root.len(pile.into())).sum();
        let most = if self.returns.is_empty() { in_columns } else { self.cards };
        let is_whole = |redeal: &Redeal| {
            redeal.number >= most && redeal.hiding & !self.turned_up == 0 && self.goals.is_some()
        };
        let is_alone = self.stock.is_empty() && self.rows.is_empty() && self.hand.is_none();
        let is_fine = is_alone && self.redeals.iter().all(is_whole);
        (self.redeals.is_empty() || is_fine).then_some(())
    }

    /// Checks that no more than one column waits to be filled at any time, and that the stock is
    /// dealt in no other way than by rows.
    fn check_refill(&self, root: &State) -> Option<()> {
        let Some(refill) = &self.refill else { return Some(()) };
        let is_held = |&column: &usize| !root.is_vacant(self.piles[column].into());
        let all_held = ones(refill.to.into()).all(|column| is_held(&column));
        let none_left = refill.sources.iter().all(|source| match source {
            Some(column) => !is_held(&usize::from(*column)),
            None => self.stock.is_empty(),
        });
        let is_alone =
            self.completions.is_empty() && self.redeals.is_empty() && self.hand.is_none();
        (is_alone && (all_held || none_left)).then_some(())
    }

    /// Finds the interchangeable columns.
    fn group(&mut self, program: &Program) {
        let class = |column: usize| program.places[usize::from(self.piles[column])].class;
        let of_class = |one: usize, other: usize| class(one) == class(other);
        let at_last = |one: usize, other: usize| {
            of_class(one, other) || self.redeals.is_empty() && self.are_alike(one, other)
        };
        let firsts = |are_alike: &dyn Fn(usize, usize) -> bool| -> Vec<u8> {
            let first = |at: usize| (0..at).find(|&other| are_alike(other, at)).unwrap_or(at);
            (0..self.piles.len()).map(|column| first(column) as u8).collect()
        };
        let (alike, alike_at_last) = (firsts(&of_class), firsts(&at_last));
        (self.alike, self.alike_at_last) = (alike, alike_at_last);
    }

    /// Whether an exchange of two columns maps each rule that does not deal to itself.
    fn are_alike(&self, one: usize, other: usize) -> bool {
        let exchanged = |columns: u32| {
            let differ = (columns >> one ^ columns >> other) & 1;
            columns ^ (differ << one | differ << other)
        };
        let is_same = |columns: u32| exchanged(columns) == columns;
        let maps = |build: &Build| {
            is_same(build.from)
                && (0..self.piles.len()).all(|from| {
                    let image = if from == one {
                        other
                    } else if from == other {
                        one
                    } else {
                        from
                    };
                    exchanged(build.targets[from]) == build.targets[image]
                })
        };
        self.builds.iter().all(maps)
            && self.returns.iter().all(|build| is_same(build.targets[0]))
            && self.plays.iter().all(|play| is_same(play.from))
            && self.completions.iter().all(|completion| is_same(completion.from))
            && is_same(self.turned_up)
            && self.refill.as_ref().is_none_or(|refill| {
                let is_source = |column: usize| refill.sources.contains(&Some(column as u8));
                is_same(refill.to) && !is_source(one) && !is_source(other)
            })
            && self.room[one] == self.room[other]
    }
}
