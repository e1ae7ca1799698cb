//! The columns space: a fast space for games with a tableau whose piles differ, whose complete
//! sequences go up as a whole, or whose cards have many copies, such as Spider, Scorpion, Simple
//! Simon and Gypsy.
//!
//! A position is a list of cards for each *column*, which is any pile but the stock and the
//! foundations, the number of cards left in the stock, and what foundations hold that are built
//! card by card. Each card of a column has the hash of the cards up to it, what these add to the
//! distance, and the length of the runs that end there. So a move computes only what changes on the
//! cards that it moves, and keys and distances after most moves are known without making them.
//!
//! Steps are moves of play, and distances are those of the general space. `tables.rs` decides which
//! programs this space handles: all rules build on columns, play to foundations or bring cards back
//! from there, turn up top cards, or deal rows from the stock.
//!
//! *Keys are exact.* The stock is dealt in its order, so the number of its cards says which they
//! are. All cards that are neither there nor in columns are on foundations. What those want is
//! determined by the cards that are up, and nothing looks at complete sequences any more. So the
//! columns and that number determine what can happen. Cards count as the same, and piles as
//! interchangeable, as in the general space (`equivalence.rs` and the classes of piles of the
//! program). Once the stock is empty, no rule for dealing can be used any more. Then columns are
//! interchangeable also if all other rules treat them alike: an exchange of their cards maps each
//! play of one position onto one of the other.
//!
//! *Equivalent steps.* Of several moves to empty columns that are interchangeable, or to
//! foundations that a card may go to, one is listed, since the others lead to the same key. If a
//! card goes up safely (`safe_moves.rs`), that is the only step.

mod change;
mod distance;
mod foundations;
mod listing;
mod part;
pub(crate) mod space;
pub(crate) mod tables;
mod update;
