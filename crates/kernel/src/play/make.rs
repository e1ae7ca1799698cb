//! Plays moves.

use thiserror::Error;

use crate::play::forced::{ForcedLoop, MAX_FORCED_MOVES};
use crate::position::journal::{Entry, Journal};
use crate::position::moves::{Choice, Move};
use crate::position::state::State;
use crate::position::state::foreseen::ForeseenTransfer;
use crate::program::compiled::{Phase, Program};
use crate::program::rule_set::RuleSet;

/// Why a move was not played. The position is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayError {
    /// The move is not legal.
    #[error("{0:?} is not legal here")]
    Illegal(Move),
    /// The forced rules never end.
    #[error("the forced rules do not come to rest after a move")]
    ForcedLoop(ForcedLoop),
}

/// Cards that moved from one pile to another: (from, number of cards, to).
pub type CardTransfer = (u8, u16, u8);

/// The transfers among the entries of a journal.
fn transfers_of(entries: &[Entry]) -> Vec<CardTransfer> {
    let mut transfers = Vec::new();
    for entry in entries {
        match *entry {
            Entry::MoveCard { from, to, .. } | Entry::PullCard { from, to, .. } => {
                transfers.push((from, 1, to));
            }
            Entry::MoveBlock { from, to, count, .. } | Entry::MovePile { from, to, count } => {
                transfers.push((from, count, to));
            }
            Entry::Exchange { first, second } => {
                transfers.extend([(first, 1, second), (second, 1, first)]);
            }
            _ => {}
        }
    }
    transfers
}

impl State {
    /// Plays a legal move and the forced moves after it.
    ///
    /// Afterwards [`Journal::forced`] returns the forced moves. [`State::undo`] undoes all of it.
    pub fn play(
        &mut self,
        program: &Program,
        played: Move,
        journal: &mut Journal,
    ) -> Result<(), PlayError> {
        if !self.is_legal(program, played) {
            return Err(PlayError::Illegal(played));
        }
        self.play_unchecked(program, played, journal)
    }

    /// Plays a line of moves, and returns how many of them could be played.
    pub fn replay(&mut self, program: &Program, line: &[Move]) -> usize {
        let mut journal = Journal::new();
        let stopped = line.iter().position(|&each| {
            journal.clear();
            self.play(program, each, &mut journal).is_err()
        });
        stopped.unwrap_or(line.len())
    }

    /// Plays a move that is known to be legal. Fails only if the forced rules never end.
    ///
    /// # Panics
    ///
    /// If the move is illegal, it may panic or break the rules.
    pub fn play_unchecked(
        &mut self,
        program: &Program,
        played: Move,
        journal: &mut Journal,
    ) -> Result<(), PlayError> {
        self.play_by(program, journal, |state, journal| state.apply(program, journal, played))
    }

    /// The same, but the journal need not say where each card went.
    pub(crate) fn play_untraced(
        &mut self,
        program: &Program,
        played: Move,
        journal: &mut Journal,
    ) -> Result<(), PlayError> {
        let plan = &program.plans[usize::from(played.rule())];
        let Some(redeal) = &plan.redeal else {
            return self.play_unchecked(program, played, journal);
        };
        self.play_by(program, journal, |state, journal| {
            let mut traced = cfg!(debug_assertions).then(|| state.clone());
            if state.redeal(program, journal, redeal) {
                if let Some(traced) = &mut traced {
                    traced.apply(program, &mut Journal::new(), played);
                    debug_assert!(traced.piles().eq(state.piles()), "it was dealt otherwise");
                }
                let pile = usize::from(redeal.pack);
                state.apply_effects(program, journal, &plan.effects, (pile, 0));
            } else {
                state.apply(program, journal, played);
            }
        })
    }

    /// Plays a move that is made in some way, and all that is forced then.
    fn play_by(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        make: impl FnOnce(&mut Self, &mut Journal),
    ) -> Result<(), PlayError> {
        self.begin_move(journal);
        let since = journal.entries.len();
        let chosen = self.choice().is_open();
        self.set_choice(journal, Choice::CLOSED);
        make(self, journal);
        if let Some(closing) = program.closing {
            self.follow_by_closing(program, journal, closing);
            return Ok(());
        }
        let mut pending_rules = program.forced_in(Phase::Play);
        if !pending_rules.is_empty() && !chosen {
            // After a choice all rules are pending, since those after the choosing rule were not
            // tried yet.
            pending_rules = self.awake(program, journal, since);
        }
        self.follow(program, journal, pending_rules)
    }

    /// Plays a legal move that was foreseen in this position. Fails as [`Self::play_unchecked`]
    /// does.
    #[inline]
    pub(crate) fn play_foreseen(
        &mut self,
        program: &Program,
        foreseen: &ForeseenTransfer,
        journal: &mut Journal,
    ) -> Result<(), PlayError> {
        let (from, to) = (usize::from(foreseen.from), usize::from(foreseen.to));
        self.begin_move(journal);
        self.make_foreseen(journal, foreseen);
        if let Some(closing) = program.closing {
            self.postpone_foreseen(foreseen);
            self.follow_by_closing(program, journal, closing);
            return Ok(());
        }
        let pending_rules = self.awake_after(program, from, to);
        if pending_rules.is_empty() {
            debug_assert!(
                self.is_at_rest(program, journal, Phase::Play),
                "a rule sleeps that has something to do"
            );
            self.finish_foreseen(program, foreseen);
            return Ok(());
        }
        self.postpone_foreseen(foreseen);
        self.follow(program, journal, pending_rules)
    }

    /// Finishes a move after which nothing is forced but that a row closes up.
    fn follow_by_closing(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        (rule, row): (u8, u128),
    ) {
        if self.has_gap(row) {
            self.close_up_in_order(journal, row);
            journal.forced.push(Move::of_script(rule));
        }
        debug_assert!(self.is_at_rest(program, journal, Phase::Play));
        self.finish_move(program, journal);
    }

    /// Finishes a move with the forced moves after it.
    fn follow(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        pending_rules: RuleSet,
    ) -> Result<(), PlayError> {
        debug_assert!(
            !pending_rules.is_empty() || self.is_at_rest(program, journal, Phase::Play),
            "a rule sleeps that has something to do"
        );
        if !pending_rules.is_empty() {
            let mut steps = MAX_FORCED_MOVES;
            let ended = self.run_forced(program, journal, Phase::Play, pending_rules, &mut steps);
            if let Err(endless) = ended {
                self.undo(program, journal);
                return Err(PlayError::ForcedLoop(endless));
            }
        }
        self.finish_move(program, journal);
        Ok(())
    }

    /// The transfers of a legal move itself, without the forced moves after it: (from, number of
    /// cards, to). Turning up a card is not a transfer.
    pub fn transfers(
        &self,
        program: &Program,
        played: Move,
    ) -> Result<Vec<CardTransfer>, PlayError> {
        if !self.is_legal(program, played) {
            return Err(PlayError::Illegal(played));
        }
        let mut journal = Journal::new();
        self.clone().apply(program, &mut journal, played);
        Ok(transfers_of(&journal.entries))
    }

    /// All legal moves, each with its transfers as by [`State::transfers`].
    pub fn moves_with_transfers(&self, program: &Program) -> Vec<(Move, Vec<CardTransfer>)> {
        let mut state = self.clone();
        let mut journal = Journal::new();
        let tried = self.moves(program).into_iter().map(|each| {
            state.begin_move(&mut journal);
            state.apply(program, &mut journal, each);
            let transfers = transfers_of(&journal.entries);
            state.undo(program, &mut journal);
            (each, transfers)
        });
        tried.collect()
    }

    /// The effects of a legal move, step by step: first the move, then each forced move after it.
    ///
    /// Every step comes with its transfers, as by [`State::transfers`], and with the position after
    /// it, before any further forced move.
    pub fn unfold(
        &self,
        program: &Program,
        played: Move,
    ) -> Result<Vec<(Move, Vec<CardTransfer>, Self)>, PlayError> {
        let mut journal = Journal::new();
        self.clone().play(program, played, &mut journal)?;
        let made = std::iter::once(played).chain(journal.forced.iter().copied());
        let mut state = self.clone();
        state.set_choice(&mut Journal::new(), Choice::CLOSED);
        Ok(made
            .map(|step| {
                let mut journal = Journal::new();
                state.apply(program, &mut journal, step);
                (step, transfers_of(&journal.entries), state.clone())
            })
            .collect())
    }
}
