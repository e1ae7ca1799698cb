//! The steps of a script.

use std::ops::Not;

use serde::{Deserialize, Serialize};

use super::condition::Quantity;
use super::masks::{CardMask, PileMask};
use super::pile::Face;

/// One transfer of a script or of the layout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Step {
    /// Deals top cards of `from` one by one: `each` cards on every pile of `to` in that order (a
    /// pile may be listed repeatedly). Stops when there are no more cards. Skips closed piles, and
    /// those that `only` excludes.
    Deal {
        /// The pile dealt from.
        from: u8,
        /// Piles dealt from when those before them are empty.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        then: Vec<u8>,
        /// The piles dealt to, in order.
        to: Vec<u8>,
        /// The number of cards per visit.
        each: u16,
        /// Which way up they lie.
        face: Face,
        /// The piles that get cards, by what they hold when it is their turn.
        #[serde(default, skip_serializing_if = "DealtTo::is_any")]
        only: DealtTo,
        /// A relation that keeps cards apart: a card that may lie on some card of the pile by this
        /// relation goes under the pile dealt from, and the next one is tried. If none of them
        /// fits, the first one is dealt.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        apart: Option<u8>,
        /// Lines of piles, if only empty piles are dealt to: the first pile of each line that is
        /// empty when the deal begins stays empty.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        leave: Vec<Vec<u8>>,
        /// What few deals ask for.
        #[serde(default, skip_serializing_if = "DealTerms::is_empty")]
        terms: DealTerms,
    },
    /// Cards are taken from one end of a pile as a block and put at one end of another, or at the
    /// other end of the same pile: then as they are, neither `turned` nor with another `face`.
    Take {
        /// The pile taken from.
        from: u8,
        /// How many; all if there are fewer.
        number: Quantity,
        /// The end they are taken from.
        end: End,
        /// The pile they go to.
        to: u8,
        /// The end they are put at.
        at: End,
        /// Whether the block is listed in reverse order afterwards (a packet turned over, or cards
        /// dealt one by one).
        turned: bool,
        /// Which way up they lie.
        face: Face,
    },
    /// Whole piles, one after the other, are put under (`Bottom`) or on (`Top`) a pile.
    Gather {
        /// The piles, in the order in which they are taken up.
        piles: Vec<u8>,
        /// The pile they go to.
        to: u8,
        /// The end they are put at.
        at: End,
        /// Whether each pile is listed in reverse order afterwards.
        turned: bool,
        /// Which way up they lie.
        face: Face,
        /// The piles that are not taken up.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        keep: Option<Runs>,
    },
    /// Deals the top card of `from` face up by its class: the first way whose class has the card
    /// decides. The card goes to the first empty pile of its `to`, or else to its `overflow`.
    /// Repeats until `from` is empty or none of the piles of `until` is. If `until`
    /// names no pile, deals one card.
    Route {
        /// The pile dealt from.
        from: u8,
        /// The ways, by class of card.
        ways: Vec<Way>,
        /// Piles that stop the repetition when none is empty any more.
        until: PileMask,
    },
    /// The piles of a row close up: whole piles move to the front, over the empty places, and
    /// remain in their order.
    CloseUp {
        /// The places, first to last.
        piles: Vec<u8>,
    },
    /// Turns the cards of each pile up or down.
    Turn {
        /// The piles.
        piles: Vec<u8>,
        /// Which way up they lie afterwards.
        face: Face,
        /// Whether each pile is turned over as a block, so that its bottom card comes to the top.
        turned: bool,
    },
    /// In each pile, top cards of a class go to the bottom one by one, until a card of another
    /// class is on top, at most once each.
    Slip {
        /// The piles.
        piles: Vec<u8>,
        /// The class.
        cards: CardMask,
    },
    /// Carries out one of some steps that move cards: the first if the counter is 0, and so on;
    /// none for a greater value.
    ByCounter {
        /// The counter.
        counter: u8,
        /// The steps: `Deal`, `Take`, `Gather`, `Turn` or `Pick`.
        steps: Vec<Self>,
    },
    /// Closes each pile (it takes no more dealt cards) if its partner's build order is complete,
    /// and opens it otherwise.
    Close {
        /// (pile, partner).
        pairs: Vec<[u8; 2]>,
    },
    /// In each pile, the cards of a class go to the bottom. These and the others keep their order.
    Sink {
        /// The piles.
        piles: Vec<u8>,
        /// The class.
        cards: CardMask,
    },
    /// Takes the first card of a class, from the top, out of a pile and puts it on another.
    Pick {
        /// The pile it is taken from.
        from: u8,
        /// The class.
        cards: CardMask,
        /// The pile it goes to.
        to: u8,
        /// Which way up it lies.
        face: Face,
    },
    /// Sets a counter to the rank (0 .. 12) of a pile's top card.
    Base {
        /// The counter.
        counter: u8,
        /// The pile.
        of: u8,
    },
    /// Shuffles a pile; its cards lie face down afterwards. The order follows from the deck that
    /// was dealt, from the number of shuffles made before, and from which cards they are, but not
    /// from their order before (`docs/deals.md`).
    Shuffle {
        /// The pile.
        pile: u8,
        /// The counter of the shuffles made, which grows by one.
        counter: u8,
    },
    /// Carries out forced rules until none applies (layout only).
    Settle,
}

/// What few deals ask for, each left out if nothing is asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DealTerms {
    /// Cards that go up instead of being dealt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goes_up: Option<GoesUp>,
    /// A pile gets cards only while it holds fewer than this number (`Fixed` or `Times`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up_to: Option<Quantity>,
    /// Whether each card goes to the pile with the fewest cards among those that take one, to the
    /// first of several; this goes on until none takes a card. There is a number in `up_to` then.
    #[serde(skip_serializing_if = "Not::not")]
    pub emptiest_first: bool,
    /// Piles that get no card because of the sequence at their top.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passes_over: Option<Ending>,
}

impl DealTerms {
    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A sequence of face-up cards at the top of a pile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ending {
    /// The relation of a card to the one below it.
    pub relation: u8,
    /// The cards of which one is the lowest of the sequence.
    pub cards: CardMask,
    /// Whether the sequence is the whole pile.
    pub whole: bool,
}

/// Cards that go up when they are dealt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoesUp {
    /// The class of cards.
    pub cards: CardMask,
    /// The piles that take them, each card the first whose build order wants it.
    pub to: Vec<u8>,
    /// Whether the next card is dealt in place of such a card.
    pub replaced: bool,
}

/// The piles at the beginning of lines whose cards lie face up and in order, up to the first pile
/// that is empty or has a card out of order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Runs {
    /// The lines, each with its piles in order; a pile is in one line at most.
    pub lines: Vec<Vec<u8>>,
    /// The cards that a run may begin with.
    pub cards: CardMask,
    /// The relation of a card to the one before it.
    pub relation: u8,
}

/// Which piles are dealt to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DealtTo {
    /// All.
    #[default]
    Any,
    /// Those that are empty.
    Vacant,
    /// Those that hold cards.
    Occupied,
}

impl DealtTo {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
    const fn is_any(&self) -> bool {
        matches!(self, Self::Any)
    }
}

/// Where a class of cards goes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Way {
    /// The class.
    pub cards: CardMask,
    /// The first empty one of these, in order.
    pub to: Vec<u8>,
    /// The pile for the card if none is empty.
    pub overflow: u8,
}

/// An end of a pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// The top: the last card listed.
    Top,
    /// The bottom: the first card listed.
    Bottom,
}
