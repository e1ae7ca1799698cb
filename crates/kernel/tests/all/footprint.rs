//! Compares the footprint of a rule with what the rule does.

use crate::support::{
    ALL, blank, compile, deal, free, games, group, mask, moving, relation, script, up_in_suit,
    walk, when,
};
use cadogan_kernel::program::{Action, CardMask, Condition, Face, PairAction, PileMask};
use cadogan_kernel::{Footprint, Move, Options, Program, State, Verdict, solve};
use proptest::prelude::*;

/// A game, a position of it, and how it was reached.
fn reached() -> impl Strategy<Value = (Program, u64, Vec<u16>)> {
    let games = games::all().len();
    (0..games, 0..500u64, prop::collection::vec(any::<u16>(), 0..60)).prop_map(
        |(game, number, picks)| (compile(games::all().swap_remove(game).1), number, picks),
    )
}

/// The piles and the counters in which two positions differ, as masks.
fn differences(one: &State, other: &State) -> (u128, u32) {
    let piles = one.piles().zip(other.piles()).enumerate();
    let piles = piles.fold(one.closed() ^ other.closed(), |mask, (pile, (a, b))| {
        mask | u128::from(a != b) << pile
    });
    let counters = one.counters().iter().zip(other.counters()).enumerate();
    let counters = counters.fold(0, |mask, (index, (a, b))| mask | u32::from(a != b) << index);
    (piles, counters)
}

/// The moves of one rule alone, without the rule's number.
fn instances(state: &State, program: &Program, rule: usize) -> Vec<(u8, u8, u8)> {
    let moves = state.moves(program);
    let of_rule = moves.iter().filter(|each| usize::from(each.rule()) == rule);
    of_rule.map(|each| (each.from(), each.count(), each.to())).collect()
}

/// Whether the list of a rule's moves may depend on other rules of the same kind before it.
fn repeats(program: &Program, rule: usize) -> bool {
    let rules = &program.source().rules;
    let kind = |index: usize| std::mem::discriminant(&rules[index].action);
    (0..rule).any(|earlier| kind(earlier) == kind(rule) && !rules[earlier].forced)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_changes_but_what_the_footprint_writes((program, number, picks) in reached()) {
        let state = walk(&program, number, &picks);
        for each in state.moves(&program) {
            let mut before = state.clone();
            for (step, transfers, after) in state.unfold(&program, each).unwrap() {
                let footprint = program.footprint(step.rule());
                let (piles, counters) = differences(&before, &after);
                prop_assert_eq!(piles & !footprint.writes(), 0, "{:?}", step);
                prop_assert_eq!(counters & !footprint.counters_written, 0, "{:?}", step);
                for (from, _, to) in transfers {
                    prop_assert!(footprint.takes >> from & 1 != 0, "{:?}", step);
                    prop_assert!(footprint.puts() >> to & 1 != 0, "{:?}", step);
                }
                let sizes = |state: &State| state.piles().map(<[u8]>::len).collect::<Vec<_>>();
                let grown = sizes(&after).into_iter().zip(sizes(&before));
                let grown: usize = grown.map(|(after, before)| after.saturating_sub(before)).sum();
                prop_assert!(grown <= usize::from(footprint.most_cards), "{:?}", step);
                before = after;
            }
        }
    }

    #[test]
    fn nothing_matters_but_what_the_footprint_looks_at((program, number, picks) in reached()) {
        let state = walk(&program, number, &picks);
        let is_free = |state: &State| state.choosing().is_none() && !state.is_won(&program);
        for each in state.moves(&program) {
            let (_, _, after) = state.unfold(&program, each).unwrap().swap_remove(0);
            if !is_free(&state) || !is_free(&after) {
                continue;
            }
            let (piles, counters) = differences(&state, &after);
            for rule in 0..program.source().rules.len() {
                let footprint = program.footprint(rule as u8);
                let sees = footprint.looks_at() & piles != 0 || footprint.counters() & counters != 0;
                if !sees && !repeats(&program, rule) {
                    let (one, other) = (instances(&state, &program, rule), instances(&after, &program, rule));
                    prop_assert_eq!(one, other, "{} after {:?}", rule, each);
                }
            }
        }
    }
}

#[test]
fn a_play_asks_the_build_order_and_a_build_does_not() {
    let program = compile(games::klondike());
    let rules = &program.source().rules;
    let of = |name: &str| -> &Footprint {
        let rule = rules.iter().position(|rule| rule.name == name).unwrap();
        program.footprint(rule as u8)
    };
    assert_eq!((of("play").plays, of("play").builds, of("play").takes_freely), (0b11_1100, 0, 0));
    assert_eq!((of("build").plays, of("build").builds), (0, of("build").takes));
    assert_eq!(of("build").relations, 0b10);
    assert_eq!(of("turn up").writes(), of("turn up").turns);
    assert_eq!((of("redeal").counters_read, of("redeal").counters_written), (1, 1));
    assert!(of("build").has_choice && !of("deal").has_choice);
}

/// A card that must be turned before a cell is filled: the stock may be turned only while the cell
/// is empty.
#[test]
fn a_stock_that_asks_for_other_piles_is_not_played_by_macro_moves() {
    let mut game = blank(vec![0, 4, 8]);
    group(&mut game, "stock", 1, 3, None);
    let waste = group(&mut game, "waste", 1, 3, None);
    let foundation = group(&mut game, "foundation", 1, 3, Some(0));
    let tableau = group(&mut game, "tableau", 1, 3, None);
    let cell = group(&mut game, "cell", 1, 1, None);
    game.build_orders.push(up_in_suit(3));
    game.build_orders[0].wants = vec![CardMask(1), CardMask(1 << 4), CardMask(1 << 8)];
    game.layout.push(deal(0, &[tableau[0], tableau[0]], 1, Face::Up));
    let all = [waste.clone(), tableau.clone(), cell.clone()].concat();
    let mut up = moving(&all, &foundation);
    up.build_order = true;
    let mut rest = moving(&tableau, &cell);
    rest.space = ALL;
    rest.to_holds = [0, 0];
    let is_empty = Condition::Vacant { piles: mask(&cell), number: 1 };
    game.rules = vec![
        free("play", Action::Move(up)),
        free("put aside", Action::Move(rest)),
        when(is_empty, free("turn", script(vec![deal(0, &waste, 1, Face::Up)]))),
    ];
    game.aim = vec![Condition::Complete { piles: mask(&foundation) }];
    let program = compile(game);
    // The ace under the three, the two in the stock.
    let (state, _) = program.deal(&[0, 8, 4]).unwrap();
    let report = solve(&program, &state, &Options::nodes(1000), &mut |_| true);
    let Verdict::Winnable(line) = report.verdict else { panic!("{:?}", report.verdict) };
    assert_eq!(line[0], Move::new(2, 255, 0, 255), "the stock is turned first");
}

/// A pair of a card of the reserve and one of the waste, which comes later in the list of piles.
#[test]
fn a_pair_with_a_card_of_the_waste_is_played_after_turns() {
    let mut game = blank(vec![0, 4, 8]);
    group(&mut game, "stock", 1, 3, None);
    let reserve = group(&mut game, "reserve", 1, 3, None);
    let waste = group(&mut game, "waste", 1, 3, None);
    let discard = group(&mut game, "discard", 1, 3, None);
    game.relations.push(relation(|under, card| under / 4 + card / 4 == 2));
    game.layout.push(deal(0, &reserve, 1, Face::Up));
    let from = [reserve.clone(), waste.clone()].concat();
    let pair = PairAction {
        partners: vec![mask(&from); from.len()],
        yields_to: vec![PileMask(0); from.len()],
        from,
        pair: Some(1),
        to: discard[0],
        sets: vec![],
        deep: PileMask(0),
    };
    game.rules = vec![
        free("pair", Action::Pair(pair)),
        free("turn", script(vec![deal(0, &waste, 1, Face::Up)])),
    ];
    game.aim = vec![Condition::Vacant { piles: mask(&reserve), number: 1 }];
    let program = compile(game);
    // The three in the reserve, then a two and an ace.
    let (state, _) = program.deal(&[8, 4, 0]).unwrap();
    let report = solve(&program, &state, &Options::nodes(1000), &mut |_| true);
    let Verdict::Winnable(line) = report.verdict else { panic!("{:?}", report.verdict) };
    assert_eq!(line.len(), 3, "the stock is turned twice");
}
