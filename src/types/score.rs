//! Values of the search and scores for people.

use std::fmt;

/// A value inside the search, in centipawns from the view of the side to move.
///
/// Ranges, from the middle outwards: evaluations up to [`MAX_EVAL`], wins by a
/// rule (perpetual check and the like) around [`RULE_WIN`], mates up to [`MATE`].
pub type Value = i32;

/// How deep a line of the search may get, in plies.
pub const MAX_PLY: usize = 240;
/// A drawn game.
pub const DRAW: Value = 0;
/// More than any value.
pub const INFINITE: Value = 32_001;
/// Mate on the board; a mate in `n` plies is worth `MATE - n`.
pub const MATE: Value = 32_000;
/// The longest mate that the search can see.
pub const MATE_IN_MAX_PLY: Value = MATE - MAX_PLY as Value;
/// A win by the rules of repetition at the root; `n` plies away it is `RULE_WIN - n`.
pub const RULE_WIN: Value = 31_000;
/// The most distant win by rule that the search can see.
pub const RULE_WIN_IN_MAX_PLY: Value = RULE_WIN - MAX_PLY as Value;
/// The bound of every static evaluation.
pub const MAX_EVAL: Value = 30_000;

/// The value of being mated `ply` plies from the root.
#[inline]
pub const fn mated_in(ply: usize) -> Value {
    -MATE + ply as Value
}

/// The value of mating `ply` plies from the root.
#[inline]
pub const fn mates_in(ply: usize) -> Value {
    MATE - ply as Value
}

/// A score as a protocol or a person sees it, from the view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Mate in this many moves; negative if the side to move is mated, 0 if it is mated now.
    Mate(i32),
}

impl Score {
    /// The score for a value of the search.
    pub const fn from_value(value: Value) -> Self {
        if value >= MATE_IN_MAX_PLY {
            Self::Mate((MATE - value + 1) / 2)
        } else if value <= -MATE_IN_MAX_PLY {
            Self::Mate(-((MATE + value + 1) / 2))
        } else {
            Self::Cp(value)
        }
    }
}

/// `cp 31` or `mate -2`, as UCI writes it.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(cp) => write!(f, "cp {cp}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(Score::from_value(mates_in(1)), Score::Mate(1));
        assert_eq!(Score::from_value(mates_in(3)), Score::Mate(2));
        assert_eq!(Score::from_value(mated_in(0)), Score::Mate(0));
        assert_eq!(Score::from_value(mated_in(2)), Score::Mate(-1));
        assert_eq!(Score::from_value(mated_in(4)), Score::Mate(-2));
        assert_eq!(Score::from_value(RULE_WIN), Score::Cp(31_000));
    }

    #[test]
    fn ranges_do_not_overlap() {
        const { assert!(MAX_EVAL < RULE_WIN_IN_MAX_PLY) };
        const { assert!(RULE_WIN < MATE_IN_MAX_PLY) };
        const { assert!(INFINITE < i16::MAX as Value) };
    }
}
