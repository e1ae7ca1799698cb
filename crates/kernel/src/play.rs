//! Playing a move.

use thiserror::Error;

use crate::card::has;
use crate::compiled::{Compiled, Kind};
use crate::forced::{Phase, STEPS};
use crate::journal::{Entry, Journal};
use crate::moves::Move;
use crate::program::{Cards, End};
use crate::state::{Choice, State, Transfer};

/// Why a move was not played. The position is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PlayError {
    /// The move is not legal.
    #[error("{0:?} is not legal here")]
    Illegal(Move),
    /// The forced rules go on for ever.
    #[error("the forced rules do not come to rest after {0:?}")]
    Restless(Move),
}

/// Cards that went from one pile to another: (from, number of cards, to).
pub type Moved = (u8, u16, u8);

/// The transfers that a journal tells of.
fn told(entries: &[Entry]) -> Vec<Moved> {
    let mut transfers = Vec::new();
    for entry in entries {
        match *entry {
            Entry::Card { from, to, .. } => transfers.push((from, 1, to)),
            Entry::Block { from, to, count, .. } => transfers.push((from, count, to)),
            Entry::Exchange { first, second } => {
                transfers.extend([(first, 1, second), (second, 1, first)]);
            }
            _ => {}
        }
    }
    transfers
}

impl State {
    /// Plays a legal move, and the forced moves that follow it.
    ///
    /// [`Journal::forced`] has the forced moves afterwards, and [`State::undo`] takes all of it back.
    pub fn play(
        &mut self,
        program: &Compiled,
        played: Move,
        journal: &mut Journal,
    ) -> Result<(), PlayError> {
        if !self.is_legal(program, played) {
            return Err(PlayError::Illegal(played));
        }
        self.play_unchecked(program, played, journal)
    }

    /// Plays a move that is known to be legal. Fails only if the forced rules do not come to rest.
    ///
    /// # Panics
    ///
    /// May panic, or do what no rule allows, if the move is not legal.
    pub fn play_unchecked(
        &mut self,
        program: &Compiled,
        played: Move,
        journal: &mut Journal,
    ) -> Result<(), PlayError> {
        self.begin(journal);
        let since = journal.entries.len();
        let chosen = self.choice().is_open();
        self.set_choice(journal, Choice::CLOSED);
        self.act(program, journal, played);
        let mut awake = program.forced_in(Phase::Play);
        if awake != 0 && !chosen {
            // After a choice all are awake: those after its rule have not been tried yet.
            awake &= program.wakes.woken(&journal.entries[since..]);
        }
        if awake != 0 {
            let mut steps = STEPS;
            if self.settle(program, journal, Phase::Play, awake, &mut steps).is_err() {
                self.undo(program, journal);
                return Err(PlayError::Restless(played));
            }
        }
        self.rest(program, journal);
        Ok(())
    }

    /// What a legal move itself does, without the forced moves after it: (from, number of cards, to).
    /// A card that is turned up is no transfer.
    pub fn transfers(&self, program: &Compiled, played: Move) -> Result<Vec<Moved>, PlayError> {
        if !self.is_legal(program, played) {
            return Err(PlayError::Illegal(played));
        }
        let mut journal = Journal::new();
        self.clone().act(program, &mut journal, played);
        Ok(told(&journal.entries))
    }

    /// All legal moves, each with its transfers as by [`State::transfers`].
    pub fn moves_with_transfers(&self, program: &Compiled) -> Vec<(Move, Vec<Moved>)> {
        let mut state = self.clone();
        let mut journal = Journal::new();
        let tried = self.moves(program).into_iter().map(|each| {
            state.begin(&mut journal);
            state.act(program, &mut journal, each);
            let transfers = told(&journal.entries);
            state.undo(program, &mut journal);
            (each, transfers)
        });
        tried.collect()
    }

    /// What a legal move does, step by step: first the move, then each forced move after it.
    ///
    /// Every step is told with its transfers, as by [`State::transfers`], and the position after it,
    /// in which nothing further has been forced yet.
    pub fn unfold(
        &self,
        program: &Compiled,
        played: Move,
    ) -> Result<Vec<(Move, Vec<Moved>, Self)>, PlayError> {
        let mut journal = Journal::new();
        self.clone().play(program, played, &mut journal)?;
        let made = std::iter::once(played).chain(journal.forced.iter().copied());
        let mut state = self.clone();
        state.set_choice(&mut Journal::new(), Choice::CLOSED);
        Ok(made
            .map(|step| {
                let mut journal = Journal::new();
                state.act(program, &mut journal, step);
                (step, told(&journal.entries), state.clone())
            })
            .collect())
    }

    /// Does what a rule does, and its effects, and nothing that is forced by it.
    pub(crate) fn act(&mut self, program: &Compiled, journal: &mut Journal, played: Move) {
        let rule = usize::from(played.rule());
        let (from, to) = (usize::from(played.from()), usize::from(played.to()));
        let mut moved = 0;
        match &program.plans[rule].kind {
            Kind::Move(plan) => {
                let action = &plan.action;
                moved = match action.cards {
                    Cards::All => self.len(from),
                    Cards::Count { number } => self.len(from).min(usize::from(number)),
                    _ => usize::from(played.count()),
                };
                if moved == 1 {
                    self.carry(program, journal, from, to, action.face);
                } else {
                    let transfer = Transfer {
                        from,
                        from_end: End::Top,
                        to,
                        to_end: End::Top,
                        count: moved,
                        reverse: action.reverse,
                        face: action.face,
                    };
                    self.transfer(program, journal, transfer);
                }
            }
            Kind::Joint(action) => {
                self.go_up(program, journal, action, played.from(), played.to());
            }
            Kind::Swap(_) => self.exchange(program, journal, from, to),
            Kind::TurnUp(_) => self.turn(program, journal, from),
            Kind::Script(steps) => {
                for step in steps {
                    self.run_step(program, journal, step);
                }
            }
        }
        let effects = &program.plans[rule].then;
        if !effects.is_empty() {
            self.take_effect(program, journal, effects, |state, class| {
                let cards = state.pile(to);
                cards[cards.len() - moved..].iter().filter(|&&byte| has(class, byte)).count()
            });
        }
    }
}
