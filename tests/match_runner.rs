//! `vermilion match` with engines that misbehave, with kills and interrupts, and its
//! figures against an independent implementation. The engine is `match_runner/engine.py`.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use vermilion::tools::match_runner::stats::{Counts, Decision, Sprt};

/// No match here takes a tenth of this on an idle machine.
const PATIENCE: Duration = Duration::from_secs(180);

/// A directory of a test's own.
fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("match_runner")
        .join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("a directory for the test");
    dir
}

/// The specification of a scripted engine.
fn engine(name: &str, script: &str, more: &str) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/match_runner/engine.py");
    format!("name={name} cmd=python3 args=\"'{path}' {script}\" {more}")
}

fn start(dir: &Path, args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_vermilion"))
        .arg("match")
        .args(args)
        .current_dir(dir)
        .stdout(Stdio::from(
            fs::File::create(dir.join("out")).expect("a file"),
        ))
        .stderr(Stdio::from(
            fs::File::create(dir.join("err")).expect("a file"),
        ))
        .spawn()
        .expect("the runner starts")
}

/// What a finished runner has left.
struct Outcome {
    code: Option<i32>,
    out: String,
    err: String,
    peak_kib: u64,
}

impl Outcome {
    /// The report on the last line.
    fn report(&self) -> Value {
        let last = self.out.lines().last().unwrap_or_default();
        serde_json::from_str(last)
            .unwrap_or_else(|error| panic!("{error}: {}\n{}", self.out, self.err))
    }
}

fn finish(dir: &Path, mut child: Child) -> Outcome {
    let deadline = Instant::now() + PATIENCE;
    let mut peak_kib = 0;
    let code = loop {
        if let Some(status) = child.try_wait().expect("the runner can be waited for") {
            break status.code();
        }
        let status = fs::read_to_string(format!("/proc/{}/status", child.id()));
        let peak = status.ok().and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
            line.split_whitespace().nth(1)?.parse().ok()
        });
        peak_kib = peak_kib.max(peak.unwrap_or(0));
        if Instant::now() > deadline {
            let _ = child.kill();
            panic!("the runner hangs in {}", dir.display());
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let text = |name| {
        let bytes = fs::read(dir.join(name)).expect("its output");
        String::from_utf8(bytes).expect("UTF-8 without exception")
    };
    Outcome {
        code,
        out: text("out"),
        err: text("err"),
        peak_kib,
    }
}

/// Plays two games between a good engine and one that misbehaves, and returns the report.
fn play_against(name: &str, script: &str, more: &str) -> (Value, Outcome) {
    let dir = scratch(name);
    let pids = dir.join("pids");
    let script = format!("{script} 'pids={}'", pids.display());
    let good = engine("good", "plain", "proto=ucci");
    let bad = engine("bad", &script, more);
    let args = [
        "--engine",
        &good,
        "--engine",
        &bad,
        "--tc",
        "depth 1",
        "--hang",
        "5000",
        "--games",
        "2",
        "--pgn",
        "games.pgn",
        "--json",
        "-",
        "--log",
        "log",
    ];
    let outcome = finish(&dir, start(&dir, &args));
    assert_eq!(outcome.code, Some(0), "{}{}", outcome.out, outcome.err);
    for pid in fs::read_to_string(pids).expect("the engine ran").lines() {
        // A zombie that init has not fetched yet is as good as gone.
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        assert!(
            stat.is_empty() || stat.contains(") Z"),
            "engine {pid} lives on: {stat}"
        );
    }
    (outcome.report(), outcome)
}

/// The engine loses both games for the same fault, is started anew for the second, and
/// its last lines are in the report.
fn assert_faults(name: &str, script: &str, more: &str, kind: &str, said: &str) -> Outcome {
    let (report, outcome) = play_against(name, script, more);
    assert_eq!(report["wins"], 2, "{report:#}");
    assert_eq!(report["stopped"], "complete");
    assert_eq!(report["endings"][kind], 2, "{report:#}");
    assert_eq!(report["engines"][1]["faults"][kind], 2);
    assert_eq!(report["engines"][1]["starts"], 2);
    assert_eq!(report["engines"][0]["starts"], 1);
    for game in 0..2 {
        let fault = &report["faults"][game];
        assert_eq!(fault["engine"], "bad");
        let reason = fault["reason"].as_str().unwrap_or_default();
        assert!(reason.contains(said), "{reason}");
        let lines = fault["last_lines"].as_array().expect("last lines");
        assert!(!lines.is_empty());
        assert!(outcome.out.contains(lines[0].as_str().expect("text")));
    }
    outcome
}

#[test]
fn an_engine_that_never_answers_is_killed_and_loses() {
    assert_faults(
        "silent",
        "never-answers 2",
        "proto=ucci",
        "hang",
        "did not answer",
    );
}

#[test]
fn an_engine_that_ignores_stop_and_quit_is_killed_and_loses() {
    assert_faults("deaf", "deaf 2", "proto=uci", "hang", "did not answer");
}

#[test]
fn an_engine_that_ignores_quit_does_not_hold_the_match_up() {
    let (report, _) = play_against("deaf-later", "deaf 99", "proto=uci");
    assert_eq!(report["draws"], 2, "{report:#}");
}

#[test]
fn an_engine_that_answers_late_loses_on_time() {
    let more = "proto=ucci tc='movetime 100'";
    let outcome = assert_faults("late", "late 2", more, "time-forfeit", "lost on time");
    let report = outcome.report();
    let slowest = report["engines"][1]["slowest_move_ms"].as_f64();
    // The move that came too late is not one of the game's moves.
    assert!(slowest.is_some_and(|ms| ms < 600.0), "{report:#}");
}

#[test]
fn an_engine_that_crashes_loses_and_its_last_words_are_kept() {
    let outcome = assert_faults("crash", "crash 2", "proto=uci", "crash", "SIGKILL");
    let words = outcome.report()["faults"][0]["last_lines"].to_string();
    assert!(
        words.contains("! assertion failed: the sky is falling"),
        "{words}"
    );
}

#[test]
fn an_engine_that_crashes_at_its_start_loses_every_game() {
    let said = "exit status: 3";
    assert_faults(
        "crash-at-start",
        "crash-at-start",
        "proto=ucci",
        "start-failure",
        said,
    );
}

#[test]
fn an_illegal_move_loses_and_is_explained() {
    let said = "a general does not move like that";
    let (report, _) = play_against("illegal", "illegal", "proto=uci");
    assert_eq!(report["endings"]["illegal-move"], 2, "{report:#}");
    assert!(report["faults"].to_string().contains(said), "{report:#}");
}

#[test]
fn garbage_loses_and_does_no_harm() {
    let outcome = assert_faults("garbage", "garbage", "proto=ucci", "illegal-move", "zz99!");
    assert!(!outcome.out.contains('\x1b') && !outcome.out.contains('\0'));
}

#[test]
fn an_engine_without_a_move_loses_if_it_has_one() {
    assert_faults(
        "nobestmove",
        "nobestmove 3",
        "proto=ucci",
        "no-move",
        "no move",
    );
    assert_faults("none", "nobestmove 1", "proto=uci", "no-move", "no move");
}

#[test]
fn an_engine_that_closes_its_output_loses() {
    assert_faults(
        "closes",
        "closes-output 2",
        "proto=uci",
        "crash",
        "closed its output",
    );
}

#[test]
fn endless_output_is_cut_off_and_fills_no_memory() {
    for mode in ["endless-lines", "endless-line"] {
        let outcome = assert_faults(mode, mode, "proto=ucci", "endless-output", "64 MiB");
        assert!(outcome.peak_kib < 200_000, "{} KiB", outcome.peak_kib);
    }
}

#[test]
fn ranks_from_one_are_found_out_and_both_protocols_play_whole_games() {
    for (name, script, more) in [
        ("ranks", "ranks-from-1", "proto=uci"),
        ("ranks-given", "ranks-from-1", "proto=uci base=1"),
        ("ranks-zero", "plain", "proto=uci"),
        ("ucci", "plain", "proto=ucci restart=on"),
        ("no-isready", "no-isready", "proto=ucci"),
        ("cyclone", "plain", "proto=cyclone"),
    ] {
        let (report, _) = play_against(name, script, more);
        assert_eq!(report["endings"]["repetition"], 2, "{name}: {report:#}");
        assert_eq!(report["faults"].as_array().map(Vec::len), Some(0));
    }
}

#[test]
fn seconds_are_sent_to_engines_that_want_them() {
    let (report, _) = play_against("seconds", "seconds", "proto=ucci tc=90.5+2.5");
    assert_eq!(report["draws"], 2, "{report:#}");
    let log = fs::read_to_string(scratch_path("seconds").join("log")).expect("a log");
    assert!(
        log.contains("bad#1 < go time 90 increment 2 opptime 90"),
        "{log}"
    );
}

fn scratch_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("match_runner")
        .join(name)
}

#[test]
fn resignations_and_agreed_draws_count() {
    let (report, _) = play_against("resign", "resign 2", "proto=ucci");
    assert_eq!(report["endings"]["resignation"], 2);
    assert_eq!(report["wins"], 2);

    let dir = scratch("draw");
    let (a, b) = (
        engine("A", "draw 2", "proto=ucci"),
        engine("B", "draw 2", "proto=ucci"),
    );
    let args = [
        "--engine", &a, "--engine", &b, "--tc", "depth 1", "--games", "2", "--json", "-", "--log",
        "log",
    ];
    let report = finish(&dir, start(&dir, &args)).report();
    assert_eq!(report["endings"]["draw-agreed"], 2, "{report:#}");
    let log = fs::read_to_string(dir.join("log")).expect("a log");
    assert!(log.contains("< go draw depth 1"), "{log}");
}

#[test]
fn engines_ponder_on_request() {
    for (proto, go) in [("uci", "< go ponder wtime"), ("ucci", "< go ponder time")] {
        let dir = scratch(&format!("ponder-{proto}"));
        let proto = format!("proto={proto}");
        let right = engine("right", "ponders", &proto);
        let wrong = engine("wrong", "ponders-wrong", &proto);
        let args = [
            "--engine", &right, "--engine", &wrong, "--tc", "60+1", "--games", "2", "--ponder",
            "--json", "-", "--log", "log",
        ];
        let report = finish(&dir, start(&dir, &args)).report();
        assert_eq!(report["endings"]["repetition"], 2, "{report:#}");
        let log = fs::read_to_string(dir.join("log")).expect("a log");
        let count = |text: &str| log.lines().filter(|line| line.ends_with(text)).count();
        assert!(log.contains(go), "{log}");
        assert!(count("right#1 < ponderhit") >= 4, "{log}");
        assert_eq!(count("wrong#1 < ponderhit"), 0, "{log}");
        assert!(count("wrong#1 < stop") >= 4, "{log}");
    }
}

#[test]
fn an_engine_with_all_quirks_of_ucci_plays_whole_games() {
    let more = "proto=ucci tc=90.5+2.5 ponder=on";
    let (report, _) = play_against("quirks", "quirks", more);
    assert_eq!(report["endings"]["repetition"], 2, "{report:#}");
    assert_eq!(report["faults"].as_array().map(Vec::len), Some(0));
    // What it says besides is no obstacle to reading the lines that mean something.
    let [depth, nps] = ["mean_depth", "nps"].map(|key| report["engines"][1][key].as_f64());
    assert!(
        depth > Some(2.0) && depth < Some(20.0) && nps.is_some(),
        "{report:#}"
    );
    let dir = scratch_path("quirks");
    let pgn = fs::read_to_string(dir.join("games.pgn")).expect("games");
    assert!(pgn.contains("{+0.12/2 "), "{pgn}");
    let log = fs::read_to_string(dir.join("log")).expect("a log");
    assert!(log.contains("< setoption usemillisec true"), "{log}");
    assert!(log.contains("< go time 90500 increment 2500"), "{log}");
}

#[test]
fn an_answer_to_a_stop_that_came_late_is_no_answer_to_the_next_question() {
    let dir = scratch("stops-twice");
    let right = engine("right", "plain", "proto=ucci");
    let wrong = engine("wrong", "stops-twice", "proto=ucci");
    let args = [
        "--engine", &right, "--engine", &wrong, "--tc", "60+1", "--games", "2", "--ponder",
        "--json", "-", "--log", "log",
    ];
    let report = finish(&dir, start(&dir, &args)).report();
    assert_eq!(report["endings"]["repetition"], 2, "{report:#}");
    let log = fs::read_to_string(dir.join("log")).expect("a log");
    assert!(log.matches("wrong#1 > nobestmove").count() >= 4, "{log}");
}

#[test]
fn the_unit_of_a_ucci_clock_may_be_given() {
    for (script, value, time) in [("seconds", "true", 90_500), ("plain", "false", 90)] {
        let name = format!("unit-{value}");
        let more = format!("proto=ucci tc=90.5 option.usemillisec={value}");
        let (report, _) = play_against(&name, script, &more);
        assert_eq!(report["draws"], 2, "{report:#}");
        let log = fs::read_to_string(scratch_path(&name).join("log")).expect("a log");
        assert!(
            log.contains(&format!("< go time {time} increment 0")),
            "{log}"
        );
    }
}

#[test]
fn everybody_meets_everybody_or_the_first_meets_the_rest() {
    let engines = ["A", "B", "C"].map(|name| engine(name, "plain", "proto=ucci"));
    for (kind, pairings) in [("round-robin", 3), ("gauntlet", 2)] {
        let dir = scratch(kind);
        let mut args = vec![
            "--tc",
            "depth 1",
            "--games",
            "2",
            "--concurrency",
            "2",
            "--json",
            "report.json",
            "--tournament",
            kind,
        ];
        for engine in &engines {
            args.extend(["--engine", engine.as_str()]);
        }
        let outcome = finish(&dir, start(&dir, &args));
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        let text = fs::read_to_string(dir.join("report.json")).expect("a report");
        let report: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(report["games"], 2 * pairings);
        assert_eq!(report["pairings"].as_array().map(Vec::len), Some(pairings));
        let b_against_c = &report["cross_table"][1][2];
        assert_eq!(b_against_c.as_f64(), (pairings == 3).then_some(1.0));
        assert!(report["cross_table"][0][0].is_null());
    }
}

/// Twenty-five openings: a pawn of each side advances.
fn write_openings(dir: &Path) {
    let files = ["a", "c", "e", "g", "i"];
    let lines: Vec<String> = files
        .iter()
        .flat_map(|red| {
            files.map(|black| format!("startpos moves {red}3{red}4 {black}6{black}5\n"))
        })
        .collect();
    fs::write(dir.join("openings.txt"), lines.concat()).expect("a file");
}

/// The arguments of a match of 50 games, whose results depend on opening and colours alone.
fn fifty_games(delay: &str) -> Vec<String> {
    let mixed = engine("mixed", &format!("mixed 1 delay={delay}"), "proto=ucci");
    let plain = engine("plain", &format!("plain 1 delay={delay}"), "proto=uci");
    let fixed = [
        "--tc",
        "depth 1",
        "--games",
        "50",
        "--openings",
        "openings.txt",
        "--seed",
        "3",
        "--concurrency",
        "2",
        "--json",
        "-",
        "--pgn",
        "games.pgn",
        "--plot",
        "plot.svg",
    ];
    let engines = ["--engine".to_owned(), mixed, "--engine".to_owned(), plain];
    engines
        .into_iter()
        .chain(fixed.map(str::to_owned))
        .collect()
}

fn run_fifty(dir: &Path, delay: &str, more: &[&str]) -> Child {
    let args = fifty_games(delay);
    let args: Vec<&str> = args
        .iter()
        .map(String::as_str)
        .chain(more.iter().copied())
        .collect();
    start(dir, &args)
}

/// What does not depend on time and starts.
fn lasting_figures(report: &Value) -> Vec<Value> {
    let keys = [
        "games",
        "wins",
        "draws",
        "losses",
        "pentanomial",
        "elo",
        "elo_low",
        "elo_high",
        "los",
        "normalised_elo",
        "endings",
        "red_wins",
        "black_wins",
        "cross_table",
        "stopped",
    ];
    let engines = report["engines"].as_array().expect("engines");
    let per_engine = engines
        .iter()
        .flat_map(|engine| ["points", "moves", "mean_depth"].map(|key| engine[key].clone()));
    keys.iter()
        .map(|key| report[*key].clone())
        .chain(per_engine)
        .collect()
}

/// How many whole lines the journal has.
fn journal_lines(dir: &Path) -> usize {
    let bytes = fs::read(dir.join("journal")).unwrap_or_default();
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

fn wait_for_games(dir: &Path, games: usize) {
    let deadline = Instant::now() + PATIENCE;
    while journal_lines(dir) < 1 + games {
        assert!(Instant::now() < deadline, "no games come");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_match_that_is_killed_goes_on_and_gives_the_same_figures() {
    let whole = scratch("whole");
    write_openings(&whole);
    let expected = finish(&whole, run_fifty(&whole, "0", &[])).report();
    assert_eq!(expected["games"], 50);
    for figure in ["wins", "draws", "losses"] {
        assert!(
            figure == "wins" || expected[figure].as_u64() > Some(5),
            "{expected:#}"
        );
    }

    let dir = scratch("killed");
    write_openings(&dir);
    // `delay` is part of the engine's arguments, and they of the match.
    let resume = ["--resume", "journal"];
    let mut child = run_fifty(&dir, "20", &resume);
    wait_for_games(&dir, 12);
    child.kill().expect("the runner is killed");
    child.wait().expect("and gone");
    let games = journal_lines(&dir) - 1;
    assert!((12..50).contains(&games), "{games} games before the kill");
    // A write that the kill has cut in two.
    let mut journal = fs::read(dir.join("journal")).expect("a journal");
    journal.extend_from_slice(b"{\"number\":49,\"red\":1,\"bla");
    fs::write(dir.join("journal"), journal).expect("writable");

    let other = finish(
        &dir,
        run_fifty(&dir, "20", &["--resume", "journal", "--margin", "7"]),
    );
    assert_eq!(other.code, Some(2));
    assert!(
        other.err.contains("margin was 100 and is now 7"),
        "{}",
        other.err
    );

    let resumed = finish(&dir, run_fifty(&dir, "20", &resume));
    assert_eq!(resumed.code, Some(0), "{}", resumed.err);
    assert!(
        resumed
            .out
            .contains(&format!("{games} games are in the journal"))
    );
    let report = resumed.report();
    assert_eq!(lasting_figures(&report), lasting_figures(&expected));
    assert_eq!(journal_lines(&dir), 51);
    let pgn = fs::read_to_string(dir.join("games.pgn")).expect("games");
    for round in 1..=50 {
        assert_eq!(pgn.matches(&format!("[Round \"{round}\"]")).count(), 1);
    }
    assert!(fs::read_to_string(dir.join("plot.svg")).is_ok_and(|svg| svg.ends_with("</svg>\n")));

    let again = finish(&dir, run_fifty(&dir, "20", &resume)).report();
    assert_eq!(again, report, "nothing is left to play");
}

#[test]
fn an_interrupt_ends_the_match_with_a_report() {
    let dir = scratch("interrupt");
    write_openings(&dir);
    let child = run_fifty(&dir, "50", &["--resume", "journal"]);
    wait_for_games(&dir, 3);
    let pid = nix::unistd::Pid::from_raw(child.id() as i32);
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGINT).expect("it is running");
    let outcome = finish(&dir, child);
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    let report = outcome.report();
    assert_eq!(report["stopped"], "interrupted");
    assert_eq!(report["games"], journal_lines(&dir) as u64 - 1);
    assert!(report["games"].as_u64() < Some(50));
}

#[test]
fn a_test_that_decides_ends_the_match() {
    let dir = scratch("sprt");
    let (a, b) = (
        engine("A", "plain", "proto=ucci"),
        engine("B", "resign 1", "proto=ucci"),
    );
    let args = [
        "--engine", &a, "--engine", &b, "--tc", "depth 1", "--games", "1000", "--sprt", "0,50",
        "--json", "-", "--resume", "journal",
    ];
    let outcome = finish(&dir, start(&dir, &args));
    let report = outcome.report();
    assert_eq!(report["stopped"], "sprt");
    assert_eq!(report["sprt"]["decision"], "h1");
    assert!(
        report["games"].as_u64().is_some_and(|games| games < 100),
        "{report:#}"
    );
    let again = finish(&dir, start(&dir, &args)).report();
    assert_eq!(
        again["games"], report["games"],
        "a decided match stays decided"
    );
}

#[test]
fn a_file_that_cannot_be_written_is_named_before_the_first_game() {
    let dir = scratch("paths");
    for option in ["--json", "--plot", "--pgn", "--log", "--resume"] {
        let a = engine("A", "plain pids=pids", "proto=ucci");
        let b = engine("B", "plain pids=pids", "proto=ucci");
        let args = [
            "--engine",
            &a,
            "--engine",
            &b,
            "--tc",
            "depth 1",
            option,
            "none/file",
        ];
        let outcome = finish(&dir, start(&dir, &args));
        assert_eq!(outcome.code, Some(2), "{option}: {}", outcome.err);
        assert!(
            outcome.err.starts_with("error: none/file: "),
            "{}",
            outcome.err
        );
        assert!(!dir.join("pids").exists(), "{option}: a game was begun");
    }
}

#[test]
fn two_runners_do_not_write_one_journal() {
    let dir = scratch("journal-in-use");
    write_openings(&dir);
    let resume = ["--resume", "journal"];
    let mut first = run_fifty(&dir, "50", &resume);
    wait_for_games(&dir, 1);
    let second = finish(&dir, run_fifty(&dir, "50", &resume));
    assert_eq!(second.code, Some(2), "{}", second.out);
    let said = "error: journal: another runner writes to it\n";
    assert_eq!(second.err, said);
    first.kill().expect("the first still runs");
    first.wait().expect("and is gone");
}

/// The words are those of an OpenBench worker, and its reading of the answer.
#[test]
fn openbench_plays_its_games_through_the_stand_in() {
    use std::os::unix::fs::PermissionsExt;

    let dir = scratch("openbench");
    for folder in ["Engines", "Books", "PGNs"] {
        fs::create_dir(dir.join(folder)).expect("a folder");
    }
    for (name, script) in [("Good", "plain"), ("Bad", "illegal 2")] {
        let path = dir.join("Engines").join(name);
        let python = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/match_runner/engine.py");
        fs::write(
            &path,
            format!("#!/bin/sh\nexec python3 {python} {script}\n"),
        )
        .expect("a file");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("executable");
    }
    write_openings(&dir);
    fs::rename(dir.join("openings.txt"), dir.join("Books/pawns.epd")).expect("a book");
    let stand_in = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/openbench/fastchess-ob");
    let run = |words: &str| {
        let output = Command::new(stand_in)
            .args(words.split_whitespace())
            .current_dir(&dir)
            .env("VERMILION", env!("CARGO_BIN_EXE_vermilion"))
            .output()
            .expect("the stand-in runs");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        (output.status.code(), text, error)
    };
    let (code, version, _) = run("--version");
    assert_eq!((code, version.trim()), (Some(0), "vermilion-match 99.0.0"));

    let limits = "tc=8.00+0.08 timemargin=250 option.Threads=1 option.Hash=16";
    let (code, text, error) = run(&format!(
        "-repeat -recover -variant standard -testEnv -concurrency 2 -games 4 \
         -resign movecount=3 score=400 -draw movenumber=40 movecount=8 score=10 \
         -engine dir=Engines/ cmd=./Good proto=uci {limits} name=Good-dev \
         -engine dir=Engines/ cmd=./Bad proto=uci {limits} name=Bad-base \
         -openings file=Books/pawns.epd format=epd order=random start=24 -srand 17 \
         -pgnout file=PGNs/1.pgn seldepth=true nodes=true"
    ));
    assert_eq!(code, Some(0), "{error}");
    let mut games: Vec<(u32, &str, &str)> = text
        .lines()
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            assert_eq!(words[..2], ["Finished", "game"]);
            let reason = line.split(':').nth(1).expect("a reason");
            (words[2].parse().expect("a number"), words[6], reason)
        })
        .collect();
    games.sort_unstable();
    let expected = " {Bad-base makes an illegal move}";
    for (index, &(number, result, reason)) in games.iter().enumerate() {
        assert_eq!(number as usize, index + 1);
        // The engine in development has Red in the odd games.
        assert_eq!(result, ["1-0", "0-1"][index % 2], "{text}");
        assert!(reason.ends_with(expected), "{text}");
    }
    assert_eq!(games.len(), 4);
    let pgn = fs::read_to_string(dir.join("PGNs/1.pgn")).expect("games");
    assert_eq!(pgn.matches("[TimeControl \"8+0.08\"]").count(), 4);

    let (code, text, error) = run("-concurrency 1 -games 2");
    assert_eq!((code, text.as_str()), (Some(1), ""));
    assert!(error.contains("only games in pairs"), "{error}");
}

#[test]
fn wrong_arguments_are_named_on_one_line() {
    let dir = scratch("arguments");
    fs::write(dir.join("bad.epd"), "startpos\nstartpos moves a0a9\n").expect("a file");
    fs::write(dir.join("bad.toml"), "games = 10\ngames-of-chance = 3\n").expect("a file");
    fs::write(dir.join("report.json"), "{\"games\":10}").expect("a file");
    let plain = engine("A", "plain", "");
    let other = engine("B", "plain", "");
    let two = [
        "--engine",
        plain.as_str(),
        "--engine",
        other.as_str(),
        "--tc",
        "depth 1",
    ];
    let cases: [(&[&str], &str); 7] = [
        (
            &["--engine", "cmd=x porto=uci"],
            "word 2: unknown key `porto`",
        ),
        (&["--engine", "cmd=/no/such/program"], "two engines or more"),
        (
            &["--openings", "bad.epd"],
            "bad.epd:2: move 1, a0a9, is illegal",
        ),
        (&["--openings", "none.epd"], "none.epd: "),
        (
            &["--config", "bad.toml"],
            "bad.toml:2: unknown field `games-of-chance`",
        ),
        (&["--sprt", "10,0"], "ELO0 below ELO1"),
        (&["--resume", "report.json"], "report.json:1: "),
    ];
    for (index, (more, said)) in cases.into_iter().enumerate() {
        let mut args = more.to_vec();
        if index > 1 {
            args.extend(two);
        }
        let outcome = finish(&dir, start(&dir, &args));
        assert_eq!(outcome.code, Some(2), "{more:?}: {}", outcome.err);
        assert!(outcome.err.contains(said), "{more:?}: {}", outcome.err);
        if index > 1 && index != 5 {
            assert_eq!(outcome.err.lines().count(), 1, "{}", outcome.err);
        }
    }
    let kept = fs::read_to_string(dir.join("report.json")).expect("a file");
    assert_eq!(
        kept, "{\"games\":10}",
        "a file that is no journal is left alone"
    );
}

#[test]
fn numbers_are_tuned_and_a_journal_tells_how_far() {
    // This engine gives up the sooner the lower its number is: more patience wins.
    let dir = scratch("spsa");
    let tuned = engine("A", "tuned", "proto=uci base=0");
    let run = |games: &str, more: &[&str]| {
        let mut args = vec![
            "--engine",
            &tuned,
            "--tc",
            "depth 1",
            "--spsa",
            "Patience,10,0,40,10",
            "--spsa-rate",
            "0.1",
            "--concurrency",
            "2",
            "--json",
            "-",
            "--games",
            games,
        ];
        args.extend(more);
        finish(&dir, start(&dir, &args))
    };
    let value = |outcome: &Outcome| {
        let report = outcome.report();
        assert_eq!(report["spsa"][0]["name"], "Patience", "{report:#}");
        assert_eq!(report["spsa"][0]["start"], 10);
        report["spsa"][0]["value"].as_f64().expect("a number")
    };
    let journal = ["--resume", "journal"];
    let whole = run("40", &journal);
    assert!(value(&whole) > 15.0, "{}", whole.out);
    assert!(whole.out.contains("(from 10)"), "{}", whole.out);
    // Every game is in the journal: nothing is played again, and the value is the same.
    let again = run("40", &journal);
    assert!(
        again.out.starts_with("40 games are in the journal"),
        "{}",
        again.out
    );
    assert!((value(&again) - value(&whole)).abs() < 1e-9);

    let plain = engine("A", "plain", "proto=uci");
    for (args, said) in [
        (
            vec!["--engine", &plain, "--spsa", "lmr_base"],
            "no option lmr_base",
        ),
        (vec!["--engine", &plain, "--spsa", "none"], "the groups are"),
        (
            vec!["--engine", &plain, "--engine", &tuned, "--spsa", "lmr"],
            "exactly one engine",
        ),
    ] {
        let mut args = args;
        args.extend(["--tc", "depth 1"]);
        let outcome = finish(&dir, start(&dir, &args));
        assert_eq!(outcome.code, Some(2), "{args:?}: {}", outcome.err);
        assert!(outcome.err.contains(said), "{args:?}: {}", outcome.err);
    }
}

/// The figures come from this program:
/// ```python
/// from math import log
/// def llr(n, e0, e1):
///     n = [c or 1e-3 for c in n]; N = sum(n); p = [c / N for c in n]
///     def weights(elo):
///         s = 1 / (1 + 10 ** (-elo / 400)); lo, hi = -1 / (1 - s), 1 / s
///         for _ in range(500):
///             t = (lo + hi) / 2
///             f = sum(q * (i / 4 - s) / (1 + t * (i / 4 - s)) for i, q in enumerate(p))
///             lo, hi = (t, hi) if f > 0 else (lo, t)
///         return [q / (1 + t * (i / 4 - s)) for i, q in enumerate(p)]
///     return N * sum(q * log(b / a) for q, a, b in zip(p, weights(e0), weights(e1)))
/// ```
#[test]
fn the_likelihood_ratio_is_that_of_an_independent_implementation() {
    use Decision::{Continue, H0, H1};
    for (pairs, bounds, expected, decision) in [
        ([5, 40, 110, 60, 10], "0,10", 1.913_317_050, Continue),
        ([0, 0, 50, 0, 0], "0,5", -0.717_605_836, Continue),
        ([30, 180, 400, 260, 50], "0,10", 6.521_677_842, H1),
        ([12, 90, 200, 60, 8], "-5,0", -1.504_380_554, Continue),
        ([12, 90, 200, 60, 8], "-5,0,0.3,0.3", -1.504_380_554, H0),
        ([0, 3, 20, 30, 7], "0,20", 3.354_205_748, H1),
        ([1, 0, 0, 0, 0], "0,10", -0.029_255_446, Continue),
        ([100, 420, 900, 380, 80], "0,4", -2.890_972_746, Continue),
        ([300, 2100, 5200, 2300, 340], "0,3", 4.868_561_207, H1),
    ] {
        let sprt: Sprt = bounds.parse().expect("good bounds");
        let llr = sprt.llr(&pairs);
        assert!((llr - expected).abs() < 1e-6, "{pairs:?} {bounds}: {llr}");
        assert_eq!(sprt.decide(&pairs), decision, "{pairs:?} {bounds}");
    }
    let (low, high) = "0,10".parse::<Sprt>().expect("good").bounds();
    assert!((high - 19f64.ln()).abs() < 1e-12 && (low + high).abs() < 1e-12);
}

/// With `m` and `v` mean and variance of the pair scores, `z` = 1.959964 and Python's
/// `statistics.NormalDist`: Elo `-400 log10(1/s - 1)` at `m` and `m ± z sqrt(v/N)`,
/// normalised `(m - 1/2) / sqrt(2 v) * 800 / ln 10 ± z * 800 / ln 10 / sqrt(2 N)`.
#[test]
fn elo_and_its_errors_are_those_of_an_independent_implementation() {
    let expected = [
        (
            [5, 40, 110, 60, 10],
            [
                23.196_778_791,
                4.262_134_838,
                42.270_156_537,
                39.339_333_433,
                32.100_820_446,
                0.991_845_414,
            ],
        ),
        (
            [30, 180, 400, 260, 50],
            [
                22.691_049_780,
                12.567_316_638,
                32.853_417_670,
                35.625_311_522,
                15.874_990_637,
                0.999_994_547,
            ],
        ),
    ];
    for (pentanomial, expected) in expected {
        let counts = Counts {
            wins: 1,
            pentanomial,
            ..Counts::default()
        };
        let figures = counts.figures().expect("pairs");
        let found = [
            figures.elo.expect("finite"),
            figures.elo_low.expect("finite"),
            figures.elo_high.expect("finite"),
            figures.normalised_elo,
            figures.normalised_elo_error,
            figures.los,
        ];
        for (found, expected) in found.into_iter().zip(expected) {
            assert!(
                (found - expected).abs() < 1e-6,
                "{pentanomial:?}: {found} {expected}"
            );
        }
    }
    // 20 games won: a score below 0.05^(1/20) would have shown a loss in 95 % of cases.
    let counts = Counts {
        wins: 20,
        pentanomial: [0, 0, 0, 0, 10],
        ..Counts::default()
    };
    let figures = counts.figures().expect("pairs");
    assert_eq!((figures.elo, figures.elo_high), (None, None));
    assert!(
        figures
            .elo_low
            .is_some_and(|elo| (elo - 316.638_132).abs() < 1e-6),
        "{figures:?}"
    );
}
