//! One position to decide, and one turn of one strategy for it.

use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::search::abstraction::Abstraction;
use crate::search::budget::{Interrupted, NodeBudget, Observer};
use crate::search::options::{Options, Pruning};
use crate::search::proof::Proof;
use crate::search::schedule::{GameClass, builds_beyond_runs};
use crate::search::score_bound::ScoreBound;
use crate::search::spaces::card_links::digging::DiggingSpace;
use crate::search::spaces::card_links::game::LinkedGame;
use crate::search::spaces::card_links::line::{taken_moves, to_moves};
use crate::search::spaces::card_links::packs::{OnePack, Packs, TwoPacks};
use crate::search::spaces::card_links::space::{ActivePrunings, CardLinksSpace};
use crate::search::spaces::card_links::step::Step;
use crate::search::spaces::card_links::tables::Tables;
use crate::search::spaces::card_sets::line::to_moves as moves_of_sets;
use crate::search::spaces::card_sets::space::{ActivePrunings as SetPrunings, CardSetsSpace};
use crate::search::spaces::card_sets::tables::SetTables;
use crate::search::spaces::columns::space::ColumnsSpace;
use crate::search::spaces::columns::tables::ColumnsTables;
use crate::search::spaces::counting::space::CountingSpace;
use crate::search::spaces::counting::tables::CountingTables;
use crate::search::spaces::deadlock::{Deadlocks, LastTest};
use crate::search::spaces::equivalence::Equivalence;
use crate::search::spaces::evaluation::Evaluation;
use crate::search::spaces::general::General;
use crate::search::spaces::pairing::dead_ends::DeadEnds;
use crate::search::spaces::pairing::space::{PairingSpace, ring_keys};
use crate::search::spaces::pairing::tables::PairingTables;
use crate::search::spaces::result::SearchResult;
use crate::search::spaces::safe_moves::SafeMoves;
use crate::search::spaces::safe_play::SafePlay;
use crate::search::spaces::space::Space;
use crate::search::spaces::stock_macro::StockMacroSpace;
use crate::search::spaces::stock_rules::StockRules;
use crate::search::strategies::beam::beam;
use crate::search::strategies::best_first::best_first;
use crate::search::strategies::depth_first::{DepthFirst, again_and_again, depth_first};
use crate::search::strategies::hierarchy::{Hierarchy, Levels};
use crate::search::strategies::nrpa::nrpa;
use crate::search::strategies::paused::Paused;
use crate::search::strategies::playouts::playouts;
use crate::search::strategies::restarts::restarts;
use crate::search::strategies::run_beam::run_beam;
use crate::search::strategies::scans::scans;
use crate::search::strategies::stage_beam::stage_beam;
use crate::search::strategy::{CardEquivalence, Strategy};
use crate::search::turn::{Carryover, Finding, Turn, TurnResult};
use crate::search::weights::Weights;

/// The most nodes of an attempt of a best-first search with perturbed weights.
const ATTEMPT: u64 = 20_000;
/// An attempt ends after so many nodes without progress. Those that win seldom pause for longer.
/// Other numbers from 600 to 1,500 did as well.
const PATIENCE: u64 = 1_000;
/// A beam with perturbed weights may take this part of the share of its turn.
const BEAM_PART: u64 = 8;
/// But so many nodes at least. Narrower beams seldom win.
const LEAST_BEAM: u64 = 25_000;

/// The factor, in hundredths, for the share of a class-blind search that begins again.
const AGAIN: u64 = 1000;

/// A position to search, and everything that its turns share.
pub(crate) struct Problem<'q> {
    program: &'q Program,
    state: &'q State,
    pub(crate) options: &'q Options,
    class: GameClass,
    /// The turns of a round.
    pub(crate) turns: &'q [Strategy],
    /// For each turn its share of a round by the options, in hundredths; none for the default.
    custom_shares: Vec<Option<u64>>,
    exact: Equivalence,
    inexact: Equivalence,
    space: SpaceKind,
    deadlocks: Option<Deadlocks>,
    /// The bound on scores, and what a position must be worth, if points decide.
    limit: Option<(ScoreBound<'q>, i64)>,
    /// The rules that turn the stock, if macro moves of the stock apply.
    stock: Option<StockRules>,
    /// The search of each turn that goes on in the next round.
    paused: Vec<Paused>,
}

/// The space to search.
enum SpaceKind {
    /// The card-links space.
    CardLinks(Box<LinkedGame<OnePack>>),
    /// The card-links space of two packs.
    TwoPackLinks(Box<LinkedGame<TwoPacks>>),
    /// The card-sets space.
    CardSets {
        tables: Box<SetTables>,
        /// Those of the abstract game without the order of the stock, if there is one.
        free_stock: Option<Box<SetTables>>,
        safe_play_rules: Box<SafePlay>,
        prunings: SetPrunings,
    },
    /// The counting space.
    Counting { tables: Box<CountingTables> },
    /// The pairing space.
    Pairing { tables: Box<PairingTables>, dead_ends: Box<DeadEnds>, keys: Vec<u128> },
    /// The columns space.
    Columns { tables: Box<ColumnsTables> },
    /// The general space, with the programs whose hashes are the exact and the class-blind keys, if
    /// these are not the hashes of the program itself.
    General {
        exact: Option<Box<Program>>,
        inexact: Option<Box<Program>>,
        /// The safe moves, if there is a proof for the rules.
        safe_moves: Option<Box<SafeMoves>>,
    },
}

impl<'q> Problem<'q> {
    pub(crate) fn new(program: &'q Program, state: &'q State, options: &'q Options) -> Self {
        let without = options.without;
        let exact = Equivalence::exact(program, without);
        let inexact = Equivalence::inexact(program, without);
        let tables = Tables::<OnePack>::new(program, state, false);
        let tables = tables.filter(|tables| tables.is_wanted(without));
        let two_packs = tables.is_none().then(|| Tables::<TwoPacks>::new(program, state, false));
        let two_packs = two_packs.flatten().filter(|tables| tables.is_wanted(without));
        let is_linked = tables.is_some() || two_packs.is_some();
        let is_of_use =
            !is_linked && !without.has(Pruning::Counting) && !program.is_decided_by_points();
        let counting = is_of_use.then(|| CountingTables::new(program, state)).flatten();
        let is_of_use = !without.has(Pruning::CardSets);
        let sets = tables.as_ref().filter(|_| is_of_use);
        let sets = sets.and_then(|tables| SetTables::new(program, state, tables));
        let is_of_use = !without.has(Pruning::Pairing)
            && !program.is_decided_by_points()
            && !is_linked
            && counting.is_none();
        let pairing = is_of_use.then(|| PairingTables::new(program, state)).flatten();
        let is_of_use = !without.has(Pruning::Deadlocks);
        let deadlocks = is_of_use.then(|| Deadlocks::new(program, state)).flatten();
        let is_of_use = !without.has(Pruning::StockMacro) && !program.is_decided_by_points();
        let stock = is_of_use.then(|| StockRules::new(program)).flatten();
        let is_of_use =
            !without.has(Pruning::Columns) && !is_linked && counting.is_none() && pairing.is_none();
        let columns = || ColumnsTables::new(program, state, stock.as_ref(), without);
        let columns = is_of_use.then(columns).flatten();
        let of_links = tables.as_ref().and_then(|tables| GameClass::of_links(program, tables));
        let of_two_packs =
            two_packs.as_ref().and_then(|tables| GameClass::of_links(program, tables));
        let class = if sets.is_some() {
            GameClass::CardSets
        } else if let Some(class) = of_links.or(of_two_packs) {
            class
        } else if pairing.is_some() {
            GameClass::Pairing
        } else if counting.is_some() {
            GameClass::Counting
        } else if !is_linked && builds_beyond_runs(program) {
            GameClass::WholeRuns
        } else {
            let has_heaps = deadlocks.as_ref().is_some_and(Deadlocks::has_heaps);
            GameClass::of(program, has_heaps, inexact != exact)
        };
        let space = if let (Some(sets), Some(tables)) = (sets, &tables) {
            let safe_play_rules = Box::new(tables.safe_play(program));
            let prunings = SetPrunings::new(without);
            let free_stock = sets.with_free_stock().map(Box::new);
            SpaceKind::CardSets { tables: Box::new(sets), free_stock, safe_play_rules, prunings }
        } else if let Some(tables) = tables {
            SpaceKind::CardLinks(Box::new(LinkedGame::new(program, tables, without)))
        } else if let Some(tables) = two_packs {
            SpaceKind::TwoPackLinks(Box::new(LinkedGame::new(program, tables, without)))
        } else if let Some(tables) = counting {
            SpaceKind::Counting { tables: Box::new(tables) }
        } else if let Some(tables) = pairing {
            let (dead_ends, keys) = (Box::new(DeadEnds::new(&tables)), ring_keys(&tables));
            SpaceKind::Pairing { tables: Box::new(tables), dead_ends, keys }
        } else if let Some(tables) = columns {
            SpaceKind::Columns { tables: Box::new(tables) }
        } else {
            let merged = |key: &Equivalence| key.with_merged_cards(program).map(Box::new);
            let is_of_use = !without.has(Pruning::SafePlay);
            let safe_moves = is_of_use.then(|| SafeMoves::new(program, state)).flatten();
            SpaceKind::General {
                exact: merged(&exact),
                inexact: merged(&inexact),
                safe_moves: safe_moves.map(Box::new),
            }
        };
        let turns = if options.turns.is_empty() { class.turns() } else { &options.turns };
        let custom_shares = |label: String| {
            let mut shares = options.shares.iter();
            shares.find(|(name, _)| *name == label).map(|&(_, share)| share.max(1))
        };
        let custom_shares = if options.shares.is_empty() {
            vec![None; turns.len()]
        } else {
            Strategy::labels(turns).into_iter().map(custom_shares).collect()
        };
        Self {
            program,
            state,
            options,
            class,
            turns,
            custom_shares,
            exact,
            inexact,
            space,
            deadlocks,
            limit: ScoreBound::new(program).zip(program.target()),
            stock,
            paused: turns.iter().map(|_| Paused::default()).collect(),
        }
    }

    /// Whether the position is deadlocked, so that there is nothing to search.
    pub(crate) fn is_deadlocked(&self) -> bool {
        let mut last = LastTest::unknown();
        let deadlocks = self.deadlocks.as_ref();
        deadlocks.is_some_and(|deadlocks| deadlocks.is_deadlocked(self.state, &mut last))
    }

    /// Whether lines of a strategy visit no position twice, by keys with all prunings. Those of the
    /// card-links space have no loops, unless there is a stock.
    pub(crate) fn avoids_loops(&self, strategy: &str) -> bool {
        let without = self.options.without;
        let SpaceKind::CardLinks(game) = &self.space else { return false };
        !game.tables.has_stock()
            && strategy != Strategy::Playouts.name()
            && self.exact.is_plain()
            && !without.has(Pruning::CardClasses)
            && !without.has(Pruning::Sinks)
    }

    /// The default weights.
    pub(crate) const fn default_weights(&self) -> &'static [Weights] {
        if self.class.is_of_links() { &Weights::CARD_LINKS } else { &Weights::DEFAULTS }
    }

    /// The weights of a set.
    fn weights(&self, set: usize) -> Weights {
        let defaults = self.default_weights();
        self.options.weights.get(set).copied().unwrap_or(defaults[set % defaults.len()])
    }

    /// The initial carryover of each turn of a round.
    pub(crate) fn carries(&self) -> Vec<Carryover> {
        let turns = self.turns.iter();
        let retired = |strategy| !self.has_use_for(strategy);
        turns.map(|&turn| Carryover { retired: retired(turn), ..Carryover::default() }).collect()
    }

    /// Whether a strategy applies and differs from all others.
    fn has_use_for(&self, strategy: Strategy) -> bool {
        let without = self.options.without;
        let (has_card_links, digs) = match &self.space {
            SpaceKind::CardLinks(game) => (true, game.sites.is_some()),
            SpaceKind::TwoPackLinks(game) => (true, game.sites.is_some()),
            _ => (false, false),
        };
        let sees_less = self.inexact != self.exact && !without.has(Pruning::ClassBlind);
        match strategy.cards() {
            _ if strategy == Strategy::Digging => digs,
            _ if strategy.has_stages() && without.has(Pruning::Stages) => false,
            _ if strategy.keeps_runs_whole() => {
                self.class == GameClass::WholeRuns && !without.has(Pruning::WholeRuns)
            }
            _ if strategy.has_stages() => {
                let stock = usize::from(self.program.source().source_pile);
                self.state.len(stock) > 0 && !builds_beyond_runs(self.program)
            }
            _ if strategy == Strategy::Abstract => {
                !matches!(self.space, SpaceKind::CardSets { free_stock: None, .. })
                    && !without.has(Pruning::AbstractGames)
                    && !self.program.is_decided_by_points()
            }
            _ if strategy == Strategy::Hierarchy => {
                has_card_links
                    && !without.has(Pruning::AbstractGames)
                    && !without.has(Pruning::CardClasses)
            }
            _ if strategy.is_greedy() => has_card_links && !without.has(Pruning::ClassBlind),
            CardEquivalence::Distinct | CardEquivalence::Exact => true,
            CardEquivalence::BY_CLASS => sees_less,
            CardEquivalence::ByClass { .. } => sees_less && has_card_links,
        }
    }

    /// The share of a turn in a round whose smallest share has `least` nodes, given the carryovers
    /// of all turns.
    pub(crate) fn share(&self, index: usize, least: u64, carries: &[Carryover]) -> u64 {
        let usual = || self.class.node_share(self.turns[index]) * 100;
        let hundredths = self.custom_shares[index].unwrap_or_else(usual);
        let factor = self.share_factor(index, carries);
        (least.saturating_mul(hundredths).saturating_mul(factor) / 10_000).max(1)
    }

    /// The factor for the share of a turn in a round, in hundredths.
    ///
    /// If a class-blind search has exhausted its space, the deal is probably lost.
    fn share_factor(&self, index: usize, carries: &[Carryover]) -> u64 {
        let turn = self.turns[index];
        let is_lost = |(other, carry): (&Strategy, &Carryover)| {
            other.cards() == CardEquivalence::BY_CLASS && carry.exhausted
        };
        if self.class.begins_again(turn) && carries[index].exhausted {
            AGAIN
        } else if self.turns.iter().zip(carries).any(is_lost) {
            self.class.doubt(turn)
        } else {
            100
        }
    }

    /// Runs a turn. It is cut short after `left` nodes.
    pub(crate) fn take(
        &self,
        turn: Turn,
        left: u64,
        before: u64,
        observer: &mut Observer<'_>,
    ) -> TurnResult {
        let strategy = self.turns[turn.index];
        let mut observer = |progress: &_| observer(progress);
        let others = self.paused.iter().enumerate().filter(|&(index, _)| index != turn.index);
        let paused: usize = others.map(|(_, paused)| paused.bytes()).sum();
        let memory = self.options.limits.memory.saturating_sub(paused);
        let mut budget = NodeBudget {
            observer: &mut observer,
            memory: memory / self.options.threads.max(1),
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
            Strategy::Abstract => {
                return match self.free_stock() {
                    Some(mut space) => {
                        prove_with_free_stock(&self.paused[turn.index], budget, carry, &mut space)
                    }
                    None => self.prove_abstractly(turn, budget, carry),
                };
            }
            Strategy::Hierarchy => {
                return match &self.space {
                    SpaceKind::CardLinks(game) => self.search_levels(game, turn, budget, carry),
                    SpaceKind::TwoPackLinks(game) => self.search_levels(game, turn, budget, carry),
                    _ => Ok(Finding::Nothing { is_cut_short: false }),
                };
            }
            Strategy::Playouts => {
                let found = playouts(budget, self.program, self.state, u64::from(turn.round))?;
                return Ok(Self::finding(strategy, found, budget.nodes, carry));
            }
            Strategy::PerturbedBestFirst { weights, .. }
            | Strategy::PerturbedBeam { weights, .. }
            | Strategy::Best { weights, .. }
            | Strategy::Beam { weights, .. }
            | Strategy::RunBeam { weights }
            | Strategy::StageBeam { weights, .. }
            | Strategy::Nrpa { weights } => weights,
            Strategy::Depth { .. } | Strategy::Restarts { .. } | Strategy::Digging => 0,
        };
        let weights = self.weights(set);
        let varies = match strategy {
            Strategy::PerturbedBestFirst { .. } | Strategy::PerturbedBeam { .. } => true,
            Strategy::Best { .. } => self.class.begins_again(strategy),
            _ => false,
        };
        if varies {
            self.search_perturbed(strategy, turn, budget, carry, weights)
        } else {
            self.search_with(strategy, turn, budget, carry, weights)
        }
    }

    /// Searches in attempts with randomly perturbed weights: short ones, or, if the search begins
    /// again, until its space is exhausted.
    fn search_perturbed(
        &self,
        strategy: Strategy,
        turn: Turn,
        budget: &mut NodeBudget<'_>,
        carry: &mut Carryover,
        weights: Weights,
    ) -> Result<Finding, Interrupted> {
        let (share, end) = (budget.share, budget.end);
        let again = self.class.begins_again(strategy);
        let round = u64::from(turn.round) << 32;
        let (nodes, first_seed) = match strategy {
            Strategy::PerturbedBeam { .. } => ((share / BEAM_PART).max(LEAST_BEAM), 0),
            Strategy::Best { .. } => (share, if carry.exhausted { round } else { 0 }),
            _ => (ATTEMPT, round),
        };
        for attempt in 0u64.. {
            budget.share = share.min(budget.nodes + nodes);
            budget.end = end.min(budget.share);
            let perturbed =
                weights.perturbed(if attempt == 0 { first_seed } else { round | attempt });
            match self.search_with(strategy, turn, budget, carry, perturbed)? {
                Finding::Nothing { is_cut_short } if is_cut_short || again => {
                    carry.retired &= !again;
                    if budget.nodes >= end || budget.out_of_memory {
                        let is_complete = carry.exhausted && budget.nodes >= share;
                        return Ok(Finding::Nothing { is_cut_short: !is_complete });
                    }
                }
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
        let cards = strategy.cards();
        let outcome = match &self.space {
            SpaceKind::CardLinks(game) => {
                return self.search_links(game, strategy, turn, budget, carry, weights);
            }
            SpaceKind::TwoPackLinks(game) => {
                return self.search_links(game, strategy, turn, budget, carry, weights);
            }
            SpaceKind::CardSets { tables, safe_play_rules, prunings, .. } => {
                let mut space = CardSetsSpace::new(tables, safe_play_rules, self.state, *prunings);
                let found = self.walk(strategy, turn, budget, carry, &mut space)?;
                found.map_line(|steps| {
                    if !self.options.wants_line {
                        return Some(Vec::new());
                    }
                    let line = moves_of_sets(&mut space, self.program, self.state, &steps);
                    debug_assert!(line.is_some(), "it cannot be played: {steps:?}");
                    line
                })
            }
            SpaceKind::Counting { tables } => {
                let mut space = CountingSpace::new(tables, self.state, self.options.without);
                let found = self.walk(strategy, turn, budget, carry, &mut space)?;
                found.map_line(|steps| {
                    let line = space.line_of(self.program, self.state, &steps);
                    debug_assert!(line.is_some(), "it cannot be played: {steps:?}");
                    line
                })
            }
            SpaceKind::Pairing { tables, dead_ends, keys } => {
                let without = self.options.without;
                let mut space = PairingSpace::new(tables, dead_ends, keys, without);
                let found = self.walk(strategy, turn, budget, carry, &mut space)?;
                found.map_line(|steps| {
                    let line = space.line_of(self.program, self.state, &steps);
                    debug_assert!(line.is_some(), "it cannot be played: {steps:?}");
                    line
                })
            }
            SpaceKind::Columns { tables } => {
                let key = if cards.is_exact() { &self.exact } else { &self.inexact };
                let alike = key.representatives();
                let mut space = ColumnsSpace::new(self.program, tables, self.state, alike, weights)
                    .with_deadlocks(self.deadlocks.as_ref(), *key == self.exact);
                let found = self.walk(strategy, turn, budget, carry, &mut space)?;
                found.map_line(|steps| {
                    let line = space.line_of(self.program, self.state, &steps);
                    debug_assert!(line.is_some(), "it cannot be played: {steps:?}");
                    line
                })
            }
            SpaceKind::General { exact, inexact, safe_moves } => {
                let (key, keyed) =
                    if cards.is_exact() { (&self.exact, exact) } else { (&self.inexact, inexact) };
                let program = keyed.as_deref().unwrap_or(self.program);
                let evaluation = Evaluation::new(program, self.state, weights);
                let root = || {
                    General::new(program, key, self.state, evaluation)
                        .with_deadlocks(self.deadlocks.as_ref(), *key == self.exact)
                        .with_safe_moves(safe_moves.as_deref())
                        .with_limit(self.limit.as_ref().map(|(bound, target)| (bound, *target)))
                };
                // In stages, each turn of the stock is progress.
                match self.stock.as_ref().filter(|_| !strategy.has_stages()) {
                    None => self.walk(strategy, turn, budget, carry, &mut root())?,
                    Some(turns) => {
                        let mut space = StockMacroSpace::new(root(), turns);
                        let found = self.walk(strategy, turn, budget, carry, &mut space)?;
                        found.map_line(|steps| {
                            space.begin_at(self.state);
                            Some(space.line_of(&steps))
                        })
                    }
                }
            }
        };
        let positions = carry.spent.max(budget.nodes - begun);
        Ok(Self::finding(strategy, outcome, positions, carry))
    }

    /// Searches the card-links space.
    fn search_links<P: Packs>(
        &self,
        game: &LinkedGame<P>,
        strategy: Strategy,
        turn: Turn,
        budget: &mut NodeBudget<'_>,
        carry: &mut Carryover,
        weights: Weights,
    ) -> Result<Finding, Interrupted> {
        let (begun, program, state) = (budget.nodes, self.program, self.state);
        let cards = match strategy.cards() {
            CardEquivalence::Exact if self.options.without.has(Pruning::CardClasses) => {
                CardEquivalence::Distinct
            }
            cards => cards,
        };
        let prunings = ActivePrunings {
            greedy_play: strategy.is_greedy(),
            // In greedy play the test costs more than it saves.
            delete_relaxation: game.prunings.delete_relaxation && !strategy.is_greedy(),
            rearrangements: game.prunings.rearrangements && strategy.proves_losses(),
            ..game.prunings
        };
        let mut space = game.space(program, state, cards, prunings, weights);
        let sites = game.sites.as_ref().filter(|_| strategy == Strategy::Digging);
        let outcome = if let Some(sites) = sites {
            let mut space = DiggingSpace::new(space, sites);
            scans(budget, &mut space)?.map_line(|plans| {
                let line = taken_moves(&mut space.inner, program, state);
                debug_assert!(line.is_some(), "it cannot be played: {plans:?}");
                line
            })
        } else {
            let found = self.walk(strategy, turn, budget, carry, &mut space)?;
            found.map_line(|steps| self.line_of(&mut space, &steps))
        };
        let nodes = budget.nodes - begun;
        let positions = if sites.is_some() { nodes } else { carry.spent.max(nodes) };
        Ok(Self::finding(strategy, outcome, positions, carry))
    }

    /// Searches a space by a strategy.
    fn walk<S: Space>(
        &self,
        strategy: Strategy,
        turn: Turn,
        budget: &mut NodeBudget<'_>,
        carry: &mut Carryover,
        space: &mut S,
    ) -> Result<SearchResult<S::Step>, Interrupted> {
        let seed = u64::from(turn.round);
        match strategy {
            Strategy::Best { .. } => best_first(budget, space, u64::MAX),
            Strategy::PerturbedBestFirst { .. } => best_first(budget, space, PATIENCE),
            Strategy::Beam { .. } | Strategy::PerturbedBeam { .. } => beam(budget, space),
            Strategy::RunBeam { .. } => run_beam(budget, space),
            Strategy::StageBeam { whole_runs, .. } => stage_beam(budget, space, whole_runs),
            Strategy::Depth { .. } if self.class.continues(strategy) => {
                self.paused[turn.index].proceed::<DepthFirst<_>, _>(carry, budget, space)
            }
            Strategy::Depth { .. } if self.class.begins_again(strategy) => {
                again_and_again(budget, space, seed)
            }
            Strategy::Depth { .. } => depth_first(budget, space, seed),
            Strategy::Restarts { .. } => restarts(budget, space, seed + 1),
            Strategy::Nrpa { .. } => nrpa(budget, space, seed + 1),
            Strategy::Playouts | Strategy::Digging | Strategy::Abstract | Strategy::Hierarchy => {
                Ok(SearchResult::OutOfBudget)
            }
        }
    }

    /// What the end of a search of so many positions says.
    fn finding(
        strategy: Strategy,
        outcome: SearchResult<Move>,
        positions: u64,
        carry: &mut Carryover,
    ) -> Finding {
        match outcome {
            SearchResult::Solved(line) => Finding::Line(line),
            SearchResult::Exhausted if !strategy.is_exact() => {
                carry.exhausted = true;
                // Among positions that count as equal, the first visited one decides. In a random
                // order that can be another one next time, so only other strategies retire.
                carry.retired =
                    !matches!(strategy, Strategy::Depth { .. } | Strategy::Restarts { .. });
                Finding::Nothing { is_cut_short: false }
            }
            SearchResult::Incomplete => {
                carry.retired = true;
                carry.forced_loop = true;
                Finding::Nothing { is_cut_short: false }
            }
            SearchResult::Exhausted => Finding::Loss(Proof::Exhausted { positions }),
            SearchResult::OutOfBudget => Finding::Nothing { is_cut_short: true },
        }
    }

    /// The abstract game in which all cards of the stock can always be reached.
    fn free_stock(&self) -> Option<CardSetsSpace<'_>> {
        let SpaceKind::CardSets { free_stock: Some(tables), safe_play_rules, prunings, .. } =
            &self.space
        else {
            return None;
        };
        Some(CardSetsSpace::new(tables, safe_play_rules, self.state, *prunings))
    }

    fn prove_abstractly(
        &self,
        turn: Turn,
        budget: &mut NodeBudget<'_>,
        carry: &mut Carryover,
    ) -> Result<Finding, Interrupted> {
        let without = self.options.without;
        let weights = self.weights(0);
        let next_level =
            |carry: &Carryover| Carryover { level: carry.level + 1, ..Carryover::default() };
        while budget.nodes < budget.end {
            let game = Abstraction::new(self.program, self.state, carry.level, without);
            let Some(game) = game else {
                carry.retired = true;
                break;
            };
            if carry.spent > 0 && !carry.exhausted {
                match game.scout(budget, self.state, weights, without)? {
                    SearchResult::Solved(_) => {
                        *carry = next_level(carry);
                        continue;
                    }
                    found => carry.exhausted = !matches!(found, SearchResult::OutOfBudget),
                }
            }
            let begun = budget.nodes;
            let paused = &self.paused[turn.index];
            match game.search(paused, carry, budget, self.state, weights, without)? {
                SearchResult::Solved(_) => *carry = next_level(carry),
                SearchResult::Exhausted => {
                    let positions = carry.spent.max(budget.nodes - begun);
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

    /// Searches the game together with its abstract games.
    fn search_levels<P: Packs>(
        &self,
        game: &LinkedGame<P>,
        turn: Turn,
        budget: &mut NodeBudget<'_>,
        carry: &mut Carryover,
    ) -> Result<Finding, Interrupted> {
        let (program, state, weights) = (self.program, self.state, self.weights(0));
        let easier = game.tables.easier_games(program);
        if easier.is_empty() {
            carry.retired = true;
            return Ok(Finding::Nothing { is_cut_short: false });
        }
        let (levels, easier): (Vec<usize>, Vec<Tables<P>>) = easier.into_iter().unzip();
        let easier: Vec<LinkedGame<P>> = easier
            .into_iter()
            .map(|tables| LinkedGame::new(program, tables, self.options.without))
            .collect();
        let cards = CardEquivalence::Exact;
        let games = easier.iter().chain([game]);
        let spaces = games.map(|each| each.space(program, state, cards, game.prunings, weights));
        let spaces = spaces.collect();
        let mut spaces = Levels { spaces, refuted_by: 0 };
        let paused = &self.paused[turn.index];
        let found = paused.proceed::<Hierarchy<_>, _>(carry, budget, &mut spaces)?;
        let positions = carry.spent;
        let outcome = found.map_line(|steps| {
            let space = spaces.spaces.last_mut()?;
            self.line_of(space, &steps)
        });
        Ok(match Self::finding(Strategy::Hierarchy, outcome, positions, carry) {
            Finding::Loss(_) => Finding::Loss(match levels.get(spaces.refuted_by) {
                Some(&level) => Proof::Abstract { level, positions },
                None => Proof::Hierarchy { positions },
            }),
            found => found,
        })
    }

    /// The line of steps of the card-links space, if it is wanted.
    fn line_of<P: Packs>(
        &self,
        space: &mut CardLinksSpace<'_, P>,
        steps: &[Step<P>],
    ) -> Option<Vec<Move>> {
        if !self.options.wants_line {
            return Some(Vec::new());
        }
        let line = to_moves(space, self.program, self.state, steps);
        debug_assert!(line.is_some(), "it cannot be played: {steps:?}");
        line
    }
}

/// Searches the abstract game in which all cards of the stock can always be reached.
fn prove_with_free_stock(
    paused: &Paused,
    budget: &mut NodeBudget<'_>,
    carry: &mut Carryover,
    space: &mut CardSetsSpace<'_>,
) -> Result<Finding, Interrupted> {
    Ok(match paused.proceed::<DepthFirst<_>, _>(carry, budget, space)? {
        SearchResult::Exhausted => Finding::Loss(Proof::FreeStock { positions: carry.spent }),
        SearchResult::OutOfBudget => Finding::Nothing { is_cut_short: true },
        // It can be won, so it proves nothing.
        SearchResult::Solved(_) | SearchResult::Incomplete => {
            carry.retired = true;
            Finding::Nothing { is_cut_short: false }
        }
    })
}
