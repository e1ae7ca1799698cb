//! Untrusted programs: an error, or a game that can be played, but never a panic.

use crate::support::{compile, exchanging, forced, games, moving};
use cadogan_kernel::program::{Action, MoveAction, Source};
use cadogan_kernel::{Journal, Options, Program, ProgramError, perft, solve};
use proptest::prelude::*;
use serde_json::Value;

/// Plays any program that was accepted.
fn exercise(bytes: &[u8]) {
    let Ok(program) = Program::from_bytes(bytes) else { return };
    let written = program.source().to_bytes();
    assert_eq!(&Source::from_bytes(&written).expect("what was written"), program.source());
    let Ok((state, _)) = program.deal(&program.deck(1)) else { return };
    let mut state = state;
    let mut journal = Journal::new();
    for pick in 0..30 {
        assert_eq!(state.hash128(), state.hash_from_scratch(&program));
        let moves = state.moves(&program);
        if moves.is_empty() {
            break;
        }
        let picked = moves[pick * 7 % moves.len()];
        let before = state.clone();
        if state.play(&program, picked, &mut journal).is_err() {
            assert!(state.is_identical(&before));
            break;
        }
    }
    let _ = perft(&program, &state, 2, &mut || false);
    let _ = solve(&program, &state, &Options::nodes(50), &mut |_| true);
}

/// Changes every number, text and list length of a document, one after the other.
fn disturb(value: &mut Value, target: &mut usize, number: u64) {
    if *target == 0 {
        *target = usize::MAX;
        *value = match (&*value, number % 4) {
            (Value::String(_), _) => Value::from(format!("{number:x}")),
            (Value::Array(list), 0) if !list.is_empty() => Value::from(list[1..].to_vec()),
            (Value::Array(list), _) => Value::from([list.clone(), list.clone()].concat()),
            (Value::Bool(flag), _) => Value::from(!flag),
            (Value::Number(_), 0) => Value::from(number),
            (Value::Number(_), _) => Value::from(number % 260),
            _ => Value::Null,
        };
        return;
    }
    *target -= 1;
    match value {
        Value::Array(list) => list.iter_mut().for_each(|value| disturb(value, target, number)),
        Value::Object(map) => map.values_mut().for_each(|value| disturb(value, target, number)),
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn programs_survive_writing_and_reading(game in 0..games::all().len()) {
        let program = games::all().swap_remove(game).1;
        let bytes = program.to_bytes();
        let read = Source::from_bytes(&bytes).unwrap();
        prop_assert_eq!(&read, &program);
        prop_assert_eq!(read.to_bytes(), bytes);
    }

    #[test]
    fn changed_bytes_never_panic(
        game in 0..games::all().len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), b'0'..=b'9'), 1..4),
    ) {
        let mut bytes = games::all().swap_remove(game).1.to_bytes();
        let digits: Vec<usize> =
            (0..bytes.len()).filter(|&index| bytes[index].is_ascii_digit()).collect();
        for (index, byte) in changes {
            bytes[digits[index.index(digits.len())]] = byte;
        }
        exercise(&bytes);
    }

    #[test]
    fn changed_values_never_panic(
        game in 0..games::all().len(),
        changes in prop::collection::vec((0..3000usize, any::<u64>()), 1..4),
    ) {
        let program = games::all().swap_remove(game).1;
        let mut value = serde_json::to_value(&program).unwrap();
        for (mut target, number) in changes {
            disturb(&mut value, &mut target, number);
        }
        exercise(value.to_string().as_bytes());
    }

    #[test]
    fn any_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        exercise(&bytes);
    }
}

#[test]
fn faults_name_their_place() {
    let mut program = games::garden(6, 4, 4);
    program.rules.push(forced("astray", Action::Move(moving(&[200], &[1]))));
    let error = Program::new(program).unwrap_err();
    assert!(matches!(error, ProgramError::Faulty { .. }));
    assert_eq!(error.to_string(), "rules[2] (astray): there is no pile 200");
}

#[test]
fn the_fewest_cards_are_not_more_than_the_most() {
    let error = |change: fn(&mut MoveAction)| {
        let (mut program, mut action) = (games::garden(6, 4, 4), moving(&[0], &[1]));
        change(&mut action);
        program.rules.push(forced("narrow", Action::Move(action)));
        Program::new(program).unwrap_err().to_string()
    };
    assert_eq!(
        error(|action| action.from_holds = [3, 2]),
        "rules[2] (narrow): at least 3 cards in the source, but at most 2"
    );
    assert_eq!(
        error(|action| action.to_holds = [1, 0]),
        "rules[2] (narrow): at least 1 cards in the target, but at most 0"
    );
}

#[test]
fn forced_rules_that_never_rest_are_an_error() {
    let mut program = games::garden(6, 4, 4);
    let beds = [5, 6];
    program.rules.push(forced("to and fro", exchanging(crate::support::mask(&beds), false)));
    let program = compile(program);
    assert!(program.deal(&program.deck(0)).is_err());
}
