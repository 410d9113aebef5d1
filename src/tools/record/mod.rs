//! Self-play games as files keep them: a start position, and for every ply the move and
//! the score of the search. `docs/training.md` describes every byte.
//!
//! ```no_run
//! use std::path::Path;
//! use vermilion::tools::record::{Blocks, ReadError};
//!
//! for block in Blocks::open(Path::new("games.vdata"))? {
//!     match block {
//!         Ok(block) => {
//!             for game in block.games() {
//!                 let mut board = game.start();
//!                 for (mv, score) in game.plies() {
//!                     println!("{:?} {mv} {score}", board.side);
//!                     board.play(mv);
//!                 }
//!             }
//!         }
//!         Err(ReadError::Damage(damage)) => eprintln!("{damage}"),
//!         Err(ReadError::Io(error)) => return Err(error),
//!     }
//! }
//! # Ok::<(), std::io::Error>(())
//! ```

mod block;
mod game;
mod outcome;
mod reader;

pub use block::{Adjudication, Block, Games, Label, MAGIC, NewBlock, Settings};
pub use game::{Board, Game, MAX_PLIES, Record};
pub use outcome::{GameResult, Outcome, Reason};
pub use reader::{Blocks, Damage, Fault, ReadError};
