//! The safe moves of a position: single cards to foundations that are never a mistake.
//!
//! The proof is that of `spaces/safe_play.rs`. The card-links space meets its preconditions. This
//! file checks them for any program, by the footprints of its rules:
//!
//! - It has one pack, and the aim is that everything goes up (`spaces/foundation_order.rs`).
//! - Most rules *lay* cards: they move units from piles to piles, ask for nothing but these piles
//!   and for the emptiness of others, and are the player's choice.
//! - Other forced rules only turn cards up.
//! - All other rules, such as those that turn a stock, look only at piles that lie *aside*. No rule
//!   lays cards on these. So they contain the same cards in both lines of the proof, as long as no
//!   safe card comes from there.
//!
//! The proof holds for any sizes that a rule wants its target to have, since a target has the same
//! cards in both lines, and for any upper bound on the size of a source, since it has no more. If
//! every card of a stock can always be reached (`card_links/stock.rs`), safe cards may come from
//! the waste, too.

use crate::bits::{bits, ones};
use crate::card::{CARDS, card, is_face_down};
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::actions::CompiledAction;
use crate::program::actions::transfer::CompiledMove;
use crate::program::compiled::{CompiledRule, Program};
use crate::program::format::{During, Face, Rule, Unit};
use crate::search::spaces::card_links::stock::Stock;
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
        let Some(laying) = Laying::new(program, self) else { return Vec::new() };
        let order = &laying.order;
        let up = bits(order.foundations)
            .flat_map(|pile| self.pile(pile))
            .fold(0, |up, &byte| up | 1u64 << card(byte));
        let (safe, wanted) = (laying.safe_play(), order.wanted(up));
        let is_safe = |each: &Move| {
            let (from, to) = (usize::from(each.from()), usize::from(each.to()));
            each.count() == 1
                && laying.plays >> each.rule() & 1 != 0
                && laying.sources >> from & 1 != 0
                && order.foundations >> to & 1 != 0
                && self.pile(from).last().is_some_and(|&byte| {
                    !is_face_down(byte) && safe.of(1 << card(byte), up, wanted) != 0
                })
        };
        self.moves(program).into_iter().filter(is_safe).collect()
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
        let (laying, aside) = kinds_of_rules(program, root, &order)?;
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
        for (_, plan) in moves().filter(|(_, plan)| builds(plan)) {
            found.can_go_up &=
                plan.from_mask & !ways_up == 0 && found.has_built_units(program, plan);
        }
        if let Some(stock) = Stock::new(program, root).filter(Stock::is_reserve) {
            let waste = 1 << stock.waste;
            let is_single =
                |plan: &CompiledMove| plan.from_mask & waste == 0 || plan.action.cards == Unit::Top;
            if aside == waste | 1 << stock.source && moves().all(|(_, plan)| is_single(plan)) {
                found.sources |= waste;
            }
        }
        Some(found)
    }

    fn safe_play(&self) -> SafePlay {
        let Self { over, returns, can_go_up, .. } = self;
        SafePlay::new(&self.order, Building { over, returns: *returns, can_go_up: *can_go_up })
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

/// The rules that lay cards, and the piles that lie aside; none if a rule is of no kind described
/// above.
fn kinds_of_rules(
    program: &Program,
    root: &State,
    order: &FoundationOrder,
) -> Option<(u128, u128)> {
    let spent = spent_rules(program, root);
    // The masks have a bit for each rule.
    if program.source().rules.len() > 128 {
        return None;
    }
    let mut open = 0u128;
    for (index, rule) in program.source().rules.iter().enumerate() {
        let footprint = &program.footprints[index];
        if rule.during == During::Layout || spent[index] {
            continue;
        }
        let is_turn_up = footprint.writes() == footprint.turns
            && rule.when.is_empty()
            && rule.effects.is_empty();
        if rule.forced && is_turn_up {
            continue;
        }
        if rule.forced || footprint.asks_for_moves {
            return None;
        }
        open |= 1 << index;
    }
    let (mut laying, mut aside) = (0u128, 0u128);
    for index in bits(open) {
        let rule = &program.source().rules[index];
        if !rule.effects.iter().any(|effect| is_at_work(root, effect))
            && lays_cards(rule, &program.plans[index], order)
        {
            laying |= 1 << index;
        } else {
            aside |= program.footprints[index].looks_at();
        }
    }
    // What is laid on a pile aside changes it, so such a rule belongs to those that lie aside.
    while let Some(index) = bits(laying).find(|&at| program.footprints[at].puts() & aside != 0) {
        laying &= !(1 << index);
        aside |= program.footprints[index].looks_at();
    }
    (aside & order.foundations == 0).then_some((laying, aside))
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
    let any_size = usize::from(plan.action.from_holds[1]) >= CARDS;
    let open = bits(plan.from_mask).filter(|&from| any_size && plan.yields_to[from] == 0);
    open.fold(0, |piles, from| piles | 1 << from)
}
