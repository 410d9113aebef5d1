//! The lowest playing level against players of known strength: one that sees a ply ahead
//! and counts material, and one that moves at random.

use vermilion::engine::Engine;
use vermilion::position::Position;
use vermilion::rules::{Rules, Verdict};
use vermilion::search::{Limits, Strength};
use vermilion::tools::random::Rng;
use vermilion::types::{Color, Move, MoveList, PieceKind};

const GAMES: u64 = 100;
/// Longer games count as drawn.
const PLIES: usize = 300;

fn worth(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::King => 0,
        PieceKind::Advisor | PieceKind::Bishop => 2,
        PieceKind::Knight => 4,
        PieceKind::Rook => 9,
        PieceKind::Cannon => 5,
        PieceKind::Pawn => 1,
    }
}

/// A move of the greatest immediate gain, a mate above all; drawn among equals.
fn greedy(position: &Position, rng: &mut Rng) -> Move {
    let gain = |mv: Move| {
        let mut after = position.clone();
        after.make(mv);
        let taken = position
            .piece_on(mv.to())
            .map_or(0, |man| worth(man.kind()));
        if after.has_no_moves() { 100 } else { taken }
    };
    let moves = legal(position);
    let best = moves.iter().map(|&mv| gain(mv)).max();
    let best: Vec<Move> = moves
        .into_iter()
        .filter(|&mv| Some(gain(mv)) == best)
        .collect();
    best[rng.below(best.len())]
}

fn random(position: &Position, rng: &mut Rng) -> Move {
    let moves = legal(position);
    moves[rng.below(moves.len())]
}

fn legal(position: &Position) -> Vec<Move> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.iter().collect()
}

/// The half points of level 0 in a game against the other player.
fn points(engine: &mut Engine, other: fn(&Position, &mut Rng) -> Move, game: u64) -> u32 {
    let mut rng = Rng::new(7, game);
    let own = Color::ALL[game as usize % 2];
    let rules = Rules::default();
    let mut position = Position::startpos();
    engine.new_game();
    for _ in 0..PLIES {
        match rules.judge(&position) {
            Verdict::Loss(loser, _) | Verdict::Provisional(loser, _) => {
                return if loser == own { 0 } else { 2 };
            }
            Verdict::Draw(_) => return 1,
            Verdict::Ongoing => {}
        }
        let mv = if position.side() == own {
            engine.set_position(position.clone());
            let answer = engine.search(Limits::default());
            answer.best.expect("the game goes on")
        } else {
            other(&position, &mut rng)
        };
        position.make(mv);
    }
    1
}

/// The games that level 0 loses, draws and wins.
fn games(other: fn(&Position, &mut Rng) -> Move) -> [u64; 3] {
    let mut engine = Engine::new();
    engine.set_hash(1).expect("a megabyte");
    engine.set_strength(Strength::of_level(0.0));
    let mut counts = [0; 3];
    for game in 0..GAMES {
        counts[points(&mut engine, other, game) as usize] += 1;
    }
    println!("lost, drawn, won: {counts:?}");
    counts
}

#[test]
fn level_0_loses_to_a_player_who_counts_material_a_ply_ahead() {
    let [lost, ..] = games(greedy);
    assert!(lost >= 70 * GAMES / 100, "{lost}");
}

#[test]
fn level_0_beats_a_player_who_moves_at_random() {
    let [lost, _, won] = games(random);
    assert!(won > 2 * lost, "{won} to {lost}");
}
