//! The safe moves of a position: single cards to foundations that are never a mistake.
//!
//! The proof is that of `safe_play.rs`. The card-links space meets its preconditions. This
//! file checks them for any program, by the footprints of its rules:
//!
//! - The aim is that everything goes up (`spaces/foundation_order.rs`).
//! - Most rules *lay* cards: they move units from piles to piles, ask for nothing but these piles
//!   and for the emptiness of others, and are the player's choice.
//! - Other forced rules only turn cards up. One may fill empty piles from another pile
//!   (`filling.rs`), if no rows are dealt, nothing else comes to that pile, no rule asks whether
//!   these piles are empty, and its cards may move from the piles that they fill wherever they may
//!   move from it.
//! - Rules that deal rows put one card face up on each of certain piles, whatever these hold. Then
//!   units consist of cards that may be put on each other.
//! - All other rules, such as those that turn a stock, look only at piles that lie *aside*. No rule
//!   lays cards on these. So they contain the same cards in both lines of the proof, as long as no
//!   safe card comes from there.
//!
//! The proof holds for any sizes that a rule wants its target to have, since a target has the same
//! cards in both lines, and for any upper bound on the size of a source, since it has no more.
//! Where rows are dealt, a target may have fewer cards, but has some in both lines or in none. If
//! every card of a stock can always be reached (`card_links/stock.rs`), safe cards may come from
//! the waste, too.

use crate::bits::{bits, ones};
use crate::card::{CARDS, card, is_face_down};
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::actions::CompiledAction;
use crate::program::actions::transfer::CompiledMove;
use crate::program::compiled::{CompiledRule, Program};
use crate::program::format::{During, Face, Rule, Step, Unit};
use crate::program::validate::MAX_CARDS;
use crate::search::spaces::card_links::packs::TwoPacks;
use crate::search::spaces::card_links::stock::Stock;
use crate::search::spaces::filling::Filling;
use crate::search::spaces::foundation_order::FoundationOrder;
use crate::search::spaces::safe_play::{Building, SafePlay, is_built};
use crate::search::spaces::settled::{is_at_work, spent_rules};

impl State {
    /// The safe moves: each brings one card to a foundation, and whoever can win before it can win
    /// after it.
    ///
    /// The list depends only on the rules, on which cards are up, and on top cards that lie face
    /// up. So it is the same however the hidden cards lie. It is empty if the proof does not hold
    /// for the rules.
    pub fn safe_moves(&self, program: &Program) -> Vec<Move> {
        if self.is_won(program) {
            return Vec::new();
        }
        let Some(safe) = SafeMoves::new(program, self) else { return Vec::new() };
        let mut moves = self.moves(program);
        safe.retain(self, &mut moves);
        moves
    }
}

/// What the safe moves of the positions after a root are.
pub(crate) struct SafeMoves {
    laying: Laying,
    safe_play: SafePlay,
}

impl SafeMoves {
    /// None if the proof does not hold for the rules.
    pub(crate) fn new(program: &Program, root: &State) -> Option<Self> {
        let laying = Laying::new(program, root)?;
        let Laying { over, returns, can_go_up, order, .. } = &laying;
        let building = Building { over, returns: *returns, can_go_up: *can_go_up };
        Some(Self { safe_play: SafePlay::new(order, building), laying })
    }

    /// Drops all moves but the safe ones from the legal moves of a position.
    fn retain(&self, state: &State, moves: &mut Vec<Move>) {
        moves.retain(|&played| self.plays(state, played));
        if !moves.is_empty() {
            let up = self.up(state);
            moves.retain(|&played| self.is_safe(state, played, up));
        }
    }

    /// The first safe one of the legal moves of a position.
    pub(crate) fn first(&self, state: &State, moves: &[Move]) -> Option<Move> {
        let mut up = None;
        moves.iter().copied().find(|&played| {
            self.plays(state, played)
                && self.is_safe(state, played, *up.get_or_insert_with(|| self.up(state)))
        })
    }

    /// Whether a rule plays up a card safely from the top of a pile, given the cards of which all
    /// copies are up.
    pub(crate) fn has(&self, rule: u8, face: u8, pile: usize, up: u64) -> bool {
        let Laying { plays, sources, .. } = &self.laying;
        plays >> rule & 1 != 0 && sources >> pile & 1 != 0 && self.safe_play.of(1 << face, up) != 0
    }

    /// Whether a move plays a card that lies face up to a foundation, from where safe cards may
    /// come.
    fn plays(&self, state: &State, played: Move) -> bool {
        let Laying { plays, sources, order, .. } = &self.laying;
        let (from, to) = (usize::from(played.from()), usize::from(played.to()));
        played.count() == 1
            && plays >> played.rule() & 1 != 0
            && sources >> from & 1 != 0
            && order.foundations >> to & 1 != 0
            && state.top(from).is_some_and(|byte| !is_face_down(byte))
    }

    /// Whether a move that plays a card to a foundation is safe, given the cards of which all
    /// copies are up.
    fn is_safe(&self, state: &State, played: Move, up: u64) -> bool {
        let is_safe = |byte| self.safe_play.of(1 << card(byte), up) != 0;
        state.top(usize::from(played.from())).is_some_and(is_safe)
    }

    /// The cards of which all copies are up.
    fn up(&self, state: &State) -> u64 {
        let order = &self.laying.order;
        order.all_in(order.foundations, state)
    }
}

/// How the rules of a program lay cards, if they meet the preconditions.
struct Laying {
    order: FoundationOrder,
    /// For each card: the cards that some rule allows on it outside foundations.
    over: [u64; CARDS],
    returns: bool,
    can_go_up: bool,
    /// The rules that bring cards to foundations, as a mask.
    plays: u128,
    /// The piles that safe cards may come from.
    sources: u128,
}

impl Laying {
    fn new(program: &Program, root: &State) -> Option<Self> {
        if root.choosing().is_some() || !program.covered.is_empty() {
            return None;
        }
        let order = FoundationOrder::new(program, root)?;
        let RuleKinds { laying, aside, dealt, filling } = RuleKinds::of(program, root, &order)?;
        let mut found = Self {
            over: [0; CARDS],
            returns: false,
            can_go_up: true,
            plays: 0,
            sources: program.all_piles & !order.foundations & !aside,
            order,
        };
        let moves = || bits(laying).filter_map(|rule| Some((rule, as_move(&program.plans[rule])?)));
        let mut ways_up = 0;
        for (rule, plan) in moves() {
            if plan.action.build_order {
                found.plays |= 1 << rule;
                ways_up |= always_open(plan);
            } else {
                found.read_building(program, plan);
            }
        }
        if found.returns && !found.order.is_suited() {
            return None;
        }
        if let Some(filling) = filling {
            found.check_filling(filling, program, root, aside | dealt, laying)?;
        }
        found.can_go_up = dealt & !ways_up == 0;
        for (_, plan) in moves() {
            let has_built_units = found.has_built_units(program, plan);
            if dealt != 0 && (plan.action.to_holds[0] > 1 || !has_built_units) {
                return None;
            }
            found.can_go_up &= !builds(plan) || plan.from_mask & !ways_up == 0 && has_built_units;
        }
        if let Some(stock) = Stock::<TwoPacks>::new(program, root).filter(Stock::is_reserve) {
            let waste = 1 << stock.waste;
            let is_single =
                |plan: &CompiledMove| plan.from_mask & waste == 0 || plan.action.cards == Unit::Top;
            if aside == waste | 1 << stock.source && moves().all(|(_, plan)| is_single(plan)) {
                found.sources |= waste;
            }
        }
        Some(found)
    }

    /// Adds what a rule allows that lays cards on other piles than foundations.
    fn read_building(&mut self, program: &Program, plan: &CompiledMove) {
        self.returns |= plan.from_mask & self.order.foundations != 0;
        if !builds(plan) {
            return;
        }
        for card in ones(plan.action.which.0 & self.order.pack) {
            let under = match plan.action.build {
                Some(relation) => program.relations[usize::from(relation)].under[card],
                None => u64::MAX,
            };
            for below in ones(under & self.order.pack) {
                self.over[below] |= 1 << card;
            }
        }
    }

    /// Whether the proof allows a rule that fills empty piles, given what other piles lie aside or
    /// are dealt to.
    fn check_filling(
        &self,
        filling: Filling,
        program: &Program,
        root: &State,
        others: u128,
        laying: u128,
    ) -> Option<()> {
        let Filling { from, to } = filling;
        let concerned = to | 1 << from;
        let moves = || bits(laying).filter_map(|rule| as_move(&program.plans[rule]));
        let is_free = moves().all(|plan| {
            plan.to_mask >> from & 1 == 0
                && plan.yields_to.iter().all(|piles| piles & concerned == 0)
        });
        let pack = self.order.pack;
        let is_served = moves()
            .filter(|plan| plan.from_mask >> from & 1 != 0)
            .all(|plan| moves().any(|other| filling.is_served(program, plan, other, pack)));
        (concerned & (self.order.foundations | others) == 0
            && filling.fills_alike(program)
            && filling.is_at_rest(root)
            && is_free
            && is_served)
            .then_some(())
    }

    /// Whether each card of a unit could have been put on the one below it.
    fn has_built_units(&self, program: &Program, plan: &CompiledMove) -> bool {
        match plan.action.cards {
            Unit::Top => true,
            Unit::Run { relation, .. } => {
                is_built(&program.relations[usize::from(relation)], &self.over, self.order.pack)
            }
            Unit::Packet
            | Unit::Count { .. }
            | Unit::All
            | Unit::Longest { .. }
            | Unit::Any { .. }
            | Unit::Bottom => false,
        }
    }
}

/// The kinds of rules of a program.
struct RuleKinds {
    /// The rules that lay cards.
    laying: u128,
    /// The piles that lie aside.
    aside: u128,
    /// The piles that rows are dealt to.
    dealt: u128,
    /// How empty piles are filled at once.
    filling: Option<Filling>,
}

impl RuleKinds {
    /// None if a rule is of no kind described above.
    fn of(program: &Program, root: &State, order: &FoundationOrder) -> Option<Self> {
        let spent = spent_rules(program, root);
        // The masks have a bit for each rule.
        if program.source().rules.len() > 128 {
            return None;
        }
        let (mut open, mut filling) = (0u128, None);
        for (index, rule) in program.source().rules.iter().enumerate() {
            let footprint = &program.footprints[index];
            if rule.during == During::Layout || spent[index] {
                continue;
            }
            let is_bare = rule.when.is_empty() && rule.effects.is_empty();
            if rule.forced && is_bare && footprint.writes() == footprint.turns {
                continue;
            }
            if rule.forced && is_bare && filling.is_none() {
                let plan = as_move(&program.plans[index])?;
                filling = Some(Filling::new(plan, order.pack)?);
                continue;
            }
            if rule.forced || footprint.asks_for_moves {
                return None;
            }
            open |= 1 << index;
        }
        let (mut laying, mut aside, mut dealt) = (0u128, 0u128, 0u128);
        for index in bits(open) {
            let rule = &program.source().rules[index];
            if !rule.effects.iter().any(|effect| is_at_work(root, effect))
                && lays_cards(rule, &program.plans[index], order)
            {
                laying |= 1 << index;
            } else if deals_row(program, index) {
                let footprint = &program.footprints[index];
                dealt |= footprint.deals;
                aside |= footprint.looks_at() & !footprint.deals;
            } else {
                aside |= program.footprints[index].looks_at();
            }
        }
        // What is laid on a pile aside changes it, so such a rule belongs to those that lie aside.
        while let Some(index) = bits(laying).find(|&at| program.footprints[at].puts() & aside != 0)
        {
            laying &= !(1 << index);
            aside |= program.footprints[index].looks_at();
        }
        ((aside | dealt) & order.foundations == 0 && (dealt == 0 || filling.is_none()))
            .then_some(Self { laying, aside, dealt, filling })
    }
}

/// Whether a rule does nothing but deal a row: one card face up to each of certain piles, whatever
/// these hold.
fn deals_row(program: &Program, index: usize) -> bool {
    let CompiledAction::Script(steps) = &program.plans[index].kind else { return false };
    let [Step::Deal { to, each: 1, face: Face::Up, .. }] = &**steps else { return false };
    let footprint = &program.footprints[index];
    footprint.deals.count_ones() as usize == to.len()
        && !footprint.has_choice
        && (footprint.reads | footprint.measures | footprint.takes) & footprint.deals == 0
}

fn as_move(plan: &CompiledRule) -> Option<&CompiledMove> {
    match &plan.kind {
        CompiledAction::Move(plan) => Some(plan),
        _ => None,
    }
}

/// Whether a rule lays units of cards, and would lay them as well if some of their upper cards were
/// up already.
fn lays_cards(rule: &Rule, plan: &CompiledRule, order: &FoundationOrder) -> bool {
    let Some(plan) = as_move(plan) else { return false };
    let (action, foundations, pack) = (&plan.action, order.foundations, order.pack);
    let is_unit = match action.cards {
        Unit::Top | Unit::Packet => true,
        Unit::Run { least, .. } => least <= 1,
        Unit::Count { .. } | Unit::All | Unit::Longest { .. } | Unit::Any { .. } | Unit::Bottom => {
            false
        }
    };
    let yields_to = plan.yields_to.iter().fold(0, |piles, mask| piles | mask);
    if !rule.when.is_empty()
        || !plan.is_plain
        || !is_unit
        || action.from_holds[0] > 1
        || action.first_vacant
        || action.prefer.is_some()
        || action.beaten_by.is_some()
        || action.beside.is_some()
        || action.laid_one_by_one
        || action.face == Face::Down
        || yields_to & foundations != 0
    {
        return false;
    }
    if action.build_order {
        // Every wanted card may go up, to any foundation that wants it.
        return plan.from_mask & foundations == 0
            && bits(plan.from_mask).all(|from| plan.targets[from] == foundations)
            && action.to_holds[0] == 0
            && usize::from(action.to_holds[1]) >= order.wants.len()
            && action.build.is_none()
            && action.cards != Unit::Packet
            && action.which.0 & action.space.0 & pack == pack;
    }
    // What comes back may come from any foundation.
    let mut back = bits(plan.from_mask & foundations).map(|from| plan.targets[from]);
    let first = back.next();
    plan.to_mask & foundations == 0
        && (first.is_none()
            || plan.from_mask & foundations == foundations && back.all(|to| Some(to) == first))
}

/// Whether a rule lays cards on other cards outside foundations.
fn builds(plan: &CompiledMove) -> bool {
    !plan.action.build_order && plan.action.to_holds[1] > 0
}

/// The piles from which a rule can always move the top card.
fn always_open(plan: &CompiledMove) -> u128 {
    let any_size = usize::from(plan.action.from_holds[1]) >= MAX_CARDS;
    let open = bits(plan.from_mask).filter(|&from| any_size && plan.yields_to[from] == 0);
    open.fold(0, |piles, from| piles | 1 << from)
}
