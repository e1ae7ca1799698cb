//! A delete relaxation.

use crate::bits::ones;
use crate::search::spaces::card_sets::space::CardSetsSpace;

impl CardSetsSpace<'_> {
    /// Whether the current position cannot be won even if nothing ever gets worse.
    pub(super) fn is_unsolvable_relaxed(&self) -> bool {
        let tables = self.tables;
        let order = &tables.links.order;
        let stock = tables.stock().map_or(0, |stock| stock.cards(self.at.left));
        let mut up = self.at.up;
        // The cards that can be on columns, and those that can go up.
        let mut open = self.at.open | stock;
        let mut heads = self.at.heads;
        let mut loose = self.at.open | stock | heads;
        let mut segments = self.at.segments;
        let mut has_space = self.empty() > 0;
        loop {
            // Foundations, to the end.
            loop {
                let more = loose & order.wanted(up) & !up;
                if more == 0 {
                    break;
                }
                up |= more;
            }
            if up == order.pack {
                return false;
            }
            let mut leaving = heads & up;
            for class in &tables.classes {
                if open & class.parents != 0 {
                    leaving |= heads & class.children;
                }
            }
            has_space |= up & tables.space & self.at.open & !self.at.heads != 0;
            if has_space {
                leaving |= heads & tables.space;
            }
            if leaving == 0 {
                return true;
            }
            for head in ones(leaving) {
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
                        segments[column] = 0;
                        continue;
                    }
                }
                heads |= 1 << head;
            }
        }
    }
}
