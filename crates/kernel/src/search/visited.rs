//! The visited positions.

use std::hint::black_box;

use crate::perft::POLL;

/// The keys of the positions that a search has visited, each with a mark.
///
/// A hash table with open addressing that doubles when it is two thirds full. The low bits of a key
/// give its slot; if that is taken, the next free one after it is used. Most look-ups touch one
/// cache line.
pub(crate) struct Visited<Mark = ()> {
    /// Keys; 0 is a free slot.
    slots: Vec<u128>,
    /// By slot.
    marks: Vec<Mark>,
    len: usize,
}

/// The initial number of slots.
const FEWEST: usize = 1 << 10;

impl<Mark: Copy + Default> Default for Visited<Mark> {
    fn default() -> Self {
        Self { slots: vec![0; FEWEST], marks: vec![Mark::default(); FEWEST], len: 0 }
    }
}

impl Visited {
    /// Inserts a position. False if it was visited before.
    #[inline]
    pub(crate) fn insert(&mut self, key: u128) -> bool {
        self.mark(key, ())
    }
}

impl<Mark: Copy + Default> Visited<Mark> {
    /// Forgets all positions.
    pub(crate) fn clear(&mut self) {
        self.slots.truncate(FEWEST);
        self.slots.fill(0);
        self.marks.truncate(FEWEST);
        self.len = 0;
    }

    /// The mark of a position; none if it was not visited.
    #[inline]
    pub(crate) fn get(&self, key: u128) -> Option<Mark> {
        let slot = self.slot_of(key.max(1));
        (self.slots[slot] != 0).then(|| self.marks[slot])
    }

    /// Marks a position. False if it was visited before.
    #[inline]
    pub(crate) fn mark(&mut self, key: u128, mark: Mark) -> bool {
        if (self.len + 1) * 3 > self.slots.len() * 2 {
            self.grow();
        }
        // Key 0 marks free slots, so it counts as key 1. Of 2^128 keys that merges only one pair.
        let key = key.max(1);
        let slot = self.slot_of(key);
        self.marks[slot] = mark;
        let known = &mut self.slots[slot];
        if *known == key {
            return false;
        }
        *known = key;
        self.len += 1;
        true
    }

    /// Reads the slots of some positions, so that they are at hand when these are looked up. The
    /// memory of a large table is slow, but answers many reads at the same time.
    #[inline]
    pub(crate) fn read_ahead(&self, keys: &[u128]) {
        let last = self.slots.len() - 1;
        for &key in keys {
            let slot = key as usize & last;
            black_box((self.slots[slot] as u64, self.marks[slot]));
        }
    }

    /// The slot of a key, or the free slot for it.
    #[inline]
    fn slot_of(&self, key: u128) -> usize {
        let last = self.slots.len() - 1;
        let mut slot = key as usize & last;
        loop {
            let known = self.slots[slot];
            if known == key || known == 0 {
                return slot;
            }
            slot = (slot + 1) & last;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        let keys = std::mem::replace(&mut self.slots, vec![0; size]);
        let marks = std::mem::replace(&mut self.marks, vec![Mark::default(); size]);
        for (key, mark) in keys.into_iter().zip(marks) {
            if key != 0 {
                let slot = self.slot_of(key);
                self.slots[slot] = key;
                self.marks[slot] = mark;
            }
        }
    }

    /// Bytes in use; counts both tables when a resize is imminent.
    pub(crate) fn bytes_soon(&self) -> usize {
        let slots = self.slots.len();
        let grows = (self.len + (POLL as usize) * 32) * 3 > slots * 2;
        slots * (size_of::<u128>() + size_of::<Mark>()) * if grows { 3 } else { 1 }
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
