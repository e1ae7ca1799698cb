//! Proofs of loss in a simpler game.
//!
//! In the abstract game of level k the suit rule of foundations holds only below height k: a card
//! that a foundation wants at height k or more may go up whatever its suit. Everything else is as
//! it was. The higher the level, the nearer to the real game; at level 0 suits do not matter for
//! foundations.
//!
//! *An abstract loss is a real loss.* The abstract relation of a ladder contains all of the real
//! one that can ever be asked, so a move that is legal in a position of the real game is legal in
//! the same position of the abstract game and leads to the same position: a real line that wins is
//! an abstract line that wins. This needs that nothing depends on a foundation move being
//! impossible: [`Abstraction::new`] refuses programs in which plays to foundations are forced, or a
//! rule asks that plays are blocked, or that a card be played from another pile first, or that a
//! suit begin on one foundation only. It also needs that foundations hold what their ladders want,
//! height by height; that is looked at in the position searched from, and programs are refused that
//! put cards on foundations in another way.
//!
//! *Cards of a class count as the same card.* Two cards that are wanted at height k or more and
//! that no other rule tells apart are treated alike by every rule of the abstract game; a
//! permutation of equal places in the layout that exchanges them maps its legal moves onto legal
//! moves. So a key in which they are the same card is an exact key there, and exhaustion under it
//! is a proof. This is what makes the abstract space small: in games that build regardless of suit
//! a class is a rank.
//!
//! The linked space is searched depth first there: an exhaustion takes as many positions in any
//! order, and a step is quicker than to go back to a position.
//!
//! An abstract win proves nothing; the level is raised and the search begins again.

use crate::bits::bits;
use crate::card::{CARDS, has};
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::program::format::{CardMask, Source};
use crate::search::budget::{Interrupted, NodeBudget};
use crate::search::options::Prunings;
use crate::search::spaces::equivalence::Equivalence;
use crate::search::spaces::evaluation::Evaluation;
use crate::search::spaces::general::General;
use crate::search::spaces::linked::keys::Likeness;
use crate::search::spaces::linked::safe_play::SafePlay;
use crate::search::spaces::linked::space::{ActivePrunings, Linked};
use crate::search::spaces::linked::tables::Tables;
use crate::search::spaces::result::SearchResult;
use crate::search::strategies::best_first::best_first;
use crate::search::strategies::depth_first::depth_first;
use crate::search::weights::Weights;

/// The abstract game of one level.
pub(crate) struct Abstraction {
    /// The program of the level, with the cards that it cannot tell apart.
    game: Program,
    key: Equivalence,
}

impl Abstraction {
    /// The game of a level, if it proves anything of a program and is any simpler.
    pub(crate) fn new(
        program: &Program,
        root: &State,
        level: usize,
        without: Prunings,
    ) -> Option<Self> {
        let game = program.source();
        let ladders = (0..program.places.len())
            .filter(|&pile| program.places[pile].ladder.is_some())
            .fold(0, |ladders, pile| ladders | 1 << pile);
        let is_sound = game.rules.iter().zip(&program.footprints).all(|(rule, footprint)| {
            let plays_well = footprint.plays == 0 || !rule.forced && !footprint.compares_cards;
            !footprint.asks_for_moves
                && plays_well
                && (footprint.builds | footprint.deals) & ladders == 0
        });
        let is_suited = game.ladders.iter().any(|ladder| ladder.relation.is_some());
        if !is_sound || !is_suited || game.ladders.iter().any(|ladder| ladder.apart) {
            return None;
        }
        let base = game
            .ladders
            .iter()
            .map(|ladder| {
                ladder.base.map_or(0, |base| usize::from(root.counters()[usize::from(base)]))
            })
            .collect::<Vec<_>>();
        let is_regular = bits(ladders).all(|pile| {
            let Some(index) = program.places[pile].ladder.map(usize::from) else { return true };
            let wants = &game.ladders[index].wants;
            let mut cards = root.pile(pile).iter().copied().enumerate();
            cards.all(|(depth, here)| {
                depth < wants.len() && has(wants[(depth + base[index]) % wants.len()].0, here)
            })
        });
        if !is_regular {
            return None;
        }
        let top = game.ladders.iter().map(|ladder| ladder.wants.len()).max()?;
        if level >= top {
            return None;
        }
        let game = Program::new(relaxed(game, level, &base)).ok()?;
        let key = Equivalence::exact(&game, without);
        let game = key.with_merged_cards(&game).unwrap_or(game);
        key.merges_cards().then_some(Self { game, key })
    }

    /// Searches the game. Returns [`SearchResult::Exhausted`] only as a proof that the real game is
    /// lost; a win proves nothing.
    pub(crate) fn search(
        &self,
        budget: &mut NodeBudget<'_>,
        root: &State,
        weights: Weights,
        without: Prunings,
    ) -> Result<SearchResult<()>, Interrupted> {
        let tables = Tables::new(&self.game, root, true).filter(|tables| tables.is_wanted(without));
        Ok(if let Some(tables) = tables {
            let (safe_play_rules, prunings) =
                (SafePlay::new(&tables), ActivePrunings::new(without));
            let (game, likeness) = (&self.game, Likeness::Exact);
            let mut space =
                Linked::new(game, &tables, &safe_play_rules, root, likeness, prunings, weights);
            depth_first(budget, &mut space, 0)?.without_line()
        } else {
            let evaluation = Evaluation::new(&self.game, root, weights);
            let mut space = General::new(&self.game, &self.key, root, evaluation);
            best_first(budget, &mut space)?.without_line()
        })
    }
}

/// The program with the suit rule of its ladders relaxed from a height on.
///
/// Of the relation only that part is kept which can ever be asked: what may follow a card at the
/// next height. (What else it says would tell cards apart that are alike.) A card that no height
/// wants, but which may have been laid out on a foundation, keeps its row and takes the loose cards
/// too.
fn relaxed(program: &Source, level: usize, base: &[usize]) -> Source {
    let mut abstracted = program.clone();
    for (index, ladder) in program.ladders.iter().enumerate() {
        let Some(relation) = ladder.relation else { continue };
        let steps = ladder.wants.len();
        let wants = |height: usize| ladder.wants[(height + base[index]) % steps].0;
        let over = |under: usize| program.relations[usize::from(relation)][under].0;
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
        abstracted.ladders[index].relation = Some(abstracted.relations.len() as u8);
        abstracted.relations.push((0..CARDS).map(row).collect());
    }
    abstracted
}
