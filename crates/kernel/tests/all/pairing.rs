//! Compares the pairing space with plain search of the general space.

use crate::support::known::{DEPTH, Known};
use crate::support::{
    blank, cases, class, compile, cover, deal, forced, free, group, mask, moving, pack, relation,
    then, when,
};
use cadogan_kernel::program::{
    Action, Compare, Condition, Counter, Effect, End, Face, MoveAction, PairAction, PileMask,
    Quantity, Rule, Source, Step, Unit,
};
use cadogan_kernel::{Options, Pruning, Prunings, SplitMix64, solve};

/// What makes a game of the family.
#[derive(Clone, Copy, Debug)]
struct Pairs {
    ranks: u8,
    /// The piles, and the cards of each.
    columns: u8,
    height: u16,
    /// The cards of each pile that are dealt face down.
    hidden: u16,
    /// Whether each pile but the last lies under its right neighbour, or may be used while one of
    /// its neighbours is vacant; or neither.
    cover: u8,
    /// Cards leave together that add up to the highest rank, or are of one rank, or of neighbouring
    /// ranks.
    together: u8,
    /// Whether the highest cards leave alone.
    alone: bool,
    /// The cards dealt from the stock at a time; none if it is not dealt.
    each: u8,
    /// Beside the waste lies nothing, a tray, or a tail.
    beside: u8,
    /// Whether the top two cards of the waste may leave.
    deep: bool,
    /// The number of redeals; 3 for no limit.
    redeals: u8,
    /// How many columns must be vacant, and whether stock and waste must.
    wanted: u8,
    wants_stock: bool,
}

impl Pairs {
    fn random(seed: u64) -> Self {
        let mut generator = SplitMix64::new(seed);
        let mut below = |bound: u64| generator.below(bound) as u8;
        let columns = 2 + below(5);
        let height = 1 + u16::from(below(3));
        let beside = below(3);
        Self {
            ranks: 3 + below(3),
            columns,
            height,
            hidden: u16::from(below(2)) * u16::from(below(u64::from(height as u8))),
            cover: below(3),
            together: below(3),
            alone: below(3) > 0,
            each: if beside == 1 { 1 } else { below(4) },
            beside,
            deep: beside != 1 && below(3) == 0,
            redeals: if beside == 2 { 0 } else { below(4) },
            wanted: if below(3) == 0 { 1 + below(u64::from(columns)) } else { columns },
            wants_stock: below(3) > 0,
        }
    }

    fn program(self) -> Source {
        let mut game = blank(pack(self.ranks));
        let cards = u16::from(self.ranks) * 4;
        let stock = group(&mut game, "stock", 1, cards, None)[0];
        let columns = group(&mut game, "columns", self.columns, self.height, None);
        let [waste, tray, tail, sink] =
            ["waste", "tray", "tail", "sink"].map(|name| group(&mut game, name, 1, cards, None)[0]);
        let top = self.ranks - 1;
        game.relations.push(relation(|under, card| {
            let (under, card) = (under / 4, card / 4);
            match self.together {
                0 => under + card + 1 == top,
                1 => under == card,
                _ => under == card + 1,
            }
        }));
        for round in 0..self.height {
            let face = if round < self.hidden { Face::Down } else { Face::Up };
            game.layout.push(deal(stock, &columns, 1, face));
        }
        let mut from = columns.clone();
        if self.each > 0 {
            from.extend([waste, tray, tail].iter().enumerate().filter_map(|(place, &pile)| {
                (place == 0 || place == usize::from(self.beside)).then_some(pile)
            }));
        }
        let others = |&pile: &u8| PileMask(mask(&from).0 & !(1 << pile));
        let pairs = PairAction {
            from: from.clone(),
            partners: from.iter().map(others).collect(),
            yields_to: vec![PileMask(0); from.len()],
            pair: Some((game.relations.len() - 1) as u8),
            to: sink,
            sets: Vec::new(),
            deep: PileMask(if self.deep && self.each > 0 { 1 << waste } else { 0 }),
        };
        game.rules = vec![free("pair", Action::Pair(pairs))];
        if self.alone {
            let which = class(|card| card / 4 == top);
            let action = MoveAction { which, ..moving(&from, &[sink]) };
            game.rules.push(free("alone", Action::Move(action)));
        }
        let turn_up = mask(&columns);
        game.rules.push(Rule { forced: true, ..free("turn up", Action::TurnUp { turn_up }) });
        if self.each > 0 {
            self.add_stock(&mut game, [stock, waste, tray, tail]);
        }
        cover(&mut game, &columns, self.cover);
        let vacant =
            |piles: &[u8]| Condition::Vacant { piles: mask(piles), number: piles.len() as u16 };
        game.aim = vec![vacant(&columns[..usize::from(self.wanted)])];
        if self.wants_stock && self.each > 0 {
            game.aim.push(match self.beside {
                0 => vacant(&[stock, waste]),
                1 => vacant(&[stock, waste, tray]),
                _ => vacant(&[stock, waste, tail]),
            });
        }
        game
    }

    fn add_stock(self, game: &mut Source, [stock, waste, tray, tail]: [u8; 4]) {
        let from = if self.beside == 1 { tray } else { stock };
        let steps = vec![deal(from, &[waste], u16::from(self.each), Face::Up)];
        let dealing = free("deal", Action::Script { steps });
        let filled = Condition::Filled { piles: mask(&[stock]), number: 1 };
        game.rules.push(if self.beside == 1 { dealing } else { when(filled, dealing) });
        match self.beside {
            1 => {
                let action = MoveAction {
                    to_holds: [0, 0],
                    cards: Unit::Count { number: 1 },
                    face: Face::Up,
                    ..moving(&[stock], &[tray])
                };
                game.rules.push(forced("the tray is refilled", Action::Move(action)));
            }
            2 => {
                let steps = vec![Step::Take {
                    from: waste,
                    number: Quantity::Fixed { number: 1 },
                    end: End::Bottom,
                    to: tail,
                    at: End::Top,
                    turned: false,
                    face: Face::Keep,
                }];
                let vacant = Condition::Vacant { piles: mask(&[tail]), number: 1 };
                game.rules
                    .push(when(vacant, forced("the tail is filled", Action::Script { steps })));
            }
            _ => {}
        }
        if self.redeals > 0 {
            let steps = vec![Step::Take {
                from: waste,
                number: Quantity::All,
                end: End::Top,
                to: stock,
                at: End::Top,
                turned: true,
                face: Face::Down,
            }];
            let undealt = if self.beside == 1 { mask(&[stock, tray]) } else { mask(&[stock]) };
            let number = undealt.0.count_ones() as u16;
            let mut rule = when(
                Condition::Vacant { piles: undealt, number },
                free("redeal", Action::Script { steps }),
            );
            rule = when(Condition::Filled { piles: mask(&[waste]), number: 1 }, rule);
            if self.redeals < 3 {
                game.counters = vec![Counter { name: "redeals".to_owned(), start: 0, cap: 2 }];
                let number = u16::from(self.redeals);
                let limit = Condition::Counter { counter: 0, compare: Compare::Below, number };
                rule = then(Effect::Add { counter: 0, value: 1 }, when(limit, rule));
            }
            game.rules.push(rule);
        }
    }

    fn fits(self) -> bool {
        u16::from(self.columns) * self.height < u16::from(self.ranks) * 4
    }
}

#[test]
fn verdicts_are_those_of_plain_search() {
    let (mut winnable, mut unwinnable, mut smaller) = (0, 0, 0);
    for seed in 0..cases(400, 1500, 30_000) {
        let pairs = Pairs::random(seed);
        if !pairs.fits() {
            continue;
        }
        let program = compile(pairs.program());
        let (mut state, _) = program.deal(&program.deck(seed)).unwrap();
        // Some games are searched from a later position.
        if seed % 3 == 0 {
            state = crate::support::walk(
                &program,
                seed,
                &[seed as u16 / 3, 1, 0, 2][..seed as usize % 4],
            );
        }
        let Some(known) = Known::by_plain_search(&program, &state, format!("{seed} {pairs:?}"))
        else {
            continue;
        };
        *(if known.is_winnable { &mut winnable } else { &mut unwinnable }) += 1;
        known.check(&Options::nodes(60_000), "the search");
        let without = |prunings: &[Pruning]| prunings.iter().copied().collect();
        let tests = [Pruning::Partners, Pruning::DeleteRelaxation];
        let options = |without| Options { turns: vec![DEPTH], without, ..Options::nodes(200_000) };
        let with = known.check(&options(Prunings::NONE), "depth-first search");
        known.check(&options(without(&tests[..1])), "search without partners");
        known.check(&options(without(&tests[1..])), "search without delete relaxation");
        known.check(&options(without(&tests)), "search without tests");
        // The general space may need more nodes than there are.
        let general = options(without(&[Pruning::Pairing]));
        let general = solve(&program, &state, &general, &mut |_| true);
        smaller += u32::from(with < general.nodes);
    }
    println!("{winnable} won, {unwinnable} lost, {smaller} smaller");
    assert!(winnable > 100, "{winnable}");
    assert!(unwinnable > 100, "{unwinnable}");
    assert!(smaller > 100, "the pairing space was not used: {smaller}");
}
