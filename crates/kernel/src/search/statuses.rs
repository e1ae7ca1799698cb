//! What is known of positions: whether they can be won, as far as a search found out.

use crate::perft::POLL;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// It cannot be won.
    Dead,
    /// It can be won.
    Alive,
    /// It is being searched; with its number in that search.
    Open(usize),
}

/// The positions that a search has visited, with what is known of each.
///
/// A hash table with open addressing that doubles when it is two thirds full, like
/// [`Visited`](crate::search::visited::Visited).
pub(crate) struct Statuses {
    /// Keys; 0 is a free slot.
    slots: Vec<u128>,
    /// By slot: 0 for dead, 1 for alive, else the number of an open position and 2.
    marks: Vec<u32>,
    len: usize,
}

/// The initial number of slots.
const FEWEST: usize = 1 << 10;
/// The marks of dead and of open positions; that of alive ones is between them.
const DEAD: u32 = 0;
const FIRST_OPEN: u32 = 2;

impl Default for Statuses {
    fn default() -> Self {
        Self { slots: vec![0; FEWEST], marks: vec![0; FEWEST], len: 0 }
    }
}

impl Statuses {
    /// What is known of a position; none if it was not visited.
    #[inline]
    pub(crate) fn get(&self, key: u128) -> Option<Status> {
        let slot = self.slot_of(key.max(1));
        (self.slots[slot] != 0).then(|| match self.marks[slot] {
            DEAD => Status::Dead,
            mark if mark < FIRST_OPEN => Status::Alive,
            mark => Status::Open((mark - FIRST_OPEN) as usize),
        })
    }

    /// Notes what is known of a position.
    #[inline]
    pub(crate) fn set(&mut self, key: u128, status: Status) {
        if (self.len + 1) * 3 > self.slots.len() * 2 {
            self.grow();
        }
        // Key 0 marks free slots, so it counts as key 1. Of 2^128 keys that merges only one pair.
        let key = key.max(1);
        let slot = self.slot_of(key);
        if self.slots[slot] == 0 {
            self.slots[slot] = key;
            self.len += 1;
        }
        self.marks[slot] = match status {
            Status::Dead => DEAD,
            Status::Alive => DEAD + 1,
            // Memory does not suffice for so many that they would not fit.
            Status::Open(number) => (number as u32).saturating_add(FIRST_OPEN),
        };
    }

    /// The slot of a key, or the free slot for it.
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
        let size = self.slots.len() * 2;
        let keys = std::mem::replace(&mut self.slots, vec![0; size]);
        let marks = std::mem::replace(&mut self.marks, vec![0; size]);
        for (key, mark) in keys.into_iter().zip(marks).filter(|&(key, _)| key != 0) {
            let slot = self.slot_of(key);
            self.slots[slot] = key;
            self.marks[slot] = mark;
        }
    }

    /// Bytes in use; counts both tables when a resize is imminent.
    pub(crate) fn bytes_soon(&self) -> usize {
        let slots = self.slots.len();
        let grows = (self.len + (POLL as usize) * 32) * 3 > slots * 2;
        slots * (size_of::<u128>() + size_of::<u32>()) * if grows { 3 } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::{Status, Statuses};
    use crate::random::SplitMix64;

    #[test]
    fn statuses_are_found_again() {
        let mut statuses = Statuses::default();
        let key = |number| u128::from(SplitMix64::new(number).next());
        let status = |number: u64| match number % 3 {
            0 => Status::Dead,
            1 => Status::Alive,
            _ => Status::Open(number as usize),
        };
        assert_eq!(statuses.get(0), None);
        for number in 0..10_000 {
            statuses.set(key(number), Status::Open(0));
            statuses.set(key(number), status(number));
        }
        assert!((0..10_000).all(|number| statuses.get(key(number)) == Some(status(number))));
        assert!((10_000..20_000).all(|number| statuses.get(key(number)).is_none()));
    }
}
