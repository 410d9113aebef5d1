//! `probe` and its answer.

use super::pipe::{Program, after, count};

#[test]
fn what_a_search_has_found_is_told_and_what_none_has_is_not() {
    for word in ["uci", "ucci"] {
        let mut program = Program::start();
        program.open(word);
        program.send_all(&["position startpos", "probe startpos"]);
        assert_eq!(program.line(), "pophash");
        let lines = program.go("depth 7");
        let best = lines.last().unwrap().split(' ').nth(1).unwrap().to_owned();
        program.send(&format!("probe startpos moves {best}"));
        let known = program.line();
        assert!(known.contains("bound "), "{known}");
        program.send(
            "probe fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        );
        let root = program.line();
        assert_eq!(after(&root, "bestmove"), Some(best.as_str()));
        assert_eq!(after(&root, "depth"), Some("7"));
        program.send("ucinewgame");
        program.send("probe startpos");
        assert_eq!(program.line(), "pophash");
    }
}

#[test]
fn a_probe_leaves_search_and_position_alone_and_answers_whatever_it_is_asked() {
    let mut program = Program::ucci();
    program.send_all(&["position startpos moves h2e2", "go infinite"]);
    program.send("probe startpos moves b2e2");
    program.until("pophash");
    for bad in [
        "probe",
        "probe fen",
        "probe fen 9/9 w",
        "probe startpos moves h2h8",
    ] {
        program.send(bad);
        let lines = program.until("pophash");
        assert_eq!(count(&lines, "bestmove"), 0, "{bad}");
        let notice = |line: &String| line.starts_with("info message probe: ");
        assert!(lines.iter().any(notice), "{bad}: {lines:#?}");
    }
    program.send("stop");
    let lines = program.until("bestmove");
    let reply = lines.last().unwrap().split(' ').nth(1).unwrap();
    let rank = reply.as_bytes()[1] - b'0';
    assert!(rank >= 5, "black is to move, not red: {reply}");
}
