//! A move: one card, or several as a unit, from one pile to another.

use crate::bits::bits;
use crate::program::footprint::{Footprint, list, mask};
use crate::program::format::{
    Beside, BuildOrder, CardsByCounter, Face, MoveAction, Neighbours, PilesByCounter, Place,
    Source, Uncovers, Unit,
};
use crate::program::validate::{Check, Checked, MAX_PILES, at_least_one, cards, in_order, most};

/// The most values of a counter that may give cards or piles.
const MAX_VALUES: usize = 128;

/// A compiled move action.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a question of its own")]
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
    /// For each pile: the neighbours that decide what it takes when it is empty, each with the
    /// relation; empty if the rule does not look at neighbours.
    pub(crate) beside: Box<[Vec<(u8, u8)>]>,
    /// The sources whose build order lets a card wait that is not wanted there.
    pub(crate) waiting: u128,
    /// Whether it asks for nothing that few rules ask for.
    pub(crate) is_plain: bool,
    /// Whether what a target takes depends only on whether it has cards, and on its top card.
    pub(crate) asks_tops_only: bool,
    /// Whether it moves single top cards, which lie face up or only fill empty piles, and targets
    /// take them whatever lies beside them and whatever the move uncovers.
    pub(crate) is_simple: bool,
    /// Whether it is simple and asks for nothing but fitting cards that lie face up, any of them
    /// from any source that has cards, to targets in order.
    pub(crate) is_bare: bool,
    /// Whether it takes the top card of any source with cards, whatever it is and whichever way up
    /// it lies, to any empty target.
    pub(crate) is_refill: bool,
    /// Whether a target may hold any number of cards, or any but none, or none.
    pub(crate) takes_any_size: bool,
    /// Whether any source may be used with any target.
    pub(crate) is_uniform: bool,
    /// Whether each target has room for all cards of the game.
    pub(crate) has_room: bool,
    /// The only cards that any target can ever take if single ones are taken; none if that may be
    /// any card.
    pub(crate) only: Option<u64>,
    /// Whether the top card of several decides where they may go, not the lowest.
    pub(crate) top_decides: bool,
    /// Whether a source may be refused although it is open and has a card, and whether that may be
    /// for something else than the number of its cards.
    pub(crate) asks_of_source: bool,
    pub(crate) asks_more_of_source: bool,
    /// Whether cards may be refused because of other piles or of what lies below them.
    pub(crate) asks_of_cards: bool,
    /// For each pile: the cards that it takes, and the piles in which their rank must lie.
    pub(crate) takes: Box<[u64]>,
    pub(crate) ranks_in: Box<[u128]>,
}

impl CompiledMove {
    pub(super) fn new(action: &MoveAction, program: &Source) -> Self {
        let piles = program.piles.len();
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
        let (mut takes, mut ranks_in) = (vec![u64::MAX; piles], vec![0; piles]);
        for (&target, cards) in action.to.iter().zip(&action.asks.takes) {
            takes[usize::from(target)] = cards.0;
        }
        for (&target, piles) in action.to.iter().zip(&action.asks.ranks_in) {
            ranks_in[usize::from(target)] = piles.0;
        }
        let waits = |&&pile: &&u8| {
            let build_order = program.piles[usize::from(pile)].build_order;
            build_order.is_some_and(|at| program.build_orders[usize::from(at)].waits)
        };
        let waiting = mask(action.from.iter().filter(waits).copied());
        let capacity = |piles: &[u8]| {
            let sizes = piles.iter().map(|&pile| program.piles[usize::from(pile)].capacity);
            sizes.max()
        };
        let is_plain = action.asks.is_empty();
        let [least, largest] = action.to_holds;
        let takes_any_size =
            largest == 0 || least <= 1 && capacity(&action.to).is_none_or(|most| most <= largest);
        let is_uniform =
            bits(list(&action.from)).all(|source| targets[source] == to_mask & !(1 << source));
        let [fewest, most] = action.from_holds;
        let asks_more_of_source =
            waiting != 0 || action.asks.from.is_some() || yields_to.iter().any(|&piles| piles != 0);
        let asks_of_source = asks_more_of_source
            || fewest > 1
            || capacity(&action.from).is_some_and(|largest| most < largest);
        let asks_of_cards =
            action.prefer.is_some() || action.beaten_by.is_some() || action.asks.uncovers.is_some();
        let pack = pack(program);
        let is_simple = (takes_shown_top(action) || action.cards.is_top() && only_fills(action))
            && !action.asks.drops
            && !(action.build_order && action.build.is_some())
            && action.beside.is_none();
        Self {
            waiting,
            top_decides: (action.laid_one_by_one || action.by_top) && !action.cards.is_one(),
            asks_of_source,
            asks_more_of_source,
            asks_of_cards,
            only: only(action, program),
            is_plain,
            is_simple,
            is_bare: is_simple
                && is_plain
                && action.to.iter().all(|&pile| has_room_for_one(action, program, pile))
                && takes_any_size
                && takes_shown_top(action)
                && action.from.is_sorted()
                && action.to.is_sorted()
                && !asks_of_source
                && !asks_of_cards,
            is_refill: only_fills(action)
                && action.cards == Unit::Count { number: 1 }
                && pack & !(action.which.0 & action.space.0) == 0
                && is_plain
                && is_uniform
                && action.to.is_sorted()
                && action.beside.is_none()
                && !asks_of_source
                && !asks_of_cards,
            takes_any_size,
            is_uniform,
            has_room: action.to.iter().all(|&pile| has_room_for_all(program, pile)),
            asks_tops_only: is_plain
                && takes_any_size
                && action.beside.is_none()
                && !action.build_order
                && action.to.is_sorted(),
            takes: takes.into(),
            ranks_in: ranks_in.into(),
            from_mask: list(&action.from),
            to_mask,
            from_ascending: action.from.is_sorted(),
            to_ascending: action.to.is_sorted(),
            targets: targets.into(),
            sources: sources.into(),
            yields_to: yields_to.into(),
            beside: action.beside.as_ref().map_or_else(Box::default, |it| neighbours(it, piles)),
            action: action.clone(),
        }
    }

    /// Whether it takes single top cards that lie face up.
    pub(crate) fn takes_shown_top(&self) -> bool {
        takes_shown_top(&self.action)
    }

    /// Whether it only fills empty piles.
    #[inline]
    pub(crate) const fn only_fills(&self) -> bool {
        only_fills(&self.action)
    }

    /// Whether a target may hold so many cards.
    #[inline]
    pub(crate) fn takes_size(&self, size: usize) -> bool {
        let [least, most] = self.action.to_holds.map(usize::from);
        least <= size && size <= most
    }

    /// Whether the card that moves is turned up, so that it may lie face down.
    pub(crate) fn turns_up(&self) -> bool {
        self.action.face == Face::Up && matches!(self.action.cards, Unit::Top | Unit::Bottom)
    }

    /// The targets that the rule lists before this one.
    #[inline]
    pub(crate) fn before(&self, target: usize) -> u128 {
        if self.to_ascending {
            return self.to_mask & ((1 << target) - 1);
        }
        let earlier = self.action.to.iter().take_while(|&&pile| usize::from(pile) != target);
        earlier.fold(0, |piles, &pile| piles | 1 << pile)
    }

    /// Whether two move rules can make the same move in the same position.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let meet = |[fewest, most]: [u16; 2], [least, largest]: [u16; 2]| {
            fewest <= largest && least <= most
        };
        meet(self.action.from_holds, other.action.from_holds)
            && meet(self.action.to_holds, other.action.to_holds)
            && self.targets.iter().zip(&other.targets).any(|(this, other)| this & other != 0)
    }
}

/// Whether a pile has room for all cards of the game.
fn has_room_for_all(program: &Source, pile: u8) -> bool {
    let capacity = program.piles[usize::from(pile)].capacity;
    usize::from(capacity) >= program.deck.len() + program.preset.len()
}

/// Whether a target has room for each card that a move may lay on it.
fn has_room_for_one(action: &MoveAction, program: &Source, target: u8) -> bool {
    let pile = &program.piles[usize::from(target)];
    let has_end = |at: u8| {
        let wants = program.build_orders[usize::from(at)].wants.len();
        action.build_order && wants <= usize::from(pile.capacity)
    };
    has_room_for_all(program, target)
        || only_fills(action) && pile.capacity > 0
        || pile.build_order.is_some_and(has_end)
}

/// Whether a move only fills empty piles.
const fn only_fills(action: &MoveAction) -> bool {
    action.to_holds[1] == 0 && !action.build_order
}

/// Whether a move takes single top cards that lie face up.
fn takes_shown_top(action: &MoveAction) -> bool {
    action.cards == Unit::Top && action.face != Face::Up
}

/// The only cards of the game that the targets of a move can ever take; none if that may be any.
fn only(action: &MoveAction, program: &Source) -> Option<u64> {
    let [least, most] = action.to_holds;
    let mut cards = action.which.0;
    if most == 0 {
        cards &= action.space.0;
    }
    if let Some(relation) = action.build.filter(|_| least > 0) {
        let over = &program.relations[usize::from(relation)];
        cards &= over.iter().fold(0, |all, cards| all | cards.0);
    }
    if action.build_order {
        let build_orders = action.to.iter().filter_map(|&pile| {
            let at = program.piles[usize::from(pile)].build_order?;
            Some(&program.build_orders[usize::from(at)])
        });
        let wanted = |build_order: &BuildOrder| {
            let begins = if most == 0 && !build_order.own_base && build_order.base.is_none() {
                1
            } else {
                build_order.wants.len()
            };
            let ways = build_order.ways.iter().chain([&build_order.wants]);
            ways.flat_map(|wants| &wants[..begins]).fold(0, |all, cards| all | cards.0)
        };
        cards &= build_orders.map(wanted).fold(0, |all, cards| all | cards);
    }
    (pack(program) & !cards != 0).then_some(cards)
}

/// The cards of the game.
fn pack(program: &Source) -> u64 {
    let preset = program.preset.iter().map(|preset| preset.card);
    program.deck.iter().copied().chain(preset).fold(0, |pack, card| pack | 1 << card)
}

/// For each pile its neighbours, each with the relation.
fn neighbours(beside: &Beside, piles: usize) -> Box<[Vec<(u8, u8)>]> {
    let mut found = vec![Vec::new(); piles];
    for Neighbours { pairs, relation } in &beside.neighbours {
        for &[pile, neighbour] in pairs {
            found[usize::from(pile)].push((neighbour, *relation));
        }
    }
    found.into()
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
    if matches!(action.cards, Unit::Any { .. } | Unit::Bottom) {
        footprint.measures |= from;
    }
    if let Some(beside) = &action.beside {
        footprint.add_class(beside.edge);
        beside.neighbours.iter().for_each(|neighbours| footprint.add_neighbours(neighbours));
    }
    add_asks(program, action, footprint);
    for &pile in &action.from {
        let build_order = program.piles[usize::from(pile)].build_order;
        if build_order.is_some_and(|at| program.build_orders[usize::from(at)].waits) {
            footprint.add_build_order(program, pile);
        }
    }
    let cards = match action.cards {
        Unit::Top | Unit::Any { .. } | Unit::Bottom => 1,
        Unit::Longest { relation } => {
            footprint.relations |= 1 << relation;
            Footprint::NO_LIMIT
        }
        Unit::Run { relation, most, .. } => {
            footprint.relations |= 1 << relation;
            most
        }
        Unit::Count { number } => number,
        Unit::Packet | Unit::All => Footprint::NO_LIMIT,
    };
    footprint.most_cards = footprint.most_cards.max(cards);
    footprint.has_choice |= match action.cards {
        Unit::Top
        | Unit::Run { .. }
        | Unit::Packet
        | Unit::Longest { .. }
        | Unit::Any { .. }
        | Unit::Bottom => true,
        Unit::Count { .. } | Unit::All => false,
    };
}

/// Adds what depends on that which few rules ask for.
fn add_asks(program: &Source, action: &MoveAction, footprint: &mut Footprint) {
    let asks = &action.asks;
    for class in asks.which.iter().chain(&asks.space) {
        footprint.counters_read |= 1 << class.counter;
        class.cards.iter().for_each(|&cards| footprint.add_class(cards));
    }
    for piles in asks.from.iter().chain(&asks.to) {
        footprint.counters_read |= 1 << piles.counter;
    }
    if !asks.begun.is_empty() {
        footprint.relations |= mask(asks.begun.iter().copied());
        footprint.measures |= list(&action.to);
    }
    asks.takes.iter().for_each(|&cards| footprint.add_class(cards));
    let ranks_in = asks.ranks_in.iter().fold(0, |piles, mask| piles | mask.0);
    footprint.reads |= ranks_in;
    footprint.measures |= ranks_in;
    if asks.last_filled || asks.emptiest {
        footprint.reads |= list(&action.to);
    }
    if asks.emptiest {
        footprint.measures |= list(&action.to);
    }
    if let Some(class) = &asks.onto {
        footprint.counters_read |= 1 << class.counter;
        class.cards.iter().for_each(|&cards| footprint.add_class(cards));
    }
    if let Some(longest) = asks.longest {
        footprint.measures |= list(&action.to);
        footprint.relations |= 1 << longest.relation;
    }
    if let Some(total) = &asks.total {
        footprint.measures |= list(&action.to);
        footprint.add_class(total.wild);
        footprint.add_worth(&total.worth);
    }
    if let Some(uncovers) = &asks.uncovers {
        footprint.measures |= list(&action.from);
        uncovers.cards.iter().for_each(|&cards| footprint.add_class(cards));
        footprint.reads |= uncovers.wanted_by.0;
        bits(uncovers.wanted_by.0).for_each(|pile| footprint.add_build_order(program, pile as u8));
    }
}

impl Check<'_> {
    fn asks(&self, action: &MoveAction) -> Checked {
        let asks = &action.asks;
        let by_counter = asks.which.iter().chain(&asks.space).chain(&asks.onto);
        for CardsByCounter { counter, cards: classes } in by_counter {
            self.is_counter(*counter)?;
            most("classes", classes.len(), MAX_VALUES)?;
            classes.iter().try_for_each(|&mask| cards(mask))?;
        }
        for PilesByCounter { counter, piles } in asks.from.iter().chain(&asks.to) {
            self.is_counter(*counter)?;
            most("sets of piles", piles.len(), MAX_VALUES)?;
            piles.iter().try_for_each(|&mask| self.mask(mask))?;
        }
        asks.begun.iter().try_for_each(|&relation| self.is_relation(relation))?;
        for (what, length) in [("takes", asks.takes.len()), ("ranks_in", asks.ranks_in.len())] {
            if length != 0 && length != action.to.len() {
                return Err(format!("{what} does not have one entry for each target"));
            }
        }
        asks.takes.iter().try_for_each(|&mask| cards(mask))?;
        asks.ranks_in.iter().try_for_each(|&mask| self.mask(mask))?;
        if let Some(longest) = asks.longest {
            self.is_relation(longest.relation)?;
            at_least_one("the most cards of a sequence", longest.most)?;
        }
        if let Some(total) = &asks.total {
            self.has_ranks_only()?;
            cards(total.wild)?;
            if total.worth.len() != 13 {
                return Err(format!("{} ranks are worth something, not 13", total.worth.len()));
            }
            if !matches!(action.cards, Unit::Top | Unit::Count { number: 1 }) {
                return Err("a total is for single cards".to_owned());
            }
        }
        asks.uncovers.as_ref().map_or(Ok(()), |uncovers| self.uncovers(uncovers, &action.cards))
    }

    fn uncovers(&self, uncovers: &Uncovers, unit: &Unit) -> Checked {
        if matches!(unit, Unit::Any { .. } | Unit::Bottom) {
            return Err("cards from under others uncover nothing".to_owned());
        }
        if uncovers.whole_run && !matches!(unit, Unit::Run { .. }) {
            return Err("only runs are whole or in part".to_owned());
        }
        uncovers.cards.map_or(Ok(()), cards)?;
        self.mask(uncovers.wanted_by)?;
        bits(uncovers.wanted_by.0).try_for_each(|pile| self.has_build_order(pile as u8))
    }

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
        in_order("cards in the source", action.from_holds)?;
        in_order("cards in the target", action.to_holds)?;
        match action.cards {
            Unit::Run { relation, least, .. } => {
                self.is_relation(relation)?;
                at_least_one("the fewest cards of a run", least)?;
            }
            Unit::Longest { relation } => self.is_relation(relation)?,
            Unit::Count { number } => at_least_one("the number of cards", number)?,
            Unit::Any { place: Some(Place { number, .. }) } => {
                at_least_one("the place of a card", number)?;
            }
            Unit::Top | Unit::Packet | Unit::All | Unit::Any { .. } | Unit::Bottom => {}
        }
        cards(action.which)?;
        cards(action.space)?;
        action.build.map_or(Ok(()), |relation| self.is_relation(relation))?;
        action.beaten_by.map_or(Ok(()), |relation| self.is_relation(relation))?;
        action.prefer.map_or(Ok(()), |pile| self.is_pile(pile))?;
        if let Some(beside) = &action.beside {
            cards(beside.edge)?;
            most("neighbours", beside.neighbours.len(), MAX_PILES)?;
            beside.neighbours.iter().try_for_each(|neighbours| self.neighbours(neighbours))?;
        }
        if action.by_top && action.cards != Unit::All {
            return Err("only whole piles go by their top cards".to_owned());
        }
        if action.build_order {
            action.to.iter().try_for_each(|&pile| self.has_build_order(pile))?;
        }
        self.asks(action)
    }
}
