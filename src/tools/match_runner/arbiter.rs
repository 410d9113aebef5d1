//! The state of a game as its arbiter sees it: what is legal, and when it is over.

use super::openings::Opening;
use super::player::Place;
use super::record::{EndKind, Ending};
use super::settings::Terms;
use crate::position::Position;
use crate::rules::{DrawReason, LossReason, Rules, Verdict};
use crate::types::{Color, Move, MoveList, Score};

/// A game's position with its history, its rules, and what the engines think of it.
pub struct Arbiter<'a> {
    terms: &'a Terms,
    rules: Rules,
    position: Position,
    fen: String,
    moves: Vec<Move>,
    plies: u32,
    sees_win: [u32; 2],
    sees_draw: u32,
}

impl<'a> Arbiter<'a> {
    /// The game after its opening; `None` if the opening cannot be played.
    pub fn new(terms: &'a Terms, opening: &Opening) -> Option<Self> {
        let position: Position = opening.fen.parse().ok()?;
        let mut arbiter = Self {
            terms,
            rules: Rules {
                move_limit: 2 * u32::from(terms.draw_moves),
                ..Rules::new(terms.rule.0)
            },
            fen: position.fen(),
            position,
            moves: Vec::new(),
            plies: 0,
            sees_win: [0; 2],
            sees_draw: 0,
        };
        for &mv in &opening.moves {
            if !arbiter.position.is_legal(mv) {
                return None;
            }
            arbiter.play(mv);
        }
        Some(arbiter)
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The side to move.
    pub fn side(&self) -> Color {
        self.position.side()
    }

    /// The position as an engine is told of it.
    pub fn place(&self) -> Place<'_> {
        Place {
            now: &self.position,
            fen: &self.fen,
            moves: &self.moves,
        }
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.position.make(mv);
        self.plies += 1;
        if self.position.state().captured.is_some() {
            self.fen = self.position.fen();
            self.moves.clear();
        } else {
            self.moves.push(mv);
        }
    }

    /// How the game has ended by the rules or by its length, if it has.
    pub fn end(&self) -> Option<Ending> {
        match self.rules.judge(&self.position) {
            Verdict::Loss(side, reason) => {
                let kind = match reason {
                    LossReason::Checkmate => EndKind::Checkmate,
                    LossReason::Stalemate => EndKind::Stalemate,
                    _ => EndKind::Perpetual,
                };
                Some(Ending::loss(side, kind, reason.to_string()))
            }
            Verdict::Draw(reason) => {
                let kind = match reason {
                    DrawReason::MoveLimit(_) => EndKind::MoveLimit,
                    DrawReason::BareMaterial => EndKind::BareMaterial,
                    _ => EndKind::Repetition,
                };
                Some(Ending::draw(kind, reason.to_string()))
            }
            Verdict::Ongoing | Verdict::Provisional(..) => {
                let limit = self.terms.max_moves;
                (self.plies >= 2 * limit).then(|| {
                    Ending::draw(
                        EndKind::MaxMoves,
                        format!("{limit} rounds have been played"),
                    )
                })
            }
        }
    }

    /// The legal moves by which the side to move would lose by repetition; none if it has
    /// no other moves.
    pub fn bans(&mut self) -> Vec<Move> {
        let mut legal = MoveList::new();
        self.position.legal_moves(&mut legal);
        let side = self.position.side();
        let loses = |mv: &Move| {
            self.position.make(*mv);
            let repeats = self.rules.cycle(&self.position).is_some();
            let verdict = repeats.then(|| self.rules.judge(&self.position));
            self.position.undo();
            matches!(verdict, Some(Verdict::Loss(loser, _)) if loser == side)
        };
        let bans: Vec<Move> = legal.iter().filter(loses).collect();
        if bans.len() == legal.len() {
            Vec::new()
        } else {
            bans
        }
    }

    /// Takes what the side that has just moved thinks of the game, and ends the game if
    /// both sides have agreed for long enough.
    pub fn adjudicate(&mut self, score: Option<Score>) -> Option<Ending> {
        let mover = !self.position.side();
        let value = score.map(|score| match score {
            Score::Cp(value) => value,
            Score::Mate(moves) if moves > 0 => i32::MAX,
            Score::Mate(_) => -i32::MAX,
        });
        if let Some(rule) = self.terms.resign {
            for winner in Color::ALL {
                let sign = if winner == mover { 1 } else { -1 };
                let sees = value.is_some_and(|value| sign * value >= rule.score.max(1));
                let count = &mut self.sees_win[winner.index()];
                *count = if sees { *count + 1 } else { 0 };
                if *count >= 2 * rule.moves {
                    let reason = format!("both engines see {} or more", rule.score);
                    return Some(Ending::loss(!winner, EndKind::WinAdjudicated, reason));
                }
            }
        }
        if let Some(rule) = self.terms.draw {
            let sees = value.is_some_and(|value| value.abs() <= rule.score);
            self.sees_draw = if sees { self.sees_draw + 1 } else { 0 };
            if self.sees_draw >= 2 * rule.moves && self.plies >= 2 * rule.from {
                let reason = format!("both engines see {} or less", rule.score);
                return Some(Ending::draw(EndKind::DrawAdjudicated, reason));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arbiter<'a>(terms: &'a Terms, line: &str) -> Arbiter<'a> {
        let opening = Opening::parse(line).expect("a good opening");
        Arbiter::new(terms, &opening).expect("a legal opening")
    }

    fn terms() -> Terms {
        Terms {
            resign: "2,500".parse().ok(),
            draw: "3,2,10".parse().ok(),
            max_moves: 6,
            ..Terms::for_tests()
        }
    }

    #[test]
    fn engines_are_told_the_position_after_the_last_capture() {
        let terms = terms();
        let arbiter = arbiter(&terms, "startpos moves h2h9 i9h9 b2e2");
        let place = arbiter.place();
        assert_eq!(place.moves.len(), 1);
        assert_eq!(
            place.fen,
            "rnbakabr1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR w - - 0 2"
        );
    }

    #[test]
    fn a_win_needs_both_sides_and_enough_moves() {
        let terms = terms();
        let mut arbiter = arbiter(&terms, "startpos");
        let mut kind = None;
        let scores = [
            ("a3a4", Some(Score::Cp(600))),
            ("a6a5", Some(Score::Cp(-500))),
            ("c3c4", Some(Score::Mate(4))),
            ("c6c5", Some(Score::Cp(-499))),
            ("e3e4", Some(Score::Cp(600))),
            ("e6e5", Some(Score::Mate(-4))),
            ("g3g4", Some(Score::Cp(600))),
            ("g6g5", Some(Score::Cp(-600))),
        ];
        for (index, (mv, score)) in scores.into_iter().enumerate() {
            assert_eq!(kind, None, "before {mv}");
            arbiter.play(Move::parse(mv).expect("a move"));
            kind = arbiter
                .adjudicate(score)
                .map(|end| (end.result, end.kind, index));
        }
        let result = crate::tools::match_runner::record::GameResult::RedWins;
        assert_eq!(kind, Some((result, EndKind::WinAdjudicated, 7)));
    }

    #[test]
    fn a_draw_waits_for_its_move_and_a_game_has_an_end() {
        let terms = terms();
        let mut arbiter = arbiter(&terms, "startpos");
        let moves = [
            "a3a4", "a6a5", "c3c4", "c6c5", "e3e4", "e6e5", "g3g4", "g6g5", "i3i4", "i6i5", "b0c2",
            "b9c7",
        ];
        for (index, mv) in moves.into_iter().enumerate() {
            assert_eq!(arbiter.end(), None);
            arbiter.play(Move::parse(mv).expect("a move"));
            let end = arbiter.adjudicate(Some(Score::Cp(if index % 2 == 0 { 10 } else { -10 })));
            assert_eq!(end.is_some(), index >= 5, "after {mv}");
        }
        assert_eq!(arbiter.end().map(|end| end.kind), Some(EndKind::MaxMoves));
    }

    #[test]
    fn moves_that_would_lose_by_perpetual_check_are_banned() {
        // The rook checks from e8 and d8 in turn; the general can only step aside.
        let terms = Terms {
            max_moves: 100,
            ..Terms::for_tests()
        };
        let cycle = "d0d8 e8e9 d8d9 e9e8";
        let line = format!("4k4/4a4/9/9/9/9/9/9/9/3RK4 w moves {cycle}");
        // What matters is the arbiter's own words: whatever it bans would lose at once.
        let _ = line;
        let mut arbiter = arbiter(
            &terms,
            "3k5/9/9/9/9/9/9/9/9/3R1K3 b moves d9e9 d0e0 e9d9 e0d0 d9e9 d0e0 e9d9",
        );
        let bans = arbiter.bans();
        assert_eq!(bans, [Move::parse("e0d0").expect("a move")]);
        arbiter.play(bans[0]);
        let end = arbiter.end().expect("the third check on the same square");
        assert_eq!(end.kind, EndKind::Perpetual);
        assert_eq!(
            end,
            Ending::loss(Color::Red, EndKind::Perpetual, end.reason.clone())
        );
    }
}
