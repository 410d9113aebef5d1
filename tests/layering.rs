//! The layers of docs/architecture.md point one way, and only the outer ones print.

use std::fs;
use std::path::{Path, PathBuf};

/// Each layer may use those before it, and itself.
const LAYERS: [&str; 14] = [
    "types", "attacks", "position", "rules", "notation", "book", "nnue", "eval", "search",
    "engine", "protocol", "tools", "cli", "main",
];

/// Layers that may write to standard output or error themselves.
const PRINTERS: [&str; 3] = ["protocol", "tools", "cli"];

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("src can be listed") {
        let path = entry.expect("src can be listed").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Every source file with the name of its layer; `lib.rs` belongs to none.
fn files() -> Vec<(String, PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    sources(&root, &mut paths);
    let name = |path: &Path| {
        let inside = path.strip_prefix(&root).expect("it lies under src");
        let first = inside.iter().next().expect("it has a name");
        first.to_string_lossy().trim_end_matches(".rs").to_owned()
    };
    paths
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).expect("sources are UTF-8");
            (name(&path), path, text)
        })
        .filter(|(layer, ..)| layer != "lib")
        .collect()
}

/// The code of a line, without comments.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or("")
}

#[test]
fn layers_use_only_earlier_layers() {
    let rank = |layer: &str| LAYERS.iter().position(|&known| known == layer);
    let mut edges = 0;
    for (layer, path, text) in files() {
        let here = rank(&layer).unwrap_or_else(|| panic!("{layer} is in no layer of the list"));
        for (number, line) in text.lines().enumerate() {
            for target in code(line).split("crate::").skip(1) {
                let target: String = target
                    .chars()
                    .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
                    .collect();
                let Some(there) = rank(&target) else { continue };
                assert!(
                    there <= here,
                    "{}:{}: {layer} must not use {target}",
                    path.display(),
                    number + 1
                );
                edges += usize::from(there < here);
            }
        }
    }
    assert!(
        edges > 50,
        "only {edges} uses were found: the test reads the wrong files"
    );
}

#[test]
fn only_the_outer_layers_print() {
    for (layer, path, text) in files() {
        if PRINTERS.contains(&layer.as_str()) || layer == "main" {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            for macro_name in [
                "print!",
                "println!",
                "eprint!",
                "eprintln!",
                "dbg!",
                "stdout()",
            ] {
                let printed = code(line).match_indices(macro_name).any(|(at, _)| {
                    !code(line)[..at]
                        .ends_with(|before: char| before.is_alphanumeric() || before == '_')
                });
                assert!(
                    !printed,
                    "{}:{}: {layer} must not print",
                    path.display(),
                    number + 1
                );
            }
        }
    }
}

/// The only files that may switch off the library's ban on unsafe code.
const UNSAFE: [&str; 2] = ["nnue/kernels/mod.rs", "search/memory.rs"];

#[test]
fn the_library_denies_unsafe_code_but_for_calls_of_kernels_and_hints_about_memory() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let text = fs::read_to_string(root.join("lib.rs")).expect("src/lib.rs is there");
    assert!(text.contains("#![deny(unsafe_code)]"));
    let exempt: Vec<PathBuf> = files()
        .into_iter()
        .filter(|(_, _, text)| text.lines().any(|line| code(line).contains("unsafe_code")))
        .map(|(_, path, _)| path)
        .collect();
    assert_eq!(exempt, UNSAFE.map(|name| root.join(name)));
}
