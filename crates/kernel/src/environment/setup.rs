//! What the games of a batch share, and why they are not stepped.

use std::sync::Arc;

use thiserror::Error;

use crate::environment::actions::ActionSpace;
use crate::environment::observation::ObservationSpace;
use crate::environment::reward::Rewards;
use crate::play::deal::DealError;
use crate::play::make::PlayError;
use crate::player::progress::Progress;
use crate::program::compiled::Program;

/// What happens to a game that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Autoreset {
    /// The next step deals the next game and ignores the action.
    NextStep,
    /// Nothing: it has to be reset before the next step.
    Disabled,
}

/// Options of a batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchOptions {
    /// A game is truncated after this number of steps.
    pub max_moves: u32,
    /// What happens to a game that is over.
    pub autoreset: Autoreset,
    /// The rewards.
    pub rewards: Rewards,
    /// The first deal number that resets without a seed choose from, and how many there are.
    pub deals: [u64; 2],
    /// Whether an illegal action is an error. Otherwise it changes nothing but takes a step.
    pub strict: bool,
    /// The number of threads.
    pub threads: usize,
}

/// Why games were not stepped or dealt.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StepError {
    /// There is no such action. Nothing has changed.
    #[error("there is no action {action} (in game {game}); actions are 0 to {last}")]
    NoAction {
        /// The index of the game.
        game: usize,
        /// The number given.
        action: i64,
        /// The last action.
        last: usize,
    },
    /// The action is illegal. Nothing has changed.
    #[error("action {action} is not legal (in game {game})")]
    Illegal {
        /// The index of the game.
        game: usize,
        /// The number given.
        action: i64,
    },
    /// The game is over, or was never dealt. Nothing has changed.
    #[error("game {game} is over; reset it before the next step")]
    Over {
        /// The index of the game.
        game: usize,
    },
    /// A buffer or a list has the wrong length. Nothing has changed.
    #[error("{what}: {given} elements instead of {wanted}")]
    WrongLength {
        /// Which one.
        what: &'static str,
        /// Its length.
        given: usize,
        /// The right length.
        wanted: usize,
    },
    /// The cards could not be dealt.
    #[error(transparent)]
    Deal(#[from] DealError),
    /// Forced rules never end.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The caller stopped it. The games have to be reset.
    #[error("interrupted")]
    Interrupted,
}

/// What all games of a batch share.
#[derive(Debug)]
pub(super) struct Setup {
    pub(super) program: Arc<Program>,
    pub(super) actions: Arc<ActionSpace>,
    pub(super) observations: Arc<ObservationSpace>,
    pub(super) options: BatchOptions,
    pub(super) progress: Progress,
}
