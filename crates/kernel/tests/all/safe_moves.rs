//! Safe moves change no verdict, and depend on nothing that is hidden.

use crate::support::kin::Kin;
use crate::support::{cases, compile, deal, down, mask, moving, relation};
use cadogan_kernel::program::{
    Action, Compare, Condition, Counter, Effect, Face, MoveAction, Rule, Source,
};
use cadogan_kernel::{
    CardEquivalence, Journal, Move, Options, Program, Prunings, SplitMix64, State, Strategy,
    Verdict, solve,
};

/// The number of games of the family.
fn games() -> u64 {
    cases(250, 700, 20_000)
}

/// Plain search of the general space, without any pruning: whether a position can be won.
fn truth(program: &Program, state: &State) -> Option<bool> {
    let options = Options {
        turns: vec![Strategy::Depth { cards: CardEquivalence::Exact, greedy: false }],
        without: Prunings::all(),
        ..Options::nodes(8000)
    };
    match solve(program, state, &options, &mut |_| true).verdict {
        Verdict::Winnable(_) => Some(true),
        Verdict::Unwinnable => Some(false),
        Verdict::Unknown => None,
    }
}

fn after(program: &Program, state: &State, played: Move) -> State {
    let mut state = state.clone();
    state.play(program, played, &mut Journal::new()).expect("it is legal");
    state
}

/// Positions of random play, the first one just dealt.
fn positions(program: &Program, number: u64) -> Vec<State> {
    let mut generator = SplitMix64::new(number);
    let (mut state, _) = program.deal(&program.deck(number)).expect("it can be dealt");
    let mut met = vec![state.clone()];
    for _ in 0..12 {
        let moves = state.moves(program);
        if moves.is_empty() {
            break;
        }
        let played = moves[generator.below(moves.len() as u64) as usize];
        state = after(program, &state, played);
        met.push(state.clone());
    }
    met
}

/// The number of safe moves tried in a game from positions that can be won. Fails if one of them
/// cannot be won any more.
fn try_out(program: &Program, number: u64, what: &str) -> usize {
    let mut tried = 0;
    for state in positions(program, number) {
        let safe = state.safe_moves(program);
        if safe.is_empty() || truth(program, &state) != Some(true) {
            continue;
        }
        for played in safe {
            let next = after(program, &state, played);
            let verdict = if next.is_won(program) { Some(true) } else { truth(program, &next) };
            assert_ne!(
                verdict,
                Some(false),
                "{what}: {played:?} in {:?}",
                state.piles().collect::<Vec<_>>()
            );
            tried += 1;
        }
    }
    tried
}

/// The same game in ways that the card-links space does not handle.
fn variation(kin: Kin, seed: u64) -> Source {
    let mut game = kin.program();
    let rule = |game: &Source, name: &str| game.rules.iter().position(|rule| rule.name == name);
    let action = |rule: &mut Rule, change: &dyn Fn(&mut MoveAction)| {
        if let Action::Move(action) = &mut rule.action {
            change(action);
        }
    };
    // Piles that differ.
    if seed.is_multiple_of(2) {
        (100..)
            .zip(&mut game.piles)
            .filter(|(_, pile)| pile.name.starts_with("columns"))
            .for_each(|(class, pile)| pile.class = class);
    }
    // Columns of a few cards, after which nothing goes on them.
    if seed.is_multiple_of(3) {
        for name in ["build", "lay out", "come back"] {
            if let Some(at) = rule(&game, name) {
                action(&mut game.rules[at], &|action| action.to_holds = [0, 3]);
            }
        }
    }
    // The stock is dealt in rows.
    if let (Some(at), 1 | 2) = (rule(&game, "turn"), seed % 4) {
        let steps = vec![deal(0, &piles(&game, "columns"), 1, Face::Up)];
        game.rules[at].action = Action::Script { steps };
        game.rules.retain(|rule| rule.name != "turn over");
    }
    // One redeal.
    if let (Some(at), 0) = (rule(&game, "turn over"), seed % 5) {
        game.counters.push(Counter { name: "redeals".to_owned(), start: 0, cap: 1 });
        let first = Condition::Counter { counter: 0, compare: Compare::Below, number: 1 };
        game.rules[at].when.push(first);
        game.rules[at].effects.push(Effect::Add { counter: 0, value: 1 });
    }
    // From some piles nothing goes up.
    if seed % 7 < 2 {
        let columns: Vec<u8> = piles(&game, "columns");
        let foundations = piles(&game, "foundations");
        action(&mut game.rules[0], &|action| {
            *action = MoveAction { build_order: true, ..moving(&columns, &foundations) };
        });
    }
    // Cards are built on those of their own rank, too.
    if seed.is_multiple_of(3) {
        game.relations[1] = relation(|under, card| down(under, card) || under / 4 == card / 4);
    }
    // A column serves only the next ones.
    if seed.is_multiple_of(11) {
        let columns = piles(&game, "columns");
        if let Some(at) = rule(&game, "build") {
            action(&mut game.rules[at], &|action| {
                action.along = (1..=columns.len()).map(|from| mask(&columns[from..])).collect();
            });
        }
        (200..)
            .zip(&mut game.piles)
            .filter(|(_, pile)| pile.name.starts_with("columns"))
            .for_each(|(class, pile)| pile.class = class);
    }
    game
}

/// The piles of a group.
fn piles(game: &Source, name: &str) -> Vec<u8> {
    (0u8..)
        .zip(&game.piles)
        .filter(|(_, pile)| pile.name.starts_with(name))
        .map(|(at, _)| at)
        .collect()
}

#[test]
fn the_search_is_right_where_cards_do_not_go_up_from_all_piles() {
    let mut decided = [0, 0];
    for seed in (0..games()).filter(|seed| seed % 7 < 2) {
        // Single cards, and columns that take only what builds on them: what is not put on a card
        // in time stays where it is.
        let kin = Kin { unit: 0, hidden: 0, returns: false, ..Kin::random(seed) };
        let kin = Kin { reserve: kin.ranks + (seed % 5) as u8, cells: 0, suits: true, ..kin };
        let program = compile(variation(kin, 2310 * seed + 1));
        let (state, _) = program.deal(&program.deck(seed)).expect("it can be dealt");
        let Some(truth) = truth(&program, &state) else { continue };
        decided[usize::from(truth)] += 1;
        let found = solve(&program, &state, &Options::nodes(20_000), &mut |_| true).verdict;
        let found = match found {
            Verdict::Winnable(_) => true,
            Verdict::Unwinnable => false,
            Verdict::Unknown => continue,
        };
        assert_eq!(found, truth, "{kin:?} {seed}");
    }
    assert!(decided[0] > 20 && decided[1] > 20, "{decided:?} lost and won");
}

#[test]
fn no_safe_move_changes_a_verdict() {
    let (mut plain, mut varied, mut returning) = (0, 0, 0);
    let (mut with_stock, mut in_rows, mut filled) = (0, 0, 0);
    for seed in 0..games() {
        let kin = Kin::random(seed);
        let tried = try_out(&compile(kin.program()), seed, &format!("{kin:?} {seed}"));
        plain += tried;
        returning += if kin.returns { tried } else { 0 };
        with_stock += if kin.stock > 0 { tried } else { 0 };
        filled += if kin.filling > 0 { tried } else { 0 };
        let tried =
            try_out(&compile(variation(kin, seed)), seed, &format!("varied {kin:?} {seed}"));
        varied += tried;
        in_rows += if kin.stock > 0 && matches!(seed % 4, 1 | 2) { tried } else { 0 };
    }
    assert!(plain > 200 && varied > 200, "{plain} plain, {varied} varied");
    assert!(returning > 20 && with_stock > 20, "{returning} returning, {with_stock} with a stock");
    assert!(in_rows > 20 && filled > 20, "{in_rows} with rows, {filled} with piles filled");
}

#[test]
fn no_safe_move_of_two_packs_changes_a_verdict() {
    let (mut plain, mut varied, mut returning, mut with_stock) = (0, 0, 0, 0);
    for seed in 0..games() {
        let kin = Kin::of_two_packs(seed);
        let tried = try_out(&compile(kin.program()), seed, &format!("{kin:?} {seed}"));
        plain += tried;
        returning += if kin.returns { tried } else { 0 };
        with_stock += if kin.stock > 0 { tried } else { 0 };
        varied += try_out(&compile(variation(kin, seed)), seed, &format!("varied {kin:?} {seed}"));
    }
    assert!(plain > 200 && varied > 200, "{plain} plain, {varied} varied");
    assert!(returning > 20 && with_stock > 20, "{returning} returning, {with_stock} with a stock");
}

#[test]
fn the_search_is_right_where_safe_moves_are_the_only_ones() {
    let mut decided = [0, 0];
    for seed in 0..2 * games() {
        let kin = if seed % 2 == 0 { Kin::random(seed / 2) } else { Kin::of_two_packs(seed / 2) };
        let program = compile(variation(kin, seed / 2));
        let (state, _) = program.deal(&program.deck(seed)).expect("it can be dealt");
        let Some(truth) = truth(&program, &state) else { continue };
        let options = Options {
            turns: vec![Strategy::Depth { cards: CardEquivalence::Exact, greedy: false }],
            ..Options::nodes(20_000)
        };
        let found = match solve(&program, &state, &options, &mut |_| true).verdict {
            Verdict::Winnable(_) => true,
            Verdict::Unwinnable => false,
            Verdict::Unknown => continue,
        };
        assert_eq!(found, truth, "{kin:?} {seed}");
        decided[usize::from(truth)] += 1;
    }
    assert!(decided[0] > 20 && decided[1] > 20, "{decided:?} lost and won");
}
