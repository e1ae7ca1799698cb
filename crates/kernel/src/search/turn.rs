//! A turn of a strategy as data: its input, what it carries over, and its result.

use crate::position::moves::Move;
use crate::search::budget::Interrupted;
use crate::search::proof::Proof;

/// One turn: a strategy and its share, whatever the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Its index among the turns of a round.
    pub(crate) index: usize,
    pub(crate) round: u32,
    pub(crate) share: u64,
    pub(crate) carry: Carryover,
}

/// What a turn carries over to the same turn of the next round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub(crate) struct Carryover {
    /// Another turn is of no use.
    pub(crate) retired: bool,
    /// It was retired because it ran out of memory.
    pub(crate) full: bool,
    /// It was retired because the forced rules never end after some moves.
    pub(crate) forced_loop: bool,
    /// The abstract games below this level are won.
    pub(crate) level: usize,
    /// Its class-blind space was searched completely, without a win.
    pub(crate) exhausted: bool,
    /// The number of positions that it has visited, if it continues a search.
    pub(crate) spent: u64,
}

/// The result of a turn.
pub(crate) struct TurnResult {
    pub(crate) found: Result<Finding, Interrupted>,
    pub(crate) nodes: u64,
    pub(crate) carry: Carryover,
}

/// What a turn found.
pub(crate) enum Finding {
    Line(Vec<Move>),
    Loss(Proof),
    /// Nothing, and whether more nodes could find more.
    Nothing {
        is_cut_short: bool,
    },
}

/// The place of a search in its sequence of turns.
///
/// It belongs to a program, a position and options, except for the budget. With any others no
/// verdict becomes wrong, but turns may be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    pub(crate) round: u32,
    pub(crate) index: usize,
    pub(crate) share: u64,
    /// Nodes of all earlier turns.
    pub(crate) nodes: u64,
    pub(crate) strategy: &'static str,
    /// Whether some turn of this round could find more in a longer round.
    pub(crate) is_cut_short: bool,
    pub(crate) carries: Vec<Carryover>,
}
