//! Nested rollout policy adaptation: random games, and a policy that learns from the best of them.
//!
//! Each game is played to its end with random steps, with probabilities that a policy gives. The
//! policy starts with the general scores of steps. After each game it is adapted towards the steps
//! of the best game so far. Learners are nested: each uses the best game of a learner one level
//! below, which starts with the policy of the one above. (The method is Rosin's, with a bias.) It
//! needs neither a set of visited positions nor an evaluation that looks far ahead. It does well in
//! long games with many ways to win, where best-first search gets stuck in one part of the space.

use std::collections::HashSet;

use crate::perft::POLL;
use crate::random::SplitMix64;
use crate::search::budget::{Interrupted, NodeBudget};
use crate::search::spaces::result::SearchResult;
use crate::search::spaces::space::Space;

/// The number of codes of steps that a policy distinguishes.
const CODES: usize = 1 << 14;
/// Learning rate of one policy update.
const LEARNING_RATE: f32 = 1.0;
/// Softmax temperature: this score difference makes a step e times as likely.
const TEMPERATURE: f32 = 120.0;
/// A game is given up when it is this many times as long as expected.
const LONG: u64 = 5;

/// Levels of learners.
const LEVELS: u32 = 2;

/// A policy: for each code of a step the logarithm of the factor in its probability.
type Policy = Vec<f32>;

/// A game that was played.
#[derive(Clone)]
struct Game<Step> {
    /// Its distance from the aim at the end.
    distance: i32,
    line: Vec<Step>,
    /// For each step of the line: where the choices of its position begin and end, and which was
    /// taken.
    turns: Vec<(u32, u32, u32)>,
    /// All choices: their codes and general scores.
    choices: Vec<(u16, f32)>,
}

impl<Step> Default for Game<Step> {
    fn default() -> Self {
        Self { distance: i32::MAX, line: Vec::new(), turns: Vec::new(), choices: Vec::new() }
    }
}

/// What ends the search.
enum End<Step> {
    Found(SearchResult<Step>),
    Interrupted,
}

/// The player of the games.
struct Player<'p, 's, S: Space> {
    budget: &'p mut NodeBudget<'s>,
    space: &'p mut S,
    root: Vec<u8>,
    random: SplitMix64,
    visited: HashSet<u128>,
    steps: Vec<S::Step>,
    odds: Vec<f32>,
    longest: u64,
}

/// Plays games until the turn's share is used up. Proves nothing.
pub(crate) fn nrpa<S: Space>(
    budget: &mut NodeBudget<'_>,
    space: &mut S,
    seed: u64,
) -> Result<SearchResult<S::Step>, Interrupted> {
    if space.is_won() {
        return Ok(SearchResult::Solved(Vec::new()));
    }
    let mut root = Vec::new();
    space.pack(&mut root);
    let length = space.length().max(10);
    // Choose the playouts per level so that two levels spend the share.
    let games = budget.share / (length * 2);
    let games = games.isqrt().clamp(5, 100) as u32;
    let mut player = Player {
        budget,
        space,
        root,
        random: SplitMix64::new(seed),
        visited: HashSet::new(),
        steps: Vec::new(),
        odds: Vec::new(),
        longest: length * LONG,
    };
    loop {
        let nodes = player.budget.nodes;
        match player.learn(LEVELS, games, &vec![0.0; CODES]) {
            // A game without any step takes no nodes.
            Ok(_) if player.budget.nodes == nodes => return Ok(SearchResult::Incomplete),
            Ok(_) => {}
            Err(End::Found(outcome)) => return Ok(outcome),
            Err(End::Interrupted) => return Err(Interrupted),
        }
    }
}

impl<S: Space> Player<'_, '_, S> {
    /// The best game of a learner at a level.
    fn learn(
        &mut self,
        level: u32,
        games: u32,
        policy: &[f32],
    ) -> Result<Game<S::Step>, End<S::Step>> {
        if level == 0 {
            return self.play(policy);
        }
        let mut policy: Policy = policy.to_vec();
        let mut best = Game::default();
        for _ in 0..games {
            let game = self.learn(level - 1, games, &policy)?;
            if game.distance <= best.distance {
                best = game;
            }
            self.adapt(&mut policy, &best);
        }
        Ok(best)
    }

    /// Adapts a policy towards a game.
    fn adapt(&mut self, policy: &mut [f32], game: &Game<S::Step>) {
        let mut change: Vec<(u16, f32)> = Vec::with_capacity(game.choices.len());
        for &(begin, end, taken) in &game.turns {
            let choices = &game.choices[begin as usize..end as usize];
            odds(&mut self.odds, policy, choices);
            let sum: f32 = self.odds.iter().sum();
            for (&(code, _), odds) in choices.iter().zip(&self.odds) {
                change.push((code, -LEARNING_RATE * odds / sum));
            }
            change.push((game.choices[taken as usize].0, LEARNING_RATE));
        }
        for (code, change) in change {
            policy[usize::from(code)] += change;
        }
    }

    /// Plays a game to its end.
    fn play(&mut self, policy: &[f32]) -> Result<Game<S::Step>, End<S::Step>> {
        let mut game = Game::default();
        self.space.unpack(&self.root);
        self.visited.clear();
        self.visited.insert(self.space.key());
        let mut tries = 0;
        while tries < self.longest {
            self.steps.clear();
            self.space.list(&mut self.steps);
            let begin = game.choices.len();
            for &step in &self.steps {
                let code = (self.space.feature_code(step) % CODES as u64) as u16;
                game.choices.push((code, f32::from(self.space.score(step) as i16) / TEMPERATURE));
            }
            odds(&mut self.odds, policy, &game.choices[begin..]);
            let taken = loop {
                let Some(taken) = self.draw() else { break None };
                let step = self.steps[taken];
                if !self.space.make(step) {
                    self.odds[taken] = 0.0;
                    continue;
                }
                tries += 1;
                if self.space.is_won() {
                    game.line.push(step);
                    return Err(End::Found(SearchResult::Solved(game.line)));
                }
                self.count()?;
                if self.visited.insert(self.space.key()) {
                    break Some(taken);
                }
                self.space.unmake();
                self.odds[taken] = 0.0;
            };
            let Some(taken) = taken else {
                game.choices.truncate(begin);
                break;
            };
            game.line.push(self.steps[taken]);
            game.turns.push((begin as u32, game.choices.len() as u32, (begin + taken) as u32));
        }
        game.distance = self.space.heuristic().max(0);
        Ok(game)
    }

    /// Counts a generated position.
    fn count(&mut self) -> Result<(), End<S::Step>> {
        if self.budget.nodes >= self.budget.end {
            return Err(End::Found(SearchResult::OutOfBudget));
        }
        self.budget.nodes += 1;
        if self.budget.nodes.is_multiple_of(POLL) {
            let bytes = self.visited.capacity() * 32 + LEVELS as usize * CODES * size_of::<f32>();
            match self.budget.check(bytes, self.visited.len()) {
                Ok(true) => {}
                Ok(false) => return Err(End::Found(SearchResult::OutOfBudget)),
                Err(Interrupted) => return Err(End::Interrupted),
            }
        }
        Ok(())
    }

    /// Draws one of the choices by its odds; none if all odds are 0.
    fn draw(&mut self) -> Option<usize> {
        let sum: f32 = self.odds.iter().sum();
        if sum <= 0.0 {
            return None;
        }
        let mut left = f32::from(self.random.below(1 << 16) as u16) / 65536.0 * sum;
        let mut last = None;
        for (index, &odds) in self.odds.iter().enumerate() {
            if odds > 0.0 {
                last = Some(index);
                if left < odds {
                    break;
                }
                left -= odds;
            }
        }
        last
    }
}

/// The odds of some choices by a policy: probabilities, but not divided by their sum.
fn odds(odds: &mut Vec<f32>, policy: &[f32], choices: &[(u16, f32)]) {
    let logarithm = |&(code, bias): &(u16, f32)| policy[usize::from(code)] + bias;
    let most = choices.iter().map(logarithm).fold(f32::MIN, f32::max);
    odds.clear();
    odds.extend(choices.iter().map(|choice| exponential(logarithm(choice) - most)));
}

/// An approximation of e to the power of a number that is at most 0. It is the same on every
/// machine.
fn exponential(power: f32) -> f32 {
    // (1 + x / 1024) ^ 1024, by squaring. Powers too small to matter count as the smallest that
    // does.
    (0..10).fold(1.0 + power.max(-60.0) / 1024.0, |product, _| product * product)
}

#[cfg(test)]
mod tests {
    use super::exponential;

    #[test]
    fn powers_of_e_are_near_enough() {
        for power in [0.0, -0.1, -1.0, -2.5, -7.0] {
            let (exact, ours) = (f32::exp(power), exponential(power));
            assert!((ours / exact - 1.0).abs() < 0.05, "{power}: {ours} is not {exact}");
        }
        assert!(exponential(-1000.0) > 0.0);
    }
}
