//! A validated program with the masks and tables that play needs.

use crate::card::CARDS;
use crate::program::actions;
use crate::program::actions::CompiledAction;
use crate::program::footprint::{Footprint, mask};
use crate::program::format::{Action, CardMask, Condition, During, Effect, Source, Step};
use crate::program::hash::Keys;
use crate::program::redeal::Redeal;
use crate::program::rule_set::RuleSet;
use crate::program::top_sets::TopSets;
use crate::program::triggers::Triggers;
use crate::program::validate::{self, MAX_BYTES, MAX_CARDS, ProgramError};

/// A validated program. It deals positions.
///
/// It is immutable, so threads can share it.
#[derive(Debug)]
pub struct Program {
    source: Source,
    pub(crate) keys: Keys,
    pub(crate) places: Box<[PileInfo]>,
    pub(crate) all_piles: u128,
    /// All cards of the game.
    pub(crate) pack: u64,
    /// The number of bytes of all piles together.
    pub(crate) slab: usize,
    pub(crate) relations: Box<[Relation]>,
    pub(crate) build_orders: Box<[BuildOrder]>,
    pub(crate) plans: Box<[CompiledRule]>,
    /// The piles that rules take top cards from, or on whose top cards they build.
    pub(crate) tops_asked: u128,
    pub(crate) top_sets: TopSets,
    /// The piles with build orders, and those of them of which it may depend on the cards of
    /// others what they want.
    pub(crate) goals: u128,
    pub(crate) goals_in_common: u128,
    /// Whether what build orders want depends on counters.
    pub(crate) has_bases: bool,
    /// The free rules in order.
    pub(crate) free: Box<[u8]>,
    /// The forced rules, during the layout and afterwards.
    forced_in_layout: RuleSet,
    forced_in_play: RuleSet,
    pub(crate) triggers: Triggers,
    /// The only forced rule in play and the row that it closes up, if it does nothing else and has
    /// no conditions.
    pub(crate) closing: Option<(u8, u128)>,
    /// The piles that others may cover, each with the sets of piles one of which must be vacant.
    pub(crate) covered: Box<[(u8, Box<[u128]>)]>,
    /// For each rule what it reads and writes.
    pub(crate) footprints: Box<[Footprint]>,
    /// What the aim reads.
    pub(crate) aim: Footprint,
    /// Whether cards are shuffled after the deal.
    pub(crate) shuffles: bool,
}

/// Which forced rules are in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// During the layout. The player has no choices: the first instance is played.
    Layout,
    /// After the layout.
    Play,
}

/// The place of a pile in the slab, and its properties.
#[derive(Debug)]
pub(crate) struct PileInfo {
    pub(crate) start: u16,
    pub(crate) capacity: u16,
    pub(crate) class: u8,
    pub(crate) build_order: Option<u8>,
    /// The number of cards that complete its build order; `usize::MAX` if it has none.
    pub(crate) complete: usize,
    /// All piles of this class.
    pub(crate) peers: u128,
}

/// A compiled build order: what foundations take.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub(crate) struct BuildOrder {
    pub(crate) wants: Box<[u64]>,
    pub(crate) relation: Option<u8>,
    pub(crate) base: Option<u8>,
    pub(crate) one_suit_each: bool,
    /// The piles with this build order.
    pub(crate) piles: u128,
    /// For each rank its first place in `wants`; 255 if it is not there.
    pub(crate) places: [u8; RANKS],
    /// The other ways to build, each with the places of ranks.
    pub(crate) ways: Box<[Way]>,
    /// Whether what a pile wants depends only on its height, its top card and the base.
    pub(crate) is_plain: bool,
    pub(crate) one_way: bool,
    pub(crate) own_base: bool,
    pub(crate) by_first: bool,
    pub(crate) waits: bool,
}

/// Another way to build.
#[derive(Debug)]
pub(crate) struct Way {
    pub(crate) wants: Box<[u64]>,
    pub(crate) places: [u8; RANKS],
}

/// The number of ranks. A joker has another one, which no build order begins with.
pub(crate) const RANKS: usize = 13;

/// A compiled relation, for lookups from either card.
#[derive(Debug)]
pub(crate) struct Relation {
    /// For a card: the cards that may lie on it.
    pub(crate) over: [u64; CARDS],
    /// For a card: the cards that it may lie on.
    pub(crate) under: [u64; CARDS],
}

/// A compiled rule.
#[derive(Debug)]
pub(crate) struct CompiledRule {
    /// The conditions, cheapest first.
    pub(crate) when: Box<[Condition]>,
    /// Whether these depend on nothing but counters and on which piles are empty.
    pub(crate) seldom_changes: bool,
    pub(crate) kind: CompiledAction,
    pub(crate) effects: Box<[Effect]>,
    /// Earlier free rules that may make the same move.
    pub(crate) duplicates: Box<[u8]>,
    /// What the rule does to cards, if it gathers piles and does no more than to deal then.
    pub(crate) redeal: Option<Box<Redeal>>,
    /// The piles of a row in its order, if all that the rule does is to close it up.
    pub(crate) closing: u128,
}

impl Program {
    /// Validates and compiles a program.
    pub fn new(program: Source) -> Result<Self, ProgramError> {
        validate::check(&program)?;
        let capacity = program.piles.iter().map(|pile| pile.capacity).max().unwrap_or(0);
        let mut start = 0;
        let places: Box<[PileInfo]> = program
            .piles
            .iter()
            .map(|pile| {
                let peers = program.piles.iter().map(|other| other.class == pile.class);
                let place = PileInfo {
                    start,
                    capacity: pile.capacity,
                    class: pile.class,
                    build_order: pile.build_order,
                    complete: pile.build_order.map_or(usize::MAX, |build_order| {
                        program.build_orders[usize::from(build_order)].wants.len()
                    }),
                    peers: mask(peers.enumerate().filter(|peer| peer.1).map(|peer| peer.0 as u8)),
                };
                start += pile.capacity;
                place
            })
            .collect();
        let forced_during = |phase: During| {
            let forced = rules_where(&program, |rule| {
                rule.forced && (rule.during == phase || rule.during == During::Always)
            });
            forced.iter().copied().collect::<RuleSet>()
        };
        let build_orders: Box<[BuildOrder]> =
            (0..).zip(&program.build_orders).map(|(at, _)| BuildOrder::new(&program, at)).collect();
        let (footprints, aim) = actions::footprints(&program);
        let shuffles = all_steps(&program).any(|step| matches!(step, Step::Shuffle { .. }));
        let mut plans: Vec<CompiledRule> = Vec::with_capacity(program.rules.len());
        for rule in &program.rules {
            let kind = CompiledAction::new(&rule.action, &program);
            let duplicates = plans
                .iter()
                .zip(&program.rules)
                .enumerate()
                .filter(|(_, (plan, earlier))| {
                    !rule.forced && !earlier.forced && kind.overlaps(&plan.kind)
                })
                .map(|(index, _)| index as u8)
                .collect();
            let mut when = rule.when.clone();
            when.sort_by_key(cost);
            plans.push(CompiledRule {
                seldom_changes: when.iter().all(|condition| cost(condition) == 0),
                redeal: Redeal::of(&kind).map(Box::new),
                closing: if rule.effects.is_empty() { kind.row_closed() } else { 0 },
                when: when.into(),
                kind,
                effects: rule.effects.clone().into(),
                duplicates,
            });
        }
        Ok(Self {
            keys: Keys::new(usize::from(capacity).min(MAX_CARDS)),
            pack: {
                let preset = program.preset.iter().map(|preset| &preset.card);
                program.deck.iter().chain(preset).fold(0, |pack, card| pack | 1 << card)
            },
            all_piles: mask(0..program.piles.len() as u8),
            slab: usize::from(start),
            relations: program
                .relations
                .iter()
                .map(|relation| Relation::new(relation.iter().map(|mask| mask.0)))
                .collect(),
            goals_in_common: {
                let in_common = |each: &&BuildOrder| each.one_suit_each || each.one_way;
                build_orders.iter().filter(in_common).fold(0, |piles, each| piles | each.piles)
            },
            has_bases: build_orders.iter().any(|each| each.base.is_some()),
            build_orders,
            tops_asked: plans.iter().fold(0, |piles, plan| piles | plan.kind.piles_asked()),
            goals: mask(
                (0..).zip(&program.piles).filter_map(|(at, pile)| pile.build_order.map(|_| at)),
            ),
            top_sets: TopSets::new(plans.iter().map(|plan| &plan.kind), program.piles.len()),
            closing: only(forced_during(During::Play).iter()).and_then(|rule| {
                let plan = &plans[usize::from(rule)];
                (plan.closing != 0 && plan.when.is_empty()).then_some((rule, plan.closing))
            }),
            plans: plans.into(),
            free: rules_where(&program, |rule| !rule.forced),
            forced_in_layout: forced_during(During::Layout),
            forced_in_play: forced_during(During::Play),
            triggers: Triggers::new(&program, &footprints),
            footprints,
            aim,
            shuffles,
            covered: (0..)
                .zip(&program.piles)
                .filter(|(_, pile)| !pile.open_when.is_empty())
                .map(|(at, pile)| (at, pile.open_when.iter().map(|mask| mask.0).collect()))
                .collect(),
            places,
            source: program,
        })
    }

    /// The same game with hashes in which every card counts as the first card of its class.
    pub(crate) fn with_merged_cards(
        &self,
        representative: &[u8; CARDS],
    ) -> Result<Self, ProgramError> {
        let mut merged = Self::new(self.source.clone())?;
        merged.keys = Keys::merged(merged.deepest(), representative);
        Ok(merged)
    }

    /// How many cards the deepest pile can hold.
    fn deepest(&self) -> usize {
        let deepest = self.places.iter().map(|place| usize::from(place.capacity)).max();
        deepest.unwrap_or(0).min(MAX_CARDS)
    }

    /// Parses, validates and compiles a written program.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ProgramError> {
        Self::new(Source::from_bytes(bytes)?)
    }

    /// The forced rules of a phase.
    #[inline]
    pub(crate) const fn forced_in(&self, phase: Phase) -> RuleSet {
        match phase {
            Phase::Layout => self.forced_in_layout,
            Phase::Play => self.forced_in_play,
        }
    }

    /// The program as it was written.
    pub const fn source(&self) -> &Source {
        &self.source
    }

    /// What a rule reads and writes.
    ///
    /// # Panics
    ///
    /// Panics if there is no rule with this index.
    pub fn footprint(&self, rule: u8) -> &Footprint {
        &self.footprints[usize::from(rule)]
    }

    /// Whether points decide. Then what is won depends on all that the score reads, and on whether
    /// any move is left.
    pub(crate) fn is_decided_by_points(&self) -> bool {
        let aim = &self.source.aim;
        aim.is_empty() || aim.iter().any(|condition| matches!(condition, Condition::Score { .. }))
    }

    /// What a position must be worth for the aim, if points decide.
    pub(crate) fn target(&self) -> Option<i64> {
        let score = self.source.score.as_ref()?;
        let asked = self.source.aim.iter().find_map(|condition| match condition {
            Condition::Score { points } => Some(*points),
            _ => None,
        });
        asked.or(score.won_from.map(i64::from)).map(|points| score.aim.worth(points))
    }

    /// Whether the game can be won.
    pub(crate) fn can_be_won(&self) -> bool {
        let score = self.source.score.as_ref();
        !self.source.aim.is_empty() || score.is_some_and(|score| score.won_from.is_some())
    }

    /// The number of piles.
    pub fn piles(&self) -> usize {
        self.places.len()
    }
}

impl Source {
    /// Parses a written program without validating it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ProgramError> {
        if bytes.len() > MAX_BYTES {
            return Err(ProgramError::TooLong(bytes.len()));
        }
        Ok(serde_json::from_slice(bytes)?)
    }

    /// Writes the program: JSON with sorted keys and no spaces.
    ///
    /// # Panics
    ///
    /// Never: every program can be serialized.
    pub fn to_bytes(&self) -> Vec<u8> {
        // A `Value` sorts its keys.
        let value = serde_json::to_value(self).expect("a program has only string keys");
        value.to_string().into_bytes()
    }
}

/// Roughly, the cost of testing a condition; 0 if it depends on nothing but counters and on which
/// piles are empty.
fn cost(condition: &Condition) -> u8 {
    match condition {
        Condition::Vacant { .. } | Condition::Filled { .. } | Condition::Counter { .. } => 0,
        Condition::Top { .. } => 1,
        Condition::Complete { .. } | Condition::Size { .. } => 2,
        Condition::AnyOf { conditions } | Condition::ByCounter { conditions, .. } => {
            conditions.iter().map(cost).max().unwrap_or(0)
        }
        Condition::Holds { .. }
        | Condition::Each { .. }
        | Condition::Ordered { .. }
        | Condition::Sums { .. } => 3,
        Condition::Score { .. } => 5,
        Condition::Blocked { .. } => 4,
    }
}

/// The steps of the layout and of all scripts.
fn all_steps(program: &Source) -> impl Iterator<Item = &Step> {
    let scripts = program.rules.iter().filter_map(|rule| match &rule.action {
        Action::Script { steps } => Some(steps),
        _ => None,
    });
    scripts.chain([&program.layout]).flatten()
}

/// The only one of some rules.
fn only(mut rules: impl Iterator<Item = u8>) -> Option<u8> {
    rules.next().filter(|_| rules.next().is_none())
}

fn rules_where(
    program: &Source,
    wanted: impl Fn(&crate::program::format::Rule) -> bool,
) -> Box<[u8]> {
    let rules = program.rules.iter().enumerate();
    rules.filter(|(_, rule)| wanted(rule)).map(|(index, _)| index as u8).collect()
}

impl BuildOrder {
    /// The place in the order of the card at a height, if the pile begins at another place.
    #[inline]
    pub(crate) fn place_at(&self, begun: usize, height: usize) -> usize {
        let step = if self.by_first { begun + 1 } else { 1 };
        (begun + height * step) % self.wants.len()
    }

    fn new(program: &Source, at: u8) -> Self {
        let build_order = &program.build_orders[usize::from(at)];
        let piles = (0..).zip(&program.piles).filter(|(_, pile)| pile.build_order == Some(at));
        Self {
            wants: wanted(&build_order.wants),
            relation: build_order.relation,
            base: build_order.base,
            one_suit_each: build_order.one_suit_each,
            piles: mask(piles.map(|(pile, _)| pile)),
            places: places(&build_order.wants),
            ways: build_order
                .ways
                .iter()
                .map(|way| Way { wants: wanted(way), places: places(way) })
                .collect(),
            is_plain: build_order.ways.is_empty() && !build_order.own_base && !build_order.waits,
            one_way: build_order.one_way,
            own_base: build_order.own_base,
            by_first: build_order.by_first,
            waits: build_order.waits,
        }
    }
}

fn wanted(wants: &[CardMask]) -> Box<[u64]> {
    wants.iter().map(|wants| wants.0).collect()
}

fn places(wants: &[CardMask]) -> [u8; RANKS] {
    std::array::from_fn(|rank| {
        let place = wants.iter().position(|wants| wants.0 & 0b1111 << (4 * rank) != 0);
        place.and_then(|place| u8::try_from(place).ok()).unwrap_or(u8::MAX)
    })
}

impl Relation {
    fn new(over: impl Iterator<Item = u64>) -> Self {
        let mut relation = Self { over: [0; CARDS], under: [0; CARDS] };
        for (under, cards) in over.enumerate() {
            relation.over[under] = cards;
            for card in (0..CARDS).filter(|card| cards >> card & 1 != 0) {
                relation.under[card] |= 1 << under;
            }
        }
        relation
    }
}
