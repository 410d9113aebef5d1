//! What UCI looks like.

use super::dialect::Style;
use super::options::{Kind, OptionSpec};
use crate::eval::win_draw_loss;
use crate::search::{Bound, SearchInfo};

/// The answer where there is no legal move.
pub const NO_MOVE: &str = "bestmove (none)";

/// The announcement of an option, if it has a name here.
pub fn option(spec: &OptionSpec) -> Option<String> {
    Some(announcement(spec.uci?, spec.kind))
}

/// The announcement of an option of this name.
pub fn announcement(name: &str, kind: Kind) -> String {
    match kind {
        Kind::Check { default } => format!("option name {name} type check default {default}"),
        Kind::Spin { default, min, max } => {
            format!("option name {name} type spin default {default} min {min} max {max}")
        }
        Kind::Combo { default, values } => {
            format!(
                "option name {name} type combo default {default} var {}",
                values.join(" var ")
            )
        }
        Kind::Button => format!("option name {name} type button"),
        Kind::Text { default } => format!("option name {name} type string default {default}"),
    }
}

/// A line of the search; short where the game is over and no line follows.
pub fn info(info: &SearchInfo, style: Style) -> String {
    let wdl = if style.wdl {
        let [win, draw, loss] = win_draw_loss(info.score);
        format!(" wdl {win} {draw} {loss}")
    } else {
        String::new()
    };
    if info.pv.is_empty() {
        return format!("info depth {} score {}{wdl}", info.depth, info.score);
    }
    let multipv = if style.numbered {
        format!(" multipv {}", info.multipv)
    } else {
        String::new()
    };
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    format!(
        "info depth {} seldepth {}{multipv} score {}{bound}{wdl} nodes {} nps {} hashfull {} time {} pv{}",
        info.depth,
        info.seldepth,
        info.score,
        info.nodes,
        info.nps(),
        info.hashfull,
        info.time.as_millis(),
        style.ranks.write_line(&info.pv),
    )
}
