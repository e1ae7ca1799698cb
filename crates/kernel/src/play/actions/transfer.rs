//! A move: listing, testing and applying it.
//!
//! Listing uses masks that skip many piles at once, and offers a single card only to the targets
//! that take it. Testing evaluates the predicates of a rule one by one (`legality.rs`). Where
//! listing takes a short cut, debug builds evaluate these predicates, too.

use std::ops::{ControlFlow, Range};

use crate::bits::bits;
use crate::card::{CARDS, card, has, is_face_down};
use crate::play::tops::{PilesByCard, Tops};
use crate::position::journal::Journal;
use crate::position::moves::{Move, NONE, packed_count};
use crate::position::state::{State, Transfer};
use crate::program::actions::CompiledAction;
use crate::program::actions::transfer::CompiledMove;
use crate::program::compiled::Program;
use crate::program::format::{End, Face, Unit};
use crate::program::validate::MAX_PILES;

/// The number of targets that is seldom exceeded.
const FEW: usize = 16;

/// To find all piles by their top cards pays for more sources than these.
const FEW_SOURCES: u32 = 6;

/// The targets that can take any card, each with the single cards that it takes.
struct Targets<const MOST: usize> {
    piles: [u8; MOST],
    takes: [u64; MOST],
    len: usize,
    /// The cards that any of them takes.
    all: u64,
    /// The sources of any of them.
    served: u128,
}

impl<const MOST: usize> Targets<MOST> {
    /// Those that take a card.
    #[inline]
    fn taking(&self, byte: u8) -> u128 {
        let all = self.piles.iter().zip(&self.takes).take(self.len);
        all.filter(|(_, takes)| has(**takes, byte)).fold(0, |piles, (&pile, _)| piles | 1 << pile)
    }
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
        tops: &Tops,
        visit: impl FnMut(usize, usize, usize) -> bool,
    ) -> ControlFlow<()> {
        if plan.is_simple && (plan.only_fills() || tops.are_kept()) {
            return self.simple_instances::<false>(program, plan, sources, tops, visit);
        }
        let action = &plan.action;
        let open = self.open_piles(program);
        let mut sources = sources & plan.from_mask & !self.vacant() & open;
        if let Unit::Run { least: 2.., .. } = action.cards {
            // Test the unit first: long runs are rare, and computing what targets take is slower.
            sources = bits(sources)
                .filter(|&source| !self.unit_counts(program, plan, source).is_empty())
                .fold(0, |sources, source| sources | 1 << source);
        }
        let candidates = self.possible_targets(plan, open);
        if sources == 0 || candidates == 0 {
            return ControlFlow::Continue(());
        }
        if let Some(only) = plan.only.filter(|_| plan.takes_shown_top()) {
            let fits = |&source: &usize| self.top(source).is_some_and(|top| has(only, top));
            sources = bits(sources).filter(fits).fold(0, |sources, source| sources | 1 << source);
            if sources == 0 {
                return ControlFlow::Continue(());
            }
        }
        if plan.asks_tops_only {
            return self.instances_on_tops(program, plan, sources, candidates, tops, visit);
        }
        if candidates.count_ones() <= FEW as u32 {
            self.instances_among::<FEW>(program, plan, sources, candidates, tops, visit)
        } else {
            self.instances_among::<MAX_PILES>(program, plan, sources, candidates, tops, visit)
        }
    }

    /// Visits the instances of a rule that looks only at the top cards of targets.
    #[inline]
    fn instances_on_tops(
        &self,
        program: &Program,
        plan: &CompiledMove,
        sources: u128,
        candidates: u128,
        tops: &Tops,
        mut visit: impl FnMut(usize, usize, usize) -> bool,
    ) -> ControlFlow<()> {
        let action = &plan.action;
        let (mut vacant, held) = (candidates & self.vacant(), candidates & !self.vacant());
        if plan.is_uniform {
            vacant = first_vacancies(program, plan, vacant);
        }
        let build = action.build.filter(|_| held != 0);
        let piles = build.and_then(|_| self.piles_by_card(program, sources, tops));
        let onto = |touching: u8| match (build, piles) {
            (None, _) => held,
            (Some(relation), Some(piles)) => {
                held & piles.taking(&program.relations[usize::from(relation)], touching)
            }
            (Some(relation), None) => {
                let lowers =
                    program.relations[usize::from(relation)].under[usize::from(card(touching))];
                let takes = |&pile: &usize| {
                    self.top(pile).is_some_and(|top| !is_face_down(top) && has(lowers, top))
                };
                bits(held).filter(takes).fold(0, |piles, pile| piles | 1 << pile)
            }
        };
        self.units(program, plan, sources, self.which_now(plan), |source, count, touching| {
            let into = if has(action.space.0, touching) { vacant } else { 0 };
            let taking = (onto(touching) | into) & plan.targets[source];
            if taking == 0 {
                true
            } else if plan.is_uniform && plan.has_room {
                let class = |pile: usize| program.places[pile].class;
                let moved = if action.cards.is_one() { 1 } else { count };
                let is_whole = moved == self.len(source);
                let is_idle = |target: usize| {
                    is_whole && self.is_vacant(target) && class(source) == class(target)
                };
                bits(taking).all(|target| {
                    debug_assert_eq!(
                        self.target_refusal(program, plan, source, count, target).is_some(),
                        is_idle(target),
                        "the list of moves disagrees with the test of one move"
                    );
                    is_idle(target) || visit(source, count, target)
                })
            } else {
                self.offer(program, plan, taking, (source, count), &mut visit)
            }
        })
    }

    /// The piles by their top cards, if it pays to find them for some sources.
    fn piles_by_card<'t>(
        &self,
        program: &Program,
        sources: u128,
        tops: &'t Tops,
    ) -> Option<&'t PilesByCard> {
        let is_one = sources & sources.wrapping_sub(1) == 0;
        tops.known().or_else(|| (!is_one).then(|| tops.piles(program, self)))
    }

    /// Visits the instances of any rule, with at most so many targets that may take cards.
    fn instances_among<const MOST: usize>(
        &self,
        program: &Program,
        plan: &CompiledMove,
        mut sources: u128,
        candidates: u128,
        tops: &Tops,
        mut visit: impl FnMut(usize, usize, usize) -> bool,
    ) -> ControlFlow<()> {
        let pays = || tops.known().is_some() || sources.count_ones() > FEW_SOURCES;
        let is_worth_it = plan.takes_shown_top() && pays();
        let piles = is_worth_it.then(|| tops.piles(program, self));
        if let Some(piles) = piles.filter(|_| plan.action.build_order) {
            // Mostly no source has a card that is wanted, and there is no need to look at targets.
            let wanted = |target: usize| tops.wanted(program, self, target);
            let cards = bits(candidates).fold(0, |cards, target| cards | wanted(target));
            sources &= piles.with(cards);
            if sources == 0 {
                return ControlFlow::Continue(());
            }
        }
        // No source has other cards to give, so targets that take none of these are passed over.
        let shown = piles.map_or(u64::MAX, PilesByCard::cards) & self.which_now(plan);
        let targets: Targets<MOST> = self.targets(program, plan, candidates, shown, tops);
        sources &= targets.served;
        if let Some(piles) = piles {
            sources &= piles.with(targets.all);
        }
        let which = targets.all & shown;
        self.units(program, plan, sources, which, |source, count, touching| {
            let taking = targets.taking(touching) & plan.targets[source];
            taking == 0 || self.offer(program, plan, taking, (source, count), &mut visit)
        })
    }

    /// Visits the units of cards that a move rule can take from some sources until `visit` breaks:
    /// those that a card of a class takes where it may go. That card is visited, too.
    #[inline]
    fn units(
        &self,
        program: &Program,
        plan: &CompiledMove,
        sources: u128,
        which: u64,
        mut visit: impl FnMut(usize, usize, u8) -> bool,
    ) -> ControlFlow<()> {
        let action = &plan.action;
        let is_any = matches!(action.cards, Unit::Any { .. } | Unit::Bottom) && !plan.turns_up();
        if which == 0 {
            return ControlFlow::Continue(());
        }
        for source in in_order(sources, &action.from, plan.from_ascending) {
            if plan.asks_of_source && !self.may_give(program, plan, source) {
                continue;
            }
            debug_assert_eq!(self.source_refusal(program, plan, source), None);
            for count in self.unit_counts(program, plan, source) {
                let touching = self.touching(plan, source, count);
                if !has(which, touching)
                    || is_any && is_face_down(touching)
                    || plan.asks_of_cards && !self.may_leave(program, plan, source, count, touching)
                {
                    continue;
                }
                if !visit(source, count, touching) {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether an open source that has cards may give any.
    #[inline]
    pub(super) fn may_give(&self, program: &Program, plan: &CompiledMove, source: usize) -> bool {
        let [fewest, most] = plan.action.from_holds.map(usize::from);
        (fewest..=most).contains(&self.len(source))
            && !(plan.asks_more_of_source && self.source_refusal(program, plan, source).is_some())
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

    /// The targets that can take any of some cards.
    #[inline]
    fn targets<const MOST: usize>(
        &self,
        program: &Program,
        plan: &CompiledMove,
        candidates: u128,
        cards: u64,
        tops: &Tops,
    ) -> Targets<MOST> {
        let mut targets = Targets { piles: [0; MOST], takes: [0; MOST], len: 0, all: 0, served: 0 };
        for target in bits(candidates) {
            let wanted = if plan.action.build_order {
                cards & tops.wanted(program, self, target)
            } else {
                cards
            };
            if wanted != 0 {
                self.add_target(program, plan, &mut targets, target, wanted);
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
            if is_idle {
                return 0;
            }
            let candidates = self.possible_targets(moving, open);
            let targets: Targets<MAX_PILES> =
                self.targets(program, moving, candidates, u64::MAX, &Tops::default());
            targets.all
        };
        rules.iter().map(wanted).fold(0, |all, cards| all | cards)
    }

    /// Adds a target and the cards that it takes, if it takes any of some cards, all of which its
    /// build order wants if the rule asks for that.
    #[inline]
    fn add_target<const MOST: usize>(
        &self,
        program: &Program,
        plan: &CompiledMove,
        targets: &mut Targets<MOST>,
        target: usize,
        wanted: u64,
    ) {
        let action = &plan.action;
        let size = self.len(target);
        let fits =
            size >= usize::from(action.to_holds[0]) && size <= usize::from(action.to_holds[1]);
        if !fits || self.free_slots(target) == 0 {
            return;
        }
        let mut cards = wanted
            & match (self.top(target), action.build) {
                (None, _) if action.beside.is_none() => action.space.0,
                (None, _) => action.space.0 & self.taken_beside(program, plan, target),
                (Some(top), Some(_)) if is_face_down(top) => 0,
                (Some(top), Some(relation)) => {
                    program.relations[usize::from(relation)].over[usize::from(top)]
                }
                (Some(_), None) => u64::MAX,
            };
        if !plan.is_plain && cards != 0 {
            self.asked_of_target(program, plan, target, |_, asked| cards &= asked);
        }
        if cards != 0 {
            targets.piles[targets.len] = target as u8;
            targets.takes[targets.len] = cards;
            targets.len += 1;
            targets.all |= cards;
            targets.served |= plan.sources[target];
        }
    }

    /// Offers a unit of cards to each of some targets that take the card that decides, until
    /// `visit` breaks.
    #[inline]
    fn offer(
        &self,
        program: &Program,
        plan: &CompiledMove,
        taking: u128,
        (source, count): (usize, usize),
        visit: &mut impl FnMut(usize, usize, usize) -> bool,
    ) -> bool {
        let moved = if plan.action.cards.is_one() { 1 } else { count };
        let is_idle = |target: usize| {
            let class = |pile: usize| program.places[pile].class;
            moved == self.len(source) && class(source) == class(target)
        };
        let mut accepted = 0u128;
        for target in in_order(taking, &plan.action.to, plan.to_ascending) {
            if plan.action.asks.drops && !self.may_receive(program, plan, source, target) {
                continue;
            }
            let vacant = self.is_vacant(target);
            let refused = if moved == 1 || plan.asks_tops_only {
                moved > self.free_slots(target) || vacant && is_idle(target)
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
    pub(super) fn may_leave(
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
    #[inline]
    fn unit_counts(&self, program: &Program, plan: &CompiledMove, source: usize) -> Range<usize> {
        if plan.action.cards == Unit::Top {
            let available = |top: u8| plan.action.face == Face::Up || !is_face_down(top);
            return 1..1 + usize::from(self.top(source).is_some_and(available));
        }
        self.counts_of_several(program, plan, source)
    }

    /// The same for units that are not the top card.
    fn counts_of_several(
        &self,
        program: &Program,
        plan: &CompiledMove,
        source: usize,
    ) -> Range<usize> {
        let cards = self.pile(source);
        let exactly = |count: usize| count..count + 1;
        let most = usize::from(NONE);
        match plan.action.cards {
            Unit::Top => exactly(1),
            Unit::All
                if plan.action.by_top && cards.last().is_some_and(|&top| is_face_down(top)) =>
            {
                0..0
            }
            Unit::All | Unit::Bottom => exactly(cards.len()),
            Unit::Any { place: None } => 1..cards.len().min(most) + 1,
            Unit::Any { place: Some(place) } => match place.depth(cards.len()) {
                Some(depth) if depth <= most => exactly(depth),
                _ => 0..0,
            },
            Unit::Longest { relation } => {
                let over = &program.relations[usize::from(relation)].over;
                let count = run_length(over, self.onto_now(plan), cards, most);
                count.max(1)..count + 1
            }
            Unit::Count { number } => exactly(cards.len().min(usize::from(number))),
            Unit::Packet => {
                let face_up = cards.iter().rev().take_while(|&&byte| !is_face_down(byte)).count();
                1..face_up.min(most) + 1
            }
            Unit::Run { relation, least, most } => {
                let over = &program.relations[usize::from(relation)].over;
                let (fewest, longest) =
                    (usize::from(least), usize::from(most.min(u16::from(NONE))));
                let is_long = cards.len() >= fewest;
                let length = || run_length(over, self.onto_now(plan), cards, longest);
                fewest..1 + if is_long { length() } else { 0 }
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

/// Of empty piles the first one of each class, or of all where only the first empty pile counts:
/// the others are equivalent.
pub(super) fn first_vacancies(program: &Program, plan: &CompiledMove, vacant: u128) -> u128 {
    bits(vacant).fold(0, |firsts, pile| {
        let peers = if plan.action.first_vacant { firsts } else { program.places[pile].peers };
        if firsts & peers == 0 { firsts | 1 << pile } else { firsts }
    })
}

/// Piles of a mask in the order in which a rule lists them.
#[inline]
pub(super) fn in_order(
    piles: u128,
    listed: &[u8],
    is_ascending: bool,
) -> impl Iterator<Item = usize> {
    let mut ascending = bits(if is_ascending { piles } else { 0 });
    let mut listed = listed[if is_ascending { listed.len() } else { 0 }..].iter();
    std::iter::from_fn(move || {
        let next = || listed.find(|&&pile| piles >> pile & 1 != 0).map(|&pile| pile.into());
        ascending.next().or_else(next)
    })
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
