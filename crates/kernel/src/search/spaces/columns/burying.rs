//! What cards add to the distance that are wanted soon and lie deep.

use crate::bits::ones;
use crate::card::{CARDS, card};
use crate::search::spaces::columns::foundations::Wishes;
use crate::search::spaces::columns::space::ColumnsSpace;
use crate::search::spaces::evaluation::DEEP;

impl ColumnsSpace<'_> {
    /// The cards that count if they lie deep.
    fn interesting(&self, wishes: &Wishes) -> u64 {
        let wanted = if self.weights.burying == 0 { 0 } else { wishes.wanted };
        wanted | if self.weights.ahead == 0 { 0 } else { wishes.near }
    }

    /// What a card adds that lies so deep.
    fn depth_term(&self, wishes: &Wishes, face: usize, depth: i32) -> i32 {
        if wishes.wanted >> face & 1 != 0 {
            self.weights.burying * depth
        } else {
            self.weights.ahead * depth / (i32::from(wishes.waits[face]) + 1)
        }
    }

    /// The depth of the top card of a column: a pile from which no card goes up is as if another
    /// card lay on it.
    fn top_depth(&self, column: usize) -> i32 {
        if self.tables.feeding >> column & 1 != 0 { 0 } else { self.weights.detour }
    }

    /// Finds some cards among the lowest ones of a column, whose top one lies so deep. Of equal
    /// cards only the upper one counts.
    fn find(
        &self,
        column: usize,
        size: usize,
        faces: u64,
        mut depth: i32,
        mut found: impl FnMut(usize, i32),
    ) {
        let mut wanted = self.part(column, size).faces & faces;
        let mut place = size;
        while wanted != 0 && place > 0 {
            let face = card(self.part(column, place).byte);
            if wanted >> face & 1 != 0 {
                wanted &= !(1 << face);
                found(face.into(), depth);
            }
            depth += 1;
            place -= 1;
        }
    }

    /// What the cards add that are wanted soon and lie deep.
    pub(super) fn buried(&self, wishes: &Wishes) -> i32 {
        let interesting = self.interesting(wishes);
        let mut depths = [DEEP; CARDS];
        let mut all = 0u64;
        let columns = if interesting == 0 { 0 } else { self.tables.piles.len() };
        for column in 0..columns {
            let size = self.size(column);
            self.find(column, size, interesting, self.top_depth(column), |face, depth| {
                depths[face] = depths[face].min(depth);
                all |= 1 << face;
            });
        }
        ones(all).map(|face| self.depth_term(wishes, face, depths[face])).sum()
    }

    /// Finds how deep the cards of the position lie that are wanted soon.
    pub(super) fn look_for_depths(&mut self) {
        let interesting = self.interesting(&self.wishes);
        let mut depths = self.depths.take().unwrap_or_default();
        (depths.steps, depths.found) = (Some(self.marks.len()), 0);
        let columns = if interesting == 0 { 0 } else { self.tables.piles.len() };
        for column in 0..columns {
            let size = self.size(column);
            self.find(column, size, interesting, self.top_depth(column), |face, depth| {
                depths.add(face, depth, column);
            });
        }
        self.depths = Some(depths);
    }

    /// How much [`Self::buried`] changes if some cards, the top one first, are put on a column, and
    /// so many are taken from the top of another one; none if the depths are not known.
    pub(super) fn change_of_buried(
        &self,
        to: usize,
        cards: impl Iterator<Item = u8> + Clone,
        from: usize,
        count: usize,
    ) -> Option<i32> {
        let wishes = &self.wishes;
        let depths = self.depths.as_ref()?;
        if depths.steps != Some(self.marks.len()) {
            return None;
        }
        let interesting = self.interesting(wishes);
        let moved = cards.clone().fold(0u64, |faces, byte| faces | 1 << card(byte));
        let left = |from: usize| self.whole(from).faces;
        let is_column = from < self.tables.piles.len();
        let affected = moved | self.whole(to).faces | if is_column { left(from) } else { 0 };
        let affected = affected & interesting;
        if affected == 0 {
            return Some(0);
        }
        let mut after = [DEEP; CARDS];
        for face in ones(affected) {
            after[face] = depths.elsewhere(face, [from, to]);
        }
        let mut wanted = affected;
        let mut depth = self.top_depth(to);
        for byte in cards {
            let face = usize::from(card(byte));
            if wanted >> face & 1 != 0 {
                wanted &= !(1 << face);
                after[face] = after[face].min(depth);
            }
            depth += 1;
        }
        self.find(to, self.size(to), wanted, depth, |face, depth| {
            after[face] = after[face].min(depth);
        });
        if is_column {
            let size = self.size(from) - count;
            self.find(from, size, affected, self.top_depth(from), |face, depth| {
                after[face] = after[face].min(depth);
            });
        }
        let change = |face: usize| {
            let known = depths.found >> face & 1 != 0;
            let before = if known { depths.least[face][0].0 } else { 0 };
            let before = if known { self.depth_term(wishes, face, before) } else { 0 };
            self.depth_term(wishes, face, after[face]) - before
        };
        Some(ones(affected).map(change).sum())
    }
}
