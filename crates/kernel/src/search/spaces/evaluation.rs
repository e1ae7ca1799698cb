//! The evaluation: how promising a position looks.
//!
//! It counts only features that every program has: cards that have not gone up, cards that lie on
//! others which are wanted sooner, how deep the cards wanted next are buried, cards that must go up
//! together but are wanted at different times, cards that lie on a card they can be built on, cards
//! that move together with the one they lie on, empty piles, face-down cards, cards left in the
//! stock, piles that fit together (`merging.rs`). It knows no particular game.

use crate::bits::{bits, ones, single};
use crate::card::{CARDS, card, in_common, is_face_down, rank};
use crate::play::lines::OrderedLines;
use crate::position::state::State;
use crate::program::actions::CompiledAction;
use crate::program::compiled::Program;
use crate::program::format::{Condition, Unit};
use crate::random::SplitMix64;
use crate::search::spaces::foundation_order::copies;
use crate::search::spaces::merging::Merging;
use crate::search::spaces::waits::{ALL_SUITS, Rows, TABLE, differing, eights, lower, waits};
use crate::search::weights::Weights;

/// Cards wanted in more steps than this are not wanted *soon*.
pub(crate) const NEAR: u8 = 6;

/// The depth from which burying a card deeper is no worse.
pub(crate) const DEEP: i32 = 20;

/// What is added to depths, so that none is negative: a detour may be, too.
const RAISED: i32 = 100;

/// The deepest of all cards, raised.
const DEEPEST: u8 = (DEEP + RAISED) as u8;

/// How many versions of a pile are kept.
const VERSIONS: usize = 64;

/// How many wishes are kept.
const WISHES: usize = 512;

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
    /// What is to be known of each pile.
    kinds: Vec<Kind>,
    /// Whether any cards are ever wanted soon.
    seeks: bool,
    /// For each byte of a card the cards that may be built on it outside foundations, and those
    /// that may lie on it and move together with it; none for a face-down card.
    build: [u64; 2 * TABLE],
    carry: [u64; 2 * TABLE],
    merging: Merging,
    /// Piles where the aim wants cards.
    goals: u128,
    /// For each pile the number of goals before it.
    goals_before: Vec<usize>,
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
    /// Whether what a goal wants may depend on the cards of another one, or on a counter.
    is_entangled: bool,
    /// The results of earlier evaluations.
    last: Cache,
}

/// What never changes of a pile.
#[derive(Clone, Copy, Default)]
struct Kind {
    is_built: bool,
    /// Whether its cards go up together.
    is_joint: bool,
    /// Whether it matters in which order its cards are wanted.
    is_rated: bool,
    /// What each card adds, and the square of their number, divided by eight.
    each: i32,
    square: i32,
    /// How much deeper its cards count as buried, raised.
    detour: u8,
}

/// The cached parts of an evaluation. The next position mostly differs in a few piles only, and
/// nearly all piles and wishes of a search come again and again. So many of them are kept.
#[derive(Clone)]
struct Cache {
    wishes: Wishes,
    /// Wishes by the last bits of the number of the goals.
    known: Vec<Wishes>,
    /// For each goal a number for its cards, and the sum of these.
    goals: Vec<u64>,
    all_goals: u64,
    /// What the goals wanted when last asked, and those that have changed since.
    wants: Vec<Want>,
    stale: u128,
    /// The empty piles, and what they come to.
    vacant: u128,
    vacancies: i32,
    /// The sum over all piles.
    sum: i32,
    piles: Vec<Pile>,
    /// The cards of each pile, but of the stock and of goals. They are in fours, since few piles
    /// matter to most changes of what is wanted, and four piles can be skipped at once.
    cards: Vec<[u64; 4]>,
    /// For each pile its versions, by the last bits of their numbers.
    parts: Vec<Part>,
    /// For each pile the ratings of its versions, by the last bits of their keys.
    ratings: Vec<Rating>,
    /// For each pile the cards of which a part was last computed. Mostly only the top ones differ
    /// from those of the next part.
    layers: Vec<Layers>,
    /// The piles in which a card lies that is wanted soon.
    finders: u128,
}

impl Cache {
    /// The cache before the first evaluation.
    fn new(program: &Program, goals: u128) -> Self {
        let count = program.places.len();
        Self {
            wishes: Wishes::default(),
            known: vec![Wishes::default(); WISHES],
            goals: vec![0; count],
            all_goals: 0,
            wants: vec![Want::default(); bits(goals).count()],
            stale: u128::MAX,
            vacant: 0,
            vacancies: 0,
            sum: 0,
            piles: vec![Pile::default(); count],
            cards: vec![[0; 4]; count.div_ceil(4)],
            parts: vec![Part::default(); count * VERSIONS],
            ratings: vec![Rating::default(); count * VERSIONS],
            layers: vec![Layers::default(); count],
            finders: 0,
        }
    }
}

/// What one goal wants.
#[derive(Clone, Copy)]
struct Want {
    /// For each card: in how many steps it is wanted.
    order: [u8; TABLE],
    /// The cards wanted next.
    next: u64,
}

impl Default for Want {
    fn default() -> Self {
        Self { order: [u8::MAX; TABLE], next: 0 }
    }
}

/// What the goals want.
#[derive(Clone, Copy)]
struct Wishes {
    /// A number for the cards of all goals and the bases.
    goals: u64,
    /// A number for the order, the same for all goals that want the same; 0 before anything is
    /// wanted.
    epoch: u64,
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
    fn new(goals: u64, order: [u8; TABLE], wanted: u64, looks_ahead: bool) -> Self {
        let near = (0..TABLE).filter(|&here| looks_ahead && order[here] <= NEAR);
        let soon = near.fold(wanted, |soon, here| soon | 1 << here);
        Self { goals, epoch: eights(&order).fold(1, mixed).max(1), order, wanted, soon }
    }
}

/// A pile as it was last seen.
#[derive(Clone, Copy, Default)]
struct Pile {
    /// A number for its cards.
    identity: u64,
    /// The place of its part.
    part: usize,
    /// What it comes to, with and without its rating.
    sum: i32,
    unrated: i32,
    /// Whether a card lies in it that is wanted soon.
    finds: bool,
}

/// The part of a pile in the distance, whatever is wanted.
#[derive(Clone, Copy)]
struct Part {
    /// The number of the cards.
    identity: u64,
    cards: u64,
    /// How deep each card is buried, raised.
    depths: [u8; TABLE],
    sum: i32,
}

impl Default for Part {
    fn default() -> Self {
        Self { identity: 0, cards: 0, depths: [DEEPEST; TABLE], sum: 0 }
    }
}

/// What the order of the cards of a pile comes to, given when they are wanted.
#[derive(Clone, Copy, Default)]
struct Rating {
    /// A number for the cards of the pile and the order in which cards are wanted.
    key: u64,
    sum: i32,
}

/// What the cards of a pile come to, card by card.
#[derive(Clone, Default)]
struct Layers {
    pile: Vec<u8>,
    /// The cards up to each one, and what they come to, besides their number and rating.
    laid: Vec<(u64, i32)>,
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
        let mut build = [0; 2 * TABLE];
        let mut carry = [0; 2 * TABLE];
        let (mut open, mut feeding, mut packed, mut jointly) = (0u128, 0, 0, 0u128);
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
        let kind = |pile: usize| {
            let lies_in = |piles: u128| piles >> pile & 1 != 0;
            let is_stock = pile == usize::from(game.source_pile);
            let is_built = lies_in(packed) && !is_stock;
            let to_go = if goals != 0 || lies_in(clears) { weights.remaining } else { 0 };
            let aside = if is_built { 0 } else { weights.aside };
            let blocks = weights.blocking != 0 || weights.blocking_open != 0;
            let is_joint = lies_in(jointly) && !is_stock;
            Kind {
                is_built,
                is_joint,
                is_rated: is_built && blocks || is_joint,
                each: to_go + if is_stock { weights.stock } else { aside },
                square: if is_built { weights.tall } else { 0 },
                detour: {
                    let detour = if lies_in(feeding) { 0 } else { weights.detour };
                    (detour.clamp(-RAISED, DEEP) + RAISED).cast_unsigned() as u8
                },
            }
        };
        let kinds: Vec<Kind> = (0..program.places.len()).map(kind).collect();
        let mut build_orders = program.build_orders.iter();
        Self {
            program,
            weights,
            kinds,
            seeks: !program.build_orders.is_empty() || weights.ahead != 0,
            is_entangled: build_orders
                .any(|each| each.one_suit_each || each.one_way || each.base.is_some()),
            waits: waits(program, root),
            copies: copies(root, program.all_piles),
            bases: game.build_orders.iter().filter_map(|build_order| build_order.base).collect(),
            build,
            carry,
            merging: Merging::new(program),
            goals,
            goals_before: (0..program.places.len())
                .map(|pile| bits(goals).filter(|&goal| goal < pile).count())
                .collect(),
            clears,
            ordered: OrderedLines::of_aim(program),
            target: program.target(),
            open: open & !goals & !(1 << game.source_pile),
            merges_cards: program.keys.merge_cards(),
            last: Cache::new(program, goals),
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

    /// For each card: in how many steps a goal will want it, if the goal has a build order.
    fn row(&self, state: &State, pile: usize) -> Option<&[u8; TABLE]> {
        let build_order = self.program.places[pile].build_order?;
        let rows = self.rows(state, build_order, pile);
        let described = &self.program.source().build_orders[usize::from(build_order)];
        let suit = match state.pile(pile).first() {
            Some(&bottom) if described.relation.is_some() => usize::from(card(bottom) % 4),
            _ => ALL_SUITS,
        };
        Some(&rows[state.len(pile).min(rows.len() - 1)][suit])
    }

    /// For each card in how many steps the first goal will want it, or its rank in games without
    /// build orders; and the cards that the goals want next. Asks only the goals anew that may want
    /// something else than before.
    fn ask_goals(&mut self, state: &State) -> ([u8; TABLE], u64) {
        let program = self.program;
        let outdated = std::mem::take(&mut self.last.stale);
        let unknown = if self.is_entangled { u128::MAX } else { outdated };
        for pile in bits(unknown & self.goals) {
            let here = single(pile as u8);
            let at = self.goals_before[pile];
            if (outdated & here != 0 || !self.bases.is_empty())
                && let Some(&row) = self.row(state, pile)
            {
                self.last.wants[at].order = row;
            }
            if program.goals & here != 0 {
                self.last.wants[at].next = state.wanted_now(program, pile);
            }
        }
        let (mut order, mut wanted) = ([u8::MAX; TABLE], 0);
        if self.waits.is_empty() {
            order = std::array::from_fn(|here| rank(here as u8));
        }
        for want in &self.last.wants {
            lower(&mut order, &want.order);
            wanted |= want.next;
        }
        (order, wanted)
    }

    /// The estimated distance of a position from the aim. `changed` are the piles that may differ
    /// from those of the last evaluated position; all piles for the first one.
    pub(crate) fn heuristic(&mut self, state: &State, changed: u128) -> i32 {
        let changed = changed & self.program.all_piles;
        // A base may change while no goal does. Without goals the order never changes.
        let is_based = !self.bases.is_empty();
        let mut differing = 0;
        if changed & self.goals != 0 || changed == self.program.all_piles || is_based {
            differing = self.look_at_goals(state, changed);
        }
        for pile in bits(changed & !self.goals) {
            let identity = self.identity(state, pile);
            if self.last.piles[pile].identity != identity {
                self.look_at_pile(state, pile, identity);
            } else if self.last.cards[pile / 4][pile % 4] & differing != 0 {
                self.rate(state, pile);
            }
        }
        let vacant = state.vacant();
        if self.last.vacant != vacant {
            let count = (self.open & vacant).count_ones().cast_signed();
            (self.last.vacant, self.last.vacancies) = (vacant, self.weights.vacancy * count);
        }
        let weights = &self.weights;
        let mut sum = self.last.sum + self.last.vacancies + self.burying();
        if !self.ordered.is_empty() {
            sum += weights.remaining * i32::from(self.out_of_order(state) as u16);
        }
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
        let last = std::mem::replace(&mut self.last, Cache::new(self.program, self.goals));
        let sum = self.heuristic(state, u128::MAX);
        self.last = last;
        sum
    }

    /// What it comes to how deep the cards are buried that are wanted soon.
    fn burying(&self) -> i32 {
        let Cache { wishes, piles, parts, finders, .. } = &self.last;
        let mut depths = [DEEPEST; TABLE];
        let mut found = 0u64;
        for pile in bits(*finders) {
            let part = &parts[piles[pile].part];
            found |= part.cards;
            lower(&mut depths, &part.depths);
        }
        found &= wishes.soon;
        let depth = |here: usize| i32::from(depths[here % TABLE]) - RAISED;
        let buried: i32 = ones(found & wishes.wanted).map(depth).sum();
        let ahead = ones(found & !wishes.wanted);
        let ahead: i32 = ahead
            .map(|here| self.weights.ahead * depth(here) / (i32::from(wishes.order[here]) + 1))
            .sum();
        self.weights.burying * buried + ahead
    }

    /// A number for all that decides what the goals want: of each goal the number of its cards, the
    /// two lowest ones and the top one, and the bases. `changed` are the goals that may have
    /// changed.
    fn code_of_goals(&mut self, state: &State, changed: u128) -> u64 {
        let number = |bytes: [u8; 8]| SplitMix64::new(u64::from_le_bytes(bytes)).next();
        for pile in bits(changed & self.goals) {
            let cards = state.pile(pile);
            let byte = |card: Option<&u8>| card.copied().unwrap_or(u8::MAX);
            let [lowest, second, top] = [cards.first(), cards.get(1), cards.last()].map(byte);
            let [low, high] = (cards.len() as u16).to_le_bytes();
            let code = number([pile as u8, low, high, lowest, second, top, 0, 0]);
            let before = std::mem::replace(&mut self.last.goals[pile], code);
            self.last.all_goals = self.last.all_goals.wrapping_sub(before).wrapping_add(code);
        }
        self.bases.iter().fold(self.last.all_goals, |all, &base| {
            let [low, high] = state.counters()[usize::from(base)].to_le_bytes();
            all.wrapping_add(number([base, low, high, 0, 0, 0, 0, 1]))
        })
    }

    /// Finds what the goals want, and rates the piles anew that have not changed. Returns the cards
    /// of which the order has changed.
    fn look_at_goals(&mut self, state: &State, changed: u128) -> u64 {
        let goals = self.code_of_goals(state, changed);
        self.last.stale |= changed;
        let is_known = |wishes: &Wishes| wishes.epoch != 0 && wishes.goals == goals;
        if is_known(&self.last.wishes) {
            return 0;
        }
        let at = goals as usize % WISHES;
        if !is_known(&self.last.known[at]) {
            let (order, wanted) = self.ask_goals(state);
            let looks_ahead = self.weights.ahead != 0;
            self.last.known[at] = Wishes::new(goals, order, wanted, looks_ahead);
        }
        let (before, now) = (&self.last.wishes, &self.last.known[at]);
        let is_same_order = now.epoch == before.epoch;
        let differing = if is_same_order { 0 } else { differing(&now.order, &before.order) };
        let found = now.soon ^ before.soon;
        let concerned = differing | found;
        self.last.wishes = *now;
        for four in 0..self.last.cards.len() {
            let all = self.last.cards[four];
            if all.iter().fold(0, |all, cards| all | cards) & concerned == 0 {
                continue;
            }
            for (within, cards) in all.iter().enumerate() {
                if cards & concerned == 0 {
                    continue;
                }
                let at = 4 * four + within;
                if cards & found != 0 {
                    let finds = cards & self.last.wishes.soon != 0;
                    if finds != std::mem::replace(&mut self.last.piles[at].finds, finds) {
                        self.last.finders ^= single(at as u8);
                    }
                }
                if cards & differing != 0 && changed & single(at as u8) == 0 {
                    self.rate(state, at);
                }
            }
        }
        differing
    }

    /// Brings the part of a pile up to date, given the number of its cards.
    fn look_at_pile(&mut self, state: &State, pile: usize, identity: u64) {
        let at = pile * VERSIONS + identity as usize % VERSIONS;
        if self.last.parts[at].identity != identity {
            self.compute_part(state.pile(pile), pile, at);
            self.last.parts[at].identity = identity;
        }
        let Cache { piles, cards, parts, finders, wishes, .. } = &mut self.last;
        let (now, part) = (&mut piles[pile], &parts[at]);
        (now.identity, now.part, now.unrated) = (identity, at, part.sum);
        cards[pile / 4][pile % 4] = part.cards;
        let finds = part.cards & wishes.soon != 0;
        if finds != std::mem::replace(&mut now.finds, finds) {
            *finders ^= single(pile as u8);
        }
        self.rate(state, pile);
    }

    /// A number that no other cards of a pile have. Cards that count as the same in hashes may be
    /// wanted at different times.
    #[inline]
    fn identity(&self, state: &State, pile: usize) -> u64 {
        let hash = state.hash_term(pile) as u64;
        if self.merges_cards { state.eights(pile).fold(hash, mixed) } else { hash }
    }

    /// Computes the part of a pile and puts it at a place.
    fn compute_part(&mut self, cards: &[u8], pile: usize, at: usize) {
        let Cache { parts, layers, .. } = &mut self.last;
        let (kind, part, layers) = (&self.kinds[pile], &mut parts[at], &mut layers[pile]);
        let count = i32::from(cards.len() as u16);
        *part = Part::default();
        part.sum = count * kind.each + kind.square * count * count / 8;
        if pile == usize::from(self.program.source().source_pile) || cards.is_empty() {
            return;
        }
        let same = in_common(&layers.pile, cards);
        if same < cards.len() {
            layers.pile.truncate(same);
            layers.laid.truncate(same);
            let Weights { hidden, joined, carried, .. } = self.weights;
            let over = |byte: u8| {
                let byte = usize::from(byte) % (2 * TABLE);
                (self.build[byte], self.carry[byte])
            };
            let mut below = same.checked_sub(1).map_or((0, 0), |at| over(cards[at]));
            let (mut all, mut sum) = layers.laid.last().copied().unwrap_or_default();
            for &byte in &cards[same..] {
                let here = usize::from(byte) % TABLE;
                all |= 1 << here;
                sum += if is_face_down(byte) { hidden } else { 0 };
                sum += if below.0 >> here & 1 != 0 { joined } else { 0 };
                sum += if below.1 >> here & 1 != 0 { carried } else { 0 };
                below = over(byte);
                layers.pile.push(byte);
                layers.laid.push((all, sum));
            }
        }
        let (all, sum) = layers.laid[cards.len() - 1];
        part.cards = all;
        part.sum += sum;
        if !self.seeks {
            return;
        }
        // Of two equal cards the upper one counts, which comes last. Deeper ones are no worse.
        let deepest = cards.len().saturating_sub(usize::from(DEEPEST - kind.detour));
        let mut depth = (cards.len() - deepest) as u8 + kind.detour;
        for &byte in &cards[deepest..] {
            depth -= 1;
            part.depths[usize::from(byte) % TABLE] = depth;
        }
    }

    /// Brings the rating of a pile up to date.
    #[inline]
    fn rate(&mut self, state: &State, pile: usize) {
        let Cache { sum, piles, ratings, wishes, .. } = &mut self.last;
        let now = &mut piles[pile];
        let mut rated = now.unrated;
        let kind = &self.kinds[pile];
        if kind.is_rated {
            let key = now.identity.wrapping_add(wishes.epoch);
            let known = &mut ratings[pile * VERSIONS + key as usize % VERSIONS];
            if known.key != key {
                let sum = rating(&self.weights, kind, &wishes.order, state.pile(pile));
                *known = Rating { key, sum };
            }
            rated += known.sum;
        }
        *sum += rated - now.sum;
        now.sum = rated;
    }
}

/// What the order of some cards of a pile comes to, given in how many steps each is wanted.
#[inline(never)]
fn rating(weights: &Weights, kind: &Kind, order: &[u8; TABLE], cards: &[u8]) -> i32 {
    let wait = |byte: u8| order[usize::from(byte) % TABLE];
    let mut sum = 0;
    // Where nothing is built, no card counts as wanted before another.
    if kind.is_built {
        // A card that blocks, by its face.
        let blocking = [weights.blocking + weights.blocking_open, weights.blocking];
        let mut soonest = u8::MAX;
        for &byte in cards {
            let wait = wait(byte);
            let cost = blocking[usize::from(is_face_down(byte))];
            sum += if wait > soonest { cost } else { 0 };
            soonest = soonest.min(wait);
        }
    }
    if let (true, &[lower, upper]) = (kind.is_joint, cards) {
        sum += weights.mismatch * (i32::from(wait(lower)) - i32::from(wait(upper))).abs();
    }
    sum
}

/// A number for a number and eight bytes that follow.
#[inline]
fn mixed(number: u64, eight: u64) -> u64 {
    let product = u128::from(number ^ eight) * 0xDA94_2042_E4DD_58B5;
    number.rotate_left(32) ^ product as u64 ^ (product >> 64) as u64
}
