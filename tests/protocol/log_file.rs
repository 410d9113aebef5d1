//! The option `Log File`.

use std::path::PathBuf;

use super::pipe::{Program, is_native};

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("vermilion {name} {}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_traffic_is_recorded_with_time_and_direction() {
    let folder = Folder::new("log");
    let path = folder.0.join("a  file 象棋.log");
    for (word, set, unset) in [
        (
            "uci",
            "setoption name Log File value",
            "setoption name Log File value",
        ),
        ("ucci", "setoption logfile", "setoption logfile <empty>"),
    ] {
        let mut program = Program::start();
        program.open(word);
        program.send(&format!("{set} {}", path.display()));
        program.sync();
        program.send_all(&["position startpos", "xyzzy"]);
        program.go("depth 1");
        program.send(unset);
        program.sync();
        program.send("not recorded");
        program.sync();
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for line in &lines {
            let (time, rest) = line.split_once(' ').unwrap();
            assert!(
                time.len() == 24 && time.ends_with('Z') && time.contains('T'),
                "{line}"
            );
            assert!(rest.starts_with("> ") || rest.starts_with("< "), "{line}");
        }
        let has = |what: &str| lines.iter().any(|line| line.contains(what));
        assert!(has(" > isready") && has(" < readyok") && has(" > xyzzy"));
        assert!(has(" > go depth 1") && has(" < bestmove ") && !has("not recorded"));
        std::fs::remove_file(&path).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_file_name_keeps_its_bytes() {
    // Windows has no file names but Unicode.
    if !is_native() {
        return;
    }
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("bytes");
    let path = folder.0.join(OsStr::from_bytes(b"\xB6\xD4 \xBE\xD6.log"));
    let mut program = Program::uci();
    let command = [
        b"setoption name Log File value ",
        path.as_os_str().as_bytes(),
        b"\r\n",
    ];
    program.send_bytes(&command.concat());
    assert!(program.sync().is_empty());
    assert!(path.exists());
}

#[cfg(unix)]
#[test]
fn only_a_regular_file_can_be_the_log() {
    // Windows opens neither this sort of pipe nor this device.
    if !is_native() {
        return;
    }
    let folder = Folder::new("odd");
    let pipe = folder.0.join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let mut program = Program::uci();
    for path in [&pipe, &folder.0, &PathBuf::from("/dev/null")] {
        program.send(&format!("setoption name Log File value {}", path.display()));
        let notices = program.sync();
        assert_eq!(notices.len(), 1, "{notices:?}");
        assert!(notices[0].starts_with("info string no log file "));
        assert!(notices[0].ends_with(": not a regular file"), "{notices:?}");
    }
}
