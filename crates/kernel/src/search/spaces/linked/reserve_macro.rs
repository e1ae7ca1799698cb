//! Cards of a reserve that nothing refills: they are laid out only to be covered at once.
//!
//! *The claim.* If a position can be won, there is a line that wins in which every card of the
//! reserve that is laid out on the tableau is covered by the very next move, and the last cover of
//! such a chain comes from elsewhere than the reserve. So the chain, the cards from the reserve and
//! the card that covers the last of them, is one step.
//!
//! *Proof.* Take a line that wins and put every laying out of a card r of the reserve off for as
//! long as can be. Until r is covered, it serves nothing where it lies: in the reserve it could go
//! up or be laid out just as well, and what it lies on, or the empty pile that it fills, is free
//! for longer. If r goes up or is laid elsewhere before anything is laid on it, it can do so from
//! the reserve, and the laying out is left out. Else it is put off to just before the move that
//! covers it: the moves between do not touch r, nor what it was laid on, which it kept covered, and
//! where they need an empty pile there are as many or more. If the card that covers r is of the
//! reserve, too, the same holds for that one. A line gets no longer by any of this, so it comes to
//! an end.
//!
//! *Asked for.* That nothing ever comes to the reserve and each of its piles has one card at most
//! (`Tables::reserves`), so that nothing is gained by taking a card away; a stock of which every
//! card can be reached at any time is such a reserve, too; and, as in all linked games, that no
//! rule looks at whether a pile is empty.

use crate::bits::ones;
use crate::search::spaces::linked::space::Linked;
use crate::search::spaces::linked::step::Step;
use crate::search::spaces::linked::tables::{BASE, Route};

impl Linked<'_> {
    /// Lists the cards of reserves that may be laid out below a card, so as to be covered by it.
    pub(super) fn list_covers(
        &self,
        way: &Route,
        cover: Step,
        card: usize,
        top: usize,
        steps: &mut Vec<Step>,
    ) {
        for other in &self.tables.ways {
            if !self.tables.reserves[other.from] || other.to != way.to {
                continue;
            }
            for below in ones(way.under[card] & self.tops[other.from]) {
                if cover.has(below as u8) {
                    continue;
                }
                let Some(longer) = cover.on(below as u8) else {
                    // Too long to be told in one step: the card is laid out by itself.
                    for to in ones(other.under[below] & self.tops[other.to]) {
                        steps.push(Step::of(below as u8, to as u8));
                    }
                    if self.empty[other.to] > 0 && other.vacant >> below & 1 != 0 {
                        steps.push(Step::of(below as u8, BASE + other.to as u8));
                    }
                    continue;
                };
                for to in ones(other.under[below] & self.tops[other.to] & !(1 << top)) {
                    steps.push(longer.to(to as u8));
                }
                if self.empty[other.to] > 0 && other.vacant >> below & 1 != 0 {
                    steps.push(longer.to(BASE + other.to as u8));
                }
                self.list_covers(other, longer, below, top, steps);
            }
        }
    }
}
