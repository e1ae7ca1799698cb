//! The weights of the features of a position.

use crate::random::SplitMix64;

/// Factors from a half to two in sixteenths, evenly spread on a logarithmic scale.
const FACTORS: [i32; 17] = [8, 9, 10, 10, 11, 12, 13, 15, 16, 17, 19, 21, 23, 25, 27, 29, 32];

/// Declares the weights: for each a name, and its value in each set of defaults.
macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident: $first:literal, $second:literal, $third:literal, $fourth:literal, $fifth:literal, $sixth:literal,
        $seventh:literal;)*) => {
        /// The weight of each feature. The weighted sum is the distance that a search tries to
        /// shorten.
        ///
        /// No verdict depends on weights, only how soon it is found.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Weights {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Weights {
            /// The names of the features.
            pub const NAMES: &[&str] = &[$(stringify!($name)),*];

            /// Weights for most games. They fail on different deals: two sets for games of
            /// building, one for games that depend on a stock, one for beams that move runs as
            /// wholes, one for beams in stages, and one for those in games of heaps.
            pub const DEFAULTS: [Self; 6] = [
                Self { $($name: $first),* },
                Self { $($name: $second),* },
                Self { $($name: $third),* },
                Self { $($name: $fifth),* },
                Self { $($name: $sixth),* },
                Self { $($name: $seventh),* },
            ];

            /// Weights for games of the card-links space.
            pub const CARD_LINKS: [Self; 2] =
                [Self { $($name: $fourth),* }, Self { $($name: $first),* }];

            /// The same weights times four, each randomly multiplied by a factor from a half to
            /// two. For the seed 0 the ratios are unchanged.
            pub(crate) fn perturbed(self, seed: u64) -> Self {
                let mut random = SplitMix64::new(seed);
                let mut vary = |weight: i32| {
                    let factor = FACTORS[random.below(FACTORS.len() as u64) as usize];
                    weight * if seed == 0 { 4 * 16 } else { 4 * factor } / 16
                };
                Self { $($name: vary(self.$name)),* }
            }

            /// The weight of a feature by name; none for an unknown feature.
            pub fn named(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

weights! {
    /// A card that is not where the aim wants it yet.
    remaining: 20, 40, 29, 10, 20, 20, 40;
    /// A card lying on one that is wanted sooner.
    blocking: 5, 5, 12, 20, 0, 6, 14;
    /// A card lying on a card that is wanted next.
    burying: 3, 1, 1, 6, 3, 2, 5;
    /// A card wanted next in a pile from which no rule plays to foundations.
    detour: 2, 2, 0, 2, 2, 2, 2;
    /// A step between the times at which cards that go up together are wanted.
    mismatch: 3, 8, 4, 3, 3, 3, 3;
    /// A card that lies on a card it may be built on.
    joined: -2, -2, 0, -1, -1, -2, 0;
    /// An empty pile that could be filled.
    vacancy: -6, -6, -6, -1, -14, -14, -8;
    /// A face-down card outside of the stock.
    hidden: 6, 6, 10, 6, 10, 6, 6;
    /// A card in the stock.
    stock: 1, 2, 14, 1, 0, 1, 1;
    /// A card lying on one that is wanted soon, divided by the number of steps until then.
    ahead: 0, 0, 2, 0, 0, 0, 0;
    /// A card that moves together with the one it lies on.
    carried: 0, 0, 0, 0, -9, 0, 0;
    /// A face-up card lying on one that is wanted sooner, besides `blocking`.
    blocking_open: 0, 0, 0, 0, 5, 0, 0;
    /// A card in a pile on which nothing is built, such as the waste.
    aside: 0, 0, 0, 0, 0, 14, 0;
    /// The square of the number of cards in a pile that is built on, divided by eight.
    tall: 0, 0, 0, 0, 0, -8, 0;
    /// What is missing for all piles to fit together, if they are put on each other as wholes.
    unmatched: 20, 20, 20, 0, 20, 20, 20;
}
