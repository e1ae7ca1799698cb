//! What the card-links space needs to know of a program, and which programs it handles.

use crate::bits::{bits, ones};
use crate::card::{SUITED, is_face_down, of_rank_before};
use crate::position::state::State;
use crate::program::actions::CompiledAction;
use crate::program::actions::transfer::CompiledMove;
use crate::program::compiled::Program;
use crate::program::format::{Face, Unit};
use crate::search::options::{Pruning, Prunings};
use crate::search::spaces::card_links::kinds::Kinds;
use crate::search::spaces::card_links::order::CardOrder;
use crate::search::spaces::card_links::packs::{CardSet, Packs, SetByCard, ZONES, numbered};
use crate::search::spaces::card_links::stock::Stock;
use crate::search::spaces::filling::Filling;
use crate::search::spaces::foundation_order::FoundationOrder;
use crate::search::spaces::safe_play::{Building, SafePlay, is_built};
use crate::search::spaces::settled::{is_at_work, lasting_rules, spent_rules};

/// Which cards of a pile move as a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveUnit {
    /// The top card.
    Top,
    /// A run: each card is in a relation to the one below.
    Run(u8),
    /// Any face-up cards.
    Packet,
}

/// A route from one zone to another.
#[derive(Clone, Debug)]
pub(crate) struct Route<P: Packs> {
    pub(in crate::search::spaces) from: usize,
    pub(in crate::search::spaces) to: usize,
    pub(in crate::search::spaces) unit: MoveUnit,
    /// For the lowest card of a unit: the cards that it may be put on.
    pub(in crate::search::spaces) under: SetByCard<P>,
    /// The cards that may be put on any card at all.
    pub(in crate::search::spaces) builds: P::Set,
    /// The lowest cards of units that may go to an empty pile.
    pub(in crate::search::spaces) space: P::Set,
}

impl<P: Packs> Route<P> {
    fn new(from: usize, to: usize, unit: MoveUnit, under: SetByCard<P>, space: P::Set) -> Self {
        let builds = (0..P::CARDS).filter(|&card| !under[card].is_empty()).map(P::Set::of);
        let builds = P::Set::union(builds);
        Self { from, to, unit, under, builds, space }
    }
}

/// The most abstract games that are searched together with the real one.
const EASIER_GAMES: usize = 7;

/// No zone.
pub(in crate::search::spaces) const NOWHERE: usize = usize::MAX;

/// Empty piles of a zone are filled at once from the only pile of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search::spaces) struct Refill {
    pub(in crate::search::spaces) from: usize,
    pub(in crate::search::spaces) to: usize,
}

/// The tables of a program in which all piles of a zone are interchangeable.
#[derive(Clone, Debug)]
pub(crate) struct Tables<P: Packs> {
    pub(in crate::search::spaces) zones: usize,
    /// For each pile its zone; none for foundations and unused piles.
    pub(in crate::search::spaces) zone_of: Vec<Option<usize>>,
    /// For each pile whether it is a foundation.
    pub(in crate::search::spaces) is_foundation: Vec<bool>,
    /// How many piles each zone has.
    pub(in crate::search::spaces) piles: [u8; ZONES],
    /// The routes from zone to zone, and back from foundations (whose `from` is no zone).
    pub(in crate::search::spaces) routes: Vec<Route<P>>,
    pub(in crate::search::spaces) returns: Vec<Route<P>>,
    /// The zones whose cards may go to foundations.
    pub(in crate::search::spaces) reaches_foundation: [bool; ZONES],
    /// The zones of which more than the top card can move.
    pub(in crate::search::spaces) has_units: bool,
    /// The zones of which an empty pile takes any card of any zone, if cards of every zone can go
    /// up.
    pub(in crate::search::spaces) accepts_any: [bool; ZONES],
    /// What the foundations take, by faces and by cards.
    pub(in crate::search::spaces) faces: FoundationOrder,
    pub(in crate::search::spaces) order: CardOrder<P>,
    /// For each face: the faces that some rule allows on it outside foundations.
    pub(in crate::search::spaces) over: [u64; crate::card::CARDS],
    /// The zones that cards are put on others in.
    pub(in crate::search::spaces) built: [bool; ZONES],
    /// For each card what it lies on at the root in a zone that is not built on, or no card.
    pub(in crate::search::spaces) aside_on: P::Each<u8>,
    /// The zones of which an empty pile can be filled.
    pub(in crate::search::spaces) fills: [bool; ZONES],
    /// The zones that nothing comes to and whose piles hold at most one card each; and a stock all
    /// of whose cards can be reached at any time. Their cards lose nothing by staying there.
    pub(in crate::search::spaces) reserves: [bool; ZONES],
    /// The stock, and the zone that its waste is, or [`NOWHERE`].
    pub(in crate::search::spaces) stock: Option<Stock<P>>,
    pub(in crate::search::spaces) waste: usize,
    /// How empty piles are filled at once. So while the pile that fills them holds cards, none is
    /// empty when a step begins.
    pub(in crate::search::spaces) refill: Option<Refill>,
    /// By zone and card: the cards to which what lies on it need not be moved (`splits.rs`).
    pub(in crate::search::spaces) splits: [Option<SetByCard<P>>; ZONES],
    /// The kinds of the zone in which cards can be rearranged, if there is one
    /// (`rearrangements.rs`).
    pub(in crate::search::spaces) kinds: Option<Kinds<P>>,
    /// Cards that lie face down at the root, except those of the stock. They are turned up as soon
    /// as nothing lies on them.
    pub(in crate::search::spaces) down: P::Set,
}

impl<P: Packs> Tables<P> {
    /// Whether the test of `relaxed.rs` applies.
    pub(in crate::search::spaces) fn has_relaxed_test(&self) -> bool {
        // In games of two packs with a stock it found no dead end, and took half of the time.
        let is_of_use = P::COPIES == 1 || self.stock.is_none();
        is_of_use && !self.has_units && self.returns.is_empty() && self.refill.is_none()
    }

    /// The tables of a program for positions after a root; none if the card-links space does not
    /// handle it.
    ///
    /// Requirements: no card has more copies than fit ([`Packs::COPIES`]); no pile covers another;
    /// no rule is forced, conditional or counting, except rules that turn a stock ([`Stock`]),
    /// rules that turn cards up as soon as nothing lies on them, a rule that fills empty piles
    /// ([`Refill`]), and conditions that hold for good; every other rule moves one card, a run or a
    /// packet from zones to zones or to foundations, whatever the sizes of the piles; the
    /// foundations share one build order, whose state is determined by the cards that went up; the
    /// aim is that everything goes up.
    ///
    /// The set of cards does not determine the state of the foundations if these take any suit and
    /// give cards back: then it matters which card is on top. With `relaxed` such programs are
    /// handled all the same, as if any card of the height could come back. That allows more moves
    /// than the game does, so only a loss proves anything.
    pub(crate) fn new(program: &Program, root: &State, relaxed: bool) -> Option<Self> {
        let game = program.source();
        if root.choosing().is_some() || root.closed() != 0 || !program.covered.is_empty() {
            return None;
        }
        let faces = FoundationOrder::new(program, root)?;
        let order = CardOrder::new(&faces)?;
        let (pack, foundations) = (order.pack, faces.foundations);
        let mut tables = Self {
            zones: 0,
            zone_of: vec![None; program.places.len()],
            is_foundation: (0..program.places.len()).map(|at| foundations >> at & 1 != 0).collect(),
            piles: [0; ZONES],
            routes: Vec::new(),
            returns: Vec::new(),
            reaches_foundation: [false; ZONES],
            has_units: false,
            faces,
            order,
            over: [0; crate::card::CARDS],
            built: [false; ZONES],
            aside_on: P::each(u8::MAX),
            fills: [false; ZONES],
            accepts_any: [false; ZONES],
            reserves: [false; ZONES],
            stock: Stock::new(program, root),
            waste: NOWHERE,
            refill: None,
            splits: [const { None }; ZONES],
            kinds: None,
            down: P::Set::NONE,
        };
        tables.lay_zones(program, root, foundations)?;
        let mut turned_up = 0;
        let spent = spent_rules(program, root);
        let lasting = lasting_rules(program, root, &spent);
        for (index, (rule, plan)) in game.rules.iter().zip(&program.plans).enumerate() {
            if matches!(rule.during, crate::program::format::During::Layout) {
                continue;
            }
            if tables.stock.as_ref().is_some_and(|stock| stock.rules >> index & 1 != 0) {
                continue;
            }
            if spent[index] {
                continue;
            }
            if !lasting[index] || rule.effects.iter().any(|each| is_at_work(root, each)) {
                return None;
            }
            let footprint = program.footprint(index as u8);
            if rule.forced && footprint.writes() == footprint.turns {
                turned_up |= footprint.turns;
                continue;
            }
            let CompiledAction::Move(plan) = &plan.kind else { return None };
            if rule.forced {
                tables.read_refill(plan)?;
            } else {
                tables.read_rule(program, plan, foundations)?;
            }
        }
        if let Some(refill) = tables.refill {
            tables.check_refill(refill, root)?;
        }
        tables.read_splits(program, root);
        tables.read_faces(root, turned_up)?;
        if !tables.returns.is_empty() && !tables.faces.is_suited() && !relaxed {
            return None;
        }
        for zone in 0..tables.zones {
            let is_target =
                tables.routes.iter().chain(&tables.returns).any(|route| route.to == zone);
            let is_shallow = (0..program.places.len())
                .filter(|&pile| tables.zone_of[pile] == Some(zone))
                .all(|pile| root.pile(pile).len() <= 1);
            tables.reserves[zone] = match &tables.stock {
                Some(stock) if zone == tables.waste => stock.is_reserve(),
                _ => !is_target && is_shallow,
            } && tables.offers_all(zone)
                && tables.refill.is_none_or(|refill| refill.from != zone);
            tables.accepts_any[zone] = (0..tables.zones).all(|from| {
                let mut routes = tables.routes.iter();
                tables.reaches_foundation[from]
                    && routes.any(|route| (route.from, route.to, route.space) == (from, zone, pack))
            });
        }
        tables.kinds = tables.rearranged_kinds();
        Some(tables)
    }

    /// Whether the cards of a zone lose nothing by staying there: they can go up, and be put on any
    /// card or empty pile on which others can be built, if they could from wherever they can go.
    fn offers_all(&self, zone: usize) -> bool {
        let mut others = 0u32;
        loop {
            let is_reached = |from: usize| from == zone || others >> from & 1 != 0;
            let routes = self.routes.iter().filter(|route| is_reached(route.from));
            let more = routes.fold(others, |zones, route| zones | 1 << route.to);
            if more == others {
                break;
            }
            others = more;
        }
        let is_built_on = |to: usize| {
            let mut routes = self.routes.iter().chain(&self.returns);
            routes.any(|route| route.to == to && !route.builds.is_empty())
        };
        let from_here = |to: usize| {
            self.routes.iter().filter(move |route| route.from == zone && route.to == to)
        };
        let is_offered = |route: &Route<P>| {
            let space = P::Set::union(from_here(route.to).map(|here| here.space));
            let under = |card| P::Set::union(from_here(route.to).map(|here| here.under[card]));
            let pack = self.order.pack;
            (route.space & !space).is_empty()
                && pack.cards().all(|card| (route.under[card] & !under(card)).is_empty())
        };
        let goes_up = |zone: usize| self.reaches_foundation[zone];
        (0..self.zones).filter(|at| others >> at & 1 != 0).all(|at| goes_up(zone) || !goes_up(at))
            && self
                .routes
                .iter()
                .filter(|route| others >> route.from & 1 != 0 && is_built_on(route.to))
                .all(is_offered)
    }

    /// Abstract games, from the easiest one, that count more cards as the same than the game does:
    /// foundations ask for suits only below a height. Easier or harder ones gain little.
    ///
    /// *The claim.* A line of the game is a line of each of them, and a line of one is a line of
    /// each that asks for suits below a smaller height only.
    ///
    /// *Proof.* The two differ in which cards foundations want at a height at which only one of
    /// them asks for suits. Let a card go up there in the stricter game. The card of its suit one
    /// height lower is up and has none on it. Each card of its height lies on one that is lower, so
    /// fewer cards of its height are up than of the one below, and the other game wants it, too.
    /// In the same way, a card that comes back from its foundation has none on it, so fewer cards
    /// of the next height are up than of its own, and it can come back in the other game. (There
    /// any card of its height can then, as if it were on top. That allows more.) Nothing else asks
    /// what foundations hold.
    pub(crate) fn easier_games(&self, program: &Program) -> Vec<(usize, Self)> {
        let heights = self.faces.wants.len();
        let levels = (heights / 3..heights.saturating_sub(1)).take(EASIER_GAMES);
        let own = self.representatives(program, |height| self.is_suitless(height));
        levels
            .filter_map(|level| {
                let faces = self.faces.with_suits_below(level);
                let order = CardOrder::new(&faces)?;
                Some((level, Self { faces, order, ..self.clone() }))
            })
            .filter(|(_, game)| {
                game.representatives(program, |height| game.is_suitless(height)) != own
            })
            .collect()
    }

    /// Which cards are safe on foundations.
    pub(crate) fn safe_play(&self, program: &Program) -> SafePlay {
        let can_go_up = self.routes.iter().all(|route| {
            let is_built = match route.unit {
                MoveUnit::Top => true,
                MoveUnit::Run(run) => {
                    is_built(&program.relations[usize::from(run)], &self.over, self.faces.pack)
                }
                MoveUnit::Packet => false,
            };
            is_built && (route.builds.is_empty() || self.reaches_foundation[route.from])
        });
        let (over, returns) = (&self.over, !self.returns.is_empty());
        SafePlay::new(&self.faces, Building { over, returns, can_go_up })
    }

    /// Whether the card-links space is not switched off, neither itself nor, with a stock, its
    /// macro moves.
    pub(crate) fn is_wanted(&self, without: Prunings) -> bool {
        !without.has(Pruning::CardLinks)
            && (self.stock.is_none() || !without.has(Pruning::StockMacro))
    }

    /// Whether cards other than those of the stock lie face down at the root.
    pub(crate) fn hides_cards(&self) -> bool {
        !self.down.is_empty()
    }

    /// Whether empty piles are filled at once.
    pub(crate) const fn refills(&self) -> bool {
        self.refill.is_some()
    }

    /// Whether beams in stages, and the other turns of the general space, find most wins: there is
    /// a stock with a limit, and two packs or redeals.
    pub(crate) fn is_for_stages(&self) -> bool {
        let is_limited =
            |stock: &Stock<P>| stock.is_limited() && (P::COPIES > 1 || stock.has_redeals());
        self.stock.as_ref().is_some_and(is_limited)
    }

    /// Whether there is a stock.
    pub(crate) const fn has_stock(&self) -> bool {
        self.stock.is_some()
    }

    /// Assigns a zone to every pile that is used.
    fn lay_zones(&mut self, program: &Program, root: &State, foundations: u128) -> Option<()> {
        let mut used = 0u128;
        for plan in &program.plans {
            if let CompiledAction::Move(plan) = &plan.kind {
                used |= plan.from_mask | plan.to_mask;
            }
        }
        let mut classes: Vec<u8> = Vec::new();
        for pile in 0..program.places.len() {
            if foundations >> pile & 1 != 0 {
                continue;
            }
            if self.stock.as_ref().is_some_and(|stock| stock.source == pile) {
                continue;
            }
            if used >> pile & 1 == 0 {
                // Nothing ever comes to such a pile or leaves it.
                if !root.pile(pile).is_empty() {
                    return None;
                }
                continue;
            }
            let class = program.places[pile].class;
            let zone = classes.iter().position(|&each| each == class).unwrap_or_else(|| {
                classes.push(class);
                classes.len() - 1
            });
            if zone >= ZONES {
                return None;
            }
            self.zone_of[pile] = Some(zone);
            self.piles[zone] += 1;
        }
        self.zones = classes.len();
        if let Some(stock) = &self.stock {
            // For the cards of the stock the waste is a zone of piles of one card each.
            self.waste = self.zone_of[stock.waste]?;
            if self.piles[self.waste] != 1 {
                return None;
            }
            self.piles[self.waste] = stock.len() as u8;
        }
        Some(())
    }

    /// Collects the face-down cards, if they are turned up as soon as nothing lies on them.
    fn read_faces(&mut self, root: &State, turned_up: u128) -> Option<()> {
        let numbers = numbered(root);
        for (cards, zone) in numbers.iter().zip(&self.zone_of) {
            if zone.is_some_and(|zone| !self.built[zone]) {
                for pair in cards.windows(2) {
                    self.aside_on[usize::from(pair[1])] = pair[0];
                }
            }
        }
        for (pile, cards) in root.piles().enumerate() {
            let is_turned_up = turned_up >> pile & 1 != 0;
            let is_stock = self
                .stock
                .as_ref()
                .is_some_and(|stock| pile == stock.source || pile == stock.waste);
            for (place, &byte) in cards.iter().enumerate() {
                if is_stock || !is_face_down(byte) {
                    continue;
                }
                if !is_turned_up || place + 1 == cards.len() || self.is_foundation[pile] {
                    return None;
                }
                self.down |= P::Set::of(numbers[pile][place]);
            }
        }
        Some(())
    }

    /// Compiles a rule that fills empty piles.
    fn read_refill(&mut self, plan: &CompiledMove) -> Option<()> {
        let filling = Filling::new(plan, self.faces.pack).filter(|_| self.refill.is_none())?;
        let (from, to) = (self.zones_in(1 << filling.from)?, self.zones_in(filling.to)?);
        let ([from], [to]) = (from.as_slice(), to.as_slice()) else { return None };
        self.refill = Some(Refill { from: *from, to: *to });
        Some(())
    }

    /// Whether the pile that fills others is of no other use: nothing comes to it, and its cards
    /// may move from the piles that they fill wherever they may move from it (see
    /// `spaces/safe_play.rs`).
    fn check_refill(&self, refill: Refill, root: &State) -> Option<()> {
        let Refill { from, to } = refill;
        let is_waste = self.stock.is_some() && (from == self.waste || to == self.waste);
        let comes = self.routes.iter().chain(&self.returns).any(|route| route.to == from);
        let pack = self.order.pack;
        let serves = |route: &Route<P>, other: &Route<P>| {
            (other.from, other.to) == (to, route.to)
                && (route.space & !other.space).is_empty()
                && pack.cards().all(|card| (route.under[card] & !other.under[card]).is_empty())
        };
        let mut routes = self.routes.iter().filter(|route| route.from == from);
        let is_served = routes.all(|route| self.routes.iter().any(|other| serves(route, other)))
            && (self.reaches_foundation[to] || !self.reaches_foundation[from]);
        // At the root all forced moves have been played.
        let is_at_rest = {
            let has = |zone: usize, is_vacant: bool| {
                (0..self.zone_of.len()).any(|pile| {
                    self.zone_of[pile] == Some(zone) && root.pile(pile).is_empty() == is_vacant
                })
            };
            !has(from, false) || !has(to, true)
        };
        (!is_waste && !comes && is_served && is_at_rest).then_some(())
    }

    /// Compiles a rule.
    fn read_rule(
        &mut self,
        program: &Program,
        plan: &CompiledMove,
        foundations: u128,
    ) -> Option<()> {
        let action = &plan.action;
        let cards = self.order.pack.count() as usize;
        let is_plain = plan.is_plain
            && action.from_holds[0] <= 1
            && usize::from(action.from_holds[1]) >= cards
            && action.prefer.is_none()
            && action.beaten_by.is_none()
            && action.beside.is_none()
            && !action.laid_one_by_one
            && action.face == Face::Keep
            && plan.yields_to.iter().all(|&mask| mask == 0);
        let is_free =
            bits(plan.from_mask).all(|from| plan.targets[from] == plan.to_mask & !(1 << from));
        if !is_plain || !is_free {
            return None;
        }
        let moved = action.which.0;
        if action.build_order {
            // Every card that is wanted may go up.
            let takes_all = action.to_holds[0] == 0
                && usize::from(action.to_holds[1]) >= self.faces.wants.len()
                && action.build.is_none()
                && moved & self.faces.pack == self.faces.pack
                && action.space.0 & self.faces.pack == self.faces.pack
                && plan.to_mask == foundations
                && plan.from_mask & foundations == 0
                && matches!(action.cards, Unit::Top | Unit::Run { least: 0..=1, .. });
            if !takes_all {
                return None;
            }
            for zone in self.zones_in(plan.from_mask)? {
                self.reaches_foundation[zone] = true;
            }
            return Some(());
        }
        if plan.to_mask & foundations != 0 {
            return None;
        }
        let unit = match action.cards {
            Unit::Top => MoveUnit::Top,
            Unit::Run { relation, least: 0..=1, most } if usize::from(most) >= cards => {
                MoveUnit::Run(relation)
            }
            Unit::Packet => MoveUnit::Packet,
            _ => return None,
        };
        let takes_cards = action.to_holds[1] > 0;
        let any_size = action.to_holds[0] <= 1 && usize::from(action.to_holds[1]) >= cards;
        if takes_cards && !any_size {
            return None;
        }
        if takes_cards || unit != MoveUnit::Top {
            // A pile with room for one card must not be offered more.
            let deep = |pile: usize| {
                let capacity = usize::from(program.places[pile].capacity);
                capacity >= cards
            };
            if !bits(plan.to_mask).all(deep) {
                return None;
            }
        }
        let mut under = Box::new(P::each(P::Set::NONE));
        if takes_cards {
            for card in (P::copies_of(moved) & self.order.pack).cards() {
                let faces = match action.build {
                    Some(relation) => program.relations[usize::from(relation)].under[P::face(card)],
                    None => u64::MAX,
                } & self.faces.pack;
                under[card] = P::copies_of(faces) & self.order.pack;
                for below in ones(faces) {
                    self.over[below] |= 1 << P::face(card);
                }
            }
        }
        let space = if action.to_holds[0] == 0 { action.space.0 & moved } else { 0 };
        let space = P::copies_of(space & self.faces.pack) & self.order.pack;
        let targets = self.zones_in(plan.to_mask)?;
        let from_foundations = plan.from_mask & foundations;
        if from_foundations != 0 && from_foundations != foundations {
            return None;
        }
        let sources = self.zones_in(plan.from_mask & !foundations)?;
        for &to in &targets {
            self.built[to] |= takes_cards;
            self.fills[to] |= !space.is_empty();
            if from_foundations != 0 {
                let route = Route::new(usize::MAX, to, MoveUnit::Top, under.clone(), space);
                self.returns.push(route);
            }
            for &from in &sources {
                self.has_units |= unit != MoveUnit::Top;
                self.routes.push(Route::new(from, to, unit, under.clone(), space));
            }
        }
        Some(())
    }

    /// The zones that some piles consist of; none if these are not complete zones.
    fn zones_in(&self, piles: u128) -> Option<Vec<usize>> {
        let mut zones: Vec<usize> = Vec::new();
        for pile in bits(piles) {
            let zone = self.zone_of[pile]?;
            if !zones.contains(&zone) {
                zones.push(zone);
            }
        }
        let members = (0..self.zone_of.len())
            .filter(|&pile| self.zone_of[pile].is_some_and(|zone| zones.contains(&zone)));
        (members.count() == piles.count_ones() as usize).then_some(zones)
    }

    /// For each card the first card of its class. Cards of a height are of one class if no rule
    /// distinguishes them outside foundations and `may_merge` allows it at that height.
    pub(in crate::search::spaces) fn representatives(
        &self,
        program: &Program,
        may_merge: impl Fn(usize) -> bool,
    ) -> P::Each<u8> {
        let relations = self.unit_relations();
        let alike = |card: usize, other: usize| {
            let faces = [card, other].map(P::face);
            self.order.height[other] == self.order.height[card]
                && self.over[faces[0]] == self.over[faces[1]]
                && self.routes.iter().chain(&self.returns).all(|route| {
                    route.under[card] == route.under[other]
                        && route.space.has(card) == route.space.has(other)
                })
                && relations.iter().all(|&relation| {
                    let relation = &program.relations[relation];
                    relation.over[faces[0]] == relation.over[faces[1]]
                        && relation.under[faces[0]] == relation.under[faces[1]]
                })
        };
        P::each_by(|card| {
            let face = P::face(card);
            let is_merged =
                self.order.pack.has(card) && may_merge(usize::from(self.order.height[card]));
            let mut of_rank = of_rank_before(face).filter(|&other| self.order.pack.has(other));
            of_rank.find(|&other| is_merged && alike(card, other)).unwrap_or(face) as u8
        })
    }

    /// The number of faces of the largest class, if foundations are ignored.
    pub(crate) fn largest_class(&self, program: &Program) -> usize {
        let representatives = self.representatives(program, |_| true);
        let mut sizes = [0; SUITED];
        for face in ones(self.faces.pack) {
            sizes[usize::from(representatives[face])] += 1;
        }
        sizes.into_iter().max().unwrap_or(0)
    }

    /// Whether foundations take any card of a height, and on it any of the next. Then a permutation
    /// of the cards of that height changes nothing there.
    pub(in crate::search::spaces) fn is_suitless(&self, height: usize) -> bool {
        let is_chained =
            |height: usize| self.faces.chained.get(height).is_some_and(|&chained| chained);
        !is_chained(height) && !is_chained(height + 1)
    }

    /// The relations within units.
    fn unit_relations(&self) -> Vec<usize> {
        let units = self.routes.iter().filter_map(|route| match route.unit {
            MoveUnit::Run(relation) => Some(usize::from(relation)),
            MoveUnit::Top | MoveUnit::Packet => None,
        });
        units.collect()
    }
}
