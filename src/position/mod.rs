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
mod slots;
mod zobrist;

pub use explain::IllegalMove;
pub use fen::{FenError, START_FEN};
pub use legality::Legality;
pub use movegen::GenKinds;
pub use see::exchange_value;
pub use setup::{Setup, SetupFault, SetupFaults, SetupWarning};
pub use zobrist::{Keys, man_key};

use once_cell::sync::Lazy;
use slots::Slots;

use crate::attacks::{self, Cross, Lines};
use crate::types::{Bitboard, Color, Move, Piece, PieceKind, Square};

/// What a move changes besides the men on the board; one is kept for every ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// The hash keys.
    pub keys: Keys,
    /// The enemy men that check the general of the side to move.
    pub checkers: Bitboard,
    /// Points on that general's rank (bit = file) and file (bit = rank) that its men must
    /// keep empty: one of them there would be the screen of a cannon.
    closed: (u16, u16),
    /// Whether men of that general may be bound to a line or a horse's leg.
    held: bool,
    /// The move that led here, if it was made on this position; `None` after a null move.
    pub last_move: Option<Move>,
    /// The man that made it.
    pub moved: Option<Piece>,
    /// What it captured.
    pub captured: Option<Piece>,
    /// The slot of the captured man, see [`Slots`].
    captured_slot: u8,
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
    slots: Slots,
    kings: [Square; 2],
    side: Color,
    ply: u32,
    state: State,
    history: Vec<State>,
}

impl Position {
    /// The position at the start of a game.
    pub fn startpos() -> Self {
        static PARSED: Lazy<Position> = Lazy::new(|| {
            START_FEN
                .parse()
                .expect("the start position is a valid FEN")
        });
        PARSED.clone()
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
            slots: Slots::default(),
            kings: [Square::E0, Square::E9],
            side,
            ply: 0,
            state: State {
                keys,
                checkers: Bitboard::EMPTY,
                closed: (0, 0),
                held: false,
                last_move: None,
                moved: None,
                captured: None,
                captured_slot: 0,
                halfmoves: 0,
                reversible: 0,
                checks: [0; 2],
                beyond_ten: 0,
            },
            history: Vec::with_capacity(256),
        }
    }

    /// Puts a man, who has this slot, on an empty square. With [`Self::take`] and
    /// [`Self::shift`] the only writer of the board; they keep every view and, if `KEYS`,
    /// every key in step.
    #[inline]
    fn put<const KEYS: bool>(&mut self, piece: Piece, square: Square, slot: u8) {
        debug_assert!(self.board[square as usize].is_none());
        self.board[square as usize] = Some(piece);
        self.slots.put(piece.color(), square, slot);
        if piece.kind() == PieceKind::King {
            self.kings[piece.color() as usize] = square;
        }
        self.toggle::<KEYS>(piece, square);
    }

    /// Takes the man that stands on the square and gives back its slot.
    #[inline]
    fn take<const KEYS: bool>(&mut self, piece: Piece, square: Square) -> u8 {
        debug_assert_eq!(self.board[square as usize], Some(piece));
        self.board[square as usize] = None;
        self.toggle::<KEYS>(piece, square);
        self.slots.take(piece.color(), square)
    }

    #[inline]
    fn toggle<const KEYS: bool>(&mut self, piece: Piece, square: Square) {
        self.by_color[piece.color() as usize].toggle(square);
        self.by_kind[piece.kind() as usize].toggle(square);
        self.lines.toggle(piece, square);
        if KEYS {
            self.state.keys.toggle_piece(piece, square);
        }
    }

    /// [`Self::take`] from one square and [`Self::put`] on another in one go, for a man
    /// of `color`.
    #[inline(always)]
    fn shift<const KEYS: bool>(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        debug_assert_eq!(self.board[from as usize], Some(piece));
        debug_assert!(self.board[to as usize].is_none());
        self.board[from as usize] = None;
        self.board[to as usize] = Some(piece);
        self.slots.shift(color, from, to);
        let kind = piece.kind();
        if kind == PieceKind::King {
            self.kings[color as usize] = to;
        }
        let both = Bitboard::square(from) | Bitboard::square(to);
        self.by_color[color as usize] ^= both;
        self.by_kind[kind as usize] ^= both;
        self.lines.toggle(piece, from);
        self.lines.toggle(piece, to);
        if KEYS {
            self.state.keys.toggle_piece(piece, from);
            self.state.keys.toggle_piece(piece, to);
        }
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

    /// The hash key that the position will have after a pseudo-legal move.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        match self.piece_on(mv.from()) {
            Some(piece) => self
                .state
                .keys
                .full_after(piece, mv, self.piece_on(mv.to())),
            None => self.key(),
        }
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

    /// The enemy men that check the general of `color`.
    pub(crate) fn checkers_of(&self, color: Color) -> Bitboard {
        let king = self.king(color);
        let knights = self.pieces(!color, PieceKind::Knight) & attacks::knight_around(king);
        self.cross(king).attackers(!color) | self.leaping_checkers(color, knights)
    }

    /// The enemy pawns that check the general of `color`, and the horses among `knights`,
    /// which are a jump away from it.
    #[inline(always)]
    fn leaping_checkers(&self, color: Color, knights: Bitboard) -> Bitboard {
        let king = self.king(color);
        let pawns = attacks::pawn_to(!color, king) & self.pieces(!color, PieceKind::Pawn);
        if knights.is_empty() {
            return pawns;
        }
        pawns | attacks::knight_to(king, self.occupied()) & knights
    }

    /// Works out what bears on the general of the side to move, for [`State`].
    #[inline(always)]
    fn look_at_king(&mut self) {
        let (us, enemy) = (self.side, !self.side);
        let king = self.king(us);
        let cross = self.cross(king);
        let (rank, file) = (cross.rank_ray(), cross.file_ray());
        let (on_rank, on_file) = (cross.rank.hitters(enemy), cross.file.hitters(enemy));
        let knights = self.pieces(enemy, PieceKind::Knight) & attacks::knight_around(king);
        let mut checkers = self.leaping_checkers(us, knights);
        if rank.attackers(on_rank) | file.attackers(on_file) != 0 {
            checkers |= cross.attackers(enemy);
        }
        self.state.checkers = checkers;
        self.state.closed = cross.closed(enemy);
        self.state.held = rank.pinners(on_rank) | file.pinners(on_file) != 0 || !knights.is_empty();
    }

    /// Compares every incremental view with a recomputation from the mailbox.
    ///
    /// # Errors
    /// Names the first view that differs; a position that a test has reached by
    /// [`Self::make`] and [`Self::undo`] never gives one.
    pub fn check_consistency(&self) -> Result<(), &'static str> {
        let mut fresh = Self::empty(self.side);
        fresh.slots = self.slots.without_men();
        for square in Square::ALL {
            if let Some(piece) = self.board[square as usize] {
                fresh.put::<true>(piece, square, self.slots.of(square));
            }
        }
        fresh.look_at_king();
        let checks = [
            (fresh.by_color == self.by_color, "bitboards by colour"),
            (fresh.by_kind == self.by_kind, "bitboards by kind"),
            (fresh.lines == self.lines, "line words"),
            (fresh.slots.same_men(&self.slots), "slots"),
            (fresh.kings == self.kings, "squares of the generals"),
            (fresh.state.keys == self.state.keys, "keys"),
            (
                fresh.state.checkers == self.state.checkers
                    && fresh.checkers_of(self.side) == self.state.checkers,
                "checkers",
            ),
            (
                fresh.state.closed == self.state.closed && fresh.state.held == self.state.held,
                "closed points and held men",
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
