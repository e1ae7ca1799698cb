//! The evaluation: how promising a position looks.
//!
//! It counts only features that every program has: cards that have not gone up, cards that lie on
//! others which are wanted sooner, how deep the cards wanted next are buried, cards that must go up
//! together but are wanted at different times, cards that lie on a card they can be built on, cards
//! that move together with the one they lie on, empty piles, face-down cards, cards left in the
//! stock, piles that fit together (`merging.rs`). It knows no particular game.

use crate::bits::{bits, ones};
use crate::card::{CARDS, card, is_face_down, rank};
use crate::play::lines::OrderedLines;
use crate::position::state::State;
use crate::program::actions::CompiledAction;
use crate::program::compiled::{BuildOrder, Program};
use crate::program::format::{Condition, Unit};
use crate::program::hash;
use crate::random::random_key;
use crate::search::spaces::foundation_order::copies;
use crate::search::spaces::merging::Merging;
use crate::search::spaces::piles::in_common;
use crate::search::spaces::settled::settled_bases;
use crate::search::weights::Weights;

/// Cards wanted in more steps than this are not wanted *soon*.
pub(crate) const NEAR: u8 = 6;

/// The depth from which burying a card deeper is no worse.
pub(crate) const DEEP: i32 = 20;

/// The length of tables of cards. With a power of two, no index needs a check.
pub(crate) const TABLE: usize = 64;

/// How many versions of a pile are kept.
const VERSIONS: usize = 64;

/// How many wishes are kept.
const WISHES: usize = 128;

/// Evaluates the positions of one game.
#[derive(Clone)]
pub(crate) struct Evaluation<'p> {
    program: &'p Program,
    weights: Weights,
    /// For each build order: in how many steps it wants each card.
    waits: Vec<Vec<Rows>>,
    /// The counters on which it depends what a build order wants.
    bases: Vec<u8>,
    /// How many copies of each card there are.
    copies: [u8; CARDS],
    /// Piles from which rules play to the goals, piles that are built on, piles whose cards go up
    /// together.
    feeding: u128,
    built: u128,
    jointly: u128,
    /// For each card the cards that may be built on it outside foundations.
    build: [u64; TABLE],
    /// For each card the cards that may lie on it and move together with it.
    carry: [u64; TABLE],
    merging: Merging,
    /// Piles where the aim wants cards.
    goals: u128,
    /// Piles that the aim wants empty.
    clears: u128,
    /// Lines in which the aim wants cards in order.
    ordered: Vec<OrderedLines>,
    /// What a position must be worth, if points decide.
    target: Option<i64>,
    /// Piles other than goals and the stock that a move can fill.
    open: u128,
    /// Whether cards count as the same in hashes of piles.
    merges_cards: bool,
    /// The results of earlier evaluations.
    last: Cache,
}

/// The cached parts of an evaluation. The next position mostly differs in a few piles only, and
/// nearly all piles and wishes of a search come again and again. So many of them are kept.
#[derive(Clone)]
struct Cache {
    wishes: Wishes,
    /// Wishes by the last bits of the number of the goals.
    known: Vec<Wishes>,
    /// For each goal a number for its cards, and the sum of these.
    goals: Vec<u128>,
    all_goals: u128,
    /// The sum over all piles.
    sum: i32,
    piles: Vec<Pile>,
    /// For each pile its versions, by the last bits of their keys.
    parts: Vec<Part>,
    /// For each pile the cards of which a part was last computed. Mostly only the top ones differ
    /// from those of the next part.
    layers: Vec<Layers>,
    /// The piles in which a card lies that is wanted soon.
    finders: u128,
}

impl Cache {
    /// The cache before the first evaluation.
    fn new(program: &Program) -> Self {
        let count = program.places.len();
        Self {
            wishes: Wishes::default(),
            known: vec![Wishes::default(); WISHES],
            goals: vec![0; count],
            all_goals: 0,
            sum: 0,
            piles: vec![Pile::default(); count],
            parts: vec![Part::default(); count * VERSIONS],
            layers: vec![Layers::default(); count],
            finders: 0,
        }
    }
}

/// What the goals want.
#[derive(Clone, Copy)]
struct Wishes {
    /// A number for the cards of all goals and the bases.
    goals: u128,
    /// A number for what is wanted, the same for all goals that want the same; 0 before anything is
    /// wanted.
    epoch: u128,
    /// For each card: in how many steps it is wanted.
    order: [u8; TABLE],
    /// The cards wanted next.
    wanted: u64,
    /// The cards wanted soon, by the evaluation.
    soon: u64,
}

impl Default for Wishes {
    fn default() -> Self {
        Self { goals: 0, epoch: 0, order: [u8::MAX; TABLE], wanted: 0, soon: 0 }
    }
}

impl Wishes {
    /// The wishes of goals with a number.
    fn new(goals: u128, order: [u8; TABLE], wanted: u64, looks_ahead: bool) -> Self {
        let near = (0..TABLE).filter(|&here| looks_ahead && order[here] <= NEAR);
        let soon = near.fold(wanted, |soon, here| soon | 1 << here);
        let epoch = eights(&order)
            .fold(u128::from(wanted), |epoch, waits| hash::mix(epoch ^ u128::from(waits) << 64));
        Self { goals, epoch, order, wanted, soon }
    }

    /// The cards that others want sooner or later.
    fn differing(&self, others: &Self) -> u64 {
        self.wanted ^ others.wanted | differing(&self.order, &others.order)
    }
}

/// The cards of which the entries of two tables differ.
pub(crate) fn differing(one: &[u8; TABLE], other: &[u8; TABLE]) -> u64 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let pairs = (0..).step_by(8).zip(eights(one).zip(eights(other)));
    pairs.fold(0, |cards, (first, (one, other)): (u32, _)| {
        // The top bit of each byte that differs; the product gathers these bits.
        let differing = one ^ other;
        let differing = ((differing & LOW).wrapping_add(LOW) | differing) & !LOW;
        cards | ((differing >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << first
    })
}

/// The bytes of a table in eights.
fn eights(table: &[u8; TABLE]) -> impl Iterator<Item = u64> {
    table.as_chunks::<8>().0.iter().map(|&eight| u64::from_le_bytes(eight))
}

/// A pile as it was last seen.
#[derive(Clone, Copy, Default)]
struct Pile {
    /// A number for its cards.
    identity: u128,
    /// The place of its part.
    part: usize,
    sum: i32,
    /// Whether a card lies in it that is wanted soon.
    finds: bool,
    /// The cards, but of the stock.
    cards: u64,
}

/// The part of a pile in the distance.
#[derive(Clone, Default)]
struct Part {
    /// A number for the cards of the pile and what was wanted.
    key: u128,
    sum: i32,
    cards: u64,
    /// The cards that are wanted soon, and how deep each is buried.
    found: Vec<(u8, i32)>,
}

/// What the cards of a pile come to, card by card.
#[derive(Clone, Default)]
struct Layers {
    /// The number of what was wanted.
    epoch: u128,
    pile: Vec<u8>,
    /// What the cards up to each one come to.
    laid: Vec<Laid>,
    /// The cards that are wanted soon, and how many cards lie below each.
    found: Vec<(u8, u16)>,
}

/// What some cards of a pile come to, besides their number.
#[derive(Clone, Copy)]
struct Laid {
    cards: u64,
    sum: i32,
    /// In how many steps the first of them is wanted.
    soonest: u8,
}

impl Default for Laid {
    fn default() -> Self {
        Self { cards: 0, sum: 0, soonest: u8::MAX }
    }
}

impl<'p> Evaluation<'p> {
    /// Prepares the evaluation for positions after a root.
    pub(crate) fn new(program: &'p Program, root: &State, weights: Weights) -> Self {
        let game = program.source();
        let (mut goals, mut clears) = (0, 0);
        for condition in &game.aim {
            match condition {
                Condition::Complete { piles } | Condition::Filled { piles, .. } => goals |= piles.0,
                Condition::Vacant { piles, .. } => clears |= piles.0,
                _ => {}
            }
        }
        let mut build = [0; TABLE];
        let mut carry = [0; TABLE];
        let (mut open, mut feeding, mut packed, mut jointly) = (0, 0, 0, 0);
        for plan in &program.plans {
            if let CompiledAction::Joint(action) = &plan.kind {
                for part in &action.together {
                    let piles = part.from.iter().fold(0, |piles, &pile| piles | 1 << pile);
                    feeding |= piles;
                    jointly |= if part.holds > 1 { piles } else { 0 };
                }
            }
            let CompiledAction::Move(plan) = &plan.kind else { continue };
            if plan.action.build_order {
                feeding |= plan.from_mask;
                continue;
            }
            if plan.action.to_holds[0] == 0 && plan.action.space.0 != 0 {
                open |= plan.to_mask;
            }
            if let (Unit::Run { relation, most: 2.., .. } | Unit::Longest { relation }, Some(_)) =
                (&plan.action.cards, plan.action.build)
            {
                let over = &program.relations[usize::from(*relation)].over;
                carry.iter_mut().zip(over).for_each(|(sum, row)| *sum |= row);
            }
            if let Some(relation) = plan.action.build {
                packed |= plan.to_mask;
                let over = &program.relations[usize::from(relation)].over;
                build.iter_mut().zip(over).for_each(|(sum, row)| *sum |= row);
            }
        }
        Self {
            program,
            weights,
            waits: waits(program, root),
            copies: copies(root, program.all_piles),
            bases: game.build_orders.iter().filter_map(|build_order| build_order.base).collect(),
            feeding,
            built: packed,
            jointly,
            build,
            carry,
            merging: Merging::new(program),
            goals,
            clears,
            ordered: OrderedLines::of_aim(program),
            target: program.target(),
            open: open & !goals & !(1 << game.source_pile),
            merges_cards: program.keys.merge_cards(),
            last: Cache::new(program),
        }
    }

    /// The number of cards that are not where the aim wants them yet.
    pub(crate) fn cards_to_go(&self, state: &State) -> u64 {
        let piles =
            if self.goals == 0 { self.clears } else { self.program.all_piles & !self.goals };
        let stock = usize::from(self.program.source().source_pile);
        let coming = if self.target.is_some() { state.len(stock) as u64 } else { 0 };
        let held = bits(piles).map(|pile| state.len(pile) as u64).sum::<u64>();
        held + coming + self.out_of_order(state)
    }

    /// Whether nothing can be built on a card any more, since all cards that fit it have gone up.
    pub(crate) fn is_of_no_use(&self, state: &State, lowest: u8) -> bool {
        let up = copies(state, self.goals);
        ones(self.build[usize::from(lowest)]).all(|other| up[other] == self.copies[other])
    }

    /// Cards that are not where the aim wants them yet, cards in the stock, and other face-down
    /// cards.
    pub(crate) fn progress_left(&self, state: &State) -> usize {
        let stock = usize::from(self.program.source().source_pile);
        let piles =
            if self.goals == 0 { self.clears } else { self.program.all_piles & !self.goals };
        let held = bits(piles).map(|pile| state.len(pile)).sum::<usize>();
        let others = self.program.all_piles & !(1 << stock);
        let hidden = bits(others)
            .map(|pile| state.pile(pile).iter().filter(|&&card| is_face_down(card)).count())
            .sum::<usize>();
        held + state.len(stock) + hidden
    }

    /// The number of cards that the aim wants in order and that do not lie so.
    fn out_of_order(&self, state: &State) -> u64 {
        let lines = self.ordered.iter();
        lines.map(|lines| lines.out_of_order(self.program, state) as u64).sum()
    }

    /// The rows of a pile with a build order.
    fn rows(&self, state: &State, build_order: u8, pile: usize) -> &Rows {
        let waits = &self.waits[usize::from(build_order)];
        if let [rows] = waits.as_slice() {
            return rows;
        }
        let build_order = &self.program.build_orders[usize::from(build_order)];
        let base = match build_order.base {
            Some(base) => state.counters()[usize::from(base)],
            None => state.pile(pile).first().map_or(0, |&bottom| u16::from(rank(card(bottom)))),
        };
        let place = build_order.places.get(usize::from(base)).copied().unwrap_or(0);
        waits.get(usize::from(place)).unwrap_or(&waits[0])
    }

    /// For each card: in how many steps the first goal will want it; its rank in games without
    /// build orders.
    fn order(&self, state: &State) -> [u8; TABLE] {
        let program = self.program;
        if self.waits.is_empty() {
            return std::array::from_fn(|here| rank(here as u8));
        }
        let mut order = [u8::MAX; TABLE];
        let mut begun = 0u64;
        for pile in bits(self.goals) {
            let Some(build_order) = program.places[pile].build_order else { continue };
            let rows = self.rows(state, build_order, pile);
            let suited = program.source().build_orders[usize::from(build_order)].relation.is_some();
            let height = state.len(pile).min(rows.len() - 1);
            let suit = if height > 0 && suited {
                usize::from(card(state.pile(pile)[0]) % 4)
            } else if height > 0 || begun >> build_order & 1 == 0 {
                begun |= if height == 0 { 1 << build_order } else { 0 };
                ALL_SUITS
            } else {
                // Empty piles with the same build order are alike.
                continue;
            };
            let least = order.iter_mut().zip(&rows[height][suit]);
            least.for_each(|(least, &wait)| *least = wait.min(*least));
        }
        order
    }

    /// The estimated distance of a position from the aim. `changed` are the piles that may differ
    /// from those of the last evaluated position; all piles for the first one.
    pub(crate) fn heuristic(&mut self, state: &State, changed: u128) -> i32 {
        let changed = changed & self.program.all_piles;
        // A base may change while no goal does. Without goals the order never changes.
        let is_based = !self.bases.is_empty();
        if changed & self.goals != 0 || changed == self.program.all_piles || is_based {
            let differing = self.look_at_goals(state, changed);
            let piles = if differing == 0 { 0 } else { self.last.piles.len() };
            for pile in 0..piles {
                if self.last.piles[pile].cards & differing != 0 {
                    self.look_at_pile(state, pile, true);
                }
            }
        }
        for pile in bits(changed & !self.goals) {
            self.look_at_pile(state, pile, false);
        }
        let Cache { wishes, sum, piles, parts, finders, .. } = &self.last;
        let weights = &self.weights;
        let mut sum =
            sum + weights.vacancy * (self.open & state.vacant()).count_ones().cast_signed();
        let mut buried = [DEEP; TABLE];
        let mut found = 0u64;
        for pile in bits(*finders) {
            for &(here, depth) in &parts[piles[pile].part].found {
                let here = usize::from(here) % TABLE;
                found |= 1 << here;
                buried[here] = depth.min(buried[here]);
            }
        }
        for here in ones(found) {
            sum += if wishes.wanted >> here & 1 != 0 {
                weights.burying * buried[here]
            } else {
                weights.ahead * buried[here] / (i32::from(wishes.order[here]) + 1)
            };
        }
        sum += weights.remaining * i32::from(self.out_of_order(state) as u16);
        if !self.merging.is_empty() {
            sum += weights.unmatched * self.merging.unmatched(state);
        }
        if let Some(target) = self.target {
            let missing = (target * 100 - state.promise(self.program)).clamp(0, 1_000_000);
            sum = sum.max(0) + weights.remaining * missing as i32 / 100;
        }
        let sum = sum.max(0);
        debug_assert!(
            changed == self.program.all_piles || sum % 16 != 0 || sum == self.afresh(state),
            "a pile has changed and was not looked at"
        );
        sum
    }

    /// The same, computed from all piles; for tests.
    fn afresh(&mut self, state: &State) -> i32 {
        let last = std::mem::replace(&mut self.last, Cache::new(self.program));
        let sum = self.heuristic(state, u128::MAX);
        self.last = last;
        sum
    }

    /// A number for all that decides what the goals want: of each goal the number of its cards, the
    /// two lowest ones and the top one, and the bases. `changed` are the goals that may have
    /// changed.
    fn code_of_goals(&mut self, state: &State, changed: u128) -> u128 {
        for pile in bits(changed & self.goals) {
            let cards = state.pile(pile);
            let byte = |card: Option<&u8>| card.copied().unwrap_or(u8::MAX);
            let [lowest, second, top] = [cards.first(), cards.get(1), cards.last()].map(byte);
            let [low, high] = (cards.len() as u16).to_le_bytes();
            let bytes = [pile as u8, low, high, lowest, second, top, 0, 0];
            let code = random_key(u64::from_le_bytes(bytes));
            let before = std::mem::replace(&mut self.last.goals[pile], code);
            self.last.all_goals = self.last.all_goals.wrapping_sub(before).wrapping_add(code);
        }
        self.bases.iter().fold(self.last.all_goals, |all, &base| {
            let [low, high] = state.counters()[usize::from(base)].to_le_bytes();
            all.wrapping_add(random_key(u64::from_le_bytes([base, low, high, 0, 0, 0, 0, 1])))
        })
    }

    /// Finds what the goals want. Returns the cards for which that has changed.
    fn look_at_goals(&mut self, state: &State, changed: u128) -> u64 {
        let goals = self.code_of_goals(state, changed);
        let is_known = |wishes: &Wishes| wishes.epoch != 0 && wishes.goals == goals;
        if is_known(&self.last.wishes) {
            return 0;
        }
        let at = goals as usize % WISHES;
        if !is_known(&self.last.known[at]) {
            let wanted = bits(self.goals)
                .filter(|&pile| self.program.places[pile].build_order.is_some())
                .fold(0, |wanted, pile| wanted | state.wanted_now(self.program, pile));
            let looks_ahead = self.weights.ahead != 0;
            self.last.known[at] = Wishes::new(goals, self.order(state), wanted, looks_ahead);
        }
        let wishes = self.last.known[at];
        let differing = wishes.differing(&self.last.wishes);
        self.last.wishes = wishes;
        differing
    }

    /// Brings the part of a pile up to date. `is_rated_anew` says whether the goals want its cards
    /// sooner or later than before.
    fn look_at_pile(&mut self, state: &State, pile: usize, is_rated_anew: bool) {
        let identity = self.identity(state, pile);
        let before = &self.last.piles[pile];
        if !is_rated_anew && before.identity == identity {
            return;
        }
        let key = identity.wrapping_add(self.last.wishes.epoch);
        let at = pile * VERSIONS + key as usize % VERSIONS;
        if self.last.parts[at].key != key {
            self.compute_part(state.pile(pile), pile, at);
            self.last.parts[at].key = key;
        }
        let Cache { sum, piles, parts, finders, .. } = &mut self.last;
        let (part, before) = (&parts[at], &mut piles[pile]);
        *sum += part.sum - before.sum;
        let finds = !part.found.is_empty();
        if finds != before.finds {
            *finders ^= 1 << pile;
        }
        *before = Pile { identity, part: at, sum: part.sum, finds, cards: part.cards };
    }

    /// A number that no other cards of a pile have. Cards that count as the same in hashes may be
    /// wanted at different times.
    fn identity(&self, state: &State, pile: usize) -> u128 {
        const FACTOR: u128 = 0xDA94_2042_E4DD_58B5_D134_2543_DE82_EF95;
        let hash = state.hash_term(pile);
        if !self.merges_cards {
            return hash;
        }
        let (eights, others) = state.pile(pile).as_chunks::<8>();
        let others = others.iter().fold(0, |others, &byte| others << 8 | u64::from(byte));
        let eights = eights.iter().map(|&eight| u64::from_le_bytes(eight));
        eights
            .chain([others])
            .fold(hash, |hash, cards| (hash ^ u128::from(cards)).wrapping_mul(FACTOR))
    }

    /// Computes the part of a pile and puts it at a place.
    fn compute_part(&mut self, cards: &[u8], pile: usize, at: usize) {
        let weights = &self.weights;
        let Cache { wishes, parts, layers, .. } = &mut self.last;
        let part = &mut parts[at];
        part.found.clear();
        part.cards = 0;
        let count = i32::from(cards.len() as u16);
        let to_go = self.goals != 0 || self.clears >> pile & 1 != 0;
        part.sum = if to_go { count * weights.remaining } else { 0 };
        if pile == usize::from(self.program.source().source_pile) {
            part.sum += count * weights.stock;
            return;
        }
        let is_built = self.built >> pile & 1 != 0;
        part.sum += if is_built { weights.tall * count * count / 8 } else { weights.aside * count };
        if let (true, [lower, upper]) = (self.jointly >> pile & 1 != 0, cards) {
            let wait = |byte: u8| i32::from(wishes.order[usize::from(card(byte)) % TABLE]);
            part.sum += weights.mismatch * (wait(*lower) - wait(*upper)).abs();
        }
        let Some(last) = cards.len().checked_sub(1) else { return };
        let layers = &mut layers[pile];
        let same = if layers.epoch == wishes.epoch { in_common(&layers.pile, cards) } else { 0 };
        if same < cards.len() {
            layers.epoch = wishes.epoch;
            layers.pile.truncate(same);
            layers.pile.extend_from_slice(&cards[same..]);
            let laid = same.checked_sub(1).map_or_else(Laid::default, |at| layers.laid[at]);
            layers.laid.resize(cards.len(), Laid::default());
            let found = layers.found.partition_point(|&(_, below)| usize::from(below) < same);
            layers.found.truncate(found);
            let Weights { hidden, blocking, blocking_open, joined, carried, .. } = *weights;
            // A card that blocks, by its face.
            let blocking = [blocking + blocking_open, blocking];
            // Where nothing is built, no card counts as wanted before another.
            let unbuilt = if is_built { 0 } else { u8::MAX };
            // The cards that are built on a card, and those that move together with it.
            let over = |byte: u8| {
                let here = usize::from(byte) % TABLE;
                let open = if is_face_down(byte) { 0 } else { u64::MAX };
                (self.build[here] & open, self.carry[here] & open)
            };
            let mut below = same.checked_sub(1).map_or((0, 0), |at| over(cards[at]));
            let Laid { cards: mut all, mut sum, mut soonest } = laid;
            for (&byte, laid) in cards[same..].iter().zip(&mut layers.laid[same..]) {
                let (face, here) = (usize::from(is_face_down(byte)), usize::from(byte) % TABLE);
                let wait = wishes.order[here];
                all |= 1 << here;
                sum += if face == 0 { 0 } else { hidden };
                sum += if wait > soonest { blocking[face] } else { 0 };
                sum += if below.0 >> here & 1 != 0 { joined } else { 0 };
                sum += if below.1 >> here & 1 != 0 { carried } else { 0 };
                soonest = soonest.min(wait | unbuilt);
                below = over(byte);
                *laid = Laid { cards: all, sum, soonest };
            }
            if all & wishes.soon != 0 {
                for (below, &byte) in (same as u16..).zip(&cards[same..]) {
                    if wishes.soon >> card(byte) & 1 != 0 {
                        layers.found.push((card(byte), below));
                    }
                }
            }
        }
        part.sum += layers.laid[last].sum;
        part.cards = layers.laid[last].cards;
        let detour = if self.feeding >> pile & 1 == 0 { weights.detour } else { 0 };
        let top = count - 1 + detour;
        let found = layers.found.iter().take_while(|&&(_, below)| usize::from(below) <= last);
        part.found.extend(found.map(|&(here, below)| (here, top - i32::from(below))));
    }
}

/// For each height: in how many steps each card of a suit is wanted, counted from that height, and
/// last for all suits. Cards of other suits are never wanted.
pub(crate) type Rows = Vec<[[u8; CARDS]; 5]>;

/// The index of all suits.
pub(crate) const ALL_SUITS: usize = 4;

/// For each build order the rows of each place at which its piles may begin: of one, if that is
/// settled.
fn waits(program: &Program, root: &State) -> Vec<Vec<Rows>> {
    let settled = settled_bases(program, root);
    let build_orders = program.build_orders.iter().enumerate();
    build_orders
        .map(|(at, build_order)| match &settled {
            Some(places) => vec![rows(build_order, places[at])],
            None if !build_order.own_base && build_order.base.is_none() => {
                vec![rows(build_order, 0)]
            }
            None => (0..build_order.wants.len()).map(|place| rows(build_order, place)).collect(),
        })
        .collect()
}

/// The rows of a build order whose piles begin at a place.
pub(crate) fn rows(build_order: &BuildOrder, place: usize) -> Rows {
    let steps = build_order.wants.len();
    let mut rows = vec![[[u8::MAX; CARDS]; 5]; steps + 1];
    for height in (0..steps).rev() {
        let wants = build_order.wants[build_order.place_at(place, height)];
        for here in 0..CARDS {
            let later = rows[height + 1][ALL_SUITS][here];
            let wait = if wants >> here & 1 != 0 { 0 } else { later.saturating_add(1) };
            rows[height][ALL_SUITS][here] = wait;
            rows[height][here % 4][here] = wait;
        }
    }
    rows
}
