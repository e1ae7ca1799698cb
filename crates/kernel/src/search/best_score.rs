//! The best score: the best that is found, and the best that is possible.
//!
//! The search asks again and again whether a score can be reached, each time a better one than the
//! best so far. Each question is an ordinary search in the same game with another aim: that the
//! score is at least so good. A line is a better score. If there is none, the bound is known. The
//! game of a question goes on where the real one may be over, since its aim is reached; so all that
//! can be reached in the real game can be reached there, and a line is cut off where it ends.

use std::collections::HashSet;

use crate::player::game::{Policy, play_out};
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::Condition;
use crate::search::budget::{Observer, Progress};
use crate::search::options::Options;
use crate::search::report::{StopReason, Verdict};
use crate::search::score_bound::ScoreBound;
use crate::search::solve;
use crate::search::strategy::{CardEquivalence, Strategy};

/// What is known of the best score from a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestScore {
    /// The best score found.
    pub score: i64,
    /// The player's moves that reach it.
    pub line: Vec<Move>,
    /// No score is better than this one. If it is the best found, that is proved to be the best.
    pub bound: Option<i64>,
    /// The positions generated.
    pub nodes: u64,
    /// Why the search ended.
    pub end: StopReason,
}

/// Games played out at first, and the most moves of one.
const GAMES: u64 = 16;
const MOVES: usize = 1000;
/// The width of the first search in layers, and how much wider each is than the one before.
const NARROW: usize = 16;
const WIDER: usize = 4;
/// The turns of a question. Points are gained by trying out whole games; the last one proves.
const TURNS: [Strategy; 3] = [
    Strategy::Nrpa { weights: 0 },
    Strategy::PerturbedBestFirst { weights: 2, cards: CardEquivalence::Exact },
    Strategy::Depth { cards: CardEquivalence::Exact, greedy: false },
];
/// Nodes of the first question.
const FIRST: u64 = 4_000;

/// Searches for the best score that can be reached from a position; none if the game is not scored.
///
/// It sees every card. The same question has the same answer on every machine, as in
/// [`solve`](crate::solve).
pub fn best_score(
    program: &Program,
    state: &State,
    options: &Options,
    observer: &mut Observer<'_>,
) -> Option<BestScore> {
    let aim = program.source().score.as_ref()?.aim;
    let bounds = ScoreBound::new(program)?;
    let mut search = Search {
        program,
        root: state,
        best: state.worth(program),
        line: Vec::new(),
        bound: bounds.closely(state),
        nodes: 0,
    };
    let end = search.run(options, observer);
    Some(BestScore {
        score: aim.worth(search.best),
        line: search.line,
        bound: search.bound.map(|bound| aim.worth(bound)),
        nodes: search.nodes,
        end,
    })
}

struct Search<'q> {
    program: &'q Program,
    root: &'q State,
    /// The best worth so far, and the line that reaches it.
    best: i64,
    line: Vec<Move>,
    bound: Option<i64>,
    nodes: u64,
}

impl Search<'_> {
    fn run(&mut self, options: &Options, observer: &mut Observer<'_>) -> StopReason {
        let most = options.limits.nodes;
        for seed in 0..GAMES {
            if self.nodes >= most || self.is_proved() {
                break;
            }
            let mut poll = || false;
            let game = play_out(self.program, self.root, Policy::Greedy, seed, MOVES, &mut poll);
            if let Ok(game) = game {
                self.nodes += game.nodes;
                self.take(&game.line);
            }
        }
        let mut width = NARROW;
        while self.nodes < most / 8 && !self.is_proved() {
            if !self.look_wide(width, most, observer) {
                return StopReason::Interrupted;
            }
            width *= WIDER;
        }
        let mut step = self.bound.map_or(16, |bound| ((bound - self.best) / 4).max(1));
        let mut share = FIRST;
        loop {
            if self.is_proved() {
                return StopReason::Decided;
            }
            if self.nodes >= most {
                return StopReason::Budget;
            }
            let target = self.best + step;
            let target = self.bound.map_or(target, |bound| target.min(bound));
            let Some(asked) = self.question(target) else { return StopReason::StrategiesExhausted };
            let mut limited = options.clone();
            limited.limits.nodes = share.min(most - self.nodes);
            if limited.turns.is_empty() {
                limited.turns = TURNS.to_vec();
            }
            let before = self.nodes;
            let mut heard = |progress: &Progress| {
                observer(&Progress { nodes: progress.nodes + before, ..*progress })
            };
            let report = solve(&asked, self.root, &limited, &mut heard);
            self.nodes += report.nodes.max(1);
            match (report.verdict, report.end) {
                (Verdict::Winnable(line), _) => {
                    let best = self.best;
                    self.take(&line);
                    self.finish();
                    if self.best == best {
                        return StopReason::StrategiesExhausted;
                    }
                }
                (Verdict::Unwinnable, _) => {
                    self.bound = Some(target - 1);
                    step = (step / 2).max(1);
                }
                (Verdict::Unknown, StopReason::Budget) if step > 1 => step /= 2,
                (Verdict::Unknown, StopReason::Budget) => share = share.saturating_mul(3),
                (Verdict::Unknown, end) => return end,
            }
        }
    }

    /// Searches layer by layer, with only the most promising positions of each. Unlike the search
    /// for an aim it goes on to the end, and takes the best position of all layers. Returns whether
    /// the caller wants more.
    fn look_wide(&mut self, width: usize, most: u64, observer: &mut Observer<'_>) -> bool {
        // The moves that lead to each position, linked to those before.
        let mut steps: Vec<(usize, Move)> = Vec::new();
        let mut layer = vec![(self.root.clone(), usize::MAX)];
        let mut seen: HashSet<u128> = HashSet::from([self.root.hash128()]);
        let mut best: Option<usize> = None;
        let mut journal = Journal::new();
        let mut moves = Vec::new();
        while !layer.is_empty() && self.nodes < most {
            let mut next: Vec<(i64, usize, Move)> = Vec::new();
            for (at, (state, _)) in layer.iter().enumerate() {
                let mut state = state.clone();
                moves.clear();
                state.moves_into(self.program, &mut moves);
                for &each in &moves {
                    journal.clear();
                    if state.play_unchecked(self.program, each, &mut journal).is_err() {
                        continue;
                    }
                    self.nodes += 1;
                    if seen.insert(state.hash128()) {
                        next.push((state.promise(self.program), at, each));
                        let worth = state.worth(self.program);
                        if worth > self.best {
                            self.best = worth;
                            steps.push((layer[at].1, each));
                            best = Some(steps.len() - 1);
                        }
                    }
                    state.undo(self.program, &mut journal);
                }
            }
            let progress = Progress {
                nodes: self.nodes,
                bytes: layer.len() * self.root.packed_size(),
                depth: steps.len(),
                round: 0,
                strategy: "layers",
            };
            if !observer(&progress) {
                return false;
            }
            next.sort_unstable_by_key(|&(promise, at, each)| {
                (std::cmp::Reverse(promise), at, each.code())
            });
            next.truncate(width);
            layer = next
                .into_iter()
                .filter_map(|(_, at, each)| {
                    let mut state = layer[at].0.clone();
                    journal.clear();
                    state.play_unchecked(self.program, each, &mut journal).ok()?;
                    steps.push((layer[at].1, each));
                    Some((state, steps.len() - 1))
                })
                .collect();
        }
        if let Some(mut at) = best {
            self.line.clear();
            while let Some(&(before, each)) = steps.get(at) {
                self.line.push(each);
                at = before;
            }
            self.line.reverse();
        }
        true
    }

    fn is_proved(&self) -> bool {
        self.bound.is_some_and(|bound| bound <= self.best)
    }

    /// The game in which a worth is the aim.
    fn question(&self, target: i64) -> Option<Program> {
        let mut source = self.program.source().clone();
        let score = source.score.as_mut()?;
        score.won_from = None;
        source.aim = vec![Condition::Score { points: score.aim.worth(target) }];
        Program::new(source).ok()
    }

    /// Plays a line in the real game, and takes the best position of it if it is the best so far.
    fn take(&mut self, line: &[Move]) {
        let mut state = self.root.clone();
        let mut journal = Journal::new();
        for (place, &each) in line.iter().enumerate() {
            journal.clear();
            if state.play(self.program, each, &mut journal).is_err() {
                return;
            }
            let worth = state.worth(self.program);
            if worth > self.best {
                self.best = worth;
                self.line = line[..=place].to_vec();
            }
        }
    }

    /// Plays on from the end of the best line as long as that is better.
    fn finish(&mut self) {
        let mut state = self.root.clone();
        let mut journal = Journal::new();
        for &each in &self.line {
            journal.clear();
            if state.play(self.program, each, &mut journal).is_err() {
                return;
            }
        }
        for seed in 0..GAMES {
            let mut poll = || false;
            let game = play_out(self.program, &state, Policy::Greedy, seed, MOVES, &mut poll);
            if let Ok(game) = game {
                self.nodes += game.nodes;
                let whole = [self.line.as_slice(), &game.line].concat();
                self.take(&whole);
            }
        }
    }
}
