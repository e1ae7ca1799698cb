//! In how many steps foundations want each card.

use crate::card::CARDS;
use crate::position::state::State;
use crate::program::compiled::{BuildOrder, Program};
use crate::search::spaces::settled::settled_bases;

/// The length of tables of cards. With a power of two, no index needs a check.
pub(crate) const TABLE: usize = 64;

/// For each height: in how many steps each card of a suit is wanted, counted from that height, and
/// last for all suits. Cards of other suits are never wanted.
pub(crate) type Rows = Vec<[[u8; TABLE]; 5]>;

/// The index of all suits.
pub(crate) const ALL_SUITS: usize = 4;

/// For each build order the rows of each place at which its piles may begin: of one, if that is
/// settled.
pub(crate) fn waits(program: &Program, root: &State) -> Vec<Vec<Rows>> {
    let settled = settled_bases(program, root);
    let build_orders = program.build_orders.iter().enumerate();
    build_orders
        .map(|(at, build_order)| match &settled {
            Some(places) => vec![rows(build_order, places[at])],
            None if !build_order.own_base && build_order.base.is_none() => {
                vec![rows(build_order, 0)]
            }
            None => (0..build_order.wants.len()).map(|place| rows(build_order, place)).collect(),
        })
        .collect()
}

/// The rows of a build order whose piles begin at a place.
pub(crate) fn rows(build_order: &BuildOrder, place: usize) -> Rows {
    let steps = build_order.wants.len();
    let mut rows = vec![[[u8::MAX; TABLE]; 5]; steps + 1];
    for height in (0..steps).rev() {
        let wants = build_order.wants[build_order.place_at(place, height)];
        for here in 0..CARDS {
            let later = rows[height + 1][ALL_SUITS][here];
            let wait = if wants >> here & 1 != 0 { 0 } else { later.saturating_add(1) };
            rows[height][ALL_SUITS][here] = wait;
            rows[height][here % 4][here] = wait;
        }
    }
    rows
}

/// The cards of which the entries of two tables differ.
pub(crate) fn differing(one: &[u8; TABLE], other: &[u8; TABLE]) -> u64 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let pairs = (0..).step_by(8).zip(eights(one).zip(eights(other)));
    pairs.fold(0, |cards, (first, (one, other)): (u32, _)| {
        // The top bit of each byte that differs; the product gathers these bits.
        let differing = one ^ other;
        let differing = ((differing & LOW).wrapping_add(LOW) | differing) & !LOW;
        cards | ((differing >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << first
    })
}

/// The bytes of a table in eights.
pub(crate) fn eights(table: &[u8; TABLE]) -> impl Iterator<Item = u64> {
    table.as_chunks::<8>().0.iter().map(|&eight| u64::from_le_bytes(eight))
}

/// Lowers the entries of a table to those of another one that are lower.
#[inline]
pub(crate) fn lower(table: &mut [u8; TABLE], other: &[u8; TABLE]) {
    table.iter_mut().zip(other).for_each(|(entry, &other)| *entry = other.min(*entry));
}
