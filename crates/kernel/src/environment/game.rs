//! One game of a batch.

use crate::environment::legal::LegalMoves;
use crate::environment::reward::Hope;
use crate::environment::setup::{Autoreset, Setup, StepError};
use crate::play::deal::DealError;
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::random::SplitMix64;

/// The places in the buffers that belong to one game.
pub(super) struct Row<'b> {
    pub(super) observation: &'b mut [u8],
    pub(super) mask: &'b mut [i8],
    pub(super) reward: &'b mut f64,
    pub(super) terminated: &'b mut bool,
    pub(super) truncated: &'b mut bool,
    pub(super) won: &'b mut bool,
    pub(super) illegal: &'b mut bool,
    pub(super) deal: &'b mut u64,
}

/// One game of a batch.
#[derive(Clone, Debug)]
pub(super) struct Game {
    state: State,
    journal: Journal,
    legal: LegalMoves,
    /// The number of steps since the deal.
    steps: u32,
    /// The number of cards where the aim wants them.
    placed: isize,
    hope: Hope,
    /// Draws the deals after the first.
    deals: SplitMix64,
    /// Draws actions for [`crate::Batch::sample`].
    actions: SplitMix64,
    pub(super) is_over: bool,
}

impl Game {
    /// A game that was not dealt yet.
    pub(super) fn new(setup: &Setup) -> Self {
        Self {
            state: State::empty(&setup.program),
            journal: Journal::new(),
            legal: LegalMoves::new(&setup.program),
            steps: 0,
            placed: 0,
            hope: Hope::Unknown,
            deals: SplitMix64::new(0),
            actions: SplitMix64::new(0),
            is_over: true,
        }
    }

    /// Deals `cadogan:seed`, and derives all later deals of this game from the seed.
    pub(super) fn seed(
        &mut self,
        setup: &Setup,
        seed: u64,
        row: &mut Row<'_>,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), DealError> {
        // Mixed, or the next deals would be related to the shuffle of the first.
        self.deals = SplitMix64::new(seed ^ 0xD6E8_FEB8_6659_FD93);
        self.actions = SplitMix64::new(seed ^ 0xA076_1D64_78BD_642F);
        *row.deal = seed;
        self.deal(setup, &setup.program.dealt_deck(seed)?, row, goes_on)
    }

    /// Deals the next deal.
    pub(super) fn next(
        &mut self,
        setup: &Setup,
        row: &mut Row<'_>,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), DealError> {
        let [first, number] = setup.options.deals;
        *row.deal = first + self.deals.below(number);
        self.deal(setup, &setup.program.dealt_deck(*row.deal)?, row, goes_on)
    }

    /// Deals a deck.
    pub(super) fn deal(
        &mut self,
        setup: &Setup,
        deck: &[u8],
        row: &mut Row<'_>,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), DealError> {
        let program = &setup.program;
        let (state, _) = program.deal(deck)?;
        self.state = state;
        self.steps = 0;
        setup.observations.write(program, &self.state, row.observation);
        row.mask.fill(0);
        self.legal.list_all(program, &setup.actions, &self.state, row.mask);
        self.placed = setup.progress.of(&setup.program, &self.state);
        let rewards = &setup.options.rewards;
        if rewards.kept != 0.0 {
            self.hope = Hope::of(program, &self.state, rewards.budget, goes_on);
        }
        *row.reward = 0.0;
        *row.won = self.legal.is_empty() && self.state.is_won(program);
        (*row.terminated, *row.truncated, *row.illegal) = (false, false, false);
        // A deal may be won or lost before the first move; the first step reports it.
        self.is_over = false;
        Ok(())
    }

    /// Whether an action is legal. Where there is no legal move, any action shows how the deal
    /// ended.
    pub(super) fn accepts(&self, action: i64) -> bool {
        self.is_over || self.legal.is_empty() || self.legal.find(action).is_some()
    }

    /// A random legal action; 0 if there is none.
    pub(super) fn sample(&mut self) -> i64 {
        match self.legal.len() as u64 {
            0 => 0,
            number => self.legal.action(self.actions.below(number) as usize),
        }
    }

    /// Plays an action.
    pub(super) fn step(
        &mut self,
        setup: &Setup,
        action: i64,
        row: &mut Row<'_>,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), StepError> {
        if self.is_over && setup.options.autoreset == Autoreset::NextStep {
            return self.next(setup, row, goes_on).map_err(StepError::Deal);
        }
        self.steps += 1;
        *row.reward = 0.0;
        let found = self.legal.find(action);
        *row.illegal = found.is_none() && !self.legal.is_empty();
        if let Some(legal) = found {
            self.play(setup, legal, row, goes_on)?;
        }
        if *row.won {
            *row.reward += setup.options.rewards.won;
        }
        *row.terminated = self.legal.is_empty();
        *row.truncated = !*row.terminated && self.steps >= setup.options.max_moves;
        self.is_over = *row.terminated || *row.truncated;
        Ok(())
    }

    fn play(
        &mut self,
        setup: &Setup,
        played: Move,
        row: &mut Row<'_>,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), StepError> {
        let program = &setup.program;
        let rewards = &setup.options.rewards;
        self.journal.clear();
        self.state.play_unchecked(program, played, &mut self.journal)?;
        let touched = self.journal.touched();
        setup.observations.write_piles(program, &self.state, touched, row.observation);
        self.legal.update(program, &setup.actions, &self.state, &self.journal, row.mask);
        *row.won = self.legal.is_empty() && self.state.is_won(program);
        if rewards.cards != 0.0 {
            let before =
                std::mem::replace(&mut self.placed, setup.progress.of(&setup.program, &self.state));
            *row.reward += rewards.cards * f64::from((self.placed - before) as i32);
        }
        if rewards.kept != 0.0 {
            let before = std::mem::take(&mut self.hope);
            let was_winnable = matches!(before, Hope::Winnable(_));
            self.hope = before.after(played, program, &self.state, rewards.budget, goes_on);
            if was_winnable && self.hope == Hope::Unwinnable {
                *row.reward -= rewards.kept;
            }
        }
        Ok(())
    }

    /// What is known about the position: winnable, unwinnable, or nothing.
    pub(super) fn verdict(&self) -> Option<bool> {
        match self.hope {
            Hope::Winnable(_) => Some(true),
            Hope::Unwinnable => Some(false),
            Hope::Unknown => None,
        }
    }
}
