//! What does not change in a search: the sources, the stock, and what their cards lie on.

use crate::bits::bits;
use crate::card::{CARDS, card, is_face_down};
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::{Action, Condition, During, Face, MoveAction, Pile, Unit};
use crate::random::{SplitMix64, random_key};
use crate::search::spaces::counting::dead_ends::DeadEnds;
use crate::search::spaces::plain_deal::plain_deal;

/// The index for a sink without cards.
pub(super) const NO_CARD: usize = CARDS;

/// What does not change in a search.
#[derive(Debug)]
pub(crate) struct CountingTables {
    pub(super) sources: Vec<Source>,
    pub(super) stock: Option<Stock>,
    pub(super) sink: usize,
    /// The sources, as a mask of indices, that the aim wants vacant, and whether it wants that of
    /// the stock.
    pub(super) needed: u64,
    pub(super) needs_stock: bool,
    /// The class of each card. Cards of a class take the same cards, and lie on the same cards.
    pub(super) class_of: [u8; CARDS],
    pub(super) dead_ends: DeadEnds,
}

/// A pile that cards only leave.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) pile: usize,
    /// Its cards at the root, from the bottom.
    pub(super) cards: Vec<u8>,
    /// For each top card of the sink: the cards that may go there.
    pub(super) takes: [u64; CARDS + 1],
    /// It is open only while all sources of one of these sets are vacant, if there are any.
    pub(super) open_when: Option<Vec<u64>>,
    /// For each number of cards held: a random number for what they are.
    pub(super) keys: Vec<u128>,
    /// For each number of cards held: other sources, each with a mask of the numbers of cards it
    /// may hold so that its cards begin, from the top, with all the cards of this one.
    pub(super) extended: Vec<Vec<(u8, u64)>>,
}

#[derive(Debug)]
pub(super) struct Stock {
    pub(super) pile: usize,
    /// Its cards at the root; the last one is dealt first.
    pub(super) cards: Vec<u8>,
    /// How many are dealt at a time.
    pub(super) each: usize,
    /// For each number of cards held: their classes.
    pub(super) classes: Vec<u64>,
}

impl CountingTables {
    /// The tables of a game, for positions after a root; none if it is not of this kind.
    pub(crate) fn new(program: &Program, root: &State) -> Option<Self> {
        let game = program.source();
        if root.choosing().is_some() || root.closed() != 0 || game.score.is_some() {
            return None;
        }
        let rules = || game.rules.iter().filter(|rule| rule.during != During::Layout);
        let (mut from, mut to, mut turned) = (0u128, 0u128, 0u128);
        let mut stock = None;
        for rule in rules() {
            if !rule.effects.is_empty() {
                return None;
            }
            match &rule.action {
                Action::Move(action) if !rule.forced && rule.when.is_empty() => {
                    from |= action.from.iter().fold(0, |piles, &pile| piles | 1 << pile);
                    to |= action.to.iter().fold(0, |piles, &pile| piles | 1 << pile);
                }
                Action::TurnUp { turn_up } if rule.forced && rule.when.is_empty() => {
                    turned |= turn_up.0;
                }
                Action::Script { .. } if stock.is_none() => {
                    let deal = plain_deal(rule)?;
                    let asks_for_stock = |condition: &Condition| matches!(condition, Condition::Filled { piles, number: 1 } if piles.0 == 1 << deal.0);
                    if !rule.when.iter().all(asks_for_stock) {
                        return None;
                    }
                    stock = Some(deal);
                }
                _ => return None,
            }
        }
        if !to.is_power_of_two() || from & to != 0 {
            return None;
        }
        let sink = to.trailing_zeros() as usize;
        let sources: Vec<usize> = bits(from).collect();
        if let Some((pile, target, _)) = stock
            && (usize::from(target) != sink || (from | to | turned) >> pile & 1 != 0)
        {
            return None;
        }
        let cards = game.deck.len() + game.preset.len();
        // All fields are named, so that a new one is not overlooked.
        let is_plain = |pile: usize| {
            let Pile { name: _, class: _, capacity: _, build_order, open_when: _ } =
                &game.piles[pile];
            build_order.is_none()
        };
        let tidy = usize::from(game.piles[sink].capacity) >= cards
            && game.piles[sink].open_when.is_empty()
            && sources.iter().chain([&sink]).all(|&pile| is_plain(pile))
            && turned & !from == 0
            && root.pile(sink).last().is_none_or(|&top| !is_face_down(top))
            && sources.iter().all(|&pile| {
                turned >> pile & 1 != 0 || root.pile(pile).iter().all(|&byte| !is_face_down(byte))
            });
        if !tidy || sources.len() > 64 {
            return None;
        }
        let mut tables = Self {
            sources: Vec::new(),
            stock: None,
            sink,
            needed: 0,
            needs_stock: false,
            class_of: [0; CARDS],
            dead_ends: DeadEnds::default(),
        };
        for &pile in &sources {
            let cards: Vec<u8> = root.pile(pile).iter().map(|&byte| card(byte)).collect();
            let open_when = open_when(program, root, pile, &sources, from)?;
            let takes = takes(program, pile, sink)?;
            tables.sources.push(Source {
                pile,
                cards,
                takes,
                open_when,
                keys: Vec::new(),
                extended: Vec::new(),
            });
        }
        if let Some((pile, _, each)) = stock {
            let pile = usize::from(pile);
            let cards: Vec<u8> = root.pile(pile).iter().map(|&byte| card(byte)).collect();
            tables.stock =
                Some(Stock { pile, cards, each: usize::from(each), classes: Vec::new() });
        }
        tables.read_aim(&game.aim)?;
        tables.find_classes(root);
        tables.find_keys();
        tables.find_extended();
        Some(tables)
    }

    /// Reads which sources must be vacant, and whether the stock must; none if more is asked.
    fn read_aim(&mut self, aim: &[Condition]) -> Option<()> {
        for condition in aim {
            let Condition::Vacant { piles, number } = condition else { return None };
            if piles.0.count_ones() != u32::from(*number) {
                return None;
            }
            for pile in bits(piles.0) {
                if let Some(index) = self.sources.iter().position(|source| source.pile == pile) {
                    self.needed |= 1 << index;
                } else if self.stock.as_ref().is_some_and(|stock| stock.pile == pile) {
                    self.needs_stock = true;
                } else {
                    return None;
                }
            }
        }
        Some(())
    }

    /// Finds which sources can hold all the cards of another one, and more below them.
    fn find_extended(&mut self) {
        if self.sources.iter().any(|source| source.open_when.is_some()) {
            return;
        }
        let classes = |source: &Source| -> Vec<u8> {
            source.cards.iter().map(|&here| self.class_of[usize::from(here)]).collect()
        };
        let held: Vec<Vec<u8>> = self.sources.iter().map(classes).collect();
        let extended = |index: usize, most: usize| {
            let is_rival = |&other: &usize| {
                other != index
                    && self.needed >> other & 1 != 0
                    && self.sources[other].takes == self.sources[index].takes
            };
            let longer = |other: usize| {
                let holds = |&cards: &usize| {
                    cards > most
                        && cards < 64
                        && held[other][..cards].ends_with(&held[index][..most])
                };
                let mask =
                    (0..=held[other].len()).filter(holds).fold(0, |mask, cards| mask | 1 << cards);
                (other as u8, mask)
            };
            (0..self.sources.len())
                .filter(is_rival)
                .map(longer)
                .filter(|&(_, mask)| mask != 0)
                .collect()
        };
        let all: Vec<Vec<Vec<(u8, u64)>>> = held
            .iter()
            .enumerate()
            .map(|(index, cards)| (0..=cards.len()).map(|most| extended(index, most)).collect())
            .collect();
        for (source, extended) in self.sources.iter_mut().zip(all) {
            source.extended = extended;
        }
    }

    /// Finds a key for every way to fill a source. Sources that differ in nothing share them.
    fn find_keys(&mut self) {
        let covers = self.sources.iter().any(|source| source.open_when.is_some());
        let kinds: Vec<(bool, &[u64])> = self
            .sources
            .iter()
            .enumerate()
            .map(|(index, source)| (self.needed >> index & 1 != 0, &source.takes[..]))
            .collect();
        let keys: Vec<Vec<u128>> = (0..self.sources.len())
            .map(|index| {
                let same = |other: &(bool, &[u64])| *other == kinds[index];
                let kind =
                    if covers { index } else { kinds.iter().position(same).unwrap_or(index) };
                let mut seed = (kind as u64 + 1) << 8;
                let mut keys = vec![0];
                for &here in &self.sources[index].cards {
                    seed =
                        SplitMix64::new(seed ^ u64::from(self.class_of[usize::from(here)])).next();
                    keys.push(random_key(seed));
                }
                keys
            })
            .collect();
        for (source, keys) in self.sources.iter_mut().zip(keys) {
            source.keys = keys;
        }
    }

    /// Finds the classes of cards, and which may lie on which.
    fn find_classes(&mut self, root: &State) {
        // For each card what goes on it, source by source, and what it goes on.
        let view = |here: usize| -> (Vec<u64>, Vec<u64>) {
            let onto = |source: &Source| {
                (0..CARDS).fold(0, |under, top| under | (source.takes[top] >> here & 1) << top)
            };
            let takes = self.sources.iter().map(|source| source.takes[here]).collect();
            (takes, self.sources.iter().map(onto).collect())
        };
        let stock = self.stock.iter().flat_map(|stock| &stock.cards);
        let top = root.pile(self.sink).last().map(|&top| card(top));
        let cards = self.sources.iter().flat_map(|source| &source.cards).chain(stock);
        let present = cards.copied().chain(top).fold(0u64, |cards, here| cards | 1 << here);
        let mut views: Vec<(Vec<u64>, Vec<u64>)> = Vec::new();
        for here in bits(present.into()) {
            let seen = view(here);
            let class = views.iter().position(|other| *other == seen).unwrap_or_else(|| {
                views.push(seen);
                views.len() - 1
            });
            self.class_of[here] = class as u8;
        }
        let (mut above, mut below) = (vec![0; views.len()], vec![0; views.len()]);
        for source in &self.sources {
            for top in bits(present.into()) {
                for over in bits((source.takes[top] & present).into()) {
                    let (under, over) = (self.class_of[top], self.class_of[over]);
                    above[usize::from(under)] |= 1 << over;
                    below[usize::from(over)] |= 1 << under;
                }
            }
        }
        if let Some(stock) = &mut self.stock {
            let mut classes = 0;
            stock.classes = vec![classes];
            for &here in &stock.cards {
                classes |= 1 << self.class_of[usize::from(here)];
                stock.classes.push(classes);
            }
        }
        let is_walk = self.stock.is_none()
            && (0..self.sources.len()).all(|index| self.needed >> index & 1 != 0);
        self.dead_ends = DeadEnds::new(above, &below, is_walk);
    }
}

/// When a source is open, by the indices of sources; none if that depends on other piles.
#[allow(clippy::option_option, reason = "the outer one says whether the question has an answer")]
fn open_when(
    program: &Program,
    root: &State,
    pile: usize,
    sources: &[usize],
    from: u128,
) -> Option<Option<Vec<u64>>> {
    let sets = &program.source().piles[pile].open_when;
    if sets.is_empty() {
        return Some(None);
    }
    let mut found = Vec::new();
    for set in sets {
        let others = set.0 & !from;
        // Whether they are vacant must not change.
        if others & program.footprints.iter().fold(0, |piles, rule| piles | rule.writes()) != 0 {
            return None;
        }
        if bits(others).all(|other| root.is_vacant(other)) {
            let index = |pile| sources.iter().position(|&source| source == pile);
            found.push(bits(set.0 & from).filter_map(index).fold(0, |mask, at| mask | 1 << at));
        }
    }
    Some(Some(found))
}

/// For each top card of the sink the cards that may go there from a source; none if a rule asks for
/// more.
fn takes(program: &Program, pile: usize, sink: usize) -> Option<[u64; CARDS + 1]> {
    let game = program.source();
    let mut takes = [0; CARDS + 1];
    let free = game.rules.iter().filter(|rule| rule.during != During::Layout);
    for action in free.filter_map(|rule| match &rule.action {
        Action::Move(action) => Some(action),
        _ => None,
    }) {
        let Some(index) = action.from.iter().position(|&from| usize::from(from) == pile) else {
            continue;
        };
        // All fields are named, so that a new one is not overlooked.
        let MoveAction {
            from: _,
            yields_to,
            to: _,
            along,
            from_holds,
            to_holds: [fewest, most],
            cards,
            which,
            build,
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
        let is_simple = *cards == Unit::Top
            && asks.is_empty()
            && yields_to[index].0 == 0
            && from_holds[0] <= 1
            && from_holds[1] >= game.piles[pile].capacity
            && *fewest <= 1
            && *most >= game.piles[sink].capacity;
        if !is_simple {
            return None;
        }
        if along[index].0 >> sink & 1 == 0 {
            continue;
        }
        for (top, takes) in takes.iter_mut().enumerate() {
            *takes |= match build {
                _ if top == NO_CARD && *fewest > 0 => 0,
                _ if top == NO_CARD => which.0 & space.0,
                Some(relation) => which.0 & program.relations[usize::from(*relation)].over[top],
                None => which.0,
            };
        }
    }
    Some(takes)
}
