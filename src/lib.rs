//! Vermilion, a xiangqi (Chinese chess) engine.
#![forbid(unsafe_code)]

pub mod attacks;
pub mod eval;
pub mod position;
pub mod rules;
pub mod search;
pub mod tools;
pub mod types;
