//! Positions of the counting space, their steps and keys.

use crate::bits::bits;
use crate::card::{CARDS, card};
use crate::position::journal::Journal;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::Action;
use crate::random::random_key;
use crate::search::options::{Pruning, Prunings};
use crate::search::spaces::counting::dead_ends::Counts;
use crate::search::spaces::counting::tables::{CountingTables, NO_CARD, Source};
use crate::search::spaces::space::{Space, chance};

/// The step that deals from the stock; other steps are indices of sources.
const DEAL: u8 = u8::MAX;

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
