//! What the rules of a program do in the columns space.

use crate::card::CARDS;

/// Which cards of a column move as a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnUnit {
    /// The top card.
    Top,
    /// A run, by the index of its relation in [`ColumnsTables::runs`].
    Run(usize),
    /// Any face-up cards.
    Packet,
}

/// A rule that builds on columns.
#[derive(Debug)]
pub(super) struct Build {
    pub(super) rule: u8,
    pub(super) unit: ColumnUnit,
    /// The columns that cards come from, and for each column the columns that they go to.
    pub(super) from: u32,
    pub(super) targets: Vec<u32>,
    /// The columns that the card in the hand goes to.
    pub(super) from_hand: u32,
    /// For each card the cards that it may be put on as the lowest of a unit, and the cards that
    /// may go to an empty column.
    pub(super) under: [u64; CARDS],
    pub(super) space: u64,
    /// The most cards that its target may hold.
    pub(super) most: u8,
    /// The foundations that it brings cards back from.
    pub(super) back: u32,
}

/// A rule that takes complete sequences to foundations.
#[derive(Debug)]
pub(super) struct Completion {
    pub(super) rule: u8,
    pub(super) is_forced: bool,
    /// The index of the relation, and the cards that may be the lowest.
    pub(super) run: usize,
    pub(super) lowest: u64,
    pub(super) from: u32,
}

/// A rule that plays single cards to foundations.
#[derive(Debug)]
pub(super) struct Play {
    pub(super) rule: u8,
    pub(super) from: u32,
    /// Whether it plays the card in the hand.
    pub(super) from_hand: bool,
    /// The foundations that it plays to.
    pub(super) to: u32,
}

/// A rule that deals a row.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) rule: u8,
    /// The columns in their order.
    pub(super) to: Vec<u8>,
    /// Whether it passes over empty columns.
    pub(super) only_held: bool,
    /// How many of some columns must hold cards, and how many of some must not.
    pub(super) filled: Vec<(u32, u32)>,
    pub(super) vacant: Vec<(u32, u32)>,
}

/// A rule that gathers the cards of columns and deals them again.
#[derive(Debug)]
pub(super) struct Redeal {
    /// The columns that are gathered, and those that may get face-down cards.
    pub(super) gathered: u32,
    pub(super) hiding: u32,
    /// How many cards it can deal.
    pub(super) number: usize,
}

/// A rule that fills empty columns at once.
#[derive(Debug)]
pub(super) struct Refill {
    /// The columns that a card may come from, each before the next; none stands for the stock.
    pub(super) sources: Vec<Option<u8>>,
    pub(super) to: u32,
}

/// What a rule does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Something that is no step.
    Other,
    Build(usize),
    Completion(usize),
    Play(usize),
    Return(usize),
    Row(usize),
    Redeal(usize),
}
