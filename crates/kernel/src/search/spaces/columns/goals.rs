//! What foundations take that are built card by card.

use crate::bits::bits;
use crate::card::{CARDS, is_face_down};
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::Condition;
use crate::search::spaces::columns::limits::FOUNDATIONS;
use crate::search::spaces::foundation_order::{FoundationOrder, copies};
use crate::search::spaces::safe_moves::SafeMoves;
use crate::search::spaces::settled::settled_bases;
use crate::search::spaces::waits::{Rows, rows};

/// What the foundations of a build order take.
pub(super) struct Order {
    /// By height: the cards wanted there.
    pub(super) wants: Vec<u64>,
    /// For each card the cards that may lie on it, if the order has a relation.
    pub(super) over: Option<[u64; CARDS]>,
    /// By height: in how many steps each card is wanted.
    pub(super) rows: Rows,
}

/// What the foundations of a program take.
pub(super) struct Goals {
    pub(super) orders: Vec<Order>,
    /// Their piles, in the order in which they are filled, and the build order of each.
    pub(super) piles: Vec<u8>,
    pub(super) order: Vec<u8>,
    /// For each foundation the first one that is interchangeable with it.
    pub(super) alike: Vec<u8>,
    /// Whether the cards that are up determine all that matters of foundations.
    pub(super) is_determined: bool,
    /// Whether the top card of each foundation determines the cards below it.
    pub(super) is_suited: bool,
    /// Whether it matters which cards lie below the top card of a foundation, since they may come
    /// back and do not follow from it.
    pub(super) keeps_cards: bool,
    /// The most cards of a foundation.
    pub(super) height: usize,
    /// All cards of the game, and the number of copies of each.
    pub(super) pack: u64,
    pub(super) copies: [u8; CARDS],
    /// The safe moves, if there is a proof for the rules.
    pub(super) safe_moves: Option<SafeMoves>,
}

impl Goals {
    /// What the foundations of a program take after a root, if the aim is that all cards go there
    /// card by card, and if that depends only on the height and the top card of each; otherwise
    /// none.
    pub(super) fn new(program: &Program, root: &State) -> Option<Self> {
        let mut foundations = 0;
        for condition in &program.source().aim {
            let Condition::Complete { piles } = condition else { return None };
            foundations |= piles.0;
        }
        let order_of = |pile: usize| program.places[pile].build_order;
        let piles: Vec<u8> = bits(foundations).map(|pile| pile as u8).collect();
        let ordered = bits(program.all_piles).filter(|&pile| order_of(pile).is_some());
        if piles.is_empty() || piles.len() > FOUNDATIONS || !ordered.eq(bits(foundations)) {
            return None;
        }
        let single = FoundationOrder::new(program, root);
        let bases = settled_bases(program, root)?;
        let mut orders = Vec::new();
        for (build_order, base) in program.build_orders.iter().zip(bases) {
            let first = bits(build_order.piles).next()?;
            if build_order.one_suit_each && single.is_none() {
                return None;
            }
            let steps = build_order.wants.len();
            orders.push(Order {
                wants: (0..steps).map(|at| root.wanted(program, first, at, None)).collect(),
                over: build_order
                    .relation
                    .map(|relation| program.relations[usize::from(relation)].over),
                rows: rows(build_order, base),
            });
        }
        let order: Vec<u8> = bits(foundations).map(order_of).collect::<Option<_>>()?;
        let is_whole = |(&pile, &order): (&u8, &u8)| {
            let place = &program.places[usize::from(pile)];
            place.complete == orders[usize::from(order)].wants.len()
        };
        let all_are_whole = piles.iter().zip(&order).all(is_whole);
        let wanted: usize = order.iter().map(|&order| orders[usize::from(order)].wants.len()).sum();
        let copies = copies(root, program.all_piles);
        let cards: usize = copies.iter().map(|&number| usize::from(number)).sum();
        let is_open = |&pile: &u8| !root.pile(pile.into()).iter().any(|&byte| is_face_down(byte));
        if !all_are_whole || wanted != cards || !piles.iter().all(is_open) {
            return None;
        }
        Some(Self {
            height: orders.iter().map(|order| order.wants.len()).max().unwrap_or(0),
            orders,
            alike: (0..piles.len() as u8).collect(),
            piles,
            order,
            is_determined: single.is_some(),
            is_suited: single.is_some_and(|single| single.is_suited()),
            keeps_cards: false,
            pack: (0..CARDS)
                .filter(|&face| copies[face] > 0)
                .fold(0, |pack, face| pack | 1 << face),
            copies,
            safe_moves: None,
        })
    }

    /// The same, where the plays that are safe are known, and the foundations of each rule that
    /// plays to them or brings cards back.
    pub(super) fn ready(
        mut self,
        rules: &[u32],
        give_back: bool,
        safe_moves: Option<SafeMoves>,
    ) -> Self {
        let are_alike = |one: usize, other: usize| {
            self.order[one] == self.order[other]
                && rules.iter().all(|to| (to >> one ^ to >> other) & 1 == 0)
        };
        let first = |at: usize| (0..at).find(|&other| are_alike(other, at)).unwrap_or(at);
        self.alike = (0..self.piles.len()).map(|at| first(at) as u8).collect();
        // Otherwise it matters which foundation holds a card.
        self.is_determined &= self.alike.iter().all(|&first| first == 0);
        self.keeps_cards = give_back && !(self.is_determined && self.is_suited);
        self.is_determined &= !self.keeps_cards;
        Self { safe_moves, ..self }
    }

    /// The foundations among some piles.
    pub(super) fn among(&self, piles: u128) -> u32 {
        let places = self.piles.iter().enumerate();
        places.fold(0, |all, (index, &pile)| all | u32::from(piles >> pile & 1 != 0) << index)
    }

    /// The build order of a foundation.
    #[inline]
    pub(super) fn order(&self, index: usize) -> &Order {
        &self.orders[usize::from(self.order[index])]
    }
}
