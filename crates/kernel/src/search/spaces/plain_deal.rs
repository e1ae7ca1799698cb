//! Rules that only deal from one pile to another.

use crate::program::format::{Action, DealtTo, Face, Rule, Step};

/// The pile dealt from, the target and the number of cards of a rule that does nothing but deal to
/// one pile, face up; none of another rule. Its conditions are not looked at.
pub(crate) fn plain_deal(rule: &Rule) -> Option<(u8, u8, u16)> {
    let Action::Script { steps } = &rule.action else { return None };
    let [
        Step::Deal {
            from,
            then,
            to,
            each,
            face: Face::Up,
            only: DealtTo::Any,
            apart: None,
            leave,
            terms,
        },
    ] = &steps[..]
    else {
        return None;
    };
    let [to] = to[..] else { return None };
    let is_plain = then.is_empty() && leave.is_empty() && terms.is_empty();
    (is_plain && !rule.forced && rule.effects.is_empty() && *each > 0).then_some((*from, to, *each))
}
