//! A line as a path of positions.

use std::collections::HashMap;

use crate::position::moves::Move;
use crate::search::spaces::general::General;
use crate::search::spaces::space::Space;

/// A winning line with the keys of its positions.
///
/// A path is determined by its keys. After a detour to a position with the same key the rest of the
/// line is rebuilt, since piles and cards may have changed places with others of their class.
#[derive(Clone)]
pub(crate) struct Path {
    pub(crate) steps: Vec<Move>,
    /// There is one more key than steps: the last one is that of the won position.
    pub(crate) keys: Vec<u128>,
}

impl Path {
    /// Plays a line from the beginning until it wins; none if it does not win.
    pub(crate) fn walk(space: &mut General<'_>, root: &[u8], line: &[Move]) -> Option<Self> {
        space.unpack(root);
        let mut path = Self { steps: Vec::with_capacity(line.len()), keys: vec![space.key()] };
        for &step in line {
            if space.is_won() {
                break;
            }
            if !space.is_legal(step) || !space.make(step) {
                return None;
            }
            space.reset_root();
            path.steps.push(step);
            path.keys.push(space.key());
        }
        space.is_won().then_some(path)
    }

    /// Finds moves through a sequence of keys. Tries the hints first.
    pub(crate) fn along(
        space: &mut General<'_>,
        root: &[u8],
        keys: Vec<u128>,
        hints: &[Move],
    ) -> Option<Self> {
        space.unpack(root);
        let mut steps = Vec::with_capacity(keys.len());
        let mut legal = Vec::new();
        for (place, &key) in keys.iter().enumerate().skip(1) {
            let leads_there = |space: &mut General<'_>, step| {
                if !space.make(step) {
                    return false;
                }
                let is_there = space.key() == key;
                if !is_there {
                    space.unmake();
                }
                is_there
            };
            let hint = hints.get(place - 1).copied().filter(|&hint| space.is_legal(hint));
            let found = hint.filter(|&hint| leads_there(space, hint)).or_else(|| {
                legal.clear();
                space.list(&mut legal);
                legal.iter().copied().find(|&step| leads_there(space, step))
            });
            steps.push(found?);
            space.reset_root();
        }
        space.is_won().then_some(Self { steps, keys })
    }

    /// The path without the loops that lead back to an earlier position.
    pub(crate) fn without_loops(self, space: &mut General<'_>, root: &[u8]) -> Self {
        let last = self.places();
        if last.len() == self.keys.len() {
            return self;
        }
        let (mut keys, mut hints) = (Vec::new(), Vec::new());
        let mut place = 0;
        while let Some(key) = self.keys.get(place) {
            keys.push(*key);
            place = last[key];
            hints.extend(self.steps.get(place));
            place += 1;
        }
        Self::along(space, root, keys, &hints).unwrap_or(self)
    }

    /// For each key its last place on the path.
    pub(crate) fn places(&self) -> HashMap<u128, usize> {
        self.keys.iter().copied().enumerate().map(|(place, key)| (key, place)).collect()
    }
}
