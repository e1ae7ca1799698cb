//! Tests what the player or a card decides: bases, directions, places by rank, cards that wait.

use crate::support::table::{played, table};
use crate::support::{
    card, deal, down, forced, free, group, mask, moving, rank_mask, relation, then, up_in_suit,
    when,
};
use cadogan_kernel::program::{
    Action, Asks, BuildOrder, CardMask, CardsByCounter, Compare, Condition, Counter, Effect, Face,
    MoveAction, PileMask, PilesByCounter, Source, Uncovers, Unit,
};
use cadogan_kernel::{Move, Program, Reason, State};

fn counter(program: &mut Source, name: &str, start: u16) {
    program.counters.push(Counter { name: name.to_owned(), start, cap: 13 });
}

/// Foundations with a build order of this form, and a rule that plays to them from some piles.
fn foundations(program: &mut Source, build_order: BuildOrder, from: &[u8]) -> Vec<u8> {
    program.build_orders.push(build_order);
    let up = group(program, "foundations", 2, 13, Some(0));
    let sources = [from, &up].concat();
    let from = if program.build_orders[0].waits { &sources } else { from };
    let play = MoveAction { build_order: true, ..moving(from, &up) };
    program.rules.push(free("play", Action::Move(play)));
    up
}

fn wants(program: &Program, state: &State, pile: usize) -> u64 {
    state.next_cards(program, pile)
}

#[test]
fn the_first_card_makes_the_base() {
    let (program, state) = table(&["5C 4C", "5H 6C"], |program| {
        counter(program, "base", 13);
        let order = BuildOrder { base: Some(0), ..up_in_suit(13) };
        foundations(program, order, &[1, 2]);
        program.rules[0].effects.push(Effect::Rank { counter: 0, once: true });
    });
    assert_eq!(wants(&program, &state, 4), (1 << 52) - 1);
    let (after, _) = played(&program, &state, Move::new(0, 1, 1, 4));
    assert_eq!(after.counters(), [3]);
    assert_eq!(wants(&program, &after, 4), 1 << card("5C"));
    assert_eq!(wants(&program, &after, 5), rank_mask(3).0);
    // The six does not go up on the four, and later cards do not change the base.
    assert_eq!(after.moves(&program), [Move::new(0, 1, 1, 4)]);
    let (after, _) = played(&program, &after, Move::new(0, 1, 1, 4));
    assert_eq!(after.counters(), [3]);
}

#[test]
fn a_base_begins_where_its_rank_stands_in_the_order() {
    let (program, state) = table(&["2C 3C"], |program| {
        counter(program, "base", 2);
        let down: Vec<CardMask> = (0..13).rev().map(rank_mask).collect();
        let order = BuildOrder { base: Some(0), wants: down, ..up_in_suit(13) };
        foundations(program, order, &[1]);
    });
    let (after, _) = played(&program, &state, Move::new(0, 1, 1, 3));
    assert_eq!(wants(&program, &after, 3), 1 << card("2C"));
}

#[test]
fn each_foundation_has_a_base_of_its_own() {
    let (program, state) = table(&["7C 6C", "KD"], |program| {
        let order = BuildOrder { own_base: true, relation: None, ..up_in_suit(13) };
        foundations(program, order, &[1, 2]);
    });
    let (after, _) = played(&program, &state, Move::new(0, 1, 1, 4));
    let (after, _) = played(&program, &after, Move::new(0, 2, 1, 5));
    assert_eq!(wants(&program, &after, 4), rank_mask(6).0);
    assert_eq!(wants(&program, &after, 5), rank_mask(0).0);
}

fn up_or_down(one_way: bool) -> BuildOrder {
    let ways = vec![(0..13).map(|step| rank_mask((13 - step) % 13)).collect()];
    BuildOrder { ways, one_way, relation: None, ..up_in_suit(13) }
}

#[test]
fn the_second_card_decides_the_direction() {
    let piles = ["AC", "AD", "KC 2C"];
    for one_way in [false, true] {
        let (program, state) = table(&piles, |program| {
            foundations(program, up_or_down(one_way), &[1, 2, 3]);
        });
        let (both, _) = played(&program, &state, Move::new(0, 1, 1, 5));
        let (both, _) = played(&program, &both, Move::new(0, 2, 1, 6));
        let either = rank_mask(1).0 | rank_mask(12).0;
        assert_eq!([5, 6].map(|up| wants(&program, &both, up)), [either; 2]);
        let (up, _) = played(&program, &both, Move::new(0, 3, 1, 5));
        assert_eq!(wants(&program, &up, 5), rank_mask(2).0);
        assert_eq!(wants(&program, &up, 6), if one_way { rank_mask(1).0 } else { either });
    }
}

#[test]
fn a_pile_goes_on_as_it_was_begun() {
    let (program, state) = table(&["9C 4C", "6C 5C", "8D 6D", "4H"], |program| {
        program.relations.push(relation(|under, card| down(card, under)));
        program.relations.push(relation(|under, card| down(card, under) || down(under, card)));
        let build = MoveAction {
            build: Some(4),
            asks: Asks { begun: vec![1, 3], ..Asks::default() },
            ..moving(&[1, 3, 4], &[2])
        };
        program.rules.push(free("build", Action::Move(build)));
    });
    // The five lies on a six: fours go on, a six does not.
    assert_eq!(state.moves(&program), [Move::new(0, 1, 1, 2), Move::new(0, 4, 1, 2)]);
    assert_eq!(state.refusals(&program, 3, 1, 2)[0].reason, Reason::Build(card("5C")));
}

#[test]
fn a_counter_says_which_cards_move_and_what_a_vacancy_takes() {
    let by = |cards: Vec<CardMask>| Some(CardsByCounter { counter: 0, cards });
    for (value, moves) in [(0, vec![1]), (1, vec![2]), (2, vec![])] {
        let (program, state) = table(&["AC", "2C", "3C", ""], |program| {
            counter(program, "called", value);
            let asks = Asks {
                which: by(vec![rank_mask(0), rank_mask(1), rank_mask(2)]),
                space: by(vec![rank_mask(0), CardMask(rank_mask(1).0 | rank_mask(2).0)]),
                ..Asks::default()
            };
            program
                .rules
                .push(free("go", Action::Move(MoveAction { asks, ..moving(&[1, 2, 3], &[4]) })));
        });
        let expected: Vec<Move> = moves.iter().map(|&from| Move::new(0, from, 1, 4)).collect();
        assert_eq!(state.moves(&program), expected);
        let refused = |pile| state.refusals(&program, pile, 1, 4)[0].reason;
        assert_eq!(refused(3), if value == 2 { Reason::Space } else { Reason::Which });
    }
}

#[test]
fn a_card_goes_to_the_pile_of_its_rank() {
    let (program, state) = table(&["2C AC", "", ""], |program| {
        counter(program, "called", 0);
        let takes = Asks { takes: vec![rank_mask(0), rank_mask(1)], ..Asks::default() };
        let go = MoveAction { asks: takes, ..moving(&[1], &[2, 3]) };
        let once = Effect::Rank { counter: 0, once: false };
        program.rules.push(then(once, free("go", Action::Move(go))));
        let at = vec![mask(&[2]), mask(&[3])];
        let from = Some(PilesByCounter { counter: 0, piles: at });
        let back = MoveAction { asks: Asks { from, ..Asks::default() }, ..moving(&[2, 3], &[1]) };
        program.rules.push(free("back", Action::Move(back)));
    });
    assert_eq!(state.moves(&program), [Move::new(0, 1, 1, 2)]);
    assert_eq!(state.refusals(&program, 1, 1, 3)[0].reason, Reason::Takes);
    let (after, _) = played(&program, &state, Move::new(0, 1, 1, 2));
    let (after, _) = played(&program, &after, Move::new(0, 1, 1, 3));
    assert_eq!(after.counters(), [1]);
    assert_eq!(after.moves(&program), [Move::new(1, 3, 1, 1)]);
    assert_eq!(after.refusals(&program, 2, 1, 1)[0].reason, Reason::FromTurn);
}

#[test]
fn a_rank_must_lie_in_another_pile() {
    let (program, state) = table(&["5C 3C", "3D 4D", "2H", "7H"], |program| {
        let ranks_in = vec![PileMask(0), mask(&[2])];
        let go = MoveAction { asks: Asks { ranks_in, ..Asks::default() }, ..moving(&[1], &[3, 4]) };
        program.rules.push(free("go", Action::Move(go)));
    });
    assert_eq!(state.moves(&program), [Move::new(0, 1, 1, 3), Move::new(0, 1, 1, 4)]);
    let (after, _) = played(&program, &state, Move::new(0, 1, 1, 4));
    assert_eq!(after.moves(&program), [Move::new(0, 1, 1, 3)]);
    assert_eq!(after.refusals(&program, 1, 1, 4)[0].reason, Reason::RanksIn);
}

#[test]
fn nothing_lies_on_a_card_of_the_base_rank() {
    let (program, state) = table(&["5H 4C 3H", "5C", "4D"], |program| {
        counter(program, "base", 3);
        let others = (0..13).map(|base| CardMask(!rank_mask(base).0 & ((1 << 52) - 1))).collect();
        let onto = Some(CardsByCounter { counter: 0, cards: others });
        let build = MoveAction {
            cards: Unit::Run { relation: 1, least: 1, most: 52 },
            build: Some(1),
            asks: Asks { onto, ..Asks::default() },
            ..moving(&[1, 2, 3], &[1, 2, 3])
        };
        program.rules.push(free("build", Action::Move(build)));
    });
    // The three lies on a four, the base: neither goes it with the four nor on the other one.
    assert_eq!(state.moves(&program), [Move::new(0, 3, 1, 2)]);
    assert_eq!(state.refusals(&program, 1, 2, 2)[0].reason, Reason::Cards);
    assert_eq!(state.refusals(&program, 1, 1, 3)[0].reason, Reason::Onto);
}

/// A run of five cards on a queen, a foundation that wants its middle card, and two places for
/// parts of it.
fn part_of_a_run(uncovers: Uncovers) -> (Program, State) {
    table(&["QH 6H 5H 4H 3H 2H", "4D", "6D", "7D", "AC"], |program| {
        let order = BuildOrder {
            wants: [3, 4, 5].into_iter().map(rank_mask).collect(),
            relation: None,
            ..up_in_suit(3)
        };
        foundations(program, order, &[5]);
        let uncovers = Some(uncovers);
        let build = MoveAction {
            cards: Unit::Run { relation: 1, least: 1, most: 52 },
            build: Some(1),
            asks: Asks { uncovers, ..Asks::default() },
            ..moving(&[1], &[2, 3, 4])
        };
        program.rules.push(free("build", Action::Move(build)));
    })
}

#[test]
fn a_part_of_a_run_goes_if_what_it_uncovers_is_right() {
    let all = [Move::new(1, 1, 2, 2), Move::new(1, 1, 4, 3), Move::new(1, 1, 5, 4)];
    let moves = |uncovers: Uncovers| {
        let (program, state) = part_of_a_run(uncovers);
        state.moves(&program)
    };
    // The parts that begin with the three, the five and the six uncover 4H, 6H and QH.
    assert_eq!(moves(Uncovers { whole_run: true, ..Uncovers::default() }), all[2..]);
    assert_eq!(moves(Uncovers { wanted_by: mask(&[7]), ..Uncovers::default() }), all[..1]);
    let court = Some(CardMask(rank_mask(11).0 | rank_mask(5).0));
    assert_eq!(moves(Uncovers { cards: court, ..Uncovers::default() }), all[1..]);
    assert_eq!(moves(Uncovers { nothing: true, ..Uncovers::default() }), []);
    let (program, state) = part_of_a_run(Uncovers { nothing: true, ..Uncovers::default() });
    assert_eq!(state.refusals(&program, 1, 5, 4)[0].reason, Reason::Uncovers(card("QH")));
}

#[test]
fn a_hidden_card_ends_a_run_and_a_whole_pile_uncovers_nothing() {
    let (program, state) = table(&["3H 2H", "2D", "3C", "3S"], |program| {
        let hidden = [deal(0, &[1], 1, Face::Down), deal(0, &[1], 1, Face::Up)];
        program.layout.splice(..1, hidden);
        let build = |from: u8, to: u8, uncovers| MoveAction {
            cards: Unit::Run { relation: 1, least: 1, most: 52 },
            build: Some(1),
            asks: Asks { uncovers: Some(uncovers), ..Asks::default() },
            ..moving(&[from], &[to])
        };
        let whole = Uncovers { whole_run: true, ..Uncovers::default() };
        let nothing = Uncovers { nothing: true, ..Uncovers::default() };
        let threes = Uncovers { cards: Some(rank_mask(2)), ..Uncovers::default() };
        for (from, to, uncovers) in [
            (1, 3, whole.clone()),
            (2, 4, whole),
            (2, 3, nothing),
            (1, 4, threes.clone()),
            (2, 4, threes),
            (1, 4, Uncovers { hidden: true, ..Uncovers::default() }),
        ] {
            program.rules.push(free("build", Action::Move(build(from, to, uncovers))));
        }
    });
    let moves = [(0, 1, 3), (1, 2, 4), (2, 2, 3), (5, 1, 4)];
    let moves = moves.map(|(rule, from, to)| Move::new(rule, from, 1, to));
    assert_eq!(state.moves(&program), moves);
    assert_eq!(state.refusals(&program, 2, 1, 4)[0].reason, Reason::Uncovers(u8::MAX));
}

#[test]
fn cards_go_to_the_last_pile_that_was_begun() {
    let (program, state) = table(&["5C", "3D", "2H", ""], |program| {
        let asks = Asks { last_filled: true, ..Asks::default() };
        let go = MoveAction { asks, ..moving(&[1], &[2, 3, 4]) };
        program.rules.push(free("go", Action::Move(go)));
    });
    assert_eq!(state.moves(&program), [Move::new(0, 1, 1, 3)]);
    assert_eq!(state.refusals(&program, 1, 1, 2)[0].reason, Reason::ToTurn);
}

#[test]
fn one_condition_of_several_is_enough() {
    let (program, state) = table(&["5C", "3D 2D", "", "KH"], |program| {
        let size = |compare| Condition::Size { piles: mask(&[2]), compare, than: mask(&[1, 4]) };
        let no = Condition::Size { piles: mask(&[1]), compare: Compare::AtLeast, than: mask(&[2]) };
        let any = |conditions: Vec<Condition>| Condition::AnyOf { conditions };
        let go = |program: &mut Source, condition| {
            let rule = free("go", Action::Move(moving(&[1], &[3])));
            program.rules.push(when(condition, rule));
        };
        go(program, any(vec![no.clone(), size(Compare::Below)]));
        go(program, any(vec![no, size(Compare::Equal)]));
    });
    assert_eq!(state.moves(&program), [Move::new(1, 1, 1, 3)]);
}

#[test]
fn a_wrong_card_waits_until_it_can_go() {
    let dealt = ["2S 5S", "6S", "3S"];
    let (program, state) = table(&dealt, |program| {
        let twos = vec![rank_mask(1), rank_mask(4), rank_mask(7)];
        let order = BuildOrder { wants: twos, waits: true, ..up_in_suit(0) };
        let places = foundations(program, order, &[1]);
        program.build_orders.push(BuildOrder {
            wants: vec![rank_mask(2), rank_mask(5), rank_mask(8)],
            waits: true,
            ..up_in_suit(0)
        });
        program.piles[usize::from(places[1])].build_order = Some(1);
        program.piles[usize::from(places[1])].class = 99;
        // The six waits in the row of twos, the three in its own row.
        program.layout.push(deal(2, &places[..1], 1, cadogan_kernel::program::Face::Keep));
        program.layout.push(deal(3, &places[1..], 1, cadogan_kernel::program::Face::Keep));
    });
    // Nothing is built on the six; it goes on the three.
    assert_eq!(state.moves(&program), [Move::new(0, 5, 1, 6)]);
    assert_eq!(wants(&program, &state, 5), 0);
    assert_eq!(state.refusals(&program, 6, 1, 5)[0].reason, Reason::InPlace);
    let (after, _) = played(&program, &state, Move::new(0, 5, 1, 6));
    assert_eq!(wants(&program, &after, 5), rank_mask(1).0);
}

#[test]
fn with_a_base_of_its_own_no_card_waits() {
    let (program, state) = table(&["4C", "3D"], |program| {
        let order = BuildOrder { own_base: true, relation: None, waits: true, ..up_in_suit(13) };
        let places = foundations(program, order, &[1]);
        program.layout.push(deal(2, &places[..1], 1, cadogan_kernel::program::Face::Keep));
    });
    assert_eq!(wants(&program, &state, 4), rank_mask(3).0);
    assert_eq!(state.moves(&program), [Move::new(0, 1, 1, 4), Move::new(0, 1, 1, 5)]);
}

#[test]
fn two_cards_change_places_if_both_belong_there() {
    for (one, other, legal) in [("3S", "2S", true), ("3S", "4S", false), ("2S", "3S", false)] {
        let (program, state) = table(&[one, other], |program| {
            for first in [1, 2] {
                let order = BuildOrder { wants: vec![rank_mask(first)], ..up_in_suit(0) };
                program.build_orders.push(BuildOrder { waits: true, ..order });
                program.piles[usize::from(first)].build_order = Some(first - 1);
            }
            let exchange = Action::Swap { exchange: mask(&[1, 2]), belong: true };
            program.rules.push(free("exchange", exchange));
        });
        assert_eq!(state.moves(&program).len(), usize::from(legal), "{one} {other}");
        assert_eq!(state.is_legal(&program, Move::new(0, 1, 0, 2)), legal);
    }
}

#[test]
fn a_forced_choice_of_the_base_comes_before_anything_else() {
    let (program, state) = table(&["5C", "7C", "KD"], |program| {
        counter(program, "base", 13);
        let order = BuildOrder { base: Some(0), ..up_in_suit(13) };
        let up = foundations(program, order, &[1, 2, 3]);
        let choose = MoveAction {
            build_order: true,
            choose: cadogan_kernel::program::Choose::Card,
            ..moving(&[1, 2], &up)
        };
        let unknown = Condition::Counter { counter: 0, compare: Compare::AtLeast, number: 13 };
        let begin = forced("choose", Action::Move(choose));
        let begin = then(Effect::Rank { counter: 0, once: true }, when(unknown, begin));
        program.rules.push(cadogan_kernel::program::Rule {
            during: cadogan_kernel::program::During::Play,
            ..begin
        });
    });
    assert_eq!(state.moves(&program), [Move::new(1, 1, 1, 5), Move::new(1, 2, 1, 5)]);
    let (after, _) = played(&program, &state, Move::new(1, 2, 1, 5));
    assert_eq!(after.counters(), [6]);
    assert!(after.moves(&program).is_empty());
}
