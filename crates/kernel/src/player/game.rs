//! Games played to their end by players who see what a person sees.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use thiserror::Error;

use crate::move_score::MoveScorer;
use crate::perft::{CountError, POLL};
use crate::play::deal::DealError;
use crate::play::make::PlayError;
use crate::player::progress::Progress;
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::random::SplitMix64;

/// How moves are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Any legal move, each as likely as the others.
    Random,
    /// The move that looks best at a glance; chance decides among equals.
    Greedy,
}

/// How a game went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Whether the aim was reached.
    pub won: bool,
    /// The player's moves.
    pub line: Vec<Move>,
    /// Positions looked at, those that were only imagined too.
    pub nodes: u64,
}

/// Why a game was not played to its end.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// The cards could not be dealt.
    #[error(transparent)]
    Deal(#[from] DealError),
    /// The caller asked for it, or a move could not be played.
    #[error(transparent)]
    Count(#[from] CountError),
}

impl From<PlayError> for GameError {
    fn from(error: PlayError) -> Self {
        Self::Count(error.into())
    }
}

/// Plays on from a position until the game is won, lost, or `limit` moves long.
///
/// The game is lost, too, when every move leads back to a position met before. The same seed gives
/// the same game.
pub fn play_out(
    program: &Program,
    state: &State,
    policy: Policy,
    seed: u64,
    limit: usize,
    interrupt: &mut dyn FnMut() -> bool,
) -> Result<Game, CountError> {
    let mut chance = SplitMix64::new(seed);
    let mut player = Player::new(program);
    let mut state = state.clone();
    let mut game = Game { won: false, line: Vec::new(), nodes: 0 };
    player.begin(&state);
    while !state.is_won(program) && game.line.len() < limit {
        let swing = match policy {
            Policy::Random => None,
            Policy::Greedy => Some(AMONG_EQUALS),
        };
        let Some(taken) = player.step(&mut state, swing, &mut chance, &mut game.nodes)? else {
            break;
        };
        game.line.push(taken);
        if (game.line.len() as u64).is_multiple_of(POLL) && interrupt() {
            return Err(CountError::Interrupted);
        }
    }
    game.won = state.is_won(program);
    Ok(game)
}

/// How far chance moves the worth of a move if it is to decide among equals only: worths are
/// multiples of ten.
const AMONG_EQUALS: u64 = 10;

/// Takes one move after the other.
pub(super) struct Player<'p> {
    program: &'p Program,
    pub(super) scorer: MoveScorer,
    pub(super) progress: Progress,
    pub(super) journal: Journal,
    moves: Vec<Move>,
    /// The moves with their worths, best last.
    ranked: Vec<(i64, Move)>,
    met: HashSet<u128, BuildHasherDefault<Low>>,
}

impl<'p> Player<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Self {
            program,
            scorer: MoveScorer::for_player(program),
            progress: Progress::new(program),
            journal: Journal::new(),
            moves: Vec::new(),
            ranked: Vec::new(),
            met: HashSet::default(),
        }
    }

    pub(super) fn begin(&mut self, state: &State) {
        self.met.clear();
        self.met.insert(state.hash128());
    }

    /// Plays the best move, or any without a `swing`, that leads to a position not met before.
    pub(super) fn step(
        &mut self,
        state: &mut State,
        swing: Option<u64>,
        chance: &mut SplitMix64,
        nodes: &mut u64,
    ) -> Result<Option<Move>, PlayError> {
        self.moves.clear();
        state.moves_into(self.program, &mut self.moves);
        self.ranked.clear();
        for &each in &self.moves {
            let worth = match swing {
                // Any order is as likely as the others: the upper bits of a draw of 64.
                None => (chance.next() >> 1).cast_signed(),
                Some(swing) => {
                    i64::from(self.scorer.score(self.program, state, each))
                        + chance.below(swing).cast_signed()
                }
            };
            self.ranked.push((worth, each));
        }
        self.ranked.sort_unstable_by_key(|&(worth, each)| (worth, std::cmp::Reverse(each.code())));
        while let Some((_, each)) = self.ranked.pop() {
            self.journal.clear();
            state.play_unchecked(self.program, each, &mut self.journal)?;
            *nodes += 1;
            if self.met.insert(state.hash128()) {
                return Ok(Some(each));
            }
            state.undo(self.program, &mut self.journal);
        }
        Ok(None)
    }
}

/// Hashes of positions are mixed already: their low half will do.
#[derive(Default)]
struct Low(u64);

impl Hasher for Low {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u128(&mut self, number: u128) {
        self.0 = number as u64;
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}
