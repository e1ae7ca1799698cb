//! Comparing plans by hindsight: which of them would still win, if all cards were known?
//!
//! The solver decides imagined layouts, each within a few nodes. Plans ([`plan`]) are compared, and
//! only in layouts that can be won. A winning line begins with a plan of its own, which joins the
//! others and needs no second search there. A plan is dropped as soon as another one has won
//! clearly more layouts.
//!
//! What was found out about a layout is used again for the next plan, as long as the layout agrees
//! with what the player sees.
//!
//! [`plan`]: crate::player::plan

use std::cmp::Reverse;

use crate::player::game::GameError;
use crate::player::plan::{Plan, View, Ways};
use crate::player::thinker::Thinker;
use crate::player::world::{Future, World, solved};
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::search::report::Verdict;

/// What hindsight says.
pub(super) enum Advice {
    /// To make these moves.
    Make(Vec<Move>),
    /// Nothing; these moves, if no other lead on.
    Undecided(Vec<Move>),
}

/// The most plans that are compared.
const WIDTH: usize = 24;

/// The nodes that each search costs at least.
const SEARCH: u64 = 50;

/// By how many halves of a standard error a plan must trail to be dropped.
const CLEARLY: usize = 3;

/// As many times the usual number of layouts are imagined at most where plans are close.
pub(super) const CLOSE: usize = 4;

/// How many layouts more are imagined at a time where plans are close.
const CLOSER: usize = 4;

/// If the solver decides none of so many layouts, it is not asked about more of them.
const HARD: usize = 4;

/// So many layouts must be decided, if there are as many.
pub(super) const FOUNDED: usize = 4;

/// The most moves for which the solver is not asked.
const REST: u32 = 15;

/// The part of the nodes of a decision that may be spent to find plans.
const PLANNING: u64 = 4;

/// Plans, and what comes of them in layouts that can be won.
struct Race {
    plans: Vec<Plan>,
    /// Whether they are single steps.
    single: bool,
    /// Those that no other one has clearly beaten.
    alive: Vec<usize>,
    /// The number of a layout, and what comes of each plan there.
    rows: Vec<(usize, Vec<Future>)>,
}

impl Race {
    /// How many layouts a plan wins and in how many it loses for certain.
    fn score(&self, place: usize) -> (usize, Reverse<usize>) {
        let count = |wanted: fn(&Future) -> bool| {
            self.rows.iter().filter(|(_, row)| row.get(place).is_some_and(wanted)).count()
        };
        (count(Future::is_won), Reverse(count(|future| matches!(future, Future::Lost))))
    }

    /// The plan that wins most layouts. Among equals the first one.
    fn leader(&self) -> Option<usize> {
        let alive = self.alive.iter().copied();
        alive.max_by_key(|&place| (self.score(place), Reverse(place)))
    }

    /// Whether layouts so far tell some of the plans that are left from one another.
    fn is_close(&self) -> bool {
        let differ = |row: &[Future]| {
            let mut wins =
                self.alive.iter().map(|&place| row.get(place).is_some_and(Future::is_won));
            let first = wins.next();
            wins.any(|other| Some(other) != first)
        };
        self.rows.iter().any(|(_, row)| differ(row))
    }

    /// Drops the plans that are clearly behind.
    fn drop_beaten(&mut self) {
        let Some(leader) = self.leader() else { return };
        let rows = &self.rows;
        self.alive.retain(|&place| !is_clearly_behind(rows, place, leader));
    }
}

impl Thinker<'_> {
    /// What to do, seen from imagined layouts that the solver decides.
    pub(super) fn look_back(
        &mut self,
        enough: u64,
        interrupt: &mut dyn FnMut() -> bool,
    ) -> Result<Advice, GameError> {
        let Some(world) = self.worlds.first() else { return Ok(Advice::Undecided(Vec::new())) };
        let view = View { program: self.program, shown: self.shown, scorer: &self.player.scorer };
        let planned = self.game.nodes + enough.saturating_sub(self.game.nodes) / PLANNING;
        let ways = self.takeback.ways(view, &world.belief, planned, &mut self.game.nodes)?;
        let (mut plans, single) = match ways {
            Ways::Look(path) => return Ok(Advice::Make(path)),
            Ways::Plans(plans) => (plans, false),
            Ways::Steps(steps) => (steps, true),
        };
        plans.retain(|each| !self.visited.contains(&each.picture));
        // Among equals a plan comes first that turns a card up, and commits the player least. Cards
        // that are dealt bury others, so before that the move with the best score is made.
        plans.sort_by_key(|each| {
            let commitments = if each.turns_up { each.effects.len() } else { 0 };
            (Reverse(each.turns_up), commitments, Reverse(each.score))
        });
        plans.truncate(WIDTH);
        let alive = (0..plans.len()).collect();
        let mut race = Race { plans, single, alive, rows: Vec::new() };
        let mut decided = 0;
        let samples = self.fair.samples.max(1);
        let mut number = 0;
        loop {
            if number > 0 && self.game.nodes >= enough {
                break;
            }
            if race.alive.len() < 2 && !race.rows.is_empty() {
                break;
            }
            if number >= samples && !race.is_close() {
                break;
            }
            if number == self.worlds.len() {
                // It is close, so more layouts are worth their nodes.
                self.imagine((number + CLOSER).min(CLOSE * samples))?;
                if number == self.worlds.len() {
                    break;
                }
            }
            if decided == 0 && number == HARD {
                break;
            }
            self.ask(number, interrupt)?;
            match &self.worlds[number].future {
                Future::Won(_) => {
                    decided += 1;
                    self.compare(number, &mut race, interrupt)?;
                }
                Future::Lost => decided += 1,
                Future::Open | Future::Unasked => {}
            }
            number += 1;
        }
        // Few layouts out of many that the solver cannot decide say nothing about the rest.
        let is_decided = decided >= FOUNDED.min(number);
        self.seems_lost = decided == number && race.rows.is_empty();
        self.rest(race.rows.is_empty());
        let Some(best) = race.leader() else { return Ok(Advice::Undecided(Vec::new())) };
        for (number, mut row) in race.rows {
            if best < row.len() {
                self.worlds[number].future = row.swap_remove(best);
            }
        }
        let path = race.plans.swap_remove(best).path;
        Ok(if is_decided { Advice::Make(path) } else { Advice::Undecided(path) })
    }

    /// Notes whether the solver was of no use. The more often in a row, the longer it is not asked.
    fn rest(&mut self, is_useless: bool) {
        self.pause = if is_useless { (2 * self.pause + 1).min(REST) } else { 0 };
        self.moves_to_rest = self.pause;
    }

    /// Compares the plans in a layout that can be won.
    fn compare(
        &mut self,
        number: usize,
        race: &mut Race,
        interrupt: &mut dyn FnMut() -> bool,
    ) -> Result<(), GameError> {
        let World { belief, future: Future::Won(line) } = &self.worlds[number] else {
            return Ok(());
        };
        let line = line.clone();
        let view = View { program: self.program, shown: self.shown, scorer: &self.player.scorer };
        let nodes = &mut self.game.nodes;
        let own = self.takeback.plan(view, belief, &line, race.single, nodes)?;
        let own = own.filter(|own| !self.visited.contains(&own.picture)).and_then(|own| {
            let same = race.plans.iter().position(|each| each.effects == own.effects);
            same.or_else(|| {
                (race.plans.len() < 2 * WIDTH).then(|| {
                    race.plans.push(own);
                    race.alive.push(race.plans.len() - 1);
                    race.plans.len() - 1
                })
            })
        });
        let newest = number;
        race.rows.push((newest, Vec::new()));
        // A plan that is new must try the earlier layouts, too.
        for (number, row) in &mut race.rows {
            for place in row.len()..race.plans.len() {
                row.push(if own == Some(place) && *number == newest {
                    Future::Won(line.clone())
                } else if race.alive.contains(&place) {
                    self.consider(*number, &race.plans[place].path, interrupt)?
                } else {
                    Future::Unasked
                });
            }
        }
        race.drop_beaten();
        Ok(())
    }

    /// Asks the solver about an imagined layout, unless it was asked already.
    fn ask(&mut self, number: usize, interrupt: &mut dyn FnMut() -> bool) -> Result<(), GameError> {
        if matches!(self.worlds[number].future, Future::Unasked) {
            let state = self.worlds[number].belief.state.clone();
            self.worlds[number].future = self.future_of(&state, true, interrupt)?;
        }
        Ok(())
    }

    /// What comes of some moves in an imagined layout.
    fn consider(
        &mut self,
        number: usize,
        path: &[Move],
        interrupt: &mut dyn FnMut() -> bool,
    ) -> Result<Future, GameError> {
        let mut state = self.worlds[number].belief.state.clone();
        let mut journal = Journal::new();
        for &each in path {
            if !state.is_legal(self.program, each) {
                return Ok(Future::Lost);
            }
            journal.clear();
            state.play_unchecked(self.program, each, &mut journal)?;
            self.game.nodes += 1;
        }
        Ok(match self.future_of(&state, false, interrupt)? {
            Future::Won(line) => Future::Won(path.iter().copied().chain(line).collect()),
            future => future,
        })
    }

    fn future_of(
        &mut self,
        state: &State,
        wants_line: bool,
        interrupt: &mut dyn FnMut() -> bool,
    ) -> Result<Future, GameError> {
        let left = self.fair.budget.saturating_sub(self.game.nodes).min(self.fair.solver);
        if left == 0 {
            return Ok(Future::Open);
        }
        let report = solved(self.program, state, left, wants_line, interrupt)?;
        self.game.nodes += report.nodes + SEARCH;
        Ok(match report.verdict {
            Verdict::Winnable(line) => Future::Won(line),
            Verdict::Unwinnable => Future::Lost,
            Verdict::Unknown => Future::Open,
        })
    }
}

/// Whether a plan has won clearly fewer layouts than another, where they differ.
fn is_clearly_behind(rows: &[(usize, Vec<Future>)], place: usize, leader: usize) -> bool {
    let wins = |row: &[Future], place: usize| row.get(place).is_some_and(Future::is_won);
    let count = |first: usize, second: usize| {
        rows.iter().filter(|(_, row)| wins(row, first) && !wins(row, second)).count()
    };
    let (more, fewer) = (count(leader, place), count(place, leader));
    let lead = more.saturating_sub(fewer + 1);
    4 * lead * lead > CLEARLY * CLEARLY * (more + fewer)
}
