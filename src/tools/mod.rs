//! Commands built on the engine.
pub mod perft;
