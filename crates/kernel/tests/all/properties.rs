//! What must hold in every position of every game.

use std::collections::HashSet;

use crate::support::{compile, games, walk};
use cadogan_kernel::{Journal, Move, Outcome, Program, State};
use proptest::prelude::*;

/// A game, a position of it, and how it was reached.
fn reached() -> impl Strategy<Value = (Program, u64, Vec<u16>)> {
    let games = games::all().len();
    (0..games, 0..500u64, prop::collection::vec(any::<u16>(), 0..60)).prop_map(
        |(game, number, picks)| (compile(games::all().swap_remove(game).1), number, picks),
    )
}

fn all_codes(program: &Program) -> impl Iterator<Item = Move> {
    let piles = program.piles() as u8;
    let ends = move || (0..=piles).chain([200, 255]);
    let counts = [0, 1, 2, 3, 4, 8, 255];
    let rules = program.source().rules.len() as u8;
    (0..=rules).chain([255]).flat_map(move |rule| {
        ends().flat_map(move |from| {
            counts
                .into_iter()
                .flat_map(move |count| ends().map(move |to| Move::new(rule, from, count, to)))
        })
    })
}

fn sorted_cards(state: &State) -> Vec<u8> {
    let mut cards: Vec<u8> =
        state.piles().flatten().map(|&byte| cadogan_kernel::card::card(byte)).collect();
    cards.sort_unstable();
    cards
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn listed_moves_are_the_legal_moves((program, number, picks) in reached()) {
        let state = walk(&program, number, &picks);
        let listed = state.moves(&program);
        let set: HashSet<Move> = listed.iter().copied().collect();
        prop_assert_eq!(set.len(), listed.len(), "a move is listed twice");
        for &each in &listed {
            prop_assert!(state.is_legal(&program, each), "{:?} is listed", each);
        }
        for code in all_codes(&program) {
            prop_assert_eq!(state.is_legal(&program, code), set.contains(&code), "{:?}", code);
        }
    }

    #[test]
    fn refusals_speak_against_illegal_moves_only((program, number, picks) in reached()) {
        let state = walk(&program, number, &picks);
        let moves = state.moves(&program);
        for each in &moves {
            let rule = &program.source().rules[usize::from(each.rule())];
            if !matches!(rule.action, cadogan_kernel::program::Action::Move(_)) {
                continue;
            }
            let [from, to] = [each.from(), each.to()].map(usize::from);
            let refusals = state.refusals(&program, from, usize::from(each.count()), to);
            prop_assert!(refusals.iter().all(|refusal| refusal.rule != each.rule()));
        }
    }

    #[test]
    fn undo_takes_everything_back((program, number, picks) in reached()) {
        let (mut state, _) = program.deal(&program.deck(number)).unwrap();
        let mut journal = Journal::new();
        let mut before = vec![state.clone()];
        for pick in picks {
            let moves = state.moves(&program);
            let Some(&picked) = moves.get(usize::from(pick) % moves.len().max(1)) else { break };
            state.play(&program, picked, &mut journal).unwrap();
            before.push(state.clone());
        }
        while let Some(earlier) = before.pop() {
            prop_assert!(state.is_identical(&earlier));
            prop_assert_eq!(journal.len(), before.len());
            state.undo(&program, &mut journal);
        }
        prop_assert!(journal.is_empty());
    }

    #[test]
    fn the_hash_is_right_and_no_card_is_lost((program, number, picks) in reached()) {
        let state = walk(&program, number, &picks);
        prop_assert_eq!(state.hash128(), state.hash_from_scratch(&program));
        prop_assert_eq!(sorted_cards(&state), program.source().deck.clone());
        for (pile, cards) in state.piles().enumerate() {
            prop_assert_eq!(state.vacant() >> pile & 1 != 0, cards.is_empty());
        }
    }

    #[test]
    fn a_refused_move_changes_nothing((program, number, picks) in reached(), code in any::<u32>()) {
        let mut state = walk(&program, number, &picks);
        let before = state.clone();
        let mut journal = Journal::new();
        if state.play(&program, Move::from_code(code), &mut journal).is_err() {
            prop_assert!(state.is_identical(&before));
            prop_assert!(journal.is_empty());
        }
    }

    #[test]
    fn the_outcome_agrees_with_the_moves((program, number, picks) in reached()) {
        let state = walk(&program, number, &picks);
        let moves = state.moves(&program);
        match state.outcome(&program) {
            Outcome::Open => prop_assert!(!moves.is_empty()),
            Outcome::Won => prop_assert!(state.is_won(&program) && moves.is_empty()),
            Outcome::Lost | Outcome::Over => prop_assert!(!state.is_won(&program) && moves.is_empty()),
        }
        if state.choosing().is_some() {
            prop_assert!(moves.len() > 1, "a choice of one is no choice");
        }
    }

    #[test]
    fn transfers_tell_where_the_cards_went((program, number, picks) in reached()) {
        let state = walk(&program, number, &picks);
        let all = state.moves_with_transfers(&program);
        prop_assert!(all.iter().map(|&(each, _)| each).eq(state.moves(&program)));
        for (each, transfers) in all {
            prop_assert_eq!(&transfers, &state.transfers(&program, each).unwrap());
            let mut sizes: Vec<usize> = state.piles().map(<[u8]>::len).collect();
            for (from, count, to) in transfers {
                sizes[usize::from(from)] -= usize::from(count);
                sizes[usize::from(to)] += usize::from(count);
            }
            let mut journal = Journal::new();
            let mut after = state.clone();
            after.play(&program, each, &mut journal).unwrap();
            if journal.forced().is_empty() {
                prop_assert!(after.piles().map(<[u8]>::len).eq(sizes));
            }
        }
    }

    #[test]
    fn interchanged_piles_make_an_equal_position(number in 0..500u64, turn in 1..4usize) {
        // The beds of the garden are one class: deal the same cards to them in another order.
        let program = compile(games::garden(6, 4, 4));
        let deck = program.deck(number);
        let mut turned = deck.clone();
        turned[..16].rotate_left(4 * turn);
        turned[16..].reverse();
        let (one, _) = program.deal(&deck).unwrap();
        let (other, _) = program.deal(&turned).unwrap();
        prop_assert_eq!(one.hash128(), other.hash128());
        prop_assert_eq!(&one, &other);
        prop_assert!(!one.is_identical(&other));

        let mut swapped = deck;
        swapped.swap(0, 1);
        let (different, _) = program.deal(&swapped).unwrap();
        prop_assert_ne!(one.hash128(), different.hash128());
        prop_assert_ne!(one, different);
    }
}

#[test]
fn a_shuffle_covers_every_game() {
    for (name, program) in games::all() {
        let program = compile(program);
        for number in 0..20 {
            assert!(program.deal(&program.deck(number)).is_ok(), "{name} {number}");
        }
    }
}
