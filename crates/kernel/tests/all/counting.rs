//! Compares the counting space with plain search of the general space.

use crate::support::known::{DEPTH, Known};
use crate::support::{
    blank, cases, compile, cover, deal, free, group, mask, moving, pack, relation,
};
use cadogan_kernel::program::{Action, Condition, Face, MoveAction, Rule, Source};
use cadogan_kernel::{Options, Pruning, SplitMix64};

/// What makes a game of the family.
#[derive(Clone, Copy, Debug)]
struct Peaks {
    ranks: u8,
    /// The piles, and the cards of each.
    columns: u8,
    height: u16,
    /// The cards of each pile that are dealt face down.
    hidden: u16,
    /// Whether each pile but the last lies under its right neighbour, or may be used while one of
    /// its neighbours is vacant; or neither.
    cover: u8,
    /// Up or down: by rank, round the corner, by rank and colour, up only.
    build: u8,
    /// The cards dealt from the stock at a time; none if it is not dealt.
    each: u8,
    /// Whether the first card is dealt to the sink.
    begun: bool,
    /// How many columns must be vacant, and whether the stock must.
    wanted: u8,
    wants_stock: bool,
}

impl Peaks {
    fn random(seed: u64) -> Self {
        let mut generator = SplitMix64::new(seed);
        let mut below = |bound: u64| generator.below(bound) as u8;
        let columns = 2 + below(5);
        let height = 1 + u16::from(below(4));
        Self {
            ranks: 3 + below(5),
            columns,
            height,
            hidden: u16::from(below(2)) * u16::from(below(u64::from(height as u8))),
            cover: below(3),
            build: below(4),
            each: below(4),
            begun: below(3) > 0,
            wanted: if below(3) == 0 { 1 + below(u64::from(columns)) } else { columns },
            wants_stock: below(4) == 0,
        }
    }

    /// A game of the same family without a stock, whose cards make a walk round a ring of ranks.
    fn ring(seed: u64) -> Self {
        let peaks = Self::random(seed);
        let ranks = 3 + 2 * (seed % 3) as u8;
        Self { ranks, build: 1, each: 0, wanted: peaks.columns, wants_stock: false, ..peaks }
    }

    fn program(self) -> Source {
        let mut game = blank(pack(self.ranks));
        let cards = u16::from(self.ranks) * 4;
        let stock = group(&mut game, "stock", 1, cards, None)[0];
        let columns = group(&mut game, "columns", self.columns, self.height, None);
        let sink = group(&mut game, "sink", 1, cards, None);
        let top = self.ranks - 1;
        game.relations.push(relation(|under, card| {
            let (under_rank, rank) = (under / 4, card / 4);
            let meets = rank.abs_diff(under_rank) == 1;
            match self.build {
                0 => meets,
                1 => meets || rank.abs_diff(under_rank) == top,
                2 => meets && crate::support::is_red(under) == crate::support::is_red(card),
                _ => rank == under_rank + 1 || rank == 0 && under_rank == top,
            }
        }));
        for round in 0..self.height {
            let face = if round < self.hidden { Face::Down } else { Face::Up };
            game.layout.push(deal(stock, &columns, 1, face));
        }
        if self.begun {
            game.layout.push(deal(stock, &sink, 1, Face::Up));
        }
        let fewest = u16::from(self.begun);
        let build = MoveAction {
            build: Some((game.relations.len() - 1) as u8),
            to_holds: [fewest, 65535],
            ..moving(&columns, &sink)
        };
        game.rules = vec![free("build", Action::Move(build))];
        let turn_up = mask(&columns);
        game.rules.push(Rule { forced: true, ..free("turn up", Action::TurnUp { turn_up }) });
        if self.each > 0 {
            let when = vec![Condition::Filled { piles: mask(&[stock]), number: 1 }];
            let steps = vec![deal(stock, &sink, u16::from(self.each), Face::Up)];
            game.rules.push(Rule { when, ..free("deal", Action::Script { steps }) });
        }
        cover(&mut game, &columns, self.cover);
        let wanted = &columns[..usize::from(self.wanted)];
        game.aim = vec![Condition::Vacant { piles: mask(wanted), number: u16::from(self.wanted) }];
        if self.wants_stock && self.each > 0 {
            game.aim.push(Condition::Vacant { piles: mask(&[stock]), number: 1 });
        }
        game
    }

    fn fits(self) -> bool {
        u16::from(self.columns) * self.height < u16::from(self.ranks) * 4
    }
}

fn games() -> u64 {
    cases(1000, 1500, 30_000)
}

/// Compares the verdicts of games, and returns how many are won, and how many lost.
fn compare(games: impl Iterator<Item = (u64, Peaks)>) -> (u32, u32) {
    let (mut winnable, mut unwinnable, mut smaller) = (0, 0, 0);
    for (seed, peaks) in games.filter(|(_, peaks)| peaks.fits()) {
        let program = compile(peaks.program());
        let (state, _) = program.deal(&program.deck(seed)).unwrap();
        let Some(known) = Known::by_plain_search(&program, &state, format!("{peaks:?}")) else {
            continue;
        };
        *(if known.is_winnable { &mut winnable } else { &mut unwinnable }) += 1;
        let whole = known.check(&Options::nodes(60_000), "the search");
        known
            .check(&Options { turns: vec![DEPTH], ..Options::nodes(60_000) }, "depth-first search");
        for pruning in [Pruning::CardClasses, Pruning::Partners, Pruning::DeleteRelaxation] {
            let without = [pruning].into_iter().collect();
            let options = Options { without, turns: vec![DEPTH], ..Options::nodes(60_000) };
            known.check(&options, &format!("the search without {pruning}"));
        }
        let without = [Pruning::Counting].into_iter().collect();
        let general =
            known.check(&Options { without, ..Options::nodes(200_000) }, "the general space");
        smaller += u32::from(whole < general);
    }
    assert!(smaller > 50, "the counting space was not used: {smaller}");
    (winnable, unwinnable)
}

#[test]
fn verdicts_are_those_of_plain_search() {
    let (winnable, unwinnable) = compare((0..games()).map(|seed| (seed, Peaks::random(seed))));
    assert!(winnable > 100, "{winnable}");
    assert!(unwinnable > 100, "{unwinnable}");
}

#[test]
fn verdicts_of_walks_are_those_of_plain_search() {
    let (winnable, unwinnable) = compare((0..games() / 2).map(|seed| (seed, Peaks::ring(seed))));
    assert!(winnable > 50, "{winnable}");
    assert!(unwinnable > 50, "{unwinnable}");
}
