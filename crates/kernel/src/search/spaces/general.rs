//! The general space: the positions and legal moves of any program.

use std::cell::Cell;
use std::collections::BTreeSet;

use crate::bits::bits;
use crate::card::{CARDS, FACE_DOWN, card, has, is_face_down};
use crate::move_score::MoveScorer;
use crate::play::tops::Tops;
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::contents::PileContents;
use crate::position::state::{ForeseenTransfer, State};
use crate::program::actions::CompiledAction;
use crate::program::compiled::Program;
use crate::program::format::Unit;
use crate::program::validate::MAX_PILES;
use crate::random::SplitMix64;
use crate::search::score_bound::ScoreBound;
use crate::search::spaces::deadlock::{Deadlocks, LastTest};
use crate::search::spaces::equivalence::Equivalence;
use crate::search::spaces::evaluation::Evaluation;
use crate::search::spaces::known_locks::KnownLocks;
use crate::search::spaces::ordering::sort_by_score;
use crate::search::spaces::safe_moves::SafeMoves;
use crate::search::spaces::space::{Space, chance};

/// Positions are [`State`]s, and every legal move is a step.
pub(crate) struct General<'p> {
    /// The program whose hashes are the keys.
    program: &'p Program,
    key: &'p Equivalence,
    /// For each card the one that counts as the same.
    representative: [u8; CARDS],
    scorer: MoveScorer,
    pub(crate) evaluation: Evaluation<'p>,
    locks: Option<&'p Deadlocks>,
    known_locks: Option<KnownLocks>,
    last_test: LastTest,
    safe_moves: Option<&'p SafeMoves>,
    /// The bound on scores, and what a position must be worth.
    limit: Option<(&'p ScoreBound<'p>, i64)>,
    state: State,
    journal: Journal,
    /// The piles that may have changed since the last evaluation.
    changed: u128,
    /// A step from the current position of which the key after it was asked last.
    foreseen: Cell<Option<(Move, ForeseenTransfer)>>,
    /// The tops of the position in which moves were last listed, and the piles that may have
    /// changed since.
    tops: Tops,
    changed_tops: u128,
    /// The piles of which steps may name any one if several are empty. Of equivalent moves of cards
    /// to empty piles only one is listed in the first place.
    compared_if_empty: u128,
    /// Whether runs are split only to lengthen others.
    keeps_runs_whole: bool,
    /// Whether cards of no more use go up at once.
    sheds_cards: bool,
    /// Room to sort steps.
    scored: Vec<(i32, Move)>,
}

/// Shorter lists of moves are not searched for equivalent moves.
const FEW: usize = 4;

impl<'p> General<'p> {
    /// The positions after a root. The program is the one that the key was made for, or a relaxed
    /// one with the same piles.
    pub(crate) fn new(
        program: &'p Program,
        key: &'p Equivalence,
        root: &State,
        evaluation: Evaluation<'p>,
    ) -> Self {
        Self {
            program,
            key,
            representative: key.representatives(),
            scorer: MoveScorer::for_search(program),
            evaluation,
            locks: None,
            known_locks: None,
            last_test: LastTest::unknown(),
            safe_moves: None,
            limit: None,
            state: root.rehashed(program),
            journal: Journal::new(),
            changed: u128::MAX,
            foreseen: Cell::new(None),
            tops: Tops::kept(program, root),
            changed_tops: u128::MAX,
            compared_if_empty: {
                let lists_one = |&rule: &u8| {
                    let kind = &program.plans[usize::from(rule)].kind;
                    matches!(kind, CompiledAction::Move(_) | CompiledAction::Script(_))
                };
                if program.free.iter().all(lists_one) { 0 } else { program.all_piles }
            },
            keeps_runs_whole: false,
            sheds_cards: false,
            scored: Vec::new(),
        }
    }

    /// Goes to a position.
    pub(crate) fn begin_at(&mut self, root: &State) {
        self.state = root.rehashed(self.program);
        self.journal.clear();
        self.note_changes(u128::MAX);
    }

    /// Notes piles that may have changed.
    #[inline]
    fn note_changes(&mut self, piles: u128) {
        self.changed |= piles;
        self.changed_tops |= piles;
        self.last_test.changed |= piles;
        self.foreseen.set(None);
    }

    /// The transfer that is all that a step changes before forced moves, if it is one.
    #[inline]
    fn foresee(&self, step: Move) -> Option<ForeseenTransfer> {
        if self.state.choice().is_open() {
            return None;
        }
        let transfer = self.state.lone_transfer(self.program, step)?;
        Some(self.state.foresee(self.program, transfer))
    }

    /// Brings the tops up to date.
    #[inline]
    fn update_tops(&mut self) {
        let changed = std::mem::take(&mut self.changed_tops);
        self.tops.update(self.program, &self.state, changed);
    }

    /// Drops from a list, from an index on, the moves that are equivalent to an earlier one.
    ///
    /// Two piles of a class with equal contents, by the keys, can be interchanged without changing
    /// the key. So the same move from (or to) either of them leads to the same key. This saves only
    /// playing the second move and finding its key. No choice may be open, since it could
    /// distinguish the two piles.
    fn drop_twins(&self, steps: &mut Vec<Move>, begin: usize) {
        let firsts = self.firsts();
        let first = |pile: u8| firsts.get(usize::from(pile)).copied().unwrap_or(pile);
        let mut seen = [0u128; MAX_PILES];
        let mut rule = None;
        let mut kept = begin;
        for place in begin..steps.len() {
            let step = steps[place];
            if rule != Some(step.rule()) {
                rule = Some(step.rule());
                seen = [0; MAX_PILES];
            }
            let (from, to) = (first(step.from()), first(step.to()));
            let is_twin = step.count() <= 1
                && seen.get_mut(usize::from(from)).is_some_and(|seen| {
                    let bit = 1u128.checked_shl(u32::from(to)).unwrap_or(0);
                    let is_seen = *seen & bit != 0;
                    *seen |= bit;
                    is_seen
                });
            if !is_twin {
                steps[kept] = step;
                kept += 1;
            }
        }
        steps.truncate(kept);
    }

    /// The keys of the positions after moves; for tests.
    fn keys_after(&self, steps: &[Move]) -> BTreeSet<u128> {
        let mut state = self.state.clone();
        let mut journal = Journal::new();
        let key = |&step: &Move| {
            state.play_unchecked(self.program, step, &mut journal).ok()?;
            let key = self.key.of(self.program, &state);
            state.undo(self.program, &mut journal);
            Some(key)
        };
        steps.iter().filter_map(key).collect()
    }

    /// Whether steps may differ only by piles with equal contents: two top cards count as the same,
    /// or two piles are empty.
    fn has_equal_tops(&self) -> bool {
        let vacant = self.state.vacant() & self.compared_if_empty;
        let mut seen = 0u128;
        vacant & vacant.wrapping_sub(1) != 0
            || bits(self.program.all_piles & !self.state.vacant()).any(|pile| {
                let same = |top: u8| self.representative[usize::from(card(top))] | top & FACE_DOWN;
                let bit = self.state.top(pile).map_or(0, |top| 1 << same(top));
                let is_equal = seen & bit != 0;
                seen |= bit;
                is_equal
            })
    }

    /// For each pile the first one of its class with equal contents.
    fn firsts(&self) -> [u8; MAX_PILES] {
        const SLOTS: usize = 4 * MAX_PILES;
        const FREE: u8 = u8::MAX;
        let mut slots = [FREE; SLOTS];
        std::array::from_fn(|pile| {
            if pile >= self.program.places.len() {
                return pile as u8;
            }
            let share = self.state.hash_term(pile);
            let mut slot = share as usize % SLOTS;
            while slots[slot] != FREE && self.state.hash_term(usize::from(slots[slot])) != share {
                slot = (slot + 1) % SLOTS;
            }
            if slots[slot] == FREE {
                slots[slot] = pile as u8;
            }
            slots[slot]
        })
    }

    /// Whether a step moves a part of a run, and not onto a card with which it would move on.
    fn splits_run(&self, step: Move) -> bool {
        let plan = &self.program.plans[usize::from(step.rule())];
        let CompiledAction::Move(plan) = &plan.kind else { return false };
        let Unit::Run { relation, .. } = plan.action.cards else { return false };
        let over = &self.program.relations[usize::from(relation)].over;
        let carries =
            |lower: u8, upper: u8| !is_face_down(lower) && has(over[usize::from(lower)], upper);
        let cards = self.state.pile(usize::from(step.from()));
        let place = cards.len().saturating_sub(usize::from(step.count()));
        let Some((&below, &lowest)) =
            place.checked_sub(1).map(|at| &cards[at]).zip(cards.get(place))
        else {
            return false;
        };
        let target = self.state.top(usize::from(step.to()));
        carries(below, lowest) && !target.is_some_and(|target| carries(target, lowest))
    }

    /// Whether a step plays a card to a foundation.
    fn goes_up(&self, step: Move) -> bool {
        let plan = &self.program.plans[usize::from(step.rule())];
        matches!(&plan.kind, CompiledAction::Move(plan) if plan.action.build_order)
            && step.count() <= 1
    }

    /// Whether a step plays a card to a foundation on which nothing could be built any more.
    fn sheds_card(&self, step: Move) -> bool {
        self.goes_up(step)
            && self
                .card_moved(step)
                .is_some_and(|byte| self.evaluation.is_of_no_use(&self.state, card(byte)))
    }

    /// Whether the locks of the position are deadlocked. Most steps change no lock.
    fn is_deadlocked(&mut self) -> bool {
        let Some(locks) = self.locks else { return false };
        let key = locks.key(&self.state, &mut self.last_test);
        if let Some(is_deadlocked) = self.known_locks.as_ref().and_then(|known| known.get(key)) {
            debug_assert!(
                !is_deadlocked || locks.is_deadlocked(&self.state, &mut LastTest::unknown())
            );
            return is_deadlocked;
        }
        let is_deadlocked = locks.is_deadlocked(&self.state, &mut self.last_test);
        debug_assert_eq!(is_deadlocked, locks.is_deadlocked(&self.state, &mut LastTest::unknown()));
        if let Some(known) = &mut self.known_locks {
            known.set(key, is_deadlocked);
        }
        is_deadlocked
    }

    /// The current position.
    pub(crate) const fn state(&self) -> &State {
        &self.state
    }

    /// Whether a step is legal.
    pub(crate) fn is_legal(&self, step: Move) -> bool {
        self.state.is_legal(self.program, step)
    }

    /// The lowest of the cards that a step takes from a pile; none for other kinds of step.
    pub(crate) fn card_moved(&self, step: Move) -> Option<u8> {
        let plan = self.program.plans.get(usize::from(step.rule()))?;
        let CompiledAction::Move(plan) = &plan.kind else { return None };
        let from = usize::from(step.from());
        let count = self.state.count_of(plan, from, step.count())?;
        let cards = self.state.pile(from);
        cards.len().checked_sub(count).and_then(|place| cards.get(place)).copied()
    }

    /// Lists the moves of some free rules from some piles. No choice may be open and the game may
    /// not be won.
    pub(crate) fn list_by(&mut self, rules: &[u8], sources: u128, moves: &mut Vec<Move>) {
        self.update_tops();
        self.state.moves_by(self.program, rules, sources, &self.tops, moves);
    }

    /// Makes any number of turns of the stock at once, as one step.
    pub(crate) fn leap(&mut self, piles: &[PileContents<'_>], counters: &[u16]) {
        self.state.leap(self.program, &mut self.journal, piles, counters);
        debug_assert_eq!(self.state.hash128(), self.state.hash_from_scratch(self.program));
        self.note_changes(self.journal.touched());
    }

    /// All cards, and maybe more, that some rules can take from the top of a pile, if they lie
    /// there.
    pub(crate) fn wanted_by(&self, rules: &[u8], from: u8) -> u64 {
        self.state.wanted_by(self.program, rules, usize::from(from))
    }

    /// Whether a move takes a card from a pile; in doubt, yes.
    pub(crate) fn may_take_from(&self, pile: u8, played: Move) -> bool {
        self.program.plans[usize::from(played.rule())].kind.may_take_from(pile, played)
    }

    /// The score of a move by its rule alone.
    pub(crate) fn rule_score(&self, step: Move) -> i32 {
        self.scorer.score_of_rule(step)
    }

    /// The same, without steps from positions that cannot become worth enough.
    pub(crate) const fn with_limit(mut self, limit: Option<(&'p ScoreBound<'p>, i64)>) -> Self {
        self.limit = limit;
        self
    }

    /// The same, where a safe move is the only step.
    pub(crate) const fn with_safe_moves(mut self, safe_moves: Option<&'p SafeMoves>) -> Self {
        self.safe_moves = safe_moves;
        self
    }

    /// The same, without steps from deadlocked positions. If the keys are exact, they tell those
    /// from others.
    pub(crate) fn with_deadlocks(mut self, locks: Option<&'p Deadlocks>, is_exact: bool) -> Self {
        self.locks = locks;
        self.known_locks = locks.map(|_| KnownLocks::new(is_exact));
        self
    }
}

impl Space for General<'_> {
    type Step = Move;

    fn key(&self) -> u128 {
        if self.keeps_runs_whole {
            return self.state.hash_without_places(self.program);
        }
        self.key.of(self.program, &self.state)
    }

    fn is_won(&self) -> bool {
        self.state.is_won(self.program)
    }

    fn list(&mut self, steps: &mut Vec<Move>) {
        if self.is_deadlocked() {
            return;
        }
        if let Some((bound, target)) = self.limit
            && bound.of(&self.state).is_some_and(|most| most < target)
        {
            return;
        }
        let begin = steps.len();
        self.update_tops();
        self.state.moves_with(self.program, &self.tops, steps);
        debug_assert_eq!(
            steps[begin..],
            self.state.moves(self.program),
            "what is kept of the tops of piles leads to other moves"
        );
        if let Some(safe_moves) = self.safe_moves
            && !self.state.choice().is_open()
            && let Some(safe) = safe_moves.first(&self.state, &steps[begin..])
        {
            steps.truncate(begin);
            steps.push(safe);
            return;
        }
        if self.sheds_cards && !self.state.choice().is_open() {
            if self.locks.is_some_and(Deadlocks::has_heaps)
                && steps[begin..].iter().any(|&step| self.goes_up(step))
            {
                let mut place = 0;
                steps.retain(|&step| {
                    place += 1;
                    place <= begin || self.goes_up(step)
                });
                return;
            }
            let shed = steps[begin..].iter().copied().find(|&step| self.sheds_card(step));
            if let Some(shed) = shed {
                steps.truncate(begin);
                steps.push(shed);
                return;
            }
        }
        if self.keeps_runs_whole && !self.state.choice().is_open() {
            let mut kept = begin;
            for place in begin..steps.len() {
                if !self.splits_run(steps[place]) {
                    steps[kept] = steps[place];
                    kept += 1;
                }
            }
            steps.truncate(kept);
        }
        if steps.len() - begin >= FEW && !self.state.choice().is_open() && self.has_equal_tops() {
            let sample = cfg!(debug_assertions) && self.state.hash128().is_multiple_of(64);
            let all = if sample { steps[begin..].to_vec() } else { Vec::new() };
            self.drop_twins(steps, begin);
            debug_assert!(
                !sample || self.keys_after(&all) == self.keys_after(&steps[begin..]),
                "a move was dropped that comes to something of its own"
            );
        }
    }

    #[inline]
    fn key_after(&self, step: Move) -> Option<u128> {
        if self.keeps_runs_whole {
            return None;
        }
        let foreseen = self.foresee(step)?;
        self.foreseen.set(Some((step, foreseen)));
        Some(self.key.after(self.program, &self.state, &foreseen))
    }

    fn keep_runs_whole(&mut self) {
        self.keeps_runs_whole = true;
    }

    fn shed_cards(&mut self) {
        self.sheds_cards = true;
    }

    fn make(&mut self, step: Move) -> bool {
        let known = self.foreseen.get().filter(|(known, _)| *known == step);
        let foreseen = known.map_or_else(|| self.foresee(step), |(_, foreseen)| Some(foreseen));
        let played = match foreseen.filter(|foreseen| foreseen.transfer.count == 1) {
            Some(single) => self.state.play_foreseen(self.program, &single, &mut self.journal),
            None => self.state.play_unchecked(self.program, step, &mut self.journal),
        };
        let is_played = played.is_ok();
        if is_played {
            self.note_changes(self.journal.touched());
        }
        is_played
    }

    fn unmake(&mut self) {
        self.note_changes(self.journal.touched());
        self.state.undo(self.program, &mut self.journal);
    }

    fn reset_root(&mut self) {
        self.journal.clear();
    }

    fn trail_bytes(&self) -> usize {
        self.journal.bytes()
    }

    fn packed_size(&self) -> usize {
        self.state.packed_size()
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        self.state.pack(bytes);
    }

    fn unpack(&mut self, bytes: &[u8]) {
        // Steps that were not undone have changed piles, too.
        let changed = self.state.unpack(self.program, bytes);
        self.note_changes(changed);
        self.journal.clear();
    }

    fn heuristic(&mut self) -> i32 {
        let changed = std::mem::take(&mut self.changed);
        self.evaluation.heuristic(&self.state, changed)
    }

    fn progress_left(&self) -> usize {
        self.evaluation.progress_left(&self.state)
    }

    fn sort(&mut self, steps: &mut [Move], seed: u64) {
        let key = if seed == 0 { 0 } else { self.state.hash128() };
        let mut scored = std::mem::take(&mut self.scored);
        let chance = |step: Move| chance(seed, key, step.code());
        sort_by_score(steps, &mut scored, |step| self.score(step) + chance(step));
        self.scored = scored;
    }

    fn score(&self, step: Move) -> i32 {
        self.scorer.score(self.program, &self.state, step)
    }

    fn feature_code(&self, step: Move) -> u64 {
        code(self.program, &self.state, step)
    }

    fn length(&self) -> u64 {
        // A game takes about one move per card, and some to clear the way.
        self.evaluation.cards_to_go(&self.state) * 3 / 2
    }
}

/// A code for the cards of a move and their target.
fn code(program: &Program, state: &State, step: Move) -> u64 {
    let (from, to) = (usize::from(step.from()), usize::from(step.to()));
    let piles = program.places.len();
    let moved = if from < piles {
        let cards = state.pile(from);
        let count = usize::from(step.count()).clamp(1, cards.len());
        u64::from(card(cards[cards.len() - count]))
    } else {
        64 + state.len(usize::from(program.source().source_pile)) as u64
    };
    let onto = match (to < piles).then(|| state.top(to)) {
        Some(Some(top)) => u64::from(card(top)),
        Some(None) => 64 + to as u64,
        None => 255,
    };
    let number = u64::from(step.rule()) << 32 | moved << 16 | onto;
    SplitMix64::new(number).next()
}
