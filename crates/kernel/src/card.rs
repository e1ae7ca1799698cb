//! Cards as bytes: `rank * 4 + suit`, with one bit for a card that lies face down.

/// The number of different cards: thirteen of each suit, and the joker, who is last and has a rank
/// of his own and no suit.
pub const CARDS: usize = 53;

/// All cards, as a set. Sets of cards that a program wants may have higher numbers, too.
pub(crate) const ALL: u64 = (1 << CARDS) - 1;

/// The number of different cards of a pack without jokers.
pub const SUITED: usize = 52;

/// The joker; a game may have several.
pub const JOKER: u8 = 52;

/// The thirteen cards of the first suit; shifted by the suit, those of the others.
pub const SUIT: u64 = 0x1_1111_1111_1111;

/// The bit that is set in the byte of a face-down card.
pub const FACE_DOWN: u8 = 0x40;

/// The card of a byte, face up or face down.
pub const fn card(byte: u8) -> u8 {
    byte & !FACE_DOWN
}

/// Whether the card of a byte lies face down.
pub const fn is_face_down(byte: u8) -> bool {
    byte & FACE_DOWN != 0
}

/// The rank of a card, ace 0 to king 12; 13 of a joker.
pub const fn rank(card: u8) -> u8 {
    (card & !FACE_DOWN) / 4
}

/// The cards of the same suit; none for a joker.
pub const fn same_suit(card: u8) -> u64 {
    if card == JOKER { 0 } else { SUIT << (card % 4) }
}

/// The cards of the same rank before a card.
pub(crate) const fn of_rank_before(card: usize) -> std::ops::Range<usize> {
    card - card % 4..card
}

/// Whether a set of cards (bit `card` of the mask) has the card of a byte.
pub const fn has(mask: u64, byte: u8) -> bool {
    mask >> card(byte) & 1 != 0
}

/// The number of cards that two piles have in common, from the bottom on.
#[inline]
pub(crate) fn in_common(one: &[u8], other: &[u8]) -> usize {
    let (eights, _) = one.as_chunks::<8>();
    let (others, _) = other.as_chunks::<8>();
    let mut same = 0;
    for (&eight, &other) in eights.iter().zip(others) {
        let differing = u64::from_le_bytes(eight) ^ u64::from_le_bytes(other);
        if differing != 0 {
            return same + differing.trailing_zeros() as usize / 8;
        }
        same += 8;
    }
    let rest = one[same..].iter().zip(&other[same..]);
    same + rest.take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_down_card_is_still_that_card() {
        let king_of_spades = 12 * 4 + 3;
        assert_eq!(card(king_of_spades | FACE_DOWN), king_of_spades);
        assert_eq!(rank(king_of_spades | FACE_DOWN), 12);
        assert!(is_face_down(king_of_spades | FACE_DOWN));
        assert!(has(1 << king_of_spades, king_of_spades | FACE_DOWN));
        assert!(!has(1 << king_of_spades, 0));
    }
}
