//! One position to be decided, and one turn of one way of searching it.

use crate::position::state::State;
use crate::program::compiled::Program;
use crate::search::abstraction::Abstraction;
use crate::search::budget::{Interrupted, NodeBudget, Observer};
use crate::search::options::{Options, Pruning};
use crate::search::proof::Proof;
use crate::search::schedule::GameClass;
use crate::search::spaces::deadlock::Deadlocks;
use crate::search::spaces::equivalence::Equivalence;
use crate::search::spaces::evaluation::Evaluation;
use crate::search::spaces::general::General;
use crate::search::spaces::linked::keys::Likeness;
use crate::search::spaces::linked::line::to_moves;
use crate::search::spaces::linked::safe_play::SafePlay;
use crate::search::spaces::linked::space::{ActivePrunings, Linked};
use crate::search::spaces::linked::tables::Tables;
use crate::search::spaces::result::SearchResult;
use crate::search::spaces::space::Space;
use crate::search::spaces::stock_macro::StockMacroSpace;
use crate::search::spaces::stock_rules::StockRules;
use crate::search::strategies::beam::beam;
use crate::search::strategies::best_first::best_first;
use crate::search::strategies::depth_first::depth_first;
use crate::search::strategies::nrpa::nrpa;
use crate::search::strategies::restarts::restarts;
use crate::search::strategy::{Sight, Strategy};
use crate::search::turn::{Carryover, Finding, Turn, TurnResult};
use crate::search::weights::Weights;

/// Nodes of each attempt of a search with varied weights.
const ATTEMPT: u64 = 20_000;

/// How many times as long proofs of loss are looked for, once a class-blind space has no win.
const DOUBT: u64 = 8;

/// A position to be searched, with all that turns share.
pub(crate) struct Problem<'q> {
    program: &'q Program,
    state: &'q State,
    pub(crate) options: &'q Options,
    class: GameClass,
    /// The turns of a round.
    pub(crate) turns: &'q [Strategy],
    /// For each turn what it was given of a round, in hundredths; none if it gets what suits most
    /// games.
    given: Vec<Option<u64>>,
    exact: Equivalence,
    blind: Equivalence,
    space: SpaceKind,
    locks: Option<Deadlocks>,
    /// The rules that turn the stock, where it can be played by reach.
    stock: Option<StockRules>,
}

/// In which space the search goes.
enum SpaceKind {
    /// In the linked one.
    Linked { tables: Box<Tables>, safe_play_rules: Box<SafePlay>, prunings: ActivePrunings },
    /// In the one of any program, with the programs whose hashes are the keys, where they are not
    /// those of the program itself.
    General { exact: Option<Box<Program>>, blind: Option<Box<Program>> },
}

impl<'q> Problem<'q> {
    pub(crate) fn new(program: &'q Program, state: &'q State, options: &'q Options) -> Self {
        let without = options.without;
        let exact = Equivalence::exact(program, without);
        let blind = Equivalence::inexact(program, without);
        let tables = Tables::new(program, state, false).filter(|tables| tables.is_wanted(without));
        let class = GameClass::of(program, tables.as_ref(), blind != exact);
        let space = if let Some(tables) = tables {
            let (safe_play_rules, prunings) =
                (Box::new(SafePlay::new(&tables)), ActivePrunings::new(without));
            SpaceKind::Linked { tables: Box::new(tables), safe_play_rules, prunings }
        } else {
            let merged = |key: &Equivalence| key.with_merged_cards(program).map(Box::new);
            SpaceKind::General { exact: merged(&exact), blind: merged(&blind) }
        };
        let turns = if options.turns.is_empty() { class.turns() } else { &options.turns };
        let given = |label: String| {
            let mut shares = options.shares.iter();
            shares.find(|(name, _)| *name == label).map(|&(_, share)| share.max(1))
        };
        let given = Strategy::labels(turns).into_iter().map(given).collect();
        let is_of_use = !without.has(Pruning::Locks);
        let locks = is_of_use.then(|| Deadlocks::new(program, state)).flatten();
        let is_of_use = !without.has(Pruning::StockMacro);
        let stock = is_of_use.then(|| StockRules::new(program)).flatten();
        Self { program, state, options, class, turns, given, exact, blind, space, locks, stock }
    }

    /// Whether the position is lost by its locks, so that there is nothing to search.
    pub(crate) fn is_deadlocked(&self) -> bool {
        self.locks.as_ref().is_some_and(|locks| locks.is_deadlocked(self.state))
    }

    /// The weights of a set.
    fn weights(&self, set: usize) -> Weights {
        let defaults = match self.space {
            SpaceKind::Linked { .. } => &Weights::LINKED[..],
            SpaceKind::General { .. } => &Weights::DEFAULTS,
        };
        self.options.weights.get(set).copied().unwrap_or(defaults[set % defaults.len()])
    }

    /// What each turn of a round begins with.
    pub(crate) fn carries(&self) -> Vec<Carryover> {
        let turns = self.turns.iter();
        let retired = |strategy| !self.has_use_for(strategy);
        turns.map(|&turn| Carryover { retired: retired(turn), ..Carryover::default() }).collect()
    }

    /// Whether a strategy can be used, and does what no other does.
    fn has_use_for(&self, strategy: Strategy) -> bool {
        let without = self.options.without;
        let is_linked = matches!(self.space, SpaceKind::Linked { .. });
        let sees_less = self.blind != self.exact && !without.has(Pruning::ClassBlind);
        match strategy.sight() {
            _ if strategy == Strategy::Abstract => !without.has(Pruning::AbstractGames),
            Sight::Exact => true,
            Sight::Blind => sees_less,
            Sight::Partial { .. } => sees_less && is_linked,
            Sight::Greedy => is_linked && !without.has(Pruning::ClassBlind),
        }
    }

    /// What a turn gets of a round in which the least share has so many nodes, by what the turns
    /// have left.
    pub(crate) fn share(&self, index: usize, least: u64, carries: &[Carryover]) -> u64 {
        let hundredths = self.given[index].unwrap_or_else(|| self.node_share(index, carries) * 100);
        (least.saturating_mul(hundredths) / 100).max(1)
    }

    /// How many shares of a round a turn gets by itself.
    ///
    /// Where a class-blind search has come to the end of its space, the deal is probably lost.
    fn node_share(&self, index: usize, carries: &[Carryover]) -> u64 {
        let turn = self.turns[index];
        let is_lost = |(other, carry): (&Strategy, &Carryover)| {
            matches!(other.sight(), Sight::Blind | Sight::Greedy) && carry.exhausted
        };
        let is_doubted = turn.proves_losses() && self.turns.iter().zip(carries).any(is_lost);
        self.class.node_share(turn) * if is_doubted { DOUBT } else { 1 }
    }

    /// Takes a turn, which is cut after so many nodes.
    pub(crate) fn take(
        &self,
        turn: Turn,
        left: u64,
        before: u64,
        observer: &mut Observer<'_>,
    ) -> TurnResult {
        let strategy = self.turns[turn.index];
        let mut observer = |progress: &_| observer(progress);
        let mut budget = NodeBudget {
            observer: &mut observer,
            memory: self.options.limits.memory / self.options.threads.max(1),
            share: turn.share,
            nodes: 0,
            end: turn.share.min(left),
            before,
            round: turn.round,
            strategy: strategy.name(),
            out_of_memory: false,
        };
        let mut carry = turn.carry;
        let found = self.search(strategy, turn, &mut budget, &mut carry);
        if budget.out_of_memory {
            carry = Carryover { retired: true, full: true, ..carry };
        }
        TurnResult { found, nodes: budget.nodes, carry }
    }

    fn search(
        &self,
        strategy: Strategy,
        turn: Turn,
        budget: &mut NodeBudget<'_>,
        carry: &mut Carryover,
    ) -> Result<Finding, Interrupted> {
        let set = match strategy {
            Strategy::Abstract => return self.prove_abstractly(budget, carry),
            Strategy::PerturbedBestFirst { weights, sight } => {
                return self.search_variedly(turn, budget, carry, (weights, sight));
            }
            Strategy::Best { weights, .. }
            | Strategy::Beam { weights, .. }
            | Strategy::Nrpa { weights } => weights,
            Strategy::Depth { .. } | Strategy::Restarts { .. } => 0,
        };
        self.search_with(strategy, turn, budget, carry, self.weights(set))
    }

    /// Best first, given up soon and begun again with weights that differ by chance.
    fn search_variedly(
        &self,
        turn: Turn,
        budget: &mut NodeBudget<'_>,
        carry: &mut Carryover,
        (set, sight): (usize, Sight),
    ) -> Result<Finding, Interrupted> {
        let (weights, end) = (self.weights(set), budget.end);
        let best = Strategy::Best { weights: set, sight };
        for attempt in 0u64.. {
            budget.end = end.min(budget.nodes + ATTEMPT);
            let varied = weights.varied(u64::from(turn.round) << 32 | attempt);
            match self.search_with(best, turn, budget, carry, varied)? {
                Finding::Nothing { is_cut_short: true }
                    if budget.nodes < end && !budget.out_of_memory => {}
                found => return Ok(found),
            }
        }
        Ok(Finding::Nothing { is_cut_short: true })
    }

    fn search_with(
        &self,
        strategy: Strategy,
        turn: Turn,
        budget: &mut NodeBudget<'_>,
        carry: &mut Carryover,
        weights: Weights,
    ) -> Result<Finding, Interrupted> {
        let begun = budget.nodes;
        let (sight, round) = (strategy.sight(), u64::from(turn.round));
        let outcome = match &self.space {
            SpaceKind::Linked { tables, safe_play_rules, prunings } => {
                let likeness = match sight {
                    Sight::Exact if self.options.without.has(Pruning::CardClasses) => {
                        Likeness::Apart
                    }
                    Sight::Exact => Likeness::Exact,
                    Sight::Blind | Sight::Greedy => Likeness::From(0),
                    Sight::Partial { from } => Likeness::From(from),
                };
                let prunings = ActivePrunings {
                    greedy_play: sight == Sight::Greedy,
                    // It costs more than it saves where all goes up at once.
                    dead_ends: prunings.dead_ends && sight != Sight::Greedy,
                    ..*prunings
                };
                let (program, state) = (self.program, self.state);
                let mut space = Linked::new(
                    program,
                    tables,
                    safe_play_rules,
                    state,
                    likeness,
                    prunings,
                    weights,
                );
                let found = walk(strategy, round, budget, &mut space)?;
                found.map_line(|steps| {
                    let line = to_moves(&mut space, program, state, &steps);
                    debug_assert!(line.is_some(), "it cannot be played: {steps:?}");
                    line
                })
            }
            SpaceKind::General { exact, blind } => {
                let (key, keyed) = match sight {
                    Sight::Exact => (&self.exact, exact),
                    _ => (&self.blind, blind),
                };
                let program = keyed.as_deref().unwrap_or(self.program);
                let evaluation = Evaluation::new(program, self.state, weights);
                let root = || {
                    General::new(program, key, self.state, evaluation)
                        .with_deadlocks(self.locks.as_ref())
                };
                match &self.stock {
                    None => walk(strategy, round, budget, &mut root())?,
                    Some(turns) => {
                        let mut space = StockMacroSpace::new(root(), turns);
                        let found = walk(strategy, round, budget, &mut space)?;
                        found.map_line(|steps| {
                            space.begin_at(self.state);
                            Some(space.line_of(&steps))
                        })
                    }
                }
            }
        };
        Ok(match outcome {
            SearchResult::Solved(line) => Finding::Line(line),
            SearchResult::Exhausted if sight != Sight::Exact => {
                carry.exhausted = true;
                // Which of the positions taken for equal is met first depends on chance, if there
                // is any.
                carry.retired =
                    !matches!(strategy, Strategy::Depth { .. } | Strategy::Restarts { .. });
                Finding::Nothing { is_cut_short: false }
            }
            SearchResult::Incomplete => {
                carry.retired = true;
                Finding::Nothing { is_cut_short: false }
            }
            SearchResult::Exhausted => {
                Finding::Loss(Proof::Exhausted { positions: budget.nodes - begun })
            }
            SearchResult::OutOfBudget => Finding::Nothing { is_cut_short: true },
        })
    }

    fn prove_abstractly(
        &self,
        budget: &mut NodeBudget<'_>,
        carry: &mut Carryover,
    ) -> Result<Finding, Interrupted> {
        let without = self.options.without;
        let weights = self.weights(0);
        while budget.nodes < budget.end {
            let game = Abstraction::new(self.program, self.state, carry.level, without);
            let Some(game) = game else {
                carry.retired = true;
                break;
            };
            let begun = budget.nodes;
            match game.search(budget, self.state, weights, without)? {
                SearchResult::Solved(_) => carry.level += 1,
                SearchResult::Exhausted => {
                    let positions = budget.nodes - begun;
                    return Ok(Finding::Loss(Proof::Abstract { level: carry.level, positions }));
                }
                SearchResult::Incomplete => {
                    carry.retired = true;
                    break;
                }
                SearchResult::OutOfBudget => break,
            }
        }
        Ok(Finding::Nothing { is_cut_short: true })
    }
}

/// Walks through a space by a strategy.
fn walk<S: Space>(
    strategy: Strategy,
    seed: u64,
    budget: &mut NodeBudget<'_>,
    space: &mut S,
) -> Result<SearchResult<S::Step>, Interrupted> {
    match strategy {
        Strategy::Best { .. } => best_first(budget, space),
        Strategy::Beam { .. } => beam(budget, space),
        Strategy::Depth { .. } => depth_first(budget, space, seed),
        Strategy::Restarts { .. } => restarts(budget, space, seed + 1),
        Strategy::Nrpa { .. } => nrpa(budget, space, seed + 1),
        Strategy::PerturbedBestFirst { .. } | Strategy::Abstract => Ok(SearchResult::OutOfBudget),
    }
}
