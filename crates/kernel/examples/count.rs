//! Does a fixed amount of work for valgrind to count: `count make|generate|benchmark program.json
//! deal amount`.
//!
//! Prints how many moves were made and how many positions generated. Two runs with different
//! amounts have the same start, so the difference of their instruction counts is that of the work
//! alone.

use std::error::Error;

use cadogan_kernel::{Program, benchmark, generate, make_and_unmake};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, path, deal, amount] = arguments.as_slice() else {
        return Err("usage: count make|generate|benchmark program.json deal amount".into());
    };
    let program = Program::from_bytes(&std::fs::read(path)?)?;
    let (state, _) = program.deal(&program.dealt_deck(deal.parse()?)?)?;
    let work = match what.as_str() {
        "make" => make_and_unmake,
        "generate" => generate,
        "benchmark" => benchmark,
        _ => return Err(format!("there is nothing called {what} to be counted").into()),
    };
    let done = work(&program, &state, amount.parse()?, &mut || false)?;
    println!("{} {} {:x}", done.made, done.generated, done.checksum);
    Ok(())
}
