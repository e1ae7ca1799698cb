//! Hands of cards: what they are worth at poker and at cribbage.
#![allow(clippy::cast_possible_wrap, reason = "numbers of cards and points are small")]

use crate::card::{card, rank};

/// The places of the points for poker hands.
pub(crate) const PAIR: usize = 0;
pub(crate) const TWO_PAIRS: usize = 1;
pub(crate) const THREE: usize = 2;
pub(crate) const STRAIGHT: usize = 3;
pub(crate) const FLUSH: usize = 4;
pub(crate) const FULL_HOUSE: usize = 5;
pub(crate) const FOUR: usize = 6;
pub(crate) const STRAIGHT_FLUSH: usize = 7;
pub(crate) const ROYAL_FLUSH: usize = 8;

/// The ranks from ten to ace, as a mask.
const BROADWAY: u16 = 0b1_1110_0000_0001;

/// The masks of the ranks of all straights; the ace is low in the first and high in the last.
pub(crate) const STRAIGHTS: [u16; 10] = {
    let mut straights = [BROADWAY; 10];
    let mut low = 0;
    while low < 9 {
        straights[low] = 0b1_1111 << low;
        low += 1;
    }
    straights
};

/// Whether the ranks of five cards, as a mask, are those of a straight.
const fn is_straight(ranks: u16) -> bool {
    ranks == BROADWAY || ranks >> ranks.trailing_zeros() == 0b1_1111
}

/// The points of the best poker hand among at most five cards; 0 if there is none.
pub(crate) fn poker(cards: &[u8], points: &[i32; 9]) -> i32 {
    let (mut counts, mut suits, mut ranks) = ([0u8; 13], [0u8; 4], 0u16);
    for &byte in cards {
        counts[usize::from(rank(byte))] += 1;
        suits[usize::from(card(byte) % 4)] += 1;
        ranks |= 1 << rank(byte);
    }
    let most = counts.iter().copied().max().unwrap_or(0);
    let pairs = counts.iter().filter(|&&count| count >= 2).count();
    let mut best = 0;
    let mut holds = |hand: usize, is_held: bool| {
        if is_held {
            best = best.max(points[hand]);
        }
    };
    holds(PAIR, most >= 2);
    holds(TWO_PAIRS, pairs >= 2);
    holds(THREE, most >= 3);
    holds(FOUR, most >= 4);
    if cards.len() == 5 {
        let is_straight = is_straight(ranks);
        let is_flush = suits.contains(&5);
        holds(STRAIGHT, is_straight);
        holds(FLUSH, is_flush);
        holds(FULL_HOUSE, pairs == 2 && most == 3);
        holds(STRAIGHT_FLUSH, is_straight && is_flush);
        holds(ROYAL_FLUSH, is_flush && ranks == BROADWAY);
    }
    best
}

/// The points at cribbage of a hand with the starter, if there is one. `places` is the number of
/// cards of a full hand, and only a full hand can have a flush.
pub(crate) fn cribbage(hand: &[u8], starter: Option<u8>, places: usize, points: &[i32; 6]) -> i32 {
    let [fifteen, pair, run, flush, nobs, _] = *points;
    let number = hand.len().min(places);
    // The number of sets of cards for each sum below 16, eight bits each, and the number of cards
    // of each rank, four bits each.
    let (mut sums, mut counts) = (1u128, 0u64);
    let (mut pairs, mut ranks) = (0, 0u16);
    for &byte in hand[..number].iter().chain(&starter) {
        let rank = u32::from(rank(byte));
        sums += sums << (8 * (rank + 1).min(10));
        pairs += (counts >> (4 * rank) & 15) as i32;
        counts += 1 << (4 * rank);
        ranks |= 1 << rank;
    }
    let mut total = (sums >> (8 * 15)) as i32 * fifteen + pairs * pair;
    while ranks & ranks >> 1 & ranks >> 2 != 0 {
        let low = (ranks & ranks >> 1 & ranks >> 2).trailing_zeros();
        let length = (ranks >> low).trailing_ones();
        let ways = (low..low + length).map(|rank| (counts >> (4 * rank) & 15) as i32);
        total += length as i32 * ways.product::<i32>() * run;
        ranks &= u16::MAX << (low + length);
    }
    let suit = |byte: u8| card(byte) % 4;
    if let Some((&first, others)) = hand.split_first()
        && hand.len() == places
        && places >= 3
        && others.iter().all(|&other| suit(other) == suit(first))
    {
        let longer = starter.is_some_and(|starter| suit(starter) == suit(first));
        total += (number as i32 + i32::from(longer)) * flush;
    }
    if let Some(starter) = starter {
        let is_nobs = |&&byte: &&u8| rank(byte) == KNAVE && suit(byte) == suit(starter);
        total += hand.iter().filter(is_nobs).count() as i32 * nobs;
    }
    total
}

/// The rank of the knave.
pub(crate) const KNAVE: u8 = 10;

#[cfg(test)]
mod tests {
    use super::{STRAIGHTS, cribbage, is_straight, poker};

    fn cards(text: &str) -> Vec<u8> {
        let code = |name: &str| {
            let find = |all: &str, at: usize| all.find(&name[at..=at]).expect("a card") as u8;
            find("A23456789TJQK", 0) * 4 + find("CDHS", 1)
        };
        text.split_whitespace().map(code).collect()
    }

    #[test]
    fn straights_are_recognised() {
        assert!((1..1 << 13).all(|ranks| is_straight(ranks) == STRAIGHTS.contains(&ranks)));
    }

    #[test]
    fn poker_hands_are_recognised() {
        let scale = [2, 5, 10, 15, 20, 25, 50, 75, 100];
        for (hand, points) in [
            ("", 0),
            ("AC KD 3H 7S 9C", 0),
            ("AC AD", 2),
            ("AC AD 3H 3S", 5),
            ("AC AD AH 3S 9C", 10),
            ("AC AD AH AS", 50),
            ("AC 2D 3H 4S 5C", 15),
            ("AC TD JH KS QC", 15),
            ("2C KD QH AS 3C", 0),
            ("2C 9C QC AC 3C", 20),
            ("2C 9C QC AC", 0),
            ("2C 2D 2H 9S 9C", 25),
            ("9C TC JC KC QC", 75),
            ("AC 2C 3C 4C 5C", 75),
            ("AH TH JH KH QH", 100),
        ] {
            assert_eq!(poker(&cards(hand), &scale), points, "{hand}");
        }
        // A hand that has no points of its own counts as the best one that it holds.
        let pairs = [2, 0, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(poker(&cards("2C 2D 2H 9S 9C"), &pairs), 2);
    }

    #[test]
    fn cribbage_hands_are_counted() {
        let scale = [2, 2, 1, 1, 1, 2];
        for (hand, starter, points) in [
            ("5C 5D 5H JS", "5S", 29),
            ("5C 5D 5H 5S", "JS", 28),
            ("AC 3D 7H 9S", "QC", 0),
            ("3C 3D 4H 5S", "5C", 20),
            ("6C 7D 8H 9S", "AC", 10),
            ("2C 4C 6C 8C", "9D", 8),
            ("2C 4C 6C TC", "QC", 5),
            ("2C 4C JC TD", "QC", 4),
            ("2C 2D", "2H", 6),
            ("2C 3D 4H", "", 3),
            ("2C 2D 3C 4D", "4H", 18),
            ("JC QD KH AS", "9S", 3),
        ] {
            let starter = cards(starter).first().copied();
            assert_eq!(cribbage(&cards(hand), starter, 4, &scale), points, "{hand}");
        }
    }
}
