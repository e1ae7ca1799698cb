//! Games as environments for reinforcement learning: numbered actions, observations of a fixed
//! size, rewards, and many games that are stepped together.
//!
//! [`actions::ActionSpace`] numbers every move that a program can ever offer.
//! [`observation::ObservationSpace`] writes what the player sees as a row of bytes.
//! [`batch::Batch`] plays many games at once and writes their observations and the masks of their
//! legal actions into buffers of the caller. After a move only the piles that it touched are
//! written again, and only rules that look at something that it changed are asked for their legal
//! moves again.

pub(crate) mod actions;
pub(crate) mod batch;
mod game;
mod legal;
pub(crate) mod observation;
pub(crate) mod reward;
pub(crate) mod setup;
