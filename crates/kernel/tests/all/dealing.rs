//! Tests steps that look at the cards or at vacancies.

use crate::support::{blank, cards, deal, free, group, mask, rank_mask, relation, script};
use cadogan_kernel::program::{CardMask, Condition, DealtTo, End, Face, Quantity, Source, Step};
use cadogan_kernel::{Journal, Move, Program, State};

/// A game whose first pile gets the pack, with some more piles, a layout and one script.
fn game(pack: &str, piles: u8, layout: Vec<Step>, steps: Vec<Step>) -> (Program, State) {
    let dealt = cards(pack);
    let mut deck = dealt.clone();
    deck.sort_unstable();
    let mut game: Source = blank(deck);
    group(&mut game, "pack", 1, dealt.len() as u16, None);
    for _ in 0..piles {
        group(&mut game, "pile", 1, dealt.len() as u16, None);
    }
    let never = group(&mut game, "never", 1, 1, None)[0];
    game.aim = vec![Condition::Filled { piles: mask(&[never]), number: 1 }];
    game.relations.push(relation(|under, card| under / 4 == card / 4));
    game.layout = layout;
    game.rules = vec![free("step", script(steps))];
    let program = crate::support::compile(game);
    let (state, _) = program.deal(&dealt).expect("the deck is the pack");
    (program, state)
}

fn shows(state: &State, pile: usize, expected: &str) {
    let held: Vec<u8> = state.pile(pile).iter().map(|&byte| byte & 0x3f).collect();
    assert_eq!(held, cards(expected), "pile {pile}");
}

/// Plays the script, and checks that undoing it restores everything.
fn run(program: &Program, state: &mut State) {
    let before = state.clone();
    let mut journal = Journal::new();
    let step = Move::new(0, 255, 0, 255);
    state.play(program, step, &mut journal).expect("it changes something");
    assert_eq!(state.hash128(), state.hash_from_scratch(program));
    let after = state.clone();
    state.undo(program, &mut journal);
    assert!(state.is_identical(&before));
    *state = after;
}

fn row(to: &[u8], only: DealtTo, then: &[u8], apart: Option<u8>) -> Step {
    let (then, to) = (then.to_vec(), to.to_vec());
    Step::Deal { from: 0, then, to, each: 1, face: Face::Up, only, apart, leave: vec![] }
}

#[test]
fn kings_sink_and_keep_their_order() {
    let kings = rank_mask(12);
    let layout = vec![
        deal(0, &[1], 5, Face::Up),
        deal(0, &[2], 2, Face::Up),
        Step::Sink { piles: vec![1, 2, 3], cards: kings },
    ];
    let sink = Step::Sink { piles: vec![1], cards: rank_mask(4) };
    let (program, mut state) = game("2C KH 5D KS 6D KC AH", 3, layout, vec![sink]);
    shows(&state, 1, "KH KS 2C 5D 6D");
    shows(&state, 2, "KC AH");
    run(&program, &mut state);
    shows(&state, 1, "5D KH KS 2C 6D");
    assert!(!state.is_legal(&program, Move::new(0, 255, 0, 255)), "it lies at the bottom");
}

#[test]
fn the_first_card_of_a_class_is_picked_out() {
    let pick = |to: u8| Step::Pick { from: 0, cards: rank_mask(0), to, face: Face::Up };
    let (program, mut state) = game("2C AH 5D AS AC", 2, vec![pick(1)], vec![pick(2)]);
    shows(&state, 1, "AH");
    shows(&state, 0, "AC AS 5D 2C");
    run(&program, &mut state);
    shows(&state, 2, "AS");
    shows(&state, 0, "AC 5D 2C");
}

#[test]
fn cards_of_one_rank_are_dealt_apart() {
    let apart = Some(1);
    let layout = vec![row(&[1, 1, 1], DealtTo::Any, &[], apart)];
    let again = row(&[1], DealtTo::Any, &[], apart);
    let (program, mut state) = game("2C 2H 2D 3S 2S 3H", 1, layout, vec![again]);
    // Two twos go under the pack. Then none of those left fits: the first one is dealt.
    shows(&state, 1, "2C 3S 2S");
    shows(&state, 0, "2D 2H 3H");
    run(&program, &mut state);
    shows(&state, 1, "2C 3S 2S 3H");
    shows(&state, 0, "2D 2H");
}

#[test]
fn rows_go_to_occupied_or_to_vacant_piles() {
    let layout = vec![deal(0, &[1, 3], 1, Face::Up)];
    let occupied = row(&[1, 2, 3, 4, 1], DealtTo::Occupied, &[], None);
    let vacant = row(&[1, 2, 3, 4, 2], DealtTo::Vacant, &[], None);
    let (program, mut state) =
        game("2C 2H 3C 3H 4C 4H 5C 5H 6C", 4, layout.clone(), vec![occupied]);
    run(&program, &mut state);
    shows(&state, 1, "2C 3C 4C");
    shows(&state, 2, "");
    shows(&state, 3, "2H 3H");
    let (program, mut state) = game("2C 2H 3C 3H 4C 4H 5C 5H 6C", 4, layout, vec![vacant]);
    run(&program, &mut state);
    shows(&state, 1, "2C");
    shows(&state, 2, "3C");
    shows(&state, 4, "3H");
}

#[test]
fn cards_come_from_the_next_pile_when_the_first_is_empty() {
    let layout = vec![deal(0, &[1], 2, Face::Up)];
    let from_waste = Step::Deal {
        from: 1,
        then: vec![0],
        to: vec![2, 3],
        each: 2,
        face: Face::Up,
        only: DealtTo::Vacant,
        apart: None,
        leave: vec![],
    };
    let (program, mut state) = game("2C 2H 3C 3H 4C", 3, layout, vec![from_waste]);
    run(&program, &mut state);
    shows(&state, 2, "2H 2C");
    shows(&state, 3, "3C 3H");
    shows(&state, 0, "4C");
}

#[test]
fn a_pile_is_rotated() {
    let take = |number: u16, end: End, at: End| Step::Take {
        from: 1,
        number: Quantity::Fixed { number },
        end,
        to: 1,
        at,
        turned: false,
        face: Face::Keep,
    };
    let layout = || vec![deal(0, &[1], 4, Face::Up)];
    let bottom = take(1, End::Bottom, End::Top);
    let (program, mut state) = game("2C 3C 4C 5C", 1, layout(), vec![bottom]);
    run(&program, &mut state);
    shows(&state, 1, "3C 4C 5C 2C");
    let two = take(2, End::Top, End::Bottom);
    let (program, mut state) = game("2C 3C 4C 5C", 1, layout(), vec![two]);
    run(&program, &mut state);
    shows(&state, 1, "4C 5C 2C 3C");
    let all = take(4, End::Bottom, End::Top);
    let (program, state) = game("2C 3C 4C 5C", 1, layout(), vec![all]);
    assert!(state.moves(&program).is_empty(), "all of it is nothing");
}

#[test]
fn steps_with_strange_piles_are_refused() {
    let mut source = crate::support::games::crescent();
    let sound = source.layout.len();
    for step in [
        Step::Sink { piles: vec![200], cards: CardMask(1) },
        Step::Sink { piles: vec![1, 1], cards: CardMask(1) },
        Step::Sink { piles: vec![1], cards: CardMask(1 << 60) },
        Step::Pick { from: 1, cards: CardMask(1), to: 1, face: Face::Up },
        row(&[1], DealtTo::Any, &[1], None),
        row(&[1], DealtTo::Any, &[0], None),
        row(&[1], DealtTo::Any, &[], Some(9)),
    ] {
        source.layout.truncate(sound);
        assert!(Program::new(source.clone()).is_ok());
        source.layout.push(step);
        assert!(Program::new(source.clone()).is_err());
    }
}
