//! Numeric notation, `C32-35`: the piece, then rank and file where from and where to.

use super::relative::{file_number, file_of, narrow, piece};
use super::{NotationError, legal, wxf};
use crate::position::Position;
use crate::types::{Color, Move, Piece, Rank, Square};

/// The move, with ranks counted from the side of `origin`, 1 to 10.
pub fn write(piece: Piece, mv: Move, origin: Color) -> String {
    let point = |square: Square| {
        let rank = square.relative(origin).rank() as u8 + 1;
        format!("{rank}{}", file_number(piece.color(), square))
    };
    let letter = wxf::letter(piece.kind());
    format!("{letter}{}-{}", point(mv.from()), point(mv.to()))
}

/// Whether the text can only be a move in this notation: a piece and two digits, not one.
pub fn looks_numeric(text: &str) -> bool {
    let mut characters = text.chars().map(narrow);
    characters.next().and_then(piece).is_some()
        && characters
            .by_ref()
            .take(2)
            .filter(char::is_ascii_digit)
            .count()
            == 2
}

/// Reads a legal move with ranks counted from the side of `origin`.
pub fn read(position: &Position, text: &str, origin: Color) -> Result<Move, NotationError> {
    let side = position.side();
    let mut characters = text.chars();
    let first = characters.next().ok_or(NotationError::Empty)?;
    let kind = piece(narrow(first)).ok_or(NotationError::Character(first, 1))?;
    let rest: String = characters.map(narrow).collect();
    let (from, to) = rest.split_once('-').ok_or(NotationError::NotNumeric)?;
    let (from, to) = (point(from, side, origin), point(to, side, origin));
    let (Some(from), Some(to)) = (from, to) else {
        return Err(NotationError::NotNumeric);
    };
    let found = position.piece_on(from);
    if found != Some(Piece::new(side, kind)) {
        return Err(NotationError::OtherPiece(from, kind, found));
    }
    let mv = Move::new(from, to).ok_or(NotationError::NotItsMove(kind))?;
    legal(position, mv)
}

/// Reads a rank and a file as `side` sees them.
fn point(text: &str, side: Color, origin: Color) -> Option<Square> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (rank, file) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let rank = rank.parse::<usize>().ok()?.checked_sub(1)?;
    let file = file_of(side, file.parse().ok()?)?;
    Some(Square::new(file, Rank::from_index(rank)?).relative(origin))
}
