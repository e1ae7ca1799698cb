//! The games.

use super::choices;
use super::{
    ALL, NO_CARD, blank, class, deal, down, exchanging, forced, free, group, is_red, mask, moving,
    pack, places, rank_mask, relation, same_suit, script, then, up_in_suit, when,
};
use cadogan_kernel::program::{
    Action, Asks, BeatAction, Beside, Better, BuildOrder, CardMask, CardSet, Choose, Compare,
    Condition, Counter, DealTerms, DealtTo, During, Effect, End, Face, GoesUp, JointAction,
    MoveAction, Neighbours, PairAction, Part, PileMask, Quantity, Rule, Runs, Score, Source, Step,
    StretchAction, Sum, Term, Total, Unit, Way,
};

/// All games, by name.
pub fn all() -> Vec<(&'static str, Source)> {
    vec![
        ("garden", garden(6, 4, 4)),
        ("klondike", klondike()),
        ("siege", siege()),
        ("couples", couples()),
        ("payments", payments()),
        ("exchange", exchange()),
        ("steps", choices::steps()),
        ("wedding", wedding()),
        ("pyramid", pyramid()),
        ("sets", sets()),
        ("beaten", beaten()),
        ("audience", audience()),
        ("gaps", gaps()),
        ("gaps dealt again", gaps_dealt_again()),
        ("accordion", accordion()),
        ("betrothal", betrothal()),
        ("touching", touching()),
        ("assault", assault()),
        ("totals", totals()),
        ("chosen base", choices::chosen_base()),
        ("partial sequences", choices::partial_sequences()),
        ("directions", choices::directions()),
        ("gallery", choices::gallery()),
        ("hours", choices::hours()),
        ("fans", fans()),
        ("buried", buried()),
        ("quilt", quilt()),
        ("orderly", orderly()),
        ("square", square()),
        ("crescent", crescent()),
        ("tournament", tournament()),
        ("layers", choices::layers()),
        ("spider", spider()),
        ("forty thieves", forty_thieves()),
    ]
}

/// The Flower Garden with some ranks, beds of four, and the rest in hand.
pub fn garden(ranks: u8, beds: u8, bed_size: u8) -> Source {
    let mut game = blank(pack(ranks));
    let cards = u16::from(ranks) * 4;
    let in_hand = ranks * 4 - beds * bed_size;
    group(&mut game, "pack", 1, cards, None);
    let foundations = group(&mut game, "foundations", 4, u16::from(ranks), Some(0));
    let beds = group(&mut game, "garden", beds, u16::from(bed_size + ranks), None);
    let bouquet = group(&mut game, "bouquet", in_hand, 1, None);
    game.relations.push(relation(down));
    game.build_orders.push(up_in_suit(ranks));
    for &bed in &beds {
        game.layout.push(deal(0, &[bed], u16::from(bed_size), Face::Up));
    }
    game.layout.push(deal(0, &bouquet, 1, Face::Up));
    let sources = [beds.clone(), bouquet].concat();
    game.rules = vec![
        free(
            "play",
            Action::Move(MoveAction { build_order: true, ..moving(&sources, &foundations) }),
        ),
        free("place", Action::Move(MoveAction { build: Some(1), ..moving(&sources, &beds) })),
    ];
    game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
    game
}

/// Everything stays in the tableau, which must hold complete sequences at the end.
pub fn orderly() -> Source {
    let mut game = blank(pack(4));
    group(&mut game, "pack", 1, 16, None);
    let columns = group(&mut game, "columns", 5, 16, None);
    game.relations.push(relation(down));
    game.relations.push(relation(|under, card| same_suit(under, card) && down(under, card)));
    game.layout.push(deal(0, &columns[..4], 4, Face::Up));
    let build = MoveAction { build: Some(1), ..moving(&columns, &columns) };
    let run = Unit::Run { relation: 2, least: 1, most: 4 };
    game.rules = vec![free("build", Action::Move(MoveAction { cards: run, ..build }))];
    let lines = columns.iter().map(|&column| vec![column]).collect();
    game.aim = vec![Condition::Ordered { lines, relation: 2, length: 4, gaps: false, first: None }];
    game
}

/// Nine cards, turned up one by one, make six hands of three cards.
pub fn square() -> Source {
    let mut game = blank(pack(4));
    group(&mut game, "stock", 1, 16, None);
    let hand = group(&mut game, "hand", 1, 1, None);
    let square = places(&mut game, "square", 9, 1);
    let turn = Action::Move(MoveAction { face: Face::Up, to_holds: [0, 0], ..moving(&[0], &hand) });
    game.rules = vec![
        when(Condition::Vacant { piles: mask(&square), number: 1 }, forced("turn", turn)),
        free("place", Action::Move(MoveAction { to_holds: [0, 0], ..moving(&hand, &square) })),
    ];
    let at = |row: usize, column: usize| square[3 * row + column];
    let rows = (0..3).map(|row| (0..3).map(|column| at(row, column)).collect());
    let columns = (0..3).map(|column| (0..3).map(|row| at(row, column)).collect());
    let lines = rows.chain(columns).collect();
    let hands = Term::Poker { lines, points: [2, 5, 10, 15, 20, 25, 50, 75, 100] };
    game.score =
        Some(Score { aim: Better::Most, start: 0, terms: vec![hands], won_from: Some(30) });
    game
}

/// Two copies of some cards: a lock with some of them, the others on spread piles.
///
/// With `spread` 1 the others are free at any time, so that a deal is lost only by its lock.
pub fn locked(ranks: u8, suits: u8, size: u16, spread: u16) -> Source {
    let one = (0..ranks).flat_map(|rank| (0..suits).map(move |suit| rank * 4 + suit));
    let mut deck: Vec<u8> = one.clone().chain(one).collect();
    deck.sort_unstable();
    let cards = deck.len() as u16;
    let mut game = blank(deck);
    group(&mut game, "pack", 1, cards, None);
    let foundations = group(&mut game, "foundations", suits * 2, u16::from(ranks), Some(0));
    let lock = group(&mut game, "lock", 1, size, None);
    let others = (cards - size).div_ceil(spread) as u8;
    let others = group(&mut game, "others", others, if spread > 1 { cards } else { 1 }, None);
    game.relations.push(relation(|under, card| same_suit(under, card) && down(under, card)));
    game.build_orders.push(up_in_suit(ranks));
    game.layout.push(deal(0, &lock, size, Face::Up));
    (0..spread).for_each(|_| game.layout.push(deal(0, &others, 1, Face::Up)));
    let sources = [others.clone(), lock].concat();
    game.rules = vec![free(
        "play",
        Action::Move(MoveAction { build_order: true, ..moving(&sources, &foundations) }),
    )];
    if spread > 1 {
        let build = MoveAction { build: Some(1), ..moving(&others, &others) };
        game.rules.push(free("build", Action::Move(build)));
    }
    game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
    game
}

/// Golf with some ranks: everything goes onto one pile, up or down, and the rest is dealt on it.
pub fn golf(ranks: u8, columns: u8, size: u8) -> Source {
    let mut game = blank(pack(ranks));
    let cards = u16::from(ranks) * 4;
    group(&mut game, "stock", 1, cards, None);
    let waste = group(&mut game, "waste", 1, cards, None);
    let columns = group(&mut game, "columns", columns, u16::from(size), None);
    game.relations.push(relation(|under, card| (under / 4).abs_diff(card / 4) == 1));
    game.layout.push(deal(0, &columns, u16::from(size), Face::Up));
    game.layout.push(deal(0, &waste, 1, Face::Up));
    game.rules = vec![
        free("build", Action::Move(MoveAction { build: Some(1), ..moving(&columns, &waste) })),
        free("deal", script(vec![deal(0, &waste, 1, Face::Up)])),
    ];
    let number = columns.len() as u16;
    game.aim = vec![Condition::Vacant { piles: mask(&columns), number }];
    game
}

/// A small Klondike: face-down cards, turning up, runs, worrying back and one redeal.
pub fn klondike() -> Source {
    let mut game = blank(pack(7));
    let stock = 0;
    group(&mut game, "stock", 1, 28, None);
    let waste = group(&mut game, "waste", 1, 28, None)[0];
    let foundations = group(&mut game, "foundations", 4, 7, Some(0));
    let tableau = group(&mut game, "tableau", 4, 12, None);
    game.relations.push(relation(|under, card| down(under, card) && is_red(under) != is_red(card)));
    game.build_orders.push(up_in_suit(7));
    game.counters.push(Counter { name: "redeals".to_owned(), start: 0, cap: 1 });
    for first in 0..tableau.len() {
        game.layout.push(deal(stock, &tableau[first..=first], 1, Face::Up));
        game.layout.push(deal(stock, &tableau[first + 1..], 1, Face::Down));
    }
    let sources = [tableau.clone(), vec![waste]].concat();
    let kings = rank_mask(6);
    let build = MoveAction { build: Some(1), space: kings, ..moving(&tableau, &tableau) };
    let run = Unit::Run { relation: 1, least: 1, most: 20 };
    let redeal = Step::Take {
        from: waste,
        number: Quantity::All,
        end: End::Top,
        to: stock,
        at: End::Top,
        turned: true,
        face: Face::Down,
    };
    let lay_three = MoveAction {
        cards: Unit::Count { number: 3 },
        laid_one_by_one: true,
        face: Face::Up,
        ..moving(&[stock], &[waste])
    };
    game.rules = vec![
        forced("turn up", Action::TurnUp { turn_up: mask(&tableau) }),
        free(
            "play",
            Action::Move(MoveAction { build_order: true, ..moving(&sources, &foundations) }),
        ),
        free("build", Action::Move(MoveAction { cards: run, ..build.clone() })),
        free(
            "from the waste",
            Action::Move(MoveAction { build: Some(1), space: kings, ..moving(&[waste], &tableau) }),
        ),
        // Makes the same moves as "build"; only the first rule counts.
        free("build one", Action::Move(build)),
        free(
            "worry back",
            Action::Move(MoveAction {
                build: Some(1),
                space: NO_CARD,
                ..moving(&foundations, &tableau)
            }),
        ),
        free("deal", Action::Move(lay_three)),
        when(
            Condition::Counter { counter: 0, compare: Compare::Below, number: 1 },
            when(
                Condition::Vacant { piles: mask(&[stock]), number: 1 },
                then(Effect::Add { counter: 0, value: 1 }, free("redeal", script(vec![redeal]))),
            ),
        ),
    ];
    game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
    game
}

/// A small Besieged City: lines, forced fills with choices, sources that yield to others.
pub fn siege() -> Source {
    let mut game = blank(pack(6));
    let stock = 0;
    group(&mut game, "stock", 1, 24, None);
    let hand = group(&mut game, "hand", 1, 1, None)[0];
    let waste = group(&mut game, "waste", 1, 24, None)[0];
    let foundations = group(&mut game, "foundations", 4, 6, Some(0));
    let ramparts = places(&mut game, "ramparts", 4, 24);
    let reserve = places(&mut game, "reserve", 4, 1);
    game.relations.push(relation(|under, card| {
        same_suit(under, card) && (under / 4).abs_diff(card / 4) == 1
    }));
    game.build_orders.push(up_in_suit(6));
    game.layout = vec![deal(stock, &reserve, 1, Face::Up), deal(stock, &ramparts, 1, Face::Up)];
    // Every reserve cell serves the rampart beside it and the next one.
    let lines: Vec<PileMask> =
        (0..4).map(|cell| mask(&[ramparts[cell], ramparts[(cell + 1) % 4]])).collect();
    let along = |action: MoveAction| MoveAction { along: lines.clone(), ..action };
    let breach =
        MoveAction { to_holds: [0, 0], choose: Choose::Card, ..along(moving(&reserve, &ramparts)) };
    let refill = MoveAction {
        yields_to: vec![PileMask(0), mask(&[waste]), mask(&[waste, hand])],
        to_holds: [0, 0],
        choose: Choose::Place,
        face: Face::Up,
        cards: Unit::Count { number: 1 },
        ..moving(&[waste, hand, stock], &reserve)
    };
    let no_start = NO_CARD;
    let play = [ramparts.clone(), vec![hand]].concat();
    let end_phase = Condition::Vacant { piles: mask(&[stock, hand, waste]), number: 3 };
    game.rules = vec![
        forced("breach", Action::Move(breach)),
        forced("refill", Action::Move(refill)),
        free("play", Action::Move(MoveAction { build_order: true, ..moving(&play, &foundations) })),
        free(
            "transfer",
            Action::Move(MoveAction {
                build: Some(1),
                space: no_start,
                ..moving(&ramparts, &ramparts)
            }),
        ),
        free(
            "sally",
            Action::Move(along(MoveAction {
                build: Some(1),
                space: no_start,
                ..moving(&reserve, &ramparts)
            })),
        ),
        free(
            "turn",
            Action::Move(MoveAction {
                to_holds: [0, 0],
                cards: Unit::Count { number: 1 },
                face: Face::Up,
                ..moving(&[stock], &[hand])
            }),
        ),
        free("lay off", Action::Move(moving(&[hand], &[waste]))),
        when(
            end_phase,
            free(
                "last sally",
                Action::Move(MoveAction {
                    build: Some(1),
                    space: no_start,
                    ..moving(&reserve, &ramparts)
                }),
            ),
        ),
    ];
    game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
    game
}

/// A small Empress of India: couples, pairs, routed cards.
pub fn couples() -> Source {
    let (red, black) = (class(is_red), class(|card| !is_red(card)));
    let mut game = blank(pack(5));
    let stock = 0;
    group(&mut game, "stock", 1, 20, None);
    let red_waste = group(&mut game, "red-waste", 1, 20, None)[0];
    let black_waste = group(&mut game, "black-waste", 1, 20, None)[0];
    let admirals = group(&mut game, "admirals", 2, 5, Some(0));
    let generals = group(&mut game, "generals", 2, 5, Some(1));
    let army = group(&mut game, "army", 4, 2, None);
    let navy = group(&mut game, "navy", 4, 2, None);
    let wants = |colour: CardMask, ranks: Vec<u8>| BuildOrder {
        wants: ranks.into_iter().map(|rank| CardMask(rank_mask(rank).0 & colour.0)).collect(),
        relation: Some(0),
        ..up_in_suit(0)
    };
    game.build_orders = vec![wants(black, (0..5).collect()), wants(red, (0..5).rev().collect())];
    let ways = vec![
        Way { cards: red, to: army.clone(), overflow: red_waste },
        Way { cards: black, to: navy.clone(), overflow: black_waste },
    ];
    let both = mask(&[army.clone(), navy.clone()].concat());
    game.layout = vec![Step::Route { from: stock, ways: ways.clone(), until: both }];
    let fill = |waste: u8, to: &[u8]| {
        forced("fill", Action::Move(MoveAction { to_holds: [0, 0], ..moving(&[waste], to) }))
    };
    let search = |cards: CardMask, to: &[u8]| {
        let held =
            Condition::Holds { piles: mask(&[stock]), cards, compare: Compare::AtLeast, number: 1 };
        let route = Step::Route { from: stock, ways: ways.clone(), until: mask(to) };
        when(held, forced("search", script(vec![route])))
    };
    let couple = JointAction {
        together: vec![
            Part { from: army.clone(), holds: 1, least: 0 },
            Part { from: navy.clone(), holds: 1, least: 0 },
        ],
        to: [admirals.clone(), generals.clone()].concat(),
        only_if_blocked: false,
        in_turn: false,
        matching: None,
    };
    let pairs = [army.clone(), navy.clone()].concat();
    let pair = JointAction {
        together: vec![Part { from: pairs.clone(), holds: 2, least: 0 }],
        ..couple.clone()
    };
    let two_pairs = JointAction {
        together: vec![
            Part { from: pairs.clone(), holds: 2, least: 0 },
            Part { from: pairs, holds: 2, least: 0 },
        ],
        only_if_blocked: true,
        in_turn: false,
        ..couple.clone()
    };
    let pairing = |from: &[u8], to: &[u8]| {
        Action::Move(MoveAction { from_holds: [1, 1], to_holds: [1, 1], ..moving(from, to) })
    };
    let turn = vec![Step::Route { from: stock, ways: ways.clone(), until: PileMask(0) }];
    game.rules = vec![
        fill(red_waste, &army),
        fill(black_waste, &navy),
        search(red, &army),
        search(black, &navy),
        free("couple", Action::Joint(couple)),
        free("pair", Action::Joint(pair)),
        free("two pairs", Action::Joint(two_pairs)),
        free("pairing on the navy", pairing(&army, &navy)),
        free("pairing on the army", pairing(&navy, &army)),
        free("turn", script(turn)),
    ];
    game.aim = vec![Condition::Complete { piles: mask(&[admirals, generals].concat()) }];
    game
}

/// A small The Queens: payments from the bottom, counted cards, a base that is known after the
/// deal.
pub fn payments() -> Source {
    let mut game = blank(pack(5));
    let sixes = rank_mask(4);
    let stock = 0;
    group(&mut game, "stock", 1, 20, None);
    let hand = group(&mut game, "hand", 1, 1, None)[0];
    let waste = group(&mut game, "waste", 1, 20, None)[0];
    let key = group(&mut game, "key", 1, 6, None)[0];
    let foundations = group(&mut game, "foundations", 4, 5, Some(0));
    let shutter = group(&mut game, "shutter", 3, 20, None);
    game.relations.push(relation(|under, card| same_suit(under, card) && down(under, card)));
    game.build_orders.push(BuildOrder { base: Some(1), ..up_in_suit(5) });
    for (name, cap) in [("counted", 20), ("base", 12), ("payments", 2)] {
        game.counters.push(Counter { name: name.to_owned(), start: 0, cap });
    }
    let take = |number: Quantity, from: u8| Step::Take {
        from,
        number,
        end: End::Bottom,
        to: stock,
        at: End::Bottom,
        turned: true,
        face: Face::Down,
    };
    let pay_key = vec![take(Quantity::Held { factor: 2, cards: sixes, pile: key }, key)];
    let pay = vec![
        Step::Close { pairs: vec![[shutter[0], foundations[0]]] },
        take(Quantity::Times { factor: 3, counter: 0 }, waste),
        take(Quantity::Until { factor: 1, counter: 0, cards: sixes }, waste),
        Step::Gather {
            piles: vec![hand],
            to: stock,
            at: End::Top,
            turned: false,
            face: Face::Down,
            keep: None,
        },
    ];
    let during_layout = |rule| cadogan_kernel::program::Rule {
        during: cadogan_kernel::program::During::Layout,
        ..rule
    };
    game.layout = vec![
        deal(stock, &[key], 4, Face::Up),
        Step::Settle,
        deal(stock, &shutter, 1, Face::Up),
        deal(stock, &[foundations[0]], 1, Face::Up),
        Step::Base { counter: 1, of: foundations[0] },
    ];
    let vacancy = MoveAction {
        to_holds: [0, 0],
        choose: Choose::Any,
        cards: Unit::Count { number: 1 },
        face: Face::Up,
        ..moving(&[waste, stock], &shutter)
    };
    let sources = [shutter.clone(), vec![waste, hand, key]].concat();
    game.rules = vec![
        during_layout(when(
            Condition::Top { pile: key, cards: sixes },
            forced("payment of the key", script(pay_key)),
        )),
        forced("vacancy", Action::Move(vacancy)),
        free(
            "play",
            Action::Move(MoveAction {
                build_order: true,
                prefer: Some(key),
                ..moving(&sources, &foundations)
            }),
        ),
        free(
            "marry",
            Action::Move(MoveAction {
                build: Some(1),
                space: NO_CARD,
                ..moving(&sources[..5], &shutter)
            }),
        ),
        free(
            "turn",
            Action::Move(MoveAction {
                to_holds: [0, 0],
                cards: Unit::Count { number: 1 },
                face: Face::Up,
                ..moving(&[stock], &[hand])
            }),
        ),
        then(
            Effect::Count { counter: 0, cards: CardMask(sixes.0 | rank_mask(3).0) },
            free("lay off", Action::Move(moving(&[hand], &[waste]))),
        ),
        when(
            Condition::Counter { counter: 2, compare: Compare::Below, number: 2 },
            when(
                Condition::Vacant { piles: mask(&[stock, hand]), number: 2 },
                then(
                    Effect::Set { counter: 0, value: 0 },
                    then(Effect::Add { counter: 2, value: 1 }, free("pay", script(pay))),
                ),
            ),
        ),
    ];
    game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
    game
}

/// A row of cards that is sorted by swaps, with packets and whole piles.
pub fn exchange() -> Source {
    let mut game = blank(pack(2));
    group(&mut game, "pack", 1, 8, None);
    let foundations = group(&mut game, "foundations", 4, 2, Some(0));
    let row = places(&mut game, "row", 3, 8);
    let spare = group(&mut game, "spare", 2, 8, None);
    game.build_orders.push(up_in_suit(2));
    game.layout = vec![deal(0, &row, 3, Face::Up)];
    let packet = MoveAction {
        cards: Unit::Packet,
        laid_one_by_one: true,
        from_holds: [2, 8],
        ..moving(&row, &spare)
    };
    let blocked = Condition::Blocked { rules: vec![0], from: mask(&row) };
    game.rules = vec![
        free(
            "play",
            Action::Move(MoveAction {
                build_order: true,
                ..moving(&[row.clone(), spare.clone()].concat(), &foundations)
            }),
        ),
        when(blocked, free("exchange", exchanging(mask(&row), false))),
        free("packet", Action::Move(packet)),
        free(
            "back",
            Action::Move(MoveAction {
                cards: Unit::All,
                to_holds: [0, 1],
                which: ALL,
                ..moving(&spare, &[row.clone(), spare.clone()].concat())
            }),
        ),
    ];
    game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
    game
}

/// A small Hochzeitszug: forced fills from the stock, gathers, a row dealt to open piles only.
pub fn wedding() -> Source {
    let mut game = blank(pack(5));
    group(&mut game, "stock", 1, 20, None);
    let foundations = group(&mut game, "foundations", 4, 5, Some(0));
    let row = places(&mut game, "row", 4, 20);
    game.relations.push(relation(|under, card| same_suit(under, card) && down(under, card)));
    game.build_orders.push(up_in_suit(5));
    game.counters.push(Counter { name: "lays".to_owned(), start: 0, cap: 3 });
    let lay: Vec<u8> = row.iter().chain(&row).copied().collect();
    game.layout = vec![deal(0, &lay, 1, Face::Up)];
    let gather = vec![
        Step::Close {
            pairs: row.iter().zip(&foundations).map(|(&pile, &up)| [pile, up]).collect(),
        },
        Step::Gather {
            piles: row.iter().rev().copied().collect(),
            to: 0,
            at: End::Bottom,
            turned: true,
            face: Face::Down,
            keep: None,
        },
        deal(0, &lay, 1, Face::Up),
    ];
    let fill = |pile: u8| {
        when(
            Condition::Vacant { piles: mask(&[pile]), number: 1 },
            when(
                Condition::Counter { counter: 0, compare: Compare::Equal, number: 0 },
                forced("fill", script(vec![deal(0, &[pile], 2, Face::Up)])),
            ),
        )
    };
    let mut rules: Vec<_> = row.iter().map(|&pile| fill(pile)).collect();
    rules.extend([
        free("up", Action::Move(MoveAction { build_order: true, ..moving(&row, &foundations) })),
        free("across", Action::Move(MoveAction { build: Some(1), ..moving(&row, &row) })),
        when(
            Condition::Counter { counter: 0, compare: Compare::Below, number: 2 },
            then(Effect::Add { counter: 0, value: 1 }, free("gather", script(gather))),
        ),
    ]);
    game.rules = rules;
    game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
    game
}

/// A pyramid of four rows, each card covered by two of the next row: pairs that add up leave.
pub fn pyramid() -> Source {
    const ROWS: u8 = 4;
    let mut game = blank(pack(6));
    group(&mut game, "stock", 1, 24, None);
    let waste = group(&mut game, "waste", 1, 24, None)[0];
    let discard = group(&mut game, "discard", 1, 24, None)[0];
    let pyramid = places(&mut game, "pyramid", 10, 1);
    game.relations.push(relation(|under, card| under / 4 + card / 4 == 5));
    game.counters.push(Counter { name: "passes".to_owned(), start: 0, cap: 1 });
    game.layout = vec![deal(0, &pyramid, 1, Face::Up)];
    // A row of n cards begins at place n (n - 1) / 2; the two that cover a card are n and n + 1 on.
    let covers = |row: u8, at: u8| {
        mask(&[pyramid[usize::from(at + row)], pyramid[usize::from(at + row + 1)]])
    };
    let rows =
        (1..=ROWS).flat_map(|row| (0..row).map(move |place| (row, row * (row - 1) / 2 + place)));
    for (row, at) in rows.filter(|&(row, _)| row < ROWS) {
        game.piles[usize::from(pyramid[usize::from(at)])].open_when = vec![covers(row, at)];
    }
    let from = [pyramid.clone(), vec![waste]].concat();
    let pair = PairAction {
        partners: vec![mask(&from); from.len()],
        yields_to: vec![PileMask(0); from.len()],
        from,
        pair: Some(1),
        to: discard,
        sets: vec![],
        deep: PileMask(0),
    };
    let redeal = Step::Gather {
        piles: vec![waste],
        to: 0,
        at: End::Top,
        turned: true,
        face: Face::Down,
        keep: None,
    };
    game.rules = vec![
        free("pair", Action::Pair(pair)),
        free("turn", script(vec![deal(0, &[waste], 1, Face::Up)])),
        when(
            Condition::Vacant { piles: mask(&[0]), number: 1 },
            when(
                Condition::Counter { counter: 0, compare: Compare::Below, number: 1 },
                then(Effect::Add { counter: 0, value: 1 }, free("redeal", script(vec![redeal]))),
            ),
        ),
    ];
    game.aim = vec![Condition::Vacant { piles: mask(&pyramid), number: 10 }];
    game
}

/// A set without any demand.
fn set(fewest: u8, most: u8) -> CardSet {
    CardSet { size: [fewest, most], chain: None, each: None, cards: Vec::new(), sum: None }
}

/// Sums of two to four cards, three of a rank, couples, single cards and two cards of the waste
/// leave; the row is refilled.
pub fn sets() -> Source {
    let mut game = blank(pack(6));
    group(&mut game, "stock", 1, 24, None);
    let waste = group(&mut game, "waste", 1, 24, None)[0];
    let discard = group(&mut game, "discard", 1, 24, None)[0];
    let row = group(&mut game, "row", 6, 2, None);
    game.relations.push(relation(|under, card| under / 4 == card / 4));
    game.relations.push(relation(|under, card| under / 4 + card / 4 == 7));
    game.relations.push(relation(|under, card| under % 4 != card % 4));
    game.layout = vec![deal(0, &row, 1, Face::Up)];
    let from = [row.clone(), vec![waste]].concat();
    let values = (1..14).collect();
    let leave = |pair: Option<u8>, sets: Vec<CardSet>, deep: &[u8]| {
        Action::Pair(PairAction {
            partners: vec![mask(&from); from.len()],
            yields_to: vec![PileMask(0); from.len()],
            from: from.clone(),
            pair,
            to: discard,
            sets,
            deep: mask(deep),
        })
    };
    let couple = vec![rank_mask(2), CardMask(rank_mask(3).0 | rank_mask(4).0)];
    game.rules = vec![
        forced(
            "fill",
            Action::Move(MoveAction { to_holds: [0, 0], face: Face::Up, ..moving(&[0], &row) }),
        ),
        free(
            "sums",
            leave(
                None,
                vec![CardSet { sum: Some(Sum { total: 7, values }), ..set(2, 4) }],
                &[waste],
            ),
        ),
        free(
            "others",
            leave(
                Some(1),
                vec![
                    CardSet { chain: Some(1), ..set(3, 3) },
                    CardSet { cards: couple, each: Some(3), ..set(2, 2) },
                    CardSet { cards: vec![rank_mask(5)], ..set(1, 1) },
                ],
                &[],
            ),
        ),
        free("turn", script(vec![deal(0, &[waste], 1, Face::Up)])),
    ];
    game.aim = vec![Condition::Vacant { piles: mask(&row), number: 6 }];
    game
}

/// Aces Up: a card goes that is beaten by an open card of its suit.
pub fn beaten() -> Source {
    let mut game = blank(pack(6));
    group(&mut game, "stock", 1, 24, None);
    let discard = group(&mut game, "discard", 1, 24, None)[0];
    let row = group(&mut game, "row", 4, 24, None);
    game.relations.push(relation(|under, card| same_suit(under, card) && card > under));
    game.layout = vec![deal(0, &row, 1, Face::Up)];
    game.rules = vec![
        free("leave", Action::Move(MoveAction { beaten_by: Some(1), ..moving(&row, &[discard]) })),
        free("fill", Action::Move(MoveAction { to_holds: [0, 0], ..moving(&row, &row) })),
        free("deal", script(vec![deal(0, &row, 1, Face::Up)])),
    ];
    game.aim = vec![Condition::Holds {
        piles: mask(&[discard]),
        cards: ALL,
        compare: Compare::AtLeast,
        number: 18,
    }];
    game
}

/// A small Queen's Audience: a couple of one suit, also with the top card of the waste, begins a
/// foundation.
pub fn audience() -> Source {
    let mut game = blank(pack(4));
    group(&mut game, "stock", 1, 16, None);
    let waste = group(&mut game, "waste", 1, 16, None)[0];
    let foundations = group(&mut game, "foundations", 4, 4, Some(0));
    let row = group(&mut game, "row", 6, 1, None);
    game.build_orders.push(BuildOrder {
        wants: [0, 3, 2, 1].into_iter().map(rank_mask).collect(),
        ..up_in_suit(4)
    });
    game.layout = vec![deal(0, &row, 1, Face::Up)];
    let sources = [row.clone(), vec![waste]].concat();
    let couple = CardSet { each: Some(0), cards: vec![rank_mask(0), rank_mask(3)], ..set(2, 2) };
    let part = Part { from: sources.clone(), holds: 0, least: 0 };
    game.rules = vec![
        forced("fill", Action::Move(MoveAction { to_holds: [0, 0], ..moving(&[waste], &row) })),
        free(
            "couple",
            Action::Joint(JointAction {
                together: vec![part.clone(), part],
                to: foundations.clone(),
                only_if_blocked: false,
                in_turn: false,
                matching: Some(couple),
            }),
        ),
        free(
            "play",
            Action::Move(MoveAction {
                build_order: true,
                to_holds: [1, 4],
                ..moving(&sources, &foundations)
            }),
        ),
        free("turn", script(vec![deal(0, &[waste], 1, Face::Up)])),
    ];
    game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
    game
}

/// A small La Belle Lucie: fans that are gathered, shuffled and dealt again. Where a fan lies does
/// not matter after a shuffle, so fans may be interchanged.
pub fn fans() -> Source {
    let mut game = blank(pack(6));
    let stock = 0;
    group(&mut game, "stock", 1, 24, None);
    let foundations = group(&mut game, "foundations", 4, 6, Some(0));
    let fans = group(&mut game, "fans", 6, 24, None);
    game.relations.push(relation(|under, card| same_suit(under, card) && down(under, card)));
    game.build_orders.push(up_in_suit(6));
    game.counters.push(Counter { name: "redeals".to_owned(), start: 0, cap: 2 });
    game.counters.push(Counter { name: "shuffles".to_owned(), start: 0, cap: 9 });
    game.layout = vec![deal(stock, &fans, 1, Face::Down), deal(stock, &fans, 3, Face::Up)];
    let gather = Step::Gather {
        piles: fans.clone(),
        to: stock,
        at: End::Bottom,
        turned: false,
        face: Face::Down,
        keep: None,
    };
    let again = vec![
        gather,
        Step::Shuffle { pile: stock, counter: 1 },
        deal(stock, &fans, 1, Face::Down),
        deal(stock, &fans, 3, Face::Up),
    ];
    game.rules = vec![
        forced("turn up", Action::TurnUp { turn_up: mask(&fans) }),
        free("play", Action::Move(MoveAction { build_order: true, ..moving(&fans, &foundations) })),
        free(
            "build",
            Action::Move(MoveAction { build: Some(1), space: NO_CARD, ..moving(&fans, &fans) }),
        ),
        when(
            Condition::Counter { counter: 0, compare: Compare::Below, number: 2 },
            then(Effect::Add { counter: 0, value: 1 }, free("gather", script(again))),
        ),
    ];
    game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
    game
}

/// Three rows of three places. A card is open while a place beside it in its row is vacant; those
/// at the ends always are. In the last row the cards lie face down until the place above is vacant.
pub fn quilt() -> Source {
    let mut game = blank(pack(4));
    group(&mut game, "pack", 1, 16, None);
    let foundations = group(&mut game, "foundations", 4, 4, Some(0));
    let quilt = places(&mut game, "quilt", 9, 16);
    let hand = group(&mut game, "hand", 7, 1, None);
    game.build_orders.push(up_in_suit(4));
    game.relations.push(relation(down));
    for row in [0, 3] {
        let open_when = [0, 2].map(|side| mask(&[quilt[row + side]])).to_vec();
        game.piles[usize::from(quilt[row + 1])].open_when = open_when;
    }
    for column in 0..3 {
        let above = mask(&[quilt[3 + column]]);
        game.piles[usize::from(quilt[6 + column])].open_when = vec![above];
    }
    game.layout = vec![
        deal(0, &quilt[..6], 1, Face::Up),
        deal(0, &quilt[6..], 1, Face::Down),
        deal(0, &hand, 1, Face::Up),
    ];
    let from = [quilt.clone(), hand.clone()].concat();
    let couple = JointAction {
        together: vec![Part { from: quilt.clone(), holds: 2, least: 0 }],
        to: foundations.clone(),
        only_if_blocked: false,
        in_turn: false,
        matching: None,
    };
    game.rules = vec![
        forced("turn up", Action::TurnUp { turn_up: mask(&quilt) }),
        free("play", Action::Move(MoveAction { build_order: true, ..moving(&from, &foundations) })),
        free(
            "build",
            Action::Move(MoveAction { build: Some(1), space: NO_CARD, ..moving(&from, &quilt) }),
        ),
        free("couple", Action::Joint(couple)),
        free("exchange", exchanging(mask(&quilt[..3]), false)),
    ];
    game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
    game
}

/// Deals that look at the cards: aces picked out, ranks kept apart, kings sunk; rows for occupied
/// piles only, vacancies dealt from waste and stock, piles that are rotated.
pub fn crescent() -> Source {
    let mut game = blank(pack(6));
    let stock = 0;
    group(&mut game, "stock", 1, 24, None);
    let waste = group(&mut game, "waste", 1, 24, None)[0];
    let foundations = group(&mut game, "foundations", 4, 6, Some(0));
    let tableau = group(&mut game, "tableau", 4, 24, None);
    game.build_orders.push(up_in_suit(6));
    game.relations.push(relation(|under, card| (under / 4).abs_diff(card / 4) == 1));
    game.relations.push(relation(|under, card| under / 4 == card / 4));
    game.counters.push(Counter { name: "turns".to_owned(), start: 0, cap: 2 });
    let row = |only: DealtTo, then: Vec<u8>, each: u16, apart: Option<u8>| Step::Deal {
        from: if then.is_empty() { stock } else { waste },
        then,
        to: tableau.clone(),
        each,
        face: Face::Up,
        only,
        apart,
        leave: vec![],
        terms: DealTerms::default(),
    };
    let pick = |to: u8| Step::Pick { from: stock, cards: rank_mask(0), to, face: Face::Up };
    game.layout = vec![
        pick(foundations[0]),
        pick(foundations[1]),
        row(DealtTo::Any, Vec::new(), 3, Some(2)),
        Step::Sink { piles: tableau.clone(), cards: rank_mask(5) },
    ];
    let rotate = |&pile: &u8| Step::Take {
        from: pile,
        number: Quantity::Fixed { number: 1 },
        end: End::Bottom,
        to: pile,
        at: End::Top,
        turned: false,
        face: Face::Keep,
    };
    let sources = [tableau.clone(), vec![waste]].concat();
    let build = MoveAction { build: Some(1), space: CardMask(0), ..moving(&tableau, &tableau) };
    game.rules = vec![
        free(
            "play",
            Action::Move(MoveAction { build_order: true, ..moving(&sources, &foundations) }),
        ),
        free("build", Action::Move(build)),
        free("turn", script(vec![deal(stock, &[waste], 1, Face::Up)])),
        free("row", script(vec![row(DealtTo::Occupied, Vec::new(), 1, None)])),
        free("fill", script(vec![row(DealtTo::Vacant, vec![stock], 2, None)])),
        then(
            Effect::Add { counter: 0, value: 1 },
            when(
                Condition::Counter { counter: 0, compare: Compare::Below, number: 2 },
                free("rotate", script(tableau.iter().map(rotate).collect())),
            ),
        ),
    ];
    for (class, pile) in (0u8..).zip(&mut game.piles) {
        pile.class = class;
    }
    game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
    game
}

/// Deals during which aces go up, piles filled up to three, kings slipped under their piles, and
/// piles taken up one after the other and turned.
pub fn tournament() -> Source {
    let mut game = blank(pack(6));
    let stock = 0;
    group(&mut game, "stock", 1, 24, None);
    let foundations = group(&mut game, "foundations", 4, 6, Some(0));
    let piles = group(&mut game, "piles", 4, 24, None);
    let hidden = group(&mut game, "hidden", 1, 24, None)[0];
    game.build_orders.push(up_in_suit(6));
    game.counters.push(Counter { name: "taken".to_owned(), start: 0, cap: 4 });
    let row = |to: &[u8], each: u16, face: Face, terms: DealTerms| Step::Deal {
        from: stock,
        then: vec![],
        to: to.to_vec(),
        each,
        face,
        only: DealtTo::Any,
        apart: None,
        leave: vec![],
        terms,
    };
    let goes_up =
        |cards: CardMask, replaced: bool| Some(GoesUp { cards, to: foundations.clone(), replaced });
    let aces = DealTerms { goes_up: goes_up(rank_mask(0), true), ..DealTerms::default() };
    let any = DealTerms { goes_up: goes_up(ALL, false), ..DealTerms::default() };
    let up_to = Some(Quantity::Fixed { number: 3 });
    let fill = DealTerms { up_to: up_to.clone(), emptiest_first: true, ..aces.clone() };
    let top_up = DealTerms { up_to, ..DealTerms::default() };
    game.layout = vec![
        row(&piles, 2, Face::Up, aces),
        row(&[hidden], 2, Face::Down, DealTerms::default()),
        Step::Slip { piles: piles.clone(), cards: rank_mask(5) },
    ];
    let take = |&pile: &u8| Step::Gather {
        piles: vec![pile],
        to: stock,
        at: End::Bottom,
        turned: true,
        face: Face::Down,
        keep: None,
    };
    let vacant = |&pile: &u8| Condition::Vacant { piles: mask(&[pile]), number: 1 };
    let next = |rule: Rule| then(Effect::Add { counter: 0, value: 1 }, rule);
    let pass = free("pass over", script(vec![]));
    let short = Condition::Each {
        piles: mask(&piles),
        number: 2,
        cards: ALL,
        compare: Compare::Below,
        held: 2,
        tops: false,
    };
    let sources = [piles.clone(), vec![hidden]].concat();
    game.rules = vec![
        free(
            "play",
            Action::Move(MoveAction { build_order: true, ..moving(&sources, &foundations) }),
        ),
        when(short, free("fill", script(vec![row(&piles, 1, Face::Up, fill)]))),
        free("top up", script(vec![row(&piles[..2], 2, Face::Up, top_up)])),
        free("row", script(vec![row(&piles, 1, Face::Up, any)])),
        next(free(
            "take up",
            script(vec![Step::ByCounter { counter: 0, steps: piles.iter().map(take).collect() }]),
        )),
        when(
            Condition::ByCounter { counter: 0, conditions: piles.iter().map(vacant).collect() },
            next(pass),
        ),
        free(
            "turn",
            script(vec![Step::Turn { piles: vec![hidden], face: Face::Up, turned: true }]),
        ),
    ];
    for (class, pile) in (0u8..).zip(&mut game.piles) {
        pile.class = class;
    }
    game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
    game
}

/// Piles of which any card, or the bottom card, may be taken, and whole sequences.
pub fn buried() -> Source {
    let mut game = blank(pack(5));
    group(&mut game, "pack", 1, 20, None);
    let foundations = group(&mut game, "foundations", 4, 5, Some(0));
    let heaps = group(&mut game, "heaps", 2, 6, None);
    let rows = group(&mut game, "rows", 3, 6, None);
    let runs = group(&mut game, "runs", 2, 20, None);
    game.relations.push(relation(down));
    game.build_orders.push(up_in_suit(5));
    game.layout = vec![
        deal(0, &heaps, 1, Face::Down),
        deal(0, &heaps, 3, Face::Up),
        deal(0, &rows, 2, Face::Up),
        deal(0, &runs, 3, Face::Up),
    ];
    let play = |from: &[u8], cards: Unit| {
        Action::Move(MoveAction { build_order: true, cards, ..moving(from, &foundations) })
    };
    let build = |from: &[u8], to: &[u8], cards: Unit| {
        Action::Move(MoveAction { build: Some(1), cards, ..moving(from, to) })
    };
    game.rules = vec![
        forced("turn up", Action::TurnUp { turn_up: mask(&heaps) }),
        free("draw", play(&heaps, Unit::Any { place: None })),
        free("draw from below", play(&rows, Unit::Bottom)),
        free("play", play(&[rows.clone(), runs.clone()].concat(), Unit::Top)),
        free("bury", build(&heaps, &rows, Unit::Any { place: None })),
        free("lift", build(&rows, &runs, Unit::Bottom)),
        free("build", build(&runs, &runs, Unit::Longest { relation: 1 })),
    ];
    game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
    game
}

/// Small Forty Thieves: two packs, built down in suit, a stock that is turned once.
pub fn forty_thieves() -> Source {
    let mut game = blank(pack(5).into_iter().flat_map(|card| [card, card]).collect());
    let stock = 0;
    group(&mut game, "stock", 1, 40, None);
    let waste = group(&mut game, "waste", 1, 40, None)[0];
    let foundations = group(&mut game, "foundations", 8, 5, Some(0));
    let columns = group(&mut game, "columns", 5, 12, None);
    game.relations.push(relation(|under, card| down(under, card) && same_suit(under, card)));
    game.build_orders.push(up_in_suit(5));
    game.layout = vec![deal(stock, &columns, 3, Face::Up)];
    let sources = [columns.clone(), vec![waste]].concat();
    let play = MoveAction { build_order: true, ..moving(&sources, &foundations) };
    let build = MoveAction { build: Some(1), ..moving(&sources, &columns) };
    let turn = MoveAction { face: Face::Up, ..moving(&[stock], &[waste]) };
    game.rules = vec![
        free("play", Action::Move(play)),
        free("build", Action::Move(build)),
        free("turn", Action::Move(turn)),
    ];
    game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
    game
}

/// A small Spider: two suits twice, cards are built on any suit and move together in one suit,
/// whole suits leave, the stock is dealt in rows.
pub fn spider() -> Source {
    let suits = pack(4).into_iter().filter(|card| card % 4 < 2);
    let mut game = blank(suits.flat_map(|card| [card, card]).collect());
    let stock = 0;
    group(&mut game, "stock", 1, 16, None);
    let columns = group(&mut game, "columns", 4, 16, None);
    let foundations = group(&mut game, "foundations", 4, 4, None);
    game.relations.push(relation(|under, card| down(under, card) && same_suit(under, card)));
    game.relations.push(relation(down));
    game.layout = vec![deal(stock, &columns, 1, Face::Down), deal(stock, &columns, 1, Face::Up)];
    let run = |least, most| Unit::Run { relation: 1, least, most };
    let row = deal(stock, &columns, 1, Face::Up);
    game.rules = vec![
        forced("turn up", Action::TurnUp { turn_up: mask(&columns) }),
        forced(
            "leave",
            Action::Move(MoveAction {
                cards: run(4, 4),
                to_holds: [0, 0],
                ..moving(&columns, &foundations)
            }),
        ),
        free(
            "build",
            Action::Move(MoveAction {
                cards: run(1, 16),
                build: Some(2),
                ..moving(&columns, &columns)
            }),
        ),
        when(
            Condition::Filled { piles: mask(&[stock]), number: 1 },
            free("deal", script(vec![row])),
        ),
    ];
    game.aim = vec![Condition::Filled { piles: mask(&foundations), number: 4 }];
    game
}

/// Gaps: in rows of cards, the next higher card of the suit of the left neighbour fills a vacancy.
pub fn gaps() -> Source {
    let mut game = blank(pack(4));
    group(&mut game, "pack", 1, 16, None);
    let rows = places(&mut game, "rows", 16, 1);
    let aces = group(&mut game, "aces", 1, 4, None);
    game.relations.push(relation(|under, card| same_suit(under, card) && down(card, under)));
    let lefts = rows.chunks(4).flat_map(|row| row.windows(2).map(|two| [two[1], two[0]]));
    let neighbours = Neighbours { pairs: lefts.collect(), relation: 1 };
    let fill = MoveAction {
        to_holds: [0, 0],
        beside: Some(Beside { neighbours: vec![neighbours], edge: rank_mask(1) }),
        ..moving(&rows, &rows)
    };
    let mut ace = forced(
        "aces are laid aside",
        Action::Move(MoveAction { which: rank_mask(0), ..moving(&rows, &aces) }),
    );
    ace.during = During::Layout;
    game.layout = vec![deal(0, &rows, 1, Face::Up), Step::Settle];
    game.rules = vec![ace, free("fill", Action::Move(fill))];
    let lines = rows.chunks(4).map(<[u8]>::to_vec).collect();
    game.aim = vec![Condition::Ordered { lines, relation: 1, length: 0, gaps: false, first: None }];
    game
}

/// Gaps with a redeal: what does not lie right is shuffled and dealt with a gap after each run.
pub fn gaps_dealt_again() -> Source {
    let mut game = gaps();
    let rows: Vec<u8> = (1..17).collect();
    let lines: Vec<Vec<u8>> = rows.chunks(4).map(<[u8]>::to_vec).collect();
    game.counters.push(Counter { name: "shuffles".to_owned(), start: 0, cap: 1 });
    let again = vec![
        Step::Gather {
            piles: rows.clone(),
            to: 0,
            at: End::Top,
            turned: false,
            face: Face::Keep,
            keep: Some(Runs { lines: lines.clone(), cards: rank_mask(1), relation: 1 }),
        },
        Step::Shuffle { pile: 0, counter: 0 },
        Step::Deal {
            from: 0,
            then: Vec::new(),
            to: rows,
            each: 1,
            face: Face::Up,
            only: DealtTo::Vacant,
            apart: None,
            leave: lines,
            terms: DealTerms::default(),
        },
    ];
    let limit = Condition::Counter { counter: 0, compare: Compare::Below, number: 1 };
    game.rules.push(when(limit, free("redeal", script(again))));
    game
}

/// A row of piles that goes on its left neighbours of the suit or rank, and closes up.
pub fn accordion() -> Source {
    let mut game = blank(pack(3));
    group(&mut game, "pack", 1, 12, None);
    let row = places(&mut game, "row", 12, 12);
    game.relations.push(relation(|under, card| under % 4 == card % 4 || under / 4 == card / 4));
    let left = |place: usize, steps: usize| place.checked_sub(steps).map(|at| row[at]);
    let along = (0..row.len()).map(|place| {
        let targets: Vec<u8> = [1, 3].iter().filter_map(|&steps| left(place, steps)).collect();
        mask(&targets)
    });
    let build = MoveAction {
        along: along.collect(),
        to_holds: [1, 999],
        cards: Unit::All,
        build: Some(1),
        by_top: true,
        ..moving(&row, &row)
    };
    game.layout = vec![deal(0, &row, 1, Face::Up)];
    game.rules = vec![
        free("build", Action::Move(build)),
        forced("close up", script(vec![Step::CloseUp { piles: row.clone() }])),
    ];
    game.aim = vec![Condition::Vacant { piles: mask(&row), number: 11 }];
    game
}

/// A row of cards from which those between two of a rank leave, and neighbours that add up.
pub fn betrothal() -> Source {
    let mut game = blank(pack(3));
    group(&mut game, "pack", 1, 12, None);
    let row = places(&mut game, "row", 12, 1);
    let discard = group(&mut game, "discard", 1, 12, None)[0];
    game.relations.push(relation(|under, card| under / 4 == card / 4));
    let stretch = |number, around, sums| {
        Action::Stretch(StretchAction {
            piles: row.clone(),
            number,
            around,
            sums,
            worth: (1..=13).collect(),
            to: discard,
        })
    };
    game.layout = vec![deal(0, &row, 1, Face::Up)];
    game.rules = vec![
        free("between", stretch([1, 2], Some(1), Vec::new())),
        free("sums", stretch([2, 3], None, vec![5, 6])),
        forced("close up", script(vec![Step::CloseUp { piles: row.clone() }])),
    ];
    game.aim = vec![Condition::Vacant { piles: mask(&row), number: 10 }];
    game
}

/// Piles of three cards that come to six; the fours count whatever is missing.
pub fn totals() -> Source {
    let mut game = blank(pack(4));
    group(&mut game, "stock", 1, 16, None);
    let piles = group(&mut game, "pile", 4, 3, None);
    let waste = group(&mut game, "waste", 1, 16, None)[0];
    let coming_to = |least, to_holds| {
        let worth = vec![1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        let total = Total { least, most: 6, worth, wild: rank_mask(3) };
        let asks = Asks { total: Some(total), ..Asks::default() };
        Action::Move(MoveAction { to_holds, asks, ..moving(&[waste], &piles) })
    };
    game.layout = vec![deal(0, &piles, 1, Face::Up), deal(0, &[waste], 1, Face::Up)];
    game.rules = vec![
        free("add", coming_to(0, [0, 1])),
        free("complete", coming_to(6, [2, 2])),
        free("turn", script(vec![deal(0, &[waste], 1, Face::Up)])),
    ];
    game.aim = vec![Condition::Vacant { piles: mask(&[0, waste]), number: 2 }];
    game
}

/// Two rows of which the upper one backs the lower one and is open where a place of it is vacant.
/// Three cards beat others, or are tried against a pile that lies face down.
pub fn assault() -> Source {
    let mut game = blank(pack(5));
    group(&mut game, "stock", 1, 20, None);
    let with = group(&mut game, "with", 3, 1, None);
    let wall = places(&mut game, "wall", 5, 1);
    let (upper, lower) = wall.split_at(2);
    let guard = places(&mut game, "guard", 1, 2)[0];
    let discard = group(&mut game, "discard", 1, 20, None)[0];
    for (index, &pile) in upper.iter().enumerate() {
        game.piles[usize::from(pile)].open_when =
            lower[index..index + 2].iter().map(|&below| mask(&[below])).collect();
    }
    game.piles[usize::from(guard)].open_when = upper.iter().map(|&pile| mask(&[pile])).collect();
    let behind = |index: usize| [index.checked_sub(1), Some(index)].into_iter().flatten();
    let above = |index: usize| {
        let found: Vec<u8> = behind(index).filter_map(|at| upper.get(at)).copied().collect();
        mask(&found)
    };
    let none = || PileMask(0);
    let beat = |beat: Vec<u8>, backing, blind| {
        Action::Beat(BeatAction {
            beat,
            with: with.clone(),
            number: [1, 3],
            worth: (1..=13).collect(),
            backing,
            blind,
            to: discard,
        })
    };
    let backing = vec![none(), none(), above(0), above(1), above(2)];
    game.layout = vec![
        deal(0, &wall, 1, Face::Up),
        deal(0, &[guard, guard], 1, Face::Down),
        deal(0, &with, 1, Face::Up),
    ];
    game.rules = vec![
        free("wall", beat(wall.clone(), backing, false)),
        free("guard", beat(vec![guard], vec![none()], true)),
        free(
            "deal",
            script(vec![
                Step::Gather {
                    piles: with.clone(),
                    to: discard,
                    at: End::Top,
                    turned: false,
                    face: Face::Up,
                    keep: None,
                },
                deal(0, &with, 1, Face::Up),
            ]),
        ),
    ];
    game.rules[2].when = vec![Condition::Filled { piles: mask(&[0]), number: 1 }];
    game.aim = vec![Condition::Vacant { piles: mask(&[guard]), number: 1 }];
    game
}

/// A square from which neighbours of a rank leave. It closes up, and vacancies are dealt, when the
/// player likes.
pub fn touching() -> Source {
    let mut game = blank(pack(4));
    group(&mut game, "stock", 1, 16, None);
    let grid = places(&mut game, "grid", 9, 1);
    let discard = group(&mut game, "discard", 1, 16, None)[0];
    game.relations.push(relation(|under, card| under / 4 == card / 4));
    let touch = |a: usize, b: usize| (a / 3).abs_diff(b / 3) <= 1 && (a % 3).abs_diff(b % 3) <= 1;
    let beside = |a: usize| -> Vec<u8> {
        (0..9).filter(|&b| a != b && touch(a, b)).map(|b| grid[b]).collect()
    };
    let pair = PairAction {
        from: grid.clone(),
        partners: (0..9).map(|place| mask(&beside(place))).collect(),
        yields_to: vec![PileMask(0); 9],
        pair: Some(1),
        sets: vec![],
        deep: PileMask(0),
        to: discard,
    };
    let fill = Step::Deal {
        from: 0,
        then: Vec::new(),
        to: grid.clone(),
        each: 1,
        face: Face::Up,
        only: DealtTo::Vacant,
        apart: None,
        leave: vec![],
        terms: DealTerms::default(),
    };
    game.layout = vec![deal(0, &grid, 1, Face::Up)];
    game.rules = vec![
        free("pair", Action::Pair(pair)),
        free("close up", script(vec![Step::CloseUp { piles: grid.clone() }, fill])),
    ];
    game.aim = vec![Condition::Vacant { piles: mask(&grid), number: 9 }];
    game
}
