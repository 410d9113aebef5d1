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
    /// How the whole list counts: from one if a move in it names a rank 10.
    pub fn of(words: &[&str]) -> Self {
        if words.iter().any(|word| names_rank_ten(word)) {
            Self::FromOne
        } else {
            Self::FromZero
        }
    }
}

/// Whether the word is a move with a rank 10 in it.
fn names_rank_ten(word: &str) -> bool {
    read_from_one(word).is_some() && word.contains("10")
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
pub fn read_choice(position: &Position, words: &[&str]) -> (Vec<Move>, Vec<RefusedMove>) {
    let ranks = Ranks::of(words);
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
        assert_eq!(Ranks::of(&list), Ranks::FromOne);
        assert_eq!(Ranks::of(&list[..1]), Ranks::FromZero);
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
            assert_eq!(Ranks::of(&[bad]), Ranks::FromZero, "{bad}");
        }
    }
}
