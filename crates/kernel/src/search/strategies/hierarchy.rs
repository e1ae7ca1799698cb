//! Searches a game together with easier games, each of which tells which positions of the next
//! harder one are lost.
//!
//! The levels are games with the same piles, from the easiest one to the real one. A line of a
//! level is a line of every easier level, so a position that is lost in an easier level is lost in
//! each harder one. The real game is searched depth first. At each new position the search asks
//! the level below whether that position can be won there, and leaves it out if not. That level
//! answers by a depth-first search from the position, for which it asks the level below it in the
//! same way, and so on.
//!
//! *What a search in one level finds out.* It keeps what it knows of every position that it visits,
//! so no position of a level is searched twice. It ends when it reaches the aim or a position known
//! to be alive, or when it has nothing left to try. It is the search for strongly connected
//! components of R. Tarjan ("Depth-first search and linear graph algorithms", SIAM Journal on
//! Computing 1, 1972). A position is open until its component is complete. Hence:
//!
//! - The steps of a complete component lead to the component itself and to complete ones, none to
//!   the aim or to a position that is alive. So all its positions are dead.
//! - When the search ends with a win, every position of the current line is alive, since the line
//!   leads from it to the win. From each open position some position of the line can be reached, as
//!   Tarjan proves. So all open positions are alive.
//!
//! So after each search every position that it visited is known to be dead or alive.
//!
//! *Positions with the same key* can be won or not alike, as in all searches with exact keys. A
//! level leaves out what its prunings prove to be of no use, also from the position of a harder
//! level, which its own moves reach, too.
//!
//! *Why it is worth it.* Where a deal is lost in the real game, it is often nearly lost in a game a
//! little easier: many positions that the real search would visit are lost there already. And one
//! position of an easier level stands for many of a harder one, in which fewer cards are alike.

use crate::perft::POLL;
use crate::random::SplitMix64;
use crate::search::budget::{Interrupted, NodeBudget};
use crate::search::spaces::result::SearchResult;
use crate::search::spaces::space::{Level, Space};
use crate::search::statuses::{Status, Statuses};
use crate::search::strategies::paused::Resumable;

/// The levels to search.
pub(crate) struct Levels<S> {
    /// From the easiest game to the real one.
    pub(crate) spaces: Vec<S>,
    /// The level that proved that the root is lost, once it is known to be.
    pub(crate) refuted_by: usize,
}

/// A search of several levels that can be continued.
pub(crate) struct Hierarchy<T> {
    /// What is known of the positions of all levels.
    statuses: Statuses,
    /// From the easiest level to the real game.
    searches: Vec<LevelSearch<T>>,
    /// The level that is being searched. Those above it wait for its answer.
    current: usize,
    next: Next,
    /// The level that last had nothing left to try.
    refuted_by: usize,
    /// A step could not be taken ([`Space::make`]), so part of the space was not searched.
    unplayable: bool,
    /// Scratch space for keys.
    keys: Vec<u128>,
}

/// What to do next in the current position of the current level.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// It is new: examine it.
    Enter,
    /// It may be alive: list its steps.
    List,
    /// Take its next step.
    Step,
    /// It is alive: end the search of the level.
    Win,
    /// It is done: go back to the position before it.
    Leave,
}

/// The search in one level.
struct LevelSearch<T> {
    /// Makes the keys of different levels different.
    salt: u128,
    /// The steps from where the search began to the current position.
    line: Vec<T>,
    steps: Vec<T>,
    /// The positions of the line that were not left out.
    frames: Vec<Frame>,
    /// The keys of the open positions, in the order in which they were met.
    open: Vec<u128>,
}

/// A position of the current line.
struct Frame {
    /// Its place among the open positions, and the lowest one that it is known to reach.
    number: usize,
    lowest: usize,
    /// Where its steps begin, and the next one to try.
    begin: usize,
    next: usize,
}

impl<T> LevelSearch<T> {
    fn bytes(&self) -> usize {
        let Self { line, steps, frames, open, .. } = self;
        size_of_val(&**line) + size_of_val(&**steps) + size_of_val(&**frames) + size_of_val(&**open)
    }

    fn key<S: Space<Step = T>>(&self, space: &S) -> u128 {
        space.key() ^ self.salt
    }
}

impl<T: Copy + Ord> Hierarchy<T> {
    /// Examines a new position of the current level that is not won.
    fn enter<S: Level<Step = T>>(&mut self, spaces: &mut [S]) {
        let level = self.current;
        if spaces[level].is_lost() {
            self.refuted_by = level;
            self.refute(&spaces[level]);
            return;
        }
        self.next = Next::List;
        let Some(below) = level.checked_sub(1) else { return };
        let (easier, harder) = spaces.split_at_mut(level);
        easier[below].load(&harder[0]);
        match self.statuses.get(self.searches[below].key(&easier[below])) {
            Some(Status::Dead) => self.refute(&spaces[level]),
            Some(_) => {}
            None => (self.current, self.next) = (below, Next::Enter),
        }
    }

    /// Notes that the current position is dead.
    fn refute<S: Space<Step = T>>(&mut self, space: &S) {
        self.statuses.set(self.searches[self.current].key(space), Status::Dead);
        self.next = Next::Leave;
    }

    /// Lists the steps of the current position.
    fn list<S: Space<Step = T>>(&mut self, space: &mut S) {
        let search = &mut self.searches[self.current];
        let (number, begin) = (search.open.len(), search.steps.len());
        space.list(&mut search.steps);
        let steps = search.steps[begin..].iter();
        self.keys.clear();
        self.keys
            .extend(steps.filter_map(|&step| space.key_after(step)).map(|key| key ^ search.salt));
        self.statuses.read_ahead(&self.keys);
        if self.keys.iter().any(|&key| self.statuses.get(key) == Some(Status::Alive)) {
            self.next = Next::Win;
            return;
        }
        space.sort(&mut search.steps[begin..], 0);
        let key = search.key(space);
        self.statuses.set(key, Status::Open(number));
        search.open.push(key);
        search.frames.push(Frame { number, lowest: number, begin, next: begin });
        self.next = Next::Step;
    }

    /// Takes the next step of the current position, or closes the position if it has none left.
    fn step<S: Space<Step = T>>(&mut self, space: &mut S) {
        let search = &mut self.searches[self.current];
        let Some(frame) = search.frames.last_mut() else { return };
        let Some(&step) = search.steps.get(frame.next) else {
            let Frame { number, lowest, begin, .. } = *frame;
            search.steps.truncate(begin);
            search.frames.pop();
            if let Some(before) = search.frames.last_mut() {
                before.lowest = before.lowest.min(lowest);
            }
            if lowest == number {
                for key in search.open.drain(number..) {
                    self.statuses.set(key, Status::Dead);
                }
            }
            (self.refuted_by, self.next) = (self.current, Next::Leave);
            return;
        };
        frame.next += 1;
        let known = space.key_after(step).map(|key| key ^ search.salt);
        let mut status = known.and_then(|key| self.statuses.get(key));
        if status.is_none() {
            if !space.make(step) {
                self.unplayable = true;
                return;
            }
            let salt = search.salt;
            debug_assert!(known.is_none_or(|key| key == space.key() ^ salt), "it leads elsewhere");
            if known.is_none() {
                status = self.statuses.get(space.key() ^ search.salt);
                if status.is_some() {
                    space.unmake();
                }
            }
        }
        match status {
            None => {
                search.line.push(step);
                self.next = Next::Enter;
            }
            Some(Status::Open(number)) => frame.lowest = frame.lowest.min(number),
            Some(Status::Dead) => {}
            Some(Status::Alive) => self.next = Next::Win,
        }
    }

    /// Ends the search of the current level with a win. Returns the line if it is the real game.
    fn win<S: Space<Step = T>>(&mut self, space: &S) -> Option<Vec<T>> {
        let is_real = self.current + 1 == self.searches.len();
        let search = &mut self.searches[self.current];
        self.statuses.set(search.key(space), Status::Alive);
        for key in search.open.drain(..) {
            self.statuses.set(key, Status::Alive);
        }
        search.frames.clear();
        search.steps.clear();
        let line = std::mem::take(&mut search.line);
        if is_real {
            return Some(line);
        }
        (self.current, self.next) = (self.current + 1, Next::List);
        None
    }

    /// Goes back from the current position. Returns whether the real game is lost.
    fn leave<S: Space<Step = T>>(&mut self, spaces: &mut [S]) -> bool {
        let search = &mut self.searches[self.current];
        if search.line.pop().is_some() {
            spaces[self.current].unmake();
            self.next = Next::Step;
            return false;
        }
        if self.current + 1 == self.searches.len() {
            return true;
        }
        self.current += 1;
        self.refute(&spaces[self.current]);
        false
    }
}

impl<S: Level> Resumable<Levels<S>> for Hierarchy<S::Step> {
    type Step = S::Step;

    fn new(levels: &mut Levels<S>) -> Self {
        let mut numbers = SplitMix64::new(0x1E7E_1500);
        let mut search = || LevelSearch {
            salt: u128::from(numbers.next()) << 64 | u128::from(numbers.next()),
            line: Vec::new(),
            steps: Vec::new(),
            frames: Vec::new(),
            open: Vec::new(),
        };
        let search = Self {
            statuses: Statuses::default(),
            searches: levels.spaces.iter().map(|_| search()).collect(),
            current: levels.spaces.len() - 1,
            next: Next::Enter,
            refuted_by: 0,
            unplayable: false,
            keys: Vec::new(),
        };
        search.go_back_to(levels);
        search
    }

    fn go_back_to(&self, levels: &mut Levels<S>) {
        let spaces = &mut levels.spaces;
        for level in (self.current..spaces.len()).rev() {
            let (here, harder) = spaces[level..].split_at_mut(1);
            match harder.first() {
                Some(harder) => here[0].load(harder),
                None => here[0].reset_root(),
            }
            for &step in &self.searches[level].line {
                here[0].make(step);
            }
        }
    }

    fn bytes(&self) -> usize {
        self.statuses.bytes_soon() + self.searches.iter().map(LevelSearch::bytes).sum::<usize>()
    }

    fn run(
        &mut self,
        budget: &mut NodeBudget<'_>,
        levels: &mut Levels<S>,
    ) -> Result<SearchResult<S::Step>, Interrupted> {
        let spaces = &mut levels.spaces;
        loop {
            let space = &mut spaces[self.current];
            match self.next {
                Next::Enter if !space.is_won() => {
                    if budget.nodes >= budget.end {
                        return Ok(SearchResult::OutOfBudget);
                    }
                    budget.nodes += 1;
                    self.enter(spaces);
                    if budget.nodes.is_multiple_of(POLL) {
                        let trails: usize = spaces.iter().map(S::trail_bytes).sum();
                        let depth = self.searches.iter().map(|search| search.line.len()).sum();
                        let bytes = Resumable::<Levels<S>>::bytes(self) + trails;
                        if !budget.check(bytes, depth)? {
                            return Ok(SearchResult::OutOfBudget);
                        }
                    }
                }
                Next::Enter => self.next = Next::Win,
                Next::List => self.list(space),
                Next::Step => self.step(space),
                Next::Win => {
                    if let Some(line) = self.win(space) {
                        return Ok(SearchResult::Solved(line));
                    }
                }
                Next::Leave => {
                    if self.leave(spaces) {
                        break;
                    }
                }
            }
        }
        levels.refuted_by = self.refuted_by;
        Ok(if self.unplayable { SearchResult::Incomplete } else { SearchResult::Exhausted })
    }
}
