//! Compares the solver with a plain search, and with itself.

use std::collections::HashSet;

use crate::support::{cases, compile, games};
use cadogan_kernel::{
    CardEquivalence, Journal, Limits, Move, Options, Program, Proof, Pruning, Prunings, Report,
    SplitMix64, State, StopReason, Strategy, Verdict, perft, resume, shorten, shortest, solve,
};

fn answer(program: &Program, state: &State, nodes: u64) -> Report {
    solve(program, state, &Options::nodes(nodes), &mut |_| true)
}

/// Whether a line is legal and reaches the aim.
fn wins(program: &Program, state: &State, line: &[cadogan_kernel::Move]) -> bool {
    let mut state = state.clone();
    let mut journal = Journal::new();
    line.iter().all(|&each| state.play(program, each, &mut journal).is_ok())
        && state.is_won(program)
}

/// Breadth-first search in which positions are equal only if all bytes are: no interchange of
/// piles, no hash.
fn winnable_by_exhaustion(program: &Program, root: &State) -> Option<bool> {
    type Key = (Vec<Vec<u8>>, Vec<u16>, u128, Option<u8>);
    let key = |state: &State| -> Key {
        let piles = state.piles().map(<[u8]>::to_vec).collect();
        (piles, state.counters().to_vec(), state.closed(), state.choosing())
    };
    let mut met = HashSet::from([key(root)]);
    let mut open = vec![root.clone()];
    while let Some(state) = open.pop() {
        if state.is_won(program) {
            return Some(true);
        }
        if met.len() > 5000 {
            return None;
        }
        for each in state.moves(program) {
            let mut next = state.clone();
            next.play(program, each, &mut Journal::new()).expect("listed moves can be played");
            if met.insert(key(&next)) {
                open.push(next);
            }
        }
    }
    Some(false)
}

#[test]
fn verdicts_are_right() {
    let mut games = games::all();
    games.push(("small garden", games::garden(4, 2, 6)));
    let (mut wins_found, mut losses_found) = (0, 0);
    for (name, program) in games {
        let program = compile(program);
        for number in 0..cases(3, 10, 30) {
            let (state, _) = program.deal(&program.deck(number)).unwrap();
            let report = answer(&program, &state, 10_000);
            match (&report.verdict, winnable_by_exhaustion(&program, &state)) {
                (Verdict::Winnable(line), truth) => {
                    assert!(wins(&program, &state, line), "{name} {number}");
                    assert_ne!(truth, Some(false), "{name} {number}");
                    wins_found += 1;
                }
                (Verdict::Unwinnable, truth) => {
                    assert_ne!(truth, Some(true), "{name} {number}");
                    losses_found += 1;
                }
                (Verdict::Unknown, _) => assert!(report.nodes > 0),
            }
        }
    }
    assert!(wins_found > 20 && losses_found > 5, "{wins_found} wins, {losses_found} losses");
}

/// Small deals. Every strategy decides them alone and is compared with the truth.
fn small_games() -> Vec<(&'static str, Program)> {
    let mut small = games::all();
    for (ranks, beds, size) in [(3, 2, 4), (4, 2, 6), (4, 2, 7), (4, 1, 10), (4, 1, 13)] {
        small.push(("garden", games::garden(ranks, beds, size)));
    }
    small.push(("locked", games::locked(4, 2, 6, 4)));
    small.into_iter().map(|(name, program)| (name, compile(program))).collect()
}

#[test]
fn playouts_win_some_games_and_are_always_the_same() {
    let options = Options { turns: vec![Strategy::Playouts], ..Options::nodes(5_000) };
    let mut won = 0;
    for (_, program) in small_games() {
        for number in 0..4 {
            let (state, _) = program.deal(&program.deck(number)).unwrap();
            let report = solve(&program, &state, &options, &mut |_| true);
            assert_eq!(report, solve(&program, &state, &options, &mut |_| true));
            won += u32::from(matches!(report.verdict, Verdict::Winnable(_)));
        }
    }
    assert!(won > 20, "{won}");
}

#[test]
fn a_verdict_is_the_same_if_its_line_is_not_wanted() {
    let mut won = 0;
    for (name, program) in small_games() {
        for number in 0..4 {
            let (state, _) = program.deal(&program.deck(number)).unwrap();
            let options = Options::nodes(5_000);
            let with = solve(&program, &state, &options, &mut |_| true);
            let options = Options { wants_line: false, ..options };
            let without = solve(&program, &state, &options, &mut |_| true);
            let kind = |verdict: &Verdict| std::mem::discriminant(verdict);
            assert_eq!(kind(&with.verdict), kind(&without.verdict), "{name} {number}");
            assert_eq!(
                (with.nodes, with.strategy, with.end),
                (without.nodes, without.strategy, without.end),
                "{name} {number}"
            );
            won += u32::from(matches!(without.verdict, Verdict::Winnable(_)));
        }
    }
    assert!(won > 20, "{won}");
}

#[test]
fn no_strategy_contradicts_exhaustion() {
    let mut proofs = [0; Strategy::TURNS.len()];
    for (name, program) in small_games() {
        for number in 0..cases(4, 12, 40) {
            let (state, _) = program.deal(&program.deck(number)).unwrap();
            let Some(truth) = winnable_by_exhaustion(&program, &state) else { continue };
            for (turn, strategy) in Strategy::TURNS.into_iter().enumerate() {
                let options = Options {
                    turns: vec![strategy],
                    // It would prove losses for all of them.
                    without: [Pruning::Deadlocks].into_iter().collect(),
                    ..Options::nodes(20_000)
                };
                let report = solve(&program, &state, &options, &mut |_| true);
                match &report.verdict {
                    Verdict::Winnable(line) => {
                        assert!(truth, "{name} {number} {strategy:?}");
                        assert!(wins(&program, &state, line), "{name} {number} {strategy:?}");
                    }
                    Verdict::Unwinnable => {
                        assert!(!truth, "{name} {number} {strategy:?}");
                        proofs[turn] += 1;
                    }
                    Verdict::Unknown => {}
                }
            }
        }
    }
    for (strategy, proofs) in Strategy::TURNS.into_iter().zip(proofs) {
        let proves = match strategy {
            Strategy::Best { cards, greedy, .. } | Strategy::Depth { cards, greedy } => {
                cards == CardEquivalence::Exact && !greedy
            }
            Strategy::PerturbedBestFirst { cards, .. }
            | Strategy::PerturbedBeam { cards, .. }
            | Strategy::Beam { cards, .. }
            | Strategy::Restarts { cards } => cards == CardEquivalence::Exact,
            Strategy::Abstract | Strategy::Hierarchy => true,
            Strategy::RunBeam { .. }
            | Strategy::StageBeam { .. }
            | Strategy::Nrpa { .. }
            | Strategy::Playouts
            | Strategy::Digging => false,
        };
        assert_eq!(proofs > 0, proves, "{strategy:?} gave {proofs} proofs");
    }
}

#[test]
fn beams_win_small_games_with_a_stock() {
    let run_beam = Strategy::RunBeam { weights: 3 };
    let run_stages = Strategy::StageBeam { weights: 3, whole_runs: true };
    let stages = Strategy::StageBeam { weights: 4, whole_runs: false };
    for (game, strategy, least, switches) in [
        (games::spider(), run_beam, 20, vec![Pruning::WholeRuns]),
        (games::spider(), run_stages, 20, vec![Pruning::WholeRuns, Pruning::Stages]),
        (games::forty_thieves(), stages, 20, vec![Pruning::Stages]),
    ] {
        let program = compile(game);
        let (mut won, mut overlooked) = (0, 0);
        for number in 0..40 {
            let (state, _) = program.deal(&program.deck(number)).unwrap();
            let options = Options { turns: vec![strategy], ..Options::nodes(200_000) };
            let report = solve(&program, &state, &options, &mut |_| true);
            let truth = answer(&program, &state, 100_000).verdict;
            match &report.verdict {
                Verdict::Winnable(line) => {
                    assert!(wins(&program, &state, line), "{number} {strategy:?}");
                    won += 1;
                }
                // They prove no loss, even if nothing is left to search.
                verdict => {
                    assert_eq!(*verdict, Verdict::Unknown, "{number} {strategy:?}");
                    overlooked += u32::from(matches!(truth, Verdict::Winnable(_)));
                }
            }
            for &switch in &switches {
                let without = [switch].into_iter().collect();
                let off =
                    solve(&program, &state, &Options { without, ..options.clone() }, &mut |_| true);
                assert_eq!((off.verdict, off.nodes), (Verdict::Unknown, 0), "{switch}");
            }
        }
        assert!(won >= least, "{strategy:?} won {won}, overlooked {overlooked}");
    }
}

#[test]
fn deadlocks_are_found_only_where_a_deal_is_lost() {
    let mut found = 0;
    // If all other cards are free, every lost deal has a deadlocked pile.
    for (ranks, suits, size, spread) in [(4, 1, 5, 1), (3, 2, 8, 1), (4, 2, 12, 1), (5, 1, 7, 1)]
        .into_iter()
        .chain([(4, 1, 4, 2), (3, 2, 5, 2), (4, 2, 6, 4), (3, 3, 8, 4), (6, 1, 4, 3)])
    {
        let program = compile(games::locked(ranks, suits, size, spread));
        for number in 0..150 {
            let (state, _) = program.deal(&program.deck(number)).unwrap();
            let Some(truth) = winnable_by_exhaustion(&program, &state) else { continue };
            let by = |strategy| {
                let options = Options { turns: vec![strategy], ..Options::nodes(20_000) };
                solve(&program, &state, &options, &mut |_| true)
            };
            for strategy in [
                Strategy::Best { weights: 0, cards: CardEquivalence::Exact, greedy: false },
                Strategy::Depth { cards: CardEquivalence::Exact, greedy: false },
                Strategy::Restarts { cards: CardEquivalence::Exact },
            ] {
                let report = by(strategy);
                let is_stuck = report.proof == Some(Proof::Deadlock);
                assert_eq!(is_stuck, report.strategy == "deadlocks");
                assert!(is_stuck || truth || spread > 1, "{ranks} {suits} {size} {number}");
                let told = match report.verdict {
                    Verdict::Winnable(_) => Some(true),
                    Verdict::Unwinnable => Some(false),
                    Verdict::Unknown => None,
                };
                assert_eq!(told, Some(truth), "{ranks} {suits} {size} {spread} {number}");
                found += u32::from(is_stuck);
            }
        }
    }
    assert!(found > 300, "{found} deadlocks");
}

#[test]
fn the_same_question_has_the_same_answer() {
    let program = compile(games::siege());
    for number in 0..5 {
        let (state, _) = program.deal(&program.deck(number)).unwrap();
        assert_eq!(answer(&program, &state, 5000), answer(&program, &state, 5000));
    }
}

#[test]
fn budgets_are_kept() {
    let program = compile(games::klondike());
    for budget in [0, 1, 10, 1500, 9999] {
        let (state, _) = program.deal(&program.deck(3)).unwrap();
        let report = answer(&program, &state, budget);
        assert!(report.nodes <= budget, "{} of {budget}", report.nodes);
    }
}

#[test]
fn a_search_can_be_interrupted() {
    let (program, state) = hard_garden(60_000);
    let options = Options::nodes(1 << 40);
    let mut told = Vec::new();
    let interrupted = solve(&program, &state, &options, &mut |progress| {
        told.push(*progress);
        told.len() < 3
    });
    assert_eq!(
        (interrupted.end, &interrupted.verdict),
        (StopReason::Interrupted, &Verdict::Unknown)
    );
    assert!(told.is_sorted_by_key(|progress| progress.nodes));
    assert_eq!(told[2].nodes, interrupted.nodes);
    assert!(told.iter().all(|progress| progress.bytes > 0 && progress.depth > 0));
    let uninterrupted = answer(&program, &state, 100_000);
    let place = interrupted.checkpoint.as_ref();
    let resumed = resume(&program, &state, &Options::nodes(100_000), place, &mut |_| true);
    assert_eq!(resumed, uninterrupted);
}

/// A garden that is not decided within a number of nodes.
fn hard_garden(nodes: u64) -> (Program, State) {
    let program = compile(games::garden(10, 6, 4));
    let mut deals = (0..1000).map(|number| program.deal(&program.deck(number)).unwrap().0);
    let hard = deals.find(|state| answer(&program, state, nodes).verdict == Verdict::Unknown);
    let state = hard.unwrap();
    (program, state)
}

#[test]
fn a_search_out_of_memory_ends_without_a_verdict() {
    let (program, state) = hard_garden(60_000);
    for threads in [1, 2] {
        let limits = Limits { nodes: 1 << 40, memory: 1 << 18 };
        // Strategies with restarts or short attempts never need much.
        let mut turns = Strategy::TURNS.to_vec();
        let is_large = |turn: &Strategy| {
            use Strategy::{Nrpa, PerturbedBestFirst, Playouts, Restarts};
            !matches!(turn, Restarts { .. } | PerturbedBestFirst { .. } | Nrpa { .. } | Playouts)
        };
        turns.retain(is_large);
        let options = Options { threads, turns, ..Options::within(limits) };
        let report = solve(&program, &state, &options, &mut |_| true);
        assert_eq!((report.verdict, report.end), (Verdict::Unknown, StopReason::Memory));
        assert!(report.nodes < 1 << 20);
    }
}

#[test]
fn a_search_goes_on_as_if_it_had_not_stopped() {
    let mut decided = 0;
    for (name, program) in small_games() {
        for number in 0..cases(2, 4, 12) {
            let (state, _) = program.deal(&program.deck(number)).unwrap();
            let whole = answer(&program, &state, 30_000);
            let mut report = answer(&program, &state, 100);
            for budget in [101, 1999, 2000, 2001, 7000, 7001, 29_999, 30_000] {
                let Some(place) = report.checkpoint.take() else { break };
                let options = Options::nodes(budget);
                report = resume(&program, &state, &options, Some(&place), &mut |_| true);
                assert_eq!(report, answer(&program, &state, budget), "{name} {number} {budget}");
            }
            if report.verdict != Verdict::Unknown {
                decided += 1;
                assert_eq!(report, whole, "{name} {number}");
            }
        }
    }
    assert!(decided > 20, "{decided}");
}

/// Class-blind searches begin again when they have exhausted their space, and a search of several
/// levels is in one of them. Budgets may end anywhere.
#[test]
fn searches_of_card_links_go_on_as_if_they_had_not_stopped() {
    let cards = CardEquivalence::BY_CLASS;
    let turns = [
        Strategy::Depth { cards, greedy: false },
        Strategy::Best { weights: 0, cards, greedy: false },
        Strategy::Hierarchy,
        Strategy::Abstract,
    ];
    let program = compile(games::garden(8, 5, 5));
    let (mut began_again, mut decided) = (0, 0);
    for number in 0..cases(20, 60, 200) {
        let (state, _) = program.deal(&program.deck(number)).unwrap();
        for turns in [vec![turns[0]], vec![turns[1]], vec![turns[2]], turns.to_vec()] {
            let within = |nodes| Options { turns: turns.clone(), ..Options::nodes(nodes) };
            let mut report = solve(&program, &state, &within(100), &mut |_| true);
            for budget in (500..12_000).step_by(1_777).chain([20_000, 26_000, 40_000]) {
                let Some(place) = report.checkpoint.take() else { break };
                report = resume(&program, &state, &within(budget), Some(&place), &mut |_| true);
                let whole = solve(&program, &state, &within(budget), &mut |_| true);
                assert_eq!(report, whole, "{number} {turns:?} {budget}");
            }
            began_again += u32::from(report.verdict == Verdict::Unknown && turns.len() == 1);
            decided += u32::from(report.verdict != Verdict::Unknown);
        }
    }
    assert!(began_again > 4 && decided > 20, "{began_again} {decided}");
}

/// Proofs go on in the next round where they were, or begin anew without counting twice.
#[test]
fn a_proof_goes_on_as_if_it_had_not_stopped() {
    let (mut resumed, mut lost) = (0, 0);
    for (name, program) in small_games() {
        let shares = ["depth-first", "abstract-games"].map(|turn| (turn.to_owned(), 1));
        let within = |nodes| Options { shares: shares.to_vec(), ..Options::nodes(nodes) };
        for number in 0..cases(2, 4, 12) {
            let (state, _) = program.deal(&program.deck(number)).unwrap();
            let whole = solve(&program, &state, &within(20_000), &mut |_| true);
            let threads = Options { threads: 3, ..within(20_000) };
            assert_eq!(solve(&program, &state, &threads, &mut |_| true), whole, "{name} {number}");
            lost += u32::from(whole.verdict == Verdict::Unwinnable);
            for nodes in [50, 700, 3000, 9000] {
                let first = solve(&program, &state, &within(nodes), &mut |_| true);
                let Some(place) = first.checkpoint.as_ref() else { break };
                let then = resume(&program, &state, &within(20_000), Some(place), &mut |_| true);
                assert_eq!(then, whole, "{name} {number} {nodes}");
                resumed += 1;
            }
        }
    }
    assert!(resumed > 20 && lost > 5, "{resumed} {lost}");
}

#[test]
fn threads_change_nothing_but_the_time() {
    for (name, program) in small_games() {
        for number in 0..cases(1, 3, 10) {
            let (state, _) = program.deal(&program.deck(number)).unwrap();
            for budget in [1500, 9000, 30_000] {
                let alone = answer(&program, &state, budget);
                for threads in [2, 5] {
                    let options = Options { threads, ..Options::nodes(budget) };
                    let report = solve(&program, &state, &options, &mut |_| true);
                    assert_eq!(report, alone, "{name} {number} {budget} {threads}");
                }
            }
        }
    }
}

#[test]
fn a_search_on_threads_can_be_interrupted() {
    let (program, state) = hard_garden(200_000);
    let options = Options { threads: 3, ..Options::nodes(1 << 40) };
    let report = solve(&program, &state, &options, &mut |_| false);
    assert_eq!((report.verdict, report.end), (Verdict::Unknown, StopReason::Interrupted));
}

#[test]
fn no_pruning_changes_a_verdict() {
    let mut differing = [false; Pruning::ALL.len()];
    let mut games = small_games();
    games.push(("golf", compile(games::golf(4, 4, 3))));
    // Proofs come first, so that their savings show.
    let mut turns = Strategy::TURNS.to_vec();
    turns.sort_by_key(|turn| {
        *turn != Strategy::Depth { cards: CardEquivalence::Exact, greedy: false }
    });
    turns.sort_by_key(|turn| *turn != Strategy::Abstract);
    for (name, program) in games {
        for number in 0..cases(4, 6, 20) {
            let (state, _) = program.deal(&program.deck(number)).unwrap();
            let truth = winnable_by_exhaustion(&program, &state);
            let mut sets: Vec<Prunings> =
                Pruning::ALL.iter().map(|&each| [each].into_iter().collect()).collect();
            sets.push(Prunings::all());
            let options = Options { turns: turns.clone(), ..Options::nodes(10_000) };
            let with_all = solve(&program, &state, &options, &mut |_| true);
            for (set, without) in sets.into_iter().enumerate() {
                let options = Options { without, ..options.clone() };
                let report = solve(&program, &state, &options, &mut |_| true);
                let told = match &report.verdict {
                    Verdict::Winnable(line) => {
                        assert!(wins(&program, &state, line), "{name} {number} {without:?}");
                        Some(true)
                    }
                    Verdict::Unwinnable => Some(false),
                    Verdict::Unknown => None,
                };
                if let (Some(told), Some(truth)) = (told, truth) {
                    assert_eq!(told, truth, "{name} {number} {without:?}");
                }
                if let Some(differs) = differing.get_mut(set) {
                    *differs |= report.nodes != with_all.nodes;
                }
            }
        }
    }
    // Dead ends, splits and rearrangements matter in larger games, which `card_links.rs` tests;
    // `card_sets.rs`, `columns.rs` and `pairing.rs` have the games of their spaces. Beams come late
    // in a round and have a test of their own, as digging has.
    for elsewhere in [
        Pruning::DeleteRelaxation,
        Pruning::Splits,
        Pruning::Rearrangements,
        Pruning::CardSets,
        Pruning::Columns,
        Pruning::Pairing,
        Pruning::Partners,
        Pruning::WholeRuns,
        Pruning::Stages,
        Pruning::Digging,
    ] {
        differing[elsewhere as usize] = true;
    }
    assert_eq!(differing, [true; Pruning::ALL.len()], "a pruning that is never of use");
}

/// Counts paths by playing every one of them.
fn paths(program: &Program, state: &State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let next = |each| {
        let mut next = state.clone();
        next.play(program, each, &mut Journal::new()).expect("listed moves can be played");
        paths(program, &next, depth - 1)
    };
    state.moves(program).into_iter().map(next).sum()
}

#[test]
fn perft_counts_paths() {
    for (name, program) in games::all() {
        let program = compile(program);
        let (state, _) = program.deal(&program.deck(11)).unwrap();
        for depth in 0..4 {
            let counted = perft(&program, &state, depth, &mut || false).unwrap();
            assert_eq!(counted, paths(&program, &state, depth), "{name} {depth}");
        }
    }
}

#[test]
fn what_lies_deep_in_a_sink_does_not_count() {
    let program = compile(games::golf(4, 4, 3));
    let (mut wins_found, mut losses_found) = (0, 0);
    for number in 0..40 {
        let (state, _) = program.deal(&program.deck(number)).unwrap();
        let report = answer(&program, &state, 50_000);
        match (&report.verdict, winnable_by_exhaustion(&program, &state)) {
            (Verdict::Winnable(line), truth) => {
                assert!(wins(&program, &state, line), "{number}");
                assert_ne!(truth, Some(false), "{number}");
                wins_found += 1;
            }
            (Verdict::Unwinnable, truth) => {
                assert_ne!(truth, Some(true), "{number}");
                losses_found += 1;
            }
            (Verdict::Unknown, _) => panic!("{number} is small enough to be decided"),
        }
    }
    assert!(wins_found > 2 && losses_found > 2, "{wins_found} wins, {losses_found} losses");
}

/// A winning line by random moves, if one is found.
fn wandering_line(program: &Program, root: &State, seed: u64) -> Option<Vec<Move>> {
    let mut chance = SplitMix64::new(seed);
    let (mut state, mut line) = (root.clone(), Vec::new());
    while !state.is_won(program) {
        let moves = state.moves(program);
        if moves.is_empty() || line.len() == 5000 {
            return None;
        }
        let each = moves[chance.below(moves.len() as u64) as usize];
        state.play(program, each, &mut Journal::new()).expect("listed moves can be played");
        line.push(each);
    }
    Some(line)
}

/// The fewest moves to a win, by brute force.
fn fewest_moves(program: &Program, root: &State) -> Option<usize> {
    let mut layer = vec![root.clone()];
    let mut met: HashSet<State> = layer.iter().cloned().collect();
    for depth in 0.. {
        if layer.iter().any(|state| state.is_won(program)) {
            return Some(depth);
        }
        if layer.is_empty() || met.len() > 20_000 {
            return None;
        }
        let mut next = Vec::new();
        for state in layer {
            for each in state.moves(program) {
                let mut after = state.clone();
                after.play(program, each, &mut Journal::new()).expect("listed moves can be played");
                if met.insert(after.clone()) {
                    next.push(after);
                }
            }
        }
        layer = next;
    }
    None
}

#[test]
fn lines_become_shorter_and_shortest() {
    let (mut from, mut to, mut proved) = (0, 0, 0);
    let mut games = small_games();
    games.push(("golf", compile(games::golf(4, 4, 3))));
    for (name, program) in games {
        for number in 0..cases(2, 4, 12) {
            let (state, _) = program.deal(&program.deck(number)).unwrap();
            let lines = (0..20).filter_map(|seed| wandering_line(&program, &state, seed));
            let options = Options::nodes(20_000);
            let solved = || match solve(&program, &state, &options, &mut |_| true).verdict {
                Verdict::Winnable(line) => Some(line),
                _ => None,
            };
            let Some(line) = lines.max_by_key(Vec::len).or_else(solved) else { continue };
            let short = shorten(&program, &state, &line, &options, &mut |_| true).unwrap();
            assert!(wins(&program, &state, &short.line), "{name} {number}");
            assert!(short.line.len() <= line.len(), "{name} {number}");
            let short_again = shorten(&program, &state, &line, &options, &mut |_| true);
            assert_eq!(short_again.as_ref(), Some(&short), "{name} {number}");
            from += line.len();
            to += short.line.len();

            let best = shortest(&program, &state, &short.line, &options, &mut |_| true).unwrap();
            assert!(wins(&program, &state, &best.line), "{name} {number}");
            assert!(best.lower_bound <= best.line.len() && best.line.len() <= short.line.len());
            let Some(fewest) = fewest_moves(&program, &state) else { continue };
            assert!(best.lower_bound <= fewest && fewest <= best.line.len(), "{name} {number}");
            proved += usize::from(best.lower_bound == best.line.len());
        }
    }
    assert!(to * 3 < from * 2, "{from} moves became {to}");
    assert!(proved > 2, "{proved} lines were proved to be shortest");
}

#[test]
fn what_does_not_win_is_not_made_shorter() {
    let program = compile(games::klondike());
    let (state, _) = program.deal(&program.deck(0)).unwrap();
    assert_eq!(shorten(&program, &state, &[], &Options::nodes(100), &mut |_| true), None);
    let nonsense = [Move::from_code(u32::MAX)];
    assert_eq!(shortest(&program, &state, &nonsense, &Options::nodes(100), &mut |_| true), None);
}
