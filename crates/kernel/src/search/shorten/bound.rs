//! How many moves it takes at least.
//!
//! *Cards to go.* Where the aim asks for complete foundations, each card that is missing must go
//! there; where it asks for empty piles, each card that lies there must leave. A move of the player
//! does that for no more cards than the largest unit of any rule, if nothing is forced that does it
//! as well; so the cards, divided by that number, are a bound.
//!
//! *Cards in the way.* In a game in which single cards go from pile to pile and nothing else
//! happens, a card that lies on one which must be up before it has to move twice: away, and up. A
//! card must be up before another if there is one copy of each, all have to go up, and the other
//! can only go on it, or on one that must be up after it.
//!
//! Neither number falls by more than one with a move.

use crate::bits::bits;
use crate::card::{CARDS, card};
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::footprint::Footprint;
use crate::program::format::Condition;

/// A bound on the moves of the player that lead to the aim.
pub(crate) struct Bound {
    /// For piles that the aim wants complete: how many cards that is.
    full: Vec<(usize, usize)>,
    /// The piles that the aim wants empty.
    clears: u128,
    /// The most cards that a move brings nearer to the aim; none if there is no limit.
    most: Option<usize>,
    /// By card: the cards that must be up before it; none where cards in the way prove nothing.
    before: Option<Box<[u64; CARDS]>>,
    /// The piles that are not wanted complete.
    elsewhere: u128,
}

impl Bound {
    pub(crate) fn new(program: &Program) -> Self {
        let game = program.source();
        let (mut full, mut clears) = (Vec::new(), 0);
        let mut goals = 0u128;
        for condition in &game.aim {
            match condition {
                Condition::Complete { piles } => {
                    goals |= piles.0;
                    full.extend(bits(piles.0).filter_map(|pile| {
                        let ladder = program.places[pile].ladder.map(usize::from)?;
                        Some((pile, game.ladders[ladder].wants.len()))
                    }));
                }
                Condition::Vacant { piles, number }
                    if u32::from(*number) == piles.0.count_ones() =>
                {
                    clears |= piles.0;
                }
                _ => {}
            }
        }
        let sizes = game.rules.iter().zip(&program.footprints).map(|(rule, footprint)| {
            let touches = footprint.puts() & goals != 0 || footprint.takes & clears != 0;
            match (touches, footprint.most_cards) {
                (false, _) | (_, 0) => 0,
                (true, Footprint::NO_LIMIT) => usize::MAX,
                (true, _) if rule.forced => usize::MAX,
                (true, cards) => usize::from(cards),
            }
        });
        let most = Some(sizes.max().unwrap_or(0)).filter(|&most| most < usize::MAX);
        let elsewhere = program.all_piles & !goals;
        let mut bound = Self { full, clears, most, before: None, elsewhere };
        bound.before = before(program, &bound.full).map(Box::new);
        bound
    }

    /// At least so many moves lead from a position that is not won to the aim.
    pub(crate) fn of(&self, state: &State) -> usize {
        let Some(most) = self.most else { return 1 };
        let missing = self.full.iter().map(|&(pile, size)| size.saturating_sub(state.len(pile)));
        let missing: usize = missing.sum();
        let left: usize = bits(self.clears).map(|pile| state.len(pile)).sum();
        let in_the_way = self.before.as_ref().map_or(0, |before| {
            let piles = bits(self.elsewhere & !state.vacant());
            piles.map(|pile| in_the_way(before, state.pile(pile))).sum()
        });
        let to_go = if most == 0 { 0 } else { missing.max(left).div_ceil(most) };
        (to_go + in_the_way).max(1)
    }
}

fn in_the_way(before: &[u64; CARDS], cards: &[u8]) -> usize {
    let mut below = 0u64;
    let mut count = 0;
    for &byte in cards {
        let here = usize::from(card(byte));
        count += usize::from(before[here] & below != 0);
        below |= 1 << here;
    }
    count
}

/// By card the cards that must be up before it, if cards in the way prove anything.
fn before(program: &Program, full: &[(usize, usize)]) -> Option<[u64; CARDS]> {
    let game = program.source();
    let is_simple =
        game.rules.iter().zip(&program.footprints).all(|(rule, footprint)| {
            !rule.forced && footprint.most_cards == 1 && footprint.has_choice
        });
    let mut copies = [0u8; CARDS];
    for &byte in game.deck.iter().chain(game.preset.iter().map(|preset| &preset.card)) {
        copies[usize::from(card(byte))] += 1;
    }
    let cards: usize = copies.iter().map(|&copies| usize::from(copies)).sum();
    let wanted: usize = full.iter().map(|&(_, size)| size).sum();
    if !is_simple || copies.iter().any(|&copies| copies > 1) || cards != wanted {
        return None;
    }
    // By card: the cards that it can go up on, and whether it can begin a foundation.
    let mut under = [0u64; CARDS];
    let mut begins = 0u64;
    for &(pile, size) in full {
        let ladder = &game.ladders[usize::from(program.places[pile].ladder?)];
        let relation = &program.relations[usize::from(ladder.relation?)];
        if ladder.base.is_some() {
            return None;
        }
        begins |= ladder.wants[0].0;
        for height in 1..size {
            for here in bits(u128::from(ladder.wants[height].0)) {
                under[here] |= relation.under[here] & ladder.wants[height - 1].0;
            }
        }
    }
    let mut before = [0u64; CARDS];
    for (here, before) in before.iter_mut().enumerate() {
        let mut at = here;
        while begins >> at & 1 == 0 && under[at].is_power_of_two() {
            at = under[at].trailing_zeros() as usize;
            if *before >> at & 1 != 0 {
                break;
            }
            *before |= 1 << at;
        }
    }
    Some(before)
}
