//! `closed_set`: proofs of loss that another program can check.

use cadogan_kernel::card::CARDS;
use cadogan_kernel::{Arguments, NoClosedSet, SafeCards};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::convert::Number;
use crate::long::watched;
use crate::program::Program;

/// Of safe play: for each card those that may be put on it and those that come before it, all cards
/// that can be safe, and whether chains of safe cards count.
type Safe = (Vec<u64>, Vec<u64>, u64, bool);

/// How the work ended, all positions, and their arguments.
type Found<'py> = (&'static str, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// Finds a closed set of positions that contains ``start``. The arguments are safe play, locked
/// piles and dead ends.
#[pyfunction]
#[pyo3(signature = (program, start, arguments, limit, observe=None))]
pub(crate) fn closed_set<'py>(
    py: Python<'py>,
    program: &Bound<'py, Program>,
    start: &[u8],
    arguments: (Option<Safe>, bool, bool),
    limit: Number<u32>,
    observe: Option<Bound<'py, PyAny>>,
) -> PyResult<Found<'py>> {
    let compiled = program.get().compiled();
    let (safe, locks, dead_ends) = arguments;
    let row = |cards: Vec<u64>| {
        <[u64; CARDS]>::try_from(cards)
            .map_err(|_| PyValueError::new_err("safe play needs one set of cards for each card"))
    };
    let safe = safe
        .map(|(fits, before, may_be, chains)| {
            Ok::<_, PyErr>(SafeCards { fits: row(fits)?, before: row(before)?, may_be, chains })
        })
        .transpose()?;
    let arguments = Arguments { safe, locks, dead_ends };
    let observe = observe.map(Bound::unbind);
    let ask = |py: Python<'_>, &(done, found): &(usize, usize)| {
        py.check_signals()?;
        match &observe {
            Some(observe) => {
                let said = observe.bind(py).call1((done, found))?;
                Ok(said.is_none() || said.is_truthy()?)
            }
            None => Ok(true),
        }
    };
    let found = watched(py, ask, |goes_on| {
        cadogan_kernel::closed_set(
            compiled,
            start,
            &arguments,
            limit.0 as usize,
            &mut |done, found| goes_on(&(done, found)),
        )
    })?;
    let ended = |how| Ok((how, PyBytes::new(py, &[]), PyBytes::new(py, &[])));
    match found {
        Ok(set) => {
            Ok(("closed", PyBytes::new(py, &set.positions), PyBytes::new(py, &set.arguments)))
        }
        Err(NoClosedSet::Won) => ended("won"),
        Err(NoClosedSet::TooLarge(_)) => ended("too-large"),
        Err(NoClosedSet::ForcedLoop) => ended("endless"),
        Err(NoClosedSet::Interrupted) => ended("interrupted"),
        Err(error @ NoClosedSet::NoPosition) => Err(PyValueError::new_err(error.to_string())),
    }
}
