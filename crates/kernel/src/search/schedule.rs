//! Classes of games, and the order and shares of turns for each.
//!
//! No verdict depends on this, only how soon it is found.

use crate::program::actions::CompiledAction;
use crate::program::compiled::Program;
use crate::program::format::{During, Unit};
use crate::search::spaces::card_links::packs::Packs;
use crate::search::spaces::card_links::tables::Tables;
use crate::search::spaces::merging::Merging;
use crate::search::strategy::{CardEquivalence, Strategy};

/// A class of games with its own turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GameClass {
    /// Any other game.
    General,
    /// Games of the general space whose rules of building distinguish all cards.
    Plain,
    /// Games of the general space in which more may be built than moves together.
    WholeRuns,
    /// Games in which cards are put on heaps, where they stay until they go up.
    Heaps,
    /// Games in which cards go only to piles that nothing ever leaves.
    Draining,
    /// Games in which piles are put on each other as wholes.
    Merging,
    /// Games of the counting space.
    Counting,
    /// Games of the pairing space.
    Pairing,
    /// Games of the card-sets space.
    CardSets,
    /// Games of the card-links space with more than two cards in a class.
    CardLinks,
    /// Games of the card-links space with at most two cards in a class.
    Paired,
    /// Games of the card-links space of two packs, unless the waste can be turned over only some
    /// number of times, or never.
    TwoPacks,
    /// Games of the card-links space with face-down cards.
    Hidden,
    /// Games of the card-links space in which empty piles are filled at once.
    Refilled,
}

impl GameClass {
    #[cfg(test)]
    pub(crate) const ALL: [Self; 14] = [
        Self::General,
        Self::Plain,
        Self::WholeRuns,
        Self::Heaps,
        Self::Draining,
        Self::Merging,
        Self::Counting,
        Self::Pairing,
        Self::CardSets,
        Self::CardLinks,
        Self::Paired,
        Self::TwoPacks,
        Self::Hidden,
        Self::Refilled,
    ];

    /// The class of a program of the card-links space; none if it has the turns of the general
    /// space.
    pub(crate) fn of_links<P: Packs>(program: &Program, tables: &Tables<P>) -> Option<Self> {
        Some(match tables {
            tables if tables.is_for_stages() => return None,
            tables if tables.hides_cards() => Self::Hidden,
            tables if tables.refills() => Self::Refilled,
            _ if P::COPIES > 1 => Self::TwoPacks,
            tables if tables.largest_class(program) > 2 => Self::CardLinks,
            _ => Self::Paired,
        })
    }

    /// Whether it has turns and weights made for the card-links space.
    pub(crate) const fn is_of_links(self) -> bool {
        matches!(
            self,
            Self::CardLinks | Self::Paired | Self::TwoPacks | Self::Hidden | Self::Refilled
        )
    }

    /// The class of a program of the general space, or of two packs with a waste that can be turned
    /// over only some number of times.
    ///
    /// `has_heaps` says whether cards are put on piles that they leave only when they go up, and
    /// `sees_less` whether class-blind keys distinguish fewer positions than exact ones.
    pub(crate) fn of(program: &Program, has_heaps: bool, sees_less: bool) -> Self {
        match () {
            () if is_draining(program) => Self::Draining,
            () if Merging::new(program).has_piles() => Self::Merging,
            () if has_heaps => Self::Heaps,
            () if sees_less => Self::General,
            () => Self::Plain,
        }
    }

    /// The turns of a round.
    pub(crate) const fn turns(self) -> &'static [Strategy] {
        match self {
            Self::General | Self::Plain | Self::WholeRuns => &Strategy::TURNS,
            Self::Heaps => &Strategy::HEAPS_TURNS,
            Self::Draining => &Strategy::DRAINING_TURNS,
            Self::Merging => &Strategy::MERGING_TURNS,
            Self::Counting | Self::Pairing => &Strategy::COUNTING_TURNS,
            Self::CardSets => &Strategy::CARD_SETS_TURNS,
            Self::CardLinks => &Strategy::CARD_LINKS_TURNS,
            Self::Paired | Self::TwoPacks | Self::Refilled => &Strategy::PAIRED_TURNS,
            Self::Hidden => &Strategy::HIDDEN_TURNS,
        }
    }

    /// The number of shares of a turn in a round.
    pub(crate) const fn node_share(self, turn: Strategy) -> u64 {
        match self {
            Self::General | Self::Plain => self.general_node_share(turn),
            // Beams that move runs as wholes find most wins.
            Self::WholeRuns => match turn {
                turn if turn.keeps_runs_whole() => 8,
                _ => 1,
            },
            // A beam needs many positions in each stage.
            Self::Heaps => match turn {
                Strategy::StageBeam { .. } => 16,
                _ => self.general_node_share(turn),
            },
            // The space is small enough to be exhausted.
            Self::Draining => match turn {
                Strategy::Depth { cards: CardEquivalence::Exact, greedy: false } => 32,
                _ => self.general_node_share(turn),
            },
            // Nearly all deals can be won, unless there are few piles. Then few positions are left.
            Self::Merging => match turn {
                Strategy::PerturbedBeam { .. } | Strategy::Depth { .. } => 8,
                _ => 1,
            },
            Self::Counting | Self::Pairing => match turn {
                Strategy::Depth { .. } => 8,
                Strategy::Restarts { .. } => 4,
                _ => 1,
            },
            // Depth-first search exhausts the spaces. Without the order of the stock it exhausts
            // most of the lost ones sooner, or soon finds a win, which ends this turn.
            Self::CardSets => match turn {
                Strategy::Abstract => 40,
                Strategy::Depth { .. } => 20,
                _ => 1,
            },
            // Greedy searches have small spaces and mostly find a win if there is one, so they get
            // enough to exhaust them. Abstract games prove most losses of games of building. A
            // class-blind depth-first search that exhausts its space can find other wins in each
            // round.
            Self::CardLinks => match turn {
                turn if turn.is_greedy() => 8,
                Strategy::Abstract => 3,
                Strategy::Depth { cards: CardEquivalence::BY_CLASS, .. } => 4,
                _ => 1,
            },
            // The greedy space is not much smaller than others, and one strategy soon succeeds
            // where another fails.
            Self::Paired => match (turn, turn.cards()) {
                (Strategy::Best { greedy: true, .. }, _) => 4,
                (Strategy::Depth { greedy: false, .. }, CardEquivalence::BY_CLASS) => 6,
                (Strategy::Depth { .. }, _) | (_, CardEquivalence::BY_CLASS) => 2,
                _ => 1,
            },
            // Most deals can be won, and playing up what can go there leads far.
            Self::TwoPacks => match turn {
                Strategy::Best { greedy: true, .. } => 16,
                _ => Self::Paired.node_share(turn),
            },
            // A win is found soon or not at all, and the space is small enough to be exhausted.
            Self::Refilled => match turn {
                Strategy::Depth { cards: CardEquivalence::Exact, greedy: false } => 30,
                Strategy::Depth { cards: CardEquivalence::BY_CLASS, greedy: false } => 3,
                _ => Self::Paired.node_share(turn),
            },
            Self::Hidden => match turn {
                Strategy::Hierarchy => 8,
                Strategy::Abstract | Strategy::Playouts => 3,
                _ => 1,
            },
        }
    }

    /// The same for games of the general space. In games of several packs playouts, perturbed
    /// weights or a wide beam use nodes best. Stages need many nodes and seldom help: the games in
    /// which they do have a larger share beside their rules. If no search can be class-blind, plain
    /// best-first search replaces the class-blind ones.
    const fn general_node_share(self, turn: Strategy) -> u64 {
        match turn {
            Strategy::Best { weights: 0, .. } if matches!(self, Self::Plain) => 8,
            Strategy::PerturbedBestFirst { .. } => 4,
            Strategy::Best { .. } if matches!(self, Self::Plain) => 4,
            Strategy::Playouts | Strategy::Beam { cards: CardEquivalence::BY_CLASS, .. } => 3,
            _ => 1,
        }
    }

    /// Whether depth-first search goes on in the next round where it was. Otherwise each round
    /// takes another order, which finds more wins where the space is too large to be exhausted.
    pub(crate) const fn continues(self, turn: Strategy) -> bool {
        matches!(
            self,
            Self::CardSets | Self::Counting | Self::Pairing | Self::Draining | Self::Merging
        ) && turn.is_exact()
    }

    /// The factor, in hundredths, for the share of a turn once a class-blind search has exhausted
    /// its space without a win. In the general space nearly all such deals are lost, so what looks
    /// for wins gets little.
    pub(crate) const fn doubt(self, turn: Strategy) -> u64 {
        match (self, turn) {
            // The hierarchy has the same games.
            (Self::CardLinks, Strategy::Abstract) => 100,
            (Self::CardLinks, Strategy::Hierarchy) => 4000,
            (Self::CardLinks, _) if turn.proves_losses() => 200,
            _ if turn.proves_losses() => 800,
            (Self::General | Self::WholeRuns | Self::Heaps, _) => 1,
            _ => 100,
        }
    }

    /// Whether a class-blind search that has exhausted its space begins again. Among positions that
    /// count as equal the first visited one decides, and in another order that is another one.
    pub(crate) const fn begins_again(self, turn: Strategy) -> bool {
        matches!(self, Self::CardLinks)
            && matches!(
                turn,
                Strategy::Depth { cards: CardEquivalence::BY_CLASS, greedy: false }
                    | Strategy::Best { cards: CardEquivalence::BY_CLASS, greedy: false, .. }
            )
    }
}

/// Whether every rule puts cards only on piles from which no rule takes any.
fn is_draining(program: &Program) -> bool {
    let rules = program.source().rules.iter().zip(&program.footprints);
    let in_play = rules.filter(|(rule, _)| !matches!(rule.during, During::Layout));
    let (from, to) = in_play
        .map(|(_, footprint)| {
            (footprint.takes | footprint.turns, footprint.puts() | footprint.turns)
        })
        .fold((0, 0), |all, piles| (all.0 | piles.0, all.1 | piles.1));
    from & to == 0
}

/// Whether cards may be built on others with which they do not move together.
pub(crate) fn builds_beyond_runs(program: &Program) -> bool {
    program.plans.iter().any(|plan| {
        let CompiledAction::Move(plan) = &plan.kind else { return false };
        let (Unit::Run { relation, most: 2.., .. }, Some(build)) =
            (&plan.action.cards, plan.action.build)
        else {
            return false;
        };
        let over = |relation: u8| &program.relations[usize::from(relation)].over;
        over(*relation) != over(build)
    })
}

#[cfg(test)]
mod tests {
    use super::GameClass;
    use crate::search::strategy::Strategy;
    use std::collections::HashSet;

    #[test]
    fn turns_are_told_apart() {
        for turns in GameClass::ALL.map(GameClass::turns) {
            let labels: HashSet<String> = Strategy::labels(turns).into_iter().collect();
            assert_eq!(labels.len(), turns.len());
        }
    }
}
