//! Transfers of cards that leave the player no choice.

use crate::program::footprint::{Footprint, list, mask};
use crate::program::format::{Quantity, Step};

/// Adds a transfer of cards from some piles to others.
fn add_transfer(from: u128, to: u128, footprint: &mut Footprint) {
    footprint.reads |= from;
    footprint.measures |= from;
    footprint.takes |= from;
    footprint.takes_freely |= from;
    footprint.deals |= to;
    footprint.most_cards = Footprint::NO_LIMIT;
}

/// Adds what a step reads and writes.
pub(crate) fn add_footprint(step: &Step, footprint: &mut Footprint) {
    match step {
        Step::Deal { from, to, .. } => add_transfer(1 << from, list(to), footprint),
        Step::Take { from, number, to, .. } => {
            add_transfer(1 << from, 1 << to, footprint);
            add_quantity(number, footprint);
        }
        Step::Gather { piles, to, .. } => add_transfer(list(piles), 1 << to, footprint),
        Step::Route { from, ways, until } => {
            let to = ways.iter().flat_map(|way| way.to.iter().chain([&way.overflow]));
            add_transfer(1 << from, mask(to.copied()), footprint);
            footprint.reads |= until.0;
            for way in ways {
                footprint.add_class(way.cards);
            }
            footprint.has_choice = true;
        }
        Step::Close { pairs } => {
            for [pile, partner] in pairs {
                footprint.closes |= 1 << pile;
                footprint.reads |= 1 << partner;
                footprint.measures |= 1 << partner;
            }
        }
        Step::Base { counter, of } => {
            footprint.reads |= 1 << of;
            footprint.counters_written |= 1 << counter;
        }
        Step::Settle => {}
    }
}

/// Adds what a number of cards depends on.
fn add_quantity(number: &Quantity, footprint: &mut Footprint) {
    match number {
        Quantity::All | Quantity::Fixed { .. } => {}
        Quantity::Times { counter, .. } => footprint.counters_read |= 1 << counter,
        Quantity::Held { pile, cards, .. } => {
            footprint.reads |= 1 << pile;
            footprint.measures |= 1 << pile;
            footprint.add_class(*cards);
        }
        Quantity::Until { counter, cards, .. } => {
            footprint.counters_read |= 1 << counter;
            footprint.add_class(*cards);
        }
    }
}

/// Whether steps gather whole piles, as for a redeal.
pub(super) fn gathers(steps: &[Step]) -> bool {
    steps.iter().any(|step| match step {
        Step::Gather { .. } => true,
        Step::Take { number, .. } => !matches!(number, Quantity::Fixed { .. }),
        Step::Deal { .. }
        | Step::Route { .. }
        | Step::Close { .. }
        | Step::Base { .. }
        | Step::Settle => false,
    })
}
