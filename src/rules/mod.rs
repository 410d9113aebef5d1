//! When a game is over: mate, repetition under one of five rule sets, the move limit and
//! bare material. `docs/rules.md` explains every rule and its source.
//!
//! [`Rules::judge`] judges a game's end by its whole history; [`Rules::judge_in_tree`] is
//! for the nodes of a search; [`explain`] tells a person what every move did.

pub mod chase;
mod draws;
pub mod explain;
mod repetition;

use std::fmt;
use std::str::FromStr;

use crate::position::Position;
use crate::types::{Color, Square};

pub use draws::{counted_plies, is_bare};

/// What a repeated position means.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum RuleSet {
    /// The manual of the Asian and World Xiangqi Federations (AXF/WXF).
    #[default]
    AsianRule,
    /// The Chinese competition rules of 2020, as far as a machine can decide them.
    ChineseRule,
    /// A side whose every move checks or chases loses if the other's do not.
    SimpleAsian,
    /// Only perpetual check loses.
    CheckBan,
    /// Every repetition draws.
    AlwaysDraw,
}

impl RuleSet {
    /// Every rule set, the default first.
    pub const ALL: [Self; 5] = [
        Self::AsianRule,
        Self::ChineseRule,
        Self::SimpleAsian,
        Self::CheckBan,
        Self::AlwaysDraw,
    ];

    /// The name that options and files use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AsianRule => "AsianRule",
            Self::ChineseRule => "ChineseRule",
            Self::SimpleAsian => "SimpleAsian",
            Self::CheckBan => "CheckBan",
            Self::AlwaysDraw => "AlwaysDraw",
        }
    }

    /// How this rule set looks at attacks.
    const fn referee(self) -> chase::Referee {
        chase::Referee {
            strength_counts: !matches!(self, Self::SimpleAsian),
            must_be_answered: matches!(self, Self::AsianRule),
        }
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no rule set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownRuleSet(pub String);

impl fmt::Display for UnknownRuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no rule set; there are", self.0)?;
        for (index, rules) in RuleSet::ALL.into_iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma} {rules}")?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownRuleSet {}

impl FromStr for RuleSet {
    type Err = UnknownRuleSet;

    /// Reads a name in any case, in full or short (`asian`), or as the GUIs of Pikafish
    /// send it (`ComputerRule`, `AllowChase`, `NoJudgement`).
    fn from_str(text: &str) -> Result<Self, UnknownRuleSet> {
        match text.to_ascii_lowercase().as_str() {
            "asianrule" | "asian" | "computerrule" => Ok(Self::AsianRule),
            "chineserule" | "chinese" => Ok(Self::ChineseRule),
            "simpleasian" | "simple" => Ok(Self::SimpleAsian),
            "checkban" | "allowchase" => Ok(Self::CheckBan),
            "alwaysdraw" | "nojudgement" => Ok(Self::AlwaysDraw),
            _ => Err(UnknownRuleSet(text.to_owned())),
        }
    }
}

/// Why a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawReason {
    /// The position is repeated and neither side breaks a rule.
    Repetition,
    /// Both sides check with every move.
    MutualCheck,
    /// Both sides chase one man with every move.
    MutualChase,
    /// Every move of both sides is an attack.
    MutualAttack,
    /// So many plies without a capture count; see [`counted_plies`].
    MoveLimit(u32),
    /// Neither side has a rook, horse, cannon or pawn.
    BareMaterial,
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Repetition => {
                f.write_str("the position is repeated and neither side breaks a rule")
            }
            Self::MutualCheck => f.write_str("mutual perpetual check"),
            Self::MutualChase => f.write_str("mutual perpetual chase"),
            Self::MutualAttack => f.write_str("both sides attack with every move"),
            Self::MoveLimit(plies) => write!(f, "{plies} plies without a capture"),
            Self::BareMaterial => {
                f.write_str("neither side has a rook, horse, cannon or pawn left")
            }
        }
    }
}

/// Why a side has lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LossReason {
    /// It is in check and has no legal move.
    Checkmate,
    /// It has no legal move.
    Stalemate,
    /// It checks with every move.
    PerpetualCheck,
    /// It chases the man on this square with every move.
    PerpetualChase(Square),
    /// It chases the rook on this square with every move, and its horse holds that rook.
    ChaseOfHeldRook(Square),
    /// Every one of its moves is an attack.
    OnlyAttacks,
}

impl LossReason {
    /// Whether the side loses by a rule of repetition, not on the board.
    pub const fn is_by_repetition(self) -> bool {
        !matches!(self, Self::Checkmate | Self::Stalemate)
    }
}

impl fmt::Display for LossReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkmate => f.write_str("checkmate"),
            Self::Stalemate => f.write_str("stalemate"),
            Self::PerpetualCheck => f.write_str("perpetual check"),
            Self::PerpetualChase(victim) => {
                write!(f, "perpetual chase of the piece on {victim}")
            }
            Self::ChaseOfHeldRook(victim) => write!(
                f,
                "perpetual chase of the rook on {victim}, which a horse holds"
            ),
            Self::OnlyAttacks => f.write_str("attacks with every move"),
        }
    }
}

/// What a judge says about a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It goes on.
    Ongoing,
    /// It is drawn.
    Draw(DrawReason),
    /// This side has lost.
    Loss(Color, LossReason),
    /// The moves since the second to last occurrence of the position would lose for this
    /// side if they were repeated. Only a search gets this, and only as a bound: the side
    /// must still deviate, and may be able to.
    Provisional(Color, LossReason),
}

impl Verdict {
    /// The side that has won.
    pub fn winner(self) -> Option<Color> {
        match self {
            Self::Loss(loser, _) => Some(!loser),
            _ => None,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ongoing => f.write_str("the game goes on"),
            Self::Draw(reason) => write!(f, "draw: {reason}"),
            Self::Loss(side, reason) => write!(f, "{side} loses: {reason}"),
            Self::Provisional(side, reason) => write!(f, "{side} would lose: {reason}"),
        }
    }
}

/// What a game is judged by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// What a repetition means.
    pub set: RuleSet,
    /// At which occurrence of a position a game is judged by its repetition, at least 2.
    pub occurrences: u32,
    /// After how many counted plies without a capture a game is drawn; 0 for never.
    pub move_limit: u32,
}

/// Sixty rounds of two plies.
pub const DEFAULT_MOVE_LIMIT: u32 = 120;

impl Default for Rules {
    /// The Asian rules, the third occurrence, 60 rounds.
    fn default() -> Self {
        Self::new(RuleSet::default())
    }
}

impl Rules {
    /// A rule set with the usual third occurrence and 60 rounds of two plies.
    pub const fn new(set: RuleSet) -> Self {
        Self {
            set,
            occurrences: 3,
            move_limit: DEFAULT_MOVE_LIMIT,
        }
    }

    /// Judges the game that led to this position, as far as the position remembers it.
    ///
    /// Mate and stalemate come first, then repetition, the move limit and bare material.
    /// All moves since the first of the last `occurrences` occurrences count.
    pub fn judge(&self, position: &Position) -> Verdict {
        if position.has_no_moves() {
            return Verdict::Loss(position.side(), no_moves(position));
        }
        match self.cycle(position) {
            Some(plies) => repetition::verdict(position, plies, self.set),
            None => self.other_draws(position),
        }
    }

    /// How many plies of the end of the game a repetition is judged by; `None` if the
    /// position has not occurred often enough.
    pub fn cycle(&self, position: &Position) -> Option<usize> {
        let earlier = (self.occurrences.max(2) - 2) as usize;
        repetition::occurrences(position).nth(earlier)
    }

    /// Whether the position has occurred before, as far as it remembers.
    pub fn is_repeated(position: &Position) -> bool {
        repetition::occurrences(position).next().is_some()
    }

    /// Judges a node of a search, `ply` plies from its root. Mate and stalemate come before
    /// every draw that this gives, but are not looked for where it gives none.
    ///
    /// A third occurrence is final, wherever the others are. A second one whose first is
    /// strictly inside the tree is judged by the moves in between: a draw is taken as
    /// one, a loss is [`Verdict::Provisional`]. Where nothing repeats this costs a look
    /// at the keys of half the plies since the last capture.
    #[inline]
    pub fn judge_in_tree(&self, position: &Position, ply: usize) -> Verdict {
        let mut occurrences = repetition::occurrences(position);
        if let Some(first) = occurrences.next() {
            if let Some(second) = occurrences.next() {
                return repetition::verdict(position, second, self.set);
            }
            if first < ply {
                return match repetition::verdict(position, first, self.set) {
                    Verdict::Loss(side, reason) => Verdict::Provisional(side, reason),
                    verdict => verdict,
                };
            }
        }
        match self.other_draws(position) {
            Verdict::Draw(_) if position.has_no_moves() => {
                Verdict::Loss(position.side(), no_moves(position))
            }
            verdict => verdict,
        }
    }

    /// The draws for which nothing needs to repeat.
    fn other_draws(&self, position: &Position) -> Verdict {
        let plies = counted_plies(position, self.set);
        if self.move_limit > 0 && plies >= self.move_limit {
            Verdict::Draw(DrawReason::MoveLimit(plies))
        } else if is_bare(position) {
            Verdict::Draw(DrawReason::BareMaterial)
        } else {
            Verdict::Ongoing
        }
    }
}

/// Why a side without a legal move has lost.
fn no_moves(position: &Position) -> LossReason {
    if position.in_check() {
        LossReason::Checkmate
    } else {
        LossReason::Stalemate
    }
}
