//! Games in which the player, or a card, decides how foundations are built and where cards go.

use super::{
    ALL, MANY, NO_CARD, blank, deal, down, exchanging, forced, free, group, is_red, mask, moving,
    pack, places, rank_mask, relation, same_suit, script, then, up_in_suit, when,
};
use cadogan_kernel::program::{
    Action, Asks, Better, BuildOrder, CardMask, CardsByCounter, Choose, Compare, Condition,
    Counter, DealTerms, DealtTo, Effect, End, Ending, Face, JointAction, Longest, MoveAction, Part,
    PileMask, PilesByCounter, Place, Runs, Score, Side, Source, Step, Sum, SwapAction, Term,
    Uncovers, Unit,
};

fn counter(name: &str, start: u16, cap: u16) -> Counter {
    Counter { name: name.to_owned(), start, cap }
}

/// A base that the player chooses among the cards of a reserve; vacancies take the rank below it.
pub fn chosen_base() -> Source {
    let mut game = blank(pack(5));
    let stock = 0;
    group(&mut game, "stock", 1, 20, None);
    let waste = group(&mut game, "waste", 1, 20, None);
    let foundations = group(&mut game, "foundations", 4, 5, Some(0));
    let reserve = group(&mut game, "reserve", 3, 2, None);
    let tableau = group(&mut game, "tableau", 3, 20, None);
    game.counters.push(counter("base", 13, 13));
    game.build_orders.push(BuildOrder { base: Some(0), ..up_in_suit(5) });
    game.relations.push(relation(|under, card| same_suit(under, card) && down(under, card)));
    game.layout = vec![deal(stock, &reserve, 2, Face::Up), deal(stock, &tableau, 1, Face::Up)];
    let below = (0..5).map(|base| rank_mask((base + 4) % 5)).collect();
    let of_rank = (0..5).map(rank_mask).collect();
    let sources = [tableau.clone(), reserve.clone(), waste.clone()].concat();
    let open = |compare| Condition::Counter { counter: 0, compare, number: 13 };
    let choose =
        MoveAction { build_order: true, choose: Choose::Card, ..moving(&reserve, &foundations) };
    let play = MoveAction { build_order: true, ..moving(&sources, &foundations) };
    let rest = MoveAction {
        to_holds: [0, 0],
        asks: Asks {
            which: Some(CardsByCounter { counter: 0, cards: of_rank }),
            ..Asks::default()
        },
        ..moving(&waste, &reserve)
    };
    let build = MoveAction {
        build: Some(1),
        asks: Asks { space: Some(CardsByCounter { counter: 0, cards: below }), ..Asks::default() },
        ..moving(&sources, &tableau)
    };
    let either = Condition::AnyOf {
        conditions: vec![
            Condition::Vacant { piles: mask(&reserve), number: 1 },
            Condition::Size { piles: mask(&waste), compare: Compare::Below, than: mask(&tableau) },
        ],
    };
    let begin = then(
        Effect::Rank { counter: 0, once: true },
        forced("choose the base", Action::Move(choose)),
    );
    game.rules = vec![
        when(open(Compare::AtLeast), begin),
        when(open(Compare::Below), free("play", Action::Move(play))),
        free("build", Action::Move(build)),
        free("rest", Action::Move(rest)),
        when(either, free("turn", script(vec![deal(stock, &waste, 1, Face::Up)]))),
    ];
    game.rules[0].during = cadogan_kernel::program::During::Play;
    game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
    game
}

/// A small Canfield: a base that is dealt and that nothing is laid on; a sequence goes as a whole,
/// or a part of it whose going lets a card go up.
pub fn partial_sequences() -> Source {
    let mut game = blank(pack(5));
    let stock = 0;
    group(&mut game, "stock", 1, 20, None);
    let waste = group(&mut game, "waste", 1, 20, None);
    let foundations = group(&mut game, "foundations", 4, 5, Some(0));
    let tableau = group(&mut game, "tableau", 4, 20, None);
    game.counters.push(counter("base", 0, 12));
    game.build_orders.push(BuildOrder { base: Some(0), ..up_in_suit(5) });
    game.relations.push(relation(|under, card| under / 4 == (card / 4 + 1) % 5));
    game.layout = vec![
        deal(stock, &foundations[..1], 1, Face::Up),
        Step::Base { counter: 0, of: foundations[0] },
        deal(stock, &tableau, 2, Face::Up),
    ];
    let others = (0..5).map(|base| CardMask(pack_mask(5) & !rank_mask(base).0)).collect();
    let onto = Some(CardsByCounter { counter: 0, cards: others });
    let uncovers =
        Uncovers { wanted_by: mask(&foundations), whole_run: true, ..Uncovers::default() };
    let run = Unit::Run { relation: 1, least: 1, most: 20 };
    let sources = [tableau.clone(), waste.clone()].concat();
    let play = MoveAction { build_order: true, ..moving(&sources, &foundations) };
    let sequence = MoveAction {
        cards: run,
        build: Some(1),
        space: NO_CARD,
        asks: Asks { onto: onto.clone(), uncovers: Some(uncovers), ..Asks::default() },
        ..moving(&tableau, &tableau)
    };
    let build = MoveAction {
        build: Some(1),
        asks: Asks { onto, ..Asks::default() },
        ..moving(&waste, &tableau)
    };
    game.rules = vec![
        free("play", Action::Move(play)),
        free("sequence", Action::Move(sequence)),
        free("build", Action::Move(build)),
        free("turn", script(vec![deal(stock, &waste, 1, Face::Up)])),
    ];
    game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
    game
}

fn pack_mask(ranks: u8) -> u64 {
    (1 << (4 * ranks)) - 1
}

/// Foundations with bases of their own that are all built up or all built down; piles that go on as
/// they were begun.
pub fn directions() -> Source {
    let mut game = blank(pack(4));
    group(&mut game, "pack", 1, 16, None);
    let foundations = group(&mut game, "foundations", 4, 4, Some(0));
    let tableau = group(&mut game, "tableau", 4, 16, None);
    let up: Vec<CardMask> = (0..4).map(rank_mask).collect();
    let ways = vec![up.iter().rev().copied().collect()];
    game.build_orders.push(BuildOrder { ways, own_base: true, one_way: true, ..up_in_suit(4) });
    game.relations.push(relation(down));
    game.relations.push(relation(|under, card| down(card, under)));
    game.relations.push(relation(|under, card| down(card, under) || down(under, card)));
    game.layout = vec![deal(0, &tableau, 4, Face::Up)];
    let play = MoveAction { build_order: true, ..moving(&tableau, &foundations) };
    let build = MoveAction {
        build: Some(3),
        asks: Asks { begun: vec![1, 2], ..Asks::default() },
        ..moving(&tableau, &tableau)
    };
    game.rules = vec![free("play", Action::Move(play)), free("build", Action::Move(build))];
    game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
    game
}

/// Foundations that go in steps as long as their first cards; cards that go to the emptiest pile,
/// come from a place under others, go up in turn, or change places between two sides.
pub fn steps() -> Source {
    let mut game = blank(pack(5));
    let stock = 0;
    group(&mut game, "stock", 1, 20, None);
    let foundations = group(&mut game, "foundations", 4, 5, Some(0));
    let tableau = places(&mut game, "tableau", 4, 20);
    let order = BuildOrder { own_base: true, by_first: true, relation: None, ..up_in_suit(5) };
    game.build_orders.push(order);
    game.layout = vec![deal(stock, &tableau, 4, Face::Up)];
    let up = |cards| {
        let play = MoveAction { build_order: true, cards, ..moving(&tableau, &foundations) };
        Action::Move(play)
    };
    let fill = MoveAction {
        face: Face::Up,
        cards: Unit::Count { number: 1 },
        asks: Asks { emptiest: true, ..Asks::default() },
        ..moving(&[stock], &tableau)
    };
    let second = Some(Place { number: 2, end: End::Bottom });
    let part = Part { from: tableau.clone(), holds: 0, least: 2 };
    let lend = JointAction {
        together: vec![part.clone(), Part { least: 0, ..part }],
        to: foundations.clone(),
        only_if_blocked: false,
        in_turn: true,
        matching: None,
    };
    let side = |piles: &[u8], red| Side {
        piles: mask(piles),
        cards: CardMask((0..20).filter(|&c| is_red(c) == red).fold(0, |all, c| all | 1 << c)),
    };
    let exchange = SwapAction {
        exchange: mask(&tableau),
        belong: false,
        sides: vec![side(&tableau[..2], true), side(&tableau[2..], false)],
    };
    let shows_no_ace = Condition::Each {
        piles: mask(&tableau),
        number: 4,
        cards: rank_mask(0),
        compare: Compare::Below,
        held: 1,
        tops: true,
    };
    let values = (1..14).collect();
    let lines = vec![tableau[..2].to_vec(), tableau[2..].to_vec()];
    let add_up = Condition::Sums { lines, sum: Sum { total: 6, values } };
    game.rules = vec![
        free("play", up(Unit::Top)),
        when(shows_no_ace, free("draw", up(Unit::Any { place: second }))),
        free("fill", Action::Move(fill)),
        free("lend", Action::Joint(lend)),
        free("exchange", Action::Swap(exchange)),
        when(add_up, free("deal", script(vec![deal(stock, &tableau, 1, Face::Up)]))),
    ];
    game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
    game
}

/// Places that are built by twos; a wrong card waits there until it can go, or until it changes
/// places with another one.
pub fn gallery() -> Source {
    let mut game = blank(pack(6));
    let stock = 0;
    group(&mut game, "stock", 1, 24, None);
    let odd = group(&mut game, "odd", 4, 3, Some(0));
    let even = group(&mut game, "even", 4, 3, Some(1));
    let reserve = places(&mut game, "reserve", 4, 24);
    for first in 0..2 {
        game.build_orders.push(BuildOrder {
            wants: (first..6).step_by(2).map(rank_mask).collect(),
            waits: true,
            ..up_in_suit(0)
        });
    }
    let all = [odd.clone(), even.clone()].concat();
    game.layout = vec![deal(stock, &all, 1, Face::Up), deal(stock, &reserve, 1, Face::Up)];
    let sources = [reserve.clone(), all.clone()].concat();
    let play = |to: &[u8]| Action::Move(MoveAction { build_order: true, ..moving(&sources, to) });
    game.rules = vec![
        free("play to odd", play(&odd)),
        free("play to even", play(&even)),
        free("exchange", exchanging(mask(&all), true)),
        free("deal", script(vec![deal(stock, &reserve, 1, Face::Up)])),
    ];
    game.aim = vec![Condition::Complete { piles: mask(&all) }];
    game
}

/// Each card goes to the pile of its rank, and the next one comes from the hour of that rank; what
/// has gone there may go on to rows by rank and suit.
pub fn hours() -> Source {
    let mut game = blank(pack(4));
    let stock = 0;
    group(&mut game, "stock", 1, 16, None);
    let hours = places(&mut game, "hours", 4, 3);
    let hand = group(&mut game, "hand", 1, 1, None);
    let faces = places(&mut game, "faces", 4, 4);
    let rows = places(&mut game, "rows", 4, 16);
    let last = places(&mut game, "last", 2, 16);
    game.counters.push(counter("hour", 3, 12));
    game.layout = vec![deal(stock, &hours, 3, Face::Down)];
    let at = |piles: &[u8]| {
        let piles = piles.iter().map(|&pile| mask(&[pile])).collect();
        Some(PilesByCounter { counter: 0, piles })
    };
    let of_rank = (0..4).map(rank_mask).collect();
    let go =
        MoveAction { asks: Asks { takes: of_rank, ..Asks::default() }, ..moving(&hand, &faces) };
    let next = MoveAction {
        to_holds: [0, 0],
        face: Face::Up,
        asks: Asks { from: at(&hours), ..Asks::default() },
        ..moving(&hours, &hand)
    };
    let begin = MoveAction { to_holds: [0, 0], ..moving(&faces, &last) };
    let follow = MoveAction {
        to_holds: [1, 16],
        asks: Asks { last_filled: true, ..Asks::default() },
        ..moving(&faces, &last)
    };
    let before = std::iter::once(PileMask(0)).chain(rows[..3].iter().map(|&row| mask(&[row])));
    let row = MoveAction {
        build: Some(0),
        asks: Asks { ranks_in: before.collect(), ..Asks::default() },
        ..moving(&faces, &rows)
    };
    let back = MoveAction {
        space: NO_CARD,
        build: Some(0),
        asks: Asks { to: at(&faces), ..Asks::default() },
        ..moving(&last, &faces)
    };
    let once = Effect::Rank { counter: 0, once: false };
    game.rules = vec![
        then(once, forced("to its hour", Action::Move(go))),
        free("next", Action::Move(next)),
        free("row", Action::Move(row)),
        free("begin", Action::Move(begin)),
        free("follow", Action::Move(follow)),
        free("back", Action::Move(back)),
        free("more", script(vec![deal(stock, &hours, 1, Face::Down)])),
    ];
    game.aim = vec![Condition::Filled { piles: mask(&rows), number: 4 }];
    game
}

/// Two layers of piles, of which one drops on another that it alone covers; sequences of at most
/// three cards; a stock that passes over piles that end in a sequence; points that grow with a run,
/// and points for what lies in order.
pub fn layers() -> Source {
    let mut game = blank(pack(5));
    group(&mut game, "stock", 1, 20, None);
    let foundations = group(&mut game, "foundations", 4, 5, Some(0));
    let ground = places(&mut game, "ground", 2, 20);
    let upper = places(&mut game, "upper", 3, 20);
    game.build_orders.push(up_in_suit(5));
    game.relations.push(relation(down));
    for (place, &pile) in ground.iter().enumerate() {
        game.piles[usize::from(pile)].open_when = vec![mask(&upper[place..place + 2])];
    }
    for (name, cap) in [("run", 9), ("points", u16::MAX)] {
        game.counters.push(Counter { name: name.to_owned(), start: 0, cap });
    }
    let row = |passes_over: Option<Ending>| Step::Deal {
        from: 0,
        then: vec![],
        to: upper.clone(),
        each: 1,
        face: Face::Up,
        only: DealtTo::Any,
        apart: None,
        leave: vec![],
        terms: DealTerms { passes_over, ..DealTerms::default() },
    };
    game.layout =
        vec![deal(0, &ground, 2, Face::Down), deal(0, &ground, 1, Face::Up), row(None), row(None)];
    let table = [ground.clone(), upper.clone()].concat();
    let build = MoveAction {
        cards: Unit::Run { relation: 1, least: 1, most: MANY },
        build: Some(1),
        asks: Asks { longest: Some(Longest { relation: 1, most: 3 }), ..Asks::default() },
        ..moving(&table, &table)
    };
    let covered = |pile: usize| match pile {
        0 => mask(&ground[..1]),
        1 => mask(&ground),
        _ => mask(&ground[1..]),
    };
    let drop = MoveAction {
        along: (0..3).map(covered).collect(),
        to_holds: [1, MANY],
        cards: Unit::All,
        build: Some(1),
        asks: Asks { drops: true, ..Asks::default() },
        ..moving(&upper, &ground)
    };
    let play = MoveAction { build_order: true, ..moving(&table, &foundations) };
    let grow = Effect::Tally { counter: 1, of: 0, times: 2, grows: true };
    let ending = |whole| Some(Ending { relation: 1, cards: rank_mask(3), whole });
    game.rules = vec![
        forced("turn up", Action::TurnUp { turn_up: mask(&table) }),
        then(grow, then(Effect::Add { counter: 0, value: 1 }, free("play", Action::Move(play)))),
        free("build", Action::Move(build)),
        free("drop", Action::Move(drop)),
        then(
            Effect::Set { counter: 0, value: 0 },
            free("deal", script(vec![row(ending(false)), row(ending(true))])),
        ),
    ];
    game.score = Some(Score {
        aim: Better::Most,
        start: 0,
        terms: vec![
            Term::Counter { counter: 1, points: 1 },
            Term::Runs {
                runs: Runs { lines: vec![upper.clone()], cards: ALL, relation: 1 },
                points: 3,
            },
        ],
        won_from: None,
    });
    game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
    game
}
