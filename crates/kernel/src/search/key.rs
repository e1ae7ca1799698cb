//! Keys by which a search knows a position again.

use super::options::{Pruning, Prunings};
use crate::card::{CARDS, rank};
use crate::compiled::{Compiled, Kind};
use crate::condition::bits;
use crate::program::{CardMask, Cards, Condition, Effect, Quantity, Step};
use crate::state::State;

/// How positions are told apart.
///
/// *Classes of cards.* Two cards of a rank are of one class if every relation that the rules ask for and
/// every set of cards in them treats them alike. To take such cards for the same card is exact: a
/// permutation of them changes nothing that any rule looks at, so it maps the games that can be played
/// from a position onto those from its image. Rules that compare cards by themselves switch it off: a
/// preferred equal card, one suit a foundation, different cards that change places. A *blind* key
/// leaves the suit rules of foundations out: in a game that builds regardless of suit its class is a
/// rank, in alternate colours a rank and colour. A search that takes positions for equal which differ
/// only within such classes meets far fewer of them, but may overlook a win, so its exhaustion proves
/// nothing.
///
/// *Sinks.* Of a pile that nothing ever leaves and of which no rule looks at anything but the top card,
/// only the top card counts: what lies below can never matter again.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Key {
    /// For each card the first card of its class; none where each is a class of its own.
    leader: Option<[u8; CARDS]>,
    /// The sinks.
    sinks: u128,
}

impl Key {
    /// Tells apart whatever the rules can tell apart.
    pub(super) fn exact(program: &Compiled, without: Prunings) -> Self {
        let (mut relations, masks) = tables(program);
        let ladders = &program.program().ladders;
        relations.extend(ladders.iter().filter_map(|ladder| ladder.relation).map(usize::from));
        let compares_cards = ladders.iter().any(|ladder| ladder.apart)
            || program.plans.iter().any(|plan| match &plan.kind {
                Kind::Move(plan) => plan.action.prefer.is_some(),
                // Only different cards change places.
                Kind::Swap(_) => true,
                Kind::Joint(_) | Kind::TurnUp(_) | Kind::Script(_) => false,
            });
        let is_off = compares_cards || without.has(Pruning::CardClasses);
        let leader = if is_off { None } else { leaders(program, &relations, &masks) };
        Self { leader, sinks: sinks(program, without) }
    }

    /// Leaves the suit rules of ladders out. Not exact.
    pub(super) fn blind(program: &Compiled, without: Prunings) -> Self {
        let (relations, masks) = tables(program);
        Self { leader: leaders(program, &relations, &masks), sinks: sinks(program, without) }
    }

    /// Whether any two cards count as the same.
    pub(super) const fn merges_cards(&self) -> bool {
        self.leader.is_some()
    }

    /// The program with hashes in which cards of a class are the same; none where each is a class of
    /// its own.
    pub(super) fn merged(&self, program: &Compiled) -> Option<Compiled> {
        self.leader.and_then(|leader| program.merged(&leader).ok())
    }

    /// The key of a position that was hashed by the keys of [`Self::merged`].
    #[inline]
    pub(super) fn of(&self, program: &Compiled, state: &State) -> u128 {
        if self.sinks == 0 {
            return state.hash128();
        }
        bits(self.sinks & !state.vacant()).fold(state.hash128(), |key, pile| {
            let top = state.top(pile).map_or(0, |top| program.keys.card(top, 0));
            key.wrapping_sub(state.share(pile)).wrapping_add(share(program, state, pile, top))
        })
    }
}

/// What a pile with a certain hash adds to a key.
fn share(program: &Compiled, state: &State, pile: usize, hash: u128) -> u128 {
    program.keys.pile(hash, program.places[pile].class, state.is_closed(pile))
}

/// For each card the first of its class; none where each is a class of its own.
fn leaders(program: &Compiled, relations: &[usize], masks: &[u64]) -> Option<[u8; CARDS]> {
    let alike = |a: usize, b: usize| {
        rank(a as u8) == rank(b as u8)
            && masks.iter().all(|mask| mask >> a & 1 == mask >> b & 1)
            && relations.iter().all(|&index| {
                let relation = &program.relations[index];
                relation.over[a] == relation.over[b] && relation.under[a] == relation.under[b]
            })
    };
    let mut leader = [0; CARDS];
    let mut merged = false;
    for (index, slot) in leader.iter_mut().enumerate() {
        let first = (0..=index).find(|&earlier| alike(earlier, index)).unwrap_or(index);
        merged |= first != index;
        *slot = first as u8;
    }
    merged.then_some(leader)
}

/// The piles that nothing ever leaves and of which no rule looks below the top card or at the size.
fn sinks(program: &Compiled, without: Prunings) -> u128 {
    if without.has(Pruning::Sinks) {
        return 0;
    }
    let game = program.program();
    let mask = |piles: &[u8]| piles.iter().fold(0, |mask, &pile| mask | 1 << pile);
    let mut used = 1 << game.source;
    for (pile, place) in program.places.iter().enumerate() {
        used |= u128::from(place.ladder.is_some()) << pile;
    }
    let conditions = game.rules.iter().flat_map(|rule| &rule.when).chain(&game.aim);
    for condition in conditions {
        if let Condition::Holds { piles, .. } = condition {
            used |= piles.0;
        }
    }
    for plan in &program.plans {
        match &plan.kind {
            Kind::Move(plan) => {
                used |= plan.from_mask;
                let capacity =
                    bits(plan.to_mask).map(|pile| program.places[pile].capacity).max().unwrap_or(0);
                // A target may be asked to be empty or not, but not to hold so many.
                let looks_at_size = plan.action.to_size[0] > 1
                    || plan.action.to_size[1] > 0 && plan.action.to_size[1] < capacity;
                used |= if looks_at_size { plan.to_mask } else { 0 };
            }
            Kind::Joint(action) => {
                used |= action.parts.iter().fold(0, |piles, part| piles | mask(&part.from));
            }
            Kind::Swap(piles) | Kind::TurnUp(piles) => used |= piles,
            Kind::Script(steps) => used |= steps.iter().fold(0, |used, step| used | reads(step)),
        }
    }
    program.all_piles & !used
}

/// The piles that a step takes cards from or counts cards in.
pub(super) fn reads(step: &Step) -> u128 {
    match step {
        Step::Take { from, number: Quantity::Held { pile, .. }, .. } => 1 << from | 1 << pile,
        Step::Deal { from, .. } | Step::Route { from, .. } | Step::Take { from, .. } => 1 << from,
        Step::Gather { piles, .. } => piles.iter().fold(0, |mask, &pile| mask | 1 << pile),
        Step::Close { pairs } => pairs.iter().fold(0, |mask, pair| mask | 1 << pair[1]),
        Step::Base { .. } | Step::Settle => 0,
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
