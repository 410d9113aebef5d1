//! What real clients send, and our answers read with the rigidity of each: fixed columns,
//! exact ends of lines, no repeated keys. After `../shared/protocol/ucci-and-uci.md`, section 4.

use super::grammar::Grammar;
use super::pipe::{Program, after, count};
use vermilion::position::Position;
use vermilion::types::{Move, MoveList};

/// A game between a client's two sides, to have positions to send.
struct Game {
    start: String,
    position: Position,
    moves: Vec<String>,
}

impl Game {
    fn new() -> Self {
        let position = Position::startpos();
        Self {
            start: position.fen(),
            position,
            moves: Vec::new(),
        }
    }

    /// Plays a move that must be legal. Where it captures, the list starts anew if asked for.
    fn play(&mut self, text: &str, renew: bool) {
        let mv = Move::parse(text).expect("a move in four characters");
        assert!(
            self.position.is_legal(mv),
            "{text} in {}",
            self.position.fen()
        );
        let captures = self.position.piece_on(mv.to()).is_some();
        self.position.make(mv);
        self.moves.push(text.to_owned());
        if renew && captures {
            self.start = self.position.fen();
            self.moves.clear();
        }
    }

    fn moves(&self) -> String {
        let moves = self.moves.iter().map(|mv| format!(" {mv}"));
        moves.collect()
    }

    fn first_legal(&self) -> Move {
        let mut list = MoveList::new();
        self.position.legal_moves(&mut list);
        list.get(0).expect("a legal move")
    }
}

/// Sends lines that end in CRLF.
fn send_crlf(program: &mut Program, lines: &[&str]) {
    for line in lines {
        program.send_bytes(format!("{line}\r\n").as_bytes());
    }
}

/// The move and the expected reply as XQWizard takes them from columns 10 to 13 and 22 to 25.
fn by_columns(line: &str) -> (String, Option<String>) {
    assert!(line.starts_with("bestmove "));
    let mv = line.get(9..13).expect("a move").to_owned();
    let rest = &line[13..];
    let reply = rest
        .strip_prefix(" ponder ")
        .map(|_| line[21..25].to_owned());
    let end = if reply.is_some() { &line[25..] } else { rest };
    assert!(["", " draw", " resign"].contains(&end), "{line:?}");
    (mv, reply)
}

/// What XQWizard reads of an info line: a whole number or a mate after ` score `, and moves in
/// steps of five characters after ` pv `.
fn read_by_xqwizard(line: &str) {
    if line.starts_with("info message ") || line.starts_with("info currmove ") {
        return;
    }
    let score = line.split(" score ").nth(1).expect("a score");
    let score = score.strip_prefix("mate ").unwrap_or(score);
    let number = score.split(' ').next().unwrap();
    assert!(number.parse::<i32>().is_ok(), "{line}");
    let pv = line.split(" pv ").nth(1).expect("a line");
    for step in pv.as_bytes().chunks(5) {
        let text = std::str::from_utf8(step).unwrap();
        assert!(Move::parse(text.trim_end_matches(' ')).is_ok(), "{line}");
        assert!(step.len() == 4 || step[4] == b' ');
    }
}

#[test]
fn xqwizard_plays_ponders_and_analyses() {
    let mut program = Program::start();
    program.expect(Grammar::Ucci);
    send_crlf(&mut program, &["ucci"]);
    let lines = program.until("ucciok");
    assert!(lines.last().is_some_and(|line| line == "ucciok"));
    assert_eq!(
        lines
            .iter()
            .filter(|line| line.starts_with("option usemillisec "))
            .count(),
        1
    );
    send_crlf(
        &mut program,
        &[
            "setoption guiname XQWizard",
            "setoption usemillisec true",
            "setoption promotion false",
            "setoption usebook true",
            "setoption useegtb true",
            "setoption bookfiles ",
            "setoption egtbpaths ",
            "setoption hashsize 0",
            "setoption threads 1",
            "setoption idle none",
            "setoption randomness small",
            "setoption style risky",
            "setoption newgame",
            "setoption ponder true",
        ],
    );
    let mut game = Game::new();
    let mut expected = None;
    for turn in 0..6 {
        let go = match turn {
            2 => "go time 60000 movestogo 900 opptime 60000 oppmovestogo 900",
            3 => "go nodes 7776",
            4 => "go depth 4",
            _ => "go draw time 900 increment 0 opptime 900 oppincrement 0",
        };
        let position = format!("position startpos moves{}", game.moves());
        let position = position
            .strip_suffix(" moves")
            .unwrap_or(&position)
            .to_owned();
        let banned = format!("banmoves {}", game.first_legal());
        send_crlf(&mut program, &[&position, &banned, go]);
        let lines = program.until("bestmove");
        lines[..lines.len() - 1]
            .iter()
            .for_each(|line| read_by_xqwizard(line));
        let (mv, reply) = by_columns(lines.last().unwrap());
        assert_ne!(mv, game.first_legal().to_string());
        game.play(&mv, false);
        expected = reply;
        // The move that is expected is pondered, and then comes.
        if let Some(reply) = &expected {
            let mut next = Game::new();
            game.moves.iter().for_each(|mv| next.play(mv, false));
            next.play(reply, false);
            let position = format!("position startpos moves{}", next.moves());
            send_crlf(
                &mut program,
                &[
                    &position,
                    "go ponder time 500 increment 0 opptime 500 oppincrement 0",
                    "ponderhit",
                ],
            );
            let lines = program.until("bestmove");
            let (mv, _) = by_columns(lines.last().unwrap());
            next.play(&mv, false);
        }
    }
    assert!(
        expected.is_some(),
        "some reply is always expected in an open game"
    );
    send_crlf(&mut program, &["go infinite", "stop"]);
    program.until("bestmove");
    send_crlf(&mut program, &["quit"]);
    assert_eq!(program.finish_well(), ["bye"]);
}

#[test]
fn the_league_arbiter_judges_a_game() {
    let mut program = Program::ucci();
    program.send_all(&[
        "setoption promotion false",
        "setoption ponder false",
        "setoption newgame",
        "setoption usemillisec true",
    ]);
    let mut game = Game::new();
    for _ in 0..20 {
        let fen = game.start.split(' ').take(2).collect::<Vec<_>>().join(" ");
        let moves = if game.moves.is_empty() {
            String::new()
        } else {
            format!(" moves{}", game.moves())
        };
        program.send(&format!("position fen {fen} - - 0 1{moves}"));
        program.send(&format!("banmoves {}", game.first_legal()));
        program.send("go draw time 1500 increment 0 opptime 1500 oppincrement 0");
        let line = program.until("bestmove").pop().unwrap();
        assert!(!line.contains(" resign"));
        let mv = line[9..13].to_owned();
        assert_ne!(mv, game.first_legal().to_string());
        game.play(&mv, true);
    }
    // On the fall of the flag it says `stop` and waits for the answer.
    program.send_all(&[
        "go time 60000 increment 0 opptime 60000 oppincrement 0",
        "stop",
    ]);
    program.until("bestmove");
    program.send("quit");
    assert_eq!(program.finish_well(), ["bye"]);
}

#[test]
fn uci2wb_drives_both_dialects() {
    let fen = Position::startpos().fen();
    let men = fen.split(' ').next().unwrap();
    // UCCI: `-x`.
    let mut program = Program::start();
    let lines = program.open("ucci");
    assert!(lines.iter().all(|line| line.len() < 2_047));
    let has_default = |line: &String| line == "option usemillisec type check default true";
    assert!(lines.iter().any(has_default), "then it does not set it");
    program.send_all(&["setoption newgame", "uccinewgame"]);
    assert!(program.sync().is_empty());
    let mut game = Game::new();
    for _ in 0..6 {
        let side = if game.moves.len().is_multiple_of(2) {
            'w'
        } else {
            'b'
        };
        let (start, moves) = match game.moves.len() {
            0 => (format!("{men} w - - 0 1"), String::new()),
            _ => (game.position.fen(), String::new()),
        };
        assert_eq!(start.split(' ').nth(1), Some(side.to_string().as_str()));
        // The word `moves` always comes, and `movetime` in the middle.
        program.send(&format!("position fen {start} moves{moves}"));
        program.send("go time 9000 opptime 9000 movestogo 40 increment 0 oppincrement 0 depth 5");
        let lines = program.until("bestmove");
        assert!(lines.iter().all(|line| line.len() < 2_047));
        game.play(lines.last().unwrap().split(' ').nth(1).unwrap(), false);
    }
    program.send_all(&[
        "go ponder time 100 opptime 9000 movetime 90 increment 0 oppincrement 0",
        "ponderhit",
    ]);
    program.until("bestmove");
    // UCI-Cyclone: `-c`.
    let mut program = Program::uci();
    program.send("ucinewgame");
    let mut game = Game::new();
    for turn in 0..6 {
        let side = if turn % 2 == 0 { 'r' } else { 'b' };
        let men = game.position.fen();
        let men = men.split(' ').next().unwrap();
        program.send(&format!("fen {men} {side} - - 0 1 moves"));
        let lines = program.go("wtime 9000 btime 9000 movestogo 40 depth 5");
        game.play(lines.last().unwrap().split(' ').nth(1).unwrap(), false);
    }
}

#[test]
fn tchess_detects_configures_and_analyses() {
    let mut program = Program::start();
    program.send("uci");
    let lines = program.until("uciok");
    assert_eq!(lines.last().map(String::as_str), Some("uciok"));
    let mut saved = Vec::new();
    for line in lines.iter().filter(|line| line.starts_with("option ")) {
        let has = |word: &str| line.split(' ').any(|part| part == word);
        if !has("default") {
            continue;
        }
        // It splits at these words, wherever they are, and needs something after each.
        let parts: Vec<&str> = line
            .split("name")
            .flat_map(|part| part.split(" type "))
            .flat_map(|part| part.split(" default "))
            .map(str::trim)
            .collect();
        assert!(
            parts.len() >= 4 && parts.iter().all(|part| !part.is_empty()),
            "{line}"
        );
        let name = parts[1];
        let value = parts[3].split(' ').next().unwrap();
        if !["Threads", "Hash"].contains(&name) {
            saved.push(format!("setoption name {name} value {value}"));
        }
    }
    assert!(saved.len() > 8);
    // A new start: saved options come before `uciok`, without `isready` and `ucinewgame`.
    let mut program = Program::start();
    program.send("uci");
    saved.iter().for_each(|line| program.send(line));
    program.until("uciok");
    assert!(program.sync().is_empty(), "defaults are worth no word");
    let fen = Position::startpos().fen();
    for (position, go) in [
        (format!("position fen {fen}"), "go depth 6"),
        (format!("position fen {fen} moves h2e2"), "go movetime 60"),
        (format!("position fen {fen} moves h2e2 h9g7"), "go infinite"),
    ] {
        program.send_all(&["stop", &position, go]);
        if go == "go infinite" {
            program.send("stop");
        }
        let lines = program.until("bestmove");
        let told = lines.iter().filter(|line| line.contains("nps"));
        assert!(told.clone().count() > 0);
        assert!(
            told.clone()
                .all(|line| line.rsplit(" pv ").next().unwrap().len() >= 4)
        );
        let words: Vec<&str> = lines.last().unwrap().split(' ').collect();
        assert!(words[1].len() == 4 && (words.len() == 2 || words.len() == 4));
    }
    // Its UCCI mode keeps some words of UCI.
    let mut program = Program::ucci();
    program.send_all(&["setoption Threads 2", "setoption Hash 32", "stop"]);
    program.until("nobestmove");
    program.send(&format!("position fen {fen}"));
    program.go("movetime 50");
}

#[test]
fn vinxiangqi_opens_both_dialects_at_once() {
    let mut program = Program::start();
    program.expect(Grammar::Any);
    program.send_all(&["uci", "ucci"]);
    let uci = program.until("uciok");
    let ucci = program.until("ucciok");
    assert!(uci.len() > 5 && ucci.len() > 5);
    for line in uci.iter().filter(|line| line.contains(" type spin ")) {
        let words: Vec<&str> = line
            .split(" type spin ")
            .nth(1)
            .unwrap()
            .split(' ')
            .collect();
        assert_eq!(
            (words[0], words[2], words[4]),
            ("default", "min", "max"),
            "{line}"
        );
    }
    program.expect(Grammar::Ucci);
    program.send_all(&[
        "setoption hashsize 32",
        "setoption clearhash ",
        "setoption newgame ",
    ]);
    for word in ["ucci", "uci"] {
        program.open(word);
        program.send("position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w");
        program.send("banmoves h2e2");
        let lines = program.go("movetime 80 depth 5");
        for line in &lines {
            let words: Vec<&str> = line.split(' ').collect();
            // A third word of the answer without a fourth crashes it, and so does a key twice.
            if words[0] == "bestmove" {
                assert!(words.len() == 2 || words.len() == 4, "{line}");
            }
            for key in [
                "depth", "seldepth", "multipv", "score", "nodes", "nps", "time", "pv",
            ] {
                assert!(
                    words.iter().filter(|word| **word == key).count() <= 1,
                    "{line}"
                );
            }
        }
    }
    program.send("go ponder movetime 80 depth 5");
    program.must_not_say("bestmove");
    // It kills the engine to stop it; that is what the end of the test does.
}

#[test]
fn xiangqi_tui_speaks_ucci_with_the_options_of_uci() {
    let folder = std::env::temp_dir().join(format!("vermilion-tui-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let net = folder.join("pikafish.nnue");
    std::fs::write(&net, b"\x20\xaf\xf8\x7a not a net of ours").unwrap();
    let mut program = Program::ucci();
    program.send_all(&[
        "setoption name Threads value 2",
        "setoption name Hash value 32",
        "setoption name Repetition Rule value AsianRule",
        "setoption name Draw Rule value None",
        "setoption name Skill Level value 20",
        &format!("setoption name EvalFile value {}", net.display()),
    ]);
    let notices = program.sync();
    assert_eq!(notices.len(), 1, "{notices:#?}");
    assert!(notices[0].starts_with("info message the former evaluation stays: "));
    let fen = Position::startpos().fen();
    for (lines, go) in [
        (1, "go movetime 60"),
        (3, "go nodes 4000"),
        (2, "go depth 4 searchmoves h2e2 b2e2"),
        (1, "go infinite"),
    ] {
        program.send_all(&[
            "stop",
            &format!("setoption name MultiPV value {lines}"),
            &format!("position fen {fen}"),
            go,
        ]);
        if go == "go infinite" {
            program.send("stop");
        }
        let told = program.until("bestmove");
        for line in told.iter().filter(|line| line.contains(" pv ")) {
            let score = line.split(" score ").nth(1).unwrap();
            let number = score.trim_start_matches("cp ").trim_start_matches("mate ");
            assert!(
                number.split(' ').next().unwrap().parse::<i32>().is_ok(),
                "{line}"
            );
        }
        if lines > 1 {
            let last = format!(" multipv {lines} ");
            assert!(told.iter().any(|line| line.contains(&last)));
        }
        // The idle `stop` of the next round may be answered before it.
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn cchess_reads_pairs_of_keys_and_values() {
    for word in ["ucci", "uci"] {
        let mut program = Program::start();
        program.expect(Grammar::Any);
        send_crlf(&mut program, &[word]);
        program.until(&format!("{word}ok"));
        send_crlf(
            &mut program,
            &[
                "setoption name Hash value 32",
                "setoption name MultiPV value 1",
            ],
        );
        let men = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
        for fen in [
            format!("{men} w"),
            format!("{men} w - - 0 1 moves h2e2 h9g7"),
        ] {
            send_crlf(
                &mut program,
                &[&format!("position fen {fen}"), "go depth 5"],
            );
            let lines = program.until("bestmove");
            for line in &lines[..lines.len() - 1] {
                assert!(line.starts_with("info depth "), "{line}");
                let (pairs, pv) = line.split_once(" pv ").expect("a line");
                let pairs: Vec<&str> = pairs
                    .split(' ')
                    .skip(1)
                    .filter(|word| *word != "cp")
                    .collect();
                assert!(pairs.len().is_multiple_of(2), "{line}");
                assert!(
                    pairs.chunks(2).all(|pair| pair[1].parse::<i64>().is_ok()),
                    "{line}"
                );
                assert!(pv.split(' ').all(|mv| Move::parse(mv).is_ok()));
            }
        }
        send_crlf(
            &mut program,
            &["position fen 3k5/4P4/3R5/9/9/9/9/9/9/4K4 b", "go depth 3"],
        );
        let end = if word == "ucci" {
            "nobestmove"
        } else {
            "bestmove"
        };
        let line = program.until(end).pop().unwrap();
        assert!(
            ["nobestmove", "bestmove (none)"].contains(&line.as_str()),
            "{line}"
        );
        send_crlf(&mut program, &["quit"]);
        program.finish_well();
    }
}

#[test]
fn liground_runs_two_engines_and_sends_every_option() {
    let mut engines = [Program::start(), Program::start()];
    for program in &mut engines {
        let lines = program.open("uci");
        let variant = |line: &&String| {
            line.starts_with("option name UCI_Variant type combo ") && line.contains(" var xiangqi")
        };
        assert_eq!(lines.iter().filter(variant).count(), 1);
        for line in lines.iter().filter(|line| line.starts_with("option name ")) {
            let (name, kind) = line["option name ".len()..].split_once(" type ").unwrap();
            if kind == "button" {
                program.send(&format!("setoption name {name}"));
            } else {
                let value = after(kind, "default").unwrap();
                program.send(&format!("setoption name {name} value {value}"));
            }
        }
        program.send_all(&[
            "setoption name UCI_Variant value xiangqi",
            "setoption name UCI_Chess960 value false",
            "setoption name UCI_AnalyseMode value true",
            // Its board counts the ranks from 1: docs/protocols.md says to set this.
            "setoption name UCI_RankBase value 1",
        ]);
        assert!(program.sync().is_empty());
        program.expect(Grammar::UciFromOne);
    }
    for program in &mut engines {
        program.send(&format!("position fen {}", Position::startpos().fen()));
        program.send("go infinite");
        program.until("info");
        program.send("stop");
        let lines = program.until("bestmove");
        let mv = lines.last().unwrap().split(' ').nth(1).unwrap();
        let rank: u32 = mv[1..2].parse().unwrap();
        assert!(
            (1..=4).contains(&rank),
            "red's men stand on ranks 1, 3 and 4: {mv}"
        );
        assert_eq!(count(&program.sync(), "bestmove"), 0);
    }
}
