//! FEN.

use std::fmt;
use std::str::FromStr;

use super::{Position, Setup};
use crate::types::{Color, File, Piece, Rank, Square};

/// The start position.
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Why a FEN was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenError {
    /// placeholder
    Bad,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bad FEN")
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        let mut fields = fen.split_whitespace();
        let mut board = [None; 90];
        let placement = fields.next().ok_or(FenError::Bad)?;
        for (row, text) in placement.split('/').enumerate() {
            let mut file = 0;
            for letter in text.chars() {
                if let Some(skip) = letter.to_digit(10) {
                    file += skip as usize;
                } else {
                    let piece = Piece::from_letter(letter).ok_or(FenError::Bad)?;
                    let (Some(f), Some(r)) = (
                        File::from_index(file),
                        Rank::from_index(9usize.wrapping_sub(row)),
                    ) else {
                        return Err(FenError::Bad);
                    };
                    board[Square::new(f, r).index()] = Some(piece);
                    file += 1;
                }
            }
        }
        let side = match fields.next() {
            Some("b") => Color::Black,
            _ => Color::Red,
        };
        let setup = Setup {
            board,
            side,
            halfmoves: 0,
            fullmoves: 1,
        };
        Position::try_from(&setup).map_err(|_| FenError::Bad)
    }
}
