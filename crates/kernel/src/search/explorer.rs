//! What best-first and beam search share: meeting the positions after a position, and going back to one.
//!
//! Positions are not kept whole. A position that was expanded is packed into a record of bytes; one that
//! was only met is its parent's record and the move that leads to it, and is made again when its turn
//! comes.

use super::depth::Table;
use super::evaluation::Evaluation;
use super::key::Key;
use super::{Effort, Interrupted, Outcome};
use crate::compiled::Compiled;
use crate::journal::Journal;
use crate::moves::Move;
use crate::perft::POLL;
use crate::state::State;

/// A position met and not yet expanded: its distance from the aim, its number, its parent's record and
/// the move from there.
pub(super) type Met = (i32, u32, u32, Move);

/// Expands positions and keeps what is needed to come back to them.
pub(super) struct Explorer<'e> {
    program: &'e Compiled,
    key: &'e Key,
    evaluation: &'e Evaluation<'e>,
    state: State,
    journal: Journal,
    moves: Vec<Move>,
    table: Table,
    records: Records,
    met: u32,
    /// A legal move led to forced rules without end, so the space was not searched whole.
    pub(super) unplayable: bool,
}

impl<'e> Explorer<'e> {
    /// Begins at a root, which has the record 0.
    pub(super) fn new(
        program: &'e Compiled,
        root: &State,
        evaluation: &'e Evaluation<'e>,
        key: &'e Key,
    ) -> Self {
        let mut records = Records::new(root);
        records.add(None, root);
        let mut table = Table::default();
        table.meet(key.of(program, root));
        Self {
            program,
            key,
            evaluation,
            state: root.clone(),
            journal: Journal::new(),
            moves: Vec::new(),
            table,
            records,
            met: 0,
            unplayable: false,
        }
    }

    /// Meets all positions after the one that was entered last, whose record is `at`. Returns what
    /// ends the turn: a win, or nothing within its share or its memory.
    pub(super) fn expand(
        &mut self,
        effort: &mut Effort<'_>,
        at: u32,
        mut keep: impl FnMut(Met) -> usize,
    ) -> Result<Option<Outcome>, Interrupted> {
        self.moves.clear();
        self.state.moves_into(self.program, &mut self.moves);
        for index in 0..self.moves.len() {
            let played = self.moves[index];
            if self.state.play_unchecked(self.program, played, &mut self.journal).is_err() {
                self.unplayable = true;
                continue;
            }
            if self.table.meet(self.key.of(self.program, &self.state)) {
                if self.state.is_won(self.program) {
                    return Ok(Some(Outcome::Won(self.records.line(at, played))));
                }
                if effort.nodes >= effort.end {
                    return Ok(Some(Outcome::Open));
                }
                effort.nodes += 1;
                self.met += 1;
                let kept = keep((self.evaluation.distance(&self.state), self.met, at, played));
                if effort.nodes.is_multiple_of(POLL) {
                    if (effort.interrupt)() {
                        return Err(Interrupted);
                    }
                    let bytes = kept * size_of::<Met>() + self.records.bytes();
                    if self.table.bytes_soon() + bytes > effort.limits.memory {
                        return Ok(Some(Outcome::Open));
                    }
                }
            }
            self.state.undo(self.program, &mut self.journal);
        }
        Ok(None)
    }

    /// Goes to a position whose parent was expanded, and gives it a record; none if it cannot be
    /// played.
    pub(super) fn enter(&mut self, parent: u32, played: Move) -> Option<u32> {
        self.go_to(parent);
        if self.state.play_unchecked(self.program, played, &mut self.journal).is_err() {
            self.unplayable = true;
            return None;
        }
        self.journal.clear();
        Some(self.records.add(Some((parent, played)), &self.state))
    }

    /// Goes to a position that has a record.
    pub(super) fn go_to(&mut self, record: u32) {
        self.records.restore(self.program, record, &mut self.state);
        self.journal.clear();
    }
}

/// The positions expanded, packed.
struct Records {
    size: usize,
    bytes: Vec<u8>,
    /// By record: the record and the move it came from; the root comes from nothing.
    origins: Vec<Option<(u32, Move)>>,
}

impl Records {
    fn new(root: &State) -> Self {
        Self { size: root.packed_size(), bytes: Vec::new(), origins: Vec::new() }
    }

    fn add(&mut self, origin: Option<(u32, Move)>, state: &State) -> u32 {
        self.origins.push(origin);
        state.pack(&mut self.bytes);
        (self.origins.len() - 1) as u32
    }

    fn restore(&self, program: &Compiled, record: u32, state: &mut State) {
        let start = record as usize * self.size;
        state.unpack(program, &self.bytes[start..start + self.size]);
    }

    fn bytes(&self) -> usize {
        self.bytes.capacity() + self.origins.capacity() * size_of::<Option<(u32, Move)>>()
    }

    /// The moves from the root to a record, and one more.
    fn line(&self, mut at: u32, last: Move) -> Vec<Move> {
        let mut line = vec![last];
        while let Some((parent, played)) = self.origins[at as usize] {
            line.push(played);
            at = parent;
        }
        line.reverse();
        line
    }
}
