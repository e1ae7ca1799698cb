//! What rules do: each kind of action with what it asks for.

use std::ops::Not;

use serde::{Deserialize, Serialize};

use super::condition::Sum;
use super::masks::{CardMask, PileMask};
use super::pile::Face;
use super::step::{End, Step};

/// What a rule does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
#[allow(clippy::large_enum_variant, reason = "a program has few rules, mostly of the largest kind")]
pub enum Action {
    /// One card, or several as a unit, from one pile to another.
    Move(MoveAction),
    /// Several cards go to foundations together or not at all.
    Joint(JointAction),
    /// Two cards that belong together leave their piles at the same time.
    Pair(PairAction),
    /// Cards that lie beside each other in a row leave their piles at the same time.
    Stretch(StretchAction),
    /// Cards that are worth more than a pile leave the game with all of its cards.
    Beat(BeatAction),
    /// Two cards change places.
    Swap(SwapAction),
    /// A face-down top card is turned face up (forced rules only; one instance a pile).
    TurnUp {
        /// Of any of these piles.
        turn_up: PileMask,
    },
    /// A fixed sequence of transfers without any choice: a row deal, a gather, a payment.
    Script {
        /// The transfers, in order.
        steps: Vec<Step>,
    },
}

impl Action {
    /// Whether [`Condition::Blocked`](super::Condition::Blocked) may ask for it.
    pub(crate) const fn can_be_blocked(&self) -> bool {
        matches!(self, Self::Move(_) | Self::Pair(_))
    }
}

/// The top cards of two piles (both not empty, tops different) change places.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwapAction {
    /// Any two of these piles.
    pub exchange: PileMask,
    /// Only two cards that lie alone, of which neither is wanted at the bottom of its own pile and
    /// each at the bottom of the other's.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub belong: bool,
    /// If there are sides, two: one card is of the first, the other of the second side, and both
    /// lie face up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<Side>,
}

/// One side of an exchange.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// Its piles; they are among those of the exchange.
    pub piles: PileMask,
    /// The cards that change places.
    pub cards: CardMask,
}

/// Cards go from one pile to another.
///
/// An instance is (source, number of cards, target). It is legal when
/// - the source is in `from`, holds `from_holds[0] ..= from_holds[1]` cards, and all piles of its
///   `yields_to` mask are empty;
/// - the target is in its `along` mask, is not the source, and holds `to_holds[0] ..= to_holds[1]`
///   cards;
/// - the cards are a unit as `cards` says, and all face up unless `cards` is `Count` or `All`, or
///   is `Top` or `Bottom` and `face` is `Up` (the card is turned up as it goes);
/// - the lowest card of the unit, or its top card if `laid_one_by_one` (the one that will touch the
///   target) or `by_top`, is in `which`;
/// - target empty: that card is in `space`, and `beside`, if given, takes it there; target not
///   empty and `build` given: the relation holds between it and the target's top card (which must
///   be face up);
/// - `build_order`: if true, the target's build order wants that card at the target's height, and
///   so each card of a unit in turn;
/// - it would fit the target's capacity;
/// - `prefer`: the card is not equal to the top card of that other pile (unless it comes from it);
/// - everything holds that `asks` asks for;
/// - a source whose build order `waits` has a bottom card that is not wanted there;
/// - the position changes: a whole pile does not go to an empty pile of the same class.
///
/// Of several empty targets of one class (of any class, with `first_vacant`), and, if
/// `build_order`, of several targets of one class with equal contents, only the first (in the order
/// of `to`) is an instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub struct MoveAction {
    /// The sources, in the order in which a forced rule looks at them.
    pub from: Vec<u8>,
    /// For each source: piles that must be empty before it may be used ("waste, or, when there is
    /// none, stock").
    pub yields_to: Vec<PileMask>,
    /// The targets, in the order in which a forced rule looks at them.
    pub to: Vec<u8>,
    /// For each source: the targets it may serve (the bit matrix of pile pairs).
    pub along: Vec<PileMask>,
    /// Fewest and most cards the source may hold.
    pub from_holds: [u16; 2],
    /// Fewest and most cards the target may hold before the move.
    pub to_holds: [u16; 2],
    /// Which cards move as a unit.
    pub cards: Unit,
    /// The cards that may be moved: the lowest card of a unit must be one of them.
    pub which: CardMask,
    /// The relation required on a target that is not empty.
    pub build: Option<u8>,
    /// The cards that an empty target takes.
    pub space: CardMask,
    /// What else decides which cards an empty target takes: the places beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<Beside>,
    /// Whether the target's build order must want the card.
    pub build_order: bool,
    /// Whether only the first of the empty targets may be filled.
    pub first_vacant: bool,
    /// A pile whose equal top card must be used first.
    pub prefer: Option<u8>,
    /// The lowest card of the unit (or its top card if `laid_one_by_one`) may be moved only while
    /// the top card of another source, face up, has this relation to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beaten_by: Option<u8>,
    /// Whether the cards are put down one by one, which reverses their order.
    pub laid_one_by_one: bool,
    /// Whether the top card of a whole pile decides where it may go (`All` only). It must lie face
    /// up.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub by_top: bool,
    /// How the cards lie afterwards.
    pub face: Face,
    /// For a forced rule: what the player chooses when there is more than one instance.
    pub choose: Choose,
    /// What few rules ask for.
    #[serde(default, skip_serializing_if = "Asks::is_empty")]
    pub asks: Asks,
}

/// What few moves ask for, each left out if nothing is asked.
///
/// "The card" is the lowest card of the unit, or its top card if `laid_one_by_one`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Asks {
    /// The card is also in this class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub which: Option<CardsByCounter>,
    /// If the target is empty, the card is also in this class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub space: Option<CardsByCounter>,
    /// If one of these relations holds between the two top cards of the target, one that does so
    /// also holds between the card and the top card. (Face-down cards have no relation.)
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub begun: Vec<u8>,
    /// For each target: the cards that it takes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub takes: Vec<CardMask>,
    /// For each target: piles one of which has a face-up card of the rank of the card; for no
    /// piles, any card will do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ranks_in: Vec<PileMask>,
    /// The source is one of these piles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<PilesByCounter>,
    /// The target is one of these piles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<PilesByCounter>,
    /// The target is the last pile of `to` that holds cards.
    #[serde(skip_serializing_if = "Not::not")]
    pub last_filled: bool,
    /// The target is the first of those piles of `to` that hold the fewest cards.
    #[serde(skip_serializing_if = "Not::not")]
    pub emptiest: bool,
    /// The cards that others may lie on: the top card of the target, and within a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub onto: Option<CardsByCounter>,
    /// What the unit may leave on its pile. It then consists of top cards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncovers: Option<Uncovers>,
    /// The target may also be covered, if it would be open without the source.
    #[serde(skip_serializing_if = "Not::not")]
    pub drops: bool,
    /// The most cards that the unit and the sequence on which it comes to lie may have together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest: Option<Longest>,
    /// What the face-up cards of the target are worth with the card that moves (`Top` only).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<Total>,
}

impl Asks {
    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The length of a sequence of face-up cards at the top of a pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Longest {
    /// The relation of a card to the one below it.
    pub relation: u8,
    /// The most cards.
    pub most: u16,
}

/// What cards are worth together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Total {
    /// The fewest.
    pub least: u16,
    /// The most.
    pub most: u16,
    /// What a card of each rank is worth.
    pub worth: Vec<u16>,
    /// Cards that are worth whatever makes the total right.
    pub wild: CardMask,
}

/// What a unit of top cards may uncover. Any of these is enough.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Uncovers {
    /// Nothing: the pile is empty afterwards.
    #[serde(skip_serializing_if = "Not::not")]
    pub nothing: bool,
    /// A face-down card.
    #[serde(skip_serializing_if = "Not::not")]
    pub hidden: bool,
    /// A face-up card of this class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<CardMask>,
    /// A face-up card that the build order of one of these piles wants.
    #[serde(skip_serializing_if = "PileMask::is_empty")]
    pub wanted_by: PileMask,
    /// No card of the same run: nothing, a face-down card, or one on which the unit could not lie
    /// as part of it (`Run` only).
    #[serde(skip_serializing_if = "Not::not")]
    pub whole_run: bool,
}

/// A class of cards that depends on a counter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardsByCounter {
    /// The counter.
    pub counter: u8,
    /// The class for each value, from 0 on; for greater values no card.
    pub cards: Vec<CardMask>,
}

/// Piles that depend on a counter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PilesByCounter {
    /// The counter.
    pub counter: u8,
    /// The piles for each value, from 0 on; for greater values none.
    pub piles: Vec<PileMask>,
}

/// What an empty pile takes by the piles beside it.
///
/// A pile with neighbours takes the cards that are in the relation to the face-up top card of one
/// of them, as if they were laid on it. A pile without neighbours takes the cards of `edge`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beside {
    /// The neighbours; any of them is enough.
    pub neighbours: Vec<Neighbours>,
    /// The cards that a pile without neighbours takes.
    pub edge: CardMask,
}

/// Piles that lie beside others, and the relation of their cards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Neighbours {
    /// (pile, its neighbour).
    pub pairs: Vec<[u8; 2]>,
    /// The relation of a card of the pile to the top card of the neighbour.
    pub relation: u8,
}

/// Which cards move as a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Unit {
    /// The top card.
    Top,
    /// Any number of top cards (`least ..= most`) that are face up and each in the relation to the
    /// one below it.
    Run {
        /// The relation of a card to the card it lies on within the unit.
        relation: u8,
        /// Fewest cards.
        least: u16,
        /// Most cards.
        most: u16,
    },
    /// Any number of face-up top cards.
    Packet,
    /// Exactly this number of top cards, or all if there are fewer. The player has no choice.
    Count {
        /// How many.
        number: u16,
    },
    /// The whole pile.
    All,
    /// All top cards that are face up and each in the relation to the one below it: as many as
    /// there are, no fewer.
    Longest {
        /// The relation of a card to the card it lies on within the unit.
        relation: u8,
    },
    /// Any one face-up card, whatever lies on it. The count of a move says where it lies: 1 is the
    /// top card.
    Any {
        /// The only place where it may lie, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        place: Option<Place>,
    },
    /// The bottom card, whatever lies on it. The count of a move is that of the pile.
    Bottom,
}

impl Unit {
    /// Whether one card moves, wherever it lies.
    pub const fn is_one(&self) -> bool {
        matches!(self, Self::Top | Self::Any { .. } | Self::Bottom)
    }

    /// Whether only the top card moves.
    pub const fn is_top(&self) -> bool {
        matches!(self, Self::Top | Self::Count { number: 1 })
    }
}

/// A place in a pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The number of the card at this place, from 1 on.
    pub number: u16,
    /// The end from which it is counted.
    pub end: End,
}

impl Place {
    /// The place counted from the top, in a pile with so many cards; none if there are too few.
    pub(crate) fn depth(self, cards: usize) -> Option<usize> {
        let number = usize::from(self.number);
        match self.end {
            End::Top => (number <= cards).then_some(number),
            End::Bottom => (cards + 1).checked_sub(number).filter(|&depth| depth > 0),
        }
    }
}

/// What the player chooses when a forced rule has several instances.
///
/// A forced rule with `None` is carried out with the first source (in the order of `from`) that has
/// an instance and its first target. With `Card`, the first target (in the order of `to`) that has
/// an instance is fixed and the player chooses the source; with `Place`, the first source is fixed
/// and the player chooses the target; with `Any`, all instances are offered. One instance is no
/// choice and is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Choose {
    /// Nothing.
    None,
    /// The card (source) for the first target.
    Card,
    /// The place (target) for the first source.
    Place,
    /// Source and target.
    Any,
}

/// Cards that go to foundations together or not at all: couples, pairs.
///
/// An instance picks one pile for each part (two parts over the same piles: the first pile's index
/// is the smaller). The cards of each picked pile go onto piles of `to`, each onto the
/// first pile whose build order wants it, in some order in which every one is accepted (orders are
/// tried: parts in order, top card first; then, unless they go `in_turn`, the permutations of
/// that).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointAction {
    /// One or two parts.
    pub together: Vec<Part>,
    /// The piles that take the cards (each has a build order).
    pub to: Vec<u8>,
    /// Only while no part can go up alone.
    pub only_if_blocked: bool,
    /// Whether the cards of the first part go first.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub in_turn: bool,
    /// The set that the cards must be.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    pub matching: Option<CardSet>,
}

/// Cards that belong together go from their piles to another one: pairs that leave the game.
///
/// An instance picks up to four piles. It is legal when each two are partners, all piles of their
/// `yields_to` masks are empty, their top cards lie face up, and these are a pair (the relation
/// holds between them in one order or the other) or one of `sets`. The top two cards of a pile of
/// `deep` may leave as a pair, too. The lowest card (by its number) goes first; of one pile, the
/// top card.
///
/// Instances are listed by their lowest pile. For each: its top card alone, its top two cards, then
/// all sets with higher piles, a set always directly before those that begin with the same piles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairAction {
    /// The piles that the two cards may come from.
    pub from: Vec<u8>,
    /// For each of these: the piles that the other card may come from. The relation is symmetric.
    pub partners: Vec<PileMask>,
    /// For each of these: piles that must be empty before its card may be taken.
    pub yields_to: Vec<PileMask>,
    /// The relation in which two cards must be; `None` if only `sets` leave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pair: Option<u8>,
    /// The pile that takes them.
    pub to: u8,
    /// Other cards that may leave together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<CardSet>,
    /// Piles whose top two cards may leave as a pair.
    #[serde(default, skip_serializing_if = "PileMask::is_empty")]
    pub deep: PileMask,
}

/// Cards that belong together. Everything that is given must hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardSet {
    /// The fewest and the most cards, 1 to 4.
    pub size: [u8; 2],
    /// In some order, each card has this relation to the one before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<u8>,
    /// Each two cards have this relation, in one order or the other.
    #[serde(rename = "every", default, skip_serializing_if = "Option::is_none")]
    pub each: Option<u8>,
    /// One card of each of these classes, and no other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cards: Vec<CardMask>,
    /// What the cards add up to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sum: Option<Sum>,
}

/// The top cards of piles that follow one another in a row go to another pile.
///
/// An instance is the first and the last pile of a stretch of `number[0] ..= number[1]` piles. It
/// is legal when all of them hold cards, their top cards lie face up and
/// - `around`: so do the piles before and after the stretch, and the relation holds between their
///   top cards in one order or the other;
/// - `sums`, unless there are none: the cards are `worth` one of these together.
///
/// The cards go one by one, first to last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StretchAction {
    /// The places of the row, first to last.
    pub piles: Vec<u8>,
    /// Fewest and most cards.
    pub number: [u16; 2],
    /// The relation of the cards at both sides.
    pub around: Option<u8>,
    /// What the cards may be worth together.
    pub sums: Vec<u16>,
    /// What a card of each rank is worth.
    pub worth: Vec<u16>,
    /// The pile that takes them.
    pub to: u8,
}

/// The top cards of some piles beat another pile: they and all of its cards go to a pile.
///
/// An instance is a set of piles `with` cards, of `number[0] ..= number[1]` piles, and a pile to
/// `beat`. It is legal when all of them hold cards, the top cards of the set lie face up and
/// - the beaten pile lies face up, and the top cards of the set are `worth` more than all its cards
///   with the face-up cards of the piles that back it; or
/// - `blind`: cards of the beaten pile lie face down. If the set is not worth more than all of them
///   (with those that back it), only its cards go, and the beaten pile is turned face up.
///
/// The cards of the set go first, the lowest (by its number) before the others, then those of the
/// beaten pile as they lie.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BeatAction {
    /// The piles that may be beaten.
    pub beat: Vec<u8>,
    /// The piles whose top cards beat them; the first and the last are at most 7 apart.
    pub with: Vec<u8>,
    /// Fewest and most cards that beat a pile.
    pub number: [u8; 2],
    /// What a card of each rank is worth.
    pub worth: Vec<u16>,
    /// For each pile that may be beaten: those that back it.
    pub backing: Vec<PileMask>,
    /// Whether cards may be tried against those that lie face down.
    pub blind: bool,
    /// The pile that takes the cards.
    pub to: u8,
}

/// One part of a joint action: a pile of which a number of cards is taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The piles it may be.
    pub from: Vec<u8>,
    /// The number of cards the pile must hold; all of them go (1 or 2). With 0 it may hold any
    /// number, and its top card goes.
    pub holds: u16,
    /// The fewest cards that the pile may hold.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub least: u16,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
const fn is_zero(number: &u16) -> bool {
    *number == 0
}
