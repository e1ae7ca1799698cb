//! Steps that play the card in the hand, and the turns before them.

use crate::card::card;
use crate::position::moves::Move;
use crate::position::state::State;
use crate::program::compiled::Program;
use crate::search::spaces::columns::hand::Hand;
use crate::search::spaces::columns::part::FACTOR;
use crate::search::spaces::columns::space::ColumnsSpace;
use crate::search::spaces::space::Space;

impl ColumnsSpace<'_> {
    /// The card that is in the hand once the stock has been turned.
    #[inline]
    pub(super) fn hand(&self) -> Option<u8> {
        let stock = &self.tables.stock[..usize::from(self.totals.stock)];
        self.tables.hand.and(stock.last()).map(|&byte| card(byte))
    }

    /// Whether a step plays the card in the hand.
    #[inline]
    pub(super) fn is_from_hand(&self, step: Move) -> bool {
        self.tables.hand.is_some_and(|hand| hand.pile == step.from())
    }

    /// The key after the card in the hand is put on a column.
    pub(super) fn key_after_hand(&self, step: Move) -> Option<u128> {
        // When the last card leaves the hand, other columns are interchangeable.
        let face = self.hand().filter(|_| self.totals.stock > 1)?;
        let to = self.tables.column(step.to())?;
        let onto = self.whole(to).hash;
        let term = self.number(face).wrapping_mul(self.numbers.power(self.size(to) + 1, 0));
        let key = self.key().wrapping_sub(FACTOR).wrapping_sub(self.term(to, onto));
        Some(key.wrapping_add(self.term(to, onto.wrapping_add(term))))
    }

    /// Translates a line of steps from a position into moves of play; none if that is impossible.
    pub(crate) fn line_of(
        &self,
        program: &Program,
        from: &State,
        steps: &[Move],
    ) -> Option<Vec<Move>> {
        let (mut state, mut line) = (from.clone(), Vec::new());
        for &step in steps {
            let hand = self.tables.hand.filter(|_| self.is_from_hand(step));
            let hand = hand.filter(|hand| state.is_vacant(hand.pile.into()));
            let turn =
                |hand: Hand| state.moves(program).into_iter().find(|each| each.rule() == hand.turn);
            let moves: Vec<Move> = hand.and_then(turn).into_iter().chain([step]).collect();
            if state.replay(program, &moves) < moves.len() {
                return None;
            }
            line.extend(moves);
        }
        Some(line)
    }
}
