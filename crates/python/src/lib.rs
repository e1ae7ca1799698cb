//! Python bindings of the Cadogan kernel. They only translate; see `python/cadogan/_kernel.pyi`.

#![forbid(unsafe_code)]

mod certificate;
mod convert;
mod environment;
mod long;
mod player;
mod program;
mod search;
mod state;

use pyo3::prelude::*;

use crate::convert::Number;
use crate::long::unlocked;
use crate::state::State;

/// Counts legal move paths of a given length; Ctrl-C interrupts.
#[pyfunction]
fn perft(py: Python<'_>, state: &Bound<'_, State>, depth: Number<u32>) -> PyResult<u64> {
    let (program, position) = (state.get().program(), state.get().position());
    unlocked(py, |interrupt| cadogan_kernel::perft(program, position, depth.0, interrupt))
}

/// Makes and unmakes moves in a fixed order: (moves made, positions expanded, checksum).
#[pyfunction]
fn benchmark(
    py: Python<'_>,
    state: &Bound<'_, State>,
    nodes: Number<u64>,
) -> PyResult<(u64, u64, u64)> {
    let (program, position) = (state.get().program(), state.get().position());
    let done =
        unlocked(py, |interrupt| cadogan_kernel::benchmark(program, position, nodes.0, interrupt))?;
    Ok((done.made, done.generated, done.checksum))
}

/// Makes and unmakes at least a number of moves: moves made.
#[pyfunction]
fn make_and_unmake(py: Python<'_>, state: &Bound<'_, State>, moves: Number<u64>) -> PyResult<u64> {
    let (program, position) = (state.get().program(), state.get().position());
    let done = unlocked(py, |interrupt| {
        cadogan_kernel::make_and_unmake(program, position, moves.0, interrupt)
    })?;
    Ok(done.made)
}

/// Lists the moves of at least a number of positions: (moves listed, positions).
#[pyfunction]
fn generate(
    py: Python<'_>,
    state: &Bound<'_, State>,
    positions: Number<u64>,
) -> PyResult<(u64, u64)> {
    let (program, position) = (state.get().program(), state.get().position());
    let done = unlocked(py, |interrupt| {
        cadogan_kernel::generate(program, position, positions.0, interrupt)
    })?;
    Ok((done.made, done.generated))
}

/// The permutation of deal ``cadogan:number``.
#[pyfunction]
fn shuffle(number: Number<u64>, length: Number<u16>) -> Vec<u32> {
    cadogan_kernel::shuffle(number.0, usize::from(length.0))
}

/// The compiled kernel: positions of a program, packed.
#[pymodule]
mod _kernel {
    #[pymodule_export]
    use super::{benchmark, generate, make_and_unmake, perft, shuffle};
    #[pymodule_export]
    use crate::certificate::closed_set;
    #[pymodule_export]
    use crate::environment::{Batch, Spaces};
    #[pymodule_export]
    use crate::player::{play_fair, play_out};
    #[pymodule_export]
    use crate::program::Program;
    #[pymodule_export]
    use crate::search::{Checkpoint, Report, best_score, shorten, solve, turns, weights};
    #[pymodule_export]
    use crate::state::State;
    use pyo3::prelude::*;
    use pyo3::types::PyTuple;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
        module.add("build_profile", profile)?;
        module.add("fingerprint", cadogan_kernel::FINGERPRINT)?;
        module.add("first_share", cadogan_kernel::FIRST_SHARE)?;
        module.add("prunings", PyTuple::new(module.py(), crate::search::prunings())?)?;
        module.add("turn_names", PyTuple::new(module.py(), crate::search::turn_names())?)?;
        module.add("weight_names", PyTuple::new(module.py(), crate::search::weight_names())?)
    }
}
