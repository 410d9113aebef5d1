//! Portable Game Notation as xiangqi programs write it, and lists of moves.

mod reader;
mod writer;

pub use reader::read_games;
pub use writer::write_game;

/// The tags that are written from a game's own fields.
const OWN_TAGS: [&str; 4] = ["Result", "FEN", "SetUp", "Format"];
