//! What is kept of a game: enough for the journal, the PGN and every figure.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::openings::Opening;
use crate::position::Position;
use crate::types::{Color, Move, Score};

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum GameResult {
    /// Red.
    #[serde(rename = "1-0")]
    RedWins,
    /// Black.
    #[serde(rename = "0-1")]
    BlackWins,
    /// Nobody.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    /// The result if this side has lost.
    pub fn loss_of(side: Color) -> Self {
        match side {
            Color::Red => Self::BlackWins,
            Color::Black => Self::RedWins,
        }
    }

    /// Half points of a side: 0, 1 or 2.
    pub fn half_points(self, side: Color) -> u8 {
        match self {
            Self::Draw => 1,
            _ if self == Self::loss_of(side) => 0,
            _ => 2,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RedWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndKind {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move, which loses too.
    Stalemate,
    /// A side has repeated what it may not: it loses.
    Perpetual,
    /// A repetition that draws.
    Repetition,
    /// Too many rounds without a capture.
    MoveLimit,
    /// Neither side has a man that can attack.
    BareMaterial,
    /// The game was too long.
    MaxMoves,
    /// Both engines saw the win.
    WinAdjudicated,
    /// Both engines saw the draw.
    DrawAdjudicated,
    /// A draw was offered and taken.
    DrawAgreed,
    /// A side gave up.
    Resignation,
    /// An illegal move, or words that are no move.
    IllegalMove,
    /// The engine said that it has no move, and it had.
    NoMove,
    /// It answered too late.
    TimeForfeit,
    /// It did not answer, and was killed.
    Hang,
    /// It ended, or closed its output.
    Crash,
    /// It did not get as far as a game.
    StartFailure,
    /// Its output did not end, and it was killed.
    EndlessOutput,
}

impl EndKind {
    /// Whether an engine has done wrong.
    pub fn is_fault(self) -> bool {
        self >= Self::IllegalMove
    }

    /// The name in the journal and the report.
    pub fn name(self) -> String {
        match serde_json::to_value(self) {
            Ok(serde_json::Value::String(name)) => name,
            _ => format!("{self:?}"),
        }
    }
}

/// The end of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ending {
    /// Who won.
    pub result: GameResult,
    /// How.
    pub kind: EndKind,
    /// In words.
    pub reason: String,
    /// The last lines of the engine that has failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub last_lines: Vec<String>,
}

impl Ending {
    /// A game that `side` has lost.
    pub fn loss(side: Color, kind: EndKind, reason: impl Into<String>) -> Self {
        Self {
            result: GameResult::loss_of(side),
            kind,
            reason: reason.into(),
            last_lines: Vec::new(),
        }
    }

    /// A draw.
    pub fn draw(kind: EndKind, reason: impl Into<String>) -> Self {
        Self {
            result: GameResult::Draw,
            kind,
            reason: reason.into(),
            last_lines: Vec::new(),
        }
    }
}

/// A move of an engine and what it said about it. In the journal it is a list:
/// move, score as UCI writes it, depth, nodes, microseconds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MoveRecord(
    #[serde(with = "as_iccs")] pub Move,
    #[serde(with = "as_score")] pub Option<Score>,
    pub Option<u32>,
    pub Option<u64>,
    pub u64,
);

impl MoveRecord {
    /// The time the engine took.
    pub fn elapsed(&self) -> Duration {
        Duration::from_micros(self.4)
    }
}

/// A game that has ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the schedule, from 0.
    pub number: usize,
    /// The engine that had Red.
    pub red: usize,
    /// The engine that had Black.
    pub black: usize,
    /// The position before the opening moves.
    pub fen: String,
    /// The opening moves.
    #[serde(with = "as_list")]
    pub opening: Vec<Move>,
    /// The engines' moves.
    pub moves: Vec<MoveRecord>,
    /// The end.
    #[serde(flatten)]
    pub ending: Ending,
    /// The day on which it started, `2026.07.30` (UTC).
    pub date: String,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// How often Red's and Black's program was started for it.
    pub starts: [u32; 2],
}

impl GameRecord {
    /// The engine that had a side.
    pub fn engine_of(&self, side: Color) -> usize {
        match side {
            Color::Red => self.red,
            Color::Black => self.black,
        }
    }

    /// The engine whose fault ended the game.
    pub fn culprit(&self) -> Option<usize> {
        let loser = Color::ALL
            .into_iter()
            .find(|&side| self.ending.result.half_points(side) == 0)?;
        self.ending.kind.is_fault().then(|| self.engine_of(loser))
    }

    /// The side that makes the first of the engines' moves.
    pub fn first_to_move(&self) -> Color {
        let start = self.fen.parse().map_or(Color::Red, |p: Position| p.side());
        if self.opening.len().is_multiple_of(2) {
            start
        } else {
            !start
        }
    }

    /// A record with an opening and nothing more yet.
    pub fn new(number: usize, red: usize, black: usize, opening: &Opening) -> Self {
        Self {
            number,
            red,
            black,
            fen: opening.fen.clone(),
            opening: opening.moves.clone(),
            moves: Vec::new(),
            ending: Ending::draw(EndKind::MaxMoves, String::new()),
            date: today(),
            seconds: 0.0,
            starts: [0; 2],
        }
    }
}

/// Today in UTC as PGN writes it. The civil date of a day number follows Howard Hinnant's
/// "chrono-compatible low-level date algorithms".
fn today() -> String {
    let since = std::time::SystemTime::UNIX_EPOCH
        .elapsed()
        .unwrap_or_default();
    let (year, month, day) = civil(since.as_secs() / 86_400);
    format!("{year:04}.{month:02}.{day:02}")
}

fn civil(days_since_1970: u64) -> (u64, u64, u64) {
    let days = days_since_1970 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    (year, month, day)
}

/// A move as `h2e2`.
mod as_iccs {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::types::Move;

    pub fn serialize<S: Serializer>(mv: &Move, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(mv)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Move, D::Error> {
        let text = String::deserialize(deserializer)?;
        Move::parse(&text).map_err(|error| D::Error::custom(format!("`{text}`: {error}")))
    }
}

/// Moves as one text.
mod as_list {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::types::Move;

    pub fn serialize<S: Serializer>(moves: &[Move], serializer: S) -> Result<S::Ok, S::Error> {
        let words: Vec<String> = moves.iter().map(Move::to_string).collect();
        serializer.serialize_str(&words.join(" "))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Move>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let moves = text.split_whitespace().map(|word| {
            Move::parse(word).map_err(|error| D::Error::custom(format!("`{word}`: {error}")))
        });
        moves.collect()
    }
}

/// A score as `cp 31`, `mate -2` or null.
mod as_score {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    use crate::types::Score;

    pub fn serialize<S: Serializer>(
        score: &Option<Score>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        score.map(|score| score.to_string()).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Score>, D::Error> {
        let Some(text) = Option::<String>::deserialize(deserializer)? else {
            return Ok(None);
        };
        let read = |text: &str| {
            let (kind, number) = text.split_once(' ')?;
            let number = number.parse().ok()?;
            match kind {
                "cp" => Some(Score::Cp(number)),
                "mate" => Some(Score::Mate(number)),
                _ => None,
            }
        };
        let score = read(&text).ok_or_else(|| D::Error::custom(format!("`{text}` is no score")))?;
        Ok(Some(score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_survives_the_journal() {
        let opening = Opening::parse("startpos moves h2e2").expect("legal");
        let mut record = GameRecord::new(7, 1, 0, &opening);
        let mv = Move::parse("h9g7").expect("a move");
        record.moves = vec![
            MoveRecord(mv, Some(Score::Cp(-31)), Some(9), Some(12_345), 50_001),
            MoveRecord(mv, Some(Score::Mate(-2)), None, None, 0),
            MoveRecord(mv, None, None, None, 1),
        ];
        record.ending = Ending::loss(Color::Red, EndKind::IllegalMove, "`x` ünlesbar");
        record.ending.last_lines = vec!["> bestmove x".into()];
        let text = serde_json::to_string(&record).expect("writable");
        assert!(!text.contains('\n'));
        let read: GameRecord = serde_json::from_str(&text).expect("readable");
        assert_eq!(read, record);
        assert_eq!(read.culprit(), Some(1));
        assert_eq!(read.first_to_move(), Color::Black);
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        // `date -u -d @$((86400 * N)) +%F`
        for (days, date) in [
            (0, (1970, 1, 1)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (20_664, (2026, 7, 30)),
            (47_540, (2100, 2, 28)),
            (47_541, (2100, 3, 1)),
        ] {
            assert_eq!(civil(days), date);
        }
    }
}
