//! The one way in which calls that may take long leave Python.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::convert::IntoPython;

/// How often Python is asked; each time costs waiting for its lock.
const PATIENCE: Duration = Duration::from_millis(50);

/// Works without Python's lock, so that other threads continue, and asks Python now and then, with
/// what the work reports, whether to go on. An exception raised there ends the work.
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

/// Works without Python's lock. Ctrl-C ends the work with `KeyboardInterrupt`; an error of the
/// kernel becomes the exception it is in Python.
pub(crate) fn unlocked<T: Send, E: IntoPython + Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut dyn FnMut() -> bool) -> Result<T, E> + Send,
) -> PyResult<T> {
    let ask = |py: Python<'_>, (): &()| py.check_signals().map(|()| true);
    watched(py, ask, |goes_on| work(&mut || !goes_on(&())))?.map_err(IntoPython::into_python)
}
