//! What sinks add to a key in place of what they add to the hash of the position.

use crate::bits::bits;
use crate::position::state::State;
use crate::program::compiled::Program;

/// The differences for the sinks of a position
/// ([`Equivalence`](crate::search::spaces::equivalence::Equivalence)), brought up to date only
/// where piles have changed.
pub(crate) struct SunkTerms {
    sinks: u128,
    /// For each pile, what it adds to the key less what it adds to the hash.
    differences: Box<[u128]>,
    /// All of them together.
    pub(crate) sum: u128,
}

impl SunkTerms {
    /// Those of a position.
    pub(crate) fn new(program: &Program, state: &State, sinks: u128) -> Self {
        let differences = vec![0; program.places.len()].into();
        let mut terms = Self { sinks, differences, sum: 0 };
        terms.update(program, state, sinks);
        terms
    }

    /// Goes on to another position, in which only some piles may differ.
    #[inline]
    pub(crate) fn update(&mut self, program: &Program, state: &State, changed: u128) {
        let changed = changed & self.sinks;
        if changed != 0 {
            self.update_sinks(program, state, changed);
        }
    }

    fn update_sinks(&mut self, program: &Program, state: &State, changed: u128) {
        for pile in bits(changed) {
            let difference = state.top(pile).map_or(0, |top| {
                let sunk = program.keys.card(top, 0);
                state.hash_term_with(program, pile, sunk).wrapping_sub(state.hash_term(pile))
            });
            let before = std::mem::replace(&mut self.differences[pile], difference);
            self.sum = self.sum.wrapping_sub(before).wrapping_add(difference);
        }
    }
}
