//! Redeals. They are rare, so play itself makes them.

use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::search::spaces::columns::change::Change;
use crate::search::spaces::columns::space::ColumnsSpace;
use crate::search::spaces::piles::Piles;
use crate::search::spaces::space::Space;

impl ColumnsSpace<'_> {
    /// Plays a redeal. Returns false, and changes nothing, if forced rules never end after it.
    pub(super) fn redeal(&mut self, step: Move) -> bool {
        let Some(mut table) = self.table.take() else { return false };
        let piles = (0..self.tables.places.len()).map(|pile| self.pile(pile));
        table.state.set(table.program, piles, &self.counters);
        let played = table.state.play_unchecked(table.program, step, &mut Journal::new()).is_ok();
        if played {
            self.pack(&mut table.before);
            for (column, &pile) in self.tables.piles.iter().enumerate() {
                self.lay(column, table.state.pile(pile.into()));
            }
            self.counters.clone_from_slice(table.state.counters());
            self.changes.push(Change::Redealt);
        }
        self.table = Some(table);
        played
    }

    /// Undoes a redeal, except the totals.
    pub(super) fn take_back_redeal(&mut self) {
        let Some(mut table) = self.table.take() else { return };
        let begin = table.before.len() - self.packed_size();
        self.restore(&table.before[begin..]);
        table.before.truncate(begin);
        self.table = Some(table);
    }
}
