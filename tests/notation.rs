//! Notations: every legal move survives being written and read, and pyffish agrees.

mod common;

use std::collections::HashSet;

use common::{Rng, Sort, random_move, random_setup, walk};
use vermilion::notation::{Notation, NotationError, Place, UnknownNotation, Who, read};
use vermilion::position::{IllegalMove, Position};
use vermilion::types::{Move, MoveList, PieceKind, Square};

/// Every legal move is read back from what is written, by the notation's own reader and by
/// the one that finds out the notation; no two moves are written alike.
fn check_round_trip(position: &Position) {
    let mut legal = MoveList::new();
    position.legal_moves(&mut legal);
    for notation in Notation::ALL {
        let mut seen = HashSet::new();
        for mv in legal.iter() {
            let text = notation.write(position, mv);
            let fail = || format!("{notation}: {mv} is {text:?} in {}", position.fen());
            assert_eq!(notation.read(position, &text), Ok(mv), "{}", fail());
            // Which side the ranks count from cannot be seen.
            if notation != Notation::NumericFar {
                assert_eq!(read(position, &text), Ok(mv), "{}", fail());
            }
            assert!(seen.insert(text.clone()), "{}", fail());
        }
    }
}

/// Positions of random games from the start, and such with many men of a kind.
fn for_random_positions(count: usize) {
    let mut rng = Rng::new(7);
    let start = |_: &mut Rng| Position::startpos();
    walk(count / 2, 150, &mut rng, start, check_round_trip);
    for sort in [Sort::Sparse, Sort::ManyOfAKind] {
        let start = |rng: &mut Rng| random_setup(sort, rng);
        walk(count / 4, 20, &mut rng, start, check_round_trip);
    }
}

#[test]
fn moves_survive_every_notation() {
    for_random_positions(1_500);
}

#[test]
#[ignore = "twenty thousand positions: cargo test --release --test notation -- --ignored"]
fn moves_of_many_positions_survive_every_notation() {
    for_random_positions(20_000);
}

/// Whether pyffish leaves out the sign of one of two men on a file: it does where the other
/// one would leave the board by the same step. Players write the sign all the same.
fn pyffish_leaves_out_the_sign(position: &Position, mv: Move) -> bool {
    let Some(piece) = position.piece_on(mv.from()) else {
        return false;
    };
    let files = mv.to().file() as i32 - mv.from().file() as i32;
    let ranks = mv.to().rank() as i32 - mv.from().rank() as i32;
    let men = position.pieces(piece.color(), piece.kind());
    let others: Vec<Square> = men
        .into_iter()
        .filter(|man| man.file() == mv.from().file() && *man != mv.from())
        .collect();
    others.len() == 1 && others[0].offset(files, ranks).is_none()
}

#[test]
fn pyffish_writes_the_same_wxf() {
    let (mut positions, mut same, mut signed, mut numbered, mut without_sign) = (0, 0, 0, 0, 0);
    for line in include_str!("notation/wxf.txt").lines() {
        let (fen, groups) = line.split_once('|').expect("a FEN and moves");
        let mut position: Position = fen.parse().expect(fen);
        for group in groups.split(' ') {
            positions += 1;
            let mut played = None;
            for at in (0..group.len()).step_by(8) {
                let mv = Move::parse(&group[at..at + 4]).expect(group);
                let theirs = &group[at + 4..at + 8];
                played = played.or(Some(mv));
                let ours = Notation::Wxf.write(&position, mv);
                let fail = || format!("{mv}: {ours}, {theirs} in {}", position.fen());
                assert_eq!(read(&position, theirs), Ok(mv), "{}", fail());
                if ours == theirs {
                    same += 1;
                    numbered += usize::from(ours.as_bytes()[0].is_ascii_digit());
                    signed += usize::from(matches!(ours.as_bytes()[1], b'+' | b'-'));
                    continue;
                }
                without_sign += 1;
                assert!(pyffish_leaves_out_the_sign(&position, mv), "{}", fail());
                assert!(matches!(&ours[1..2], "+" | "-"), "{}", fail());
                assert_eq!(
                    (&ours[..1], &ours[2..]),
                    (&theirs[..1], &theirs[2..]),
                    "{}",
                    fail()
                );
            }
            position.make(played.expect("a move"));
        }
    }
    assert_eq!(positions, 5_000);
    assert!(
        same > 20_000 && signed > 1_000 && numbered > 1_000,
        "{same} {signed} {numbered}"
    );
    assert!(without_sign < same / 20, "{without_sign} of {same}");
}

/// What each text is read as, by any notation's reader.
fn check_reading(fen: &str, readings: &[(&str, &str)]) {
    let position: Position = if fen.is_empty() {
        Position::startpos()
    } else {
        fen.parse().expect(fen)
    };
    for &(text, expected) in readings {
        let mv = read(&position, text).map(|mv| mv.to_string());
        assert_eq!(mv.as_deref(), Ok(expected), "{text} in {fen}");
    }
}

#[test]
fn spellings_of_all_kinds_are_read() {
    let central = [
        "炮二平五",
        "砲二平五",
        "包二平五",
        "砲２平５",
        "炮2平5",
        "炮贰平伍",
    ];
    let other = [
        "C2=5",
        "C2.5",
        "c2.5",
        "Ｃ２＝５",
        "H2-E2",
        "h2e2",
        "C32-35",
        "c32-35",
        "炮32-35",
        "炮３２－３５",
        " C2.5 ",
        "炮2=5",
    ];
    for text in central.into_iter().chain(other) {
        check_reading("", &[(text, "h2e2")]);
    }
    check_reading(
        "",
        &[
            ("马八进七", "b0c2"),
            ("傌八進七", "b0c2"),
            ("馬8进7", "b0c2"),
            ("N8+7", "b0c2"),
            ("H8+7", "b0c2"),
            ("相三进五", "g0e2"),
            ("象三进五", "g0e2"),
            ("E3+5", "g0e2"),
            ("B3+5", "g0e2"),
            ("仕六进五", "d0e1"),
            ("士六進五", "d0e1"),
            ("A6+5", "d0e1"),
            ("M6+5", "d0e1"),
            ("帅五进一", "e0e1"),
            ("將五進一", "e0e1"),
            ("G5+1", "e0e1"),
            ("K5+1", "e0e1"),
            ("兵七进一", "c3c4"),
            ("卒七进一", "c3c4"),
            ("S7+1", "c3c4"),
            ("俥一进一", "i0i1"),
            ("车九进二", "a0a2"),
        ],
    );
    check_reading(
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b",
        &[
            ("马8进7", "h9g7"),
            ("馬８進７", "h9g7"),
            ("马八进七", "h9g7"),
            ("h8+7", "h9g7"),
            ("炮8平5", "h7e7"),
            ("c8.5", "h7e7"),
            ("C38-35", "h7e7"),
            ("卒3进1", "c6c5"),
            ("兵3进1", "c6c5"),
            ("P43-53", "c6c5"),
            ("车1进1", "a9a8"),
        ],
    );
    let black: Position = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b"
        .parse()
        .expect("a FEN");
    assert_eq!(
        Notation::NumericFar.read(&black, "C88-85"),
        Ok(Move::parse("h7e7").expect("a move"))
    );
}

#[test]
fn men_on_one_file_are_told_apart_in_every_convention() {
    // Two rooks, two horses and two cannons on one file each.
    check_reading(
        "3k5/4P4/9/2R3N2/7C1/2R6/6N2/4B2C1/4A4/3AK4 w",
        &[
            ("前车平五", "c6e6"),
            ("后車平五", "c4e4"),
            ("後俥平五", "c4e4"),
            ("车前平五", "c6e6"),
            ("R+=5", "c6e6"),
            ("+R=5", "c6e6"),
            ("R-.5", "c4e4"),
            ("-R.5", "c4e4"),
            ("前炮退一", "h5h4"),
            ("C+-1", "h5h4"),
            ("+C-1", "h5h4"),
            ("C--1", "h2h1"),
            ("前马退五", "g6e5"),
            ("后马进五", "g3e4"),
            ("N-+5", "g3e4"),
            ("-H+5", "g3e4"),
            // Only one of the two can go so.
            ("H3-5", "g6e5"),
        ],
    );
    // Three pawns on a file, two on another: numbers through all, or by file.
    check_reading(
        "3k5/9/2P3P2/2P3P2/2P6/9/9/9/9/4K4 w",
        &[
            ("一兵平二", "g7h7"),
            ("二兵平二", "g6h6"),
            ("三兵平六", "c7d7"),
            ("四兵平六", "c6d6"),
            ("五兵平六", "c5d5"),
            ("Pa.2", "g7h7"),
            ("Pe=6", "c5d5"),
            ("13=2", "g7h7"),
            ("23.2", "g6h6"),
            ("37=6", "c5d5"),
            ("前七平六", "c7d7"),
            ("中七平六", "c6d6"),
            ("后七平六", "c5d5"),
            ("后三平四", "g6f6"),
            ("前兵三进一", "g7g8"),
        ],
    );
    // Three on one file.
    check_reading(
        "4k4/9/2P6/2P6/2P6/9/9/9/9/3K5 w",
        &[
            ("前兵平六", "c7d7"),
            ("中兵平六", "c6d6"),
            ("后兵平六", "c5d5"),
            ("三兵平六", "c5d5"),
            ("P+=6", "c7d7"),
            ("P..6", "c6d6"),
            ("P=.6", "c6d6"),
            ("P-.6", "c5d5"),
            ("Pb.6", "c6d6"),
            ("27=6", "c6d6"),
        ],
    );
}

#[test]
fn each_convention_is_written() {
    let write = |fen: &str, mv: &str| {
        let position: Position = fen.parse().expect(fen);
        Notation::ALL.map(|notation| notation.write(&position, Move::parse(mv).expect(mv)))
    };
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
    assert_eq!(
        write(&format!("{start} w"), "b0c2"),
        [
            "B0-C2",
            "H8+7",
            "H8+7",
            "马八进七",
            "傌八進七",
            "H18-37",
            "H108-87"
        ]
    );
    assert_eq!(
        write(&format!("{start} b"), "h7e7"),
        [
            "H7-E7", "C8=5", "C8.5", "炮8平5", "砲8平5", "C38-35", "C88-85"
        ]
    );
    let pawns = "3k5/9/2P3P2/2P3P2/2P6/9/9/9/9/4K4 w";
    assert_eq!(
        write(pawns, "c6d6")[1..5],
        ["27=6", "Pd.6", "四兵平六", "四兵平六"]
    );
    let two = "4k4/9/9/9/9/3p5/9/3p5/9/3K5 b";
    assert_eq!(
        write(two, "d4c4")[1..5],
        ["P-=3", "P-.3", "后卒平3", "後卒平3"]
    );
    let three = "4k4/9/2P6/2P6/2P6/9/9/9/9/3K5 w";
    assert_eq!(
        write(three, "c6d6")[1..5],
        ["27=6", "P..6", "中兵平六", "中兵平六"]
    );
}

#[test]
fn what_is_no_move_is_refused_with_the_reason() {
    let start = Position::startpos();
    let error = |text: &str| read(&start, text).expect_err(text);
    assert_eq!(error(""), NotationError::Empty);
    assert_eq!(error("C2x5"), NotationError::Character('x', 3));
    assert_eq!(error("炮二瓶五"), NotationError::Character('瓶', 3));
    for text in [
        "C2+",
        "C",
        "炮",
        "C2=",
        "=5",
        "炮二平五平",
        "C2=5=5=5",
        "五平五平",
    ] {
        assert_eq!(error(text), NotationError::Order, "{text}");
    }
    assert_eq!(
        error("R5+1"),
        NotationError::NoMan(PieceKind::Rook, Who::OnFile(5))
    );
    assert_eq!(
        error("前炮进一"),
        NotationError::NoMan(PieceKind::Cannon, Who::At(Place::Front))
    );
    for text in ["H2=5", "H2+9", "E3+4", "A4+4", "C2-9"] {
        assert!(
            matches!(error(text), NotationError::NotItsMove(_)),
            "{text}"
        );
    }
    let illegal = |text: &str| match error(text) {
        NotationError::Illegal(_, reason) => reason,
        other => panic!("{text}: {other:?}"),
    };
    assert!(matches!(illegal("C2+6"), IllegalMove::WayBlocked { .. }));
    assert!(matches!(
        error("R32-35"),
        NotationError::OtherPiece(Square::H2, PieceKind::Rook, Some(_))
    ));
    assert_eq!(error("C112-35"), NotationError::NotNumeric);
    assert_eq!(error("C02-35"), NotationError::NotNumeric);
    let both: Position = "3k5/9/9/9/2R6/9/2R6/9/9/4K4 w".parse().expect("a FEN");
    assert!(matches!(
        read(&both, "R7=6"),
        Err(NotationError::Ambiguous(..))
    ));
    for notation in Notation::ALL {
        assert_eq!(notation.name().to_uppercase().parse(), Ok(notation));
        assert!(notation.read(&start, "🀄C２").is_err());
    }
    let unknown: Result<Notation, _> = "san".parse();
    let unknown: UnknownNotation = unknown.expect_err("no SAN");
    assert!(unknown.to_string().contains("wxf-letters"), "{unknown}");
}

/// Moves with characters changed, left out and added, and any bytes.
#[test]
fn garbage_never_panics() {
    let letters: Vec<char> =
        "CRPHEAKcrp0123456789+-.=abz炮车马兵前中后一二三九十平进退☃é\u{ff0b}１"
            .chars()
            .collect();
    let mut rng = Rng::new(3);
    let (mut good, mut bad) = (0, 0);
    for position in &common::suite_positions() {
        for _ in 0..300 {
            let Some(mv) = random_move(position, &mut rng) else {
                break;
            };
            let written = rng.pick(&Notation::ALL).write(position, mv);
            let mut text: Vec<char> = written.chars().collect();
            for _ in 0..rng.below(3) {
                let at = rng.below(text.len() + 1);
                match rng.below(3) {
                    0 if at < text.len() => text[at] = rng.pick(&letters),
                    1 if at < text.len() => drop(text.remove(at)),
                    _ => text.insert(at, rng.pick(&letters)),
                }
            }
            let text: String = text.into_iter().collect();
            for notation in Notation::ALL {
                let _ = notation.read(position, &text);
            }
            match read(position, &text) {
                Ok(mv) => {
                    assert!(position.is_legal(mv), "{text}");
                    good += 1;
                }
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    bad += 1;
                }
            }
        }
    }
    assert!(good > 1_000 && bad > 1_000, "{good} {bad}");
}
