//! A game of the card-links space, and what its searches share.

use crate::position::state::State;
use crate::program::compiled::Program;
use crate::search::options::{Pruning, Prunings};
use crate::search::spaces::card_links::digging::Sites;
use crate::search::spaces::card_links::packs::Packs;
use crate::search::spaces::card_links::space::{ActivePrunings, CardLinksSpace};
use crate::search::spaces::card_links::tables::Tables;
use crate::search::spaces::safe_play::SafePlay;
use crate::search::strategy::CardEquivalence;
use crate::search::weights::Weights;

/// The tables of a game, and what follows from them and from the options.
pub(crate) struct LinkedGame<P: Packs> {
    pub(crate) tables: Tables<P>,
    safe_play_rules: SafePlay,
    pub(crate) prunings: ActivePrunings,
    /// Where composite steps move cards, if they are of use.
    pub(crate) sites: Option<Sites<P>>,
}

impl<P: Packs> LinkedGame<P> {
    pub(crate) fn new(program: &Program, tables: Tables<P>, without: Prunings) -> Self {
        let is_of_use = !without.has(Pruning::Digging);
        let sites = is_of_use.then(|| Sites::new(program, &tables)).flatten();
        let safe_play_rules = tables.safe_play(program);
        Self { tables, safe_play_rules, prunings: ActivePrunings::new(without), sites }
    }

    /// The positions after a root.
    pub(crate) fn space<'p>(
        &'p self,
        program: &'p Program,
        root: &State,
        cards: CardEquivalence,
        prunings: ActivePrunings,
        weights: Weights,
    ) -> CardLinksSpace<'p, P> {
        let Self { tables, safe_play_rules, .. } = self;
        CardLinksSpace::new(program, tables, safe_play_rules, root, cards, prunings, weights)
    }
}
