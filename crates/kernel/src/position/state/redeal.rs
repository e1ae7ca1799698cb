//! Piles that are gathered and dealt again, as one change.

use super::{State, Touched, turned};
use crate::position::journal::{Entry, Journal};
use crate::program::compiled::Program;
use crate::program::format::End;
use crate::program::redeal::Redeal;

impl State {
    /// Gathers piles and deals their cards as the first change of a move. The journal does not say
    /// where each card went. Returns false, and changes nothing, if there is no room for all cards
    /// in one pile.
    pub(crate) fn redeal(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        redeal: &Redeal,
    ) -> bool {
        let pack = usize::from(redeal.pack);
        let lengths = redeal.gathered.iter().map(|&pile| self.len(usize::from(pile)));
        if lengths.sum::<usize>() > self.free_slots(pack) {
            return false;
        }
        let mut cards = std::mem::take(&mut journal.redealt);
        cards.clear();
        self.gather(redeal, &mut cards);
        for &pile in &redeal.gathered {
            if !self.is_vacant(usize::from(pile)) {
                self.save_cards(journal, pile);
                let slot = &mut self.slots[usize::from(pile)];
                (slot.hash, slot.len) = (0, 0);
            }
        }
        self.save_cards(journal, redeal.pack);
        let mut left = cards.len();
        for deal in &redeal.deals {
            for &pile in &deal.to {
                let slot = &self.slots[usize::from(pile)];
                let most = if slot.closed { 0 } else { deal.each.min(slot.capacity - slot.len) };
                let count = usize::from(most).min(left);
                if count == 0 {
                    continue;
                }
                if slot.touched == Touched::No {
                    self.save_cards(journal, pile);
                }
                let slot = &mut self.slots[usize::from(pile)];
                let height = usize::from(slot.len);
                let place = usize::from(slot.start) + height;
                for (above, &byte) in cards[left - count..left].iter().rev().enumerate() {
                    let laid = turned(byte, deal.face);
                    self.slab[place + above] = laid;
                    slot.hash ^= program.keys.card(laid, height + above);
                }
                slot.len += count as u16;
                left -= count;
            }
        }
        self.lay_rest(program, redeal, &cards[..left]);
        journal.redealt = cards;
        let since = journal.marks.last().map_or(0, |mark| mark.saved);
        for saved in &journal.saved[since..] {
            let is_vacant = self.is_vacant(usize::from(saved.pile));
            self.set_vacant(saved.pile, is_vacant);
        }
        true
    }

    /// Lists the cards of the pack after piles were gathered there, bottom card first.
    fn gather(&self, redeal: &Redeal, cards: &mut Vec<u8>) {
        let add = |cards: &mut Vec<u8>, pile: u8| {
            let pile = self.pile(usize::from(pile)).iter().map(|&byte| turned(byte, redeal.face));
            if redeal.turned { cards.extend(pile.rev()) } else { cards.extend(pile) }
        };
        let pack = self.pile(usize::from(redeal.pack));
        match redeal.at {
            End::Top => {
                cards.extend_from_slice(pack);
                redeal.gathered.iter().for_each(|&pile| add(cards, pile));
            }
            End::Bottom => {
                redeal.gathered.iter().rev().for_each(|&pile| add(cards, pile));
                cards.extend_from_slice(pack);
            }
        }
    }

    /// Leaves the cards in the pack that were not dealt.
    fn lay_rest(&mut self, program: &Program, redeal: &Redeal, cards: &[u8]) {
        let pack = usize::from(redeal.pack);
        let before = self.len(pack);
        if redeal.at == End::Top && before <= cards.len() {
            let more = cards.iter().enumerate().skip(before);
            let keys = more.map(|(depth, &byte)| program.keys.card(byte, depth));
            self.slots[pack].hash ^= keys.fold(0, |hash, key| hash ^ key);
        } else if cards.is_empty() {
            self.slots[pack].hash = 0;
        } else {
            self.slots[pack].touched = Touched::NeedsRehash;
        }
        self.set_cards(pack, cards);
    }

    /// Saves the cards of a pile that no change of the move has touched.
    fn save_cards(&mut self, journal: &mut Journal, pile: u8) {
        debug_assert_eq!(self.slots[usize::from(pile)].touched, Touched::No);
        self.touch(journal, usize::from(pile));
        let cards = self.pile(usize::from(pile));
        journal.entries.push(Entry::Replace { pile, count: cards.len() as u16 });
        journal.cards.extend_from_slice(cards);
    }
}
