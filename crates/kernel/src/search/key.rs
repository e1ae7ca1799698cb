//! Keys by which a search knows a position again.

use crate::card::{CARDS, card, rank};
use crate::compiled::{Compiled, Kind};
use crate::hash;
use crate::program::{CardMask, Cards, Condition, Effect, Quantity, Step};
use crate::state::State;

/// The key of a position: its hash, or, for a blind search, the hash in which cards of one class
/// count as the same card.
#[inline]
pub(super) fn position_key(program: &Compiled, state: &State, blind: Option<&Blindness>) -> u128 {
    blind.map_or_else(|| state.hash128(), |blindness| blindness.key(program, state))
}

/// Classes of cards that the rules of building cannot tell apart.
///
/// Two cards of a rank are of one class if every relation that a move asks for and every set of cards
/// in the rules treats them alike; only the suit rule of foundations may tell them apart. In a game
/// that builds regardless of suit a class is a rank, in alternate colours a rank and colour. A search
/// that takes positions for equal which differ only within classes meets far fewer of them. It may
/// overlook a win, so its exhaustion proves nothing.
#[derive(Clone)]
pub(super) struct Blindness {
    /// For each card the first card of its class.
    leader: [u8; CARDS],
}

impl Blindness {
    /// Finds the classes of a program, without a look at the suit rules of its ladders.
    pub(super) fn new(program: &Compiled) -> Self {
        let (relations, masks) = tables(program);
        Self::with(program, &relations, &masks)
    }

    /// Finds the classes of cards that no rule at all can tell apart. To take such cards for the same
    /// is exact.
    pub(super) fn of_all(program: &Compiled) -> Self {
        let (mut relations, masks) = tables(program);
        let ladders = program.program().ladders.iter();
        relations.extend(ladders.filter_map(|ladder| ladder.relation).map(usize::from));
        Self::with(program, &relations, &masks)
    }

    fn with(program: &Compiled, relations: &[usize], masks: &[u64]) -> Self {
        let alike = |a: usize, b: usize| {
            rank(a as u8) == rank(b as u8)
                && masks.iter().all(|mask| mask >> a & 1 == mask >> b & 1)
                && relations.iter().all(|&index| {
                    let relation = &program.relations[index];
                    relation.over[a] == relation.over[b] && relation.under[a] == relation.under[b]
                })
        };
        let mut leader = [0; CARDS];
        for (index, slot) in leader.iter_mut().enumerate() {
            *slot = (0..=index).find(|&earlier| alike(earlier, index)).unwrap_or(index) as u8;
        }
        Self { leader }
    }

    /// Whether any two cards are of one class.
    pub(super) fn helps(&self) -> bool {
        self.leader.iter().enumerate().any(|(index, &leader)| usize::from(leader) != index)
    }

    fn key(&self, program: &Compiled, state: &State) -> u128 {
        let mut key = 0u128;
        for (pile, place) in program.places.iter().enumerate() {
            let hash = state.pile(pile).iter().enumerate().fold(0, |hash, (depth, &byte)| {
                let known = self.leader[usize::from(card(byte))] | byte & crate::card::FACE_DOWN;
                hash ^ program.keys.card(known, depth)
            });
            key = key.wrapping_add(program.keys.pile(hash, place.class, state.is_closed(pile)));
        }
        for (index, &value) in state.counters().iter().enumerate() {
            key = key.wrapping_add(hash::counter(index, value));
        }
        key ^ u128::from(state.choice().code())
    }
}

/// The relations asked for between cards, and the sets of cards, of all rules and ladders. The suit
/// rules of ladders are left out.
fn tables(program: &Compiled) -> (Vec<usize>, Vec<u64>) {
    let mut relations = Vec::new();
    let mut masks = Vec::new();
    let game = program.program();
    for ladder in &game.ladders {
        masks.extend(ladder.wants.iter().map(|wants| wants.0));
    }
    let mut conditions: Vec<&Condition> = game.aim.iter().collect();
    for (rule, plan) in game.rules.iter().zip(&program.plans) {
        conditions.extend(&rule.when);
        for effect in &rule.then {
            if let Effect::AddCards { cards, .. } = effect {
                masks.push(cards.0);
            }
        }
        match &plan.kind {
            Kind::Move(plan) => {
                relations.extend(plan.action.onto);
                if let Cards::Run { relation, .. } = plan.action.cards {
                    relations.push(relation);
                }
                masks.extend([plan.action.lead.0, plan.action.vacant.0]);
            }
            Kind::Script(steps) => steps.iter().for_each(|step| step_masks(step, &mut masks)),
            Kind::Joint(_) | Kind::Swap(_) | Kind::TurnUp(_) => {}
        }
    }
    for condition in conditions {
        if let Condition::Holds { cards, .. } | Condition::Top { cards, .. } = condition {
            masks.push(cards.0);
        }
    }
    (relations.into_iter().map(usize::from).collect(), masks)
}

fn step_masks(step: &Step, masks: &mut Vec<u64>) {
    match step {
        Step::Route { ways, .. } => masks.extend(ways.iter().map(|way| way.cards.0)),
        Step::Take {
            number:
                Quantity::Held { cards: CardMask(cards), .. }
                | Quantity::Until { cards: CardMask(cards), .. },
            ..
        } => masks.push(*cards),
        _ => {}
    }
}
