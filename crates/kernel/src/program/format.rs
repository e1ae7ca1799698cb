//! The program: a game as tables.
//!
//! The compiler in `python/cadogan/rules/compile/` turns a rulebook into a program. It is all
//! that the kernel sees of a game. It holds no code: piles, bit masks, relations between two cards
//! evaluated beforehand, scripts of card transfers, and rules that are closed enums. Its written
//! form is JSON (UTF-8 bytes): masks are hexadecimal strings, piles and cards are small numbers.
//!
//! A *card* is `rank * 4 + suit` with ranks `A = 0 .. K = 12` and suits `C D H S = 0 .. 3`. Cards
//! of several packs with the same face are the same card. A *pile* is an index into
//! [`Source::piles`]. Pile contents are listed bottom card first; the next card of a stock is its
//! last card.
//!
//! Nothing in here is trusted. [`crate::program::compiled::Program::new`] checks every index and
//! bound before a position can exist.

use std::ops::Not;

use serde::{Deserialize, Serialize};

/// The version of the format written in [`Source::format`].
pub const FORMAT: u32 = 2;

/// A set of cards: bit `card` of a 52-bit mask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CardMask(pub u64);

/// A set of piles: bit `pile` of a 128-bit mask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PileMask(pub u128);

impl PileMask {
    /// Whether it has no pile.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    pub const fn is_empty(&self) -> bool {
        self.0 == 0
    }
}

/// A whole game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Version of this format, [`FORMAT`].
    pub format: u32,
    /// The cards that are shuffled and dealt, as a sorted multiset.
    pub deck: Vec<u8>,
    /// Cards withdrawn before the shuffle and put on piles, in order, face up.
    pub preset: Vec<Preset>,
    /// The pile that holds the shuffled pack when the layout begins (the first card of the deck in
    /// dealing order is its last card), face down.
    pub source_pile: u8,
    /// All piles.
    pub piles: Vec<Pile>,
    /// "May lie on" tables; `relations[r][under]` is the set of cards that may lie on `under`.
    pub relations: Vec<Vec<CardMask>>,
    /// What foundations take, by height.
    pub build_orders: Vec<BuildOrder>,
    /// Numbers that rules count with.
    pub counters: Vec<Counter>,
    /// The steps that lay out the table, in order.
    pub layout: Vec<Step>,
    /// If there are any, and all of them hold when the table is laid out, before forced rules of
    /// play, then the next shuffle of the deal is dealt instead. Decks that are given are dealt as
    /// they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deal_again: Vec<Condition>,
    /// All rules, in the order of the file.
    pub rules: Vec<Rule>,
    /// The game is won when all of these conditions hold. Only a game with a score may have none.
    pub aim: Vec<Condition>,
    /// The points of a game, if it is scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
}

/// A card that lies on a pile before the deal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// The card.
    pub card: u8,
    /// The pile it lies on.
    pub pile: u8,
}

/// A place for cards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pile {
    /// Its name, `garden.3`, or `stock` when its group has one pile.
    pub name: String,
    /// Piles of one class may be interchanged without changing the game; a pile that cannot be
    /// interchanged has a class of its own.
    pub class: u8,
    /// The most cards it can ever hold.
    pub capacity: u16,
    /// Index into [`Source::build_orders`], if the pile has a build order.
    pub build_order: Option<u8>,
    /// If there are any, its cards are *open* only while all piles of one of these sets are empty.
    /// Otherwise, no rule but a script moves them, puts cards on them or turns them up. A vacancy
    /// is always open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open_when: Vec<PileMask>,
}

/// What a foundation takes, card by card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub struct BuildOrder {
    /// The cards wanted at height 0, 1, 2, ... (all suits; the suit rule is `relation`).
    pub wants: Vec<CardMask>,
    /// Relation that the card must also have to the top card, usually "same suit".
    pub relation: Option<u8>,
    /// Counter with the base rank, if it becomes known only after the deal. The pile begins with a
    /// card of that rank and continues with the cards that follow it in `wants`, from the last one
    /// on with the first. While the counter is greater than 12, the base is not known yet: an empty
    /// pile wants every card of `wants`.
    pub base: Option<u8>,
    /// Whether a suit may begin on one pile only: an empty pile wants no card of a suit that lies
    /// at the bottom of another pile with this build order.
    pub one_suit_each: bool,
    /// Other ways to build a pile, as long as `wants`. The second card of a pile decides which way
    /// it is built.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ways: Vec<Vec<CardMask>>,
    /// Whether all piles are built the same way: that of the first of them with two cards.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub one_way: bool,
    /// Whether each pile begins with any card of `wants` and continues with those that follow it.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub own_base: bool,
    /// Whether a bottom card that is not wanted there may wait there. Nothing is wanted on it, and
    /// moves take only such cards from the pile.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub waits: bool,
}

/// A number that rules change and test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counter {
    /// Its name in the rules file.
    pub name: String,
    /// Its value when the layout begins.
    pub start: u16,
    /// It never exceeds this value, so that positions can repeat.
    pub cap: u16,
}

/// What a game is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// Whether many points are good, or few.
    pub aim: Better,
    /// The points at the beginning.
    pub start: i32,
    /// What points are given for.
    pub terms: Vec<Term>,
    /// The points from which a game counts as won when no move is left. Such a game has no other
    /// aim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub won_from: Option<i32>,
}

/// Which of two scores is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// The one with more points.
    Most,
    /// The one with fewer points.
    Fewest,
}

/// What points are given for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Term {
    /// Each card of a class in some piles. Face-down cards count only if the class has all cards.
    Cards {
        /// The piles.
        piles: PileMask,
        /// The class.
        cards: CardMask,
        /// The points for a card.
        points: i32,
    },
    /// The value of a counter.
    Counter {
        /// The counter.
        counter: u8,
        /// The points for each unit.
        points: i32,
    },
    /// Conditions that all hold.
    Bonus {
        /// The conditions.
        when: Vec<Condition>,
        /// The points.
        points: i32,
    },
    /// The best poker hand in each line, of the top cards of its piles.
    Poker {
        /// The lines.
        lines: Vec<Vec<u8>>,
        /// The points for a pair, two pairs, three of a kind, a straight, a flush, a full house,
        /// four of a kind, a straight flush, a royal flush.
        points: [i32; 9],
    },
    /// All that counts at cribbage in each line, of the top cards of its piles.
    Cribbage {
        /// The lines.
        lines: Vec<Vec<u8>>,
        /// The pile of the starter, which counts with each line.
        starter: Option<u8>,
        /// The points for cards that add up to fifteen, a pair, each card of a run, each card of a
        /// flush, the knave of the starter's suit, a knave as the starter.
        points: [i32; 6],
    },
}

/// When a forced rule is in force. Free rules are always `Play`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum During {
    /// Only while the table is laid out.
    Layout,
    /// Only after the layout.
    Play,
    /// Both.
    Always,
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Its name in the rules file.
    pub name: String,
    /// Forced rules are carried out automatically, before anything else may happen.
    pub forced: bool,
    /// When it is in force.
    pub during: During,
    /// It can be used only while all of these hold.
    pub when: Vec<Condition>,
    /// What it does.
    pub action: Action,
    /// What it does to counters, afterwards.
    pub effects: Vec<Effect>,
}

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
    /// The top cards of two piles (both not empty, tops different) change places.
    Swap {
        /// Any two of these piles.
        exchange: PileMask,
        /// Only two cards that lie alone, of which neither is wanted at the bottom of its own pile
        /// and each at the bottom of the other's.
        #[serde(default, skip_serializing_if = "Not::not")]
        belong: bool,
    },
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
    /// Whether [`Condition::Blocked`] may ask for it.
    pub(crate) const fn can_be_blocked(&self) -> bool {
        matches!(self, Self::Move(_) | Self::Pair(_))
    }
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
    #[serde(default, skip_serializing_if = "is_false")]
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
    /// The cards that others may lie on: the top card of the target, and within a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub onto: Option<CardsByCounter>,
    /// What the unit may leave on its pile. It then consists of top cards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncovers: Option<Uncovers>,
}

impl Asks {
    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What a unit of top cards may uncover. Any of these is enough.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Uncovers {
    /// Nothing: the pile is empty afterwards.
    #[serde(skip_serializing_if = "Not::not")]
    pub nothing: bool,
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
    Any,
    /// The bottom card, whatever lies on it. The count of a move is that of the pile.
    Bottom,
}

impl Unit {
    /// Whether one card moves, wherever it lies.
    pub const fn is_one(&self) -> bool {
        matches!(self, Self::Top | Self::Any | Self::Bottom)
    }
}

/// How cards lie after a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Face {
    /// As before.
    Keep,
    /// Face up.
    Up,
    /// Face down.
    Down,
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
/// tried: parts in order, top card first; then the permutations of that).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointAction {
    /// One or two parts.
    pub together: Vec<Part>,
    /// The piles that take the cards (each has a build order).
    pub to: Vec<u8>,
    /// Only while no part can go up alone.
    pub only_if_blocked: bool,
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

/// A sum of cards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sum {
    /// The sum.
    pub total: u16,
    /// The values of the thirteen ranks.
    pub values: Vec<u8>,
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

/// One part of a joint action: a pile of which a number of cards is taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The piles it may be.
    pub from: Vec<u8>,
    /// The number of cards the pile must hold; all of them go (1 or 2). With 0 it may hold any
    /// number, and its top card goes.
    pub holds: u16,
}

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
        /// The steps: `Deal`, `Take`, `Gather` or `Turn`.
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
}

impl DealTerms {
    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
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

/// A number of cards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Quantity {
    /// All there are.
    All,
    /// A fixed number.
    Fixed {
        /// How many.
        number: u16,
    },
    /// A multiple of a counter.
    Times {
        /// The factor.
        factor: u16,
        /// The counter.
        counter: u8,
    },
    /// A multiple of the number of cards of a class in a pile.
    Held {
        /// The factor.
        factor: u16,
        /// The class.
        cards: CardMask,
        /// The pile.
        pile: u8,
    },
    /// The fewest cards that include a certain number of cards of a class: a multiple of a counter.
    Until {
        /// The factor.
        factor: u16,
        /// The counter.
        counter: u8,
        /// The class that is counted. Cards of other classes in between are taken, too.
        cards: CardMask,
    },
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compare {
    /// Fewer than.
    Below,
    /// Exactly.
    Equal,
    /// As many or more.
    AtLeast,
}

/// A condition on a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Condition {
    /// At least this number of these piles are empty.
    Vacant {
        /// The piles.
        piles: PileMask,
        /// How many.
        number: u16,
    },
    /// At least this number of these piles hold a card.
    Filled {
        /// The piles.
        piles: PileMask,
        /// How many.
        number: u16,
    },
    /// At least this number of these piles hold so many cards of a class.
    Each {
        /// The piles.
        piles: PileMask,
        /// How many piles.
        number: u16,
        /// The class.
        cards: CardMask,
        /// The comparison of their number.
        compare: Compare,
        /// With this number.
        held: u16,
    },
    /// Compares the number of cards of a class in these piles.
    Holds {
        /// The piles.
        piles: PileMask,
        /// The class.
        cards: CardMask,
        /// The comparison.
        compare: Compare,
        /// With this number.
        number: u16,
    },
    /// The pile is not empty and its top card is of this class.
    Top {
        /// The pile.
        pile: u8,
        /// The class.
        cards: CardMask,
    },
    /// Compares a counter.
    Counter {
        /// The counter.
        counter: u8,
        /// The comparison.
        compare: Compare,
        /// With this number.
        number: u16,
    },
    /// Compares the number of cards in some piles with that in others.
    Size {
        /// The piles.
        piles: PileMask,
        /// The comparison.
        compare: Compare,
        /// With these piles.
        than: PileMask,
    },
    /// One of these conditions holds: the first if the counter is 0, and so on; none for a greater
    /// value. None of them is `AnyOf`, `Blocked` or `ByCounter`.
    ByCounter {
        /// The counter.
        counter: u8,
        /// The conditions.
        conditions: Vec<Self>,
    },
    /// At least one of these conditions holds. None of them is `AnyOf` or `Blocked`.
    AnyOf {
        /// The conditions.
        conditions: Vec<Self>,
    },
    /// The build orders of all these piles are complete.
    Complete {
        /// The piles.
        piles: PileMask,
    },
    /// The cards of each line lie face up and in order, and at least one line has cards. A line is
    /// read pile by pile, each from the bottom; piles after its first empty one must be empty, too.
    Ordered {
        /// The lines, each with its piles in order.
        lines: Vec<Vec<u8>>,
        /// The relation of a card to the one before it.
        relation: u8,
        /// The length of each sequence, if a line consists of sequences of equal length; 0 if it is
        /// a single sequence of any length.
        length: u16,
    },
    /// The score is at least this good: this many points, or more if more are better. Only the
    /// search asks for it.
    Score {
        /// The points.
        points: i64,
    },
    /// None of these rules (`Move` or `Pair` actions that themselves ask for no `Blocked`) has an
    /// instance from any of these piles.
    Blocked {
        /// The rules.
        rules: Vec<u8>,
        /// The sources that are tested.
        from: PileMask,
    },
}

/// What a rule does to a counter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Effect {
    /// The counter becomes this.
    Set {
        /// The counter.
        counter: u8,
        /// The value.
        value: u16,
    },
    /// The counter grows by this.
    Add {
        /// The counter.
        counter: u8,
        /// By how much.
        value: u16,
    },
    /// The counter grows by the number of moved cards of a class (`Move` actions only).
    Count {
        /// The counter.
        counter: u8,
        /// The class.
        cards: CardMask,
    },
    /// The counter becomes the rank (0 .. 12) of the moved card that now lies lowest (`Move`
    /// actions only).
    Rank {
        /// The counter.
        counter: u8,
        /// Whether it keeps a rank that it has, so that only values greater than 12 change.
        once: bool,
    },
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_false(value: &bool) -> bool {
    !*value
}

mod hex {
    use super::{CardMask, PileMask};
    use serde::Deserialize;
    use serde::Deserializer;
    use serde::Serialize;
    use serde::Serializer;
    use serde::de::Error;

    impl Serialize for CardMask {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(&format_args!("{:x}", self.0))
        }
    }

    impl<'de> Deserialize<'de> for CardMask {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let text = <&str>::deserialize(deserializer)?;
            u64::from_str_radix(text, 16)
                .map(Self)
                .map_err(|_| D::Error::custom("a card mask is a hexadecimal number of 64 bits"))
        }
    }

    impl Serialize for PileMask {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(&format_args!("{:x}", self.0))
        }
    }

    impl<'de> Deserialize<'de> for PileMask {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let text = <&str>::deserialize(deserializer)?;
            u128::from_str_radix(text, 16)
                .map(Self)
                .map_err(|_| D::Error::custom("a pile mask is a hexadecimal number of 128 bits"))
        }
    }
}
