//! Rules that gather piles and perhaps deal cards from there again, and do nothing else to cards.

use crate::program::actions::CompiledAction;
use crate::program::format::{DealtTo, End, Face, Step};

/// What such a rule does.
#[derive(Debug)]
pub(crate) struct Redeal {
    /// The piles gathered, in this order.
    pub(crate) gathered: Box<[u8]>,
    /// The pile that they are gathered to, and its end.
    pub(crate) pack: u8,
    pub(crate) at: End,
    /// Whether each pile is turned over, and which way up its cards come to lie.
    pub(crate) turned: bool,
    pub(crate) face: Face,
    pub(crate) deals: Box<[Deal]>,
}

/// A deal of so many cards to each of some piles.
#[derive(Debug)]
pub(crate) struct Deal {
    pub(crate) to: Box<[u8]>,
    pub(crate) each: u16,
    pub(crate) face: Face,
}

impl Redeal {
    /// What an action does; none if it is of another kind.
    pub(crate) fn of(action: &CompiledAction) -> Option<Self> {
        let CompiledAction::Script(steps) = action else { return None };
        let (first, others) = steps.split_first()?;
        let Step::Gather { piles, to: pack, at, turned, face, keep: None } = first else {
            return None;
        };
        let deal = |step: &Step| match step {
            Step::Deal {
                from,
                then,
                to,
                each,
                face,
                only: DealtTo::Any,
                apart: None,
                leave,
                terms,
            } if from == pack && then.is_empty() && leave.is_empty() && terms.is_empty() => {
                Some(Deal { to: to.clone().into(), each: *each, face: *face })
            }
            _ => None,
        };
        Some(Self {
            gathered: piles.clone().into(),
            pack: *pack,
            at: *at,
            turned: *turned,
            face: *face,
            deals: others.iter().map(deal).collect::<Option<_>>()?,
        })
    }
}
