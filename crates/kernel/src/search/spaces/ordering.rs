//! The order in which a depth-first search tries steps.

/// Sorts the best steps first. Steps of equal score retain their order. `scored` is only room.
pub(crate) fn sort_by_score<T: Copy>(
    steps: &mut [T],
    scored: &mut Vec<(i32, T)>,
    mut score: impl FnMut(T) -> i32,
) {
    if steps.len() > 1 {
        scored.clear();
        scored.extend(steps.iter().map(|&step| (-score(step), step)));
        scored.sort_by_key(|&(score, _)| score);
        for (step, &(_, sorted)) in steps.iter_mut().zip(&*scored) {
            *step = sorted;
        }
    }
}
