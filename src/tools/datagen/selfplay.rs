//! One game of the engine against itself.

use super::endings::random_ending;
use crate::eval::Evaluation;
use crate::position::Position;
use crate::rules::Rules;
use crate::search::{HashError, Limits};
use crate::tools::openings::Sampler;
use crate::tools::random::Rng;
use crate::tools::record::{Adjudication, Board, GameResult, Outcome, Reason, Record, Settings};
use crate::types::{Color, Value};

/// The moves of an opening are drawn by searches of this depth.
const DRAW_DEPTH: u32 = 1;
/// How many plies of a game from the start position are drawn.
const OPENING_PLIES: std::ops::RangeInclusive<usize> = 6..=11;
/// How many centipawns worse a move may be to be drawn 1/e as often as the best: one of
/// these for each game, from what a player might choose to almost anything.
const TEMPERATURES: [f64; 4] = [30.0, 80.0, 200.0, 500.0];
/// The search that tells whether a start is balanced, in nodes.
const BALANCE_NODES: u64 = 1_000;
/// The greatest distance from 0 of the score of an ending that is played.
const ENDING_BALANCE: u16 = 800;
/// A search is cut off at so many times the nodes that it should take.
const HARD_FACTOR: u64 = 8;

/// The limits of a search that takes about so many nodes: on average, since the iteration
/// that begins before three fifths of them are used up ends as far beyond.
pub(super) fn limits(nodes: u64) -> Limits {
    Limits {
        soft_nodes: Some((nodes.saturating_mul(3) / 5).max(1)),
        nodes: Some(nodes.saturating_mul(HARD_FACTOR)),
        ..Limits::default()
    }
}

/// A value as files keep it; no value of a search is too large.
pub(super) fn score(value: Value) -> i16 {
    value.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// A game and the nodes that its searches took.
pub(super) struct Played {
    pub record: Record,
    pub nodes: u64,
}

/// Plays games, one after the other.
pub(super) struct Player {
    settings: Settings,
    rules: Rules,
    sampler: Sampler,
}

impl Player {
    /// # Errors
    /// If the memory for the table cannot be had.
    pub fn new(settings: Settings, evaluation: &Evaluation) -> Result<Self, HashError> {
        let mut sampler = Sampler::new(DRAW_DEPTH)?;
        sampler.searcher().set_evaluation(evaluation.clone());
        Ok(Self {
            settings,
            rules: Rules::default(),
            sampler,
        })
    }

    /// Plays the game with this number: the same one whenever and wherever it is played.
    /// The table is empty at its start and is kept to its end.
    pub fn play(&mut self, number: u64) -> Played {
        let mut rng = Rng::new(self.settings.seed, number);
        self.sampler.searcher().clear();
        let mut position = self.start(&mut rng);
        let limits = limits(self.settings.nodes);
        let start = Board::from(&position);
        let (mut plies, mut nodes, mut clear) = (Vec::new(), 0, None);
        let mut referee = Referee::new(&self.settings.adjudication);
        let outcome = loop {
            // What the rules say comes before what the scores say.
            if let Some(outcome) = Outcome::of(self.rules.judge(&position)).or(clear) {
                break outcome;
            }
            let result = self.sampler.searcher().search(&position, &limits);
            let best = result.best.expect("the judge ends a game without moves");
            nodes += result.nodes;
            plies.push((best, score(result.value)));
            clear = referee.hear(position.side(), result.value);
            position.make(best);
        };
        let record = Record {
            start,
            outcome,
            plies,
        };
        Played { record, nodes }
    }

    /// A balanced position to start from, without history.
    fn start(&mut self, rng: &mut Rng) -> Position {
        let from_ending = rng.below(100) < self.settings.endings as usize;
        let temperature = TEMPERATURES[rng.below(TEMPERATURES.len())];
        loop {
            let (drawn, balance) = if from_ending {
                (random_ending(rng), ENDING_BALANCE)
            } else {
                let plies = OPENING_PLIES.start()
                    + rng.below(OPENING_PLIES.end() - OPENING_PLIES.start() + 1);
                let line = self.sampler.line(plies, temperature, rng);
                (line, self.settings.balance)
            };
            // What led here does not count in the game, as its record does not have it.
            let position =
                drawn.and_then(|drawn| Position::try_from(&Board::from(&drawn).setup()).ok());
            if let Some(position) = position
                && Outcome::of(self.rules.judge(&position)).is_none()
                && self.sampler.is_balanced(&position, BALANCE_NODES, balance)
            {
                return position;
            }
        }
    }
}

/// Ends games that are clear.
struct Referee<'a> {
    terms: &'a Adjudication,
    plies: usize,
    /// For how many plies each side has been winning.
    won: [usize; 2],
    /// For how many plies the scores have been drawn.
    drawn: usize,
}

impl<'a> Referee<'a> {
    const fn new(terms: &'a Adjudication) -> Self {
        Self {
            terms,
            plies: 0,
            won: [0; 2],
            drawn: 0,
        }
    }

    /// Hears the score of one more ply from the mover's view, and says how the game ends
    /// if it is clear now.
    fn hear(&mut self, mover: Color, value: Value) -> Option<Outcome> {
        let terms = self.terms;
        self.plies += 1;
        for color in Color::ALL {
            let value = if color == mover { value } else { -value };
            let wins = value >= Value::from(terms.win_score);
            let won = &mut self.won[color.index()];
            *won = if wins { *won + 1 } else { 0 };
            if terms.win_plies > 0 && *won >= terms.win_plies {
                return Some(Outcome {
                    result: GameResult::won_by(color),
                    reason: Reason::ClearWin,
                });
            }
        }
        let even = self.plies > terms.draw_from && value.abs() <= Value::from(terms.draw_score);
        self.drawn = if even { self.drawn + 1 } else { 0 };
        let draw = |reason| {
            Some(Outcome {
                result: GameResult::Draw,
                reason,
            })
        };
        if terms.draw_plies > 0 && self.drawn >= terms.draw_plies {
            draw(Reason::ClearDraw)
        } else if self.plies >= terms.max_plies {
            draw(Reason::TooLong)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TERMS: Adjudication = Adjudication {
        win_score: 1_000,
        win_plies: 3,
        draw_score: 5,
        draw_plies: 4,
        draw_from: 10,
        max_plies: 50,
    };

    /// The ply after which the game ends, and how, for scores from Red's view.
    fn end(scores: impl IntoIterator<Item = Value>) -> Option<(usize, Outcome)> {
        let mut referee = Referee::new(&TERMS);
        let mut mover = Color::Red;
        for (index, score) in scores.into_iter().enumerate() {
            let value = if mover == Color::Red { score } else { -score };
            if let Some(outcome) = referee.hear(mover, value) {
                return Some((index + 1, outcome));
            }
            mover = !mover;
        }
        None
    }

    fn of(result: GameResult, reason: Reason) -> Outcome {
        Outcome { result, reason }
    }

    #[test]
    fn a_win_needs_both_sides_to_see_it_for_long_enough() {
        let win = of(GameResult::RedWins, Reason::ClearWin);
        assert_eq!(end([0, 1_000, 1_200, 1_000]), Some((4, win)));
        let loss = of(GameResult::BlackWins, Reason::ClearWin);
        assert_eq!(end([-1_000, -1_200, -32_000]), Some((3, loss)));
        assert_eq!(end([1_000, 1_200, 999, 1_000, 1_000, 0]), None);
        assert_eq!(end([1_000, -1_000, 1_000, -1_000]), None);
    }

    #[test]
    fn a_draw_needs_its_ply_and_an_end_comes_to_all_games() {
        let draw = of(GameResult::Draw, Reason::ClearDraw);
        assert_eq!(end([3; 40]), Some((14, draw)));
        let long = of(GameResult::Draw, Reason::TooLong);
        assert_eq!(end([6; 60]), Some((50, long)));
    }
}
