//! Environments for reinforcement learning. Batches write into numpy arrays.

use std::sync::Arc;

use cadogan_kernel::{
    ActionSpace, Autoreset, BatchOptions, Buffers, ObservationSpace, Part, Rewards, Shown,
};
use numpy::{PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::convert::{IntoPython, Number};
use crate::long::unlocked;
use crate::player::shown_piles;
use crate::program::Program;
use crate::state::State;

/// An action: rule, source, number of cards, target.
type ActionRow = (u8, Option<u8>, Option<u8>, Option<u8>);

/// The arrays that a batch writes to, in the order of the kernel's `Buffers`.
type Arrays<'py> = (
    PyReadwriteArray2<'py, u8>,
    PyReadwriteArray2<'py, i8>,
    PyReadwriteArray1<'py, f64>,
    PyReadwriteArray1<'py, bool>,
    PyReadwriteArray1<'py, bool>,
    PyReadwriteArray1<'py, bool>,
    PyReadwriteArray1<'py, bool>,
    PyReadwriteArray1<'py, u64>,
);

/// The slices of the arrays; ``ValueError`` if one is not contiguous.
fn buffers<'a>(arrays: &'a mut Arrays<'_>) -> PyResult<Buffers<'a>> {
    Ok(Buffers {
        observations: arrays.0.as_slice_mut()?,
        masks: arrays.1.as_slice_mut()?,
        rewards: arrays.2.as_slice_mut()?,
        terminated: arrays.3.as_slice_mut()?,
        truncated: arrays.4.as_slice_mut()?,
        won: arrays.5.as_slice_mut()?,
        illegal: arrays.6.as_slice_mut()?,
        deals: arrays.7.as_slice_mut()?,
    })
}

/// The numbered actions and the observations of a program.
#[pyclass(frozen, module = "cadogan._kernel")]
pub(crate) struct Spaces {
    program: Arc<cadogan_kernel::Program>,
    actions: Arc<ActionSpace>,
    observations: Arc<ObservationSpace>,
}

#[pymethods]
impl Spaces {
    #[new]
    fn new(program: &Bound<'_, Program>, shown: &[u8]) -> PyResult<Self> {
        let program = program.get().shared();
        let shown: Vec<Shown> = shown_piles(shown);
        let actions =
            ActionSpace::new(&program).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let observations = ObservationSpace::new(&program, &shown);
        Ok(Self { program, actions: Arc::new(actions), observations: Arc::new(observations) })
    }

    /// All actions by their numbers.
    fn actions(&self) -> Vec<ActionRow> {
        let row =
            |action: &cadogan_kernel::Action| (action.rule, action.from, action.count, action.to);
        self.actions.actions().iter().map(row).collect()
    }

    /// The parts of an observation: (kind, index, start, length).
    fn parts(&self) -> Vec<(&'static str, u8, usize, usize)> {
        let row = |&(part, start, length): &(Part, usize, usize)| {
            let (kind, index) = match part {
                Part::Pile(pile) => ("pile", pile),
                Part::Counter(counter) => ("counter", counter),
                Part::Closed(pile) => ("closed", pile),
                Part::Choice => ("choice", 0),
            };
            (kind, index, start, length)
        };
        self.observations.parts().iter().map(row).collect()
    }

    /// The largest value of each byte of an observation.
    fn highest<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.observations.highest(&self.program))
    }

    /// The observation of a position of the program.
    fn observe<'py>(&self, py: Python<'py>, state: &Bound<'py, State>) -> Bound<'py, PyBytes> {
        let mut row = vec![0; self.observations.size()];
        self.observations.write(&self.program, state.get().position(), &mut row);
        PyBytes::new(py, &row)
    }

    /// The legal moves of a position of the program: (action, code of the move).
    fn legal(&self, state: &Bound<'_, State>) -> Vec<(u32, u32)> {
        let moves = state.get().position().moves(&self.program);
        moves.into_iter().map(|legal| (self.actions.number(legal), legal.code())).collect()
    }
}

/// Games that are stepped together.
#[pyclass(module = "cadogan._kernel")]
pub(crate) struct Batch {
    batch: cadogan_kernel::Batch,
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (spaces, games, *, max_moves, autoreset, won, cards, kept, budget, deals, strict, threads))]
    #[expect(clippy::too_many_arguments, reason = "they have names")]
    fn new(
        spaces: &Bound<'_, Spaces>,
        games: Number<u32>,
        max_moves: Number<u32>,
        autoreset: bool,
        won: f64,
        cards: f64,
        kept: f64,
        budget: Number<u64>,
        deals: (Number<u64>, Number<u64>),
        strict: bool,
        threads: Number<u16>,
    ) -> PyResult<Self> {
        let deals = [deals.0.0, deals.1.0];
        if deals[1] == 0 || deals[0].checked_add(deals[1] - 1).is_none() {
            return Err(PyValueError::new_err("there are no such deals"));
        }
        let options = BatchOptions {
            max_moves: max_moves.0,
            autoreset: if autoreset { Autoreset::NextStep } else { Autoreset::Disabled },
            rewards: Rewards { won, cards, kept, budget: budget.0 },
            deals,
            strict,
            threads: usize::from(threads.0),
        };
        let Spaces { program, actions, observations } = spaces.get();
        let (program, actions) = (Arc::clone(program), Arc::clone(actions));
        let games = games.0 as usize;
        let observations = Arc::clone(observations);
        let batch = cadogan_kernel::Batch::new(program, actions, observations, games, options);
        Ok(Self { batch })
    }

    /// Deals the chosen games, from seeds where there are any.
    #[expect(clippy::needless_pass_by_value, reason = "Python passes lists")]
    fn reset(
        &mut self,
        py: Python<'_>,
        chosen: Vec<bool>,
        seeds: Vec<Option<u64>>,
        mut arrays: Arrays<'_>,
    ) -> PyResult<()> {
        let buffers = buffers(&mut arrays)?;
        let batch = &mut self.batch;
        unlocked(py, |interrupt| batch.reset(&chosen, &seeds, buffers, interrupt))
    }

    /// Deals a deck to one game.
    fn deal(
        &mut self,
        py: Python<'_>,
        game: Number<usize>,
        deck: &[u8],
        mut arrays: Arrays<'_>,
    ) -> PyResult<()> {
        let buffers = buffers(&mut arrays)?;
        let batch = &mut self.batch;
        unlocked(py, |interrupt| batch.deal(game.0, deck, buffers, interrupt))
    }

    /// Plays one action in each game.
    #[expect(clippy::needless_pass_by_value, reason = "it is a reference to an array")]
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        mut arrays: Arrays<'_>,
    ) -> PyResult<()> {
        let actions = actions.as_slice()?;
        let buffers = buffers(&mut arrays)?;
        let batch = &mut self.batch;
        unlocked(py, |interrupt| batch.step(actions, buffers, interrupt))
    }

    /// Draws a legal action for each game.
    fn sample(&mut self, mut actions: PyReadwriteArray1<'_, i64>) -> PyResult<()> {
        self.batch.sample(actions.as_slice_mut()?).map_err(IntoPython::into_python)
    }

    /// For each game whether the position is known to be winnable.
    fn verdicts(&self) -> Vec<Option<bool>> {
        self.batch.verdicts().collect()
    }
}
