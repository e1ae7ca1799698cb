//! Rules whose moves only transfer top cards to the top of another pile.
//!
//! Most rules are of this kind. What such a move changes, apart from forced moves after it, is
//! known in advance.

use crate::program::actions::CompiledAction;
use crate::program::compiled::CompiledRule;
use crate::program::format::{DealtTo, End, Face, Quantity, Step, Unit};

/// What the moves of such a rule transfer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoneTransfer {
    pub(crate) cards: LoneCards,
    /// Whether the cards come to lie in reverse order.
    pub(crate) reverse: bool,
    pub(crate) face: Face,
}

/// The cards that a rule transfers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LoneCards {
    /// As many as the move says, between its piles.
    Said,
    /// All of them, between the piles of the move.
    All,
    /// So many, or all if there are fewer, between the piles of the move.
    AtMost(u16),
    /// A card is dealt, whatever the move says.
    Dealt { from: u8, to: u8 },
    /// All cards of a pile go to another one, whatever the move says.
    Taken { from: u8, to: u8 },
}

impl LoneTransfer {
    /// What the moves of a rule transfer; none if they may do anything else.
    pub(crate) fn of(rule: &CompiledRule) -> Option<Self> {
        if !rule.effects.is_empty() {
            return None;
        }
        match &rule.kind {
            CompiledAction::Move(moving) => {
                let cards = match moving.action.cards {
                    Unit::Top | Unit::Run { .. } | Unit::Packet | Unit::Longest { .. } => {
                        LoneCards::Said
                    }
                    Unit::All => LoneCards::All,
                    Unit::Count { number } => LoneCards::AtMost(number),
                    Unit::Any { .. } | Unit::Bottom => return None,
                };
                let (reverse, face) = (moving.action.laid_one_by_one, moving.action.face);
                Some(Self { cards, reverse, face })
            }
            CompiledAction::Script(steps) => match &**steps {
                [step] => Self::of_step(step),
                _ => None,
            },
            _ => None,
        }
    }

    /// The piles that a move of the rule takes from and puts on, given those that it says.
    #[inline]
    pub(crate) const fn piles(self, said: (u8, u8)) -> (u8, u8) {
        match self.cards {
            LoneCards::Said | LoneCards::All | LoneCards::AtMost(_) => said,
            LoneCards::Dealt { from, to } | LoneCards::Taken { from, to } => (from, to),
        }
    }

    /// What the only step of a script transfers.
    fn of_step(step: &Step) -> Option<Self> {
        match step {
            Step::Deal {
                from,
                then,
                to,
                each: 1,
                face,
                only: DealtTo::Any,
                apart: None,
                leave,
                terms,
            } if then.is_empty() && leave.is_empty() && terms.is_empty() => match **to {
                [to] if to != *from => {
                    let cards = LoneCards::Dealt { from: *from, to };
                    Some(Self { cards, reverse: false, face: *face })
                }
                _ => None,
            },
            Step::Take {
                from,
                number: Quantity::All,
                end: End::Top,
                to,
                at: End::Top,
                turned,
                face,
            } if from != to => {
                let cards = LoneCards::Taken { from: *from, to: *to };
                Some(Self { cards, reverse: *turned, face: *face })
            }
            _ => None,
        }
    }
}
