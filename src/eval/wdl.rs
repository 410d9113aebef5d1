//! From a score to chances.

use crate::types::Score;

/// The score, in centipawns, with which a side wins every other game; this and the spread
/// are the likeliest for the results of 367,000 positions of 2,125 games of the first net
/// against itself at 1,500 nodes a move, of which 56 % were drawn.
const EVEN_CHANCE: f64 = 600.0;
/// So many centipawns more multiply the odds of winning by e.
const SPREAD: f64 = 340.0;

/// The chances to win, draw and lose with this score, in per mille; they add up to 1,000.
///
/// A side that is v centipawns ahead wins with probability
/// 1 / (1 + e^((EVEN_CHANCE − v) / SPREAD)), loses as its opponent wins, and draws otherwise.
pub fn win_draw_loss(score: Score) -> [u32; 3] {
    let value = match score {
        Score::Cp(value) => value,
        Score::Mate(moves) if moves > 0 => return [1000, 0, 0],
        Score::Mate(_) => return [0, 0, 1000],
    };
    let chance = |value: i32| {
        let odds = ((f64::from(value) - EVEN_CHANCE) / SPREAD).exp();
        // Infinite odds are certainty.
        (1000.0 / (1.0 + 1.0 / odds)).round() as u32
    };
    let (win, loss) = (chance(value), chance(-value));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::MAX_EVAL;

    #[test]
    fn chances_add_up_and_grow_with_the_score() {
        let mut before = [0, 0, 1000];
        for value in -MAX_EVAL..=MAX_EVAL {
            let [win, draw, loss] = win_draw_loss(Score::Cp(value));
            assert_eq!(win + draw + loss, 1000, "{value}");
            assert!(win >= before[0] && loss <= before[2], "{value}");
            assert_eq!(win_draw_loss(Score::Cp(-value)), [loss, draw, win]);
            before = [win, draw, loss];
        }
        assert_eq!(before, [1000, 0, 0]);
    }

    #[test]
    fn a_mate_is_certain_and_a_level_game_mostly_drawn() {
        assert_eq!(win_draw_loss(Score::Mate(3)), [1000, 0, 0]);
        assert_eq!(win_draw_loss(Score::Mate(0)), [0, 0, 1000]);
        assert_eq!(win_draw_loss(Score::Mate(-2)), [0, 0, 1000]);
        let [win, _, loss] = win_draw_loss(Score::Cp(0));
        assert_eq!(win, loss);
        assert_eq!(win_draw_loss(Score::Cp(EVEN_CHANCE as i32))[0], 500);
    }
}
