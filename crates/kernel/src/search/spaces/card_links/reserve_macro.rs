//! Macro moves of a reserve that nothing refills: its cards go to the tableau only to be covered at
//! once.
//!
//! *The claim.* If a position can be won, it has a winning line in which every card of the reserve
//! that is played to the tableau is covered by the very next move, and the last cover of such a
//! chain does not come from the reserve. So the whole chain, the cards from the reserve and the
//! card that covers the last of them, is one step.
//!
//! *Proof.* Take a winning line and postpone every play of a reserve card r to the tableau for as
//! long as possible. Until r is covered, it is of no use on the tableau: from the reserve it could
//! go up or be played to the tableau just as well, and the card under it, or the empty pile that it
//! fills, stays free for longer. If r goes up or moves elsewhere before a card is put on it, it can
//! do so from the reserve, and its play to the tableau is dropped. Otherwise that play is postponed
//! to just before the move that covers r. The moves between touch neither r nor the card under it,
//! which r covered, and if they need an empty pile, there are as many as before or more. If the
//! card that covers r comes from the reserve, too, the same holds for that card. None of this makes
//! a line longer, so the process terminates.
//!
//! *Preconditions.* Nothing ever comes to the reserve, and each of its piles has at most one card
//! (`Tables::reserves`), so that removing a card from it gains nothing. (A stock whose cards can
//! all be reached at any time is such a reserve, too.) From the reserve, a card can go up and be
//! played to the tableau as well as from there (`Tables::offers_all`). As in all games of the
//! card-links space, no rule tests whether a pile is empty. If another pile fills empty ones at
//! once, a card of the reserve goes to an empty pile only when that one is empty, and otherwise
//! lies on other cards. So postponing its play empties no pile sooner or later. The chains are few
//! enough to be listed.

use crate::position::state::State;
use crate::search::spaces::card_links::packs::{CardSet, Packs, ZONES, numbered};
use crate::search::spaces::card_links::space::CardLinksSpace;
use crate::search::spaces::card_links::step::Step;
use crate::search::spaces::card_links::tables::{Route, Tables};

/// The most chains below a card for which they are listed.
const MOST_CHAINS: u64 = 1 << 14;

impl<P: Packs> Tables<P> {
    /// Whether the chains of a position can be listed. Where nearly every card fits on nearly every
    /// other, there are too many of them, and the cards of reserves are better played one by one.
    ///
    /// Only the reserves' cards can be links, and they have no more later. A card may be counted
    /// several times in a chain here, so the count is an upper bound.
    pub(super) fn has_few_chains(&self, root: &State) -> bool {
        let mut held = [P::Set::NONE; ZONES];
        for (pile, cards) in numbered(root).into_iter().enumerate() {
            let is_stock = self.stock.as_ref().is_some_and(|stock| stock.source == pile);
            let zone = if is_stock { Some(self.waste) } else { self.zone_of[pile] };
            if let Some(zone) = zone.filter(|&zone| self.reserves[zone]) {
                held[zone] |= P::Set::union(cards.into_iter().map(P::Set::of));
            }
        }
        let mut chains = P::each(0u64);
        for _ in 0..Step::<P>::MOST {
            let mut longer = P::each(0u64);
            for route in self.routes.iter().filter(|route| self.reserves[route.from]) {
                for (upper, sum) in longer.as_mut().iter_mut().enumerate() {
                    for lower in (route.under[upper] & held[route.from]).cards() {
                        *sum = sum.saturating_add(1 + chains[lower]);
                    }
                }
            }
            chains = longer;
        }
        chains.as_ref().iter().all(|&number| number <= MOST_CHAINS)
    }
}

impl<P: Packs> CardLinksSpace<'_, P> {
    /// Lists the steps that play cards of reserves to the tableau to be covered by a card.
    pub(super) fn list_covers(
        &self,
        route: &Route<P>,
        cover: Step<P>,
        card: usize,
        top: usize,
        steps: &mut Vec<Step<P>>,
    ) {
        for other in &self.tables.routes {
            if !self.tables.reserves[other.from] || other.to != route.to {
                continue;
            }
            for below in (route.under[card] & self.tops[other.from]).cards() {
                if cover.has(below as u8) {
                    continue;
                }
                let Some(longer) = cover.on(below as u8) else {
                    // The chain is too long for one step, so the card is played alone.
                    let targets = other.under[below] & self.tops[other.to];
                    self.list_on(Step::cover(below as u8), targets, steps);
                    if self.empty[other.to] > 0 && other.space.has(below) {
                        steps.push(Step::of(below as u8, P::BASE + other.to as u8));
                    }
                    continue;
                };
                let targets = other.under[below] & self.tops[other.to] & !P::Set::of(top);
                self.list_on(longer, targets, steps);
                if self.empty[other.to] > 0 && other.space.has(below) {
                    steps.push(longer.to(P::BASE + other.to as u8));
                }
                self.list_covers(other, longer, below, top, steps);
            }
        }
    }
}
