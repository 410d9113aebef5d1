//! Vermilion, a xiangqi (Chinese chess) engine.
//!
//! The modules form layers; each uses only those before it: [`types`], [`attacks`],
//! [`position`], [`rules`], [`notation`], [`book`], [`nnue`], [`eval`], [`search`], [`engine`],
//! [`protocol`], [`tools`].
//! An [`engine::Engine`] holds a position and searches it:
//!
//! ```
//! use vermilion::engine::Engine;
//! use vermilion::search::Limits;
//! use vermilion::types::{Move, Score};
//!
//! let mut engine = Engine::new();
//! // One rook keeps the general on its last rank, the other one mates there.
//! engine.set_position("3k5/R8/9/9/9/9/9/9/9/1RB1K4 w - - 0 1".parse()?);
//! let answer = engine.search(Limits { depth: Some(4), ..Limits::default() });
//!
//! let line = &answer.lines[0];
//! assert_eq!(line.score, Score::Mate(1));
//! assert_eq!(answer.best, Some(Move::parse("b0b9")?));
//! assert_eq!(line.pv.first().copied(), answer.best);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(unsafe_code)]

pub mod attacks;
pub mod book;
pub mod engine;
pub mod eval;
pub mod nnue;
pub mod notation;
pub mod position;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod tools;
pub mod types;
