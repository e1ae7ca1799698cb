//! How high a counter can still rise.
//!
//! *The claim.* No line of moves raises the counter above this number. A rule that moves one card
//! from piles to which no rule brings cards is used at most as often as these piles hold cards now.
//! If every rule that raises the counter is of this kind, it rises by at most what its uses add.
//! A rule that adds a multiple of another counter adds, at its i-th use, at most as many times what
//! that counter can be then: its cap, or, if this rule alone raises it, what it is now or can be
//! set to, and what i uses add to it.

use crate::bits::bits;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::footprint::list;
use crate::program::format::{Action, During, Effect, Rule};

/// How a counter rises.
pub(crate) struct CounterBound {
    counter: usize,
    /// The highest number that it is set to.
    set_to: i64,
    raises: Vec<Raise>,
}

/// What one rule adds.
struct Raise {
    /// The piles that its cards come from.
    from: u128,
    /// A number at each use.
    number: i64,
    multiples: Vec<Multiple>,
}

/// A multiple of another counter.
struct Multiple {
    times: i64,
    of: usize,
    cap: i64,
    /// If this rule alone raises the other counter: by how much at each use, and the highest number
    /// that it is set to.
    own: Option<(i64, i64)>,
}

impl CounterBound {
    /// Looks how the rules raise a counter; none if that has no bound.
    pub(crate) fn new(program: &Program, counter: u8) -> Option<Self> {
        let rules = &program.source().rules;
        let in_play = || {
            let pairs = rules.iter().zip(&program.footprints);
            pairs.filter(|(rule, _)| !(rule.forced && rule.during == During::Layout))
        };
        let puts = in_play().fold(0, |piles, (_, footprint)| piles | footprint.puts());
        let mut raises = Vec::new();
        for (rule, footprint) in in_play() {
            if footprint.counters_written >> counter & 1 == 0 {
                continue;
            }
            let mut raise = Raise { from: 0, number: 0, multiples: Vec::new() };
            for effect in &rule.effects {
                match *effect {
                    Effect::Add { counter: to, value } if to == counter => {
                        raise.number += i64::from(value);
                    }
                    Effect::Count { counter: to, .. } if to == counter => raise.number += 1,
                    Effect::Tally { counter: to, of, times, grows } if to == counter => {
                        if !grows || of == counter {
                            return None;
                        }
                        raise.multiples.push(Multiple {
                            times: i64::from(times),
                            of: usize::from(of),
                            cap: i64::from(program.source().counters[usize::from(of)].cap),
                            own: own_growth(rules, rule, of),
                        });
                    }
                    _ => {}
                }
            }
            match &rule.action {
                Action::Move(action) if action.cards.is_one() => raise.from = list(&action.from),
                Action::Script { steps } if !steps.is_empty() => return None,
                _ if raise.number == 0 && raise.multiples.is_empty() => continue,
                _ => return None,
            }
            if raise.from & puts != 0 && (raise.number > 0 || !raise.multiples.is_empty()) {
                return None;
            }
            raises.push(raise);
        }
        Some(Self { counter: usize::from(counter), set_to: highest_set(rules, counter)?, raises })
    }

    /// The highest value of the counter after a position.
    pub(crate) fn most(&self, state: &State) -> i64 {
        let now = |counter: usize| i64::from(state.counters()[counter]);
        let rises = self.raises.iter().map(|raise| {
            let cards: usize = bits(raise.from).map(|pile| state.len(pile)).sum();
            let uses = i64::try_from(cards).unwrap_or(i64::MAX);
            let multiples = raise.multiples.iter().map(|multiple| {
                let value = |at: i64| {
                    let (each, set_to) = multiple.own.unwrap_or((0, multiple.cap));
                    (now(multiple.of).max(set_to) + each * at).min(multiple.cap)
                };
                multiple.times * (1..=uses).map(value).sum::<i64>()
            });
            uses * raise.number + multiples.sum::<i64>()
        });
        now(self.counter).max(self.set_to) + rises.sum::<i64>()
    }
}

/// If a rule alone raises a counter, and by numbers only: by how much at each use, and the highest
/// number that any rule sets it to.
fn own_growth(rules: &[Rule], own: &Rule, counter: u8) -> Option<(i64, i64)> {
    let mut each = 0;
    for rule in rules {
        for effect in &rule.effects {
            match *effect {
                Effect::Add { counter: to, value } if to == counter => {
                    if !std::ptr::eq(rule, own) {
                        return None;
                    }
                    each += i64::from(value);
                }
                Effect::Count { counter: to, .. } | Effect::Tally { counter: to, .. }
                    if to == counter =>
                {
                    return None;
                }
                _ => {}
            }
        }
        if matches!(rule.action, Action::Script { .. }) && !std::ptr::eq(rule, own) {
            // A step may set it.
            let only_effects = matches!(&rule.action, Action::Script { steps } if steps.is_empty());
            if !only_effects {
                return None;
            }
        }
    }
    Some((each, highest_set(rules, counter)?))
}

/// The highest number that rules set a counter to; none if another counter decides.
fn highest_set(rules: &[Rule], counter: u8) -> Option<i64> {
    let mut highest = 0;
    for effect in rules.iter().flat_map(|rule| &rule.effects) {
        match *effect {
            Effect::Set { counter: to, value } if to == counter => {
                highest = highest.max(i64::from(value));
            }
            Effect::Rank { counter: to, .. } if to == counter => highest = highest.max(12),
            Effect::Tally { counter: to, grows: false, .. } if to == counter => return None,
            _ => {}
        }
    }
    Some(highest)
}
