//! What clients send though no protocol says so.

use super::pipe::{Program, chosen, count};

/// The FEN that `d` shows.
fn fen(program: &mut Program) -> String {
    program.expect(super::grammar::Grammar::Any);
    program.send("d");
    let lines = program.until("key");
    program.expect(super::grammar::Grammar::Uci);
    let line = lines.iter().find_map(|line| line.strip_prefix("fen "));
    line.unwrap().to_owned()
}

const AFTER_CANNON: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1";
const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

#[test]
fn lines_may_come_with_all_kinds_of_ends_and_blanks() {
    for text in [
        &b"isready\r\n"[..],
        b"  isready\n",
        b"\tisready \t \r\n",
        b"\n\r\n  \nisready\n",
        b"\xEF\xBB\xBFisready\n",
        b"ISREADY\n",
        b"IsReady extra words\n",
        b"isready\r\r\n",
    ] {
        let mut program = Program::start();
        program.send_bytes(text);
        assert_eq!(
            program.line(),
            "readyok",
            "{:?}",
            text.escape_ascii().to_string()
        );
    }
    let mut program = Program::start();
    program.send_bytes(b"isready");
    program.close_input();
    assert_eq!(
        program.finish_well(),
        ["readyok"],
        "the last line need not end"
    );
}

#[test]
fn unknown_commands_and_options_are_ignored_without_a_word() {
    let mut program = Program::uci();
    program.send_all(&[
        "xyzzy",
        "Uci2 x",
        "debug off",
        "register later",
        "hint score 3 depth 5 pv h2e2 h9g7",
        "setoption",
        "setoption name",
        "setoption name value",
        "setoption value 3",
        "setoption name Repetition Rule value AsianRule",
        "setoption name EvalDir value /no/where",
        "setoption name UCI_Variant value xiangqi",
        "setoption name Threads value 8",
        "setoption threads 0",
        "setoption Skill Level 3",
        "setoption x",
        "setoption name UCI_ShowWDL value true",
    ]);
    program.send_bytes(b"\xFF\xFE\0\x01 \xC0\x80\nsetoption name \xFF value \xFF\n\0\n");
    assert!(program.sync().is_empty());
    program.send_all(&[
        "go infinite",
        "xyzzy",
        "hint score 3 depth 5 pv h2e2",
        "ponderhit",
    ]);
    assert_eq!(
        count(&program.sync(), "bestmove"),
        0,
        "nor do they end a search"
    );
}

#[test]
fn options_are_set_in_both_spellings_in_both_dialects() {
    for word in ["uci", "ucci"] {
        let mut program = Program::start();
        program.open(word);
        program.send("position startpos");
        for (set, unset) in [
            (
                "setoption name MultiPV value 2",
                "setoption name MultiPV value 1",
            ),
            ("setoption multipv 2", "setoption multipv 1"),
            ("SETOPTION NAME multipv VALUE 2", "setoption Multi_PV 1"),
            ("setoption MultiPV 2", "setoption multipv -7"),
            (
                "setoption name MultiPV value 2",
                "setoption name MultiPV value 0",
            ),
        ] {
            for (command, numbered) in [(set, true), (unset, false)] {
                program.send(command);
                let lines = program.go("depth 2");
                let is_numbered = lines.iter().any(|line| line.contains(" multipv 2 "));
                assert_eq!(is_numbered, numbered, "{word}: {command}: {lines:#?}");
            }
        }
    }
}

#[test]
fn values_are_clamped_and_nonsense_is_refused_with_a_notice() {
    let mut program = Program::uci();
    program.send_all(&[
        "setoption name Hash value 0",
        "setoption hashsize 0",
        "setoption name Hash value -5",
        "setoption name Hash value 1",
        "setoption name Move Overhead value 999999999999999999999",
        "setoption name Move Overhead value 20",
        "setoption Clear Hash",
        "setoption name Clear Hash",
        "setoption name Ponder value TRUE",
        "setoption name Ponder value off",
        "setoption ponder On",
        "setoption name Log File value <empty>",
        "setoption name Log File",
    ]);
    assert!(program.sync().is_empty());
    for (command, name) in [
        ("setoption name Hash value many", "Hash"),
        ("setoption name Ponder value perhaps", "Ponder"),
        ("setoption hashsize", "Hash"),
        (
            "setoption name Log File value /no/such/folder/x.log",
            "/no/such/folder/x.log",
        ),
    ] {
        program.send(command);
        let notice = program.line();
        assert!(
            notice.starts_with("info string ") && notice.contains(name),
            "{notice}"
        );
    }
    program.best_move("depth 2");
}

#[test]
fn a_table_that_does_not_fit_is_refused_and_the_engine_plays_on() {
    let mut program = Program::uci();
    program.send("setoption name Hash value 99999999999");
    // The system may promise the memory; if not, there is a notice.
    assert!(
        program
            .sync()
            .iter()
            .all(|line| line.starts_with("info string "))
    );
    program.send("setoption name Hash value 16");
    program.best_move("depth 3");
}

#[test]
fn positions_are_read_in_every_form_that_clients_send() {
    let mut program = Program::uci();
    for command in [
        "position startpos moves h2e2",
        "startpos moves h2e2",
        "POSITION STARTPOS MOVES H2E2",
        "position startpos moves H2-E2",
        &format!("position fen {START} w - - 0 1 moves h2e2"),
        &format!("fen {START} r moves h2e2"),
        &format!("fen {START} w - - moves h2e2"),
        &format!("position fen {START} moves h2e2"),
        &format!("position {START} W - - - 1 moves h2e2"),
        &format!(
            "position fen {} w - - 0 1 moves h2e2",
            START.replace(['n'], "h").replace('B', "E")
        ),
        &format!("  position \t fen   {START}  w\tmoves   h2e2  "),
        "position startpos moves h3e3 h10g8 h1g3",
    ] {
        program.send("position startpos");
        program.send(command);
        let now = fen(&mut program);
        let expected = if command.contains("h10g8") {
            "r1bakabnr/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 3 2"
                .replace("r1bakabnr/9/1cn4c1", "rnbakab1r/9/1c4nc1")
        } else {
            AFTER_CANNON.to_owned()
        };
        assert_eq!(now, expected, "{command}");
    }
    for command in [
        "position startpos moves",
        "position startpos",
        "startpos",
        "startpos moves ",
    ] {
        program.send(command);
        assert_eq!(fen(&mut program), format!("{START} w - - 0 1"));
    }
}

#[test]
fn a_bad_fen_leaves_everything_as_it_was() {
    let mut program = Program::uci();
    program.send_all(&["position startpos moves h2e2", "banmoves h9g7"]);
    for (bad, reason) in [
        ("position fen foobar", "ranks"),
        ("position", "startpos"),
        ("position fen", "empty"),
        ("position moves h2e2", "startpos"),
        ("fen 4k4/9/9/9/9/9/9/9/9/9 w", "Red has no general"),
        ("fen 4k4/9/9/9/9/9/9/9/9/4K4 w", "face"),
        ("fen 3k5/9/9/9/9/9/9/9/9/4K4 x", "side to move"),
        ("fen 3k5/9/9/9/9/9/9/9/4z4/4K4 w", "'z'"),
        ("fen 3k5/9/9/9/9/9/9/3R5/9/4K4 w", "check"),
    ] {
        program.send(bad);
        let notice = program.line();
        assert!(
            notice.starts_with("info string ") && notice.contains(reason),
            "{notice}"
        );
    }
    assert_eq!(fen(&mut program), AFTER_CANNON);
    let answer = program.best_move("depth 1 searchmoves h9g7 b9c7");
    assert_eq!(answer, "b9c7", "the banned move is still banned");
}

#[test]
fn odd_positions_are_taken_with_a_notice() {
    let mut program = Program::uci();
    program.send("position fen 3k5/9/9/9/9/9/9/9/P8/4K4 w - - 0 1");
    assert!(program.line().starts_with("info string odd position: "));
    assert_eq!(fen(&mut program), "3k5/9/9/9/9/9/9/9/P8/4K4 w - - 0 1");
}

#[test]
fn an_illegal_move_ends_the_list_and_is_explained() {
    for (word, start) in [("uci", "info string "), ("ucci", "info message ")] {
        let mut program = Program::start();
        program.open(word);
        for (bad, reason) in [
            ("h2h7", "no screen"),
            ("b0d1", "leg"),
            ("e5e6", "no piece"),
            ("h9g7", "not your piece"),
            ("a0a3", "own"),
            ("e0e0", "same square"),
            ("x", "two squares"),
        ] {
            program.send(&format!("position startpos moves {bad} h2e2"));
            let notice = program.line();
            assert!(notice.starts_with(start), "{notice}");
            assert!(
                notice.contains(&format!("move 1, {bad}: ")) && notice.contains(reason),
                "{notice}"
            );
            assert!(program.sync().is_empty());
        }
    }
    let mut program = Program::uci();
    program.send("position startpos moves h2e2 h9g7 h2e2 a6a5");
    assert!(program.line().contains("move 3, h2e2: "));
    let expected = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2";
    assert_eq!(fen(&mut program), expected);
}

#[test]
fn lists_of_thousands_of_moves_and_lines_of_any_length_are_read() {
    let mut program = Program::uci();
    let shuffle = " h0g2 h9g7 g2h0 g7h9".repeat(2_500);
    program.send(&format!("position startpos moves{shuffle} h2e2"));
    assert!(fen(&mut program).starts_with(AFTER_CANNON.split(' ').next().unwrap()));
    program.best_move("depth 2");
    // More than the counters of a position hold.
    program.send(&format!("position startpos moves{}", shuffle.repeat(8)));
    program.best_move("depth 2");
    for byte in ["x", " ", "\0", "象"] {
        program.send(&byte.repeat(300_000));
    }
    program.send(&format!("position fen {}", "9/".repeat(100_000)));
    assert!(program.line().starts_with("info string "));
    program.send(&format!(
        "setoption name Hash value {}",
        "y".repeat(100_000)
    ));
    assert!(program.line().starts_with("info string "));
    assert!(program.sync().is_empty());
}

#[test]
fn a_client_may_send_everything_at_once() {
    let mut program = Program::start();
    program.send_all(&["uci", "ucci", "uci", "isready"]);
    program.expect(super::grammar::Grammar::Any);
    assert_eq!(count(&program.until("readyok"), "uciok"), 2);
    program.expect(super::grammar::Grammar::Uci);
    program.send_all(&[
        "ucinewgame",
        "position startpos moves h2e2",
        "go depth 3",
        "isready",
    ]);
    let mut lines = program.until("bestmove");
    assert_eq!(chosen(&lines).len(), 4);
    lines.extend(program.sync());
    let ready = count(&lines, "readyok");
    assert!(ready == 1 || program.line() == "readyok");
}

#[test]
fn a_word_where_moves_is_missing_is_named() {
    let mut program = Program::uci();
    program.send_all(&[
        "position startpos moves h2e2",
        "position startpos h2e2 h9g7",
    ]);
    let notices = program.sync();
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert!(
        notices[0].starts_with("info string position: \"h2e2\""),
        "{notices:?}"
    );
    assert!(fen(&mut program).starts_with(START));
}

#[test]
fn names_and_values_of_options_are_told_apart_in_mixed_spellings() {
    for (start, is_taken) in [
        ("Repetition Rule", true),
        ("Repetition Rule value", true),
        ("name Repetition Rule", true),
        ("repetition value", true),
        ("name repetition", true),
        ("name Repetition Rules value", false),
    ] {
        let mut program = Program::uci();
        let notices = |program: &mut Program, value: &str| {
            program.send(&format!("setoption {start} {value}"));
            program.sync().len()
        };
        assert_eq!(notices(&mut program, "AlwaysDraw"), 0, "{start}");
        let refused = usize::from(is_taken);
        assert_eq!(notices(&mut program, "Sometimes"), refused, "{start}");
    }
    let mut program = Program::uci();
    for text in ["Hash value 99999999", "name Hash 99999999"] {
        program.send(&format!("setoption {text}"));
        let notices = program.sync();
        assert_eq!(notices.len(), 1, "a table too large is refused: {text}");
        assert!(!notices[0].contains("needs a number"), "{notices:?}");
    }
}
