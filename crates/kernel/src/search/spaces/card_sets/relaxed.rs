//! A delete relaxation: cards that hidden cards block for good.
//!
//! *The test.* Suppose that nothing ever gets worse: a card that was once on a column takes cards
//! forever, however many lie on it; a card that could once go up can go up forever; a column that
//! was once empty is empty forever; all cards of the stock can be played at any time. Then a few
//! passes find everything that could ever come about: which heads leave, what is turned up below
//! them, which cards go up. If some card never goes up, the position is lost.
//!
//! *Proof.* By induction along any line of the game: each card that is on a column, free to go up
//! or up after some moves is among those found. A head leaves only to a foundation, which then took
//! the cards before it; onto a card on which it fits, which was open, in the stock or on a
//! foundation that gives cards back; or to an empty column. A column becomes empty only if its last
//! segment leaves, or if a card that lies at the bottom of a free column goes up. In all cases the
//! relaxation finds the same. So what does not go up there never goes up.
//!
//! Cards that are up already take others only if cards come back from foundations.

use crate::bits::ones;
use crate::search::spaces::card_sets::space::CardSetsSpace;
use crate::search::spaces::card_sets::tables::NONE;

impl CardSetsSpace<'_> {
    /// Whether the current position cannot be won even if nothing ever gets worse.
    pub(super) fn is_unsolvable_relaxed(&self) -> bool {
        let tables = self.tables;
        let order = &tables.links.order;
        let at = &self.at;
        let (mut up, mut wanted) = (at.up, at.wanted);
        // The cards that can be on columns at some time, and those that can go up then.
        let mut open = at.open | at.stock | if tables.returns { at.up } else { 0 };
        let mut heads = at.heads;
        let mut loose = at.open | at.stock | heads;
        let mut segments = at.segments;
        // Cards at the bottom of a column, whose place others could take; and whether they can.
        let mut based = at.open & !at.heads & tables.space;
        let mut has_space = at.empty > 0;
        loop {
            loop {
                let more = loose & wanted;
                if more == 0 {
                    break;
                }
                up |= more;
                wanted = ones(more).fold(wanted & !more, |wanted, card| wanted | tables.next[card]);
            }
            if up == order.pack {
                return false;
            }
            has_space |= up & based != 0;
            let mut is_stuck = true;
            for head in ones(heads) {
                let class = tables.child_in[head];
                let leaves = up >> head & 1 != 0
                    || class != NONE && open & tables.classes[usize::from(class)].parents != 0
                    || has_space && tables.space >> head & 1 != 0;
                if !leaves {
                    continue;
                }
                is_stuck = false;
                heads &= !(1 << head);
                open |= 1 << head;
                let column = usize::from(tables.column_of[head]);
                segments[column] -= 1;
                let Some(last) = segments[column].checked_sub(1) else {
                    has_space |= column < tables.building;
                    continue;
                };
                let (head, cards) = tables.columns[column].segments[usize::from(last)];
                loose |= cards;
                if column < tables.building {
                    open |= cards;
                    if last == 0 && tables.space >> head & 1 != 0 {
                        based |= 1 << head;
                        segments[column] = 0;
                        continue;
                    }
                }
                heads |= 1 << head;
            }
            if is_stuck {
                return true;
            }
        }
    }
}
