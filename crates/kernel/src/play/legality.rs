//! Why a move rule does not allow certain cards on a certain pile.
//!
//! These are the predicates of move rules: a unit of cards is an instance if nothing here refuses
//! it.

use crate::bits::bits;
use crate::card::{card, has, is_face_down};
use crate::play::actions::transfer::run_length;
use crate::position::state::State;
use crate::program::actions::CompiledAction;
use crate::program::actions::transfer::CompiledMove;
use crate::program::compiled::Program;
use crate::program::format::{Cards, Face};

/// The first reason that a rule has against a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A condition of the rule does not hold; its index.
    When(usize),
    /// Other piles must be empty before this source may be used.
    OthersFirst,
    /// This source does not serve this target.
    NotLinked,
    /// The source holds too few or too many cards.
    FromSize,
    /// The target holds too few or too many cards.
    ToSize,
    /// A card to be moved lies face down.
    FaceDown,
    /// The cards do not move as a unit.
    Unit,
    /// The lowest card may not lead.
    Lead,
    /// An empty target does not take the card.
    Vacant,
    /// The card may not lie on the target's top card; that card's byte.
    Onto(u8),
    /// The target's ladder does not want the card.
    Ladder,
    /// An equal card must be used first.
    Prefer,
    /// The target has no room.
    Capacity,
    /// The position would stay the same.
    SamePosition,
    /// An equal target comes first; that target.
    EquivalentTarget(u8),
    /// Another choice is open.
    Choice,
}

impl Reason {
    /// The reason's name in the Python face.
    pub const fn name(self) -> &'static str {
        match self {
            Self::When(_) => "when",
            Self::OthersFirst => "yields",
            Self::NotLinked => "link",
            Self::FromSize => "from-size",
            Self::ToSize => "to-size",
            Self::FaceDown => "face-down",
            Self::Unit => "unit",
            Self::Lead => "lead",
            Self::Vacant => "vacant",
            Self::Onto(_) => "onto",
            Self::Ladder => "ladder",
            Self::Prefer => "prefer",
            Self::Capacity => "capacity",
            Self::SamePosition => "same-position",
            Self::EquivalentTarget(_) => "twin",
            Self::Choice => "choice",
        }
    }

    /// The number that belongs to the reason, 0 if none does.
    pub const fn detail(self) -> usize {
        match self {
            Self::When(condition) => condition,
            Self::Onto(card) | Self::EquivalentTarget(card) => card as usize,
            _ => 0,
        }
    }
}

/// A rule and its reason against a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The index of the rule.
    pub rule: u8,
    /// The reason.
    pub reason: Reason,
}

impl State {
    /// Why no rule allows so many top cards of one pile on another.
    ///
    /// One entry for each free move rule that has both piles in its lists and refuses; while a
    /// choice is open, for the rule of the choice if it has both piles, else [`Reason::Choice`] for
    /// each of the free ones. Rules that allow the move have no entry, so the list of a legal move
    /// may be empty; so is that of a pile number that does not exist.
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

    /// Why cards are no instance of a move rule whose lists have both piles; `None` if they are.
    pub(crate) fn refusal(
        &self,
        program: &Program,
        plan: &CompiledMove,
        source: usize,
        count: usize,
        target: usize,
    ) -> Option<Reason> {
        if plan.targets[source] >> target & 1 == 0 {
            return Some(Reason::NotLinked);
        }
        self.source_refusal(plan, source)
            .or_else(|| self.unit_refusal(program, plan, source, count))
            .or_else(|| self.target_refusal(program, plan, source, count, target))
            .or_else(|| {
                let earlier = plan.action.to.iter().map(|&pile| usize::from(pile));
                let rivals = earlier
                    .take_while(|&pile| pile != target)
                    .filter(|&pile| {
                        plan.action.first_vacant || program.places[target].peers >> pile & 1 != 0
                    })
                    .filter(|&pile| {
                        self.target_refusal(program, plan, source, count, pile).is_none()
                    })
                    .fold(0, |rivals, pile| rivals | 1 << pile);
                self.equivalent_target(program, plan, target, rivals)
                    .map(|equivalent_target| Reason::EquivalentTarget(equivalent_target as u8))
            })
    }

    /// What speaks against a source, whatever goes where.
    #[inline]
    pub(crate) fn source_refusal(&self, plan: &CompiledMove, source: usize) -> Option<Reason> {
        if plan.yields_to[source] & !self.vacant() != 0 {
            return Some(Reason::OthersFirst);
        }
        let size = self.len(source);
        let [fewest, most] = plan.action.from_size;
        (size == 0 || size < usize::from(fewest) || size > usize::from(most))
            .then_some(Reason::FromSize)
    }

    /// What speaks against so many cards of a source that is not empty, whatever their target.
    fn unit_refusal(
        &self,
        program: &Program,
        plan: &CompiledMove,
        source: usize,
        count: usize,
    ) -> Option<Reason> {
        let cards = self.pile(source);
        if count == 0 || count > cards.len() {
            return Some(Reason::Unit);
        }
        let face_down = cards[cards.len() - count..].iter().any(|&byte| is_face_down(byte));
        let refusal = match plan.action.cards {
            Cards::All => (count != cards.len()).then_some(Reason::Unit),
            Cards::Count { number } => {
                (count != cards.len().min(usize::from(number))).then_some(Reason::Unit)
            }
            Cards::Top if count != 1 => Some(Reason::Unit),
            Cards::Top if plan.action.face == Face::Up => None,
            _ if face_down => Some(Reason::FaceDown),
            Cards::Top => None,
            Cards::Packet => (count > 255).then_some(Reason::Unit),
            Cards::Run { relation, min, max } => {
                let over = &program.relations[usize::from(relation)].over;
                let fits = count >= usize::from(min)
                    && count <= usize::from(max.min(255))
                    && run_length(over, cards, count) == count;
                (!fits).then_some(Reason::Unit)
            }
        };
        refusal.or_else(|| {
            let lead = self.touching(plan, source, count);
            (!has(plan.action.lead.0, lead)).then_some(Reason::Lead)
        })
    }

    /// What a target has against so many cards of a source that are a unit.
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
            return Some(Reason::NotLinked);
        }
        let size = self.len(target);
        if size < usize::from(action.to_size[0]) || size > usize::from(action.to_size[1]) {
            return Some(Reason::ToSize);
        }
        let lead = self.touching(plan, source, count);
        match (self.top(target), action.onto) {
            (None, _) if !has(action.vacant.0, lead) => return Some(Reason::Vacant),
            (Some(top), Some(onto)) => {
                let over = &program.relations[usize::from(onto)].over;
                if is_face_down(top) || !has(over[usize::from(card(top))], lead) {
                    return Some(Reason::Onto(top));
                }
            }
            _ => {}
        }
        if action.ladder && !self.ladder_takes(program, plan, source, count, target) {
            return Some(Reason::Ladder);
        }
        if let Some(prefer) = action.prefer.map(usize::from)
            && prefer != source
            && self.top(prefer) == Some(card(lead))
        {
            return Some(Reason::Prefer);
        }
        if count > self.free_slots(target) {
            return Some(Reason::Capacity);
        }
        let same = size == 0
            && count == self.len(source)
            && program.places[source].class == program.places[target].class;
        same.then_some(Reason::SamePosition)
    }

    fn ladder_takes(
        &self,
        program: &Program,
        plan: &CompiledMove,
        source: usize,
        count: usize,
        target: usize,
    ) -> bool {
        let cards = self.pile(source);
        let unit = &cards[cards.len() - count..];
        let height = self.len(target);
        let mut top = self.top(target);
        (0..count).all(|laid| {
            let byte = unit[if plan.action.reverse { count - 1 - laid } else { laid }];
            let takes = has(self.wanted(program, target, height + laid, top), byte);
            top = Some(byte);
            takes
        })
    }

    /// The one of some targets that is as good as this one: empty and of its class (or of any,
    /// where only the first vacancy counts), or, where ladders want cards, of its class with equal
    /// contents.
    #[inline]
    pub(crate) fn equivalent_target(
        &self,
        program: &Program,
        plan: &CompiledMove,
        target: usize,
        rivals: u128,
    ) -> Option<usize> {
        let vacant = self.is_vacant(target);
        let every = plan.action.first_vacant && vacant;
        let peers = if every { rivals } else { program.places[target].peers & rivals };
        if peers == 0 {
            return None;
        }
        if vacant {
            return bits(peers & self.vacant()).next();
        }
        if !plan.action.ladder {
            return None;
        }
        bits(peers & !self.vacant()).find(|&peer| self.same_cards(peer, target))
    }
}
