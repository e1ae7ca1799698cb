//! Comparing decisions by hindsight: which of them would still win, if all cards were known?
//!
//! The solver decides imagined layouts, each within a few nodes. Only decisions are compared, that
//! is moves that cannot be taken back ([`takeback`](crate::player::takeback)), and only in layouts
//! that can be won. A winning line names its own decision, so that needs no second search. A
//! decision is dropped as soon as another one has won clearly more layouts.
//!
//! What was found out about a layout is used again for the next decision, as long as the layout
//! agrees with what the player sees.

use std::cmp::Reverse;

use crate::player::game::GameError;
use crate::player::takeback::{Decision, Ways};
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

/// The most decisions that are compared.
const WIDTH: usize = 24;

/// The nodes that each search costs at least.
const SEARCH: u64 = 50;

/// By how many halves of a standard error a decision must trail to be dropped.
const CLEARLY: usize = 3;

/// Decisions, and what comes of them in layouts that can be won.
struct Race {
    decisions: Vec<Decision>,
    /// Those that no other one has clearly beaten.
    alive: Vec<usize>,
    /// The number of a layout, and what comes of each decision there.
    rows: Vec<(usize, Vec<Future>)>,
}

impl Race {
    /// How many layouts a decision wins and in how many it loses for certain.
    fn score(&self, place: usize) -> (usize, Reverse<usize>) {
        let count = |wanted: fn(&Future) -> bool| {
            self.rows.iter().filter(|(_, row)| row.get(place).is_some_and(wanted)).count()
        };
        (count(Future::is_won), Reverse(count(|future| matches!(future, Future::Lost))))
    }

    /// The decision that wins most layouts. Among equals the first one.
    fn leader(&self) -> Option<usize> {
        let alive = self.alive.iter().copied();
        alive.max_by_key(|&place| (self.score(place), Reverse(place)))
    }

    /// Drops the decisions that are clearly behind.
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
        let (program, shown) = (self.program, self.shown);
        let scorer = &self.player.scorer;
        let ways =
            self.takeback.ways(program, shown, scorer, &world.belief, &mut self.game.nodes)?;
        let mut decisions = match ways {
            Ways::Look(path) => return Ok(Advice::Make(path)),
            Ways::Decisions(decisions) => decisions,
        };
        decisions.retain(|each| !self.visited.contains(&each.picture));
        decisions.sort_by_key(|each| (Reverse(each.reveals), Reverse(each.score)));
        decisions.truncate(WIDTH);
        let alive = (0..decisions.len()).collect();
        let mut race = Race { decisions, alive, rows: Vec::new() };
        let mut is_open = false;
        for number in 0..self.worlds.len() {
            if number > 0 && self.game.nodes >= enough {
                break;
            }
            if race.alive.len() < 2 && !race.rows.is_empty() {
                break;
            }
            self.ask(number, interrupt)?;
            match &self.worlds[number].future {
                Future::Won(_) => self.compare(number, &mut race, interrupt)?,
                Future::Lost => {}
                Future::Open | Future::Unasked => is_open = true,
            }
        }
        let is_decided = !race.rows.is_empty() || !is_open;
        let Some(best) = race.leader() else { return Ok(Advice::Undecided(Vec::new())) };
        for (number, mut row) in race.rows {
            if best < row.len() {
                self.worlds[number].future = row.swap_remove(best);
            }
        }
        let path = race.decisions.swap_remove(best).path;
        Ok(if is_decided { Advice::Make(path) } else { Advice::Undecided(path) })
    }

    /// Compares the decisions in a layout that can be won.
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
        let found = self.takeback.decision(
            self.program,
            self.shown,
            &self.player.scorer,
            belief,
            &line,
            &mut self.game.nodes,
        )?;
        let found = found.filter(|found| !self.visited.contains(&found.picture));
        let own = found.map(|found| {
            let same = race.decisions.iter().position(|each| each.effect == found.effect);
            same.unwrap_or_else(|| {
                race.decisions.push(found);
                race.alive.push(race.decisions.len() - 1);
                race.decisions.len() - 1
            })
        });
        let newest = number;
        race.rows.push((newest, Vec::new()));
        // A decision that is new must try the earlier layouts, too.
        for (number, row) in &mut race.rows {
            for place in row.len()..race.decisions.len() {
                row.push(if own == Some(place) && *number == newest {
                    Future::Won(line.clone())
                } else if race.alive.contains(&place) {
                    self.consider(*number, &race.decisions[place].path, interrupt)?
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
            self.worlds[number].future = self.future_of(&state, interrupt)?;
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
        Ok(match self.future_of(&state, interrupt)? {
            Future::Won(line) => Future::Won(path.iter().copied().chain(line).collect()),
            future => future,
        })
    }

    fn future_of(
        &mut self,
        state: &State,
        interrupt: &mut dyn FnMut() -> bool,
    ) -> Result<Future, GameError> {
        let left = self.fair.budget.saturating_sub(self.game.nodes).min(self.fair.solver);
        if left == 0 {
            return Ok(Future::Open);
        }
        let report = solved(self.program, state, left, interrupt)?;
        self.game.nodes += report.nodes + SEARCH;
        Ok(match report.verdict {
            Verdict::Winnable(line) => Future::Won(line),
            Verdict::Unwinnable => Future::Lost,
            Verdict::Unknown => Future::Open,
        })
    }
}

/// Whether a decision has won clearly fewer layouts than another, where they differ.
fn is_clearly_behind(rows: &[(usize, Vec<Future>)], place: usize, leader: usize) -> bool {
    let wins = |row: &[Future], place: usize| row.get(place).is_some_and(Future::is_won);
    let count = |first: usize, second: usize| {
        rows.iter().filter(|(_, row)| wins(row, first) && !wins(row, second)).count()
    };
    let (more, fewer) = (count(leader, place), count(place, leader));
    let lead = more.saturating_sub(fewer + 1);
    4 * lead * lead > CLEARLY * CLEARLY * (more + fewer)
}
