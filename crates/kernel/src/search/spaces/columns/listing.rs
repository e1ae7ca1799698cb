//! The steps of a position.

use crate::bits::ones;
use crate::card::is_face_down;
use crate::play::condition::compares;
use crate::position::moves::Move;
use crate::program::format::Compare;
use crate::search::spaces::columns::foundations::Foundations;
use crate::search::spaces::columns::limits::FOUNDATIONS;
use crate::search::spaces::columns::rules::{Build, ColumnUnit, Kind, Play, Row};
use crate::search::spaces::columns::space::ColumnsSpace;

/// The length of tables of cards. With a power of two, no index needs a check.
const FACES: usize = 64;

/// Columns that steps look at.
struct Tops {
    /// The columns with cards.
    held: u32,
    /// The faces of top cards that lie face up, and for each the columns.
    faces: u64,
    on: [u32; FACES],
    /// The columns without cards, of interchangeable ones only the first.
    vacant: u32,
}

impl Tops {
    /// The columns whose top card is one of some and lies face up.
    #[inline]
    fn under(&self, faces: u64) -> u32 {
        ones(faces & self.faces).fold(0, |columns, face| columns | self.on[face % FACES])
    }

    /// The columns whose top card fits a column or fills an empty one by a rule.
    fn that_fit(&self, build: &Build) -> u32 {
        let fills = if self.vacant == 0 { 0 } else { build.space };
        let fits = |&face: &usize| build.under[face] & self.faces != 0 || fills >> face & 1 != 0;
        let columns = ones(self.faces).filter(fits);
        columns.fold(0, |columns, face| columns | self.on[face % FACES])
    }
}

impl ColumnsSpace<'_> {
    /// Lists the steps; if a card goes up safely, only that one.
    pub(super) fn list_steps(&self, steps: &mut Vec<Move>) {
        let begin = steps.len();
        let tops = self.tops();
        let wanted = self.foundations.as_ref().map_or([0; FOUNDATIONS], Foundations::wanted);
        let mut going_up = false;
        for (index, (kind, when)) in (0..).zip(self.tables.kinds.iter().zip(&self.tables.when)) {
            if when.at_last && self.totals.stock > 0 || !self.counts(&when.counts) {
                continue;
            }
            let first = steps.len();
            match *kind {
                Kind::Build(index) => {
                    let build = &self.tables.builds[index];
                    let sources = match build.unit {
                        ColumnUnit::Top => tops.that_fit(build),
                        _ => tops.held,
                    };
                    for from in ones(u64::from(build.from & sources)) {
                        self.list_units(build, from, &tops, steps);
                    }
                    if let (Some(hand), Some(face)) = (self.tables.hand, self.hand()) {
                        let pile = usize::from(hand.pile);
                        self.list_card(build, pile, face, build.from_hand, &tops, steps);
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
                Kind::Redeal(number) => {
                    if self.tables.redeals[number].gathered & tops.held != 0 {
                        steps.push(Move::of_script(index));
                    }
                }
                Kind::Play(index) => {
                    let play = &self.tables.plays[index];
                    if let Some(only) = self.list_plays(play, &tops, &wanted, steps) {
                        let mut earlier = steps[begin..first].iter();
                        let same = earlier.find(|&&step| cards_of(step) == cards_of(only));
                        let only = same.copied().unwrap_or(only);
                        steps.truncate(begin);
                        steps.push(only);
                        return;
                    }
                    going_up |= steps.len() > first;
                }
                Kind::Return(index) => {
                    self.list_returns(&self.tables.returns[index], &tops, steps);
                }
                Kind::Other => {}
            }
            if self.tables.repeats[usize::from(index)] {
                drop_repeated(steps, begin, first);
            }
        }
        if self.sheds_cards && going_up && self.has_heaps() {
            let goes_up = |step: Move| matches!(self.kind(step), Kind::Play(_));
            let mut place = 0;
            steps.retain(|&step| {
                place += 1;
                place <= begin || goes_up(step)
            });
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
        let mut tops = Tops { held: 0, faces: 0, on: [0; FACES], vacant: 0 };
        for (column, &first) in alike.iter().enumerate() {
            if self.sizes[column] > 0 {
                tops.held |= 1 << column;
                let top = self.whole(column).byte;
                if !is_face_down(top) {
                    tops.faces |= 1 << top;
                    tops.on[usize::from(top) % FACES] |= 1 << column;
                }
            } else {
                tops.vacant |= u32::from(seen >> first & 1 == 0) << column;
                seen |= 1 << first;
            }
        }
        tops
    }

    /// Lists the cards that can go to foundations, given what each of these wants. Returns a step
    /// if no other one is needed.
    fn list_plays(
        &self,
        play: &Play,
        tops: &Tops,
        wanted: &[u64; FOUNDATIONS],
        steps: &mut Vec<Move>,
    ) -> Option<Move> {
        let foundations = self.foundations.as_ref()?;
        let all = ones(play.to.into()).fold(0, |all, index| all | wanted[index]);
        let hand = self.tables.hand.filter(|_| play.from_hand);
        let hand = hand.and_then(|hand| self.hand().map(|face| (usize::from(hand.pile), face)));
        let top = |from: usize| (usize::from(self.tables.piles[from]), self.whole(from).byte);
        let hand = hand.filter(|&(_, face)| all >> face & 1 != 0);
        for (pile, face) in ones(u64::from(play.from & tops.under(all))).map(top).chain(hand) {
            let wants = |&index: &usize| wanted[index] >> face & 1 != 0;
            let among = ones(play.to.into()).filter(wants).fold(0, |all, index| all | 1 << index);
            let firsts = ones(among.into()).filter(|&index| foundations.is_first(index, among));
            for target in firsts {
                let step = Move::of_cards(play.rule, pile, 1, foundations.pile(target));
                let is_useless = || {
                    let over = self.tables.build[usize::from(face)] & foundations.pack();
                    over & !foundations.all_up() == 0
                };
                let is_shed = self.sheds_cards && !self.has_heaps() && is_useless();
                if foundations.is_safe(play.rule, face, pile) || is_shed {
                    return Some(step);
                }
                steps.push(step);
            }
        }
        None
    }

    /// Lists those of some columns that the top card of a pile can go to by a rule.
    fn list_card(
        &self,
        build: &Build,
        pile: usize,
        face: u8,
        targets: u32,
        tops: &Tops,
        steps: &mut Vec<Move>,
    ) {
        let fitting = targets & tops.under(build.under[usize::from(face)]);
        let vacant = if build.space >> face & 1 != 0 { targets & tops.vacant } else { 0 };
        let onto = ones(fitting.into()).filter(|&to| self.has_room(build, to, 1));
        for to in onto.chain(ones(vacant.into())) {
            let to = usize::from(self.tables.piles[to]);
            steps.push(Move::of_cards(build.rule, pile, 1, to));
        }
    }

    /// Whether a column with cards takes so many more by a rule.
    #[inline]
    fn has_room(&self, build: &Build, to: usize, count: usize) -> bool {
        let held = self.sizes[to];
        held <= build.most && self.size(to) + count <= usize::from(self.tables.room[to])
    }

    /// Lists the cards that can come back from foundations by a rule.
    fn list_returns(&self, build: &Build, tops: &Tops, steps: &mut Vec<Move>) {
        let Some(foundations) = &self.foundations else { return };
        for (index, face) in foundations.tops(build.back) {
            self.list_card(build, foundations.pile(index), face, build.targets[0], tops, steps);
        }
    }

    /// Whether counters compare with numbers as asked.
    fn counts(&self, counts: &[(u8, Compare, u16)]) -> bool {
        counts.iter().all(|&(counter, compare, number)| {
            compares(self.counters[usize::from(counter)].into(), compare, number.into())
        })
    }

    /// Whether a row can be dealt.
    fn is_dealt(&self, row: &Row) -> bool {
        let is_held = |column: usize| self.sizes[column] > 0;
        let held = |columns: u32| ones(columns.into()).filter(|&at| is_held(at)).count() as u32;
        let takes = |&column: &u8| !row.only_held || is_held(column.into());
        self.totals.stock > 0
            && row.to.iter().any(takes)
            && row.filled.iter().all(|&(columns, number)| held(columns) >= number)
            && row
                .vacant
                .iter()
                .all(|&(columns, number)| columns.count_ones() - held(columns) >= number)
    }

    /// Lists the targets of the units of a column by a rule.
    fn list_units(&self, build: &Build, from: usize, tops: &Tops, steps: &mut Vec<Move>) {
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
            for to in ones(u64::from(targets & tops.under(under))) {
                if self.has_room(build, to, count) {
                    add(to);
                }
            }
            if build.space >> lowest & 1 != 0 {
                let alike = self.alike();
                for to in ones(u64::from(targets & tops.vacant)) {
                    // A whole column goes only to an empty one that differs from it.
                    let has_room = count <= usize::from(self.tables.room[to]);
                    if has_room && (count < size || alike[to] != alike[from]) {
                        add(to);
                    }
                }
            }
        }
    }

    /// Whether a step moves a part of a run, and not onto a card with which it would move on.
    fn splits_run(&self, step: Move) -> bool {
        let Kind::Build(index) = self.kind(step) else { return false };
        if self.is_from_hand(step) {
            return false;
        }
        let build = &self.tables.builds[index];
        let column = |pile: u8| self.tables.column(pile).unwrap_or(0);
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

/// Which cards a move takes where.
const fn cards_of(step: Move) -> (u8, u8, u8) {
    (step.from(), step.count(), step.to())
}

/// Drops moves, from an index on, that an earlier rule makes.
fn drop_repeated(steps: &mut Vec<Move>, begin: usize, first: usize) {
    let mut kept = first;
    for place in first..steps.len() {
        let step = steps[place];
        if steps[begin..first].iter().all(|&earlier| cards_of(earlier) != cards_of(step)) {
            steps[kept] = step;
            kept += 1;
        }
    }
    steps.truncate(kept);
}
