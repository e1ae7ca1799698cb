//! The card-sets space: games in which built cards can be rearranged freely, so that a position is
//! a few sets of cards.
//!
//! Klondike is such a game, with worrying back or without, and so are its kin without hidden cards
//! or without a stock.
//!
//! *Which games.* Those of the card-links space (`card_links/tables.rs`) that meet the following
//! conditions, which [`tables::SetTables::new`] derives from the program.
//! 1. There is one group of *columns*. Cards of every group are put on columns, and cards that come
//!    back from foundations, too, all by the same rule of building and with the same cards allowed
//!    in empty columns. Other groups only lose their top cards (*reserves*); there may be a stock.
//! 2. From column to column runs move, as a whole or in part, and a run is what the rule of
//!    building makes.
//! 3. Of two cards that can be put on others, both fit on the same cards, or no card takes both. So
//!    cards fall into *classes*: a set of children, each of which fits on each of a set of parents.
//!    In alternate colours two red nines fit on two black tens; whatever the suit, four on four.
//!    Building in another suit has no such classes.
//! 4. No cards fit on each other in a circle.
//! 5. An empty column takes only cards that fit on no card (kings), or none.
//! 6. Foundations ask for suits, so that the set of cards on them says which cards can come back.
//!
//! *The sets.* Cut the cards of each column of the root into *segments*: the face-up cards that
//! were built on each other belong to one segment, and each face-down card is one of its own. No
//! card of a segment can be used before all upper segments left. The lowest card of the last
//! segment is the *head* of the column; as long as it stays, the segments below stay. Once the head
//! left, the next segment is turned up. A column without segments is *free*: it is empty, or a card
//! lies at its bottom that could be put there, with others built on it; a column whose only segment
//! begins with such a card counts as free, too. All cards of columns that are not in a lower
//! segment are *open*. A position of this space says which cards are on foundations, which segments
//! each column has left, and what the stock has (`card_links/stock.rs`). These determine which
//! cards are open.
//!
//! *The claim.* Of two positions of the game that agree in these, both can be won or neither. So
//! where open cards lie, beyond that heads lie in their places, does not matter.
//!
//! *The argument.* Every open card that is not a head lies on an open parent, or at the bottom of a
//! free column if it fits on no card. No two lie on the same parent. So a class with p open parents
//! and c open children that are no heads has p - c parents with nothing on them. Call this its
//! *room*. Let P and Q agree, and let a move of P lead to P'. We show that some moves lead from Q
//! to a position Q' that agrees with P'. Then a winning line of P gives one of Q. The moves are:
//! - *An open card x goes up.* Nothing lies on it in P. If something lies on x in Q, it is a child
//!   y with what is built on it. All children of the class lie on parents other than x in P, so
//!   there is room, and some parent z has nothing on it in Q. The run from y on moves from x to z
//!   (z is not in the run, by condition 4). Then x goes up.
//! - *A card x comes to a column*, from the stock, a reserve, a foundation, or as the head of a
//!   column with all cards built on it. In P there is a parent with nothing on it, or an empty
//!   column. In Q there is one, too: room and the number of empty columns (free columns minus open
//!   cards, other than heads, that fit on no card) are the same. A head x has only built cards on
//!   it, so it moves with them, and the parent is none of these.
//! - *A run moves whose lowest card is no head.* P' agrees with P, and Q' is Q.
//! - *The stock is turned.* Columns play no part. (Steps contain the turns, as in the card-links
//!   space.)
//!
//! In each case the same card leaves the same place, and the next segment of a column is turned up
//! in both. Forced rules only turn cards up.
//!
//! *Steps.* The first two kinds of move are the steps of the space. They exist exactly if there is
//! room: a card can go up if it is wanted and nothing need lie on it ([`space`]). `line.rs`
//! translates a line into moves of play, with the moves of runs that prepare its steps, and so
//! checks it move by move.
//!
//! *Prunings.* Safe cards go up automatically (`spaces/safe_play.rs`): the proof there holds for
//! every position of the game, so for each that a position of this space stands for. Positions are
//! left out that cannot be won even if nothing ever gets worse (`relaxed.rs`). If all cards of the
//! stock can always be played, they go to columns only to be built on at once (`reserve_macro.rs`).
//! That is the case in the abstract game of a stock that is turned otherwise, too: it has no order
//! of the stock, and where it is lost, so is the game ([`tables::SetTables::with_free_stock`]).

pub(crate) mod line;
mod relaxed;
mod reserve_macro;
pub(crate) mod space;
pub(crate) mod tables;
