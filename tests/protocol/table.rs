//! docs/protocols.md names a test for every command, reply and option.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::pipe::Program;

/// The rows of one part of the table: what, and the test.
fn rows(text: &str, part: &str) -> Vec<(String, String)> {
    let list = text
        .split("## Which test drives what")
        .nth(1)
        .expect("the table");
    let part = list.split(part).nth(1).expect("a part");
    let part = part.split("\n### ").next().unwrap();
    part.lines()
        .filter(|line| line.starts_with("| `") || line.starts_with("| an "))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").collect();
            assert_eq!(cells.len(), 2, "{line}");
            (
                cells[0].to_owned(),
                cells[1].trim().trim_matches('`').to_owned(),
            )
        })
        .collect()
}

#[test]
fn every_option_has_a_row_and_every_row_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("docs/protocols.md")).unwrap();
    let mut tests = BTreeSet::new();
    for entry in fs::read_dir(root.join("tests/protocol")).unwrap() {
        let path = entry.unwrap().path();
        let source = fs::read_to_string(&path).unwrap();
        let module = path.file_stem().unwrap().to_str().unwrap();
        for part in source.split("#[test]\n").skip(1) {
            let name = part.split("fn ").nth(1).unwrap();
            let name = name.split('(').next().unwrap();
            tests.insert(format!("{module}::{name}"));
        }
    }
    for (word, part) in [("ucci", "### UCCI\n"), ("uci", "### UCI\n")] {
        let rows = rows(&text, part);
        assert!(rows.len() > 25);
        for (what, test) in &rows {
            assert!(tests.contains(test), "{what}: no test {test}");
        }
        for line in Program::start().open(word) {
            let Some(rest) = line.strip_prefix("option ") else {
                continue;
            };
            let name = rest.split(" type ").next().unwrap();
            let name = format!("`{}`", name.strip_prefix("name ").unwrap_or(name));
            assert!(
                rows.iter().any(|(what, _)| what.contains(&name)),
                "{word}: {name}"
            );
        }
    }
}
