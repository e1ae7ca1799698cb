//! The counting space: games in which cards only leave piles, for one pile that takes them all.
//!
//! Golf is such a game, Black Hole, and those on peaks. The *sources* lose their top cards one by
//! one to the *sink*, which never gives any back; a stock may be dealt to the sink, too.
//!
//! *The claim.* How many cards each source and the stock still hold, together with the rules'
//! view of the sink's top card, decides whether the position can be won.
//!
//! *The argument.* A source never receives a card, so its number of cards says which ones they are;
//! the same holds for the stock. Rules look at nothing else: [`CountingTables::new`] admits only
//! rules that move the top card of a source to the sink (what they ask of it is a relation to the
//! sink's top card, or membership of a set), scripts that deal from the stock to the sink while
//! there is a stock, and forced rules that turn up top cards of sources. Whether a pile is open
//! depends on which sources are vacant, so on the numbers. Face-down cards lie only on piles whose
//! top card is turned up at once. The aim asks which sources, and whether the stock, are vacant. So
//! two positions that agree in the numbers, and whose top cards on the sink take the same cards,
//! allow the same moves to positions that agree again.
//!
//! *Interchange.* Two sources that hold the same classes of cards in the same order, that rules
//! treat alike and that cover nothing, can be exchanged: so they share their keys, and only the
//! first of them is tried. A key is the sum of random numbers, one for each source and what it
//! holds.
//!
//! *Extension.* Let a source *extend* another one that rules treat alike: from the top, it begins
//! with the same classes of cards as the other one has in all, and has more below them. Let it be
//! one that must be vacant, and let nothing be covered. Then the shorter one is not tried: a win
//! that takes a card from it can take one of the same class from the longer one instead, and goes
//! on with the two exchanged. For as long as the win has taken more cards from the shorter one,
//! both have the cards for that. In the end it has taken at least as many from the longer one;
//! when it has taken the same number from each, so has the other line, and they go on alike.
//!
//! Lost positions are detected as `dead_ends.rs` says.

pub(crate) mod dead_ends;
pub(crate) mod space;
pub(crate) mod tables;
