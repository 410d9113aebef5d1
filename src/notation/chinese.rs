//! Chinese notation, `炮二平五`, to write in either script and to read in all variants of
//! the characters.

use super::relative::{Description, Way};
use crate::position::Position;
use crate::types::{Color, Move, Piece, PieceKind};

/// The characters of a script.
pub struct Script {
    /// The pieces in index order, Red's and Black's.
    pieces: [[char; PieceKind::COUNT]; 2],
    forward: char,
    rear: char,
}

/// Simplified characters.
pub const SIMPLIFIED: Script = Script {
    pieces: [
        ['帅', '仕', '相', '马', '车', '炮', '兵'],
        ['将', '士', '象', '马', '车', '炮', '卒'],
    ],
    forward: '进',
    rear: '后',
};

/// Traditional characters.
pub const TRADITIONAL: Script = Script {
    pieces: [
        ['帥', '仕', '相', '傌', '俥', '炮', '兵'],
        ['將', '士', '象', '馬', '車', '砲', '卒'],
    ],
    forward: '進',
    rear: '後',
};

/// 1 to 10, as Red's files and in the order of many pawns.
const NUMERALS: [char; 10] = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];
/// The numerals of documents.
const FORMAL_NUMERALS: [char; 9] = ['壹', '贰', '叁', '肆', '伍', '陆', '柒', '捌', '玖'];
const FORMAL_TRADITIONAL: [char; 9] = ['壹', '貳', '參', '肆', '伍', '陸', '柒', '捌', '玖'];

/// The number that a Chinese character stands for.
pub fn numeral(character: char) -> Option<u8> {
    [&NUMERALS[..], &FORMAL_NUMERALS, &FORMAL_TRADITIONAL]
        .iter()
        .find_map(|numerals| numerals.iter().position(|&numeral| numeral == character))
        .map(|index| index as u8 + 1)
}

/// The kind that a Chinese character stands for; those of Red and Black are often mixed up.
pub fn piece(character: char) -> Option<PieceKind> {
    Some(match character {
        '帅' | '帥' | '将' | '將' => PieceKind::King,
        '仕' | '士' => PieceKind::Advisor,
        '相' | '象' => PieceKind::Bishop,
        '马' | '馬' | '傌' => PieceKind::Knight,
        '车' | '車' | '俥' => PieceKind::Rook,
        '炮' | '砲' | '包' => PieceKind::Cannon,
        '兵' | '卒' => PieceKind::Pawn,
        _ => return None,
    })
}

/// The move, with 前 and 后 for two on a file, 前 中 后 for three, and numbers for more or for
/// pawns on several files, which are counted together.
pub fn write(position: &Position, piece: Piece, mv: Move, script: Script) -> String {
    let move_ = Description::of(position, piece, mv);
    let character = script.pieces[piece.color().index()][piece.kind().index()];
    let number = |number: u8| match piece.color() {
        Color::Red => NUMERALS[usize::from(number) - 1],
        Color::Black => char::from(b'0' + number),
    };
    let mut text = String::with_capacity(15);
    match &move_.shared {
        None => text.extend([character, number(move_.file)]),
        Some(shared) => {
            match (shared.number, shared.all) {
                (1, 2 | 3) => text.push('前'),
                (2, 3) => text.push('中'),
                (2, 2) | (3, 3) => text.push(script.rear),
                (order, _) => text.extend(ordinal(order)),
            }
            text.push(character);
        }
    }
    text.push(match move_.way {
        Way::Forward => script.forward,
        Way::Back => '退',
        Way::Level => '平',
    });
    text.push(number(move_.number));
    text
}

/// 一 to 十, 十一 and so on; a set has five pawns, but odd positions may have fifteen.
fn ordinal(number: u8) -> impl Iterator<Item = char> {
    let number = usize::from(number);
    let ten = (number > 10).then_some('十');
    ten.into_iter()
        .chain(NUMERALS.get((number - 1) % 10).copied())
}
