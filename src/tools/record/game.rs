//! One game in bytes.
//!
//! A ply takes three bytes: the move in 14 bits, and in ten how far the score is from the
//! negated score before it. What does not fit the ten bits stands after all plies, so
//! that plies have one size and a game's length is known from its head.

use super::Outcome;
use crate::position::{Position, Setup};
use crate::types::{Color, Move, Piece, Square};

/// Bytes of occupancy.
const OCCUPANCY: usize = 12;
/// The bit of the occupancy that says that Black is to move.
const BLACK_TO_MOVE: u128 = 1 << Square::COUNT;
/// Bytes after the start position: outcome, plies, escapes.
const COUNTS: usize = 5;
const PLY: usize = 3;
const ESCAPE: usize = 2;
const MOVE_BITS: u32 = 14;
/// The code for a score that stands in full after the plies; smaller codes are a
/// difference plus [`BIAS`].
const ESCAPED: u32 = 1023;
const BIAS: i32 = 511;

/// The men and the side to move: as much of a position as a trainer needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    /// The man on each square.
    pub men: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub side: Color,
}

impl Board {
    /// Moves whatever stands on the first square to the second, without asking the rules.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        self.men[mv.to() as usize] = self.men[mv.from() as usize].take();
        self.side = !self.side;
    }

    /// The board as a set-up without counters, to make a [`Position`] of.
    pub fn setup(&self) -> Setup {
        Setup {
            board: self.men,
            side: self.side,
            halfmoves: 0,
            fullmoves: 1,
        }
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        let men = || Square::ALL.into_iter().zip(self.men);
        let mut occupancy = match self.side {
            Color::Red => 0,
            Color::Black => BLACK_TO_MOVE,
        };
        for (square, _) in men().filter(|(_, man)| man.is_some()) {
            occupancy |= 1 << square.index();
        }
        bytes.extend_from_slice(&occupancy.to_le_bytes()[..OCCUPANCY]);
        let codes: Vec<u8> = men()
            .filter_map(|(_, man)| Some(man?.index() as u8))
            .collect();
        bytes.extend(
            codes
                .chunks(2)
                .map(|pair| pair[0] | pair.get(1).unwrap_or(&0) << 4),
        );
    }

    /// Reads a board and says how many bytes it took; `None` if they are no board.
    fn read(bytes: &[u8]) -> Option<(Self, usize)> {
        let mut word = [0; 16];
        word[..OCCUPANCY].copy_from_slice(bytes.get(..OCCUPANCY)?);
        let word = u128::from_le_bytes(word);
        let side = match word & BLACK_TO_MOVE {
            0 => Color::Red,
            _ => Color::Black,
        };
        let mut occupancy = word & !BLACK_TO_MOVE;
        let count = occupancy.count_ones() as usize;
        let codes = bytes.get(OCCUPANCY..OCCUPANCY + count.div_ceil(2))?;
        let mut men = [None; Square::COUNT];
        for index in 0..count {
            let code = codes[index / 2] >> (index % 2 * 4) & 15;
            let square = occupancy.trailing_zeros() as usize;
            *men.get_mut(square)? = Some(*Piece::ALL.get(usize::from(code))?);
            occupancy &= occupancy - 1;
        }
        Some((Self { men, side }, OCCUPANCY + codes.len()))
    }
}

impl From<&Position> for Board {
    fn from(position: &Position) -> Self {
        Self {
            men: position.setup().board,
            side: position.side(),
        }
    }
}

/// A game outside a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Where it began; nothing before counts, neither for repetitions nor for the move limit.
    pub start: Board,
    /// How it ended after the last ply.
    pub outcome: Outcome,
    /// Every move with the score of the search before it, from the mover's view.
    pub plies: Vec<(Move, i16)>,
}

/// The most plies that a game may have.
pub const MAX_PLIES: usize = u16::MAX as usize;

impl Record {
    /// Appends the game to a block's bytes and says how many plies that were.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) -> usize {
        let plies = &self.plies[..self.plies.len().min(MAX_PLIES)];
        self.start.write(bytes);
        bytes.push(self.outcome.code());
        bytes.extend_from_slice(&(plies.len() as u16).to_le_bytes());
        let count = bytes.len();
        bytes.extend_from_slice(&[0; 2]);
        let mut escapes: Vec<i16> = Vec::new();
        let mut previous = 0;
        for &(mv, score) in plies {
            let code = match i32::from(score) + previous + BIAS {
                code @ 0..=1022 => code as u32,
                _ => {
                    escapes.push(score);
                    ESCAPED
                }
            };
            let ply = u32::from(mv.bits()) | code << MOVE_BITS;
            bytes.extend_from_slice(&ply.to_le_bytes()[..PLY]);
            previous = i32::from(score);
        }
        bytes[count..count + 2].copy_from_slice(&(escapes.len() as u16).to_le_bytes());
        bytes.extend(escapes.into_iter().flat_map(i16::to_le_bytes));
        plies.len()
    }
}

/// A game in the bytes of a block.
#[derive(Clone, Copy, Debug)]
pub struct Game<'a> {
    start: Board,
    outcome: Outcome,
    plies: &'a [u8],
    escapes: &'a [u8],
}

impl<'a> Game<'a> {
    /// The game at the front of these bytes, and the bytes after it; `None` if there is none.
    #[inline]
    pub(super) fn split(bytes: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let (start, length) = Board::read(bytes)?;
        let (counts, rest) = bytes.get(length..)?.split_at_checked(COUNTS)?;
        let count = |at: usize| usize::from(u16::from_le_bytes([counts[at], counts[at + 1]]));
        let outcome = Outcome::from_code(counts[0])?;
        let (plies, rest) = rest.split_at_checked(PLY * count(1))?;
        let (escapes, rest) = rest.split_at_checked(ESCAPE * count(3))?;
        let game = Self {
            start,
            outcome,
            plies,
            escapes,
        };
        Some((game, rest))
    }

    /// Whether every ply has a move between squares and a score.
    pub(super) fn is_sound(&self) -> bool {
        let mut escaped = 0;
        let moves = self.plies.chunks_exact(PLY).all(|ply| {
            let (mv, code) = unpack(ply);
            escaped += usize::from(code == ESCAPED);
            mv.is_some()
        });
        moves && escaped * ESCAPE == self.escapes.len()
    }

    /// Where the game began.
    #[inline]
    pub const fn start(&self) -> Board {
        self.start
    }

    /// How it ended.
    #[inline]
    pub const fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// How many plies were played.
    #[allow(
        clippy::len_without_is_empty,
        reason = "a game has a length, it contains nothing"
    )]
    #[inline]
    pub const fn len(&self) -> usize {
        self.plies.len() / PLY
    }

    /// Every move with the score of the search before it, from the mover's view.
    #[inline]
    pub fn plies(&self) -> impl Iterator<Item = (Move, i16)> + use<'a> {
        let mut escapes = self.escapes.chunks_exact(ESCAPE);
        let mut previous = 0;
        self.plies.chunks_exact(PLY).filter_map(move |ply| {
            let (mv, code) = unpack(ply);
            let score = if code == ESCAPED {
                escapes
                    .next()
                    .map_or(0, |score| i16::from_le_bytes([score[0], score[1]]))
            } else {
                (code as i32 - BIAS - previous) as i16
            };
            previous = i32::from(score);
            // A block is only handed out if every move is one.
            Some((mv?, score))
        })
    }

    /// The game on its own.
    pub fn to_record(&self) -> Record {
        Record {
            start: self.start,
            outcome: self.outcome,
            plies: self.plies().collect(),
        }
    }
}

/// The move and the code of the score of a ply.
#[inline]
fn unpack(ply: &[u8]) -> (Option<Move>, u32) {
    let word = u32::from_le_bytes([ply[0], ply[1], ply[2], 0]);
    let mv = Move::from_bits((word & ((1 << MOVE_BITS) - 1)) as u16);
    (mv, word >> MOVE_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::record::{GameResult, Reason};

    fn record(scores: &[i16]) -> Record {
        let mv = Move::parse("h2e2").expect("a move");
        Record {
            start: Board::from(&Position::startpos()),
            outcome: Outcome {
                result: GameResult::Draw,
                reason: Reason::TooLong,
            },
            plies: scores.iter().map(|&score| (mv, score)).collect(),
        }
    }

    #[test]
    fn scores_near_and_far_are_read_back() {
        let scores = [
            0,
            511,
            -1022,
            1022,
            -511,
            0,
            512,
            -512,
            32_000,
            -31_999,
            31_998,
            i16::MIN,
            i16::MAX,
            -1,
            0,
            30,
            -30,
        ];
        let record = record(&scores);
        let mut bytes = Vec::new();
        record.write(&mut bytes);
        let (game, rest) = Game::split(&bytes).expect("a game");
        assert!(rest.is_empty() && game.is_sound());
        assert_eq!(game.to_record(), record);
    }

    #[test]
    fn usual_scores_take_three_bytes_a_ply() {
        let mut bytes = Vec::new();
        record(&[20; 100]).write(&mut bytes);
        assert_eq!(bytes.len(), OCCUPANCY + 16 + COUNTS + 100 * PLY);
    }

    #[test]
    fn no_prefix_of_a_game_is_a_game() {
        let mut bytes = Vec::new();
        record(&[0, 3_000, -3_000, 20]).write(&mut bytes);
        for length in 0..bytes.len() {
            assert!(Game::split(&bytes[..length]).is_none(), "{length}");
        }
    }
}
