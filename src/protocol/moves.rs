//! Moves as clients write them.

use std::fmt;

use crate::position::{IllegalMove, Position};
use crate::types::{Move, ParseMoveError};

/// How a list of moves counts the ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ranks {
    /// 0 to 9, as everything of ours does.
    FromZero,
    /// 1 to 10, as Fairy-Stockfish and its GUIs do in UCI.
    FromOne,
}

impl Ranks {
    /// How the whole list counts: from one if a move in it names a rank 10, from zero if one
    /// names a rank 0, and as is usual where neither tells.
    pub fn of(words: &[&str], usual: Self) -> Self {
        if words.iter().any(|word| names_rank_ten(word)) {
            Self::FromOne
        } else if words.iter().any(|word| names_rank_zero(word)) {
            Self::FromZero
        } else {
            usual
        }
    }

    /// The move with its ranks counted so.
    pub fn write(self, mv: Move) -> String {
        match self {
            Self::FromZero => mv.to_string(),
            Self::FromOne => [mv.from(), mv.to()]
                .map(|square| {
                    let file = (b'a' + square.file() as u8) as char;
                    format!("{file}{}", square.rank() as u32 + 1)
                })
                .concat(),
        }
    }

    /// The moves of a line, each after a blank.
    pub fn write_line(self, moves: &[Move]) -> String {
        moves
            .iter()
            .map(|&mv| format!(" {}", self.write(mv)))
            .collect()
    }
}

/// Whether the word is a move with a rank 10 in it.
fn names_rank_ten(word: &str) -> bool {
    read_from_one(word).is_some() && word.contains("10")
}

/// Whether the word is a move with a rank 0 in it.
fn names_rank_zero(word: &str) -> bool {
    Move::parse(word).is_ok() && word.contains('0')
}

/// Reads a move with ranks 1 to 10.
fn read_from_one(word: &str) -> Option<Result<Move, ParseMoveError>> {
    let mut text = String::with_capacity(4);
    let mut letters = word.chars().peekable();
    for _ in 0..2 {
        text.push(letters.next()?);
        let mut rank = letters.next()?.to_digit(10)?;
        if rank == 1 && letters.next_if_eq(&'0').is_some() {
            rank = 10;
        }
        text.push(char::from_digit(rank.checked_sub(1)?, 10)?);
        if text.len() == 2 {
            letters.next_if_eq(&'-');
        }
    }
    letters.next().is_none().then(|| Move::parse(&text))
}

/// Why a move was not taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// It is not written as a move.
    Spelling(ParseMoveError),
    /// The rules forbid it.
    Illegal(IllegalMove),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spelling(error) => fmt::Display::fmt(error, f),
            Self::Illegal(reason) => fmt::Display::fmt(reason, f),
        }
    }
}

impl std::error::Error for Why {}

/// The legal move that the word names.
pub fn read_legal(position: &Position, word: &str, ranks: Ranks) -> Result<Move, Why> {
    let mv = match ranks {
        Ranks::FromZero => Move::parse(word),
        Ranks::FromOne => read_from_one(word).unwrap_or(Err(ParseMoveError::NotTwoSquares)),
    }
    .map_err(Why::Spelling)?;
    if position.is_legal(mv) {
        return Ok(mv);
    }
    position
        .explain_illegal(mv)
        .map_or(Ok(mv), |reason| Err(Why::Illegal(reason)))
}

/// A move of a list that was not taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedMove {
    /// Its place in the list, from 1.
    pub number: usize,
    /// As it was written.
    pub text: String,
    /// The reason.
    pub why: Why,
}

impl fmt::Display for RefusedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {}, {}: {}", self.number, self.text, self.why)
    }
}

impl std::error::Error for RefusedMove {}

/// The legal moves among the words, and the words that are none.
pub fn read_choice(
    position: &Position,
    words: &[&str],
    usual: Ranks,
) -> (Vec<Move>, Vec<RefusedMove>) {
    let ranks = Ranks::of(words, usual);
    let (mut moves, mut refused) = (Vec::new(), Vec::new());
    for (index, word) in words.iter().enumerate() {
        match read_legal(position, word, ranks) {
            Ok(mv) => moves.push(mv),
            Err(why) => refused.push(RefusedMove {
                number: index + 1,
                text: (*word).to_owned(),
                why,
            }),
        }
    }
    (moves, refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_ten_makes_the_whole_list_count_from_one() {
        let list = ["h3e3", "h10g8"];
        for usual in [Ranks::FromZero, Ranks::FromOne] {
            assert_eq!(Ranks::of(&list, usual), Ranks::FromOne);
            assert_eq!(Ranks::of(&list[..1], usual), usual);
            assert_eq!(Ranks::of(&["h3e3", "h0g2"], usual), Ranks::FromZero);
        }
        let start = Position::startpos();
        assert_eq!(
            read_legal(&start, "h3e3", Ranks::FromOne).map(|mv| mv.to_string()),
            Ok("h2e2".to_owned())
        );
        assert_eq!(
            read_from_one("a10-a9").map(|mv| mv.map(|mv| mv.to_string())),
            Some(Ok("a9a8".to_owned()))
        );
        for bad in [
            "", "a", "a1", "a0a1", "a11a1", "a10a", "é1a2", "a1a2a3", "10",
        ] {
            assert!(!matches!(read_from_one(bad), Some(Ok(_))), "{bad}");
            if !bad.contains('0') {
                assert_eq!(Ranks::of(&[bad], Ranks::FromOne), Ranks::FromOne, "{bad}");
            }
            assert_eq!(Ranks::of(&[bad], Ranks::FromZero), Ranks::FromZero, "{bad}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for (text, from_one) in [("h2e2", "h3e3"), ("a9b9", "a10b10"), ("i0i9", "i1i10")] {
            let mv = Move::parse(text).expect("a move");
            assert_eq!(Ranks::FromZero.write(mv), text);
            assert_eq!(Ranks::FromOne.write(mv), from_one);
            assert_eq!(read_from_one(from_one), Some(Ok(mv)));
        }
    }
}
