//! The board with its keys and history, the moves on it, and what is legal.
//!
//! [`Setup`] is whatever a FEN can say; [`Position`] is a playable one. A position
//! keeps four views of the board in step (sets by colour, sets by kind, packed lines,
//! mailbox) through two writers, `put` and `take`.

mod explain;
mod fen;
mod legality;
mod makemove;
mod movegen;
mod see;
mod setup;
mod zobrist;

pub use explain::IllegalMove;
pub use fen::{FenError, START_FEN};
pub use legality::Legality;
pub use movegen::GenKinds;
pub use see::exchange_value;
pub use setup::{Setup, SetupFault, SetupFaults, SetupWarning};
pub use zobrist::Keys;

use crate::attacks::{self, Cross, Lines};
use crate::types::{Bitboard, Color, Move, Piece, PieceKind, Square};

/// What a move changes besides the men on the board; one is kept for every ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// The hash keys.
    pub keys: Keys,
    /// The enemy men that check the general of the side to move.
    pub checkers: Bitboard,
    /// The move that led here, if it was made on this position; `None` after a null move.
    pub last_move: Option<Move>,
    /// The man that made it.
    pub moved: Option<Piece>,
    /// What it captured.
    pub captured: Option<Piece>,
    /// Plies since the last capture, those that the FEN told included.
    pub halfmoves: u16,
    /// How many plies of history can repeat: plies made since the last capture, null
    /// move or set-up, whichever is the latest.
    pub reversible: u16,
    /// How often each side has checked since the last capture, as far as the history goes.
    pub checks: [u16; 2],
    /// How many of `halfmoves` are a side's checks beyond its tenth or the answers to them.
    pub beyond_ten: u16,
}

/// A playable position with the history that led to it.
///
/// Each side has one general, in its palace; the side that is not to move is not in check.
#[derive(Clone)]
pub struct Position {
    by_color: [Bitboard; 2],
    by_kind: [Bitboard; PieceKind::COUNT],
    lines: Lines,
    board: [Option<Piece>; 90],
    kings: [Square; 2],
    side: Color,
    ply: u32,
    state: State,
    history: Vec<State>,
}

impl Position {
    /// The position at the start of a game.
    pub fn startpos() -> Self {
        START_FEN
            .parse()
            .expect("the start position is a valid FEN")
    }

    /// A board with nothing on it, for [`Setup`] to fill. The generals' squares
    /// are put right by the first `put` of each.
    fn empty(side: Color) -> Self {
        let mut keys = Keys::default();
        if side == Color::Black {
            keys.toggle_side();
        }
        Self {
            by_color: [Bitboard::EMPTY; 2],
            by_kind: [Bitboard::EMPTY; PieceKind::COUNT],
            lines: Lines::default(),
            board: [None; 90],
            kings: [Square::E0, Square::E9],
            side,
            ply: 0,
            state: State {
                keys,
                checkers: Bitboard::EMPTY,
                last_move: None,
                moved: None,
                captured: None,
                halfmoves: 0,
                reversible: 0,
                checks: [0; 2],
                beyond_ten: 0,
            },
            history: Vec::with_capacity(256),
        }
    }

    /// Puts a man on an empty square. With [`Self::take`] the only writer of the
    /// board; both keep every view and every key in step.
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.board[square as usize].is_none());
        self.board[square as usize] = Some(piece);
        if piece.kind() == PieceKind::King {
            self.kings[piece.color() as usize] = square;
        }
        self.toggle(piece, square);
    }

    /// Takes the man that stands on the square.
    #[inline]
    fn take(&mut self, piece: Piece, square: Square) {
        debug_assert_eq!(self.board[square as usize], Some(piece));
        self.board[square as usize] = None;
        self.toggle(piece, square);
    }

    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        self.by_color[piece.color() as usize].toggle(square);
        self.by_kind[piece.kind() as usize].toggle(square);
        self.lines.toggle(piece, square);
        self.state.keys.toggle_piece(piece, square);
    }

    /// The side to move.
    #[inline]
    pub fn side(&self) -> Color {
        self.side
    }

    /// Plies since the start of the game, as the FEN's move number and the moves made tell.
    #[inline]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The man on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square as usize]
    }

    /// All men of a side.
    #[inline]
    pub fn men(&self, color: Color) -> Bitboard {
        self.by_color[color as usize]
    }

    /// The men of one kind, both sides.
    #[inline]
    pub fn kind(&self, kind: PieceKind) -> Bitboard {
        self.by_kind[kind as usize]
    }

    /// The men of one kind and side.
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.by_color[color as usize] & self.by_kind[kind as usize]
    }

    /// All men.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// Where a side's general stands.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.kings[color as usize]
    }

    /// The packed words of all lines.
    #[inline]
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// What the last move left besides the men: keys, checkers, counters.
    #[inline]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The state `plies` ago: 0 is [`Self::state`], more is the history.
    #[inline]
    pub fn past_state(&self, plies: usize) -> Option<&State> {
        match plies {
            0 => Some(&self.state),
            _ => self.history.get(self.history.len().checked_sub(plies)?),
        }
    }

    /// A copy that remembers no more than the last `plies` moves of the history.
    pub fn clone_recent(&self, plies: usize) -> Self {
        let forgotten = self.history.len().saturating_sub(plies);
        Self {
            history: self.history[forgotten..].to_vec(),
            ..*self
        }
    }

    /// How many plies can be taken back.
    #[inline]
    pub fn history_len(&self) -> usize {
        self.history.len()
    }

    /// The hash key of the position.
    #[inline]
    pub fn key(&self) -> u64 {
        self.state.keys.full
    }

    /// The enemy men that check the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.state.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        !self.state.checkers.is_empty()
    }

    /// Whether the side has a rook, horse, cannon or pawn.
    pub fn has_attackers(&self, color: Color) -> bool {
        let attackers = self.kind(PieceKind::Rook)
            | self.kind(PieceKind::Knight)
            | self.kind(PieceKind::Cannon)
            | self.kind(PieceKind::Pawn);
        !(attackers & self.men(color)).is_empty()
    }

    /// The squares that the man on `square` reaches if legality is not asked: empty ones
    /// and men of either side (a rook or horse also "reaches" the own man it protects, a
    /// cannon the own man behind a screen).
    pub fn reach(&self, piece: Piece, square: Square) -> Bitboard {
        let cross = self.lines.through(square);
        match piece.kind() {
            PieceKind::King => attacks::king(square),
            PieceKind::Advisor => attacks::advisor(square),
            PieceKind::Bishop => attacks::bishop(square, self.occupied()),
            PieceKind::Knight => attacks::knight(square, self.occupied()),
            PieceKind::Pawn => attacks::pawn(piece.color(), square),
            PieceKind::Rook => cross.squares(cross.rank_ray().reach(), cross.file_ray().reach()),
            PieceKind::Cannon => {
                let (rank, file) = (cross.rank_ray(), cross.file_ray());
                (cross.squares(rank.reach(), file.reach()) - self.occupied())
                    | cross.squares(rank.second(), file.second())
            }
        }
    }

    /// The men of `color` that attack the square, the general (along its palace and, as
    /// flying general, along an open file) included. A cannon attacks over one screen.
    pub fn attackers_to(&self, square: Square, color: Color) -> Bitboard {
        let occupied = self.occupied();
        let mut set = self.lines.through(square).attackers(color)
            | attacks::knight_to(square, occupied) & self.pieces(color, PieceKind::Knight)
            | attacks::pawn_to(color, square) & self.pieces(color, PieceKind::Pawn);
        // The step tables are masked by where the step ends, which is the man's point here.
        if Bitboard::palace(color).contains(square) {
            set |= attacks::king(square) & self.pieces(color, PieceKind::King);
            set |= attacks::advisor(square) & self.pieces(color, PieceKind::Advisor);
        }
        let bishops = self.pieces(color, PieceKind::Bishop);
        if !bishops.is_empty() && attacks::BISHOP_POINTS.contains(square) {
            set |= attacks::bishop(square, occupied) & bishops;
        }
        set
    }

    /// The lines through a square, to be changed and asked without touching the board.
    #[inline]
    pub fn cross(&self, square: Square) -> Cross {
        self.lines.through(square)
    }

    /// Recomputes the enemy men that check the general of `color`.
    pub(crate) fn checkers_of(&self, color: Color) -> Bitboard {
        let (king, enemy) = (self.king(color), !color);
        let mut checkers = self.lines.through(king).attackers(enemy)
            | attacks::pawn_to(enemy, king) & self.pieces(enemy, PieceKind::Pawn);
        let knights = self.pieces(enemy, PieceKind::Knight) & attacks::knight_around(king);
        if !knights.is_empty() {
            checkers |= attacks::knight_to(king, self.occupied()) & knights;
        }
        checkers
    }

    /// Compares every incremental view with a recomputation from the mailbox.
    ///
    /// # Errors
    /// Names the first view that differs; a position that a test has reached by
    /// [`Self::make`] and [`Self::undo`] never gives one.
    pub fn check_consistency(&self) -> Result<(), &'static str> {
        let mut fresh = Self::empty(self.side);
        for square in Square::ALL {
            if let Some(piece) = self.board[square as usize] {
                fresh.put(piece, square);
            }
        }
        let checks = [
            (fresh.by_color == self.by_color, "bitboards by colour"),
            (fresh.by_kind == self.by_kind, "bitboards by kind"),
            (fresh.lines == self.lines, "line words"),
            (fresh.kings == self.kings, "squares of the generals"),
            (fresh.state.keys == self.state.keys, "keys"),
            (
                fresh.checkers_of(self.side) == self.state.checkers,
                "checkers",
            ),
            (
                fresh.checkers_of(!self.side).is_empty(),
                "a general left in check",
            ),
        ];
        match checks.into_iter().find(|(same, _)| !same) {
            Some((_, view)) => Err(view),
            None => Ok(()),
        }
    }
}
