//! What the columns space needs to know of a program, and which programs it handles.

use crate::bits::bits;
use crate::card::{CARDS, SUITED, card, is_face_down};
use crate::position::state::State;
use crate::program::actions::CompiledAction;
use crate::program::actions::transfer::CompiledMove;
use crate::program::compiled::Program;
use crate::program::format::{Action, Choose, Condition, DealtTo, During, Face, Rule, Step, Unit};
use crate::search::options::{Pruning, Prunings};
use crate::search::spaces::columns::foundations::Goals;
use crate::search::spaces::foundation_order::FoundationOrder;
use crate::search::spaces::safe_moves::SafeMoves;

/// The most columns.
pub(super) const COLUMNS: usize = 32;

/// The most different relations within units.
pub(super) const RUNS: usize = 3;

/// All cards but jokers.
const ALL: u64 = (1 << SUITED) - 1;

/// No column.
pub(super) const NOWHERE: u8 = u8::MAX;

/// Which cards of a column move as a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnUnit {
    /// The top card.
    Top,
    /// A run, by the index of its relation in [`ColumnsTables::runs`].
    Run(usize),
    /// Any face-up cards.
    Packet,
}

/// A rule that builds on columns.
#[derive(Debug)]
pub(super) struct Build {
    pub(super) rule: u8,
    pub(super) unit: ColumnUnit,
    /// The columns that cards come from, and for each column the columns that they go to.
    pub(super) from: u32,
    pub(super) targets: Vec<u32>,
    /// For each card the cards that it may be put on as the lowest of a unit, and the cards that
    /// may go to an empty column.
    pub(super) under: [u64; CARDS],
    pub(super) space: u64,
    /// Whether a rule before it may make the same moves. Then a move is one of the first rule.
    pub(super) overlaps: bool,
}

/// A rule that takes complete sequences to foundations.
#[derive(Debug)]
pub(super) struct Completion {
    pub(super) rule: u8,
    pub(super) is_forced: bool,
    /// The index of the relation, and the cards that may be the lowest.
    pub(super) run: usize,
    pub(super) lowest: u64,
    pub(super) from: u32,
}

/// A rule that plays single cards to foundations.
#[derive(Debug)]
pub(super) struct Play {
    pub(super) rule: u8,
    pub(super) from: u32,
}

/// A rule that deals a row.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) rule: u8,
    /// The columns in their order.
    pub(super) to: Vec<u8>,
    /// Whether it passes over empty columns.
    pub(super) only_held: bool,
    /// How many of some columns must hold cards.
    pub(super) filled: Vec<(u32, u32)>,
}

/// What a rule does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Something that is no step.
    Other,
    Build(usize),
    Completion(usize),
    Play(usize),
    Return(usize),
    Row(usize),
}

/// The tables of a program.
pub(crate) struct ColumnsTables {
    /// The pile of each column, and the column of each pile.
    pub(super) piles: Vec<u8>,
    pub(super) column: Vec<u8>,
    /// By rule.
    pub(super) kinds: Vec<Kind>,
    pub(super) builds: Vec<Build>,
    pub(super) completions: Vec<Completion>,
    pub(super) plays: Vec<Play>,
    /// The rules that bring cards back from foundations: the source of each is all foundations.
    pub(super) returns: Vec<Build>,
    pub(super) rows: Vec<Row>,
    /// What foundations take that are built card by card.
    pub(super) goals: Option<Goals>,
    /// The number of cards of a complete sequence.
    pub(super) length: usize,
    /// The empty foundations for complete sequences, in the order in which they are filled.
    pub(super) foundations: Vec<u8>,
    /// The cards of the stock, the one dealt last first.
    pub(super) stock: Vec<u8>,
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
    /// All cards.
    pub(super) pack: u64,
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
    /// which leave columns as runs of one length, or card by card in one build order, whose state
    /// is determined by the cards that are up; every other rule builds on columns whatever their
    /// sizes, turns up cards, or deals one card to each of some columns, asking at most how many
    /// columns hold cards; no rule changes or asks for a counter.
    pub(crate) fn new(program: &Program, root: &State, without: Prunings) -> Option<Self> {
        let game = program.source();
        let order = FoundationOrder::new(program, root);
        let foundations = match (&order, game.aim.as_slice()) {
            (Some(order), _) => order.foundations,
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
            column: vec![NOWHERE; program.places.len()],
            kinds: vec![Kind::Other; game.rules.len()],
            builds: Vec::new(),
            completions: Vec::new(),
            plays: Vec::new(),
            returns: Vec::new(),
            rows: Vec::new(),
            goals: None,
            length: 0,
            foundations: Vec::new(),
            stock: root.pile(source).to_vec(),
            cards: 0,
            runs: Vec::new(),
            turned_up: 0,
            alike: Vec::new(),
            alike_at_last: Vec::new(),
            pack: 0,
            feeding: 0,
            built: 0,
            open: 0,
            build: [0; CARDS],
            carry: [0; CARDS],
        };
        for pile in bits(program.all_piles & !foundations & !(1 << source)) {
            tables.column[pile] = tables.piles.len() as u8;
            tables.piles.push(pile as u8);
        }
        // Cards of complete sequences do not come back.
        let held =
            if order.is_some() { program.all_piles } else { program.all_piles & !foundations };
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
        for pile in bits(program.all_piles) {
            let cards = root.pile(pile).iter();
            cards.for_each(|&byte| tables.pack |= 1 << card(byte));
        }
        if let Some(order) = order {
            let is_determined = tables.returns.is_empty() || order.is_suited();
            if !is_determined || !tables.completions.is_empty() {
                return None;
            }
            let is_of_use = !without.has(Pruning::SafePlay);
            tables.goals = Some(Goals {
                is_related: program.build_orders.iter().any(|each| each.relation.is_some()),
                piles: bits(foundations).map(|pile| pile as u8).collect(),
                safe_moves: is_of_use.then(|| SafeMoves::new(program, root)).flatten(),
                order,
            });
        } else {
            tables.find_goals(program, root, foundations)?;
        }
        tables.check_faces(root)?;
        tables.group(program);
        (tables.stock.is_empty() || !tables.rows.is_empty()).then_some(tables)
    }

    /// Compiles a rule.
    fn read_rule(
        &mut self,
        program: &Program,
        index: u8,
        rule: &Rule,
        plan: &CompiledAction,
        foundations: u128,
    ) -> Option<Kind> {
        if !rule.effects.is_empty() {
            return None;
        }
        let footprint = program.footprint(index);
        if rule.forced && rule.when.is_empty() && footprint.writes() == footprint.turns {
            self.turned_up |= self.columns_in(footprint.turns)?;
            return Some(Kind::Other);
        }
        match (plan, &rule.action) {
            (CompiledAction::Move(plan), _) if rule.when.is_empty() && is_plain(plan) => {
                if plan.action.build_order {
                    let found = self.read_play(index, plan, foundations)?;
                    self.plays.push(found);
                    (!rule.forced).then_some(Kind::Play(self.plays.len() - 1))
                } else if plan.to_mask & !foundations == 0 {
                    let forced = rule.forced;
                    let completion =
                        self.read_completion(program, index, forced, plan, foundations)?;
                    self.completions.push(completion);
                    Some(Kind::Completion(self.completions.len() - 1))
                } else if plan.from_mask & foundations != 0 {
                    let found = self.read_return(program, index, plan, foundations)?;
                    self.returns.push(found);
                    (!rule.forced).then_some(Kind::Return(self.returns.len() - 1))
                } else {
                    let build = self.read_build(program, index, plan, foundations)?;
                    self.builds.push(build);
                    (!rule.forced).then_some(Kind::Build(self.builds.len() - 1))
                }
            }
            (_, Action::Script { steps }) if !rule.forced => {
                let row = self.read_row(program, index, rule, steps)?;
                self.rows.push(row);
                Some(Kind::Row(self.rows.len() - 1))
            }
            _ => None,
        }
    }

    /// Compiles a rule that plays to foundations every card that they want.
    fn read_play(&mut self, rule: u8, plan: &CompiledMove, foundations: u128) -> Option<Play> {
        let action = &plan.action;
        let takes_all = action.to_holds[0] == 0
            && usize::from(action.to_holds[1]) >= usize::from(u8::MAX)
            && action.build.is_none()
            && action.which.0 & ALL == ALL
            && action.space.0 & ALL == ALL
            && plan.to_mask == foundations
            && bits(plan.from_mask).all(|from| plan.targets[from] == foundations)
            && matches!(action.cards, Unit::Top | Unit::Run { least: 0..=1, .. });
        let from = self.columns_in(plan.from_mask)?;
        self.feeding |= from;
        takes_all.then_some(Play { rule, from })
    }

    /// Compiles a rule for complete sequences.
    fn read_completion(
        &mut self,
        program: &Program,
        rule: u8,
        is_forced: bool,
        plan: &CompiledMove,
        foundations: u128,
    ) -> Option<Completion> {
        let action = &plan.action;
        let Unit::Run { relation, least, most } = action.cards else { return None };
        let length = usize::from(least);
        let is_free = bits(plan.from_mask).all(|from| plan.targets[from] == foundations);
        if least < 2
            || least != most
            || action.to_holds[0] != 0
            || action.build.is_some()
            || action.choose != Choose::None
            || !is_free
            || self.length != 0 && self.length != length
        {
            return None;
        }
        self.length = length;
        self.foundations.clone_from(&action.to);
        Some(Completion {
            rule,
            is_forced,
            run: self.run(program, relation)?,
            lowest: action.which.0 & action.space.0,
            from: self.columns_in(plan.from_mask)?,
        })
    }

    /// Compiles a rule that brings single cards back from foundations, from each to the same
    /// columns.
    fn read_return(
        &mut self,
        program: &Program,
        rule: u8,
        plan: &CompiledMove,
        foundations: u128,
    ) -> Option<Build> {
        let is_free = plan.from_mask == foundations
            && bits(foundations).all(|from| plan.targets[from] == plan.to_mask);
        let build = self.read_build(program, rule, plan, foundations)?;
        let targets = vec![self.columns_in(plan.to_mask)?];
        (is_free && build.unit == ColumnUnit::Top).then_some(Build { targets, ..build })
    }

    /// Compiles a rule that builds.
    fn read_build(
        &mut self,
        program: &Program,
        rule: u8,
        plan: &CompiledMove,
        foundations: u128,
    ) -> Option<Build> {
        let (action, cards) = (&plan.action, self.cards);
        let unit = match action.cards {
            Unit::Top => ColumnUnit::Top,
            Unit::Run { relation, least: 0..=1, most } if usize::from(most) >= cards => {
                ColumnUnit::Run(self.run(program, relation)?)
            }
            Unit::Packet => ColumnUnit::Packet,
            _ => return None,
        };
        let takes_cards = action.to_holds[1] > 0;
        if takes_cards && (action.to_holds[0] > 1 || usize::from(action.to_holds[1]) < cards) {
            return None;
        }
        let is_deep = |pile: usize| usize::from(program.places[pile].capacity) >= cards;
        if (takes_cards || unit != ColumnUnit::Top) && !bits(plan.to_mask).all(is_deep) {
            return None;
        }
        let mut under = [0; CARDS];
        if takes_cards {
            for card in bits(u128::from(action.which.0)) {
                under[card] = match action.build {
                    Some(relation) => program.relations[usize::from(relation)].under[card],
                    None => u64::MAX,
                };
            }
        }
        let space = if action.to_holds[0] == 0 { action.space.0 & action.which.0 } else { 0 };
        let to = self.columns_in(plan.to_mask)?;
        if let Some(relation) = action.build {
            self.built |= to;
            let over = &program.relations[usize::from(relation)].over;
            self.build.iter_mut().zip(over).for_each(|(sum, row)| *sum |= row);
            if let ColumnUnit::Run(run) = unit {
                self.carry.iter_mut().zip(&self.runs[run]).for_each(|(sum, row)| *sum |= row);
            }
        }
        if action.to_holds[0] == 0 && action.space.0 != 0 {
            self.open |= to;
        }
        let targets =
            self.piles.iter().map(|&pile| self.columns_in(plan.targets[usize::from(pile)]));
        let targets: Vec<u32> = targets.collect::<Option<_>>()?;
        let overlaps = self.builds.iter().any(|earlier| {
            earlier.targets.iter().zip(&targets).any(|(earlier, these)| earlier & these != 0)
        });
        let from = self.columns_in(plan.from_mask & !foundations)?;
        Some(Build { rule, unit, from, targets, under, space, overlaps })
    }

    /// Compiles a rule that deals a row.
    fn read_row(&self, program: &Program, index: u8, rule: &Rule, steps: &[Step]) -> Option<Row> {
        let source = program.source().source_pile;
        let [
            Step::Deal { from, then, to, each: 1, face: Face::Up, only, apart: None, leave, terms },
        ] = steps
        else {
            return None;
        };
        let is_plain = *from == source
            && then.is_empty()
            && matches!(only, DealtTo::Any | DealtTo::Occupied)
            && leave.is_empty()
            && terms.is_empty()
            && to
                .iter()
                .all(|&pile| usize::from(program.places[usize::from(pile)].capacity) >= self.cards);
        let mut filled = Vec::new();
        for condition in &rule.when {
            let Condition::Filled { piles, number } = condition else { return None };
            // A row is dealt only from a stock with cards, whether this is asked for or not.
            if (piles.0, *number) != (1 << source, 1) {
                filled.push((self.columns_in(piles.0)?, u32::from(*number)));
            }
        }
        let column = |&pile: &u8| Some(self.column[usize::from(pile)]).filter(|&it| it != NOWHERE);
        let to: Vec<u8> = to.iter().map(column).collect::<Option<_>>()?;
        let all = to.iter().fold(0u32, |all, &column| all | 1 << column);
        // No column gets two cards of a row.
        let only_held = *only == DealtTo::Occupied;
        let row = Row { rule: index, to, only_held, filled };
        (is_plain && all.count_ones() as usize == row.to.len()).then_some(row)
    }

    /// The index of a relation within units.
    fn run(&mut self, program: &Program, relation: u8) -> Option<usize> {
        let over = program.relations[usize::from(relation)].over;
        let known = self.runs.iter().position(|each| *each == over);
        known.or_else(|| {
            self.runs.push(over);
            (self.runs.len() <= RUNS).then(|| self.runs.len() - 1)
        })
    }

    /// The columns that some piles are; none if others are among them.
    fn columns_in(&self, piles: u128) -> Option<u32> {
        let columns = bits(piles).map(|pile| self.column[pile]);
        columns
            .map(|at| (at != NOWHERE).then(|| 1u32 << at))
            .try_fold(0, |all, bit| Some(all | bit?))
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

    /// Finds the interchangeable columns.
    fn group(&mut self, program: &Program) {
        let class = |column: usize| program.places[usize::from(self.piles[column])].class;
        let of_class = |one: usize, other: usize| class(one) == class(other);
        let at_last = |one: usize, other: usize| of_class(one, other) || self.are_alike(one, other);
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
    }
}

/// Whether a move asks for nothing that few rules ask for.
fn is_plain(plan: &CompiledMove) -> bool {
    let action = &plan.action;
    plan.is_plain
        && plan.to_ascending
        && action.from_holds[0] <= 1
        && usize::from(action.from_holds[1]) >= usize::from(u8::MAX)
        && action.prefer.is_none()
        && action.beaten_by.is_none()
        && action.beside.is_none()
        && !action.laid_one_by_one
        && !action.by_top
        && !action.first_vacant
        && action.face == Face::Keep
        && plan.yields_to.iter().all(|&piles| piles == 0)
}
