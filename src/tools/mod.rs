//! Commands built on the engine.
pub mod judge;
pub mod perft;
