//! The one way in which calls that may be long leave Python.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::convert::IntoPython;

/// How often Python is asked about signals; each time costs waiting for its lock.
const PATIENCE: Duration = Duration::from_millis(50);

/// Works without Python's lock, so that other threads go on. Ctrl-C ends the work with
/// `KeyboardInterrupt`; an error of the kernel becomes the exception it is in Python.
pub(crate) fn unlocked<T: Send, E: IntoPython + Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut dyn FnMut() -> bool) -> Result<T, E> + Send,
) -> PyResult<T> {
    let mut raised = None;
    let done = py.detach(|| {
        let mut asked = Instant::now();
        let mut interrupt = || {
            if asked.elapsed() < PATIENCE {
                return false;
            }
            asked = Instant::now();
            // The method itself is not general enough over the lifetime of the lock.
            #[expect(clippy::redundant_closure_for_method_calls)]
            let signals = Python::attach(|py| py.check_signals());
            raised = signals.err();
            raised.is_some()
        };
        work(&mut interrupt)
    });
    match raised {
        Some(error) => Err(error),
        None => done.map_err(IntoPython::into_python),
    }
}
