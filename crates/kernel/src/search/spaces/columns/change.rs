//! What a step changes.

/// Cards that move from a column to another one.
#[derive(Clone, Copy)]
pub(super) struct Moved {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) count: usize,
}

/// One part of what a step changed.
#[derive(Clone, Copy)]
pub(super) enum Change {
    /// Cards moved, when a column had been written so often.
    Moved(Moved, u32),
    TurnedUp {
        column: u8,
    },
    Completed {
        column: u8,
    },
    Dealt {
        column: u8,
    },
    /// An empty column was filled from another one.
    Filled {
        column: u8,
        from: u8,
    },
    WentUp {
        column: u8,
        foundation: u8,
    },
    /// The card in the hand went to a foundation.
    WentUpFromHand {
        foundation: u8,
    },
    /// A card came back from a foundation.
    CameBack {
        column: u8,
        foundation: u8,
    },
    /// The cards of columns were gathered and dealt again.
    Redealt,
}
