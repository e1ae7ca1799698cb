//! Compares the card-links space with the general one, each pruning with none, each strategy with
//! all.

use std::collections::HashSet;

use crate::support::kin::Kin;
use crate::support::{cases, compile, wins};
use cadogan_kernel::{
    CardEquivalence, Journal, Move, Options, Program, Pruning, Prunings, Report, State, Strategy,
    Verdict, Weights, solve,
};

/// The number of games of the family.
fn games() -> u64 {
    cases(250, 700, 20_000)
}

/// Whether a line visits a position twice.
fn has_loop(program: &Program, state: &State, line: &[Move]) -> bool {
    let (mut here, mut journal) = (state.clone(), Journal::new());
    let mut visited = HashSet::from([here.hash128()]);
    line.iter().any(|&step| {
        here.play(program, step, &mut journal).unwrap();
        !visited.insert(here.hash128())
    })
}

/// The verdict of a report. Checks its line.
fn told(program: &Program, state: &State, report: &Report, what: &str) -> Option<bool> {
    match &report.verdict {
        Verdict::Winnable(line) => {
            assert!(wins(program, state, line), "{what}: the line does not win");
            assert!(!has_loop(program, state, line), "{what}: a position comes twice");
            Some(true)
        }
        Verdict::Unwinnable => Some(false),
        Verdict::Unknown => None,
    }
}

/// Plain search of the general space, without any pruning.
fn truth(program: &Program, state: &State) -> Option<bool> {
    let options = Options {
        turns: vec![Strategy::Depth { cards: CardEquivalence::Exact, greedy: false }],
        without: Prunings::all(),
        ..Options::nodes(15_000)
    };
    told(program, state, &solve(program, state, &options, &mut |_| true), "plain search")
}

#[test]
fn verdicts_are_those_of_plain_search() {
    let (mut winnable, mut unwinnable, mut filled, mut copied, mut limited) = (0, 0, 0, 0, 0);
    let mut by_hierarchy = [0, 0];
    let mut differing = [false; Pruning::ALL.len()];
    for seed in 0..games() * 3 / 2 {
        let kin = if seed < games() { Kin::random(seed) } else { Kin::of_two_packs(seed) };
        let program = compile(kin.program());
        for number in 0..2 {
            let (state, _) = program.deal(&program.deck(seed * 2 + number)).unwrap();
            let Some(truth) = truth(&program, &state) else { continue };
            *(if truth { &mut winnable } else { &mut unwinnable }) += 1;
            let has_links = *Weights::of(&program, &state) == Weights::CARD_LINKS;
            filled += u32::from(has_links && kin.filling > 0 && !state.is_won(&program));
            copied += u32::from(has_links && kin.packs > 1 && !state.is_won(&program));
            let ask = |options: Options, what: String| {
                let report = solve(&program, &state, &options, &mut |_| true);
                let told = told(&program, &state, &report, &what);
                assert!(told.is_none_or(|told| told == truth), "{what}: {told:?}, but {truth}");
                report
            };
            let whole = ask(Options::nodes(50_000), format!("{kin:?} deal {number}"));
            assert_ne!(whole.verdict, Verdict::Unknown, "{kin:?} deal {number}");
            for (index, pruning) in Pruning::ALL.into_iter().enumerate() {
                let without = [pruning].into_iter().collect();
                let options = Options { without, ..Options::nodes(20_000) };
                let report = ask(options, format!("{kin:?} deal {number} without {pruning}"));
                differing[index] |= report.nodes != whole.nodes;
                let has_limit = kin.stock > 0 && kin.again && kin.redeals > 0;
                let has_links = pruning == Pruning::CardLinks && report.nodes != whole.nodes;
                limited += u32::from(has_limit && has_links);
            }
            let turns = [&Strategy::CARD_LINKS_TURNS[..], &Strategy::HIDDEN_TURNS].concat();
            let strategy = turns[seed as usize % turns.len()];
            let exact = Strategy::Depth { cards: CardEquivalence::Exact, greedy: false };
            let stages = Strategy::StageBeam { weights: 4, whole_runs: false };
            for strategy in [strategy, Strategy::Digging, Strategy::Hierarchy, exact, stages] {
                for without in [Prunings::NONE, [Pruning::SafePlay].into_iter().collect()] {
                    let turns = vec![strategy];
                    let options = Options { turns, without, ..Options::nodes(20_000) };
                    let report = ask(options, format!("{kin:?} deal {number} by {strategy:?}"));
                    if strategy == Strategy::Hierarchy && report.nodes > 10 {
                        match report.verdict {
                            Verdict::Winnable(_) => by_hierarchy[0] += 1,
                            Verdict::Unwinnable => by_hierarchy[1] += 1,
                            Verdict::Unknown => {}
                        }
                    }
                }
            }
        }
    }
    assert!(winnable > 100 && unwinnable > 100, "{winnable} winnable, {unwinnable} unwinnable");
    assert!(by_hierarchy.iter().all(|&number| number > 40), "{by_hierarchy:?} by the hierarchy");
    assert!(filled > 50, "{filled} games in which empty columns are filled at once");
    assert!(copied > 50, "{copied} games of two packs");
    assert!(limited > 20, "{limited} games with a limit on redeals");
    let idle: Vec<Pruning> = Pruning::ALL
        .into_iter()
        .zip(differing)
        .filter_map(|(pruning, differs)| (!differs).then_some(pruning))
        .collect();
    // These games have few sinks and no locks, cards return to piles, and no pairs leave.
    // Beams with whole runs or in stages are for games of the general space, digging needs more
    // cells, and the columns space is for all that this space does not handle.
    let seldom = [
        Pruning::Columns,
        Pruning::Sinks,
        Pruning::Deadlocks,
        Pruning::Counting,
        Pruning::Pairing,
        Pruning::Partners,
        Pruning::WholeRuns,
        Pruning::Stages,
        Pruning::Digging,
    ];
    let idle = idle.into_iter().filter(|pruning| !seldom.contains(pruning));
    assert_eq!(idle.collect::<Vec<_>>(), [], "prunings that were of no use in any game");
}

#[test]
fn lost_deals_have_as_many_positions_as_in_play() {
    // Without a stock, and without prunings, the two spaces differ only in how they store
    // positions, if foundations ask for suits.
    let other = Pruning::ALL.into_iter().filter(|&pruning| pruning != Pruning::CardLinks);
    let (without, mut compared) = (other.collect::<Prunings>(), [0, 0]);
    for seed in 0..4 * games() {
        let kin = if seed % 2 == 0 { Kin::random(seed) } else { Kin::of_two_packs(seed) };
        let cells = if kin.packs > 1 { 0 } else { kin.cells };
        let returns = kin.returns || kin.packs > 1;
        let kin = Kin { stock: 0, suits: true, cells, returns, ..kin };
        let program = compile(kin.program());
        let (state, _) = program.deal(&program.deck(seed)).unwrap();
        let positions = |without| {
            let turns = vec![Strategy::Depth { cards: CardEquivalence::Exact, greedy: false }];
            let options = Options { turns, without, ..Options::nodes(15_000) };
            let report = solve(&program, &state, &options, &mut |_| true);
            (report.verdict == Verdict::Unwinnable).then_some(report.nodes)
        };
        if let (Some(plain), Some(linked)) = (positions(Prunings::all()), positions(without)) {
            // Longer searches begin again after the first round.
            if plain.max(linked) < 2000 {
                assert_eq!(plain, linked, "{kin:?} {seed}");
                compared[usize::from(kin.packs > 1)] += usize::from(plain > 10);
            }
        }
    }
    assert!(compared.iter().all(|&number| number > 20), "{compared:?} of one pack and of two");
}

#[test]
fn prunings_agree_on_larger_games() {
    let (mut winnable, mut unwinnable) = (0, 0);
    for seed in 0..games() / 2 {
        let kin =
            Kin { ranks: 6 + (seed % 4) as u8, columns: 4 + (seed % 3) as u8, ..Kin::random(seed) };
        let reserve = (seed % 11) as u8;
        let kin = Kin { reserve, cells: kin.cells.min(1), space: (seed % 2) as u8, ..kin };
        let program = compile(kin.program());
        let (state, _) = program.deal(&program.deck(seed)).unwrap();
        let mut known = None;
        let mut sets = vec![Prunings::NONE];
        sets.extend(Pruning::ALL.map(|pruning| Prunings::from_iter([pruning])));
        for without in sets {
            let options = Options { without, ..Options::nodes(8000) };
            let what = format!("{kin:?} without {without:?}");
            let report = solve(&program, &state, &options, &mut |_| true);
            let Some(told) = told(&program, &state, &report, &what) else { continue };
            assert_eq!(*known.get_or_insert(told), told, "{what}");
        }
        match known {
            Some(true) => winnable += 1,
            Some(false) => unwinnable += 1,
            None => {}
        }
    }
    let enough = games() as usize / 14;
    assert!(
        winnable > enough && unwinnable > enough,
        "{winnable} winnable, {unwinnable} unwinnable"
    );
}

#[test]
fn rearrangements_change_no_verdict() {
    let (mut winnable, mut unwinnable, mut fewer) = (0, 0, 0);
    for seed in 0..4 * games() {
        // Single cards are built on several others, regardless of suit or on the other colour.
        let kin = Kin {
            packs: 1,
            ranks: 5 + (seed % 3) as u8,
            columns: 4 + (seed % 2) as u8,
            cells: u8::from(seed % 5 == 0),
            reserve: (seed % 7) as u8,
            build: (seed / 2 % 2) as u8,
            unit: 0,
            returns: false,
            hidden: 0,
            stock: 0,
            filling: 0,
            ..Kin::random(seed)
        };
        let program = compile(kin.program());
        let (state, _) = program.deal(&program.deck(seed)).unwrap();
        let ask = |strategy, without| {
            let options = Options { turns: vec![strategy], without, ..Options::nodes(20_000) };
            let report = solve(&program, &state, &options, &mut |_| true);
            let what = format!("{kin:?} {seed} by {strategy:?} without {without:?}");
            (told(&program, &state, &report, &what), report.nodes)
        };
        let exact = Strategy::Depth { cards: CardEquivalence::Exact, greedy: false };
        let (truth, nodes) = ask(exact, [Pruning::Rearrangements].into_iter().collect());
        let Some(truth) = truth else { continue };
        *(if truth { &mut winnable } else { &mut unwinnable }) += 1;
        for strategy in [exact, Strategy::Hierarchy, Strategy::Abstract] {
            let (verdict, with) = ask(strategy, Prunings::NONE);
            assert!(verdict.is_none_or(|won| won == truth), "{kin:?} {seed} by {strategy:?}");
            fewer += u32::from(strategy == exact && !truth && with < nodes);
        }
    }
    let enough = games() as u32 / 2;
    assert!(
        winnable > enough && unwinnable > enough && fewer > enough / 5,
        "{winnable} winnable, {unwinnable} unwinnable, {fewer} with fewer positions"
    );
}

#[test]
fn digging_finds_wins_and_proves_nothing() {
    let kin = Kin {
        packs: 1,
        ranks: 8,
        columns: 6,
        cells: 4,
        reserve: 0,
        build: 1,
        unit: 0,
        space: 0,
        returns: false,
        suits: true,
        hidden: 0,
        stock: 0,
        again: false,
        redeals: 0,
        filling: 0,
        apart: false,
    };
    let options = Options { turns: vec![Strategy::Digging], ..Options::nodes(2000) };
    // Single cards move, or runs as a whole; some lie in a reserve; too few cells.
    let kins = [kin, Kin { unit: 1, ..kin }, Kin { reserve: 5, ..kin }, Kin { cells: 2, ..kin }];
    let won = kins.map(|kin| {
        let program = compile(kin.program());
        let deals = (0..40).filter(|&number| {
            let (state, _) = program.deal(&program.deck(number)).unwrap();
            let report = solve(&program, &state, &options, &mut |_| true);
            let what = format!("{kin:?} deal {number}");
            let told = told(&program, &state, &report, &what);
            assert_ne!(told, Some(false), "{what}");
            let without = [Pruning::Digging].into_iter().collect();
            let options = Options { without, ..options.clone() };
            let idle = solve(&program, &state, &options, &mut |_| true);
            assert_eq!((idle.verdict, idle.nodes), (Verdict::Unknown, 0), "{what}");
            told == Some(true)
        });
        deals.count()
    });
    assert!(won[..3].iter().all(|&won| won > 20) && won[3] == 0, "{won:?}");
}
