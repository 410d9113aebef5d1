//! Self-play data: the file format, damage, and the runs of `vermilion datagen`.

mod common;

use std::collections::HashSet;
use std::fs;
use std::io::Cursor;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::net::material_network;
use common::{Rng, random_move};
use vermilion::position::Position;
use vermilion::tools::record::{
    Adjudication, Blocks, Board, Damage, Fault, GameResult, NewBlock, Outcome, ReadError, Reason,
    Record, Settings,
};

/// A hang, not a slow machine.
const HANG: Duration = Duration::from_secs(60);

/// A folder that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("vermilion-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("text").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn settings(seed: u64) -> Settings {
    Settings {
        engine: "test".to_owned(),
        signature: 1,
        nodes: 100,
        seed,
        balance: 300,
        endings: 0,
        rule: "AsianRule".to_owned(),
        adjudication: Adjudication {
            win_score: 1_500,
            win_plies: 6,
            draw_score: 8,
            draw_plies: 20,
            draw_from: 120,
            max_plies: 400,
        },
        label: None,
    }
}

/// A game of random legal moves with random scores, some of them mates.
fn random_game(rng: &mut Rng) -> Record {
    let mut position = Position::startpos();
    for _ in 0..rng.below(30) {
        if let Some(mv) = random_move(&position, rng) {
            position.make(mv);
        }
    }
    let start = Board::from(&position);
    let mut plies = Vec::new();
    for _ in 0..rng.below(200) {
        let Some(mv) = random_move(&position, rng) else {
            break;
        };
        let score = match rng.below(10) {
            0 => rng.below(65_536) as i32 - 32_768,
            _ => rng.below(600) as i32 - 300,
        };
        plies.push((mv, score as i16));
        position.make(mv);
    }
    Record {
        start,
        outcome: Outcome {
            result: rng.pick(&GameResult::ALL),
            reason: rng.pick(&Reason::ALL),
        },
        plies,
    }
}

/// A block of random games, numbered from `first` on, and the games.
fn block(seed: u64, first: u64, games: usize) -> (Vec<u8>, Vec<Record>) {
    let mut rng = Rng::new(seed + first);
    let games: Vec<Record> = (0..games).map(|_| random_game(&mut rng)).collect();
    let mut block = NewBlock::default();
    games.iter().for_each(|game| block.push(game));
    let bytes = block.to_bytes(&settings(seed), first).expect("JSON");
    (bytes, games)
}

/// What is read from these bytes: games, and damage.
fn read(bytes: &[u8]) -> (Vec<Record>, Vec<Damage>) {
    let (mut games, mut damages) = (Vec::new(), Vec::new());
    for part in Blocks::new(Cursor::new(bytes)).expect("memory") {
        match part {
            Ok(block) => games.extend(block.games().map(|game| game.to_record())),
            Err(ReadError::Damage(damage)) => damages.push(damage),
            Err(ReadError::Io(error)) => panic!("{error}"),
        }
    }
    (games, damages)
}

#[test]
fn games_are_read_back_from_blocks_and_shards_that_were_put_together() {
    let (one, mut games) = block(1, 0, 20);
    let (two, more) = block(1, 20, 7);
    let (other, others) = block(2, 0, 5);
    let blocks: Vec<_> = Blocks::new(Cursor::new(&two))
        .expect("memory")
        .map(|block| block.expect("intact"))
        .collect();
    assert_eq!((blocks[0].first, &blocks[0].settings), (20, &settings(1)));
    games.extend(more);
    games.extend(others);
    assert_eq!(read(&[one, two, other].concat()), (games, Vec::new()));
    assert_eq!(read(&[]), (Vec::new(), Vec::new()));
}

#[test]
fn a_board_that_plays_the_moves_stays_that_of_the_position() {
    let (bytes, _) = block(3, 0, 10);
    for block in Blocks::new(Cursor::new(&bytes)).expect("memory") {
        for game in block.expect("intact").games() {
            let mut board = game.start();
            let mut position = Position::try_from(&board.setup()).expect("playable");
            for (mv, _) in game.plies() {
                assert!(position.is_legal(mv));
                position.make(mv);
                board.play(mv);
                assert_eq!(board, Board::from(&position));
            }
        }
    }
}

#[test]
fn every_flipped_byte_is_found_where_it_is_and_costs_its_block_only() {
    let (one, games_of_one) = block(4, 0, 2);
    let (two, _) = block(4, 2, 2);
    let (three, games_of_three) = block(4, 4, 2);
    let whole = [&one[..], &two, &three].concat();
    let rest = [games_of_one, games_of_three].concat();
    for at in 0..two.len() {
        let mut bytes = whole.clone();
        bytes[one.len() + at] ^= 1 << (at % 8);
        let (games, damages) = read(&bytes);
        assert_eq!(games, rest, "byte {at}");
        let [damage] = &damages[..] else {
            panic!("byte {at}: {damages:?}");
        };
        assert_eq!(damage.offset, one.len() as u64);
        assert_eq!(damage.size, two.len() as u64);
        assert!(!damage.is_tail);
    }
}

#[test]
fn a_torn_tail_is_told_and_what_follows_it_is_read() {
    let (one, games_of_one) = block(5, 0, 3);
    let (two, games_of_two) = block(5, 3, 2);
    for length in 1..two.len() {
        let torn = [&one[..], &two[..length]].concat();
        let (games, damages) = read(&torn);
        assert_eq!(games, games_of_one);
        let [damage] = &damages[..] else {
            panic!("{length} bytes: {damages:?}");
        };
        assert_eq!(damage.fault, Fault::Torn, "{length} bytes");
        assert!(damage.is_tail && damage.offset == one.len() as u64);
    }
    let followed = [&one[..two.len() / 2], &two].concat();
    assert_eq!(read(&followed).0, games_of_two);
}

#[test]
fn bytes_that_are_no_blocks_are_skipped() {
    let (one, games) = block(6, 0, 3);
    let mut rng = Rng::new(6);
    for length in [1, 39, 40, 41, 70_000, 200_000] {
        let noise: Vec<u8> = (0..length).map(|_| rng.below(256) as u8).collect();
        let (read, damages) = read(&[&noise[..], &one].concat());
        assert_eq!(read, games);
        assert_eq!(damages[0].size, length);
    }
}

/// Runs `vermilion datagen` to its end.
fn datagen(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_vermilion"))
        .arg("datagen")
        .args(arguments)
        .output()
        .expect("the program runs")
}

/// Makes games of a few nodes a move in `file`, which has `games` of them at the end.
fn generate(file: &str, games: u64, more: &[&str]) -> String {
    let games = games.to_string();
    let fixed = ["--out", file, "--games", &games, "--nodes", "30"];
    let output = datagen(&[&fixed[..], more].concat());
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The games of a file without damage.
fn games(file: &str) -> Vec<Record> {
    let (games, damages) = read(&fs::read(file).expect("a file"));
    assert_eq!(damages, []);
    games
}

/// The figure after `name` in the last line.
fn figure(output: &str, name: &str) -> f64 {
    let line = output.lines().last().expect("a line");
    let mut words = line.split(' ').skip_while(|&word| word != name);
    let figure = words.nth(1).expect(name);
    figure.parse().expect(name)
}

#[test]
fn a_seed_gives_the_same_games_whatever_the_threads_and_all_of_them_differ() {
    let folder = Folder::new("seeds");
    let (one, three, other) = (folder.file("1"), folder.file("3"), folder.file("o"));
    generate(&one, 12, &["--seed", "11", "--endings", "30"]);
    generate(
        &three,
        12,
        &["--seed", "11", "--endings", "30", "--threads", "3"],
    );
    generate(&other, 12, &["--seed", "12", "--endings", "30"]);
    assert_eq!(games(&one), games(&three));
    let all = [games(&one), games(&other)].concat();
    let starts: HashSet<String> = all
        .iter()
        .map(|game| game.start.setup().to_string())
        .collect();
    assert_eq!(starts.len(), 24);
}

#[test]
fn the_evaluation_can_be_chosen_and_its_signature_is_in_the_file() {
    let folder = Folder::new("evaluations");
    let net = folder.file("net");
    fs::write(&net, material_network(1).to_bytes("")).expect("a file");
    let make = |name: &str, arguments: &[&str]| {
        let file = folder.file(name);
        generate(&file, 2, &[&["--seed", "4"], arguments].concat());
        let block = Blocks::new(fs::File::open(&file).expect("a file"));
        let block = block.expect("memory").next().expect("a block");
        (block.expect("intact").settings.signature, games(&file))
    };
    let classical = make("classical", &["--evaluation", "classical"]);
    let with_net = make("with-net", &["--eval-file", &net]);
    assert_ne!(classical.0, with_net.0);
    assert_ne!(classical.1, with_net.1);

    let (old, new) = (folder.file("classical"), folder.file("new"));
    let rescore = |arguments: &[&str]| {
        let fixed = ["--rescore", &old, "--out", &new, "--nodes", "30"];
        datagen(&[&fixed, arguments].concat()).status.code()
    };
    assert_eq!(rescore(&["--eval-file", &net]), Some(0));
    assert_eq!(rescore(&["--eval-file", &net]), Some(0));
    assert_eq!(rescore(&["--evaluation", "classical"]), Some(2));
    let scores = |games: &[Record]| -> Vec<i16> {
        let plies = games.iter().flat_map(|game| &game.plies);
        plies.map(|&(_, score)| score).collect()
    };
    assert_ne!(scores(&games(&new)), scores(&classical.1));
}

#[test]
fn games_of_any_origin_are_scored_if_their_result_is_known() {
    let folder = Folder::new("foreign");
    let (pgn, out) = (folder.file("games.pgn"), folder.file("out"));
    let moves = "1. H2-E2 H9-G7 2. H0-G2 I9-H9 3. I0-H0";
    let text = ["1-0", "*", "1/2-1/2"].map(|result| {
        format!("[Game \"Chinese Chess\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
    });
    fs::write(&pgn, text.concat()).expect("a file");
    let score = || datagen(&["--rescore", &pgn, "--out", &out, "--nodes", "300"]);
    let run = score();
    let line = String::from_utf8(run.stdout).expect("text");
    assert!(run.status.success(), "{line}");
    assert_eq!(figure(&line, "games"), 2.0);
    assert_eq!(figure(&line, "left_out"), 1.0);
    let known = games(&out);
    let told = |result| Outcome {
        result,
        reason: Reason::Told,
    };
    assert_eq!(known[0].outcome, told(GameResult::RedWins));
    assert_eq!(known[1].outcome, told(GameResult::Draw));
    assert_eq!(known[0].plies.len(), 5);
    assert!(known[0].plies.iter().any(|&(_, score)| score != 0));
    // What is there is not scored again.
    let again = String::from_utf8(score().stdout).expect("text");
    assert_eq!(figure(&again, "games"), 0.0);
    let stats = datagen(&["--stats", &out]);
    assert_eq!(stats.status.code(), Some(0));
    fs::write(&pgn, "nothing of the kind").expect("a file");
    assert_eq!(score().status.code(), Some(2));
}

#[test]
fn stats_replay_every_game_and_agree_with_the_rules() {
    let folder = Folder::new("stats");
    let file = folder.file("games");
    // Without adjudication most games are ended by the rules.
    let run = generate(
        &file,
        25,
        &["--seed", "3", "--win-plies", "0", "--draw-plies", "0"],
    );
    let output = datagen(&["--stats", &file, &file]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert_eq!(figure(&text, "games"), 50.0);
    assert_eq!(figure(&text, "duplicate_games"), 25.0);
    assert_eq!(figure(&text, "positions"), 2.0 * figure(&run, "positions"));
    assert!(figure(&text, "duplicate_positions_percent") >= 50.0);
    for name in ["disputed_games", "illegal_games", "damaged_blocks"] {
        assert_eq!(figure(&text, name), 0.0, "{text}");
    }
    assert!(text.contains("checkmate"), "{text}");
}

#[test]
fn stats_name_a_flipped_byte_and_an_illegal_game() {
    let folder = Folder::new("faults");
    let file = folder.file("games");
    let (one, _) = block(8, 0, 3);
    let mut bytes = one.clone();
    bytes.extend(block(8, 3, 3).0);
    let last = bytes.len() - 5;
    bytes[last] ^= 4;
    fs::write(&file, &bytes).expect("a file");
    let output = datagen(&["--stats", &file]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains(&format!(
        "from offset {}: the checksum of the block's games",
        one.len()
    )));
    assert_eq!(figure(&text, "damaged_blocks"), 1.0);

    let mut game = random_game(&mut Rng::new(80));
    while game.plies.len() < 4 {
        game = random_game(&mut Rng::new(game.plies.len() as u64 + 81));
    }
    // The same move twice: the second time there is nothing to move.
    game.plies[1] = game.plies[0];
    let mut block = NewBlock::default();
    block.push(&game);
    fs::write(&file, block.to_bytes(&settings(8), 0).expect("JSON")).expect("a file");
    let output = datagen(&["--stats", &file]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert_eq!(figure(&text, "illegal_games"), 1.0);
    assert!(
        String::from_utf8(output.stderr)
            .expect("text")
            .contains("ply 2")
    );
}

/// Starts a run and waits until its file has a block.
fn start_and_wait(file: &str, arguments: &[&str]) -> Child {
    let child = Command::new(env!("CARGO_BIN_EXE_vermilion"))
        .args(["datagen", "--out", file])
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let start = Instant::now();
    while fs::metadata(file).map_or(0, |data| data.len()) == 0 {
        assert!(start.elapsed() < HANG, "no block");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[test]
fn a_killed_run_goes_on_with_the_same_games_as_one_that_was_not() {
    let folder = Folder::new("killed");
    let (killed, whole) = (folder.file("killed"), folder.file("whole"));
    let endless = [
        "--endings",
        "100",
        "--games",
        "1000000",
        "--nodes",
        "2",
        "--seed",
        "21",
        "--threads",
        "2",
    ];
    let mut child = start_and_wait(&killed, &endless);
    let in_use = datagen(&["--out", &killed, "--games", "1", "--seed", "21"]);
    assert_eq!(in_use.status.code(), Some(2));
    assert!(
        String::from_utf8(in_use.stderr)
            .expect("text")
            .contains("another process")
    );
    child.kill().expect("killed");
    child.wait().expect("ended");

    let before = games(&killed).len();
    assert!(before > 0);
    // A block that was being written when it happened.
    let mut bytes = fs::read(&killed).expect("a file");
    bytes.extend(&bytes.clone()[..100]);
    fs::write(&killed, &bytes).expect("a file");
    let target = (before + 10).to_string();
    let resumed = [
        "--out",
        &killed,
        "--games",
        &target,
        "--nodes",
        "2",
        "--endings",
        "100",
    ];
    let output = datagen(&resumed);
    assert!(output.status.success(), "{output:?}");
    assert!(
        String::from_utf8(output.stderr)
            .expect("text")
            .contains("cut off")
    );
    let fresh = ["--out", &whole, "--seed", "21"];
    datagen(&[&resumed[2..], &fresh].concat());
    assert_eq!(games(&killed), games(&whole));
    // Enough is enough.
    let output = datagen(&resumed);
    assert_eq!(
        figure(&String::from_utf8(output.stdout).expect("text"), "games"),
        0.0
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_every_game_that_was_begun() {
    let folder = Folder::new("interrupted");
    let file = folder.file("games");
    let endless = [
        "--endings",
        "100",
        "--positions",
        "100000000",
        "--nodes",
        "2",
        "--seed",
        "5",
        "--threads",
        "2",
    ];
    let child = start_and_wait(&file, &endless);
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status();
    assert!(sent.expect("kill runs").success());
    let output = child.wait_with_output().expect("ended");
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).expect("text");
    let found = games(&file);
    assert_eq!(figure(&text, "games"), found.len() as f64);
    let positions: usize = found.iter().map(|game| game.plies.len()).sum();
    assert_eq!(figure(&text, "positions"), positions as f64);
}

#[test]
fn rescoring_changes_the_scores_only_and_goes_on_where_it_ended() {
    let folder = Folder::new("rescored");
    let (old, new, part) = (folder.file("old"), folder.file("new"), folder.file("part"));
    generate(&old, 6, &["--seed", "9"]);
    generate(&old, 10, &["--seed", "10"]);
    let rescore = |out: &str, nodes: &str| {
        datagen(&[
            "--rescore",
            &old,
            "--out",
            out,
            "--nodes",
            nodes,
            "--threads",
            "2",
        ])
    };
    assert!(rescore(&new, "200").status.success());
    let (before, after) = (games(&old), games(&new));
    let moves = |games: &[Record]| -> Vec<_> {
        let of = |game: &Record| game.plies.iter().map(|ply| ply.0).collect::<Vec<_>>();
        games
            .iter()
            .map(|game| (game.start, game.outcome, of(game)))
            .collect()
    };
    assert_eq!(moves(&before), moves(&after));
    assert_ne!(before, after);
    for block in Blocks::open(new.as_ref()).expect("a file") {
        let label = block.expect("intact").settings.label.expect("a label");
        assert_eq!(label.nodes, 200);
    }
    // Only the first block was done.
    let first = Blocks::open(new.as_ref()).expect("a file").next();
    let size = first.expect("a block").expect("intact").size as usize;
    fs::write(&part, &fs::read(&new).expect("a file")[..size]).expect("a file");
    let output = rescore(&part, "200");
    assert_eq!(
        figure(&String::from_utf8(output.stdout).expect("text"), "games"),
        4.0
    );
    assert_eq!(
        fs::read(&part).expect("a file"),
        fs::read(&new).expect("a file")
    );

    let other = rescore(&part, "300");
    assert_eq!(other.status.code(), Some(2));
    assert!(
        String::from_utf8(other.stderr)
            .expect("text")
            .contains("other settings")
    );
}

#[test]
fn a_file_that_is_not_ours_is_refused_and_left_alone() {
    let folder = Folder::new("foreign");
    for text in ["hello", "a longer text that could be a letter to somebody"] {
        let file = folder.file("letter");
        fs::write(&file, text).expect("a file");
        let output = datagen(&["--out", &file, "--games", "1"]);
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).expect("text");
        assert!(
            error.contains("not a file of games") && error.lines().count() == 1,
            "{error}"
        );
        assert_eq!(fs::read(&file).expect("a file"), text.as_bytes());
    }
}
