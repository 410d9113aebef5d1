//! What is kept incrementally equals what is recomputed, after every make and undo.

mod common;

use common::mailbox::Mailbox;
use common::{Rng, Sort, random_move, random_setup, suite_positions, walk};
use vermilion::attacks::Lines;
use vermilion::position::{Position, State};
use vermilion::types::{Bitboard, Color, Move, MoveList, Piece, PieceKind, Square};

/// Everything a position shows.
#[derive(PartialEq, Debug)]
struct Snapshot {
    state: State,
    board: [Option<Piece>; 90],
    men: [Bitboard; 2],
    kinds: [Bitboard; PieceKind::COUNT],
    kings: [Square; 2],
    lines: Lines,
    side: Color,
    ply: u32,
    history: usize,
}

impl Snapshot {
    fn of(position: &Position) -> Self {
        Self {
            state: *position.state(),
            board: Square::ALL.map(|square| position.piece_on(square)),
            men: Color::ALL.map(|color| position.men(color)),
            kinds: PieceKind::ALL.map(|kind| position.kind(kind)),
            kings: Color::ALL.map(|color| position.king(color)),
            lines: *position.lines(),
            side: position.side(),
            ply: position.ply(),
            history: position.history_len(),
        }
    }
}

fn check(position: &Position) {
    if let Err(view) = position.check_consistency() {
        panic!("{position:?}: {view}");
    }
}

/// The same placement set up afresh has the same keys, whatever way led to it.
fn check_keys(position: &Position) {
    let fresh = Position::try_from(&position.setup()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(fresh.state().keys, position.state().keys, "{position:?}");
}

/// Makes and takes back every legal move and the null move.
fn try_all_moves(position: &Position) {
    let before = Snapshot::of(position);
    let board = Mailbox::of(position);
    let mut position = position.clone();
    let mut list = MoveList::new();
    position.legal_moves(&mut list);
    for mv in list.iter() {
        let expected = position.key_after(mv);
        position.make(mv);
        assert_eq!(position.key(), expected, "{mv}");
        check(&position);
        assert_eq!(
            Mailbox::of(&position),
            board.after(mv),
            "{position:?} after {mv}"
        );
        assert_eq!(position.past_state(1), Some(&before.state));
        position.undo();
        check(&position);
        assert_eq!(Snapshot::of(&position), before, "{position:?} after {mv}");
    }
    if !position.in_check() {
        position.make_null();
        check(&position);
        assert_eq!(position.state().reversible, 0);
        assert_ne!(position.key(), before.state.keys.full);
        position.undo();
        assert_eq!(
            Snapshot::of(&position),
            before,
            "{position:?} after a null move"
        );
    }
}

#[test]
fn every_move_of_walks_from_games_is_taken_back_without_a_trace() {
    let mut starts = suite_positions();
    starts.resize(2 * starts.len(), Position::startpos());
    let start = |rng: &mut Rng| starts[rng.below(starts.len())].clone();
    walk(8_000, 80, &mut Rng::new(11), start, try_all_moves);
}

#[test]
fn every_move_of_walks_from_setups_is_taken_back_without_a_trace() {
    let sorts = [Sort::Sparse, Sort::KingLines, Sort::ManyOfAKind];
    let start = |rng: &mut Rng| {
        let sort = rng.pick(&sorts);
        random_setup(sort, rng)
    };
    walk(8_000, 12, &mut Rng::new(12), start, try_all_moves);
}

#[test]
fn long_games_are_taken_back_move_by_move() {
    let mut rng = Rng::new(13);
    for _ in 0..100 {
        let mut position = Position::startpos();
        let mut trail = vec![Snapshot::of(&position)];
        for ply in 0..400 {
            // A null move now and then, as in a search.
            match random_move(&position, &mut rng) {
                Some(_) if ply % 7 == 3 && !position.in_check() => position.make_null(),
                Some(mv) => position.make(mv),
                None => break,
            }
            check(&position);
            check_keys(&position);
            trail.push(Snapshot::of(&position));
        }
        while let Some(snapshot) = trail.pop() {
            assert_eq!(Snapshot::of(&position), snapshot);
            position.undo();
        }
        assert_eq!(position.history_len(), 0);
    }
}

/// The counters of a game, counted again from its moves.
#[derive(Default, PartialEq, Debug)]
struct Counters {
    halfmoves: u16,
    checks: [u16; 2],
    beyond_ten: u16,
}

impl Counters {
    fn recount(start: &Position, moves: &[Move]) -> Self {
        let mut board = Mailbox::of(start);
        let mut counters = Self::default();
        for &mv in moves {
            let (mover, before) = (usize::from(!board.red_to_move()), board.men());
            let answers = !board.checkers(board.red_to_move()).is_empty();
            board = board.after(mv);
            let gives = !board.checkers(board.red_to_move()).is_empty();
            if board.men() < before {
                counters = Self::default();
                continue;
            }
            counters.halfmoves += 1;
            counters.checks[mover] += u16::from(gives);
            let beyond =
                gives && counters.checks[mover] > 10 || answers && counters.checks[1 - mover] > 10;
            counters.beyond_ten += u16::from(beyond);
        }
        counters
    }
}

#[test]
fn counters_equal_a_recount_of_the_game() {
    let mut rng = Rng::new(14);
    let mut most_checks = 0;
    for game in 0..300 {
        let start = match game % 3 {
            0 => Position::startpos(),
            1 => random_setup(Sort::KingLines, &mut rng),
            _ => random_setup(Sort::Sparse, &mut rng),
        };
        let mut position = start.clone();
        let mut moves = Vec::new();
        for _ in 0..150 {
            // Checks wherever there are some, so that more than ten come together.
            let mut list = MoveList::new();
            position.legal_moves(&mut list);
            let checks: Vec<Move> = list.iter().filter(|&mv| position.gives_check(mv)).collect();
            let mv = match random_move(&position, &mut rng) {
                None => break,
                Some(_) if !checks.is_empty() && rng.chance(90) => rng.pick(&checks),
                Some(mv) => mv,
            };
            position.make(mv);
            moves.push(mv);
        }
        let state = position.state();
        let counters = Counters {
            halfmoves: state.halfmoves,
            checks: state.checks,
            beyond_ten: state.beyond_ten,
        };
        assert_eq!(
            counters,
            Counters::recount(&start, &moves),
            "{start:?} {moves:?}"
        );
        assert_eq!(state.reversible, state.halfmoves);
        most_checks = most_checks.max(state.checks[0]).max(state.checks[1]);
    }
    assert!(
        most_checks > 15,
        "the games have too few checks: {most_checks}"
    );
}

#[test]
fn a_game_of_seventy_thousand_plies_is_played_and_taken_back() {
    // Checks and answers without an end, so that the counters run full.
    let fen = "4k4/R8/9/9/9/9/9/9/9/5K3 w";
    let mut position: Position = fen.parse().unwrap_or_else(|error| panic!("{error}"));
    let start = Snapshot::of(&position);
    let round = ["a8a9", "e9e8", "a9a8", "e8e9"].map(Move::parse);
    for index in 0..70_000 {
        let mv = round[index % 4].unwrap_or_else(|error| panic!("{error}"));
        assert!(position.is_legal(mv), "{position:?} {mv}");
        position.make(mv);
    }
    assert_eq!(position.state().halfmoves, u16::MAX);
    assert_eq!(position.state().checks, [35_000, 0]);
    check(&position);
    while position.history_len() > 0 {
        position.undo();
    }
    assert_eq!(Snapshot::of(&position), start);
}
