//! How a game of self-play has ended.

use std::fmt;

use crate::rules::{DrawReason, LossReason, Verdict};
use crate::types::Color;

/// Who has won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// Black.
    BlackWins,
    /// Nobody.
    Draw,
    /// Red.
    RedWins,
}

impl GameResult {
    /// Every result, in the order of their codes.
    pub const ALL: [Self; 3] = [Self::BlackWins, Self::Draw, Self::RedWins];

    /// The result if this side has won.
    pub const fn won_by(color: Color) -> Self {
        match color {
            Color::Red => Self::RedWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// What the game was worth to this side: 1, ½ or 0.
    pub fn points(self, color: Color) -> f32 {
        let red = self as u8 as f32 / 2.0;
        match color {
            Color::Red => red,
            Color::Black => 1.0 - red,
        }
    }
}

/// By what a game has ended: the reasons of [`crate::rules`] without their details, and
/// those of self-play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move has no legal move.
    Stalemate,
    /// The loser checked with every move.
    PerpetualCheck,
    /// The loser chased one man with every move.
    PerpetualChase,
    /// The loser chased a rook that its horse held.
    ChaseOfHeldRook,
    /// Every move of the loser was an attack.
    OnlyAttacks,
    /// The position was repeated and neither side broke a rule.
    Repetition,
    /// Both sides checked with every move.
    MutualCheck,
    /// Both sides chased with every move.
    MutualChase,
    /// Both sides attacked with every move.
    MutualAttack,
    /// Too many plies without a capture.
    MoveLimit,
    /// Nobody had a rook, horse, cannon or pawn.
    BareMaterial,
    /// The scores had been won for long enough.
    ClearWin,
    /// The scores had been drawn for long enough.
    ClearDraw,
    /// The game was too long.
    TooLong,
    /// A file of games from elsewhere says so.
    Told,
}

impl Reason {
    /// Every reason, in the order of their codes.
    pub const ALL: [Self; 16] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::PerpetualCheck,
        Self::PerpetualChase,
        Self::ChaseOfHeldRook,
        Self::OnlyAttacks,
        Self::Repetition,
        Self::MutualCheck,
        Self::MutualChase,
        Self::MutualAttack,
        Self::MoveLimit,
        Self::BareMaterial,
        Self::ClearWin,
        Self::ClearDraw,
        Self::TooLong,
        Self::Told,
    ];

    /// Whether the rules ended the game, and not the one who plays for data.
    pub const fn is_by_rule(self) -> bool {
        !matches!(
            self,
            Self::ClearWin | Self::ClearDraw | Self::TooLong | Self::Told
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::PerpetualCheck => "perpetual check",
            Self::PerpetualChase => "perpetual chase",
            Self::ChaseOfHeldRook => "chase of a held rook",
            Self::OnlyAttacks => "only attacks",
            Self::Repetition => "repetition",
            Self::MutualCheck => "mutual check",
            Self::MutualChase => "mutual chase",
            Self::MutualAttack => "mutual attack",
            Self::MoveLimit => "move limit",
            Self::BareMaterial => "bare material",
            Self::ClearWin => "clear win",
            Self::ClearDraw => "clear draw",
            Self::TooLong => "too long",
            Self::Told => "told",
        })
    }
}

/// A result and what brought it about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Who has won.
    pub result: GameResult,
    /// Why.
    pub reason: Reason,
}

impl Outcome {
    /// The outcome of a game that the rules have ended; `None` while it goes on.
    pub fn of(verdict: Verdict) -> Option<Self> {
        match verdict {
            Verdict::Ongoing | Verdict::Provisional(..) => None,
            Verdict::Draw(reason) => Some(Self {
                result: GameResult::Draw,
                reason: match reason {
                    DrawReason::Repetition => Reason::Repetition,
                    DrawReason::MutualCheck => Reason::MutualCheck,
                    DrawReason::MutualChase => Reason::MutualChase,
                    DrawReason::MutualAttack => Reason::MutualAttack,
                    DrawReason::MoveLimit(_) => Reason::MoveLimit,
                    DrawReason::BareMaterial => Reason::BareMaterial,
                },
            }),
            Verdict::Loss(loser, reason) => Some(Self {
                result: GameResult::won_by(!loser),
                reason: match reason {
                    LossReason::Checkmate => Reason::Checkmate,
                    LossReason::Stalemate => Reason::Stalemate,
                    LossReason::PerpetualCheck => Reason::PerpetualCheck,
                    LossReason::PerpetualChase(_) => Reason::PerpetualChase,
                    LossReason::ChaseOfHeldRook(_) => Reason::ChaseOfHeldRook,
                    LossReason::OnlyAttacks => Reason::OnlyAttacks,
                },
            }),
        }
    }

    /// One byte: the result in the low two bits, the reason above them.
    pub const fn code(self) -> u8 {
        self.result as u8 | (self.reason as u8) << 2
    }

    /// The outcome with this code, if there is one.
    pub fn from_code(code: u8) -> Option<Self> {
        Some(Self {
            result: *GameResult::ALL.get(usize::from(code & 3))?,
            reason: *Reason::ALL.get(usize::from(code >> 2))?,
        })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = match self.result {
            GameResult::RedWins => "red wins",
            GameResult::Draw => "draw",
            GameResult::BlackWins => "black wins",
        };
        write!(f, "{result}: {}", self.reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_back_and_others_refused() {
        let mut known = 0;
        for code in 0..=u8::MAX {
            if let Some(outcome) = Outcome::from_code(code) {
                assert_eq!(outcome.code(), code);
                known += 1;
            }
        }
        assert_eq!(known, GameResult::ALL.len() * Reason::ALL.len());
    }
}
