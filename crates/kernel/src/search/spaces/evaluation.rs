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
use crate::random::SplitMix64;
use crate::search::spaces::foundation_order::copies;
use crate::search::spaces::merging::Merging;
use crate::search::spaces::settled::settled_bases;
use crate::search::weights::Weights;

/// Cards wanted in more steps than this are not wanted *soon*.
pub(crate) const NEAR: u8 = 6;

/// The depth from which burying a card deeper is no worse.
pub(crate) const DEEP: i32 = 20;

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
    build: [u64; CARDS],
    /// For each card the cards that may lie on it and move together with it.
    carry: [u64; CARDS],
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
    /// The results of the last evaluation.
    last: Cache,
}

/// The cached parts of an evaluation. The next position mostly differs in a few piles only, and
/// after a step is undone, all is as before it. So what was last replaced is kept, too.
#[derive(Clone)]
struct Cache {
    wishes: Wishes,
    /// What was wanted before, and the cards for which that was different.
    earlier: Wishes,
    differing: u64,
    /// The number of wishes so far.
    epochs: u32,
    /// For each goal a number for its cards, and the sum of these.
    goals: Vec<u128>,
    all_goals: u128,
    /// The sum over all piles.
    sum: i32,
    piles: Vec<Part>,
    /// For each pile its part before that.
    replaced: Vec<Part>,
    /// The piles in which a card lies that is wanted soon.
    finders: u128,
}

impl Cache {
    /// The cache before the first evaluation.
    fn new(program: &Program) -> Self {
        let parts = vec![Part::default(); program.places.len()];
        Self {
            wishes: Wishes::default(),
            earlier: Wishes::default(),
            differing: 0,
            epochs: 0,
            goals: vec![0; program.places.len()],
            all_goals: 0,
            sum: 0,
            piles: parts.clone(),
            replaced: parts,
            finders: 0,
        }
    }
}

/// What the goals want.
#[derive(Clone)]
struct Wishes {
    /// A number for the cards of all goals and the bases.
    goals: u128,
    /// A number of its own for what is wanted; 0 before anything is.
    epoch: u32,
    /// For each card: in how many steps it is wanted.
    order: [u8; CARDS],
    /// The cards wanted next.
    wanted: u64,
}

impl Default for Wishes {
    fn default() -> Self {
        Self { goals: 0, epoch: 0, order: [u8::MAX; CARDS], wanted: 0 }
    }
}

/// The part of a pile in the distance.
#[derive(Clone, Default)]
struct Part {
    sum: i32,
    /// What its cards up to each one come to; none for the stock.
    laid: Vec<Laid>,
    /// The cards that are wanted soon, and how many cards lie up to each, itself among them.
    found: Vec<(u8, u16)>,
    /// How much deeper cards of the pile count than they lie.
    detour: i32,
    /// The pile that it was computed from, and the number of what was wanted then.
    pile: Vec<u8>,
    epoch: u32,
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

impl Part {
    /// The cards, but of the stock.
    fn cards(&self) -> u64 {
        self.laid.last().map_or(0, |laid| laid.cards)
    }

    /// Whether it was computed from a pile with some cards.
    fn is_of(&self, cards: &[u8]) -> bool {
        self.epoch != 0 && self.pile == cards
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
        let mut build = [0; CARDS];
        let mut carry = [0; CARDS];
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
    fn order(&self, state: &State) -> [u8; CARDS] {
        let program = self.program;
        if self.waits.is_empty() {
            return std::array::from_fn(|here| rank(here as u8));
        }
        let mut order = [u8::MAX; CARDS];
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
        let mut changed = changed & self.program.all_piles;
        // A base may change while no goal does. Without goals the order never changes.
        let mut rated_anew = 0;
        let is_based = !self.bases.is_empty();
        if changed & self.goals != 0 || changed == self.program.all_piles || is_based {
            rated_anew = self.look_at_goals(state, changed);
            changed |= rated_anew;
        }
        for pile in bits(changed & !self.goals) {
            self.look_at_pile(state.pile(pile), pile, rated_anew >> pile & 1 != 0);
        }
        let Cache { wishes: Wishes { order, wanted, .. }, sum, piles, finders, .. } = &self.last;
        let weights = &self.weights;
        let mut sum =
            sum + weights.vacancy * (self.open & state.vacant()).count_ones().cast_signed();
        let mut buried = [DEEP; CARDS];
        let mut found = 0u64;
        for pile in bits(*finders) {
            let part = &piles[pile];
            let depth = i32::from(part.pile.len() as u16) + part.detour;
            for &(here, place) in &part.found {
                found |= 1 << here;
                let buried = &mut buried[usize::from(here)];
                *buried = (depth - i32::from(place)).min(*buried);
            }
        }
        while found != 0 {
            let here = found.trailing_zeros() as usize;
            sum += if wanted >> here & 1 != 0 {
                weights.burying * buried[here]
            } else {
                weights.ahead * buried[here] / i32::from(order[here] + 1)
            };
            found &= found - 1;
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
    fn afresh(&self, state: &State) -> i32 {
        let mut evaluation = self.clone();
        evaluation.last = Cache::new(self.program);
        evaluation.heuristic(state, u128::MAX)
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
            let code = code([pile as u8, low, high, lowest, second, top, 0, 0]);
            let before = std::mem::replace(&mut self.last.goals[pile], code);
            self.last.all_goals = self.last.all_goals.wrapping_sub(before).wrapping_add(code);
        }
        self.bases.iter().fold(self.last.all_goals, |all, &base| {
            let [low, high] = state.counters()[usize::from(base)].to_le_bytes();
            all.wrapping_add(code([base, low, high, 0, 0, 0, 0, 1]))
        })
    }

    /// Finds what the goals want. Returns the piles with cards for which that has changed.
    fn look_at_goals(&mut self, state: &State, changed: u128) -> u128 {
        let goals = self.code_of_goals(state, changed);
        let is_known = |wishes: &Wishes| wishes.epoch != 0 && wishes.goals == goals;
        if is_known(&self.last.wishes) {
            return 0;
        }
        std::mem::swap(&mut self.last.wishes, &mut self.last.earlier);
        if !is_known(&self.last.wishes) {
            let wanted = bits(self.goals)
                .filter(|&pile| self.program.places[pile].build_order.is_some())
                .fold(0, |wanted, pile| wanted | state.wanted_now(self.program, pile));
            let order = self.order(state);
            let last = &mut self.last;
            let before = last.earlier.order.iter().zip(&order).enumerate();
            last.differing = before
                .filter(|(_, (before, now))| before != now)
                .fold(wanted ^ last.earlier.wanted, |cards, (here, _)| cards | 1 << here);
            last.epochs += 1;
            let wishes = Wishes { goals, epoch: last.epochs, order, wanted };
            last.wishes = wishes;
        }
        let piles = self.last.piles.iter().enumerate();
        piles
            .filter(|(_, part)| part.cards() & self.last.differing != 0)
            .fold(0, |piles, (pile, _)| piles | 1 << pile)
    }

    /// Brings the part of a pile up to date. `is_rated_anew` says whether the goals want its cards
    /// sooner or later than before.
    fn look_at_pile(&mut self, cards: &[u8], pile: usize, is_rated_anew: bool) {
        let Cache { wishes, piles, replaced, .. } = &mut self.last;
        if !is_rated_anew && piles[pile].is_of(cards) {
            return;
        }
        std::mem::swap(&mut piles[pile], &mut replaced[pile]);
        if piles[pile].epoch != wishes.epoch || !piles[pile].is_of(cards) {
            self.compute_part(cards, pile);
        }
        let Cache { sum, piles, replaced, finders, .. } = &mut self.last;
        let part = &piles[pile];
        *sum += part.sum - replaced[pile].sum;
        if part.found.is_empty() != replaced[pile].found.is_empty() {
            *finders ^= 1 << pile;
        }
    }

    /// Computes the part of a pile.
    fn compute_part(&mut self, cards: &[u8], pile: usize) {
        let weights = &self.weights;
        let Cache { wishes: Wishes { order, wanted, epoch, .. }, piles, replaced, .. } =
            &mut self.last;
        let (part, before) = (&mut piles[pile], &replaced[pile]);
        let is_stock = pile == usize::from(self.program.source().source_pile);
        // Mostly only the top cards differ from those of before.
        let same = if before.epoch == *epoch { common(&before.pile, cards) } else { 0 };
        let same = same.min(before.laid.len());
        part.laid.clear();
        part.laid.extend_from_slice(&before.laid[..same]);
        part.found.clear();
        let found = before.found.iter().take_while(|(_, place)| usize::from(*place) <= same);
        part.found.extend(found);
        part.epoch = *epoch;
        part.pile.clear();
        part.pile.extend(cards);
        let count = i32::from(cards.len() as u16);
        let to_go = self.goals != 0 || self.clears >> pile & 1 != 0;
        let mut sum = if to_go { count * weights.remaining } else { 0 };
        if is_stock {
            sum += count * weights.stock;
        } else {
            part.detour = if self.feeding >> pile & 1 == 0 { weights.detour } else { 0 };
            let is_built = self.built >> pile & 1 != 0;
            sum += if is_built { weights.tall * count * count / 8 } else { weights.aside * count };
            if let (true, [lower, upper]) = (self.jointly >> pile & 1 != 0, cards) {
                let wait = |byte: u8| i32::from(order[usize::from(card(byte))]);
                sum += weights.mismatch * (wait(*lower) - wait(*upper)).abs();
            }
            let looks_ahead = weights.ahead != 0;
            // The cards that are built on the card below, and those that move together with it.
            let over = |byte: u8| match usize::from(card(byte)) {
                _ if is_face_down(byte) => (0, 0),
                here => (self.build[here], self.carry[here]),
            };
            let (mut built, mut carried) = same.checked_sub(1).map_or((0, 0), |at| over(cards[at]));
            let laid = part.laid.last().copied().unwrap_or_default();
            let Laid { cards: mut all, sum: mut of_cards, mut soonest } = laid;
            for (place, &byte) in (same as u16 + 1..).zip(&cards[same..]) {
                let (face_down, here) = (is_face_down(byte), usize::from(card(byte)));
                all |= 1 << here;
                if face_down {
                    of_cards += weights.hidden;
                }
                if is_built && order[here] > soonest {
                    of_cards += weights.blocking;
                    of_cards += if face_down { 0 } else { weights.blocking_open };
                }
                soonest = soonest.min(order[here]);
                of_cards += if built >> here & 1 != 0 { weights.joined } else { 0 };
                of_cards += if carried >> here & 1 != 0 { weights.carried } else { 0 };
                (built, carried) = over(byte);
                if *wanted >> here & 1 != 0 || looks_ahead && order[here] <= NEAR {
                    part.found.push((here as u8, place));
                }
                part.laid.push(Laid { cards: all, sum: of_cards, soonest });
            }
            sum += of_cards;
        }
        part.sum = sum;
    }
}

/// The number of cards that two piles have in common, from the bottom on.
fn common(one: &[u8], other: &[u8]) -> usize {
    let shorter = one.len().min(other.len());
    if one[..shorter] == other[..shorter] {
        return shorter;
    }
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// For each height: in how many steps each card of a suit is wanted, counted from that height, and
/// last for all suits. Cards of other suits are never wanted.
type Rows = Vec<[[u8; CARDS]; 5]>;

/// The index of all suits.
const ALL_SUITS: usize = 4;

/// A number that hardly any other bytes have.
fn code(bytes: [u8; 8]) -> u128 {
    let mut generator = SplitMix64::new(u64::from_le_bytes(bytes));
    u128::from(generator.next()) << 64 | u128::from(generator.next())
}

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
fn rows(build_order: &BuildOrder, place: usize) -> Rows {
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
