//! What an engine is and how it is timed: the words of `--engine` and `--tc`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The protocol an engine is spoken to in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// UCCI 3.0.
    Ucci,
    /// UCI as xiangqi engines use it.
    #[default]
    Uci,
    /// UCI-Cyclone: UCI whose position lines start with `fen`.
    Cyclone,
}

impl FromStr for Protocol {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "ucci" => Ok(Self::Ucci),
            "uci" => Ok(Self::Uci),
            "cyclone" => Ok(Self::Cyclone),
            _ => Err("expected ucci, uci or cyclone".into()),
        }
    }
}

/// How much an engine may use for a move or a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum TimeControl {
    /// A clock: `base` for the game or for each `moves` moves, and `increment` after each move.
    Clock {
        /// Moves per period; `None` if `base` is for the whole game.
        moves: Option<u32>,
        /// Time at the start of each period.
        base: Duration,
        /// Time added after each move.
        increment: Duration,
    },
    /// A fixed time a move.
    MoveTime(Duration),
    /// A number of nodes a move.
    Nodes(u64),
    /// A depth a move.
    Depth(u32),
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const FORMS: &str = "expected `8+0.08`, `60`, `40/60+0.5` (seconds), `movetime MS`, `nodes N` or `depth N`, above 0";
        let refused = || format!("time control `{text}`: {FORMS}");
        let text_trimmed = text.trim();
        if let Some((kind, value)) = text_trimmed.split_once([' ', '=']) {
            let value: u64 = value.trim().parse().map_err(|_| refused())?;
            return match kind {
                _ if value == 0 => Err(refused()),
                "movetime" => Ok(Self::MoveTime(Duration::from_millis(value))),
                "nodes" => Ok(Self::Nodes(value)),
                "depth" => u32::try_from(value).map(Self::Depth).map_err(|_| refused()),
                _ => Err(refused()),
            };
        }
        let (moves, rest) = match text_trimmed.split_once('/') {
            Some((moves, rest)) => {
                let moves: u32 = moves.parse().map_err(|_| refused())?;
                (Some(moves), rest)
            }
            None => (None, text_trimmed),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let seconds = |text: &str| {
            let seconds: f64 = text.parse().ok()?;
            Duration::try_from_secs_f64(seconds).ok()
        };
        let base = seconds(base).ok_or_else(refused)?;
        let increment = seconds(increment).ok_or_else(refused)?;
        if base.is_zero() || moves == Some(0) {
            return Err(refused());
        }
        Ok(Self::Clock {
            moves,
            base,
            increment,
        })
    }
}

impl TryFrom<String> for TimeControl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(tc: TimeControl) -> Self {
        tc.to_string()
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clock {
                moves,
                base,
                increment,
            } => {
                if let Some(moves) = moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}", base.as_secs_f64())?;
                if increment.is_zero() {
                    Ok(())
                } else {
                    write!(f, "+{}", increment.as_secs_f64())
                }
            }
            Self::MoveTime(time) => write!(f, "movetime {}", time.as_millis()),
            Self::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Self::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

/// An engine as the user describes it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EngineSpec {
    /// What the engine is called in every record; the name of the program if not given.
    #[serde(default)]
    pub name: String,
    /// The program: a path, or a name found in `PATH`.
    pub cmd: String,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// The protocol.
    #[serde(default)]
    pub proto: Protocol,
    /// The directory it runs in.
    #[serde(default)]
    pub dir: Option<PathBuf>,
    /// Its own time control, instead of that of the match.
    #[serde(default)]
    pub tc: Option<TimeControl>,
    /// The lowest rank in its coordinates, 0 or 1; `None` to find out from its first move.
    #[serde(default)]
    pub base: Option<u8>,
    /// Whether to tell it by `banmoves` which moves would lose by the repetition rules (UCCI).
    #[serde(default)]
    pub banmoves: bool,
    /// Whether it thinks on the opponent's time; `None` for what the match says.
    #[serde(default)]
    pub ponder: Option<bool>,
    /// Whether it is started anew for each game; `None` for what the match says.
    #[serde(default)]
    pub restart: Option<bool>,
    /// Options in the order in which they are set. An empty value presses a button.
    #[serde(default, with = "option_map")]
    pub options: Vec<(String, String)>,
}

/// Why an engine specification was refused. Words are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SpecError {
    /// A quotation mark without its partner.
    UnclosedQuote {
        /// The character where the quotation starts, from 1.
        column: usize,
    },
    /// A word that is not `key=value`.
    NotKeyValue {
        /// Which word.
        word: usize,
        /// Its text.
        text: String,
    },
    /// A key that means nothing.
    UnknownKey {
        /// Which word.
        word: usize,
        /// The key.
        key: String,
    },
    /// A key given twice.
    Repeated {
        /// Which word.
        word: usize,
        /// The key.
        key: String,
    },
    /// A value that the key does not take.
    BadValue {
        /// Which word.
        word: usize,
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What would have been right.
        expected: String,
    },
    /// No `cmd=`.
    NoCommand,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnclosedQuote { column } => {
                write!(
                    f,
                    "the quotation that starts at character {column} has no end"
                )
            }
            Self::NotKeyValue { word, text } => write!(f, "word {word}, `{text}`, is no key=value"),
            Self::UnknownKey { word, key } => write!(
                f,
                "word {word}: unknown key `{key}`; the keys are name, cmd, args, proto, dir, tc, \
                 base, banmoves, ponder, restart and option.NAME"
            ),
            Self::Repeated { word, key } => write!(f, "word {word}: `{key}` is given twice"),
            Self::BadValue {
                word,
                key,
                value,
                expected,
            } => write!(f, "word {word}: {key} `{value}`: {expected}"),
            Self::NoCommand => f.write_str("no cmd=PROGRAM"),
        }
    }
}

impl std::error::Error for SpecError {}

/// Splits at blanks that are not inside single or double quotation marks, which are dropped.
fn split_words(text: &str) -> Result<Vec<String>, SpecError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<(char, usize)> = None;
    for (index, ch) in text.chars().enumerate() {
        match quote {
            Some((mark, _)) if ch == mark => quote = None,
            Some(_) => word.get_or_insert_default().push(ch),
            None if ch == '"' || ch == '\'' => {
                quote = Some((ch, index + 1));
                word.get_or_insert_default();
            }
            None if ch.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(ch),
        }
    }
    if let Some((_, column)) = quote {
        return Err(SpecError::UnclosedQuote { column });
    }
    words.extend(word);
    Ok(words)
}

fn switch(value: &str) -> Result<bool, String> {
    match value.to_ascii_lowercase().as_str() {
        "on" | "true" | "yes" | "1" => Ok(true),
        "off" | "false" | "no" | "0" => Ok(false),
        _ => Err("expected on or off".into()),
    }
}

impl EngineSpec {
    /// Whether the user has said in which unit a UCCI engine gets its times, by setting
    /// its option `usemillisec`.
    pub fn milliseconds(&self) -> Option<bool> {
        let mut options = self.options.iter().rev();
        let (_, value) = options.find(|(name, _)| name.eq_ignore_ascii_case("usemillisec"))?;
        switch(value).ok()
    }

    /// Takes one `key=value`; `Ok(false)` if the key is unknown.
    fn set(&mut self, key: &str, value: &str) -> Result<bool, String> {
        match key {
            "name" => self.name = value.into(),
            "cmd" => self.cmd = value.into(),
            "args" => self.args = split_words(value).map_err(|error| error.to_string())?,
            "proto" => self.proto = value.parse()?,
            "dir" => self.dir = Some(value.into()),
            "tc" => self.tc = Some(value.parse()?),
            "base" => {
                let base = value.parse().ok().filter(|&base: &u8| base <= 1);
                self.base = Some(base.ok_or("expected 0 or 1")?);
            }
            "banmoves" => self.banmoves = switch(value)?,
            "ponder" => self.ponder = Some(switch(value)?),
            "restart" => self.restart = Some(switch(value)?),
            _ => match key.strip_prefix("option.") {
                Some(name) if !name.is_empty() => self.options.push((name.into(), value.into())),
                _ => return Ok(false),
            },
        }
        Ok(true)
    }
}

impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let mut spec = Self::default();
        let mut seen: Vec<String> = Vec::new();
        for (index, text) in split_words(text)?.into_iter().enumerate() {
            let word = index + 1;
            let Some((key, value)) = text.split_once('=') else {
                return Err(SpecError::NotKeyValue { word, text });
            };
            let (key, value) = (key.to_owned(), value.to_owned());
            if seen.contains(&key) {
                return Err(SpecError::Repeated { word, key });
            }
            match spec.set(&key, &value) {
                Ok(true) => seen.push(key),
                Ok(false) => return Err(SpecError::UnknownKey { word, key }),
                Err(expected) => {
                    return Err(SpecError::BadValue {
                        word,
                        key,
                        value,
                        expected,
                    });
                }
            }
        }
        if spec.cmd.is_empty() {
            return Err(SpecError::NoCommand);
        }
        Ok(spec)
    }
}

/// The options as a table whose values may be text, numbers or booleans.
mod option_map {
    use std::fmt;

    use serde::de::{MapAccess, Visitor};
    use serde::{Deserialize, Deserializer, Serializer};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Value {
        Boolean(bool),
        Integer(i64),
        Float(f64),
        Text(String),
    }

    pub fn serialize<S: Serializer>(
        options: &[(String, String)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(options.iter().map(|(name, value)| (name, value)))
    }

    struct Options;

    impl<'de> Visitor<'de> for Options {
        type Value = Vec<(String, String)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a table of options")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut options = Vec::new();
            while let Some((name, value)) = map.next_entry()? {
                let value = match value {
                    Value::Boolean(value) => value.to_string(),
                    Value::Integer(value) => value.to_string(),
                    Value::Float(value) => value.to_string(),
                    Value::Text(value) => value,
                };
                options.push((name, value));
            }
            Ok(options)
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(String, String)>, D::Error> {
        deserializer.deserialize_map(Options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_specification_is_read() {
        let spec: EngineSpec = "name=A cmd='/opt/my engine' args=\"--net 'big net' -q\" proto=ucci \
             dir=/tmp tc=\"movetime 50\" banmoves=on option.hashsize=64 \"option.Repetition Rule=AsianRule\" option.clear="
            .parse()
            .expect("a good specification");
        assert_eq!(spec.cmd, "/opt/my engine");
        assert_eq!(spec.args, ["--net", "big net", "-q"]);
        assert_eq!(spec.proto, Protocol::Ucci);
        assert_eq!(
            spec.tc,
            Some(TimeControl::MoveTime(Duration::from_millis(50)))
        );
        assert!(spec.banmoves);
        let options: Vec<_> = spec
            .options
            .iter()
            .map(|(n, v)| (n.as_str(), v.as_str()))
            .collect();
        assert_eq!(
            options,
            [
                ("hashsize", "64"),
                ("Repetition Rule", "AsianRule"),
                ("clear", "")
            ]
        );
        let json = serde_json::to_string(&spec).expect("a specification is writable");
        assert_eq!(
            serde_json::from_str::<EngineSpec>(&json).expect("and readable"),
            spec
        );
    }

    #[test]
    fn errors_say_what_and_where() {
        let error = |text: &str| text.parse::<EngineSpec>().expect_err(text).to_string();
        assert_eq!(
            error("cmd=a name=\"b c"),
            "the quotation that starts at character 12 has no end"
        );
        assert_eq!(error("cmd=a b"), "word 2, `b`, is no key=value");
        assert!(error("cmd=a prot=uci").starts_with("word 2: unknown key `prot`; the keys are"));
        assert!(error("cmd=a option.=3").starts_with("word 2: unknown key `option.`"));
        assert_eq!(error("cmd=a cmd=b"), "word 2: `cmd` is given twice");
        assert_eq!(
            error("cmd=a proto=xboard"),
            "word 2: proto `xboard`: expected ucci, uci or cyclone"
        );
        assert_eq!(error("cmd=a base=2"), "word 2: base `2`: expected 0 or 1");
        assert!(error("cmd=a tc=fast").contains("time control `fast`: expected"));
        assert_eq!(error("name=a"), "no cmd=PROGRAM");
    }

    #[test]
    fn time_controls_round_trip_and_nonsense_is_refused() {
        for text in [
            "8+0.08",
            "60",
            "40/60+0.5",
            "movetime 50",
            "nodes 1000",
            "depth 8",
        ] {
            let tc: TimeControl = text.parse().expect(text);
            assert_eq!(tc.to_string(), text);
        }
        for text in [
            "",
            "0",
            "-1",
            "1+-1",
            "0/60",
            "x/60",
            "nodes",
            "nodes 0",
            "nodes -5",
            "mate 3",
            "1e99",
            "NaN",
            "depth 5000000000",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }
}
