//! The ways of searching, and one turn of one of them.

use super::abstraction::Abstraction;
use super::beam::beam;
use super::best::best_first;
use super::depth::depth_first;
use super::effort::{Effort, Interrupted};
use super::evaluation::Evaluation;
use super::general::General;
use super::key::Key;
use super::options::{Options, Pruning};
use super::report::{Observer, Proof};
use crate::compiled::Compiled;
use crate::moves::Move;
use crate::state::State;

/// A way of searching. Blind ones find wins only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// The most promising position first.
    Best {
        /// Which of the two sets of weights.
        weights: usize,
        /// Whether cards of one class count as the same card.
        blind: bool,
    },
    /// The most promising positions of each layer; a proof only where every layer is kept whole.
    Beam {
        /// Which of the two sets of weights.
        weights: usize,
        /// Whether cards of one class count as the same card.
        blind: bool,
    },
    /// The abstract games, level by level, for proofs of loss.
    Abstract,
    /// Depth first; with exact keys, exhaustion is a proof.
    Depth {
        /// Whether cards of one class count as the same card.
        blind: bool,
    },
}

impl Strategy {
    /// The turns of a round.
    pub const TURNS: [Self; 9] = [
        Self::Best { weights: 0, blind: true },
        Self::Depth { blind: false },
        Self::Abstract,
        Self::Best { weights: 0, blind: false },
        Self::Beam { weights: 0, blind: true },
        Self::Depth { blind: true },
        Self::Beam { weights: 1, blind: false },
        Self::Best { weights: 1, blind: true },
        Self::Best { weights: 1, blind: false },
    ];

    const fn is_blind(self) -> bool {
        match self {
            Self::Best { blind, .. } | Self::Beam { blind, .. } | Self::Depth { blind } => blind,
            Self::Abstract => false,
        }
    }

    /// Its name, as reports give it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Best { blind: true, .. } => "best first, class-blind",
            Self::Best { blind: false, .. } => "best first",
            Self::Beam { blind: true, .. } => "beam, class-blind",
            Self::Beam { blind: false, .. } => "beam",
            Self::Abstract => "abstract games",
            Self::Depth { blind: true } => "depth first, class-blind",
            Self::Depth { blind: false } => "depth first",
        }
    }
}

/// What one turn found out.
pub(super) enum Outcome<Step> {
    /// A line to the aim.
    Won(Vec<Step>),
    /// The whole space was searched, as its keys tell positions apart, and the aim is nowhere in it.
    Exhausted,
    /// All was searched but what lies behind steps that cannot be taken (forced rules without end), so
    /// nothing is known and nothing more can be found.
    Stuck,
    /// Nothing, within its share or its memory.
    Open,
}

/// One turn: a way of searching and how far it goes, whatever the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// Which of the turns of a round.
    pub(super) index: usize,
    pub(super) round: u32,
    pub(super) share: u64,
    pub(super) carry: Carry,
}

/// What a turn leaves to the same turn of the next round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Carry {
    /// There is no use in another turn.
    pub(super) retired: bool,
    /// It was retired for want of memory.
    pub(super) full: bool,
    /// The abstract games below this level are won.
    pub(super) level: usize,
}

/// A turn that was taken.
pub(super) struct Taken {
    pub(super) found: Result<Found, Interrupted>,
    pub(super) nodes: u64,
    pub(super) carry: Carry,
}

/// What a turn is good for.
pub(super) enum Found {
    Line(Vec<Move>),
    Loss(Proof),
    /// Nothing, and whether more nodes could find more.
    Nothing {
        is_cut_short: bool,
    },
}

/// A position to be searched, with all that turns share.
pub(super) struct Question<'q> {
    program: &'q Compiled,
    state: &'q State,
    pub(super) options: &'q Options,
    exact: Keyed,
    /// None if it tells as much apart as the exact one.
    blind: Option<Keyed>,
}

/// A key with the program that hashes by it.
struct Keyed {
    key: Key,
    program: Option<Compiled>,
}

impl Keyed {
    fn new(key: Key, program: &Compiled) -> Self {
        Self { program: key.merged(program), key }
    }
}

impl<'q> Question<'q> {
    pub(super) fn new(program: &'q Compiled, state: &'q State, options: &'q Options) -> Self {
        let exact = Key::exact(program, options.without);
        let blind = Key::blind(program, options.without);
        let is_of_use = blind != exact && !options.without.has(Pruning::ClassBlind);
        let blind = is_of_use.then(|| Keyed::new(blind, program));
        Self { program, state, options, exact: Keyed::new(exact, program), blind }
    }

    /// What each turn of a round begins with.
    pub(super) fn carries(&self) -> Vec<Carry> {
        let retired = |strategy: &Strategy| match strategy {
            Strategy::Abstract => self.options.without.has(Pruning::AbstractGames),
            _ => strategy.is_blind() && self.blind.is_none(),
        };
        let turns = self.options.turns.iter();
        turns.map(|strategy| Carry { retired: retired(strategy), ..Carry::default() }).collect()
    }

    /// Takes a turn, which is cut after so many nodes.
    pub(super) fn take(
        &self,
        turn: Turn,
        left: u64,
        before: u64,
        observer: &mut Observer<'_>,
    ) -> Taken {
        let strategy = self.options.turns[turn.index];
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
        if strategy == Strategy::Abstract {
            return self.prove_abstractly(effort, carry);
        }
        let Keyed { key, program } =
            self.blind.as_ref().filter(|_| strategy.is_blind()).unwrap_or(&self.exact);
        let program = program.as_ref().unwrap_or(self.program);
        let space = |weights: usize| {
            let weights = self.options.weights(weights);
            General::new(program, key, self.state, Evaluation::new(program, self.state, weights))
        };
        let outcome = match strategy {
            Strategy::Best { weights, .. } => best_first(effort, &mut space(weights))?,
            Strategy::Beam { weights, .. } => beam(effort, &mut space(weights))?,
            Strategy::Depth { .. } => depth_first(effort, &mut space(0), u64::from(turn.round))?,
            Strategy::Abstract => Outcome::Open,
        };
        Ok(match outcome {
            Outcome::Won(line) => Found::Line(line),
            Outcome::Exhausted if strategy.is_blind() => {
                // Which of the positions taken for equal is met first depends on chance, if there is any.
                carry.retired = !matches!(strategy, Strategy::Depth { .. });
                Found::Nothing { is_cut_short: false }
            }
            Outcome::Stuck => {
                carry.retired = true;
                Found::Nothing { is_cut_short: false }
            }
            Outcome::Exhausted => Found::Loss(Proof::Exhausted { positions: effort.nodes }),
            Outcome::Open => Found::Nothing { is_cut_short: true },
        })
    }

    fn prove_abstractly(
        &self,
        effort: &mut Effort<'_>,
        carry: &mut Carry,
    ) -> Result<Found, Interrupted> {
        let without = self.options.without;
        let weights = self.options.weights(0);
        while effort.nodes < effort.end {
            let game = Abstraction::new(self.program, self.state, carry.level, without);
            let Some(game) = game else {
                carry.retired = true;
                break;
            };
            let begun = effort.nodes;
            match game.search(effort, self.state, weights)? {
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
