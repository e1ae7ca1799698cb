//! Deal numbers and layouts.

use thiserror::Error;

use crate::card::FACE_DOWN;
use crate::play::forced::{ForcedLoop, MAX_FORCED_MOVES};
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::{Phase, Program};
use crate::program::format::Step;
use crate::random::{SplitMix64, next_shuffle, seed_of_shuffles, shuffle};

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
    /// The game would have to be dealt again and again.
    #[error("none of the first {MAX_TRIES} shuffles of this deal is a table of this game")]
    AlwaysAgain,
}

/// The most shuffles of a deal that are tried.
const MAX_TRIES: usize = 1000;

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
        let mut steps = MAX_FORCED_MOVES;
        let mut state = self.lay_out(deck, journal, &mut steps)?;
        let rules = self.forced_in(Phase::Play);
        state
            .run_forced(self, journal, Phase::Play, rules, &mut steps)
            .map_err(DealError::ForcedLoop)?;
        state.finish_move(self, journal);
        Ok(state)
    }

    /// Lays out a deck, without the forced rules of play.
    fn lay_out(
        &self,
        deck: &[u8],
        journal: &mut Journal,
        steps: &mut u32,
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

        for step in &self.source().layout {
            if matches!(step, Step::Settle) {
                let rules = self.forced_in(Phase::Layout);
                state
                    .run_forced(self, journal, Phase::Layout, rules, steps)
                    .map_err(DealError::ForcedLoop)?;
            } else {
                state.run_step(self, journal, step);
            }
        }
        Ok(state)
    }

    /// Whether the rules of the game ask for another deal after this deck.
    pub fn is_dealt_again(&self, deck: &[u8]) -> Result<bool, DealError> {
        let conditions = &self.source().deal_again;
        if conditions.is_empty() {
            return Ok(false);
        }
        let mut steps = MAX_FORCED_MOVES;
        let state = self.lay_out(deck, &mut Journal::new(), &mut steps)?;
        Ok(state.all_hold(self, conditions))
    }

    /// The first shuffle of deal `cadogan:number`, in dealing order.
    pub fn deck(&self, number: u64) -> Vec<u8> {
        self.in_order(&shuffle(number, self.source().deck.len()))
    }

    /// The deck of deal `cadogan:number`, in dealing order: its first shuffle that is not dealt
    /// again.
    pub fn dealt_deck(&self, number: u64) -> Result<Vec<u8>, DealError> {
        let mut generator = SplitMix64::new(number);
        for _ in 0..MAX_TRIES {
            let deck = self.in_order(&next_shuffle(&mut generator, self.source().deck.len()));
            if !self.is_dealt_again(&deck)? {
                return Ok(deck);
            }
        }
        Err(DealError::AlwaysAgain)
    }

    fn in_order(&self, permutation: &[u32]) -> Vec<u8> {
        let pack = &self.source().deck;
        permutation.iter().map(|&index| pack[index as usize]).collect()
    }
}
