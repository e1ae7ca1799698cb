//! The ways of searching, and the order in which they take turns.

/// A way of searching. Only those with an exact sight, and the abstract games,
/// prove losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// The most promising position first.
    Best {
        /// Which of the two sets of weights.
        weights: usize,
        /// What it tells apart.
        sight: Sight,
    },
    /// The most promising position first, again and again, each time by somewhat other weights.
    PerturbedBestFirst {
        /// Which set of weights.
        weights: usize,
        /// What it tells apart.
        sight: Sight,
    },
    /// The most promising positions of each layer; a proof only where every layer is kept whole.
    Beam {
        /// Which of the two sets of weights.
        weights: usize,
        /// What it tells apart.
        sight: Sight,
    },
    /// Depth first.
    Depth {
        /// What it tells apart.
        sight: Sight,
    },
    /// Depth first in a random order, given up soon and begun again.
    Restarts {
        /// What it tells apart.
        sight: Sight,
    },
    /// Whole games by chance, with a policy that learns; proves nothing.
    Nrpa {
        /// Which set of weights.
        weights: usize,
    },
    /// The abstract games, level by level, for proofs of loss.
    Abstract,
}

/// What a search tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// All that the rules can tell apart.
    Exact,
    /// Cards of a class count as the same, whatever foundations want: wins may be overlooked.
    Blind,
    /// As blind, and all that can go to foundations goes there at once.
    Greedy,
    /// Cards of a class count as the same from a height on.
    Partial {
        /// The height.
        from: u8,
    },
}

impl Strategy {
    /// The turns of a round in any game.
    pub const TURNS: [Self; 12] = [
        Self::Best { weights: 0, sight: Sight::Blind },
        Self::Nrpa { weights: 0 },
        Self::PerturbedBestFirst { weights: 2, sight: Sight::Exact },
        Self::Restarts { sight: Sight::Exact },
        Self::Depth { sight: Sight::Exact },
        Self::Abstract,
        Self::Best { weights: 0, sight: Sight::Exact },
        Self::Beam { weights: 0, sight: Sight::Blind },
        Self::Depth { sight: Sight::Blind },
        Self::Beam { weights: 1, sight: Sight::Exact },
        Self::Best { weights: 1, sight: Sight::Blind },
        Self::Best { weights: 1, sight: Sight::Exact },
    ];

    /// The turns of a round in games that the linked space can do.
    pub const LINKED_TURNS: [Self; 12] = [
        Self::Best { weights: 0, sight: Sight::Greedy },
        Self::Abstract,
        Self::Depth { sight: Sight::Greedy },
        Self::Depth { sight: Sight::Exact },
        Self::Depth { sight: Sight::Blind },
        Self::Beam { weights: 0, sight: Sight::Blind },
        Self::Best { weights: 0, sight: Sight::Partial { from: 4 } },
        Self::Best { weights: 0, sight: Sight::Exact },
        Self::Best { weights: 1, sight: Sight::Blind },
        Self::Depth { sight: Sight::Partial { from: 8 } },
        Self::Beam { weights: 1, sight: Sight::Exact },
        Self::Best { weights: 1, sight: Sight::Exact },
    ];

    /// The turns of a round in games that the linked space can do and in which no more than two
    /// cards are of a class: class-blind spaces are hardly smaller than exact ones, and what fails
    /// is soon tried otherwise.
    pub const PAIRED_TURNS: [Self; 12] = [
        Self::Best { weights: 0, sight: Sight::Greedy },
        Self::Depth { sight: Sight::Blind },
        Self::Depth { sight: Sight::Exact },
        Self::Abstract,
        Self::Depth { sight: Sight::Greedy },
        Self::Beam { weights: 0, sight: Sight::Blind },
        Self::Best { weights: 0, sight: Sight::Partial { from: 4 } },
        Self::Best { weights: 0, sight: Sight::Exact },
        Self::Best { weights: 1, sight: Sight::Blind },
        Self::Depth { sight: Sight::Partial { from: 8 } },
        Self::Beam { weights: 1, sight: Sight::Exact },
        Self::Best { weights: 1, sight: Sight::Exact },
    ];

    /// The turns of a round in games that the linked space can do and in which cards lie face down:
    /// a game goes where its cards lie, and many short attempts find that sooner than one that goes
    /// on.
    pub const HIDDEN_TURNS: [Self; 12] = [
        Self::Restarts { sight: Sight::Exact },
        Self::Nrpa { weights: 0 },
        Self::Best { weights: 0, sight: Sight::Greedy },
        Self::Abstract,
        Self::Depth { sight: Sight::Exact },
        Self::Beam { weights: 0, sight: Sight::Blind },
        Self::Best { weights: 0, sight: Sight::Partial { from: 4 } },
        Self::Best { weights: 0, sight: Sight::Exact },
        Self::Best { weights: 1, sight: Sight::Blind },
        Self::Depth { sight: Sight::Greedy },
        Self::Beam { weights: 1, sight: Sight::Exact },
        Self::Best { weights: 1, sight: Sight::Exact },
    ];

    /// The turns of a round in games in which cards only go where nothing leaves. A position is
    /// what is left of each pile, so there are few of them, and all are soon searched.
    pub const DRAINING_TURNS: [Self; 4] = [
        Self::Depth { sight: Sight::Exact },
        Self::Best { weights: 0, sight: Sight::Exact },
        Self::PerturbedBestFirst { weights: 2, sight: Sight::Exact },
        Self::Nrpa { weights: 0 },
    ];

    /// What it tells apart; the abstract games see to that themselves.
    pub(crate) const fn sight(self) -> Sight {
        match self {
            Self::Best { sight, .. }
            | Self::PerturbedBestFirst { sight, .. }
            | Self::Beam { sight, .. }
            | Self::Depth { sight }
            | Self::Restarts { sight } => sight,
            Self::Nrpa { .. } | Self::Abstract => Sight::Exact,
        }
    }

    /// Whether it is there to prove losses.
    pub(crate) const fn proves_losses(self) -> bool {
        matches!(self, Self::Abstract | Self::Depth { sight: Sight::Exact })
    }

    /// Names of turns that tell them apart: of turns of one name the second is "... (2)".
    pub fn labels(turns: &[Self]) -> Vec<String> {
        let name = |(index, turn): (usize, &Self)| {
            let name = turn.name();
            match turns[..index].iter().filter(|before| before.name() == name).count() {
                0 => name.to_owned(),
                before => format!("{name} ({})", before + 1),
            }
        };
        turns.iter().enumerate().map(name).collect()
    }

    /// Its name, as reports give it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Best { sight: Sight::Exact, .. } => "best first",
            Self::Best { sight: Sight::Blind, .. } => "best first, class-blind",
            Self::Best { sight: Sight::Greedy, .. } => "best first, class-blind and greedy",
            Self::Best { sight: Sight::Partial { .. }, .. } => "best first, partly class-blind",
            Self::Beam { sight: Sight::Exact, .. } => "beam",
            Self::Beam { sight: Sight::Blind, .. } => "beam, class-blind",
            Self::Beam { sight: Sight::Greedy, .. } => "beam, class-blind and greedy",
            Self::Beam { sight: Sight::Partial { .. }, .. } => "beam, partly class-blind",
            Self::Depth { sight: Sight::Exact } => "depth first",
            Self::Depth { sight: Sight::Blind } => "depth first, class-blind",
            Self::Depth { sight: Sight::Greedy } => "depth first, class-blind and greedy",
            Self::Depth { sight: Sight::Partial { .. } } => "depth first, partly class-blind",
            Self::PerturbedBestFirst { sight: Sight::Exact, .. } => "best first, weights varied",
            Self::PerturbedBestFirst { .. } => "best first, class-blind, weights varied",
            Self::Restarts { sight: Sight::Exact } => "restarts",
            Self::Restarts { .. } => "restarts, class-blind",
            Self::Nrpa { .. } => "games by chance",
            Self::Abstract => "abstract games",
        }
    }
}
