//! What UCCI looks like.

use super::dialect::Style;
use super::options::{Kind, OptionSpec};
use crate::search::{Bound, SearchInfo};
use crate::types::Score;

/// The answer where there is no legal move, or where only an evaluation was asked for.
pub const NO_MOVE: &str = "nobestmove";

/// The announcement of an option, if it has a name here.
pub fn option(spec: &OptionSpec) -> Option<String> {
    Some(announcement(spec.ucci?, spec.kind))
}

/// The announcement of an option of this name.
pub fn announcement(name: &str, kind: Kind) -> String {
    match kind {
        Kind::Check { default } => format!("option {name} type check default {default}"),
        Kind::Spin { default, min, max } => {
            format!("option {name} type spin min {min} max {max} default {default}")
        }
        Kind::Combo { default, values } => {
            format!(
                "option {name} type combo var {} default {default}",
                values.join(" var ")
            )
        }
        Kind::Button => format!("option {name} type button"),
        Kind::Text { default } => format!("option {name} type string default {default}"),
    }
}

/// A score: a bare number, since clients read `cp` as 0.
pub fn score(score: Score) -> String {
    match score {
        Score::Cp(value) => value.to_string(),
        Score::Mate(moves) => format!("mate {moves}"),
    }
}

/// A line of the search. UCCI has no word for a score that is only a bound, and clients
/// would take it for the score, so such a line is left out; the exact one follows. Where
/// the game is over there is no line either.
pub fn info(info: &SearchInfo, style: Style) -> Option<String> {
    if info.bound != Bound::Exact || info.pv.is_empty() {
        return None;
    }
    let multipv = if style.numbered {
        format!(" multipv {}", info.multipv)
    } else {
        String::new()
    };
    Some(format!(
        "info depth {}{multipv} score {} nodes {} time {} nps {} pv{}",
        info.depth,
        score(info.score),
        info.nodes,
        info.time.as_millis(),
        info.nps(),
        style.ranks.write_line(&info.pv),
    ))
}
