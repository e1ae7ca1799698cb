//! Composite steps that dig cards out of the tableau, for short depth-first scans.
//!
//! A player with free cells does not think in single moves. "The nine goes on that ten" includes
//! all that must be moved before: what lies on the ten and on the nine goes to other parents, to
//! cells and to vacancies. A step of this space is such a plan ([`Kind`]), carried out in single
//! steps of the card-links space. Most positions have fewer than twenty plans, and a win takes
//! about forty. So a depth-first search that tries the most promising plans first mostly finds a
//! win at once, or goes astray; then another order may do better.
//!
//! Many moves are no part of any plan, so a search of this space overlooks wins and proves nothing.
//! A line consists of the single steps, and is played in the general space like any other.

use std::fmt;

use crate::program::compiled::Program;
use crate::search::spaces::card_links::packs::{CardSet, Packs, SetByCard, ZONES};
use crate::search::spaces::card_links::space::{CardLinksSpace, NONE};
use crate::search::spaces::card_links::step::Step;
use crate::search::spaces::card_links::tables::{MoveUnit, Tables};
use crate::search::spaces::space::{Space, chance};

/// What a plan is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A card on which nothing lies goes up.
    Up,
    /// What lies on a card is put away, and it goes up.
    DigUp,
    /// What lies on a card is put away, and a card of a cell goes onto it.
    Return,
    /// What lies on a run and on a card is put away, and the run goes onto the card.
    Build,
    /// What lies on a run is put away, and the run goes to a vacancy.
    Vacate,
    /// A card of a cell goes to a vacancy, and a run from under others or another card of a cell
    /// onto it.
    Found,
}

impl Kind {
    const ALL: [Self; 6] =
        [Self::Up, Self::DigUp, Self::Return, Self::Build, Self::Vacate, Self::Found];
}

/// A plan. Those with lower scores are tried first.
///
/// One number, since most of the work on plans is to sort them: the score, plus 2^31, then a byte
/// for each of the other parts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Plan(u64);

impl Plan {
    /// The lowest card and the top card of the run that moves, and the card that it goes onto.
    #[inline]
    const fn new(score: i32, kind: Kind, (card, top, to): (u8, u8, u8)) -> Self {
        let score = (score.cast_unsigned() ^ 1 << 31) as u64;
        Self(score << 32 | u32::from_be_bytes([kind as u8, card, top, to]) as u64)
    }

    /// The plan with a score that is so much higher.
    #[inline]
    const fn plus(self, score: i32) -> Self {
        Self(self.0.wrapping_add((score as i64).cast_unsigned() << 32))
    }

    #[inline]
    const fn bytes(self) -> [u8; 4] {
        (self.0 as u32).to_be_bytes()
    }

    /// A code for what it does.
    #[inline]
    const fn code(self) -> u32 {
        u32::from_le_bytes(self.bytes())
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [kind, card, top, to] = self.bytes();
        write!(formatter, "Plan({:?}: {card} to {top} on {to})", Kind::ALL[usize::from(kind)])
    }
}

/// Where plans move cards.
#[derive(Clone, Debug)]
pub(crate) struct Sites<P: Packs> {
    /// The only zone that is built on. Its empty piles take any card.
    tableau: usize,
    /// The zones whose empty piles take any top card of the tableau.
    cells: [bool; ZONES],
    /// For each card those that it may be put on.
    under: SetByCard<P>,
    /// Whether runs move as a whole.
    moves_runs: bool,
}

/// With fewer cells there are too few plans.
const FEWEST_CELLS: u8 = 3;

impl<P: Packs> Sites<P> {
    /// Those of a program; none if it has too few cells to dig with, or if a card can be put on one
    /// other at most.
    pub(crate) fn new(program: &Program, tables: &Tables<P>) -> Option<Self> {
        let has_returns = !tables.returns.is_empty();
        if tables.stock.is_some() || tables.hides_cards() || has_returns || tables.refill.is_some()
        {
            return None;
        }
        let built = tables.routes.iter().find(|route| !route.builds.is_empty())?;
        let (tableau, under, pack) = (built.to, &built.under, tables.order.pack);
        let is_uniform = tables.routes.iter().all(|route| {
            if route.to == tableau { route.under == *under } else { route.builds.is_empty() }
        });
        let has_choice = (0..P::CARDS).any(|card| P::faces(under[card]).count_ones() > 1);
        if !is_uniform || !has_choice || !tables.accepts_any[tableau] {
            return None;
        }
        let mut cells = [false; ZONES];
        for route in tables.routes.iter().filter(|route| route.from == tableau) {
            cells[route.to] |= route.to != tableau && route.space == pack;
        }
        let number: u8 = (0..ZONES).filter(|&zone| cells[zone]).map(|at| tables.piles[at]).sum();
        let moves_runs = tables.routes.iter().any(|route| {
            let carries = match route.unit {
                MoveUnit::Top => false,
                MoveUnit::Packet => true,
                MoveUnit::Run(relation) => {
                    let relation = &program.relations[usize::from(relation)].under;
                    pack.cards().all(|card| P::faces(under[card]) & !relation[P::face(card)] == 0)
                }
            };
            carries && (route.from, route.to, route.space) == (tableau, tableau, pack)
        });
        let under = under.clone();
        (number >= FEWEST_CELLS).then_some(Self { tableau, cells, under, moves_runs })
    }
}

/// A run of the tableau: cards that lie on each other and could be put there.
#[derive(Clone, Copy)]
struct Run {
    card: u8,
    top: u8,
    len: u8,
    /// The number of cards on it.
    over: u8,
}

impl Run {
    const fn single(card: usize) -> Self {
        Self { card: card as u8, top: card as u8, len: 1, over: 0 }
    }
}

/// The positions after a root, and plans as steps between them.
pub(crate) struct DiggingSpace<'p, P: Packs> {
    pub(crate) inner: CardLinksSpace<'p, P>,
    sites: &'p Sites<P>,
    /// For each plan the number of single steps before it.
    marks: Vec<usize>,
    /// Scratch space.
    runs: Vec<Run>,
}

impl<'p, P: Packs> DiggingSpace<'p, P> {
    pub(crate) const fn new(inner: CardLinksSpace<'p, P>, sites: &'p Sites<P>) -> Self {
        Self { inner, sites, marks: Vec::new(), runs: Vec::new() }
    }

    /// Moves a card, with the cards on it. False if it cannot go there.
    #[inline]
    fn take(&mut self, card: u8, to: u8) -> bool {
        let inner = &self.inner;
        let fits = match to {
            _ if to == P::UP => inner.wanted.has(card),
            _ if to >= P::BASE => inner.empty[usize::from(to - P::BASE)] > 0,
            _ => {
                self.sites.under[usize::from(card)].has(to)
                    && inner.tops[self.sites.tableau].has(to)
            }
        };
        if fits && inner.below[usize::from(card)] != P::UP {
            return self.inner.make(Step::of(card, to));
        }
        false
    }

    /// An empty cell.
    #[inline]
    fn cell(&self) -> Option<u8> {
        (0..self.inner.tables.zones)
            .find(|&zone| self.sites.cells[zone] && self.inner.empty[zone] > 0)
            .map(|zone| P::BASE + zone as u8)
    }

    fn empty_cells(&self) -> u8 {
        let cells = (0..self.inner.tables.zones).filter(|&zone| self.sites.cells[zone]);
        cells.map(|zone| self.inner.empty[zone]).sum()
    }

    /// Puts away what lies on a card of the tableau: up, onto cards of piles without those of
    /// `spared`, to cells, and to vacancies as long as some `keep` are left. False if there is not
    /// enough room.
    fn clear(&mut self, card: u8, spared: P::Set, keep: u8) -> bool {
        let tableau = self.sites.tableau;
        while self.inner.above[usize::from(card)] != NONE {
            let inner = &self.inner;
            let top = inner.topmost(usize::from(card));
            let parents = self.sites.under[usize::from(top)] & inner.tops[tableau];
            let to = if inner.wanted.has(top) {
                Some(P::UP)
            } else if let Some(to) =
                parents.cards().find(|&to| (inner.lower[to] & spared).is_empty())
            {
                Some(to as u8)
            } else {
                self.cell()
                    .or_else(|| (inner.empty[tableau] > keep).then_some(P::BASE + tableau as u8))
            };
            if !to.is_some_and(|to| self.take(top, to)) {
                return false;
            }
        }
        true
    }

    /// Moves a card, with the run on it, by way of cells and vacancies.
    fn shift(&mut self, card: u8, to: u8) -> bool {
        let mut run = P::each(0u8);
        let (mut len, mut at) = (0, card);
        while at != NONE {
            run[len] = at;
            len += 1;
            at = self.inner.above[usize::from(at)];
        }
        if len == 1 || self.sites.moves_runs {
            return self.take(card, to);
        }
        let vacancy = P::BASE + self.sites.tableau as u8;
        let cells = usize::from(self.empty_cells());
        if len - 1 <= cells {
            let run = &run.as_ref()[..len];
            let mut upper = run[1..].iter().rev();
            return upper.all(|&card| self.cell().is_some_and(|cell| self.take(card, cell)))
                && self.take(card, to)
                && run.windows(2).all(|pair| self.put_back(pair[1], pair[0]));
        }
        let vacant = self.inner.empty[self.sites.tableau];
        let Some(others) = vacant.checked_sub(1 + u8::from(to == vacancy)) else { return false };
        let first = len - (len - 1).min((cells + 1) << others.min(DOUBLINGS));
        self.shift(run[first], vacancy)
            && self.shift(card, to)
            && self.put_back(run[first], run[first - 1])
    }

    /// Moves a card, with the run on it, if it has not gone up by itself.
    fn put_back(&mut self, card: u8, to: u8) -> bool {
        self.inner.below[usize::from(card)] == P::UP || self.shift(card, to)
    }

    fn carry_out(&mut self, plan: Plan) -> bool {
        let [kind, card, top, to] = plan.bytes();
        let vacancy = P::BASE + self.sites.tableau as u8;
        match Kind::ALL[usize::from(kind)] {
            Kind::Up | Kind::DigUp => {
                self.clear(card, P::Set::of(card), 0)
                    && (self.inner.below[usize::from(card)] == P::UP || self.take(card, P::UP))
            }
            Kind::Return | Kind::Build => {
                let spared = P::Set::of(card) | P::Set::of(to);
                self.clear(top, spared, 0) && self.clear(to, spared, 0) && self.shift(card, to)
            }
            Kind::Vacate => self.clear(top, P::Set::of(card), 1) && self.shift(card, vacancy),
            Kind::Found => {
                self.take(to, vacancy)
                    && self.clear(top, P::Set::of(card) | P::Set::of(to), 0)
                    && self.shift(card, to)
            }
        }
    }
}

/// Each vacancy doubles the run that can be moved. No run needs more than this many.
const DOUBLINGS: u8 = 6;

/// The scores of plans by kind, learned with the next three by random changes on 1,500 deals.
const KINDS: [i32; 6] = [-1900, 550, 300, 600, 500, -450];
/// For each card that is put away.
const AWAY: i32 = 30;
/// For each card that is wanted now and lies under the run.
const FREES: i32 = -50;
/// If the run leaves a cell or a pile empty.
const EMPTIES: i32 = -200;

/// Plans are listed if they need no more room than there is and this much, since some of the cards
/// that are put away find parents.
const SLACK: u8 = 2;

impl<P: Packs> DiggingSpace<'_, P> {
    /// A plan with its score, if so many cards are put away.
    #[inline]
    fn plan(&self, kind: Kind, run: Run, to: u8, away: u8) -> Plan {
        let (inner, Run { card, top, .. }) = (&self.inner, run);
        let mut score = KINDS[kind as usize] + AWAY * i32::from(away);
        if matches!(kind, Kind::Return | Kind::Build) {
            score += inner.heuristic_change(Step::of(card, to)).unwrap_or(0);
        }
        let first = usize::from(if kind == Kind::Found { to } else { card });
        score += if inner.below[first] >= P::BASE {
            EMPTIES
        } else {
            FREES * (inner.lower[first] & inner.wanted).count().cast_signed()
        };
        Plan::new(score, kind, (card, top, to))
    }
}

impl<P: Packs> Space for DiggingSpace<'_, P> {
    type Step = Plan;

    #[inline]
    fn key(&self) -> u128 {
        self.inner.key()
    }

    #[inline]
    fn is_won(&self) -> bool {
        self.inner.is_won()
    }

    fn list(&mut self, plans: &mut Vec<Plan>) {
        let tableau = self.sites.tableau;
        let mut runs = std::mem::take(&mut self.runs);
        runs.clear();
        let inner = &self.inner;
        let (cells, vacant) = (self.empty_cells(), inner.empty[tableau]);
        let room = cells + vacant + SLACK;
        // By card of the tableau the number of cards on it; and the cards that can be reached, and
        // those that have a card on them that fits there.
        let mut over = P::each(0u8);
        let (mut inside, mut occupied) = (P::Set::NONE, P::Set::NONE);
        for top in inner.tops[tableau].cards() {
            let (mut at, mut number) = (top, 0);
            let mut run = Run { card: 0, top: top as u8, len: 0, over: 0 };
            loop {
                over[at] = number;
                inside |= P::Set::of(at);
                number += 1;
                run.len += 1;
                let below = inner.below[at];
                if below < P::BASE && self.sites.under[at].has(below) {
                    occupied |= P::Set::of(below);
                } else {
                    run.card = at as u8;
                    runs.push(run);
                    // Under so many cards nothing can be reached.
                    if below >= P::BASE || number > room {
                        break;
                    }
                    run = Run { card: 0, top: below, len: 0, over: number };
                }
                at = usize::from(below);
            }
        }
        // Whether there is room to move a run if so many cards are put away and so many vacancies
        // kept.
        let can_move = |run: Run, away: u8, kept: u8| {
            let taken = away.saturating_sub(if kept == 0 { SLACK } else { 0 });
            let vacant = (vacant - kept).saturating_sub(taken.saturating_sub(cells));
            self.sites.moves_runs
                || u32::from(run.len)
                    <= (u32::from(cells.saturating_sub(taken)) + 1) << vacant.min(DOUBLINGS)
        };
        for card in (inner.wanted & (inside | inner.free_to_go_up())).cards() {
            let kind = if over[card] == 0 { Kind::Up } else { Kind::DigUp };
            if over[card] <= room {
                plans.push(self.plan(kind, Run::single(card), P::UP, over[card]));
            }
        }
        let targets = inside & !occupied;
        let outside = (0..inner.tables.zones).filter(|&zone| zone != tableau);
        let outside = P::Set::union(outside.map(|zone| inner.tops[zone]));
        for card in outside.cards() {
            for to in (self.sites.under[card] & targets).cards() {
                if over[to] <= room {
                    plans.push(self.plan(Kind::Return, Run::single(card), to as u8, over[to]));
                }
            }
            if vacant == 0 {
                continue;
            }
            let goes_on = |upper: usize| self.sites.under[upper].has(card);
            for &run in runs.iter().filter(|run| goes_on(usize::from(run.card)) && run.over <= room)
            {
                plans.push(self.plan(Kind::Found, run, card as u8, run.over));
            }
            for upper in outside.cards().filter(|&upper| goes_on(upper)) {
                plans.push(self.plan(Kind::Found, Run::single(upper), card as u8, 0));
            }
        }
        for &run in &runs {
            let card = usize::from(run.card);
            for to in (self.sites.under[card] & targets).cards() {
                let away = run.over + over[to];
                let is_one_pile =
                    inner.lower[usize::from(run.top)].has(to) || inner.lower[to].has(card);
                if !is_one_pile && away <= room && can_move(run, away, 0) {
                    plans.push(self.plan(Kind::Build, run, to as u8, away));
                }
            }
            let is_whole = inner.below[card] >= P::BASE;
            if vacant > 0 && !is_whole && run.over <= room && can_move(run, run.over, 1) {
                plans.push(self.plan(Kind::Vacate, run, NONE, run.over));
            }
        }
        self.runs = runs;
    }

    fn make(&mut self, plan: Plan) -> bool {
        self.marks.push(self.inner.marks.len());
        let is_done = self.carry_out(plan);
        if !is_done {
            self.unmake();
        }
        is_done
    }

    fn unmake(&mut self) {
        let Some(mark) = self.marks.pop() else { return };
        while self.inner.marks.len() > mark {
            self.inner.unmake();
        }
    }

    fn reset_root(&mut self) {
        self.inner.reset_root();
        self.marks.clear();
    }

    fn trail_bytes(&self) -> usize {
        self.inner.trail_bytes() + size_of_val(&*self.marks)
    }

    fn packed_size(&self) -> usize {
        self.inner.packed_size()
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        self.inner.pack(bytes);
    }

    fn unpack(&mut self, bytes: &[u8]) {
        self.marks.clear();
        self.inner.unpack(bytes);
    }

    fn heuristic(&mut self) -> i32 {
        self.inner.heuristic()
    }

    fn sort(&mut self, plans: &mut [Plan], seed: u64) {
        if seed != 0 {
            let key = self.inner.key;
            for plan in &mut *plans {
                *plan = plan.plus(chance(seed, key, plan.code()));
            }
        }
        plans.sort_unstable();
    }

    fn length(&self) -> u64 {
        self.inner.length()
    }
}
