//! Playing weaker than the engine is: fewer nodes, and at the end not always the best move.
//!
//! A weak player sees less far and is content with moves that look nearly as good. So a level
//! searches several lines with few nodes, and draws the move among them by the softmax of
//! their scores: the worse a move looks, the rarer it is played, and a weak level tells
//! good from bad less sharply. Nothing is played that a search of this depth finds absurd.

use super::worker::Worker;
use crate::types::{INFINITE, MATE, MAX_EVAL, MAX_PLY, Value};

/// The highest level, which holds nothing back.
pub const MAX_LEVEL: f64 = 20.0;

/// Ratings and the levels that play so, at 100 ms a move: docs/levels.md has the games.
const RATINGS: [(f64, f64); 2] = [(800.0, 0.0), (2850.0, 20.0)];

/// How well the engine is allowed to play: a level from 0 to [`MAX_LEVEL`], whole or between.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    level: f64,
}

impl Strength {
    /// The strength of a level; numbers outside 0 to [`MAX_LEVEL`] are moved into it. `None` if
    /// nothing is held back.
    pub fn of_level(level: f64) -> Option<Self> {
        let level = level.clamp(0.0, MAX_LEVEL);
        (level < MAX_LEVEL).then_some(Self { level })
    }

    /// The strength of a rating on the scale of Fairy-Stockfish's `UCI_Elo`; beyond what is
    /// calibrated the nearest one that is.
    pub fn of_rating(rating: u32) -> Option<Self> {
        let rating = f64::from(rating);
        let above = RATINGS.iter().position(|&(known, _)| known > rating);
        let level = match above {
            Some(0) => RATINGS[0].1,
            Some(next) => {
                let ((low, from), (high, to)) = (RATINGS[next - 1], RATINGS[next]);
                from + (rating - low) / (high - low) * (to - from)
            }
            None => RATINGS[RATINGS.len() - 1].1,
        };
        Self::of_level(level)
    }

    /// The level, from 0 to less than [`MAX_LEVEL`].
    pub fn level(&self) -> f64 {
        self.level
    }

    /// How far below the highest level.
    fn lack(&self) -> f64 {
        MAX_LEVEL - self.level
    }

    /// Among how many moves it chooses.
    pub(super) fn lines(&self) -> usize {
        (1.0 + self.lack() * self.lack() / 10.0).round() as usize
    }

    /// How many nodes it may search.
    pub(super) fn nodes(&self) -> u64 {
        let each = 40_000.0 * 1.4_f64.powf(-self.lack());
        (each * self.lines() as f64) as u64
    }

    /// By how many centipawns a move is worse that is played 1/e as often.
    fn temperature(&self) -> f64 {
        1_200.0 * (self.lack() / MAX_LEVEL).powi(5)
    }

    /// Draws one of the values, which are not empty, by softmax; which one is up to the luck.
    fn draw(&self, values: &[Value], luck: u64) -> usize {
        let worth: Vec<f64> = values.iter().map(|&value| worth(value)).collect();
        let best = worth.iter().copied().fold(f64::MIN, f64::max);
        let weights: Vec<f64> = worth
            .iter()
            .map(|worth| ((worth - best) / self.temperature().max(0.01)).exp())
            .collect();
        let mut left = unit(luck) * weights.iter().sum::<f64>();
        for (index, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return index;
            }
        }
        worth.iter().position(|&worth| worth == best).unwrap_or(0)
    }
}

/// A value on the scale on which a player compares: a mate is some rooks more than anything
/// else, and the sooner the more.
fn worth(value: Value) -> f64 {
    if value.abs() <= MAX_EVAL {
        return f64::from(value.clamp(-2_500, 2_500));
    }
    let plies = (MATE - value.abs()).clamp(0, MAX_PLY as Value);
    let size = 3_500.0 - 10.0 * f64::from(plies.min(100));
    if value > 0 { size } else { -size }
}

/// A number from 0 to less than 1, by the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
pub(super) fn unit(luck: u64) -> f64 {
    let mut bits = luck.wrapping_add(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

impl Worker {
    /// Puts the move first that the strength draws among the lines.
    pub(super) fn choose_by_strength(&mut self, strength: Strength, lines: usize, luck: u64) {
        let known = |line: &usize| *line == 0 || self.root_moves[*line].is_known();
        let count = (0..lines).take_while(known).count();
        let values: Vec<Value> = self.root_moves[..count]
            .iter()
            .map(|root_move| match root_move.value {
                value if value > -INFINITE => value,
                _ => root_move.previous,
            })
            .collect();
        let chosen = strength.draw(&values, luck);
        self.root_moves.swap(0, chosen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(level: f64, values: &[Value]) -> Vec<f64> {
        let strength = Strength::of_level(level).expect("below the highest");
        let mut counts = vec![0.0; values.len()];
        for luck in 0..20_000 {
            counts[strength.draw(values, luck)] += 1.0 / 20_000.0;
        }
        counts
    }

    #[test]
    fn moves_are_drawn_as_often_as_the_softmax_says() {
        let strength = Strength::of_level(8.0).expect("below the highest");
        let values = [100, 60, -40, -900];
        let weights = values.map(|value| (f64::from(value) / strength.temperature()).exp());
        let total: f64 = weights.iter().sum();
        for (share, weight) in shares(8.0, &values).iter().zip(weights) {
            assert!((share - weight / total).abs() < 0.015, "{share}");
        }
    }

    #[test]
    fn the_higher_the_level_the_more_nodes_and_the_better_the_moves() {
        let values = [50, 20, -100, -300, mates_at(-8)];
        let mut before = (0, 0.0);
        for level in 0..20 {
            let strength = Strength::of_level(f64::from(level)).expect("below the highest");
            let each = strength.nodes() / strength.lines() as u64;
            let share = shares(f64::from(level), &values)[0];
            assert!(each >= before.0 && share >= before.1 - 0.02, "{level}");
            before = (each, share);
        }
        assert!(before.1 > 0.999);
        assert_eq!(Strength::of_level(20.0), None);
        assert_eq!(Strength::of_level(99.0), None);
        assert_eq!(Strength::of_level(-1.0), Strength::of_level(0.0));
    }

    fn mates_at(plies: Value) -> Value {
        if plies > 0 {
            MATE - plies
        } else {
            -MATE - plies
        }
    }

    #[test]
    fn a_mate_is_worth_more_than_anything_else_and_a_near_one_most() {
        let order = [
            mates_at(-2),
            mates_at(-9),
            -5_000,
            0,
            900,
            mates_at(31),
            mates_at(3),
        ];
        assert!(
            order
                .map(worth)
                .is_sorted_by(|before, after| before < after)
        );
    }

    #[test]
    fn ratings_rise_with_levels() {
        assert!(RATINGS.is_sorted_by(|low, high| low.0 < high.0 && low.1 < high.1));
        let levels = (700..3000).step_by(25).map(Strength::of_rating);
        let levels: Vec<f64> = levels
            .map(|strength| strength.map_or(MAX_LEVEL, |strength| strength.level()))
            .collect();
        assert!(levels.is_sorted());
        assert_eq!(levels[0], 0.0);
    }
}
