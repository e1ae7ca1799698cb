//! Reserve macro: a card of the stock goes to a column only to be built on at once.
//!
//! *Where it holds.* In games of the card-sets space whose stock is turned by single cards without
//! limit, so that all its cards can always be played, and taking one changes nothing for the
//! others. In other stocks a card can be worth taking because others are reached then.
//!
//! *The claim.* Let a position without a card that is due be won in n steps at best. Then some line
//! of at most n steps wins in which every card x that goes from the stock to a column comes into a
//! class without room (`card_sets/mod.rs`), and the next step uses the room that x makes: a child
//! of the class comes to a column, or another parent of it goes up. Until this step x is *due*.
//!
//! *Proof.* Take a shortest winning line, and let s be its first step that is none from the stock
//! to a column; call D the steps before s. Until s they turn nothing up, and the foundations stay.
//! - If s can be made without D, make it first, and D afterwards.
//! - Otherwise s needs room in a class that has none without D, since D can add nothing else: a
//!   child comes to a column, or a parent goes up. Such a parent is not in D: it could have gone up
//!   from the stock at once, and the line would not be a shortest one (what D puts on it has room
//!   elsewhere, as that parent has nothing on it when it goes up). So some x of D is a parent of
//!   the class. Make s right after x. If x needs room that it does not have without the other steps
//!   of D, take in the same way one of D that makes it, and so on; higher and higher cards
//!   (condition 4 of `card_sets/mod.rs`), so this ends. These steps, from the last one found to s,
//!   come first: each uses the room of the one before. The others of D follow, parents before
//!   children. Room in a class then first grows and then shrinks to what it is in the line after D
//!   and s, so there is always enough.
//!
//! Either way s comes after cards that are due one after the other, in a line that is no longer,
//! and a shorter line remains, to which the same applies.
//!
//! *Safe play.* It changes a shortest winning line into one that is not longer and begins with the
//! safe card (`spaces/safe_play.rs`). It is left out while a card is due, so the argument begins
//! where no card is safe.

use crate::bits::ones;
use crate::search::spaces::card_links::stock::Stock;
use crate::search::spaces::card_sets::space::{CardSetsSpace, Step};
use crate::search::spaces::card_sets::tables::{Class, NONE};

impl CardSetsSpace<'_> {
    /// Whether it applies.
    fn has_reserve_macro(&self) -> bool {
        self.prunings.reserve_macro && self.tables.stock().is_some_and(Stock::is_reserve)
    }

    /// Those cards of the stock that may go to columns, given all cards that can come to columns.
    pub(super) fn worth_placing(&self, reach: u64, arriving: u64) -> u64 {
        if !self.has_reserve_macro() {
            return reach;
        }
        let (tables, at) = (self.tables, &self.at);
        // Their classes have no room, and something could use it.
        let is_of_use = |&card: &usize| {
            let class = &tables.classes[usize::from(tables.parent_in[card])];
            class.children & arriving | class.parents & at.open & at.wanted != 0
        };
        let cards = ones(reach & !at.roomy & !tables.childless).filter(is_of_use);
        cards.fold(0, |cards, card| cards | 1 << card)
    }

    /// Those of some cards that may go up and come to columns: if a card is due, those that use the
    /// room on it.
    pub(super) fn using_room(&self, ups: u64, downs: u64) -> (u64, u64) {
        let Some(due) = self.at.due.checked_sub(1) else { return (ups, downs) };
        let Class { parents, children } =
            self.tables.classes[usize::from(self.tables.parent_in[usize::from(due)])];
        (ups & parents & self.at.open & !(1 << due), downs & children)
    }

    /// Notes before a step which card is due after it.
    pub(super) fn note_due(&mut self, step: Step) {
        let keys = &self.tables.due_keys;
        if let Some(due) = self.at.due.checked_sub(1) {
            self.at.key = self.at.key.wrapping_sub(keys[usize::from(due)]);
        }
        let card = step.card();
        self.at.due = 0;
        if !step.goes_up() && self.at.stock >> card & 1 != 0 && self.has_reserve_macro() {
            debug_assert_ne!(self.tables.parent_in[usize::from(card)], NONE, "nothing fits on it");
            self.at.due = card + 1;
            self.at.key = self.at.key.wrapping_add(keys[usize::from(card)]);
        }
    }
}
