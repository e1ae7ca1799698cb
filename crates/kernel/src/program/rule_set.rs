//! Sets of rules.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

const WORDS: usize = 4;

/// A set of rules, by their indices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RuleSet([u64; WORDS]);

impl RuleSet {
    pub(crate) const EMPTY: Self = Self([0; WORDS]);
    pub(crate) const ALL: Self = Self([u64::MAX; WORDS]);

    #[inline]
    pub(crate) fn insert(&mut self, rule: u8) {
        self.0[usize::from(rule >> 6)] |= 1 << (rule & 63);
    }

    #[inline]
    pub(crate) fn remove(&mut self, rule: u8) {
        self.0[usize::from(rule >> 6)] &= !(1 << (rule & 63));
    }

    #[inline]
    pub(crate) const fn has(&self, rule: u8) -> bool {
        self.0[(rule >> 6) as usize] >> (rule & 63) & 1 != 0
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// The first rule.
    #[inline]
    pub(crate) fn first(&self) -> Option<u8> {
        // Most games have few rules.
        if self.0[0] != 0 {
            return Some(self.0[0].trailing_zeros() as u8);
        }
        if self.is_empty() {
            return None;
        }
        (1u8..)
            .zip(&self.0[1..])
            .find(|&(_, &word)| word != 0)
            .map(|(at, &word)| at << 6 | word.trailing_zeros() as u8)
    }

    /// Removes the rules that a test is true of.
    #[inline]
    pub(crate) fn remove_if(&mut self, mut test: impl FnMut(u8) -> bool) {
        // Most games have few rules.
        let words = if self.0[1] | self.0[2] | self.0[3] == 0 { 1 } else { WORDS };
        for at in 0..words {
            let mut left = self.0[at];
            while left != 0 {
                let rule = (at << 6) as u8 | left.trailing_zeros() as u8;
                left &= left - 1;
                if test(rule) {
                    self.remove(rule);
                }
            }
        }
    }

    /// The rules, in order.
    #[inline]
    pub(crate) fn iter(mut self) -> impl Iterator<Item = u8> {
        std::iter::from_fn(move || {
            let rule = self.first()?;
            self.remove(rule);
            Some(rule)
        })
    }
}

impl FromIterator<u8> for RuleSet {
    fn from_iter<I: IntoIterator<Item = u8>>(rules: I) -> Self {
        let mut set = Self::EMPTY;
        for rule in rules {
            set.insert(rule);
        }
        set
    }
}

impl BitOrAssign for RuleSet {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(word, more)| *word |= more);
    }
}

impl BitAndAssign for RuleSet {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(word, kept)| *word &= kept);
    }
}

impl BitOr for RuleSet {
    type Output = Self;

    #[inline]
    fn bitor(mut self, other: Self) -> Self {
        self |= other;
        self
    }
}

impl BitAnd for RuleSet {
    type Output = Self;

    #[inline]
    fn bitand(mut self, other: Self) -> Self {
        self &= other;
        self
    }
}

impl Not for RuleSet {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_come_in_order() {
        let rules: RuleSet = [200, 3, 127, 64].into_iter().collect();
        assert!(rules.iter().eq([3, 64, 127, 200]));
        let mut fewer = rules;
        fewer.remove_if(|rule| rule % 100 == 0 || rule == 64);
        assert!(fewer.iter().eq([3, 127]));
        assert!(rules.has(127) && !rules.has(128) && rules.first() == Some(3));
        assert!((rules & !rules).is_empty() && (rules | RuleSet::ALL) == RuleSet::ALL);
    }
}
