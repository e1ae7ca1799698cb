//! Players: their games are legal, depend only on the seed, and do not depend on hidden cards.

use std::collections::BTreeSet;

use crate::support::{compile, games};
use cadogan_kernel::card::{card, is_face_down};
use cadogan_kernel::{
    FairPlayerOptions, Game, Journal, Move, Policy, Program, Shown, SplitMix64, State, play_fair,
    play_out,
};
use proptest::prelude::*;

const FAIR: FairPlayerOptions =
    FairPlayerOptions { samples: 3, playouts: 1, solver: 0, budget: 4000, limit: 60 };

fn game_of(program: &Program, deck: &[u8], fair: &FairPlayerOptions, seed: u64) -> Game {
    let shown = vec![Shown::All; program.piles()];
    play_fair(program, &shown, deck, fair, seed, &mut || false).expect("it is played")
}

fn replay(program: &Program, deck: &[u8], line: &[Move]) -> Vec<State> {
    let (mut state, _) = program.deal(deck).expect("the pack of the game");
    let mut journal = Journal::new();
    let mut states = vec![state.clone()];
    for &each in line {
        state.play(program, each, &mut journal).expect("a legal move");
        states.push(state.clone());
    }
    states
}

/// What a player sees of a position, and its legal moves.
fn view(program: &Program, state: &State) -> (Vec<Vec<Option<u8>>>, Vec<u16>, Vec<Move>) {
    let look = |&byte: &u8| (!is_face_down(byte)).then(|| card(byte));
    let piles = state.piles().map(|pile| pile.iter().map(look).collect());
    (piles.collect(), state.counters().to_vec(), state.moves(program))
}

/// What a player sees of a deal and of some moves, the forced moves, too. Fails if one is illegal.
fn watch(program: &Program, deck: &[u8], line: &[Move]) -> Option<Vec<impl PartialEq + use<>>> {
    let (mut state, forced) = program.deal(deck).expect("the pack");
    let mut seen = vec![(forced, view(program, &state))];
    let mut journal = Journal::new();
    for &each in line {
        journal.clear();
        state.play(program, each, &mut journal).ok()?;
        seen.push((journal.forced().to_vec(), view(program, &state)));
    }
    Some(seen)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_played_out_game_is_legal_and_repeats_itself(
        game in 0..games::all().len(), number in 0..200u64, seed: u64, greedy: bool,
    ) {
        let program = compile(games::all().swap_remove(game).1);
        let policy = if greedy { Policy::Greedy } else { Policy::Random };
        let deck = program.deck(number);
        let (state, _) = program.deal(&deck).expect("the pack");
        let play = || play_out(&program, &state, policy, seed, 80, &mut || false).expect("it is played");
        let game = play();
        prop_assert_eq!(&game, &play());
        let states = replay(&program, &deck, &game.line);
        prop_assert_eq!(game.won, states[game.line.len()].is_won(&program));
        let met: BTreeSet<u128> = states.iter().map(State::hash128).collect();
        prop_assert_eq!(met.len(), states.len(), "a position was met twice");
        prop_assert!(game.nodes >= game.line.len() as u64 && game.line.len() <= 80);
    }

    #[test]
    fn a_fair_game_is_legal_and_repeats_itself(
        game in 0..games::all().len(), number in 0..200u64, seed: u64, solver in 0..40u64,
    ) {
        let program = compile(games::all().swap_remove(game).1);
        let fair = FairPlayerOptions { solver, limit: 25, ..FAIR };
        let deck = program.deck(number);
        let game = game_of(&program, &deck, &fair, seed);
        prop_assert_eq!(&game, &game_of(&program, &deck, &fair, seed));
        let states = replay(&program, &deck, &game.line);
        prop_assert_eq!(game.won, states[game.line.len()].is_won(&program));
    }

    /// Exchanges the cards that were not seen before some move. No earlier decision, and not that
    /// one, may change.
    #[test]
    fn a_fair_player_does_not_peek(
        game in prop::sample::select(vec!["klondike", "siege", "couples", "payments", "fans"]),
        number in 0..300u64, seed in 0..4u64, until in 0..12usize, other: u64, solver in 0..120u64,
    ) {
        let program = games::all().into_iter().find(|(name, _)| *name == game).expect("a game").1;
        let program = compile(program);
        let fair = FairPlayerOptions { solver, limit: until + 1, ..FAIR };
        let deck = program.deck(number);
        let line = game_of(&program, &deck, &fair, seed).line;
        let until = until.min(line.len());
        let states = replay(&program, &deck, &line[..until]);
        // With equal cards of two packs it is unclear which of them was seen, so neither is
        // exchanged.
        let seen: BTreeSet<u8> = states
            .iter()
            .flat_map(|state| state.piles().flatten().copied().collect::<Vec<u8>>())
            .filter(|&byte| !is_face_down(byte))
            .collect();
        let hidden: Vec<usize> =
            (0..deck.len()).filter(|&place| !seen.contains(&deck[place])).collect();
        let mut exchanged = deck.clone();
        let mut chance = SplitMix64::new(other);
        for last in (1..hidden.len()).rev() {
            exchanged.swap(hidden[last], hidden[chance.below(last as u64 + 1) as usize]);
        }
        // If forced rules depend on hidden cards, the player may see something else from here on.
        prop_assume!(watch(&program, &exchanged, &line[..until])
            == watch(&program, &deck, &line[..until]));
        let again = game_of(&program, &exchanged, &fair, seed).line;
        let decided = (until + 1).min(line.len());
        prop_assert_eq!(&line[..decided], &again[..decided]);
    }
}

#[test]
fn thinking_wins_more_than_taste_or_chance() {
    let program = compile(games::garden(6, 4, 4));
    let fair =
        FairPlayerOptions { samples: 1, playouts: 2, solver: 50, budget: 100_000, limit: 200 };
    let (mut random, mut greedy, mut thoughtful) = (0u32, 0u32, 0u32);
    for number in 0..60 {
        let deck = program.deck(number);
        let (state, _) = program.deal(&deck).expect("the pack");
        let play = |policy| play_out(&program, &state, policy, 1, 200, &mut || false);
        random += u32::from(play(Policy::Random).expect("played").won);
        greedy += u32::from(play(Policy::Greedy).expect("played").won);
        thoughtful += u32::from(game_of(&program, &deck, &fair, 1).won);
    }
    assert!(random.max(greedy) < thoughtful, "{random} {greedy} {thoughtful}");
}

#[test]
fn planning_wins_more_where_cards_are_hidden() {
    let program = compile(games::klondike());
    let fair =
        FairPlayerOptions { samples: 12, playouts: 1, solver: 200, budget: 400_000, limit: 400 };
    let (mut greedy, mut planned) = (0u32, 0u32);
    for number in 0..24 {
        let deck = program.deck(number);
        let (state, _) = program.deal(&deck).expect("the pack");
        let played = play_out(&program, &state, Policy::Greedy, 1, 400, &mut || false);
        greedy += u32::from(played.expect("played").won);
        planned += u32::from(game_of(&program, &deck, &fair, 1).won);
    }
    assert!(planned >= 2 * greedy, "{greedy} {planned}");
}

#[test]
fn few_nodes_make_no_player_worse_than_a_greedy_one() {
    let fair = FairPlayerOptions { samples: 4, playouts: 1, solver: 50, budget: 2000, limit: 200 };
    let (mut greedy, mut thoughtful) = (0u32, 0u32);
    for (_, source) in games::all() {
        let program = compile(source);
        for number in 0..12 {
            let deck = program.deck(number);
            let (state, _) = program.deal(&deck).expect("the pack");
            let played = play_out(&program, &state, Policy::Greedy, 1, 200, &mut || false);
            greedy += u32::from(played.expect("played").won);
            thoughtful += u32::from(game_of(&program, &deck, &fair, 1).won);
        }
    }
    assert!(greedy <= thoughtful, "{greedy} {thoughtful}");
}

#[test]
fn a_player_can_be_interrupted() {
    let program = compile(games::garden(13, 6, 6));
    let deck = program.deck(1);
    let shown = vec![Shown::All; program.piles()];
    assert!(play_fair(&program, &shown, &deck, &FAIR, 1, &mut || true).is_err());
}
