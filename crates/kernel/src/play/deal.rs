//! Deal numbers and layouts.

use thiserror::Error;

use crate::card::FACE_DOWN;
use crate::play::forced::{ForcedLoop, MAX_FORCED_MOVES};
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::{Phase, Program};
use crate::program::format::Step;
use crate::random::{seed_of_shuffles, shuffle};

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
        let mut journal = Journal::new();
        let state = self.deal_journaled(deck, &mut journal)?;
        Ok((state, journal.take_forced()))
    }

    /// The same with an empty journal for all changes since the empty table.
    pub(crate) fn deal_journaled(
        &self,
        deck: &[u8],
        journal: &mut Journal,
    ) -> Result<State, DealError> {
        let mut sorted = deck.to_vec();
        sorted.sort_unstable();
        let pack = &self.source().deck;
        if sorted != *pack {
            return Err(DealError::NotThePack { dealt: deck.len(), wanted: pack.len() });
        }

        let mut state = State::empty(self);
        if self.shuffles {
            state.set_seed(seed_of_shuffles(deck));
        }
        let source = usize::from(self.source().source_pile);
        for &card in deck.iter().rev() {
            state.place_initial(self, source, card | FACE_DOWN);
        }
        for preset in &self.source().preset {
            state.place_initial(self, usize::from(preset.pile), preset.card);
        }

        let mut steps = MAX_FORCED_MOVES;
        let mut run_forced = |state: &mut State, journal: &mut Journal, phase: Phase| {
            let rules = self.forced_in(phase);
            state.run_forced(self, journal, phase, rules, &mut steps).map_err(DealError::ForcedLoop)
        };
        for step in &self.source().layout {
            if matches!(step, Step::Settle) {
                run_forced(&mut state, journal, Phase::Layout)?;
            } else {
                state.run_step(self, journal, step);
            }
        }
        run_forced(&mut state, journal, Phase::Play)?;
        state.finish_move(self, journal);
        Ok(state)
    }

    /// The deck of deal `cadogan:number`, in dealing order.
    pub fn deck(&self, number: u64) -> Vec<u8> {
        let pack = &self.source().deck;
        shuffle(number, pack.len()).into_iter().map(|index| pack[index as usize]).collect()
    }
}
