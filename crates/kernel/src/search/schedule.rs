//! Kinds of games that are searched in another order and with other shares.
//!
//! None of this changes a verdict, only how soon it is found.

use crate::program::compiled::Program;
use crate::program::format::During;
use crate::search::spaces::linked::tables::Tables;
use crate::search::strategy::{Sight, Strategy};

/// What decides the turns of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GameClass {
    /// Any game.
    General,
    /// The general space has to do it, and the rules of building tell all cards apart.
    Plain,
    /// Cards only go where nothing ever leaves.
    Draining,
    /// The linked space can do it, and in its class-blind keys more than two cards are of a class.
    Linked,
    /// The linked space can do it, and no more than two cards are of a class.
    Paired,
    /// The linked space can do it, and cards lie face down.
    Hidden,
}

impl GameClass {
    #[cfg(test)]
    pub(crate) const ALL: [Self; 6] =
        [Self::General, Self::Plain, Self::Draining, Self::Linked, Self::Paired, Self::Hidden];

    /// The class of a program, with its tables if the linked space can do it.
    ///
    /// `sees_less` says whether class-blind keys tell less apart than exact ones.
    pub(crate) fn of(program: &Program, tables: Option<&Tables>, sees_less: bool) -> Self {
        match tables {
            Some(tables) if tables.hides_cards() => Self::Hidden,
            Some(tables) if tables.largest_class(program) > 2 => Self::Linked,
            Some(_) => Self::Paired,
            None if is_draining(program) => Self::Draining,
            None if sees_less => Self::General,
            None => Self::Plain,
        }
    }

    /// The turns of a round.
    pub(crate) const fn turns(self) -> &'static [Strategy] {
        match self {
            Self::General | Self::Plain => &Strategy::TURNS,
            Self::Draining => &Strategy::DRAINING_TURNS,
            Self::Linked => &Strategy::LINKED_TURNS,
            Self::Paired => &Strategy::PAIRED_TURNS,
            Self::Hidden => &Strategy::HIDDEN_TURNS,
        }
    }

    /// How many shares of a round a turn gets.
    pub(crate) const fn node_share(self, turn: Strategy) -> u64 {
        match self {
            Self::General | Self::Plain => self.general_node_share(turn),
            // The space is small, so that it is searched to its end.
            Self::Draining => match turn {
                Strategy::Depth { sight: Sight::Exact } => 32,
                _ => self.general_node_share(turn),
            },
            // Greedy searches have small spaces and mostly find a win in them if there is one, so
            // they may go to the end of them; and most losses of builders are proved in abstract
            // games. A class-blind search depth first finds other wins each round, if it comes to
            // the end of its space.
            Self::Linked => match (turn, turn.sight()) {
                (_, Sight::Greedy) => 8,
                (Strategy::Abstract, _) => 3,
                (Strategy::Depth { .. }, Sight::Blind) => 4,
                _ => 1,
            },
            // The greedy space is not much smaller than others, and one way soon does what another
            // cannot.
            Self::Paired => match (turn, turn.sight()) {
                (Strategy::Best { .. }, Sight::Greedy) => 4,
                (Strategy::Depth { .. }, Sight::Blind) => 6,
                (Strategy::Depth { .. }, _) | (_, Sight::Blind) => 2,
                _ => 1,
            },
            Self::Hidden => match turn {
                Strategy::Abstract => 3,
                _ => 1,
            },
        }
    }

    /// The same for games of the general space. In games of several packs perturbed weights or a
    /// wide beam use nodes best. Where no search can be class-blind, plain best-first search takes
    /// the place of those that are.
    const fn general_node_share(self, turn: Strategy) -> u64 {
        match (turn, turn.sight()) {
            (Strategy::Best { weights: 0, .. }, _) if matches!(self, Self::Plain) => 8,
            (Strategy::PerturbedBestFirst { .. }, _) => 4,
            (Strategy::Best { .. }, _) if matches!(self, Self::Plain) => 4,
            (Strategy::Beam { .. }, Sight::Blind) => 3,
            _ => 1,
        }
    }
}

/// Whether every rule puts cards only where no rule takes any.
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
