//! What the card-sets space needs to know of a program, and which programs it handles.

use crate::bits::ones;
use crate::card::{SUITED as CARDS, card, has, is_face_down};
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::random::SplitMix64;
use crate::search::spaces::card_links::packs::OnePack;
use crate::search::spaces::card_links::stock::Stock;
use crate::search::spaces::card_links::tables::{MoveUnit, Route, Tables};

/// The most piles whose cards are sources: columns and piles of reserves.
pub(super) const COLUMNS: usize = 24;

/// The most classes.
pub(super) const CLASSES: usize = 32;

/// The most segments of a column.
const SEGMENTS: usize = 60;

/// No class, no column.
pub(super) const NONE: u8 = u8::MAX;

/// What does not change in a search.
#[derive(Clone, Debug)]
pub(crate) struct SetTables {
    /// The tables of the card-links space.
    pub(super) links: Tables<OnePack>,
    /// The columns, and after them the piles of reserves.
    pub(super) columns: Vec<Column>,
    /// The number of columns on whose cards others can be put, and which can be vacant.
    pub(super) building: usize,
    /// The classes of cards that take the same cards, and of those cards.
    pub(super) classes: Vec<Class>,
    /// For each card the class in which it is put on cards, and the class in which it takes cards.
    pub(super) child_in: [u8; CARDS],
    pub(super) parent_in: [u8; CARDS],
    /// The cards that an empty column takes.
    pub(super) space: u64,
    /// Whether cards come back from foundations.
    pub(super) returns: bool,
    /// For each card the column that it is in at the root.
    pub(super) column_of: [u8; CARDS],
    /// For each card the one that comes on it on its foundation, as a mask.
    pub(super) next: [u64; CARDS],
    /// The last cards of foundations, and the cards on which none can be put.
    pub(super) last: u64,
    pub(super) childless: u64,
    /// The numbers whose sum is the key: by card for being up, and for being the head of a
    /// column; by card for being in the stock; by the number of cards on the waste; and by the card
    /// that must be built on next (`reserve_macro.rs`).
    pub(super) up_keys: [u128; CARDS],
    pub(super) head_keys: [u128; CARDS],
    pub(super) stock_keys: [u128; CARDS],
    pub(super) dealt_keys: [u128; CARDS + 1],
    pub(super) due_keys: [u128; CARDS],
}

/// A pile whose lower cards cannot be used before the upper ones left.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) pile: usize,
    /// Its segments from the bottom: the lowest card of each, and all its cards.
    pub(super) segments: Vec<(u8, u64)>,
}

/// Cards that take the same cards.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub(super) parents: u64,
    pub(super) children: u64,
}

impl SetTables {
    /// The tables of a game, for positions after a root; none if it is not of this kind.
    pub(crate) fn new(program: &Program, root: &State, links: &Tables<OnePack>) -> Option<Self> {
        let pack = links.order.pack;
        let [first, ..] = links.routes.as_slice() else { return None };
        let target = first.to;
        let routes = || links.routes.iter().chain(&links.returns);
        // One group of columns is built on, in one way.
        let has_redeals = links.stock.as_ref().is_some_and(Stock::has_redeals);
        let is_alike = |route: &Route<OnePack>| {
            route.to == target && route.under == first.under && route.space == first.space
        };
        if !routes().all(is_alike)
            || !links.faces.is_suited()
            || links.refill.is_some()
            || has_redeals
        {
            return None;
        }
        let mut from_columns = links.routes.iter().filter(|route| route.from == target);
        let (Some(own), None) = (from_columns.next(), from_columns.next()) else { return None };
        let MoveUnit::Run(run) = own.unit else { return None };
        let run = &program.relations[usize::from(run)];
        let is_run = ones(pack).all(|card| run.under[card] & pack == first.under[card] & pack);
        let is_complete = (0..links.zones).all(|zone| {
            links.reaches_foundation[zone]
                && links.routes.iter().any(|route| route.from == zone)
                && (zone == target
                    || links
                        .routes
                        .iter()
                        .all(|route| route.from != zone || route.unit == MoveUnit::Top))
        });
        if !is_run || !is_complete {
            return None;
        }
        let under: [u64; CARDS] =
            std::array::from_fn(
                |card| {
                    if has(pack, card as u8) { first.under[card] & pack } else { 0 }
                },
            );
        let (classes, child_in, parent_in) = classes(pack, &under)?;
        if classes.len() > CLASSES {
            return None;
        }
        let space = first.space & pack;
        // Cards that can lie on the bottom of a column can lie on no card.
        if ones(space).any(|card| under[card] != 0) {
            return None;
        }
        let mut next = [0; CARDS];
        for card in ones(pack) {
            for before in ones(links.order.before[card]) {
                next[before] = 1 << card;
            }
        }
        let mut tables = Self {
            links: links.clone(),
            columns: Vec::new(),
            building: 0,
            classes,
            child_in,
            parent_in,
            space,
            returns: !links.returns.is_empty(),
            column_of: [NONE; CARDS],
            next,
            last: ones(pack).filter(|&card| next[card] == 0).fold(0, |last, card| last | 1 << card),
            childless: ones(pack)
                .filter(|&card| parent_in[card] == NONE)
                .fold(0, |cards, card| cards | 1 << card),
            up_keys: [0; CARDS],
            head_keys: [0; CARDS],
            stock_keys: [0; CARDS],
            dealt_keys: [0; CARDS + 1],
            due_keys: [0; CARDS],
        };
        tables.read_columns(root, target, &under)?;
        tables.find_keys();
        Some(tables)
    }

    fn read_columns(&mut self, root: &State, target: usize, under: &[u64; CARDS]) -> Option<()> {
        for is_built in [true, false] {
            for (pile, cards) in root.piles().enumerate() {
                let Some(zone) = self.links.zone_of[pile] else { continue };
                if (zone == target) != is_built || zone == self.links.waste {
                    continue;
                }
                let mut segments: Vec<(u8, u64)> = Vec::new();
                let mut below = None;
                for &byte in cards {
                    let here = card(byte);
                    let fits = |below: u8| {
                        !is_face_down(below) && has(under[usize::from(here)], card(below))
                    };
                    match segments.last_mut() {
                        Some((_, all))
                            if is_built && !is_face_down(byte) && below.is_some_and(fits) =>
                        {
                            *all |= 1 << here;
                        }
                        _ => segments.push((here, 1 << here)),
                    }
                    below = Some(byte);
                }
                if segments.len() > SEGMENTS {
                    return None;
                }
                for &(head, _) in &segments {
                    self.column_of[usize::from(head)] = self.columns.len() as u8;
                }
                self.columns.push(Column { pile, segments });
            }
            if is_built {
                self.building = self.columns.len();
            }
        }
        (self.columns.len() <= COLUMNS).then_some(())
    }

    fn find_keys(&mut self) {
        let mut generator = SplitMix64::new(0x5E75_0000);
        let mut number = || u128::from(generator.next()) << 64 | u128::from(generator.next());
        for keys in [&mut self.up_keys, &mut self.head_keys, &mut self.stock_keys] {
            keys.fill_with(&mut number);
        }
        self.dealt_keys.fill_with(&mut number);
        self.dealt_keys[0] = 0;
        self.due_keys.fill_with(&mut number);
    }

    /// The game in which every card of the stock can always be reached; none if that is this game,
    /// or if there is no stock.
    ///
    /// *The claim.* If that game cannot be won, this one cannot.
    ///
    /// *Proof.* Drop the turns of the stock from a winning line. The other moves can be made in
    /// that game: each card of the stock is reached there by turns alone, and nothing else depends
    /// on the stock. That game meets all conditions of this space: only the stock is another one.
    /// So all prunings hold there, too, and its line wins.
    pub(crate) fn with_free_stock(&self) -> Option<Self> {
        let free = self.stock().filter(|stock| !stock.is_reserve())?.freed();
        let links = Tables { stock: Some(free), ..self.links.clone() };
        Some(Self { links, ..self.clone() })
    }

    /// The stock, if there is one.
    pub(super) const fn stock(&self) -> Option<&Stock<OnePack>> {
        self.links.stock.as_ref()
    }
}

/// The classes of cards, and for each card those in which it is a child and a parent; none if the
/// cards on which two cards can lie are neither the same nor disjoint, or if cards can lie on each
/// other in a circle.
#[allow(clippy::type_complexity, reason = "it is used once")]
fn classes(pack: u64, under: &[u64; CARDS]) -> Option<(Vec<Class>, [u8; CARDS], [u8; CARDS])> {
    let mut classes: Vec<Class> = Vec::new();
    let (mut child_in, mut parent_in) = ([NONE; CARDS], [NONE; CARDS]);
    for child in ones(pack).filter(|&child| under[child] != 0) {
        let found = classes.iter().position(|class| class.parents == under[child]);
        let at = found.unwrap_or_else(|| {
            classes.push(Class { parents: under[child], children: 0 });
            classes.len() - 1
        });
        classes[at].children |= 1 << child;
        child_in[child] = at as u8;
        for parent in ones(under[child]) {
            if parent_in[parent] != NONE && usize::from(parent_in[parent]) != at {
                return None;
            }
            parent_in[parent] = at as u8;
        }
    }
    // Each pass takes away the cards that can lie on none of the others.
    let mut left = pack;
    loop {
        let roots = ones(left).filter(|&card| under[card] & left == 0);
        let roots = roots.fold(0, |roots, card| roots | 1 << card);
        if roots == 0 {
            return (left == 0).then_some((classes, child_in, parent_in));
        }
        left &= !roots;
    }
}
