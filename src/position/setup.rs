//! What a FEN can say, and whether it is a playable position.

use std::fmt;

use super::Position;
use super::slots::Slots;
use crate::attacks;
use crate::types::{Bitboard, Color, Piece, PieceKind, Square};

/// How many men a side has at most.
const MAX_MEN: usize = 16;
/// The most plies without a capture that a position starts with. More than any rule
/// lets a game have; larger numbers are taken for this one.
const MAX_HALFMOVES: u32 = 1_000;
/// The highest move number that a position starts with.
const MAX_FULLMOVES: u32 = 10_000;

/// A board, a side to move and counters: whatever a FEN can say, playable or not.
///
/// Read from a FEN with `parse`, written as one with `Display`; made a [`Position`]
/// with `Position::try_from`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The man on each square.
    pub board: [Option<Piece>; 90],
    /// The side to move.
    pub side: Color,
    /// Plies since the last capture.
    pub halfmoves: u32,
    /// The number of the full move, from 1.
    pub fullmoves: u32,
}

/// One reason why a setup is not playable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetupFault {
    /// A side has no general.
    NoKing(Color),
    /// A side has more than one general; where they stand.
    ManyKings(Color, Bitboard),
    /// A general stands outside its palace.
    KingOutsidePalace(Color, Square),
    /// An advisor or elephant stands on a point that no move of its kind leads to.
    Misplaced(Piece, Square),
    /// A side has more than sixteen men; how many.
    TooManyMen(Color, usize),
    /// Nothing stands between the generals: Red's, Black's.
    KingsFacing(Square, Square),
    /// The side that is not to move is in check.
    MoverInCheck {
        /// The side whose general could be taken.
        side: Color,
        /// Where that general stands.
        king: Square,
        /// The man that checks it.
        checker: Piece,
        /// Where the checker stands.
        from: Square,
    },
}

impl fmt::Display for SetupFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoKing(color) => write!(f, "{color} has no general"),
            Self::ManyKings(color, squares) => {
                write!(f, "{color} has {} generals:", squares.count())?;
                squares
                    .into_iter()
                    .try_for_each(|square| write!(f, " {square}"))
            }
            Self::KingOutsidePalace(color, square) => {
                let king = Piece::new(*color, PieceKind::King);
                write!(f, "the {king} on {square} is outside its palace")
            }
            Self::Misplaced(piece, square) => {
                write!(f, "a {piece} can never stand on {square}")
            }
            Self::TooManyMen(color, count) => {
                write!(f, "{color} has {count} men, more than {MAX_MEN}")
            }
            Self::KingsFacing(red, black) => {
                write!(f, "the generals on {red} and {black} face each other")
            }
            Self::MoverInCheck {
                side,
                king,
                checker,
                from,
            } => write!(
                f,
                "{} is to move, but the general of {side} on {king} is in check \
                 from the {checker} on {from}",
                !*side
            ),
        }
    }
}

/// All reasons why a setup is not playable; at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupFaults(Vec<SetupFault>);

impl SetupFaults {
    /// The reasons one by one.
    pub fn iter(&self) -> impl Iterator<Item = &SetupFault> {
        self.0.iter()
    }
}

/// The reasons, separated by semicolons.
impl fmt::Display for SetupFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { "; " };
            write!(f, "{comma}{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SetupFaults {}

/// What is odd about a setup without making it unplayable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetupWarning {
    /// A pawn stands where no pawn of its side gets by moving.
    StrayPawn(Piece, Square),
    /// There are more pieces of a kind than a set has; how many.
    MoreThanASet(Piece, usize),
    /// The number of plies since the last capture was taken for a smaller one.
    HalfmovesClamped(u32),
    /// The move number was taken for a smaller one.
    FullmovesClamped(u32),
}

impl fmt::Display for SetupWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StrayPawn(piece, square) => {
                write!(f, "a {piece} cannot have come to {square}")
            }
            Self::MoreThanASet(piece, count) => write!(
                f,
                "{} has {count} {}s, a set has {}",
                piece.color(),
                piece.kind(),
                piece.kind().in_a_set()
            ),
            Self::HalfmovesClamped(count) => {
                write!(
                    f,
                    "{count} plies without a capture are taken for {MAX_HALFMOVES}"
                )
            }
            Self::FullmovesClamped(number) => {
                write!(f, "move number {number} is taken for {MAX_FULLMOVES}")
            }
        }
    }
}

impl Setup {
    /// The squares of all pieces that are this one.
    fn squares_of(&self, piece: Piece) -> Bitboard {
        self.men()
            .filter(|(_, man)| *man == piece)
            .map(|(square, _)| square)
            .collect()
    }

    /// All men with their squares, from `a0` on.
    fn men(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::ALL
            .into_iter()
            .filter_map(|square| Some((square, self.board[square.index()]?)))
    }

    /// Every reason why this is not a playable position.
    pub fn faults(&self) -> Vec<SetupFault> {
        let mut faults = Vec::new();
        let kings =
            Color::ALL.map(|color| (color, self.squares_of(Piece::new(color, PieceKind::King))));
        for (color, squares) in kings {
            match squares.count() {
                0 => faults.push(SetupFault::NoKing(color)),
                1 => {}
                _ => faults.push(SetupFault::ManyKings(color, squares)),
            }
            let outside = squares - Bitboard::palace(color);
            faults.extend(
                outside
                    .into_iter()
                    .map(|square| SetupFault::KingOutsidePalace(color, square)),
            );
        }
        for (square, piece) in self.men() {
            let points = match piece.kind() {
                PieceKind::Advisor => attacks::ADVISOR_POINTS,
                PieceKind::Bishop => attacks::BISHOP_POINTS,
                _ => continue,
            };
            if !(points & Bitboard::home_half(piece.color())).contains(square) {
                faults.push(SetupFault::Misplaced(piece, square));
            }
        }
        for color in Color::ALL {
            let count = self.men().filter(|(_, man)| man.color() == color).count();
            if count > MAX_MEN {
                faults.push(SetupFault::TooManyMen(color, count));
            }
        }
        if kings.iter().all(|(_, squares)| squares.count() == 1) {
            self.add_king_attacks(&mut faults);
        }
        faults
    }

    /// Finds what attacks the general of the side that has just moved, where each side has one.
    fn add_king_attacks(&self, faults: &mut Vec<SetupFault>) {
        let position = Position::place(self);
        let side = !self.side;
        let king = position.king(side);
        for from in position.checkers_of(side) {
            match position.piece_on(from) {
                Some(checker) if checker.kind() != PieceKind::King => {
                    faults.push(SetupFault::MoverInCheck {
                        side,
                        king,
                        checker,
                        from,
                    });
                }
                _ => faults.push(SetupFault::KingsFacing(
                    position.king(Color::Red),
                    position.king(Color::Black),
                )),
            }
        }
    }

    /// What is odd about the setup though it may be played.
    pub fn warnings(&self) -> Vec<SetupWarning> {
        let mut warnings = Vec::new();
        for (square, piece) in self.men() {
            if piece.kind() == PieceKind::Pawn
                && !attacks::pawn_reach(piece.color()).contains(square)
            {
                warnings.push(SetupWarning::StrayPawn(piece, square));
            }
        }
        for piece in Piece::ALL {
            let count = self.men().filter(|(_, man)| *man == piece).count();
            if count > piece.kind().in_a_set() {
                warnings.push(SetupWarning::MoreThanASet(piece, count));
            }
        }
        if self.halfmoves > MAX_HALFMOVES {
            warnings.push(SetupWarning::HalfmovesClamped(self.halfmoves));
        }
        if self.fullmoves > MAX_FULLMOVES {
            warnings.push(SetupWarning::FullmovesClamped(self.fullmoves));
        }
        warnings
    }

    /// The same with left and right exchanged.
    pub fn mirrored(&self) -> Self {
        let mut mirrored = self.clone();
        for square in Square::ALL {
            mirrored.board[square.mirror().index()] = self.board[square.index()];
        }
        mirrored
    }

    /// The same with the colours exchanged, each man on the point that the other side
    /// calls by the same name.
    pub fn flipped(&self) -> Self {
        let mut flipped = self.clone();
        flipped.side = !self.side;
        for square in Square::ALL {
            flipped.board[square.flip().index()] =
                self.board[square.index()].map(|man| Piece::new(!man.color(), man.kind()));
        }
        flipped
    }
}

impl Position {
    /// Sets the men up without asking whether the position is playable.
    fn place(setup: &Setup) -> Self {
        let mut position = Self::empty(setup.side);
        position.slots = Slots::with_room(setup.men().map(|(_, piece)| piece));
        for (square, piece) in setup.men() {
            let slot = position.slots.free_for(piece);
            position.put::<true>(piece, square, slot);
        }
        position.state.halfmoves = setup.halfmoves.min(MAX_HALFMOVES) as u16;
        let moves_before = setup.fullmoves.clamp(1, MAX_FULLMOVES) - 1;
        position.ply = 2 * moves_before + setup.side as u32;
        position.look_at_king();
        position
    }

    /// The men, side to move and counters, without the history.
    pub fn setup(&self) -> Setup {
        Setup {
            board: self.board,
            side: self.side,
            halfmoves: u32::from(self.state.halfmoves),
            fullmoves: self.ply / 2 + 1,
        }
    }

    /// The position with left and right exchanged, without the history.
    pub fn mirrored(&self) -> Self {
        Self::place(&self.setup().mirrored())
    }

    /// The position with the colours exchanged, without the history.
    pub fn flipped(&self) -> Self {
        Self::place(&self.setup().flipped())
    }
}

impl TryFrom<&Setup> for Position {
    type Error = SetupFaults;

    /// Sets up a position without history; [`Setup::warnings`] tells what was odd.
    fn try_from(setup: &Setup) -> Result<Self, SetupFaults> {
        let faults = setup.faults();
        if faults.is_empty() {
            Ok(Self::place(setup))
        } else {
            Err(SetupFaults(faults))
        }
    }
}
