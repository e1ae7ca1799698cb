//! The tests of the kernel, linked once: one program for each file would take minutes to build.

mod support;

mod card_links;
mod card_sets;
mod choices;
mod columns;
mod counting;
mod deadlocks;
mod dealing;
mod environment;
mod footprint;
mod hostile;
mod imports;
mod pairing;
mod player;
mod properties;
mod rules;
mod safe_moves;
mod search;
mod style;
