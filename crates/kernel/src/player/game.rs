//! Games played to their end by players that see only what a person sees.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use thiserror::Error;

use crate::move_score::MoveScorer;
use crate::perft::{CountError, POLL};
use crate::play::deal::DealError;
use crate::play::make::PlayError;
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::random::SplitMix64;

/// How a player chooses moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Any legal move, all equally likely.
    Random,
    /// The move with the best score; chance decides among equals.
    Greedy,
}

/// The result of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Whether the aim was reached.
    pub won: bool,
    /// The points at the end, if the game is scored.
    pub score: Option<i64>,
    /// The player's moves.
    pub line: Vec<Move>,
    /// The number of positions generated, including imagined ones.
    pub nodes: u64,
}

/// Why a game was not played to its end.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// The cards could not be dealt.
    #[error(transparent)]
    Deal(#[from] DealError),
    /// The caller ended it, or a move could not be played.
    #[error(transparent)]
    Count(#[from] CountError),
}

impl From<PlayError> for GameError {
    fn from(error: PlayError) -> Self {
        Self::Count(error.into())
    }
}

/// Plays from a position until the game is won, lost, or `limit` moves long.
///
/// The game is also lost when every move leads back to an earlier position. The same seed gives the
/// same game.
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
    let mut game = Game { won: false, score: None, line: Vec::new(), nodes: 0 };
    player.begin(&state);
    while !state.is_won(program) && game.line.len() < limit {
        let noise = match policy {
            Policy::Random => None,
            Policy::Greedy => Some(AMONG_EQUALS),
        };
        let Some(taken) = player.step(&mut state, noise, &mut chance, &mut game.nodes)? else {
            break;
        };
        game.line.push(taken);
        if (game.line.len() as u64).is_multiple_of(POLL) && interrupt() {
            return Err(CountError::Interrupted);
        }
    }
    game.won = state.is_won(program);
    game.score = state.score(program);
    Ok(game)
}

/// The range of the random part of a score if it should decide only among equals: scores are
/// multiples of ten.
pub(super) const AMONG_EQUALS: u64 = 10;

/// How much a hundredth of a point counts in the score of a move: more than all else.
const SCORED: i64 = 1 << 20;

/// Plays one move after the other.
pub(crate) struct Player<'p> {
    program: &'p Program,
    pub(super) scorer: MoveScorer,
    pub(super) journal: Journal,
    moves: Vec<Move>,
    /// The scores of the moves and their codes; the smallest code is the best among equals.
    ranked: BinaryHeap<(i64, Reverse<u32>)>,
    visited: HashSet<u128, BuildHasherDefault<Low>>,
}

impl<'p> Player<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        Self {
            program,
            scorer: MoveScorer::for_player(program),
            journal: Journal::new(),
            moves: Vec::new(),
            ranked: BinaryHeap::new(),
            visited: HashSet::default(),
        }
    }

    /// About the number of bytes that it uses.
    pub(crate) fn bytes(&self) -> usize {
        self.visited.capacity() * (size_of::<u128>() + 1) + self.journal.bytes()
    }

    pub(crate) fn begin(&mut self, state: &State) {
        self.visited.clear();
        self.visited.insert(state.hash128());
    }

    /// Plays the best move that leads to a new position; without `noise`, a random one.
    pub(crate) fn step(
        &mut self,
        state: &mut State,
        noise: Option<u64>,
        chance: &mut SplitMix64,
        nodes: &mut u64,
    ) -> Result<Option<Move>, PlayError> {
        self.moves.clear();
        state.moves_into(self.program, &mut self.moves);
        // Mostly only the best move is taken, so a heap is quicker than a sorted list.
        let mut ranked = std::mem::take(&mut self.ranked).into_vec();
        ranked.clear();
        for &each in &self.moves {
            let score = match noise {
                // A random order, from the upper bits of a 64-bit random number.
                None => (chance.next() >> 1).cast_signed(),
                Some(noise) if self.program.source().score.is_some() => {
                    self.journal.clear();
                    state.play_unchecked(self.program, each, &mut self.journal)?;
                    *nodes += 1;
                    let promise = state.promise(self.program);
                    state.undo(self.program, &mut self.journal);
                    let score = i64::from(self.scorer.score(self.program, state, each));
                    promise * SCORED + score + chance.below(noise).cast_signed()
                }
                Some(noise) => {
                    i64::from(self.scorer.score(self.program, state, each))
                        + chance.below(noise).cast_signed()
                }
            };
            ranked.push((score, Reverse(each.code())));
        }
        self.ranked = ranked.into();
        while let Some((_, Reverse(code))) = self.ranked.pop() {
            let each = Move::from_code(code);
            self.journal.clear();
            state.play_unchecked(self.program, each, &mut self.journal)?;
            *nodes += 1;
            if self.visited.insert(state.hash128()) {
                return Ok(Some(each));
            }
            state.undo(self.program, &mut self.journal);
        }
        Ok(None)
    }
}

/// Hashes of positions are well mixed, so their low half is enough.
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
