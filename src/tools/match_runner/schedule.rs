//! Which engines meet, with which opening and colours, in which order.

use super::settings::{Terms, Tournament};

/// A game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// The number of its pairing.
    pub pairing: usize,
    /// The number of its pair: the two games with one opening and both colours.
    pub pair: usize,
    /// Its opening.
    pub opening: usize,
    /// The engine with Red.
    pub red: usize,
    /// The engine with Black.
    pub black: usize,
}

/// All games of a match in the order in which they are started.
pub struct Schedule {
    /// Engines that meet.
    pub pairings: Vec<(usize, usize)>,
    /// The games; a game's number is its place here.
    pub fixtures: Vec<Fixture>,
}

impl Schedule {
    /// The schedule: opening by opening, every pairing plays it with both colours, so that
    /// all stand equal at any time. Every pairing gets the same openings.
    pub fn new(terms: &Terms) -> Self {
        let n = terms.engines.len();
        let pairings: Vec<(usize, usize)> = match terms.tournament {
            Tournament::RoundRobin => (0..n)
                .flat_map(|first| (first + 1..n).map(move |second| (first, second)))
                .collect(),
            Tournament::Gauntlet => (1..n).map(|other| (0, other)).collect(),
        };
        let games = terms.games as usize;
        let mut fixtures = Vec::with_capacity(games * pairings.len());
        for round in 0..games.div_ceil(2) {
            for (pairing, &(first, second)) in pairings.iter().enumerate() {
                let game = |red, black| Fixture {
                    pairing,
                    pair: round * pairings.len() + pairing,
                    opening: round % terms.openings,
                    red,
                    black,
                };
                fixtures.push(game(first, second));
                // An odd number of games leaves the last opening with one.
                if 2 * round + 1 < games {
                    fixtures.push(game(second, first));
                }
            }
        }
        Self { pairings, fixtures }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn schedule(engines: usize, games: u32, tournament: Tournament) -> Schedule {
        let mut terms = Terms::for_tests();
        terms.engines = vec![terms.engines[0].clone(); engines];
        terms.games = games;
        terms.tournament = tournament;
        terms.openings = 3;
        Schedule::new(&terms)
    }

    #[test]
    fn every_pairing_plays_its_games_with_both_colours() {
        for (tournament, pairings) in [(Tournament::RoundRobin, 6), (Tournament::Gauntlet, 3)] {
            let schedule = schedule(4, 10, tournament);
            assert_eq!(schedule.pairings.len(), pairings);
            assert_eq!(schedule.fixtures.len(), 10 * pairings);
            let mut pairs: BTreeMap<usize, Vec<Fixture>> = BTreeMap::new();
            for fixture in &schedule.fixtures {
                pairs.entry(fixture.pair).or_default().push(*fixture);
            }
            for pair in pairs.values() {
                let [one, two] = pair[..] else {
                    panic!("no pair: {pair:?}")
                };
                assert_eq!((one.red, one.black), (two.black, two.red));
                assert_eq!(one.opening, two.opening);
                assert_eq!(schedule.pairings[one.pairing], (one.red, one.black));
            }
        }
    }

    #[test]
    fn an_odd_number_of_games_is_kept() {
        assert_eq!(schedule(2, 7, Tournament::RoundRobin).fixtures.len(), 7);
        assert_eq!(schedule(2, 1, Tournament::Gauntlet).fixtures.len(), 1);
    }
}
