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

/// What the test whether locks block each other needs to know of a game.
#[derive(Debug)]
pub(crate) struct Blockades {
    chains: Vec<Chain>,
    /// For each card the cards of its group, itself among them, that have no other height; none if
    /// it has several heights.
    groups: [u64; CARDS],
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
        let mut seen = 0;
        let mut repeated = 0;
        let mut groups = [0; CARDS];
        for &group in chains.iter().flat_map(|chain| &chain.groups) {
            repeated |= seen & group;
            seen |= group;
            ones(group).for_each(|card| groups[card] = group);
        }
        for (card, group) in groups.iter_mut().enumerate() {
            *group = if repeated >> card & 1 != 0 { 0 } else { *group & !repeated };
        }
        let others = program.all_piles & !foundations & !locks;
        is_regular.then_some(Self { chains, groups, locks, others })
    }

    /// Whether some lock can never be emptied, so that the position is lost.
    pub(crate) fn is_blocked(&self, state: &State) -> bool {
        let mut exposed = [0u8; CARDS];
        let mut expose = |byte: u8| exposed[usize::from(card(byte))] += 1;
        bits(self.others & !state.vacant())
            .for_each(|pile| state.pile(pile).iter().for_each(|&byte| expose(byte)));
        let mut closed = self.locks & !state.vacant();
        bits(closed).filter_map(|pile| state.top(pile)).for_each(&mut expose);
        // How many cards of each lock have not gone up.
        let mut left: [usize; MAX_PILES] =
            std::array::from_fn(|pile| if closed >> pile & 1 != 0 { state.len(pile) } else { 0 });
        let passed = self.passed(state);
        loop {
            let room = self.room(state, &exposed, &passed);
            let mut is_over = true;
            for pile in bits(closed) {
                let cards = state.pile(pile);
                while let Some((&top, below)) = cards[..left[pile]].split_last() {
                    let here = usize::from(card(top));
                    let above = cards[left[pile]..].iter();
                    let before = above.filter(|&&byte| has(self.groups[here], byte)).count();
                    if usize::from(room[here]) <= before {
                        break;
                    }
                    left[pile] -= 1;
                    is_over = false;
                    if let Some(&next) = below.last() {
                        exposed[usize::from(card(next))] += 1;
                    }
                }
                closed &= !(u128::from(left[pile] == 0) << pile);
            }
            if is_over || closed == 0 {
                return closed != 0;
            }
        }
    }

    /// For each chain and height: how many foundations are beyond it.
    fn passed(&self, state: &State) -> Vec<u8> {
        let mut passed = Vec::new();
        for chain in &self.chains {
            let begin = passed.len();
            passed.resize(begin + chain.groups.len(), 0);
            for pile in bits(chain.piles & !state.vacant()) {
                if has(chain.groups[0], state.pile(pile)[0]) {
                    passed[begin..].iter_mut().take(state.len(pile)).for_each(|here| *here += 1);
                }
            }
        }
        passed
    }

    /// For each card: at the height where there are most, how many foundations can come up to where
    /// it is wanted besides those that are beyond.
    fn room(&self, state: &State, exposed: &[u8; CARDS], passed: &[u8]) -> [u8; CARDS] {
        let mut room = [0u8; CARDS];
        let mut slots = passed.iter();
        for chain in &self.chains {
            let vacant = (chain.piles & state.vacant()).count_ones() as u8;
            let mut coming = None;
            for (&group, &beyond) in chain.groups.iter().zip(&mut slots) {
                let before = coming.unwrap_or(vacant + beyond);
                let here = before.saturating_sub(beyond);
                let mut cards = 0u8;
                for card in ones(group) {
                    cards += exposed[card];
                    room[card] = room[card].max(here);
                }
                coming = Some(before.min(beyond + cards));
            }
        }
        room
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
