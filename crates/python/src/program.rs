//! `Program`: a game as tables.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFrozenSet};

use crate::convert::IntoPython;
use crate::state::State;

/// A game as tables (JSON bytes, see ``crates/kernel/src/program/format/``).
#[pyclass(frozen, module = "cadogan._kernel")]
pub(crate) struct Program {
    compiled: Arc<cadogan_kernel::Program>,
}

impl Program {
    pub(crate) fn compiled(&self) -> &cadogan_kernel::Program {
        &self.compiled
    }

    pub(crate) fn shared(&self) -> Arc<cadogan_kernel::Program> {
        Arc::clone(&self.compiled)
    }

    fn footprint<'py>(&self, py: Python<'py>, rule: u8) -> PyResult<Bound<'py, PyDict>> {
        let footprint = self.compiled.footprint(rule);
        let members =
            |mask: u128| PyFrozenSet::new(py, (0..128u32).filter(|&at| mask >> at & 1 != 0));
        let found = PyDict::new(py);
        for (name, piles) in [
            ("reads", footprint.reads),
            ("measures", footprint.measures),
            ("takes", footprint.takes),
            ("takes_freely", footprint.takes_freely),
            ("plays", footprint.plays),
            ("builds", footprint.builds),
            ("deals", footprint.deals),
            ("turns", footprint.turns),
            ("closes", footprint.closes),
            ("counters_read", footprint.counters_read.into()),
            ("counters_written", footprint.counters_written.into()),
        ] {
            found.set_item(name, members(piles)?)?;
        }
        Ok(found)
    }
}

#[pymethods]
impl Program {
    #[new]
    fn new(data: &[u8]) -> PyResult<Self> {
        let compiled =
            cadogan_kernel::Program::from_bytes(data).map_err(IntoPython::into_python)?;
        Ok(Self { compiled: Arc::new(compiled) })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.compiled.source().to_bytes())
    }

    /// Deals a deck: card codes in dealing order; ``ValueError`` if they are not the cards of the
    /// game.
    fn deal(&self, deck: &[u8]) -> PyResult<State> {
        let (position, forced) = self.compiled.deal(deck).map_err(IntoPython::into_python)?;
        Ok(State::dealt(Arc::clone(&self.compiled), position, forced))
    }

    /// Whether the rules of the game ask for another deal after this deck.
    fn is_dealt_again(&self, deck: &[u8]) -> PyResult<bool> {
        self.compiled.is_dealt_again(deck).map_err(IntoPython::into_python)
    }

    /// What each rule reads and writes: sets of piles and of counters by name.
    fn footprints<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let rules = 0..self.compiled.source().rules.len();
        rules.map(|rule| self.footprint(py, rule as u8)).collect()
    }

    /// The number of bytes of one position.
    #[getter]
    fn state_bytes(&self) -> usize {
        cadogan_kernel::State::bytes(&self.compiled)
    }
}
