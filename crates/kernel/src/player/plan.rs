//! Plans: moves up to the next card that the player sees.
//!
//! Until then the player learns nothing, so it can as well choose all these moves at once. Compared
//! one by one, moves seem better than they are: hindsight knows how to go on, in every layout in
//! another way. The moves of a plan are the same in all layouts.

use std::collections::HashSet;

use crate::move_score::MoveScorer;
use crate::play::make::PlayError;
use crate::player::belief::{Belief, Effect, Shown};
use crate::player::takeback::Takeback;
use crate::position::moves::Move;
use crate::program::compiled::Program;

/// The most moves of a plan that cannot be taken back, before the one that shows a card.
const COMMITMENTS: usize = 3;

/// The most positions with the same number of such moves.
const POSITIONS: usize = 60;

/// Some moves, to be made one after the other.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) path: Vec<Move>,
    /// What those moves do that cannot be taken back, sorted: plans that do the same count as one.
    pub(super) effects: Vec<Effect>,
    /// The position after them, as the player knows it.
    pub(super) picture: u64,
    /// Whether the last move shows a card, and whether it does so otherwise than by dealing it.
    pub(super) reveals: bool,
    pub(super) turns_up: bool,
    /// The score of the first move that cannot be taken back.
    pub(super) score: i32,
}

/// Where a player can go.
pub(super) enum Ways {
    /// These moves show a card and can be taken back.
    Look(Vec<Move>),
    /// These plans show a card or win, and not all of them deal it.
    Plans(Vec<Plan>),
    /// There are no such plans; these are single moves that cannot be taken back, after some that
    /// can.
    Steps(Vec<Plan>),
}

/// What a plan is made in: a game, what the player sees of it, and how moves are scored.
#[derive(Clone, Copy)]
pub(super) struct View<'v> {
    pub(super) program: &'v Program,
    pub(super) shown: &'v [Shown],
    pub(super) scorer: &'v MoveScorer,
}

impl Plan {
    /// The plan to stay at a position.
    fn at(world: &Belief) -> Self {
        let picture = world.picture();
        let (path, effects) = Default::default();
        Self { path, effects, picture, reveals: false, turns_up: false, score: 0 }
    }

    /// Goes on with a move. Returns the position after it, and whether it can be taken back.
    fn with(
        &self,
        view: View<'_>,
        here: &Belief,
        played: Move,
        takeback: &mut Takeback,
        nodes: &mut u64,
    ) -> Result<(Self, Belief, bool), PlayError> {
        let View { program, shown, scorer } = view;
        let mut after = here.clone();
        after.play(program, shown, played)?;
        *nodes += 1;
        let is_free = takeback.is_free(program, &here.state, &after.state, played, nodes)?;
        let Self { mut path, mut effects, score: first, .. } = self.clone();
        let own = scorer.score(program, &here.state, played);
        let score = if effects.is_empty() { own } else { first };
        path.push(played);
        if !is_free {
            effects.push(here.effect(played));
            effects.sort_unstable();
        }
        let reveals = after.seen() > here.seen();
        let (picture, turns_up) = (after.picture(), reveals && own > 0);
        Ok((Self { path, effects, picture, reveals, turns_up, score }, after, is_free))
    }
}

impl Takeback {
    /// Where a player can go in an imagined layout. For plans with several moves that cannot be
    /// taken back it looks only until there are `enough` nodes in all.
    pub(super) fn ways(
        &mut self,
        view: View<'_>,
        world: &Belief,
        enough: u64,
        nodes: &mut u64,
    ) -> Result<Ways, PlayError> {
        self.look_at_stock(view.program, &world.state, nodes)?;
        let start = Plan::at(world);
        let mut pictures = HashSet::from([start.picture]);
        let (mut plans, mut steps): (Vec<Plan>, Vec<Plan>) = Default::default();
        let mut places = vec![(start, world.clone())];
        // The last card is known before it is seen.
        let most = if world.unseen() < 2 { 0 } else { COMMITMENTS };
        for commitments in 0..=most {
            let mut next = Vec::new();
            let mut at = 0;
            while at < places.len() && (commitments == 0 || *nodes < enough) {
                for each in places[at].1.state.moves(view.program) {
                    let (before, here) = &places[at];
                    let (plan, after, is_free) = before.with(view, here, each, self, nodes)?;
                    let is_new = |plans: &[Plan]| plans.iter().all(|o| o.effects != plan.effects);
                    let is_end = plan.reveals || after.state.is_won(view.program);
                    if is_free && is_end && commitments == 0 {
                        return Ok(Ways::Look(plan.path));
                    }
                    if !is_free && commitments == 0 && is_new(&steps) {
                        steps.push(plan.clone());
                    }
                    if is_end {
                        if is_new(&plans) {
                            plans.push(plan);
                        }
                    } else {
                        let reached = if is_free { &mut places } else { &mut next };
                        if reached.len() < POSITIONS && pictures.insert(plan.picture) {
                            reached.push((plan, after));
                        }
                    }
                }
                at += 1;
            }
            places = next;
        }
        let is_worth_it = plans.iter().any(|plan| plan.turns_up || !plan.reveals);
        Ok(if is_worth_it { Ways::Plans(plans) } else { Ways::Steps(steps) })
    }

    /// The plan with which a line begins, in the position that [`Self::ways`] was asked about, or
    /// the `single` step; none if there is none.
    pub(super) fn plan(
        &mut self,
        view: View<'_>,
        world: &Belief,
        line: &[Move],
        single: bool,
        nodes: &mut u64,
    ) -> Result<Option<Plan>, PlayError> {
        let (mut plan, mut here) = (Plan::at(world), world.clone());
        for &each in line {
            let (next, after, is_free) = plan.with(view, &here, each, self, nodes)?;
            if next.reveals || single && !is_free || after.state.is_won(view.program) {
                return Ok(Some(next));
            }
            (plan, here) = (next, after);
        }
        Ok(None)
    }
}
