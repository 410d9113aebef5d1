//! Terms of a match that are written as a few numbers or a name: `4,900`, `asian`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::stats::Sprt;
use crate::rules::{RuleSet, UnknownRuleSet};

/// A win is given when, for `moves` moves of each side, both engines see it at least at `score`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ResignRule {
    /// Moves of each side.
    pub moves: u32,
    /// Centipawns.
    pub score: i32,
}

/// A draw is given from move `from` on when both engines see no more than `score` for `moves` moves each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DrawRule {
    /// The first move of the game at which it applies.
    pub from: u32,
    /// Moves of each side.
    pub moves: u32,
    /// Centipawns.
    pub score: i32,
}

/// A rule set, with the names that it has everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Rule(pub RuleSet);

impl FromStr for Rule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse()
            .map(Self)
            .map_err(|error: UnknownRuleSet| error.to_string())
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The numbers of a list with commas, `N` of them.
fn numbers<T: FromStr, const N: usize>(text: &str) -> Option<[T; N]> {
    let parsed: Vec<T> = text
        .split(',')
        .map(|part| part.trim().parse().ok())
        .collect::<Option<_>>()?;
    parsed.try_into().ok()
}

impl FromStr for ResignRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match numbers::<u32, 2>(text) {
            Some([moves, score]) if moves > 0 && score <= 30_000 => Ok(Self {
                moves,
                score: score as i32,
            }),
            _ => Err(format!("`{text}`: expected MOVES,SCORE, for example 4,800")),
        }
    }
}

impl FromStr for DrawRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match numbers::<u32, 3>(text) {
            Some([from, moves, score]) if moves > 0 && score <= 30_000 => Ok(Self {
                from,
                moves,
                score: score as i32,
            }),
            _ => Err(format!(
                "`{text}`: expected FROM,MOVES,SCORE, for example 40,8,10"
            )),
        }
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.moves, self.score)
    }
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.from, self.moves, self.score)
    }
}

macro_rules! as_text {
    ($($name:ty),+) => {$(
        impl TryFrom<String> for $name {
            type Error = String;
            fn try_from(text: String) -> Result<Self, String> {
                text.parse()
            }
        }
        impl From<$name> for String {
            fn from(value: $name) -> Self {
                value.to_string()
            }
        }
    )+};
}

as_text!(Rule, ResignRule, DrawRule, Sprt);
