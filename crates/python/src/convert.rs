//! Numbers and errors between Rust and Python.

use cadogan_kernel::{
    CountError, DealError, ForcedLoop, GameError, Interrupted, Move, PlayError, ProgramError,
    StepError,
};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// Converts an int to a type. One that does not fit is a `ValueError`, not an `OverflowError`.
#[derive(Clone, Copy)]
pub(crate) struct Number<T>(pub(crate) T);

impl<'py, T: TryFrom<i128>> FromPyObject<'_, 'py> for Number<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        // Most numbers are small, and those are read much faster.
        let number = object.extract::<i64>().map(i128::from).or_else(|_| object.extract::<i128>());
        let fits = number.map(|number| T::try_from(number).ok());
        match fits {
            Ok(Some(number)) => Ok(Self(number)),
            Err(error) if error.is_instance_of::<pyo3::exceptions::PyTypeError>(object.py()) => {
                Err(error)
            }
            _ => Err(PyValueError::new_err(format!("{} is out of range", *object))),
        }
    }
}

/// The codes of moves.
pub(crate) fn codes(moves: &[Move]) -> Vec<u32> {
    moves.iter().map(|each| each.code()).collect()
}

/// Converts an error of the kernel to a Python exception.
pub(crate) trait IntoPython {
    /// The exception.
    fn into_python(self) -> PyErr;
}

impl IntoPython for ProgramError {
    fn into_python(self) -> PyErr {
        PyValueError::new_err(self.to_string())
    }
}

/// The exception for forced rules that never end: its arguments are a message and their indices.
fn forced_loop(error: &impl ToString, endless: &ForcedLoop) -> PyErr {
    PyRuntimeError::new_err((error.to_string(), endless.rules.to_vec()))
}

impl IntoPython for DealError {
    fn into_python(self) -> PyErr {
        match self {
            Self::NotThePack { .. } | Self::AlwaysAgain => PyValueError::new_err(self.to_string()),
            Self::ForcedLoop(ref endless) => forced_loop(&self, endless),
        }
    }
}

impl IntoPython for PlayError {
    fn into_python(self) -> PyErr {
        match self {
            Self::Illegal(_) => PyValueError::new_err(self.to_string()),
            Self::ForcedLoop(ref endless) => forced_loop(&self, endless),
        }
    }
}

impl IntoPython for CountError {
    fn into_python(self) -> PyErr {
        match self {
            Self::Interrupted => Interrupted.into_python(),
            Self::Play(error) => error.into_python(),
        }
    }
}

impl IntoPython for GameError {
    fn into_python(self) -> PyErr {
        match self {
            Self::Deal(error) => error.into_python(),
            Self::Count(error) => error.into_python(),
        }
    }
}

impl IntoPython for StepError {
    fn into_python(self) -> PyErr {
        match self {
            Self::NoAction { .. } | Self::Illegal { .. } | Self::WrongLength { .. } => {
                PyValueError::new_err(self.to_string())
            }
            Self::Over { .. } => PyRuntimeError::new_err(self.to_string()),
            Self::Deal(error) => error.into_python(),
            Self::Play(error) => error.into_python(),
            Self::Interrupted => Interrupted.into_python(),
        }
    }
}

impl IntoPython for Interrupted {
    fn into_python(self) -> PyErr {
        PyKeyboardInterrupt::new_err(self.to_string())
    }
}
