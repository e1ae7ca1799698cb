//! A family of games: gardens, cells, fans, packets and their like, with few cards.

use super::{
    NO_CARD, blank, deal, down, free, group, is_red, mask, moving, pack, rank_mask, relation,
    same_suit, up_in_suit,
};
use cadogan_kernel::SplitMix64;
use cadogan_kernel::program::{
    Action, Compare, Condition, Counter, Effect, End, Face, MoveAction, Quantity, Rule, Source,
    Step, Unit,
};

/// What makes a game of the family.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a property of its own")]
pub struct Kin {
    pub packs: u8,
    pub ranks: u8,
    pub columns: u8,
    pub cells: u8,
    /// Cards of the reserve, one per pile.
    pub reserve: u8,
    /// Any suit, alternate colours, in suit.
    pub build: u8,
    /// Single cards, runs, packets.
    pub unit: u8,
    /// What an empty column takes: anything, the highest rank, nothing.
    pub space: u8,
    /// Whether cards come back from foundations.
    pub returns: bool,
    /// Whether foundations require suits.
    pub suits: bool,
    /// Rounds of cards that are dealt face down to the columns.
    pub hidden: u8,
    /// The number of cards turned at a time from a stock of all other cards; none if there is no
    /// stock.
    pub stock: u8,
    /// Whether the stock is turned again.
    pub again: bool,
    /// How often, if there is a limit.
    pub redeals: u8,
    /// Cards of a pile that fills empty columns at once.
    pub filling: u8,
    /// Whether the rule that fills empty columns is one of its own, with a condition that always
    /// holds.
    pub apart: bool,
}

impl Kin {
    /// A random game of one pack.
    pub fn random(seed: u64) -> Self {
        let mut generator = SplitMix64::new(seed);
        let mut below = |bound: u64| generator.below(bound) as u8;
        let ranks = 3 + below(3);
        Self {
            packs: 1,
            ranks,
            columns: 2 + below(3),
            cells: if below(2) == 0 { 0 } else { below(3) },
            reserve: if below(2) == 0 { 0 } else { below(u64::from(ranks) * 2) },
            build: below(3),
            unit: below(3),
            space: below(3),
            returns: below(3) == 0,
            suits: below(6) > 0,
            hidden: if below(3) == 0 { 1 + below(3) } else { 0 },
            stock: if below(3) == 0 { 1 + below(3) } else { 0 },
            again: below(3) > 0,
            filling: if below(3) == 0 { 1 + below(u64::from(ranks) * 2) } else { 0 },
            apart: below(3) == 0,
            redeals: if below(3) == 0 { 1 + below(2) } else { 0 },
        }
    }

    /// A random game of two packs of few cards.
    pub fn of_two_packs(seed: u64) -> Self {
        let kin = Self::random(seed);
        Self { packs: 2, ranks: 2 + (seed % 3 / 2) as u8, cells: kin.cells.max(1), ..kin }
    }

    /// The game.
    pub fn program(self) -> Source {
        let mut deck = pack(self.ranks).repeat(self.packs.into());
        deck.sort_unstable();
        let mut game = blank(deck);
        let cards = game.deck.len() as u16;
        group(&mut game, "pack", 1, cards, None);
        let ranks = u16::from(self.ranks);
        let foundations = group(&mut game, "foundations", 4 * self.packs, ranks, Some(0));
        let columns = group(&mut game, "columns", self.columns, cards, None);
        let cells = group(&mut game, "cells", self.cells, 1, None);
        let reserve = group(&mut game, "reserve", self.reserve, 1, None);
        game.relations.push(relation(|under, card| {
            down(under, card)
                && match self.build {
                    0 => true,
                    1 => is_red(under) != is_red(card),
                    _ => same_suit(under, card),
                }
        }));
        game.build_orders.push(up_in_suit(self.ranks));
        if !self.suits {
            game.build_orders[0].relation = None;
        }
        let filling = group(&mut game, "filling", u8::from(self.filling > 0), cards, None);
        if !filling.is_empty() {
            game.layout.push(deal(0, &filling, u16::from(self.filling), Face::Up));
        }
        if !reserve.is_empty() {
            game.layout.push(deal(0, &reserve, 1, Face::Up));
        }
        let waste = group(&mut game, "waste", u8::from(self.stock > 0), cards, None);
        let rounds = if self.stock > 0 { u16::from(self.ranks) - 1 } else { cards };
        for round in 0..rounds {
            let face = if round < u16::from(self.hidden) { Face::Down } else { Face::Up };
            game.layout.push(deal(0, &columns, 1, face));
        }
        let sources =
            [columns.clone(), cells.clone(), reserve, waste.clone(), filling.clone()].concat();
        let vacant = match self.space {
            0 => super::ALL,
            1 => rank_mask(self.ranks - 1),
            _ => NO_CARD,
        };
        let unit = match self.unit {
            0 => Unit::Top,
            1 => Unit::Run { relation: 1, least: 1, most: 416 },
            _ => Unit::Packet,
        };
        let space = if self.apart { NO_CARD } else { vacant };
        let build = |from: &[u8]| MoveAction { build: Some(1), space, ..moving(from, &columns) };
        let go_up = MoveAction { build_order: true, ..moving(&sources, &foundations) };
        game.rules = vec![
            free("play", Action::Move(go_up)),
            free("build", Action::Move(MoveAction { cards: unit.clone(), ..build(&columns) })),
        ];
        let hands = &sources[columns.len()..];
        if !hands.is_empty() {
            game.rules.push(free("lay out", Action::Move(build(hands))));
        }
        if self.apart {
            game.counters.push(Counter { name: "never changed".to_owned(), start: 1, cap: 1 });
            let mut fill = |name: &str, when, from: &[u8], cards| {
                let space =
                    MoveAction { to_holds: [0, 0], space: vacant, cards, ..moving(from, &columns) };
                game.rules.push(Rule { when, ..free(name, Action::Move(space)) });
            };
            let holds =
                |number| vec![Condition::Counter { counter: 0, compare: Compare::Equal, number }];
            fill("fill", holds(1), &columns, unit);
            fill("never fill", holds(0), &columns, Unit::Packet);
            if !hands.is_empty() {
                fill("fill from elsewhere", holds(1), hands, Unit::Top);
            }
        }
        if !filling.is_empty() {
            let refill = MoveAction {
                to_holds: [0, 0],
                cards: Unit::Count { number: 1 },
                face: Face::Up,
                ..moving(&filling, &columns)
            };
            game.rules.push(Rule { forced: true, ..free("refill", Action::Move(refill)) });
        }
        if !cells.is_empty() {
            let keep = MoveAction { to_holds: [0, 0], ..moving(&columns, &cells) };
            game.rules.push(free("keep", Action::Move(keep)));
        }
        if self.hidden > 0 {
            let piles = mask(&columns);
            game.rules
                .push(Rule { forced: true, ..free("turn up", Action::TurnUp { turn_up: piles }) });
        }
        if self.stock > 0 {
            let stock = mask(&[0]);
            let steps = vec![deal(0, &waste, u16::from(self.stock), Face::Up)];
            let when = vec![Condition::Filled { piles: stock, number: 1 }];
            game.rules.push(Rule { when, ..free("turn", Action::Script { steps }) });
            let steps = vec![Step::Take {
                from: waste[0],
                number: Quantity::All,
                end: End::Top,
                to: 0,
                at: End::Top,
                turned: true,
                face: Face::Down,
            }];
            let mut when = vec![
                Condition::Vacant { piles: stock, number: 1 },
                Condition::Filled { piles: mask(&waste), number: 1 },
            ];
            let mut effects = Vec::new();
            if self.redeals > 0 {
                let (counter, number) = (game.counters.len() as u8, u16::from(self.redeals));
                game.counters.push(Counter { name: "redeals".to_owned(), start: 0, cap: number });
                when.push(Condition::Counter { counter, compare: Compare::Below, number });
                effects.push(Effect::Add { counter, value: 1 });
            }
            if self.again {
                let turn = free("turn over", Action::Script { steps });
                game.rules.push(Rule { when, effects, ..turn });
            }
        }
        if self.returns {
            game.rules.push(free("come back", Action::Move(build(&foundations))));
        }
        game.aim = vec![Condition::Complete { piles: mask(&foundations) }];
        game
    }
}
