//! Measures the kernel on a written program: `speed program.json [deal] [nodes]`.
//!
//! Prints the size of a position, and the numbers of moves made and unmade, positions expanded and
//! perft nodes counted per second. Do not compare figures of two machines, or of a busy machine.

#![allow(clippy::cast_precision_loss, reason = "figures for people")]

use std::error::Error;
use std::time::Instant;

use cadogan_kernel::{
    Options, Program, State, Verdict, benchmark, generate, make_and_unmake, perft, solve,
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        return Err("usage: speed program.json [deal] [nodes]".into());
    };
    let number: u64 = arguments.next().map_or(Ok(1), |number| number.parse())?;
    let nodes: u64 = arguments.next().map_or(Ok(200_000), |nodes| nodes.parse())?;

    let program = Program::from_bytes(&std::fs::read(path)?)?;
    let (state, _) = program.deal(&program.dealt_deck(number)?)?;
    println!("{:>12} bytes a position", State::bytes(&program));
    let begun = Instant::now();
    let done = make_and_unmake(&program, &state, nodes * 20, &mut || false)?;
    let seconds = begun.elapsed().as_secs_f64();
    println!("{:>12.0} moves made and unmade a second", done.made as f64 / seconds);

    let begun = Instant::now();
    let done = generate(&program, &state, nodes, &mut || false)?;
    let seconds = begun.elapsed().as_secs_f64();
    let (positions, moves) = (done.generated as f64, done.made as f64);
    println!(
        "{:>12.0} positions generated a second, {:.1} moves each",
        positions / seconds,
        moves / positions
    );

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
    let report = solve(&program, &state, &Options::nodes(nodes), &mut |_| true);
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
