//! Mate puzzles: does the search announce the mate, and does its line lead there?

use std::fmt;
use std::path::{Path, PathBuf};

use super::suite::Place;
use crate::position::{FenError, Position};
use crate::search::{Limits, Searcher};
use crate::types::{MATE, MAX_PLY, Move, Score, Value};

/// What a search may use to go on with a line that the table has cut off.
const COMPLETION_NODES: u64 = 2_000_000;

/// A position in which the side to move mates. Stalemate is a mate as well.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// Where it was read.
    pub place: Place,
    /// Its name; empty if it has none.
    pub id: String,
    /// The position.
    pub position: Position,
    /// The length of the shortest mate in moves of the side that mates.
    pub moves: u32,
}

/// `FILE:LINE: NAME, mate in N`.
impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.place)?;
        if !self.id.is_empty() {
            write!(f, "{}, ", self.id)?;
        }
        write!(f, "mate in {}", self.moves)
    }
}

/// Why a file of puzzles was refused.
#[derive(Debug)]
pub enum PuzzleError {
    /// The file cannot be read.
    Unreadable(PathBuf, std::io::Error),
    /// The FEN was refused.
    Fen(Place, FenError),
    /// Something after a `;` is neither `mate` with a number nor `id` with a name.
    Field(Place, String),
    /// The length is not given.
    NoLength(Place),
}

impl fmt::Display for PuzzleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(file, error) => write!(f, "{}: {error}", file.display()),
            Self::Fen(place, error) => write!(f, "{place}: {error}"),
            Self::Field(place, text) => {
                write!(f, "{place}: {text:?} is neither `mate N` nor `id NAME`")
            }
            Self::NoLength(place) => write!(f, "{place}: no `mate N`"),
        }
    }
}

impl std::error::Error for PuzzleError {}

/// Reads a file of lines `FEN ;mate N ;id NAME`, of which the name may be missing; blank
/// ones and those with `#` first are skipped.
///
/// # Errors
/// If the file cannot be read or a line of it cannot be understood.
pub fn read_puzzles(file: &Path) -> Result<Vec<Puzzle>, PuzzleError> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| PuzzleError::Unreadable(file.to_owned(), error))?;
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let read = |(index, line)| {
        let place = Place {
            file: file.to_owned(),
            line: index + 1,
        };
        read_puzzle(place, line)
    };
    lines.map(read).collect()
}

fn read_puzzle(place: Place, line: &str) -> Result<Puzzle, PuzzleError> {
    let mut fields = line.split(';').map(str::trim);
    let position = match fields.next().unwrap_or_default().parse() {
        Ok(position) => position,
        Err(error) => return Err(PuzzleError::Fen(place, error)),
    };
    let (mut id, mut moves) = (String::new(), None);
    for field in fields {
        match field
            .split_once(' ')
            .map(|(word, value)| (word, value.trim()))
        {
            Some(("id", name)) => id = name.to_owned(),
            Some(("mate", number)) if is_length(number) => moves = number.parse().ok(),
            _ => return Err(PuzzleError::Field(place, field.to_owned())),
        }
    }
    match moves {
        Some(moves) => Ok(Puzzle {
            place,
            id,
            position,
            moves,
        }),
        None => Err(PuzzleError::NoLength(place)),
    }
}

/// Whether it is a number of moves that the search can see.
fn is_length(number: &str) -> bool {
    let moves = number.parse::<usize>();
    moves.is_ok_and(|moves| (1..=MAX_PLY / 2).contains(&moves))
}

/// What became of a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The mate was announced, and its line ends in it.
    Solved,
    /// The same with fewer moves than the file says.
    Shorter(u32),
    /// A mate was announced, but one that takes so many moves.
    Longer(u32),
    /// No mate was announced.
    Missed(Score),
    /// A mate was announced, but its line does not lead there.
    Unreal(Flaw),
}

impl Verdict {
    /// Whether a mate of the right length, or a shorter one, was found.
    pub fn is_solved(&self) -> bool {
        matches!(self, Self::Solved | Self::Shorter(_))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Solved => f.write_str("solved"),
            Self::Shorter(moves) => write!(f, "solved in {moves}: the file is wrong"),
            Self::Longer(moves) => write!(f, "only a mate in {moves} found"),
            Self::Missed(score) => write!(f, "no mate found, score {score}"),
            Self::Unreal(flaw) => write!(f, "a mate announced, but {flaw}"),
        }
    }
}

/// What is wrong with the line of an announced mate, and after how many of its plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// A move is illegal.
    Illegal(u32, Move),
    /// All announced plies are played and the other side still has moves.
    NoMate(u32),
    /// The line was cut off and the search does not find its way from there in time.
    Lost(u32),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Illegal(plies, mv) => write!(f, "after {plies} plies {mv} is illegal"),
            Self::NoMate(plies) => write!(f, "after {plies} plies it is no mate"),
            Self::Lost(plies) => write!(f, "after {plies} plies it is not found again"),
        }
    }
}

impl Puzzle {
    /// Searches the position within the limits, and no longer than until a mate of the
    /// known length is proven; the searcher forgets first what it knows. The line of an
    /// announced mate is replayed, a line that is cut off is completed by further searches.
    pub fn solve(&self, searcher: &mut Searcher, limits: &Limits) -> Verdict {
        searcher.clear();
        let limits = Limits {
            mate: Some(self.moves),
            ..limits.clone()
        };
        let result = searcher.search(&self.position, &limits);
        let score = Score::from_value(result.value);
        let Score::Mate(moves @ 1..) = score else {
            return Verdict::Missed(score);
        };
        let plies = plies_to_mate(result.value);
        if let Err(flaw) = replay(searcher, &self.position, result.pv, plies) {
            return Verdict::Unreal(flaw);
        }
        let moves = moves.unsigned_abs();
        match moves.cmp(&self.moves) {
            std::cmp::Ordering::Less => Verdict::Shorter(moves),
            std::cmp::Ordering::Equal => Verdict::Solved,
            std::cmp::Ordering::Greater => Verdict::Longer(moves),
        }
    }
}

fn plies_to_mate(value: Value) -> u32 {
    (MATE - value.abs()).unsigned_abs()
}

/// Plays a line after which the other side should have no moves, after `plies` plies at most.
fn replay(
    searcher: &mut Searcher,
    position: &Position,
    mut line: Vec<Move>,
    plies: u32,
) -> Result<(), Flaw> {
    let winner = position.side();
    let mut position = position.clone();
    let mut played = 0;
    loop {
        for mv in line {
            if !position.is_legal(mv) {
                return Err(Flaw::Illegal(played, mv));
            }
            position.make(mv);
            played += 1;
        }
        if position.has_no_moves() && position.side() != winner {
            return Ok(());
        }
        if played >= plies {
            return Err(Flaw::NoMate(played));
        }
        let left = plies - played;
        let limits = Limits {
            nodes: Some(COMPLETION_NODES),
            mate: Some(left.div_ceil(2)),
            ..Limits::default()
        };
        let result = searcher.search(&position, &limits);
        let wins = (result.value > 0) == (position.side() == winner);
        if result.pv.is_empty() || !wins || plies_to_mate(result.value) > left {
            return Err(Flaw::Lost(played));
        }
        line = result.pv;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Red mates in two: `b5b8 d9e9 a6a9`.
    const TWO_ROOKS: &str = "3k5/9/9/R8/1R7/9/9/9/9/5K3 w";

    fn replayed(line: &str, plies: u32) -> Result<(), Flaw> {
        let position = TWO_ROOKS.parse().expect("a FEN");
        let moves = line
            .split_whitespace()
            .map(|mv| Move::parse(mv).expect("a move"));
        let mut searcher = Searcher::new(1).expect("memory");
        replay(&mut searcher, &position, moves.collect(), plies)
    }

    #[test]
    fn a_line_must_lead_to_mate_in_time() {
        assert_eq!(replayed("b5b8 d9e9 a6a9", 3), Ok(()));
        let illegal = Move::parse("d9d8").expect("a move");
        assert_eq!(replayed("b5b8 d9d8", 3), Err(Flaw::Illegal(1, illegal)));
        assert_eq!(replayed("b5b8 d9e9 a6a8", 3), Err(Flaw::NoMate(3)));
    }

    #[test]
    fn a_line_that_was_cut_off_is_completed() {
        for line in ["", "b5b8", "b5b8 d9e9"] {
            assert_eq!(replayed(line, 3), Ok(()), "{line}");
        }
        // There is a mate from here, but it takes longer.
        assert_eq!(replayed("f0f1", 3), Err(Flaw::Lost(1)));
    }
}
