//! Commands built on the engine.
pub mod analyse;
pub mod bench;
pub mod judge;
pub mod match_runner;
pub mod perft;
pub mod progress;
pub mod suite;
pub mod typed;
