//! King, advisor, bishop, knight and pawn, with the knight's legs and the bishop's eyes.

use crate::types::{Bitboard, Color, Square};

/// The ten points where advisors can stand.
pub const ADVISOR_POINTS: Bitboard = {
    let red = 1 << 3 | 1 << 5 | 1 << 13 | 1 << 21 | 1 << 23;
    Bitboard::from_bits(red | red << 63)
};

/// The fourteen points where bishops can stand.
pub const BISHOP_POINTS: Bitboard = {
    let red: u128 = 1 << 2 | 1 << 6 | 1 << 18 | 1 << 22 | 1 << 26 | 1 << 38 | 1 << 42;
    Bitboard::from_bits(red | red << 45)
};

/// The four diagonal steps, as (file, rank); their order is that of the bits of a leg pattern.
const DIAGONALS: [(i32, i32); 4] = [(-1, 1), (-1, -1), (1, 1), (1, -1)];
/// The four straight steps: left, down, right, up, the order of the bits of a leg pattern.
const STRAIGHT: [(i32, i32); 4] = [(-1, 0), (0, -1), (1, 0), (0, 1)];

const fn steps(square: Square, offsets: &[(i32, i32)]) -> u128 {
    let mut bits = 0;
    let mut i = 0;
    while i < offsets.len() {
        if let Some(to) = square.offset(offsets[i].0, offsets[i].1) {
            bits |= 1 << to as u8;
        }
        i += 1;
    }
    bits
}

const fn palaces() -> u128 {
    Bitboard::palace(Color::Red).bits() | Bitboard::palace(Color::Black).bits()
}

static KING: [Bitboard; 90] = {
    let mut table = [Bitboard::EMPTY; 90];
    let mut i = 0;
    while i < 90 {
        table[i] = Bitboard::from_bits(steps(Square::ALL[i], &STRAIGHT) & palaces());
        i += 1;
    }
    table
};

static ADVISOR: [Bitboard; 90] = {
    let mut table = [Bitboard::EMPTY; 90];
    let mut i = 0;
    while i < 90 {
        table[i] = Bitboard::from_bits(steps(Square::ALL[i], &DIAGONALS) & ADVISOR_POINTS.bits());
        i += 1;
    }
    table
};

/// `KNIGHT[square][pattern]`: where a knight goes; bit `i` of the pattern is set
/// where the point one `STRAIGHT[i]` away is occupied.
static KNIGHT: [[Bitboard; 16]; 90] = {
    let mut table = [[Bitboard::EMPTY; 16]; 90];
    let mut i = 0;
    while i < 90 {
        let mut pattern = 0;
        while pattern < 16 {
            let mut bits = 0;
            let mut leg = 0;
            while leg < 4 {
                if pattern >> leg & 1 == 0 {
                    let (file, rank) = STRAIGHT[leg];
                    let jumps = if file != 0 {
                        [(2 * file, 1), (2 * file, -1)]
                    } else {
                        [(1, 2 * rank), (-1, 2 * rank)]
                    };
                    bits |= steps(Square::ALL[i], &jumps);
                }
                leg += 1;
            }
            table[i][pattern] = Bitboard::from_bits(bits);
            pattern += 1;
        }
        i += 1;
    }
    table
};

/// `KNIGHT_TO[square][pattern]`: from where knights reach the square; bit `i` of the
/// pattern is set where the point one `DIAGONALS[i]` away, their leg, is occupied.
static KNIGHT_TO: [[Bitboard; 16]; 90] = {
    let mut table = [[Bitboard::EMPTY; 16]; 90];
    let mut i = 0;
    while i < 90 {
        let mut pattern = 0;
        while pattern < 16 {
            let mut bits = 0;
            let mut leg = 0;
            while leg < 4 {
                if pattern >> leg & 1 == 0 {
                    let (file, rank) = DIAGONALS[leg];
                    bits |= steps(Square::ALL[i], &[(2 * file, rank), (file, 2 * rank)]);
                }
                leg += 1;
            }
            table[i][pattern] = Bitboard::from_bits(bits);
            pattern += 1;
        }
        i += 1;
    }
    table
};

static CHECK_ZONE: [Bitboard; 90] = {
    let mut table = [Bitboard::EMPTY; 90];
    let mut i = 0;
    while i < 90 {
        let king = Square::ALL[i];
        let mut bits = KNIGHT_TO[i][0].bits() | steps(king, &DIAGONALS);
        let mut other = 0;
        while other < 90 {
            if other % 9 == i % 9 || other / 9 == i / 9 {
                bits |= 1 << other;
            }
            other += 1;
        }
        table[i] = Bitboard::from_bits(bits);
        i += 1;
    }
    table
};

static PAWN: [[Bitboard; 90]; 2] = {
    let mut table = [[Bitboard::EMPTY; 90]; 2];
    let mut i = 0;
    while i < 90 {
        let red: &[(i32, i32)] = if i >= 45 {
            &[(0, 1), (-1, 0), (1, 0)]
        } else {
            &[(0, 1)]
        };
        let black: &[(i32, i32)] = if i < 45 {
            &[(0, -1), (-1, 0), (1, 0)]
        } else {
            &[(0, -1)]
        };
        table[0][i] = Bitboard::from_bits(steps(Square::ALL[i], red));
        table[1][i] = Bitboard::from_bits(steps(Square::ALL[i], black));
        i += 1;
    }
    table
};

static PAWN_TO: [[Bitboard; 90]; 2] = {
    let mut table = [[Bitboard::EMPTY; 90]; 2];
    let mut i = 0;
    while i < 90 {
        let mut from = 0;
        while from < 90 {
            let mut color = 0;
            while color < 2 {
                if PAWN[color][from].bits() >> i & 1 == 1 {
                    table[color][i] = Bitboard::from_bits(table[color][i].bits() | 1 << from);
                }
                color += 1;
            }
            from += 1;
        }
        i += 1;
    }
    table
};

/// From where enemy leapers reach some point of a palace.
#[derive(Clone, Copy)]
pub struct PalaceZones {
    /// Horses, whatever stands in their way.
    pub knights: Bitboard,
    /// Pawns.
    pub pawns: Bitboard,
}

static PALACE_ZONES: [PalaceZones; 2] = {
    let mut zones = [PalaceZones {
        knights: Bitboard::EMPTY,
        pawns: Bitboard::EMPTY,
    }; 2];
    let colors = Color::ALL;
    let mut i = 0;
    while i < 2 {
        let palace = Bitboard::palace(colors[i]).bits();
        let (mut knights, mut pawns) = (0, 0);
        let mut point = 0;
        while point < 90 {
            if palace >> point & 1 == 1 {
                knights |= KNIGHT_TO[point][0].bits();
                pawns |= PAWN_TO[1 - i][point].bits();
            }
            point += 1;
        }
        zones[i] = PalaceZones {
            knights: Bitboard::from_bits(knights),
            pawns: Bitboard::from_bits(pawns),
        };
        i += 1;
    }
    zones
};

/// From where leapers of the other side reach some point of the palace of `color`.
#[inline]
pub fn palace_zones(color: Color) -> PalaceZones {
    PALACE_ZONES[color as usize]
}

/// Where a king goes, inside its palace.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[square as usize]
}

/// Where an advisor goes.
#[inline]
pub fn advisor(square: Square) -> Bitboard {
    ADVISOR[square as usize]
}

/// The steps of a bishop in its half of the board: from a square to its target
/// (index difference), and to the eye between them.
pub const BISHOP_STEPS: [(i32, i32); 4] = [(20, 10), (16, 8), (-16, -8), (-20, -10)];

/// The steps of an advisor, as index differences.
pub const ADVISOR_STEPS: [i32; 4] = [10, 8, -8, -10];

/// `bits` moved by `delta` bits, up for positive ones.
#[inline]
pub const fn shift_half(bits: u64, delta: i32) -> u64 {
    if delta >= 0 {
        bits << delta
    } else {
        bits >> -delta
    }
}

/// Where all of `bishops` go with one of [`BISHOP_STEPS`]; bitboards of one half of
/// the board as [`Bitboard::half`] gives them.
///
/// The steps of bishops that stand where they may never lead from the edge
/// onto another point of theirs, so no mask for files is needed.
#[inline]
pub const fn bishop_step(bishops: u64, occupied: u64, step: (i32, i32)) -> u64 {
    const POINTS: u64 = BISHOP_POINTS.half(Color::Red);
    let (target, eye) = step;
    shift_half(shift_half(bishops, eye) & !occupied, target - eye) & POINTS
}

/// Where all of `advisors` go with one of [`ADVISOR_STEPS`], in the half of `color`.
#[inline]
pub const fn advisor_step(advisors: u64, step: i32, color: Color) -> u64 {
    shift_half(advisors, step) & ADVISOR_POINTS.half(color)
}

/// Where a bishop goes past the eyes that are not occupied.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let color = if square.index() < 45 {
        Color::Red
    } else {
        Color::Black
    };
    let (here, men) = (Bitboard::square(square).half(color), occupied.half(color));
    let targets = BISHOP_STEPS
        .iter()
        .fold(0, |set, &step| set | bishop_step(here, men, step));
    Bitboard::from_half(targets, color)
}

/// The pattern of occupied neighbours that indexes a knight's table: for each
/// straight step, whether it meets a man.
#[inline]
pub(crate) fn leg_pattern(on_rank: u32, on_file: u32, square: Square) -> usize {
    let beside = (on_rank << 1) >> square.file() as u32;
    let before = (on_file << 1) >> square.rank() as u32;
    ((beside & 5) | (before & 5) << 1) as usize
}

/// Where a knight goes given its [`leg_pattern`].
#[inline]
pub(crate) fn knight_with_legs(square: Square, pattern: usize) -> Bitboard {
    KNIGHT[square as usize][pattern & 15]
}

/// Where a knight goes past the legs that are not occupied.
#[inline]
pub fn knight(square: Square, occupied: Bitboard) -> Bitboard {
    // The board in rows of nine: a neighbour across the edge must not count.
    let bits = occupied.bits();
    let index = square as u32;
    let on_rank = occupied.rank_bits(square.rank());
    let up = (bits >> index >> 9) as u32 & 1;
    let down = if index >= 9 {
        (bits >> (index - 9)) as u32 & 1
    } else {
        0
    };
    let beside = (on_rank << 1) >> square.file() as u32;
    let pattern = (beside & 5) | down << 1 | up << 3;
    KNIGHT[square as usize][pattern as usize & 15]
}

/// From where knights reach the square, past the legs that are not occupied.
#[inline]
pub fn knight_to(square: Square, occupied: Bitboard) -> Bitboard {
    // Legs off the board wrap round here, but the table has no knights behind them.
    let bits = occupied.bits();
    let above = (bits >> (square as u32 + 8)) as usize;
    let below = (bits << 10 >> square as u32) as usize;
    KNIGHT_TO[square as usize][(above & 5) | (below & 5) << 1]
}

/// From where knights reach the square if nothing stands in their way.
#[inline]
pub fn knight_around(square: Square) -> Bitboard {
    KNIGHT_TO[square as usize][0]
}

/// The points that matter to a check of a king on this square: its rank and file, from
/// where knights reach it and their legs. A move that neither leaves nor meets one of
/// them gives no check.
#[inline]
pub fn check_zone(king: Square) -> Bitboard {
    CHECK_ZONE[king as usize]
}

/// The leg of the knight's move between two squares, if it is one.
pub fn knight_leg(from: Square, to: Square) -> Option<Square> {
    let file = to.file() as i32 - from.file() as i32;
    let rank = to.rank() as i32 - from.rank() as i32;
    match (file.abs(), rank.abs()) {
        (2, 1) => from.offset(file / 2, 0),
        (1, 2) => from.offset(0, rank / 2),
        _ => None,
    }
}

/// Where a pawn of `color` goes.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color as usize][square as usize]
}

/// From where pawns of `color` reach the square.
#[inline]
pub fn pawn_to(color: Color, square: Square) -> Bitboard {
    PAWN_TO[color as usize][square as usize]
}

/// The points that pawns of `color` can ever stand on.
pub const fn pawn_reach(color: Color) -> Bitboard {
    const HOME: u128 = {
        let columns = 1 << 0 | 1 << 2 | 1 << 4 | 1 << 6 | 1 << 8;
        columns << 27 | columns << 36
    };
    match color {
        Color::Red => Bitboard::from_bits(Bitboard::home_half(Color::Black).bits() | HOME),
        Color::Black => Bitboard::from_bits(Bitboard::home_half(Color::Red).bits() | HOME << 18),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same attacks from the rules of movement, square by square.
    fn slow_knight(from: Square, occupied: Bitboard) -> Bitboard {
        Square::ALL
            .into_iter()
            .filter(|&to| knight_leg(from, to).is_some_and(|leg| !occupied.contains(leg)))
            .collect()
    }

    fn boards() -> impl Iterator<Item = Bitboard> {
        let mut seed = 0x1234_5678_9abc_def1_u128;
        (0..200).map(move |_| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            Bitboard::from_bits(seed & seed >> 40)
        })
    }

    #[test]
    fn knights_go_and_come_past_free_legs() {
        for occupied in boards() {
            for from in Square::ALL {
                let targets = slow_knight(from, occupied);
                assert_eq!(knight(from, occupied), targets, "{from}");
                for to in Square::ALL {
                    assert_eq!(
                        knight_to(to, occupied).contains(from),
                        targets.contains(to),
                        "{from}{to}"
                    );
                }
            }
        }
    }

    #[test]
    fn bishops_stay_home_and_look_through_eyes() {
        for occupied in boards() {
            for from in BISHOP_POINTS {
                let targets: Bitboard = DIAGONALS
                    .into_iter()
                    .filter_map(|(file, rank)| {
                        let eye = from.offset(file, rank)?;
                        let to = from.offset(2 * file, 2 * rank)?;
                        let home = (from.index() < 45) == (to.index() < 45);
                        (home && !occupied.contains(eye)).then_some(to)
                    })
                    .collect();
                assert_eq!(bishop(from, occupied), targets, "{from}");
            }
        }
        assert_eq!(BISHOP_POINTS.count(), 14);
    }

    #[test]
    fn advisor_steps_match_the_table() {
        for color in Color::ALL {
            for from in ADVISOR_POINTS & Bitboard::home_half(color) {
                let here = Bitboard::square(from).half(color);
                let set = ADVISOR_STEPS
                    .into_iter()
                    .fold(0, |set, step| set | advisor_step(here, step, color));
                assert_eq!(Bitboard::from_half(set, color), advisor(from), "{from}");
            }
        }
        assert_eq!(ADVISOR_POINTS.count(), 10);
    }

    #[test]
    fn pawns_never_go_back() {
        assert_eq!(pawn(Color::Red, Square::E4).count(), 1);
        assert_eq!(pawn(Color::Red, Square::E5).count(), 3);
        assert_eq!(pawn(Color::Red, Square::A9).count(), 1);
        assert_eq!(pawn(Color::Black, Square::E4).count(), 3);
        assert_eq!(pawn_reach(Color::Red).count(), 55);
        assert!(pawn_reach(Color::Black).contains(Square::A6));
        assert!(!pawn_reach(Color::Black).contains(Square::A7));
        for color in Color::ALL {
            for from in Square::ALL {
                for to in Square::ALL {
                    assert_eq!(
                        pawn(color, from).contains(to),
                        pawn_to(color, to).contains(from)
                    );
                }
            }
        }
    }
}
