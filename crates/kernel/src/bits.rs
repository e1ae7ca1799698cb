//! Sets as masks: bit `n` says whether number `n` is in the set.

/// The masks of a single bit each.
static SINGLE: [u128; 128] = {
    let mut masks = [0; 128];
    let mut bit = 0;
    while bit < masks.len() {
        masks[bit] = 1 << bit;
        bit += 1;
    }
    masks
};

/// The mask of a number below 128 alone. To look it up is faster than to shift 128 bits.
#[inline]
pub(crate) fn single(number: u8) -> u128 {
    SINGLE[usize::from(number) % SINGLE.len()]
}

/// The indices of the bits set in a mask, lowest first.
#[inline]
pub(crate) fn bits(mask: u128) -> impl Iterator<Item = usize> {
    // Halves, because shifts and differences of 128 bits take several instructions each.
    let (mut low, mut high) = (mask as u64, (mask >> 64) as u64);
    std::iter::from_fn(move || {
        if low != 0 {
            let bit = low.trailing_zeros() as usize;
            low &= low - 1;
            Some(bit)
        } else if high != 0 {
            let bit = high.trailing_zeros() as usize;
            high &= high - 1;
            Some(bit + 64)
        } else {
            None
        }
    })
}

/// The indices of the bits set in a mask of cards.
#[inline]
pub(crate) fn ones(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let card = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            card
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_lowest_first() {
        let mask = 1 << 127 | 1 << 64 | 1 << 3;
        assert!(bits(mask).eq([3, 64, 127]));
        assert_eq!(bits(0).count(), 0);
    }
}
