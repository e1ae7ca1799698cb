//! The steps of a position.

use crate::bits::ones;
use crate::card::{card, is_face_down};
use crate::position::moves::Move;
use crate::search::spaces::columns::space::ColumnsSpace;
use crate::search::spaces::columns::tables::{Build, ColumnUnit, Kind, Play, Row};

/// Columns that steps look at.
#[derive(Clone, Copy)]
struct Tops {
    /// The columns with cards, and the faces of their top cards.
    held: u32,
    faces: u64,
    /// The columns without cards, of interchangeable ones only the first.
    vacant: u32,
}

impl ColumnsSpace<'_> {
    /// Lists the steps; if a card goes up safely, only that one.
    pub(super) fn list_steps(&self, steps: &mut Vec<Move>) {
        let begin = steps.len();
        let tops = self.tops();
        for kind in &self.tables.kinds {
            match *kind {
                Kind::Build(index) => {
                    let build = &self.tables.builds[index];
                    let first = steps.len();
                    for from in ones(u64::from(build.from & tops.held)) {
                        self.list_units(build, from, tops, steps);
                    }
                    if build.overlaps {
                        drop_repeated(steps, begin, first);
                    }
                }
                Kind::Completion(index) => {
                    let completion = &self.tables.completions[index];
                    for from in ones(u64::from(completion.from & tops.held)) {
                        if self.completes(index, from)
                            && let Some(to) = self.foundation()
                        {
                            let from = usize::from(self.tables.piles[from]);
                            let count = self.tables.length;
                            steps.push(Move::of_cards(completion.rule, from, count, to));
                        }
                    }
                }
                Kind::Row(index) => {
                    let row = &self.tables.rows[index];
                    if self.is_dealt(row) {
                        steps.push(Move::of_script(row.rule));
                    }
                }
                Kind::Play(index) => {
                    let play = &self.tables.plays[index];
                    if let Some(only) = self.list_plays(play, tops.held, steps) {
                        steps.truncate(begin);
                        steps.push(only);
                        return;
                    }
                }
                Kind::Return(index) => {
                    self.list_returns(&self.tables.returns[index], tops, steps);
                }
                Kind::Other => {}
            }
        }
        if self.keeps_runs_whole {
            let mut place = 0;
            steps.retain(|&step| {
                place += 1;
                place <= begin || !self.splits_run(step)
            });
        }
    }

    /// The columns that steps look at.
    fn tops(&self) -> Tops {
        let (alike, mut seen) = (self.alike(), 0u32);
        let mut tops = Tops { held: 0, faces: 0, vacant: 0 };
        for (column, &first) in alike.iter().enumerate() {
            if self.sizes[column] > 0 {
                tops.held |= 1 << column;
                tops.faces |= 1 << card(self.whole(column).byte);
            } else {
                tops.vacant |= u32::from(seen >> first & 1 == 0) << column;
                seen |= 1 << first;
            }
        }
        tops
    }

    /// Lists the cards that can go to foundations. Returns a step if no other one is needed.
    fn list_plays(&self, play: &Play, held: u32, steps: &mut Vec<Move>) -> Option<Move> {
        let foundations = self.foundations.as_ref()?;
        for from in ones(u64::from(play.from & held)) {
            let face = self.whole(from).byte;
            let Some(target) = foundations.target(face) else { continue };
            let pile = usize::from(self.tables.piles[from]);
            let step = Move::of_cards(play.rule, pile, 1, foundations.pile(target));
            let is_useless = || {
                let over = self.tables.build[usize::from(face)] & self.tables.pack;
                over & !foundations.all_up() == 0
            };
            if foundations.is_safe(play.rule, face, pile) || self.sheds_cards && is_useless() {
                return Some(step);
            }
            steps.push(step);
        }
        None
    }

    /// Lists the cards that can come back from foundations by a rule.
    fn list_returns(&self, build: &Build, tops: Tops, steps: &mut Vec<Move>) {
        let Some(foundations) = &self.foundations else { return };
        let targets = build.targets[0];
        let mut seen = 0u64;
        for (index, face) in foundations.tops() {
            // Foundations with the same card on top hold the same cards.
            if seen >> face & 1 != 0 {
                continue;
            }
            seen |= 1 << face;
            let under = build.under[usize::from(face)];
            let is_target = |&to: &usize| {
                let top = self.whole(to).byte;
                under >> card(top) & 1 != 0 && !is_face_down(top)
            };
            let space = if build.space >> face & 1 != 0 { targets & tops.vacant } else { 0 };
            let onto = ones(u64::from(targets & tops.held)).filter(is_target);
            for to in onto.chain(ones(u64::from(space))) {
                let pile = usize::from(self.tables.piles[to]);
                steps.push(Move::of_cards(build.rule, foundations.pile(index), 1, pile));
            }
        }
    }

    /// Whether a row can be dealt.
    fn is_dealt(&self, row: &Row) -> bool {
        let is_held = |column: usize| self.sizes[column] > 0;
        let held = |columns: u32| ones(columns.into()).filter(|&at| is_held(at)).count() as u32;
        let takes = |&column: &u8| !row.only_held || is_held(column.into());
        self.totals.stock > 0
            && row.to.iter().any(takes)
            && row.filled.iter().all(|&(columns, number)| held(columns) >= number)
    }

    /// Lists the targets of the units of a column by a rule.
    fn list_units(&self, build: &Build, from: usize, tops: Tops, steps: &mut Vec<Move>) {
        let (size, targets) = (self.size(from), build.targets[from]);
        let longest = match build.unit {
            ColumnUnit::Top => 1,
            ColumnUnit::Run(run) => usize::from(self.whole(from).runs[run]),
            ColumnUnit::Packet => size,
        };
        let source = usize::from(self.tables.piles[from]);
        for count in 1..=longest {
            let lowest = self.part(from, size + 1 - count).byte;
            if is_face_down(lowest) {
                break;
            }
            let under = build.under[usize::from(lowest)];
            let mut add = |to: usize| {
                let pile = usize::from(self.tables.piles[to]);
                steps.push(Move::of_cards(build.rule, source, count, pile));
            };
            if under & tops.faces != 0 {
                for to in ones(u64::from(targets & tops.held)) {
                    let top = self.whole(to).byte;
                    if under >> top & 1 != 0 && !is_face_down(top) {
                        add(to);
                    }
                }
            }
            if build.space >> lowest & 1 != 0 {
                let alike = self.alike();
                for to in ones(u64::from(targets & tops.vacant)) {
                    // A whole column goes only to an empty one that differs from it.
                    if count < size || alike[to] != alike[from] {
                        add(to);
                    }
                }
            }
        }
    }

    /// Whether a step moves a part of a run, and not onto a card with which it would move on.
    fn splits_run(&self, step: Move) -> bool {
        let Kind::Build(index) = self.tables.kinds[usize::from(step.rule())] else { return false };
        let build = &self.tables.builds[index];
        let column = |pile: u8| usize::from(self.tables.column[usize::from(pile)]);
        let from = column(step.from());
        let left = self.size(from) - usize::from(step.count());
        let [below, lowest] = [left, left + 1].map(|place| self.part(from, place).byte);
        let target = self.whole(column(step.to())).byte;
        self.carries(build, below, lowest) && !self.carries(build, target, lowest)
    }

    /// Whether a card moves together with the one below it.
    fn carries(&self, build: &Build, lower: u8, upper: u8) -> bool {
        let ColumnUnit::Run(run) = build.unit else { return false };
        !is_face_down(lower) && self.tables.runs[run][usize::from(lower)] >> upper & 1 != 0
    }
}

/// Drops moves, from an index on, that an earlier rule makes.
fn drop_repeated(steps: &mut Vec<Move>, begin: usize, first: usize) {
    let cards = |step: Move| (step.from(), step.count(), step.to());
    let mut kept = first;
    for place in first..steps.len() {
        let step = steps[place];
        if steps[begin..first].iter().all(|&earlier| cards(earlier) != cards(step)) {
            steps[kept] = step;
            kept += 1;
        }
    }
    steps.truncate(kept);
}
