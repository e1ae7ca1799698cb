//! Proves losses in a simpler game.
//!
//! In the abstract game of level k the suit rule of foundations holds only below height k: a card
//! that a foundation wants at height k or more may go up whatever its suit. Everything else is
//! unchanged. The higher the level, the closer the abstract game is to the real one. At level 0
//! foundations ignore suits.
//!
//! *An abstract loss is a real loss.* The abstract relation of a build order contains every part of
//! the real one that can ever be tested. So a move that is legal in a position of the real game is
//! legal in the same position of the abstract game, and leads to the same position. Hence a winning
//! line of the real game is a winning line of the abstract game. This requires that nothing depends
//! on a play to a foundation being impossible: [`Abstraction::new`] rejects programs in which such
//! plays are forced, or in which a rule requires that plays are blocked, that a card is played from
//! another pile first, or that a suit begins on one foundation only. It also requires that
//! foundations hold what their build orders want, height by height. This is checked in the position
//! searched from, and programs that put cards on foundations in another way are rejected.
//!
//! *Cards of a class count as the same card.* Every rule of the abstract game treats two cards
//! alike if both are wanted at height k or more and no other rule distinguishes them. A permutation
//! of equal places in the layout that exchanges them maps legal moves onto legal moves. So a key in
//! which they are the same card is an exact key there, and exhaustion with it is a proof. This
//! makes the abstract space small: in games that build regardless of suit a class is a rank.
//!
//! In the card-links space the search is depth first: exhaustion needs the same number of positions
//! in any order, and a step is faster than restoring a position.
//!
//! An abstract win proves nothing. The search then starts again at the next level. Where a level is
//! not decided soon, a class-blind search with few positions looks for a win first
//! ([`Abstraction::scout`]): depth-first search may take millions of positions to find one.

use crate::bits::bits;
use crate::card::has;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::{CardMask, Source};
use crate::search::budget::{Interrupted, NodeBudget};
use crate::search::options::Prunings;
use crate::search::spaces::card_links::packs::{OnePack, Packs, TwoPacks};
use crate::search::spaces::card_links::space::{ActivePrunings, CardLinksSpace};
use crate::search::spaces::card_links::step::Step;
use crate::search::spaces::card_links::tables::Tables;
use crate::search::spaces::equivalence::Equivalence;
use crate::search::spaces::evaluation::Evaluation;
use crate::search::spaces::general::General;
use crate::search::spaces::result::SearchResult;
use crate::search::spaces::settled::settled_bases;
use crate::search::strategies::best_first::best_first;
use crate::search::strategies::depth_first::DepthFirst;
use crate::search::strategies::paused::Paused;
use crate::search::strategy::CardEquivalence;
use crate::search::turn::Carryover;
use crate::search::weights::Weights;

/// The part of the nodes of a turn that a class-blind search of an abstract game may take.
const SCOUTING: u64 = 4;

/// The abstract game of one level.
pub(crate) struct Abstraction {
    /// The program of the level, with hashes in which cards of a class are the same.
    game: Program,
    key: Equivalence,
}

impl Abstraction {
    /// The game of a level; none if it proves nothing about the program or is no simpler.
    pub(crate) fn new(
        program: &Program,
        root: &State,
        level: usize,
        without: Prunings,
    ) -> Option<Self> {
        let game = program.source();
        let build_orders = (0..program.places.len())
            .filter(|&pile| program.places[pile].build_order.is_some())
            .fold(0, |build_orders, pile| build_orders | 1 << pile);
        let is_sound = game.rules.iter().zip(&program.footprints).all(|(rule, footprint)| {
            let plays_well = footprint.plays == 0 || !rule.forced && !footprint.compares_cards;
            !footprint.asks_for_moves
                && plays_well
                && (footprint.builds | footprint.deals) & build_orders == 0
        });
        let is_suited = game.build_orders.iter().any(|build_order| build_order.relation.is_some());
        if !is_sound
            || !is_suited
            || game.build_orders.iter().any(|build_order| build_order.one_suit_each)
        {
            return None;
        }
        let base = settled_bases(program, root)?;
        let is_regular = bits(build_orders).all(|pile| {
            let Some(index) = program.places[pile].build_order.map(usize::from) else {
                return true;
            };
            let wants = &game.build_orders[index].wants;
            let mut cards = root.pile(pile).iter().copied().enumerate();
            cards.all(|(depth, here)| {
                depth < wants.len() && has(wants[(depth + base[index]) % wants.len()].0, here)
            })
        });
        if !is_regular {
            return None;
        }
        let top = game.build_orders.iter().map(|build_order| build_order.wants.len()).max()?;
        if level >= top {
            return None;
        }
        let game = Program::new(relaxed(game, level, &base)).ok()?;
        let key = Equivalence::exact(&game, without);
        let game = key.with_merged_cards(&game).unwrap_or(game);
        key.merges_cards().then_some(Self { game, key })
    }

    /// Looks for a win by a class-blind search, which has far fewer positions. Where it finds none,
    /// there probably is none, and [`Self::search`] is worth its nodes. It may take a part of
    /// those that are left.
    pub(crate) fn scout(
        &self,
        budget: &mut NodeBudget<'_>,
        root: &State,
        weights: Weights,
        without: Prunings,
    ) -> Result<SearchResult<()>, Interrupted> {
        let (share, end) = (budget.share, budget.end);
        budget.share = budget.nodes + (share - budget.nodes) / SCOUTING;
        budget.end = end.min(budget.share);
        let cards = CardEquivalence::BY_CLASS;
        let found = self
            .in_card_links::<OnePack>(root, weights, without, cards, |space| {
                best_first(budget, space, u64::MAX)
            })
            .or_else(|| {
                self.in_card_links::<TwoPacks>(root, weights, without, cards, |space| {
                    best_first(budget, space, u64::MAX)
                })
            });
        (budget.share, budget.end) = (share, end);
        budget.out_of_memory = false;
        found.unwrap_or(Ok(SearchResult::OutOfBudget))
    }

    /// Searches the card-links space of the game; none if it has no such space.
    fn in_card_links<P: Packs>(
        &self,
        root: &State,
        weights: Weights,
        without: Prunings,
        cards: CardEquivalence,
        search: impl FnOnce(&mut CardLinksSpace<'_, P>) -> Result<SearchResult<Step<P>>, Interrupted>,
    ) -> Option<Result<SearchResult<()>, Interrupted>> {
        let game = &self.game;
        let tables = Tables::new(game, root, true).filter(|tables| tables.is_wanted(without))?;
        let (safe_play_rules, prunings) = (tables.safe_play(game), ActivePrunings::new(without));
        let rearrangements = prunings.rearrangements && cards == CardEquivalence::Exact;
        let prunings = ActivePrunings { rearrangements, ..prunings };
        let mut space =
            CardLinksSpace::new(game, &tables, &safe_play_rules, root, cards, prunings, weights);
        Some(search(&mut space).map(SearchResult::without_line))
    }

    /// Searches the game. Returns [`SearchResult::Exhausted`] only as a proof that the real game is
    /// lost; a win proves nothing.
    pub(crate) fn search(
        &self,
        paused: &Paused,
        carry: &mut Carryover,
        budget: &mut NodeBudget<'_>,
        root: &State,
        weights: Weights,
        without: Prunings,
    ) -> Result<SearchResult<()>, Interrupted> {
        let cards = CardEquivalence::Exact;
        let found = self
            .in_card_links::<OnePack>(root, weights, without, cards, |space| {
                paused.proceed::<DepthFirst<_>, _>(carry, budget, space)
            })
            .or_else(|| {
                self.in_card_links::<TwoPacks>(root, weights, without, cards, |space| {
                    paused.proceed::<DepthFirst<_>, _>(carry, budget, space)
                })
            });
        found.unwrap_or_else(|| {
            let evaluation = Evaluation::new(&self.game, root, weights);
            let mut space = General::new(&self.game, &self.key, root, evaluation);
            Ok(best_first(budget, &mut space, u64::MAX)?.without_line())
        })
    }
}

/// The program with the suit rule of its build orders relaxed from a height on.
///
/// Only that part of the relation remains which can ever be tested: which cards may follow a card
/// at the next height. (Any other part would distinguish cards that are alike.) A card that no
/// height wants, but which the layout may have put on a foundation, retains its row and also takes
/// the cards whose suit is ignored.
fn relaxed(program: &Source, level: usize, base: &[usize]) -> Source {
    let mut abstracted = program.clone();
    for (index, build_order) in program.build_orders.iter().enumerate() {
        let Some(relation) = build_order.relation else { continue };
        let steps = build_order.wants.len();
        let wants = |height: usize| build_order.wants[(height + base[index]) % steps].0;
        let table = &program.relations[usize::from(relation)];
        let over = |under: usize| table[under].0;
        let everywhere = (level..steps).fold(0, |loose, height| loose | wants(height));
        let row = |under: usize| {
            let mut row = None;
            for height in 0..steps {
                if wants(height) >> under & 1 == 0 {
                    continue;
                }
                let next = height + 1;
                let follows = match next {
                    _ if next == steps => 0,
                    _ if next >= level => wants(next),
                    _ => wants(next) & over(under),
                };
                row = Some(row.unwrap_or(0) | follows);
            }
            CardMask(row.unwrap_or_else(|| over(under) | everywhere))
        };
        abstracted.build_orders[index].relation = Some(abstracted.relations.len() as u8);
        abstracted.relations.push((0..table.len()).map(row).collect());
    }
    abstracted
}
