//! A turn of a strategy as data: what it is given, what it leaves and what it found.

use crate::position::moves::Move;
use crate::search::budget::Interrupted;
use crate::search::proof::Proof;

/// One turn: a way of searching and how far it goes, whatever the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Which of the turns of a round.
    pub(crate) index: usize,
    pub(crate) round: u32,
    pub(crate) share: u64,
    pub(crate) carry: Carryover,
}

/// What a turn leaves to the same turn of the next round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Carryover {
    /// There is no use in another turn.
    pub(crate) retired: bool,
    /// It was retired for want of memory.
    pub(crate) full: bool,
    /// The abstract games below this level are won.
    pub(crate) level: usize,
    /// The space of what it tells apart was searched to its end, without a win.
    pub(crate) exhausted: bool,
}

/// A turn that was taken.
pub(crate) struct TurnResult {
    pub(crate) found: Result<Finding, Interrupted>,
    pub(crate) nodes: u64,
    pub(crate) carry: Carryover,
}

/// What a turn is good for.
pub(crate) enum Finding {
    Line(Vec<Move>),
    Loss(Proof),
    /// Nothing, and whether more nodes could find more.
    Nothing {
        is_cut_short: bool,
    },
}

/// Where in the sequence of turns a search stands.
///
/// It belongs to a program, a position and options, but for the budget. With any other it makes no
/// verdict wrong; turns may be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    pub(crate) round: u32,
    pub(crate) index: usize,
    pub(crate) share: u64,
    /// Nodes of the turns before.
    pub(crate) nodes: u64,
    pub(crate) strategy: &'static str,
    /// Whether some turn of this round could find more in a longer round.
    pub(crate) is_cut_short: bool,
    pub(crate) carries: Vec<Carryover>,
}
