//! Why a move rule does not allow certain cards on a certain pile.
//!
//! These are the predicates of move rules: a unit of cards is an instance unless one of them
//! refuses it.

use crate::bits::bits;
use crate::card::{card, has, is_face_down, rank};
use crate::play::actions::transfer::run_length;
use crate::position::state::State;
use crate::program::actions::CompiledAction;
use crate::program::actions::transfer::CompiledMove;
use crate::program::compiled::Program;
use crate::program::format::{CardsByCounter, Longest, PilesByCounter, Total, Unit};

/// The first reason why a rule does not allow a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A condition of the rule does not hold. Its index.
    When(usize),
    /// `open_when`: the cards of this pile are covered by other piles.
    Covered(u8),
    /// `yields_to`: other piles must be empty before this source may be used.
    YieldsTo,
    /// `along`: the rule does not allow this target for this source.
    Along,
    /// `from_holds`: the source holds too few or too many cards.
    FromHolds,
    /// `to_holds`: the target holds too few or too many cards.
    ToHolds,
    /// A card to be moved lies face down.
    FaceDown,
    /// `cards`: the cards do not move as a unit.
    Cards,
    /// `which`: these cards may not be moved, for the lowest one is not in the class.
    Which,
    /// `space`: an empty target does not take the card.
    Space,
    /// `beside`: the card does not fit beside the neighbours of the empty target.
    Beside,
    /// `build`: the card may not lie on the target's top card. That card's byte.
    Build(u8),
    /// `build_order`: the target's build order does not want the card.
    BuildOrder,
    /// `beaten_by`: no other source shows a card that lets this one go.
    BeatenBy,
    /// `prefer`: an equal card must be used first.
    Prefer,
    /// `asks`: the target does not take this card.
    Takes,
    /// `asks`: the rank of the card does not lie where it must.
    RanksIn,
    /// `asks`: nothing may lie on the target's top card.
    Onto,
    /// `asks`: the sequence on the target would have too many cards.
    Longest,
    /// `asks`: the cards of the target would come to another total.
    Total,
    /// `asks`: the cards may not leave what lies below them. The byte of that card; 255 for none.
    Uncovers(u8),
    /// `asks`: it is not the turn of this source.
    FromTurn,
    /// `asks`: it is not the turn of this target.
    ToTurn,
    /// The card lies where it belongs, and stays there.
    InPlace,
    /// The target has no room.
    Capacity,
    /// The move would not change the position.
    SamePosition,
    /// An equivalent target comes first. That target.
    EquivalentTarget(u8),
    /// Another choice is open.
    Choice,
}

impl Reason {
    /// The name of the reason: of the field of the rule that is not met, if there is one.
    pub const fn name(self) -> &'static str {
        match self {
            Self::When(_) => "when",
            Self::Covered(_) => "open_when",
            Self::YieldsTo => "yields_to",
            Self::Along => "along",
            Self::FromHolds => "from_holds",
            Self::ToHolds => "to_holds",
            Self::FaceDown => "face_down",
            Self::Cards => "cards",
            Self::Which => "which",
            Self::Space => "space",
            Self::Beside => "beside",
            Self::Build(_) => "build",
            Self::BuildOrder => "build_order",
            Self::BeatenBy => "beaten_by",
            Self::Prefer => "prefer",
            Self::Takes => "takes",
            Self::RanksIn => "ranks_in",
            Self::Onto => "onto",
            Self::Longest => "longest",
            Self::Total => "total",
            Self::Uncovers(_) => "uncovers",
            Self::FromTurn => "from_turn",
            Self::ToTurn => "to_turn",
            Self::InPlace => "in_place",
            Self::Capacity => "capacity",
            Self::SamePosition => "same_position",
            Self::EquivalentTarget(_) => "equivalent_target",
            Self::Choice => "choice",
        }
    }

    /// The number of the reason; 0 if it has none.
    pub const fn detail(self) -> usize {
        match self {
            Self::When(condition) => condition,
            Self::Build(index)
            | Self::EquivalentTarget(index)
            | Self::Covered(index)
            | Self::Uncovers(index) => index as usize,
            _ => 0,
        }
    }
}

/// A rule, and why it does not allow a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The index of the rule.
    pub rule: u8,
    /// The reason.
    pub reason: Reason,
}

impl State {
    /// Why no rule allows a number of top cards of one pile on another.
    ///
    /// There is one entry for each free move rule that has both piles in its lists and refuses the
    /// move. While a choice is open, there is one for the rule of the choice if it has both piles,
    /// or else [`Reason::Choice`] for each free rule. Rules that allow the move have no entry, so
    /// the list of a legal move may be empty. It is also empty if a pile does not exist.
    pub fn refusals(
        &self,
        program: &Program,
        source: usize,
        count: usize,
        target: usize,
    ) -> Vec<Refusal> {
        let piles = program.places.len();
        if source >= piles || target >= piles {
            return Vec::new();
        }
        let moving = |rule: u8| match &program.plans[usize::from(rule)].kind {
            CompiledAction::Move(plan)
                if plan.from_mask >> source & 1 != 0 && plan.to_mask >> target & 1 != 0 =>
            {
                Some(plan)
            }
            _ => None,
        };
        let choice = self.choice();
        if choice.is_open()
            && let Some(plan) = moving(choice.rule)
        {
            let reason = self
                .refusal(program, plan, source, count, target)
                .or_else(|| (!choice.offers(source as u8, target as u8)).then_some(Reason::Choice));
            return reason
                .map(|reason| Refusal { rule: choice.rule, reason })
                .into_iter()
                .collect();
        }
        let free = program.free.iter().filter_map(|&rule| moving(rule).map(|plan| (rule, plan)));
        free.filter_map(|(rule, plan)| {
            let reason = if choice.is_open() {
                Some(Reason::Choice)
            } else {
                self.failed_condition(program, usize::from(rule))
                    .map(Reason::When)
                    .or_else(|| self.refusal(program, plan, source, count, target))
            };
            reason.map(|reason| Refusal { rule, reason })
        })
        .collect()
    }

    /// Why a move rule whose lists have both piles does not allow a move; `None` if it does.
    pub(crate) fn refusal(
        &self,
        program: &Program,
        plan: &CompiledMove,
        source: usize,
        count: usize,
        target: usize,
    ) -> Option<Reason> {
        if plan.targets[source] >> target & 1 == 0 {
            return Some(Reason::Along);
        }
        self.source_refusal(program, plan, source)
            .or_else(|| self.unit_refusal(program, plan, source, count))
            .or_else(|| self.target_refusal(program, plan, source, count, target))
            .or_else(|| {
                bits(self.twins(program, plan, target, plan.before(target)))
                    .find(|&pile| self.target_refusal(program, plan, source, count, pile).is_none())
                    .map(|pile| Reason::EquivalentTarget(pile as u8))
            })
    }

    /// Why a source is refused, whatever the cards and the target.
    #[inline]
    pub(crate) fn source_refusal(
        &self,
        program: &Program,
        plan: &CompiledMove,
        source: usize,
    ) -> Option<Reason> {
        if !self.is_open(program, source) {
            return Some(Reason::Covered(source as u8));
        }
        if plan.yields_to[source] & !self.vacant() != 0 {
            return Some(Reason::YieldsTo);
        }
        let size = self.len(source);
        let [fewest, most] = plan.action.from_holds;
        if size == 0 || size < usize::from(fewest) || size > usize::from(most) {
            return Some(Reason::FromHolds);
        }
        if plan.waiting >> source & 1 != 0 && !self.has_waiting_card(program, source) {
            return Some(Reason::InPlace);
        }
        let turn = self.piles_now(plan.action.asks.from.as_ref());
        (turn >> source & 1 == 0).then_some(Reason::FromTurn)
    }

    /// The piles that depend on a counter; all, if nothing is asked.
    #[inline]
    fn piles_now(&self, piles: Option<&PilesByCounter>) -> u128 {
        piles.map_or(u128::MAX, |PilesByCounter { counter, piles }| {
            let value = usize::from(self.counters()[usize::from(*counter)]);
            piles.get(value).map_or(0, |piles| piles.0)
        })
    }

    /// The cards that depend on a counter; all, if nothing is asked.
    #[inline]
    fn cards_now(&self, cards: Option<&CardsByCounter>) -> u64 {
        cards.map_or(u64::MAX, |CardsByCounter { counter, cards }| {
            let value = usize::from(self.counters()[usize::from(*counter)]);
            cards.get(value).map_or(0, |cards| cards.0)
        })
    }

    /// The cards that may move now, as the lowest ones of units.
    #[inline]
    pub(crate) fn which_now(&self, plan: &CompiledMove) -> u64 {
        plan.action.which.0 & self.cards_now(plan.action.asks.which.as_ref())
    }

    /// What few rules ask of a target: visits the reasons to refuse cards, each with the cards that
    /// are not refused.
    pub(crate) fn asked_of_target(
        &self,
        program: &Program,
        plan: &CompiledMove,
        target: usize,
        mut visit: impl FnMut(Reason, u64),
    ) {
        let asks = &plan.action.asks;
        let all_if = |is_met: bool| if is_met { u64::MAX } else { 0 };
        let top = self.top(target);
        if asks.to.is_some() || asks.last_filled || asks.emptiest {
            let last = |pile: &&u8| !self.is_vacant(usize::from(**pile));
            let is_last = || plan.action.to.iter().rfind(last) == Some(&(target as u8));
            let size = |pile: &&u8| self.len(usize::from(**pile));
            let is_emptiest = || plan.action.to.iter().min_by_key(size) == Some(&(target as u8));
            let turn = self.piles_now(asks.to.as_ref()) >> target & 1 != 0
                && (!asks.last_filled || is_last())
                && (!asks.emptiest || is_emptiest());
            visit(Reason::ToTurn, all_if(turn));
        }
        if asks.space.is_some() && top.is_none() {
            visit(Reason::Space, self.cards_now(asks.space.as_ref()));
        }
        if !asks.begun.is_empty() {
            let reason = Reason::Build(top.unwrap_or(0));
            visit(reason, self.as_begun(program, &asks.begun, target));
        }
        visit(Reason::Takes, plan.takes[target]);
        if plan.ranks_in[target] != 0 {
            visit(Reason::RanksIn, self.of_ranks_in(plan.ranks_in[target]));
        }
        if let (Some(_), Some(top)) = (&asks.onto, top) {
            visit(Reason::Onto, all_if(has(self.onto_now(plan), top)));
        }
        if asks.longest.is_some() {
            visit(Reason::Longest, all_if(!self.is_too_long(program, plan, 1, target)));
        }
        if let Some(total) = &asks.total {
            visit(Reason::Total, self.adding(total, target));
        }
    }

    /// The cards with which the face-up cards of a pile come to a total.
    fn adding(&self, total: &Total, pile: usize) -> u64 {
        let worth = |card: u8| u32::from(total.worth[usize::from(rank(card))]);
        let held = || self.pile(pile).iter().filter(|&&byte| !is_face_down(byte));
        let is_wild = |&&byte: &&u8| has(total.wild.0, byte);
        let holds_wild = held().any(|byte| is_wild(&byte));
        let plain = held().filter(|byte| !is_wild(byte));
        let sum: u32 = plain.map(|&byte| worth(card(byte))).sum();
        let fits = |&(_, &worth): &(u32, &u16)| {
            let sum = sum + u32::from(worth);
            sum <= u32::from(total.most) && (sum >= u32::from(total.least) || holds_wild)
        };
        let ranks = (0..).zip(&total.worth).filter(fits);
        let plain = ranks.fold(0, |cards, (rank, _)| cards | 0b1111 << (4 * rank));
        let wild = if sum <= u32::from(total.most) { total.wild.0 } else { 0 };
        plain & !total.wild.0 | wild
    }

    /// The cards that others may lie on.
    #[inline]
    pub(crate) fn onto_now(&self, plan: &CompiledMove) -> u64 {
        self.cards_now(plan.action.asks.onto.as_ref())
    }

    /// The card below a number of top cards, if the rule asks for another; 255 for no card.
    #[inline]
    pub(crate) fn wrongly_uncovered(
        &self,
        program: &Program,
        plan: &CompiledMove,
        source: usize,
        count: usize,
    ) -> Option<u8> {
        let asked = plan.action.asks.uncovers.as_ref()?;
        let cards = self.pile(source);
        let Some(&below) = cards.len().checked_sub(count + 1).map(|at| &cards[at]) else {
            return (!asked.nothing && !asked.whole_run).then_some(u8::MAX);
        };
        let is_open = !is_face_down(below);
        let ends = || match plan.action.cards {
            Unit::Run { relation, .. } => {
                let over = &program.relations[usize::from(relation)].over;
                let lowest = cards[cards.len() - count];
                !is_open
                    || !has(over[usize::from(below)], lowest)
                    || !has(self.onto_now(plan), below)
            }
            _ => false,
        };
        let is_asked_for = || {
            asked.cards.is_some_and(|mask| has(mask.0, below))
                || bits(asked.wanted_by.0).any(|pile| has(self.wanted_now(program, pile), below))
        };
        let is_right =
            asked.hidden && !is_open || is_open && is_asked_for() || asked.whole_run && ends();
        (!is_right).then_some(below)
    }

    /// The cards that continue a pile in the direction in which its two top cards lie, if they do.
    fn as_begun(&self, program: &Program, begun: &[u8], pile: usize) -> u64 {
        let &[.., below, top] = self.pile(pile) else { return u64::MAX };
        let mut continued = None;
        for &relation in begun {
            let over = &program.relations[usize::from(relation)].over;
            let is_face_up = !is_face_down(below) && !is_face_down(top);
            if is_face_up && has(over[usize::from(below)], top) {
                continued = Some(continued.unwrap_or(0) | over[usize::from(top)]);
            }
        }
        continued.unwrap_or(u64::MAX)
    }

    /// The cards of the ranks that lie face up in some piles; all cards for no piles.
    fn of_ranks_in(&self, piles: u128) -> u64 {
        if piles == 0 {
            return u64::MAX;
        }
        bits(piles).fold(0, |cards, pile| {
            let face_up = self.pile(pile).iter().filter(|&&byte| !is_face_down(byte));
            face_up.fold(cards, |cards, &byte| cards | 0b1111 << (byte & !3))
        })
    }

    /// Why a number of cards of a source that is not empty is refused, whatever the target.
    fn unit_refusal(
        &self,
        program: &Program,
        plan: &CompiledMove,
        source: usize,
        count: usize,
    ) -> Option<Reason> {
        let cards = self.pile(source);
        if count == 0 || count > cards.len() {
            return Some(Reason::Cards);
        }
        let moved = if plan.action.cards.is_one() { 1 } else { count };
        let unit = &cards[cards.len() - count..cards.len() - count + moved];
        let face_down = unit.iter().any(|&byte| is_face_down(byte));
        let refusal = match plan.action.cards {
            Unit::All | Unit::Bottom if count != cards.len() => Some(Reason::Cards),
            Unit::All => {
                let hidden = plan.action.by_top && is_face_down(cards[cards.len() - 1]);
                hidden.then_some(Reason::FaceDown)
            }
            Unit::Count { number } => {
                (count != cards.len().min(usize::from(number))).then_some(Reason::Cards)
            }
            Unit::Top if count != 1 => Some(Reason::Cards),
            _ if plan.turns_up() => None,
            _ if face_down => Some(Reason::FaceDown),
            Unit::Top | Unit::Bottom => None,
            Unit::Longest { relation } => {
                let over = &program.relations[usize::from(relation)].over;
                let length = run_length(over, self.onto_now(plan), cards, 255);
                (length != count).then_some(Reason::Cards)
            }
            Unit::Any { place: Some(place) } if place.depth(cards.len()) != Some(count) => {
                Some(Reason::Cards)
            }
            Unit::Any { .. } | Unit::Packet => (count > 255).then_some(Reason::Cards),
            Unit::Run { relation, least, most } => {
                let over = &program.relations[usize::from(relation)].over;
                let fits = count >= usize::from(least)
                    && count <= usize::from(most.min(255))
                    && run_length(over, self.onto_now(plan), cards, count) == count;
                (!fits).then_some(Reason::Cards)
            }
        };
        refusal.or_else(|| {
            let touching = self.touching(plan, source, count);
            if !has(self.which_now(plan), touching) {
                return Some(Reason::Which);
            }
            if !self.is_beaten(program, plan, source, touching) {
                return Some(Reason::BeatenBy);
            }
            self.wrongly_uncovered(program, plan, source, count).map(Reason::Uncovers)
        })
    }

    /// Whether the top card of another source lets a card go, if the rule asks for that.
    #[inline]
    pub(crate) fn is_beaten(
        &self,
        program: &Program,
        plan: &CompiledMove,
        source: usize,
        touching: u8,
    ) -> bool {
        plan.action.beaten_by.is_none_or(|relation| {
            let beaters =
                program.relations[usize::from(relation)].over[usize::from(card(touching))];
            let others = plan.from_mask & !self.vacant() & self.open_piles(program);
            bits(others & !(1 << source)).any(|other| {
                self.top(other).is_some_and(|top| !is_face_down(top) && has(beaters, top))
            })
        })
    }

    /// Why a target refuses a unit of cards.
    #[inline]
    pub(crate) fn target_refusal(
        &self,
        program: &Program,
        plan: &CompiledMove,
        source: usize,
        count: usize,
        target: usize,
    ) -> Option<Reason> {
        let action = &plan.action;
        if plan.targets[source] >> target & 1 == 0 {
            return Some(Reason::Along);
        }
        if !self.may_receive(program, plan, source, target) {
            return Some(Reason::Covered(target as u8));
        }
        let size = self.len(target);
        if size < usize::from(action.to_holds[0]) || size > usize::from(action.to_holds[1]) {
            return Some(Reason::ToHolds);
        }
        let touching = self.touching(plan, source, count);
        match (self.top(target), action.build) {
            (None, _) if !has(action.space.0, touching) => return Some(Reason::Space),
            (None, _) if !has(self.taken_beside(program, plan, target), touching) => {
                return Some(Reason::Beside);
            }
            (Some(top), Some(relation)) => {
                let over = &program.relations[usize::from(relation)].over;
                if is_face_down(top) || !has(over[usize::from(card(top))], touching) {
                    return Some(Reason::Build(top));
                }
            }
            _ => {}
        }
        if !plan.is_plain {
            let mut refused = None;
            self.asked_of_target(program, plan, target, |reason, cards| {
                if refused.is_none() && !has(cards, touching) {
                    refused = Some(reason);
                }
            });
            if refused.is_some() {
                return refused;
            }
        }
        if action.build_order && !self.build_order_takes(program, plan, source, count, target) {
            return Some(Reason::BuildOrder);
        }
        if let Some(prefer) = action.prefer.map(usize::from)
            && prefer != source
            && self.top(prefer) == Some(card(touching))
        {
            return Some(Reason::Prefer);
        }
        let moved = if action.cards.is_one() { 1 } else { count };
        if self.is_too_long(program, plan, moved, target) {
            return Some(Reason::Longest);
        }
        if moved > self.free_slots(target) {
            return Some(Reason::Capacity);
        }
        let same = size == 0
            && moved == self.len(source)
            && program.places[source].class == program.places[target].class;
        same.then_some(Reason::SamePosition)
    }

    /// Whether a target is open, as far as a rule asks for that.
    #[inline]
    pub(crate) fn may_receive(
        &self,
        program: &Program,
        plan: &CompiledMove,
        source: usize,
        target: usize,
    ) -> bool {
        self.is_open(program, target)
            || plan.action.asks.drops && self.is_open_without(program, target, source)
    }

    /// Whether some cards would lie in a longer sequence on a target than the rule allows.
    fn is_too_long(
        &self,
        program: &Program,
        plan: &CompiledMove,
        moved: usize,
        target: usize,
    ) -> bool {
        plan.action.asks.longest.is_some_and(|Longest { relation, most }| {
            let over = &program.relations[usize::from(relation)].over;
            let most = usize::from(most);
            run_length(over, u64::MAX, self.pile(target), most) + moved > most
        })
    }

    fn build_order_takes(
        &self,
        program: &Program,
        plan: &CompiledMove,
        source: usize,
        count: usize,
        target: usize,
    ) -> bool {
        let cards = self.pile(source);
        let moved = if plan.action.cards.is_one() { 1 } else { count };
        let unit = &cards[cards.len() - count..cards.len() - count + moved];
        let height = self.len(target);
        let mut top = self.top(target);
        (0..moved).all(|laid| {
            let byte = unit[if plan.action.laid_one_by_one { moved - 1 - laid } else { laid }];
            let takes = has(self.wanted(program, target, height + laid, top), byte);
            top = Some(byte);
            takes
        })
    }

    /// Those of some targets that are equivalent to this one: empty piles of its class (of any
    /// class, where only the first empty pile counts), or, where the build order decides, piles of
    /// its class with equal contents.
    #[inline]
    pub(crate) fn twins(
        &self,
        program: &Program,
        plan: &CompiledMove,
        target: usize,
        among: u128,
    ) -> u128 {
        let peers = program.places[target].peers & among;
        if self.is_vacant(target) {
            self.vacant() & if plan.action.first_vacant { among } else { peers }
        } else if plan.action.build_order {
            bits(peers & !self.vacant())
                .filter(|&peer| self.same_cards(peer, target))
                .fold(0, |twins, peer| twins | 1 << peer)
        } else {
            0
        }
    }
}
