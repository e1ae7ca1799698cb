//! One position, packed, and the few operations that can change it.
//!
//! All cards are in one slab of bytes, with room for each pile's capacity. A position changes only
//! through the primitive operations of this file. They update the hash and write to a [`Journal`]
//! what [`State::undo`] needs.

pub(crate) mod contents;
mod deal;
pub(crate) mod foreseen;
mod identity;
pub(crate) mod packed;
mod redeal;
mod row;

use crate::bits::single;
use crate::card::{FACE_DOWN, card, has};
use crate::position::journal::{Entry, Journal, Mark, PileHash};
use crate::position::moves::Choice;
use crate::program::compiled::Program;
use crate::program::format::{End, Face};
use crate::program::hash;
use crate::random::shuffle;

/// The place of a pile in the slab, and its part of the hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PileSlot {
    hash: u128,
    /// What the pile adds to the hash of the position.
    hash_term: u128,
    start: u16,
    len: u16,
    capacity: u16,
    class: u8,
    closed: bool,
    touched: Touched,
}

/// Bytes after the last pile, so that cards can be read in eights.
const PADDING: usize = 8;

/// Whether a move has changed a pile, so that the pile's term of the hash is out of date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Touched {
    No,
    Yes,
    /// What the pile adds to the hash is up to date all the same.
    Known,
    /// All its cards have other places, so that the hash of the pile is out of date, too.
    NeedsRehash,
}

/// A transfer of a block of cards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transfer {
    pub(crate) from: usize,
    pub(crate) from_end: End,
    pub(crate) to: usize,
    pub(crate) to_end: End,
    pub(crate) count: usize,
    pub(crate) reverse: bool,
    pub(crate) face: Face,
}

/// One position of a program.
///
/// A state has no reference to its program. Methods take the [`Program`] that dealt the state. With
/// any other program the results are meaningless and a method may panic.
///
/// Two states are equal when they differ only by an interchange of piles of one class. Equality
/// compares the cards, the counters, the closed piles and the open choice, but not the moves that
/// led to the position.
#[derive(Clone, Debug)]
pub struct State {
    slab: Box<[u8]>,
    slots: Box<[PileSlot]>,
    counters: Box<[u16]>,
    vacant: u128,
    sum: u128,
    /// What the shuffles of this deal follow from; 0 in a game without shuffles.
    seed: u64,
    choice: Choice,
}

impl State {
    /// The empty table.
    pub(crate) fn empty(program: &Program) -> Self {
        let counters: Box<[u16]> =
            program.source().counters.iter().map(|counter| counter.start).collect();
        let slots: Box<[PileSlot]> = program
            .places
            .iter()
            .map(|place| PileSlot {
                hash: 0,
                hash_term: program.keys.pile(0, place.class, false),
                start: place.start,
                len: 0,
                capacity: place.capacity,
                class: place.class,
                closed: false,
                touched: Touched::No,
            })
            .collect();
        let mut state = Self {
            slab: vec![0; program.slab + PADDING].into(),
            vacant: program.all_piles,
            slots,
            counters,
            sum: 0,
            seed: 0,
            choice: Choice::CLOSED,
        };
        state.sum = state.sum_from_scratch(program);
        state
    }

    /// The cards of a pile, bottom card first, as bytes (see [`crate::card`]).
    #[inline]
    pub fn pile(&self, pile: usize) -> &[u8] {
        let slot = &self.slots[pile];
        let start = usize::from(slot.start);
        &self.slab[start..start + usize::from(slot.len)]
    }

    /// The cards of a pile in eights, the bottom card in the lowest byte. The last number is filled
    /// up with zeros.
    #[inline]
    pub(crate) fn eights(&self, pile: usize) -> impl Iterator<Item = u64> {
        let slot = &self.slots[pile];
        let start = usize::from(slot.start);
        (0..usize::from(slot.len)).step_by(8).map(move |at| {
            let left = usize::from(slot.len) - at;
            let eight = self.eight(start + at);
            if left < 8 { eight & !(u64::MAX << (8 * left)) } else { eight }
        })
    }

    /// Eight bytes of the slab.
    #[inline]
    fn eight(&self, at: usize) -> u64 {
        let (eight, _) = self.slab[at..].split_first_chunk().unwrap_or((&[0; 8], &[]));
        u64::from_le_bytes(*eight)
    }

    /// All piles in the order of the program.
    pub fn piles(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.slots.len()).map(|pile| self.pile(pile))
    }

    /// The counters in the order of the program.
    pub fn counters(&self) -> &[u16] {
        &self.counters
    }

    /// The empty piles, as a mask.
    pub const fn vacant(&self) -> u128 {
        self.vacant
    }

    /// The piles that take no more dealt cards, as a mask.
    pub fn closed(&self) -> u128 {
        let closed = self.slots.iter().map(|slot| u128::from(slot.closed));
        (0..).zip(closed).fold(0, |mask, (pile, closed): (u32, u128)| mask | closed << pile)
    }

    /// The index of the forced rule that waits for the player's choice.
    pub fn choosing(&self) -> Option<u8> {
        self.choice.is_open().then_some(self.choice.rule)
    }

    pub(crate) const fn choice(&self) -> Choice {
        self.choice
    }

    #[inline]
    pub(crate) fn len(&self, pile: usize) -> usize {
        usize::from(self.slots[pile].len)
    }

    /// The number of further cards that a pile can hold.
    #[inline]
    pub(crate) fn free_slots(&self, pile: usize) -> usize {
        usize::from(self.slots[pile].capacity - self.slots[pile].len)
    }

    #[inline]
    pub(crate) fn is_vacant(&self, pile: usize) -> bool {
        self.slots[pile].len == 0
    }

    #[inline]
    pub(crate) fn is_closed(&self, pile: usize) -> bool {
        self.slots[pile].closed
    }

    /// The class of a pile.
    pub(crate) fn class(&self, pile: usize) -> u8 {
        self.slots[pile].class
    }

    #[inline]
    pub(crate) fn top(&self, pile: usize) -> Option<u8> {
        let slot = &self.slots[pile];
        let end = usize::from(slot.start) + usize::from(slot.len);
        if slot.len == 0 { None } else { Some(self.slab[end - 1]) }
    }

    /// The card below some of the top cards of a pile; none if it has no more cards than those.
    #[inline]
    pub(crate) fn below_top(&self, pile: usize, count: usize) -> Option<u8> {
        let slot = &self.slots[pile];
        let end = (usize::from(slot.start) + usize::from(slot.len)).wrapping_sub(count);
        if usize::from(slot.len) <= count { None } else { Some(self.slab[end - 1]) }
    }

    /// What a pile adds to the hash of the position.
    #[inline]
    pub(crate) fn hash_term(&self, pile: usize) -> u128 {
        self.slots[pile].hash_term
    }

    /// Whether two piles hold the same cards, the same way up.
    pub(crate) fn same_cards(&self, first: usize, second: usize) -> bool {
        let hashed = |pile: usize| self.slots[pile].touched != Touched::NeedsRehash;
        (self.slots[first].hash == self.slots[second].hash || !hashed(first) || !hashed(second))
            && self.pile(first) == self.pile(second)
    }

    /// The number of cards of a class in a pile.
    pub(crate) fn count_of_class(&self, pile: usize, cards: u64) -> usize {
        self.pile(pile).iter().filter(|&&byte| has(cards, byte)).count()
    }

    /// The number of bytes of one position of a program.
    pub fn bytes(program: &Program) -> usize {
        size_of::<Self>()
            + program.slab
            + PADDING
            + program.places.len() * size_of::<PileSlot>()
            + program.source().counters.len() * size_of::<u16>()
    }

    // The primitive operations. No other code changes a state.
    //
    // An operation first touches each pile that it changes: it saves the pile's term of the hash in
    // the journal, once per move. The new term is computed only after the move and all forced moves
    // ([`State::finish_move`]). Until then the sum is that of the position before the move.

    /// Replaces a pile's old term in the sum by its new one.
    #[inline]
    fn update_hash_term(&mut self, program: &Program, pile: usize) {
        let slot = &mut self.slots[pile];
        let hash_term = program.keys.pile(slot.hash, slot.class, slot.closed);
        self.sum = self.sum.wrapping_sub(slot.hash_term).wrapping_add(hash_term);
        slot.hash_term = hash_term;
    }

    /// Saves the hash of a pile that is about to change.
    #[inline]
    fn touch(&mut self, journal: &mut Journal, pile: usize) {
        let slot = &mut self.slots[pile];
        if slot.touched == Touched::No {
            let PileSlot { hash, hash_term, .. } = *slot;
            journal.saved.push(PileHash { hash, hash_term, pile: pile as u8 });
        }
        if slot.touched != Touched::NeedsRehash {
            slot.touched = Touched::Yes;
        }
    }

    /// Marks the beginning of a player's move.
    #[inline]
    pub(crate) fn begin_move(&self, journal: &mut Journal) {
        journal.marks.push(Mark {
            sum: self.sum,
            vacant: self.vacant,
            entries: journal.entries.len(),
            saved: journal.saved.len(),
        });
        journal.forced.clear();
    }

    /// Updates the hash after the changes of the last move, or after all changes if there is no
    /// move.
    #[inline]
    pub(crate) fn finish_move(&mut self, program: &Program, journal: &Journal) {
        let since = journal.marks.last().map_or(0, |mark| mark.saved);
        let mut sum = self.sum;
        for saved in &journal.saved[since..] {
            let pile = usize::from(saved.pile);
            if self.slots[pile].touched == Touched::NeedsRehash {
                self.rehash(program, pile);
            }
            let slot = &mut self.slots[pile];
            if slot.touched != Touched::Known {
                slot.hash_term = program.keys.pile(slot.hash, slot.class, slot.closed);
            }
            slot.touched = Touched::No;
            sum = sum.wrapping_sub(saved.hash_term).wrapping_add(slot.hash_term);
        }
        self.sum = sum;
    }

    /// Recomputes the hash of a pile.
    #[cold]
    #[inline(never)]
    fn rehash(&mut self, program: &Program, pile: usize) {
        self.slots[pile].hash = program.keys.cards(self.pile(pile));
    }

    /// Puts a card on a pile that has room and was touched.
    #[inline]
    fn push(&mut self, program: &Program, pile: usize, byte: u8) {
        let slot = &mut self.slots[pile];
        let depth = usize::from(slot.len);
        self.slab[usize::from(slot.start) + depth] = byte;
        slot.hash ^= program.keys.card(byte, depth);
        slot.len += 1;
        if depth == 0 {
            self.vacant &= !single(pile as u8);
        }
    }

    /// Takes the top card of a pile that has one and was touched.
    #[inline]
    fn pop(&mut self, program: &Program, pile: usize) -> u8 {
        let slot = &mut self.slots[pile];
        slot.len -= 1;
        let depth = usize::from(slot.len);
        let byte = self.slab[usize::from(slot.start) + depth];
        slot.hash ^= program.keys.card(byte, depth);
        if depth == 0 {
            self.vacant |= single(pile as u8);
        }
        byte
    }

    /// Sets what the shuffles follow from. Nothing is journaled.
    pub(crate) fn set_seed(&mut self, seed: u64) {
        self.sum = self.sum.wrapping_sub(hash::seed(self.seed)).wrapping_add(hash::seed(seed));
        self.seed = seed;
    }

    /// Puts a card on a pile before the layout. Nothing is journaled.
    pub(crate) fn place_initial(&mut self, program: &Program, pile: usize, byte: u8) {
        self.push(program, pile, byte);
        self.update_hash_term(program, pile);
    }

    /// Moves the top card of a pile that has one to a pile that has room.
    #[inline]
    pub(crate) fn move_top_card(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        from: usize,
        to: usize,
        face: Face,
    ) {
        self.touch(journal, from);
        self.touch(journal, to);
        let byte = self.pop(program, from);
        self.push(program, to, turned(byte, face));
        journal.entries.push(Entry::MoveCard { from: from as u8, to: to as u8, byte });
    }

    /// Moves a card to a pile that has room, from under others. The depth of the top card is 1.
    pub(crate) fn pull_card(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        from: usize,
        depth: usize,
        to: usize,
        face: Face,
    ) {
        if depth == 1 {
            self.move_top_card(program, journal, from, to, face);
            return;
        }
        self.touch(journal, from);
        self.touch(journal, to);
        let slot = &mut self.slots[from];
        let end = usize::from(slot.start) + usize::from(slot.len);
        let byte = self.slab[end - depth];
        self.slab.copy_within(end - depth + 1..end, end - depth);
        slot.len -= 1;
        slot.touched = Touched::NeedsRehash;
        self.push(program, to, turned(byte, face));
        let (from, to, depth) = (from as u8, to as u8, depth as u16);
        journal.entries.push(Entry::PullCard { from, to, byte, depth });
    }

    /// Moves a block of cards, at most as many as there are and as fit. Returns their number.
    pub(crate) fn transfer(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        transfer: Transfer,
    ) -> usize {
        let Transfer { from, from_end, to, to_end, reverse, face, .. } = transfer;
        let count = transfer.count.min(self.len(from)).min(self.free_slots(to));
        if count == 0 {
            return 0;
        }
        if count == 1 && from_end == End::Top && to_end == End::Top {
            self.move_top_card(program, journal, from, to, face);
            return 1;
        }
        self.touch(journal, from);
        self.touch(journal, to);
        if count == self.len(from) && self.is_vacant(to) && !reverse && face == Face::Keep {
            journal.cards.extend_from_slice(self.pile(from));
            let (from, to) = (from as u8, to as u8);
            let count = self.carry_pile(from, to);
            self.vacant = self.vacant & !single(to) | single(from);
            journal.entries.push(Entry::MoveBlock { from, to, from_end, to_end, count, reverse });
            return usize::from(count);
        }
        let kept = journal.cards.len();
        journal.cards.extend_from_slice(match from_end {
            End::Top => &self.pile(from)[self.len(from) - count..],
            End::Bottom => &self.pile(from)[..count],
        });
        let block = &journal.cards[kept..];
        let laid =
            |index: usize| turned(block[if reverse { count - 1 - index } else { index }], face);
        match from_end {
            End::Top if count == self.len(from) => {
                (self.slots[from].hash, self.slots[from].len) = (0, 0);
                self.vacant |= single(from as u8);
            }
            End::Top => {
                for _ in 0..count {
                    self.pop(program, from);
                }
            }
            End::Bottom => {
                self.slots[from].touched = Touched::NeedsRehash;
                self.remove_bottom(from, count);
                self.vacant |= u128::from(self.len(from) == 0) << from;
            }
        }
        match to_end {
            End::Top => (0..count).for_each(|index| self.push(program, to, laid(index))),
            End::Bottom => {
                self.slots[to].touched = Touched::NeedsRehash;
                self.vacant &= !(1 << to);
                let room = self.insert_bottom(to, count);
                room.iter_mut().enumerate().for_each(|(index, byte)| *byte = laid(index));
            }
        }
        journal.entries.push(Entry::MoveBlock {
            from: from as u8,
            to: to as u8,
            from_end,
            to_end,
            count: count as u16,
            reverse,
        });
        count
    }

    /// Shuffles the cards of a pile and turns them face down. `made` is the number of shuffles made
    /// before.
    pub(crate) fn shuffle(&mut self, journal: &mut Journal, pile: usize, made: u16) {
        let count = self.len(pile);
        if count == 0 {
            return;
        }
        self.touch(journal, pile);
        let shuffled = match journal.imagined.get(usize::from(made)) {
            Some(imagined) if imagined.len() == count => imagined.clone(),
            _ => shuffled(self.pile(pile), self.seed, made),
        };
        journal.cards.extend_from_slice(self.pile(pile));
        let start = usize::from(self.slots[pile].start);
        for (place, &card) in self.slab[start..start + count].iter_mut().zip(&shuffled) {
            *place = card | FACE_DOWN;
        }
        journal.cards.extend_from_slice(self.pile(pile));
        self.slots[pile].touched = Touched::NeedsRehash;
        journal.entries.push(Entry::Shuffle { pile: pile as u8, count: count as u16 });
    }

    /// Moves a card of a pile from one depth to another (0 is the bottom).
    pub(crate) fn shift(&mut self, journal: &mut Journal, pile: usize, from: usize, to: usize) {
        if from == to {
            return;
        }
        self.touch(journal, pile);
        self.slots[pile].touched = Touched::NeedsRehash;
        self.rotate(pile, from, to);
        journal.entries.push(Entry::Shift { pile: pile as u8, from: from as u16, to: to as u16 });
    }

    fn rotate(&mut self, pile: usize, from: usize, to: usize) {
        let start = usize::from(self.slots[pile].start);
        let cards = &mut self.slab[start + from.min(to)..=start + from.max(to)];
        if from < to { cards.rotate_left(1) } else { cards.rotate_right(1) }
    }

    /// Turns over the top card of a pile that has one.
    pub(crate) fn turn(&mut self, program: &Program, journal: &mut Journal, pile: usize) {
        self.touch(journal, pile);
        let byte = self.pop(program, pile);
        self.push(program, pile, byte ^ FACE_DOWN);
        journal.entries.push(Entry::Turn { pile: pile as u8 });
    }

    /// Swaps the top cards of two piles that are not empty.
    pub(crate) fn exchange(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        first: usize,
        second: usize,
    ) {
        self.touch(journal, first);
        self.touch(journal, second);
        let (one, other) = (self.pop(program, first), self.pop(program, second));
        self.push(program, first, other);
        self.push(program, second, one);
        journal.entries.push(Entry::Exchange { first: first as u8, second: second as u8 });
    }

    /// Sets a counter.
    pub(crate) fn set_counter(&mut self, journal: &mut Journal, counter: u8, value: u16) {
        let index = usize::from(counter);
        let before = std::mem::replace(&mut self.counters[index], value);
        if before != value {
            let sum = self.sum.wrapping_sub(hash::counter(index, before));
            self.sum = sum.wrapping_add(hash::counter(index, value));
            journal.entries.push(Entry::Counter { counter, before });
        }
    }

    /// Closes or opens a pile.
    pub(crate) fn set_closed(&mut self, journal: &mut Journal, pile: usize, closed: bool) {
        if self.is_closed(pile) != closed {
            self.touch(journal, pile);
            self.slots[pile].closed = closed;
            journal.entries.push(Entry::Close { pile: pile as u8 });
        }
    }

    /// Opens or closes a choice.
    pub(crate) fn set_choice(&mut self, journal: &mut Journal, choice: Choice) {
        if self.choice != choice {
            journal.entries.push(Entry::Choice { before: self.choice });
            self.choice = choice;
        }
    }

    // Undo restores bytes and lengths only, since hashes and the mask of empty piles were saved.

    fn top_mut(&mut self, pile: usize) -> &mut u8 {
        let slot = &self.slots[pile];
        &mut self.slab[usize::from(slot.start) + usize::from(slot.len) - 1]
    }

    /// Makes room at the bottom of a pile.
    fn insert_bottom(&mut self, pile: usize, count: usize) -> &mut [u8] {
        let slot = &mut self.slots[pile];
        let (start, len) = (usize::from(slot.start), usize::from(slot.len));
        slot.len += count as u16;
        self.slab.copy_within(start..start + len, start + count);
        &mut self.slab[start..start + count]
    }

    /// Makes room on top of a pile.
    fn insert_top(&mut self, pile: usize, count: usize) -> &mut [u8] {
        let slot = &mut self.slots[pile];
        let end = usize::from(slot.start) + usize::from(slot.len);
        slot.len += count as u16;
        &mut self.slab[end..end + count]
    }

    fn remove_bottom(&mut self, pile: usize, count: usize) {
        let slot = &mut self.slots[pile];
        let (start, len) = (usize::from(slot.start), usize::from(slot.len));
        slot.len -= count as u16;
        self.slab.copy_within(start + count..start + len, start);
    }

    /// Undoes the last move and all forced moves after it. Does nothing if the journal is empty.
    pub fn undo(&mut self, program: &Program, journal: &mut Journal) {
        debug_assert_eq!(self.slots.len(), program.places.len());
        self.undo_move(journal);
    }

    /// The same. Returns the piles that it changed.
    pub(crate) fn undo_move(&mut self, journal: &mut Journal) -> u128 {
        let Some(mark) = journal.marks.pop() else { return 0 };
        if let &[Entry::MoveCard { from, to, byte }] = &journal.entries[mark.entries..] {
            // Most moves are like this.
            self.slots[usize::from(to)].len -= 1;
            let slot = &mut self.slots[usize::from(from)];
            self.slab[usize::from(slot.start) + usize::from(slot.len)] = byte;
            slot.len += 1;
        } else {
            self.undo_entries(journal, mark.entries);
        }
        journal.entries.truncate(mark.entries);
        let mut changed = 0;
        for saved in &journal.saved[mark.saved..] {
            let slot = &mut self.slots[usize::from(saved.pile)];
            (slot.hash, slot.hash_term, slot.touched) = (saved.hash, saved.hash_term, Touched::No);
            changed |= single(saved.pile);
        }
        journal.saved.truncate(mark.saved);
        (self.sum, self.vacant) = (mark.sum, mark.vacant);
        journal.forced.clear();
        changed
    }

    /// Undoes the changes of the entries from one on.
    fn undo_entries(&mut self, journal: &mut Journal, first: usize) {
        for entry in journal.entries[first..].iter().rev() {
            match *entry {
                Entry::MoveCard { from, to, byte } => {
                    self.slots[usize::from(to)].len -= 1;
                    self.slots[usize::from(from)].len += 1;
                    *self.top_mut(usize::from(from)) = byte;
                }
                Entry::PullCard { from, to, byte, depth } => {
                    self.slots[usize::from(to)].len -= 1;
                    let slot = &mut self.slots[usize::from(from)];
                    slot.len += 1;
                    let end = usize::from(slot.start) + usize::from(slot.len);
                    let place = end - usize::from(depth);
                    self.slab.copy_within(place..end - 1, place + 1);
                    self.slab[place] = byte;
                }
                Entry::MoveBlock { from, to, from_end, to_end, count, .. } => {
                    let count = usize::from(count);
                    match to_end {
                        End::Top => self.slots[usize::from(to)].len -= count as u16,
                        End::Bottom => self.remove_bottom(usize::from(to), count),
                    }
                    let room = match from_end {
                        End::Top => self.insert_top(usize::from(from), count),
                        End::Bottom => self.insert_bottom(usize::from(from), count),
                    };
                    let kept = journal.cards.len() - count;
                    room.copy_from_slice(&journal.cards[kept..]);
                    journal.cards.truncate(kept);
                }
                Entry::MovePile { from, to, count } => self.move_pile_back(from, to, count),
                Entry::Replace { pile, count } => {
                    let kept = journal.cards.len() - usize::from(count);
                    self.set_cards(usize::from(pile), &journal.cards[kept..]);
                    journal.cards.truncate(kept);
                }
                Entry::Shuffle { pile, count } => {
                    let count = usize::from(count);
                    let kept = journal.cards.len() - 2 * count;
                    let start = usize::from(self.slots[usize::from(pile)].start);
                    self.slab[start..start + count]
                        .copy_from_slice(&journal.cards[kept..kept + count]);
                    journal.cards.truncate(kept);
                }
                Entry::Shift { pile, from, to } => {
                    self.rotate(usize::from(pile), usize::from(to), usize::from(from));
                }
                Entry::Turn { pile } => *self.top_mut(usize::from(pile)) ^= FACE_DOWN,
                Entry::Exchange { first, second } => {
                    let other = *self.top_mut(usize::from(second));
                    let one = std::mem::replace(self.top_mut(usize::from(first)), other);
                    *self.top_mut(usize::from(second)) = one;
                }
                Entry::Counter { counter, before } => self.counters[usize::from(counter)] = before,
                Entry::Close { pile } => self.slots[usize::from(pile)].closed ^= true,
                Entry::Choice { before } => self.choice = before,
            }
        }
    }
}

/// The cards of a pile after a shuffle, bottom card first (`docs/deals.md`).
fn shuffled(pile: &[u8], seed: u64, made: u16) -> Vec<u8> {
    let mut sorted: Vec<u8> = pile.iter().map(|&byte| card(byte)).collect();
    sorted.sort_unstable();
    let order = shuffle(seed.wrapping_add(u64::from(made)), sorted.len());
    // The first card in dealing order is on top.
    order.into_iter().rev().map(|index| sorted[index as usize]).collect()
}

/// A card, as a transfer lays it.
#[inline]
pub(crate) const fn turned(byte: u8, face: Face) -> u8 {
    match face {
        Face::Keep => byte,
        Face::Up => byte & !FACE_DOWN,
        Face::Down => byte | FACE_DOWN,
    }
}
