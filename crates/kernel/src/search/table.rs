//! The keys of the positions met.

use hashbrown::HashTable;

use crate::perft::POLL;

/// The positions that a search has met.
#[derive(Default)]
pub(super) struct Table {
    met: HashTable<u128>,
}

impl Table {
    /// Notes a position; false if it was met before.
    #[inline]
    pub(super) fn meet(&mut self, key: u128) -> bool {
        // A key is mixed already: its low half is as good as any.
        let low = |key: &u128| *key as u64;
        if self.met.find(low(&key), |other| *other == key).is_some() {
            return false;
        }
        self.met.insert_unique(low(&key), key, low);
        true
    }

    /// Bytes of the table, or of both tables while it grows, if it will have to before long.
    pub(super) fn bytes_soon(&self) -> usize {
        let slots = self.met.capacity();
        let grows = self.met.len() + (POLL as usize) * 32 > slots;
        slots * (size_of::<u128>() + 1) * 8 / 7 * if grows { 3 } else { 1 }
    }
}
