//! Answers of the test whether locks are deadlocked, since most steps change no lock.

/// The number of keys of locks that are remembered.
const KNOWN: usize = 1 << 12;

/// The last answers, by the last bits of keys of locks. The last bit of an entry is the answer.
pub(crate) struct KnownLocks {
    entries: Box<[u128]>,
    /// Whether deadlocks are remembered, too: if keys take cards for the same that the rules
    /// distinguish, only locks that are not deadlocked are.
    is_exact: bool,
}

impl KnownLocks {
    pub(crate) fn new(is_exact: bool) -> Self {
        Self { entries: vec![0; KNOWN].into(), is_exact }
    }

    /// Whether locks with a key are deadlocked, if that is known.
    pub(crate) fn get(&self, key: u128) -> Option<bool> {
        let known = self.entries[key as usize % KNOWN];
        ((known ^ key) >> 1 == 0).then_some(known & 1 != 0)
    }

    /// Remembers whether locks with a key are deadlocked.
    pub(crate) fn set(&mut self, key: u128, is_deadlocked: bool) {
        if self.is_exact || !is_deadlocked {
            self.entries[key as usize % KNOWN] = key & !1 | u128::from(is_deadlocked);
        }
    }
}
