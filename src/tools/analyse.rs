//! Analysis of one position, for a person.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::Engine;
use crate::search::{Bound, Event, EventSink, Limits, SearchInfo};
use crate::types::{Move, Score};

/// Shows the position, searches it as the engine is set up, shows how the search goes,
/// and ends with `bestmove …`.
///
/// # Errors
/// If the output takes no more.
pub fn analyse(
    engine: &mut Engine,
    limits: Limits,
    mut output: impl Write + Send + 'static,
) -> io::Result<()> {
    let position = engine.position();
    write!(output, "{}", position.diagram())?;
    writeln!(output, "{}\n", position.fen())?;
    writeln!(output, "depth     score      time      nodes  line")?;
    let table = Arc::new(Table {
        output: Mutex::new(Box::new(output)),
        failure: Mutex::new(None),
    });
    engine.go(limits, table.clone());
    engine.wait();
    let failure = table
        .failure
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    failure.map_or(Ok(()), Err)
}

/// Writes what the search tells.
struct Table {
    output: Mutex<Box<dyn Write + Send>>,
    failure: Mutex<Option<io::Error>>,
}

impl EventSink for Table {
    fn emit(&self, event: &Event) {
        let text = match event {
            Event::Info(info) => row(info),
            Event::Notice(text) => text.clone(),
            Event::BestMove { best, ponder } => answer(*best, *ponder),
            Event::CurrentMove { .. } => return,
        };
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = writeln!(output, "{text}").and_then(|()| output.flush()) {
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
    }
}

fn row(info: &SearchInfo) -> String {
    let bound = match info.bound {
        Bound::Exact => ' ',
        Bound::Lower => '+',
        Bound::Upper => '-',
    };
    let score = match info.score {
        Score::Cp(value) => format!("{value:+}"),
        Score::Mate(moves) if moves > 0 => format!("mate in {moves}"),
        Score::Mate(moves) => format!("mated in {}", -moves),
    };
    let moves: Vec<String> = info.pv.iter().map(ToString::to_string).collect();
    format!(
        "{:>5} {score:>10}{bound} {:>7.2} s {:>10}  {}",
        info.depth,
        info.time.as_secs_f64(),
        info.nodes,
        moves.join(" ")
    )
}

fn answer(best: Option<Move>, ponder: Option<Move>) -> String {
    match (best, ponder) {
        (Some(best), Some(ponder)) => format!("bestmove {best} ponder {ponder}"),
        (Some(best), None) => format!("bestmove {best}"),
        (None, _) => "bestmove (none)".to_owned(),
    }
}
