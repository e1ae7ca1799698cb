//! Macro moves of the stock. A player thinks of it the same way: "the card I reach after two
//! turns".
//!
//! Where a stock is turned onto a waste, and the waste turned over again, each position has a
//! near-duplicate per turn of the stock, and most turns are followed by more turns. A step of this
//! space is any number of turns of the stock, possibly none, and then one other move. A turn alone
//! is not a step.
//!
//! *The claim.* If a position can be won, it can be won by such steps, and in each step with turns
//! the other move plays a card of the waste.
//!
//! *Proof.* Take a winning line. A turn changes only the stock and the waste. A move that takes no
//! card from the waste neither looks at these two nor changes them. So a turn can be postponed past
//! such a move, and nothing changes before, between and after. Postpone all turns until a card of
//! the waste is played or the game is won. Turns at the end can be dropped, since the aim does not
//! look at stock or waste either.
//!
//! *Preconditions* ([`StockRules::new`](crate::search::spaces::stock_rules::StockRules::new)): a
//! turn is a rule without choice that moves cards only between the stock and one waste, and looks
//! at no other pile. No other rule touches the stock, puts a card on the waste, tests anything
//! about the two, tests a counter that a turn changes, or changes a counter that a turn looks at.
//! No forced rule takes from the waste. No rule tests whether others are blocked. Where two
//! different turns are possible at the same time, each is a step of its own.

use crate::position::moves::Move;
use crate::position::state::State;
use crate::search::spaces::general::General;
use crate::search::spaces::space::Space;
use crate::search::spaces::stock_rules::StockRules;

/// A macro move: turns of the stock, and then a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MacroStep {
    turns: u8,
    played: Move,
}

/// The most turns of a step. Any further turn is a step of its own.
const MOST: u8 = 200;

/// The general space with macro moves of the stock.
pub(crate) struct StockMacroSpace<'p> {
    inner: General<'p>,
    turns: &'p StockRules,
    /// For each step taken, the number of its turns.
    taken: Vec<u8>,
    moves: Vec<Move>,
}

impl<'p> StockMacroSpace<'p> {
    pub(crate) const fn new(inner: General<'p>, turns: &'p StockRules) -> Self {
        Self { inner, turns, taken: Vec::new(), moves: Vec::new() }
    }

    /// The first legal turn of the stock.
    fn turn(&mut self) -> Option<Move> {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.inner.list_by(&self.turns.turning, self.turns.both, &mut moves);
        let turn = moves.iter().copied().find(|&played| self.turns.has(played));
        self.moves = moves;
        turn
    }

    /// Turns the stock a number of times. Returns false, and changes nothing, if that is
    /// impossible.
    fn turn_often(&mut self, turns: u8) -> bool {
        for turned in 0..turns {
            let could = self.turn().is_some_and(|turn| self.inner.make(turn));
            if !could {
                (0..turned).for_each(|_| self.inner.unmake());
                return false;
            }
        }
        true
    }

    /// Goes to a position.
    pub(crate) fn begin_at(&mut self, root: &State) {
        self.taken.clear();
        self.inner.begin_at(root);
    }

    /// Translates a line of steps from the current position into moves of play.
    pub(crate) fn line_of(&mut self, steps: &[MacroStep]) -> Vec<Move> {
        let mut line = Vec::new();
        for step in steps {
            for _ in 0..step.turns {
                let Some(turn) = self.turn() else { return line };
                self.inner.make(turn);
                line.push(turn);
            }
            self.inner.make(step.played);
            line.push(step.played);
        }
        line
    }
}

impl Space for StockMacroSpace<'_> {
    type Step = MacroStep;

    fn key(&self) -> u128 {
        self.inner.key()
    }

    fn is_won(&self) -> bool {
        self.inner.is_won()
    }

    fn is_lost(&self) -> bool {
        self.inner.is_lost()
    }

    fn list(&mut self, steps: &mut Vec<MacroStep>) {
        let mut moves = std::mem::take(&mut self.moves);
        let mut visited = Vec::new();
        let mut turns = 0;
        loop {
            visited.push(self.inner.key());
            moves.clear();
            if turns == 0 {
                self.inner.list(&mut moves);
            } else {
                self.inner.list_by(&self.turns.playing, self.turns.both, &mut moves);
            }
            let mut turn = None;
            for &played in &moves {
                if self.turns.has(played) {
                    if turn.is_some() || turns == MOST {
                        steps.push(MacroStep { turns, played });
                    }
                    turn = turn.or(Some(played));
                } else if turns == 0 || self.inner.may_take_from(self.turns.waste, played) {
                    steps.push(MacroStep { turns, played });
                }
            }
            let Some(turn) = turn.filter(|_| turns < MOST) else { break };
            if !self.inner.make(turn) {
                break;
            }
            turns += 1;
            if visited.contains(&self.inner.key()) {
                break;
            }
        }
        (0..turns).for_each(|_| self.inner.unmake());
        self.moves = moves;
    }

    fn keep_runs_whole(&mut self) {
        self.inner.keep_runs_whole();
    }

    fn make(&mut self, step: MacroStep) -> bool {
        if !self.turn_often(step.turns) {
            return false;
        }
        if !self.inner.make(step.played) {
            (0..step.turns).for_each(|_| self.inner.unmake());
            return false;
        }
        self.taken.push(step.turns);
        true
    }

    fn unmake(&mut self) {
        let turns = self.taken.pop().unwrap_or(0);
        (0..=turns).for_each(|_| self.inner.unmake());
    }

    fn reset_root(&mut self) {
        self.taken.clear();
        self.inner.reset_root();
    }

    fn trail_bytes(&self) -> usize {
        self.taken.len() + self.inner.trail_bytes()
    }

    fn packed_size(&self) -> usize {
        self.inner.packed_size()
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        self.inner.pack(bytes);
    }

    fn unpack(&mut self, bytes: &[u8]) {
        self.taken.clear();
        self.inner.unpack(bytes);
    }

    fn heuristic(&mut self) -> i32 {
        self.inner.heuristic()
    }

    fn sort(&mut self, steps: &mut [MacroStep], seed: u64) {
        if steps.len() > 1 {
            let key = self.inner.key();
            steps.sort_by_cached_key(|&step| {
                let code = step.played.code() ^ u32::from(step.turns) << 8;
                -self.score(step) - crate::search::spaces::space::chance(seed, key, code)
            });
        }
    }

    fn score(&self, step: MacroStep) -> i32 {
        if step.turns == 0 {
            self.inner.score(step.played)
        } else {
            // The target of the card is ignored. Fewer turns are a little better.
            self.inner.rule_score(step.played) + 100 - 2 * i32::from(step.turns)
        }
    }

    fn feature_code(&self, step: MacroStep) -> u64 {
        if step.turns == 0 {
            self.inner.feature_code(step.played)
        } else {
            u64::from(step.played.code()) << 8 | u64::from(step.turns)
        }
    }

    fn length(&self) -> u64 {
        self.inner.length()
    }
}
