//! Small tables made for single rules.

use super::{blank, cards, compile, deal, down, group, is_red, mask, places, relation};
use cadogan_kernel::program::{Condition, Face, Source};
use cadogan_kernel::{Journal, Move, Program, State};

/// A table with these rules and with piles of these cards, of which the first one is the pack. The
/// aim is never reached.
pub fn table(piles: &[&str], rules: impl FnOnce(&mut Source)) -> (Program, State) {
    let dealt: Vec<u8> = piles.iter().flat_map(|pile| cards(pile)).collect();
    let mut deck = dealt.clone();
    deck.sort_unstable();
    let most = dealt.len().max(1) as u16;
    let mut program = blank(deck);
    group(&mut program, "pack", 1, most, None);
    for pile in piles {
        let number = places(&mut program, "pile", 1, most)[0];
        let held = cards(pile).len() as u16;
        if held > 0 {
            program.layout.push(deal(0, &[number], held, Face::Up));
        }
    }
    let never = group(&mut program, "never", 1, 1, None)[0];
    program.aim = vec![Condition::Filled { piles: mask(&[never]), number: 1 }];
    program.relations.push(relation(down));
    program
        .relations
        .push(relation(|under, card| down(under, card) && is_red(under) != is_red(card)));
    rules(&mut program);
    let program = compile(program);
    let (state, _) = program.deal(&dealt).expect("the deck is the pack");
    (program, state)
}

/// The position after a move, and the moves that it forced.
pub fn played(program: &Program, state: &State, code: Move) -> (State, Vec<Move>) {
    let mut state = state.clone();
    let mut journal = Journal::new();
    state.play(program, code, &mut journal).expect("the move is legal");
    (state, journal.forced().to_vec())
}
