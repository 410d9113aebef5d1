//! Reading XQF, the files of the program 象棋演播室.
//!
//! A header of 1,024 bytes and a tree of moves, enciphered from version 11 on. The format is
//! not published; this follows what readers of it agree on.

use std::fmt;

use super::encoding::decode_gbk;
use super::game::{Fault, Game, Line, LineMove, MAX_DEPTH, Outcome, add_comment};
use crate::position::{Position, Setup, SetupFaults};
use crate::types::{Color, File, Move, Piece, PieceKind, Rank, Square};

/// Where the moves begin.
const HEADER: usize = 0x400;
/// The first version with a cipher.
const FIRST_CIPHERED: u8 = 0x0b;
/// The first version that shuffles the pieces' squares.
const FIRST_SHUFFLED: u8 = 0x0c;
/// The cipher's pattern, of which the keys mask some bits.
const PATTERN: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";

/// The pieces of a side in the order of their squares.
const ORDER: [PieceKind; 16] = {
    use PieceKind::{Advisor, Bishop, Cannon, King, Knight, Pawn, Rook};
    [
        Rook, Knight, Bishop, Advisor, King, Advisor, Bishop, Knight, Rook, Cannon, Cannon, Pawn,
        Pawn, Pawn, Pawn, Pawn,
    ]
};

/// Why bytes are no XQF file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum XqfError {
    /// They do not begin with `XQ`.
    NoMark,
    /// The header is cut off; how many bytes there are.
    Short(usize),
    /// The start position is not playable.
    Start(SetupFaults),
}

impl fmt::Display for XqfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMark => f.write_str("not an XQF file: it does not begin with XQ"),
            Self::Short(bytes) => write!(
                f,
                "the XQF header is cut off: {bytes} bytes instead of {HEADER}"
            ),
            Self::Start(faults) => write!(f, "the start position of the XQF file: {faults}"),
        }
    }
}

impl std::error::Error for XqfError {}

/// Whether the bytes begin as an XQF file does.
pub fn is_xqf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"XQ")
}

/// Reads the game of an XQF file with its comments and variations. Moves that are cut off or
/// illegal end their line; [`Game::fault`] tells of the main line's.
///
/// # Errors
/// If the bytes are no XQF file or its position is not playable.
pub fn read(bytes: &[u8]) -> Result<Game, XqfError> {
    if !is_xqf(bytes) {
        return Err(XqfError::NoMark);
    }
    let Some((header, body)) = bytes.split_first_chunk::<HEADER>() else {
        return Err(XqfError::Short(bytes.len()));
    };
    let cipher = Cipher::of(header);
    let tree = Tree::read(body, &cipher);
    let mut setup = board(header, &cipher);
    // The file does not say who moves first, its moves do.
    let first = tree.nodes[0].children.first();
    let mover = first
        .and_then(|&node| tree.nodes[node].mv)
        .and_then(|mv| setup.board[mv.from().index()]);
    setup.side = mover.map_or(Color::Red, Piece::color);
    let start = Position::try_from(&setup).map_err(XqfError::Start)?;
    let mut game = Game::new(start);
    game.tags = tags(header);
    game.outcome = match header[0x33] {
        1 => Outcome::Won(Color::Red),
        2 => Outcome::Won(Color::Black),
        3 | 4 => Outcome::Draw,
        _ => Outcome::Unknown,
    };
    let mut position = game.start.clone();
    let (line, fault) = tree.line(tree.nodes[0].children.first().copied(), &mut position, 0);
    game.line = line;
    add_comment(&mut game.line.comments, &tree.nodes[0].comment);
    game.fault = fault.or_else(|| {
        tree.is_cut.then(|| Fault {
            line: 0,
            what: "the moves are cut off".to_owned(),
        })
    });
    Ok(game)
}

/// The keys of a file.
struct Cipher {
    version: u8,
    pieces: u8,
    from: u8,
    to: u8,
    comment: i64,
    stream: [u8; 32],
}

impl Cipher {
    fn of(header: &[u8; HEADER]) -> Self {
        let version = header[2];
        if version < FIRST_CIPHERED {
            return Self {
                version,
                pieces: 0,
                from: 0,
                to: 0,
                comment: 0,
                stream: [0; 32],
            };
        }
        let (mask, sum, xy) = (header[3], header[0x0c], header[0x0d]);
        let (from, to) = (header[0x0e], header[0x0f]);
        // All modulo 256.
        let spread = |key: u8| {
            let square = key.wrapping_mul(key).wrapping_mul(3).wrapping_add(9);
            let more = square.wrapping_mul(3).wrapping_add(8).wrapping_mul(2);
            more.wrapping_add(1).wrapping_mul(3).wrapping_add(8)
        };
        let pieces = spread(xy).wrapping_mul(xy);
        let from_key = spread(from).wrapping_mul(pieces);
        let masks = [sum, xy, from, to];
        let stream = std::array::from_fn(|index| {
            let byte = index % 4;
            PATTERN[index] & (masks[byte] & mask | header[8 + byte])
        });
        Self {
            version,
            pieces,
            from: from_key,
            to: spread(to).wrapping_mul(from_key),
            comment: (i64::from(sum) * 256 + i64::from(xy)) % 32_000 + 767,
            stream,
        }
    }

    const fn is_on(&self) -> bool {
        self.version >= FIRST_CIPHERED
    }
}

/// The pieces on their squares, with Red to move.
fn board(header: &[u8; HEADER], cipher: &Cipher) -> Setup {
    let mut setup = Setup {
        board: [None; 90],
        side: Color::Red,
        halfmoves: 0,
        fullmoves: 1,
    };
    for (index, &byte) in header[0x10..0x30].iter().enumerate() {
        let slot = if cipher.version >= FIRST_SHUFFLED {
            (usize::from(cipher.pieces) + index + 1) % 32
        } else {
            index
        };
        let side = Color::ALL[slot / 16];
        if let Some(square) = square(byte.wrapping_sub(cipher.pieces)) {
            setup.board[square.index()] = Some(Piece::new(side, ORDER[slot % 16]));
        }
    }
    setup
}

/// Squares are ten times the file plus the rank.
fn square(byte: u8) -> Option<Square> {
    let file = File::from_index(usize::from(byte / 10))?;
    Some(Square::new(file, Rank::from_index(usize::from(byte % 10))?))
}

/// What the header says about the game.
fn tags(header: &[u8; HEADER]) -> Vec<(String, String)> {
    let fields = [
        ("Event", 0xd0, 63),
        ("Title", 0x50, 63),
        ("Date", 0x110, 15),
        ("Site", 0x120, 15),
        ("Red", 0x130, 15),
        ("Black", 0x140, 15),
        ("TimeControl", 0x150, 63),
        ("Annotator", 0x1d0, 15),
        ("Author", 0x1e0, 15),
    ];
    let mut tags = Vec::new();
    for (name, at, longest) in fields {
        let length = usize::from(header[at]).min(longest);
        let text = decode_gbk(&header[at + 1..at + 1 + length]);
        let text = text.trim_matches(|ch: char| ch.is_whitespace() || ch == '\0');
        if !text.is_empty() {
            tags.push((name.to_owned(), text.to_owned()));
        }
    }
    tags
}

/// A move of the tree, not yet looked at.
#[derive(Default)]
struct Node {
    /// `None` for the root and for bytes that are no two squares.
    mv: Option<Move>,
    comment: String,
    /// The replies, the main one first.
    children: Vec<usize>,
}

struct Tree {
    /// The first is the root.
    nodes: Vec<Node>,
    /// Whether the file ends too early.
    is_cut: bool,
}

impl Tree {
    /// Reads the records: each is followed by its first reply's subtree, if it has one, and
    /// then by its next sibling's.
    fn read(body: &[u8], cipher: &Cipher) -> Self {
        let mut bytes = Bytes {
            body,
            at: 0,
            cipher,
        };
        let mut tree = Self {
            nodes: vec![Node::default()],
            is_cut: false,
        };
        let Some(root) = bytes.record() else {
            tree.is_cut = true;
            return tree;
        };
        tree.nodes[0].comment = root.node.comment;
        let mut parent = root.has_reply.then_some(0);
        let mut siblings = Vec::new();
        while let Some(above) = parent {
            let Some(record) = bytes.record() else {
                tree.is_cut = true;
                break;
            };
            let index = tree.nodes.len();
            tree.nodes.push(record.node);
            tree.nodes[above].children.push(index);
            if record.has_sibling {
                siblings.push(above);
            }
            parent = if record.has_reply {
                Some(index)
            } else {
                siblings.pop()
            };
        }
        tree
    }

    /// The line from this node on, with the variations that leave it. The position is as
    /// before in the end.
    fn line(
        &self,
        first: Option<usize>,
        position: &mut Position,
        depth: usize,
    ) -> (Line, Option<Fault>) {
        let mut line = Line::default();
        let mut fault = None;
        let mut siblings: &[usize] = match (depth, first) {
            (0, Some(_)) => self.nodes[0].children.get(1..).unwrap_or_default(),
            _ => &[],
        };
        let mut next = first;
        while let Some(index) = next {
            let node = &self.nodes[index];
            let Some(mv) = node.mv.filter(|&mv| position.is_legal(mv)) else {
                fault = Some(Fault {
                    line: 0,
                    what: refusal(position, node.mv),
                });
                break;
            };
            let mut played = LineMove::new(mv);
            add_comment(&mut played.comments, &node.comment);
            if depth < MAX_DEPTH {
                for &sibling in siblings {
                    let (variation, _) = self.line(Some(sibling), position, depth + 1);
                    if !variation.moves.is_empty() {
                        played.variations.push(variation);
                    }
                }
            }
            line.moves.push(played);
            position.make(mv);
            next = node.children.first().copied();
            siblings = node.children.get(1..).unwrap_or_default();
        }
        line.moves.iter().for_each(|_| position.undo());
        (line, fault)
    }
}

fn refusal(position: &Position, mv: Option<Move>) -> String {
    let number = position.ply() / 2 + 1;
    let side = position.side();
    match mv {
        Some(mv) => match position.explain_illegal(mv) {
            Some(reason) => format!("move {number} of {side}, {mv}: {reason}"),
            None => format!("move {number} of {side}, {mv}: illegal"),
        },
        None => format!("move {number} of {side}: not two squares"),
    }
}

/// A record of the tree.
struct Record {
    node: Node,
    has_reply: bool,
    has_sibling: bool,
}

/// The deciphered bytes after the header.
struct Bytes<'a> {
    body: &'a [u8],
    at: usize,
    cipher: &'a Cipher,
}

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let taken: [u8; N] = self.body.get(self.at..self.at + N)?.try_into().ok()?;
        let start = self.at;
        self.at += N;
        Some(std::array::from_fn(|index| {
            taken[index].wrapping_sub(self.key(start + index))
        }))
    }

    fn key(&self, at: usize) -> u8 {
        self.cipher.stream[(HEADER + at) % 32]
    }

    fn record(&mut self) -> Option<Record> {
        let [from, to, tag, _] = self.take::<4>()?;
        let (has_reply, has_sibling, has_comment) = if self.cipher.is_on() {
            (tag & 0x80 != 0, tag & 0x40 != 0, tag & 0x20 != 0)
        } else {
            (tag & 0xf0 != 0, tag & 0x0f != 0, true)
        };
        let comment = if has_comment {
            let length = i64::from(i32::from_le_bytes(self.take()?)) - self.cipher.comment;
            self.comment(length)?
        } else {
            String::new()
        };
        let from = square(from.wrapping_sub(0x18).wrapping_sub(self.cipher.from));
        let to = square(to.wrapping_sub(0x20).wrapping_sub(self.cipher.to));
        let mv = from.zip(to).and_then(|(from, to)| Move::new(from, to));
        Some(Record {
            node: Node {
                mv,
                comment,
                children: Vec::new(),
            },
            has_reply,
            has_sibling,
        })
    }

    fn comment(&mut self, length: i64) -> Option<String> {
        let length = usize::try_from(length).unwrap_or(0);
        let text = self.body.get(self.at..self.at.checked_add(length)?)?;
        let plain: Vec<u8> = text
            .iter()
            .zip(self.at..)
            .map(|(byte, at)| byte.wrapping_sub(self.key(at)))
            .collect();
        self.at += length;
        Some(decode_gbk(&plain))
    }
}
