//! Compares the columns space with plain search of the general space.

use crate::support::known::{DEPTH, Known};
use crate::support::{
    MANY, blank, cases, compile, deal, down, forced, free, group, mask, moving, places, rank_mask,
    relation, same_suit, up_in_suit, when, wins,
};
use cadogan_kernel::program::{
    Action, BuildOrder, Compare, Condition, Counter, DealtTo, Effect, End, Face, MoveAction,
    PileMask, Source, Step, Unit,
};
use cadogan_kernel::{
    CardEquivalence, Options, Pruning, Prunings, SplitMix64, Strategy, Verdict, solve,
};

/// What makes a game of the family.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a rule by itself")]
struct Spiders {
    ranks: u8,
    suits: u8,
    packs: u8,
    columns: u8,
    /// The rounds of the layout, those of them that are dealt face down, and the rows of the stock.
    rounds: u8,
    hidden: u8,
    rows: u8,
    /// Rows are dealt at any time, without a vacancy, or to columns with cards only.
    deals: u8,
    /// Single cards, runs in suit, runs of any suits, or packets move.
    unit: u8,
    /// Down in suit, or in any suit; kings may lie on aces, too.
    in_suit: bool,
    round_the_corner: bool,
    /// Whether only kings go to vacancies.
    kings_only: bool,
    /// What foundations take: complete sequences at once, or when the player likes, or single cards
    /// up in suit, in any suit, or one half up and one half down.
    goal: u8,
    /// The most cards of a column that takes another one.
    most: u16,
    /// Whether cards may come back from foundations.
    returns: bool,
    cells: u8,
    /// Whether single cards may also be built, and go up, by a second rule.
    twice: bool,
    /// How often all columns are gathered, shuffled or not, and dealt again.
    redeals: u16,
    shuffles: bool,
    /// Whether a card goes up only after the first redeal.
    waits: bool,
    /// Whether empty columns are filled at once: from the stock, or from a waste first, which it is
    /// dealt to instead of to the columns.
    refills: u8,
}

impl Spiders {
    fn random(seed: u64) -> Self {
        let mut generator = SplitMix64::new(seed);
        let mut below = |bound: u64| generator.below(bound) as u8;
        let (ranks, columns) = (2 + below(3), 2 + below(4));
        let rounds = 1 + below(3);
        Self {
            ranks,
            suits: 1 + below(3),
            packs: 1 + below(3),
            columns,
            rounds,
            hidden: below(2) * below(rounds.into()),
            rows: below(3),
            deals: below(3),
            unit: below(4),
            in_suit: below(3) == 0,
            round_the_corner: below(4) == 0,
            kings_only: below(3) == 0,
            goal: below(5),
            most: if below(5) == 0 { 2 } else { MANY },
            returns: below(3) == 0,
            cells: below(3) / 2 * (1 + below(2)),
            twice: below(3) == 0,
            redeals: below(3).into(),
            shuffles: below(2) == 0,
            waits: below(3) == 0,
            refills: below(6).saturating_sub(3).min(2),
        }
    }

    fn deck(self) -> Vec<u8> {
        let suited = (0..self.ranks * 4).filter(|card| card % 4 < self.suits);
        suited.flat_map(|card| std::iter::repeat_n(card, self.packs.into())).collect()
    }

    fn program(self) -> Source {
        let deck = self.deck();
        let (cards, sequences) = (deck.len() as u16, self.suits * self.packs);
        let mut game = blank(deck);
        let stock = group(&mut game, "stock", 1, cards, None)[0];
        let columns = places(&mut game, "columns", self.columns, cards);
        let cells = group(&mut game, "cells", self.cells, 1, None);
        let waste = group(&mut game, "waste", u8::from(self.refills == 2), cards, None);
        if self.goal > 1 {
            let order = up_in_suit(self.ranks);
            let relation = order.relation.filter(|_| self.goal != 3);
            let wants = order.wants.iter().rev().copied().collect();
            game.build_orders.push(BuildOrder { relation, ..order.clone() });
            game.build_orders.push(BuildOrder { wants, ..order });
        }
        let order = (self.goal > 1).then_some(0);
        let falling = if self.goal == 4 { sequences / 2 } else { 0 };
        let rising = sequences - falling;
        let foundations = [
            group(&mut game, "foundations", rising, self.ranks.into(), order),
            group(&mut game, "falling foundations", falling, self.ranks.into(), Some(1)),
        ]
        .concat();
        if falling == 0 {
            game.build_orders.truncate(1);
        }
        let is_next = move |under: u8, card: u8| {
            down(under, card)
                || self.round_the_corner && under / 4 == 0 && card / 4 == self.ranks - 1
        };
        game.relations.push(relation(|under, card| down(under, card) && same_suit(under, card)));
        game.relations.push(relation(|under, card| {
            is_next(under, card) && (!self.in_suit || same_suit(under, card))
        }));
        game.relations.push(relation(is_next));
        self.lay_out(&mut game, stock, &columns, &waste);
        let run = |relation| Unit::Run { relation, least: 1, most: cards };
        let cards_moved = [Unit::Top, run(1), run(3), Unit::Packet][usize::from(self.unit)].clone();
        let king = rank_mask(self.ranks - 1);
        let mut build =
            MoveAction { cards: cards_moved, build: Some(2), ..moving(&columns, &columns) };
        build.to_holds = [0, self.most];
        if self.kings_only {
            build.space = king;
        }
        game.rules.push(free("build", Action::Move(build)));
        if self.twice {
            let build = MoveAction { build: Some(3), ..moving(&columns, &columns) };
            game.rules.push(free("build single cards", Action::Move(build)));
        }
        if self.cells > 0 {
            let keep = MoveAction { to_holds: [0, 0], ..moving(&columns, &cells) };
            game.rules.push(free("keep", Action::Move(keep)));
            let back = MoveAction { build: Some(2), ..moving(&cells, &columns) };
            game.rules.push(free("bring back", Action::Move(back)));
        }
        if self.goal > 1 {
            let sources = [columns.clone(), cells, waste.clone()].concat();
            let play = MoveAction { build_order: true, ..moving(&sources, &foundations) };
            game.rules.push(free("play", Action::Move(play.clone())));
            if self.twice {
                game.rules.push(free("play again", Action::Move(play)));
            }
            if self.returns {
                let back = MoveAction { build: Some(2), ..moving(&foundations, &columns) };
                game.rules.push(free("return", Action::Move(back)));
            }
            game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
        } else {
            let length = u16::from(self.ranks);
            let complete = Action::Move(MoveAction {
                cards: Unit::Run { relation: 1, least: length, most: length },
                which: king,
                to_holds: [0, 0],
                ..moving(&columns, &foundations)
            });
            let rule = if self.goal == 0 { forced } else { free };
            game.rules.push(rule("complete", complete));
            let number = u16::from(sequences);
            game.aim = vec![Condition::Filled { piles: mask(&foundations), number }];
        }
        game.rules.push(forced("turn up", Action::TurnUp { turn_up: mask(&columns) }));
        if self.deals_again() {
            self.redeal(&mut game, stock, &columns);
        }
        if self.refills > 0 {
            let from = [waste.clone(), vec![stock]].concat();
            let refill = MoveAction {
                cards: Unit::Count { number: 1 },
                face: Face::Up,
                to_holds: [0, 0],
                ..moving(&from, &columns)
            };
            game.rules.push(forced("refill", Action::Move(refill)));
            let lay = MoveAction { build: Some(2), ..moving(&waste, &columns) };
            game.rules.push(free("lay", Action::Move(lay)));
        }
        game
    }

    fn deals_again(self) -> bool {
        self.redeals > 0 && self.rows == 0 && self.goal > 1
    }

    /// Adds the rule that deals again.
    fn redeal(self, game: &mut Source, stock: u8, columns: &[u8]) {
        game.counters.push(Counter { name: "redeals".to_owned(), start: 0, cap: 9 });
        let face = if self.hidden > 0 { Face::Down } else { Face::Up };
        let gather = Step::Gather {
            piles: columns.to_vec(),
            to: stock,
            at: End::Bottom,
            turned: !self.shuffles,
            face: Face::Down,
            keep: None,
        };
        let each = game.deck.len().div_ceil(columns.len()) as u16;
        let mut steps = vec![gather];
        steps.extend(self.shuffles.then_some(Step::Shuffle { pile: stock, counter: 0 }));
        steps.push(deal(stock, columns, each, face));
        let number = self.redeals;
        let below = Condition::Counter { counter: 0, compare: Compare::Below, number };
        let mut rule = when(below, free("redeal", Action::Script { steps }));
        if !self.shuffles {
            rule.effects.push(Effect::Add { counter: 0, value: 1 });
        }
        if self.waits {
            let later = Condition::Counter { counter: 0, compare: Compare::AtLeast, number: 1 };
            let play = game.rules.iter_mut().find(|rule| rule.name == "play");
            play.expect("cards go up one by one").when.push(later);
        }
        game.rules.push(rule);
    }

    /// Deals the layout, and adds the rule for the rows of the stock.
    fn lay_out(self, game: &mut Source, stock: u8, columns: &[u8], waste: &[u8]) {
        for round in 0..self.rounds {
            let face = if round < self.hidden { Face::Down } else { Face::Up };
            game.layout.push(deal(stock, columns, 1, face));
        }
        let held = game.deck.len() as u8;
        let dealt = self.rounds * self.columns;
        let in_stock = held.saturating_sub(dealt).min(self.rows * self.columns);
        // What neither the layout nor the rows need comes first.
        for _ in 0..(held.saturating_sub(dealt) - in_stock).div_ceil(self.columns) {
            game.layout.push(deal(stock, columns, 1, Face::Up));
        }
        if self.deals_again() {
            return;
        }
        let to = if self.refills == 2 { waste } else { columns };
        let mut row = deal(stock, to, 1, Face::Up);
        if let (Step::Deal { only, .. }, 2) = (&mut row, self.deals) {
            *only = DealtTo::Occupied;
        }
        let mut rule = free("deal", Action::Script { steps: vec![row] });
        rule = when(Condition::Filled { piles: PileMask(1 << stock), number: 1 }, rule);
        if self.deals == 1 {
            let number = u16::from(self.columns);
            rule = when(Condition::Filled { piles: mask(columns), number }, rule);
        }
        game.rules.push(rule);
    }

    fn fits(self) -> bool {
        self.deck().len() <= 18
    }
}

/// Searches that together use all parts of the space; the last two prove nothing.
const TURNS: [Strategy; 5] = [
    DEPTH,
    Strategy::Best { weights: 2, cards: CardEquivalence::Exact, greedy: false },
    Strategy::Best { weights: 5, cards: CardEquivalence::Exact, greedy: false },
    Strategy::Best { weights: 0, cards: CardEquivalence::BY_CLASS, greedy: false },
    Strategy::RunBeam { weights: 3 },
];

/// What makes a game in which the stock is turned card by card, and each card goes to a foundation
/// or onto a heap.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a rule by itself")]
struct Heaps {
    ranks: u8,
    suits: u8,
    packs: u8,
    /// How many heaps there are.
    number: u8,
    /// Cards that lie in a pile of their own from the beginning.
    reserve: u8,
    /// Foundations are built up in suit, up in any suit, each from a rank of its own, or one half
    /// up and one half down in suit.
    goal: u8,
    /// Whether each foundation has a rule of its own.
    apart: bool,
    /// Whether cards go up at any time, only after all of the stock and the hand, or only after all
    /// of the stock.
    at_last: u8,
    /// Any card goes on a heap, one of another rank, or the next lower one.
    building: u8,
    /// The most cards of a heap that takes another one.
    most: u16,
    /// Whether top cards move from heap to heap, and whether cards come back from foundations.
    between: bool,
    returns: bool,
    /// Whether the card in the hand may also be laid, and go up, by a second rule.
    twice: bool,
}

impl Heaps {
    fn random(seed: u64) -> Self {
        let mut generator = SplitMix64::new(seed);
        let mut below = |bound: u64| generator.below(bound) as u8;
        let packs = 1 + below(2);
        Self {
            ranks: 2 + below(3),
            suits: 1 + below(3),
            packs,
            number: 1 + below(3),
            reserve: below(3),
            goal: below(2 + u64::from(packs) + 1) % 4,
            apart: below(2) == 0,
            at_last: below(8).saturating_sub(5),
            building: below(3),
            most: if below(4) == 0 { 2 } else { MANY },
            between: below(6) == 0,
            returns: below(5) == 0,
            twice: below(4) == 0,
        }
    }

    fn deck(self) -> Vec<u8> {
        let suited = (0..self.ranks * 4).filter(|card| card % 4 < self.suits);
        suited.flat_map(|card| std::iter::repeat_n(card, self.packs.into())).collect()
    }

    fn program(self) -> Source {
        let deck = self.deck();
        let (cards, sequences) = (deck.len() as u16, self.suits * self.packs);
        let mut game = blank(deck);
        let stock = group(&mut game, "stock", 1, cards, None)[0];
        let hand = group(&mut game, "hand", 1, cards, None)[0];
        let heaps = group(&mut game, "heaps", self.number, cards, None);
        let reserve = group(&mut game, "reserve", self.reserve.min(1), cards, None);
        let up = up_in_suit(self.ranks);
        let from = |rank: u8| (0..self.ranks).map(move |at| rank_mask((rank + at) % self.ranks));
        let orders: Vec<(BuildOrder, u8)> = match self.goal {
            0 => vec![(up, sequences)],
            1 => vec![(BuildOrder { relation: None, ..up }, sequences)],
            2 => (0..sequences)
                .map(|at| BuildOrder { wants: from(at).collect(), relation: None, ..up.clone() })
                .map(|order| (order, 1))
                .collect(),
            _ => {
                let wants = up.wants.iter().rev().copied().collect();
                let down = BuildOrder { wants, ..up.clone() };
                vec![(up, sequences / 2), (down, sequences / 2)]
            }
        };
        let mut foundations = Vec::new();
        for (number, (order, count)) in (0..).zip(orders) {
            game.build_orders.push(order);
            let piles = group(&mut game, "foundations", count, self.ranks.into(), Some(number));
            game.aim.push(Condition::Complete { piles: mask(&piles) });
            foundations.push(piles);
        }
        game.relations.push(relation(|_, _| true));
        game.relations.push(relation(|under, card| under / 4 != card / 4));
        game.relations.push(relation(down));
        if self.reserve > 0 {
            game.layout.push(deal(stock, &reserve, self.reserve.into(), Face::Up));
        }
        let sources = [heaps.clone(), reserve, vec![hand]].concat();
        let targets = if self.apart { foundations.clone() } else { vec![foundations.concat()] };
        for to in targets {
            let play = MoveAction { build_order: true, ..moving(&sources, &to) };
            let rule = free("play", Action::Move(play));
            let both = Condition::Vacant { piles: mask(&[stock, hand]), number: 2 };
            let one = Condition::Vacant { piles: mask(&[stock]), number: 1 };
            game.rules.push(match self.at_last {
                0 => rule,
                1 => when(both, rule),
                _ => when(one, rule),
            });
        }
        let relation = Some(1 + self.building);
        let limited = |action| MoveAction { build: relation, to_holds: [0, self.most], ..action };
        game.rules.push(free("lay", Action::Move(limited(moving(&[hand], &heaps)))));
        if self.twice {
            game.rules.push(free("lay again", Action::Move(limited(moving(&[hand], &heaps)))));
            let play = moving(&[hand], &foundations.concat());
            let play = MoveAction { build_order: true, ..play };
            game.rules.push(free("play again", Action::Move(play)));
        }
        if self.between {
            game.rules.push(free("move", Action::Move(limited(moving(&heaps, &heaps)))));
        }
        if self.returns {
            let back = limited(moving(&foundations.concat(), &heaps));
            game.rules.push(free("return", Action::Move(back)));
        }
        let turn = MoveAction {
            cards: Unit::Count { number: 1 },
            face: Face::Up,
            to_holds: [0, 0],
            ..moving(&[stock], &[hand])
        };
        game.rules.push(free("turn", Action::Move(turn)));
        game
    }

    fn fits(self) -> bool {
        self.deck().len() <= 14
    }
}

/// What a test of a family has come across.
#[derive(Default)]
struct Tally {
    winnable: u32,
    unwinnable: u32,
    /// Games of which the search with all turns knew nothing.
    open: u32,
    /// Games that took other nodes than in the general space.
    others: u32,
}

impl Tally {
    /// Compares the searches of a game with plain search.
    fn add(&mut self, source: Source, seed: u64, family: &str) {
        let program = compile(source);
        let (state, _) = program.deal(&program.deck(seed)).unwrap();
        let Some(known) = Known::by_plain_search(&program, &state, family.to_owned()) else {
            return;
        };
        *(if known.is_winnable { &mut self.winnable } else { &mut self.unwinnable }) += 1;
        let rounds = std::iter::once(Vec::new()).chain(TURNS.map(|turn| vec![turn]));
        for (index, turns) in rounds.enumerate() {
            let options = Options { turns, ..Options::nodes(60_000) };
            match solve(&program, &state, &options, &mut |_| true).verdict {
                Verdict::Winnable(line) => {
                    assert!(known.is_winnable && wins(&program, &state, &line), "{family}");
                }
                Verdict::Unwinnable => assert!(!known.is_winnable, "{family}"),
                Verdict::Unknown => self.open += u32::from(index == 0),
            }
        }
        let nodes = |without| {
            let options = Options { turns: vec![DEPTH], without, ..Options::nodes(60_000) };
            solve(&program, &state, &options, &mut |_| true).nodes
        };
        let without: Prunings = [Pruning::Columns].into_iter().collect();
        self.others += u32::from(nodes(Prunings::NONE) != nodes(without));
    }

    /// Checks that there were enough games of each kind, of which so many at least took other nodes
    /// than in the general space, since the columns space lists the steps in another order.
    fn check(&self, others: u32) {
        let Self { winnable, unwinnable, open, .. } = self;
        assert!(*winnable > 100, "{winnable}");
        assert!(*unwinnable > 100, "{unwinnable}");
        assert!(*open < (winnable + unwinnable) / 20, "{open}");
        assert!(self.others > others, "the columns space was not used: {}", self.others);
    }
}

#[test]
fn verdicts_are_those_of_plain_search() {
    let mut tally = Tally::default();
    for seed in 0..cases(1500, 3000, 60_000) {
        let family = Spiders::random(seed);
        if family.fits() {
            tally.add(family.program(), seed, &format!("{family:?}"));
        }
    }
    tally.check(100);
}

#[test]
fn verdicts_with_a_hand_are_those_of_plain_search() {
    let mut tally = Tally::default();
    for seed in 0..cases(1500, 3000, 60_000) {
        let family = Heaps::random(seed);
        if family.fits() {
            tally.add(family.program(), seed, &format!("{family:?}"));
        }
    }
    tally.check(30);
}
