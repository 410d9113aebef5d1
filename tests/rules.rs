//! The rules of repetition, the move limit and bare material.

use std::fs::File;
use std::io::BufReader;

use vermilion::tools::judge::{Tally, run_suite};

fn suite(name: &str) -> (Tally, String) {
    let path = format!("{}/tests/rules/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let file = File::open(path).expect("the suite is part of the project");
    let mut out = Vec::new();
    let tally = run_suite(BufReader::new(file), &mut out).expect("the suite is well formed");
    (tally, String::from_utf8(out).expect("the report is text"))
}

#[test]
fn every_diagram_of_the_manual_is_judged_as_printed() {
    let (tally, report) = suite("wxf-diagrams");
    assert_eq!((tally.passed, tally.failed), (124, 0), "{report}");
}

#[test]
fn every_cycle_that_judges_agree_on_is_judged_so() {
    let (tally, report) = suite("cycles");
    assert_eq!((tally.passed, tally.failed), (342, 0), "{report}");
}
