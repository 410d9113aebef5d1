//! `vermilion train` as a process: killed and resumed, refused, and what it writes.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use vermilion::nnue::Network;

/// A hang, not a slow machine.
const HANG: Duration = Duration::from_secs(120);

/// A folder that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    /// The folder with a small file of games in it.
    fn with_games(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("vermilion-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        let folder = Self(path);
        let output = folder.vermilion("datagen --out games --games 30 --nodes 40 --seed 3");
        assert!(output.status.success());
        folder
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vermilion"));
        command
            .args(arguments.split_whitespace())
            .current_dir(&self.0);
        command
    }

    fn vermilion(&self, arguments: &str) -> Output {
        self.command(arguments).output().expect("the program runs")
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).expect("the file is there")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const TRAIN: &str = "train --data games --batch 256 --threads 2 --buckets 2 --validation 100";

#[test]
fn killed_and_resumed_it_makes_the_same_net() {
    let folder = Folder::with_games("train-resume");
    let whole = folder.vermilion(&format!(
        "{TRAIN} --epochs 30 --out whole.nnue --plot curve.svg"
    ));
    assert!(whole.status.success(), "{whole:?}");
    let summary = String::from_utf8(whole.stdout).expect("text");
    for word in ["positions a second end to end", "scale", "cross entropy"] {
        assert!(summary.contains(word), "{summary}");
    }
    let network = Network::read(&folder.read("whole.nnue")).expect("a net");
    assert_eq!(network.outputs().len(), 2);
    assert!(network.description().contains("30 epochs"));
    assert!(folder.read("curve.svg").starts_with(b"<svg"));

    let arguments = format!("{TRAIN} --epochs 30 --out parts.nnue --checkpoint state");
    let mut kills = 0;
    for _ in 0..4 {
        let before = fs::read(folder.0.join("state")).ok();
        let mut child = folder
            .command(&arguments)
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program runs");
        let start = Instant::now();
        // As soon as it has kept something new.
        while fs::read(folder.0.join("state")).ok() == before {
            assert!(start.elapsed() < HANG);
            if child.try_wait().expect("a child").is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        if child.try_wait().expect("a child").is_none() {
            child.kill().expect("it runs");
            kills += 1;
        }
        child.wait().expect("it ends");
    }
    assert!(kills > 0);
    let rest = folder.vermilion(&arguments);
    assert!(rest.status.success(), "{rest:?}");
    assert_eq!(folder.read("parts.nnue"), folder.read("whole.nnue"));
}

#[test]
fn a_checkpoint_of_something_else_and_bad_settings_are_refused() {
    let folder = Folder::with_games("train-refused");
    let first = folder.vermilion(&format!("{TRAIN} --epochs 1 --out net --checkpoint state"));
    assert!(first.status.success(), "{first:?}");
    let state = folder.read("state");
    let garbage: Vec<u8> = (0..200).map(|byte| byte as u8).collect();
    fs::write(folder.0.join("garbage"), garbage).expect("a file");
    for (arguments, reason) in [
        (
            format!("{TRAIN} --epochs 2 --out net --checkpoint state"),
            "epochs 1, not 2",
        ),
        (
            format!("{TRAIN} --epochs 1 --lr 0.1 --out net --checkpoint state"),
            "rate",
        ),
        (
            format!("{TRAIN} --epochs 1 --out net --checkpoint games"),
            "damaged",
        ),
        (
            format!("{TRAIN} --epochs 1 --from net --out other --checkpoint state"),
            "made with from null",
        ),
        (
            "train --data games --buckets 3 --from net --out other".to_owned(),
            "net: it has 2 outputs, and --buckets says 3",
        ),
        (
            format!("{TRAIN} --from garbage --out other"),
            "--from: garbage",
        ),
        (format!("{TRAIN} --lr 0 --out net"), "--lr"),
        (format!("{TRAIN} --lambda 1.5 --out net"), "--lambda"),
        (format!("{TRAIN} --scale 1 --out net"), "--scale"),
        (format!("{TRAIN} --look-ahead 1 --out net"), "--look-ahead"),
        (format!("{TRAIN} --epochs 1 --out no/where"), "no/where"),
        ("train --data garbage --out net".to_owned(), "no position"),
        ("train --data nothing --out net".to_owned(), "nothing"),
    ] {
        let output = folder.vermilion(&arguments);
        let text = String::from_utf8(output.stderr).expect("text");
        assert!(!output.status.success(), "{arguments}");
        assert!(text.contains(reason), "{arguments}: {text}");
    }
    assert_eq!(folder.read("state"), state);
}
