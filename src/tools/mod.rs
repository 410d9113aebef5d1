//! Commands built on the engine.
pub mod bench;
pub mod judge;
pub mod perft;
