//! Observations: what the player sees, as a row of bytes.
//!
//! A row has these parts, one after the other:
//!
//! - for each pile as many bytes as it can hold cards, **top card first**: 0 no card,
//!   `1 + card` (1 ..= 52) a card that can be seen, 53 a card that cannot, 54 a joker;
//! - for each counter its value, in two bytes (upper byte first) if it can exceed 255;
//! - for each pile that rules can close: 1 if it is closed;
//! - if forced rules can wait for a choice: `1 +` the rule that waits, `1 +` the source and `1 +`
//!   the target that are already fixed; 0 for none.
//!
//! The number of cards in a pile is visible, whatever it shows.

use crate::bits::bits;
use crate::card::{JOKER, has, is_face_down};
use crate::player::belief::Shown;
use crate::position::moves::{Choice, NONE};
use crate::position::state::State;
use crate::program::actions::CompiledAction;
use crate::program::compiled::Program;
use crate::program::format::{Action, Choose, Step};

/// The byte of a card that the player cannot see.
pub const HIDDEN: u8 = 53;

/// The byte of a joker that the player can see.
const SHOWN_JOKER: u8 = 54;

/// A part of an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The cards of a pile.
    Pile(u8),
    /// The value of a counter.
    Counter(u8),
    /// Whether a pile is closed.
    Closed(u8),
    /// The open choice.
    Choice,
}

/// The form of the observations of a program.
#[derive(Debug)]
pub struct ObservationSpace {
    shown: Vec<Shown>,
    /// The parts in order: where each begins, and how long it is.
    parts: Vec<(Part, usize, usize)>,
    closing: u128,
    has_choice: bool,
    /// Where the counters begin.
    numbers: usize,
    size: usize,
}

impl ObservationSpace {
    /// The observations of a program. `shown` has an entry for each pile that the player knows of;
    /// piles beyond those are not observed.
    pub fn new(program: &Program, shown: &[Shown]) -> Self {
        let source = program.source();
        let shown = shown[..shown.len().min(program.piles())].to_vec();
        let mut space = Self {
            closing: closing(program) & below(shown.len()),
            has_choice: program.plans.iter().any(|plan| match &plan.kind {
                CompiledAction::Move(plan) => plan.action.choose != Choose::None,
                _ => false,
            }),
            parts: Vec::new(),
            numbers: 0,
            size: 0,
            shown,
        };
        for pile in 0..space.shown.len() {
            space.add(Part::Pile(pile as u8), usize::from(program.places[pile].capacity));
        }
        space.numbers = space.size;
        for (index, counter) in source.counters.iter().enumerate() {
            space.add(Part::Counter(index as u8), if counter.cap > 255 { 2 } else { 1 });
        }
        for pile in bits(space.closing) {
            space.add(Part::Closed(pile as u8), 1);
        }
        if space.has_choice {
            space.add(Part::Choice, 3);
        }
        space
    }

    fn add(&mut self, part: Part, length: usize) {
        self.parts.push((part, self.size, length));
        self.size += length;
    }

    /// The number of bytes of an observation.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The parts in order: each with the place where it begins, and its length.
    pub fn parts(&self) -> &[(Part, usize, usize)] {
        &self.parts
    }

    /// The largest value of each byte.
    pub fn highest(&self, program: &Program) -> Vec<u8> {
        let mut highest = Vec::with_capacity(self.size);
        let most = if has(program.pack, JOKER) { SHOWN_JOKER } else { HIDDEN };
        for &(part, _, length) in &self.parts {
            match part {
                Part::Pile(_) => highest.extend(std::iter::repeat_n(most, length)),
                Part::Counter(index) => {
                    let [upper, lower] =
                        program.source().counters[usize::from(index)].cap.to_be_bytes();
                    if length == 2 {
                        highest.extend([upper, 255]);
                    } else {
                        highest.push(lower);
                    }
                }
                Part::Closed(_) => highest.push(1),
                Part::Choice => {
                    let (rules, piles) = (program.plans.len() as u8, program.piles() as u8);
                    highest.extend([rules, piles, piles]);
                }
            }
        }
        highest
    }

    /// Writes the whole observation.
    ///
    /// # Panics
    ///
    /// Panics if the row does not have [`Self::size`] bytes.
    pub fn write(&self, program: &Program, state: &State, row: &mut [u8]) {
        self.write_piles(program, state, u128::MAX, row);
    }

    /// Writes some piles, and everything but the piles.
    #[inline]
    pub(super) fn write_piles(
        &self,
        program: &Program,
        state: &State,
        piles: u128,
        row: &mut [u8],
    ) {
        for pile in bits(piles & below(self.shown.len())) {
            let (_, start, length) = self.parts[pile];
            self.write_pile(state, pile, &mut row[start..start + length]);
        }
        if self.numbers < self.size {
            self.write_numbers(program, state, &mut row[self.numbers..self.size]);
        }
    }

    #[inline]
    fn write_pile(&self, state: &State, pile: usize, row: &mut [u8]) {
        let cards = state.pile(pile);
        let visible = match self.shown[pile] {
            Shown::None => 0,
            Shown::Top => 1,
            Shown::All => cards.len(),
        };
        for (index, (seen, &byte)) in row.iter_mut().zip(cards.iter().rev()).enumerate() {
            *seen = match byte {
                _ if index >= visible || is_face_down(byte) => HIDDEN,
                JOKER => SHOWN_JOKER,
                _ => byte + 1,
            };
        }
        row[cards.len()..].fill(0);
    }

    fn write_numbers(&self, program: &Program, state: &State, row: &mut [u8]) {
        let mut bytes = row.iter_mut();
        let mut put = |byte: u8| {
            if let Some(place) = bytes.next() {
                *place = byte;
            }
        };
        for (counter, &value) in program.source().counters.iter().zip(state.counters()) {
            let [upper, lower] = value.to_be_bytes();
            if counter.cap > 255 {
                put(upper);
            }
            put(lower);
        }
        for pile in bits(self.closing) {
            put(u8::from(state.is_closed(pile)));
        }
        if self.has_choice {
            let Choice { rule, source, target } = state.choice();
            for each in [rule, source, target] {
                put(if each == NONE { 0 } else { each + 1 });
            }
        }
    }
}

/// The first piles, as a mask.
fn below(piles: usize) -> u128 {
    u128::MAX.checked_shr(128 - piles.min(128) as u32).unwrap_or(0)
}

/// The piles that rules or the layout can close.
fn closing(program: &Program) -> u128 {
    let source = program.source();
    let scripts = source.rules.iter().filter_map(|rule| match &rule.action {
        Action::Script { steps } => Some(steps),
        _ => None,
    });
    let steps = scripts.chain([&source.layout]).flatten();
    let pairs = steps.filter_map(|step| match step {
        Step::Close { pairs } => Some(pairs),
        _ => None,
    });
    pairs.flatten().fold(0, |piles, &[pile, _]| piles | 1 << pile)
}
