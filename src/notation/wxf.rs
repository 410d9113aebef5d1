//! WXF notation, `C2=5`, in both conventions.

use super::relative::{Description, Shared, Way};
use crate::position::Position;
use crate::types::{Move, Piece, PieceKind};

/// The letter for a kind.
pub const fn letter(kind: PieceKind) -> char {
    ['K', 'A', 'E', 'H', 'R', 'C', 'P'][kind.index()]
}

/// The kind that a letter in either case stands for.
pub fn piece(letter: char) -> Option<PieceKind> {
    Some(match letter.to_ascii_uppercase() {
        'K' | 'G' => PieceKind::King,
        'A' | 'M' => PieceKind::Advisor,
        'E' | 'B' => PieceKind::Bishop,
        'H' | 'N' => PieceKind::Knight,
        'R' => PieceKind::Rook,
        'C' => PieceKind::Cannon,
        'P' | 'S' => PieceKind::Pawn,
        _ => return None,
    })
}

/// The convention of 2018: of two `+` is the front one and `-` the rear one, whatever file;
/// three pawns or more, or two on each of several files, have their number on the file and
/// the file.
pub fn write(position: &Position, piece: Piece, mv: Move) -> String {
    let move_ = Description::of(position, piece, mv);
    let who = match (&move_.shared, piece.kind()) {
        (None, kind) => format!("{}{}", letter(kind), move_.file),
        (Some(shared), kind) if shared.all == 2 => {
            format!(
                "{}{}",
                letter(kind),
                if shared.number == 1 { '+' } else { '-' }
            )
        }
        (Some(shared), PieceKind::Pawn) if shared.on_file < 10 => {
            format!("{}{}", shared.on_file, move_.file)
        }
        // More men of a kind than a set has: the convention does not know them.
        (Some(shared), kind) => format!("{}{}", letter(kind), lettered(shared)),
    };
    ending(who, &move_, '=')
}

/// The convention with letters: of two or three `+` is the front one, `.` the middle one and
/// `-` the rear one; more are lettered through, whatever file they stand on.
pub fn write_letters(position: &Position, piece: Piece, mv: Move) -> String {
    let move_ = Description::of(position, piece, mv);
    let place = match &move_.shared {
        None => char::from(b'0' + move_.file),
        Some(shared) => match (shared.number, shared.all) {
            (1, 2 | 3) => '+',
            (2, 3) => '.',
            (2, 2) | (3, 3) => '-',
            _ => lettered(shared),
        },
    };
    ending(format!("{}{place}", letter(piece.kind())), &move_, '.')
}

/// `a` for the first; there are at most fifteen.
fn lettered(shared: &Shared) -> char {
    char::from(b'a' + shared.number - 1)
}

fn ending(mut text: String, move_: &Description, level: char) -> String {
    text.push(match move_.way {
        Way::Forward => '+',
        Way::Back => '-',
        Way::Level => level,
    });
    text.push(char::from(b'0' + move_.number));
    text
}
