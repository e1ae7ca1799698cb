//! Strategies, and the order in which they take turns.

/// A strategy of the search. Only those that are exact, and the abstract games, prove losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// The most promising position first.
    Best {
        /// The index of its set of weights.
        weights: usize,
        /// Which cards count as the same.
        cards: CardEquivalence,
        /// Whether every card that can go to a foundation goes there at once. Overlooks wins.
        greedy: bool,
    },
    /// The most promising position first, in many short attempts with randomly perturbed weights.
    PerturbedBestFirst {
        /// The index of its set of weights.
        weights: usize,
        /// Which cards count as the same.
        cards: CardEquivalence,
    },
    /// Several beams, all but the first with randomly perturbed weights. A beam fails where its
    /// weights mislead it, and others mislead elsewhere.
    PerturbedBeam {
        /// The index of its set of weights.
        weights: usize,
        /// Which cards count as the same.
        cards: CardEquivalence,
    },
    /// The most promising positions of each layer. Proves a loss only if no layer was cut.
    Beam {
        /// The index of its set of weights.
        weights: usize,
        /// Which cards count as the same.
        cards: CardEquivalence,
    },
    /// Beams of constant width that move runs as wholes. Proves nothing.
    RunBeam {
        /// The index of its set of weights.
        weights: usize,
    },
    /// The most promising positions of each stage of progress. Proves nothing.
    StageBeam {
        /// The index of its set of weights.
        weights: usize,
        /// Whether it moves runs as wholes.
        whole_runs: bool,
    },
    /// Depth first.
    Depth {
        /// Which cards count as the same.
        cards: CardEquivalence,
        /// Whether every card that can go to a foundation goes there at once. Overlooks wins.
        greedy: bool,
    },
    /// Depth first in a random order, with many restarts.
    Restarts {
        /// Which cards count as the same.
        cards: CardEquivalence,
    },
    /// Nested rollout policy adaptation: random games with a policy that learns. Proves nothing.
    Nrpa {
        /// The index of its set of weights.
        weights: usize,
    },
    /// Whole games by the rules of thumb of the greedy player. Proves nothing.
    Playouts,
    /// The abstract games, level by level, to prove losses.
    Abstract,
    /// The game together with its abstract games, which tell which positions are lost.
    Hierarchy,
    /// Depth first by composite steps that dig cards out, in short scans. Proves nothing.
    Digging,
}

/// Which cards a search treats as the same card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardEquivalence {
    /// None, not even where that is exact. (The general space treats this as `Exact`.)
    Distinct,
    /// Cards that a symmetry of the whole game exchanges. Finds every win.
    Exact,
    /// Cards of a class, whatever foundations want: *class-blind*. May overlook wins.
    ByClass {
        /// From this height on; below it as `Exact`.
        from: u8,
    },
}

const EXACT: CardEquivalence = CardEquivalence::Exact;
const BY_CLASS: CardEquivalence = CardEquivalence::BY_CLASS;

impl CardEquivalence {
    /// Cards of a class at any height.
    pub const BY_CLASS: Self = Self::ByClass { from: 0 };

    /// Whether a search with it finds every win.
    pub(crate) const fn is_exact(self) -> bool {
        matches!(self, Self::Distinct | Self::Exact)
    }
}

impl Strategy {
    /// The turns of a round in any game.
    pub const TURNS: [Self; 16] = [
        Self::Best { weights: 0, cards: BY_CLASS, greedy: false },
        Self::Playouts,
        Self::RunBeam { weights: 3 },
        Self::StageBeam { weights: 3, whole_runs: true },
        Self::Nrpa { weights: 0 },
        Self::PerturbedBestFirst { weights: 2, cards: EXACT },
        Self::Restarts { cards: EXACT },
        Self::Depth { cards: EXACT, greedy: false },
        Self::Abstract,
        Self::Best { weights: 0, cards: EXACT, greedy: false },
        Self::Beam { weights: 0, cards: BY_CLASS },
        Self::Depth { cards: BY_CLASS, greedy: false },
        Self::PerturbedBeam { weights: 1, cards: EXACT },
        Self::Best { weights: 1, cards: BY_CLASS, greedy: false },
        Self::Best { weights: 1, cards: EXACT, greedy: false },
        Self::StageBeam { weights: 4, whole_runs: false },
    ];

    /// The turns of a round in games in which cards lie on heaps until they go up. Where short
    /// searches fail, stages with many positions each find most wins.
    pub const HEAPS_TURNS: [Self; 15] = [
        Self::Best { weights: 0, cards: BY_CLASS, greedy: false },
        Self::Playouts,
        Self::Nrpa { weights: 0 },
        Self::StageBeam { weights: 4, whole_runs: false },
        Self::StageBeam { weights: 5, whole_runs: false },
        Self::PerturbedBestFirst { weights: 2, cards: EXACT },
        Self::Restarts { cards: EXACT },
        Self::Depth { cards: EXACT, greedy: false },
        Self::Abstract,
        Self::Best { weights: 0, cards: EXACT, greedy: false },
        Self::Beam { weights: 0, cards: BY_CLASS },
        Self::Depth { cards: BY_CLASS, greedy: false },
        Self::Beam { weights: 1, cards: EXACT },
        Self::Best { weights: 1, cards: BY_CLASS, greedy: false },
        Self::Best { weights: 1, cards: EXACT, greedy: false },
    ];

    /// The turns of a round in games of the card-links space.
    pub const CARD_LINKS_TURNS: [Self; 14] = [
        Self::Best { weights: 0, cards: BY_CLASS, greedy: true },
        Self::Abstract,
        Self::Playouts,
        Self::Depth { cards: BY_CLASS, greedy: true },
        Self::Hierarchy,
        Self::Depth { cards: EXACT, greedy: false },
        Self::Depth { cards: BY_CLASS, greedy: false },
        Self::Beam { weights: 0, cards: BY_CLASS },
        Self::Best { weights: 0, cards: CardEquivalence::ByClass { from: 4 }, greedy: false },
        Self::Best { weights: 0, cards: EXACT, greedy: false },
        Self::Best { weights: 1, cards: BY_CLASS, greedy: false },
        Self::Depth { cards: CardEquivalence::ByClass { from: 8 }, greedy: false },
        Self::Beam { weights: 1, cards: EXACT },
        Self::Best { weights: 1, cards: EXACT, greedy: false },
    ];

    /// The turns of a round in games of the card-links space with at most two cards in a class.
    /// Class-blind spaces are hardly smaller than exact ones there, so strategies that differ come
    /// soon after each other.
    pub const PAIRED_TURNS: [Self; 14] = [
        Self::Digging,
        Self::Best { weights: 0, cards: BY_CLASS, greedy: true },
        Self::Depth { cards: BY_CLASS, greedy: false },
        Self::Depth { cards: EXACT, greedy: false },
        Self::Playouts,
        Self::Abstract,
        Self::Depth { cards: BY_CLASS, greedy: true },
        Self::Beam { weights: 0, cards: BY_CLASS },
        Self::Best { weights: 0, cards: CardEquivalence::ByClass { from: 4 }, greedy: false },
        Self::Best { weights: 0, cards: EXACT, greedy: false },
        Self::Best { weights: 1, cards: BY_CLASS, greedy: false },
        Self::Depth { cards: CardEquivalence::ByClass { from: 8 }, greedy: false },
        Self::Beam { weights: 1, cards: EXACT },
        Self::Best { weights: 1, cards: EXACT, greedy: false },
    ];

    /// The turns of a round in games of the card-links space with face-down cards. Much depends on
    /// where these lie, and many short attempts find a win sooner than one long search.
    pub const HIDDEN_TURNS: [Self; 14] = [
        Self::Restarts { cards: EXACT },
        Self::Nrpa { weights: 0 },
        Self::Playouts,
        Self::Best { weights: 0, cards: BY_CLASS, greedy: true },
        Self::Abstract,
        Self::Hierarchy,
        Self::Depth { cards: EXACT, greedy: false },
        Self::Beam { weights: 0, cards: BY_CLASS },
        Self::Best { weights: 0, cards: CardEquivalence::ByClass { from: 4 }, greedy: false },
        Self::Best { weights: 0, cards: EXACT, greedy: false },
        Self::Best { weights: 1, cards: BY_CLASS, greedy: false },
        Self::Depth { cards: BY_CLASS, greedy: true },
        Self::Beam { weights: 1, cards: EXACT },
        Self::Best { weights: 1, cards: EXACT, greedy: false },
    ];

    /// The turns of a round in games in which cards go only to piles that nothing leaves. A
    /// position is determined by the rest of each pile, so there are few positions and the search
    /// soon exhausts them.
    pub const DRAINING_TURNS: [Self; 5] = [
        Self::Depth { cards: EXACT, greedy: false },
        Self::Playouts,
        Self::Best { weights: 0, cards: EXACT, greedy: false },
        Self::PerturbedBestFirst { weights: 2, cards: EXACT },
        Self::Nrpa { weights: 0 },
    ];

    /// The turns of a round in games in which piles are put on each other as wholes. Beams find
    /// nearly all wins, since all games have the same length.
    pub const MERGING_TURNS: [Self; 6] = [
        Self::PerturbedBeam { weights: 0, cards: EXACT },
        Self::Depth { cards: EXACT, greedy: false },
        Self::Best { weights: 0, cards: EXACT, greedy: false },
        Self::PerturbedBestFirst { weights: 2, cards: EXACT },
        Self::Restarts { cards: EXACT },
        Self::Nrpa { weights: 0 },
    ];

    /// The turns of a round in games of the counting space. Depth-first search decides most deals
    /// at once, and exhausts the space of those that are lost.
    pub const COUNTING_TURNS: [Self; 4] = [
        Self::Depth { cards: EXACT, greedy: false },
        Self::Restarts { cards: EXACT },
        Self::Best { weights: 0, cards: EXACT, greedy: false },
        Self::Nrpa { weights: 0 },
    ];

    /// The turns of a round in games of the card-sets space.
    pub const CARD_SETS_TURNS: [Self; 5] = [
        Self::Restarts { cards: EXACT },
        Self::Abstract,
        Self::Depth { cards: EXACT, greedy: false },
        Self::Best { weights: 0, cards: EXACT, greedy: false },
        Self::Nrpa { weights: 0 },
    ];

    /// The turns of a round in each kind of game.
    pub const ROUNDS: [&[Self]; 9] = [
        &Self::TURNS,
        &Self::CARD_LINKS_TURNS,
        &Self::PAIRED_TURNS,
        &Self::HIDDEN_TURNS,
        &Self::HEAPS_TURNS,
        &Self::DRAINING_TURNS,
        &Self::MERGING_TURNS,
        &Self::COUNTING_TURNS,
        &Self::CARD_SETS_TURNS,
    ];

    /// Which cards count as the same. The abstract games decide that themselves.
    pub(crate) const fn cards(self) -> CardEquivalence {
        match self {
            Self::Best { cards, .. }
            | Self::PerturbedBestFirst { cards, .. }
            | Self::PerturbedBeam { cards, .. }
            | Self::Beam { cards, .. }
            | Self::Depth { cards, .. }
            | Self::Restarts { cards } => cards,
            Self::RunBeam { .. }
            | Self::StageBeam { .. }
            | Self::Nrpa { .. }
            | Self::Playouts
            | Self::Digging
            | Self::Abstract
            | Self::Hierarchy => CardEquivalence::Exact,
        }
    }

    /// Whether every card that can go to a foundation goes there at once.
    pub(crate) const fn is_greedy(self) -> bool {
        matches!(self, Self::Best { greedy: true, .. } | Self::Depth { greedy: true, .. })
    }

    /// Whether it splits runs only to lengthen others.
    pub(crate) const fn keeps_runs_whole(self) -> bool {
        matches!(self, Self::RunBeam { .. } | Self::StageBeam { whole_runs: true, .. })
    }

    /// Whether it searches in stages of progress.
    pub(crate) const fn has_stages(self) -> bool {
        matches!(self, Self::StageBeam { .. })
    }

    /// Whether it overlooks no win.
    pub(crate) const fn is_exact(self) -> bool {
        self.cards().is_exact()
            && !self.is_greedy()
            && !self.keeps_runs_whole()
            && !self.has_stages()
            && !matches!(self, Self::Digging)
    }

    /// Whether its purpose is to prove losses.
    pub(crate) const fn proves_losses(self) -> bool {
        matches!(
            self,
            Self::Abstract | Self::Hierarchy | Self::Depth { cards: EXACT, greedy: false }
        )
    }

    /// Unique names of turns: the second turn of a name ends in ":2".
    pub fn labels(turns: &[Self]) -> Vec<String> {
        let name = |(index, turn): (usize, &Self)| {
            let name = turn.name();
            match turns[..index].iter().filter(|before| before.name() == name).count() {
                0 => name.to_owned(),
                before => format!("{name}:{}", before + 1),
            }
        };
        turns.iter().enumerate().map(name).collect()
    }

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Best { greedy: true, .. } => "best-first:class-blind:greedy",
            Self::Best { cards: BY_CLASS, .. } => "best-first:class-blind",
            Self::Best { cards: CardEquivalence::ByClass { .. }, .. } => {
                "best-first:partly-class-blind"
            }
            Self::Best { .. } => "best-first",
            Self::Beam { cards: BY_CLASS, .. } => "beam:class-blind",
            Self::Beam { cards: CardEquivalence::ByClass { .. }, .. } => "beam:partly-class-blind",
            Self::Beam { .. } => "beam",
            Self::Depth { greedy: true, .. } => "depth-first:class-blind:greedy",
            Self::Depth { cards: BY_CLASS, .. } => "depth-first:class-blind",
            Self::Depth { cards: CardEquivalence::ByClass { .. }, .. } => {
                "depth-first:partly-class-blind"
            }
            Self::Depth { .. } => "depth-first",
            Self::PerturbedBestFirst { cards, .. } if cards.is_exact() => "best-first:perturbed",
            Self::PerturbedBestFirst { .. } => "best-first:class-blind:perturbed",
            Self::PerturbedBeam { cards, .. } if cards.is_exact() => "beam:perturbed",
            Self::PerturbedBeam { .. } => "beam:class-blind:perturbed",
            Self::RunBeam { .. } => "beam:whole-runs",
            Self::StageBeam { whole_runs: true, .. } => "beam:whole-runs:stages",
            Self::StageBeam { .. } => "beam:stages",
            Self::Restarts { cards } if cards.is_exact() => "restarts",
            Self::Restarts { .. } => "restarts:class-blind",
            Self::Nrpa { .. } => "nrpa",
            Self::Playouts => "playouts",
            Self::Abstract => "abstract-games",
            Self::Hierarchy => "abstract-hierarchy",
            Self::Digging => "digging",
        }
    }
}
