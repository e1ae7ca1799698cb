//! A move: listing, testing and applying it.
//!
//! Listing uses masks that skip many piles at once, and offers a single card only to the targets
//! that take it. Testing evaluates the predicates of a rule one by one (`legality.rs`). Where
//! listing takes a short cut, debug builds evaluate these predicates, too.

use std::ops::{ControlFlow, RangeInclusive};

use crate::bits::bits;
use crate::card::{CARDS, card, has, is_face_down};
use crate::position::journal::Journal;
use crate::position::moves::{Move, NONE, packed_count};
use crate::position::state::{State, Transfer};
use crate::program::actions::CompiledAction;
use crate::program::actions::transfer::CompiledMove;
use crate::program::compiled::Program;
use crate::program::format::{End, Face, Unit};
use crate::program::validate::MAX_PILES;

/// The targets that can take any card, in the order of the rule, each with the single cards that it
/// takes.
struct Targets {
    piles: [u8; MAX_PILES],
    takes: [u64; MAX_PILES],
    len: usize,
    /// The cards that any of them takes.
    all: u64,
    /// The sources of any of them.
    served: u128,
}

impl State {
    /// Whether a move is an instance of a move rule.
    pub(super) fn is_move_instance(
        &self,
        program: &Program,
        plan: &CompiledMove,
        instance: Move,
    ) -> bool {
        let (from, to) = (usize::from(instance.from()), usize::from(instance.to()));
        let bit = |mask: u128, pile: usize| pile < program.piles() && mask >> pile & 1 != 0;
        bit(plan.from_mask, from)
            && bit(plan.to_mask, to)
            && self
                .count_of(plan, from, instance.count())
                .is_some_and(|count| self.refusal(program, plan, from, count, to).is_none())
    }

    /// Moves the cards. Returns how many.
    #[inline]
    pub(super) fn apply_move(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        plan: &CompiledMove,
        played: Move,
    ) -> usize {
        let Some(transfer) = self.transfer_of(plan, played) else {
            let (from, to) = (usize::from(played.from()), usize::from(played.to()));
            let depth = self.count_of(plan, from, played.count()).unwrap_or(1);
            self.pull_card(program, journal, from, depth, to, plan.action.face);
            return 1;
        };
        self.transfer(program, journal, transfer)
    }

    /// The transfer of top cards that a move makes; none if it pulls a card from under others.
    #[inline]
    pub(crate) fn transfer_of(&self, plan: &CompiledMove, played: Move) -> Option<Transfer> {
        let (from, to) = (usize::from(played.from()), usize::from(played.to()));
        let action = &plan.action;
        let count = match action.cards {
            Unit::All => self.len(from),
            Unit::Count { number } => self.len(from).min(usize::from(number)),
            Unit::Top | Unit::Run { .. } | Unit::Packet | Unit::Longest { .. } => {
                usize::from(played.count())
            }
            Unit::Any { .. } | Unit::Bottom => return None,
        };
        let (reverse, face) = (action.laid_one_by_one && count > 1, action.face);
        Some(Transfer { from, from_end: End::Top, to, to_end: End::Top, count, reverse, face })
    }

    /// The number of cards for a packed count, if that count can occur.
    pub(crate) fn count_of(&self, plan: &CompiledMove, from: usize, packed: u8) -> Option<usize> {
        let count = match plan.action.cards {
            Unit::All | Unit::Bottom => self.len(from),
            Unit::Count { number } => self.len(from).min(usize::from(number)),
            Unit::Top
            | Unit::Run { .. }
            | Unit::Packet
            | Unit::Longest { .. }
            | Unit::Any { .. } => usize::from(packed),
        };
        (packed_count(count) == packed).then_some(count)
    }

    /// Visits the instances of a move rule with a source among some piles until `visit` breaks.
    /// Ignores the rule's `when`.
    pub(crate) fn move_instances(
        &self,
        program: &Program,
        plan: &CompiledMove,
        sources: u128,
        mut visit: impl FnMut(usize, usize, usize) -> bool,
    ) -> ControlFlow<()> {
        let action = &plan.action;
        let open = self.open_piles(program);
        let mut sources = sources & plan.from_mask & !self.vacant() & open;
        if let Unit::Run { least: 2.., .. } = action.cards {
            // Test the unit first: long runs are rare, and computing what targets take is slower.
            sources = bits(sources)
                .filter(|&source| !self.unit_counts(program, plan, source).is_empty())
                .fold(0, |sources, source| sources | 1 << source);
        }
        if sources == 0 || self.possible_targets(plan, open) == 0 {
            return ControlFlow::Continue(());
        }
        let targets = self.targets(program, plan, open);
        let wanted = targets.all & self.which_now(plan);
        let sources = sources & targets.served;
        if wanted == 0 || sources == 0 {
            return ControlFlow::Continue(());
        }
        let mut serve = |source: usize| {
            if plan.asks_of_source && self.source_refusal(program, plan, source).is_some() {
                return true;
            }
            debug_assert_eq!(self.source_refusal(program, plan, source), None);
            if matches!(action.cards, Unit::Top) {
                let top = self.touching(plan, source, 1);
                return !has(wanted, top)
                    || is_face_down(top) && action.face != Face::Up
                    || self.offer(program, plan, &targets, (source, 1), &mut visit);
            }
            let is_any = matches!(action.cards, Unit::Any { .. } | Unit::Bottom);
            self.unit_counts(program, plan, source).all(|count| {
                let touching = self.touching(plan, source, count);
                !has(wanted, touching)
                    || is_any && is_face_down(touching) && !plan.turns_up()
                    || self.offer(program, plan, &targets, (source, count), &mut visit)
            })
        };
        let all_served = if plan.from_ascending {
            bits(sources).all(&mut serve)
        } else {
            let listed = action.from.iter().map(|&source| usize::from(source));
            listed.filter(|source| sources >> source & 1 != 0).all(&mut serve)
        };
        if all_served { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// The targets that hold as many cards as a rule asks for: none, or any.
    #[inline]
    fn possible_targets(&self, plan: &CompiledMove, open: u128) -> u128 {
        let action = &plan.action;
        let targets = plan.to_mask & if action.asks.drops { u128::MAX } else { open };
        if action.to_holds[1] == 0 {
            targets & self.vacant()
        } else if action.to_holds[0] > 0 {
            targets & !self.vacant()
        } else {
            targets
        }
    }

    /// The targets that can take any card. `open` are the piles that no card covers.
    #[inline]
    fn targets(&self, program: &Program, plan: &CompiledMove, open: u128) -> Targets {
        let candidates = self.possible_targets(plan, open);
        let mut targets =
            Targets { piles: [0; MAX_PILES], takes: [0; MAX_PILES], len: 0, all: 0, served: 0 };
        if plan.to_ascending {
            for target in bits(candidates) {
                self.add_target(program, plan, &mut targets, target);
            }
        } else {
            for &target in &plan.action.to {
                if candidates >> target & 1 != 0 {
                    self.add_target(program, plan, &mut targets, usize::from(target));
                }
            }
        }
        targets
    }

    /// All cards, and maybe more, that some rules can take from the top of a pile, if they lie
    /// there and nothing else changes.
    pub(crate) fn wanted_by(&self, program: &Program, rules: &[u8], from: usize) -> u64 {
        let open = self.open_piles(program);
        let wanted = |&rule: &u8| {
            let plan = &program.plans[usize::from(rule)];
            let CompiledAction::Move(moving) = &plan.kind else { return u64::MAX };
            if moving.action.cards != Unit::Top {
                return u64::MAX;
            }
            let is_idle = moving.from_mask >> from & 1 == 0
                || self.possible_targets(moving, open) == 0
                || !self.all_hold(program, &plan.when);
            if is_idle { 0 } else { self.targets(program, moving, open).all }
        };
        rules.iter().map(wanted).fold(0, |all, cards| all | cards)
    }

    /// Adds a target and the cards that it takes, if it takes any.
    #[inline]
    fn add_target(
        &self,
        program: &Program,
        plan: &CompiledMove,
        targets: &mut Targets,
        target: usize,
    ) {
        let action = &plan.action;
        let size = self.len(target);
        let fits =
            size >= usize::from(action.to_holds[0]) && size <= usize::from(action.to_holds[1]);
        if !fits || self.free_slots(target) == 0 {
            return;
        }
        let mut cards = match (self.top(target), action.build) {
            (None, _) if action.beside.is_none() => action.space.0,
            (None, _) => action.space.0 & self.taken_beside(program, plan, target),
            (Some(top), Some(_)) if is_face_down(top) => 0,
            (Some(top), Some(relation)) => {
                program.relations[usize::from(relation)].over[usize::from(top)]
            }
            (Some(_), None) => u64::MAX,
        };
        if action.build_order && cards != 0 {
            cards &= self.wanted_now(program, target);
        }
        if !plan.is_plain && cards != 0 {
            let asked = self.asked_of_target(program, plan, target);
            cards &= asked.iter().fold(u64::MAX, |all, (_, cards)| all & cards);
        }
        if cards != 0 {
            targets.piles[targets.len] = target as u8;
            targets.takes[targets.len] = cards;
            targets.len += 1;
            targets.all |= cards;
            targets.served |= plan.sources[target];
        }
    }

    /// Offers a unit of cards to each target until `visit` breaks.
    #[inline]
    fn offer(
        &self,
        program: &Program,
        plan: &CompiledMove,
        targets: &Targets,
        (source, count): (usize, usize),
        visit: &mut impl FnMut(usize, usize, usize) -> bool,
    ) -> bool {
        let touching = self.touching(plan, source, count);
        if plan.asks_of_cards && !self.may_leave(program, plan, source, count, touching) {
            return true;
        }
        let linked = plan.targets[source];
        let moved = if plan.action.cards.is_one() { 1 } else { count };
        let is_whole = moved == self.len(source);
        let mut accepted = 0u128;
        for index in 0..targets.len.min(MAX_PILES) {
            let target = usize::from(targets.piles[index]);
            if !has(targets.takes[index], touching) || linked >> target & 1 == 0 {
                continue;
            }
            if plan.action.asks.drops && !self.may_receive(program, plan, source, target) {
                continue;
            }
            let vacant = self.is_vacant(target);
            let refused = if moved == 1 {
                let class = |pile: usize| program.places[pile].class;
                vacant && is_whole && class(source) == class(target)
            } else {
                self.target_refusal(program, plan, source, count, target).is_some()
            };
            debug_assert_eq!(
                refused,
                self.target_refusal(program, plan, source, count, target).is_some(),
                "the list of moves disagrees with the test of one move"
            );
            if refused {
                continue;
            }
            if vacant || plan.action.build_order {
                if accepted != 0 && self.twins(program, plan, target, accepted) != 0 {
                    continue;
                }
                accepted |= 1 << target;
            }
            if !visit(source, count, target) {
                return false;
            }
        }
        true
    }

    /// Whether other piles, and what lies below them, let cards go. For a single card, targets
    /// decide everything else.
    fn may_leave(
        &self,
        program: &Program,
        plan: &CompiledMove,
        source: usize,
        count: usize,
        touching: u8,
    ) -> bool {
        let is_preferred = |pile| pile == source || self.top(pile) != Some(card(touching));
        plan.action.prefer.map(usize::from).is_none_or(is_preferred)
            && self.is_beaten(program, plan, source, touching)
            && self.wrongly_uncovered(program, plan, source, count).is_none()
    }

    /// The numbers of cards that are a unit on a source.
    fn unit_counts(
        &self,
        program: &Program,
        plan: &CompiledMove,
        source: usize,
    ) -> RangeInclusive<usize> {
        let cards = self.pile(source);
        match plan.action.cards {
            Unit::Top => {
                let available = |&top: &u8| plan.action.face == Face::Up || !is_face_down(top);
                1..=usize::from(cards.last().is_some_and(available))
            }
            Unit::All
                if plan.action.by_top && cards.last().is_some_and(|&top| is_face_down(top)) =>
            {
                RangeInclusive::new(1, 0)
            }
            Unit::All | Unit::Bottom => cards.len()..=cards.len(),
            Unit::Any { place: None } => 1..=cards.len().min(usize::from(NONE)),
            Unit::Any { place: Some(place) } => match place.depth(cards.len()) {
                Some(depth) if depth <= usize::from(NONE) => depth..=depth,
                _ => RangeInclusive::new(1, 0),
            },
            Unit::Longest { relation } => {
                let over = &program.relations[usize::from(relation)].over;
                let count = run_length(over, self.onto_now(plan), cards, usize::from(NONE));
                count.max(1)..=count
            }
            Unit::Count { number } => {
                let count = cards.len().min(usize::from(number));
                count..=count
            }
            Unit::Packet => {
                let face_up = cards.iter().rev().take_while(|&&byte| !is_face_down(byte)).count();
                1..=face_up.min(usize::from(NONE))
            }
            Unit::Run { relation, least, most } => {
                let over = &program.relations[usize::from(relation)].over;
                let (fewest, longest) =
                    (usize::from(least), usize::from(most.min(u16::from(NONE))));
                let is_long = cards.len() >= fewest;
                let length = || run_length(over, self.onto_now(plan), cards, longest);
                fewest..=if is_long { length() } else { 0 }
            }
        }
    }

    /// The cards that an empty pile takes because of the piles beside it; all cards if the rule
    /// does not look at them.
    pub(crate) fn taken_beside(
        &self,
        program: &Program,
        plan: &CompiledMove,
        target: usize,
    ) -> u64 {
        let Some(beside) = &plan.action.beside else { return u64::MAX };
        let neighbours = &plan.beside[target];
        if neighbours.is_empty() {
            return beside.edge.0;
        }
        neighbours.iter().fold(0, |takes, &(neighbour, relation)| {
            let top = self.top(usize::from(neighbour)).filter(|&top| !is_face_down(top));
            let over = &program.relations[usize::from(relation)].over;
            takes | top.map_or(0, |top| over[usize::from(top)])
        })
    }

    /// The card of a unit that decides where it may go: mostly the one that will touch the target's
    /// top card.
    #[inline]
    pub(crate) fn touching(&self, plan: &CompiledMove, source: usize, count: usize) -> u8 {
        let cards = self.pile(source);
        cards[cards.len() - if plan.top_decides { 1 } else { count }]
    }
}

/// How many top cards, at most `longest`, are face up and each in the relation to the one below,
/// which must be in the class `onto`.
pub(crate) fn run_length(over: &[u64; CARDS], onto: u64, cards: &[u8], longest: usize) -> usize {
    let mut length = 0;
    for (index, &byte) in cards.iter().enumerate().rev() {
        let follows =
            length == 0 || has(onto, byte) && has(over[usize::from(card(byte))], cards[index + 1]);
        if length == longest || is_face_down(byte) || !follows {
            break;
        }
        length += 1;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_ends_where_the_relation_does() {
        let mut over = [0; CARDS];
        for (under, over) in over.iter_mut().enumerate().skip(4) {
            *over = 0b1111 << (under / 4 * 4 - 4);
        }
        assert_eq!(run_length(&over, u64::MAX, &[20, 8, 5, 1], 255), 3);
        assert_eq!(run_length(&over, u64::MAX, &[20, 8, 5, 1], 2), 2);
        assert_eq!(run_length(&over, u64::MAX, &[8 | 64, 5, 1], 255), 2);
        assert_eq!(run_length(&over, !(1 << 5), &[20, 8, 5, 1], 255), 1);
        assert_eq!(run_length(&over, u64::MAX, &[], 255), 0);
    }
}
