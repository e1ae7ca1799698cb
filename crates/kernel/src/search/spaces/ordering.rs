//! The order in which a depth-first search tries steps.

/// Lists of at most this length are sorted in place.
const SHORT: usize = 24;

/// Sorts the best steps first. Steps of equal score retain their order. `scored` is only room.
pub(crate) fn sort_by_score<T: Copy>(
    steps: &mut [T],
    scored: &mut Vec<(i32, T)>,
    mut score: impl FnMut(T) -> i32,
) {
    if steps.len() <= 1 {
        return;
    }
    if steps.len() > SHORT {
        scored.clear();
        scored.extend(steps.iter().map(|&step| (-score(step), step)));
        scored.sort_by_key(|&(score, _)| score);
        for (step, &(_, sorted)) in steps.iter_mut().zip(&*scored) {
            *step = sorted;
        }
        return;
    }
    let mut sorted = [0; SHORT];
    for index in 0..steps.len() {
        let step = steps[index];
        let here = score(step);
        let mut place = index;
        while place > 0 && sorted[place - 1] < here {
            sorted[place] = sorted[place - 1];
            steps[place] = steps[place - 1];
            place -= 1;
        }
        sorted[place] = here;
        steps[place] = step;
    }
}
