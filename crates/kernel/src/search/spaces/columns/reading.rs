//! How the tables of the columns space are read off the rules of a program.

use crate::bits::bits;
use crate::card::CARDS;
use crate::program::actions::CompiledAction;
use crate::program::actions::transfer::CompiledMove;
use crate::program::compiled::Program;
use crate::program::format::{Action, Choose, Condition, DealtTo, Face, Rule, Step, Unit};
use crate::search::spaces::columns::limits::{ALL, RUNS};
use crate::search::spaces::columns::rules::{
    Build, ColumnUnit, Completion, Kind, Play, Redeal, Refill, Row,
};
use crate::search::spaces::columns::tables::ColumnsTables;
use crate::search::spaces::columns::when::When;
use crate::search::spaces::filling::fills_any;

impl ColumnsTables {
    /// Compiles a rule.
    pub(super) fn read_rule(
        &mut self,
        program: &Program,
        index: u8,
        rule: &Rule,
        plan: &CompiledAction,
        foundations: u128,
    ) -> Option<Kind> {
        let later = (1 << program.source().source_pile) | self.in_hand();
        let when = When::new(&rule.when, later);
        let is_simple = rule.when.is_empty() || when.is_some() && !rule.forced;
        self.when[usize::from(index)] = when.unwrap_or_default();
        if let Action::Script { steps } = &rule.action
            && is_simple
            && !rule.forced
            // Others are not rare.
            && !self.when[usize::from(index)].counts.is_empty()
            && let Some(redeal) = self.read_redeal(program, steps)
        {
            self.redeals.push(redeal);
            return Some(Kind::Redeal(self.redeals.len() - 1));
        }
        if !rule.effects.is_empty() {
            return None;
        }
        if self.hand.is_some_and(|hand| hand.turn == index) {
            return Some(Kind::Other);
        }
        let footprint = program.footprint(index);
        if rule.forced && rule.when.is_empty() && footprint.writes() == footprint.turns {
            self.turned_up |= self.columns_in(footprint.turns)?;
            return Some(Kind::Other);
        }
        if let CompiledAction::Move(plan) = plan
            && rule.forced
            && rule.when.is_empty()
            && let Some(refill) = self.read_refill(program, plan)
        {
            return self.refill.replace(refill).is_none().then_some(Kind::Other);
        }
        match (plan, &rule.action) {
            (CompiledAction::Move(plan), _) if is_simple && is_plain(plan) => {
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

    /// Compiles a rule that fills every empty one of some columns with a card, if it is forced.
    fn read_refill(&mut self, program: &Program, plan: &CompiledMove) -> Option<Refill> {
        let (action, source) = (&plan.action, program.source().source_pile);
        let takes_any = fills_any(plan, ALL)
            && plan.to_ascending
            && action.choose == Choose::None
            && action.build.is_none()
            && !action.first_vacant;
        let mut earlier = 0u128;
        for &from in &action.from {
            let is_free = plan.targets[usize::from(from)] == plan.to_mask & !(1 << from);
            if !is_free || plan.yields_to[usize::from(from)] & !earlier != 0 {
                return None;
            }
            earlier |= 1 << from;
        }
        let column = |&from: &u8| {
            let column = self.column(from).map(|column| Some(column as u8));
            if from == source { Some(None) } else { column }
        };
        let sources = action.from.iter().map(column).collect::<Option<_>>()?;
        let to = self.columns_in(plan.to_mask)?;
        let fills_itself = plan.from_mask & plan.to_mask != 0;
        if !takes_any || fills_itself {
            return None;
        }
        self.open |= to;
        Some(Refill { sources, to })
    }

    /// Compiles a rule that plays to foundations every card that they want.
    fn read_play(&mut self, rule: u8, plan: &CompiledMove, foundations: u128) -> Option<Play> {
        let action = &plan.action;
        let takes_all = action.to_holds[0] == 0
            && usize::from(action.to_holds[1]) >= usize::from(u8::MAX)
            && action.build.is_none()
            && action.which.0 & ALL == ALL
            && action.space.0 & ALL == ALL
            && plan.to_mask & !foundations == 0
            && bits(plan.from_mask).all(|from| plan.targets[from] == plan.to_mask)
            && matches!(action.cards, Unit::Top | Unit::Run { least: 0..=1, .. });
        let from = self.columns_in(plan.from_mask & !self.in_hand())?;
        self.feeding |= from;
        let to = self.goals.as_ref()?.among(plan.to_mask);
        let from_hand = plan.from_mask & self.in_hand() != 0;
        takes_all.then_some(Play { rule, from, from_hand, to })
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
        let is_free = plan.from_mask & !foundations == 0
            && bits(plan.from_mask).all(|from| plan.targets[from] == plan.to_mask);
        let build = self.read_build(program, rule, plan, foundations)?;
        let targets = vec![self.columns_in(plan.to_mask)?];
        let back = self.goals.as_ref()?.among(plan.from_mask);
        (is_free && build.unit == ColumnUnit::Top).then_some(Build { targets, back, ..build })
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
        if takes_cards && action.to_holds[0] > 1 {
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
        let from = self.columns_in(plan.from_mask & !foundations & !self.in_hand())?;
        let from_hand = match self.hand {
            Some(hand) if plan.from_mask >> hand.pile & 1 != 0 => {
                self.columns_in(plan.targets[usize::from(hand.pile)])?
            }
            _ => 0,
        };
        let (most, back) = (u8::try_from(action.to_holds[1]).unwrap_or(u8::MAX), 0);
        Some(Build { rule, unit, from, targets, from_hand, under, space, most, back })
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
        let (mut filled, mut vacant) = (Vec::new(), Vec::new());
        for condition in &rule.when {
            match condition {
                // A row is dealt only from a stock with cards, whether this is asked for or not.
                Condition::Filled { piles, number: 1 } if piles.0 == 1 << source => {}
                Condition::Filled { piles, number } => {
                    filled.push((self.columns_in(piles.0)?, u32::from(*number)));
                }
                Condition::Vacant { piles, number } => {
                    vacant.push((self.columns_in(piles.0)?, u32::from(*number)));
                }
                _ => return None,
            }
        }
        let column = |&pile: &u8| self.column(pile).map(|column| column as u8);
        let to: Vec<u8> = to.iter().map(column).collect::<Option<_>>()?;
        let all = to.iter().fold(0u32, |all, &column| all | 1 << column);
        // No column gets two cards of a row.
        let only_held = *only == DealtTo::Occupied;
        let row = Row { rule: index, to, only_held, filled, vacant };
        (is_plain && all.count_ones() as usize == row.to.len()).then_some(row)
    }

    /// Reads a rule that gathers columns under the empty stock, and deals all of it again.
    fn read_redeal(&self, program: &Program, steps: &[Step]) -> Option<Redeal> {
        let source = program.source().source_pile;
        let (Some(Step::Gather { piles, to, keep: None, .. }), deals) =
            (steps.first(), steps.get(1..)?)
        else {
            return None;
        };
        let columns =
            |piles: &[u8]| self.columns_in(piles.iter().fold(0, |mask, pile| mask | 1 << pile));
        let (mut hiding, mut number) = (0, 0);
        for step in deals {
            match step {
                Step::Shuffle { pile, .. } if *pile == source => {}
                Step::Deal {
                    from,
                    then,
                    to,
                    each,
                    face,
                    only: DealtTo::Any,
                    apart: None,
                    leave,
                    terms,
                } if *from == source && then.is_empty() && leave.is_empty() && terms.is_empty() => {
                    let to_columns = columns(to)?;
                    hiding |= if *face == Face::Up { 0 } else { to_columns };
                    number += usize::from(*each) * to.len();
                }
                _ => return None,
            }
        }
        let gathered = columns(piles)?;
        (*to == source).then_some(Redeal { gathered, hiding, number })
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
