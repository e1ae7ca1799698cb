//! Depth-first search that begins again and again, each time in another order.
//!
//! A depth-first search that took a wrong turn early spends all its time below it. Where a game has
//! many ways to win and a hasty player finds one of them now and then, it is far better to give up
//! soon and to begin again with other chances. How long each attempt is follows the Luby sequence,
//! which is within a constant of the best lengths whatever they are.

use crate::search::budget::{Interrupted, NodeBudget};
use crate::search::spaces::result::SearchResult;
use crate::search::spaces::space::Space;
use crate::search::strategies::depth_first::depth_first;

/// Searches depth first, in a random order, again and again until the turn's share is used up.
pub(crate) fn restarts<S: Space>(
    budget: &mut NodeBudget<'_>,
    space: &mut S,
    seed: u64,
) -> Result<SearchResult<S::Step>, Interrupted> {
    let end = budget.end;
    let unit = space.length().max(1) * 2;
    let mut root = Vec::new();
    space.pack(&mut root);
    for attempt in 1u64.. {
        space.unpack(&root);
        budget.end = end.min(budget.nodes + luby(attempt) * unit);
        match depth_first(budget, space, seed << 40 | attempt)? {
            SearchResult::OutOfBudget if budget.nodes < end && !budget.out_of_memory => {}
            found => return Ok(found),
        }
    }
    Ok(SearchResult::OutOfBudget)
}

/// The Luby sequence: 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ...
fn luby(mut index: u64) -> u64 {
    loop {
        let size = index.next_power_of_two();
        if (index + 1).is_power_of_two() {
            return index.div_ceil(2);
        }
        index -= if size > index { size / 2 - 1 } else { size - 1 };
    }
}

#[cfg(test)]
mod tests {
    use super::luby;

    #[test]
    fn the_sequence_is_that_of_luby() {
        let begin: Vec<u64> = (1..16).map(luby).collect();
        assert_eq!(begin, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
