//! The counting space: games in which cards only leave piles, for one pile that takes them all.
//!
//! Golf is such a game, Black Hole, and those on peaks. The *sources* lose their top cards one by
//! one to the *sink*, which never gives any back; a stock may be dealt to the sink, too.
//!
//! *The claim.* How many cards each source and the stock still hold, together with the rules'
//! view of the sink's top card, decides whether the position can be won.
//!
//! *The argument.* A source never receives a card, so its number of cards says which ones they are;
//! the same holds for the stock. Rules look at nothing else: [`CountingTables::new`] admits only
//! rules that move the top card of a source to the sink (what they ask of it is a relation to the
//! sink's top card, or membership of a set), scripts that deal from the stock to the sink while
//! there is a stock, and forced rules that turn up top cards of sources. Whether a pile is open
//! depends on which sources are vacant, so on the numbers. Face-down cards lie only on piles whose
//! top card is turned up at once. The aim asks which sources, and whether the stock, are vacant. So
//! two positions that agree in the numbers, and whose top cards on the sink take the same cards,
//! allow the same moves to positions that agree again.
//!
//! *Interchange.* Two sources that hold the same classes of cards in the same order, that rules
//! treat alike and that cover nothing, can be exchanged: so they share their keys, and only the
//! first of them is tried. A key is the sum of random numbers, one for each source and what it
//! holds.
//!
//! *Extension.* Let a source *extend* another one that rules treat alike: from the top, it begins
//! with the same classes of cards as the other one has in all, and has more below them. Let it be
//! one that must be vacant, and let nothing be covered. Then the shorter one is not tried: a win
//! that takes a card from it can take one of the same class from the longer one instead, and goes
//! on with the two exchanged. For as long as the win has taken more cards from the shorter one,
//! both have the cards for that. In the end it has taken at least as many from the longer one;
//! when it has taken the same number from each, so has the other line, and they go on alike.
//!
//! Lost positions are detected as `dead_ends.rs` says.

mod dead_ends;

use crate::bits::bits;
use crate::card::{CARDS, card, is_face_down};
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::{Action, Condition, During, Face, MoveAction, Pile, Unit};
use crate::random::{SplitMix64, random_key};
use crate::search::options::{Pruning, Prunings};
use crate::search::spaces::counting::dead_ends::{Counts, DeadEnds};
use crate::search::spaces::plain_deal::plain_deal;
use crate::search::spaces::space::{Space, chance};

/// The step that deals from the stock; other steps are indices of sources.
const DEAL: u8 = u8::MAX;

/// The index for a sink without cards.
const NO_CARD: usize = CARDS;

/// What does not change in a search.
#[derive(Debug)]
pub(crate) struct CountingTables {
    sources: Vec<Source>,
    stock: Option<Stock>,
    sink: usize,
    /// The sources, as a mask of indices, that the aim wants vacant, and whether it wants that of
    /// the stock.
    needed: u64,
    needs_stock: bool,
    /// The class of each card. Cards of a class take the same cards, and lie on the same cards.
    class_of: [u8; CARDS],
    dead_ends: DeadEnds,
}

/// A pile that cards only leave.
#[derive(Debug)]
struct Source {
    pile: usize,
    /// Its cards at the root, from the bottom.
    cards: Vec<u8>,
    /// For each top card of the sink: the cards that may go there.
    takes: [u64; CARDS + 1],
    /// It is open only while all sources of one of these sets are vacant, if there are any.
    open_when: Option<Vec<u64>>,
    /// For each number of cards held: a random number for what they are.
    keys: Vec<u128>,
    /// For each number of cards held: other sources, each with a mask of the numbers of cards it
    /// may hold so that its cards begin, from the top, with all the cards of this one.
    extended: Vec<Vec<(u8, u64)>>,
}

#[derive(Debug)]
struct Stock {
    pile: usize,
    /// Its cards at the root; the last one is dealt first.
    cards: Vec<u8>,
    /// How many are dealt at a time.
    each: usize,
    /// For each number of cards held: their classes.
    classes: Vec<u64>,
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

/// Positions as numbers of cards.
pub(crate) struct CountingSpace<'t> {
    tables: &'t CountingTables,
    /// How many cards each source holds, and the stock.
    held: Vec<u8>,
    stock: usize,
    /// The sources without cards.
    vacant: u64,
    /// The top card of the sink.
    top: usize,
    /// How many cards of each class are in sources that must be vacant, and elsewhere but on the
    /// sink.
    needed: Counts,
    others: Counts,
    /// A number of its own for every way in which sources and stock can be filled.
    number: u128,
    trail: Vec<Change>,
    prunings: ActivePrunings,
}

/// The prunings in use.
struct ActivePrunings {
    extension: bool,
    partners: bool,
    reach: bool,
}

/// What a step changed.
#[derive(Clone, Copy)]
struct Change {
    step: u8,
    top: u8,
    stock: u8,
}

impl<'t> CountingSpace<'t> {
    pub(crate) fn new(tables: &'t CountingTables, root: &State, without: Prunings) -> Self {
        let held = tables.sources.iter().map(|source| source.cards.len() as u8).collect();
        let mut space = Self {
            tables,
            held,
            stock: 0,
            vacant: 0,
            top: root.pile(tables.sink).last().map_or(NO_CARD, |&top| usize::from(card(top))),
            needed: [0; CARDS + 1],
            others: [0; CARDS + 1],
            number: 0,
            trail: Vec::new(),
            prunings: ActivePrunings {
                extension: !without.has(Pruning::CardClasses),
                partners: !without.has(Pruning::Partners),
                reach: !without.has(Pruning::DeleteRelaxation),
            },
        };
        space.stock = tables.stock.as_ref().map_or(0, |stock| stock.cards.len());
        space.count();
        space
    }

    /// Counts the cards of each class, and finds the vacant sources.
    fn count(&mut self) {
        self.needed = [0; CARDS + 1];
        self.others = [0; CARDS + 1];
        self.vacant = 0;
        self.number = 0;
        for (index, source) in self.tables.sources.iter().enumerate() {
            let is_needed = self.tables.needed >> index & 1 != 0;
            let counts = if is_needed { &mut self.needed } else { &mut self.others };
            for &here in &source.cards[..usize::from(self.held[index])] {
                counts[usize::from(self.tables.class_of[usize::from(here)])] += 1;
            }
            self.vacant |= u64::from(self.held[index] == 0) << index;
            self.number = self.number.wrapping_add(source.keys[usize::from(self.held[index])]);
        }
        if let Some(stock) = &self.tables.stock {
            for &here in &stock.cards[..self.stock] {
                self.others[usize::from(self.tables.class_of[usize::from(here)])] += 1;
            }
        }
    }

    fn counts_of(&mut self, index: usize) -> &mut Counts {
        if self.tables.needed >> index & 1 != 0 { &mut self.needed } else { &mut self.others }
    }

    /// The number of cards that must still leave.
    fn left(&self) -> u32 {
        let stock = if self.tables.needs_stock { self.stock as u32 } else { 0 };
        self.needed.iter().map(|&cards| u32::from(cards)).sum::<u32>() + stock
    }

    /// Whether a source holds the same as one before it.
    fn is_twin(&self, index: usize, before: &[u8]) -> bool {
        let key = |index: usize| self.tables.sources[index].keys[usize::from(self.held[index])];
        before.iter().any(|&other| key(usize::from(other)) == key(index))
    }

    /// Whether another source holds the same cards as this one, and more below them.
    fn is_extended(&self, index: usize) -> bool {
        let extended = &self.tables.sources[index].extended;
        extended.get(usize::from(self.held[index])).is_some_and(|others| {
            others.iter().any(|&(other, mask)| mask >> self.held[usize::from(other)] & 1 != 0)
        })
    }

    fn is_open(&self, source: &Source) -> bool {
        source.open_when.as_ref().is_none_or(|sets| sets.iter().any(|&set| set & !self.vacant == 0))
    }

    /// The moves of a line from the root; none if it cannot be played.
    pub(crate) fn line_of(
        &self,
        program: &Program,
        root: &State,
        steps: &[u8],
    ) -> Option<Vec<Move>> {
        let (mut state, mut journal) = (root.clone(), Journal::new());
        let mut line = Vec::new();
        for &step in steps {
            let is_played = |played: &&Move| match self.tables.sources.get(usize::from(step)) {
                Some(source) => {
                    (usize::from(played.from()), usize::from(played.to()))
                        == (source.pile, self.tables.sink)
                }
                None => matches!(
                    program.source().rules[usize::from(played.rule())].action,
                    Action::Script { .. }
                ),
            };
            let played = state.moves(program).iter().find(is_played).copied()?;
            state.play(program, played, &mut journal).ok()?;
            line.push(played);
        }
        state.is_won(program).then_some(line)
    }
}

impl Space for CountingSpace<'_> {
    type Step = u8;

    fn key(&self) -> u128 {
        let top = self.tables.class_of.get(self.top).map_or(CARDS as u64, |&class| class.into());
        self.number.wrapping_add(random_key((self.stock as u64) << 8 | top))
    }

    fn is_won(&self) -> bool {
        self.tables.needed & !self.vacant == 0 && !(self.tables.needs_stock && self.stock > 0)
    }

    fn is_lost(&self) -> bool {
        let tables = self.tables;
        let Some(&top) = tables.class_of.get(self.top) else { return false };
        let mut left = self.others;
        for (left, &needed) in left.iter_mut().zip(&self.needed) {
            *left += needed;
        }
        if self.prunings.reach {
            let dealt = tables.stock.as_ref().map_or(0, |stock| stock.classes[self.stock]);
            if tables.dead_ends.is_out_of_reach(&self.needed, &left, dealt | 1 << top) {
                return true;
            }
        }
        left[usize::from(top)] += 1;
        self.prunings.partners
            && tables.dead_ends.lacks_partners(&self.needed, &left, top, || {
                bits((!self.vacant).into()).take_while(|&index| index < self.held.len()).fold(
                    0,
                    |ends, index| {
                        let lowest = tables.sources[index].cards[0];
                        ends | 1 << tables.class_of[usize::from(lowest)]
                    },
                )
            })
    }

    fn list(&mut self, steps: &mut Vec<u8>) {
        let begin = steps.len();
        for (index, source) in self.tables.sources.iter().enumerate() {
            let held = usize::from(self.held[index]);
            if held > 0
                && source.takes[self.top] >> source.cards[held - 1] & 1 != 0
                && self.is_open(source)
                && !self.is_twin(index, &steps[begin..])
                && !(self.prunings.extension && self.is_extended(index))
            {
                steps.push(index as u8);
            }
        }
        if self.stock > 0 {
            steps.push(DEAL);
        }
    }

    fn make(&mut self, step: u8) -> bool {
        let (top, stock) = (self.top as u8, self.stock as u8);
        self.trail.push(Change { step, top, stock });
        let tables = self.tables;
        if step == DEAL {
            if let Some(dealt) = &tables.stock {
                let left = self.stock.saturating_sub(dealt.each);
                for &here in &dealt.cards[left..self.stock] {
                    self.others[usize::from(tables.class_of[usize::from(here)])] -= 1;
                }
                self.top = usize::from(dealt.cards[left]);
                self.stock = left;
            }
        } else {
            let index = usize::from(step);
            self.held[index] -= 1;
            let held = self.held[index];
            let keys = &tables.sources[index].keys;
            self.number = self
                .number
                .wrapping_add(keys[usize::from(held)])
                .wrapping_sub(keys[usize::from(held) + 1]);
            self.vacant |= u64::from(held == 0) << index;
            self.top = usize::from(tables.sources[index].cards[usize::from(held)]);
            let class = usize::from(tables.class_of[self.top]);
            self.counts_of(index)[class] -= 1;
        }
        true
    }

    fn unmake(&mut self) {
        let Some(Change { step, top, stock }) = self.trail.pop() else { return };
        let tables = self.tables;
        if step == DEAL {
            if let Some(dealt) = &tables.stock {
                for &here in &dealt.cards[self.stock..usize::from(stock)] {
                    self.others[usize::from(tables.class_of[usize::from(here)])] += 1;
                }
            }
            self.stock = usize::from(stock);
        } else {
            let index = usize::from(step);
            let class = usize::from(tables.class_of[self.top]);
            self.counts_of(index)[class] += 1;
            self.held[index] += 1;
            let (held, keys) = (usize::from(self.held[index]), &tables.sources[index].keys);
            self.number = self.number.wrapping_add(keys[held]).wrapping_sub(keys[held - 1]);
            self.vacant &= !(1 << index);
        }
        self.top = usize::from(top);
    }

    fn reset_root(&mut self) {
        self.trail.clear();
    }

    fn trail_bytes(&self) -> usize {
        size_of_val(&*self.trail)
    }

    fn packed_size(&self) -> usize {
        self.held.len() + 2
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.extend(&self.held);
        bytes.extend([self.stock as u8, self.top as u8]);
    }

    fn unpack(&mut self, bytes: &[u8]) {
        let (held, rest) = bytes.split_at(self.held.len());
        self.held.copy_from_slice(held);
        self.stock = usize::from(rest[0]);
        self.top = usize::from(rest[1]);
        self.trail.clear();
        self.count();
    }

    fn heuristic(&mut self) -> i32 {
        8 * self.left().cast_signed() - i32::from(self.stock as u8)
    }

    fn sort(&mut self, steps: &mut [u8], seed: u64) {
        let key = if seed == 0 { 0 } else { self.key() };
        steps
            .sort_by_cached_key(|&step| (-self.score(step) - chance(seed, key, step.into()), step));
    }

    fn score(&self, step: u8) -> i32 {
        // The stock comes last.
        let Some(&held) = self.held.get(usize::from(step)) else { return -1000 };
        let source = &self.tables.sources[usize::from(step)];
        let class =
            usize::from(self.tables.class_of[usize::from(source.cards[usize::from(held) - 1])]);
        let on = bits(self.tables.dead_ends.above[class].into())
            .map(|over| i32::from(self.needed[over]))
            .sum::<i32>();
        // High piles first, and of these cards of which there are many left, or on which many can
        // lie. (Tried on a hundred deals of Golf and of Black Hole.)
        8 * i32::from(held) + 4 * on + 16 * i32::from(self.needed[class])
    }

    fn feature_code(&self, step: u8) -> u64 {
        let held = self.held.get(usize::from(step)).map_or(self.stock as u64, |&held| held.into());
        u64::from(step) << 8 | held
    }

    fn length(&self) -> u64 {
        u64::from(self.left()) + self.stock as u64
    }
}
