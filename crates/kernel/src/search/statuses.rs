//! What is known of positions: whether they can be won, as far as a search found out.

use crate::search::visited::Visited;

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
#[derive(Default)]
pub(crate) struct Statuses {
    /// Marks: 0 for dead, 1 for alive, else the number of an open position and 2.
    visited: Visited<u32>,
}

/// The marks of dead and of open positions; that of alive ones is between them.
const DEAD: u32 = 0;
const FIRST_OPEN: u32 = 2;

impl Statuses {
    /// What is known of a position; none if it was not visited.
    #[inline]
    pub(crate) fn get(&self, key: u128) -> Option<Status> {
        self.visited.get(key).map(|mark| match mark {
            DEAD => Status::Dead,
            mark if mark < FIRST_OPEN => Status::Alive,
            mark => Status::Open((mark - FIRST_OPEN) as usize),
        })
    }

    /// Notes what is known of a position.
    #[inline]
    pub(crate) fn set(&mut self, key: u128, status: Status) {
        let mark = match status {
            Status::Dead => DEAD,
            Status::Alive => DEAD + 1,
            // Memory does not suffice for so many that they would not fit.
            Status::Open(number) => (number as u32).saturating_add(FIRST_OPEN),
        };
        self.visited.mark(key, mark);
    }

    /// Reads what is known of some positions, so that it is at hand soon.
    #[inline]
    pub(crate) fn read_ahead(&self, keys: &[u128]) {
        self.visited.read_ahead(keys);
    }

    /// Bytes in use; counts both tables when a resize is imminent.
    pub(crate) fn bytes_soon(&self) -> usize {
        self.visited.bytes_soon()
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
