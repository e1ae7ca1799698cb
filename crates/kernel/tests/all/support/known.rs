//! Positions whose verdict is known by plain search of the general space.

use super::wins;
use cadogan_kernel::{
    CardEquivalence, Options, Program, Prunings, State, Strategy, Verdict, solve,
};

/// Depth-first search that takes no cards for equal.
pub const DEPTH: Strategy = Strategy::Depth { cards: CardEquivalence::Exact, greedy: false };

/// A position that is known to be won or lost.
pub struct Known<'p> {
    program: &'p Program,
    state: &'p State,
    pub is_winnable: bool,
    /// What the game is called in messages.
    game: String,
}

impl<'p> Known<'p> {
    /// Searches a position without any pruning; none if that takes too long.
    pub fn by_plain_search(program: &'p Program, state: &'p State, game: String) -> Option<Self> {
        let without = Prunings::all();
        let options = Options { turns: vec![DEPTH], without, ..Options::nodes(30_000) };
        let is_winnable = match solve(program, state, &options, &mut |_| true).verdict {
            Verdict::Winnable(_) => true,
            Verdict::Unwinnable => false,
            Verdict::Unknown => return None,
        };
        Some(Self { program, state, is_winnable, game })
    }

    /// Checks that a search finds the same, and a line that wins. Returns its nodes.
    pub fn check(&self, options: &Options, what: &str) -> u64 {
        let game = &self.game;
        let found = solve(self.program, self.state, options, &mut |_| true);
        match &found.verdict {
            Verdict::Winnable(line) => {
                assert!(self.is_winnable, "{what} wins what is lost: {game}");
                assert!(wins(self.program, self.state, line), "{what}: no win: {game}");
            }
            Verdict::Unwinnable => assert!(!self.is_winnable, "{what} loses a win: {game}"),
            Verdict::Unknown => panic!("{what} does not know: {game}"),
        }
        found.nodes
    }
}
