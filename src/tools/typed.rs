//! Commands for a person who types into the protocol loop.

use std::sync::atomic::{AtomicBool, Ordering};

use super::bench::{DEFAULT_DEPTH, DEFAULT_HASH_MB, bench};
use super::evaluation::report;
use super::perft::{Leaves, divide};
use crate::protocol::{Scene, TypedCommand};

/// All of them.
pub const TYPED: &[TypedCommand] = &[
    TypedCommand {
        word: "d",
        quick: true,
        run: display,
    },
    TypedCommand {
        word: "eval",
        quick: true,
        run: static_evaluation,
    },
    TypedCommand {
        word: "perft",
        quick: false,
        run: count_leaves,
    },
    TypedCommand {
        word: "bench",
        quick: false,
        run: measure,
    },
];

fn display(
    scene: &Scene,
    _: &[&str],
    _: &AtomicBool,
    write: &mut dyn FnMut(&str),
) -> Result<(), String> {
    scene.position.diagram().lines().for_each(&mut *write);
    write(&format!("fen {}", scene.position.fen()));
    write(&format!("key {:016x}", scene.position.key()));
    Ok(())
}

fn static_evaluation(
    scene: &Scene,
    _: &[&str],
    _: &AtomicBool,
    write: &mut dyn FnMut(&str),
) -> Result<(), String> {
    for line in report(&scene.position, &scene.evaluation) {
        write(&line);
    }
    Ok(())
}

fn count_leaves(
    scene: &Scene,
    words: &[&str],
    stop: &AtomicBool,
    write: &mut dyn FnMut(&str),
) -> Result<(), String> {
    let depth = words.first().and_then(|word| word.parse().ok());
    let depth = depth.ok_or("a depth is needed, such as go perft 4")?;
    let Some(division) = divide(&scene.position, depth, Leaves::Count, 1, stop, &|_, _| {}) else {
        return Err("stopped".to_owned());
    };
    division.by_move().iter().for_each(|line| write(line));
    division.summary().iter().for_each(|line| write(line));
    Ok(())
}

fn measure(
    scene: &Scene,
    words: &[&str],
    stop: &AtomicBool,
    write: &mut dyn FnMut(&str),
) -> Result<(), String> {
    let depth = match words.first() {
        Some(word) => word.parse().map_err(|_| format!("{word:?} is no depth"))?,
        None => DEFAULT_DEPTH,
    };
    let mut go_on = || !stop.load(Ordering::Relaxed);
    let result = bench(depth, DEFAULT_HASH_MB, &scene.evaluation, &mut go_on)
        .map_err(|error| error.to_string())?;
    write(&result.ok_or("stopped")?.to_string());
    Ok(())
}
