//! Rows of piles that close up: whole piles move to the front, over the empty places.

use super::foreseen::ForeseenTransfer;
use super::{State, Touched};
use crate::bits::{bits, single};
use crate::position::journal::{Entry, Journal};
use crate::program::compiled::Program;

/// The places of a row from the first empty one on. The order of the row is that of its piles.
#[inline]
const fn behind_gap(row: u128, vacant: u128) -> u128 {
    let gaps = row & vacant;
    // All bits from the lowest one on.
    row & (gaps | gaps.wrapping_neg())
}

impl State {
    /// Whether a pile of a row lies behind an empty place.
    #[inline]
    pub(crate) const fn has_gap(&self, row: u128) -> bool {
        behind_gap(row, self.vacant) & !self.vacant != 0
    }

    /// Moves the piles of a row over the empty places before them.
    pub(crate) fn close_up(&mut self, journal: &mut Journal, row: &[u8]) {
        let is_vacant = |state: &Self, pile: u8| state.slots[usize::from(pile)].len == 0;
        let Some(gap) = row.iter().position(|&pile| is_vacant(self, pile)) else { return };
        let mut places = row[gap..].iter();
        for &from in &row[gap..] {
            if !is_vacant(self, from)
                && let Some(&to) = places.next()
            {
                self.move_pile(journal, from, to);
                self.vacant = self.vacant & !single(to) | single(from);
            }
        }
    }

    /// The same in a row whose order is that of its piles.
    pub(crate) fn close_up_in_order(&mut self, journal: &mut Journal, row: u128) {
        let places = behind_gap(row, self.vacant);
        let mut last = 0;
        for (from, to) in bits(places & !self.vacant).zip(bits(places)) {
            self.move_pile(journal, from as u8, to as u8);
            last = to;
        }
        if places & !self.vacant != 0 {
            self.vacant |= places;
            self.vacant &= !(places & !(u128::MAX << 1 << last));
        }
    }

    /// Moves all cards of a pile as they are to an empty pile that has room. Which of them is empty
    /// is not noted.
    #[inline]
    fn move_pile(&mut self, journal: &mut Journal, from: u8, to: u8) {
        self.touch(journal, usize::from(from));
        self.touch(journal, usize::from(to));
        let count = self.carry_pile(from, to);
        journal.entries.push(Entry::MovePile { from, to, count });
    }

    /// Moves the cards themselves, with their hash, between piles that were touched. Returns their
    /// number.
    #[inline]
    pub(super) fn carry_pile(&mut self, from: u8, to: u8) -> u16 {
        let source = &mut self.slots[usize::from(from)];
        let (start, count) = (usize::from(source.start), source.len);
        let (hash, touched) = (std::mem::take(&mut source.hash), source.touched);
        source.len = 0;
        let target = &mut self.slots[usize::from(to)];
        (target.hash, target.len) = (hash, count);
        if touched == Touched::NeedsRehash {
            target.touched = touched;
        }
        let place = usize::from(target.start);
        self.copy_cards(start, place, count);
        count
    }

    /// Undoes the same.
    #[inline]
    pub(super) fn move_pile_back(&mut self, from: u8, to: u8, count: u16) {
        let target = &mut self.slots[usize::from(to)];
        target.len = 0;
        let place = usize::from(target.start);
        let source = &mut self.slots[usize::from(from)];
        source.len = count;
        let start = usize::from(source.start);
        self.copy_cards(place, start, count);
    }

    #[inline]
    fn copy_cards(&mut self, from: usize, to: usize, count: u16) {
        if count == 1 {
            self.slab[to] = self.slab[from];
        } else {
            self.slab.copy_within(from..from + usize::from(count), to);
        }
    }

    /// How much a row without gaps adds to the hash of the position if it closes up after a
    /// transfer to none of its empty piles.
    #[inline]
    pub(crate) fn closing_after(
        &self,
        program: &Program,
        row: u128,
        transfer: &ForeseenTransfer,
    ) -> u128 {
        let &ForeseenTransfer { from, to, from_term, to_term, to_hash, .. } = transfer;
        let emptied = single(from) & row;
        if emptied == 0 || self.slots[usize::from(from)].len > transfer.count {
            return 0;
        }
        let of = |pile: u8, term: u128| term.wrapping_sub(self.hash_term(usize::from(pile)));
        let is_behind = to > from && single(to) & row != 0;
        let (changed, counted) = if is_behind {
            (Some((to, to_hash)), of(from, from_term).wrapping_add(of(to, to_term)))
        } else {
            (None, of(from, from_term))
        };
        self.closing_difference(program, row, emptied, changed).wrapping_sub(counted)
    }

    /// How much the hash of the position changes, apart from the piles before the first gap, if
    /// some piles of a row without gaps become empty, one gets cards of a certain hash, and the row
    /// closes up.
    pub(crate) fn closing_difference(
        &self,
        program: &Program,
        row: u128,
        emptied: u128,
        changed: Option<(u8, u128)>,
    ) -> u128 {
        debug_assert!(!self.has_gap(row));
        let places = behind_gap(row, self.vacant | emptied) & !self.vacant;
        let mut sources = bits(places & !emptied);
        bits(places).fold(0, |difference: u128, place| {
            let hash = sources.next().map_or(0, |source| match changed {
                Some((pile, hash)) if usize::from(pile) == source => hash,
                _ => self.slots[source].hash,
            });
            let slot = &self.slots[place];
            difference
                .wrapping_add(program.keys.pile(hash, slot.class, slot.closed))
                .wrapping_sub(slot.hash_term)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::behind_gap;

    #[test]
    fn a_row_closes_up_from_its_first_gap_on() {
        assert_eq!(behind_gap(0b1_1110, 0b0_0101), 0b1_1100);
        assert_eq!(behind_gap(0b1_1110, 0b0_0001), 0);
        assert_eq!(behind_gap(1 << 127, 1 << 127), 1 << 127);
    }
}
