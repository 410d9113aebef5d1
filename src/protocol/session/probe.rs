//! UCCI's `probe`: what the hash table knows of a position.

use super::Session;
use crate::protocol::game::read_game;
use crate::protocol::moves::Ranks;
use crate::search::{Bound, Known};

impl Session {
    /// Answers with one `pophash` line; a search that runs goes on.
    pub(super) fn probe(&self, text: &str) {
        let known = match read_game(text, self.ranks()) {
            Ok(game) => {
                if let Some(refused) = game.refused {
                    self.output.notice(&format!(
                        "probe: illegal move, the list ends before it: {refused}"
                    ));
                }
                self.engine.probe(&game.position)
            }
            Err(error) => {
                self.output.notice(&format!("probe: {error}"));
                None
            }
        };
        self.output.line(&pophash(known, self.ranks()));
    }
}

/// The reply. Scores are numbers, those of mates 32,000 less the plies to the mate.
fn pophash(known: Option<Known>, ranks: Ranks) -> String {
    let Some(known) = known else {
        return "pophash".to_owned();
    };
    let best = known
        .best
        .map(|mv| format!(" bestmove {}", ranks.write(mv)));
    let bound = |name: &str| format!(" {name} {} depth {}", known.value, known.depth);
    let bounds = match known.bound {
        Bound::Exact => bound("lowerbound") + &bound("upperbound"),
        Bound::Lower => bound("lowerbound"),
        Bound::Upper => bound("upperbound"),
    };
    format!("pophash{}{bounds}", best.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Move;

    #[test]
    fn an_exact_value_is_both_bounds() {
        let known = |bound| {
            Some(Known {
                best: Move::parse("h2e2").ok(),
                value: -7,
                bound,
                depth: 5,
            })
        };
        let ranks = Ranks::FromZero;
        assert_eq!(pophash(None, ranks), "pophash");
        assert_eq!(
            pophash(known(Bound::Exact), ranks),
            "pophash bestmove h2e2 lowerbound -7 depth 5 upperbound -7 depth 5"
        );
        assert_eq!(
            pophash(known(Bound::Upper), Ranks::FromOne),
            "pophash bestmove h3e3 upperbound -7 depth 5"
        );
    }
}
