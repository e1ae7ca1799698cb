//! Tests steps that look at the cards or at vacancies.

use crate::support::{ALL, blank, cards, deal, free, group, mask, rank_mask, relation, script};
use cadogan_kernel::program::{
    BuildOrder, CardMask, Compare, Condition, Counter, DealTerms, DealtTo, End, Face, GoesUp,
    Quantity, Source, Step,
};
use cadogan_kernel::{DealError, Journal, Move, Program, State};

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
    Step::Deal {
        from: 0,
        then,
        to,
        each: 1,
        face: Face::Up,
        only,
        apart,
        leave: vec![],
        terms: DealTerms::default(),
    }
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
        terms: DealTerms::default(),
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

fn deal_on(to: &[u8], each: u16, terms: DealTerms) -> Step {
    Step::Deal {
        from: 0,
        then: vec![],
        to: to.to_vec(),
        each,
        face: Face::Up,
        only: DealtTo::Any,
        apart: None,
        leave: vec![],
        terms,
    }
}

/// The game with a foundation that goes up from the ace, whatever the suits.
fn with_foundation(pack: &str, layout: Vec<Step>, steps: Vec<Step>) -> (Program, State) {
    let (program, _) = game(pack, 3, vec![], vec![deal(0, &[1], 1, Face::Up)]);
    let mut source = program.source().clone();
    let wants = (0..3).map(rank_mask).collect();
    source.build_orders.push(BuildOrder {
        wants,
        relation: None,
        base: None,
        one_suit_each: false,
        ways: vec![],
        one_way: false,
        own_base: false,
        waits: false,
    });
    source.piles[3].build_order = Some(0);
    source.layout = layout;
    source.rules[0].action = script(steps);
    let program = crate::support::compile(source);
    let (state, _) = program.deal(&cards(pack)).expect("the deck is the pack");
    (program, state)
}

#[test]
fn cards_go_up_while_others_are_dealt() {
    let terms = |replaced: bool, cards: CardMask| DealTerms {
        goes_up: Some(GoesUp { cards, to: vec![3], replaced }),
        ..DealTerms::default()
    };
    let row = deal_on(&[1, 2], 1, terms(true, ALL));
    let (program, mut state) = with_foundation("5C AC 2H 6C 3D 2C", vec![], vec![row]);
    run(&program, &mut state);
    shows(&state, 1, "5C");
    shows(&state, 2, "6C");
    shows(&state, 3, "AC 2H");
    run(&program, &mut state);
    shows(&state, 1, "5C 2C");
    shows(&state, 3, "AC 2H 3D");
    // Aces only, and their places stay short.
    let row = deal_on(&[1, 2], 2, terms(false, rank_mask(0)));
    let (program, mut state) = with_foundation("5C AC 2H 6C 3D 2C", vec![row.clone()], vec![row]);
    shows(&state, 1, "5C");
    shows(&state, 2, "2H 6C");
    shows(&state, 3, "AC");
    run(&program, &mut state);
    shows(&state, 1, "5C 3D 2C");
}

#[test]
fn piles_are_filled_up_to_a_number() {
    let layout = || vec![deal(0, &[1, 3, 3], 1, Face::Up)];
    let up_to = |emptiest_first: bool| DealTerms {
        up_to: Some(Quantity::Fixed { number: 3 }),
        emptiest_first,
        ..DealTerms::default()
    };
    let pack = "AC AD AH 2C 2D 2H 3C 3D 3H";
    let fill = deal_on(&[1, 2, 3], 3, up_to(false));
    let (program, mut state) = game(pack, 3, layout(), vec![fill]);
    run(&program, &mut state);
    shows(&state, 1, "AC 2C 2D");
    shows(&state, 2, "2H 3C 3D");
    shows(&state, 3, "AD AH 3H");
    assert!(state.moves(&program).is_empty(), "nothing lacks a card");
    let fill = deal_on(&[1, 2, 3], 1, up_to(true));
    let (program, mut state) = game(pack, 3, layout(), vec![fill]);
    run(&program, &mut state);
    shows(&state, 2, "2C 2H 3D");
    shows(&state, 1, "AC 2D 3C");
    shows(&state, 3, "AD AH 3H");
}

#[test]
fn piles_are_turned() {
    let layout = || vec![deal(0, &[1], 2, Face::Down), deal(0, &[1], 1, Face::Up)];
    let turn = |face: Face, turned: bool| Step::Turn { piles: vec![1, 2], face, turned };
    for (step, after) in [
        (turn(Face::Up, false), "AC 2C 3C"),
        (turn(Face::Up, true), "3C 2C AC"),
        (turn(Face::Down, true), "3C 2C AC"),
    ] {
        let (program, mut state) = game("AC 2C 3C", 2, layout(), vec![step.clone()]);
        run(&program, &mut state);
        shows(&state, 1, after);
        let is_up = matches!(step, Step::Turn { face: Face::Up, .. });
        assert!(state.pile(1).iter().all(|&byte| (byte < 64) == is_up));
    }
    let (program, state) =
        game("AC", 2, vec![deal(0, &[1], 1, Face::Up)], vec![turn(Face::Up, true)]);
    assert!(state.moves(&program).is_empty(), "it lies like that");
}

#[test]
fn top_cards_of_a_class_slip_under_their_pile() {
    let kings = rank_mask(12);
    let layout = vec![deal(0, &[1], 4, Face::Up), deal(0, &[2], 2, Face::Up)];
    let slip = Step::Slip { piles: vec![1, 2], cards: kings };
    let (program, mut state) = game("KC 5C KD KH KS KC", 2, layout, vec![slip]);
    run(&program, &mut state);
    shows(&state, 1, "KD KH KC 5C");
    shows(&state, 2, "KS KC");
    assert!(state.moves(&program).is_empty());
}

#[test]
fn cards_of_a_rank_that_a_counter_holds_are_picked() {
    let pick = |cards| Step::Pick { from: 0, cards, to: 2, face: Face::Up };
    let layout = vec![
        deal(0, &[1], 1, Face::Up),
        Step::Base { counter: 0, of: 1 },
        Step::ByCounter { counter: 0, steps: (0..13).map(|rank| pick(rank_mask(rank))).collect() },
    ];
    let (program, _) = game("3C 2C AC 3D", 2, vec![], vec![]);
    let mut source = program.source().clone();
    source.counters.push(Counter { name: "base".to_owned(), start: 0, cap: 12 });
    source.layout.extend(layout);
    let program = crate::support::compile(source);
    let (state, _) = program.deal(&cards("3C 2C AC 3D")).expect("the deck is the pack");
    shows(&state, 1, "3C");
    shows(&state, 2, "3D");
    shows(&state, 0, "AC 2C");
}

#[test]
fn a_counter_selects_a_step_and_a_condition() {
    let (program, _) = game("AC 2C 3C 4C", 2, vec![], vec![deal(0, &[1], 1, Face::Up)]);
    let mut source = program.source().clone();
    source.counters.push(Counter { name: "turn".to_owned(), start: 0, cap: 2 });
    let steps = vec![deal(0, &[1], 1, Face::Up), deal(0, &[2], 2, Face::Up)];
    source.rules[0].action = script(vec![Step::ByCounter { counter: 0, steps }]);
    source.rules[0] = crate::support::then(
        cadogan_kernel::program::Effect::Add { counter: 0, value: 1 },
        source.rules[0].clone(),
    );
    let vacant = |pile: u8| Condition::Vacant { piles: mask(&[pile]), number: 1 };
    source.rules[0].when = vec![Condition::ByCounter {
        counter: 0,
        conditions: vec![vacant(1), vacant(2), vacant(1)],
    }];
    let program = crate::support::compile(source);
    let (mut state, _) = program.deal(&cards("AC 2C 3C 4C")).expect("the deck is the pack");
    run(&program, &mut state);
    shows(&state, 1, "AC");
    run(&program, &mut state);
    shows(&state, 2, "2C 3C");
    assert!(state.moves(&program).is_empty());
}

#[test]
fn each_pile_is_counted_alone() {
    let each = |number: u16, compare: Compare, held: u16| Condition::Each {
        piles: mask(&[1, 2]),
        number,
        cards: ALL,
        compare,
        held,
    };
    let layout = vec![deal(0, &[1], 3, Face::Up), deal(0, &[2], 1, Face::Up)];
    let (program, _) = game("AC 2C 3C 4C 5C", 2, layout, vec![deal(0, &[1], 1, Face::Up)]);
    for (condition, holds) in [
        (each(1, Compare::AtLeast, 3), true),
        (each(2, Compare::AtLeast, 3), false),
        (each(1, Compare::Below, 2), true),
        (each(2, Compare::Below, 4), true),
        (each(1, Compare::Equal, 2), false),
    ] {
        let mut source = program.source().clone();
        source.rules[0].when = vec![condition];
        let program = crate::support::compile(source);
        let (state, _) = program.deal(&cards("AC 2C 3C 4C 5C")).expect("the deck is the pack");
        assert_eq!(!state.moves(&program).is_empty(), holds);
    }
}

/// A deal is dealt again, from the next shuffle of its generator, until the rules like it.
#[test]
fn a_deal_is_dealt_again() {
    let layout = vec![deal(0, &[1], 2, Face::Up)];
    let (program, _) = game("AC 2C 3C 4C 5C", 1, layout, vec![deal(0, &[1], 1, Face::Up)]);
    let holds_no = |cards: CardMask| Condition::Holds {
        piles: mask(&[1]),
        cards,
        compare: Compare::Below,
        number: 1,
    };
    let decks = |cards: CardMask| {
        let mut source = program.source().clone();
        source.deal_again = vec![holds_no(cards)];
        let program = crate::support::compile(source);
        let decks: Vec<_> = (1..=4).map(|number| program.dealt_deck(number)).collect();
        for (number, deck) in (1..).zip(decks.iter().flatten()) {
            assert_eq!(program.is_dealt_again(deck), Ok(false));
            let is_first = *deck == program.deck(number);
            assert_eq!(is_first, program.is_dealt_again(&program.deck(number)) == Ok(false));
            assert!(program.deal(deck).is_ok());
        }
        assert!(program.deal(&cards_of_pack()).is_ok(), "a given deck is dealt as it is");
        decks
    };
    // The vectors of docs/deals.md.
    let expected = ["2C AC 4C 5C 3C", "AC 4C 2C 5C 3C", "AC 2C 5C 4C 3C", "2C AC 5C 4C 3C"];
    for (deck, expected) in decks(rank_mask(0)).into_iter().zip(expected) {
        assert_eq!(deck, Ok(cards(expected)));
    }
    for deck in decks(CardMask(1 << 51)) {
        assert_eq!(deck, Err(DealError::AlwaysAgain));
    }
}

fn cards_of_pack() -> Vec<u8> {
    cards("5C 4C 3C 2C AC")
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
        deal_on(&[1], 1, DealTerms { emptiest_first: true, ..DealTerms::default() }),
        deal_on(&[1], 1, DealTerms { up_to: Some(Quantity::All), ..DealTerms::default() }),
        deal_on(
            &[1],
            1,
            DealTerms {
                goes_up: Some(GoesUp { cards: ALL, to: vec![1], replaced: true }),
                ..DealTerms::default()
            },
        ),
        Step::Turn { piles: vec![200], face: Face::Up, turned: false },
        Step::Slip { piles: vec![1, 1], cards: CardMask(1) },
        Step::ByCounter { counter: 9, steps: vec![] },
        Step::ByCounter { counter: 0, steps: vec![Step::Settle] },
    ] {
        source.layout.truncate(sound);
        assert!(Program::new(source.clone()).is_ok());
        source.layout.push(step);
        assert!(Program::new(source.clone()).is_err());
    }
}
