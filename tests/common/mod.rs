//! What several test files share: random numbers, random positions, the perft suites and
//! a slow, obvious move generator.
#![allow(dead_code, reason = "each test file uses a part of it")]

pub mod mailbox;
pub mod net;

use vermilion::position::{Position, Setup};
use vermilion::types::{Bitboard, Color, Move, MoveList, Piece, PieceKind, Square};

/// Random numbers from a seed: xorshift64* (Marsaglia, Vigna).
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number from 0 to `below - 1`.
    pub fn below(&mut self, below: usize) -> usize {
        (self.next() >> 33) as usize % below
    }

    /// True `percent` times in a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// A random legal move, if there is one.
pub fn random_move(position: &Position, rng: &mut Rng) -> Option<Move> {
    let mut list = MoveList::new();
    position.legal_moves(&mut list);
    match list.len() {
        0 => None,
        count => list.get(rng.below(count)),
    }
}

/// Walks at random from position to position and visits `count` of them: `start` gives the
/// first of each walk, which ends after `length` plies or where there is no move.
pub fn walk(
    count: usize,
    length: usize,
    rng: &mut Rng,
    mut start: impl FnMut(&mut Rng) -> Position,
    mut visit: impl FnMut(&Position),
) {
    let mut visited = 0;
    while visited < count {
        let mut position = start(rng);
        for _ in 0..length.min(count - visited) {
            visit(&position);
            visited += 1;
            match random_move(&position, rng) {
                Some(mv) => position.make(mv),
                None => break,
            }
        }
    }
}

/// What kind of random position is set up.
#[derive(Clone, Copy, Debug)]
pub enum Sort {
    /// The generals and one to six men.
    Sparse,
    /// Men mostly on the lines of the generals: pins, screens, double checks.
    KingLines,
    /// Many men of one kind, up to sixteen a side.
    ManyOfAKind,
}

/// A random playable position of a sort.
pub fn random_setup(sort: Sort, rng: &mut Rng) -> Position {
    loop {
        let mut setup = random_men(sort, rng);
        for _ in 0..2 {
            if let Ok(position) = Position::try_from(&setup) {
                return position;
            }
            setup.side = !setup.side;
        }
    }
}

fn random_men(sort: Sort, rng: &mut Rng) -> Setup {
    let mut setup = Setup {
        board: [None; 90],
        side: rng.pick(&Color::ALL),
        halfmoves: 0,
        fullmoves: 1,
    };
    let kings = Color::ALL.map(|color| {
        let palace: Vec<Square> = Bitboard::palace(color).into_iter().collect();
        rng.pick(&palace)
    });
    for color in Color::ALL {
        setup.board[kings[color.index()].index()] = Some(Piece::new(color, PieceKind::King));
    }
    let on_lines: Vec<Square> = Square::ALL
        .into_iter()
        .filter(|square| {
            kings
                .iter()
                .any(|king| king.file() == square.file() || king.rank() == square.rank())
        })
        .collect();
    let mut put = |piece: Piece, near: bool, rng: &mut Rng| {
        for _ in 0..20 {
            let square = rng.pick(if near { &on_lines } else { &Square::ALL });
            if setup.board[square.index()].is_none() && can_stand(piece, square, rng) {
                setup.board[square.index()] = Some(piece);
                return;
            }
        }
    };
    for color in Color::ALL {
        let favourite = rng.pick(&PieceKind::ALL[1..]);
        let men = match sort {
            Sort::Sparse => rng.below(4),
            Sort::KingLines => 4 + rng.below(12),
            Sort::ManyOfAKind => 3 + rng.below(13),
        };
        for _ in 0..men {
            let (kind, near) = match sort {
                Sort::Sparse => (rng.pick(&PieceKind::ALL[1..]), false),
                Sort::KingLines => (rng.pick(&LINE_KINDS), rng.chance(85)),
                Sort::ManyOfAKind if rng.chance(70) => (favourite, rng.chance(30)),
                Sort::ManyOfAKind => (rng.pick(&PieceKind::ALL[1..]), rng.chance(30)),
            };
            put(Piece::new(color, kind), near, rng);
        }
    }
    setup
}

/// What stands on the lines of the generals, cannons most often.
const LINE_KINDS: [PieceKind; 9] = [
    PieceKind::Advisor,
    PieceKind::Bishop,
    PieceKind::Knight,
    PieceKind::Knight,
    PieceKind::Rook,
    PieceKind::Rook,
    PieceKind::Cannon,
    PieceKind::Cannon,
    PieceKind::Pawn,
];

/// Whether a setup with the man there may be playable; a pawn where none can get is rare.
fn can_stand(piece: Piece, square: Square, rng: &mut Rng) -> bool {
    let (file, rank) = (
        square.file() as i32,
        square.relative(piece.color()).rank() as i32,
    );
    match piece.kind() {
        PieceKind::Advisor => matches!((file, rank), (3 | 5, 0 | 2) | (4, 1)),
        PieceKind::Bishop => matches!((file, rank), (2 | 6, 0 | 4) | (0 | 4 | 8, 2)),
        PieceKind::Pawn => rank >= 5 || rank >= 3 && file % 2 == 0 || rng.chance(10),
        _ => true,
    }
}

/// A line of a perft suite: the position and its counts as (depth, nodes).
pub struct PerftLine {
    pub suite: String,
    pub fen: String,
    pub counts: Vec<(u32, u64)>,
}

/// Every line of every file of perft-suites/.
pub fn perft_lines() -> Vec<PerftLine> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/perft-suites");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("perft-suites/ is there")
        .map(|entry| entry.expect("perft-suites/ can be listed").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "epd"))
        .collect();
    files.sort();
    let mut lines = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a suite is text");
        let suite = path
            .file_stem()
            .map(|name| name.to_string_lossy().into_owned());
        for line in text
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            let mut fields = line.split(';').map(str::trim);
            let fen = fields.next().unwrap_or_default().to_owned();
            let counts = fields.map(read_count).collect();
            let suite = suite.clone().unwrap_or_default();
            lines.push(PerftLine { suite, fen, counts });
        }
    }
    lines
}

fn read_count(field: &str) -> (u32, u64) {
    let read = |field: &str| {
        let (depth, nodes) = field.strip_prefix('D')?.split_once(' ')?;
        Some((depth.parse().ok()?, nodes.parse().ok()?))
    };
    read(field).unwrap_or_else(|| panic!("{field:?} is not like \"D3 79666\""))
}

/// The positions of the perft suites.
pub fn suite_positions() -> Vec<Position> {
    let read = |line: PerftLine| line.fen.parse().expect("a suite has playable positions");
    perft_lines().into_iter().map(read).collect()
}
