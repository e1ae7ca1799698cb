//! The generator of random numbers.

/// Sebastiano Vigna's `SplitMix64`. It is implemented here because deal numbers must never change.
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// A generator with this state.
    pub const fn new(number: u64) -> Self {
        Self { state: number }
    }

    /// The next number.
    pub const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = self.state;
        let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `bound`, every one equally likely (Daniel Lemire's method).
    ///
    /// # Panics
    ///
    /// If `bound` is 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        let threshold = bound.wrapping_neg() % bound;
        loop {
            let product = self.next() as u128 * bound as u128;
            if product as u64 >= threshold {
                return (product >> 64) as u64;
            }
        }
    }
}

/// A random number of 128 bits, for a key of a position.
pub(crate) fn random_key(seed: u64) -> u128 {
    let mut random = SplitMix64::new(seed);
    u128::from(random.next()) << 64 | u128::from(random.next())
}

/// The permutation of deal `cadogan:number`: card `i` in dealing order is card `permutation[i]` of
/// the sorted deck.
pub fn shuffle(number: u64, length: usize) -> Vec<u32> {
    next_shuffle(&mut SplitMix64::new(number), length)
}

/// The next permutation that a generator makes.
pub(crate) fn next_shuffle(generator: &mut SplitMix64, length: usize) -> Vec<u32> {
    let mut permutation: Vec<u32> = (0..length as u32).collect();
    for last in (1..length).rev() {
        permutation.swap(last, generator.below(last as u64 + 1) as usize);
    }
    permutation
}

/// What the shuffles during a game follow from: the deck, in dealing order.
pub(crate) fn seed_of_shuffles(deck: &[u8]) -> u64 {
    deck.iter().fold(0, |seed, &card| SplitMix64::new(seed ^ u64::from(card)).next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_splitmix64() {
        let mut generator = SplitMix64::new(1_234_567);
        let first = [generator.next(), generator.next(), generator.next()];
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn a_shuffle_is_a_permutation() {
        for number in [0, 1, 2, u64::MAX] {
            let mut permutation = shuffle(number, 104);
            permutation.sort_unstable();
            assert!(permutation.into_iter().eq(0..104));
        }
        assert!(shuffle(1, 0).is_empty());
    }

    #[test]
    fn numbers_below_a_bound_stay_below_it() {
        let mut generator = SplitMix64::new(3);
        let mut seen = [0; 7];
        for _ in 0..7000 {
            seen[generator.below(7) as usize] += 1;
        }
        assert!(seen.iter().all(|&times| (800..1200).contains(&times)));
    }
}
