//! What WXF and Chinese notation have in common: a man named by its kind and its file or
//! its place among equals, a direction, and a number.

use std::fmt;

use smallvec::SmallVec;

use super::{NotationError, chinese, legal, wxf};
use crate::position::Position;
use crate::types::{Bitboard, Color, File, Move, Piece, PieceKind, Rank, Square};

/// A place among men of a kind on one file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Nearest to the opponent.
    Front,
    /// Between the two others.
    Middle,
    /// Nearest to the own side.
    Rear,
}

/// Which man of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    /// The one on this file.
    OnFile(u8),
    /// The one at this place of a file with several.
    At(Place),
    /// The one at this place of this file.
    AtOnFile(Place, u8),
    /// This one, counted from 1, of all that stand on a file with another: by files from
    /// the mover's right to the left, on a file from the front to the rear.
    Nth(u8),
    /// This one on this file, counted from 1 from the front.
    NthOnFile(u8, u8),
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |place| match place {
            Place::Front => "at the front",
            Place::Middle => "in the middle",
            Place::Rear => "at the rear",
        };
        match *self {
            Self::OnFile(file) => write!(f, "on file {file}"),
            Self::At(at) => write!(f, "{} of others on a file", place(at)),
            Self::AtOnFile(at, file) => write!(f, "{} of others on file {file}", place(at)),
            Self::Nth(number) => write!(f, "that is number {number} of those that share a file"),
            Self::NthOnFile(number, file) => write!(f, "that is number {number} on file {file}"),
        }
    }
}

/// Where a man goes, from the side of its owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Towards the opponent.
    Forward,
    /// Towards the own side.
    Back,
    /// Along the rank.
    Level,
}

/// Men on one file, the front one first.
type Men = SmallVec<[Square; 5]>;

/// The men of this kind and side on the file, the front one first.
fn on_file(position: &Position, piece: Piece, file: File) -> Men {
    let set = position.pieces(piece.color(), piece.kind()) & Bitboard::file(file);
    let mut men: Men = set.into_iter().collect();
    if piece.color() == Color::Red {
        men.reverse();
    }
    men
}

/// The files from the right of the side to its left.
fn files(side: Color) -> impl Iterator<Item = File> {
    (1..=9).filter_map(move |number| file_of(side, number))
}

/// Files are numbered from the right of the side, 1 to 9.
pub fn file_number(side: Color, square: Square) -> u8 {
    match side {
        Color::Red => 9 - square.file() as u8,
        Color::Black => 1 + square.file() as u8,
    }
}

/// The file with this number.
pub fn file_of(side: Color, number: u8) -> Option<File> {
    let number = usize::from(number);
    File::from_index(match side {
        Color::Red => 9usize.checked_sub(number)?,
        Color::Black => number.checked_sub(1)?,
    })
}

/// The files with several men of the kind, each with its men.
fn shared_files(position: &Position, piece: Piece) -> SmallVec<[Men; 2]> {
    files(piece.color())
        .map(|file| on_file(position, piece, file))
        .filter(|men| men.len() > 1)
        .collect()
}

/// A move as WXF and Chinese notation see it.
pub struct Description {
    /// The file of the man.
    pub file: u8,
    /// How it stands among its equals; `None` where its file names it: it is alone there,
    /// or an advisor or elephant, two of which on one file never go the same way.
    pub shared: Option<Shared>,
    /// Where it goes.
    pub way: Way,
    /// Its new file, or how many points it goes along its file.
    pub number: u8,
}

/// How a man stands among those of its kind that share a file.
pub struct Shared {
    /// Its number on its file, from 1 at the front.
    pub on_file: u8,
    /// Its number among all men of its kind that stand on a file with another.
    pub number: u8,
    /// How many there are of those.
    pub all: u8,
}

impl Description {
    /// Describes a move of `piece`.
    pub fn of(position: &Position, piece: Piece, mv: Move) -> Self {
        let side = piece.color();
        let (from, to) = (mv.from(), mv.to());
        let ahead = to.relative(side).rank() as i8 - from.relative(side).rank() as i8;
        let way = match ahead {
            0 => Way::Level,
            1.. => Way::Forward,
            _ => Way::Back,
        };
        let number = if from.file() == to.file() {
            ahead.unsigned_abs()
        } else {
            file_number(side, to)
        };
        let by_file = matches!(piece.kind(), PieceKind::Advisor | PieceKind::Bishop);
        Self {
            file: file_number(side, from),
            shared: if by_file {
                None
            } else {
                shared(position, piece, from)
            },
            way,
            number,
        }
    }
}

/// How the man on `square` stands among its equals, if its file has several.
fn shared(position: &Position, piece: Piece, square: Square) -> Option<Shared> {
    let here = Bitboard::file(square.file());
    if !(position.pieces(piece.color(), piece.kind()) & here).more_than_one() {
        return None;
    }
    let files = shared_files(position, piece);
    let place = |men: &[Square]| men.iter().position(|&man| man == square);
    let on_file = files.iter().find_map(|men| place(men))?;
    let number = files.iter().flatten().position(|&man| man == square)?;
    Some(Shared {
        on_file: on_file as u8 + 1,
        number: number as u8 + 1,
        all: files.iter().map(|men| men.len()).sum::<usize>() as u8,
    })
}

/// The men that may be meant.
fn candidates(position: &Position, piece: Piece, who: Who) -> Men {
    let side = piece.color();
    let on =
        |number| file_of(side, number).map_or_else(Men::new, |file| on_file(position, piece, file));
    match who {
        Who::OnFile(file) => on(file),
        Who::At(place) => shared_files(position, piece)
            .iter()
            .flat_map(|men| at_place(men, place))
            .copied()
            .collect(),
        Who::AtOnFile(place, file) => at_place(&on(file), place).iter().copied().collect(),
        Who::Nth(number) => shared_files(position, piece)
            .iter()
            .flatten()
            .skip(usize::from(number).wrapping_sub(1))
            .take(1)
            .copied()
            .collect(),
        Who::NthOnFile(number, file) => on(file)
            .iter()
            .skip(usize::from(number).wrapping_sub(1))
            .take(1)
            .copied()
            .collect(),
    }
}

/// The men at this place of a file.
fn at_place(men: &[Square], place: Place) -> &[Square] {
    match (place, men) {
        (Place::Front, [_, _, ..]) => &men[..1],
        (Place::Rear, [_, rest @ ..]) if !rest.is_empty() => &rest[rest.len() - 1..],
        (Place::Middle, [_, middle @ .., _]) => middle,
        _ => &[],
    }
}

/// Where a man from `from` gets; `None` if its kind does not move so or the board ends.
fn target(piece: Piece, from: Square, way: Way, number: u8) -> Option<Square> {
    let side = piece.color();
    let forward = match (side, way) {
        (_, Way::Level) => {
            let walks = matches!(
                piece.kind(),
                PieceKind::King | PieceKind::Rook | PieceKind::Cannon | PieceKind::Pawn
            );
            let file = file_of(side, number)?;
            return walks.then(|| Square::new(file, from.rank()));
        }
        (Color::Red, Way::Forward) | (Color::Black, Way::Back) => 1,
        (Color::Red, Way::Back) | (Color::Black, Way::Forward) => -1,
    };
    let steps = |from_file: File, to: File| (to as i32 - from_file as i32).abs();
    let (file, ranks) = match piece.kind() {
        PieceKind::Advisor | PieceKind::Bishop | PieceKind::Knight => {
            let file = file_of(side, number)?;
            let ranks = match (piece.kind(), steps(from.file(), file)) {
                (PieceKind::Advisor, 1) => 1,
                (PieceKind::Bishop, 2) => 2,
                (PieceKind::Knight, across @ 1..=2) => 3 - across,
                _ => return None,
            };
            (file, ranks)
        }
        _ => (from.file(), i32::from(number)),
    };
    let rank = usize::try_from(from.rank() as i32 + forward * ranks).ok()?;
    Some(Square::new(file, Rank::from_index(rank)?))
}

/// What a character of a move means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token {
    Piece(PieceKind),
    /// A number, at most 10.
    Number(u8),
    /// A direction, or in WXF a place: `+` the front, `-` the rear, `.` and `=` the middle.
    Way(Way),
    Place(Place),
    /// The letter of one of many pawns, from 1 for `a`.
    Letter(u8),
}

/// Reads WXF or Chinese notation.
pub fn read(position: &Position, text: &str) -> Result<Move, NotationError> {
    let mut tokens: SmallVec<[Token; 8]> = SmallVec::new();
    for (index, character) in text.chars().enumerate() {
        let token = token(narrow(character), tokens.last())
            .ok_or(NotationError::Character(character, index + 1))?;
        if tokens.len() == 6 {
            return Err(NotationError::Order);
        }
        tokens.push(token);
    }
    match tokens.as_slice() {
        [] => Err(NotationError::Empty),
        [who @ .., Token::Way(way), Token::Number(number)] => {
            let (kind, who) = read_who(who).ok_or(NotationError::Order)?;
            resolve(position, kind, who, *way, *number)
        }
        _ => Err(NotationError::Order),
    }
}

/// The ASCII character for a full-width one, and for the dashes that texts have.
pub fn narrow(character: char) -> char {
    match character {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(character as u32 - 0xfee0).unwrap_or(character),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        _ => character,
    }
}

/// What the character means after the token before it.
fn token(character: char, before: Option<&Token>) -> Option<Token> {
    // After a piece `a` is the first of many pawns, elsewhere it is an advisor.
    if let (Some(Token::Piece(_)), 'a'..='p' | 'A'..='P') = (before, character) {
        return Some(Token::Letter(
            character.to_ascii_lowercase() as u8 - b'a' + 1,
        ));
    }
    Some(match character {
        '1'..='9' => Token::Number(character as u8 - b'0'),
        '+' | '进' | '進' => Token::Way(Way::Forward),
        '-' | '退' => Token::Way(Way::Back),
        '.' | '=' | '平' => Token::Way(Way::Level),
        '前' => Token::Place(Place::Front),
        '中' => Token::Place(Place::Middle),
        '后' | '後' => Token::Place(Place::Rear),
        _ => match chinese::numeral(character) {
            Some(number) => Token::Number(number),
            None => Token::Piece(piece(character)?),
        },
    })
}

/// The kind that a letter or Chinese character names.
pub fn piece(character: char) -> Option<PieceKind> {
    wxf::piece(character).or_else(|| chinese::piece(character))
}

/// Which man the first part of a move names.
fn read_who(tokens: &[Token]) -> Option<(PieceKind, Who)> {
    use Token::{Letter, Number, Piece, Way};
    let at = |way| match way {
        self::Way::Forward => Place::Front,
        self::Way::Level => Place::Middle,
        self::Way::Back => Place::Rear,
    };
    Some(match *tokens {
        [Piece(kind), Number(file)] => (kind, Who::OnFile(file)),
        [Token::Place(place), Piece(kind)] | [Piece(kind), Token::Place(place)] => {
            (kind, Who::At(place))
        }
        [Way(way), Piece(kind)] | [Piece(kind), Way(way)] => (kind, Who::At(at(way))),
        [Token::Place(place), Number(file)] => (PieceKind::Pawn, Who::AtOnFile(place, file)),
        [Token::Place(place), Piece(kind), Number(file)] => (kind, Who::AtOnFile(place, file)),
        [Number(number), Piece(kind)] | [Piece(kind), Letter(number)] => (kind, Who::Nth(number)),
        [Number(10), Number(more), Piece(kind)] => (kind, Who::Nth(10 + more)),
        [Number(number), Number(file)] => (PieceKind::Pawn, Who::NthOnFile(number, file)),
        _ => return None,
    })
}

/// The only legal move that fits.
fn resolve(
    position: &Position,
    kind: PieceKind,
    who: Who,
    way: Way,
    number: u8,
) -> Result<Move, NotationError> {
    let piece = Piece::new(position.side(), kind);
    let men = candidates(position, piece, who);
    if men.is_empty() {
        return Err(NotationError::NoMan(kind, who));
    }
    let moves: SmallVec<[Move; 4]> = men
        .iter()
        .filter_map(|&from| Move::new(from, target(piece, from, way, number)?))
        .collect();
    let mut legal_ones = moves.iter().filter(|&&mv| position.is_legal(mv));
    match (legal_ones.next(), legal_ones.next()) {
        (Some(&mv), None) => Ok(mv),
        (Some(&first), Some(&second)) => Err(NotationError::Ambiguous(first, second)),
        (None, _) => match moves.first() {
            Some(&mv) => legal(position, mv),
            None => Err(NotationError::NotItsMove(kind)),
        },
    }
}
