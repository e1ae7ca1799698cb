//! Forced play: rules that are carried out automatically, before anything else may happen.

use crate::play::tops::Tops;
use crate::position::journal::{Entry, Journal};
use crate::position::moves::{Choice, Move, NONE};
use crate::position::state::State;
use crate::program::actions::CompiledAction;
use crate::program::actions::transfer::CompiledMove;
use crate::program::compiled::{Phase, Program};
use crate::program::format::Choose;
use crate::program::rule_set::RuleSet;

/// The most forced moves after one move of the player or in a layout.
pub(crate) const MAX_FORCED_MOVES: u32 = 4096;

/// The forced rules did not end within `MAX_FORCED_MOVES`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForcedLoop {
    /// The rules that trigger each other, in the order of the program.
    pub rules: Box<[u8]>,
}

impl ForcedLoop {
    /// The rules of the last forced moves. Most of the forced moves are the loop; those that led to
    /// it are not reported.
    #[cold]
    fn of(forced: &[Move]) -> Self {
        let last = forced.iter().rev().take(MAX_FORCED_MOVES as usize / 8);
        let rules: RuleSet = last.map(|forced| forced.rule()).collect();
        Self { rules: rules.iter().collect() }
    }
}

/// What a forced rule does next.
#[derive(Debug, PartialEq, Eq)]
enum NextForced {
    Nothing,
    Move(Move),
    Choice(Choice),
}

impl State {
    /// Carries out forced rules until none has an instance or the player has to choose.
    ///
    /// After every forced move the rules are tried again from the first. `pending_rules` are the
    /// rules that may have an instance. `steps` is the number of forced moves still allowed.
    pub(crate) fn run_forced(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        phase: Phase,
        mut pending_rules: RuleSet,
        steps: &mut u32,
    ) -> Result<(), ForcedLoop> {
        let mut tops = Tops::default();
        while let Some(rule) = pending_rules.first() {
            match self.due(program, journal, rule, phase, &tops) {
                NextForced::Nothing => pending_rules.remove(rule),
                NextForced::Move(forced) => {
                    let left = steps.checked_sub(1);
                    *steps = left.ok_or_else(|| ForcedLoop::of(&journal.forced))?;
                    let since = journal.entries.len();
                    match program.plans[usize::from(rule)].closing {
                        0 => self.apply(program, journal, forced),
                        row => self.close_up_in_order(journal, row),
                    }
                    if !tops.is_empty() {
                        tops.update(program, self, journal.touched());
                    }
                    journal.forced.push(forced);
                    let changes = &journal.entries[since..];
                    pending_rules |= pending(program, changes, program.forced_in(phase));
                }
                NextForced::Choice(choice) => {
                    // In a won position no choice remains.
                    if !self.is_aim_reached(program) {
                        self.set_choice(journal, choice);
                    }
                    return Ok(());
                }
            }
        }
        debug_assert!(
            self.is_at_rest(program, journal, phase),
            "a rule sleeps that has something to do"
        );
        Ok(())
    }

    /// Whether no forced rule has anything to do; for tests.
    pub(crate) fn is_at_rest(
        &self,
        program: &Program,
        journal: &mut Journal,
        phase: Phase,
    ) -> bool {
        let tops = Tops::default();
        let mut rules = program.forced_in(phase).iter();
        rules.all(|rule| {
            matches!(self.due(program, journal, rule, phase, &tops), NextForced::Nothing)
        })
    }

    /// The first target of a rule, in its order, that may have instances.
    fn first_target(&self, plan: &CompiledMove) -> Option<u8> {
        let is_possible =
            |target: &u8| plan.action.to_holds[1] > 0 || self.is_vacant(usize::from(*target));
        plan.action.to.iter().copied().find(is_possible)
    }

    /// What a forced rule does. `tops` must be of this position.
    fn due(
        &self,
        program: &Program,
        journal: &mut Journal,
        rule: u8,
        phase: Phase,
        tops: &Tops,
    ) -> NextForced {
        let plan = &program.plans[usize::from(rule)];
        if let CompiledAction::Move(moving) = &plan.kind {
            let nothing_fits =
                moving.action.to_holds[1] == 0 && moving.to_mask & self.vacant() == 0;
            if nothing_fits || moving.from_mask & !self.vacant() == 0 {
                return NextForced::Nothing;
            }
        }
        if plan.closing != 0 && !self.has_gap(plan.closing) || !self.all_hold(program, &plan.when) {
            return NextForced::Nothing;
        }
        if plan.closing != 0 {
            let due = NextForced::Move(Move::of_script(rule));
            debug_assert_eq!(due, self.due_by_listing(program, journal, rule, phase, tops));
            return due;
        }
        if let Some(due) = self.refill(program, rule, phase) {
            debug_assert_eq!(due, self.due_by_listing(program, journal, rule, phase, tops));
            return due;
        }
        self.due_by_listing(program, journal, rule, phase, tops)
    }

    /// What a forced rule does that only refills empty piles, as most of them do; none if that is
    /// not found without listing its moves. It must have cards to take and piles to fill.
    #[inline]
    fn refill(&self, program: &Program, rule: u8, phase: Phase) -> Option<NextForced> {
        let CompiledAction::Move(plan) = &program.plans[usize::from(rule)].kind else {
            return None;
        };
        if !plan.is_refill || !program.covered.is_empty() {
            return None;
        }
        let is_vacant = |pile: &u8| self.is_vacant(usize::from(*pile));
        let target = plan.action.to.iter().copied().find(is_vacant)?;
        let class = |pile: u8| program.places[usize::from(pile)].class;
        let mut sources = plan.action.from.iter().copied().filter(|pile| !is_vacant(pile));
        // The only card of a pile does not go to one of the same class.
        let is_idle = |source: u8| self.len(source.into()) == 1 && class(source) == class(target);
        let first = sources.next().filter(|&first| !is_idle(first))?;
        let choose = if phase == Phase::Play { plan.action.choose } else { Choose::None };
        match (choose, sources.next()) {
            (Choose::None, _) | (Choose::Card, None) => {
                Some(NextForced::Move(Move::of_cards(rule, first.into(), 1, target.into())))
            }
            (Choose::Card, Some(second)) if !is_idle(second) => {
                Some(NextForced::Choice(Choice { rule, source: NONE, target }))
            }
            _ => None,
        }
    }

    /// What a forced rule does whose conditions hold.
    fn due_by_listing(
        &self,
        program: &Program,
        journal: &mut Journal,
        rule: u8,
        phase: Phase,
        tops: &Tops,
    ) -> NextForced {
        if phase == Phase::Play
            && let CompiledAction::Move(moving) = &program.plans[usize::from(rule)].kind
            && moving.action.choose != Choose::None
        {
            let mut instances = std::mem::take(&mut journal.instances);
            instances.clear();
            let first_target = self.first_target(moving);
            let _ = self.for_each_move(program, rule, u128::MAX, tops, |instance| {
                instances.push(instance);
                !is_open_choice(moving.action.choose, first_target, &instances)
            });
            let due = choose(rule, moving.action.choose, &moving.action.to, &instances);
            journal.instances = instances;
            return due;
        }
        let mut first = None;
        let _ = self.for_each_move(program, rule, u128::MAX, tops, |instance| {
            first = Some(instance);
            false
        });
        first.map_or(NextForced::Nothing, NextForced::Move)
    }
}

/// Those of some rules that some changes can trigger.
#[inline]
pub(crate) fn pending(program: &Program, changes: &[Entry], rules: RuleSet) -> RuleSet {
    let triggers = &program.triggers;
    let mut pending = RuleSet::EMPTY;
    for change in changes {
        let triggered = match *change {
            Entry::MoveCard { from, to, .. }
            | Entry::PullCard { from, to, .. }
            | Entry::MoveBlock { from, to, .. }
            | Entry::MovePile { from, to, .. } => triggers.pile(from) | triggers.pile(to),
            Entry::Exchange { first, second } => triggers.pile(first) | triggers.pile(second),
            Entry::Turn { pile }
            | Entry::Close { pile }
            | Entry::Shift { pile, .. }
            | Entry::Replace { pile, .. }
            | Entry::Shuffle { pile, .. } => triggers.pile(pile),
            Entry::Counter { counter, .. } => triggers.counter(counter),
            Entry::Choice { .. } => RuleSet::EMPTY,
        };
        pending |= triggered & rules;
        if pending == rules {
            break;
        }
    }
    pending
}

/// Whether the first instances of a rule show already which of them the player may choose from, and
/// that these are several. `first_target` is the first target that may have any.
fn is_open_choice(choose: Choose, first_target: Option<u8>, instances: &[Move]) -> bool {
    let [first, others @ ..] = instances else { return false };
    match choose {
        Choose::None => true,
        Choose::Any => !others.is_empty(),
        Choose::Place => others.iter().any(|other| other.from() == first.from()),
        Choose::Card => {
            let is_first = |instance: &&Move| Some(instance.to()) == first_target;
            instances.iter().filter(is_first).count() > 1
        }
    }
}

/// Which instances of a rule the player may choose from.
fn choose(rule: u8, choose: Choose, order: &[u8], instances: &[Move]) -> NextForced {
    let Some(&first) = instances.first() else { return NextForced::Nothing };
    let mut choice = Choice { rule, source: NONE, target: NONE };
    match choose {
        Choose::None => return NextForced::Move(first),
        Choose::Any => {}
        Choose::Place => choice.source = first.from(),
        Choose::Card => {
            let served = |pile: &u8| instances.iter().any(|instance| instance.to() == *pile);
            choice.target = order.iter().copied().find(served).unwrap_or(first.to());
        }
    }
    let mut offered =
        instances.iter().filter(|instance| choice.offers(instance.from(), instance.to()));
    match (offered.next(), offered.next()) {
        (Some(&only), None) => NextForced::Move(only),
        _ => NextForced::Choice(choice),
    }
}
