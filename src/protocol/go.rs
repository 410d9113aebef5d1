//! Reading `go`.

use std::time::Duration;

use super::moves::{Ranks, read_choice};
use super::options::read_number;
use crate::position::Position;
use crate::search::{Clock, Limits};
use crate::types::Color;

/// The longest time that is taken as given.
const MAX_TIME_MS: u64 = 10_000_000_000;

/// What `go` asks for.
#[derive(Clone, Debug)]
pub struct Go {
    /// The limits of a search.
    pub limits: Limits,
    /// What was odd.
    pub notices: Vec<String>,
    /// UCCI's `depth 0`: evaluate and do not search.
    pub evaluate_only: bool,
    /// The opponent offers a draw.
    pub draw_offered: bool,
}

/// Times in milliseconds and counts, as the words give them.
#[derive(Default)]
struct Times {
    own: Option<u64>,
    opponent: Option<u64>,
    own_increment: Option<u64>,
    moves_to_go: Option<u32>,
}

/// Words that take a number.
const WITH_NUMBER: &[&str] = &[
    "depth",
    "nodes",
    "mate",
    "movetime",
    "time",
    "opptime",
    "increment",
    "oppincrement",
    "movestogo",
    "oppmovestogo",
    "wtime",
    "btime",
    "winc",
    "binc",
];
/// Words that stand alone, or whose argument is skipped.
const OTHERS: &[&str] = &[
    "infinite",
    "ponder",
    "draw",
    "searchmoves",
    "bookmove",
    "egtbmove",
];

fn is_keyword(word: &str) -> bool {
    let mut known = WITH_NUMBER.iter().chain(OTHERS);
    known.any(|known| known.eq_ignore_ascii_case(word))
}

/// Reads what follows `go`: the words of both dialects in any order, unknown ones skipped.
/// `unit_ms` is what one unit of UCCI's times is, `usual` how moves count the ranks where they
/// do not tell. Without any limit the search is infinite.
pub fn read_go(position: &Position, words: &[&str], unit_ms: u64, usual: Ranks) -> Go {
    let mut go = Go {
        limits: Limits::default(),
        notices: Vec::new(),
        evaluate_only: false,
        draw_offered: false,
    };
    let mut times = Times::default();
    let mut words = words;
    while let [word, rest @ ..] = words {
        words = rest;
        let word = word.to_ascii_lowercase();
        match word.as_str() {
            "infinite" => go.limits.infinite = true,
            "ponder" => go.limits.ponder = true,
            "draw" => go.draw_offered = true,
            "searchmoves" => {
                let end = rest.iter().position(|word| is_keyword(word));
                let (chosen, after) = rest.split_at(end.unwrap_or(rest.len()));
                read_search_moves(position, chosen, usual, &mut go);
                words = after;
            }
            // A number that is missing does not swallow the next word.
            known if WITH_NUMBER.contains(&known) => {
                if let Some(number) = rest.first().and_then(|word| read_number(word)) {
                    set_number(known, number, position.side(), unit_ms, &mut go, &mut times);
                    words = &rest[1..];
                }
            }
            _ => {}
        }
    }
    go.limits.clock = times.clock();
    let limits = &mut go.limits;
    let has_end = limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.mate.is_some()
        || limits.movetime.is_some()
        || limits.clock.is_some();
    limits.infinite |= !has_end && !limits.ponder;
    go
}

fn read_search_moves(position: &Position, words: &[&str], usual: Ranks, go: &mut Go) {
    let (moves, refused) = read_choice(position, words, usual);
    go.limits.search_moves.extend(moves);
    go.notices.extend(
        refused
            .iter()
            .map(|refused| format!("searchmoves: {refused}")),
    );
    if go.limits.search_moves.is_empty() {
        go.notices
            .push("searchmoves leaves no move, all are searched".to_owned());
    }
}

/// Takes a number over. Negative times are no time at all; other limits are at least 1.
fn set_number(word: &str, number: i64, side: Color, unit_ms: u64, go: &mut Go, times: &mut Times) {
    let count = number.max(1).unsigned_abs();
    let small = u32::try_from(count).unwrap_or(u32::MAX);
    let ms = number.max(0).unsigned_abs().min(MAX_TIME_MS);
    let units = ms.saturating_mul(unit_ms).min(MAX_TIME_MS);
    let red = side == Color::Red;
    match word {
        "depth" => {
            go.limits.depth = Some(small);
            go.evaluate_only = number == 0;
        }
        "nodes" => go.limits.nodes = Some(count),
        "mate" => go.limits.mate = Some(small),
        "movetime" => go.limits.movetime = Some(Duration::from_millis(ms)),
        "movestogo" => times.moves_to_go = (number > 0).then_some(small),
        "time" => times.own = Some(units),
        "opptime" => times.opponent = Some(units),
        "increment" => times.own_increment = Some(units),
        "wtime" if red => times.own = Some(ms),
        "btime" if red => times.opponent = Some(ms),
        "wtime" => times.opponent = Some(ms),
        "btime" => times.own = Some(ms),
        "winc" if red => times.own_increment = Some(ms),
        "binc" if !red => times.own_increment = Some(ms),
        _ => {}
    }
}

/// The limits as they were understood, for a person.
pub fn describe(limits: &Limits) -> String {
    let mut words = Vec::new();
    let mut number = |name: &str, number: Option<u128>| {
        words.extend(number.map(|number| format!("{name} {number}")));
    };
    number("depth", limits.depth.map(Into::into));
    number("nodes", limits.nodes.map(Into::into));
    number("mate", limits.mate.map(Into::into));
    number("movetime", limits.movetime.map(|time| time.as_millis()));
    if let Some(clock) = limits.clock {
        number("time", Some(clock.remaining.as_millis()));
        number("increment", Some(clock.increment.as_millis()));
        number("movestogo", clock.moves_to_go.map(Into::into));
        let opponent = clock.opponent_remaining;
        number("opptime", opponent.map(|time| time.as_millis()));
    }
    let flags = [(limits.infinite, "infinite"), (limits.ponder, "ponder")];
    words.extend(
        flags
            .iter()
            .filter(|flag| flag.0)
            .map(|flag| flag.1.to_owned()),
    );
    if !limits.search_moves.is_empty() {
        words.push(format!("{} searchmoves", limits.search_moves.len()));
    }
    words.join(", ")
}

impl Times {
    /// The clock, if any was given. Without the own time the opponent's is taken for it,
    /// and an increment alone is a clock that has run out.
    fn clock(&self) -> Option<Clock> {
        let remaining = self
            .own
            .or(self.opponent)
            .or(self.own_increment.map(|_| 0))?;
        Some(Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(self.own_increment.unwrap_or(0)),
            moves_to_go: self.moves_to_go,
            opponent_remaining: self.opponent.map(Duration::from_millis),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::START_FEN;

    fn go(text: &str) -> Go {
        let words: Vec<&str> = text.split_whitespace().collect();
        read_go(&Position::startpos(), &words, 1, Ranks::FromZero)
    }

    fn clock(text: &str) -> (u128, u128, Option<u32>, Option<u128>) {
        let clock = go(text).limits.clock.unwrap_or_default();
        (
            clock.remaining.as_millis(),
            clock.increment.as_millis(),
            clock.moves_to_go,
            clock.opponent_remaining.map(|time| time.as_millis()),
        )
    }

    #[test]
    fn both_families_of_clock_words_are_read_in_any_order() {
        let expected = (1000, 20, Some(5), Some(3000));
        for text in [
            "time 1000 increment 20 opptime 3000 movestogo 5 oppincrement 7",
            "draw time 1000 opptime 3000 movestogo 5 increment 20 oppincrement 7",
            "wtime 1000 btime 3000 winc 20 binc 7 movestogo 5",
            "BINC 7 movestogo 5 WINC 20 BTIME 3000 WTIME 1000",
        ] {
            assert_eq!(clock(text), expected, "{text}");
        }
        assert_eq!(clock("time -5 increment 20"), (0, 20, None, None));
        assert_eq!(clock("wtime 9 movestogo 0"), (9, 0, None, None));
        assert_eq!(clock("btime 800"), (800, 0, None, Some(800)));
    }

    #[test]
    fn each_side_gets_the_same_clock_in_both_dialects() {
        let clock = |position: &Position, text: &str| {
            let words: Vec<&str> = text.split_whitespace().collect();
            let go = read_go(position, &words, 1, Ranks::FromZero);
            let clock = go.limits.clock.expect("a clock");
            (
                clock.remaining,
                clock.increment,
                clock.moves_to_go,
                clock.opponent_remaining,
            )
        };
        let red = Position::startpos();
        let black = START_FEN.replace(" w ", " b ").parse().expect("a FEN");
        for (position, ucci, uci) in [
            (
                &red,
                "time 8000 increment 80 opptime 500 oppincrement 7",
                "wtime 8000 btime 500 winc 80 binc 7",
            ),
            (
                &black,
                "time 8000 increment 80 opptime 500 oppincrement 7",
                "wtime 500 btime 8000 winc 7 binc 80",
            ),
            (
                &black,
                "time 8000 movestogo 3 opptime 500 oppmovestogo 4",
                "wtime 500 btime 8000 winc 0 binc 0 movestogo 3",
            ),
        ] {
            assert_eq!(clock(position, ucci), clock(position, uci), "{ucci}");
        }
    }

    #[test]
    fn seconds_hold_for_the_words_of_ucci_only() {
        let words = ["time", "3", "increment", "1", "movetime", "70"];
        let limits = read_go(&Position::startpos(), &words, 1000, Ranks::FromZero).limits;
        let clock = limits.clock.unwrap_or_default();
        assert_eq!(clock.remaining, Duration::from_secs(3));
        assert_eq!(clock.increment, Duration::from_secs(1));
        assert_eq!(limits.movetime, Some(Duration::from_millis(70)));
    }

    #[test]
    fn a_missing_number_swallows_nothing() {
        let limits = go("depth nodes 100 xyzzy 3 movetime").limits;
        assert_eq!(
            (limits.depth, limits.nodes, limits.movetime),
            (None, Some(100), None)
        );
        assert!(go("depth infinite").limits.infinite);
        assert!(go("").limits.infinite);
        assert!(go("nonsense 12").limits.infinite);
        assert!(!go("ponder").limits.infinite);
        assert!(go("ponder time 5").limits.ponder);
        let huge = go("depth 99999999999999 nodes 99999999999999999999 movetime 99999999999999999");
        assert_eq!(huge.limits.depth, Some(u32::MAX));
        assert_eq!(
            huge.limits.movetime,
            Some(Duration::from_millis(MAX_TIME_MS))
        );
    }

    #[test]
    fn searchmoves_ends_at_the_next_keyword() {
        let read = go("bookmove h2e2 searchmoves b0c2 h0g2 x9x9 depth 3 egtbmove a0a1");
        let moves: Vec<String> = read
            .limits
            .search_moves
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(moves, ["b0c2", "h0g2"]);
        assert_eq!(read.limits.depth, Some(3));
        assert_eq!(read.notices.len(), 1);
        let empty = go("searchmoves 0000");
        assert!(empty.limits.search_moves.is_empty() && empty.limits.infinite);
        assert_eq!(empty.notices.len(), 2);
    }
}
