//! Which moves can be taken back, and where a player can go without deciding anything.
//!
//! A move can be taken back if one move leads back to the position before it, or if it turns a
//! stock that comes round to the same position. A player can make such moves freely: what could be
//! won before them can be won after them. So only other moves are worth comparing.

use crate::move_score::MoveScorer;
use crate::play::make::PlayError;
use crate::player::belief::{Belief, Effect, Shown};
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::search::spaces::stock_rules::StockRules;

/// The most positions that moves which can be taken back lead to.
const POSITIONS: usize = 60;

/// The most moves that turn a stock round.
const TURNS: usize = 600;

/// Finds moves that can be taken back.
pub(super) struct Takeback {
    /// The rules that turn the stock, as a mask.
    stock: u128,
    /// Whether turning the stock now comes round to the same position.
    turns_round: bool,
    journal: Journal,
}

/// A move that cannot be taken back, after some that can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decision {
    /// The moves; the last one cannot be taken back.
    pub(super) path: Vec<Move>,
    /// What the move does: decisions that do the same count as one.
    pub(super) effect: Effect,
    /// The position after it, as the player knows it.
    pub(super) picture: u64,
    /// Whether it shows a card.
    pub(super) reveals: bool,
    /// The score of its last move.
    pub(super) score: i32,
}

/// Where a player can go.
pub(super) enum Ways {
    /// These moves show a card and can be taken back.
    Look(Vec<Move>),
    /// These decisions are left.
    Decisions(Vec<Decision>),
}

impl Takeback {
    pub(super) fn new(program: &Program) -> Self {
        let stock = StockRules::new(program).map_or(0, |stock| stock.rules());
        Self { stock, turns_round: false, journal: Journal::new() }
    }

    /// Whether the stock comes round to the same position if it is turned often enough.
    fn turns_round(
        &mut self,
        program: &Program,
        state: &State,
        nodes: &mut u64,
    ) -> Result<bool, PlayError> {
        if self.stock == 0 {
            return Ok(false);
        }
        let mut turned = state.clone();
        for _ in 0..TURNS {
            let moves = turned.moves(program);
            let Some(&turn) = moves.iter().find(|each| self.is_turn(**each)) else { break };
            self.journal.clear();
            turned.play_unchecked(program, turn, &mut self.journal)?;
            *nodes += 1;
            if turned.hash128() == state.hash128() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_turn(&self, each: Move) -> bool {
        u32::from(each.rule()) < u128::BITS && self.stock >> each.rule() & 1 != 0
    }

    /// Whether a single move leads back.
    fn leads_back(
        &mut self,
        program: &Program,
        before: &State,
        after: &State,
        played: Move,
        nodes: &mut u64,
    ) -> Result<bool, PlayError> {
        let inverse = |rule: u8| Move::new(rule, played.to(), played.count(), played.from());
        let backs = program.free.iter().map(|&rule| inverse(rule)).chain([played]);
        for back in backs {
            if !after.is_legal(program, back) {
                continue;
            }
            let mut state = after.clone();
            self.journal.clear();
            state.play_unchecked(program, back, &mut self.journal)?;
            *nodes += 1;
            if state.hash128() == before.hash128() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Where a player can go in an imagined layout.
    pub(super) fn ways(
        &mut self,
        program: &Program,
        shown: &[Shown],
        scorer: &MoveScorer,
        world: &Belief,
        nodes: &mut u64,
    ) -> Result<Ways, PlayError> {
        self.turns_round = self.turns_round(program, &world.state, nodes)?;
        let mut places: Vec<(Belief, Vec<Move>)> = vec![(world.clone(), Vec::new())];
        let mut pictures = vec![world.picture()];
        let mut decisions: Vec<Decision> = Vec::new();
        let mut at = 0;
        while at < places.len() {
            for each in places[at].0.state.moves(program) {
                let (here, before) = &places[at];
                let mut after = here.clone();
                after.play(program, shown, each)?;
                *nodes += 1;
                let can_be_taken_back = self.turns_round && self.is_turn(each)
                    || self.leads_back(program, &here.state, &after.state, each, nodes)?;
                let reveals = after.seen() > here.seen();
                let mut path = before.clone();
                path.push(each);
                let picture = after.picture();
                if !can_be_taken_back {
                    let effect = here.effect(each);
                    if decisions.iter().all(|other| other.effect != effect) {
                        let score = scorer.score(program, &here.state, each);
                        decisions.push(Decision { path, effect, picture, reveals, score });
                    }
                } else if reveals {
                    return Ok(Ways::Look(path));
                } else if places.len() < POSITIONS && !pictures.contains(&picture) {
                    pictures.push(picture);
                    places.push((after, path));
                }
            }
            at += 1;
        }
        Ok(Ways::Decisions(decisions))
    }

    /// The decision with which a line begins, in the position that [`Self::ways`] was asked about;
    /// none if there is none.
    pub(super) fn decision(
        &mut self,
        program: &Program,
        shown: &[Shown],
        scorer: &MoveScorer,
        world: &Belief,
        line: &[Move],
        nodes: &mut u64,
    ) -> Result<Option<Decision>, PlayError> {
        let mut here = world.clone();
        for (count, &each) in line.iter().enumerate() {
            let mut after = here.clone();
            after.play(program, shown, each)?;
            *nodes += 1;
            let reveals = after.seen() > here.seen();
            let can_be_taken_back = self.turns_round && self.is_turn(each)
                || self.leads_back(program, &here.state, &after.state, each, nodes)?;
            if reveals || !can_be_taken_back {
                return Ok(Some(Decision {
                    path: line[..=count].to_vec(),
                    effect: here.effect(each),
                    picture: after.picture(),
                    reveals,
                    score: scorer.score(program, &here.state, each),
                }));
            }
            here = after;
        }
        Ok(None)
    }
}
