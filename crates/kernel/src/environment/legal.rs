//! The legal moves of a game with their actions, updated after each move.
//!
//! Which moves a rule makes depends only on the piles and counters that it looks at
//! ([`crate::program::triggers`]), and on the earlier rules that can make the same moves. So after
//! a move only the rules are listed again that look at something that it changed. Debug builds
//! compare the result with [`State::moves`].

use crate::environment::actions::ActionSpace;
use crate::play::forced::pending;
use crate::play::tops::Tops;
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::rule_set::RuleSet;

/// The legal moves of a game, rule by rule.
#[derive(Clone, Debug)]
pub(super) struct LegalMoves {
    /// For each rule its moves with the numbers of their actions, in the order of [`State::moves`].
    rules: Vec<Vec<(Move, u32)>>,
    /// The free rules.
    free: RuleSet,
    /// For each rule the later rules that leave out the moves that it makes, too.
    later: Vec<RuleSet>,
    /// The rules that have moves.
    some: RuleSet,
    len: usize,
    /// Whether the lists hold the options of a choice, or nothing because the game is won.
    special: bool,
}

impl LegalMoves {
    pub(super) fn new(program: &Program) -> Self {
        let rules = program.plans.len();
        let mut later = vec![RuleSet::EMPTY; rules];
        for (rule, plan) in (0u8..).zip(&program.plans) {
            for &earlier in &plan.duplicates {
                later[usize::from(earlier)].insert(rule);
            }
        }
        Self {
            rules: vec![Vec::new(); rules],
            free: program.free.iter().copied().collect(),
            later,
            some: RuleSet::EMPTY,
            len: 0,
            special: false,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The move of a legal action.
    #[inline]
    pub(super) fn find(&self, action: i64) -> Option<Move> {
        let mut moves = self.some.iter().flat_map(|rule| &self.rules[usize::from(rule)]);
        moves.find(|(_, number)| i64::from(*number) == action).map(|&(legal, _)| legal)
    }

    /// The action of a legal move by its place among all legal moves.
    pub(super) fn action(&self, mut place: usize) -> i64 {
        for rule in self.some.iter() {
            let listed = &self.rules[usize::from(rule)];
            match listed.get(place) {
                Some(&(_, number)) => return i64::from(number),
                None => place -= listed.len(),
            }
        }
        0
    }

    /// Lists all moves of a new position. The mask has only zeros.
    pub(super) fn list_all(
        &mut self,
        program: &Program,
        actions: &ActionSpace,
        state: &State,
        mask: &mut [i8],
    ) {
        self.rules.iter_mut().for_each(Vec::clear);
        (self.some, self.len, self.special) = (RuleSet::EMPTY, 0, false);
        self.list(program, actions, state, self.free, mask);
    }

    /// Updates the lists and the mask after a move, whose changes the journal has.
    pub(super) fn update(
        &mut self,
        program: &Program,
        actions: &ActionSpace,
        state: &State,
        journal: &Journal,
        mask: &mut [i8],
    ) {
        let mut changed = self.free;
        if !self.special {
            changed = pending(program, &journal.entries, changed);
            for rule in changed.iter() {
                changed |= self.later[usize::from(rule)];
            }
        }
        self.list(program, actions, state, changed, mask);
        debug_assert!(
            state
                .moves(program)
                .into_iter()
                .eq(self.some.iter().flat_map(|rule| self.rules[usize::from(rule)]
                    .iter()
                    .map(|&(legal, _)| legal))),
            "a rule was not listed again although its moves have changed"
        );
    }

    fn list(
        &mut self,
        program: &Program,
        actions: &ActionSpace,
        state: &State,
        changed: RuleSet,
        mask: &mut [i8],
    ) {
        let choice = state.choice();
        let was_special = self.special;
        let is_won = state.is_aim_reached(program);
        self.special = is_won || choice.is_open();
        let cleared = if self.special || was_special { RuleSet::ALL } else { changed };
        for rule in (self.some & cleared).iter() {
            let listed = &mut self.rules[usize::from(rule)];
            for &(_, number) in &*listed {
                mask[number as usize] = 0;
            }
            self.len -= listed.len();
            listed.clear();
        }
        self.some &= !cleared;
        if is_won {
            return;
        }
        if choice.is_open() {
            let listed = &mut self.rules[usize::from(choice.rule)];
            let _ = state.for_each_move(
                program,
                choice.rule,
                u128::MAX,
                &Tops::default(),
                |instance| {
                    if choice.offers(instance.from(), instance.to()) {
                        listed.push((instance, actions.number(instance)));
                    }
                    true
                },
            );
            self.count(choice.rule, mask);
            return;
        }
        let tops = Tops::default();
        for rule in changed.iter() {
            if state.all_hold(program, &program.plans[usize::from(rule)].when) {
                let listed = &mut self.rules[usize::from(rule)];
                state.for_each_free_move(program, rule, &tops, |instance| {
                    listed.push((instance, actions.number(instance)));
                });
                self.count(rule, mask);
            }
        }
    }

    /// Counts the new moves of a rule and sets their bytes in the mask.
    #[inline]
    fn count(&mut self, rule: u8, mask: &mut [i8]) {
        let listed = &self.rules[usize::from(rule)];
        self.len += listed.len();
        if !listed.is_empty() {
            self.some.insert(rule);
        }
        for &(_, number) in listed {
            mask[number as usize] = 1;
        }
    }
}
