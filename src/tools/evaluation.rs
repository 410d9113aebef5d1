//! Choosing an evaluation on the command line, and showing what it says of a position.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};

use crate::eval::{Evaluation, evaluate};
use crate::nnue::{LoadError, Network, board_value, embedded, load};
use crate::position::Position;
use crate::types::{Color, File, Piece, PieceKind, Rank, Square, Value};

/// The arguments that choose an evaluation.
#[derive(Args, Clone, Debug, Default)]
pub struct EvaluationArgs {
    /// What positions are worth [default: what a net says, if there is one]
    #[arg(long, value_name = "WHAT", value_enum)]
    pub evaluation: Option<Choice>,
    /// The file of the net [default: the embedded net]
    #[arg(long, value_name = "FILE")]
    pub eval_file: Option<PathBuf>,
}

/// The evaluations that there are.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// What a net says
    Net,
    /// The hand-written evaluation
    Classical,
}

impl EvaluationArgs {
    /// The evaluation that was chosen.
    ///
    /// # Errors
    /// If there is no such net, or a net's file was given for the other evaluation.
    pub fn read(&self) -> Result<Evaluation, EvaluationError> {
        match (self.evaluation, &self.eval_file) {
            (None, None) => Ok(Evaluation::default()),
            (Some(Choice::Classical), None) => Ok(Evaluation::Classical),
            (Some(Choice::Classical), Some(_)) => Err(EvaluationError::NeedsNoFile),
            (Some(Choice::Net), None) => embedded()
                .map(Evaluation::net)
                .ok_or(EvaluationError::NoNet),
            (_, Some(path)) => match load(path) {
                Ok(network) => Ok(Evaluation::net(Arc::new(network))),
                Err(error) => Err(EvaluationError::File(error)),
            },
        }
    }
}

/// Why an evaluation cannot be had.
#[derive(Debug)]
pub enum EvaluationError {
    /// There is no embedded net.
    NoNet,
    /// The hand-written evaluation was given a file.
    NeedsNoFile,
    /// The file gives no net.
    File(LoadError),
}

impl fmt::Display for EvaluationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNet => write!(
                f,
                "--evaluation net: no net is embedded, --eval-file has to name one"
            ),
            Self::NeedsNoFile => write!(
                f,
                "--eval-file: the classical evaluation takes no file of a net"
            ),
            Self::File(error) => write!(f, "--eval-file: {error}"),
        }
    }
}

impl std::error::Error for EvaluationError {}

/// What an evaluation says of a position, in lines: with a net first the board with what
/// each man is worth, then `eval N` from the view of the side to move.
pub fn report(position: &Position, evaluation: &Evaluation) -> Vec<String> {
    let mut lines = match evaluation {
        Evaluation::Classical => Vec::new(),
        Evaluation::Net { network, .. } => board_of_values(position, network),
    };
    lines.push(format!("eval {}", evaluate(position, evaluation)));
    lines
}

/// The board with, under each man, the net's value with it less the value without it, in
/// centipawns from Red's view. Generals cannot be taken off the board.
fn board_of_values(position: &Position, network: &Network) -> Vec<String> {
    let mut lines = Vec::new();
    for rank in Rank::ALL.into_iter().rev() {
        let (mut men, mut values) = (format!("{}", rank as u8), " ".to_owned());
        for file in File::ALL {
            let square = Square::new(file, rank);
            let piece = position.piece_on(square);
            let worth = piece.and_then(|piece| worth(position, network, piece, square));
            men += &format!("{:>6}", piece.map_or('.', Piece::letter));
            values += &worth.map_or_else(|| " ".repeat(6), |worth| format!("{worth:>+6}"));
        }
        lines.push(men);
        if !values.trim().is_empty() {
            lines.push(values.trim_end().to_owned());
        }
    }
    let files = File::ALL.map(|file| format!("{:>6}", file.letter()));
    lines.push(format!(" {}", files.concat()));
    lines
}

fn worth(position: &Position, network: &Network, piece: Piece, square: Square) -> Option<Value> {
    if piece.kind() == PieceKind::King {
        return None;
    }
    let side = position.side();
    let value = |left_out: Option<Square>| {
        let men = position
            .occupied()
            .into_iter()
            .filter(|&square| Some(square) != left_out)
            .filter_map(|square| Some((position.piece_on(square)?, square)));
        board_value(network, men, side)
    };
    let worth = value(None) - value(Some(square));
    Some(if side == Color::Red { worth } else { -worth })
}
