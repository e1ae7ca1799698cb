//! The columns space: a fast space for games with a tableau whose piles differ, whose foundations
//! are built in several ways, or whose cards have many copies, such as Spider, Scorpion, Simple
//! Simon, Gypsy, La Belle Lucie, Calculation and Sir Tommy.
//!
//! A position is a list of cards for each *column*, which is any pile but the stock and the
//! foundations, the number of cards left in the stock, and what foundations hold that are built
//! card by card. Each card of a column has the hash of the cards up to it, what these add to the
//! distance, and the length of the runs that end there. So a move computes only what changes on the
//! cards that it moves, and keys and distances after most moves are known without making them.
//!
//! Steps are moves of play, and distances are those of the general space. `tables.rs` decides which
//! programs this space handles: all rules build on columns, play to foundations or bring cards back
//! from there, turn up top cards, fill empty columns, deal rows from the stock, turn it card by
//! card (`hand.rs`), or gather all columns and deal them again a number of times (`redeal.rs`).
//!
//! *Keys are exact.* The stock is dealt in its order, so the number of its cards says which they
//! are. All cards that are neither there nor in columns are on foundations. If there is one build
//! order, the cards that are up mostly determine what is wanted (`foundation_order.rs`), and
//! nothing looks at complete sequences any more. Otherwise a key has a term for each foundation:
//! for the number of its cards, and for the top one if it matters; if cards come back and the top
//! card does not tell those below it, for all of them (`goals.rs`). So the columns, that number and
//! these terms determine what can happen, with the counters if columns are dealt again. Cards count
//! as the same, and piles as interchangeable, as in the general space (`equivalence.rs` and the
//! classes of piles of the program). Once the stock is empty, no rule for dealing can be used any
//! more. Then columns are interchangeable also if all other rules treat them alike: an exchange of
//! their cards maps each play of one position onto one of the other.
//!
//! *Equivalent steps.* Of several moves to empty columns that are interchangeable, or to
//! foundations that a card may go to and that are alike, one is listed, since the others lead to
//! the same key. If a card goes up safely (`safe_moves.rs`), that is the only step. A position
//! whose locks are deadlocked has none (`deadlock.rs`).

mod burying;
mod change;
mod depths;
mod distance;
mod foundations;
mod from_hand;
mod goals;
mod hand;
mod limits;
mod listing;
mod part;
mod reading;
mod redeal;
mod rules;
pub(crate) mod space;
mod table;
pub(crate) mod tables;
mod update;
mod when;
