use std::fs;

use super::data::{self, Filter};
use super::model::{Inputs, sigmoid};
use super::*;
use crate::nnue::{HIDDEN, INPUTS};
use crate::position::Position;
use crate::tools::record::{
    Adjudication, Board, GameResult, NewBlock, Outcome, Reason, Record, Settings,
};
use crate::types::{Color, MoveList, PieceKind};

const AIM: Aim = Aim {
    scale: 300.0,
    lambda: 0.3,
};
const ALL: Filter = Filter {
    max_score: 3_000,
    skip_plies: 0,
};

/// What the men of the side to move are worth more than the other side's.
fn material(position: &Position) -> i16 {
    let worth = |color| -> i16 {
        let kinds = [
            (PieceKind::Rook, 9),
            (PieceKind::Cannon, 4),
            (PieceKind::Knight, 4),
        ];
        let count = |kind| position.pieces(color, kind).count() as i16;
        kinds
            .iter()
            .map(|&(kind, worth)| 100 * worth * count(kind))
            .sum()
    };
    worth(position.side()) - worth(!position.side())
}

/// A game of random moves that whoever has more at its end has won.
fn random_game(seed: u64) -> Record {
    let mut position = Position::startpos();
    let start = Board::from(&position);
    let mut rng = Rng::new(7, seed);
    let mut plies = Vec::new();
    for _ in 0..90 {
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let Some(mv) = moves.get(rng.below(moves.len().max(1))) else {
            break;
        };
        plies.push((mv, material(&position)));
        position.make(mv);
    }
    let red = match position.side() {
        Color::Red => material(&position),
        Color::Black => -material(&position),
    };
    let result = match red.signum() {
        1 => GameResult::RedWins,
        0 => GameResult::Draw,
        _ => GameResult::BlackWins,
    };
    let outcome = Outcome {
        result,
        reason: Reason::TooLong,
    };
    Record {
        start,
        outcome,
        plies,
    }
}

/// Random games, written to a file and read back.
fn data(games: u64, filter: Filter, validation: u64) -> Data {
    static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let settings = Settings {
        engine: "random".to_owned(),
        signature: 1,
        nodes: 1,
        seed: 7,
        balance: 0,
        endings: 0,
        rule: "AsianRule".to_owned(),
        adjudication: Adjudication {
            win_score: 0,
            win_plies: 0,
            draw_score: 0,
            draw_plies: 0,
            draw_from: 0,
            max_plies: 90,
        },
        label: None,
    };
    let mut block = NewBlock::default();
    (0..games).for_each(|seed| block.push(&random_game(seed)));
    let number = NUMBER.fetch_add(1, Relaxed);
    let path =
        std::env::temp_dir().join(format!("vermilion-train-{}-{number}", std::process::id()));
    let bytes = block.to_bytes(&settings, 0).expect("settings are JSON");
    fs::write(&path, bytes).expect("a file for the test");
    let data = data::read(std::slice::from_ref(&path), filter, validation);
    fs::remove_file(&path).expect("the file is there");
    data.expect("the file can be read")
}

fn random_model(data: &Data, buckets: usize) -> Model {
    Model::random(buckets, &data.training.seen(), &mut Rng::new(3, 0))
}

/// The gradient of half the squared errors, as the trainer works it out.
fn gradient(model: &Model, games: &Games, lessons: &[Lesson]) -> Model {
    let mut gradient = Model::zero(model.buckets);
    let mut workspace = Workspace::new();
    for &lesson in lessons {
        workspace.learn(model, &mut gradient, games, lesson, AIM);
    }
    gradient
}

#[test]
fn the_gradient_is_that_of_finite_differences() {
    let data = data(6, ALL, 0);
    let model = random_model(&data, 3);
    let lessons: Vec<Lesson> = data
        .training
        .runs(RUN)
        .into_iter()
        .enumerate()
        .map(|(number, run)| (run, number % 2 == 1))
        .collect();
    let gradient = gradient(&model, &data.training, &lessons);
    let half_loss = |model: &Model| {
        let (mut scratch, mut workspace) = (Model::zero(3), Workspace::new());
        let mut loss = 0.0;
        for &lesson in &lessons {
            loss += workspace
                .learn(model, &mut scratch, &data.training, lesson, AIM)
                .loss;
        }
        loss / 2.0
    };
    let mut rng = Rng::new(5, 0);
    let mut errors = Vec::new();
    while errors.len() < 120 {
        // Every fourth is an output or a bias.
        let row = match rng.below(4) {
            0 => INPUTS + rng.below(model.rows.len() - INPUTS),
            _ => rng.below(INPUTS),
        };
        let lane = rng.below(HIDDEN);
        let exact = f64::from(gradient.rows[row].0[lane]);
        if exact.abs() < 1e-4 {
            continue;
        }
        let step = 4e-3;
        let at = |by: f32| {
            let mut moved = model.clone();
            moved.rows[row].0[lane] += by;
            half_loss(&moved)
        };
        let numeric = (at(step) - at(-step)) / (2.0 * f64::from(step));
        errors.push((numeric - exact).abs() / exact.abs());
    }
    errors.sort_by(f64::total_cmp);
    // A few weights lie where the activation has its corner.
    assert!(errors[60] < 3e-3, "median {}", errors[60]);
    assert!(errors[108] < 0.05, "nine tenths {}", errors[108]);
}

#[test]
fn a_run_teaches_what_its_positions_teach_one_by_one() {
    let data = data(4, ALL, 0);
    let model = random_model(&data, 2);
    let games = &data.training;
    for mirrored in [false, true] {
        let lessons = |length| -> Vec<Lesson> {
            games
                .runs(length)
                .into_iter()
                .map(|run| (run, mirrored))
                .collect()
        };
        let chained = gradient(&model, games, &lessons(RUN));
        let plain = gradient(&model, games, &lessons(1));
        let largest = plain.rows.iter().flat_map(|row| row.0).fold(0.0, f32::max);
        assert!(largest > 0.01);
        for (chained, plain) in chained.rows.iter().zip(&plain.rows) {
            for (chained, plain) in chained.0.iter().zip(plain.0) {
                assert!((chained - plain).abs() < 1e-4 * largest);
            }
        }
    }
}

#[test]
fn a_mirrored_board_sets_the_inputs_of_its_mirror_image() {
    let inputs = Inputs::new();
    let data = data(3, ALL, 0);
    let mut rng = Rng::new(1, 1);
    let model = random_model(&data, 1);
    let run = data.training.runs(RUN)[0];
    let mut plain = Workspace::new();
    let loss = |workspace: &mut Workspace, mirrored| {
        workspace
            .learn(
                &model,
                &mut Model::zero(1),
                &data.training,
                (run, mirrored),
                AIM,
            )
            .loss
    };
    // A random net is not symmetric, so the two differ, and each is the same again.
    let (one, other) = (loss(&mut plain, false), loss(&mut plain, true));
    assert_ne!(one, other);
    assert_eq!(loss(&mut plain, false), one);
    for _ in 0..200 {
        let piece = crate::types::Piece::ALL[rng.below(14)];
        let square = crate::types::Square::ALL[rng.below(90)];
        let code = piece.index() + 1;
        for perspective in 0..2 {
            assert_eq!(
                inputs.row(2 + perspective, code, square as usize),
                inputs.row(perspective, code, square.mirror() as usize)
            );
        }
    }
}

#[test]
fn positions_that_teach_nothing_are_left_out() {
    let everything = data(20, ALL, 0);
    let strict = data(
        20,
        Filter {
            max_score: 300,
            skip_plies: 10,
        },
        0,
    );
    assert!(strict.training.kept() < everything.training.kept());
    assert!(everything.training.kept() < everything.positions);
    assert_eq!(everything.positions, strict.positions);
    for run in strict.training.runs(RUN) {
        strict
            .training
            .show(run, |sample| assert!(sample.score.abs() <= 300));
    }
    let mut expected = 0;
    for seed in 0..20 {
        let game = random_game(seed);
        let mut position = Position::startpos();
        for (mv, _) in game.plies {
            let quiet = !position.in_check() && position.piece_on(mv.to()).is_none();
            expected += usize::from(quiet);
            position.make(mv);
        }
    }
    assert_eq!(everything.training.kept(), expected);
}

#[test]
fn validation_takes_whole_games_and_always_the_same() {
    let first = data(60, ALL, 250);
    let again = data(60, ALL, 250);
    assert!(first.validation.len() > 4 && first.training.len() > 30);
    assert_eq!(first.training.len() + first.validation.len(), 60);
    assert_eq!(first.validation.kept(), again.validation.kept());
}

#[test]
fn every_position_comes_once_in_an_epoch() {
    let data = data(10, ALL, 0);
    let games = &data.training;
    let scores = |runs: Vec<Run>| {
        let mut scores = Vec::new();
        for run in runs {
            assert!(usize::from(run.length) <= RUN);
            games.show(run, |sample| scores.push((sample.board.0, sample.score)));
        }
        scores.sort_unstable();
        scores
    };
    let ordered = scores(games.runs(RUN));
    assert_eq!(ordered.len(), games.kept());
    let shuffled = games.shuffled_runs(RUN, &mut Rng::new(1, 1));
    assert_ne!(shuffled, games.runs(RUN));
    assert_eq!(scores(shuffled), ordered);
}

#[test]
fn the_scale_is_the_one_that_made_the_results() {
    // Games whose results come from their material by chance are not at hand; but the
    // fit must be the minimum of the cross entropy.
    let data = data(60, ALL, 0);
    let fitted = data.training.fit_scale();
    let entropy = |scale: f32| {
        let mut sum = 0.0;
        for run in data.training.runs(RUN) {
            data.training.show(run, |sample| {
                let mut losses = Losses::default();
                losses.add(f32::from(sample.score) / scale, 0.0, 0.0, sample.points);
                sum += losses.result;
            });
        }
        sum
    };
    assert!(entropy(fitted) < entropy(fitted * 1.1));
    assert!(entropy(fitted) < entropy(fitted / 1.1));
}

#[test]
fn scores_are_drawn_towards_what_followed() {
    let (share, scale) = (0.8_f64, 300.0);
    let mut games = data(1, ALL, 0).training;
    games.look_ahead(share as f32, scale);
    let mut seen = Vec::new();
    for run in games.runs(RUN) {
        games.show(run, |sample| seen.push((sample.score, sample.points)));
    }
    let game = random_game(0);
    let chances: Vec<f64> = game
        .plies
        .iter()
        .map(|&(_, score)| f64::from(sigmoid(f32::from(score) / scale)))
        .collect();
    let red_points = game.outcome.result.points(Color::Red);
    let mut position = Position::startpos();
    let mut seen = seen.into_iter();
    for (number, &(mv, _)) in game.plies.iter().enumerate() {
        if !position.in_check() && position.piece_on(mv.to()).is_none() {
            // Every later chance from the view of this side, less and less; at last the result.
            let (score, points) = seen.next().expect("as many as count");
            let views = chances[number..].iter().enumerate();
            let seen_here = |(later, &chance): (usize, &f64)| {
                let chance = if later % 2 == 0 { chance } else { 1.0 - chance };
                (1.0 - share) * share.powi(later as i32) * chance
            };
            let rest = share.powi((chances.len() - number) as i32);
            let expected = views.map(seen_here).sum::<f64>() + rest * f64::from(points);
            let found = f64::from(sigmoid(f32::from(score) / scale));
            assert!(
                (found - expected).abs() < 0.002,
                "{number}: {found} {expected}"
            );
            let red = position.side() == Color::Red;
            assert_eq!(points, if red { red_points } else { 1.0 - red_points });
        }
        position.make(mv);
    }
    assert!(seen.next().is_none());
}

fn plan_for(data: &Data, epochs: u32) -> Plan {
    Plan {
        files: Vec::new(),
        from: None,
        positions: [data.training.kept(), data.validation.kept()],
        epochs,
        batch: 128,
        rate: 0.004,
        decay: 0.01,
        lambda: 0.0,
        look_ahead: 0.0,
        scale: 300.0,
        max_score: 3_000,
        skip_plies: 0,
        validation: 200,
        buckets: 2,
        seed: 4,
        threads: 2,
    }
}

#[test]
fn what_is_learnt_holds_for_other_games_and_for_the_integers() {
    let data = data(150, ALL, 200);
    let plan = plan_for(&data, 12);
    let mut trainer = Trainer::new(&data, &plan, None, None).expect("no checkpoint is read");
    let before = trainer.validate();
    let finished = trainer.train(None, &AtomicBool::new(false), Instant::now());
    assert!(finished.expect("nothing is written"));
    let after = trainer.validate();
    let (before, after) = (before.mean(before.score), after.mean(after.score));
    assert!(after < before / 1.5, "{after} {before}");

    let model = &trainer.progress.model;
    let network = quantise::quantise(model, plan.scale).expect("a net");
    let whole = quantise::losses(&network, &data.validation, trainer.aim());
    assert!(whole.mean(whole.score) < 1.1 * after + 1e-4);
    assert_quantised_within_bound(&trainer, &network);
}

#[test]
fn a_net_to_begin_with_is_taken_over_as_it_is() {
    let data = data(40, ALL, 200);
    let mut plan = plan_for(&data, 4);
    let mut trainer = Trainer::new(&data, &plan, None, None).expect("no checkpoint is read");
    let finished = trainer.train(None, &AtomicBool::new(false), Instant::now());
    assert!(finished.expect("nothing is written"));
    let network = quantise::quantise(&trainer.progress.model, plan.scale).expect("a net");
    let again = quantise::restore(&network, 2, plan.scale).expect("two outputs");
    let again = quantise::quantise(&again, plan.scale).expect("a net");
    assert_eq!(again.to_bytes(""), network.to_bytes(""));
    assert!(quantise::restore(&network, 3, plan.scale).is_none());

    // With another scale the scores are the same and the logits are not.
    plan.scale = 450.0;
    let trainer = Trainer::new(&data, &plan, Some(&network), None).expect("a net");
    let stretched = quantise::quantise(&trainer.progress.model, plan.scale).expect("a net");
    let mut compared = 0;
    for run in data.validation.runs(RUN) {
        data.validation.show(run, |sample| {
            let men: Vec<_> = crate::types::Square::ALL
                .into_iter()
                .zip(sample.board.0)
                .filter(|&(_, code)| code > 0)
                .map(|(square, code)| (crate::types::Piece::ALL[usize::from(code) - 1], square))
                .collect();
            let score = |net| quantise::logit(net, &men, sample.side) * net.scale() as f32;
            let (old, new) = (score(&network), score(&stretched));
            assert!((old - new).abs() < 12.0 + old.abs() * 0.1, "{old} {new}");
            compared += 1;
        });
    }
    assert!(compared > 100);
}

/// The integers differ from the model by no more than rounding can bring about.
fn assert_quantised_within_bound(trainer: &Trainer<'_>, network: &crate::nnue::Network) {
    use crate::nnue::{QA, QB, bucket, feature};
    use crate::types::{Piece, Square};
    let model = &trainer.progress.model;
    let mut compared = 0;
    for run in trainer.data.validation.runs(RUN) {
        trainer.data.validation.show(run, |sample| {
            let men: Vec<(Piece, Square)> = Square::ALL
                .into_iter()
                .filter(|&square| sample.board.0[square as usize] > 0)
                .map(|square| {
                    (
                        Piece::ALL[usize::from(sample.board.0[square as usize]) - 1],
                        square,
                    )
                })
                .collect();
            let number = bucket(men.len(), 2);
            // Half a unit for each man and the bias.
            let sum_error = (men.len() + 1) as f32 * 0.5 / QA as f32;
            let (mut logit, mut bound) = (model.output_bias(number), 1e-4);
            for other in [false, true] {
                let view = if other { !sample.side } else { sample.side };
                for lane in 0..HIDDEN {
                    let sum: f32 = model.bias()[lane]
                        + men
                            .iter()
                            .map(|&(piece, square)| model.input(feature(view, piece, square))[lane])
                            .sum::<f32>();
                    let weight = model.output(number, other)[lane];
                    logit += sum.clamp(0.0, 1.0).powi(2) * weight;
                    let square_error = 2.0 * sum_error + sum_error * sum_error;
                    bound += (weight.abs() + 0.5 / QB as f32) * square_error + 0.5 / QB as f32;
                }
            }
            let integers = quantise::logit(network, &men, sample.side);
            assert!(
                (integers - logit).abs() <= bound,
                "{integers} {logit} {bound}"
            );
            let apart = (sigmoid(integers) - sigmoid(logit)).abs();
            assert!(apart < 0.03, "{integers} {logit}");
            compared += 1;
        });
    }
    assert!(compared > 500);
}

#[test]
fn the_curve_is_drawn_whatever_its_length() {
    let epoch = Epoch {
        loss: 0.01,
        score: 0.005,
        result: 0.6,
    };
    for length in [0, 1, 2, 30] {
        let svg = curve::svg(&vec![epoch; length]);
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{length}");
    }
}
