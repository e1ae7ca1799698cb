//! One position to be decided, and one turn of one way of searching it.

use crate::position::state::State;
use crate::program::compiled::Compiled;
use crate::search::abstraction::Abstraction;
use crate::search::budget::{Effort, Interrupted, Observer};
use crate::search::options::{Options, Pruning};
use crate::search::proof::Proof;
use crate::search::schedule::Family;
use crate::search::spaces::deadlock::Locks;
use crate::search::spaces::equivalence::Key;
use crate::search::spaces::evaluation::Evaluation;
use crate::search::spaces::general::General;
use crate::search::spaces::linked::keys::Likeness;
use crate::search::spaces::linked::line::tell;
use crate::search::spaces::linked::safe_play::Safety;
use crate::search::spaces::linked::space::{Habits, Linked};
use crate::search::spaces::linked::tables::Tables;
use crate::search::spaces::outcome::Outcome;
use crate::search::spaces::space::Space;
use crate::search::spaces::stock_macro::Stocked;
use crate::search::spaces::stock_rules::Turns;
use crate::search::strategies::beam::beam;
use crate::search::strategies::best_first::best_first;
use crate::search::strategies::depth_first::depth_first;
use crate::search::strategies::nrpa::nested;
use crate::search::strategies::restarts::restarts;
use crate::search::strategy::{Sight, Strategy};
use crate::search::turn::{Carry, Found, Taken, Turn};
use crate::search::weights::Weights;

/// Nodes of each attempt of a search with varied weights.
const ATTEMPT: u64 = 20_000;

/// How many times as long proofs of loss are looked for, once a class-blind space has no win.
const DOUBT: u64 = 8;

/// A position to be searched, with all that turns share.
pub(crate) struct Question<'q> {
    program: &'q Compiled,
    state: &'q State,
    pub(crate) options: &'q Options,
    family: Family,
    /// The turns of a round.
    pub(crate) turns: &'q [Strategy],
    /// For each turn what it was given of a round, in hundredths; none if it gets what suits most games.
    given: Vec<Option<u64>>,
    exact: Key,
    blind: Key,
    means: Means,
    locks: Option<Locks>,
    /// The rules that turn the stock, where it can be played by reach.
    stock: Option<Turns>,
}

/// In which space the search goes.
enum Means {
    /// In the linked one.
    Linked { tables: Box<Tables>, safety: Box<Safety>, habits: Habits },
    /// In the one of any program, with the programs whose hashes are the keys, where they are not
    /// those of the program itself.
    General { exact: Option<Box<Compiled>>, blind: Option<Box<Compiled>> },
}

impl<'q> Question<'q> {
    pub(crate) fn new(program: &'q Compiled, state: &'q State, options: &'q Options) -> Self {
        let without = options.without;
        let exact = Key::exact(program, without);
        let blind = Key::blind(program, without);
        let tables = Tables::new(program, state, false).filter(|tables| tables.is_wanted(without));
        let family = Family::of(program, tables.as_ref(), blind != exact);
        let means = if let Some(tables) = tables {
            let (safety, habits) = (Box::new(Safety::new(&tables)), Habits::new(without));
            Means::Linked { tables: Box::new(tables), safety, habits }
        } else {
            let merged = |key: &Key| key.merged(program).map(Box::new);
            Means::General { exact: merged(&exact), blind: merged(&blind) }
        };
        let turns = if options.turns.is_empty() { family.turns() } else { &options.turns };
        let given = |label: String| {
            let mut shares = options.shares.iter();
            shares.find(|(name, _)| *name == label).map(|&(_, share)| share.max(1))
        };
        let given = Strategy::labels(turns).into_iter().map(given).collect();
        let is_of_use = !without.has(Pruning::Locks);
        let locks = is_of_use.then(|| Locks::new(program, state)).flatten();
        let is_of_use = !without.has(Pruning::StockMacro);
        let stock = is_of_use.then(|| Turns::new(program)).flatten();
        Self { program, state, options, family, turns, given, exact, blind, means, locks, stock }
    }

    /// Whether the position is lost by its locks, so that there is nothing to search.
    pub(crate) fn is_locked(&self) -> bool {
        self.locks.as_ref().is_some_and(|locks| locks.are_stuck(self.state))
    }

    /// The weights of a set.
    fn weights(&self, set: usize) -> Weights {
        let defaults = match self.means {
            Means::Linked { .. } => &Weights::LINKED[..],
            Means::General { .. } => &Weights::DEFAULTS,
        };
        self.options.weights.get(set).copied().unwrap_or(defaults[set % defaults.len()])
    }

    /// What each turn of a round begins with.
    pub(crate) fn carries(&self) -> Vec<Carry> {
        let turns = self.turns.iter();
        let retired = |strategy| !self.has_use_for(strategy);
        turns.map(|&turn| Carry { retired: retired(turn), ..Carry::default() }).collect()
    }

    /// Whether a strategy can be used, and does what no other does.
    fn has_use_for(&self, strategy: Strategy) -> bool {
        let without = self.options.without;
        let is_linked = matches!(self.means, Means::Linked { .. });
        let sees_less = self.blind != self.exact && !without.has(Pruning::ClassBlind);
        match strategy.sight() {
            _ if strategy == Strategy::Abstract => !without.has(Pruning::AbstractGames),
            Sight::Exact => true,
            Sight::Blind => sees_less,
            Sight::Partial { .. } => sees_less && is_linked,
            Sight::Greedy => is_linked && !without.has(Pruning::ClassBlind),
        }
    }

    /// What a turn gets of a round in which the least share has so many nodes, by what the turns have left.
    pub(crate) fn share(&self, index: usize, least: u64, carries: &[Carry]) -> u64 {
        let hundredths = self.given[index].unwrap_or_else(|| self.patience(index, carries) * 100);
        (least.saturating_mul(hundredths) / 100).max(1)
    }

    /// How many shares of a round a turn gets by itself.
    ///
    /// Where a class-blind search has come to the end of its space, the deal is probably lost.
    fn patience(&self, index: usize, carries: &[Carry]) -> u64 {
        let turn = self.turns[index];
        let is_lost = |(other, carry): (&Strategy, &Carry)| {
            matches!(other.sight(), Sight::Blind | Sight::Greedy) && carry.exhausted
        };
        let is_doubted = turn.proves_losses() && self.turns.iter().zip(carries).any(is_lost);
        self.family.patience(turn) * if is_doubted { DOUBT } else { 1 }
    }

    /// Takes a turn, which is cut after so many nodes.
    pub(crate) fn take(
        &self,
        turn: Turn,
        left: u64,
        before: u64,
        observer: &mut Observer<'_>,
    ) -> Taken {
        let strategy = self.turns[turn.index];
        let mut observer = |progress: &_| observer(progress);
        let mut effort = Effort {
            observer: &mut observer,
            memory: self.options.limits.memory / self.options.threads.max(1),
            share: turn.share,
            nodes: 0,
            end: turn.share.min(left),
            before,
            round: turn.round,
            strategy: strategy.name(),
            is_full: false,
        };
        let mut carry = turn.carry;
        let found = self.search(strategy, turn, &mut effort, &mut carry);
        if effort.is_full {
            carry = Carry { retired: true, full: true, ..carry };
        }
        Taken { found, nodes: effort.nodes, carry }
    }

    fn search(
        &self,
        strategy: Strategy,
        turn: Turn,
        effort: &mut Effort<'_>,
        carry: &mut Carry,
    ) -> Result<Found, Interrupted> {
        let set = match strategy {
            Strategy::Abstract => return self.prove_abstractly(effort, carry),
            Strategy::Varied { weights, sight } => {
                return self.search_variedly(turn, effort, carry, (weights, sight));
            }
            Strategy::Best { weights, .. }
            | Strategy::Beam { weights, .. }
            | Strategy::Nested { weights } => weights,
            Strategy::Depth { .. } | Strategy::Restarts { .. } => 0,
        };
        self.search_with(strategy, turn, effort, carry, self.weights(set))
    }

    /// Best first, given up soon and begun again with weights that differ by chance.
    fn search_variedly(
        &self,
        turn: Turn,
        effort: &mut Effort<'_>,
        carry: &mut Carry,
        (set, sight): (usize, Sight),
    ) -> Result<Found, Interrupted> {
        let (weights, end) = (self.weights(set), effort.end);
        let best = Strategy::Best { weights: set, sight };
        for attempt in 0u64.. {
            effort.end = end.min(effort.nodes + ATTEMPT);
            let varied = weights.varied(u64::from(turn.round) << 32 | attempt);
            match self.search_with(best, turn, effort, carry, varied)? {
                Found::Nothing { is_cut_short: true } if effort.nodes < end && !effort.is_full => {}
                found => return Ok(found),
            }
        }
        Ok(Found::Nothing { is_cut_short: true })
    }

    fn search_with(
        &self,
        strategy: Strategy,
        turn: Turn,
        effort: &mut Effort<'_>,
        carry: &mut Carry,
        weights: Weights,
    ) -> Result<Found, Interrupted> {
        let begun = effort.nodes;
        let (sight, round) = (strategy.sight(), u64::from(turn.round));
        let outcome = match &self.means {
            Means::Linked { tables, safety, habits } => {
                let likeness = match sight {
                    Sight::Exact if self.options.without.has(Pruning::CardClasses) => {
                        Likeness::Apart
                    }
                    Sight::Exact => Likeness::Exact,
                    Sight::Blind | Sight::Greedy => Likeness::From(0),
                    Sight::Partial { from } => Likeness::From(from),
                };
                let habits = Habits {
                    greedy_play: sight == Sight::Greedy,
                    // It costs more than it saves where all goes up at once.
                    dead_ends: habits.dead_ends && sight != Sight::Greedy,
                    ..*habits
                };
                let (program, state) = (self.program, self.state);
                let mut space =
                    Linked::new(program, tables, safety, state, likeness, habits, weights);
                match walk(strategy, round, effort, &mut space)? {
                    Outcome::Won(steps) => {
                        let line = tell(&mut space, program, state, &steps);
                        debug_assert!(line.is_some(), "it cannot be played: {steps:?}");
                        line.map_or(Outcome::Stuck, Outcome::Won)
                    }
                    Outcome::Exhausted => Outcome::Exhausted,
                    Outcome::Stuck => Outcome::Stuck,
                    Outcome::Open => Outcome::Open,
                }
            }
            Means::General { exact, blind } => {
                let (key, keyed) = match sight {
                    Sight::Exact => (&self.exact, exact),
                    _ => (&self.blind, blind),
                };
                let program = keyed.as_deref().unwrap_or(self.program);
                let evaluation = Evaluation::new(program, self.state, weights);
                let root = || {
                    General::new(program, key, self.state, evaluation)
                        .with_locks(self.locks.as_ref())
                };
                match &self.stock {
                    None => walk(strategy, round, effort, &mut root())?,
                    Some(turns) => {
                        let mut space = Stocked::new(root(), turns);
                        match walk(strategy, round, effort, &mut space)? {
                            Outcome::Won(steps) => {
                                space.begin_at(self.state);
                                Outcome::Won(space.tell(&steps))
                            }
                            Outcome::Exhausted => Outcome::Exhausted,
                            Outcome::Stuck => Outcome::Stuck,
                            Outcome::Open => Outcome::Open,
                        }
                    }
                }
            }
        };
        Ok(match outcome {
            Outcome::Won(line) => Found::Line(line),
            Outcome::Exhausted if sight != Sight::Exact => {
                carry.exhausted = true;
                // Which of the positions taken for equal is met first depends on chance, if there is any.
                carry.retired =
                    !matches!(strategy, Strategy::Depth { .. } | Strategy::Restarts { .. });
                Found::Nothing { is_cut_short: false }
            }
            Outcome::Stuck => {
                carry.retired = true;
                Found::Nothing { is_cut_short: false }
            }
            Outcome::Exhausted => Found::Loss(Proof::Exhausted { positions: effort.nodes - begun }),
            Outcome::Open => Found::Nothing { is_cut_short: true },
        })
    }

    fn prove_abstractly(
        &self,
        effort: &mut Effort<'_>,
        carry: &mut Carry,
    ) -> Result<Found, Interrupted> {
        let without = self.options.without;
        let weights = self.weights(0);
        while effort.nodes < effort.end {
            let game = Abstraction::new(self.program, self.state, carry.level, without);
            let Some(game) = game else {
                carry.retired = true;
                break;
            };
            let begun = effort.nodes;
            match game.search(effort, self.state, weights, without)? {
                Outcome::Won(_) => carry.level += 1,
                Outcome::Exhausted => {
                    let positions = effort.nodes - begun;
                    return Ok(Found::Loss(Proof::Abstract { level: carry.level, positions }));
                }
                Outcome::Stuck => {
                    carry.retired = true;
                    break;
                }
                Outcome::Open => break,
            }
        }
        Ok(Found::Nothing { is_cut_short: true })
    }
}

/// Walks through a space by a strategy.
fn walk<S: Space>(
    strategy: Strategy,
    seed: u64,
    effort: &mut Effort<'_>,
    space: &mut S,
) -> Result<Outcome<S::Step>, Interrupted> {
    match strategy {
        Strategy::Best { .. } => best_first(effort, space),
        Strategy::Beam { .. } => beam(effort, space),
        Strategy::Depth { .. } => depth_first(effort, space, seed),
        Strategy::Restarts { .. } => restarts(effort, space, seed + 1),
        Strategy::Nested { .. } => nested(effort, space, seed + 1),
        Strategy::Varied { .. } | Strategy::Abstract => Ok(Outcome::Open),
    }
}
