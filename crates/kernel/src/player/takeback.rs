//! Which moves can be taken back.
//!
//! A move can be taken back if one move leads back to the position before it, or if it turns a
//! stock that comes round to the same position. A player can make such moves freely: what could be
//! won before them can be won after them.

use crate::play::make::PlayError;
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::search::spaces::stock_rules::StockRules;

/// The most moves that turn a stock round.
const TURNS: usize = 600;

/// Finds moves that can be taken back.
pub(super) struct Takeback {
    /// The rules that turn the stock, as a mask.
    stock: u128,
    /// Whether turning the stock now comes round to the same position.
    turns_round: bool,
    journal: Journal,
}

impl Takeback {
    pub(super) fn new(program: &Program) -> Self {
        let stock = StockRules::new(program).map_or(0, |stock| stock.rules());
        Self { stock, turns_round: false, journal: Journal::new() }
    }

    /// Finds out whether the stock comes round to the same position if it is turned often enough.
    pub(super) fn look_at_stock(
        &mut self,
        program: &Program,
        state: &State,
        nodes: &mut u64,
    ) -> Result<(), PlayError> {
        self.turns_round = false;
        let mut turned = state.clone();
        let most = if self.stock == 0 { 0 } else { TURNS };
        for _ in 0..most {
            let moves = turned.moves(program);
            let Some(&turn) = moves.iter().find(|each| self.is_turn(**each)) else { break };
            self.journal.clear();
            turned.play_unchecked(program, turn, &mut self.journal)?;
            *nodes += 1;
            if turned.hash128() == state.hash128() {
                self.turns_round = true;
                break;
            }
        }
        Ok(())
    }

    fn is_turn(&self, each: Move) -> bool {
        u32::from(each.rule()) < u128::BITS && self.stock >> each.rule() & 1 != 0
    }

    /// Whether a move can be taken back: a single move leads back, or it turns a stock that came
    /// round when it was last looked at.
    pub(super) fn is_free(
        &mut self,
        program: &Program,
        before: &State,
        after: &State,
        played: Move,
        nodes: &mut u64,
    ) -> Result<bool, PlayError> {
        if self.turns_round && self.is_turn(played) {
            return Ok(true);
        }
        let inverse = |rule: u8| Move::new(rule, played.to(), played.count(), played.from());
        let backs = program.free.iter().map(|&rule| inverse(rule)).chain([played]);
        for back in backs {
            if !after.is_legal(program, back) {
                continue;
            }
            let mut state = after.clone();
            self.journal.clear();
            state.play_unchecked(program, back, &mut self.journal)?;
            *nodes += 1;
            if state.hash128() == before.hash128() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
