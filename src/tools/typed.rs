//! Commands for a person who types into the protocol loop.

use std::sync::atomic::{AtomicBool, Ordering};

use super::bench::{DEFAULT_DEPTH, DEFAULT_HASH_MB, bench};
use super::perft::{Leaves, divide};
use crate::eval::evaluate;
use crate::position::Position;
use crate::protocol::TypedCommand;

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
    position: &Position,
    _: &[&str],
    _: &AtomicBool,
    write: &mut dyn FnMut(&str),
) -> Result<(), String> {
    position.diagram().lines().for_each(&mut *write);
    write(&format!("fen {}", position.fen()));
    write(&format!("key {:016x}", position.key()));
    Ok(())
}

fn static_evaluation(
    position: &Position,
    _: &[&str],
    _: &AtomicBool,
    write: &mut dyn FnMut(&str),
) -> Result<(), String> {
    write(&format!("eval {}", evaluate(position)));
    Ok(())
}

fn count_leaves(
    position: &Position,
    words: &[&str],
    stop: &AtomicBool,
    write: &mut dyn FnMut(&str),
) -> Result<(), String> {
    let depth = words.first().and_then(|word| word.parse().ok());
    let depth = depth.ok_or("a depth is needed, such as go perft 4")?;
    let Some(division) = divide(position, depth, Leaves::Count, 1, stop, &|_, _| {}) else {
        return Err("stopped".to_owned());
    };
    division.by_move().iter().for_each(|line| write(line));
    division.summary().iter().for_each(|line| write(line));
    Ok(())
}

fn measure(
    _: &Position,
    words: &[&str],
    stop: &AtomicBool,
    write: &mut dyn FnMut(&str),
) -> Result<(), String> {
    let depth = match words.first() {
        Some(word) => word.parse().map_err(|_| format!("{word:?} is no depth"))?,
        None => DEFAULT_DEPTH,
    };
    let mut go_on = || !stop.load(Ordering::Relaxed);
    let result = bench(depth, DEFAULT_HASH_MB, &mut go_on).map_err(|error| error.to_string())?;
    write(&result.ok_or("stopped")?.to_string());
    Ok(())
}
