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

use crate::card::has;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::search::spaces::general::General;
use crate::search::spaces::ordering::sort_by_score;
use crate::search::spaces::space::{Space, chance};
use crate::search::spaces::stock_rules::StockRules;
use crate::search::spaces::stock_walk::StockWalks;

/// A macro move: turns of the stock, and then a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MacroStep {
    turns: u8,
    played: Move,
}

/// The general space with macro moves of the stock.
pub(crate) struct StockMacroSpace<'p> {
    inner: General<'p>,
    turns: &'p StockRules,
    walks: StockWalks,
    /// For each step taken, the number of its turns.
    taken: Vec<u8>,
    /// The turns of the last step, if it is to be undone soon ([`Space::unmake_soon`]).
    turned: u8,
    /// After each step taken, and before the first one: what was listed there last.
    listed: Vec<Listed>,
    moves: Vec<Move>,
    /// Room to sort steps.
    scored: Vec<(i32, MacroStep)>,
}

/// What is known of the steps with turns that were listed in a position.
#[derive(Default)]
struct Listed {
    /// Whether the position is still the one after so many steps.
    is_current: bool,
    /// In ascending order the steps of which the key of the position after them is known.
    keys: Vec<(MacroStep, u128)>,
}

impl<'p> StockMacroSpace<'p> {
    pub(crate) const fn new(inner: General<'p>, turns: &'p StockRules) -> Self {
        Self {
            inner,
            turns,
            walks: StockWalks::new(),
            taken: Vec::new(),
            turned: 0,
            listed: Vec::new(),
            moves: Vec::new(),
            scored: Vec::new(),
        }
    }

    /// Undoes the turns made, and makes a number of turns. Returns false, and makes none, if that
    /// is impossible.
    fn turn_to(&mut self, turns: u8) -> bool {
        if self.turned == turns {
            return true;
        }
        if std::mem::take(&mut self.turned) > 0 {
            self.inner.unmake();
        }
        if turns > 0 {
            let walk = self.walks.from(&mut self.inner, self.turns);
            if !walk.make(&mut self.inner, turns.into()) {
                return false;
            }
            self.turned = turns;
        }
        true
    }

    /// Forgets all steps: they can no longer be undone.
    fn forget_steps(&mut self) {
        self.taken.clear();
        self.turned = 0;
        self.forget_from(0);
    }

    /// Forgets what was listed after so many steps, or more.
    fn forget_from(&mut self, steps: usize) {
        for listed in self.listed.iter_mut().skip(steps) {
            listed.is_current = false;
        }
    }

    /// Goes to a position.
    pub(crate) fn begin_at(&mut self, root: &State) {
        self.forget_steps();
        self.inner.begin_at(root);
    }

    /// Translates a line of steps from the current position into moves of play.
    pub(crate) fn line_of(&mut self, steps: &[MacroStep]) -> Vec<Move> {
        let (mut line, mut turns) = (Vec::new(), Vec::new());
        for step in steps {
            for _ in 0..step.turns {
                turns.clear();
                self.inner.list_by(&self.turns.turning, self.turns.both, &mut turns);
                let Some(&turn) = turns.first() else { return line };
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
        let depth = self.taken.len();
        if self.listed.len() <= depth {
            self.listed.resize_with(depth + 1, Listed::default);
        }
        let mut keys = std::mem::take(&mut self.listed[depth].keys);
        keys.clear();
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.inner.list(&mut moves);
        let plays = moves.iter().filter(|&&played| !self.turns.has(played));
        steps.extend(plays.map(|&played| MacroStep { turns: 0, played }));
        if moves.iter().any(|&played| self.turns.has(played)) {
            // No turn changes which cards of the waste can be played.
            let wanted = self.inner.wanted_by(&self.turns.taking, self.turns.waste);
            let walk = self.walks.from(&mut self.inner, self.turns);
            for (turns, turned) in (0..).zip(&walk.after) {
                let others = turned.other_turns.iter();
                steps.extend(others.map(|&played| MacroStep { turns, played }));
                let top = walk.top(turns.into()).filter(|&top| has(wanted, top));
                if turns == 0 || top.is_none() || !walk.make(&mut self.inner, turns.into()) {
                    continue;
                }
                moves.clear();
                self.inner.list_by(&self.turns.taking, self.turns.both, &mut moves);
                for &played in &moves {
                    if self.inner.may_take_from(self.turns.waste, played) {
                        let step = MacroStep { turns, played };
                        steps.push(step);
                        keys.extend(self.inner.key_after(played).map(|key| (step, key)));
                    }
                }
                self.inner.unmake();
            }
        }
        keys.sort_unstable();
        self.listed[depth] = Listed { is_current: true, keys };
        self.moves = moves;
    }

    fn key_after(&self, step: MacroStep) -> Option<u128> {
        if step.turns == 0 {
            return if self.turned == 0 { self.inner.key_after(step.played) } else { None };
        }
        let listed = self.listed.get(self.taken.len()).filter(|listed| listed.is_current)?;
        let place = listed.keys.binary_search_by_key(&step, |&(listed, _)| listed);
        place.ok().map(|place| listed.keys[place].1)
    }

    fn keep_runs_whole(&mut self) {
        self.inner.keep_runs_whole();
    }

    fn make(&mut self, step: MacroStep) -> bool {
        if !self.turn_to(step.turns) {
            return false;
        }
        if !self.inner.make(step.played) {
            self.settle();
            return false;
        }
        self.taken.push(step.turns);
        self.turned = 0;
        self.forget_from(self.taken.len());
        true
    }

    fn unmake(&mut self) {
        self.unmake_soon();
        self.settle();
    }

    fn unmake_soon(&mut self) {
        self.settle();
        self.inner.unmake();
        self.turned = self.taken.pop().unwrap_or(0);
    }

    fn settle(&mut self) {
        self.turn_to(0);
    }

    fn reset_root(&mut self) {
        self.forget_steps();
        self.inner.reset_root();
    }

    fn trail_bytes(&self) -> usize {
        let listed = self.listed.iter().map(|listed| size_of_val(&*listed.keys));
        self.taken.len() + listed.sum::<usize>() + self.inner.trail_bytes()
    }

    fn packed_size(&self) -> usize {
        self.inner.packed_size()
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        self.inner.pack(bytes);
    }

    fn unpack(&mut self, bytes: &[u8]) {
        self.forget_steps();
        self.inner.unpack(bytes);
    }

    fn heuristic(&mut self) -> i32 {
        self.inner.heuristic()
    }

    fn sort(&mut self, steps: &mut [MacroStep], seed: u64) {
        let key = self.inner.key();
        let mut scored = std::mem::take(&mut self.scored);
        sort_by_score(steps, &mut scored, |step| {
            let code = step.played.code() ^ u32::from(step.turns) << 8;
            self.score(step) + chance(seed, key, code)
        });
        self.scored = scored;
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
