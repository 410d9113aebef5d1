//! The numbers of the hand-written evaluation, in centipawns.

use crate::types::{PieceKind, Square};

/// A middlegame and an endgame number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tapered {
    pub(super) middle: i32,
    pub(super) end: i32,
}

pub(super) const fn tapered(middle: i32, end: i32) -> Tapered {
    Tapered { middle, end }
}

impl std::ops::AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.middle += other.middle;
        self.end += other.end;
    }
}

impl std::ops::SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        self.middle -= other.middle;
        self.end -= other.end;
    }
}

impl std::ops::Mul<i32> for Tapered {
    type Output = Self;
    #[inline]
    fn mul(self, times: i32) -> Self {
        tapered(self.middle * times, self.end * times)
    }
}

/// What each man adds to the phase of the game; a full set of both sides is 48.
pub(super) const PHASE: [i32; PieceKind::COUNT] = [0, 0, 0, 3, 6, 3, 0];
pub(super) const FULL_PHASE: i32 = 48;

/// The worth of a man by kind; pawns and generals have theirs by square only.
const MATERIAL: [Tapered; PieceKind::COUNT] = [
    tapered(0, 0),
    tapered(190, 180),
    tapered(190, 200),
    tapered(440, 490),
    tapered(980, 1020),
    tapered(490, 460),
    tapered(0, 0),
];

/// A mobile man's points of reach, each: horse, rook, cannon.
pub(super) const KNIGHT_MOBILITY: Tapered = tapered(11, 9);
pub(super) const ROOK_MOBILITY: Tapered = tapered(5, 5);
pub(super) const CANNON_MOBILITY: Tapered = tapered(3, 2);
/// What a man of average mobility reaches, so that mobility changes no material values.
pub(super) const KNIGHT_AVERAGE: i32 = 4;
pub(super) const ROOK_AVERAGE: i32 = 10;
pub(super) const CANNON_AVERAGE: i32 = 8;

/// Pressure of one man on the enemy palace, by kind.
pub(super) const PRESSURE: [i32; PieceKind::COUNT] = [0, 0, 0, 14, 20, 12, 9];
/// How pressure counts, in percent, by how many men share it.
pub(super) const SHARED_PRESSURE: [i32; 6] = [0, 40, 100, 150, 190, 220];
/// How much more pressure counts for each defender that is missing, in percent.
pub(super) const MISSING_ADVISOR: i32 = 22;
pub(super) const MISSING_BISHOP: i32 = 12;
/// A cannon on the general's file with nothing in between.
pub(super) const BARE_CANNON: Tapered = tapered(75, 40);
/// A cannon on the general's file with two men in between.
pub(super) const CENTRAL_CANNON: Tapered = tapered(22, 10);
/// A cannon on the general's back rank.
pub(super) const BOTTOM_CANNON: Tapered = tapered(18, 12);
/// A rook on a file next to the enemy general's, or on its own.
pub(super) const ROOK_NEAR_KING: Tapered = tapered(16, 12);
/// Both advisors still there against cannons, which use them as screens: each cannon.
pub(super) const SCREENS_FOR_CANNON: Tapered = tapered(6, 10);
/// A pair of elephants that protect one another.
pub(super) const BISHOP_PAIR: Tapered = tapered(14, 14);
/// A complete guard of advisors.
pub(super) const ADVISOR_PAIR: Tapered = tapered(14, 14);
/// The right to move.
pub(super) const TEMPO: Tapered = tapered(14, 6);

/// Half boards from Red's back rank upwards, files a to e: the other half is the mirror image.
type Half = [[i16; 5]; 10];

const KING: Half = {
    let mut half = [[0; 5]; 10];
    half[0] = [0, 0, 0, -6, 10];
    half[1] = [0, 0, 0, -28, -18];
    half[2] = [0, 0, 0, -52, -45];
    half
};

const ADVISOR: Half = {
    let mut half = [[0; 5]; 10];
    half[0] = [0, 0, 0, 0, 0];
    half[1] = [0, 0, 0, 0, 6];
    half[2] = [0, 0, 0, -8, 0];
    half
};

const BISHOP: Half = {
    let mut half = [[0; 5]; 10];
    half[0] = [0, 0, 2, 0, 0];
    half[2] = [-12, 0, 0, 0, 12];
    half[4] = [0, 0, -4, 0, 0];
    half
};

const KNIGHT: Half = [
    [-24, -18, -12, -12, -24],
    [-16, -8, -4, -2, -30],
    [-8, -2, 8, 2, -6],
    [-4, 4, 6, 10, 6],
    [-2, 8, 8, 12, 12],
    [2, 12, 14, 18, 16],
    [4, 16, 18, 22, 18],
    [6, 20, 26, 28, 20],
    [2, 16, 32, 20, -4],
    [-8, -4, 4, 2, -10],
];

const ROOK: Half = [
    [-22, -6, -8, 6, -8],
    [-10, 0, -2, 8, -12],
    [-10, 2, -2, 8, 0],
    [-4, 4, 2, 10, 6],
    [0, 8, 4, 12, 10],
    [2, 10, 6, 14, 12],
    [4, 10, 8, 16, 14],
    [4, 8, 8, 16, 18],
    [8, 14, 12, 20, 24],
    [2, 6, 6, 14, 10],
];

const CANNON: Half = [
    [-4, -2, 2, 2, 2],
    [-2, 0, 4, 4, 2],
    [0, 2, 8, 6, 14],
    [-2, 0, 2, 2, 8],
    [-2, 0, 2, 2, 12],
    [-2, 0, 2, 4, 12],
    [-4, -2, 0, 0, 10],
    [-2, -2, -6, -8, 2],
    [2, 2, -4, -12, -14],
    [10, 8, 2, -10, -16],
];

const PAWN_MIDDLE: Half = [
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
    [62, 0, 76, 0, 86],
    [72, 0, 92, 0, 94],
    [116, 132, 146, 158, 160],
    [140, 164, 184, 204, 204],
    [150, 182, 214, 248, 252],
    [148, 180, 214, 258, 276],
    [86, 92, 96, 104, 110],
];

const PAWN_END: Half = [
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
    [100, 0, 108, 0, 112],
    [110, 0, 116, 0, 118],
    [158, 172, 182, 190, 192],
    [168, 184, 198, 210, 212],
    [166, 188, 208, 226, 230],
    [152, 172, 192, 216, 224],
    [84, 88, 92, 98, 102],
];

/// The worth of a red man of each kind on each square, material included.
pub(super) static SQUARES: [[Tapered; 90]; PieceKind::COUNT] = {
    let mut table = [[tapered(0, 0); 90]; PieceKind::COUNT];
    let mut square = 0;
    while square < 90 {
        let rank = square / 9;
        let file = if square % 9 > 4 {
            8 - square % 9
        } else {
            square % 9
        };
        let mut kind = 0;
        while kind < PieceKind::COUNT {
            let (middle, end) = match PieceKind::ALL[kind] {
                PieceKind::King => (KING[rank][file], KING[rank][file] / 2),
                PieceKind::Advisor => (ADVISOR[rank][file], ADVISOR[rank][file]),
                PieceKind::Bishop => (BISHOP[rank][file], BISHOP[rank][file]),
                PieceKind::Knight => (KNIGHT[rank][file], KNIGHT[rank][file] / 2),
                PieceKind::Rook => (ROOK[rank][file], ROOK[rank][file] / 2),
                PieceKind::Cannon => (CANNON[rank][file], CANNON[rank][file] / 4),
                PieceKind::Pawn => (PAWN_MIDDLE[rank][file], PAWN_END[rank][file]),
            };
            let material = MATERIAL[kind];
            table[kind][square] =
                tapered(material.middle + middle as i32, material.end + end as i32);
            kind += 1;
        }
        square += 1;
    }
    table
};

/// What a man on a square is worth to its owner, who counts ranks from `square`'s side.
#[inline]
pub(super) fn square_value(kind: PieceKind, relative: Square) -> Tapered {
    SQUARES[kind as usize][relative as usize]
}
