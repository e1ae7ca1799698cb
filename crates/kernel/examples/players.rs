//! Lets players play deals of a written program: `players program.json SHOWN FIRST..LAST
//! [option=value ...]`.
//!
//! `SHOWN` has a digit for each pile, what the player sees of it: nothing (0), its top card (1),
//! all (2). The options are those of the fair player, and `seed`. Prints a line per deal, what the
//! fair and the greedy player made of it, and a summary, for tuning.

use std::error::Error;
use std::time::Instant;

use cadogan_kernel::{FairPlayerOptions, Policy, Program, Shown, play_fair, play_out};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, shown, deals, means @ ..] = arguments.as_slice() else {
        return Err("usage: players program.json SHOWN FIRST..LAST [option=value ...]".into());
    };
    let mut fair = FairPlayerOptions {
        samples: 16,
        playouts: 1,
        solver: 1_000,
        budget: 1_000_000,
        limit: 5_000,
    };
    let mut seed = 0;
    for means in means {
        let (name, value) = means.split_once('=').ok_or("an option is NAME=VALUE")?;
        let value: u64 = value.parse()?;
        match name {
            "samples" => fair.samples = value as usize,
            "playouts" => fair.playouts = value as usize,
            "solver" => fair.solver = value,
            "budget" => fair.budget = value,
            "limit" => fair.limit = value as usize,
            "seed" => seed = value,
            _ => return Err(format!("there is no option {name}").into()),
        }
    }
    let how = |digit: char| match digit {
        '0' => Shown::None,
        '1' => Shown::Top,
        _ => Shown::All,
    };
    let shown: Vec<Shown> = shown.chars().map(how).collect();
    let program = Program::from_bytes(&std::fs::read(path)?)?;
    let (from, to) = deals.split_once("..").ok_or("deals are FIRST..LAST")?;
    let numbers: std::ops::RangeInclusive<u64> = from.parse()?..=to.parse()?;
    let (mut fairs, mut greedies, mut both, mut nodes, mut played) = (0, 0, 0, 0, 0);
    let begun = Instant::now();
    for number in numbers {
        let deck = program.dealt_deck(number)?;
        let (state, _) = program.deal(&deck)?;
        let seed = seed << 32 | number;
        let game = play_fair(&program, &shown, &deck, &fair, seed, &mut || false)?;
        let other = play_out(&program, &state, Policy::Greedy, seed, 5_000, &mut || false)?;
        println!("{number} {} {} {} {}", game.won, other.won, game.line.len(), game.nodes);
        played += 1;
        fairs += u32::from(game.won);
        greedies += u32::from(other.won);
        both += u32::from(game.won && other.won);
        nodes += game.nodes;
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{played} deals: fair {fairs}, greedy {greedies}, both {both}; {nodes} nodes in {seconds:.1} s"
    );
    Ok(())
}
