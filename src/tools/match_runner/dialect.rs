//! The words of UCCI, UCI and UCI-Cyclone, as functions of text.

use std::time::Duration;

use super::spec::Protocol;
use crate::types::{Color, Move, Score};

/// The lowest rank in an engine's coordinates: Fairy-Stockfish in UCI counts from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RankBase {
    /// `a0` to `i9`.
    Zero,
    /// `a1` to `i10`.
    One,
}

impl RankBase {
    /// Writes a move.
    pub fn write(self, mv: Move) -> String {
        match self {
            Self::Zero => mv.to_string(),
            Self::One => {
                let square = |square: crate::types::Square| {
                    format!("{}{}", square.file().letter(), square.rank().index() + 1)
                };
                format!("{}{}", square(mv.from()), square(mv.to()))
            }
        }
    }

    /// Reads a move.
    pub fn read(self, text: &str) -> Option<Move> {
        match self {
            Self::Zero => Move::parse(text).ok(),
            Self::One => {
                let lower = |square: &str| -> Option<String> {
                    let rank: u8 = square.get(1..)?.parse().ok()?;
                    Some(format!("{}{}", square.get(..1)?, rank.checked_sub(1)?))
                };
                // The second square starts at the second letter.
                let split = text
                    .char_indices()
                    .skip(1)
                    .find(|(_, ch)| ch.is_ascii_alphabetic())?
                    .0;
                let (from, to) = text.split_at_checked(split)?;
                Move::parse(&(lower(from)? + &lower(to)?)).ok()
            }
        }
    }
}

/// What an engine said about itself in the handshake.
#[derive(Clone, Default, Debug)]
pub struct Announced {
    options: Vec<(String, String)>,
}

impl Announced {
    /// Takes a line of the handshake; only `option` lines count. UCI has the word `name`
    /// in them, which some UCCI engines write too; a few leave the type out.
    pub fn take(&mut self, line: &str) {
        let words: Vec<String> = line.split_ascii_whitespace().map(lower).collect();
        let [first, words @ ..] = words.as_slice() else {
            return;
        };
        if first != "option" {
            return;
        }
        let end = words.iter().position(|word| word == "type");
        let (name, kind) = words.split_at(end.unwrap_or(words.len()));
        let name = match name {
            [first, name @ ..] if first == "name" && !name.is_empty() => name,
            name => name,
        };
        let kind = kind.get(1..).unwrap_or_default();
        self.options.push((name.join(" "), kind.join(" ")));
    }

    /// The description of an option, from its type on, in lower case.
    pub fn option(&self, name: &str) -> Option<&str> {
        let name = name.to_lowercase();
        let found = self.options.iter().find(|(known, _)| *known == name);
        found.map(|(_, kind)| kind.as_str())
    }

    /// Whether the engine plays more than xiangqi and has to be told.
    pub fn has_variants(&self) -> bool {
        self.option("uci_variant")
            .is_some_and(|kind| kind.split(' ').any(|word| word == "xiangqi"))
    }

    /// Which coordinates to expect of a UCI engine before it has moved. One that has
    /// variants comes from the family of Fairy-Stockfish, unless the base can be chosen.
    pub fn likely_base(&self) -> RankBase {
        let chosen = self
            .options
            .iter()
            .any(|(name, _)| name.contains("rankbase"));
        if self.has_variants() && !chosen {
            RankBase::One
        } else {
            RankBase::Zero
        }
    }
}

/// The line that sets an option; an empty value is a button.
pub fn set_option(protocol: Protocol, name: &str, value: &str) -> String {
    match (protocol, value) {
        (Protocol::Ucci, "") => format!("setoption {name}"),
        (Protocol::Ucci, value) => format!("setoption {name} {value}"),
        (_, "") => format!("setoption name {name}"),
        (_, value) => format!("setoption name {name} value {value}"),
    }
}

/// The line that tells the position: where it was after the last capture, and the moves since.
pub fn position(protocol: Protocol, fen: &str, moves: &[Move], base: RankBase) -> String {
    let mut line = match protocol {
        Protocol::Ucci | Protocol::Uci => format!("position fen {fen}"),
        // The clients of this dialect write `r` for Red.
        Protocol::Cyclone => format!("fen {}", fen.replacen(" w", " r", 1)),
    };
    if !moves.is_empty() {
        line.push_str(" moves");
        push_moves(&mut line, moves, base);
    }
    line
}

/// The line that forbids moves at the root.
pub fn ban_moves(moves: &[Move]) -> String {
    let mut line = String::from("banmoves");
    push_moves(&mut line, moves, RankBase::Zero);
    line
}

fn push_moves(line: &mut String, moves: &[Move], base: RankBase) {
    for &mv in moves {
        line.push(' ');
        line.push_str(&base.write(mv));
    }
}

/// A side's clock as `go` tells it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Increment.
    pub increment: Duration,
    /// Moves to the next period.
    pub moves: Option<u32>,
}

/// What limits a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Clocks: of the side to move, and of the other side.
    Clocks(Clock, Clock),
    /// A fixed time.
    MoveTime(Duration),
    /// Nodes.
    Nodes(u64),
    /// Depth.
    Depth(u32),
}

/// A time for `go`: whole units, and no less than one, since 0 is no time for some engines.
fn units(time: Duration, in_seconds: bool) -> u128 {
    if in_seconds {
        u128::from(time.as_secs()).max(1)
    } else {
        time.as_millis().max(1)
    }
}

/// An increment for `go`: whole units, 0 if there is none.
fn increment(time: Duration, in_seconds: bool) -> u128 {
    if in_seconds {
        u128::from(time.as_secs())
    } else {
        time.as_millis()
    }
}

/// What goes with `go` besides the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GoWords {
    /// Think on the opponent's time.
    pub ponder: bool,
    /// The opponent has offered a draw (UCCI).
    pub draw: bool,
    /// Times are in seconds (UCCI engines without `usemillisec`).
    pub in_seconds: bool,
}

/// The line that starts a search.
pub fn go(protocol: Protocol, side: Color, limit: Limit, words: GoWords) -> String {
    let mut line = String::from("go");
    if words.ponder {
        line.push_str(" ponder");
    } else if words.draw && protocol == Protocol::Ucci {
        line.push_str(" draw");
    }
    let limit = match (limit, protocol) {
        (Limit::Nodes(nodes), _) => format!(" nodes {nodes}"),
        (Limit::Depth(depth), _) => format!(" depth {depth}"),
        // UCCI has no word for a fixed time; one move to go is what it says instead.
        (Limit::MoveTime(time), Protocol::Ucci) => {
            format!(" time {} movestogo 1", units(time, words.in_seconds))
        }
        (Limit::MoveTime(time), _) => format!(" movetime {}", units(time, false)),
        (Limit::Clocks(own, other), Protocol::Ucci) => {
            ucci_clock("", own, words.in_seconds) + &ucci_clock("opp", other, words.in_seconds)
        }
        (Limit::Clocks(own, other), _) => {
            let (red, black) = match side {
                Color::Red => (own, other),
                Color::Black => (other, own),
            };
            let mut text = format!(
                " wtime {} btime {} winc {} binc {}",
                units(red.left, false),
                units(black.left, false),
                increment(red.increment, false),
                increment(black.increment, false),
            );
            if let Some(moves) = own.moves {
                text += &format!(" movestogo {moves}");
            }
            text
        }
    };
    line + &limit
}

fn ucci_clock(prefix: &str, clock: Clock, in_seconds: bool) -> String {
    let time = units(clock.left, in_seconds);
    match clock.moves {
        Some(moves) => format!(" {prefix}time {time} {prefix}movestogo {moves}"),
        None => format!(
            " {prefix}time {time} {prefix}increment {}",
            increment(clock.increment, in_seconds)
        ),
    }
}

/// What a search has told: the last of each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// The score for the side to move.
    pub score: Option<Score>,
    /// Depth.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
}

/// A line that an engine says while it thinks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Its move.
    BestMove {
        /// The move as it is written.
        mv: String,
        /// The answer that it expects.
        ponder: Option<String>,
        /// It offers or accepts a draw.
        draw: bool,
        /// It gives up.
        resign: bool,
    },
    /// It has no move.
    NoMove,
    /// It gives up and names no move.
    Resigns,
    /// Anything else.
    Other,
}

/// Reads a line of output; what an info line says goes into `info`, its line of play into `pv`.
pub fn reply(line: &str, info: &mut Info, pv: &mut Vec<String>) -> Reply {
    let mut words = line.split_ascii_whitespace();
    match words.next().map(lower).as_deref() {
        Some("info") => {
            read_info(words, info, pv);
            Reply::Other
        }
        Some("nobestmove") => Reply::NoMove,
        Some("bestmove") => read_best_move(words.map(lower)),
        _ => Reply::Other,
    }
}

/// Whether the line begins with this word, in whatever case.
pub fn begins_with(line: &str, word: &str) -> bool {
    let first = line.split_ascii_whitespace().next();
    first.is_some_and(|first| first.eq_ignore_ascii_case(word))
}

fn lower(word: &str) -> String {
    word.to_ascii_lowercase()
}

fn read_best_move(mut words: impl Iterator<Item = String>) -> Reply {
    let mv = match words.next() {
        Some(mv) if !["(none)", "none", "null", "0000"].contains(&mv.as_str()) => mv,
        _ => return Reply::NoMove,
    };
    if mv == "resign" {
        return Reply::Resigns;
    }
    let (mut ponder, mut draw, mut resign) = (None, false, false);
    while let Some(word) = words.next() {
        match word.as_str() {
            "ponder" => ponder = words.next(),
            "draw" => draw = true,
            "resign" => resign = true,
            _ => {}
        }
    }
    Reply::BestMove {
        mv,
        ponder,
        draw,
        resign,
    }
}

fn read_info<'a>(mut words: impl Iterator<Item = &'a str>, info: &mut Info, pv: &mut Vec<String>) {
    let mut found = Info::default();
    let mut line = None;
    while let Some(word) = words.next() {
        match word {
            // Only the best line counts.
            "multipv" if words.next() != Some("1") => return,
            "depth" => found.depth = words.next().and_then(|word| word.parse().ok()),
            "nodes" => found.nodes = words.next().and_then(|word| word.parse().ok()),
            "score" => {
                found.score = match words.next() {
                    Some("cp") => number(words.next()).map(Score::Cp),
                    Some("mate") => number(words.next()).map(Score::Mate),
                    word => number(word).map(Score::Cp),
                }
            }
            "pv" => {
                line = Some(words.map(str::to_owned).collect());
                break;
            }
            "string" | "message" => break,
            _ => {}
        }
    }
    info.depth = found.depth.or(info.depth);
    info.nodes = found.nodes.or(info.nodes);
    info.score = found.score.or(info.score);
    if let Some(line) = line {
        *pv = line;
    }
}

fn number(word: Option<&str>) -> Option<i32> {
    word?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::START_FEN;

    fn mv(text: &str) -> Move {
        Move::parse(text).expect("a move")
    }

    #[test]
    fn ranks_from_one_are_written_and_read() {
        for bits in 0..=u16::MAX {
            if let Some(mv) = Move::from_bits(bits) {
                for base in [RankBase::Zero, RankBase::One] {
                    assert_eq!(base.read(&base.write(mv)), Some(mv));
                }
            }
        }
        assert_eq!(RankBase::One.write(mv("h2h9")), "h3h10");
        for bad in [
            "",
            "h",
            "h0e1",
            "h3",
            "h3h11",
            "(none)",
            "炮二平五",
            "h-1e1",
            "hhhh",
        ] {
            assert_eq!(RankBase::One.read(bad), None, "{bad}");
        }
    }

    #[test]
    fn commands_are_spelt_as_each_protocol_wants() {
        let second = Duration::from_secs(1);
        let clock = |left: u64, moves| Clock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(80),
            moves,
        };
        let clocks = Limit::Clocks(clock(8000, None), clock(500, None));
        let words = GoWords::default();
        let go = |protocol, limit, words| go(protocol, Color::Black, limit, words);
        assert_eq!(
            go(Protocol::Uci, clocks, words),
            "go wtime 500 btime 8000 winc 80 binc 80"
        );
        let draw = GoWords {
            draw: true,
            ..words
        };
        assert_eq!(
            go(Protocol::Ucci, clocks, draw),
            "go draw time 8000 increment 80 opptime 500 oppincrement 80"
        );
        let slow = GoWords {
            in_seconds: true,
            ponder: true,
            ..words
        };
        assert_eq!(
            go(Protocol::Ucci, clocks, slow),
            "go ponder time 8 increment 0 opptime 1 oppincrement 0"
        );
        let period = Limit::Clocks(clock(8000, Some(3)), clock(500, Some(4)));
        assert_eq!(
            go(Protocol::Ucci, period, words),
            "go time 8000 movestogo 3 opptime 500 oppmovestogo 4"
        );
        assert!(go(Protocol::Cyclone, period, words).ends_with("movestogo 3"));
        assert_eq!(
            go(Protocol::Ucci, Limit::MoveTime(second), words),
            "go time 1000 movestogo 1"
        );
        assert_eq!(
            position(Protocol::Cyclone, START_FEN, &[mv("h2e2")], RankBase::Zero),
            format!("fen {} moves h2e2", START_FEN.replace(" w", " r"))
        );
        assert_eq!(
            set_option(Protocol::Uci, "Clear Hash", ""),
            "setoption name Clear Hash"
        );
        assert_eq!(
            set_option(Protocol::Ucci, "hashsize", "64"),
            "setoption hashsize 64"
        );
    }

    #[test]
    fn replies_of_many_engines_are_understood() {
        let mut info = Info::default();
        let mut pv = Vec::new();
        let mut read = |line: &str| reply(line, &mut info, &mut pv);
        assert_eq!(read("bestmove (none)"), Reply::NoMove);
        assert_eq!(read("nobestmove"), Reply::NoMove);
        assert_eq!(read("bestmove resign"), Reply::Resigns);
        assert_eq!(
            read("bestmove H2E2 ponder h9g7 draw"),
            Reply::BestMove {
                mv: "h2e2".into(),
                ponder: Some("h9g7".into()),
                draw: true,
                resign: false
            }
        );
        assert_eq!(read("bestmovee h2e2"), Reply::Other);
        assert_eq!(read("BestMove  NULL"), Reply::NoMove);
        assert_eq!(read("info message bestmove a0a1"), Reply::Other);
        read("info depth 7 seldepth 9 multipv 1 score cp 31 nodes 900 nps 5 pv h2e2 h9g7");
        read("info depth 7 multipv 2 score cp -5 nodes 999 pv b2e2");
        read("info currmove a0a1 currmovenumber 3");
        read("info string score 1000000 depth 99");
        assert_eq!(
            (info.score, info.depth, info.nodes),
            (Some(Score::Cp(31)), Some(7), Some(900))
        );
        assert_eq!(pv, ["h2e2", "h9g7"]);
        let mut read = |line: &str| {
            reply(line, &mut info, &mut pv);
            info.score
        };
        assert_eq!(read("info depth 8 score -12 pv h2e2"), Some(Score::Cp(-12)));
        assert_eq!(
            read("info depth 8 score mate -3 pv h2e2"),
            Some(Score::Mate(-3))
        );
        assert_eq!(read("info depth x score y"), Some(Score::Mate(-3)));
    }

    #[test]
    fn the_handshake_tells_variants_and_coordinates() {
        let mut fairy = Announced::default();
        let line = "option name UCI_Variant type combo default chess var chess var xiangqi";
        fairy.take(line);
        assert!(fairy.has_variants());
        assert_eq!(fairy.likely_base(), RankBase::One);
        fairy.take("option name UCI_RankBase type spin default 0 min 0 max 1");
        assert_eq!(fairy.likely_base(), RankBase::Zero);
        for (line, kind) in [
            (
                "option usemillisec type check default true",
                "check default true",
            ),
            ("Option  UseMilliSec  TYPE check", "check"),
            ("option name usemillisec type check", "check"),
            ("option usemillisec ", ""),
        ] {
            let mut eye = Announced::default();
            eye.take(line);
            assert_eq!(eye.option("UseMillisec"), Some(kind), "{line}");
            assert!(!eye.has_variants());
        }
    }
}
