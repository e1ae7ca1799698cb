//! What steps come to, known before they are taken.
//!
//! What a transfer comes to depends on its two piles alone. In the next positions most steps and
//! most piles are the same, so what was found of a step mostly still holds there.

use crate::bits::single;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::position::state::foreseen::ForeseenTransfer;
use crate::program::compiled::Program;
use crate::program::lone_transfer::LoneTransfer;
use crate::search::spaces::closing::ClosingRow;
use crate::search::spaces::equivalence::Equivalence;

/// How many steps are remembered, as a power of two.
const BITS: u32 = 6;

/// A step that transfers cards and does nothing else before forced moves.
#[derive(PartialEq)]
pub(crate) struct Foreseen {
    step: Move,
    /// What its piles add to the hash before it.
    before: [u128; 2],
    pub(crate) transfer: ForeseenTransfer,
    /// How much it adds to the key.
    pub(crate) difference: u128,
    /// Its two piles, as a mask.
    pub(crate) piles: u128,
}

impl Foreseen {
    /// No step has this code, since there are fewer rules.
    const NO_STEP: Move = Move::from_code(u32::MAX);

    /// Nothing.
    const NONE: Self = Self {
        step: Self::NO_STEP,
        before: [0; 2],
        transfer: ForeseenTransfer::NONE,
        difference: 0,
        piles: 0,
    };
}

/// What was found of steps last.
pub(crate) struct Foresight {
    /// What the steps of each rule transfer, if they do nothing else.
    rules: Box<[Option<LoneTransfer>]>,
    /// The row that closes up after each step.
    closing: Option<ClosingRow>,
    steps: Box<[Foreseen; 1 << BITS]>,
    /// The step that was asked for last, if no pile has changed since, and its place.
    latest: Move,
    latest_place: usize,
}

impl Foresight {
    /// Before the first step.
    pub(crate) fn new(program: &Program) -> Self {
        Self {
            rules: program.plans.iter().map(LoneTransfer::of).collect(),
            closing: ClosingRow::of(program),
            steps: Box::new([const { Foreseen::NONE }; 1 << BITS]),
            latest: Foreseen::NO_STEP,
            latest_place: 0,
        }
    }

    /// Notes that piles have changed.
    #[inline]
    pub(crate) const fn note_changes(&mut self) {
        self.latest = Foreseen::NO_STEP;
    }

    /// What a step comes to, if it was asked for last in the same position.
    #[inline]
    pub(crate) fn latest(&self, step: Move) -> Option<&Foreseen> {
        (self.latest == step).then(|| &self.steps[self.latest_place % (1 << BITS)])
    }

    /// How much a step from a position and the closing of the row add to the key.
    pub(crate) fn difference_with_closing(
        &mut self,
        program: &Program,
        key: &Equivalence,
        state: &State,
        step: Move,
    ) -> Option<u128> {
        if state.choice().is_open() {
            return None;
        }
        let foreseen = self.of(program, key, state, step).map(|it| (it.difference, it.transfer));
        let row = self.closing.as_ref()?;
        if let Some((difference, transfer)) = foreseen {
            let of_row = row.difference_after(program, state, &transfer)?;
            return Some(difference.wrapping_add(of_row));
        }
        row.difference_of_stretch(program, key, state, step)
    }

    /// What a step from a position comes to, if it only transfers cards.
    #[inline]
    pub(crate) fn of(
        &mut self,
        program: &Program,
        key: &Equivalence,
        state: &State,
        step: Move,
    ) -> Option<&Foreseen> {
        let lone = self.rules[usize::from(step.rule())]?;
        if state.choice().is_open() {
            return None;
        }
        let piles = lone.piles((step.from(), step.to()));
        let before = [piles.0, piles.1].map(|pile| state.hash_term(usize::from(pile)));
        let place = (step.code().wrapping_mul(0x9E37_79B1) >> (u32::BITS - BITS)) as usize;
        let known = &mut self.steps[place];
        let is_known = known.step == step && known.before == before;
        debug_assert!(
            !is_known || {
                let mut fresh = Foreseen::NONE;
                fresh.find(program, key, state, lone, step, piles) && fresh == *known
            },
            "what was foreseen of a step no longer holds"
        );
        if !is_known && !known.find(program, key, state, lone, step, piles) {
            return None;
        }
        (self.latest, self.latest_place) = (step, place);
        Some(known)
    }
}

impl Foreseen {
    /// Finds what a step comes to. Returns false if it is impossible.
    #[inline(never)]
    fn find(
        &mut self,
        program: &Program,
        key: &Equivalence,
        state: &State,
        lone: LoneTransfer,
        step: Move,
        (from, to): (u8, u8),
    ) -> bool {
        self.step = Self::NO_STEP;
        if !state.foresee(program, lone, step, (from, to), &mut self.transfer) {
            return false;
        }
        self.step = step;
        self.before = [from, to].map(|pile| state.hash_term(usize::from(pile)));
        self.piles = single(from) | single(to);
        self.difference = key.difference(program, state, &self.transfer);
        true
    }
}
