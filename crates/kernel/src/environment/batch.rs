//! Many games that are stepped together.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::environment::actions::ActionSpace;
use crate::environment::game::{Game, Row};
use crate::environment::observation::ObservationSpace;
use crate::environment::setup::{Autoreset, BatchOptions, Setup, StepError};
use crate::player::progress::Progress;
use crate::program::compiled::Program;

/// Work on one game: its index, the game, what all share, its place in the buffers, and whether to
/// continue.
type Work<'w> = dyn Fn(usize, &mut Game, &Setup, &mut Row<'_>, &mut dyn FnMut() -> bool) -> Result<(), StepError>
    + Sync
    + 'w;

/// The buffers that a batch writes to, each with the games one after the other. They must be the
/// same buffers, unchanged, in all calls.
#[derive(Debug)]
pub struct Buffers<'b> {
    /// [`ObservationSpace::size`] bytes for each game.
    pub observations: &'b mut [u8],
    /// [`ActionSpace::len`] numbers for each game: 1 if the action is legal.
    pub masks: &'b mut [i8],
    /// The reward of the step.
    pub rewards: &'b mut [f64],
    /// Whether the game is won or lost.
    pub terminated: &'b mut [bool],
    /// Whether it was too long.
    pub truncated: &'b mut [bool],
    /// Whether it is won.
    pub won: &'b mut [bool],
    /// Whether the action was illegal.
    pub illegal: &'b mut [bool],
    /// The number of the deal. A deck without a number leaves it as it is.
    pub deals: &'b mut [u64],
}

/// Many games of one program that are stepped together.
#[derive(Debug)]
pub struct Batch {
    setup: Setup,
    games: Vec<Game>,
}

impl Batch {
    /// A number of games. They have to be reset before the first step.
    pub fn new(
        program: Arc<Program>,
        actions: Arc<ActionSpace>,
        observations: Arc<ObservationSpace>,
        games: usize,
        options: BatchOptions,
    ) -> Self {
        let progress = Progress::new(&program);
        let setup = Setup { program, actions, observations, options, progress };
        let games = vec![Game::new(&setup); games];
        Self { setup, games }
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Deals the chosen games: `cadogan:seed` where there is a seed, otherwise the next deal of the
    /// game's own sequence.
    pub fn reset(
        &mut self,
        chosen: &[bool],
        seeds: &[Option<u64>],
        buffers: Buffers<'_>,
        interrupt: &mut dyn FnMut() -> bool,
    ) -> Result<(), StepError> {
        check_length("seeds", seeds.len(), self.len())?;
        check_length("the choice of games", chosen.len(), self.len())?;
        let deal = |at: usize,
                    game: &mut Game,
                    setup: &Setup,
                    row: &mut Row<'_>,
                    goes_on: &mut dyn FnMut() -> bool| {
            match seeds[at] {
                _ if !chosen[at] => Ok(()),
                Some(seed) => Ok(game.seed(setup, seed, row, goes_on)?),
                None => Ok(game.next(setup, row, goes_on)?),
            }
        };
        self.for_all(buffers, &deal, interrupt)
    }

    /// Deals a deck to one game.
    pub fn deal(
        &mut self,
        game: usize,
        deck: &[u8],
        buffers: Buffers<'_>,
        interrupt: &mut dyn FnMut() -> bool,
    ) -> Result<(), StepError> {
        let deal = |at: usize,
                    each: &mut Game,
                    setup: &Setup,
                    row: &mut Row<'_>,
                    goes_on: &mut dyn FnMut() -> bool| {
            if at == game { Ok(each.deal(setup, deck, row, goes_on)?) } else { Ok(()) }
        };
        self.for_all(buffers, &deal, interrupt)
    }

    /// Plays one action in each game.
    ///
    /// If an action is unacceptable, no game changes.
    pub fn step(
        &mut self,
        actions: &[i64],
        buffers: Buffers<'_>,
        interrupt: &mut dyn FnMut() -> bool,
    ) -> Result<(), StepError> {
        check_length("actions", actions.len(), self.len())?;
        let Setup { options, actions: space, .. } = &self.setup;
        for (at, (&action, game)) in actions.iter().zip(&self.games).enumerate() {
            if !usize::try_from(action).is_ok_and(|action| action < space.len()) {
                let last = space.len() - 1;
                return Err(StepError::NoAction { game: at, action, last });
            }
            if game.is_over && options.autoreset == Autoreset::Disabled {
                return Err(StepError::Over { game: at });
            }
            if options.strict && !game.accepts(action) {
                return Err(StepError::Illegal { game: at, action });
            }
        }
        let step = |at: usize,
                    game: &mut Game,
                    setup: &Setup,
                    row: &mut Row<'_>,
                    goes_on: &mut dyn FnMut() -> bool| {
            game.step(setup, actions[at], row, goes_on)
        };
        self.for_all(buffers, &step, interrupt)
    }

    /// Draws a legal action for each game, all equally likely; 0 where there is none.
    pub fn sample(&mut self, actions: &mut [i64]) -> Result<(), StepError> {
        check_length("actions", actions.len(), self.len())?;
        for (action, game) in actions.iter_mut().zip(&mut self.games) {
            *action = game.sample();
        }
        Ok(())
    }

    /// For each game whether the position is known to be winnable or unwinnable, if rewards ask for
    /// it.
    pub fn verdicts(&self) -> impl ExactSizeIterator<Item = Option<bool>> {
        self.games.iter().map(Game::verdict)
    }

    /// Works on all games, each with its place in the buffers.
    fn for_all(
        &mut self,
        buffers: Buffers<'_>,
        work: &Work<'_>,
        interrupt: &mut dyn FnMut() -> bool,
    ) -> Result<(), StepError> {
        let Self { setup, games } = self;
        let widths = [setup.observations.size(), setup.actions.len()];
        let mut rest = Shard { first: 0, games, buffers };
        rest.buffers.check(rest.games.len(), widths)?;
        let portion = rest.games.len().div_ceil(setup.options.threads.max(1)).max(1);
        let own = rest.split(portion, widths);
        let stopped = AtomicBool::new(false);
        let (setup, stopped) = (&*setup, &stopped);
        thread::scope(|scope| {
            let mut others = Vec::new();
            while !rest.games.is_empty() {
                let shard = rest.split(portion, widths);
                others.push(scope.spawn(move || {
                    shard.work(setup, widths, work, &mut || !stopped.load(Ordering::Relaxed))
                }));
            }
            let result = own.work(setup, widths, work, &mut || {
                let goes_on = !interrupt();
                stopped.fetch_or(!goes_on, Ordering::Relaxed);
                goes_on
            });
            others.into_iter().fold(result, |result, other| {
                // A panic of a worker is one of this thread.
                let other = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                result.and(other)
            })
        })
    }
}

/// Some games in a row, with their part of the buffers.
struct Shard<'b> {
    first: usize,
    games: &'b mut [Game],
    buffers: Buffers<'b>,
}

impl Shard<'_> {
    /// Splits off the first games.
    fn split(&mut self, most: usize, [bytes, actions]: [usize; 2]) -> Self {
        let number = most.min(self.games.len());
        let first = self.first;
        self.first += number;
        let buffers = Buffers {
            observations: self
                .buffers
                .observations
                .split_off_mut(..number * bytes)
                .unwrap_or_default(),
            masks: self.buffers.masks.split_off_mut(..number * actions).unwrap_or_default(),
            rewards: self.buffers.rewards.split_off_mut(..number).unwrap_or_default(),
            terminated: self.buffers.terminated.split_off_mut(..number).unwrap_or_default(),
            truncated: self.buffers.truncated.split_off_mut(..number).unwrap_or_default(),
            won: self.buffers.won.split_off_mut(..number).unwrap_or_default(),
            illegal: self.buffers.illegal.split_off_mut(..number).unwrap_or_default(),
            deals: self.buffers.deals.split_off_mut(..number).unwrap_or_default(),
        };
        Self { first, games: self.games.split_off_mut(..number).unwrap_or_default(), buffers }
    }

    fn work(
        self,
        setup: &Setup,
        [bytes, actions]: [usize; 2],
        work: &Work<'_>,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), StepError> {
        let Self { first, games, buffers } = self;
        let searches = setup.options.rewards.kept != 0.0;
        for (at, game) in games.iter_mut().enumerate() {
            let mut row = Row {
                observation: &mut buffers.observations[at * bytes..(at + 1) * bytes],
                mask: &mut buffers.masks[at * actions..(at + 1) * actions],
                reward: &mut buffers.rewards[at],
                terminated: &mut buffers.terminated[at],
                truncated: &mut buffers.truncated[at],
                won: &mut buffers.won[at],
                illegal: &mut buffers.illegal[at],
                deal: &mut buffers.deals[at],
            };
            work(first + at, game, setup, &mut row, goes_on)?;
            if searches && !goes_on() {
                return Err(StepError::Interrupted);
            }
        }
        Ok(())
    }
}

impl Buffers<'_> {
    fn check(&self, games: usize, [bytes, actions]: [usize; 2]) -> Result<(), StepError> {
        check_length("observations", self.observations.len(), games * bytes)?;
        check_length("masks", self.masks.len(), games * actions)?;
        check_length("rewards", self.rewards.len(), games)?;
        check_length("terminated", self.terminated.len(), games)?;
        check_length("truncated", self.truncated.len(), games)?;
        check_length("won", self.won.len(), games)?;
        check_length("illegal", self.illegal.len(), games)?;
        check_length("deals", self.deals.len(), games)
    }
}

fn check_length(what: &'static str, given: usize, wanted: usize) -> Result<(), StepError> {
    if given == wanted { Ok(()) } else { Err(StepError::WrongLength { what, given, wanted }) }
}
