//! How many packs a game of the card-links space has, and sets of its cards.
//!
//! Links distinguish cards, so the copies of a card have numbers of their own: those of the first
//! pack are numbered as everywhere, those of the second from 52 on. Which copy has which number
//! follows from the order of the piles at the root. Rules ask for the *face* of a card, which its
//! copies share, and sets of faces are masks of 64 bits as everywhere.
//!
//! *Copies count as the same card.* No rule distinguishes them, so two positions that differ by an
//! exchange of copies have the same moves, and keys are the same for both: piles are hashed by the
//! faces of their cards. What the foundations hold follows from how many copies of each card are
//! up, since all have one build order and begin with the same height. A card is wanted if more
//! copies of the one that must lie below it are up than of its own: then there is a foundation with
//! that card on top. A card comes back if more of its copies are up than of the next one; the space
//! does not know on which foundation which copy lies, and takes the first one that is up. In the
//! stock each card has a place of its own, so copies differ there.

use std::fmt::Debug;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Index, IndexMut, Not,
};
use std::sync::LazyLock;

use crate::bits::{bits, ones};
use crate::card::{SUITED, card};
use crate::position::state::State;
use crate::search::spaces::card_links::numbers::Numbers;

/// The most zones: groups of interchangeable piles that are not foundations.
pub(in crate::search::spaces) const ZONES: usize = 4;

/// A set of cards by their numbers.
pub(crate) trait CardSet:
    Copy
    + Debug
    + Default
    + Eq
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + 'static
{
    /// The set without cards.
    const NONE: Self;

    /// The set of one card.
    fn of(card: impl Into<usize>) -> Self;

    /// The set of the first cards.
    fn first(number: usize) -> Self;

    /// Whether a card is in the set.
    fn has(self, card: impl Into<usize>) -> bool;

    /// The cards, lowest numbers first.
    fn cards(self) -> impl Iterator<Item = usize>;

    /// The number of cards.
    fn count(self) -> u32;

    /// The card with the lowest number. The set must have one.
    fn lowest(self) -> u8;

    /// The card that so many others come before.
    fn nth(self, number: u32) -> Option<usize>;

    /// The card with the highest number.
    fn highest(self) -> Option<usize>;

    /// The mask.
    fn mask(self) -> u128;

    /// Whether there is no card.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// The cards in some of several sets.
    fn union(sets: impl IntoIterator<Item = Self>) -> Self {
        sets.into_iter().fold(Self::NONE, |all, set| all | set)
    }

    /// Appends the mask to packed bytes.
    fn pack(self, bytes: &mut Vec<u8>);

    /// Reads a mask from packed bytes.
    fn unpack(bytes: &mut &[u8]) -> Self;
}

/// Implements sets as masks of a width.
macro_rules! card_set {
    ($mask:ident, $cards:path) => {
        impl CardSet for $mask {
            const NONE: Self = 0;

            #[inline]
            fn of(card: impl Into<usize>) -> Self {
                1 << card.into()
            }

            #[inline]
            fn first(number: usize) -> Self {
                (1 << number) - 1
            }

            #[inline]
            fn has(self, card: impl Into<usize>) -> bool {
                self >> card.into() & 1 != 0
            }

            #[inline]
            fn cards(self) -> impl Iterator<Item = usize> {
                $cards(self)
            }

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn lowest(self) -> u8 {
                self.trailing_zeros() as u8
            }

            #[inline]
            fn nth(self, number: u32) -> Option<usize> {
                let rest = (0..number).fold(self, |rest, _| rest & rest.wrapping_sub(1));
                (rest != 0).then(|| rest.trailing_zeros() as usize)
            }

            #[inline]
            fn highest(self) -> Option<usize> {
                self.checked_ilog2().map(|card| card as usize)
            }

            #[inline]
            fn mask(self) -> u128 {
                u128::from(self)
            }

            #[inline]
            fn pack(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn unpack(bytes: &mut &[u8]) -> Self {
                Self::from_le_bytes(next(bytes))
            }
        }
    };
}

card_set!(u64, ones);
card_set!(u128, bits);

/// Reads the next bytes.
pub(super) fn next<const COUNT: usize>(bytes: &mut &[u8]) -> [u8; COUNT] {
    let mut here = [0; COUNT];
    let (first, rest) = bytes.split_at(COUNT);
    here.copy_from_slice(first);
    *bytes = rest;
    here
}

/// What a table may have for each card.
pub(crate) trait Value: Copy + Debug + Eq + Send + Sync + 'static {}

impl<T: Copy + Debug + Eq + Send + Sync + 'static> Value for T {}

/// The packs of a game.
pub(crate) trait Packs: Copy + Debug + Default + Eq + Ord + Send + Sync + 'static {
    /// A set of cards.
    type Set: CardSet;
    /// Something for each card.
    type Each<T: Value>: AsMut<[T]>
        + AsRef<[T]>
        + Copy
        + Debug
        + Eq
        + Index<usize, Output = T>
        + IndexMut<usize>
        + Send
        + Sync;

    /// The most copies of a card.
    const COPIES: usize;
    /// The number of bits of a card, or of what it lies on, in a step.
    const BITS: u32;
    /// The most cards of a game.
    const CARDS: usize = Self::COPIES * SUITED;

    /// What a card lies on: a card, the bottom of a pile of a zone (`BASE + zone`), or a
    /// foundation.
    const BASE: u8 = Self::CARDS as u8;
    /// The card lies on a foundation.
    const UP: u8 = Self::BASE + ZONES as u8;
    /// The card is not in the game.
    const ABSENT: u8 = Self::UP + 1;
    /// The number of these codes.
    const PLACES: usize = Self::ABSENT as usize + 1;

    /// The same for each card.
    fn each<T: Value>(value: T) -> Self::Each<T>;

    /// What a function gives for each card.
    fn each_by<T: Value>(value: impl FnMut(usize) -> T) -> Self::Each<T>;

    /// The face of a card.
    fn face(card: impl Into<usize>) -> usize;

    /// All copies of cards with certain faces.
    fn copies_of(faces: u64) -> Self::Set;

    /// The faces of some cards.
    fn faces(cards: Self::Set) -> u64;

    /// The faces of some cards, copy by copy.
    fn by_copy(cards: Self::Set) -> [u64; 2];

    /// The random numbers for keys.
    fn numbers() -> &'static Numbers;
}

/// A set of cards for each card.
pub(crate) type SetByCard<P> = Box<<P as Packs>::Each<<P as Packs>::Set>>;

/// Each card occurs once at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OnePack;

/// Each card occurs twice at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TwoPacks;

static ONE_PACK: LazyLock<Numbers> = LazyLock::new(numbers_for::<OnePack>);
static TWO_PACKS: LazyLock<Numbers> = LazyLock::new(numbers_for::<TwoPacks>);

fn numbers_for<P: Packs>() -> Numbers {
    Numbers::new(P::CARDS, ZONES, P::PLACES)
}

impl Packs for OnePack {
    type Set = u64;
    type Each<T: Value> = [T; SUITED];

    const COPIES: usize = 1;
    const BITS: u32 = 6;

    #[inline]
    fn each<T: Value>(value: T) -> [T; SUITED] {
        [value; SUITED]
    }

    fn each_by<T: Value>(value: impl FnMut(usize) -> T) -> [T; SUITED] {
        std::array::from_fn(value)
    }

    #[inline]
    fn face(card: impl Into<usize>) -> usize {
        card.into()
    }

    #[inline]
    fn copies_of(faces: u64) -> u64 {
        faces
    }

    #[inline]
    fn faces(cards: u64) -> u64 {
        cards
    }

    #[inline]
    fn by_copy(cards: u64) -> [u64; 2] {
        [cards, 0]
    }

    fn numbers() -> &'static Numbers {
        &ONE_PACK
    }
}

impl Packs for TwoPacks {
    type Set = u128;
    type Each<T: Value> = [T; 2 * SUITED];

    const COPIES: usize = 2;
    const BITS: u32 = 7;

    #[inline]
    fn each<T: Value>(value: T) -> [T; 2 * SUITED] {
        [value; 2 * SUITED]
    }

    fn each_by<T: Value>(value: impl FnMut(usize) -> T) -> [T; 2 * SUITED] {
        std::array::from_fn(value)
    }

    #[inline]
    fn face(card: impl Into<usize>) -> usize {
        let card = card.into();
        if card < SUITED { card } else { card - SUITED }
    }

    #[inline]
    fn copies_of(faces: u64) -> u128 {
        u128::from(faces) | u128::from(faces) << SUITED
    }

    #[inline]
    fn faces(cards: u128) -> u64 {
        let [first, second] = Self::by_copy(cards);
        first | second
    }

    #[inline]
    fn by_copy(cards: u128) -> [u64; 2] {
        const FIRST: u64 = (1 << SUITED) - 1;
        [cards as u64 & FIRST, (cards >> SUITED) as u64 & FIRST]
    }

    fn numbers() -> &'static Numbers {
        &TWO_PACKS
    }
}

/// The numbers of the cards of each pile at a root.
pub(super) fn numbered(root: &State) -> Vec<Vec<u8>> {
    let mut copies = [0u8; crate::card::CARDS];
    let mut number = |&byte: &u8| {
        let face = card(byte);
        let copy = &mut copies[usize::from(face)];
        *copy += 1;
        face.saturating_add((*copy - 1).saturating_mul(SUITED as u8))
    };
    root.piles().map(|cards| cards.iter().map(&mut number).collect()).collect()
}
