//! Positions, legal moves, forced play, hashing and search of patience games.
//!
//! A game comes as a [`Source`](program::Source): tables that a compiler has made of a rules file.
//! The kernel knows no game. It checks the tables once ([`Program::new`]) and then deals from them,
//! lists and plays moves, takes them back, counts, and searches.
//!
//! Here is a whole game: four cards in a stock are turned one by one onto a waste, and the waste
//! builds a foundation of one suit.
//!
//! ```
//! use cadogan_kernel::{Program, Journal, Options, Outcome, Verdict, solve};
//!
//! # let nothing = r#""yields_to":["0"],"from_size":[1,99],"cards":{"kind":"top"},"onto":null,"first_vacant":false,"prefer":null,"reverse":false,"choose":"none""#;
//! # let json = format!(r#"{{
//! #   "format":1, "deck":[0,4,8,12], "preset":[], "source":0, "counters":[], "relations":[], "layout":[],
//! #   "piles":[
//! #     {{"name":"stock","class":0,"capacity":4,"ladder":null}},
//! #     {{"name":"waste","class":1,"capacity":4,"ladder":null}},
//! #     {{"name":"foundation","class":2,"capacity":4,"ladder":0}}],
//! #   "ladders":[{{"wants":["1","10","100","1000"],"relation":null,"base":null,"apart":false}}],
//! #   "rules":[
//! #     {{"name":"turn","forced":false,"during":"play","when":[],"then":[],"action":{{"kind":"script","steps":[
//! #       {{"kind":"deal","from":0,"to":[1],"each":1,"face":"up"}}]}}}},
//! #     {{"name":"build","forced":false,"during":"play","when":[],"then":[],"action":{{"kind":"move","from":[1],
//! #       "targets":["4"],"to":[2],"to_size":[0,99],"lead":"fffffffffffff","vacant":"fffffffffffff",
//! #       "ladder":true,"face":"keep",{nothing}}}}}],
//! #   "aim":[{{"kind":"complete","piles":"4"}}]
//! # }}"#);
//! # let json = json.as_bytes();
//! // `json` has the program, as the compiler of the rules language writes it.
//! let program = Program::from_bytes(json)?;
//!
//! // The ace of clubs, the two, the three, the four: all can go up as they come.
//! let (mut state, _forced) = program.deal(&[0, 4, 8, 12])?;
//! assert_eq!(state.outcome(&program), Outcome::Open);
//!
//! // The only legal move is to turn a card.
//! let mut journal = Journal::new();
//! let before = state.clone();
//! let turn = state.moves(&program)[0];
//! state.play(&program, turn, &mut journal)?;
//! assert_eq!(state.pile(1), [0]);
//!
//! // What was played can be taken back.
//! state.undo(&program, &mut journal);
//! assert!(state.is_identical(&before));
//!
//! // Each of the four cards is turned and played.
//! let report = solve(&program, &state, &Options::nodes(1000), &mut |_| true);
//! let Verdict::Winnable(line) = report.verdict else { panic!("there is a win") };
//! assert_eq!(line.len(), 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What can be relied on
//!
//! - [`State::moves`] lists exactly the moves that [`State::is_legal`] and [`State::play`] accept.
//! - [`State::undo`] restores the state byte for byte.
//! - [`State::hash128`] equals [`State::hash_from_scratch`], is the same on every machine and in
//!   every release, and is equal for positions that differ by an interchange of piles of one class.
//! - A program that was checked can make nothing panic, lose no card and use no more memory than
//!   its piles have room for, whoever wrote it. Forced rules that do not come to rest end in an
//!   error.
//!
//! # The files
//!
//! From the ground up, each of which imports only those before it: `bits`, `card` and `random` are
//! values. [`program`] is what is known before the first card is dealt: the format, its check, the
//! compiled tables, and what each rule reads and writes. `position` holds the only operations that
//! change a position, and the journal that undoes them. `play` says what may happen and what must.
//! `perft`, `bench` and `move_score` use it; so does `search`, with the spaces that are searched
//! and the strategies that search them; and `player` uses all of that. `tests/imports.rs` checks
//! it.
//!
//! Within `play` methods call each other in a circle, since the domain does: a condition may ask
//! whether moves are possible, and moves have conditions.

#![forbid(unsafe_code)]

/// A fingerprint of the sources of this crate, in hexadecimal digits: what is searched for and
/// found out by two kernels is the same if they have the same.
pub const FINGERPRINT: &str = env!("CADOGAN_KERNEL_FINGERPRINT");

mod bench;
mod bits;
pub mod card;
mod move_score;
mod perft;
mod play;
mod player;
mod position;
pub mod program;
mod random;
mod search;

pub use bench::{Benchmark, benchmark, generate, make_and_unmake};
pub use perft::{CountError, perft};
pub use play::deal::{DealError, shuffle};
pub use play::legality::{Reason, Refusal};
pub use play::make::{CardTransfer, PlayError};
pub use player::belief::Shown;
pub use player::fair::{FairPlayerOptions, play_fair};
pub use player::game::{Game, GameError, Policy, play_out};
pub use position::journal::Journal;
pub use position::moves::{Choice, Move, Outcome};
pub use position::state::State;
pub use program::compiled::Program;
pub use program::footprint::Footprint;
pub use program::validate::{
    MAX_BYTES, MAX_CARDS, MAX_COUNTERS, MAX_LADDERS, MAX_PILES, MAX_RELATIONS, MAX_RULES,
    ProgramError,
};
pub use random::SplitMix64;
pub use search::budget::{Interrupted, Observer, Progress};
pub use search::options::{Limits, Options, Pruning, Prunings, UnknownPruning};
pub use search::proof::Proof;
pub use search::report::{Report, StopReason, Verdict};
pub use search::shorten::{Shortened, shorten, shortest};
pub use search::strategy::{Sight, Strategy};
pub use search::turn::Checkpoint;
pub use search::weights::Weights;
pub use search::{resume, solve};
