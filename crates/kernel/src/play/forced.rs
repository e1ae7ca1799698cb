//! Forced play: rules that are carried out by themselves before anything else may happen.

use crate::bits::bits;
use crate::position::journal::{Entry, Journal};
use crate::position::moves::{Choice, Move, NONE};
use crate::position::state::State;
use crate::program::actions::Kind;
use crate::program::compiled::{Compiled, Phase};
use crate::program::format::Choose;

/// The most forced moves after one move of the player, and in a whole layout.
pub(crate) const STEPS: u32 = 4096;

/// The forced rules did not come to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Restless;

/// What a forced rule asks for.
enum Due {
    Nothing,
    Move(Move),
    Choice(Choice),
}

impl State {
    /// Carries out forced rules until none has an instance or the player has to choose.
    ///
    /// After every step the first rule is looked at again. `awake` are the rules that may have something
    /// to do, `steps` is what may still be done.
    pub(crate) fn settle(
        &mut self,
        program: &Compiled,
        journal: &mut Journal,
        phase: Phase,
        mut awake: u128,
        steps: &mut u32,
    ) -> Result<(), Restless> {
        while awake != 0 {
            let rule = awake.trailing_zeros() as u8;
            match self.due(program, journal, rule, phase) {
                Due::Nothing => awake &= awake - 1,
                Due::Move(forced) => {
                    *steps = steps.checked_sub(1).ok_or(Restless)?;
                    let since = journal.entries.len();
                    self.act(program, journal, forced);
                    journal.forced.push(forced);
                    let woken = woken(program, &journal.entries[since..]);
                    awake |= woken & program.forced_in(phase);
                }
                Due::Choice(choice) => {
                    // In a won position there is nothing left to choose.
                    if !self.is_won(program) {
                        self.set_choice(journal, choice);
                    }
                    return Ok(());
                }
            }
        }
        debug_assert!(
            bits(program.forced_in(phase))
                .all(|rule| matches!(self.due(program, journal, rule as u8, phase), Due::Nothing)),
            "a rule sleeps that has something to do"
        );
        Ok(())
    }

    fn due(&self, program: &Compiled, journal: &mut Journal, rule: u8, phase: Phase) -> Due {
        let plan = &program.plans[usize::from(rule)];
        if let Kind::Move(moving) = &plan.kind {
            let nothing_fits = moving.action.to_size[1] == 0 && moving.to_mask & self.vacant() == 0;
            if nothing_fits || moving.from_mask & !self.vacant() == 0 {
                return Due::Nothing;
            }
        }
        if !self.all_hold(program, &plan.when) {
            return Due::Nothing;
        }
        if phase == Phase::Play
            && let Kind::Move(moving) = &plan.kind
            && moving.action.choose != Choose::None
        {
            let mut instances = std::mem::take(&mut journal.instances);
            instances.clear();
            self.instances(program, rule, |instance| {
                instances.push(instance);
                true
            });
            let due = choose(rule, moving.action.choose, &moving.action.to, &instances);
            journal.instances = instances;
            return due;
        }
        let mut first = None;
        self.instances(program, rule, |instance| {
            first = Some(instance);
            false
        });
        first.map_or(Due::Nothing, Due::Move)
    }
}

/// The rules that some changes can wake.
#[inline]
pub(crate) fn woken(program: &Compiled, changes: &[Entry]) -> u128 {
    let wakes = &program.wakes;
    let mut woken = 0;
    for change in changes {
        woken |= match *change {
            Entry::Card { from, to, .. } | Entry::Block { from, to, .. } => {
                wakes.pile(from) | wakes.pile(to)
            }
            Entry::Exchange { first, second } => wakes.pile(first) | wakes.pile(second),
            Entry::Turn { pile } | Entry::Close { pile } => wakes.pile(pile),
            Entry::Counter { counter, .. } => wakes.counter(counter),
            Entry::Choice { .. } => 0,
        };
    }
    woken
}

/// What is left to the player of the instances of a rule.
fn choose(rule: u8, choose: Choose, order: &[u8], instances: &[Move]) -> Due {
    let Some(&first) = instances.first() else { return Due::Nothing };
    let mut choice = Choice { rule, source: NONE, target: NONE };
    match choose {
        Choose::None => return Due::Move(first),
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
        (Some(&only), None) => Due::Move(only),
        _ => Due::Choice(choice),
    }
}
