//! A lower bound on the number of moves to the aim.
//!
//! *Cards to go.* If the aim requires complete foundations, each missing card must go there. If it
//! requires empty piles, each card on them must leave. If no forced rule does the same, a move of
//! the player does this for at most as many cards as the largest unit of any rule. So the number of
//! cards, divided by that size, is a bound.
//!
//! *Cards in the way.* In a game in which single cards move from pile to pile and nothing else
//! happens, a card that lies on one which must be up before it has to move twice: away, and up. A
//! card must be up before another if there is one copy of each, all must go up, and the other one
//! can go only on it, or on a card that must be up after it.
//!
//! Neither number decreases by more than one with each move.

use crate::bits::bits;
use crate::card::{CARDS, card};
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::footprint::Footprint;
use crate::program::format::Condition;

/// A lower bound on the player's moves to the aim.
pub(crate) struct Bound {
    /// For piles that the aim wants complete: the number of their cards then.
    full: Vec<(usize, usize)>,
    /// The piles that the aim wants empty.
    clears: u128,
    /// The most cards for which one move does what the aim requires; none if there is no limit.
    most: Option<usize>,
    /// For each card the cards that must be up before it; none if cards in the way prove nothing.
    before: Option<Box<[u64; CARDS]>>,
    /// The piles that the aim does not want complete.
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
                        let build_order = program.places[pile].build_order.map(usize::from)?;
                        Some((pile, game.build_orders[build_order].wants.len()))
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

    /// A lower bound on the moves from a position that is not won to the aim.
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

/// For each card the cards that must be up before it; none if cards in the way prove nothing.
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
    // For each card: the cards that it can go up on, and whether it can begin a foundation.
    let mut under = [0u64; CARDS];
    let mut begins = 0u64;
    for &(pile, size) in full {
        let build_order = &game.build_orders[usize::from(program.places[pile].build_order?)];
        let relation = &program.relations[usize::from(build_order.relation?)];
        let is_plain = build_order.ways.is_empty() && !build_order.own_base && !build_order.waits;
        if build_order.base.is_some() || !is_plain {
            return None;
        }
        begins |= build_order.wants[0].0;
        for height in 1..size {
            for here in bits(u128::from(build_order.wants[height].0)) {
                under[here] |= relation.under[here] & build_order.wants[height - 1].0;
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
