//! Sets of cards and of piles; hexadecimal numbers in the written form.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A set of cards: bit `card` of a 52-bit mask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CardMask(pub u64);

/// A set of piles: bit `pile` of a 128-bit mask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PileMask(pub u128);

impl PileMask {
    /// Whether it has no pile.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    pub const fn is_empty(&self) -> bool {
        self.0 == 0
    }
}

impl Serialize for CardMask {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:x}", self.0))
    }
}

impl<'de> Deserialize<'de> for CardMask {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <&str>::deserialize(deserializer)?;
        u64::from_str_radix(text, 16)
            .map(Self)
            .map_err(|_| D::Error::custom("a card mask is a hexadecimal number of 64 bits"))
    }
}

impl Serialize for PileMask {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:x}", self.0))
    }
}

impl<'de> Deserialize<'de> for PileMask {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <&str>::deserialize(deserializer)?;
        u128::from_str_radix(text, 16)
            .map(Self)
            .map_err(|_| D::Error::custom("a pile mask is a hexadecimal number of 128 bits"))
    }
}
