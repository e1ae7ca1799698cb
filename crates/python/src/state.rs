//! `State`: one position.

use std::sync::Arc;

use cadogan_kernel::{Journal, Move, Outcome, Program};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::convert::{IntoPython, Number, codes};

/// One position. Immutable: ``play`` returns a new one.
#[pyclass(frozen, module = "cadogan._kernel")]
pub(crate) struct State {
    program: Arc<Program>,
    position: cadogan_kernel::State,
    layout: Vec<Move>,
}

/// A step of a move, as Python receives it.
type Unfolded = (u32, Vec<cadogan_kernel::CardTransfer>, Vec<Py<PyBytes>>);

impl State {
    pub(crate) fn dealt(
        program: Arc<Program>,
        position: cadogan_kernel::State,
        layout: Vec<Move>,
    ) -> Self {
        Self { program, position, layout }
    }

    pub(crate) fn program(&self) -> &Program {
        &self.program
    }

    pub(crate) fn position(&self) -> &cadogan_kernel::State {
        &self.position
    }
}

#[pymethods]
impl State {
    fn piles<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyBytes>> {
        self.position.piles().map(|pile| PyBytes::new(py, pile)).collect()
    }

    fn counters(&self) -> Vec<u16> {
        self.position.counters().to_vec()
    }

    /// The piles that take no more dealt cards.
    fn closed(&self) -> Vec<usize> {
        let closed = self.position.closed();
        (0..self.program.piles()).filter(|pile| closed >> pile & 1 != 0).collect()
    }

    fn moves(&self) -> Vec<u32> {
        codes(&self.position.moves(&self.program))
    }

    /// The moves to foundations that lose no win, whatever is hidden.
    fn safe_moves(&self) -> Vec<u32> {
        codes(&self.position.safe_moves(&self.program))
    }

    #[pyo3(signature = (r#move))]
    fn is_legal(&self, r#move: Number<u32>) -> bool {
        self.position.is_legal(&self.program, Move::from_code(r#move.0))
    }

    /// The position after a legal move, and the forced moves carried out after it.
    #[pyo3(signature = (r#move))]
    fn play(&self, r#move: Number<u32>) -> PyResult<(Self, Vec<u32>)> {
        let mut position = self.position.clone();
        let mut journal = Journal::new();
        position
            .play(&self.program, Move::from_code(r#move.0), &mut journal)
            .map_err(IntoPython::into_python)?;
        let played = Self { program: Arc::clone(&self.program), position, layout: Vec::new() };
        Ok((played, codes(journal.forced())))
    }

    /// Plays a line of moves: how many of them could be played, and the outcome after these.
    #[expect(clippy::needless_pass_by_value, reason = "Python passes lists")]
    fn replay(&self, moves: Vec<Number<u32>>) -> (usize, u8) {
        let line: Vec<Move> = moves.iter().map(|code| Move::from_code(code.0)).collect();
        let mut position = self.position.clone();
        let played = position.replay(&self.program, &line);
        (played, outcome_code(position.outcome(&self.program)))
    }

    /// The forced moves carried out during the layout (of a freshly dealt state).
    fn layout_moves(&self) -> Vec<u32> {
        codes(&self.layout)
    }

    /// The forced rule that waits for the player's choice.
    fn choosing(&self) -> Option<u8> {
        self.position.choosing()
    }

    /// The transfers of a legal move itself, as (from, number of cards, to), without forced moves.
    #[pyo3(signature = (r#move))]
    fn transfers(&self, r#move: Number<u32>) -> PyResult<Vec<(u8, u16, u8)>> {
        let transfers = self.position.transfers(&self.program, Move::from_code(r#move.0));
        transfers.map_err(IntoPython::into_python)
    }

    /// All legal moves, each with its transfers.
    fn moves_with_transfers(&self) -> Vec<(u32, Vec<cadogan_kernel::CardTransfer>)> {
        let moves = self.position.moves_with_transfers(&self.program);
        moves.into_iter().map(|(each, transfers)| (each.code(), transfers)).collect()
    }

    /// The effects of a legal move and the forced moves after it: (move, transfers, piles after
    /// it).
    #[pyo3(signature = (r#move))]
    fn unfold(&self, py: Python<'_>, r#move: Number<u32>) -> PyResult<Vec<Unfolded>> {
        let steps = self
            .position
            .unfold(&self.program, Move::from_code(r#move.0))
            .map_err(IntoPython::into_python)?;
        Ok(steps
            .into_iter()
            .map(|(made, transfers, position)| {
                let piles = position.piles().map(|pile| PyBytes::new(py, pile).unbind()).collect();
                (made.code(), transfers, piles)
            })
            .collect())
    }

    /// Why no rule allows a number of top cards of one pile on another: (rule, reason, detail).
    fn refusals(
        &self,
        source: Number<usize>,
        count: Number<usize>,
        target: Number<usize>,
    ) -> Vec<(u8, &'static str, usize)> {
        let refusals = self.position.refusals(&self.program, source.0, count.0, target.0);
        let row = |refusal: &cadogan_kernel::Refusal| {
            (refusal.rule, refusal.reason.name(), refusal.reason.detail())
        };
        refusals.iter().map(row).collect()
    }

    /// The cards that a foundation wants next, as a mask; ``ValueError`` if there is no such pile.
    fn next_cards(&self, pile: Number<usize>) -> PyResult<u64> {
        if pile.0 >= self.program.piles() {
            return Err(PyValueError::new_err(format!("there is no pile {}", pile.0)));
        }
        Ok(self.position.next_cards(&self.program, pile.0))
    }

    /// The index of the first condition of a rule that does not hold.
    fn failed_condition(&self, rule: Number<usize>) -> Option<usize> {
        self.position.failed_condition(&self.program, rule.0)
    }

    /// The points; none in games that are not scored.
    fn score(&self) -> Option<i64> {
        self.position.score(&self.program)
    }

    /// 0 open, 1 won, 2 lost, 3 over.
    fn outcome(&self) -> u8 {
        outcome_code(self.position.outcome(&self.program))
    }

    fn hash128(&self) -> u128 {
        self.position.hash128()
    }

    fn hash_from_scratch(&self) -> u128 {
        self.position.hash_from_scratch(&self.program)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            let same_program = Arc::ptr_eq(&self.program, &other.program)
                || self.program.source() == other.program.source();
            same_program && self.position == other.position
        })
    }

    fn __hash__(&self) -> u64 {
        self.position.hash128() as u64
    }
}

/// The number of an outcome, as Python receives it.
const fn outcome_code(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Open => 0,
        Outcome::Won => 1,
        Outcome::Lost => 2,
        Outcome::Over => 3,
    }
}
