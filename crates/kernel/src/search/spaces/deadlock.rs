//! Piles whose cards lock each other in.
//!
//! A pile is a *lock* if its cards can go nowhere but up, one by one from the top, and if they must
//! all go up for a win. What a card of it needs, and lies further down in it, can never come before
//! it.
//!
//! *The argument.* Say that a card c *needs* a card p if wherever a foundation takes c it takes it
//! on a p and on nothing else. Cards never leave foundations here, and each c on them lies on a p
//! of its own; so at any time as many p have gone up as c, or more. Look at the original cards of a
//! lock from the top down, as they must go. Let up(c) be a number that the copies of c on
//! foundations cannot be below, and let below(c) be the copies of c that lie in the lock under the
//! present card. When the present card c has gone up, one more copy of it has: up(c) grows by one.
//! Then up(p) is at least up(c) for what c needs, and so on down. But none of the copies that lie
//! below can have gone up. So if up(p) + below(p) is more than all copies of p that there are, no
//! order of moves whatever gets the lock beyond the present card, and the position is lost. (Cards
//! put on a lock in play are counted as its cards in later positions: they must go before what they
//! lie on, by the same rules.)
//!
//! *The preconditions*, looked at by [`Deadlocks::new`]: the aim asks for complete foundations
//! which together hold all cards; no rule takes cards from them; nothing but plays that a ladder
//! must want puts cards on them, and in the position searched from they hold what such plays put
//! there; bases that are known only after the deal do not change any more. A lock is the source of
//! no rule but plays of its top card to foundations, and of no script at all, neither as a source
//! nor as a target.

use crate::bits::bits;
use crate::card::{CARDS, card};
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::{Condition, During};

/// No card.
const NONE: u8 = u8::MAX;

/// The locks of a game, and what tells whether they can be opened.
pub(crate) struct Deadlocks {
    /// By card: the one card that it needs under it on a foundation, or none.
    needs: [u8; CARDS],
    /// By card: how many copies there are.
    copies: [u8; CARDS],
    foundations: u128,
    piles: u128,
}

impl Deadlocks {
    /// The locks of a program, for positions that come after a root; none if it has none.
    pub(crate) fn new(program: &Program, root: &State) -> Option<Self> {
        let game = program.source();
        let foundations = game.aim.iter().fold(0, |piles, condition| match condition {
            Condition::Complete { piles: complete } => piles | complete.0,
            _ => piles,
        });
        let ladders = program.places.iter().enumerate().filter(|(_, place)| place.ladder.is_some());
        let ladders = ladders.fold(0, |piles, (pile, _)| piles | 1 << pile);
        let needed: usize = bits(foundations).map(|pile| program.places[pile].complete).sum();
        let cards = game.deck.len() + game.preset.len();
        if foundations == 0 || foundations != ladders || needed != cards {
            return None;
        }
        let mut locks = program.all_piles & !foundations & !(1 << game.source);
        let bases = game.ladders.iter().filter_map(|ladder| ladder.base);
        let bases = bases.fold(0, |bases, base| bases | 1 << base);
        for (rule, footprint) in game.rules.iter().zip(&program.footprints) {
            if rule.during == During::Layout {
                continue;
            }
            // Where foundations are not the only ladders, give cards back or take what they do not
            // want, or where a base may change:
            let unsound = footprint.takes & foundations
                | (footprint.builds | footprint.deals) & foundations
                | footprint.plays & !foundations;
            if unsound != 0 || footprint.counters_written & bases != 0 {
                return None;
            }
            locks &= !(footprint.takes_freely | footprint.deals);
        }
        // One card locks nothing.
        locks = bits(locks)
            .filter(|&pile| program.places[pile].capacity > 1)
            .fold(0, |locks, pile| locks | 1 << pile);
        if locks == 0 {
            return None;
        }
        let needs = needs(program, root);
        let is_regular = bits(foundations).all(|pile| {
            root.pile(pile).windows(2).all(|pair| {
                let needed = needs[usize::from(card(pair[1]))];
                needed == NONE || needed == card(pair[0])
            })
        });
        let starts = bits(foundations).filter_map(|pile| root.pile(pile).first());
        let starts_well = starts.into_iter().all(|&start| needs[usize::from(card(start))] == NONE);
        let mut copies = [0; CARDS];
        let all = game.deck.iter().copied().chain(game.preset.iter().map(|preset| preset.card));
        for here in all {
            copies[usize::from(here)] += 1;
        }
        (is_regular && starts_well).then_some(Self { needs, copies, foundations, piles: locks })
    }

    /// Whether a lock can never be opened, so that the position is lost.
    pub(crate) fn is_deadlocked(&self, state: &State) -> bool {
        let mut ups = [0u8; CARDS];
        for pile in bits(self.foundations & !state.vacant()) {
            for &byte in state.pile(pile) {
                ups[usize::from(card(byte))] += 1;
            }
        }
        bits(self.piles & !state.vacant()).any(|lock| self.is_stuck(state.pile(lock), ups))
    }

    fn is_stuck(&self, lock: &[u8], mut ups: [u8; CARDS]) -> bool {
        let mut below = [0u8; CARDS];
        for &byte in lock {
            below[usize::from(card(byte))] += 1;
        }
        lock.iter().rev().any(|&byte| {
            let here = usize::from(card(byte));
            below[here] -= 1;
            ups[here] += 1;
            let up = ups[here];
            let mut at = here;
            loop {
                if ups[at] + below[at] > self.copies[at] {
                    return true;
                }
                at = usize::from(self.needs[at]);
                if at == usize::from(NONE) || ups[at] >= up {
                    return false;
                }
                ups[at] = up;
            }
        })
    }
}

/// By card: the one card on which any foundation takes it; none if there are several, or if it may
/// also lie at the bottom.
fn needs(program: &Program, root: &State) -> [u8; CARDS] {
    let mut unders = [0u64; CARDS];
    let mut starts = 0;
    for ladder in &program.ladders {
        let steps = ladder.wants.len();
        let base = ladder.base.map_or(0, |base| usize::from(root.counters()[usize::from(base)]));
        let wants = |height: usize| ladder.wants[(height + base) % steps];
        starts |= wants(0);
        for height in 1..steps {
            for here in bits(u128::from(wants(height))) {
                unders[here] |= wants(height - 1)
                    & ladder.relation.map_or(u64::MAX, |relation| {
                        program.relations[usize::from(relation)].under[here]
                    });
            }
        }
    }
    std::array::from_fn(|here| match unders[here] {
        under if starts >> here & 1 == 0 && under.is_power_of_two() => under.trailing_zeros() as u8,
        _ => NONE,
    })
}
