//! The interface between strategies and spaces.

use std::ops::Range;

use crate::random::SplitMix64;

/// The positions that can be reached from a root. One of them is the current position.
///
/// Strategies are written once, for any space. A space may leave out steps, or combine several
/// moves into one step, where a proof says that this changes no verdict.
pub(crate) trait Space {
    /// A step from one position to another. It is valid in the position in which it was listed, and
    /// after unpacking that position.
    type Step: Copy + Ord + Send + 'static;

    /// The key of the current position.
    fn key(&self) -> u128;

    /// Whether the aim is reached.
    fn is_won(&self) -> bool;

    /// Whether it is known that the aim cannot be reached.
    fn is_lost(&self) -> bool {
        false
    }

    /// Lists the steps from the current position, which may not be won.
    fn list(&mut self, steps: &mut Vec<Self::Step>);

    /// From now on leaves out steps that split a run, unless they lengthen another one, and has
    /// keys that are the same whichever pile cards lie in. Overlooks wins.
    fn keep_runs_whole(&mut self) {}

    /// From now on a card on which nothing can be built any more goes to its foundation at once.
    /// Overlooks wins, since another card might have to go there.
    fn shed_cards(&mut self) {}

    /// From now on each turn of a stock is a step.
    fn turn_singly(&mut self) {}

    /// The key of the position after a step and before what is forced then, or after that, if the
    /// space can compute it without taking the step.
    ///
    /// What is forced depends on that position alone. So if a position with this key was visited,
    /// or a step with this key was taken, the step leads nowhere new.
    fn key_after(&self, _step: Self::Step) -> Option<u128> {
        None
    }

    /// How much a step changes the heuristic, if the space can compute that without taking the
    /// step. Only asked for steps of which [`Self::key_after`] knows the key. Nothing is forced
    /// after such a step, and it does not reach the aim.
    fn heuristic_change(&self, _step: Self::Step) -> Option<i32> {
        None
    }

    /// Takes a step. Returns false, and changes nothing, if it cannot be taken: forced rules never
    /// end, or it stands for more steps than can be listed.
    fn make(&mut self, step: Self::Step) -> bool;

    /// Undoes the last step.
    fn unmake(&mut self);

    /// Undoes the last step, perhaps only when the next one is taken. Until then, and until
    /// [`Self::settle`], the space may only be asked for keys and heuristics after steps.
    fn unmake_soon(&mut self) {
        self.unmake();
    }

    /// Undoes what [`Self::unmake_soon`] has not undone yet.
    fn settle(&mut self) {}

    /// Makes the current position the root: the steps so far can no longer be undone.
    fn reset_root(&mut self);

    /// The number of bytes needed to undo the steps.
    fn trail_bytes(&self) -> usize;

    /// The number of bytes of a packed position. It is the same for all.
    fn packed_size(&self) -> usize;

    /// Packs the current position.
    fn pack(&self, bytes: &mut Vec<u8>);

    /// The same, when the position one step before was packed into a part of the same bytes.
    fn pack_after(&self, bytes: &mut Vec<u8>, _before: Range<usize>) {
        self.pack(bytes);
    }

    /// Restores a packed position. The steps so far can no longer be undone.
    fn unpack(&mut self, bytes: &[u8]);

    /// The estimated distance to the aim. If it is negative, searches count it as 0.
    fn heuristic(&mut self) -> i32;

    /// How much progress that is not taken back is missing: cards to come to their place, to be
    /// dealt and to be turned up. Spaces whose searches do not ask for it answer 0.
    fn progress_left(&self) -> usize {
        0
    }

    /// Sorts the best steps first. Seeds other than 0 add some randomness.
    fn sort(&mut self, steps: &mut [Self::Step], seed: u64);

    /// The score of a step, whatever follows it.
    fn score(&self, _step: Self::Step) -> i32 {
        0
    }

    /// A code for what a step does. It is the same in any position in which the step does that.
    fn feature_code(&self, _step: Self::Step) -> u64 {
        0
    }

    /// About the number of steps from the current position to the aim.
    fn length(&self) -> u64;
}

/// The space of one of several games that have the same piles.
pub(crate) trait Level: Space {
    /// Goes to the position that a harder game is in. The steps so far can no longer be undone.
    fn load(&mut self, harder: &Self);
}

/// The range of the random part of a score, if there is a seed.
const CHANCE: u64 = 256;

/// The random part of the score of a step in a position with a key; 0 if the seed is 0.
pub(crate) fn chance(seed: u64, key: u128, step: u32) -> i32 {
    if seed == 0 {
        return 0;
    }
    SplitMix64::new(seed << 32 ^ u64::from(step) ^ key as u64).below(CHANCE) as i32
}
