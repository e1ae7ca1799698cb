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
//! *The preconditions* are those of deadlocks; besides, the slots must form chains, and the
//! foundations must hold what their chains say.

use std::collections::BTreeSet;

use crate::bits::{bits, ones};
use crate::card::{CARDS, card, has};
use crate::position::state::State;
use crate::program::compiled::{BuildOrder, Program};
use crate::program::validate::MAX_PILES;

/// Foundations that take their cards in the same order.
#[derive(Debug)]
struct Chain {
    /// By height: the cards that are taken there.
    groups: Box<[u64]>,
    /// All foundations that may begin with a card of the first group.
    piles: u128,
}

/// A height of a chain in a position.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// How many foundations are beyond it, and how many can come up to it, those included.
    beyond: u16,
    coming: u16,
    /// How many are beyond it or have an exposed card that they want there.
    fed: u16,
    /// How many foundations end with a card at this height.
    ending: u16,
}

impl Slot {
    /// What follows the last slot of a chain.
    const END: Self = Self { beyond: 0, coming: u16::MAX, fed: 0, ending: 0 };

    /// How many foundations can get beyond it.
    fn leaving(self) -> u16 {
        self.coming.min(self.fed)
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
    /// For each card the cards of its group, itself among them, that have no other height; none if
    /// it has several heights.
    alike: [u64; CARDS],
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
        let mut chains = Vec::new();
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
        let (mut seen, mut repeated) = (0, 0);
        for chain in &chains {
            for &group in &chain.groups {
                repeated |= seen & group;
                seen |= group;
            }
            groups.extend(&chain.groups);
            groups.push(0);
        }
        let slots: [Box<[u16]>; CARDS] = std::array::from_fn(|card| {
            let slots = (0..).zip(&groups).filter(|(_, group)| *group >> card & 1 != 0);
            slots.map(|(slot, _)| slot).collect()
        });
        let alike = std::array::from_fn(|card| match *slots[card] {
            [slot] if repeated >> card & 1 == 0 => groups[usize::from(slot)] & !repeated,
            _ => 0,
        });
        let others = program.all_piles & !foundations & !locks;
        let groups = groups.into();
        is_regular.then_some(Self { chains, groups, slots, alike, locks, others })
    }

    /// Whether some lock can never be emptied, so that the position is lost.
    pub(crate) fn is_blocked(&self, state: &State) -> bool {
        let mut closed = self.locks & !state.vacant();
        if closed == 0 {
            return false;
        }
        let mut slots = self.slots_of(state, closed);
        // Of each lock how many cards have not gone up, and the top one of them.
        let (mut left, mut tops) = ([0u16; MAX_PILES], [0u8; MAX_PILES]);
        for pile in bits(closed) {
            left[pile] = state.len(pile) as u16;
            tops[pile] = state.top(pile).map_or(0, card);
        }
        // The cards that may have got room since their locks were looked at.
        let mut woken = u64::MAX;
        while woken != 0 && closed != 0 {
            let mut wakes = 0;
            for pile in bits(closed) {
                if woken >> tops[pile] & 1 == 0 {
                    continue;
                }
                let cards = state.pile(pile);
                let mut size = usize::from(left[pile]);
                while let Some((&top, below)) = cards[..size].split_last() {
                    tops[pile] = card(top);
                    let group = self.alike[usize::from(card(top))];
                    let of_group =
                        || cards[size..].iter().filter(|&&byte| has(group, byte)).count();
                    // There must be room for the cards of its group above it, too.
                    let above = if group == 0 { 0 } else { of_group() };
                    if self.room(&slots, top) <= above {
                        break;
                    }
                    size -= 1;
                    if let Some(&next) = below.last() {
                        wakes |= self.expose(&mut slots, next);
                    }
                }
                left[pile] = size as u16;
                closed &= !(u128::from(size == 0) << pile);
            }
            woken = wakes;
        }
        closed != 0
    }

    /// The slots of a position in which some locks have cards.
    fn slots_of(&self, state: &State, closed: u128) -> Vec<Slot> {
        let mut slots = vec![Slot::default(); self.groups.len()];
        let mut expose = |byte: u8| {
            for &slot in &self.slots[usize::from(card(byte))] {
                slots[usize::from(slot)].fed += 1;
            }
        };
        bits(self.others & !state.vacant())
            .for_each(|pile| state.pile(pile).iter().for_each(|&byte| expose(byte)));
        bits(closed).filter_map(|pile| state.top(pile)).for_each(&mut expose);
        let mut rest = slots.as_mut_slice();
        for chain in &self.chains {
            let (of_chain, others) = rest.split_at_mut(chain.groups.len());
            let (end, others) = others.split_at_mut(1);
            end[0] = Slot::END;
            rest = others;
            let mut beyond = 0;
            for pile in bits(chain.piles & !state.vacant()) {
                if has(chain.groups[0], state.pile(pile)[0]) {
                    beyond += 1;
                    of_chain[state.len(pile) - 1].ending += 1;
                }
            }
            let mut coming = (chain.piles & state.vacant()).count_ones() as u16 + beyond;
            for slot in of_chain {
                (slot.beyond, slot.coming) = (beyond, coming);
                slot.fed += beyond;
                coming = slot.leaving();
                beyond -= slot.ending;
            }
        }
        slots
    }

    /// Adds an exposed card. Returns the cards that may have got room by that.
    fn expose(&self, slots: &mut [Slot], byte: u8) -> u64 {
        let mut wakes = 0;
        for &slot in &self.slots[usize::from(card(byte))] {
            let mut at = usize::from(slot);
            slots[at].fed += 1;
            // More may come up to the heights above.
            while slots[at].leaving() > slots[at + 1].coming {
                at += 1;
                slots[at].coming = slots[at - 1].leaving();
                wakes |= self.groups[at];
            }
        }
        wakes
    }

    /// At the height of a card where there are most, how many foundations can come up to where it
    /// is wanted besides those that are beyond.
    fn room(&self, slots: &[Slot], byte: u8) -> usize {
        let room = |&slot: &u16| {
            let slot = slots[usize::from(slot)];
            usize::from(slot.coming.saturating_sub(slot.beyond))
        };
        self.slots[usize::from(card(byte))].iter().map(room).max().unwrap_or(0)
    }
}

/// The chains of a build order that begins at a place of its steps; none if its slots form no
/// chains.
fn chains_of(program: &Program, build_order: &BuildOrder, base: usize) -> Option<Vec<Chain>> {
    let steps = build_order.wants.len();
    let wants = |height: usize| build_order.wants[(height + base) % steps];
    let Some(relation) = build_order.relation else {
        let groups = (0..steps).map(wants).collect();
        return Some(vec![Chain { groups, piles: build_order.piles }]);
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
    let chain = |groups: Vec<u64>| Chain { groups: groups.into(), piles: build_order.piles };
    Some(chains.into_iter().map(chain).collect())
}
