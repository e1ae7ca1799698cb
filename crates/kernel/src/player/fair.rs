//! The fair player: it does not know the hidden cards, so it samples layouts of them.
//!
//! Before each move it imagines layouts. It accepts one if, with the moves so far, it would have
//! shown the player exactly what was seen: the same cards visible at the same time, the same legal
//! moves, the same piles changed by forced moves. Shuffles and the order of the stock are imagined,
//! too.
//!
//! First it judges by hindsight ([`hindsight`](crate::player::hindsight)): it makes the plan
//! after which the solver wins most of the imagined layouts. If the solver wins none of them within
//! its nodes, the player tries every move and plays the game out greedily, unless all layouts are
//! lost. It makes the move with the best score, unless after another one playouts win more often
//! than chance would explain. A player who believes noise, or who collects cards for their own
//! sake, is worse than a greedy one.
//! The budget is spread over the game, so that some is left for its end.
//!
//! When every card is known, there is nothing to imagine. Then the solver searches for a winning
//! line, and if it finds one, the player follows it.
//!
//! All decisions depend only on what was observed. The true deck is used only to play the moves.
//! `tests/player.rs` exchanges the unseen cards and checks that the game is the same.

use std::cmp::Reverse;
use std::collections::HashSet;

use crate::perft::CountError;
use crate::player::belief::{Belief, Imagined, Shown};
use crate::player::game::{AMONG_EQUALS, Game, GameError, Player};
use crate::player::hindsight::{Advice, CLOSE, FOUNDED};
use crate::player::takeback::Takeback;
use crate::player::thinker::{FairPlayerOptions, Thinker};
use crate::player::world::{Future, World, solved};
use crate::position::journal::{Entry, Journal};
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::random::SplitMix64;
use crate::search::report::Verdict;

/// The most moves of a playout.
const LOOKAHEAD: usize = 300;
/// The range of the random part of scores in a playout when everything is known.
const SWING: u64 = 256;
/// The most moves that are evaluated: those with the best scores.
const WIDTH: usize = 24;
/// A move may spend at most this fraction of the remaining nodes.
const SHARE: u64 = 20;
/// Decks tried per imagined layout.
const TRIES: usize = 8;

/// Plays a deal as a fair player.
///
/// `shown` says how much of each pile is visible. The same seed gives the same game.
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
        visited: HashSet::from([truth.picture()]),
        truth,
        observed: vec![first],
        worlds: Vec::new(),
        sure: Vec::new(),
        is_hopeless: false,
        pause: 0,
        moves_to_rest: 0,
        seems_lost: false,
        player: Player::new(program),
        chance: SplitMix64::new(seed),
        takeback: Takeback::new(program),
        game: Game { won: false, score: None, line: Vec::new(), nodes: 0 },
    };
    while !thinker.truth.state.is_won(program) && thinker.game.line.len() < fair.limit {
        if interrupt() {
            return Err(CountError::Interrupted.into());
        }
        let Some(chosen) = thinker.choose(interrupt)? else { break };
        thinker.play(chosen)?;
    }
    thinker.game.won = thinker.truth.state.is_won(program);
    thinker.game.score = thinker.truth.state.score(program);
    Ok(thinker.game)
}

/// By how much a move did better than the one with the best score, layout by layout.
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

    /// The sum, if it is at least two and a half times its own standard error; otherwise none.
    fn sure(&self) -> i64 {
        let layouts = i128::from(self.layouts);
        let square = i128::from(self.sum) * i128::from(self.sum);
        let squares = i128::from(self.squares);
        let is_sure = self.sum > 0 && 4 * square * layouts >= 25 * (squares * layouts - square);
        if is_sure { self.sum } else { 0 }
    }
}

impl Thinker<'_> {
    /// The move to make; none if every move leads back to a visited position.
    fn choose(&mut self, interrupt: &mut dyn FnMut() -> bool) -> Result<Option<Move>, GameError> {
        if let Some(next) = self.sure.pop() {
            return Ok(Some(next));
        }
        let is_resting = self.moves_to_rest > 0;
        self.moves_to_rest = self.moves_to_rest.saturating_sub(1);
        let is_spent = self.game.nodes >= self.fair.budget || is_resting && self.seems_lost;
        self.imagine(if is_spent { 1 } else { self.fair.samples.max(1) })?;
        self.plan(interrupt)?;
        if let Some(next) = self.sure.pop() {
            return Ok(Some(next));
        }
        let is_scored = self.program.source().score.is_some();
        let rest = self.fair.budget.saturating_sub(self.game.nodes);
        // Hindsight from very few layouts is a bad guide, so there are nodes for some of them.
        let least = self.fair.solver.saturating_mul(FOUNDED as u64);
        let enough = self.game.nodes + (rest / SHARE).max(least);
        let is_worth_thinking = !is_spent && !is_scored;
        let mut last_resort = Vec::new();
        if is_worth_thinking && !is_resting && self.fair.solver > 0 {
            match self.look_back(enough, interrupt)? {
                Advice::Make(path) => return Ok(self.follow(path)),
                Advice::Undecided(path) => last_resort = path,
            }
        }
        let moves = self.truth.state.moves(self.program);
        let mut left = Vec::new();
        for &each in &moves {
            let leads_back = match self.worlds.first() {
                Some(world) => {
                    let mut after = world.belief.clone();
                    after.play(self.program, self.shown, each)?;
                    self.visited.contains(&after.picture())
                }
                None => false,
            };
            if !leads_back {
                left.push(each);
            }
        }
        let scorer = &self.player.scorer;
        let score = |each: &Move| match self.worlds.first() {
            Some(world) => {
                let mut after = world.belief.state.clone();
                let is_played = is_scored
                    && after.play_unchecked(self.program, *each, &mut Journal::new()).is_ok();
                let promise = if is_played { after.promise(self.program) } else { 0 };
                (promise, scorer.score(self.program, &world.belief.state, *each))
            }
            // The score of a move looks only at cards that lie face up.
            None if self.shown.get(usize::from(each.from())) == Some(&Shown::All) => {
                (0, scorer.score(self.program, &self.truth.state, *each))
            }
            None => (0, scorer.score_of_rule(*each)),
        };
        // Chance decides among equals.
        let chance = &mut self.chance;
        left.sort_by_cached_key(|each| Reverse((score(each), chance.next())));
        left.truncate(WIDTH);
        let mut leads = vec![Lead::default(); left.len()];
        // Points vary too much between a few layouts: what can be seen is a better guide. Where all
        // layouts are lost, playouts win none of them.
        if left.len() > 1 && is_worth_thinking && !self.seems_lost {
            for world in 0..self.worlds.len() {
                // All moves are evaluated in the same layouts, so a layout is used for all of them
                // or none.
                if world > 0 && self.game.nodes >= enough {
                    break;
                }
                let first = self.weigh(world, left[0])?;
                for (score, &each) in leads.iter_mut().zip(&left).skip(1) {
                    score.add(self.weigh(world, each)? - first);
                }
            }
        }
        // Among equals choose the one with the best score, which comes first.
        let best = (0..left.len()).max_by_key(|&place| (leads[place].sure(), Reverse(place)));
        Ok(best.map(|place| left[place]).or_else(|| self.follow(last_resort)))
    }

    /// Decides to make some moves one after the other. Returns the first one.
    fn follow(&mut self, mut path: Vec<Move>) -> Option<Move> {
        path.reverse();
        self.sure = path;
        self.sure.pop()
    }

    /// Searches for a winning line, if every card is known, with half of the remaining nodes.
    fn plan(&mut self, interrupt: &mut dyn FnMut() -> bool) -> Result<(), GameError> {
        let nodes = self.fair.budget.saturating_sub(self.game.nodes) / 2;
        let Some(world) = self.worlds.first() else { return Ok(()) };
        if self.truth.unseen() > 1 || self.is_hopeless || nodes == 0 {
            return Ok(());
        }
        let report = solved(self.program, &world.belief.state, nodes, true, interrupt)?;
        self.game.nodes += report.nodes;
        let state = world.belief.state.clone();
        match report.verdict {
            Verdict::Winnable(line) if !self.is_shuffled(state, &line)? => {
                self.sure = line.into_iter().rev().collect();
            }
            // Until the next shuffle, a new search would find the same.
            Verdict::Winnable(_) | Verdict::Unwinnable => self.is_hopeless = true,
            Verdict::Unknown => self.is_hopeless = self.program.shuffles,
        }
        Ok(())
    }

    /// Whether cards are shuffled in the course of a line, in an order that only the deal knows.
    fn is_shuffled(&self, mut state: State, line: &[Move]) -> Result<bool, GameError> {
        let mut journal = Journal::new();
        for &each in line {
            state.play_unchecked(self.program, each, &mut journal)?;
        }
        Ok(journal.entries.iter().any(|entry| matches!(entry, Entry::Shuffle { .. })))
    }

    /// Imagines layouts until there are enough, or until too many decks have failed.
    pub(super) fn imagine(&mut self, wanted: usize) -> Result<(), GameError> {
        // If everything is known, there is only one layout, unless later shuffles make others of
        // it.
        let is_known = self.truth.unseen() < 2 && !self.program.shuffles;
        let wanted = if is_known { 1 } else { wanted };
        self.worlds.truncate(if is_known { 1 } else { wanted.max(CLOSE * self.fair.samples) });
        for _ in 0..wanted * TRIES {
            if self.worlds.len() >= wanted {
                break;
            }
            let imagined = self.truth.imagine(self.program, self.deck, &mut self.chance);
            if let Some(imagined) = imagined
                && let Some(world) = self.lived_through(imagined)?
            {
                self.worlds.push(World { belief: world, future: Future::Unasked });
            }
        }
        Ok(())
    }

    /// The position with another deck and other shuffles after the same moves, if all observations
    /// are the same.
    fn lived_through(&mut self, imagined: Imagined) -> Result<Option<Belief>, GameError> {
        let Ok((mut world, first)) = Belief::deal_imagined(self.program, self.shown, imagined)
        else {
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

    /// How many playouts win after a move in an imagined layout.
    fn weigh(&mut self, world: usize, each: Move) -> Result<i64, GameError> {
        // If everything is known, the only layout gets the nodes of all of them.
        let alone = if self.worlds.len() == 1 { self.fair.samples.max(1) } else { 1 };
        let times = self.fair.playouts.max(1) * alone;
        let mut after = self.worlds[world].belief.state.clone();
        self.player.journal.clear();
        after.play_unchecked(self.program, each, &mut self.player.journal)?;
        self.game.nodes += 1;
        let mut value = 0;
        // In one layout the playouts differ only by chance.
        let noise = if alone > 1 { SWING } else { AMONG_EQUALS };
        for _ in 0..times {
            let mut state = after.clone();
            self.play_out(&mut state, noise)?;
            value += i64::from(state.is_won(self.program));
        }
        Ok(value)
    }

    fn play_out(&mut self, state: &mut State, noise: u64) -> Result<(), GameError> {
        self.player.begin(state);
        for _ in 0..LOOKAHEAD {
            if state.is_won(self.program) {
                break;
            }
            let (chance, nodes) = (&mut self.chance, &mut self.game.nodes);
            if self.player.step(state, Some(noise), chance, nodes)?.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Makes a move, and drops the layouts in which the observation would differ.
    fn play(&mut self, chosen: Move) -> Result<(), GameError> {
        let shuffles = self.truth.shuffles();
        let observed = self.truth.play(self.program, self.shown, chosen)?;
        if self.truth.shuffles() != shuffles {
            self.is_hopeless = false;
        }
        let (program, shown) = (self.program, self.shown);
        let mut worlds = std::mem::take(&mut self.worlds);
        worlds.retain_mut(|world| {
            world.play(chosen);
            world.belief.play(program, shown, chosen) == Ok(observed)
        });
        self.worlds = worlds;
        self.game.line.push(chosen);
        self.observed.push(observed);
        self.visited.insert(self.truth.picture());
        Ok(())
    }
}
