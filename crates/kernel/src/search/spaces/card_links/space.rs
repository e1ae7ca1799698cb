//! The space itself: links of cards, and steps that change them.

use crate::move_score::{self, BUILDS, FILLS, FREES, UNCOVERS_LINKED, VACATES, WORRIES_BACK};
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::search::options::{Pruning, Prunings};
use crate::search::spaces::card_links::keys::Keys;
use crate::search::spaces::card_links::kinds::Kinds;
use crate::search::spaces::card_links::packs::{CardSet, Packs, ZONES, next, numbered};
use crate::search::spaces::card_links::step::{Change, Step};
use crate::search::spaces::card_links::stock::{Stock, StockState};
use crate::search::spaces::card_links::tables::{MoveUnit, Route, Tables};
use crate::search::spaces::safe_play::SafePlay;
use crate::search::spaces::space::{Level, Space, chance};
use crate::search::strategy::CardEquivalence;
use crate::search::weights::Weights;

/// No card.
pub(super) const NONE: u8 = u8::MAX;

/// Which prunings and shortcuts are active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is switched by itself")]
pub(crate) struct ActivePrunings {
    /// Cards that are safe on foundations go there automatically.
    pub(crate) safe_play: bool,
    /// All cards that can go to foundations go there automatically. Overlooks wins.
    pub(crate) greedy_play: bool,
    /// Cards of a reserve go to the tableau only to be covered at once.
    pub(crate) reserve_macro: bool,
    /// Positions that cannot be won in the delete relaxation are left out.
    pub(crate) delete_relaxation: bool,
    /// Runs are split only if the card below can go up.
    pub(crate) splits: bool,
    /// Positions that differ only in which of several alike cards a built card lies on count as the
    /// same.
    pub(crate) rearrangements: bool,
}

impl ActivePrunings {
    /// All prunings with a proof, except those switched off.
    pub(crate) const fn new(without: Prunings) -> Self {
        Self {
            safe_play: !without.has(Pruning::SafePlay),
            greedy_play: false,
            reserve_macro: !without.has(Pruning::ReserveMacro),
            delete_relaxation: !without.has(Pruning::DeleteRelaxation),
            splits: !without.has(Pruning::Splits),
            rearrangements: !without.has(Pruning::Rearrangements),
        }
    }
}

/// The beginning of a step.
#[derive(Clone, Copy)]
pub(super) struct Mark<P: Packs> {
    key: u128,
    score: i32,
    changes: u32,
    left: StockState<P>,
    loose: P::Set,
    loose_key: u128,
}

/// The positions after a root.
pub(crate) struct CardLinksSpace<'p, P: Packs> {
    pub(super) program: &'p Program,
    pub(super) tables: &'p Tables<P>,
    pub(super) keys: Keys<P>,
    pub(super) safe_play_rules: &'p SafePlay,
    /// The kinds of cards, if positions that differ only by a rearrangement have the same key.
    pub(super) kinds: Option<&'p Kinds<P>>,
    pub(super) prunings: ActivePrunings,
    pub(super) weights: Weights,
    /// For each card what it lies on, and the card on it.
    pub(super) below: P::Each<u8>,
    pub(super) above: P::Each<u8>,
    /// For each card the lowest height among it and the cards below it.
    pub(super) lowest: P::Each<u8>,
    /// For each card of a pile that card and the cards below it.
    pub(super) lower: P::Each<P::Set>,
    /// Cards that are up, and cards that foundations want now.
    pub(super) up: P::Set,
    pub(super) wanted: P::Set,
    /// By zone: the top cards and the number of empty piles.
    pub(super) tops: [P::Set; ZONES],
    pub(super) empty: [u8; ZONES],
    /// Face-down cards, except those of the stock; and the rest of the stock.
    pub(super) down: P::Set,
    pub(super) left: StockState<P>,
    pub(super) key: u128,
    /// The loose cards, and what the key gains because they are loose (`rearrangements.rs`).
    pub(super) loose: P::Set,
    pub(super) loose_key: u128,
    pub(super) score: i32,
    /// Whether the heuristic counts the cards of each pile.
    counts_piles: bool,
    /// Whether each turn of the stock is a step.
    pub(super) turns_singly: bool,
    /// Whether cards on which nothing can be built any more go up at once.
    sheds_cards: bool,
    pub(super) changes: Vec<Change<P>>,
    pub(super) marks: Vec<Mark<P>>,
    /// Scratch space for sorting.
    pub(super) step_scores: Vec<(i32, Step<P>)>,
}

impl<'p, P: Packs> CardLinksSpace<'p, P> {
    /// The positions after a root. The tables must be those of the program.
    pub(crate) fn new(
        program: &'p Program,
        tables: &'p Tables<P>,
        safe_play_rules: &'p SafePlay,
        root: &State,
        equivalence: CardEquivalence,
        prunings: ActivePrunings,
        weights: Weights,
    ) -> Self {
        let prunings = ActivePrunings {
            delete_relaxation: prunings.delete_relaxation && tables.has_relaxed_test(),
            reserve_macro: prunings.reserve_macro
                && tables.reserves.contains(&true)
                && tables.has_few_chains(root),
            ..prunings
        };
        let prunings =
            ActivePrunings { splits: prunings.splits && !prunings.reserve_macro, ..prunings };
        let mut space = Self {
            program,
            tables,
            keys: Keys::new(program, tables, equivalence),
            safe_play_rules,
            kinds: tables.kinds.as_ref().filter(|_| prunings.rearrangements),
            prunings,
            weights,
            below: P::each(P::ABSENT),
            above: P::each(NONE),
            lowest: P::each(0),
            lower: P::each(P::Set::NONE),
            up: P::Set::NONE,
            wanted: P::Set::NONE,
            tops: [P::Set::NONE; ZONES],
            empty: [0; ZONES],
            down: P::Set::NONE,
            left: StockState::default(),
            key: 0,
            loose: P::Set::NONE,
            loose_key: 0,
            score: 0,
            counts_piles: weights.tall != 0 || weights.aside != 0,
            turns_singly: false,
            sheds_cards: false,
            changes: Vec::new(),
            marks: Vec::new(),
            step_scores: Vec::new(),
        };
        space.begin(root);
        space.reset_root();
        space
    }

    /// Goes to a root and plays the automatic moves there. They can be undone.
    pub(crate) fn begin(&mut self, root: &State) {
        self.reset_root();
        let tables = self.tables;
        for (pile, cards) in numbered(root).into_iter().enumerate() {
            let is_stock = tables.stock.as_ref().is_some_and(|stock| stock.source == pile);
            let zone = if is_stock { Some(tables.waste) } else { tables.zone_of[pile] };
            let (mut below, is_spread) = match zone {
                _ if tables.is_foundation[pile] => (P::UP, true),
                Some(zone) => (P::BASE + zone as u8, zone == tables.waste),
                None => continue,
            };
            for card in cards {
                self.below[usize::from(card)] = below;
                below = if is_spread { below } else { card };
            }
        }
        self.down = tables.down;
        self.left = tables.stock.as_ref().map(Stock::whole).unwrap_or_default();
        self.recompute();
        self.play_automatically();
        self.find_loose_cards();
    }

    /// Recomputes everything from what the cards lie on.
    pub(super) fn recompute(&mut self) {
        self.up = P::Set::NONE;
        self.tops = [P::Set::NONE; ZONES];
        self.empty = self.tables.piles;
        self.score = 0;
        for card in self.tables.order.pack.cards() {
            if self.below[card] == P::UP {
                self.up |= P::Set::of(card);
            }
        }
        self.above = P::each(NONE);
        self.stack(&P::each(NONE), P::Set::NONE);
        self.wanted = P::Set::NONE;
        for height in 0..self.tables.order.wants.len() {
            self.want(height);
        }
        for card in self.tables.order.pack.cards() {
            let base = self.below[card];
            if base < P::BASE || base == P::UP {
                continue;
            }
            let zone = usize::from(base - P::BASE);
            self.empty[zone] -= 1;
            self.tops[zone] |= P::Set::of(self.topmost(card));
        }
        if let Some(stock) = &self.tables.stock {
            self.tops[self.tables.waste] = self.reach(stock);
        }
        for card in (self.tables.order.pack & !self.up).cards() {
            self.score += self.card_score(card);
        }
        self.key = self.whole_key();
    }

    /// The key, from everything else.
    fn whole_key(&self) -> u128 {
        let keys = &self.keys;
        let add = |key: u128, number: u128| key.wrapping_add(number);
        let tops = P::Set::union(self.tops);
        let piles = tops.cards().map(|top| keys.pile(top)).fold(0, add);
        let links = self.tables.order.pack.cards().map(|card| keys.link(card, self.below[card]));
        let faces = self.down.cards().map(|card| keys.face(card)).fold(0, add);
        links.fold(add(keys.stock(self.left), add(piles, faces)), add)
    }

    /// Updates what lies on each card, and everything that depends on the piles up to it, from what
    /// the cards lie on and which lie face down. `below` and `down` are the earlier values: the
    /// part of a pile up to its first change is up to date.
    pub(super) fn stack(&mut self, below: &P::Each<u8>, down: P::Set) {
        let [before, now] =
            [below.as_ref(), self.below.as_ref()].map(|links| links.as_chunks::<4>().0);
        let differing =
            before.iter().zip(now).enumerate().filter(|(_, (before, now))| before != now);
        let mut moved = P::Set::NONE;
        for card in differing.flat_map(|(at, _)| 4 * at..4 * at + 4) {
            if below[card] != self.below[card] {
                moved |= P::Set::of(card);
            }
        }
        for card in moved.cards() {
            if below[card] < P::BASE {
                self.above[usize::from(below[card])] = NONE;
            }
        }
        for card in moved.cards() {
            if self.below[card] < P::BASE {
                self.above[usize::from(self.below[card])] = card as u8;
            }
        }
        let changed = (moved | self.down ^ down) & self.tables.order.pack & !self.up;
        for card in changed.cards() {
            // The lowest changed card of a pile updates the others.
            let mut base = self.below[card];
            while base < P::BASE && !changed.has(base) {
                base = self.below[usize::from(base)];
            }
            if base < P::BASE {
                continue;
            }
            let (mut at, zone) = (card as u8, usize::from(base - P::BASE));
            while at != NONE {
                self.chain(usize::from(at), zone);
                at = self.above[usize::from(at)];
            }
        }
    }

    /// Recomputes what depends on the pile up to a card. The cards below must be up to date.
    #[inline]
    pub(super) fn chain(&mut self, card: usize, zone: usize) {
        let below = self.below[card];
        let height = self.tables.order.height[card];
        (self.lowest[card], self.lower[card]) = if below < P::BASE {
            let below = usize::from(below);
            (height.min(self.lowest[below]), self.lower[below] | P::Set::of(card))
        } else {
            (height, P::Set::of(card))
        };
        if zone == self.tables.waste {
            self.keys.note(card as u8, (0, 0));
        } else {
            self.keys.chain(card, below, zone, self.down.has(card));
        }
    }

    /// The part of a card that is not up in the distance.
    #[inline]
    pub(super) fn card_score(&self, card: usize) -> i32 {
        self.score_on(card, self.below[card])
    }

    /// The same, if the card lies on something.
    #[inline]
    fn score_on(&self, card: usize, below: u8) -> i32 {
        let mut card_score = self.weights.remaining;
        if below < P::BASE {
            let below = usize::from(below);
            if self.tables.order.height[card] > self.lowest[below] {
                card_score += self.weights.blocking;
            }
            if self.fits(card, below) {
                card_score += self.weights.joined;
            }
            if self.down.has(card) {
                card_score += self.weights.hidden;
            }
        } else if usize::from(below - P::BASE) == self.tables.waste {
            card_score += self.weights.stock;
        }
        if self.counts_piles {
            card_score += self.pile_score_on(card, below);
        }
        card_score
    }

    /// How many wanted cards a card would bury on a card or in an empty pile.
    #[inline]
    fn buried(&self, below: u8) -> i32 {
        if below < P::BASE {
            (self.lower[usize::from(below)] & self.wanted).count().cast_signed()
        } else {
            0
        }
    }

    /// Updates which cards of a height are wanted.
    #[inline]
    pub(super) fn want(&mut self, height: usize) {
        let order = &self.tables.order;
        let Some(&cards) = order.wants.get(height) else { return };
        self.wanted = self.wanted & !cards | order.wanted_at(height, self.up);
    }

    /// The top card of the pile that a card is in.
    #[inline]
    pub(super) fn top_of(&self, card: u8) -> u8 {
        if self.tables.has_units { self.topmost(usize::from(card)) } else { card }
    }

    /// The same, even if only single cards can move.
    #[inline]
    pub(super) fn topmost(&self, card: usize) -> u8 {
        let mut top = card as u8;
        while self.above[usize::from(top)] != NONE {
            top = self.above[usize::from(top)];
        }
        top
    }

    /// The zone of a top card.
    #[inline]
    pub(super) fn zone_of(&self, top: u8) -> usize {
        let mut zone = 0;
        while zone + 1 < self.tables.zones && !self.tops[zone].has(top) {
            zone += 1;
        }
        zone
    }

    /// Plays the automatic moves to foundations.
    #[inline]
    pub(super) fn play_automatically(&mut self) {
        if !self.prunings.safe_play && !self.prunings.greedy_play && !self.sheds_cards {
            return;
        }
        loop {
            let can_go_up = self.wanted & self.free_to_go_up();
            let mut ready = can_go_up & !self.tied();
            if !self.prunings.greedy_play {
                ready = if self.prunings.safe_play { self.safe(ready) } else { P::Set::NONE };
            }
            if self.sheds_cards && ready.is_empty() {
                ready = self.of_no_use(can_go_up);
            }
            if ready.is_empty() {
                return;
            }
            self.place(ready.lowest(), P::UP);
            self.refill();
        }
    }

    /// The safe ones of some cards that can go up.
    #[inline]
    fn safe(&self, ready: P::Set) -> P::Set {
        let (rules, faces) = (self.safe_play_rules, P::faces(ready));
        ready & P::copies_of(rules.of(faces, self.tables.order.all_up(self.up)))
    }

    /// Those of some cards on which nothing can be built any more.
    fn of_no_use(&self, cards: P::Set) -> P::Set {
        let up = self.tables.order.all_up(self.up);
        let is_useless = |&card: &usize| self.tables.over[P::face(card)] & !up == 0;
        P::Set::union(cards.cards().filter(is_useless).map(P::Set::of))
    }

    /// What a card on something adds to the part of its pile in the distance.
    fn pile_score_on(&self, card: usize, below: u8) -> i32 {
        let is_aside = if below < P::BASE {
            self.tables.aside_on[card] == below
        } else {
            let zone = usize::from(below - P::BASE);
            if zone == self.tables.waste {
                return 0;
            }
            !self.tables.built[zone]
        };
        if is_aside {
            return self.weights.aside;
        }
        let under = if below < P::BASE { self.lower[usize::from(below)].count() } else { 0 };
        let of = |cards: u32| self.weights.tall * (cards * cards).cast_signed() / 8;
        of(under + 1) - of(under)
    }

    /// Whether some rule allows a card on another one outside foundations.
    #[inline]
    fn fits(&self, card: usize, below: usize) -> bool {
        self.tables.over[P::face(below)].has(P::face(card))
    }

    /// The number of cards of the stock that have not been turned yet, if there is a limit.
    fn rest_of_stock(&self) -> usize {
        self.tables.stock.as_ref().map_or(0, |stock| stock.rest(self.left))
    }

    /// Fills the empty piles that are filled at once.
    #[inline]
    fn refill(&mut self) {
        let Some(refill) = self.tables.refill else { return };
        while self.empty[refill.to] > 0 && !self.tops[refill.from].is_empty() {
            let top = self.tops[refill.from].lowest();
            self.place(top, P::BASE + refill.to as u8);
        }
    }

    /// The cards whose time in a line matters, because taking them changes which others can be
    /// reached.
    #[inline]
    pub(super) fn tied(&self) -> P::Set {
        match &self.tables.stock {
            Some(stock) if !stock.is_reserve() => self.tops[self.tables.waste],
            _ => P::Set::NONE,
        }
    }

    /// The cards that could go up if they were wanted.
    #[inline]
    pub(super) fn free_to_go_up(&self) -> P::Set {
        let mut free = P::Set::NONE;
        for zone in 0..self.tables.zones {
            if self.tables.reaches_foundation[zone] {
                free |= self.tops[zone];
            }
        }
        free
    }

    /// Lists the targets of a unit with a certain lowest card on a route.
    #[inline]
    pub(super) fn list_unit(
        &self,
        route: &Route<P>,
        card: usize,
        top: usize,
        steps: &mut Vec<Step<P>>,
    ) {
        let targets = route.under[card] & self.tops[route.to] & !P::Set::of(top);
        self.list_on(Step::cover(card as u8), targets & !self.needless(route, card), steps);
        let is_whole = usize::from(self.below[card]) == usize::from(P::BASE) + route.to;
        if self.empty[route.to] > 0 && route.space.has(card) && !is_whole {
            self.list_arranged(Step::of(card as u8, P::BASE + route.to as u8), steps);
        }
        if self.prunings.reserve_macro {
            self.list_covers(route, Step::cover(card as u8), card, top, steps);
        }
    }

    /// Lists the targets of the top cards on a route.
    #[inline]
    fn list_tops(&self, route: &Route<P>, steps: &mut Vec<Step<P>>) {
        let (targets, empty) = (self.tops[route.to], P::BASE + route.to as u8);
        let space = if self.empty[route.to] > 0 { route.space } else { P::Set::NONE };
        for top in (self.tops[route.from] & (route.builds | space)).cards() {
            for to in (route.under[top] & targets & !P::Set::of(top)).cards() {
                steps.push(Step::of(top as u8, to as u8));
            }
            if space.has(top) && self.below[top] != empty {
                steps.push(Step::of(top as u8, empty));
            }
        }
    }

    /// Lists the cards that can come back from foundations.
    pub(super) fn list_returns(&self, steps: &mut Vec<Step<P>>) {
        for height in 0..self.tables.order.wants.len() {
            let cards = self.tables.order.wants[height] & self.up;
            if cards.is_empty() {
                break;
            }
            let next =
                self.tables.order.wants.get(height + 1).copied().unwrap_or_default() & self.up;
            let chained = self.tables.order.chained.get(height + 1).is_some_and(|&chained| chained);
            if !chained && next.count() >= cards.count() {
                continue;
            }
            for card in cards.cards() {
                // As many copies as of the next card can lie under it, and the others are alike.
                let above = next.cards().filter(|&at| self.tables.order.before[at].has(card));
                let copies = P::copies_of(1 << P::face(card)) & self.up;
                if chained && above.count() >= copies.count() as usize
                    || usize::from(copies.lowest()) != card
                {
                    continue;
                }
                for route in &self.tables.returns {
                    for to in (route.under[card] & self.tops[route.to]).cards() {
                        steps.push(Step::of(card as u8, to as u8));
                    }
                    if self.empty[route.to] > 0 && route.space.has(card) {
                        steps.push(Step::of(card as u8, P::BASE + route.to as u8));
                    }
                    if self.prunings.reserve_macro {
                        let cover = Step::cover(card as u8);
                        self.list_covers(route, cover, card, card, steps);
                    }
                }
            }
        }
    }

    /// The score of a step: how promising it looks.
    pub(super) fn step_score(&self, step: Step<P>) -> i32 {
        let (card, to) = (step.first(), step.target());
        if step.is_turn() {
            return 0;
        }
        if to == P::UP {
            return move_score::UP;
        }
        let below = self.below[usize::from(card)];
        let mut step_score = if to < P::BASE { BUILDS } else { FILLS };
        match below {
            _ if below == P::UP => step_score += WORRIES_BACK,
            _ if below >= P::BASE => step_score += VACATES,
            _ => {
                let lowest = self.lowest[usize::from(below)];
                if lowest < self.tables.order.height[usize::from(card)] {
                    step_score += FREES;
                }
                if self.down.has(below) {
                    step_score += UNCOVERS_LINKED;
                } else if self.fits(usize::from(card), usize::from(below)) {
                    step_score -= FREES;
                }
            }
        }
        if to < P::BASE
            && self.lowest[usize::from(to)] < self.tables.order.height[usize::from(card)]
        {
            step_score -= FREES;
        }
        step_score
    }
}

impl<P: Packs> Level for CardLinksSpace<'_, P> {
    fn load(&mut self, harder: &Self) {
        self.reset_root();
        let (below, down) = (self.below, self.down);
        self.below = harder.below;
        self.empty = harder.empty;
        self.up = harder.up;
        self.tops = harder.tops;
        self.down = harder.down;
        self.left = harder.left;
        self.wanted = self.tables.order.wanted(self.up);
        self.stack(&below, down);
        self.key = self.whole_key();
        self.play_automatically();
        self.find_loose_cards();
    }
}

impl<P: Packs> Space for CardLinksSpace<'_, P> {
    type Step = Step<P>;

    #[inline]
    fn key(&self) -> u128 {
        self.key.wrapping_add(self.loose_key)
    }

    #[inline]
    fn is_won(&self) -> bool {
        self.up == self.tables.order.pack
    }

    fn is_lost(&self) -> bool {
        self.prunings.delete_relaxation && self.is_unsolvable_relaxed()
    }

    fn list(&mut self, steps: &mut Vec<Step<P>>) {
        let zones = (0..self.tables.zones).filter(|&zone| self.tables.reaches_foundation[zone]);
        let free = P::Set::union(zones.map(|zone| self.can_lie_free(zone)));
        for card in (self.wanted & free).cards() {
            self.list_arranged(Step::of(card as u8, P::UP), steps);
        }
        for route in &self.tables.routes {
            if self.prunings.reserve_macro && self.tables.reserves[route.from] {
                continue;
            }
            let is_plain = !self.prunings.reserve_macro && self.kinds.is_none();
            if route.unit == MoveUnit::Top && is_plain {
                self.list_tops(route, steps);
                continue;
            }
            for top in self.can_lie_free(route.from).cards() {
                self.list_unit(route, top, top, steps);
                let mut card = top;
                loop {
                    let below = self.below[card];
                    let hangs = below < P::BASE
                        && !self.down.has(below)
                        && match route.unit {
                            MoveUnit::Top => false,
                            MoveUnit::Packet => true,
                            MoveUnit::Run(relation) => {
                                let relation = &self.program.relations[usize::from(relation)];
                                relation.over[P::face(below)].has(P::face(card))
                            }
                        };
                    if !hangs {
                        break;
                    }
                    card = usize::from(below);
                    self.list_unit(route, card, top, steps);
                }
            }
        }
        if !self.tables.returns.is_empty() && !self.prunings.greedy_play {
            self.list_returns(steps);
        }
        if let Some(stock) = self.tables.stock.as_ref().filter(|_| self.turns_singly)
            && stock.turned(self.left).is_some()
        {
            steps.push(Step::turn());
        }
    }

    fn shed_cards(&mut self) {
        self.sheds_cards = true;
        self.play_automatically();
        self.reset_root();
    }

    fn turn_singly(&mut self) {
        if let Some(stock) = self.tables.stock.as_ref().filter(|stock| stock.is_limited()) {
            self.turns_singly = true;
            self.tops[self.tables.waste] = self.reach(stock);
        }
    }

    fn progress_left(&self) -> usize {
        let held = self.tables.order.pack & !self.up;
        (held.count() + self.down.count()) as usize + self.rest_of_stock()
    }

    #[inline]
    fn key_after(&self, step: Step<P>) -> Option<u128> {
        match self.kinds {
            _ if !step.is_single() => None,
            None => self.key_with(step.first(), step.target()),
            Some(kinds) => self.class_key_with(kinds, step),
        }
    }

    #[inline]
    fn make(&mut self, step: Step<P>) -> bool {
        let changes = self.changes.len() as u32;
        let Self { key, score, left, loose, loose_key, .. } = *self;
        self.marks.push(Mark { key, score, changes, left, loose, loose_key });
        if step.is_turn() {
            self.turn();
            self.play_automatically();
            return true;
        }
        if !self.rearrange(step) {
            self.marks.pop();
            return false;
        }
        let mut to = step.target();
        for card in step.cards() {
            self.place(card, to);
            self.refill();
            to = card;
        }
        self.play_automatically();
        self.find_loose_cards();
        true
    }

    #[inline]
    fn unmake(&mut self) {
        let Some(mark) = self.marks.pop() else { return };
        while self.changes.len() > mark.changes as usize {
            self.unplace();
        }
        if self.left != mark.left {
            self.turn_to(mark.left);
        }
        self.key = mark.key;
        self.score = mark.score;
        (self.loose, self.loose_key) = (mark.loose, mark.loose_key);
    }

    fn reset_root(&mut self) {
        self.marks.clear();
        self.changes.clear();
        self.keys.forget();
    }

    fn trail_bytes(&self) -> usize {
        size_of_val(&*self.marks) + size_of_val(&*self.changes) + self.keys.saved_bytes()
    }

    fn packed_size(&self) -> usize {
        let masks = (5 + self.tables.zones) * size_of::<P::Set>();
        P::CARDS + ZONES + size_of::<i32>() + size_of::<u128>() + masks + 3
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(self.below.as_ref());
        bytes.extend_from_slice(&self.empty);
        bytes.extend_from_slice(&self.score.to_le_bytes());
        bytes.extend_from_slice(&self.key.to_le_bytes());
        for cards in [self.up, self.wanted, self.down, self.left.places, self.left.cards] {
            cards.pack(bytes);
        }
        bytes.extend_from_slice(&self.left.numbers());
        for tops in &self.tops[..self.tables.zones] {
            tops.pack(bytes);
        }
    }

    fn unpack(&mut self, bytes: &[u8]) {
        self.reset_root();
        let (below, down) = (self.below, self.down);
        let mut bytes = bytes;
        let (links, rest) = bytes.split_at(P::CARDS);
        self.below.as_mut().copy_from_slice(links);
        bytes = rest;
        self.empty = next(&mut bytes);
        self.score = i32::from_le_bytes(next(&mut bytes));
        self.key = u128::from_le_bytes(next(&mut bytes));
        self.up = P::Set::unpack(&mut bytes);
        self.wanted = P::Set::unpack(&mut bytes);
        self.down = P::Set::unpack(&mut bytes);
        self.left.places = P::Set::unpack(&mut bytes);
        self.left.cards = P::Set::unpack(&mut bytes);
        self.left.set_numbers(next(&mut bytes));
        for tops in &mut self.tops[..self.tables.zones] {
            *tops = P::Set::unpack(&mut bytes);
        }
        self.stack(&below, down);
        self.find_loose_cards();
    }

    #[inline]
    fn heuristic(&mut self) -> i32 {
        let weights = &self.weights;
        let mut distance = self.score;
        for zone in 0..self.tables.zones {
            distance += weights.vacancy * i32::from(self.empty[zone]);
        }
        if self.counts_piles {
            distance += self.weights.aside * i32::from(self.left.dealt);
        }
        for card in (self.wanted & !self.free_to_go_up()).cards() {
            let mut at = self.above[card];
            while at != NONE {
                distance += weights.burying;
                at = self.above[usize::from(at)];
            }
        }
        distance
    }

    #[inline]
    fn heuristic_change(&self, step: Step<P>) -> Option<i32> {
        // One top card moves, and nothing goes up or is turned up (see `key_with`).
        let (card, to) = (usize::from(step.first()), step.target());
        let below = self.below[card];
        let mut change = self.score_on(card, to) - self.score_on(card, below);
        change += self.weights.burying * (self.buried(to) - self.buried(below));
        change += self.weights.vacancy * (i32::from(below >= P::BASE) - i32::from(to >= P::BASE));
        Some(change)
    }

    fn sort(&mut self, steps: &mut [Step<P>], seed: u64) {
        if steps.len() > 1 {
            let mut step_scores = std::mem::take(&mut self.step_scores);
            step_scores.clear();
            step_scores.extend(
                steps.iter().map(|&step| {
                    (-self.step_score(step) - chance(seed, self.key, step.code()), step)
                }),
            );
            // Steps of equal score retain their order.
            step_scores.sort_by_key(|&(step_score, _)| step_score);
            for (step, &(_, sorted)) in steps.iter_mut().zip(&step_scores) {
                *step = sorted;
            }
            self.step_scores = step_scores;
        }
    }

    fn length(&self) -> u64 {
        u64::from((self.tables.order.pack & !self.up).count()) * 3 / 2
    }
}
