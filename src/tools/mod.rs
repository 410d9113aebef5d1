//! Commands built on the engine.
pub mod analyse;
pub mod bench;
pub mod datagen;
pub mod evaluation;
pub mod in_order;
pub mod interrupt;
pub mod judge;
pub mod match_runner;
pub mod openings;
pub mod perft;
pub mod progress;
pub mod random;
pub mod record;
pub mod suite;
pub mod train;
pub mod typed;
