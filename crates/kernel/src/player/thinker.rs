//! What a fair player knows in the course of a game, and its options.

use std::collections::HashSet;

use crate::player::belief::{Belief, Shown};
use crate::player::game::{Game, Player};
use crate::player::takeback::Takeback;
use crate::player::world::World;
use crate::position::moves::Move;
use crate::program::compiled::Program;
use crate::random::SplitMix64;

/// Options of a fair player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FairPlayerOptions {
    /// Layouts imagined before a move. When everything is known, one is enough.
    pub samples: usize,
    /// Games played out per move and layout.
    pub playouts: usize,
    /// Nodes that the solver may spend on each plan in each layout; 0 for no solver.
    pub solver: u64,
    /// Nodes for a whole game. After that the player makes the move with the best score.
    pub budget: u64,
    /// The most moves of a game.
    pub limit: usize,
}

/// A fair player in a game.
pub(super) struct Thinker<'p> {
    pub(super) program: &'p Program,
    pub(super) shown: &'p [Shown],
    pub(super) fair: &'p FairPlayerOptions,
    /// The number of cards dealt.
    pub(super) deck: usize,
    pub(super) truth: Belief,
    /// The observations after the deal and after each move.
    pub(super) observed: Vec<u64>,
    /// Layouts in which all observations would have been the same.
    pub(super) worlds: Vec<World>,
    /// The visited positions, as the player knows them.
    pub(super) visited: HashSet<u64>,
    /// A winning line, its next move last.
    pub(super) sure: Vec<Move>,
    /// Whether all cards are known and no such line was found that does without shuffles.
    pub(super) is_hopeless: bool,
    /// For how many moves the solver was last not asked, because it had been of no use.
    pub(super) pause: u32,
    /// How many of these moves are left.
    pub(super) moves_to_rest: u32,
    /// Whether all layouts were lost when the solver was last asked.
    pub(super) seems_lost: bool,
    pub(super) player: Player<'p>,
    pub(super) chance: SplitMix64,
    pub(super) takeback: Takeback,
    pub(super) game: Game,
}
