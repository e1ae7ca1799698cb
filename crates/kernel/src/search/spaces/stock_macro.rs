//! The stock played as the player thinks of it: "the card I reach after so many turns".
//!
//! Where a stock is turned onto a waste and the waste turned over again, each position has a
//! near-duplicate per turn of the stock, and most turns are followed by more turns. A step of this
//! space is some turns of the stock, none or several, and then one other move; a turn alone is no
//! step.
//!
//! *The claim.* If a position can be won, it can be won by such steps, of which those with turns go
//! on with a card of the waste.
//!
//! *Proof.* Take a line that wins. A turn changes stock and waste alone, and a move that does not
//! take from the waste neither looks at them nor changes them. So a turn can be put off past such a
//! move, and nothing changes before, between and after. Put all turns off until a card of the waste
//! is played or the game is won; those at the end are left out, since the aim does not look at
//! stock or waste either.
//!
//! *Asked for* ([`StockRules::new`](crate::search::spaces::stock_rules::StockRules::new)): that a
//! turn is a rule without choice that moves cards between the stock and one waste alone, and looks
//! at no other pile; that no other rule touches the stock, or puts a card on the waste, or asks for
//! anything about the two, or for a counter that a turn changes, or changes a counter that a turn
//! looks at; that no forced rule takes from the waste; and that no rule asks whether others are
//! blocked. Where two turns are possible at a time, each is a step of its own.

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

/// The most turns of a step; a turn beyond is a step of its own.
const MOST: u8 = 200;

/// The general space with such steps.
pub(crate) struct StockMacroSpace<'p> {
    inner: General<'p>,
    turns: &'p StockRules,
    /// Of each step taken, how many turns it had.
    taken: Vec<u8>,
    moves: Vec<Move>,
}

impl<'p> StockMacroSpace<'p> {
    pub(crate) const fn new(inner: General<'p>, turns: &'p StockRules) -> Self {
        Self { inner, turns, taken: Vec::new(), moves: Vec::new() }
    }

    /// The first turn of the stock that is possible.
    fn turn(&mut self) -> Option<Move> {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.inner.list_by(&self.turns.turning, self.turns.both, &mut moves);
        let turn = moves.iter().copied().find(|&played| self.turns.has(played));
        self.moves = moves;
        turn
    }

    /// Turns the stock so often; false, and nothing changed, if it cannot be.
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

    /// A line of steps from the present position, told in moves of play.
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

    fn is_dead(&self) -> bool {
        self.inner.is_dead()
    }

    fn list(&mut self, steps: &mut Vec<MacroStep>) {
        let mut moves = std::mem::take(&mut self.moves);
        let mut met = Vec::new();
        let mut turns = 0;
        loop {
            met.push(self.inner.key());
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
                } else if turns == 0 || played.from() == self.turns.waste {
                    steps.push(MacroStep { turns, played });
                }
            }
            let Some(turn) = turn.filter(|_| turns < MOST) else { break };
            if !self.inner.make(turn) {
                break;
            }
            turns += 1;
            if met.contains(&self.inner.key()) {
                break;
            }
        }
        (0..turns).for_each(|_| self.inner.unmake());
        self.moves = moves;
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
            // What the card is laid on is not looked at; sooner is a little better.
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
