//! The rules of movement in their plainest form, to check the fast ones against: an array
//! of letters, every move tried on it, and a look whether the general can be taken.
//! Nothing here uses the library's tables, bitboards or generator.

use vermilion::position::Position;
use vermilion::types::{Color, Move, Piece, Square};

const EMPTY: char = '.';

/// A board of FEN letters by rank and file, and the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mailbox {
    cells: [[char; 9]; 10],
    red_to_move: bool,
}

/// A point as (file, rank).
pub type Point = (i32, i32);

fn is_red(letter: char) -> bool {
    letter.is_ascii_uppercase()
}

fn in_palace(red: bool, (file, rank): Point) -> bool {
    (3..=5).contains(&file) && if red { rank <= 2 } else { rank >= 7 }
}

fn at_home(red: bool, rank: i32) -> bool {
    if red { rank <= 4 } else { rank >= 5 }
}

/// Every point of the board.
pub fn points() -> impl Iterator<Item = Point> {
    (0..10).flat_map(|rank| (0..9).map(move |file| (file, rank)))
}

fn to_move(from: Point, to: Point) -> Move {
    let square = |(file, rank): Point| Square::ALL[(9 * rank + file) as usize];
    Move::new(square(from), square(to)).expect("two different points of the board")
}

fn to_point(square: Square) -> Point {
    let index = square.index() as i32;
    (index % 9, index / 9)
}

impl Mailbox {
    /// The same board, read man by man.
    pub fn of(position: &Position) -> Self {
        let mut cells = [[EMPTY; 9]; 10];
        for (index, square) in Square::ALL.into_iter().enumerate() {
            let man = position.piece_on(square);
            cells[index / 9][index % 9] = man.map_or(EMPTY, Piece::letter);
        }
        let red_to_move = position.side() == Color::Red;
        Self { cells, red_to_move }
    }

    fn at(&self, (file, rank): Point) -> char {
        self.cells[rank as usize][file as usize]
    }

    /// How many men stand strictly between two points of a line.
    fn between(&self, from: Point, to: Point) -> usize {
        let step = ((to.0 - from.0).signum(), (to.1 - from.1).signum());
        let mut at = (from.0 + step.0, from.1 + step.1);
        let mut men = 0;
        while at != to {
            men += usize::from(self.at(at) != EMPTY);
            at = (at.0 + step.0, at.1 + step.1);
        }
        men
    }

    /// Whether the man on `from` moves to `to` by the rules of its kind, whose turn it is
    /// and the safety of its general aside.
    pub fn moves(&self, from: Point, to: Point) -> bool {
        let (man, target) = (self.at(from), self.at(to));
        if man == EMPTY || from == to {
            return false;
        }
        let red = is_red(man);
        if target != EMPTY && is_red(target) == red {
            return false;
        }
        let (files, ranks) = (to.0 - from.0, to.1 - from.1);
        let distance = (files.abs(), ranks.abs());
        let straight = files == 0 || ranks == 0;
        match man.to_ascii_uppercase() {
            'K' => matches!(distance, (0, 1) | (1, 0)) && in_palace(red, to),
            'A' => distance == (1, 1) && in_palace(red, to),
            'B' => {
                let eye = (from.0 + files / 2, from.1 + ranks / 2);
                distance == (2, 2) && at_home(red, to.1) && self.at(eye) == EMPTY
            }
            'N' => match distance {
                (2, 1) => self.at((from.0 + files / 2, from.1)) == EMPTY,
                (1, 2) => self.at((from.0, from.1 + ranks / 2)) == EMPTY,
                _ => false,
            },
            'R' => straight && self.between(from, to) == 0,
            'C' => straight && self.between(from, to) == usize::from(target != EMPTY),
            _ => {
                let forward = if red { 1 } else { -1 };
                let sideways = distance == (1, 0) && !at_home(red, from.1);
                (files, ranks) == (0, forward) || sideways
            }
        }
    }

    /// The letter on a square, `.` where nobody stands.
    pub fn letter(&self, square: Square) -> char {
        self.at(to_point(square))
    }

    /// The moves of the side to move onto the target of `last`.
    pub fn captures_on(&self, last: Move) -> Vec<Move> {
        let to = to_point(last.to());
        points()
            .filter(|&from| self.at(from) != EMPTY && is_red(self.at(from)) == self.red_to_move)
            .filter(|&from| self.moves(from, to))
            .map(|from| to_move(from, to))
            .collect()
    }

    fn find_general(&self, red: bool) -> Option<Point> {
        let letter = if red { 'K' } else { 'k' };
        points().find(|&point| self.at(point) == letter)
    }

    /// The men that could take the general of a side, the other general along an open
    /// file included.
    pub fn checkers(&self, red: bool) -> Vec<Point> {
        let general = self.find_general(red).expect("each side has a general");
        self.attackers(general, !red)
    }

    /// The men of a side that could capture an enemy man if one stood on the point, its
    /// general along an open file included.
    pub fn attackers(&self, point: Point, red: bool) -> Vec<Point> {
        let mut board = self.clone();
        board.cells[point.1 as usize][point.0 as usize] = if red { 'p' } else { 'P' };
        let general = board.find_general(red);
        let faces = |from| Some(from) == general && from != point && from.0 == point.0;
        points()
            .filter(|&from| board.at(from) != EMPTY && is_red(board.at(from)) == red)
            .filter(|&from| {
                board.moves(from, point) || faces(from) && board.between(from, point) == 0
            })
            .collect()
    }

    /// Whether Red is to move.
    pub fn red_to_move(&self) -> bool {
        self.red_to_move
    }

    /// How many men are on the board.
    pub fn men(&self) -> usize {
        points().filter(|&point| self.at(point) != EMPTY).count()
    }

    /// The board after a move.
    pub fn after(&self, mv: Move) -> Self {
        let ((file, rank), (to_file, to_rank)) = (to_point(mv.from()), to_point(mv.to()));
        let mut after = self.clone();
        after.cells[to_rank as usize][to_file as usize] = self.at((file, rank));
        after.cells[rank as usize][file as usize] = EMPTY;
        after.red_to_move = !self.red_to_move;
        after
    }

    /// All moves of the side to move by the rules of the kinds, in ascending order of
    /// their bits, and whether each is legal.
    pub fn all_moves(&self) -> Vec<(Move, bool)> {
        let mut moves = Vec::new();
        for from in points() {
            if self.at(from) == EMPTY || is_red(self.at(from)) != self.red_to_move {
                continue;
            }
            for to in points().filter(|&to| self.moves(from, to)) {
                let mv = to_move(from, to);
                let safe = self.after(mv).checkers(self.red_to_move).is_empty();
                moves.push((mv, safe));
            }
        }
        moves
    }

    /// The legal moves in ascending order of their bits.
    pub fn legal_moves(&self) -> Vec<Move> {
        let legal = self.all_moves().into_iter().filter(|(_, legal)| *legal);
        legal.map(|(mv, _)| mv).collect()
    }
}
