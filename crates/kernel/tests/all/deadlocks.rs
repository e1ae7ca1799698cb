//! Compares deadlock detection with a plain search on random games: several copies and suits, two
//! locks, build orders from any base, up, down or both, with and without suits, a stock with
//! redeals, piles that are built on, cards put on locks, face-down locks, preset cards.

use std::collections::HashSet;

use crate::support::known::DEPTH;
use crate::support::{
    ALL, NO_CARD, blank, cases, compile, deal, down, forced, free, group, mask, moving, rank_mask,
    relation, same_suit, script, then, up_in_suit, when,
};
use cadogan_kernel::program::{
    Action, BuildOrder, CardMask, Compare, Condition, Counter, Effect, End, Face, MoveAction,
    Preset, Quantity, Source, Step,
};
use cadogan_kernel::{
    Journal, Options, Program, Proof, Pruning, SplitMix64, State, Verdict, solve,
};

/// The number of games.
fn games() -> u64 {
    cases(200, 600, 20_000)
}

/// A random game.
#[expect(clippy::too_many_lines, reason = "a game is written down in one piece")]
fn by_chance(seed: u64) -> Source {
    let mut generator = SplitMix64::new(seed);
    let mut below = |bound: u64| generator.below(bound) as u8;
    let (ranks, suits) =
        [(2, 2), (3, 1), (3, 2), (4, 1), (4, 2), (5, 1), (2, 3)][below(7) as usize];
    let copies = if ranks * suits > 6 { 1 + below(2) } else { 2 + below(2) };
    let base = below(u64::from(ranks));
    let one = (0..ranks).flat_map(|rank| (0..suits).map(move |suit| rank * 4 + suit));
    let mut deck: Vec<u8> = (0..copies).flat_map(|_| one.clone()).collect();
    deck.sort_unstable();
    let downward = below(3);
    let is_preset = downward == 0 && below(4) == 0;
    if is_preset {
        deck.retain({
            let mut left = 1;
            move |&card| card != base * 4 || std::mem::replace(&mut left, 0) == 0
        });
    }
    let cards = deck.len() as u16;
    let mut game = blank(deck);
    group(&mut game, "stock", 1, cards, None);
    // Build orders up, down, or one suit's up and the next one's down.
    let count = suits * copies;
    let ups = [count, 0, count / 2][usize::from(downward)];
    let mut foundations = group(&mut game, "up", ups, u16::from(ranks), Some(0));
    foundations.extend(group(
        &mut game,
        "down",
        count - ups,
        u16::from(ranks),
        Some(u8::from(ups > 0)),
    ));
    let number = 1 + below(2);
    let size = 2 + u16::from(below(u64::from(cards) / 2));
    let locks = group(&mut game, "locks", number, cards, None);
    let piles = 1 + below(3);
    let piles = group(&mut game, "piles", piles, cards, None);
    let waste = group(&mut game, "waste", 1, cards, None)[0];

    let has_suits = below(5) > 0;
    let wants = |height: u8| rank_mask((base + height) % ranks);
    let steps = || (0..ranks).map(wants);
    let relation_of = has_suits.then_some(0);
    let build_order =
        |wants: Vec<CardMask>| BuildOrder { wants, relation: relation_of, ..up_in_suit(0) };
    if ups > 0 {
        game.build_orders.push(build_order(steps().collect()));
    }
    if ups < count {
        game.build_orders.push(build_order(steps().rev().collect()));
    }
    let in_suit = below(2) == 0;
    game.relations
        .push(relation(|under, card| down(under, card) && (!in_suit || same_suit(under, card))));
    if is_preset {
        game.preset.push(Preset { card: base * 4, pile: foundations[0] });
    }

    let is_hidden = below(4) == 0;
    let face = if is_hidden { Face::Down } else { Face::Up };
    game.layout.push(deal(0, &locks, size / u16::from(number), face));
    game.layout.push(deal(0, &piles, 1 + u16::from(below(2)), Face::Up));

    let sources = [piles.clone(), vec![waste], locks.clone()].concat();
    let prefer = (below(4) == 0).then_some(locks[0]);
    let go_up = MoveAction { build_order: true, prefer, ..moving(&sources, &foundations) };
    game.rules.push(free("play", Action::Move(go_up)));
    let vacant = if below(2) == 0 { ALL } else { NO_CARD };
    // Sometimes a lock is built on, too.
    let targets =
        if below(3) == 0 { [piles.clone(), locks.clone()].concat() } else { piles.clone() };
    let movable = [piles.clone(), vec![waste]].concat();
    let build = MoveAction { build: Some(1), space: vacant, ..moving(&movable, &targets) };
    if below(4) > 0 {
        game.rules.push(free("build", Action::Move(build)));
    }
    let turn = Step::Take {
        from: 0,
        number: Quantity::Fixed { number: 1 },
        end: End::Top,
        to: waste,
        at: End::Top,
        turned: false,
        face: Face::Up,
    };
    game.rules.push(free("turn", script(vec![turn])));
    if is_hidden {
        game.rules.push(forced("turn up", Action::TurnUp { turn_up: mask(&locks) }));
    }
    let again = below(3);
    if again > 0 {
        game.counters.push(Counter { name: "again".to_owned(), start: 0, cap: 2 });
        let again = u16::from(again);
        let back = Step::Take {
            from: waste,
            number: Quantity::Fixed { number: 1 + u16::from(below(4)) },
            end: End::Bottom,
            to: 0,
            at: End::Bottom,
            turned: true,
            face: Face::Down,
        };
        let pay = then(Effect::Add { counter: 0, value: 1 }, free("pay", script(vec![back])));
        let pay = when(Condition::Vacant { piles: mask(&[0]), number: 1 }, pay);
        let few = Condition::Counter { counter: 0, compare: Compare::Below, number: again };
        game.rules.push(when(few, pay));
    }
    game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
    game
}

/// Whether a position can be won, decided by playing everything; none if that takes too long.
/// Positions are equal only if all bytes are.
fn truth(program: &Program, root: &State) -> Option<bool> {
    let key = |state: &State| {
        let piles: Vec<Vec<u8>> = state.piles().map(<[u8]>::to_vec).collect();
        (piles, state.counters().to_vec(), state.choosing())
    };
    let mut met = HashSet::from([key(root)]);
    let mut open = vec![root.clone()];
    while let Some(state) = open.pop() {
        if state.is_won(program) {
            return Some(true);
        }
        if met.len() > 4000 {
            return None;
        }
        for each in state.moves(program) {
            let mut next = state.clone();
            next.play(program, each, &mut Journal::new()).expect("listed moves can be played");
            if met.insert(key(&next)) {
                open.push(next);
            }
        }
    }
    Some(false)
}

fn is_deadlocked(program: &Program, state: &State) -> bool {
    let report = solve(program, state, &Options::nodes(1), &mut |_| true);
    report.proof == Some(Proof::Deadlock)
}

#[test]
fn deadlocks_are_never_wrong() {
    let (mut locked, mut later, mut lost) = (0, 0, 0);
    for seed in 0..games() {
        let program = compile(by_chance(seed));
        for number in 0..4 {
            let (mut state, _) = program.deal(&program.deck(number)).unwrap();
            let mut generator = SplitMix64::new(number);
            let mut journal = Journal::new();
            let mut was_deadlocked = false;
            // Random moves: deadlocks may also arise during play.
            for step in 0..12 {
                let is_stuck = is_deadlocked(&program, &state);
                assert!(is_stuck || !was_deadlocked, "game {seed} {number}: a lock opened again");
                if is_stuck && !was_deadlocked || step == 0 {
                    let can_be_won = truth(&program, &state);
                    assert!(
                        !is_stuck || can_be_won != Some(true),
                        "game {seed} {number} after {step} moves is won, and its lock said no"
                    );
                    locked += u32::from(is_stuck && can_be_won.is_some());
                    later += u32::from(is_stuck && step > 0);
                    lost += u32::from(can_be_won == Some(false));
                }
                was_deadlocked = is_stuck;
                let moves = state.moves(&program);
                let Some(&played) = moves.get(generator.below(moves.len().max(1) as u64) as usize)
                else {
                    break;
                };
                state.play(&program, played, &mut journal).expect("listed moves can be played");
            }
        }
    }
    let games = games() as u32;
    println!("{locked} locked, {later} of them later, {lost} lost");
    assert!(locked > games / 4 && later > games / 20 && lost > locked, "{locked} {later} {lost}");
}

#[test]
fn locks_that_block_each_other_are_deadlocked() {
    // Two aces and two twos on two heaps, from which they can only go up.
    let mut game = blank(vec![0, 1, 4, 5]);
    group(&mut game, "stock", 1, 4, None);
    let foundations = group(&mut game, "up", 2, 2, Some(0));
    let heaps = group(&mut game, "heaps", 2, 4, None);
    game.build_orders.push(up_in_suit(2));
    game.layout.push(deal(0, &heaps, 2, Face::Up));
    let go_up = MoveAction { build_order: true, ..moving(&heaps, &foundations) };
    game.rules.push(free("play", Action::Move(go_up)));
    game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
    let program = compile(game);
    let mut crossed = 0;
    for number in 0..40 {
        let (state, _) = program.deal(&program.deck(number)).unwrap();
        let can_be_won = truth(&program, &state).expect("it is small");
        assert_eq!(is_deadlocked(&program, &state), !can_be_won, "{:?}", state.moves(&program));
        // Each two lies on the ace of the other suit, so no heap is locked by itself.
        crossed += u32::from(heaps.iter().all(|&heap| {
            let cards = state.pile(usize::from(heap));
            cards[0] < 4 && cards[1] >= 4 && cards[0] % 4 != cards[1] % 4
        }));
    }
    assert!(crossed > 0, "no deal has locks that only block each other");
}

#[test]
fn the_deadlock_test_changes_no_verdict() {
    let mut told = [0, 0];
    for seed in 0..games() / 2 {
        let program = compile(by_chance(seed));
        let (state, _) = program.deal(&program.deck(seed)).unwrap();
        let by = |without: &[Pruning]| {
            let without = without.iter().copied().collect();
            let options = Options { turns: vec![DEPTH], without, ..Options::nodes(8000) };
            match solve(&program, &state, &options, &mut |_| true).verdict {
                Verdict::Winnable(_) => Some(true),
                Verdict::Unwinnable => Some(false),
                Verdict::Unknown => None,
            }
        };
        if let (Some(with), Some(without)) = (by(&[]), by(&[Pruning::Deadlocks])) {
            assert_eq!(with, without, "game {seed}");
            told[usize::from(with)] += 1;
        }
    }
    assert!(told.iter().all(|&told| told > games() / 40), "{told:?}");
}
