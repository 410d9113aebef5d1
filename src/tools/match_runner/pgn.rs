//! Games as PGN, for xiangqi tools (`Game`, `Red`, `Format`) and international ones
//! (`Variant`, `White`).

use std::fmt::Write;

use super::record::{EndKind, GameRecord, GameResult, MoveRecord};
use super::settings::Terms;
use crate::notation::pgn::write_game;
use crate::notation::{Game, LineMove, Notation, Outcome};
use crate::position::Position;
use crate::types::{Color, Score};

/// The game with its tags, moves in the notation, and what the engines said as comments,
/// ended by an empty line.
pub fn write(record: &GameRecord, terms: &Terms, event: &str, notation: Notation) -> String {
    // The games of a match begin at positions that were read before.
    let start = record.fen.parse().unwrap_or_else(|_| Position::startpos());
    let mut game = Game::new(start);
    game.tags = tags(record, terms, event);
    game.outcome = match record.ending.result {
        GameResult::RedWins => Outcome::Won(Color::Red),
        GameResult::BlackWins => Outcome::Won(Color::Black),
        GameResult::Draw => Outcome::Draw,
    };
    let moves = &mut game.line.moves;
    moves.extend(record.opening.iter().map(|&mv| LineMove::new(mv)));
    moves.extend(record.moves.iter().map(|said| {
        let mut played = LineMove::new(said.0);
        played.comments.push(comment(said));
        played
    }));
    let said = match moves.last_mut() {
        Some(played) => &mut played.comments,
        None => &mut game.line.comments,
    };
    said.push(record.ending.reason.clone());
    write_game(&game, notation)
}

fn tags(record: &GameRecord, terms: &Terms, event: &str) -> Vec<(String, String)> {
    let name = |side| terms.engines[record.engine_of(side)].name.as_str();
    let (red, black) = (name(Color::Red), name(Color::Black));
    let tc = |engine: usize| terms.tcs[engine].to_string();
    let (red_tc, black_tc) = (tc(record.red), tc(record.black));
    let time_control = if red_tc == black_tc {
        red_tc
    } else {
        format!("{red_tc}; {black_tc}")
    };
    let round = (record.number + 1).to_string();
    let plies = (record.opening.len() + record.moves.len()).to_string();
    [
        ("Game", "Chinese Chess"),
        ("Event", event),
        ("Site", "?"),
        ("Date", &record.date),
        ("Round", &round),
        ("Red", red),
        ("Black", black),
        ("White", red),
        ("Variant", "xiangqi"),
        ("TimeControl", &time_control),
        ("PlyCount", &plies),
        ("Termination", termination(record.ending.kind)),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec()
}

/// The word that the PGN standard has for the end of a game.
fn termination(kind: EndKind) -> &'static str {
    match kind {
        EndKind::TimeForfeit => "time forfeit",
        EndKind::WinAdjudicated | EndKind::DrawAdjudicated | EndKind::MaxMoves => "adjudication",
        EndKind::IllegalMove | EndKind::NoMove => "rules infraction",
        EndKind::Hang | EndKind::Crash | EndKind::StartFailure | EndKind::EndlessOutput => {
            "abandoned"
        }
        _ => "normal",
    }
}

/// `+0.31/12 0.050s`: score in pawns for the side that moves, depth, time.
fn comment(said: &MoveRecord) -> String {
    let mut text = String::new();
    match said.1 {
        Some(Score::Cp(value)) => {
            let _ = write!(text, "{:+.2}", f64::from(value) / 100.0);
        }
        Some(Score::Mate(moves)) => {
            let sign = if moves > 0 { '+' } else { '-' };
            let _ = write!(text, "{sign}M{}", moves.unsigned_abs());
        }
        None => {}
    }
    if let Some(depth) = said.2 {
        let _ = write!(text, "/{depth}");
    }
    if !text.is_empty() {
        text.push(' ');
    }
    let _ = write!(text, "{:.3}s", said.elapsed().as_secs_f64());
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::match_runner::openings::Opening;
    use crate::tools::match_runner::record::{Ending, GameResult};
    use crate::types::{Move, MoveList};

    /// The moves of a PGN's text: what is left without tags, comments, numbers and result.
    fn moves_of(pgn: &str) -> Vec<Move> {
        let body = pgn.split_once("\n\n").expect("tags and moves").1;
        let mut depth = 0;
        let plain: String = body
            .chars()
            .filter(|&ch| {
                depth += i32::from(ch == '{') - i32::from(ch == '}');
                depth == 0 && ch != '}'
            })
            .collect();
        plain
            .split_whitespace()
            .filter_map(|word| Move::parse(word).ok())
            .collect()
    }

    #[test]
    fn the_moves_of_a_game_come_back() {
        let terms = Terms::for_tests();
        for (seed, start) in [
            (1u64, "startpos moves h2e2"),
            (2, "3k5/4P4/9/9/9/9/9/9/4A4/4K4 w - - 0 30"),
            (
                3,
                "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b",
            ),
        ] {
            let opening = Opening::parse(start).expect("a good opening");
            let mut record = GameRecord::new(41, 1, 0, &opening);
            let mut position: Position = opening.fen.parse().expect("a good FEN");
            opening.moves.iter().for_each(|&mv| position.make(mv));
            let mut random = seed;
            for _ in 0..60 {
                let mut list = MoveList::new();
                position.legal_moves(&mut list);
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let Some(mv) = list.get((random >> 33) as usize % list.len().max(1)) else {
                    break;
                };
                position.make(mv);
                record
                    .moves
                    .push(MoveRecord(mv, Some(Score::Mate(-3)), Some(5), None, 1500));
            }
            record.ending = Ending::draw(EndKind::MaxMoves, "} curly { \u{1}");
            let pgn = write(&record, &terms, "a \"quoted\" event", Notation::Iccs);
            let played: Vec<Move> = record.moves.iter().map(|mv| mv.0).collect();
            assert_eq!(moves_of(&pgn), [opening.moves, played].concat(), "{pgn}");
            assert!(pgn.ends_with(" 1/2-1/2\n\n") || pgn.ends_with("\n1/2-1/2\n\n"));
            assert!(pgn.lines().skip(16).all(|line| line.len() <= 80), "{pgn}");
            assert!(pgn.contains("[Event \"a \\\"quoted\\\" event\"]"));
            assert_eq!(pgn.contains("[FEN "), seed != 1);
            assert!(
                pgn.contains("{-M3/5 0.002s}") || pgn.contains("{-M3/5 0.001s}"),
                "{pgn}"
            );
        }
    }

    #[test]
    fn black_moves_first_with_three_dots() {
        let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b";
        let opening = Opening::parse(&format!("{fen} moves h9g7 h2e2")).expect("good");
        let mut record = GameRecord::new(0, 0, 1, &opening);
        record.ending = Ending::loss(Color::Red, EndKind::TimeForfeit, "late");
        assert_eq!(record.ending.result, GameResult::BlackWins);
        let pgn = write(&record, &Terms::for_tests(), "e", Notation::Iccs);
        assert!(
            pgn.contains("\n\n1... H9-G7 2. H2-E2 {late} 0-1\n"),
            "{pgn}"
        );
        assert!(pgn.starts_with("[Game \"Chinese Chess\"]\n"));
        for tag in [
            "[Red \"A\"]",
            "[White \"A\"]",
            "[Black \"B\"]",
            "[Termination \"time forfeit\"]",
        ] {
            assert!(pgn.contains(tag), "{tag} in {pgn}");
        }
    }
}
