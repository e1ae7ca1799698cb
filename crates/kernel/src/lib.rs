//! Positions, legal moves, forced play, hashing and search of patience games.
//!
//! The kernel knows no particular game. A game is a [`Source`](program::Source): tables that the
//! compiler of the rules language generates from a rules file. The kernel validates the tables once
//! ([`Program::new`]). Then it deals, lists and plays moves, undoes them, counts positions, and
//! searches.
//!
//! Here is a whole game: the four cards of a stock are turned one by one onto a waste, and from the
//! waste a foundation of one suit is built.
//!
//! ```
//! use cadogan_kernel::{Program, Journal, Options, Outcome, Verdict, solve};
//!
//! # let nothing = r#""yields_to":["0"],"from_holds":[1,99],"cards":{"kind":"top"},"build":null,"first_vacant":false,"prefer":null,"laid_one_by_one":false,"choose":"none""#;
//! # let json = format!(r#"{{
//! #   "format":2, "deck":[0,4,8,12], "preset":[], "source_pile":0, "counters":[], "relations":[], "layout":[],
//! #   "piles":[
//! #     {{"name":"stock","class":0,"capacity":4,"build_order":null}},
//! #     {{"name":"waste","class":1,"capacity":4,"build_order":null}},
//! #     {{"name":"foundation","class":2,"capacity":4,"build_order":0}}],
//! #   "build_orders":[{{"wants":["1","10","100","1000"],"relation":null,"base":null,"one_suit_each":false}}],
//! #   "rules":[
//! #     {{"name":"turn","forced":false,"during":"play","when":[],"effects":[],"action":{{"kind":"script","steps":[
//! #       {{"kind":"deal","from":0,"to":[1],"each":1,"face":"up"}}]}}}},
//! #     {{"name":"build","forced":false,"during":"play","when":[],"effects":[],"action":{{"kind":"move","from":[1],
//! #       "along":["4"],"to":[2],"to_holds":[0,99],"which":"fffffffffffff","space":"fffffffffffff",
//! #       "build_order":true,"face":"keep",{nothing}}}}}],
//! #   "aim":[{{"kind":"complete","piles":"4"}}]
//! # }}"#);
//! # let json = json.as_bytes();
//! // `json` is the program as the compiler of the rules language writes it.
//! let program = Program::from_bytes(json)?;
//!
//! // The ace, two, three and four of clubs: each goes up as soon as it is turned.
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
//! // A move can be undone.
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
//! # Guarantees
//!
//! - [`State::moves`] lists exactly the moves that [`State::is_legal`] and [`State::play`] accept.
//! - [`State::undo`] restores the state byte for byte.
//! - [`State::hash128`] equals [`State::hash_from_scratch`], is the same on every machine and in
//!   every release, and is equal for positions that differ by an interchange of piles of one class.
//! - Whoever wrote it, a validated program causes no panic, loses no card and uses no more memory
//!   than its piles have room for. Forced rules that never end return an error.
//!
//! # The files
//!
//! The layers from the bottom up; each imports only those before it, and `tests/imports.rs` checks
//! that. `bits`, `card` and `random` define values. [`program`] is everything known before the
//! first card is dealt: the format, its validation, the compiled tables, and what each rule reads
//! and writes. `position` has the only operations that change a position, and the journal that
//! undoes them. `play` has the legal and the forced moves. `perft`, `bench` and `move_score` use
//! it. So does `search`, with search spaces and the strategies that search them. `player` uses all
//! of that, and so does `environment`: games as environments for reinforcement learning.
//!
//! Within `play` methods are mutually recursive, as the rules are: a condition may ask whether
//! moves are possible, and moves have conditions.

#![forbid(unsafe_code)]

/// A fingerprint of the sources of this crate, in hexadecimal digits. Two kernels with the same
/// fingerprint give the same results.
pub const FINGERPRINT: &str = env!("CADOGAN_KERNEL_FINGERPRINT");

mod bench;
mod bits;
pub mod card;
mod environment;
mod move_score;
mod perft;
mod play;
mod player;
mod position;
pub mod program;
mod random;
mod search;

pub use bench::{Benchmark, benchmark, generate, make_and_unmake};
pub use environment::actions::{Action, ActionSpace, ActionSpaceError, MAX_ACTIONS};
pub use environment::batch::{Batch, Buffers};
pub use environment::observation::{HIDDEN, ObservationSpace, Part};
pub use environment::reward::Rewards;
pub use environment::setup::{Autoreset, BatchOptions, StepError};
pub use perft::{CountError, perft};
pub use play::deal::DealError;
pub use play::forced::ForcedLoop;
pub use play::legality::{Reason, Refusal};
pub use play::make::{CardTransfer, PlayError};
pub use player::belief::Shown;
pub use player::fair::play_fair;
pub use player::game::{Game, GameError, Policy, play_out};
pub use player::thinker::FairPlayerOptions;
pub use position::journal::Journal;
pub use position::moves::{Choice, Move, Outcome};
pub use position::state::State;
pub use program::compiled::Program;
pub use program::footprint::Footprint;
pub use program::validate::{
    MAX_BUILD_ORDERS, MAX_BYTES, MAX_CARDS, MAX_COUNTERS, MAX_PILES, MAX_RELATIONS, MAX_RULES,
    ProgramError,
};
pub use random::{SplitMix64, shuffle};
pub use search::best_score::{BestScore, best_score};
pub use search::budget::{Interrupted, Observer, Progress};
pub use search::certificate::{Arguments, ClosedSet, NoClosedSet, SafeCards, closed_set};
pub use search::options::{Limits, Options, Pruning, Prunings, UnknownPruning};
pub use search::portfolio::FIRST_SHARE;
pub use search::proof::Proof;
pub use search::report::{Report, StopReason, Verdict};
pub use search::shorten::{Shortened, shorten, shortest};
pub use search::strategy::{CardEquivalence, Strategy};
pub use search::turn::Checkpoint;
pub use search::weights::Weights;
pub use search::{resume, solve};
