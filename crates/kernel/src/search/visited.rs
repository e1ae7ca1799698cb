//! The keys of the positions met.

use crate::perft::POLL;

/// The positions that a search has met.
///
/// One row of slots, twice as long whenever it is two thirds full; a key lies at the place that its
/// low bits say, or at the next free one after it. A look-up touches one line of memory, mostly.
pub(crate) struct Visited {
    /// Keys; 0 is a free slot.
    slots: Vec<u128>,
    met: usize,
}

/// Slots at first.
const FEWEST: usize = 1 << 10;

impl Default for Visited {
    fn default() -> Self {
        Self { slots: vec![0; FEWEST], met: 0 }
    }
}

impl Visited {
    /// Notes a position; false if it was met before.
    #[inline]
    pub(crate) fn insert(&mut self, key: u128) -> bool {
        if (self.met + 1) * 3 > self.slots.len() * 2 {
            self.grow();
        }
        // Of 2^128 keys, one that stands for two is no worse.
        let key = key.max(1);
        let slot = self.slot_of(key);
        if self.slots[slot] == key {
            return false;
        }
        self.slots[slot] = key;
        self.met += 1;
        true
    }

    /// Where a key lies or belongs.
    #[inline]
    fn slot_of(&self, key: u128) -> usize {
        let last = self.slots.len() - 1;
        let mut slot = key as usize & last;
        while self.slots[slot] != 0 && self.slots[slot] != key {
            slot = (slot + 1) & last;
        }
        slot
    }

    #[cold]
    fn grow(&mut self) {
        let longer = vec![0; self.slots.len() * 2];
        for key in std::mem::replace(&mut self.slots, longer) {
            if key != 0 {
                let slot = self.slot_of(key);
                self.slots[slot] = key;
            }
        }
    }

    /// Bytes in use; counts both tables when a resize is imminent.
    pub(crate) fn bytes_soon(&self) -> usize {
        let slots = self.slots.len();
        let grows = (self.met + (POLL as usize) * 32) * 3 > slots * 2;
        slots * size_of::<u128>() * if grows { 3 } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::Visited;
    use crate::random::SplitMix64;

    #[test]
    fn what_was_met_is_met_again() {
        let mut visited = Visited::default();
        let key = |number| u128::from(SplitMix64::new(number).next());
        assert!((0..10_000).all(|number| visited.insert(key(number))));
        assert!((0..10_000).all(|number| !visited.insert(key(number))));
        assert!(visited.insert(0) && !visited.insert(0));
    }
}
