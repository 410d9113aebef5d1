//! The opening books that a client has named.

use std::env;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};

use super::log_file::path_from_bytes;
use crate::book::{Book, BookMove, draw};
use crate::position::Position;
use crate::rules::Rules;
use crate::search::Limits;
use crate::types::Move;

/// Larger files are no books that anybody has; reading them would take long.
const MAX_BYTES: u64 = 1 << 28;

/// The books, and how a move is chosen.
pub struct Books {
    /// In the order in which they are asked.
    books: Vec<Book>,
    /// Whether they are asked.
    pub on: bool,
    /// Whether the move of the greatest weight is played, or one drawn by weight.
    pub best: bool,
    /// Where random numbers come from.
    seed: RandomState,
    draws: u64,
}

impl Default for Books {
    fn default() -> Self {
        Self {
            books: Vec::new(),
            on: true,
            best: false,
            seed: RandomState::new(),
            draws: 0,
        }
    }
}

impl Books {
    /// Opens the books of a list of paths with `;` between them, instead of those opened
    /// before; an empty list or `<empty>` closes them. Says what came of each.
    pub fn open(&mut self, list: &[u8]) -> Vec<String> {
        self.books.clear();
        if list == b"<empty>" {
            return Vec::new();
        }
        let mut notices = Vec::new();
        for name in list.split(|&byte| byte == b';') {
            let name = name.trim_ascii();
            if name.is_empty() {
                continue;
            }
            let path = path_from_bytes(name);
            match read(&path) {
                Ok(book) => {
                    let moves = book.len();
                    notices.push(format!("book {}: {moves} moves", path.display()));
                    self.books.push(book);
                }
                Err(error) => notices.push(format!("no book {}: {error}", path.display())),
            }
        }
        notices
    }

    /// The moves that may be played without a search, by falling weight: those of the first
    /// book that knows any, without the banned ones. None if an analysis is asked for.
    pub fn moves(
        &self,
        position: &Position,
        rules: &Rules,
        limits: &Limits,
        banned: &[Move],
    ) -> Vec<BookMove> {
        let is_analysis = limits.infinite || limits.ponder || limits.mate.is_some();
        if !self.on || is_analysis {
            return Vec::new();
        }
        let is_allowed = |known: &BookMove| {
            let asked = limits.search_moves.is_empty() || limits.search_moves.contains(&known.mv);
            asked && !banned.contains(&known.mv)
        };
        for book in &self.books {
            let mut moves = book.playable_moves(position, rules);
            moves.retain(is_allowed);
            if !moves.is_empty() {
                return moves;
            }
        }
        Vec::new()
    }

    /// Chooses one of the moves, which come by falling weight.
    pub fn choose(&mut self, moves: &[BookMove]) -> Option<BookMove> {
        if self.best {
            return moves.first().copied();
        }
        self.draws += 1;
        draw(moves, self.seed.hash_one(self.draws))
    }
}

/// Reads a book from the working directory, or else from beside the program.
fn read(path: &Path) -> Result<Book, String> {
    let path = match beside_program(path) {
        Some(beside) if !path.exists() => beside,
        _ => path.to_owned(),
    };
    let about = fs::metadata(&path).map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("not a regular file".to_owned());
    }
    if about.len() > MAX_BYTES {
        return Err(format!("{} bytes are too many for a book", about.len()));
    }
    let bytes = fs::read(&path).map_err(|error| error.to_string())?;
    Book::from_bytes(&bytes).map_err(|error| error.to_string())
}

fn beside_program(path: &Path) -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    Some(program.parent()?.join(path))
}
