//! A delete relaxation: cards that other cards block for good.
//!
//! *The test.* Suppose that nothing ever gets worse: a class that once has room has room forever; a
//! card that could once go up can go up forever; a column that was once empty is empty forever; a
//! card of the stock that could once be reached can be reached forever (`card_links/stock.rs` says
//! which cards are reached after others). A class has room if it has room now, once another parent
//! comes to be open, or once a child that lies on a parent goes up. Then a few passes find
//! everything that could ever come about: which heads leave, what is turned up below them, which
//! cards come to columns, which go up. If some card never goes up, the position is lost.
//!
//! *Proof.* By induction along any line of the game: each class that has room, each card that is on
//! a column, free to go up or up after some moves is among those found. The room of a class is the
//! number of its open parents minus that of its open children that are no heads. So for a class
//! without room to get it, a parent must come to be open, which was not, or an open child must go
//! up that is no head. A head leaves only to a foundation, which then took the cards before it, and
//! only if nothing need lie on it; or onto a card or to an empty column, as a card from the stock
//! or from a foundation that gives cards back, and then its class has room. A card on a column goes
//! up only if nothing need lie on it: if it takes cards, their class has room. A column becomes
//! empty only if its last segment leaves, or if a card that lies at the bottom of a free column
//! goes up. In all cases the relaxation finds the same. So what does not go up there never goes up.
//!
//! With safe play, cards that are safe up there need never come back, so no line with such a move
//! need be looked at (`spaces/safe_play.rs`).

use crate::bits::ones;
use crate::search::spaces::card_sets::space::CardSetsSpace;
use crate::search::spaces::card_sets::tables::{NONE, SetTables};

/// The children and the parents of classes with room.
struct Room {
    fitting: u64,
    roomy: u64,
}

impl Room {
    fn add(&mut self, tables: &SetTables, class: u8) {
        if class != NONE {
            let class = &tables.classes[usize::from(class)];
            self.fitting |= class.children;
            self.roomy |= class.parents;
        }
    }
}

impl CardSetsSpace<'_> {
    /// The cards of the stock that may be reached once some others were taken.
    fn uncovered(&self, taken: u64) -> u64 {
        self.tables.stock().map_or(0, |stock| stock.uncovered(self.at.left, taken))
    }

    /// Whether the current position cannot be won even if nothing ever gets worse.
    pub(super) fn is_unsolvable_relaxed(&self) -> bool {
        let tables = self.tables;
        let order = &tables.links.order;
        let at = &self.at;
        let (mut up, mut wanted) = (at.up, at.wanted);
        let mut room = Room { fitting: at.fitting, roomy: at.roomy };
        // The cards that could come to columns.
        let mut reach = at.reach;
        let mut outside = reach | at.heads & !at.open;
        if tables.returns {
            outside |= up;
            if self.prunings.safe_play {
                outside &= !self.safe_play.settled(up, up);
            }
        }
        let mut heads = at.heads;
        // The cards that could go up; those among them that must not have a card on them; and those
        // that leave a place for others.
        let mut loose = at.open | reach | heads;
        let covered = at.open & !tables.childless;
        let placed = at.open & !at.heads;
        let mut segments = at.segments;
        // Cards at the bottom of a column, whose place others could take; and whether they can.
        let mut based = placed & tables.space;
        let mut has_space = at.empty > 0;
        loop {
            let mut is_stuck = true;
            loop {
                let more = loose & wanted & (room.roomy | !covered);
                if more == 0 {
                    break;
                }
                up |= more;
                is_stuck = false;
                has_space |= more & based != 0;
                wanted &= !more;
                for card in ones(more) {
                    wanted |= tables.next[card];
                    if placed >> card & 1 != 0 {
                        room.add(tables, tables.child_in[card]);
                    }
                }
            }
            if up == order.pack {
                return false;
            }
            let placeable = room.fitting | if has_space { tables.space } else { 0 };
            let arriving = outside & placeable;
            outside &= !arriving;
            for card in ones(arriving) {
                room.add(tables, tables.parent_in[card]);
            }
            for head in ones(heads & (up | placeable)) {
                is_stuck = false;
                heads &= !(1 << head);
                let column = usize::from(tables.column_of[head]);
                let is_building = column < tables.building;
                segments[column] -= 1;
                let Some(last) = segments[column].checked_sub(1) else {
                    has_space |= is_building;
                    continue;
                };
                let (head, cards) = tables.columns[column].segments[usize::from(last)];
                loose |= cards;
                heads |= 1 << head;
                if !is_building {
                    outside |= 1 << head;
                    continue;
                }
                for card in ones(cards) {
                    room.add(tables, tables.parent_in[card]);
                }
                if last == 0 && tables.space >> head & 1 != 0 {
                    based |= 1 << head;
                    heads &= !(1 << head);
                    segments[column] = 0;
                }
            }
            if is_stuck && arriving == 0 {
                let more = self.uncovered(reach & (up | placeable)) & !reach;
                if more == 0 {
                    return true;
                }
                reach |= more;
                outside |= more;
                loose |= more;
            }
        }
    }
}
