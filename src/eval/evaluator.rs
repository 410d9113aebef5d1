//! Which evaluation is used, and the one that follows a search.

use std::fmt;
use std::sync::Arc;

use super::{classical, judged};
use crate::nnue::{Accumulators, Kernels, Network, embedded};
use crate::position::{Position, State};
use crate::types::Value;

/// An evaluation to choose.
#[derive(Clone)]
pub enum Evaluation {
    /// The hand-written one.
    Classical,
    /// A neural network.
    Net {
        /// The net.
        network: Arc<Network>,
        /// The arithmetic; the values do not depend on it.
        kernels: &'static Kernels,
    },
}

impl Evaluation {
    /// A net with the fastest kernels.
    pub fn net(network: Arc<Network>) -> Self {
        Self::Net {
            network,
            kernels: Kernels::best(),
        }
    }
}

/// The embedded net; the hand-written evaluation where there is none.
impl Default for Evaluation {
    fn default() -> Self {
        embedded().map_or(Self::Classical, Self::net)
    }
}

/// Two are equal if they give the same values because they are the same: nets are
/// compared by identity.
impl PartialEq for Evaluation {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Classical, Self::Classical) => true,
            (Self::Net { network, .. }, Self::Net { network: other, .. }) => {
                Arc::ptr_eq(network, other)
            }
            _ => false,
        }
    }
}

impl fmt::Debug for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Classical => write!(f, "Classical"),
            Self::Net { network, kernels } => {
                write!(f, "Net({:?}, {kernels:?})", network.description())
            }
        }
    }
}

/// Evaluates the positions of a line of play: it is told of every move that is made and
/// taken back.
#[derive(Default)]
pub struct Evaluator {
    /// `None` for the hand-written evaluation.
    net: Option<Accumulators>,
}

impl Evaluator {
    /// Evaluates so from now on, and begins a line at this position.
    pub fn begin(&mut self, evaluation: &Evaluation, position: &Position) {
        match evaluation {
            Evaluation::Classical => self.net = None,
            Evaluation::Net { network, kernels } => {
                let fits = |net: &Accumulators| {
                    Arc::ptr_eq(net.network(), network) && std::ptr::eq(net.kernels(), *kernels)
                };
                if !self.net.as_ref().is_some_and(fits) {
                    self.net = Some(Accumulators::new(Arc::clone(network), kernels));
                }
            }
        }
        if let Some(net) = &mut self.net {
            net.refresh(position);
        }
    }

    /// Takes note of the move that led to `state`. A null move need not be noted, and must
    /// then not be popped.
    #[inline]
    pub fn push(&mut self, state: &State) {
        if let Some(net) = &mut self.net
            && let (Some(piece), Some(mv)) = (state.moved, state.last_move)
        {
            net.push(piece, mv, state.captured);
        }
    }

    /// Forgets the last move that was noted.
    #[inline]
    pub fn pop(&mut self) {
        if let Some(net) = &mut self.net {
            net.pop();
        }
    }

    /// The value of the position at the end of the line, see [`super::evaluate`].
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Value {
        match &mut self.net {
            Some(net) => judged(position, |position| net.value(position)),
            None => judged(position, classical::evaluate),
        }
    }
}
