//! A move: one card, or several as a unit, from one pile to another.

use crate::program::footprint::{Footprint, list};
use crate::program::format::{MoveAction, Source, Unit};
use crate::program::validate::{Check, Checked, at_least_one, cards};

/// A compiled move action.
#[derive(Debug)]
pub(crate) struct CompiledMove {
    pub(crate) action: MoveAction,
    pub(crate) from_mask: u128,
    pub(crate) to_mask: u128,
    /// Whether the sources and the targets are listed in the order of their numbers.
    pub(crate) from_ascending: bool,
    pub(crate) to_ascending: bool,
    /// For each pile: its possible targets; none if it is not a source.
    pub(crate) targets: Box<[u128]>,
    /// For each pile: its possible sources.
    pub(crate) sources: Box<[u128]>,
    /// For each pile: the piles that must be empty first.
    pub(crate) yields_to: Box<[u128]>,
}

impl CompiledMove {
    pub(super) fn new(action: &MoveAction, piles: usize) -> Self {
        let to_mask = list(&action.to);
        let mut targets = vec![0; piles];
        let mut sources = vec![0; piles];
        let mut yields_to = vec![0; piles];
        for (index, &source) in action.from.iter().enumerate() {
            let source = usize::from(source);
            targets[source] = action.along[index].0 & to_mask & !(1 << source);
            yields_to[source] = action.yields_to[index].0;
            for (target, sources) in sources.iter_mut().enumerate() {
                *sources |= (targets[source] >> target & 1) << source;
            }
        }
        Self {
            from_mask: list(&action.from),
            to_mask,
            from_ascending: action.from.is_sorted(),
            to_ascending: action.to.is_sorted(),
            targets: targets.into(),
            sources: sources.into(),
            yields_to: yields_to.into(),
            action: action.clone(),
        }
    }

    /// Whether two move rules can make the same move.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.targets.iter().zip(&other.targets).any(|(this, other)| this & other != 0)
    }
}

/// Adds what a move reads and writes.
pub(crate) fn add_footprint(program: &Source, action: &MoveAction, footprint: &mut Footprint) {
    let (from, to) = (list(&action.from), list(&action.to));
    footprint.takes |= from;
    if !(action.build_order && action.cards == Unit::Top) {
        footprint.takes_freely |= from;
    }
    if action.build_order {
        footprint.plays |= to;
        action.to.iter().for_each(|&pile| footprint.add_build_order(program, pile));
    } else {
        footprint.builds |= to;
    }
    // Bounds that only ask whether a target is empty do not measure it; all others do.
    let capacity = action.to.iter().map(|&pile| program.piles[usize::from(pile)].capacity);
    let [fewest, most] = action.to_holds;
    if fewest > 1 || most > 0 && most < capacity.max().unwrap_or(0) {
        footprint.measures |= to;
    }
    footprint.reads |= action.yields_to.iter().fold(0, |piles, mask| piles | mask.0);
    if let Some(prefer) = action.prefer {
        footprint.reads |= 1 << prefer;
        footprint.compares_cards = true;
    }
    if let Some(relation) = action.beaten_by {
        footprint.reads |= from;
        footprint.relations |= 1 << relation;
    }
    footprint.relations |= action.build.map_or(0, |relation| 1 << relation);
    footprint.add_class(action.which);
    footprint.add_class(action.space);
    let cards = match action.cards {
        Unit::Top => 1,
        Unit::Run { relation, most, .. } => {
            footprint.relations |= 1 << relation;
            most
        }
        Unit::Count { number } => number,
        Unit::Packet | Unit::All => Footprint::NO_LIMIT,
    };
    footprint.most_cards = footprint.most_cards.max(cards);
    footprint.has_choice |= match action.cards {
        Unit::Top | Unit::Run { .. } | Unit::Packet => true,
        Unit::Count { .. } | Unit::All => false,
    };
}

impl Check<'_> {
    /// Validates a move action.
    pub(super) fn moving(&self, action: &MoveAction) -> Checked {
        self.piles(&action.from)?;
        self.piles(&action.to)?;
        for (what, list) in [("yields_to", &action.yields_to), ("along", &action.along)] {
            if list.len() != action.from.len() {
                return Err(format!("{what} does not have one entry for each source"));
            }
            list.iter().try_for_each(|&mask| self.mask(mask))?;
        }
        match action.cards {
            Unit::Run { relation, least, .. } => {
                self.is_relation(relation)?;
                at_least_one("the fewest cards of a run", least)?;
            }
            Unit::Count { number } => at_least_one("the number of cards", number)?,
            Unit::Top | Unit::Packet | Unit::All => {}
        }
        cards(action.which)?;
        cards(action.space)?;
        action.build.map_or(Ok(()), |relation| self.is_relation(relation))?;
        action.beaten_by.map_or(Ok(()), |relation| self.is_relation(relation))?;
        action.prefer.map_or(Ok(()), |pile| self.is_pile(pile))?;
        if action.build_order {
            action.to.iter().try_for_each(|&pile| self.has_build_order(pile))?;
        }
        Ok(())
    }
}
