//! UCI and UCCI over a pair of byte streams.
//!
//! [`run`] is the loop of the program: lines come in through a thread of their own, so
//! that `stop` and `isready` are heard while the engine thinks. Reading is common to both
//! dialects and lenient (`game`, `go`, `moves`, `options`); writing differs (`uci`, `ucci`).
//! docs/protocols.md says what is understood and what was decided where the protocols
//! are silent.

mod books;
mod dialect;
mod game;
mod go;
mod input;
mod log_file;
mod moves;
mod options;
mod output;
mod parting;
mod session;
#[cfg(feature = "tune")]
mod tune;
mod ucci;
mod uci;

pub use game::{Game, GameError, read_game};
pub use moves::{Ranks, RefusedMove, Why};
pub use session::{Scene, Typed, TypedCommand, run};
