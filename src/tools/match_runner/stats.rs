//! Figures of a match: Elo, normalised Elo, likelihood of superiority, and the
//! sequential probability ratio test.
//!
//! Games come in pairs with the same opening and colours swapped. The score of a pair, 0 to
//! 4 half points, is what counts: the two games are not independent of each other, the
//! pairs are (the pentanomial model; Van den Bergh, "Comments on normalized Elo", and the
//! generalised likelihood ratio of "The GSPRT", as OpenBench and Fishtest use them).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What stands in for a count of 0, so that no outcome is held to be impossible.
const EMPTY_CELL: f64 = 1e-3;
/// Two-sided 95 % of the normal distribution, in standard deviations.
const Z95: f64 = 1.959_963_984_540_054;
/// Normalised Elo for a score of one standard deviation of a game above a half: the
/// slope of the logistic curve at a half.
const NELO: f64 = 800.0 / std::f64::consts::LN_10;

/// The expected score for a logistic Elo difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The logistic Elo difference for a score; `None` at 0 and 1.
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// Wins, draws, losses and pairs, from the view of the first of two engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Counts {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Complete pairs by their half points, 0 to 4.
    pub pentanomial: [u64; 5],
}

impl Counts {
    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Complete pairs.
    pub fn pairs(&self) -> u64 {
        self.pentanomial.iter().sum()
    }

    /// Counts a game of 0, 1 or 2 half points.
    pub fn add_game(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// The distribution that the figures rest on: of pairs as long as there are two or
    /// more, of games before that.
    fn distribution(&self) -> Distribution {
        if self.pairs() >= 2 {
            Distribution::new(&self.pentanomial, 2.0)
        } else {
            Distribution::new(&[self.losses, self.draws, self.wins], 1.0)
        }
    }

    /// The figures; `None` before the first game.
    pub fn figures(&self) -> Option<Figures> {
        (self.games() > 0).then(|| self.distribution().figures())
    }
}

/// A distribution of scores from 0 to 1 in equal steps.
struct Distribution {
    /// How often each was seen.
    seen: Vec<f64>,
    /// The same with empty cells filled.
    filled: Vec<f64>,
    /// Games to an observation.
    games: f64,
}

impl Distribution {
    fn new(counts: &[u64], games: f64) -> Self {
        let seen: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
        let fill = |&count: &f64| if count == 0.0 { EMPTY_CELL } else { count };
        Self {
            filled: seen.iter().map(fill).collect(),
            seen,
            games,
        }
    }

    /// The scores with their probabilities.
    fn cells(counts: &[f64]) -> impl Iterator<Item = (f64, f64)> + Clone + '_ {
        let total: f64 = counts.iter().sum();
        let last = (counts.len() - 1) as f64;
        let cell = move |(index, count): (usize, &f64)| (index as f64 / last, count / total);
        counts.iter().enumerate().map(cell)
    }

    fn figures(&self) -> Figures {
        let n: f64 = self.seen.iter().sum();
        let score: f64 = Self::cells(&self.seen).map(|(x, p)| p * x).sum();
        let variance: f64 = Self::cells(&self.filled)
            .map(|(x, p)| p * (x - score) * (x - score))
            .sum();
        let deviation = variance.sqrt();
        let error = deviation / n.sqrt();
        // All games won or lost: the bound that such a run would respect in 95 % of cases.
        let one_sided = 0.05f64.powf(1.0 / (n * self.games));
        let (low, high) = match score {
            0.0 => (None, elo_of_score(1.0 - one_sided)),
            1.0 => (elo_of_score(one_sided), None),
            _ => (
                elo_of_score(score - Z95 * error),
                elo_of_score(score + Z95 * error),
            ),
        };
        let normalised = (score - 0.5) / (deviation * self.games.sqrt());
        let normalised_error = Z95 * NELO / (n * self.games).sqrt();
        Figures {
            score,
            elo: elo_of_score(score),
            elo_low: low,
            elo_high: high,
            normalised_elo: normalised * NELO,
            normalised_elo_error: normalised_error,
            los: normal_cdf((score - 0.5) / error),
        }
    }
}

/// Estimates from the view of the first of two engines.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Figures {
    /// Mean score of a game, 0 to 1.
    pub score: f64,
    /// Logistic Elo difference; none if all games were won or all lost.
    pub elo: Option<f64>,
    /// Lower end of its 95 % interval; one-sided if all games were won, none if it has no end.
    pub elo_low: Option<f64>,
    /// Upper end of its 95 % interval; one-sided if all games were lost, none if it has no end.
    pub elo_high: Option<f64>,
    /// Normalised Elo: the score in standard deviations of a game, on the scale of Elo.
    pub normalised_elo: f64,
    /// Half of its 95 % interval.
    pub normalised_elo_error: f64,
    /// Likelihood of superiority: that the first engine is the stronger one, 0 to 1.
    pub los: f64,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = |elo: Option<f64>, none: &str| {
            elo.map_or_else(|| none.to_owned(), |elo| format!("{elo:+.1}"))
        };
        match self.elo {
            Some(elo) => write!(f, "Elo {elo:+.1} ")?,
            None => write!(f, "Elo {} ", if self.score > 0.5 { "+inf" } else { "-inf" })?,
        }
        write!(
            f,
            "[{}, {}], normalised {:+.1} ± {:.1}, LOS {:.1} %",
            bound(self.elo_low, "-inf"),
            bound(self.elo_high, "+inf"),
            self.normalised_elo,
            self.normalised_elo_error,
            100.0 * self.los
        )
    }
}

/// The normal distribution function, by the series for small arguments and the continued
/// fraction for large ones (Abramowitz and Stegun 26.2.11 and 26.2.14).
fn normal_cdf(z: f64) -> f64 {
    if z.is_nan() {
        return 0.5;
    }
    let density = (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if z.abs() > 4.0 {
        let mut fraction = z.abs();
        for k in (1..60).rev() {
            fraction = z.abs() + f64::from(k) / fraction;
        }
        let tail = density / fraction;
        return if z > 0.0 { 1.0 - tail } else { tail };
    }
    let (mut term, mut sum) = (z, z);
    for k in 1..100 {
        term *= z * z / f64::from(2 * k + 1);
        sum += term;
    }
    0.5 + density * sum
}

/// A sequential probability ratio test between two logistic Elo differences.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Sprt {
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1, above that of H0.
    pub elo1: f64,
    /// Probability of accepting H1 under H0.
    pub alpha: f64,
    /// Probability of accepting H0 under H1.
    pub beta: f64,
}

/// What a sequential test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// More games are needed.
    Continue,
    /// The first engine is not better by the difference of H1.
    H0,
    /// It is better than the difference of H0.
    H1,
}

impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || {
            format!(
                "`{text}`: expected ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA with ELO0 below ELO1 and \
                 ALPHA and BETA between 0 and 0.5"
            )
        };
        let numbers: Vec<f64> = text
            .split(',')
            .map(|part| part.trim().parse().map_err(|_| refused()))
            .collect::<Result<_, _>>()?;
        let (elo0, elo1, alpha, beta) = match numbers[..] {
            [elo0, elo1] => (elo0, elo1, 0.05, 0.05),
            [elo0, elo1, alpha, beta] => (elo0, elo1, alpha, beta),
            _ => return Err(refused()),
        };
        let error = |p: f64| p > 0.0 && p < 0.5;
        if elo0 < elo1 && elo0 > -2000.0 && elo1 < 2000.0 && error(alpha) && error(beta) {
            Ok(Self {
                elo0,
                elo1,
                alpha,
                beta,
            })
        } else {
            Err(refused())
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{},{},{},{}",
            self.elo0, self.elo1, self.alpha, self.beta
        )
    }
}

impl Sprt {
    /// The log-likelihood ratios at which H0 and H1 are accepted (Wald's bounds).
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The log-likelihood ratio of H1 to H0 for these pairs, by half points: each hypothesis
    /// is given the distribution of greatest likelihood among those with its mean. Empty
    /// cells count 1e-3. 0 if there is no pair.
    pub fn llr(&self, pentanomial: &[u64; 5]) -> f64 {
        if pentanomial.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let distribution = Distribution::new(pentanomial, 2.0);
        let cells = Distribution::cells(&distribution.filled);
        let total: f64 = distribution.filled.iter().sum();
        let (score0, score1) = (expected_score(self.elo0), expected_score(self.elo1));
        let theta0 = tilt(cells.clone(), score0);
        let theta1 = tilt(cells.clone(), score1);
        let mean: f64 = cells
            .map(|(x, p)| {
                let ratio = (1.0 + theta0 * (x - score0)) / (1.0 + theta1 * (x - score1));
                p * ratio.ln()
            })
            .sum();
        total * mean
    }

    /// What the test says of these pairs.
    pub fn decide(&self, pentanomial: &[u64; 5]) -> Decision {
        let (low, high) = self.bounds();
        match self.llr(pentanomial) {
            llr if llr >= high => Decision::H1,
            llr if llr <= low => Decision::H0,
            _ => Decision::Continue,
        }
    }
}

/// The multiplier t for which the probabilities p / (1 + t (x - mean)) have this mean.
/// They are those of greatest likelihood for the observed p (by Lagrange's method).
fn tilt(cells: impl Iterator<Item = (f64, f64)> + Clone, mean: f64) -> f64 {
    // The sum falls from +inf at the lower end, where the probability of the greatest
    // score goes to infinity, to -inf at the upper end.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    // Each step halves the interval: after these nothing is left to halve.
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        let sum: f64 = cells
            .clone()
            .map(|(x, p)| p * (x - mean) / (1.0 + middle * (x - mean)))
            .sum();
        if sum > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}
