//! FEN, lenient to read and strict to write, and diagrams for people.

use std::fmt;
use std::str::FromStr;

use super::{Position, Setup, SetupFaults};
use crate::types::{Color, File, Piece, Rank, Square};

/// The start position.
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Why a FEN was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenError {
    /// There is no text.
    Empty,
    /// The board does not have ten ranks; how many it has.
    RankCount(usize),
    /// A rank does not have nine points; how many it has.
    RankLength(Rank, usize),
    /// A letter that is no piece, and where it stands.
    BadLetter(char, Square),
    /// The second field is no side.
    BadSide(String),
    /// The text is understood, but the position is not playable.
    Unplayable(SetupFaults),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the FEN is empty"),
            Self::RankCount(count) => write!(f, "the FEN has {count} ranks instead of 10"),
            Self::RankLength(rank, count) => {
                write!(
                    f,
                    "rank {rank:?} of the FEN has {count} points instead of 9"
                )
            }
            Self::BadLetter(letter, square) => {
                write!(f, "{letter:?} on {square} of the FEN is no piece")
            }
            Self::BadSide(text) => {
                write!(
                    f,
                    "the side to move of the FEN is {text:?} instead of w or b"
                )
            }
            Self::Unplayable(faults) => fmt::Display::fmt(faults, f),
        }
    }
}

impl std::error::Error for FenError {}

impl From<SetupFaults> for FenError {
    fn from(faults: SetupFaults) -> Self {
        Self::Unplayable(faults)
    }
}

/// Reads one rank of the board into its nine points.
fn read_rank(text: &str, rank: Rank, board: &mut [Option<Piece>; 90]) -> Result<(), FenError> {
    let mut points = 0;
    for letter in text.chars() {
        if let Some(empty @ 1..) = letter.to_digit(10) {
            points += empty as usize;
            continue;
        }
        if let Some(file) = File::from_index(points) {
            let square = Square::new(file, rank);
            let piece = Piece::from_letter(letter).ok_or(FenError::BadLetter(letter, square))?;
            board[square.index()] = Some(piece);
        }
        points += 1;
    }
    if points == File::COUNT {
        Ok(())
    } else {
        Err(FenError::RankLength(rank, points))
    }
}

/// A counter, `None` for anything that is no number; too large a number is the largest.
fn read_counter(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u32::MAX))
}

impl FromStr for Setup {
    type Err = FenError;

    /// Reads a FEN as GUIs write it: the side to move is w, r or b in either case and
    /// Red if missing; H and E stand for N and B; the two fields that xiangqi does not
    /// use may be missing; a counter that is missing or no number counts as a new
    /// game's; what follows the counters is not read.
    fn from_str(fen: &str) -> Result<Self, FenError> {
        let mut fields = fen.split_whitespace().peekable();
        let ranks: Vec<&str> = fields.next().ok_or(FenError::Empty)?.split('/').collect();
        if ranks.len() != Rank::COUNT {
            return Err(FenError::RankCount(ranks.len()));
        }
        let mut board = [None; 90];
        for (text, rank) in ranks.into_iter().zip(Rank::ALL.into_iter().rev()) {
            read_rank(text, rank, &mut board)?;
        }
        let side = match fields.next_if(|text| read_counter(text).is_none()) {
            None | Some("w" | "W" | "r" | "R" | "-") => Color::Red,
            Some("b" | "B") => Color::Black,
            Some(other) => return Err(FenError::BadSide(other.to_owned())),
        };
        for _ in 0..2 {
            fields.next_if(|text| read_counter(text).is_none());
        }
        let halfmoves = fields.next().and_then(read_counter).unwrap_or(0);
        let fullmoves = fields.next().and_then(read_counter).unwrap_or(1).max(1);
        Ok(Self {
            board,
            side,
            halfmoves,
            fullmoves,
        })
    }
}

/// The FEN, with every field.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                let Some(piece) = self.board[Square::new(file, rank).index()] else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    write!(f, "{empty}")?;
                }
                empty = 0;
                write!(f, "{}", piece.letter())?;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank != Rank::R0 {
                f.write_str("/")?;
            }
        }
        let side = match self.side {
            Color::Red => 'w',
            Color::Black => 'b',
        };
        write!(f, " {side} - - {} {}", self.halfmoves, self.fullmoves)
    }
}

impl FromStr for Position {
    type Err = FenError;

    /// Reads a FEN as [`Setup`] does and sets it up. What is only odd is not told here:
    /// ask [`Setup::warnings`].
    fn from_str(fen: &str) -> Result<Self, FenError> {
        let setup: Setup = fen.parse()?;
        Ok(Self::try_from(&setup)?)
    }
}

impl Position {
    /// The FEN of the position.
    pub fn fen(&self) -> String {
        self.setup().to_string()
    }

    /// The board for people, Red at the bottom, a line for each rank with its number and
    /// a last line with the files.
    pub fn diagram(&self) -> String {
        let mut text = String::new();
        for rank in Rank::ALL.into_iter().rev() {
            text.push_str(&format!("{rank:?} "));
            for file in File::ALL {
                let man = self.piece_on(Square::new(file, rank));
                text.push(' ');
                text.push(man.map_or('.', Piece::letter));
            }
            text.push('\n');
            if rank == Rank::R5 {
                text.push_str("   ~~~~~~~~~~~~~~~~~\n");
            }
        }
        text.push_str("   a b c d e f g h i\n");
        text
    }
}

/// The FEN.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.setup(), f)
    }
}
