//! Tests single rules on small tables made for them.

use crate::support::table::{played, table};
use crate::support::{
    ALL, NO_CARD, card, cards, class, compile, deal, down, exchanging, forced, free, games, group,
    is_red, mask, moving, rank_mask, relation, same_suit, script, then, up_in_suit, when,
};
use cadogan_kernel::program::{
    Action, Asks, BeatAction, Beside, Better, BuildOrder, CardMask, CardSet, Choose, Compare,
    Condition, Counter, DealTerms, DealtTo, Effect, End, Face, JointAction, MoveAction, Neighbours,
    PairAction, Part, PileMask, Place, Quantity, Runs, Score, Side, Source, Step, StretchAction,
    Sum, SwapAction, Term, Unit, Way,
};
use cadogan_kernel::{Journal, Move, Outcome, PlayError, Program, Reason, State};

#[test]
fn one_of_several_empty_piles_is_enough() {
    let (program, state) = table(&["KS QH"], |program| {
        let empty = group(program, "empty", 3, 5, None);
        program.rules.push(free("move", Action::Move(moving(&[1], &empty))));
    });
    assert_eq!(state.moves(&program), [Move::new(0, 1, 1, 3)]);
    let refused = state.refusals(&program, 1, 1, 4);
    assert_eq!(refused[0].reason, Reason::EquivalentTarget(3));
}

#[test]
fn a_pile_does_not_move_to_an_equal_place() {
    let (program, state) = table(&["AC", "2C", ""], |program| {
        program.piles[1..=3].iter_mut().for_each(|bed| bed.class = 1);
        let build = MoveAction { build: Some(1), ..moving(&[1, 2, 3], &[1, 2, 3]) };
        program.rules.push(free("move", Action::Move(build)));
    });
    // The ace may go on the two; neither may go to the empty bed.
    assert_eq!(state.moves(&program), [Move::new(0, 1, 1, 2)]);
    assert_eq!(state.refusals(&program, 1, 1, 3)[0].reason, Reason::SamePosition);
    assert_eq!(state.refusals(&program, 2, 1, 1)[0].reason, Reason::Build(card("AC")));
}

#[test]
fn runs_move_whole_or_in_part() {
    let (program, state) = table(&["9C 7S 6H 5S", "7D", "6D", ""], |program| {
        let run = Unit::Run { relation: 2, least: 1, most: 9 };
        program.rules.push(free(
            "build",
            Action::Move(MoveAction {
                cards: run,
                build: Some(2),
                space: rank_mask(6),
                ..moving(&[1], &[2, 3, 4])
            }),
        ));
    });
    // The five on the six; the run from the seven to the space; nothing on the red seven but a
    // black six.
    assert_eq!(state.moves(&program), [Move::new(0, 1, 1, 3), Move::new(0, 1, 3, 4)]);
    let (after, _) = played(&program, &state, Move::new(0, 1, 3, 4));
    assert_eq!(after.pile(4), cards("7S 6H 5S"));
    assert_eq!(state.refusals(&program, 1, 4, 4)[0].reason, Reason::Cards);
    assert_eq!(state.refusals(&program, 1, 2, 4)[0].reason, Reason::Space);
}

#[test]
fn any_card_of_a_pile_may_be_taken_from_under_others() {
    let (program, state) = table(&["9C 5H 2D", "6S", ""], |program| {
        let pull = MoveAction {
            cards: Unit::Any { place: None },
            build: Some(2),
            ..moving(&[1], &[2, 3])
        };
        program.rules.push(free("pull", Action::Move(pull)));
    });
    let moves = state.moves(&program);
    assert_eq!(
        moves,
        [
            Move::new(0, 1, 1, 3),
            Move::new(0, 1, 2, 2),
            Move::new(0, 1, 2, 3),
            Move::new(0, 1, 3, 3)
        ]
    );
    let (after, _) = played(&program, &state, moves[1]);
    assert_eq!((after.pile(1), after.pile(2)), (&cards("9C 2D")[..], &cards("6S 5H")[..]));
    assert_eq!(after.hash128(), after.hash_from_scratch(&program));
    assert_eq!(state.transfers(&program, moves[1]).unwrap(), [(1, 1, 2)]);
    let mut again = state.clone();
    let mut journal = Journal::new();
    for &each in &moves {
        again.play(&program, each, &mut journal).expect("it is legal");
        again.undo(&program, &mut journal);
        assert!(again.is_identical(&state));
    }
    assert_eq!(state.refusals(&program, 1, 1, 2)[0].reason, Reason::Build(card("6S")));
}

#[test]
fn a_card_is_taken_from_its_place_only() {
    for (end, count) in [(End::Bottom, 2), (End::Top, 3)] {
        let (program, state) = table(&["9C 5H 2D 7S", "KS", "", "5S"], |program| {
            let place = Some(Place { number: if end == End::Top { count } else { 3 }, end });
            let pull = MoveAction { cards: Unit::Any { place }, ..moving(&[1, 2, 4], &[3]) };
            program.rules.push(free("pull", Action::Move(pull)));
        });
        // The other piles have too few cards.
        let only = Move::new(0, 1, count as u8, 3);
        assert_eq!(state.moves(&program), [only]);
        let (after, _) = played(&program, &state, only);
        let taken = if end == End::Top { "5H" } else { "2D" };
        assert_eq!(after.pile(3), cards(taken));
        assert_eq!(after.hash128(), after.hash_from_scratch(&program));
        assert!(!state.is_legal(&program, Move::new(0, 1, 1, 3)));
        assert_eq!(state.refusals(&program, 1, 1, 3)[0].reason, Reason::Cards);
    }
}

#[test]
fn the_emptiest_pile_takes_the_card() {
    let (program, state) = table(&["AC", "2C 3C", "4C", "5C", "KD KH"], |program| {
        let asks = Asks { emptiest: true, ..Asks::default() };
        let fill = MoveAction { asks, ..moving(&[1], &[2, 3, 4, 5]) };
        program.rules.push(free("fill", Action::Move(fill)));
    });
    assert_eq!(state.moves(&program), [Move::new(0, 1, 1, 3)]);
    assert_eq!(state.refusals(&program, 1, 1, 4)[0].reason, Reason::ToTurn);
}

#[test]
fn the_cards_of_a_couple_go_in_turn() {
    let moves = |in_turn: bool, least: u16| {
        let (program, state) = table(&["2C", "AC KC", "2H", "AD"], |program| {
            let up = with_foundations(program);
            let mut action = joint(&[(&[4], 0), (&[1, 3], 0)], &up);
            action.in_turn = in_turn;
            action.together[0].least = least;
            let backwards = joint(&[(&[1, 3], 0), (&[4], 0)], &up);
            program.build_orders[0].relation = None;
            let backwards = JointAction { in_turn, ..backwards };
            program.rules = vec![
                free("couple", Action::Joint(action)),
                free("the wrong way round", Action::Joint(backwards)),
            ];
        });
        state.moves(&program)
    };
    let couples = [Move::new(0, 4, 0, 1), Move::new(0, 4, 0, 3)];
    assert_eq!(moves(true, 0), couples, "no two before the ace");
    assert_eq!(moves(false, 0).len(), 4, "in any order, whatever the rule names first");
    assert_eq!(moves(true, 2), [], "the ace lies alone");
}

#[test]
fn the_bottom_card_is_taken_and_no_other() {
    let (program, state) = table(&["9C 5H 2D", ""], |program| {
        let lift = MoveAction { cards: Unit::Bottom, ..moving(&[1], &[2]) };
        program.rules.push(free("lift", Action::Move(lift)));
    });
    assert_eq!(state.moves(&program), [Move::new(0, 1, 3, 2)]);
    let (after, _) = played(&program, &state, Move::new(0, 1, 3, 2));
    assert_eq!((after.pile(1), after.pile(2)), (&cards("5H 2D")[..], &cards("9C")[..]));
    assert_eq!(state.refusals(&program, 1, 1, 2)[0].reason, Reason::Cards);
}

#[test]
fn as_many_cards_move_as_are_in_sequence() {
    let (program, state) = table(&["KC 9C 8H 7S", "TS", "8D"], |program| {
        let longest = Unit::Longest { relation: 2 };
        let lay = MoveAction { cards: longest, build: Some(1), ..moving(&[1, 3], &[2, 3]) };
        program.rules.push(free("lay", Action::Move(lay)));
    });
    assert_eq!(state.moves(&program), [Move::new(0, 1, 3, 2)]);
    let (after, _) = played(&program, &state, Move::new(0, 1, 3, 2));
    assert_eq!(after.pile(2), cards("TS 9C 8H 7S"));
    assert_eq!(state.refusals(&program, 1, 1, 3)[0].reason, Reason::Cards);
}

#[test]
fn dealt_cards_are_turned_and_their_order_with_them() {
    let program = compile(games::klondike());
    let (state, _) = program.deal(&program.deck(5)).unwrap();
    let stock = state.pile(0).to_vec();
    let lay = Move::new(6, 0, 3, 1);
    let (after, _) = played(&program, &state, lay);
    let turned: Vec<u8> = stock.iter().rev().take(3).map(|byte| byte & 63).collect();
    assert_eq!(after.pile(1), turned);
}

#[test]
fn a_face_down_card_is_turned_up_when_it_is_uncovered() {
    let (program, state) = table(&["9C", "7S", ""], |program| {
        program.layout[0] = deal(0, &[1], 1, Face::Down);
        program.layout[1] = deal(0, &[1], 1, Face::Up);
        program.rules = vec![
            free("move", Action::Move(moving(&[1], &[3]))),
            forced("turn up", Action::TurnUp { turn_up: mask(&[1]) }),
        ];
    });
    assert_eq!(state.pile(1), [card("9C") | 64, card("7S")]);
    let (after, forced) = played(&program, &state, Move::new(0, 1, 1, 3));
    assert_eq!(after.pile(1), cards("9C"));
    assert_eq!(forced, [Move::new(1, 1, 0, 255)]);
}

#[test]
fn the_first_of_two_rules_that_give_the_same_move_is_meant() {
    let (program, state) = table(&["AC", "2C"], |program| {
        program.rules = vec![
            free("build", Action::Move(MoveAction { build: Some(1), ..moving(&[1, 2], &[1, 2]) })),
            free("heap", Action::Move(moving(&[1, 2], &[1, 2]))),
        ];
    });
    assert_eq!(state.moves(&program), [Move::new(0, 1, 1, 2), Move::new(1, 2, 1, 1)]);
    assert!(!state.is_legal(&program, Move::new(1, 1, 1, 2)));
}

#[test]
fn a_source_yields_to_others() {
    let (program, state) = table(&["AC", "2C", ""], |program| {
        program.rules.push(free(
            "waste before stock",
            Action::Move(MoveAction {
                yields_to: vec![PileMask(0), mask(&[1])],
                ..moving(&[1, 2], &[3])
            }),
        ));
    });
    assert_eq!(state.moves(&program), [Move::new(0, 1, 1, 3)]);
    assert_eq!(state.refusals(&program, 2, 1, 3)[0].reason, Reason::YieldsTo);
    let (after, _) = played(&program, &state, Move::new(0, 1, 1, 3));
    assert_eq!(after.moves(&program), [Move::new(0, 2, 1, 3)]);
}

/// Two vacancies and two cards for them. The player's first move takes a card from pile 1.
fn vacancies(choose: Choose) -> (Program, State) {
    table(&["KC", "AC", "2C", "", ""], |program| {
        let fill = MoveAction { to_holds: [0, 0], choose, ..moving(&[2, 3], &[1, 4]) };
        program.rules = vec![
            when(
                Condition::Filled { piles: mask(&[5]), number: 1 },
                forced("fill", Action::Move(fill)),
            ),
            free("begin", Action::Move(moving(&[1], &[5]))),
        ];
    })
}

#[test]
fn forced_rules_leave_the_choice_that_they_name() {
    let begin = Move::new(1, 1, 1, 5);
    let cases = [
        (Choose::Card, vec![Move::new(0, 2, 1, 1), Move::new(0, 3, 1, 1)]),
        (Choose::Place, vec![Move::new(0, 2, 1, 1), Move::new(0, 2, 1, 4)]),
        (
            Choose::Any,
            vec![
                Move::new(0, 2, 1, 1),
                Move::new(0, 2, 1, 4),
                Move::new(0, 3, 1, 1),
                Move::new(0, 3, 1, 4),
            ],
        ),
    ];
    for (choose, offered) in cases {
        let (program, state) = vacancies(choose);
        let (after, forced) = played(&program, &state, begin);
        assert!(forced.is_empty());
        assert_eq!(after.choosing(), Some(0), "{choose:?}");
        assert_eq!(after.moves(&program), offered, "{choose:?}");
        // While a choice is open nothing else is legal.
        assert!(!after.is_legal(&program, begin));
        assert_eq!(after.refusals(&program, 5, 1, 1), []);
        // One place remains for the last card, so there is no choice.
        let (last, forced) = played(&program, &after, offered[0]);
        assert_eq!(last.choosing(), None);
        assert_eq!(forced.len(), 1);
    }
    let (program, state) = vacancies(Choose::None);
    let (_, forced) = played(&program, &state, begin);
    assert_eq!(forced, [Move::new(0, 2, 1, 1), Move::new(0, 3, 1, 4)]);
}

#[test]
fn an_open_choice_is_told_in_refusals() {
    let (program, state) = vacancies(Choose::Card);
    let (after, _) = played(&program, &state, Move::new(1, 1, 1, 5));
    assert_eq!(after.refusals(&program, 2, 1, 4)[0].reason, Reason::Choice);
    assert_eq!(after.refusals(&program, 1, 1, 5)[0].reason, Reason::Choice);
    let (other, _) = vacancies(Choose::Place);
    assert_ne!(other.source(), program.source());
}

fn with_foundations(program: &mut Source) -> Vec<u8> {
    program.build_orders.push(up_in_suit(13));
    group(program, "foundations", 4, 13, Some(0))
}

#[test]
fn a_foundation_takes_what_its_build_order_wants() {
    let (program, state) = table(&["2C AC", "2D", "AH"], |program| {
        let up = with_foundations(program);
        program.rules.push(free(
            "play",
            Action::Move(MoveAction { build_order: true, ..moving(&[1, 2, 3], &up) }),
        ));
    });
    assert_eq!(state.moves(&program), [Move::new(0, 1, 1, 5), Move::new(0, 3, 1, 5)]);
    let (after, _) = played(&program, &state, Move::new(0, 1, 1, 5));
    assert_eq!(after.moves(&program), [Move::new(0, 1, 1, 5), Move::new(0, 3, 1, 6)]);
    assert_eq!(after.refusals(&program, 2, 1, 5)[0].reason, Reason::BuildOrder);
}

#[test]
fn a_base_is_known_after_the_deal() {
    let (program, state) = table(&["3H", "4H 3C", "2H"], |program| {
        program.counters.push(cadogan_kernel::program::Counter {
            name: "base".into(),
            start: 0,
            cap: 12,
        });
        program.build_orders.push(BuildOrder { base: Some(0), ..up_in_suit(13) });
        let up = group(program, "foundations", 4, 13, Some(0));
        program.layout.push(Step::Take {
            from: 1,
            number: Quantity::All,
            end: End::Top,
            to: up[0],
            at: End::Top,
            turned: false,
            face: Face::Keep,
        });
        program.layout.push(Step::Base { counter: 0, of: up[0] });
        program.rules.push(free(
            "play",
            Action::Move(MoveAction { build_order: true, ..moving(&[2, 3], &up) }),
        ));
    });
    assert_eq!(state.counters(), [2]);
    let (after, _) = played(&program, &state, Move::new(0, 2, 1, 6));
    assert_eq!(after.moves(&program), [Move::new(0, 2, 1, 5)]);
}

#[test]
fn an_equal_card_elsewhere_comes_first() {
    let (program, state) = table(&["AC", "AC"], |program| {
        let up = with_foundations(program);
        program.rules.push(free(
            "play",
            Action::Move(MoveAction { build_order: true, prefer: Some(2), ..moving(&[1, 2], &up) }),
        ));
    });
    assert_eq!(state.moves(&program), [Move::new(0, 2, 1, 4)]);
    assert_eq!(state.refusals(&program, 1, 1, 4)[0].reason, Reason::Prefer);
}

fn joint(parts: &[(&[u8], u16)], to: &[u8]) -> JointAction {
    JointAction {
        together: parts
            .iter()
            .map(|&(from, size)| Part { from: from.to_vec(), holds: size, least: 0 })
            .collect(),
        to: to.to_vec(),
        only_if_blocked: false,
        in_turn: false,
        matching: None,
    }
}

#[test]
fn couples_go_up_together_or_not_at_all() {
    let (program, state) = table(&["AC", "2C", "3C", "AD AH", "2S 2D"], |program| {
        let up = with_foundations(program);
        program.rules = vec![
            free("couple", Action::Joint(joint(&[(&[1, 2, 3], 1), (&[1, 2, 3], 1)], &up))),
            free("pair", Action::Joint(joint(&[(&[4, 5], 2)], &up))),
        ];
    });
    // The two goes on the ace that goes up with it; the three does not.
    assert_eq!(state.moves(&program), [Move::new(0, 1, 0, 2), Move::new(1, 4, 0, 255)]);
    let (after, _) = played(&program, &state, Move::new(0, 1, 0, 2));
    assert_eq!(after.pile(7), cards("AC 2C"));
    assert!(after.pile(1).is_empty() && after.pile(2).is_empty());
    assert!(!state.is_legal(&program, Move::new(0, 2, 0, 1)));
}

#[test]
fn the_lower_card_of_a_pair_may_go_first() {
    let (program, state) = table(&["AC 2C"], |program| {
        let up = with_foundations(program);
        program.rules = vec![free("pair", Action::Joint(joint(&[(&[1], 2)], &up)))];
    });
    let (after, _) = played(&program, &state, Move::new(0, 1, 0, 255));
    assert_eq!(after.pile(3), cards("AC 2C"));
    assert_eq!(state.transfers(&program, Move::new(0, 1, 0, 255)).unwrap(), [(1, 1, 3), (1, 1, 3)]);
}

#[test]
fn a_couple_does_not_begin_a_suit_twice_where_it_may_begin_once() {
    let couples = |one_suit_each: bool| {
        let (program, state) = table(&["AC", "AC"], |program| {
            let up = with_foundations(program);
            program.build_orders[0].one_suit_each = one_suit_each;
            program.rules =
                vec![free("couple", Action::Joint(joint(&[(&[1, 2], 1), (&[1, 2], 1)], &up)))];
        });
        state.moves(&program).len()
    };
    assert_eq!((couples(false), couples(true)), (1, 0));
}

#[test]
fn blocked_pairs_go_up_as_four() {
    let four = |first: &str, second: &str| {
        let (program, state) = table(&[first, second], |program| {
            let up = with_foundations(program);
            let parts = joint(&[(&[1, 2], 2), (&[1, 2], 2)], &up);
            program.rules =
                vec![free("four", Action::Joint(JointAction { only_if_blocked: true, ..parts }))];
        });
        state.moves(&program).len()
    };
    assert_eq!(four("AC 2H", "AH 2C"), 1);
    assert_eq!(four("AC AH", "2C 2H"), 0, "the aces can go up alone");
}

#[test]
fn two_different_cards_change_places() {
    let (program, state) = table(&["AC 2C", "3C", "3C", ""], |program| {
        program.rules.push(free("swap", exchanging(mask(&[1, 2, 3, 4]), false)));
    });
    assert_eq!(state.moves(&program), [Move::new(0, 1, 0, 2), Move::new(0, 1, 0, 3)]);
    let (after, _) = played(&program, &state, Move::new(0, 1, 0, 2));
    assert_eq!((after.pile(1), after.pile(2)), (&cards("AC 3C")[..], &cards("2C")[..]));
}

#[test]
fn cards_of_two_sides_change_places() {
    let (program, state) = table(&["2C AH", "3S", "4D", "5H", "6S", ""], |program| {
        let side = |piles: &[u8], is_of: fn(u8) -> bool| Side {
            piles: mask(piles),
            cards: CardMask((0..52).filter(|&c| is_of(c)).fold(0, |all, c| all | 1 << c)),
        };
        let sides = vec![side(&[1, 2, 6], |card| !is_red(card)), side(&[3, 4, 5, 6], is_red)];
        let exchange = mask(&[1, 2, 3, 4, 5, 6]);
        program.rules.push(free(
            "exchange",
            Action::Swap(SwapAction { exchange, sides, ..SwapAction::default() }),
        ));
    });
    // The first pile shows a red card on the side of the black ones, the fifth a black one.
    assert_eq!(state.moves(&program), [Move::new(0, 2, 0, 3), Move::new(0, 2, 0, 4)]);
    let (after, _) = played(&program, &state, Move::new(0, 2, 0, 4));
    assert_eq!((after.pile(2), after.pile(4)), (&cards("5H")[..], &cards("3S")[..]));
    assert!(!state.is_legal(&program, Move::new(0, 1, 0, 3)));
}

#[test]
fn lines_add_up_and_tops_are_counted() {
    let (_, state) = table(&["2C 9H", "5S", "AD", ""], |_| ());
    let (program, _) = table(&["2C 9H", "5S", "AD", ""], |_| ());
    let sums = |lines: &[&[u8]], total: u16| Condition::Sums {
        lines: lines.iter().map(|line| line.to_vec()).collect(),
        sum: Sum { total, values: (1..14).collect() },
    };
    let tops = |piles: &[u8], number: u16, cards: CardMask, held: u16| Condition::Each {
        piles: mask(piles),
        number,
        cards,
        compare: if held == 0 { Compare::Below } else { Compare::AtLeast },
        held: 1,
        tops: true,
    };
    for (condition, holds) in [
        (sums(&[&[1, 2, 3]], 15), true),
        (sums(&[&[1, 2, 3], &[2, 3]], 15), false),
        (sums(&[&[1, 2]], 15), false),
        (sums(&[&[1, 2, 3, 4]], 15), false),
        (tops(&[1, 2, 3], 1, rank_mask(1), 1), false),
        (tops(&[1, 2, 3], 1, rank_mask(8), 1), true),
        (tops(&[1, 2, 3, 4], 4, rank_mask(1), 0), true),
        (tops(&[1, 2, 3, 4], 4, rank_mask(0), 0), false),
    ] {
        let mut source = program.source().clone();
        source.aim = vec![condition.clone()];
        let asked = compile(source);
        assert_eq!(state.outcome(&asked) == Outcome::Won, holds, "{condition:?}");
    }
}

#[test]
fn cards_that_belong_together_leave_at_the_same_time() {
    let (program, state) = table(&["AC 3C", "2C", "3H", "KC"], |program| {
        program.relations.push(relation(|under, card| under / 4 + card / 4 == 3));
        program.rules.push(free(
            "pair",
            Action::Pair(PairAction {
                from: vec![1, 2, 3],
                partners: vec![mask(&[2, 3]), mask(&[1, 3]), mask(&[1, 2])],
                yields_to: vec![PileMask(0), PileMask(0), mask(&[1])],
                pair: Some((program.relations.len() - 1) as u8),
                sets: vec![],
                deep: PileMask(0),
                to: 4,
            }),
        ));
    });
    // The 3H would go with the 2C, too, but it is covered.
    assert_eq!(state.moves(&program), [Move::new(0, 1, 0, 2)]);
    let (after, _) = played(&program, &state, Move::new(0, 1, 0, 2));
    assert_eq!((after.pile(1), after.pile(2)), (&cards("AC")[..], &cards("")[..]));
    assert_eq!(after.pile(4), cards("KC 2C 3C"));
}

/// Two jokers and two other cards, and a rule by which cards leave if they are next to the last one
/// or one of the two is a joker.
fn with_jokers(change: impl FnOnce(&mut Source)) -> Source {
    let (program, _) = table(&["4C", "JO", "KH JO", "AS"], |program| {
        let near = |under: u8, card: u8| (under / 4).abs_diff(card / 4) == 1;
        let mut rows = relation(near);
        for row in &mut rows {
            row.0 |= 1 << 52;
        }
        rows.push(CardMask((1 << 53) - 1));
        program.relations.push(rows);
        let which = CardMask((1 << 53) - 1);
        let play = MoveAction { build: Some(3), which, ..moving(&[1, 2, 3], &[4]) };
        program.rules.push(free("play", Action::Move(play)));
    });
    let mut source = program.source().clone();
    change(&mut source);
    source
}

#[test]
fn jokers_go_with_any_card() {
    let program = compile(with_jokers(|_| {}));
    let (state, _) = program.deal(&cards("4C JO KH JO AS")).expect("the deck is the pack");
    assert_eq!(state.moves(&program), [Move::new(0, 2, 1, 4), Move::new(0, 3, 1, 4)]);
    let (after, _) = played(&program, &state, Move::new(0, 3, 1, 4));
    assert_eq!(after.pile(4), cards("AS JO"));
    assert_eq!(after.moves(&program).len(), 3);
    let (after, _) = played(&program, &after, Move::new(0, 3, 1, 4));
    assert_eq!(after.moves(&program), [Move::new(0, 2, 1, 4)]);
}

#[test]
fn jokers_have_no_value() {
    let sums = |source: &mut Source| {
        let sum = Sum { total: 15, values: (1..14).collect() };
        source.aim = vec![Condition::Sums { lines: vec![vec![1, 2]], sum }];
    };
    let fault = Program::new(with_jokers(sums)).expect_err("a sum needs values").to_string();
    assert_eq!(fault, "aim: there are jokers, who have no value");
    let beyond = |source: &mut Source| source.relations[0][3] = CardMask(1 << 53);
    let fault = Program::new(with_jokers(beyond)).expect_err("there is no such card").to_string();
    assert_eq!(fault, "relations[0]: a card mask has bits beyond the 53 cards");
}

/// Five cards: the first is covered by the second and the third, the fourth by one of these.
fn covered(piles: &[&str], rules: impl FnOnce(&mut Source)) -> (Program, State) {
    table(piles, |program| {
        program.piles[1].open_when = vec![mask(&[2, 3])];
        program.piles[4].open_when = vec![mask(&[2]), mask(&[3])];
        rules(program);
    })
}

#[test]
fn a_covered_card_is_neither_moved_nor_built_on() {
    let build = |program: &mut Source| {
        let all = [1, 2, 3, 4, 5];
        let build = MoveAction { build: Some(1), space: NO_CARD, ..moving(&all, &all) };
        program.rules.push(free("build", Action::Move(build)));
    };
    let open = |piles: &[&str]| {
        let (program, state) = covered(piles, build);
        let moves = state.moves(&program);
        moves.iter().map(|each| (each.from(), each.to())).collect::<Vec<_>>()
    };
    assert_eq!(open(&["2C", "KC", "KD", "AC", "3C"]), []);
    assert_eq!(open(&["2C", "", "KD", "AC", "3C"]), [], "the 2C takes nothing");
    assert_eq!(open(&["2C", "", "", "AC", "3C"]), [(1, 5), (4, 1)]);
    assert_eq!(open(&["2C", "KC", "", "5C", "4C"]), [(5, 4)], "one of two ways is enough");

    let (program, state) = covered(&["2C", "KC", "KD", "5C", "3C"], build);
    let refusal = |from, to| state.refusals(&program, from, 1, to)[0].reason;
    assert_eq!(refusal(1, 5), Reason::Covered(1));
    assert_eq!(refusal(5, 4), Reason::Covered(4));
}

#[test]
fn a_covered_card_is_neither_paired_nor_exchanged_nor_turned_up() {
    let (program, state) = covered(&["AC", "2C", "3C", "5C"], |program| {
        program.relations.push(relation(|_, _| true));
        let any = PairAction {
            from: vec![1, 2, 4],
            partners: vec![mask(&[2, 4]), mask(&[1, 4]), mask(&[1, 2])],
            yields_to: vec![PileMask(0); 3],
            pair: Some((program.relations.len() - 1) as u8),
            to: 5,
            sets: vec![],
            deep: PileMask(0),
        };
        let piles = program.piles.len() as u8;
        assert!(any.to < piles);
        program.rules = vec![
            free("pair", Action::Pair(any)),
            free("swap", exchanging(mask(&[1, 2, 3, 4]), false)),
            forced("turn up", Action::TurnUp { turn_up: mask(&[1, 4]) }),
        ];
        for step in [0, 3] {
            let Step::Deal { face, .. } = &mut program.layout[step] else { unreachable!() };
            *face = Face::Down;
        }
    });
    assert_eq!(state.moves(&program), [Move::new(1, 2, 0, 3)], "only the open ones");
    for code in [Move::new(0, 1, 0, 2), Move::new(1, 1, 0, 2), Move::new(1, 3, 0, 4)] {
        assert!(!state.is_legal(&program, code), "{code:?}");
    }
    assert_eq!((state.pile(1), state.pile(4)), (&[64][..], &[64 | card("5C")][..]));
}

#[test]
fn cards_turn_up_when_nothing_covers_them_any_more() {
    let (program, state) = covered(&["AC", "2C", "", "5C", ""], |program| {
        program.rules = vec![
            free("clear", Action::Move(moving(&[2], &[5]))),
            forced("turn up", Action::TurnUp { turn_up: mask(&[1, 4]) }),
        ];
        let Step::Deal { face, .. } = &mut program.layout[0] else { unreachable!() };
        *face = Face::Down;
    });
    assert_eq!(state.pile(1), [64]);
    let (after, forced) = played(&program, &state, Move::new(0, 2, 1, 5));
    assert_eq!((after.pile(1), forced.len()), (&[0][..], 1));
}

#[test]
fn covered_cards_do_not_go_up_together() {
    let (program, state) = covered(&["2C AC", "KC", "", "2D AD", ""], |program| {
        program.build_orders.push(up_in_suit(13));
        let up = group(program, "up", 4, 13, Some(0));
        program.rules.push(free("pair", Action::Joint(joint(&[(&[1, 4], 2)], &up))));
    });
    assert_eq!(state.moves(&program), [Move::new(0, 4, 0, 255)]);
}

#[test]
fn sets_of_several_cards_leave() {
    let set = |size: [u8; 2]| CardSet { size, chain: None, each: None, cards: vec![], sum: None };
    let moves = |pair: Option<u8>, sets: Vec<CardSet>, deep: &[u8]| {
        let piles = ["5C AC", "2C", "3H", "4C", "3C", "KS"];
        let (program, state) = table(&piles, |program| {
            program.relations.push(relation(|under, card| under / 4 + card / 4 == 4));
            program.rules.push(free(
                "set",
                Action::Pair(PairAction {
                    from: vec![1, 2, 3, 4, 5],
                    partners: vec![mask(&[1, 2, 3, 4, 5]); 5],
                    yields_to: vec![PileMask(0); 5],
                    pair,
                    to: 6,
                    sets,
                    deep: mask(deep),
                }),
            ));
        });
        let taken = |(_, ways): &(Move, Vec<(u8, u16, u8)>)| {
            let mut piles: Vec<u8> = ways.iter().map(|&(from, _, _)| from).collect();
            piles.sort_unstable();
            piles
        };
        state.moves_with_transfers(&program).iter().map(taken).collect::<Vec<_>>()
    };
    let sum = |total: u16| Some(Sum { total, values: (1..14).collect() });
    assert_eq!(
        moves(None, vec![CardSet { sum: sum(10), ..set([2, 4]) }], &[]),
        [vec![1, 2, 3, 4], vec![1, 2, 4, 5], vec![3, 4, 5]]
    );
    // 0 is "same suit", 1 "one rank lower", 3 "adding up to six".
    assert_eq!(moves(None, vec![CardSet { each: Some(0), ..set([4, 4]) }], &[]), [[1, 2, 4, 5]]);
    assert_eq!(
        moves(None, vec![CardSet { chain: Some(1), ..set([3, 3]) }], &[]),
        [[1, 2, 3], [1, 2, 5], [2, 3, 4], [2, 4, 5]]
    );
    assert_eq!(moves(Some(3), vec![], &[1]), [[1, 1], [2, 4], [3, 5]]);
    let classes = vec![class(|card| card % 4 == 2), class(|card| card / 4 > 1)];
    let couple = CardSet { cards: classes, ..set([2, 2]) };
    let one = CardSet { cards: vec![class(|card| card / 4 == 3)], ..set([1, 1]) };
    assert_eq!(moves(None, vec![couple, one], &[]), [vec![3, 4], vec![3, 5], vec![4]]);
}

#[test]
fn a_card_goes_while_another_beats_it() {
    let (program, state) = table(&["2C", "9C", "KH", ""], |program| {
        let higher = |under: u8, card: u8| under % 4 == card % 4 && card > under;
        program.relations.push(relation(higher));
        let beaten = MoveAction { beaten_by: Some(3), ..moving(&[1, 2, 3], &[4]) };
        program.rules.push(free("leave", Action::Move(beaten)));
    });
    assert_eq!(state.moves(&program), [Move::new(0, 1, 1, 4)]);
    assert_eq!(state.refusals(&program, 2, 1, 4)[0].reason, Reason::BeatenBy);
}

#[test]
fn a_vacancy_takes_what_fits_beside_its_neighbour() {
    // Two rows: 3S . KH | . 4S 2D, and single cards.
    let piles = ["3S", "", "KH", "", "4S", "2D", "4H", "5S"];
    let (program, state) = table(&piles, |program| {
        program.relations.push(relation(|under, card| under % 4 == card % 4 && down(card, under)));
        let relation = (program.relations.len() - 1) as u8;
        let pairs = vec![[2, 1], [3, 2], [5, 4], [6, 5]];
        let beside =
            Beside { neighbours: vec![Neighbours { pairs, relation }], edge: rank_mask(1) };
        let places: Vec<u8> = (1..9).collect();
        let fill =
            MoveAction { to_holds: [0, 0], beside: Some(beside), ..moving(&places, &[2, 4]) };
        program.rules.push(free("fill", Action::Move(fill)));
    });
    // Beside the 3S, only the 4S; at the beginning of the second row, only a two.
    assert_eq!(state.moves(&program), [Move::new(0, 5, 1, 2), Move::new(0, 6, 1, 4)]);
    let reasons = |source, target| {
        let refused = state.refusals(&program, source, 1, target);
        refused.iter().map(|refusal| refusal.reason).collect::<Vec<_>>()
    };
    assert_eq!(reasons(8, 2), [Reason::Beside]);
    assert_eq!(reasons(5, 4), [Reason::Beside]);
    // Nothing goes beside a vacancy.
    let (after, _) = played(&program, &state, Move::new(0, 6, 1, 4));
    assert_eq!(after.moves(&program), [Move::new(0, 5, 1, 2)]);
}

#[test]
fn a_whole_pile_goes_by_its_top_card_and_the_row_closes_up() {
    let (program, state) = table(&["KS", "QH 9C", "9H 2C", "5D", "KD 5S"], |program| {
        program.relations.push(relation(|under, card| under / 4 == card / 4));
        let row = [1, 2, 3, 4, 5];
        let build = MoveAction {
            along: vec![mask(&[]), mask(&[1]), mask(&[2]), mask(&[3, 1]), mask(&[4, 2])],
            to_holds: [1, 99],
            cards: Unit::All,
            build: Some((program.relations.len() - 1) as u8),
            by_top: true,
            ..moving(&row, &row)
        };
        program.rules = vec![
            free("build", Action::Move(build)),
            forced("close up", script(vec![Step::CloseUp { piles: row.to_vec() }])),
        ];
    });
    // The 9H is not on top, so it does not go on the 9C.
    assert_eq!(state.moves(&program), [Move::new(0, 5, 2, 4)]);
    let mut after = state.clone();
    let mut journal = Journal::new();
    after.play(&program, Move::new(0, 5, 2, 4), &mut journal).expect("the move is legal");
    assert_eq!(after.pile(4), cards("5D KD 5S"));
    assert!(journal.forced().is_empty() && after.pile(5).is_empty());
    after.undo(&program, &mut journal);
    assert!(after.is_identical(&state));
}

#[test]
fn a_row_closes_up_and_its_vacancies_are_dealt() {
    let (program, state) = table(&["", "2C 3C", "", "4C", "", "KH QH JH TH"], |program| {
        let row = vec![1, 2, 3, 4, 5];
        let deal = |to: &[u8], only| Step::Deal {
            then: Vec::new(),
            apart: None,
            from: 6,
            to: to.to_vec(),
            each: 1,
            face: Face::Up,
            only,
            leave: vec![],
            terms: DealTerms::default(),
        };
        let close = Step::CloseUp { piles: row.clone() };
        program.rules = vec![
            free("close", script(vec![close, deal(&row, DealtTo::Vacant)])),
            free("deal", script(vec![deal(&row, DealtTo::Occupied)])),
        ];
    });
    let piles = |state: &State| (1..6).map(|pile| state.pile(pile).to_vec()).collect::<Vec<_>>();
    let (closed, _) = played(&program, &state, Move::new(0, 255, 0, 255));
    let expected = ["2C 3C", "4C", "TH", "JH", "QH"];
    assert_eq!(piles(&closed), expected.map(cards));
    let (dealt, _) = played(&program, &state, Move::new(1, 255, 0, 255));
    assert_eq!(piles(&dealt), ["", "2C 3C TH", "", "4C JH", ""].map(cards));
    // A row without gaps and vacancies does not close up.
    assert!(!closed.is_legal(&program, Move::new(0, 255, 0, 255)));
}

#[test]
fn cards_between_two_of_a_rank_leave() {
    let (program, state) = table(&["2C", "7D", "8D", "2H", "9S", "2D", "", "2S"], |program| {
        program.relations.push(relation(|under, card| under / 4 == card / 4));
        let row: Vec<u8> = (1..9).collect();
        let stretch = |number, around, sums| {
            Action::Stretch(StretchAction {
                piles: row.clone(),
                number,
                around,
                sums,
                worth: (1..=13).collect(),
                to: 10,
            })
        };
        group(program, "discard", 1, 8, None);
        let relation = (program.relations.len() - 1) as u8;
        program.rules = vec![
            free("between", stretch([1, 2], Some(relation), Vec::new())),
            free("sums", stretch([2, 99], None, vec![10, 17, 21])),
        ];
    });
    assert_eq!(program.source().piles[10].name, "discard.1");
    assert_eq!(
        state.moves(&program),
        [
            Move::new(0, 2, 0, 3),
            Move::new(0, 5, 0, 5),
            Move::new(1, 1, 0, 3),
            Move::new(1, 2, 0, 4),
            Move::new(1, 3, 0, 4),
            Move::new(1, 3, 0, 6),
        ]
    );
}

#[test]
fn cards_that_are_worth_more_beat_a_pile() {
    let piles = ["5C", "3D", "", "4H", "2S", "2C AC"];
    let (program, state) = table(&piles, |program| {
        let beat = |beat: Vec<u8>, backing: Vec<PileMask>, blind| {
            Action::Beat(BeatAction {
                beat,
                with: vec![1, 2, 3],
                number: [1, 2],
                worth: (1..=13).collect(),
                backing,
                blind,
                to: 8,
            })
        };
        group(program, "discard", 1, 8, None);
        let turn = Step::Turn { piles: vec![6], face: Face::Down, turned: false };
        program.rules = vec![
            free("backed", beat(vec![4, 5], vec![mask(&[5]), PileMask(0)], false)),
            free("blind", beat(vec![6], vec![PileMask(0)], true)),
            free("turn", script(vec![turn])),
        ];
    });
    // 4H is backed by 2S: only both cards are worth more.
    assert_eq!(
        state.moves(&program),
        [
            Move::new(0, 1, 1, 5),
            Move::new(0, 1, 3, 4),
            Move::new(0, 1, 3, 5),
            Move::new(0, 2, 1, 5),
            Move::new(1, 1, 1, 6),
            Move::new(1, 1, 3, 6),
            Move::new(2, 255, 0, 255),
        ]
    );
    let (after, _) = played(&program, &state, Move::new(0, 1, 3, 4));
    assert_eq!(after.pile(8), cards("3D 5C 4H"));
    // What lies face down may be tried with any card.
    let (covered, _) = played(&program, &state, Move::new(2, 255, 0, 255));
    assert!(covered.pile(6).iter().all(|&byte| byte & 64 != 0));
    let tries: Vec<Move> =
        covered.moves(&program).into_iter().filter(|each| each.rule() == 1).collect();
    assert_eq!(tries, [Move::new(1, 1, 1, 6), Move::new(1, 1, 3, 6), Move::new(1, 2, 1, 6)]);
    let (failed, _) = played(&program, &covered, Move::new(1, 2, 1, 6));
    assert_eq!((failed.pile(6), failed.pile(8)), (&cards("2C AC")[..], &cards("3D")[..]));
    let (beaten, _) = played(&program, &covered, Move::new(1, 1, 1, 6));
    assert_eq!((beaten.pile(6), beaten.pile(8)), (&[][..], &cards("5C 2C AC")[..]));
}

#[test]
fn a_payment_is_taken_from_the_bottom() {
    let (program, state) = table(&["4C 3C 2C AC", "KS"], |program| {
        let pay = Step::Take {
            from: 1,
            number: Quantity::Fixed { number: 3 },
            end: End::Bottom,
            to: 2,
            at: End::Bottom,
            turned: true,
            face: Face::Down,
        };
        program.rules.push(free("pay", script(vec![pay])));
    });
    let (after, _) = played(&program, &state, Move::new(0, 255, 0, 255));
    assert_eq!(after.pile(1), cards("AC"));
    let paid: Vec<u8> = cards("2C 3C 4C").iter().map(|byte| byte | 64).collect();
    assert_eq!(after.pile(2), [paid, cards("KS")].concat());
    assert_eq!(state.transfers(&program, Move::new(0, 255, 0, 255)).unwrap(), [(1, 3, 2)]);
}

#[test]
fn a_gather_takes_piles_one_after_the_other() {
    let (program, state) = table(&["AC 2C", "3C 4C", "5C"], |program| {
        let gather = Step::Gather {
            piles: vec![2, 1],
            to: 3,
            at: End::Bottom,
            turned: true,
            face: Face::Down,
            keep: None,
        };
        program.rules.push(free("gather", script(vec![gather])));
    });
    let (after, _) = played(&program, &state, Move::new(0, 255, 0, 255));
    let under: Vec<u8> = cards("2C AC 4C 3C").iter().map(|byte| byte | 64).collect();
    assert_eq!(after.pile(3), [under, cards("5C")].concat());
    // With nothing to gather the rule is not offered.
    assert!(after.moves(&program).is_empty());
}

#[test]
fn what_lies_in_order_is_not_gathered_and_a_gap_follows_it() {
    let row = ["2C", "3C", "5H", "", "3D", "4D", "", "2D"];
    let (program, state) = table(&[&row[..], &["KS"]].concat(), |program| {
        program.relations.push(relation(|under, card| same_suit(under, card) && down(card, under)));
        let lines = vec![vec![1, 2, 3, 4], vec![5, 6, 7, 8]];
        let gather = Step::Gather {
            piles: (1..9).collect(),
            to: 9,
            at: End::Bottom,
            turned: false,
            face: Face::Keep,
            keep: Some(Runs { lines: lines.clone(), cards: rank_mask(1), relation: 3 }),
        };
        let spread = Step::Deal {
            from: 9,
            then: Vec::new(),
            to: (1..9).collect(),
            each: 1,
            face: Face::Up,
            only: DealtTo::Vacant,
            apart: None,
            leave: lines,
            terms: DealTerms::default(),
        };
        let both = script(vec![gather.clone(), spread.clone()]);
        program.rules = vec![free("again", both), free("gather", script(vec![gather]))];
    });
    let again = Move::new(0, 255, 0, 255);
    let (after, _) = played(&program, &state, again);
    let piles: Vec<Vec<u8>> = (1..10).map(|pile| after.pile(pile).to_vec()).collect();
    // A run begins with a two, so the 3D and the 4D are taken up, and so is the 2D behind a gap.
    let expected = ["2C", "3C", "", "KS", "", "5H", "3D", "4D", "2D"];
    assert_eq!(piles, expected.map(cards));
    let mut undone = after.clone();
    let mut journal = Journal::new();
    undone.play(&program, again, &mut journal).expect("there are cards out of order");
    undone.undo(&program, &mut journal);
    assert!(undone.is_identical(&after));
    // If all cards lie in order, nothing is gathered.
    let (program, state) = table(&["2C", "3C", "", "", "2D", "", "", "", ""], |other| {
        other.relations = program.source().relations.clone();
        other.rules = program.source().rules[1..].to_vec();
    });
    assert!(state.moves(&program).is_empty());
}

#[test]
fn a_shuffle_follows_from_the_deal_and_from_the_number_of_shuffles() {
    let shuffles = |piles: &[&str], played: u16| {
        let (program, mut state) = table(piles, |program| {
            program.counters.push(Counter { name: "shuffles".to_owned(), start: 0, cap: 99 });
            let turn = Step::Gather {
                piles: vec![2],
                to: 1,
                at: End::Top,
                turned: false,
                face: Face::Up,
                keep: None,
            };
            let shuffle = Step::Shuffle { pile: 1, counter: 0 };
            program.rules.push(free("shuffle", script(vec![turn, shuffle])));
        });
        let before = state.clone();
        let mut journal = Journal::new();
        for _ in 0..played {
            state.play(&program, Move::new(0, 255, 0, 255), &mut journal).expect("it is legal");
        }
        assert_eq!(state.counters(), [played]);
        assert_eq!(state.hash128(), state.hash_from_scratch(&program));
        assert!(state.pile(1).iter().all(|byte| byte & 64 != 0), "the cards lie face down");
        let after = state.clone();
        for _ in 0..played {
            state.undo(&program, &mut journal);
        }
        assert!(state.is_identical(&before) && journal.is_empty());
        after
    };
    // The vectors of docs/deals.md, which tests/deals/test_shuffles.py computes, too.
    let down = |text: &str| cards(text).iter().map(|byte| byte | 64).collect::<Vec<u8>>();
    let dealt = ["AC 2C 3C 4C 5C", "KS KH"];
    assert_eq!(shuffles(&dealt, 1).pile(1), down("AC 4C 5C KH 2C KS 3C"));
    assert_eq!(shuffles(&dealt, 2).pile(1), down("KH AC KS 3C 5C 4C 2C"));
    // Another deal of the same cards; the order in which they lie does not count.
    let (one, other) = (shuffles(&["AC 2C 3C 5C 4C", "KS KH"], 1), shuffles(&dealt, 1));
    assert_ne!(one.pile(1), other.pile(1));
    assert_ne!(one, other);
}

#[test]
fn a_script_may_be_used_if_any_of_its_steps_moves_cards() {
    let gather = |from: u8, to: u8| Step::Gather {
        piles: vec![from],
        to,
        at: End::Top,
        turned: false,
        face: Face::Keep,
        keep: None,
    };
    let (program, state) = table(&["", "3C", ""], |program| {
        program.rules.push(free("clear and turn", script(vec![gather(1, 3), gather(2, 1)])));
    });
    let (after, _) = played(&program, &state, Move::new(0, 255, 0, 255));
    assert_eq!(after.pile(1), cards("3C"));
}

#[test]
fn closed_piles_are_passed_over() {
    let (program, state) = table(&["KC QC JC TC", "", "", "AC"], |program| {
        program.build_orders.push(up_in_suit(1));
        let up = group(program, "foundations", 2, 1, Some(0));
        program.rules = vec![
            free("play", Action::Move(MoveAction { build_order: true, ..moving(&[4], &up) })),
            free(
                "row",
                script(vec![
                    Step::Close { pairs: vec![[2, up[0]], [3, up[1]]] },
                    deal(1, &[2, 3], 1, Face::Up),
                ]),
            ),
        ];
    });
    let (state, _) = played(&program, &state, Move::new(0, 4, 1, 6));
    let (after, _) = played(&program, &state, Move::new(1, 255, 0, 255));
    assert_eq!(after.closed(), 1 << 2);
    assert!(after.pile(2).is_empty());
    assert_eq!(after.pile(3), cards("TC"));
}

#[test]
fn routed_cards_go_where_they_belong() {
    let (program, state) = table(&["2C 3D 4D 5D", "", ""], |program| {
        let ways = vec![
            Way { cards: class(is_red), to: vec![2], overflow: 3 },
            Way { cards: ALL, to: vec![], overflow: 2 },
        ];
        program
            .rules
            .push(free("route", script(vec![Step::Route { from: 1, ways, until: mask(&[2, 3]) }])));
    });
    let (after, _) = played(&program, &state, Move::new(0, 255, 0, 255));
    assert_eq!(after.pile(2), cards("5D"));
    assert_eq!(after.pile(3), cards("4D"));
    assert!(!after.is_legal(&program, Move::new(0, 255, 0, 255)), "both are filled");
}

#[test]
fn counters_stop_at_their_cap() {
    let (program, state) = table(&["QC QD AC", ""], |program| {
        program.counters.push(cadogan_kernel::program::Counter {
            name: "queens".into(),
            start: 0,
            cap: 2,
        });
        program.rules.push(then(
            Effect::Add { counter: 0, value: 1 },
            then(
                Effect::Count { counter: 0, cards: rank_mask(11) },
                free("lay off", Action::Move(moving(&[1], &[2]))),
            ),
        ));
    });
    let mut state = state;
    let mut seen = Vec::new();
    for _ in 0..3 {
        state = played(&program, &state, Move::new(0, 1, 1, 2)).0;
        seen.push(state.counters()[0]);
    }
    assert_eq!(seen, [1, 2, 2]);
}

#[test]
fn a_rule_waits_until_others_are_blocked() {
    let (program, state) = table(&["AC", "2C", "KD"], |program| {
        let build = MoveAction { build: Some(1), space: NO_CARD, ..moving(&[1, 3], &[2]) };
        let blocked = Condition::Blocked { rules: vec![0], from: mask(&[1, 3]) };
        program.rules = vec![
            free("build", Action::Move(build)),
            when(blocked, free("swap", exchanging(mask(&[2, 3]), false))),
        ];
    });
    assert_eq!(state.moves(&program), [Move::new(0, 1, 1, 2)]);
    assert_eq!(state.refusals(&program, 3, 1, 2)[0].reason, Reason::Build(card("2C")));
    let (after, _) = played(&program, &state, Move::new(0, 1, 1, 2));
    assert_eq!(after.moves(&program), [Move::new(1, 2, 0, 3)]);
}

#[test]
fn forced_rules_without_end_leave_the_position_as_it_was() {
    let (program, mut state) = table(&["AC", "2C", "3C", ""], |program| {
        program.rules = vec![
            when(
                Condition::Filled { piles: mask(&[4]), number: 1 },
                forced("to and fro", exchanging(mask(&[1, 2]), false)),
            ),
            free("begin", Action::Move(moving(&[3], &[4]))),
        ];
    });
    let before = state.clone();
    let begin = Move::new(1, 3, 1, 4);
    let error = state.play(&program, begin, &mut Journal::new());
    let PlayError::ForcedLoop(endless) = error.unwrap_err() else { panic!("it is legal") };
    assert_eq!(*endless.rules, [0]);
    assert!(state.is_identical(&before));
}

#[test]
fn a_failing_condition_is_named() {
    let (program, state) = table(&["AC", "2C"], |program| {
        let rule = free("build", Action::Move(moving(&[1], &[2])));
        let open = Condition::Filled { piles: mask(&[1]), number: 1 };
        let shut = Condition::Vacant { piles: mask(&[1]), number: 1 };
        program.rules.push(when(shut, when(open, rule)));
    });
    assert_eq!(state.refusals(&program, 1, 1, 2)[0].reason, Reason::When(1));
    assert_eq!(Reason::When(1).name(), "when");
}

#[test]
fn the_kernel_says_what_is_wanted_and_which_condition_fails() {
    let program = compile(games::klondike());
    let (state, _) = program.deal(&program.deck(1)).unwrap();
    let foundation =
        program.source().piles.iter().position(|pile| pile.build_order.is_some()).unwrap();
    assert_eq!(state.next_cards(&program, foundation), 0b1111, "any ace");
    assert_eq!(state.next_cards(&program, 0), 0, "the stock wants nothing");
    let redeal = program.source().rules.iter().position(|rule| rule.name == "redeal").unwrap();
    // The stock must be empty; redeals may still be made.
    assert_eq!(state.failed_condition(&program, redeal), Some(0));
    assert_eq!(state.failed_condition(&program, 0), None);
    assert_eq!(state.failed_condition(&program, 200), None);
}

#[test]
fn complete_sequences_lie_in_order() {
    let holds = |piles: &[&str], lines: &[&[u8]], length: u16| {
        let (program, state) = table(piles, |program| {
            let lines = lines.iter().map(|line| line.to_vec()).collect();
            program.aim =
                vec![Condition::Ordered { lines, relation: 1, length, gaps: false, first: None }];
        });
        state.is_won(&program)
    };
    let each: &[&[u8]] = &[&[1], &[2], &[3]];
    assert!(holds(&["3C 2D AH", "", "3S 2S AS 3D 2H AC"], each, 3));
    assert!(!holds(&["3C 2D AH", "", "3S 2S"], each, 3), "a sequence is not complete");
    assert!(!holds(&["3C 2D", "AH", ""], each, 3), "a sequence lies on two piles");
    assert!(!holds(&["3C AD 2H", "", ""], each, 3));
    assert!(!holds(&["", "", ""], each, 3), "no pile holds any");
    // Of any length.
    assert!(holds(&["3C 2D", "5S", "9D 8C 7H 6S"], each, 0));
    assert!(!holds(&["3C 2D 3S", "5S", ""], each, 0));
    // A row is read from left to right; its vacancies come last.
    let row: &[&[u8]] = &[&[1, 2, 3]];
    assert!(holds(&["3C", "2D", ""], row, 0) && holds(&["3C", "2D", "AS"], row, 3));
    assert!(!holds(&["3C", "", "2D"], row, 0) && !holds(&["", "3C", "2D"], row, 0));
    assert!(!holds(&["3C", "2D", ""], row, 3) && !holds(&["2C", "3D", ""], row, 0));
}

#[test]
fn a_line_with_gaps_begins_with_certain_cards() {
    let holds = |piles: &[&str]| {
        let (program, state) = table(piles, |program| {
            let (lines, first) = (vec![vec![1, 2, 3]], Some(CardMask(0b1111 << 8)));
            program.aim =
                vec![Condition::Ordered { lines, relation: 1, length: 0, gaps: true, first }];
        });
        state.is_won(&program)
    };
    assert!(holds(&["3C", "2D", ""]) && holds(&["3C", "", "2D"]) && holds(&["", "3C", "2D"]));
    assert!(!holds(&["", "2D", "AC"]), "the line begins with a three");
    assert!(!holds(&["3C", "", "AC"]) && !holds(&["", "", ""]));
}

#[test]
fn points_are_counted_for_cards_counters_conditions_and_hands() {
    use Outcome::{Lost, Open, Over, Won};

    let score = |aim: Better, won_from: Option<i32>| {
        let hands = Term::Poker { lines: vec![vec![1, 2, 3]], points: [3, 0, 0, 0, 0, 0, 0, 0, 0] };
        let terms = vec![
            Term::Cards { piles: mask(&[1, 2]), cards: rank_mask(8), points: 5 },
            Term::Counter { counter: 0, points: -2 },
            Term::Bonus {
                when: vec![Condition::Filled { piles: mask(&[3]), number: 1 }],
                points: 7,
            },
            hands,
        ];
        let score = Score { aim, start: -10, terms, won_from };
        let (program, state) = table(&["9C 9D", "2S", ""], |program| {
            program.counters = vec![Counter { name: "paid".to_owned(), start: 4, cap: 9 }];
            program.rules.push(free("move", Action::Move(moving(&[1], &[3]))));
            program.rules[0].effects = vec![Effect::Add { counter: 0, value: 1 }];
            program.aim = Vec::new();
            program.score = Some(score);
        });
        let first = state.score(&program);
        let (after, _) = played(&program, &state, Move::new(0, 1, 1, 3));
        let (last, _) = played(&program, &after, Move::new(0, 1, 1, 3));
        let points = [first, after.score(&program), last.score(&program)];
        let outcomes = [&state, &after, &last].map(|state| state.outcome(&program));
        assert_eq!(points, [Some(-8), Some(-5), Some(-15)]);
        outcomes
    };
    assert_eq!(score(Better::Most, None), [Open, Open, Over]);
    assert_eq!(score(Better::Most, Some(-15)), [Open, Open, Won]);
    assert_eq!(score(Better::Most, Some(-14)), [Open, Open, Lost]);
    assert_eq!(score(Better::Fewest, Some(-15)), [Open, Open, Won]);
    assert_eq!(score(Better::Fewest, Some(-16)), [Open, Open, Lost]);
}

#[test]
fn only_a_valid_score_is_accepted() {
    let faulty = |term: Term, won_from: Option<i32>| {
        let mut program = games::square();
        program.score = Some(Score { aim: Better::Most, start: 0, terms: vec![term], won_from });
        Program::new(program).map(|_| ()).map_err(|error| error.to_string())
    };
    let cards = |points| Term::Cards { piles: mask(&[1]), cards: CardMask(1), points };
    assert!(faulty(cards(5), None).is_ok());
    assert!(faulty(cards(10_001), None).is_err());
    assert!(faulty(Term::Counter { counter: 0, points: 1 }, None).is_err());
    assert!(faulty(Term::Poker { lines: vec![vec![2; 6]], points: [1; 9] }, None).is_err());
    let far = Term::Cribbage { lines: vec![vec![200]], starter: None, points: [1; 6] };
    assert!(faulty(far, None).is_err());
    let mut both = games::orderly();
    both.score = Some(Score { aim: Better::Most, start: 0, terms: Vec::new(), won_from: Some(1) });
    assert!(Program::new(both).is_err(), "an aim and a number of points");
}
