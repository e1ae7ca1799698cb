//! What a strategy walks through.

use crate::random::SplitMix64;

/// The positions that can be reached from a root, one of which is the present one.
///
/// Strategies are written once, for any space. A space may leave out steps and join several moves
/// to one step where that is proved to change no verdict.
pub(crate) trait Space {
    /// A way from one position to another, meaningful in the position in which it was listed and in
    /// any that was packed there.
    type Step: Copy + Ord;

    /// The key of the present position.
    fn key(&self) -> u128;

    /// Whether the aim is reached.
    fn is_won(&self) -> bool;

    /// Whether it is known that the aim cannot be reached.
    fn is_dead(&self) -> bool {
        false
    }

    /// Lists the steps that lead on from the present position.
    fn list(&mut self, steps: &mut Vec<Self::Step>);

    /// The key of the position that a step leads to, if that can be told without taking the step.
    fn key_after(&self, _step: Self::Step) -> Option<u128> {
        None
    }

    /// Takes a step. False if it cannot be taken after all (forced rules without end); nothing has
    /// changed then.
    fn make(&mut self, step: Self::Step) -> bool;

    /// Takes the last step back.
    fn unmake(&mut self);

    /// Forgets the steps taken, so that the present position is where going back ends.
    fn reset_root(&mut self);

    /// Bytes of what is kept to go back.
    fn trail_bytes(&self) -> usize;

    /// Bytes of a packed position: the same for all.
    fn packed_size(&self) -> usize;

    /// Writes the present position down.
    fn pack(&self, bytes: &mut Vec<u8>);

    /// Goes to a position that was written down, without a way back.
    fn unpack(&mut self, bytes: &[u8]);

    /// How far the aim seems to be. Never below zero.
    fn heuristic(&mut self) -> i32;

    /// Puts the best steps first. Seeds other than 0 bring some chance in.
    fn sort(&mut self, steps: &mut [Self::Step], seed: u64);

    /// What speaks for a step, whatever it leads to.
    fn score(&self, _step: Self::Step) -> i32 {
        0
    }

    /// A number for what a step does, the same in any position in which it does that.
    fn feature_code(&self, _step: Self::Step) -> u64 {
        0
    }

    /// About how many steps lead from the present position to the aim.
    fn length(&self) -> u64;
}

/// How far chance may move a step in an order with a seed.
const CHANCE: u64 = 256;

/// What chance adds to the worth of a step in a position with a key; nothing if the seed is 0.
pub(crate) fn chance(seed: u64, key: u128, step: u32) -> i32 {
    if seed == 0 {
        return 0;
    }
    SplitMix64::new(seed << 32 ^ u64::from(step) ^ key as u64).below(CHANCE) as i32
}
