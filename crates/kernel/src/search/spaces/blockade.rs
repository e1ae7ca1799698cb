//! Blockades: locks whose cards block each other.
//!
//! [`Deadlocks`](crate::search::spaces::deadlock::Deadlocks) looks at each lock alone. Here all
//! locks are looked at together, in a game that is easier to win.
//!
//! *The easier game.* The slots of foundations form *chains*: a chain has a group of cards for each
//! height, and a card of a group is taken only on one of the group below, by every foundation that
//! begins with a card of the chain. Say that a card is *exposed* if it lies in no lock, or if
//! everything above it in its lock can go up. Then the number of foundations that ever get beyond a
//! height of a chain is at most the number of those that get beyond the height below, and at most
//! the number of those beyond it now plus the number of exposed cards of its group. The top card of
//! a lock can go up if at some height at which it is wanted, more foundations can come up to that
//! height than are beyond it now. Nothing that was exposed or could go up is ever taken back, so a
//! few passes find all that can come about. If a lock keeps a card, the position is lost.
//!
//! *Proof.* By induction along any line of the game, everything that happens in it also happens in
//! the easier game. A card that goes up lies in no lock, or all cards above it went up before, so
//! it is exposed. So no more foundations are ever beyond a height than are beyond it now and
//! exposed cards of its group go up, nor more than come up to it. When a card goes up at a height,
//! one foundation more has come up to that height than is beyond it, and no fewer are beyond it
//! than now. If each card has only one height in one chain, cards of the same lock and group that
//! lay above the card are beyond it, too, so there must be room for these as well. (Cards that are
//! put on a lock in play only make it harder: the cards under them must wait for them.)
//!
//! *Room for all.* Often no card needs to go up to show that every lock can be emptied. It is
//! enough that each card of a lock has room at one of its heights, and that each height has room
//! for all cards of locks that have no other one, since room never shrinks.
//!
//! *The preconditions* are those of deadlocks; besides, the slots must form chains, and the
//! foundations must hold what their chains say.

use std::collections::BTreeSet;

use crate::bits::{bits, ones};
use crate::card::{CARDS, card, has, in_common};
use crate::position::state::State;
use crate::program::compiled::{BuildOrder, Program};
use crate::program::validate::MAX_PILES;
use crate::search::spaces::piles::Piles;

/// Foundations that take their cards in the same order.
#[derive(Debug)]
struct Chain {
    /// By height: the cards that are taken there.
    groups: Box<[u64]>,
    /// All foundations that may begin with a card of the first group.
    piles: u128,
    /// The number of its first slot.
    begin: usize,
}

/// A height of a chain in a position.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// How many foundations can come up to it besides those that are beyond it.
    room: i16,
    /// How many exposed cards are wanted there, less those that have room.
    spare: i16,
}

/// What is left of a lock while its cards go up.
#[derive(Clone, Copy, Debug)]
struct Rest {
    pile: u8,
    /// The top card of those that have not gone up, and their number.
    top: u8,
    size: u16,
}

/// The top card of an empty lock.
const NONE: u8 = 63;

/// What a test leaves for the next one, since most steps change few piles.
#[derive(Debug)]
pub(crate) struct Exposure {
    /// The piles that may have changed since the last test.
    pub(crate) changed: u128,
    /// For each pile its cards.
    piles: Vec<Vec<u8>>,
    /// For each card how many of its copies lie in locks, and the cards that lie there.
    copies: [u8; CARDS],
    held: u64,
    /// For each slot how many cards lie in locks of which it is the only one.
    bound: Vec<i16>,
    /// The slots, as if there were no foundations: all exposed cards are to spare.
    slots: Vec<Slot>,
    /// For each slot the number of foundations that end with a card there.
    ending: Vec<i16>,
    /// For each chain the number of foundations that have cards.
    begun: Vec<i16>,
    /// All locks.
    locks: Vec<Rest>,
    /// Room for the slots and the locks while cards go up.
    filling: Vec<Slot>,
    rests: Vec<Rest>,
    /// For each lock how many of its cards have gone up that have a slot as their only one.
    gone: Vec<u8>,
}

impl Exposure {
    /// What is known before the first test.
    pub(crate) const fn unknown() -> Self {
        Self {
            changed: u128::MAX,
            piles: Vec::new(),
            copies: [0; CARDS],
            held: 0,
            bound: Vec::new(),
            slots: Vec::new(),
            ending: Vec::new(),
            begun: Vec::new(),
            locks: Vec::new(),
            filling: Vec::new(),
            rests: Vec::new(),
            gone: Vec::new(),
        }
    }
}

/// What the test whether locks block each other needs to know of a game.
#[derive(Debug)]
pub(crate) struct Blockades {
    chains: Vec<Chain>,
    /// The groups of the slots of all chains, one chain after the other, each with an end.
    groups: Box<[u64]>,
    /// For each card its slots.
    slots: [Box<[u16]>; CARDS],
    /// For each card its only slot, if it has one only.
    only: [Option<u16>; CARDS],
    /// Whether a card has only one.
    counts_gone: bool,
    foundations: u128,
    locks: u128,
    /// All other piles.
    others: u128,
}

impl Blockades {
    /// The data for some locks; none if the slots form no chains.
    pub(crate) fn new(
        program: &Program,
        root: &State,
        bases: &[usize],
        foundations: u128,
        locks: u128,
    ) -> Option<Self> {
        let mut chains: Vec<Chain> = Vec::new();
        for (build_order, &base) in program.build_orders.iter().zip(bases) {
            chains.extend(chains_of(program, build_order, base)?);
        }
        let fits = |pile: usize, chain: &Chain| {
            chain.piles >> pile & 1 != 0
                && root.len(pile) <= chain.groups.len()
                && root.pile(pile).iter().zip(&chain.groups).all(|(&byte, &group)| has(group, byte))
        };
        let is_regular = bits(foundations).all(|pile| chains.iter().any(|chain| fits(pile, chain)));
        let mut groups = Vec::new();
        for chain in &mut chains {
            chain.begin = groups.len();
            groups.extend(&chain.groups);
            groups.push(0);
        }
        let slots: [Box<[u16]>; CARDS] = std::array::from_fn(|card| {
            let slots = (0..).zip(&groups).filter(|(_, group)| *group >> card & 1 != 0);
            slots.map(|(slot, _)| slot).collect()
        });
        let only = std::array::from_fn(|card| match *slots[card] {
            [slot] => Some(slot),
            _ => None,
        });
        is_regular.then_some(Self {
            chains,
            groups: groups.into(),
            slots,
            only,
            counts_gone: only.iter().any(Option::is_some),
            foundations,
            locks,
            others: program.all_piles & !foundations & !locks,
        })
    }

    /// Whether some lock can never be emptied, so that the position is lost.
    pub(crate) fn is_blocked(&self, state: &impl Piles, known: &mut Exposure) -> bool {
        let vacant = state.vacant();
        let mut closed = (self.locks & !vacant).count_ones();
        if closed == 0 {
            return false;
        }
        self.update(state, known);
        known.filling.clone_from(&known.slots);
        let Some(mut wanted) = self.fill(vacant, known) else { return false };
        let Exposure { slots, locks, filling, rests, gone, .. } = known;
        rests.clone_from(locks);
        gone.resize(locks.len() * slots.len(), 0);
        let mut seen = 0u128;
        // The cards that may have got room since their locks were looked at.
        let mut woken = wanted;
        while woken != 0 && closed != 0 {
            let mut wakes = 0;
            for (rest, gone) in rests.iter_mut().zip(gone.chunks_mut(slots.len())) {
                if woken >> rest.top & 1 == 0 {
                    continue;
                }
                if self.counts_gone && seen >> rest.pile & 1 == 0 {
                    seen |= 1 << rest.pile;
                    gone.fill(0);
                }
                let all = state.pile(usize::from(rest.pile));
                let (mut top, mut size) = (rest.top, usize::from(rest.size));
                while wanted >> top & 1 != 0 {
                    if let Some(slot) = self.only[usize::from(top)] {
                        // There must be room for the cards of its group above it, too.
                        let gone = &mut gone[usize::from(slot)];
                        if filling[usize::from(slot)].room <= i16::from(*gone) {
                            break;
                        }
                        *gone += 1;
                    }
                    size -= 1;
                    let Some(&next) = all[..size].last() else {
                        closed -= 1;
                        top = NONE;
                        break;
                    };
                    top = card(next);
                    let risen = self.expose(filling, top);
                    wanted |= risen;
                    wakes |= risen;
                }
                woken |= wakes;
                (rest.top, rest.size) = (top, size as u16);
            }
            woken = wakes;
        }
        closed != 0
    }

    /// Takes over the piles that have changed.
    fn update(&self, state: &impl Piles, known: &mut Exposure) {
        let Exposure { changed, piles, copies, held, bound, slots, ending, begun, locks, .. } =
            known;
        if slots.is_empty() {
            piles.resize_with(MAX_PILES, Vec::new);
            slots.resize(self.groups.len(), Slot::default());
            ending.resize(self.groups.len(), 0);
            bound.resize(self.groups.len(), 0);
            begun.resize(self.chains.len(), 0);
            let empty = |pile| Rest { pile: pile as u8, top: NONE, size: 0 };
            locks.extend(bits(self.locks).map(empty));
        }
        let changed = std::mem::take(changed) & (self.foundations | self.locks | self.others);
        for pile in bits(changed) {
            let (before, cards) = (&mut piles[pile], state.pile(pile));
            let same = in_common(before, cards);
            let (gone, come) = (&before[same..], &cards[same..]);
            if self.foundations >> pile & 1 != 0 {
                if let Some((chain, slot)) = self.end(pile, before) {
                    begun[chain] -= 1;
                    ending[slot] -= 1;
                }
                if let Some((chain, slot)) = self.end(pile, cards) {
                    begun[chain] += 1;
                    ending[slot] += 1;
                }
            } else if self.locks >> pile & 1 != 0 {
                for face in gone.iter().map(|&byte| usize::from(card(byte))) {
                    copies[face] -= 1;
                    *held &= !(u64::from(copies[face] == 0) << face);
                    self.only[face].inspect(|&slot| bound[usize::from(slot)] -= 1);
                }
                for face in come.iter().map(|&byte| usize::from(card(byte))) {
                    copies[face] += 1;
                    *held |= 1 << face;
                    self.only[face].inspect(|&slot| bound[usize::from(slot)] += 1);
                }
                let number = (self.locks & ((1 << pile) - 1)).count_ones() as usize;
                let lock = &mut locks[number];
                // Of a lock only the top card is exposed.
                let top = cards.last().map_or(NONE, |&byte| card(byte));
                if top != lock.top {
                    self.slots_of(lock.top).for_each(|slot| slots[slot].spare -= 1);
                    self.slots_of(top).for_each(|slot| slots[slot].spare += 1);
                }
                (lock.top, lock.size) = (top, cards.len() as u16);
            } else {
                let gone = gone.iter().flat_map(|&byte| self.slots_of(card(byte)));
                gone.for_each(|slot| slots[slot].spare -= 1);
                let come = come.iter().flat_map(|&byte| self.slots_of(card(byte)));
                come.for_each(|slot| slots[slot].spare += 1);
            }
            before.truncate(same);
            before.extend_from_slice(&cards[same..]);
        }
    }

    /// The chain of a foundation with some cards, and the slot of its top card.
    fn end(&self, pile: usize, cards: &[u8]) -> Option<(usize, usize)> {
        let &first = cards.first()?;
        let is_its = |chain: &Chain| chain.piles >> pile & 1 != 0 && has(chain.groups[0], first);
        let chain = self.chains.iter().position(is_its)?;
        Some((chain, self.chains[chain].begin + cards.len() - 1))
    }

    /// Finds how many foundations can come up to each slot. Returns the cards for which there is
    /// room; none if there is room for all cards of the locks, however they lie.
    fn fill(&self, vacant: u128, known: &mut Exposure) -> Option<u64> {
        let Exposure { begun, ending, filling: slots, bound, held, .. } = known;
        let (mut wanted, mut narrow) = (0, false);
        for (chain, &begun) in self.chains.iter().zip(&*begun) {
            let mut beyond = begun;
            let mut coming = beyond + (chain.piles & vacant).count_ones() as i16;
            let at = chain.begin..chain.begin + chain.groups.len();
            let places = slots[at.clone()].iter_mut().zip(&ending[at.clone()]).zip(&bound[at]);
            for (((slot, &ending), &bound), &group) in places.zip(&chain.groups) {
                slot.room = coming - beyond;
                slot.spare -= slot.room;
                narrow |= slot.room < bound;
                wanted |= if slot.room == 0 { 0 } else { group };
                coming += slot.spare.min(0);
                if coming == 0 {
                    narrow = true;
                    break;
                }
                beyond -= ending;
            }
        }
        (narrow || *held & !wanted != 0).then_some(wanted)
    }

    /// The slots of a card; none of no card.
    fn slots_of(&self, card: u8) -> impl Iterator<Item = usize> + '_ {
        self.slots.get(usize::from(card)).into_iter().flatten().map(|&slot| usize::from(slot))
    }

    /// Adds an exposed card. Returns the cards that may have got room by that.
    #[inline]
    fn expose(&self, slots: &mut [Slot], card: u8) -> u64 {
        let mut wakes = 0;
        for mut at in self.slots_of(card) {
            let mut is_more = slots[at].spare < 0;
            slots[at].spare += 1;
            // One more may come up to the heights above. Nothing is to spare at the end of a chain.
            while is_more {
                at += 1;
                wakes |= self.groups[at];
                let slot = &mut slots[at];
                is_more = slot.spare > 0;
                slot.spare -= 1;
                slot.room += 1;
            }
        }
        wakes
    }
}

/// The chains of a build order that begins at a place of its steps; none if its slots form no
/// chains.
fn chains_of(program: &Program, build_order: &BuildOrder, base: usize) -> Option<Vec<Chain>> {
    let steps = build_order.wants.len();
    let wants = |height: usize| build_order.wants[(height + base) % steps];
    let Some(relation) = build_order.relation else {
        let groups = (0..steps).map(wants).collect();
        return Some(vec![Chain { groups, piles: build_order.piles, begin: 0 }]);
    };
    let under = &program.relations[usize::from(relation)].under;
    let mut chains: Vec<Vec<u64>> = Vec::new();
    for height in 1..steps {
        let below = |card: usize| under[card] & wants(height - 1);
        let upper = wants(height);
        let lowers: BTreeSet<u64> = ones(upper).map(below).collect();
        if height == 1 {
            chains = lowers.iter().map(|&lower| vec![lower]).collect();
            let all = lowers.iter().fold(0, |all, lower| all | lower);
            let sum: u32 = lowers.iter().map(|lower| lower.count_ones()).sum();
            if all != wants(0) || sum != all.count_ones() {
                return None;
            }
        }
        for &lower in &lowers {
            let chain = chains.iter_mut().find(|chain| chain.last() == Some(&lower))?;
            chain.push(
                ones(upper)
                    .filter(|&card| below(card) == lower)
                    .fold(0, |all, card| all | 1 << card),
            );
        }
        if chains.iter().any(|chain| chain.len() != height + 1) {
            return None;
        }
    }
    if steps == 1 {
        chains.push(vec![wants(0)]);
    }
    let chain =
        |groups: Vec<u64>| Chain { groups: groups.into(), piles: build_order.piles, begin: 0 };
    Some(chains.into_iter().map(chain).collect())
}
