//! Best-first search: always expands the most promising position generated so far.

use crate::search::budget::{Interrupted, NodeBudget};
use crate::search::spaces::result::SearchResult;
use crate::search::spaces::space::Space;
use crate::search::strategies::explorer::Explorer;

/// Searches best first until the turn's share is used up, or until `patience` nodes in a row bring
/// no position that is closer to the aim than all before. A space that seems to be nearly exhausted
/// is searched on all the same.
///
/// Exhaustion is a proof, as for a depth-first search, if the keys are exact. If they are not, the
/// caller must not treat it as one.
pub(crate) fn best_first<S: Space>(
    budget: &mut NodeBudget<'_>,
    space: &mut S,
    patience: u64,
) -> Result<SearchResult<S::Step>, Interrupted> {
    if space.is_won() {
        return Ok(SearchResult::Solved(Vec::new()));
    }
    let mut explorer = Explorer::new(space);
    budget.nodes += 1;
    let mut open = Open::default();
    let mut at = Some(0);
    let begun = budget.nodes;
    let (mut closest, mut progress_at) = (i32::MAX, begun);
    loop {
        if let Some(at) = at {
            let before = closest;
            let end = explorer.expand(budget, at, |node, _| {
                closest = closest.min(node.distance);
                open.push(node.distance, node.parent, node.step);
                open.capacity
            })?;
            if let Some(end) = end {
                return Ok(end);
            }
            if closest < before {
                progress_at = budget.nodes;
            } else if budget.nodes - progress_at > patience && open.is_growing(budget.nodes - begun)
            {
                return Ok(SearchResult::OutOfBudget);
            }
        }
        let Some((parent, step)) = open.pop() else { break };
        at = explorer.enter(parent, step);
    }
    Ok(if explorer.unplayable { SearchResult::Incomplete } else { SearchResult::Exhausted })
}

/// The positions generated but not expanded, by distance.
struct Open<Step> {
    /// For each distance a stack: of equally promising positions the last one generated goes first,
    /// since it is deepest.
    stacks: Vec<Vec<(u32, Step)>>,
    /// The stacks that are not empty, as bits. There may be many distances, and few stacks in use.
    filled: Vec<u64>,
    /// All numbers before this one are 0.
    first: usize,
    /// The number of positions in all stacks, and their capacity.
    count: u64,
    capacity: usize,
}

impl<Step> Default for Open<Step> {
    fn default() -> Self {
        Self { stacks: Vec::new(), filled: Vec::new(), first: 0, count: 0, capacity: 0 }
    }
}

/// Larger distances count as this one, which bounds the number of stacks.
const FAR: usize = 1 << 16;

impl<Step> Open<Step> {
    /// Whether over a quarter of so many positions that were generated are still to be expanded.
    const fn is_growing(&self, generated: u64) -> bool {
        4 * self.count > generated
    }

    #[inline]
    fn push(&mut self, distance: i32, parent: u32, step: Step) {
        let distance = usize::try_from(distance).unwrap_or(0).min(FAR);
        if distance >= self.stacks.len() {
            self.stacks.resize_with(distance + 1, Vec::new);
            self.filled.resize(distance / 64 + 1, 0);
        }
        let stack = &mut self.stacks[distance];
        let before = stack.capacity();
        stack.push((parent, step));
        self.count += 1;
        self.capacity += stack.capacity() - before;
        self.filled[distance / 64] |= 1 << (distance % 64);
        self.first = self.first.min(distance / 64);
    }

    #[inline]
    fn pop(&mut self) -> Option<(u32, Step)> {
        while let Some(filled) = self.filled.get_mut(self.first) {
            if *filled != 0 {
                let stack = &mut self.stacks[64 * self.first + filled.trailing_zeros() as usize];
                let node = stack.pop();
                if stack.is_empty() {
                    *filled &= *filled - 1;
                }
                self.count -= 1;
                return node;
            }
            self.first += 1;
        }
        None
    }
}
