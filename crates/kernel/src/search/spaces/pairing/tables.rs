//! What does not change in a search of the pairing space.

use crate::bits::bits;
use crate::card::{CARDS, card, is_face_down};
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::{
    Action, Condition, During, Face, MoveAction, PairAction, Pile, Rule, Unit,
};
use crate::random::{SplitMix64, random_key};
use crate::search::spaces::pairing::ring::{Redeals, Ring};

/// The most cards that a position may have: sets of them are masks.
const MOST_CARDS: usize = 128;

/// What does not change in a search. The cards on the table have numbers: first those of the fixed
/// piles, pile by pile, each from the bottom; then those of stock and waste, in the order in which
/// they are dealt.
#[derive(Debug)]
pub(crate) struct PairingTables {
    /// The cards by number.
    pub(crate) cards: Vec<u8>,
    pub(crate) piles: Vec<FixedPile>,
    pub(crate) ring: Option<Ring>,
    /// The cards of stock and waste.
    pub(crate) ring_cards: u128,
    /// How many of them are dealt at the root, and how many redeals are left (`u16::MAX` if there
    /// is no limit).
    pub(crate) dealt: usize,
    pub(crate) redeals: u16,
    /// For each card: those that leave together with it if both can.
    pub(crate) partners: Vec<u128>,
    /// The cards that can leave alone.
    pub(crate) alone: u128,
    /// For each card: those that must have left before it is open.
    pub(crate) before: Vec<u128>,
    /// The cards that the aim wants away.
    pub(crate) needed: u128,
    /// The class of each card, by number.
    pub(crate) class_of: Vec<u8>,
    /// What the key gets when a card leaves a fixed pile, by number.
    pub(crate) key_changes: Vec<u128>,
    /// The pile that takes all cards.
    pub(crate) sink: usize,
}

/// A pile that cards only leave.
#[derive(Debug)]
pub(crate) struct FixedPile {
    pub(crate) pile: usize,
    pub(crate) cards: u128,
    /// It is open only while all cards of one of these sets have left, if there are any.
    pub(crate) open_when: Vec<u128>,
}

/// A rule by which cards leave: the piles that it takes from, for each card those that leave with
/// it as a pair, and those that leave alone.
struct Leaving {
    is_pair: bool,
    from: u128,
    partners: [u64; CARDS],
    alone: u64,
}

impl PairingTables {
    /// The tables of a game, for positions after a root; none if it is not of this kind.
    pub(crate) fn new(program: &Program, root: &State) -> Option<Self> {
        let game = program.source();
        if root.choosing().is_some() || root.closed() != 0 || game.score.is_some() {
            return None;
        }
        let cards = game.deck.len() + game.preset.len();
        let (mut leaving, mut others) = (Vec::<Leaving>::new(), Vec::<&Rule>::new());
        let (mut turned, mut sinks, mut deep) = (0u128, 0u128, 0u128);
        for rule in game.rules.iter().filter(|rule| rule.during != During::Layout) {
            let is_plain = rule.when.is_empty() && rule.effects.is_empty();
            match &rule.action {
                Action::Pair(action) if is_plain && !rule.forced => {
                    leaving.push(pairs(program, action)?);
                    sinks |= 1 << action.to;
                    deep |= action.deep.0;
                }
                Action::Move(action) if is_plain && !rule.forced => {
                    let (rule, sink) = single(action, cards)?;
                    leaving.push(rule);
                    sinks |= 1 << sink;
                }
                Action::TurnUp { turn_up } if is_plain && rule.forced => turned |= turn_up.0,
                _ => others.push(rule),
            }
        }
        let from = leaving.iter().fold(0, |piles, rule| piles | rule.from);
        let number_of_pairs = leaving.iter().filter(|rule| rule.is_pair).count();
        if number_of_pairs == 0 || !sinks.is_power_of_two() || from & sinks != 0 {
            return None;
        }
        let sink = sinks.trailing_zeros() as usize;
        let mut ring =
            if others.is_empty() { None } else { Some(Ring::new(&others, cards, program.pack)?) };
        let ring_piles = ring.as_ref().map_or(0, Ring::piles);
        let fixed = from & !ring_piles;
        if let Some(ring) = &mut ring {
            // Rules take from all its open piles alike.
            let open = ring_piles & !(1 << ring.stock);
            let is_alike =
                |rule: &Leaving| rule.from & ring_piles == open || rule.from & ring_piles == 0;
            let is_waste = deep == 1 << ring.waste && number_of_pairs == 1;
            if !leaving.iter().all(is_alike) || deep != 0 && !is_waste || ring_piles & sinks != 0 {
                return None;
            }
            ring.deep = deep != 0;
        } else if deep != 0 {
            return None;
        }
        let is_plain = |pile: usize| {
            // All fields are named, so that a new one is not overlooked.
            let Pile { name: _, class: _, capacity: _, build_order, open_when } = &game.piles[pile];
            build_order.is_none() && (fixed >> pile & 1 != 0 || open_when.is_empty())
        };
        let is_up = |pile: usize| root.pile(pile).iter().all(|&byte| !is_face_down(byte));
        let is_large = |pile: usize| usize::from(game.piles[pile].capacity) >= cards;
        let counts_all = |ring: &Ring| match ring.redeals {
            Some(Redeals::Below { counter, number }) => {
                game.counters[usize::from(counter)].cap >= number
            }
            _ => true,
        };
        let is_tidy = is_large(sink)
            && ring.as_ref().is_none_or(|ring| {
                [ring.stock, ring.waste].map(usize::from).into_iter().all(is_large)
                    && counts_all(ring)
            })
            && bits(from | sinks | ring_piles).all(is_plain)
            && turned & !fixed == 0
            && bits(fixed & !turned).all(is_up)
            && ring.as_ref().is_none_or(|ring| bits(ring_piles & !(1 << ring.stock)).all(is_up));
        is_tidy.then(|| Self::of(program, root, &leaving, ring, (fixed, sink)))?
    }

    fn of(
        program: &Program,
        root: &State,
        leaving: &[Leaving],
        ring: Option<Ring>,
        (fixed, sink): (u128, usize),
    ) -> Option<Self> {
        let mut tables = Self {
            cards: Vec::new(),
            piles: Vec::new(),
            ring,
            ring_cards: 0,
            dealt: 0,
            redeals: 0,
            partners: Vec::new(),
            alone: 0,
            before: Vec::new(),
            needed: 0,
            class_of: Vec::new(),
            key_changes: Vec::new(),
            sink,
        };
        // For each card the pile whose rules take it.
        let mut places = Vec::new();
        let put = |tables: &mut Self, cards: &[u8], pile: usize, places: &mut Vec<usize>| {
            let first = tables.cards.len();
            tables.cards.extend(cards.iter().map(|&byte| card(byte)));
            places.resize(tables.cards.len(), pile);
            (first..tables.cards.len().min(MOST_CARDS)).fold(0u128, |set, card| set | 1 << card)
        };
        for pile in bits(fixed) {
            let cards = put(&mut tables, root.pile(pile), pile, &mut places);
            tables.piles.push(FixedPile { pile, cards, open_when: Vec::new() });
        }
        if let Some(ring) = ring {
            let top_first = |pile: u8| root.pile(usize::from(pile)).iter().rev().copied();
            let waste = usize::from(ring.waste);
            let mut cards: Vec<u8> = ring.tail.into_iter().flat_map(top_first).collect();
            if cards.len() > 1 {
                return None;
            }
            cards.extend(root.pile(waste));
            tables.dealt = tables.cards.len() + cards.len();
            cards.extend(ring.tray.into_iter().chain([ring.stock]).flat_map(top_first));
            tables.ring_cards = put(&mut tables, &cards, waste, &mut places);
            tables.redeals = match ring.redeals {
                None => 0,
                Some(Redeals::Unlimited) => u16::MAX,
                Some(Redeals::Below { counter, number }) => {
                    number.saturating_sub(root.counters()[usize::from(counter)])
                }
            };
        }
        if tables.cards.len() > MOST_CARDS {
            return None;
        }
        tables.find_cover(program, root, fixed)?;
        tables.find_partners(leaving, &places);
        tables.find_aim(program)?;
        tables.find_before();
        tables.find_classes(leaving);
        tables.find_keys(leaving);
        Some(tables)
    }

    /// Finds when each fixed pile is open; none if that depends on other piles.
    fn find_cover(&mut self, program: &Program, root: &State, fixed: u128) -> Option<()> {
        let written = program.footprints.iter().fold(0, |piles, rule| piles | rule.writes());
        for index in 0..self.piles.len() {
            let mut found = Vec::new();
            let sets = &program.source().piles[self.piles[index].pile].open_when;
            for set in sets {
                let others = set.0 & !fixed;
                // Whether they are vacant must not change.
                if others & written != 0 {
                    return None;
                }
                if bits(others).all(|other| root.is_vacant(other)) {
                    let piles = self.piles.iter().filter(|pile| set.0 >> pile.pile & 1 != 0);
                    found.push(piles.fold(0, |cards, pile| cards | pile.cards));
                }
            }
            if !sets.is_empty() && found.is_empty() {
                return None;
            }
            self.piles[index].open_when = found;
        }
        Some(())
    }

    fn find_partners(&mut self, leaving: &[Leaving], places: &[usize]) {
        self.partners = vec![0; self.cards.len()];
        for rule in leaving {
            let takes = |here: usize| rule.from >> places[here] & 1 != 0;
            for (one, &card) in self.cards.iter().enumerate().filter(|&(one, _)| takes(one)) {
                self.alone |= u128::from(rule.alone >> card & 1) << one;
                for (other, &with) in self.cards.iter().enumerate() {
                    if other != one
                        && takes(other)
                        && rule.partners[usize::from(card)] >> with & 1 != 0
                    {
                        self.partners[one] |= 1 << other;
                    }
                }
            }
        }
    }

    /// Finds the cards that must leave; none if the aim asks for something else.
    fn find_aim(&mut self, program: &Program) -> Option<()> {
        let mut wanted = 0u128;
        for condition in &program.source().aim {
            match condition {
                Condition::Vacant { piles, number }
                    if piles.0.count_ones() == u32::from(*number) =>
                {
                    wanted |= piles.0;
                }
                _ => return None,
            }
        }
        for pile in &self.piles {
            if wanted >> pile.pile & 1 != 0 {
                self.needed |= pile.cards;
                wanted &= !(1 << pile.pile);
            }
        }
        let ring = self.ring.as_ref().map_or(0, Ring::piles);
        if wanted != 0 && wanted != ring {
            return None;
        }
        self.needed |= if wanted == 0 { 0 } else { self.ring_cards };
        Some(())
    }

    /// Finds the cards that must have left before others are open.
    fn find_before(&mut self) {
        self.before = vec![0; self.cards.len()];
        for pile in &self.piles {
            let cover = pile.open_when.iter().copied().reduce(|all, set| all & set).unwrap_or(0);
            for here in bits(pile.cards) {
                self.before[here] = cover | pile.cards & !(u128::MAX >> (127 - here));
            }
        }
        loop {
            let mut changed = false;
            for here in 0..self.before.len() {
                let all = bits(self.before[here])
                    .fold(self.before[here], |all, above| all | self.before[above]);
                changed |= all != self.before[here];
                self.before[here] = all;
            }
            if !changed {
                break;
            }
        }
        // Cards of which one must leave before the other do not leave together.
        for one in 0..self.before.len() {
            for other in bits(self.before[one]) {
                self.partners[one] &= !(1 << other);
                self.partners[other] &= !(1 << one);
            }
        }
    }

    /// Finds the classes of cards: those of one class leave with the same cards, by each rule.
    fn find_classes(&mut self, leaving: &[Leaving]) {
        let view = |card: usize| -> Vec<(u64, bool)> {
            leaving.iter().map(|rule| (rule.partners[card], rule.alone >> card & 1 != 0)).collect()
        };
        let views: Vec<_> = (0..CARDS).map(view).collect();
        let class = |&card: &u8| {
            let seen = &views[usize::from(card)];
            views.iter().position(|other| other == seen).unwrap_or_default() as u8
        };
        self.class_of = self.cards.iter().map(class).collect();
    }

    /// Finds the keys of the ways to fill fixed piles. Piles that differ in nothing share them.
    fn find_keys(&mut self, leaving: &[Leaving]) {
        self.key_changes = vec![0; self.cards.len()];
        let covering: u128 = self
            .piles
            .iter()
            .flat_map(|pile| pile.open_when.iter().copied())
            .fold(0, |all, set| all | set);
        let kind = |pile: &FixedPile| -> Option<Vec<bool>> {
            let covers = pile.open_when.is_empty() && pile.cards & covering == 0;
            covers.then(|| {
                let is_needed = pile.cards & self.needed != 0;
                leaving
                    .iter()
                    .map(|rule| rule.from >> pile.pile & 1 != 0)
                    .chain([is_needed])
                    .collect()
            })
        };
        let kinds: Vec<_> = self.piles.iter().map(kind).collect();
        for (index, pile) in self.piles.iter().enumerate() {
            let first = match &kinds[index] {
                Some(_) => kinds.iter().position(|other| *other == kinds[index]).unwrap_or(index),
                None => index,
            };
            let (mut seed, mut before) = ((first as u64 + 1) << 8, 0u128);
            for here in bits(pile.cards) {
                seed = SplitMix64::new(seed ^ u64::from(self.class_of[here])).next();
                let key = random_key(seed);
                self.key_changes[here] = before.wrapping_sub(key);
                before = key;
            }
        }
    }

    /// The pile of a card that lies on a fixed pile.
    pub(crate) fn fixed_pile(&self, here: usize) -> Option<usize> {
        self.piles.iter().find(|pile| pile.cards >> here & 1 != 0).map(|pile| pile.pile)
    }
}

/// A rule by which pairs leave; none if it asks for more than two cards of certain classes.
fn pairs(program: &Program, action: &PairAction) -> Option<Leaving> {
    // All fields are named, so that a new one is not overlooked.
    let PairAction { from: piles, partners, yields_to, pair: Some(pair), to: _, sets, deep: _ } =
        action
    else {
        return None;
    };
    let from = piles.iter().fold(0u128, |set, &pile| set | 1 << pile);
    let is_any = |(&pile, partners): (&u8, &crate::program::format::PileMask)| {
        partners.0 & from == from & !(1 << pile)
    };
    if !sets.is_empty()
        || yields_to.iter().any(|piles| piles.0 != 0)
        || !piles.iter().zip(partners).all(is_any)
    {
        return None;
    }
    let over = &program.relations[usize::from(*pair)].over;
    let mut with = [0; CARDS];
    for under in 0..CARDS {
        for card in bits(over[under].into()) {
            with[under] |= 1 << card;
            with[card] |= 1 << under;
        }
    }
    Some(Leaving { is_pair: true, from, partners: with, alone: 0 })
}

/// A rule by which single cards leave, and where they go; none if it asks for more than certain
/// cards.
fn single(action: &MoveAction, cards_in_game: usize) -> Option<(Leaving, usize)> {
    // All fields are named, so that a new one is not overlooked.
    let MoveAction {
        from,
        yields_to,
        to,
        along,
        from_holds,
        to_holds: [0, most],
        cards: Unit::Top,
        which,
        build: None,
        space,
        build_order: false,
        first_vacant: _,
        prefer: None,
        beaten_by: None,
        laid_one_by_one: _,
        face: Face::Keep | Face::Up,
        choose: _,
        asks,
        beside: None,
        by_top: _,
    } = action
    else {
        return None;
    };
    let &[to] = &to[..] else { return None };
    let is_simple = asks.is_empty()
        && yields_to.iter().all(|piles| piles.0 == 0)
        && along.iter().all(|piles| piles.0 >> to & 1 != 0)
        && from_holds[0] <= 1
        && usize::from(from_holds[1]) >= cards_in_game
        && usize::from(*most) >= cards_in_game
        && which.0 & !space.0 == 0;
    let from = from.iter().fold(0, |piles, &pile| piles | 1 << pile);
    is_simple.then_some((
        Leaving { is_pair: false, from, partners: [0; CARDS], alone: which.0 },
        usize::from(to),
    ))
}
