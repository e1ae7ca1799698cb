//! Actions: a number for every move that a program can ever offer.
//!
//! Which moves these are follows from the program alone: for each free rule, and for each forced
//! rule with a choice, all sources, targets that are linked to the source, and numbers of cards. A
//! unit of cards is never longer than its source can hold, nor a run longer than the longest chain
//! of its relation among the cards of the game. The number of an action never depends on a
//! position.

use thiserror::Error;

use crate::card::CARDS;
use crate::position::moves::{Move, NONE};
use crate::program::actions::CompiledAction;
use crate::program::actions::transfer::CompiledMove;
use crate::program::compiled::Program;
use crate::program::format::{Choose, Unit};

/// The most actions of a program. A mask has a byte for each.
pub const MAX_ACTIONS: usize = 1 << 18;

/// Why the actions of a program are not numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ActionSpaceError {
    /// There are too many.
    #[error("the game has more than {MAX_ACTIONS} possible actions")]
    TooMany,
    /// There are none.
    #[error("the game has no rule by which the player could move")]
    None,
}

/// What an action does in any position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action {
    /// The index of the rule.
    pub rule: u8,
    /// The pile that it takes cards from.
    pub from: Option<u8>,
    /// The number of cards, if the player chooses it; of a set that is no pair of two piles, the
    /// count of its move.
    pub count: Option<u8>,
    /// The pile that it puts them on, or the last pile of a set.
    pub to: Option<u8>,
}

/// The actions of a program.
#[derive(Debug)]
pub struct ActionSpace {
    actions: Vec<Action>,
    rules: Vec<Numbers>,
    /// The number of piles: the place of "no pile" in the tables.
    piles: usize,
}

/// The numbers of the actions of a rule: `first[from] + (count - fewest) * width[from] +
/// column[from][to]`.
#[derive(Debug, Default)]
struct Numbers {
    first: Vec<u32>,
    width: Vec<u32>,
    column: Vec<u16>,
    fewest: Option<u8>,
    /// In place of all that, for sets that are not all pairs of two piles: the moves, as of rule
    /// 0, in the order of their numbers.
    sets: Vec<Move>,
    first_set: u32,
}

impl ActionSpace {
    /// Numbers the actions of a program.
    pub fn new(program: &Program) -> Result<Self, ActionSpaceError> {
        let piles = program.piles();
        let mut space = Self { actions: Vec::new(), rules: Vec::new(), piles };
        for rule in 0..program.plans.len() {
            let numbers = space.add_rule(program, rule)?;
            space.rules.push(numbers);
        }
        if space.is_empty() { Err(ActionSpaceError::None) } else { Ok(space) }
    }

    /// The number of actions.
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Whether there are no actions.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// All actions by their numbers.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The number of a legal move of the program.
    ///
    /// # Panics
    ///
    /// May panic if the program cannot offer the move.
    #[inline]
    pub fn number(&self, legal: Move) -> u32 {
        let numbers = &self.rules[usize::from(legal.rule())];
        if !numbers.sets.is_empty() {
            let set = Move::new(0, legal.from(), legal.count(), legal.to());
            let at = numbers.sets.binary_search(&set).expect("a set that the rule does not have");
            return numbers.first_set + at as u32;
        }
        let from = usize::from(legal.from()).min(self.piles);
        let to = usize::from(legal.to()).min(self.piles);
        let more = numbers.fewest.map_or(0, |fewest| u32::from(legal.count() - fewest));
        let column = numbers.column[from * (self.piles + 1) + to];
        numbers.first[from] + more * numbers.width[from] + u32::from(column)
    }

    fn add_rule(&mut self, program: &Program, rule: usize) -> Result<Numbers, ActionSpaceError> {
        let places = self.piles + 1;
        let mut numbers = Numbers::default();
        if !program.source().rules[rule].forced
            && let Some(sets) = program.plans[rule].kind.possible_sets()
        {
            numbers.sets = sets;
            numbers.first_set = self.actions.len() as u32;
            if self.actions.len() + numbers.sets.len() > MAX_ACTIONS {
                return Err(ActionSpaceError::TooMany);
            }
            self.actions.extend(numbers.sets.iter().map(|set| Action {
                rule: rule as u8,
                from: Some(set.from()),
                count: (set.count() > 0).then_some(set.count()),
                to: Some(set.to()),
            }));
            return Ok(numbers);
        }
        let (pairs, counted) = offers(program, rule);
        if pairs.is_empty() {
            return Ok(numbers);
        }
        numbers.first = vec![0; places];
        numbers.width = vec![0; places];
        numbers.column = vec![0; places * places];
        numbers.fewest = counted.map(|(fewest, _)| fewest);
        for group in pairs.chunk_by(|one, other| one.0 == other.0) {
            let from = group[0].0;
            let row = usize::from(from).min(self.piles);
            numbers.first[row] = self.actions.len() as u32;
            numbers.width[row] = group.len() as u32;
            for (column, &(_, to)) in group.iter().enumerate() {
                numbers.column[row * places + usize::from(to).min(self.piles)] = column as u16;
            }
            let counts = match counted {
                None => 0..=0,
                Some((fewest, most)) => {
                    let holds = program.places[row].capacity.min(u16::from(NONE)) as u8;
                    fewest..=most.min(holds)
                }
            };
            for count in counts {
                if self.actions.len() + group.len() > MAX_ACTIONS {
                    return Err(ActionSpaceError::TooMany);
                }
                self.actions.extend(group.iter().map(|&(from, to)| Action {
                    rule: rule as u8,
                    from: (from != NONE).then_some(from),
                    count: counted.map(|_| count),
                    to: (to != NONE).then_some(to),
                }));
            }
        }
        Ok(numbers)
    }
}

/// The fewest and the most cards of a unit.
type UnitSizes = (u8, u8);

/// The pairs of piles for which a rule offers moves, by the first pile, and the fewest and the most
/// cards, if the player chooses their number.
fn offers(program: &Program, rule: usize) -> (Vec<(u8, u8)>, Option<UnitSizes>) {
    let forced = program.source().rules[rule].forced;
    let action = &program.plans[rule].kind;
    match action {
        CompiledAction::Move(plan) => {
            if forced && plan.action.choose == Choose::None {
                return (Vec::new(), None);
            }
            (action.pile_pairs(), unit_sizes(program, plan))
        }
        _ if forced => (Vec::new(), None),
        kind => (kind.pile_pairs(), None),
    }
}

/// The fewest and the most cards of a unit, if the player chooses their number.
fn unit_sizes(program: &Program, plan: &CompiledMove) -> Option<UnitSizes> {
    let packed = |number: usize| number.min(usize::from(NONE)) as u8;
    match plan.action.cards {
        Unit::Top | Unit::Count { .. } | Unit::All | Unit::Bottom => None,
        Unit::Packet | Unit::Longest { .. } | Unit::Any { .. } => Some((1, NONE)),
        Unit::Run { relation, least, most } => {
            let over = &program.relations[usize::from(relation)].over;
            let longest = longest_chain(program, over).min(usize::from(most));
            Some((packed(usize::from(least)), packed(longest)))
        }
    }
}

/// The most cards of which each may lie on the one before: the cards of the game if the relation
/// has a cycle, or else its longest path.
fn longest_chain(program: &Program, over: &[u64; CARDS]) -> usize {
    let source = program.source();
    let cards = source.deck.iter().copied().chain(source.preset.iter().map(|preset| preset.card));
    let total = source.deck.len() + source.preset.len();
    let present = cards.fold(0u64, |cards, card| cards | 1 << card);
    let mut ends = present;
    let mut length = 0;
    // The cards on which a chain of `length` more cards can lie.
    while ends != 0 {
        length += 1;
        if length > CARDS {
            return total;
        }
        ends = (0..CARDS)
            .filter(|&under| present >> under & 1 != 0 && over[under] & ends != 0)
            .fold(0, |cards, under| cards | 1 << under);
    }
    length
}
