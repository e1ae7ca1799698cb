//! The pairing space: games in which cards only leave piles, mostly two at a time.
//!
//! Pyramid is such a game, Giza, Fourteen Out and their kin. Cards leave *fixed piles*, which get
//! none, and a *stock*, which is dealt to a *waste* and perhaps dealt again.
//!
//! *The claim.* Which cards are left, how many cards of the stock were dealt, and how many redeals
//! are left decide whether a position can be won.
//!
//! *The argument.* A fixed pile loses its top cards one by one, so the cards that are left say how
//! it lies. The cards of stock and waste stay in one order, that in which they are first dealt: the
//! waste holds those that were dealt, the last one on top, and the stock the others. A redeal turns
//! the waste over as a whole, which keeps the order. A *tray* between stock and waste, which is
//! refilled at once, holds the first card that was not dealt. A *tail*, which gets the bottom card
//! of the waste at once, holds the first card that was dealt; there is no redeal then.
//! [`PairingTables::new`](tables::PairingTables::new) admits only rules
//! - by which two top cards leave, or one, if they are of certain classes (any two of some piles;
//!   perhaps also the top two of the waste), without conditions;
//! - by which a number of cards is dealt to the waste while there is a stock, and the waste is
//!   redealt when there is none, as long as a counter is below a number;
//! - that fill tray and tail;
//! - that turn up top cards of fixed piles, which are the only ones that may lie face down.
//!
//! Whether a pile is open may depend on which fixed piles are empty, so on the cards that are left.
//! The aim asks for empty fixed piles, and for all of stock, tray, waste and tail to be empty, or
//! for none of them. So rules and aim ask for nothing but what the claim names.
//!
//! *Steps.* A step deals a number of times, and then takes cards of which at least one was dealt
//! the last time; or takes cards without dealing. Dealing and redealing change no fixed pile, and
//! cards that leave without any of stock and waste change nothing of these. So where such cards
//! leave after a deal, they can leave before it. A card of stock or waste that could leave, with
//! the same cards, before the last deal can also leave before it: only a tail, the top card of a
//! waste, or a tray can. A tray is the top card of the waste after the deal, so its card leaves
//! with the same result. The top card of a waste is covered by the deal, or lies under a tray. A
//! tail stays, and dealing commutes with taking it. So every win has a line of such steps. After
//! the last one nothing need be dealt: if stock and waste must be empty, they are.
//!
//! *Interchange.* Cards that belong together with the same cards are of one class. Piles that hold
//! cards of the same classes in the same order, from which the same rules take, and which cover and
//! are covered by nothing, share their keys; of stock and waste only the classes in their order
//! count.

pub(crate) mod dead_ends;
pub(crate) mod place;
pub(crate) mod ring;
pub(crate) mod space;
pub(crate) mod tables;
