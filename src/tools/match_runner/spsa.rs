//! Tuning the numbers of an engine by self-play: simultaneous perturbation stochastic
//! approximation (Spall 1992, with the gains that he gives in 1998).
//!
//! In every pair of games one side plays with all numbers moved a step up or down by
//! chance and the other with all of them moved the opposite way. Who wins moves each number
//! a little towards where the winner had it. What a game teaches depends on its result and
//! on the number of its pair alone, so the numbers do not depend on the order in which
//! games end, and a journal tells them all.

use serde::{Deserialize, Serialize};

use crate::search::PARAMS;
use crate::tools::random::Rng;

/// How the steps get smaller from pair to pair, and how the moves do (Spall 1998).
const STEP_DECAY: f64 = 0.101;
const GAIN_DECAY: f64 = 0.602;
/// The share of the match in which the gain is held back.
const STABILITY: f64 = 0.1;

/// A number that is tuned: an option of the engine with whole values.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tuned {
    /// The option.
    pub name: String,
    /// Where it starts.
    pub value: i32,
    /// The least and the greatest value.
    pub min: i32,
    pub max: i32,
    /// How far either side has it from the present value in the last pair.
    pub step: f64,
}

/// What a tuning match tunes, and how.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SpsaTerms {
    /// The numbers.
    pub numbers: Vec<Tuned>,
    /// The part of a step by which a win in the last pair moves a number.
    pub rate: f64,
    /// Decides which way numbers are moved.
    pub seed: u64,
}

/// What `--spsa` names: a number as `NAME,VALUE,MIN,MAX,STEP`, or one of our own numbers or a
/// group of them by name.
///
/// # Errors
/// If there is none of this name, or the five parts make no number.
pub fn parse(text: &str) -> Result<Vec<Tuned>, String> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    match parts[..] {
        [name] => named(name),
        [name, value, min, max, step] if !name.is_empty() => {
            let number = |text: &str| {
                let parsed = text.parse::<i32>();
                parsed.map_err(|_| format!("`{text}` is no whole number"))
            };
            let tuned = Tuned {
                name: name.to_owned(),
                value: number(value)?,
                min: number(min)?,
                max: number(max)?,
                step: step.parse().map_err(|_| format!("`{step}` is no number"))?,
            };
            let inside = (tuned.min..=tuned.max).contains(&tuned.value);
            if !inside || !tuned.step.is_finite() || tuned.step <= 0.0 {
                return Err(
                    "MIN must not exceed VALUE, nor VALUE MAX; STEP must be above 0".into(),
                );
            }
            Ok(vec![tuned])
        }
        _ => Err("expected a name, a group, or NAME,VALUE,MIN,MAX,STEP".into()),
    }
}

/// Our own numbers of this name or group.
fn named(name: &str) -> Result<Vec<Tuned>, String> {
    let group = |number: &str| number.split('_').next().map(str::to_owned);
    let found = PARAMS
        .iter()
        .filter(|param| param.name == name || group(param.name).as_deref() == Some(name))
        .map(|param| Tuned {
            name: param.name.to_owned(),
            value: param.default,
            min: param.min,
            max: param.max,
            step: f64::from(param.step),
        });
    let found: Vec<Tuned> = found.collect();
    if found.is_empty() {
        let mut groups: Vec<String> = PARAMS.iter().filter_map(|p| group(p.name)).collect();
        groups.dedup();
        return Err(format!(
            "no number or group has this name; the groups are {}",
            groups.join(", ")
        ));
    }
    Ok(found)
}

/// Where a number is now.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Tuning {
    /// The option.
    pub name: String,
    /// Where it started.
    pub start: i32,
    /// Where it is.
    pub value: f64,
}

/// The numbers on their way.
#[derive(Clone, Debug)]
pub struct Spsa {
    terms: SpsaTerms,
    values: Vec<f64>,
    pairs: f64,
}

impl Spsa {
    /// The numbers at the start of a match of so many pairs.
    pub fn new(terms: SpsaTerms, pairs: usize) -> Self {
        let values = terms.numbers.iter().map(|n| f64::from(n.value)).collect();
        Self {
            terms,
            values,
            pairs: pairs.max(1) as f64,
        }
    }

    /// How far a number is moved in a pair, in parts of its step.
    fn reach(&self, pair: usize) -> f64 {
        (self.pairs / (pair as f64 + 1.0)).powf(STEP_DECAY)
    }

    /// By how much of its step a win in this pair moves a number.
    fn gain(&self, pair: usize) -> f64 {
        let held_back = STABILITY * self.pairs;
        let gain = ((held_back + self.pairs) / (held_back + pair as f64 + 1.0)).powf(GAIN_DECAY);
        self.terms.rate * gain / self.reach(pair)
    }

    /// Which way the first side has each number in a pair, and a number below 1 for rounding.
    fn flips(&self, pair: usize) -> impl Iterator<Item = (f64, f64)> + use<> {
        let mut rng = Rng::new(self.terms.seed, pair as u64);
        std::iter::from_fn(move || {
            let flip = if rng.next() & 1 == 0 { 1.0 } else { -1.0 };
            Some((flip, rng.unit()))
        })
    }

    /// The options of the first or the second side in a pair. Values between two whole ones
    /// become one of them by chance, as often as they are near it.
    pub fn options(&self, pair: usize, second: bool) -> Vec<(String, String)> {
        let reach = if second { -1.0 } else { 1.0 } * self.reach(pair);
        let numbers = self.terms.numbers.iter().zip(&self.values);
        let options = numbers.zip(self.flips(pair));
        let options = options.map(|((number, value), (flip, chance))| {
            let moved = value + reach * number.step * flip;
            let whole = (moved + chance).floor() as i32;
            let whole = whole.clamp(number.min, number.max);
            (number.name.clone(), whole.to_string())
        });
        options.collect()
    }

    /// Learns from a game of a pair: 1 if the first side won, -1 if it lost, 0 for a draw.
    pub fn learn(&mut self, pair: usize, result: i8) {
        let gain = self.gain(pair) * f64::from(result);
        let flips = self.flips(pair);
        let numbers = self.values.iter_mut().zip(&self.terms.numbers);
        for ((value, number), (flip, _)) in numbers.zip(flips) {
            *value += gain * number.step * flip;
        }
    }

    /// Where the numbers are. Inside they may pass the ends of their ranges, so that the order
    /// of the games makes no difference.
    pub fn tunings(&self) -> Vec<Tuning> {
        let numbers = self.terms.numbers.iter().zip(&self.values);
        let tunings = numbers.map(|(number, value)| Tuning {
            name: number.name.clone(),
            start: number.value,
            value: value.clamp(f64::from(number.min), f64::from(number.max)),
        });
        tunings.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spsa(pairs: usize) -> Spsa {
        let mut numbers = parse("good,100,0,400,10").expect("a number");
        numbers.extend(parse("idle,20,0,40,2").expect("a number"));
        let terms = SpsaTerms {
            numbers,
            rate: 0.05,
            seed: 3,
        };
        Spsa::new(terms, pairs)
    }

    fn value(options: &[(String, String)], name: &str) -> i32 {
        let found = options.iter().find(|(option, _)| option == name);
        found.and_then(|(_, value)| value.parse().ok()).expect(name)
    }

    #[test]
    fn a_number_that_wins_games_goes_up_and_others_stay_about_where_they_are() {
        let mut spsa = spsa(2_000);
        let mut rng = Rng::new(1, 1);
        for pair in 0..2_000 {
            let both = [spsa.options(pair, false), spsa.options(pair, true)];
            let [first, second] = both.map(|options| f64::from(value(&options, "good")));
            // A tenth more of the games for every 10 that one is above the other.
            let won = rng.unit() < 0.5 + (first - second) / 100.0;
            spsa.learn(pair, if won { 1 } else { -1 });
        }
        let [good, idle] = &spsa.tunings()[..] else {
            panic!("two numbers");
        };
        assert!(good.value > 200.0, "{good:?}");
        assert!((idle.value - 20.0).abs() < 15.0, "{idle:?}");
    }

    #[test]
    fn both_sides_stand_opposite_each_other_and_within_the_range() {
        let spsa = spsa(50);
        for pair in 0..50 {
            let (first, second) = (spsa.options(pair, false), spsa.options(pair, true));
            let (a, b) = (value(&first, "good"), value(&second, "good"));
            assert!((a + b - 200).abs() <= 1, "{a} {b}");
            assert!((a - b).abs() >= 18, "{a} {b}");
            for side in [first, second] {
                assert!((0..=40).contains(&value(&side, "idle")));
            }
        }
    }

    #[test]
    fn the_order_of_the_games_makes_no_difference() {
        let games = [(0, 1), (1, -1), (2, 1), (3, 0), (4, -1)];
        let (mut forwards, mut backwards) = (spsa(5), spsa(5));
        games
            .iter()
            .for_each(|&(pair, result)| forwards.learn(pair, result));
        games
            .iter()
            .rev()
            .for_each(|&(pair, result)| backwards.learn(pair, result));
        for (one, other) in forwards.tunings().iter().zip(backwards.tunings()) {
            assert!((one.value - other.value).abs() < 1e-9);
        }
    }

    #[test]
    fn names_groups_and_numbers_are_read() {
        assert_eq!(parse("lmr_base").expect("one of ours").len(), 1);
        let group = parse("lmr").expect("a group of ours");
        assert!(group.len() > 3 && group.iter().all(|n| n.name.starts_with("lmr_")));
        for (text, why) in [
            ("lmrr", "the groups are"),
            ("x,1,2,3", "NAME,VALUE"),
            ("x,1,2,3,1", "MIN must not exceed"),
            ("x,2,1,3,0", "STEP must be"),
            ("x,2,1,y,1", "`y`"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
