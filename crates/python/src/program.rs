//! `Program`: a game as tables.

use std::sync::Arc;

use cadogan_kernel::Compiled;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::convert::IntoPython;
use crate::state::State;

/// A game as tables (JSON bytes, see ``crates/kernel/src/program.rs``).
#[pyclass(frozen, module = "cadogan._kernel")]
pub(crate) struct Program {
    compiled: Arc<Compiled>,
}

impl Program {
    pub(crate) fn compiled(&self) -> &Compiled {
        &self.compiled
    }
}

#[pymethods]
impl Program {
    #[new]
    fn new(data: &[u8]) -> PyResult<Self> {
        let compiled = Compiled::from_bytes(data).map_err(IntoPython::into_python)?;
        Ok(Self { compiled: Arc::new(compiled) })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.compiled.program().to_bytes())
    }

    /// Lays out a deck: card codes, first dealt first; ``ValueError`` if it is not the pack.
    fn deal(&self, deck: &[u8]) -> PyResult<State> {
        let (position, forced) = self.compiled.deal(deck).map_err(IntoPython::into_python)?;
        Ok(State::dealt(Arc::clone(&self.compiled), position, forced))
    }

    /// Bytes that one position takes in memory.
    #[getter]
    fn state_bytes(&self) -> usize {
        cadogan_kernel::State::bytes(&self.compiled)
    }
}
