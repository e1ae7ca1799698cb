//! Deadlock detection: piles whose cards block each other, each alone and all together
//! ([`blockade`](crate::search::spaces::blockade)).
//!
//! A pile is a *lock* if its cards can go only to foundations, one by one from the top, and if they
//! must all go there for a win. If a card of a lock needs a card that lies further down in the same
//! lock, that card can never come before it.
//!
//! *The argument.* Say that a card c *needs* a card p if every foundation that takes c takes it
//! only on a p. Cards never leave foundations here, and each c on them lies on a p of its own. So
//! at any time at least as many copies of p have gone up as of c. Take the cards of a lock from the
//! top down, as they must go. Let up(c) be a lower bound on the copies of c on foundations, and let
//! below(c) be the number of copies of c in the lock below the current card. When the current card
//! c goes up, up(c) grows by one. Then up(p) is at least up(c) for the card p that c needs, and so
//! on down the chain. But none of the copies that lie below can have gone up. So if up(p) +
//! below(p) exceeds the number of all copies of p, no order of moves gets the lock past the current
//! card, and the position is lost. (Cards put on a lock in play count as its cards in later
//! positions: they must go before the cards under them, by the same rules.)
//!
//! *The preconditions*, which [`Deadlocks::new`] checks: the aim requires complete foundations that
//! together hold all cards; no rule takes cards from them; only plays of cards that the build order
//! wants put cards on them, and in the position searched from they hold what such plays put there;
//! bases that are known only after the deal no longer change. The only rules with a lock as a
//! source play its top card to foundations. No script has a lock as a source or as a target.

use crate::bits::bits;
use crate::card::{CARDS, card};
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::{Condition, During};
use crate::program::validate::MAX_PILES;
use crate::search::spaces::blockade::{Blockades, Exposure};
use crate::search::spaces::piles::Piles;
use crate::search::spaces::settled::settled_bases;

/// No card.
const NONE: u8 = u8::MAX;

/// The locks of a game, and the data for the test whether they can be emptied.
pub(crate) struct Deadlocks {
    /// For each card the one card that it needs under it on a foundation, or none.
    needs: [u8; CARDS],
    /// For each card all cards that must have gone up before it.
    needed: [u64; CARDS],
    /// For each card the number of its copies.
    copies: [u8; CARDS],
    /// Whether some card needs another one, and whether there are always as many copies of that.
    has_needs: bool,
    is_even: bool,
    foundations: u128,
    piles: u128,
    /// The same for all locks together.
    blockades: Option<Blockades>,
    /// Locks that cards are put on in play.
    heaps: u128,
}

/// What a test leaves for the next one, since most steps change few piles.
pub(crate) struct LastTest {
    /// The piles that may have changed since the last key.
    pub(crate) changed: u128,
    /// The last key, and the terms of the piles in it.
    key: u128,
    terms: Box<[u128; MAX_PILES]>,
    /// The other piles that may have changed since the last test.
    untested: u128,
    /// The locks with cards that may need one further down.
    suspects: u128,
    exposure: Exposure,
}

impl LastTest {
    /// What is known before the first test.
    pub(crate) fn unknown() -> Self {
        Self {
            changed: u128::MAX,
            key: 0,
            terms: Box::new([0; MAX_PILES]),
            untested: 0,
            suspects: 0,
            exposure: Exposure::unknown(),
        }
    }
}

impl Deadlocks {
    /// The locks of a program, for positions after a root; none if there are none.
    pub(crate) fn new(program: &Program, root: &State) -> Option<Self> {
        let game = program.source();
        let foundations = game.aim.iter().fold(0, |piles, condition| match condition {
            Condition::Complete { piles: complete } => piles | complete.0,
            _ => piles,
        });
        let build_orders =
            program.places.iter().enumerate().filter(|(_, place)| place.build_order.is_some());
        let build_orders = build_orders.fold(0, |piles, (pile, _)| piles | 1 << pile);
        let needed: usize = bits(foundations).map(|pile| program.places[pile].complete).sum();
        let cards = game.deck.len() + game.preset.len();
        if foundations == 0 || foundations != build_orders || needed != cards {
            return None;
        }
        let mut locks = program.all_piles & !foundations & !(1 << game.source_pile);
        let bases = settled_bases(program, root)?;
        let mut built = 0;
        for (rule, footprint) in game.rules.iter().zip(&program.footprints) {
            if rule.during == During::Layout {
                continue;
            }
            // There is no proof if piles other than foundations have build orders, if foundations
            // give cards back or take cards that they do not want, or if a base may change.
            let unsound = footprint.takes & foundations
                | (footprint.builds | footprint.deals) & foundations
                | footprint.plays & !foundations;
            if unsound != 0 {
                return None;
            }
            locks &= !(footprint.takes_freely | footprint.deals);
            built |= footprint.builds;
        }
        // A single card cannot block itself.
        locks = bits(locks)
            .filter(|&pile| program.places[pile].capacity > 1)
            .fold(0, |locks, pile| locks | 1 << pile);
        if locks == 0 {
            return None;
        }
        let needs = needs(program, &bases);
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
        let is_even = (0..CARDS).all(|here| match needs[here] {
            NONE => true,
            needed => copies[usize::from(needed)] >= copies[here],
        });
        let blockades = Blockades::new(program, root, &bases, foundations, locks);
        (is_regular && starts_well).then_some(Self {
            needs,
            needed: std::array::from_fn(|here| all_needed(&needs, here)),
            copies,
            has_needs: needs.iter().any(|&needed| needed != NONE),
            is_even,
            foundations,
            piles: locks,
            blockades,
            heaps: locks & built,
        })
    }

    /// Whether there are *heaps*: locks that cards are put on in play, to stay until they go up.
    pub(crate) const fn has_heaps(&self) -> bool {
        self.heaps != 0
    }

    /// The locks, as a mask.
    pub(crate) const fn piles(&self) -> u128 {
        self.piles
    }

    /// Whether some lock can never be emptied, so that the position is lost.
    pub(crate) fn is_deadlocked(&self, state: &impl Piles, last: &mut LastTest) -> bool {
        let changed = std::mem::take(&mut last.untested) | last.changed;
        last.exposure.changed |= changed;
        last.suspects = last.suspects & !changed | self.suspects(state, changed);
        self.is_any_stuck(state, last.suspects)
            || self
                .blockades
                .as_ref()
                .is_some_and(|blockades| blockades.is_blocked(state, &mut last.exposure))
    }

    /// The same in a space that asks for no keys of locks. `changed` are the piles that may have
    /// changed since the last test.
    pub(crate) fn is_deadlocked_after(
        &self,
        changed: u128,
        state: &impl Piles,
        last: &mut LastTest,
    ) -> bool {
        last.untested |= std::mem::take(&mut last.changed) | changed;
        self.is_deadlocked(state, last)
    }

    /// A key for the cards of all locks and foundations, which alone decide whether a position is
    /// deadlocked: the cards of all other piles are exposed anyway. If the keys of the program take
    /// cards for the same that the rules distinguish, a deadlock may be overlooked.
    pub(crate) fn key(&self, state: &State, last: &mut LastTest) -> u128 {
        let changed = std::mem::take(&mut last.changed);
        last.untested |= changed;
        let piles = self.piles | self.foundations;
        for pile in bits(piles & changed) {
            let term = state.hash_term(pile);
            let before = std::mem::replace(&mut last.terms[pile], term);
            last.key = last.key.wrapping_sub(before).wrapping_add(term);
        }
        debug_assert_eq!(
            last.key,
            bits(piles).fold(0, |key, pile| state.hash_term(pile).wrapping_add(key)),
            "a change was not noted"
        );
        last.key
    }

    /// Whether the cards of one lock block each other.
    pub(crate) fn is_locked(&self, state: &impl Piles) -> bool {
        self.is_any_stuck(state, self.suspects(state, u128::MAX))
    }

    /// The locks among some piles with a card that needs one that lies further down.
    fn suspects(&self, state: &impl Piles, piles: u128) -> u128 {
        let piles = if self.has_needs { self.piles & piles } else { 0 };
        bits(piles)
            .filter(|&lock| self.is_suspect(state.pile(lock)))
            .fold(0, |suspects, lock| suspects | 1 << lock)
    }

    /// Whether the cards of one of some locks block each other.
    fn is_any_stuck(&self, state: &impl Piles, suspects: u128) -> bool {
        if suspects == 0 {
            return false;
        }
        let mut ups = [0u8; CARDS];
        for pile in bits(self.foundations) {
            for &byte in state.pile(pile) {
                ups[usize::from(card(byte))] += 1;
            }
        }
        bits(suspects).any(|lock| self.is_stuck(state.pile(lock), ups))
    }

    /// Whether a card of a lock needs one that lies further down.
    fn is_suspect(&self, lock: &[u8]) -> bool {
        let mut below = 0u64;
        lock.iter().any(|&byte| {
            let here = usize::from(card(byte));
            let needs_one = self.needed[here] & below != 0;
            below |= 1 << here;
            needs_one
        })
    }

    fn is_stuck(&self, lock: &[u8], mut ups: [u8; CARDS]) -> bool {
        let mut below = [0u8; CARDS];
        let mut held = 0u64;
        for &byte in lock {
            let here = card(byte);
            below[usize::from(here)] += 1;
            held |= 1 << here;
        }
        lock.iter().rev().any(|&byte| {
            let here = usize::from(card(byte));
            below[here] -= 1;
            held &= !(u64::from(below[here] == 0) << here);
            ups[here] += 1;
            // Nothing that it needs lies further down, now or when later cards go up.
            if self.is_even && self.needed[here] & held == 0 {
                return false;
            }
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

/// All cards that must have gone up before a card, given the one that each needs.
fn all_needed(needs: &[u8; CARDS], here: usize) -> u64 {
    let (mut needed, mut at) = (0u64, usize::from(needs[here]));
    while at != usize::from(NONE) && needed >> at & 1 == 0 {
        needed |= 1 << at;
        at = usize::from(needs[at]);
    }
    needed
}

/// For each card the one card on which any foundation takes it; none if there are several, or if it
/// may lie at the bottom.
fn needs(program: &Program, bases: &[usize]) -> [u8; CARDS] {
    let mut unders = [0u64; CARDS];
    let mut starts = 0;
    for (build_order, base) in program.build_orders.iter().zip(bases) {
        let steps = build_order.wants.len();
        let wants = |height: usize| build_order.wants[(height + base) % steps];
        starts |= wants(0);
        for height in 1..steps {
            for here in bits(u128::from(wants(height))) {
                unders[here] |= wants(height - 1)
                    & build_order.relation.map_or(u64::MAX, |relation| {
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
