//! Which protocol is spoken.

use super::moves::Ranks;
use super::options::OptionSpec;
use super::parting::Parting;
use super::{ucci, uci};
use crate::search::SearchInfo;
use crate::types::Move;

/// A protocol, as far as output is concerned; input is understood in either.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// UCI as used for xiangqi.
    Uci,
    /// UCCI 3.0.
    Ucci,
}

/// What differs between the lines of one client and another besides the dialect.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// How moves count the ranks.
    pub ranks: Ranks,
    /// The number of the line: the search reports more than one.
    pub numbered: bool,
    /// The chances to win, draw and lose; UCCI has no word for them.
    pub wdl: bool,
}

impl Dialect {
    /// What answers the opening word, the last line included.
    pub fn handshake(self) -> Vec<String> {
        let option: fn(&OptionSpec) -> Option<String> = match self {
            Self::Uci => uci::option,
            Self::Ucci => ucci::option,
        };
        let version = env!("CARGO_PKG_VERSION");
        let mut lines = vec![
            format!("id name Vermilion {version}"),
            "id author the Vermilion authors".to_owned(),
        ];
        lines.extend(OptionSpec::ALL.iter().filter_map(option));
        #[cfg(feature = "tune")]
        lines.extend(super::tune::options(self));
        lines.push(
            match self {
                Self::Uci => "uciok",
                Self::Ucci => "ucciok",
            }
            .to_owned(),
        );
        lines
    }

    /// An info line; `None` if the dialect has no words for it.
    pub fn info(self, info: &SearchInfo, style: Style) -> Option<String> {
        match self {
            Self::Uci => Some(uci::info(info, style)),
            Self::Ucci => ucci::info(info, style),
        }
    }

    /// The line that ends a search. Whoever resigns expects no reply; UCI has no word for
    /// what is added to the move.
    pub fn best_move(
        self,
        ranks: Ranks,
        best: Option<Move>,
        ponder: Option<Move>,
        parting: Option<Parting>,
    ) -> String {
        let Some(best) = best else {
            return match self {
                Self::Uci => uci::NO_MOVE,
                Self::Ucci => ucci::NO_MOVE,
            }
            .to_owned();
        };
        let parting = parting.filter(|_| self == Self::Ucci);
        let ponder = ponder
            .filter(|_| parting != Some(Parting::Resign))
            .map_or(String::new(), |mv| format!(" ponder {}", ranks.write(mv)));
        let parting = match parting {
            Some(Parting::Draw) => " draw",
            Some(Parting::Resign) => " resign",
            None => "",
        };
        format!("bestmove {}{ponder}{parting}", ranks.write(best))
    }

    /// Free text for a person.
    pub fn notice(self, text: &str) -> String {
        match self {
            Self::Uci => format!("info string {text}"),
            Self::Ucci => format!("info message {text}"),
        }
    }
}
