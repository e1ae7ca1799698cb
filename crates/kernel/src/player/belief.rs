//! What a player knows: which cards it has seen, and where they are now.

use crate::card::{card, is_face_down};
use crate::play::deal::DealError;
use crate::play::make::PlayError;
use crate::position::journal::{Entry, Journal};
use crate::position::moves::{Choice, Move};
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::End;
use crate::random::SplitMix64;

/// How much of a pile is visible. Face-down cards are always hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Nothing.
    None,
    /// The top card: the pile is squared up.
    Top,
    /// Every card.
    All,
}

/// A position with the cards of a deck, and what the player knows of it.
///
/// A card is identified by its place in the deck, so two cards with the same face are different.
/// The player sees a card if it is visible after a move and the forced moves that follow, and never
/// forgets it. The player can track a card, since it sees between which piles cards move even if
/// they lie face down. Only a shuffle makes it lose track: then the cards of the pile get new
/// numbers, and all that the player knows is that they are the same cards as before.
#[derive(Clone, Debug)]
pub(super) struct Belief {
    pub(super) state: State,
    /// Every card by its number: the deck in dealing order, then the cards placed before the deal,
    /// then those of each shuffled pile, bottom card first.
    cards: Vec<u8>,
    /// For each pile the numbers of its cards, bottom card first.
    piles: Vec<Vec<u16>>,
    seen: Vec<bool>,
    /// The shuffles so far.
    shuffles: Vec<Shuffle>,
    /// What the player imagines.
    imagined: Imagined,
}

/// What a move does ([`Belief::effect`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Effect {
    rule: u8,
    lowest: u32,
    count: u8,
    goal: u32,
}

/// A shuffle of a pile: the numbers of its cards before and afterwards.
#[derive(Clone, Debug)]
struct Shuffle {
    before: Vec<u16>,
    after: Vec<u16>,
}

/// A deck and the results of shuffles that agree with what the player has seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Imagined {
    deck: Vec<u8>,
    /// The cards of each shuffled pile, bottom card first.
    shuffles: Vec<Vec<u8>>,
    /// What later shuffles follow from.
    seed: u64,
}

impl Imagined {
    fn journal(&self) -> Journal {
        Journal { imagined: self.shuffles.clone(), ..Journal::new() }
    }
}

impl Belief {
    /// Deals a deck. Also returns what the player observes.
    pub(super) fn deal(
        program: &Program,
        shown: &[Shown],
        deck: &[u8],
    ) -> Result<(Self, u64), DealError> {
        Self::begin(program, shown, deck, Imagined::default())
    }

    /// Deals what the player imagines.
    pub(super) fn deal_imagined(
        program: &Program,
        shown: &[Shown],
        mut imagined: Imagined,
    ) -> Result<(Self, u64), DealError> {
        let deck = std::mem::take(&mut imagined.deck);
        let (mut world, observed) = Self::begin(program, shown, &deck, imagined)?;
        if program.shuffles {
            world.state.set_seed(world.imagined.seed);
        }
        Ok((world, observed))
    }

    fn begin(
        program: &Program,
        shown: &[Shown],
        deck: &[u8],
        imagined: Imagined,
    ) -> Result<(Self, u64), DealError> {
        let mut journal = imagined.journal();
        let state = program.deal_journaled(deck, &mut journal)?;
        let game = program.source();
        let mut cards = deck.to_vec();
        let mut piles = vec![Vec::new(); program.piles()];
        piles[usize::from(game.source_pile)] = (0..deck.len() as u16).rev().collect();
        let mut seen = vec![false; deck.len()];
        for preset in &game.preset {
            piles[usize::from(preset.pile)].push(cards.len() as u16);
            cards.push(preset.card);
            seen.push(true);
        }
        let mut world = Self { state, cards, piles, seen, shuffles: Vec::new(), imagined };
        let observed = world.observe(program, shown, &journal);
        Ok((world, observed))
    }

    /// Plays a legal move. Returns what the player observes.
    pub(super) fn play(
        &mut self,
        program: &Program,
        shown: &[Shown],
        played: Move,
    ) -> Result<u64, PlayError> {
        let mut journal = self.imagined.journal();
        self.state.play_unchecked(program, played, &mut journal)?;
        Ok(self.observe(program, shown, &journal))
    }

    /// Moves the numbers as the cards were moved, and observes the position.
    fn observe(&mut self, program: &Program, shown: &[Shown], journal: &Journal) -> u64 {
        let mut print = Print::default();
        let mut blocks = &journal.cards[..];
        for &entry in &journal.entries {
            self.apply(entry, &mut blocks, &mut print);
        }
        for (pile, &shown) in shown.iter().enumerate() {
            let bytes = self.state.pile(pile);
            debug_assert!(
                self.piles[pile].len() == bytes.len()
                    && self.piles[pile]
                        .iter()
                        .zip(bytes)
                        .all(|(&number, &byte)| self.cards[usize::from(number)] == card(byte)),
                "a card was lost sight of"
            );
            print.add(bytes.len() as u64);
            let visible = match shown {
                Shown::None => bytes.len(),
                Shown::Top => bytes.len().saturating_sub(1),
                Shown::All => 0,
            };
            for (depth, &byte) in bytes.iter().enumerate() {
                let number = self.piles[pile][depth];
                let is_open = !is_face_down(byte);
                if is_open && depth >= visible {
                    self.seen[usize::from(number)] = true;
                    print.add(u64::from(byte) << 16 | u64::from(number));
                } else {
                    print.add(u64::from(is_open) << 32);
                }
            }
        }
        for &counter in self.state.counters() {
            print.add(u64::from(counter));
        }
        print.add(self.state.closed() as u64);
        print.add((self.state.closed() >> 64) as u64);
        self.add_choice(&mut print);
        for each in self.state.moves(program) {
            print.add(u64::from(each.code()));
        }
        print.0
    }

    /// Applies an entry of a journal. `blocks` are the cards that this entry and later ones stored.
    fn apply(&mut self, entry: Entry, blocks: &mut &[u8], print: &mut Print) {
        match entry {
            Entry::MoveCard { from, to, .. } => {
                print.add(1 << 32 | u64::from(from) << 8 | u64::from(to));
                if let Some(number) = self.piles[usize::from(from)].pop() {
                    self.piles[usize::from(to)].push(number);
                }
            }
            Entry::PullCard { from, to, depth, .. } => {
                print.add(5 << 32 | u64::from(depth) << 16 | u64::from(from) << 8 | u64::from(to));
                let source = &mut self.piles[usize::from(from)];
                let number = source.remove(source.len() - usize::from(depth));
                self.piles[usize::from(to)].push(number);
            }
            Entry::MoveBlock { from, to, from_end, to_end, count, reverse } => {
                print.add(u64::from(count) << 32 | u64::from(from) << 8 | u64::from(to));
                let source = &mut self.piles[usize::from(from)];
                let count = usize::from(count);
                *blocks = &blocks[count..];
                let mut block: Vec<u16> = match from_end {
                    End::Top => source.split_off(source.len() - count),
                    End::Bottom => source.drain(..count).collect(),
                };
                if reverse {
                    block.reverse();
                }
                let target = &mut self.piles[usize::from(to)];
                match to_end {
                    End::Top => target.extend(block),
                    End::Bottom => drop(target.splice(..0, block)),
                }
            }
            Entry::MovePile { from, to, count } => {
                print.add(u64::from(count) << 32 | u64::from(from) << 8 | u64::from(to));
                self.piles[usize::from(to)] = std::mem::take(&mut self.piles[usize::from(from)]);
            }
            Entry::Shuffle { pile, count } => {
                print.add(4 << 32 | u64::from(pile));
                let (block, rest) = blocks.split_at(2 * usize::from(count));
                *blocks = rest;
                let first = self.cards.len() as u16;
                self.cards.extend(block[usize::from(count)..].iter().map(|&byte| card(byte)));
                self.seen.resize(self.cards.len(), false);
                let after: Vec<u16> = (first..first + count).collect();
                let before = std::mem::replace(&mut self.piles[usize::from(pile)], after.clone());
                self.shuffles.push(Shuffle { before, after });
            }
            Entry::Shift { pile, from, to } => {
                print.add(5 << 32 | u64::from(pile));
                print.add(u64::from(from) << 16 | u64::from(to));
                let numbers = &mut self.piles[usize::from(pile)];
                let number = numbers.remove(usize::from(from));
                numbers.insert(usize::from(to), number);
            }
            Entry::Turn { pile } => print.add(2 << 32 | u64::from(pile)),
            Entry::Exchange { first, second } => {
                print.add(3 << 32 | u64::from(first) << 8 | u64::from(second));
                let (one, other) =
                    (self.piles[usize::from(first)].pop(), self.piles[usize::from(second)].pop());
                self.piles[usize::from(first)].extend(other);
                self.piles[usize::from(second)].extend(one);
            }
            // A player makes no leaps.
            Entry::Replace { .. }
            | Entry::Counter { .. }
            | Entry::Close { .. }
            | Entry::Choice { .. } => {}
        }
    }

    /// A hash of the position as the player knows it: cards that were not seen are blanks. Equal
    /// piles may have changed places.
    pub(super) fn picture(&self) -> u64 {
        let mut piles = 0u64;
        for (pile, numbers) in self.piles.iter().enumerate() {
            let mut print = Print::default();
            print.add(u64::from(self.state.class(pile)) << 32 | numbers.len() as u64);
            for (&number, &byte) in numbers.iter().zip(self.state.pile(pile)) {
                let known = if self.seen[usize::from(number)] { card(byte) } else { 63 };
                print.add(u64::from(known) << 1 | u64::from(is_face_down(byte)));
            }
            // A sum has no order.
            piles = piles.wrapping_add(print.0);
        }
        let mut print = Print::default();
        print.add(piles);
        for &counter in self.state.counters() {
            print.add(u64::from(counter));
        }
        print.add(self.state.closed() as u64);
        print.add((self.state.closed() >> 64) as u64);
        self.add_choice(&mut print);
        print.0
    }

    /// Adds the open choice.
    fn add_choice(&self, print: &mut Print) {
        let Choice { rule, source, target } = self.state.choice();
        print.add(u64::from(u32::from_be_bytes([0, rule, source, target])));
    }

    /// The number of cards on the table that have not been seen where they are now.
    pub(super) fn unseen(&self) -> usize {
        self.piles.iter().flatten().filter(|&&number| !self.seen[usize::from(number)]).count()
    }

    /// The number of cards seen so far. After a shuffle, its cards count again.
    pub(super) fn seen(&self) -> usize {
        self.seen.iter().filter(|&&is_seen| is_seen).count()
    }

    /// What a move does, wherever its cards lie among equal piles: its rule, the lowest card that
    /// moves, how many move, and the card on which it comes, or the class of a vacant pile.
    pub(super) fn effect(&self, played: Move) -> Effect {
        let pile = |pile: u8| self.piles.get(usize::from(pile));
        let lowest = pile(played.from())
            .and_then(|cards| cards.get(cards.len().checked_sub(usize::from(played.count()))?))
            .map_or(u32::from(played.from()) << 16, |&number| u32::from(number));
        let goal = match pile(played.to()) {
            Some(cards) => match cards.last() {
                Some(&top) => u32::from(top),
                None => u32::from(self.state.class(usize::from(played.to()))) << 16,
            },
            None => u32::from(played.to()) << 16,
        };
        Effect { rule: played.rule(), lowest, count: played.count(), goal }
    }

    /// The number of shuffles so far.
    pub(super) fn shuffles(&self) -> usize {
        self.shuffles.len()
    }

    /// A deck with the seen cards where they were and the others in a random order, and shuffles
    /// after which the seen cards lie where they were seen; none if chance has chosen badly.
    ///
    /// The real places of the others have no influence: they are sorted before they are shuffled.
    pub(super) fn imagine(
        &self,
        program: &Program,
        deck: usize,
        chance: &mut SplitMix64,
    ) -> Option<Imagined> {
        let seen = self.cards.iter().zip(&self.seen);
        let mut known: Vec<Option<u8>> =
            seen.map(|(&card, &is_seen)| is_seen.then_some(card)).collect();
        // A card seen after a shuffle was in the pile before it.
        for shuffle in self.shuffles.iter().rev() {
            let mut missing = cards_of(&known, &shuffle.after);
            for known in cards_of(&known, &shuffle.before) {
                let _ = remove(&mut missing, known);
            }
            let mut open = unknown(&known, &shuffle.before);
            if missing.len() > open.len() {
                return None;
            }
            mix(&mut open, chance);
            for (&number, card) in open.iter().zip(missing) {
                known[usize::from(number)] = Some(card);
            }
        }
        let mut pack = self.cards[..deck].to_vec();
        pack.sort_unstable();
        let dealt: Vec<u16> = (0..deck as u16).collect();
        fill(&mut known, pack, &dealt, chance)?;
        for shuffle in &self.shuffles {
            let mut cards = cards_of(&known, &shuffle.before);
            cards.sort_unstable();
            fill(&mut known, cards, &shuffle.after, chance)?;
        }
        let shuffles = self.shuffles.iter().map(|shuffle| cards_of(&known, &shuffle.after));
        Some(Imagined {
            deck: cards_of(&known, &dealt),
            shuffles: shuffles.collect(),
            seed: if program.shuffles { chance.next() } else { 0 },
        })
    }
}

/// The cards of those numbers that are known.
fn cards_of(known: &[Option<u8>], numbers: &[u16]) -> Vec<u8> {
    numbers.iter().filter_map(|&number| known[usize::from(number)]).collect()
}

/// Those of some numbers that are unknown.
fn unknown(known: &[Option<u8>], numbers: &[u16]) -> Vec<u16> {
    let is_unknown = |number: &u16| known[usize::from(*number)].is_none();
    numbers.iter().copied().filter(is_unknown).collect()
}

/// Gives the unknown numbers those of some cards that the known ones leave, in a random order.
/// Fails if a known card is not among them.
fn fill(
    known: &mut [Option<u8>],
    mut cards: Vec<u8>,
    numbers: &[u16],
    chance: &mut SplitMix64,
) -> Option<()> {
    for card in cards_of(known, numbers) {
        remove(&mut cards, card)?;
    }
    mix(&mut cards, chance);
    for (number, card) in unknown(known, numbers).into_iter().zip(cards) {
        known[usize::from(number)] = Some(card);
    }
    Some(())
}

/// Removes one of the cards that are equal to a card, if there is one.
fn remove(cards: &mut Vec<u8>, card: u8) -> Option<u8> {
    let place = cards.iter().position(|&other| other == card)?;
    Some(cards.remove(place))
}

/// Brings things into a random order.
fn mix<T>(things: &mut [T], chance: &mut SplitMix64) {
    for last in (1..things.len()).rev() {
        things.swap(last, chance.below(last as u64 + 1) as usize);
    }
}

/// A hash of numbers. It is the same on every machine.
#[derive(Default)]
struct Print(u64);

impl Print {
    fn add(&mut self, number: u64) {
        let mut mixed = (self.0 ^ number).wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        self.0 = mixed ^ mixed >> 31;
    }
}
