//! Deal numbers and layouts.

use thiserror::Error;

use crate::card::FACE_DOWN;
use crate::play::forced::{ForcedLoop, MAX_FORCED_MOVES};
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::{Phase, Program};
use crate::program::format::Step;
use crate::random::SplitMix64;

/// The permutation of deal `cadogan:number`: card `i` in dealing order is card `permutation[i]` of
/// the sorted deck.
pub fn shuffle(number: u64, length: usize) -> Vec<u32> {
    let mut generator = SplitMix64::new(number);
    let mut permutation: Vec<u32> = (0..length as u32).collect();
    for last in (1..length).rev() {
        permutation.swap(last, generator.below(last as u64 + 1) as usize);
    }
    permutation
}

/// Why a deck cannot be dealt.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DealError {
    /// The cards are not those of the game.
    #[error("the deck of {dealt} cards is not a shuffle of this game's pack of {wanted} cards")]
    NotThePack {
        /// How many cards were given.
        dealt: usize,
        /// How many cards the game has.
        wanted: usize,
    },
    /// The forced rules never end.
    #[error("the forced rules do not come to rest during the layout")]
    ForcedLoop(ForcedLoop),
}

impl Program {
    /// Deals a deck, listed in dealing order, and carries out the forced rules. Returns the
    /// position and the forced moves that led to it.
    pub fn deal(&self, deck: &[u8]) -> Result<(State, Vec<Move>), DealError> {
        let (state, journal) = self.deal_journaled(deck)?;
        Ok((state, journal.take_forced()))
    }

    /// The same with a journal of all changes since the empty table.
    pub(crate) fn deal_journaled(&self, deck: &[u8]) -> Result<(State, Journal), DealError> {
        let mut sorted = deck.to_vec();
        sorted.sort_unstable();
        let pack = &self.source().deck;
        if sorted != *pack {
            return Err(DealError::NotThePack { dealt: deck.len(), wanted: pack.len() });
        }

        let mut state = State::empty(self);
        let source = usize::from(self.source().source_pile);
        for &card in deck.iter().rev() {
            state.place_initial(self, source, card | FACE_DOWN);
        }
        for preset in &self.source().preset {
            state.place_initial(self, usize::from(preset.pile), preset.card);
        }

        let mut journal = Journal::new();
        let mut steps = MAX_FORCED_MOVES;
        let mut run_forced = |state: &mut State, journal: &mut Journal, phase: Phase| {
            let rules = self.forced_in(phase);
            state.run_forced(self, journal, phase, rules, &mut steps).map_err(DealError::ForcedLoop)
        };
        for step in &self.source().layout {
            if matches!(step, Step::Settle) {
                run_forced(&mut state, &mut journal, Phase::Layout)?;
            } else {
                state.run_step(self, &mut journal, step);
            }
        }
        run_forced(&mut state, &mut journal, Phase::Play)?;
        state.finish_move(self, &journal);
        Ok((state, journal))
    }

    /// The deck of deal `cadogan:number`, in dealing order.
    pub fn deck(&self, number: u64) -> Vec<u8> {
        let pack = &self.source().deck;
        shuffle(number, pack.len()).into_iter().map(|index| pack[index as usize]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffle_is_a_permutation() {
        for number in [0, 1, 2, u64::MAX] {
            let mut permutation = shuffle(number, 104);
            permutation.sort_unstable();
            assert!(permutation.into_iter().eq(0..104));
        }
        assert!(shuffle(1, 0).is_empty());
    }
}
