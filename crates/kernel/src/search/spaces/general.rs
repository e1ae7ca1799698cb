//! The general space: the positions and legal moves of any program.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;

use crate::card::{card, has, is_face_down};
use crate::move_score::MoveScorer;
use crate::play::tops::Tops;
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::position::state::contents::PileContents;
use crate::program::actions::CompiledAction;
use crate::program::compiled::Program;
use crate::program::format::Unit;
use crate::random::SplitMix64;
use crate::search::score_bound::ScoreBound;
use crate::search::spaces::deadlock::{Deadlocks, LastTest};
use crate::search::spaces::equivalence::Equivalence;
use crate::search::spaces::evaluation::Evaluation;
use crate::search::spaces::foresight::Foresight;
use crate::search::spaces::known_locks::KnownLocks;
use crate::search::spaces::ordering::sort_by_score;
use crate::search::spaces::safe_moves::SafeMoves;
use crate::search::spaces::space::{Space, chance};
use crate::search::spaces::sunk::SunkTerms;
use crate::search::spaces::twins::Twins;

/// Positions are [`State`]s, and every legal move is a step.
pub(crate) struct General<'p> {
    /// The program whose hashes are the keys.
    program: &'p Program,
    key: &'p Equivalence,
    sunk: SunkTerms,
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
    foresight: RefCell<Foresight>,
    /// The tops of the position in which moves were last listed, and the piles that may have
    /// changed since.
    tops: Tops,
    changed_tops: u128,
    /// The piles with equal contents in the position in which moves were last dropped from a list,
    /// and the piles that may have changed since.
    twins: Twins,
    changed_twins: u128,
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
        let state = root.rehashed(program);
        // Of equivalent moves of cards to empty piles only one is listed in the first place.
        let lists_one = |&rule: &u8| {
            let kind = &program.plans[usize::from(rule)].kind;
            matches!(kind, CompiledAction::Move(_) | CompiledAction::Script(_))
        };
        let with_empty = !program.free.iter().all(lists_one);
        Self {
            program,
            key,
            sunk: SunkTerms::new(program, &state, key.sinks()),
            scorer: MoveScorer::for_search(program),
            evaluation,
            locks: None,
            known_locks: None,
            last_test: LastTest::unknown(),
            safe_moves: None,
            limit: None,
            state,
            journal: Journal::new(),
            changed: u128::MAX,
            foresight: RefCell::new(Foresight::new(program)),
            tops: Tops::kept(program, root),
            changed_tops: u128::MAX,
            twins: Twins::new(program, key.representatives(), with_empty),
            changed_twins: u128::MAX,
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

    /// Notes piles that may have changed before the current position.
    #[inline]
    fn note_changes(&mut self, piles: u128) {
        self.sunk.update(self.program, &self.state, piles);
        self.changed |= piles;
        self.changed_tops |= piles;
        self.last_test.changed |= piles;
        self.foresight.get_mut().note_changes();
    }

    /// Brings the tops up to date.
    #[inline]
    fn update_tops(&mut self) {
        let changed = std::mem::take(&mut self.changed_tops);
        self.changed_twins |= changed;
        self.tops.update(self.program, &self.state, changed);
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

    /// The key after a step and the closing of the row that follows it.
    #[inline(never)]
    fn key_after_closing(&self, step: Move) -> Option<u128> {
        let mut foresight = self.foresight.borrow_mut();
        let more = foresight.difference_with_closing(self.program, self.key, &self.state, step)?;
        let key = self.state.hash128().wrapping_add(self.sunk.sum).wrapping_add(more);
        debug_assert!(self.keys_after(&[step]).contains(&key), "it leads elsewhere");
        Some(key)
    }

    /// The program whose hashes are the keys.
    pub(crate) const fn program(&self) -> &'p Program {
        self.program
    }

    /// Whether keys are the same whichever piles cards lie in.
    pub(crate) const fn ignores_places(&self) -> bool {
        self.keeps_runs_whole
    }

    /// Whether keys tell all contents of some piles apart.
    pub(crate) const fn tells_apart(&self, piles: u128) -> bool {
        self.key.sinks() & piles == 0
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

    /// Lists the steps from any position.
    pub(crate) fn list_unless_won(&mut self, steps: &mut Vec<Move>) {
        if !self.is_won() {
            self.list(steps);
        }
    }

    /// Lists the moves of some free rules from some piles. No choice may be open and the game may
    /// not be won.
    pub(crate) fn list_by(&mut self, rules: &[u8], sources: u128, moves: &mut Vec<Move>) {
        let is_script = |&rule: &u8| {
            matches!(self.program.plans[usize::from(rule)].kind, CompiledAction::Script(_))
        };
        // Scripts do not ask for tops.
        if !rules.iter().all(is_script) {
            self.update_tops();
        }
        self.state.moves_by(self.program, rules, sources, &self.tops, moves);
    }

    /// Undoes a number of steps.
    pub(crate) fn unmake_many(&mut self, steps: usize) {
        let changed =
            (0..steps).fold(0, |piles, _| piles | self.state.undo_move(&mut self.journal));
        self.note_changes(changed);
    }

    /// Makes any number of turns of the stock at once, as one step.
    pub(crate) fn leap(&mut self, piles: &[PileContents<'_>], counters: &[u16]) {
        self.state.leap(&mut self.journal, piles, counters);
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
        let key = self.state.hash128().wrapping_add(self.sunk.sum);
        debug_assert_eq!(key, self.key.of(self.program, &self.state), "a change was not noted");
        key
    }

    fn is_won(&self) -> bool {
        self.state.is_won(self.program)
    }

    fn list(&mut self, steps: &mut Vec<Move>) {
        debug_assert!(!self.state.is_aim_reached(self.program), "the position is won");
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
        if steps.len() - begin >= FEW && !self.state.choice().is_open() {
            let sample = cfg!(debug_assertions) && self.state.hash128().is_multiple_of(64);
            let all = if sample { steps[begin..].to_vec() } else { Vec::new() };
            self.twins.update(&self.state, std::mem::take(&mut self.changed_twins));
            self.twins.drop_moves(&self.state, steps, begin);
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
        if self.program.closing.is_some() {
            return self.key_after_closing(step);
        }
        let mut foresight = self.foresight.borrow_mut();
        let foreseen = foresight.of(self.program, self.key, &self.state, step)?;
        Some(self.state.hash128().wrapping_add(self.sunk.sum).wrapping_add(foreseen.difference))
    }

    fn keep_runs_whole(&mut self) {
        self.keeps_runs_whole = true;
    }

    fn shed_cards(&mut self) {
        self.sheds_cards = true;
    }

    fn make(&mut self, step: Move) -> bool {
        let foresight = self.foresight.get_mut();
        // The search has mostly just asked for the key after the step.
        let foreseen = if foresight.latest(step).is_some() {
            foresight.latest(step)
        } else {
            foresight.of(self.program, self.key, &self.state, step)
        };
        let played = match foreseen {
            Some(foreseen) => {
                self.state.play_foreseen(self.program, &foreseen.transfer, &mut self.journal)
            }
            None => self.state.play_untraced(self.program, step, &mut self.journal),
        };
        let is_played = played.is_ok();
        if is_played {
            let changed = match foreseen {
                Some(foreseen) if self.journal.forced().is_empty() => foreseen.piles,
                _ => self.journal.touched(),
            };
            debug_assert_eq!(changed, self.journal.touched());
            self.note_changes(changed);
        }
        is_played
    }

    fn unmake(&mut self) {
        let changed = self.state.undo_move(&mut self.journal);
        self.note_changes(changed);
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

    fn pack_after(&self, bytes: &mut Vec<u8>, before: Range<usize>) {
        self.state.pack_changes(bytes, before, self.journal.touched());
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
