//! Compares the columns space with plain search of the general space.

use crate::support::known::{DEPTH, Known};
use crate::support::{
    blank, cases, compile, deal, down, forced, free, group, mask, moving, places, rank_mask,
    relation, same_suit, up_in_suit, when, wins,
};
use cadogan_kernel::program::{
    Action, BuildOrder, Condition, DealtTo, Face, MoveAction, PileMask, Source, Step, Unit,
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
    /// up in suit or in any suit.
    goal: u8,
    /// Whether cards may come back from foundations.
    returns: bool,
    cells: u8,
    /// Whether single cards may also be built by a second rule.
    twice: bool,
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
            goal: below(4),
            returns: below(3) == 0,
            cells: below(3) / 2 * (1 + below(2)),
            twice: below(3) == 0,
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
        if self.goal > 1 {
            let order = up_in_suit(self.ranks);
            let relation = order.relation.filter(|_| self.goal == 2);
            game.build_orders.push(BuildOrder { relation, ..order });
        }
        let order = (self.goal > 1).then_some(0);
        let foundations = group(&mut game, "foundations", sequences, self.ranks.into(), order);
        let is_next = move |under: u8, card: u8| {
            down(under, card)
                || self.round_the_corner && under / 4 == 0 && card / 4 == self.ranks - 1
        };
        game.relations.push(relation(|under, card| down(under, card) && same_suit(under, card)));
        game.relations.push(relation(|under, card| {
            is_next(under, card) && (!self.in_suit || same_suit(under, card))
        }));
        game.relations.push(relation(is_next));
        self.lay_out(&mut game, stock, &columns);
        let run = |relation| Unit::Run { relation, least: 1, most: cards };
        let cards_moved = [Unit::Top, run(1), run(3), Unit::Packet][usize::from(self.unit)].clone();
        let king = rank_mask(self.ranks - 1);
        let mut build =
            MoveAction { cards: cards_moved, build: Some(2), ..moving(&columns, &columns) };
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
            let sources = [columns.clone(), cells].concat();
            let play = MoveAction { build_order: true, ..moving(&sources, &foundations) };
            game.rules.push(free("play", Action::Move(play)));
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
        game
    }

    /// Deals the layout, and adds the rule for the rows of the stock.
    fn lay_out(self, game: &mut Source, stock: u8, columns: &[u8]) {
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
        let mut row = deal(stock, columns, 1, Face::Up);
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

#[test]
fn verdicts_are_those_of_plain_search() {
    let (mut winnable, mut unwinnable, mut others, mut open) = (0, 0, 0, 0);
    for seed in 0..cases(1500, 3000, 60_000) {
        let family = Spiders::random(seed);
        if !family.fits() {
            continue;
        }
        let program = compile(family.program());
        let (state, _) = program.deal(&program.deck(seed)).unwrap();
        let Some(known) = Known::by_plain_search(&program, &state, format!("{family:?}")) else {
            continue;
        };
        *(if known.is_winnable { &mut winnable } else { &mut unwinnable }) += 1;
        let rounds = std::iter::once(Vec::new()).chain(TURNS.map(|turn| vec![turn]));
        for (index, turns) in rounds.enumerate() {
            let options = Options { turns, ..Options::nodes(60_000) };
            match solve(&program, &state, &options, &mut |_| true).verdict {
                Verdict::Winnable(line) => {
                    assert!(known.is_winnable && wins(&program, &state, &line), "{family:?}");
                }
                Verdict::Unwinnable => assert!(!known.is_winnable, "{family:?}"),
                Verdict::Unknown => open += u32::from(index == 0),
            }
        }
        let nodes = |without| {
            let options = Options { turns: vec![DEPTH], without, ..Options::nodes(60_000) };
            solve(&program, &state, &options, &mut |_| true).nodes
        };
        let without: Prunings = [Pruning::Columns].into_iter().collect();
        others += u32::from(nodes(Prunings::NONE) != nodes(without));
    }
    assert!(winnable > 100, "{winnable}");
    assert!(unwinnable > 100, "{unwinnable}");
    assert!(open < (winnable + unwinnable) / 20, "{open}");
    // It lists the steps in another order.
    assert!(others > 100, "the columns space was not used: {others}");
}
