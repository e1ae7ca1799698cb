//! Compares the card-sets space with plain search of the general space.

use crate::support::kin::Kin;
use crate::support::known::{DEPTH, Known};
use crate::support::{cases, compile};
use cadogan_kernel::{
    Journal, Options, Program, Proof, Pruning, SplitMix64, State, Strategy, Verdict, solve,
};

/// Games in which runs move as a whole or in part, by each way of building and of filling spaces
/// that the space handles, with a stock, a reserve and hidden cards or without.
fn game(seed: u64) -> Kin {
    let kin = Kin::random(seed);
    let mut generator = SplitMix64::new(seed ^ 0x5E75);
    let mut below = |bound: u64| generator.below(bound) as u8;
    let reserve = if below(3) == 0 { kin.reserve } else { 0 };
    Kin {
        columns: 2 + below(4),
        cells: 0,
        reserve,
        unit: 1,
        space: 1 + u8::from(below(4) == 0),
        returns: below(3) > 0,
        suits: true,
        hidden: below(4),
        stock: below(4),
        filling: 0,
        redeals: 0,
        apart: false,
        ..kin
    }
}

/// A position after some random moves.
fn played(program: &Program, seed: u64) -> State {
    let mut generator = SplitMix64::new(seed);
    let (mut state, mut journal) = (program.deal(&program.deck(seed)).unwrap().0, Journal::new());
    for _ in 0..generator.below(12) * u64::from(seed.is_multiple_of(3)) {
        let moves = state.moves(program);
        if moves.is_empty() || state.is_won(program) {
            break;
        }
        let played = moves[generator.below(moves.len() as u64) as usize];
        state.play(program, played, &mut journal).unwrap();
    }
    state
}

#[test]
fn verdicts_are_those_of_plain_search() {
    let (mut winnable, mut unwinnable, mut smaller) = (0, 0, 0);
    let (mut without_order, mut built_on) = (0, 0);
    for seed in 0..cases(500, 1500, 30_000) {
        let kin = game(seed);
        let program = compile(kin.program());
        let state = played(&program, seed);
        if state.is_won(&program) {
            continue;
        }
        let Some(known) = Known::by_plain_search(&program, &state, format!("{kin:?} {seed}"))
        else {
            continue;
        };
        *(if known.is_winnable { &mut winnable } else { &mut unwinnable }) += 1;
        known.check(&Options::nodes(60_000), "the search");
        for turn in Strategy::CARD_SETS_TURNS {
            if !matches!(turn, Strategy::Nrpa { .. } | Strategy::Abstract) {
                known.check(&Options { turns: vec![turn], ..Options::nodes(300_000) }, turn.name());
            }
        }
        let ours = Options { turns: vec![DEPTH], ..Options::nodes(60_000) };
        let nodes = known.check(&ours.clone(), "depth-first search");
        let prunings = [Pruning::SafePlay, Pruning::DeleteRelaxation, Pruning::ReserveMacro];
        for pruning in prunings {
            let without = [pruning].into_iter().collect();
            known.check(&Options { without, ..ours.clone() }, pruning.name());
            let without = prunings.into_iter().filter(|&other| other != pruning).collect();
            let more = known.check(&Options { without, ..ours.clone() }, "one pruning alone");
            let without = prunings.into_iter().collect();
            let bare = known.check(&Options { without, ..ours.clone() }, "the bare space");
            built_on += u32::from(pruning == Pruning::ReserveMacro && more < bare);
        }
        let abstractly = Options { turns: vec![Strategy::Abstract], ..Options::nodes(60_000) };
        let report = solve(&program, &state, &abstractly, &mut |_| true);
        if report.verdict != Verdict::Unknown {
            assert!(!known.is_winnable, "the abstract game loses a win: {kin:?} {seed}");
            assert!(matches!(report.proof, Some(Proof::FreeStock { positions: 1.. })));
            without_order += 1;
        }
        let without = [Pruning::CardSets].into_iter().collect();
        let theirs = Options { turns: vec![DEPTH], without, ..Options::nodes(200_000) };
        let others = known.check(&theirs, "other spaces");
        smaller += u32::from(nodes < others);
    }
    assert!(winnable > 100, "{winnable}");
    assert!(unwinnable > 100, "{unwinnable}");
    assert!(without_order > 20, "the stock without order proved hardly a loss: {without_order}");
    assert!(built_on > 5, "cards of the stock were seldom due: {built_on}");
    assert!(smaller > 100, "the card-sets space was not used: {smaller}");
}
