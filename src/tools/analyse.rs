//! Analysis of one position, for a person.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::Engine;
use crate::notation::Notation;
use crate::position::Position;
use crate::search::{Bound, Event, EventSink, Limits, SearchInfo};
use crate::types::{Move, Score};

/// Shows the position, searches it as the engine is set up, shows how the search goes with
/// moves in the notation, and ends with `bestmove …`. ICCS is written as the protocols do,
/// `h2e2`.
///
/// # Errors
/// If the output takes no more.
pub fn analyse(
    engine: &mut Engine,
    limits: Limits,
    notation: Notation,
    mut output: impl Write + Send + 'static,
) -> io::Result<()> {
    let position = engine.position();
    write!(output, "{}", position.diagram())?;
    writeln!(output, "{}\n", position.fen())?;
    writeln!(output, "depth     score      time      nodes  line")?;
    let table = Arc::new(Table {
        writing: Writing {
            position: position.clone(),
            notation,
        },
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
    writing: Writing,
    output: Mutex<Box<dyn Write + Send>>,
    failure: Mutex<Option<io::Error>>,
}

impl EventSink for Table {
    fn emit(&self, event: &Event) {
        let text = match event {
            Event::Info(info) => self.writing.row(info),
            Event::Notice(text) => text.clone(),
            Event::BestMove { best, ponder } => self.writing.answer(*best, *ponder),
            Event::CurrentMove { .. } => return,
        };
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = writeln!(output, "{text}").and_then(|()| output.flush()) {
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
    }
}

/// How moves are written.
struct Writing {
    position: Position,
    notation: Notation,
}

impl Writing {
    fn moves(&self, moves: &[Move]) -> Vec<String> {
        match self.notation {
            Notation::Iccs => moves.iter().map(ToString::to_string).collect(),
            notation => notation.write_line(&self.position, moves),
        }
    }

    fn row(&self, info: &SearchInfo) -> String {
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
        format!(
            "{:>5} {score:>10}{bound} {:>7.2} s {:>10}  {}",
            info.depth,
            info.time.as_secs_f64(),
            info.nodes,
            self.moves(&info.pv).join(" ")
        )
    }

    fn answer(&self, best: Option<Move>, ponder: Option<Move>) -> String {
        let line: Vec<Move> = best.into_iter().chain(ponder).collect();
        match self.moves(&line).as_slice() {
            [best, ponder, ..] => format!("bestmove {best} ponder {ponder}"),
            [best] => format!("bestmove {best}"),
            [] => "bestmove (none)".to_owned(),
        }
    }
}
