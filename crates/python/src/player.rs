//! Players: whole games played by the kernel.

use cadogan_kernel::{FairPlayerOptions, Game, Policy, Shown};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::convert::{Number, codes};
use crate::long::unlocked;
use crate::program::Program;
use crate::state::State;

/// Whether it was won, the moves, the number of positions generated, and the points.
type Played = (bool, Vec<u32>, u64, Option<i64>);

fn played(game: &Game) -> Played {
    (game.won, codes(&game.line), game.nodes, game.score)
}

/// How much of each pile is visible: nothing (0), its top card (1), all (2).
pub(crate) fn shown_piles(shown: &[u8]) -> Vec<Shown> {
    let how = |how: &u8| match how {
        0 => Shown::None,
        1 => Shown::Top,
        _ => Shown::All,
    };
    shown.iter().map(how).collect()
}

/// Plays until the game is over or too long: (won, moves, positions generated, points).
#[pyfunction]
pub(crate) fn play_out(
    py: Python<'_>,
    state: &Bound<'_, State>,
    policy: &str,
    seed: Number<u64>,
    limit: Number<u32>,
) -> PyResult<Played> {
    let policy = match policy {
        "random" => Policy::Random,
        "greedy" => Policy::Greedy,
        _ => return Err(PyValueError::new_err(format!("there is no policy {policy:?}"))),
    };
    let (program, position) = (state.get().program(), state.get().position());
    let game = unlocked(py, |interrupt| {
        cadogan_kernel::play_out(program, position, policy, seed.0, limit.0 as usize, interrupt)
    })?;
    Ok(played(&game))
}

/// Plays a deal without knowing hidden cards: (won, moves, positions generated, points).
#[pyfunction]
#[pyo3(signature = (program, deck, shown, seed, *, budget, samples, playouts, solver, limit))]
#[expect(clippy::too_many_arguments, reason = "they have names")]
pub(crate) fn play_fair(
    py: Python<'_>,
    program: &Bound<'_, Program>,
    deck: &[u8],
    shown: &[u8],
    seed: Number<u64>,
    budget: Number<u64>,
    samples: Number<u16>,
    playouts: Number<u16>,
    solver: Number<u64>,
    limit: Number<u32>,
) -> PyResult<Played> {
    let program = program.get().compiled();
    if shown.len() != program.piles() {
        let text = format!("{} piles are shown, but there are {}", shown.len(), program.piles());
        return Err(PyValueError::new_err(text));
    }
    let shown = shown_piles(shown);
    let fair = FairPlayerOptions {
        samples: usize::from(samples.0),
        playouts: usize::from(playouts.0),
        solver: solver.0,
        budget: budget.0,
        limit: limit.0 as usize,
    };
    let game = unlocked(py, |interrupt| {
        cadogan_kernel::play_fair(program, &shown, deck, &fair, seed.0, interrupt)
    })?;
    Ok(played(&game))
}
