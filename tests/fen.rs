//! Reading, writing and judging FENs.

use vermilion::position::{FenError, Position, START_FEN, Setup, SetupFault, SetupWarning};
use vermilion::types::{Color, Piece, Rank, Square};

const START_BOARD: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

fn setup(fen: &str) -> Setup {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn faults(fen: &str) -> Vec<String> {
    let faults = setup(fen).faults();
    let refused = Position::try_from(&setup(fen)).is_err();
    assert_eq!(refused, !faults.is_empty(), "{fen}");
    faults.iter().map(ToString::to_string).collect()
}

#[test]
fn a_strict_fen_is_read_and_written_unchanged() {
    for fen in [
        START_FEN,
        "3ak4/9/4b4/9/2R6/6N2/9/4B3r/4A4/4KC3 b - - 17 42",
        "9/9/3k5/9/9/9/9/9/9/5K3 w - - 0 1",
    ] {
        assert_eq!(setup(fen).to_string(), fen);
        let position: Position = fen.parse().unwrap();
        assert_eq!(position.fen(), fen);
        assert_eq!(position.setup(), setup(fen));
        position.check_consistency().unwrap();
    }
}

#[test]
fn every_spelling_of_the_tail_is_understood() {
    let red = [
        "",
        " w",
        " r",
        " W",
        " R",
        " -",
        " w - -",
        " w - - 0",
        " w - - 0 1",
        " w 0 1",
        " w - 0 1",
        " w - - - 1",
        " w - - - -",
        " - - 0 1",
        " 0 1",
        " w - - 0 0",
        " w - - 0 1 extra 7",
        " w KQkq - 0 1",
        " w - - x y",
        " w - - -3 -1",
        "\tw  -\t - \t0   1  \r\n",
    ];
    for tail in red {
        let fen = format!("{START_BOARD}{tail}");
        assert_eq!(setup(&fen).to_string(), START_FEN, "{tail:?}");
    }
    for tail in [" b", " B", " b - - 0 1", " b 0 1"] {
        let read = setup(&format!("  {START_BOARD}{tail}"));
        assert_eq!(read.side, Color::Black, "{tail:?}");
    }
    let read = setup(&format!("{START_BOARD} b - - 12 34"));
    assert_eq!((read.halfmoves, read.fullmoves), (12, 34));
    let read = setup(&format!("{START_BOARD} w - - - 34"));
    assert_eq!((read.halfmoves, read.fullmoves), (0, 34));
}

#[test]
fn other_letters_and_split_gaps_are_understood() {
    let read = setup("rheakaehr/54/1c5c1/p1p1p1p1p/111111111/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r");
    assert_eq!(read.to_string(), START_FEN);
}

#[test]
fn counters_and_ply_reach_the_position() {
    let position: Position = format!("{START_BOARD} b - - 7 20").parse().unwrap();
    assert_eq!(position.ply(), 39);
    assert_eq!(position.state().halfmoves, 7);
    assert_eq!(position.state().reversible, 0);
    assert_eq!(position.history_len(), 0);
}

#[test]
fn absurd_counters_are_clamped_with_a_warning() {
    let fen = format!("{START_BOARD} w - - 99999999999999999999999 4294967296");
    let read = setup(&fen);
    assert_eq!(
        read.warnings(),
        [
            SetupWarning::HalfmovesClamped(u32::MAX),
            SetupWarning::FullmovesClamped(u32::MAX),
        ]
    );
    let position = Position::try_from(&read).unwrap();
    assert!(position.state().halfmoves < u16::MAX / 2);
    assert!(position.setup().warnings().is_empty());
}

#[test]
fn faulty_text_is_refused_with_its_place() {
    let error = |fen: &str| fen.parse::<Setup>().unwrap_err();
    let text = |fen: &str| error(fen).to_string();
    assert_eq!(error(""), FenError::Empty);
    assert_eq!(error(" \t"), FenError::Empty);
    assert_eq!(error("9/9 w"), FenError::RankCount(2));
    assert_eq!(error(&format!("{START_BOARD}/")), FenError::RankCount(11));
    let with_rank_6 = |rank: &str| START_FEN.replacen("p1p1p1p1p", rank, 1);
    for (rank, count) in [
        ("p1p1p1p1", 8),
        ("p1p1p1p1p1", 10),
        ("", 0),
        ("99", 18),
        ("pppppppppx", 10),
    ] {
        assert_eq!(
            error(&with_rank_6(rank)),
            FenError::RankLength(Rank::R6, count)
        );
    }
    assert_eq!(
        text(&with_rank_6("p1p1p1p1")),
        "rank 6 of the FEN has 8 points instead of 9"
    );
    assert_eq!(
        error(&with_rank_6("p1q1p1p1p")),
        FenError::BadLetter('q', Square::C6)
    );
    assert_eq!(
        text(&with_rank_6("p0p1p1p1p")),
        "'0' on b6 of the FEN is no piece"
    );
    assert_eq!(
        text(&with_rank_6("馬8")),
        "'馬' on a6 of the FEN is no piece"
    );
    assert_eq!(
        text(&format!("{START_BOARD} x - - 0 1")),
        "the side to move of the FEN is \"x\" instead of w or b"
    );
}

#[test]
fn each_fault_of_a_setup_names_piece_and_square() {
    let cases = [
        ("9/9/9/9/9/9/9/9/9/4K4 w", "Black has no general"),
        ("3k5/9/9/9/9/9/9/9/4K4/4K4 w", "Red has 2 generals: e0 e1"),
        (
            "3k5/9/9/9/9/9/4K4/9/9/9 w",
            "the red general on e3 is outside its palace",
        ),
        (
            "2k6/9/9/9/9/9/9/9/9/4K4 w",
            "the black general on c9 is outside its palace",
        ),
        (
            "3k5/9/9/9/9/9/9/9/9/A3K4 w",
            "a red advisor can never stand on a0",
        ),
        (
            "3k5/9/9/9/9/9/9/9/3A5/4K4 w",
            "a red advisor can never stand on d1",
        ),
        (
            "3k1A3/9/9/9/9/9/9/9/9/4K4 w",
            "a red advisor can never stand on f9",
        ),
        (
            "3k5/9/9/9/1b7/9/9/9/9/4K4 w",
            "a black elephant can never stand on b5",
        ),
        (
            "3k5/9/9/9/9/2b6/9/9/9/4K4 w",
            "a black elephant can never stand on c4",
        ),
        (
            "4k4/9/9/9/9/9/9/9/9/4K4 w",
            "the generals on e0 and e9 face each other",
        ),
        (
            "3k5/9/9/3R5/9/9/9/9/9/4K4 w",
            "Red is to move, but the general of Black on d9 is in check from the red rook on d6",
        ),
        (
            "3k5/9/9/9/9/9/9/3n5/9/4K4 b",
            "Black is to move, but the general of Red on e0 is in check from the black horse on d2",
        ),
    ];
    for (fen, words) in cases {
        assert_eq!(faults(fen), [words], "{fen}");
    }
}

#[test]
fn more_than_sixteen_men_are_refused() {
    let men = "3k5/9/9/RRRRRRRR1/9/RRRRRRR2/9/9/9/4K4 b";
    assert!(faults(men).is_empty());
    let men = men.replace("RRRRRRR2", "RRRRRRRR1");
    assert!(faults(&men).contains(&"Red has 17 men, more than 16".to_owned()));
}

#[test]
fn all_faults_are_reported_at_once() {
    let fen = "k3k4/9/3R5/9/9/9/9/4c4/A8/4KB3 w";
    let found = setup(fen).faults();
    assert!(found.contains(&SetupFault::KingOutsidePalace(Color::Black, Square::A9)));
    assert!(found.contains(&SetupFault::Misplaced(Piece::RedAdvisor, Square::A1)));
    assert!(found.contains(&SetupFault::Misplaced(Piece::RedBishop, Square::F0)));
    assert_eq!(found.len(), 4);
    let error = fen.parse::<Position>().unwrap_err().to_string();
    assert_eq!(error.matches(';').count(), 3, "{error}");

    // The generals face each other and two rooks give check as well.
    let found = faults("3RkR3/9/9/9/9/9/9/9/9/4K4 w");
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn odd_setups_are_accepted_with_warnings() {
    let warnings = |fen: &str| -> Vec<String> {
        assert_eq!(faults(fen), [""; 0]);
        setup(fen)
            .warnings()
            .iter()
            .map(ToString::to_string)
            .collect()
    };
    assert_eq!(warnings(START_FEN), [""; 0]);
    assert_eq!(
        warnings("3k5/9/9/p8/1p7/9/9/1P7/9/4K4 w"),
        [
            "a red pawn cannot have come to b2",
            "a black pawn cannot have come to b5"
        ]
    );
    assert_eq!(
        warnings("3k5/9/9/RRR6/9/9/9/9/9/4K4 b"),
        ["Red has 3 rooks, a set has 2"]
    );
}

#[test]
fn mirrored_twice_and_flipped_twice_is_the_same() {
    let position: Position =
        "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 3 9"
            .parse()
            .unwrap();
    assert_eq!(
        position.mirrored().fen(),
        "3a1ab1r/3nk4/4b1n2/p1p1p1pNp/4c4/2P6/P2R2P1P/5CcC1/9/2BAKAB2 w - - 3 9"
    );
    assert_eq!(
        position.flipped().fen(),
        "2bakab2/9/1cCc5/p1p2r2p/6p2/4C4/PnP1P1P1P/2N1B4/4KN3/R1BA1A3 b - - 3 9"
    );
    for twin in [position.mirrored().mirrored(), position.flipped().flipped()] {
        assert_eq!(twin.fen(), position.fen());
        assert_eq!(twin.key(), position.key());
        twin.check_consistency().unwrap();
    }
}

#[test]
fn the_diagram_shows_every_man_under_its_file_and_beside_its_rank() {
    let diagram = Position::startpos().diagram();
    let lines: Vec<&str> = diagram.lines().collect();
    assert_eq!(lines[0], "9  r n b a k a b n r");
    assert_eq!(lines[2], "7  . c . . . . . c .");
    assert_eq!(lines[10], "0  R N B A K A B N R");
    assert_eq!(lines[11], "   a b c d e f g h i");
}

#[test]
fn mangled_fens_never_panic() {
    let mut seed = 1u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    let letters: Vec<char> = "rnbakcpRNBAKCP0123456789/ -wbxé\t9".chars().collect();
    let mut understood = 0;
    for _ in 0..20_000 {
        let mut text: Vec<char> = START_FEN.chars().collect();
        for _ in 0..=random(4) {
            let at = random(text.len());
            match random(3) {
                0 => text[at] = letters[random(letters.len())],
                1 => text.insert(at, letters[random(letters.len())]),
                _ => drop(text.remove(at)),
            }
        }
        let text: String = text.into_iter().collect();
        match text.parse::<Position>() {
            Ok(position) => {
                position.check_consistency().unwrap();
                assert_eq!(
                    position.fen().parse::<Position>().unwrap().key(),
                    position.key()
                );
                understood += 1;
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    assert!(understood > 100, "{understood}");
}
