//! Small games, written by hand. Together they use every kind of rule.
#![allow(unreachable_pub, reason = "a program of tests has no other crates")]
#![allow(clippy::too_many_lines, reason = "a game is written down in one piece")]

pub mod choices;
pub mod games;
pub mod kin;
pub mod known;
pub mod table;

use cadogan_kernel::program::{
    Action, Asks, BuildOrder, CardMask, Choose, Condition, DealTerms, DealtTo, During, Effect,
    FORMAT, Face, MoveAction, Pile, PileMask, Rule, Source, Step, SwapAction, Unit,
};
use cadogan_kernel::{Journal, Move, Program, State};

/// How many cases a long test tries: each day, with `CADOGAN_ALL=1`, with `CADOGAN_THOROUGH`.
pub fn cases(daily: u64, all: u64, thorough: u64) -> u64 {
    match std::env::var_os("CADOGAN_THOROUGH") {
        Some(_) => thorough,
        None if std::env::var_os("CADOGAN_ALL").is_some_and(|value| value == "1") => all,
        None => daily,
    }
}

pub const ALL: CardMask = CardMask((1 << 52) - 1);
pub const NO_CARD: CardMask = CardMask(0);
pub const MANY: u16 = 999;

/// The card of a text such as `TH`, or `JO` for a joker.
pub fn card(text: &str) -> u8 {
    if text == "JO" {
        return 52;
    }
    let (rank, suit) = text.split_at(1);
    let rank = "A23456789TJQK".find(rank).expect("a rank");
    let suit = "CDHS".find(suit).expect("a suit");
    (rank * 4 + suit) as u8
}

/// The cards of a text such as `AS 2S`, the first one first.
pub fn cards(text: &str) -> Vec<u8> {
    text.split_whitespace().map(card).collect()
}

pub fn rank_mask(rank: u8) -> CardMask {
    CardMask(0b1111 << (rank * 4))
}

pub fn class(wanted: impl Fn(u8) -> bool) -> CardMask {
    CardMask((0..52).filter(|&card| wanted(card)).fold(0, |mask, card| mask | 1 << card))
}

pub fn is_red(card: u8) -> bool {
    matches!(card % 4, 1 | 2)
}

/// A relation of (under, card).
pub fn relation(may_lie: impl Fn(u8, u8) -> bool) -> Vec<CardMask> {
    (0..52).map(|under| class(|card| may_lie(under, card))).collect()
}

pub fn same_suit(under: u8, card: u8) -> bool {
    under % 4 == card % 4
}

pub fn down(under: u8, card: u8) -> bool {
    under / 4 == card / 4 + 1
}

pub fn mask(piles: &[u8]) -> PileMask {
    PileMask(piles.iter().fold(0, |mask, pile| mask | 1 << pile))
}

/// An exchange of the top cards of two of these piles.
pub fn exchanging(exchange: PileMask, belong: bool) -> Action {
    Action::Swap(SwapAction { exchange, belong, sides: Vec::new() })
}

/// A pack of the lowest ranks.
pub fn pack(ranks: u8) -> Vec<u8> {
    (0..ranks * 4).collect()
}

/// Up in suit from the ace; its relation is the program's first, `same_suit`.
pub fn up_in_suit(ranks: u8) -> BuildOrder {
    BuildOrder {
        wants: (0..ranks).map(rank_mask).collect(),
        relation: Some(0),
        base: None,
        one_suit_each: false,
        ways: Vec::new(),
        one_way: false,
        own_base: false,
        by_first: false,
        waits: false,
    }
}

/// A program without piles and rules, with "same suit" as relation 0.
pub fn blank(deck: Vec<u8>) -> Source {
    Source {
        format: FORMAT,
        deck,
        preset: Vec::new(),
        source_pile: 0,
        piles: Vec::new(),
        relations: vec![relation(same_suit)],
        build_orders: Vec::new(),
        counters: Vec::new(),
        layout: Vec::new(),
        deal_again: Vec::new(),
        rules: Vec::new(),
        aim: Vec::new(),
        score: None,
    }
}

/// Adds piles that may be interchanged, and returns their numbers.
pub fn group(
    program: &mut Source,
    name: &str,
    number: u8,
    capacity: u16,
    build_order: Option<u8>,
) -> Vec<u8> {
    let first = program.piles.len() as u8;
    for pile in first..first + number {
        let name = format!("{name}.{}", pile - first + 1);
        program.piles.push(Pile {
            name,
            class: first,
            capacity,
            build_order,
            open_when: Vec::new(),
        });
    }
    (first..first + number).collect()
}

/// Adds piles that may not be interchanged.
pub fn places(program: &mut Source, name: &str, number: u8, capacity: u16) -> Vec<u8> {
    (0..number).flat_map(|_| group(program, name, 1, capacity, None)).collect()
}

/// Makes piles of a row cover each other: not at all (0); each but the last lies under its right
/// neighbour (1); each may be used while one of its neighbours is vacant (2).
pub fn cover(game: &mut Source, row: &[u8], how: u8) {
    if how == 0 {
        return;
    }
    for (index, &pile) in row.iter().enumerate() {
        let beside = |other: Option<&u8>| other.map(|&other| PileMask(1 << other));
        let (left, right) = (index.checked_sub(1).and_then(|at| row.get(at)), row.get(index + 1));
        let pile = &mut game.piles[usize::from(pile)];
        pile.class = row[index];
        pile.open_when = match how {
            1 => beside(right).into_iter().collect(),
            _ if left.is_some() && right.is_some() => {
                beside(left).into_iter().chain(beside(right)).collect()
            }
            _ => Vec::new(),
        };
    }
}

/// A move of single cards without any condition.
pub fn moving(from: &[u8], to: &[u8]) -> MoveAction {
    MoveAction {
        from: from.to_vec(),
        yields_to: vec![PileMask(0); from.len()],
        to: to.to_vec(),
        along: vec![mask(to); from.len()],
        from_holds: [1, MANY],
        to_holds: [0, MANY],
        cards: Unit::Top,
        which: ALL,
        build: None,
        space: ALL,
        beside: None,
        build_order: false,
        first_vacant: false,
        prefer: None,
        beaten_by: None,
        laid_one_by_one: false,
        by_top: false,
        face: Face::Keep,
        choose: Choose::None,
        asks: Asks::default(),
    }
}

pub fn free(name: &str, action: Action) -> Rule {
    Rule {
        name: name.to_owned(),
        forced: false,
        during: During::Play,
        when: Vec::new(),
        action,
        effects: Vec::new(),
    }
}

pub fn forced(name: &str, action: Action) -> Rule {
    Rule { forced: true, during: During::Always, ..free(name, action) }
}

pub fn when(condition: Condition, rule: Rule) -> Rule {
    let mut rule = rule;
    rule.when.push(condition);
    rule
}

pub fn then(effect: Effect, rule: Rule) -> Rule {
    let mut rule = rule;
    rule.effects.push(effect);
    rule
}

pub fn deal(from: u8, to: &[u8], each: u16, face: Face) -> Step {
    let (then, only, apart) = (Vec::new(), DealtTo::Any, None);
    Step::Deal {
        from,
        then,
        to: to.to_vec(),
        each,
        face,
        only,
        apart,
        leave: vec![],
        terms: DealTerms::default(),
    }
}

pub fn script(steps: Vec<Step>) -> Action {
    Action::Script { steps }
}

pub fn compile(program: Source) -> Program {
    Program::new(program).unwrap_or_else(|error| panic!("{error}"))
}

/// The position of a game after dealing a number and playing some moves, each chosen by a number.
pub fn walk(program: &Program, number: u64, picks: &[u16]) -> State {
    let (mut state, _) = program.deal(&program.deck(number)).expect("the deck is the pack");
    let mut journal = Journal::new();
    for &pick in picks {
        let moves = state.moves(program);
        if moves.is_empty() {
            break;
        }
        let picked = moves[usize::from(pick) % moves.len()];
        state.play(program, picked, &mut journal).expect("listed moves can be played");
    }
    state
}

/// Whether a line is legal and reaches the aim.
pub fn wins(program: &Program, state: &State, line: &[Move]) -> bool {
    let mut state = state.clone();
    let mut journal = Journal::new();
    line.iter().all(|&each| state.play(program, each, &mut journal).is_ok())
        && state.is_won(program)
}
