//! Solves deals of a written program: `decide program.json FIRST..LAST nodes [without ...] [turn
//! ...] [feature=weight ...]`, where turns are numbers of the strategies of the card-links space's
//! round, or, after a `g`, of any other's.
//!
//! `@FILE` in place of the numbers takes decks from a file, a line each: a name and the cards'
//! numbers. `feature=weight` sets a weight in all sets of weights, `name of a turn=share` the share
//! of that turn in a round, in hundredths. Prints a line per deal and a summary, for tuning and for
//! comparing versions of the solver.

use std::error::Error;
use std::time::Instant;

use cadogan_kernel::{Options, Program, Pruning, Strategy, Verdict, Weights, solve};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, deals, nodes, means @ ..] = arguments.as_slice() else {
        return Err("usage: decide program.json FIRST..LAST nodes [without ...] [turn ...]".into());
    };
    let mut options = Options::nodes(nodes.parse()?);
    let mut without: Vec<Pruning> = Vec::new();
    for means in means {
        match means.parse::<usize>() {
            Ok(turn) => options.turns.push(Strategy::CARD_LINKS_TURNS[turn]),
            Err(_) if means.contains('=') => {
                let (name, value) = means.split_once('=').unwrap_or_default();
                if !Weights::NAMES.contains(&name) {
                    options.shares.push((name.to_owned(), value.parse()?));
                    continue;
                }
                if options.weights.is_empty() {
                    options.weights = Weights::DEFAULTS.to_vec();
                }
                for weights in &mut options.weights {
                    *weights.named(name).ok_or("there is no such weight")? = value.parse()?;
                }
            }
            Err(_) if means.starts_with('g') => {
                options.turns.push(Strategy::TURNS[means[1..].parse::<usize>()?]);
            }
            Err(_) => without.push(means.parse()?),
        }
    }
    options.without = without.into_iter().collect();
    let program = Program::from_bytes(&std::fs::read(path)?)?;
    let decks = decks(&program, deals)?;
    let (mut won, mut lost, mut open, mut total) = (0, 0, 0, 0);
    let begun = Instant::now();
    for (name, deck) in decks {
        let (state, _) = program.deal(&deck)?;
        let report = solve(&program, &state, &options, &mut |_| true);
        total += report.nodes;
        let (tally, verdict) = match report.verdict {
            Verdict::Winnable(line) => (&mut won, format!("winnable in {} moves", line.len())),
            Verdict::Unwinnable => (&mut lost, "unwinnable".to_owned()),
            Verdict::Unknown => (&mut open, "unknown".to_owned()),
        };
        *tally += 1;
        println!("{name:>8} {verdict}, {} nodes, {}", report.nodes, report.strategy);
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!("{won} winnable, {lost} unwinnable, {open} unknown; {total} nodes in {seconds:.1} s");
    Ok(())
}

/// A deal's name and its deck.
type Named = (String, Vec<u8>);

/// Names of deals with their decks.
fn decks(program: &Program, deals: &str) -> Result<Vec<Named>, Box<dyn Error>> {
    if let Some(path) = deals.strip_prefix('@') {
        let text = std::fs::read_to_string(path)?;
        let deck = |line: &str| {
            let mut words = line.split_whitespace();
            let name = words.next().unwrap_or_default().to_owned();
            Ok((name, words.map(str::parse).collect::<Result<_, _>>()?))
        };
        return text.lines().map(deck).collect();
    }
    let (from, to) = deals.split_once("..").ok_or("deals are FIRST..LAST, or @FILE")?;
    let numbers: std::ops::RangeInclusive<u64> = from.parse()?..=to.parse()?;
    numbers.map(|number| Ok((number.to_string(), program.dealt_deck(number)?))).collect()
}
