//! All calls that may take long release Python's lock here.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::convert::IntoPython;

/// The interval between calls of Python; each call has to wait for the lock.
const PATIENCE: Duration = Duration::from_millis(50);

/// Works without Python's lock, so that other threads continue. Regularly calls Python with the
/// progress of the work and asks whether to continue. An exception raised there ends the work.
pub(crate) fn watched<A: ?Sized, T: Send>(
    py: Python<'_>,
    mut ask: impl FnMut(Python<'_>, &A) -> PyResult<bool> + Send,
    work: impl FnOnce(&mut dyn FnMut(&A) -> bool) -> T + Send,
) -> PyResult<T> {
    let mut raised = None;
    let done = py.detach(|| {
        let mut asked = Instant::now();
        work(&mut |report| {
            if asked.elapsed() < PATIENCE {
                return true;
            }
            asked = Instant::now();
            Python::attach(|py| ask(py, report)).unwrap_or_else(|error| {
                raised = Some(error);
                false
            })
        })
    });
    raised.map_or(Ok(done), Err)
}

/// Works without Python's lock. Ctrl-C ends the work with `KeyboardInterrupt`. An error of the
/// kernel becomes a Python exception.
pub(crate) fn unlocked<T: Send, E: IntoPython + Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut dyn FnMut() -> bool) -> Result<T, E> + Send,
) -> PyResult<T> {
    let ask = |py: Python<'_>, (): &()| py.check_signals().map(|()| true);
    watched(py, ask, |goes_on| work(&mut || !goes_on(&())))?.map_err(IntoPython::into_python)
}
