//! How deep the cards lie that are wanted soon.

use crate::card::CARDS;
use crate::search::spaces::evaluation::DEEP;

/// No column.
const NOWHERE: u8 = u8::MAX;

/// A depth, and the column in which a card lies so deep.
pub(super) type Found = (i32, u8);

/// How deep the cards of a position lie that are wanted soon, so that only the columns that a move
/// changes need another look.
pub(super) struct Depths {
    /// The number of steps before the position.
    pub(super) steps: Option<usize>,
    /// For each of the cards in `found` the three least depths, in different columns.
    pub(super) least: [[Found; 3]; CARDS],
    pub(super) found: u64,
}

impl Default for Depths {
    fn default() -> Self {
        Self { steps: None, least: [[(DEEP, NOWHERE); 3]; CARDS], found: 0 }
    }
}

impl Depths {
    /// Forgets the depths if the position is left to one after fewer steps.
    pub(super) fn forget_beyond(&mut self, steps: usize) {
        if self.steps.is_some_and(|known| known > steps) {
            self.steps = None;
        }
    }

    /// Forgets the depths.
    pub(super) const fn forget(&mut self) {
        self.steps = None;
    }

    /// Notes that a card lies so deep in a column.
    pub(super) fn add(&mut self, face: usize, depth: i32, column: usize) {
        if self.found >> face & 1 == 0 {
            self.found |= 1 << face;
            self.least[face] = [(DEEP, NOWHERE); 3];
        }
        let least = &mut self.least[face];
        let place = least.iter().position(|&(known, _)| depth < known).unwrap_or(least.len());
        if place < least.len() {
            least[place..].rotate_right(1);
            least[place] = (depth, column as u8);
        }
    }

    /// The least depth of a card in columns other than two.
    pub(super) fn elsewhere(&self, face: usize, columns: [usize; 2]) -> i32 {
        if self.found >> face & 1 == 0 {
            return DEEP;
        }
        let is_other = |&&(_, column): &&Found| !columns.contains(&usize::from(column));
        self.least[face].iter().find(is_other).map_or(DEEP, |&(depth, _)| depth)
    }
}
