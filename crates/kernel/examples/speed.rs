//! Measures the kernel on a written program: `speed program.json [deal] [nodes]`.
//!
//! Prints what one position takes, and how many moves are made and unmade, positions generated and
//! perft nodes counted in a second. Figures of two machines, or of one busy machine, cannot be compared.

#![allow(clippy::cast_precision_loss, reason = "figures for people")]

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use cadogan_kernel::{Compiled, Journal, Limits, State, Verdict, benchmark, perft, solve};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        return Err("usage: speed program.json [deal] [nodes]".into());
    };
    let number: u64 = arguments.next().map_or(Ok(1), |number| number.parse())?;
    let nodes: u64 = arguments.next().map_or(Ok(200_000), |nodes| nodes.parse())?;

    let program = Compiled::from_bytes(&std::fs::read(path)?)?;
    let (state, _) = program.deal(&program.deck(number))?;
    println!("{:>12} bytes a position", State::bytes(&program));
    made_and_unmade(&program, &state)?;
    generated(&program, &state)?;

    let begun = Instant::now();
    let done = benchmark(&program, &state, nodes, &mut || false)?;
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{:>12.0} moves made and unmade a second, with their lists",
        done.made as f64 / seconds
    );
    println!("{:>12x} checksum", done.checksum);

    let mut depth = 1;
    loop {
        let begun = Instant::now();
        let paths = perft(&program, &state, depth, &mut || false)?;
        let seconds = begun.elapsed().as_secs_f64();
        if seconds > 0.5 || paths > 1_000_000 || depth == 12 || paths == 0 {
            println!(
                "{:>12.0} perft paths a second ({paths} of depth {depth})",
                paths as f64 / seconds
            );
            break;
        }
        depth += 1;
    }

    let begun = Instant::now();
    let report = solve(&program, &state, Limits::nodes(nodes), &mut || false)?;
    let seconds = begun.elapsed().as_secs_f64();
    let verdict = match report.verdict {
        Verdict::Winnable(line) => format!("winnable in {} moves", line.len()),
        Verdict::Unwinnable => "unwinnable".to_owned(),
        Verdict::Unknown => "unknown".to_owned(),
    };
    println!(
        "{:>12.0} search nodes a second ({verdict} after {} nodes)",
        report.nodes as f64 / seconds,
        report.nodes
    );
    Ok(())
}

/// The positions of a game played by taking each time another move.
fn positions(program: &Compiled, state: &State) -> Result<Vec<State>, Box<dyn Error>> {
    let mut positions = vec![state.clone()];
    let mut journal = Journal::new();
    let mut state = state.clone();
    for turn in 0..60 {
        let moves = state.moves(program);
        let Some(&picked) = moves.get(turn * 7 % moves.len().max(1)) else { break };
        state.play(program, picked, &mut journal)?;
        positions.push(state.clone());
    }
    Ok(positions)
}

fn made_and_unmade(program: &Compiled, state: &State) -> Result<(), Box<dyn Error>> {
    let mut positions = positions(program, state)?;
    let mut journal = Journal::new();
    let mut made = 0u64;
    let lists: Vec<_> = positions.iter().map(|state| state.moves(program)).collect();
    let begun = Instant::now();
    while begun.elapsed().as_secs_f64() < 1.0 {
        for (state, moves) in positions.iter_mut().zip(&lists) {
            for &each in moves {
                state.play_unchecked(program, each, &mut journal)?;
                black_box(state.hash128());
                state.undo(program, &mut journal);
            }
            made += moves.len() as u64;
        }
    }
    println!(
        "{:>12.0} moves made and unmade a second",
        made as f64 / begun.elapsed().as_secs_f64()
    );
    Ok(())
}

fn generated(program: &Compiled, state: &State) -> Result<(), Box<dyn Error>> {
    let positions = positions(program, state)?;
    let mut moves = Vec::new();
    let (mut lists, mut listed) = (0u64, 0u64);
    let begun = Instant::now();
    while begun.elapsed().as_secs_f64() < 1.0 {
        for state in &positions {
            moves.clear();
            state.moves_into(program, &mut moves);
            listed += black_box(&moves).len() as u64;
        }
        lists += positions.len() as u64;
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{:>12.0} positions generated a second, {:.1} moves each",
        lists as f64 / seconds,
        listed as f64 / lists as f64
    );
    Ok(())
}
