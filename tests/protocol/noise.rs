//! Random and mutated input: nothing may make the program panic, hang or leave.

use super::common::Rng;
use super::grammar::Grammar;
use super::pipe::Program;

/// Real commands, from which the noise is made.
const COMMANDS: &[&str] = &[
    "uci",
    "ucci",
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "ponderhit draw",
    "d",
    "eval",
    "position startpos",
    "position startpos moves h2e2 h9g7 h0g2 i9h9 i0h0",
    "position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h3e3 h10g8",
    "position fen r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
    "fen 3ak4/9/4b4/9/2R6/6N2/9/4B3r/4A4/4KC3 r moves g4f6",
    "startpos moves b2e2",
    "position fen R2k5/1R7/9/9/9/9/9/9/9/4K4 b - - 0 1",
    "setoption name Hash value 1",
    "setoption name Clear Hash",
    "setoption name MultiPV value 3",
    "setoption name Move Overhead value 10",
    "setoption hashsize 1",
    "setoption usemillisec false",
    "setoption usemillisec true",
    "setoption batch true",
    "setoption batch off",
    "setoption newgame",
    "setoption name EvalFile value x.nnue",
    "banmoves h2e2 b2e2",
    "go infinite",
    "go depth 3",
    "go nodes 300",
    "go movetime 3",
    "go wtime 100 btime 100 winc 1 binc 1 movestogo 40",
    "go time 3 increment 0 opptime 3 oppincrement 0",
    "go draw time 100 movestogo 10",
    "go ponder wtime 100 btime 100",
    "go mate 2 nodes 1000",
    "go depth 0",
    "go depth infinite",
    "go searchmoves a0a1 i0i1 depth 2",
    "go perft 2",
    "probe startpos moves h2e2",
    "debug on",
    "ponderhit draw",
    "setoption style risky",
    "setoption randomness large",
    "setoption idle small",
    "setoption resign 300",
    "setoption drawoffers true",
    "setoption name UCI_AnalyseMode value true",
    "hint score 1 depth 2 pv h2e2",
];

fn any_byte(rng: &mut Rng) -> u8 {
    // Line ends are for the caller to choose.
    match rng.below(256) as u8 {
        b'\n' => 0,
        byte => byte,
    }
}

/// A word from some command, a number, or garbage.
fn any_word(rng: &mut Rng) -> Vec<u8> {
    const NUMBERS: &[&str] = &[
        "0",
        "-1",
        "1",
        "7",
        "99999999999999999999",
        "-9223372036854775808",
        "1e9",
        "0x10",
    ];
    match rng.below(6) {
        0 => NUMBERS[rng.below(NUMBERS.len())].into(),
        1 => (0..rng.below(12)).map(|_| any_byte(rng)).collect(),
        _ => {
            let command = COMMANDS[rng.below(COMMANDS.len())];
            let words: Vec<&str> = command.split(' ').collect();
            words[rng.below(words.len())].into()
        }
    }
}

/// A command as it is, with some words or bytes changed, or nothing but garbage.
fn any_line(rng: &mut Rng) -> Vec<u8> {
    let mut words: Vec<Vec<u8>> = COMMANDS[rng.below(COMMANDS.len())]
        .split(' ')
        .map(Into::into)
        .collect();
    match rng.below(10) {
        0..4 => {}
        4..8 => {
            for _ in 0..=rng.below(3) {
                let at = rng.below(words.len());
                match rng.below(4) {
                    0 => words[at] = any_word(rng),
                    1 => words.insert(at, any_word(rng)),
                    2 if words.len() > 1 => drop(words.remove(at)),
                    _ => words.swap(at, 0),
                }
            }
        }
        8 => words = (0..rng.below(20)).map(|_| any_word(rng)).collect(),
        _ => words = vec![(0..rng.below(200)).map(|_| any_byte(rng)).collect()],
    }
    let mut line = words.join(&b' ');
    if rng.below(5) == 0 && !line.is_empty() {
        let at = rng.below(line.len());
        line[at] = any_byte(rng);
    }
    line.extend_from_slice(if rng.below(4) == 0 { b"\r\n" } else { b"\n" });
    line
}

/// Lines that would end the program, fill the disk or take all memory are left out.
fn is_harmless(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line).to_ascii_lowercase();
    let squeezed: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
    let opens_file = squeezed.contains("logfile");
    let large_table =
        squeezed.contains("hash") && text.chars().filter(char::is_ascii_digit).count() > 2;
    let deep_perft = squeezed.contains("perft") && squeezed != "goperft2";
    text.split_whitespace().next() != Some("quit") && !opens_file && !large_table && !deep_perft
}

/// What was sent since the program last answered; shown if a test fails.
struct Recent(Vec<String>);

impl Drop for Recent {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("sent last: {:#?}", self.0);
        }
    }
}

fn survives_noise(seed: u64, lines: usize) {
    let mut rng = Rng::new(seed);
    let mut program = Program::start();
    program.expect(Grammar::Any);
    let mut sent = Recent(Vec::new());
    for number in 1..=lines {
        let line = loop {
            let line = any_line(&mut rng);
            if is_harmless(&line) {
                break line;
            }
        };
        program.send_bytes(&line);
        sent.0.push(line.escape_ascii().to_string());
        if number % 8 == 0 {
            program.send("stop");
        }
        if number % 100 == 0 {
            program.send_all(&["stop", "isready"]);
            program.until("readyok");
            sent.0.clear();
        }
    }
    // It still plays.
    program.send_all(&[
        "stop",
        "uci",
        "setoption batch off",
        "position startpos",
        "go depth 2",
    ]);
    program.until("uciok");
    program.until("bestmove");
    program.send_all(&["stop", "quit"]);
    program.finish_well();
}

#[test]
fn fifty_thousand_lines_of_noise_do_no_harm_1() {
    survives_noise(1, 12_500);
}

#[test]
fn fifty_thousand_lines_of_noise_do_no_harm_2() {
    survives_noise(2, 12_500);
}

#[test]
fn fifty_thousand_lines_of_noise_do_no_harm_3() {
    survives_noise(3, 12_500);
}

#[test]
fn fifty_thousand_lines_of_noise_do_no_harm_4() {
    survives_noise(4, 12_500);
}
