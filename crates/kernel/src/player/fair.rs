//! The fair player: it does not know the hidden cards, so it imagines them.
//!
//! Before each move it imagines layouts. One is kept if, with the moves made so far, it would have
//! shown the player exactly what was seen: the same cards open at the same time, the same moves
//! allowed, the same piles changed by what was forced. In each of them every move is tried, and the
//! game that follows is decided by the solver within a few nodes, or played out; the move that does
//! best is taken, which is the one that looks best at a glance unless another one's lead is more
//! than chance would bring about. Playouts are noisy: following them blindly is worse than no
//! search. The budget is spread over the game, so that some is left for its end.
//!
//! When every card is known there is nothing to imagine, and the solver looks for a line; if it
//! finds one, the player follows it.
//!
//! Whatever it computes, it computes from what was observed: the true deck is used for nothing but
//! to carry out the moves. `tests/player.rs` exchanges the cards that were not seen and asks for
//! the same game.

use std::cmp::Reverse;
use std::collections::HashSet;

use crate::perft::CountError;
use crate::player::belief::{Belief, Shown};
use crate::player::game::{Game, GameError, Player};
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::random::SplitMix64;
use crate::search::options::Options;
use crate::search::report::{Report, StopReason, Verdict};
use crate::search::solve;

/// How a fair player thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FairPlayerOptions {
    /// Layouts imagined before a move; one is enough when everything is known.
    pub samples: usize,
    /// Games played out for each move in each layout.
    pub playouts: usize,
    /// Nodes that the solver may spend on each move in each layout before it is played out; 0 to do
    /// without the solver.
    pub solver: u64,
    /// Nodes of thought in a whole game; after that it plays the move with the best score.
    pub budget: u64,
    /// The longest game.
    pub limit: usize,
}

/// Moves of a game that is played out in thought.
const LOOKAHEAD: usize = 300;
/// How far chance may move a move in a game played out in thought.
const SWING: u64 = 256;
/// Moves that are weighed: those that look best.
const WIDTH: usize = 24;
/// What part of the thought that is left a move takes at most.
const SHARE: u64 = 20;
/// A game won counts for so many games that end just before it.
const WIN: i64 = 2;
/// Decks tried for each layout that is imagined.
const TRIES: usize = 8;

/// Plays a deal as fair players do.
///
/// `shown` says of each pile what of it can be seen. The same seed gives the same game.
pub fn play_fair(
    program: &Program,
    shown: &[Shown],
    deck: &[u8],
    fair: &FairPlayerOptions,
    seed: u64,
    interrupt: &mut dyn FnMut() -> bool,
) -> Result<Game, GameError> {
    let (truth, first) = Belief::deal(program, shown, deck)?;
    let mut thinker = Thinker {
        program,
        shown,
        fair,
        deck: deck.len(),
        met: HashSet::from([truth.picture()]),
        truth,
        observed: vec![first],
        worlds: Vec::new(),
        sure: Vec::new(),
        is_hopeless: false,
        player: Player::new(program),
        chance: SplitMix64::new(seed),
        game: Game { won: false, line: Vec::new(), nodes: 0 },
    };
    while !thinker.truth.state.is_won(program) && thinker.game.line.len() < fair.limit {
        if interrupt() {
            return Err(CountError::Interrupted.into());
        }
        let Some(chosen) = thinker.choose(interrupt)? else { break };
        thinker.play(chosen)?;
    }
    thinker.game.won = thinker.truth.state.is_won(program);
    Ok(thinker.game)
}

/// What the solver finds out within some nodes.
fn solved(
    program: &Program,
    state: &State,
    nodes: u64,
    interrupt: &mut dyn FnMut() -> bool,
) -> Result<Report, GameError> {
    let report = solve(program, state, &Options::nodes(nodes), &mut |_| !interrupt());
    match report.end {
        StopReason::Interrupted => Err(CountError::Interrupted.into()),
        _ => Ok(report),
    }
}

/// By how much a move did better than the one that looks best, layout by layout.
#[derive(Clone, Copy, Default)]
struct Lead {
    layouts: i64,
    sum: i64,
    squares: i64,
}

impl Lead {
    fn add(&mut self, lead: i64) {
        self.layouts += 1;
        self.sum += lead;
        self.squares += lead * lead;
    }

    /// The sum, if it is as much as its own standard error at least; else nothing.
    fn sure(&self) -> i64 {
        let layouts = i128::from(self.layouts);
        let square = i128::from(self.sum) * i128::from(self.sum);
        let squares = i128::from(self.squares);
        let is_sure = self.sum > 0 && square * layouts >= squares * layouts - square;
        if is_sure { self.sum } else { 0 }
    }
}

struct Thinker<'p> {
    program: &'p Program,
    shown: &'p [Shown],
    fair: &'p FairPlayerOptions,
    /// How many cards are dealt.
    deck: usize,
    truth: Belief,
    /// What was observed after the deal and after each move.
    observed: Vec<u64>,
    /// Layouts in which all that was observed would have been the same.
    worlds: Vec<Belief>,
    /// The positions met, as the player knows them.
    met: HashSet<u64>,
    /// A line that wins for certain, its next move last.
    sure: Vec<Move>,
    /// All cards are known, and there is no such line.
    is_hopeless: bool,
    player: Player<'p>,
    chance: SplitMix64,
    game: Game,
}

impl Thinker<'_> {
    /// The move to make; none if every move leads back.
    fn choose(&mut self, interrupt: &mut dyn FnMut() -> bool) -> Result<Option<Move>, GameError> {
        if let Some(next) = self.sure.pop() {
            return Ok(Some(next));
        }
        let is_spent = self.game.nodes >= self.fair.budget;
        self.imagine(if is_spent { 1 } else { self.fair.samples.max(1) })?;
        self.plan(interrupt)?;
        if let Some(next) = self.sure.pop() {
            return Ok(Some(next));
        }
        let moves = self.truth.state.moves(self.program);
        let mut left = Vec::new();
        for &each in &moves {
            let leads_back = match self.worlds.first() {
                Some(world) => {
                    let mut after = world.clone();
                    after.play(self.program, self.shown, each)?;
                    self.met.contains(&after.picture())
                }
                None => false,
            };
            if !leads_back {
                left.push(each);
            }
        }
        let scorer = &self.player.scorer;
        let worth = |each: &Move| match self.worlds.first() {
            Some(world) => scorer.score(self.program, &world.state, *each),
            None => scorer.score_of_rule(*each),
        };
        left.sort_by_key(|each| Reverse(worth(each)));
        left.truncate(WIDTH);
        let mut leads = vec![Lead::default(); left.len()];
        if left.len() > 1 && !is_spent {
            let rest = self.fair.budget.saturating_sub(self.game.nodes);
            let enough = self.game.nodes + rest / SHARE;
            for world in 0..self.worlds.len() {
                // All moves are weighed in the same layouts, so a layout is begun or left out.
                if world > 0 && self.game.nodes >= enough {
                    break;
                }
                let first = self.weigh(world, left[0], interrupt)?;
                for (score, &each) in leads.iter_mut().zip(&left).skip(1) {
                    score.add(self.weigh(world, each, interrupt)? - first);
                }
            }
        }
        // Of equals the one that looks best, which comes first.
        let best = (0..left.len()).max_by_key(|&place| (leads[place].sure(), Reverse(place)));
        Ok(best.map(|place| left[place]))
    }

    /// Looks for a line that wins when every card is known, with half of the nodes that are left.
    fn plan(&mut self, interrupt: &mut dyn FnMut() -> bool) -> Result<(), GameError> {
        let nodes = self.fair.budget.saturating_sub(self.game.nodes) / 2;
        let Some(world) = self.worlds.first() else { return Ok(()) };
        if self.truth.unseen() > 1 || self.is_hopeless || nodes == 0 {
            return Ok(());
        }
        let report = solved(self.program, &world.state, nodes, interrupt)?;
        self.game.nodes += report.nodes;
        match report.verdict {
            Verdict::Winnable(line) => self.sure = line.into_iter().rev().collect(),
            Verdict::Unwinnable => self.is_hopeless = true,
            Verdict::Unknown => {}
        }
        Ok(())
    }

    /// Imagines layouts until there are enough, or until it is too hard.
    fn imagine(&mut self, wanted: usize) -> Result<(), GameError> {
        // Of what is known there is one layout only.
        let wanted = if self.truth.unseen() < 2 { 1 } else { wanted };
        self.worlds.truncate(wanted);
        for _ in 0..wanted * TRIES {
            if self.worlds.len() == wanted {
                break;
            }
            let deck = self.truth.imagine(self.deck, &mut self.chance);
            if let Some(world) = self.lived_through(&deck)? {
                self.worlds.push(world);
            }
        }
        Ok(())
    }

    /// The table with another deck after the same moves, if everything would have looked the same.
    fn lived_through(&mut self, deck: &[u8]) -> Result<Option<Belief>, GameError> {
        let Ok((mut world, first)) = Belief::deal(self.program, self.shown, deck) else {
            return Ok(None);
        };
        if first != self.observed[0] {
            return Ok(None);
        }
        for (&each, &observed) in self.game.line.iter().zip(&self.observed[1..]) {
            self.game.nodes += 1;
            if world.play(self.program, self.shown, each)? != observed {
                return Ok(None);
            }
        }
        Ok(Some(world))
    }

    /// How far a move leads in a layout imagined, in cards that lie where they should.
    fn weigh(
        &mut self,
        world: usize,
        each: Move,
        interrupt: &mut dyn FnMut() -> bool,
    ) -> Result<i64, GameError> {
        // The one layout there is when all is known gets the thought of all of them.
        let alone = if self.worlds.len() == 1 { self.fair.samples.max(1) } else { 1 };
        let times = self.fair.playouts.max(1) * alone;
        let mut after = self.worlds[world].state.clone();
        self.player.journal.clear();
        after.play_unchecked(self.program, each, &mut self.player.journal)?;
        self.game.nodes += 1;
        match self.decide(&after, interrupt)? {
            Some(true) => return Ok(self.worth_of_win() * times.cast_signed() as i64),
            Some(false) => return Ok(0),
            None => {}
        }
        let mut worth = 0;
        for _ in 0..times {
            let mut state = after.clone();
            self.play_out(&mut state)?;
            worth += if state.is_won(self.program) {
                self.worth_of_win()
            } else {
                self.player.progress.of(&state) as i64
            };
        }
        Ok(worth)
    }

    /// What a game that is won counts, in cards that lie where they should.
    fn worth_of_win(&self) -> i64 {
        self.deck.cast_signed() as i64 * WIN
    }

    /// Whether a position of an imagined layout can be won, if that is soon found out.
    fn decide(
        &mut self,
        state: &State,
        interrupt: &mut dyn FnMut() -> bool,
    ) -> Result<Option<bool>, GameError> {
        if state.is_won(self.program) {
            return Ok(Some(true));
        }
        let left = self.fair.budget.saturating_sub(self.game.nodes).min(self.fair.solver);
        if left == 0 {
            return Ok(None);
        }
        let report = solved(self.program, state, left, interrupt)?;
        self.game.nodes += report.nodes;
        Ok(match report.verdict {
            Verdict::Winnable(_) => Some(true),
            Verdict::Unwinnable => Some(false),
            Verdict::Unknown => None,
        })
    }

    fn play_out(&mut self, state: &mut State) -> Result<(), GameError> {
        self.player.begin(state);
        for _ in 0..LOOKAHEAD {
            if state.is_won(self.program) {
                break;
            }
            let (chance, nodes) = (&mut self.chance, &mut self.game.nodes);
            if self.player.step(state, Some(SWING), chance, nodes)?.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Makes a move, and forgets the layouts in which it would have looked otherwise.
    fn play(&mut self, chosen: Move) -> Result<(), GameError> {
        let observed = self.truth.play(self.program, self.shown, chosen)?;
        let (program, shown) = (self.program, self.shown);
        let mut worlds = std::mem::take(&mut self.worlds);
        worlds.retain_mut(|world| world.play(program, shown, chosen) == Ok(observed));
        self.worlds = worlds;
        self.game.line.push(chosen);
        self.observed.push(observed);
        self.met.insert(self.truth.picture());
        Ok(())
    }
}
