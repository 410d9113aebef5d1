//! What every move of a repetition does, for people.

use std::fmt;

use super::chase::{self, Attack, FalseRoot, Nature};
use super::{RuleSet, repetition};
use crate::position::Position;
use crate::types::{Bitboard, Move, PieceKind, Square};

/// A man and where it stands after the move that is reported. `Display`: "the rook on e2".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Man {
    /// What it is.
    pub kind: PieceKind,
    /// Where it stands.
    pub square: Square,
}

impl Man {
    fn on(position: &Position, square: Square) -> Option<Self> {
        let kind = position.piece_on(square)?.kind();
        Some(Self { kind, square })
    }
}

impl fmt::Display for Man {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} on {}", self.kind, self.square)
    }
}

/// An attack that a move leaves on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttackReport {
    /// The man that attacks.
    pub attacker: Man,
    /// The man that is attacked.
    pub victim: Man,
    /// What the rules make of the attack.
    pub nature: Nature,
    /// The man that protects the victim or pins the attacker, as `nature` says.
    pub because_of: Option<Man>,
    /// The protectors that may not take back, each with what would attack their general.
    pub false_roots: Vec<(Man, Man)>,
    /// Whether the same man attacked the same victim before the move, so that the attack
    /// is no work of this move.
    pub stood_before: bool,
    /// Whether the same man still attacks the same victim after the reply, and the rule set
    /// takes that for no chase.
    pub unanswered: bool,
    /// Whether the victim is a rook that a horse holds.
    pub held: bool,
}

impl AttackReport {
    /// Whether the move is a chase by this attack.
    pub fn is_chase(&self) -> bool {
        self.nature.is_chase() && !self.stood_before && !self.unanswered
    }

    fn new(
        position: &Position,
        attack: Attack,
        stood_before: bool,
        unanswered: bool,
    ) -> Option<Self> {
        let because_of = match attack.nature {
            Nature::AttackerPinned(square) | Nature::Protected(square) => Man::on(position, square),
            _ => None,
        };
        let false_roots = match attack.nature {
            Nature::Unprotected => chase::false_roots(position, attack.from, attack.to),
            _ => Vec::new(),
        };
        let men = |root: FalseRoot| {
            Some((
                Man::on(position, root.protector)?,
                Man::on(position, root.exposed_to)?,
            ))
        };
        Some(Self {
            attacker: Man::on(position, attack.from)?,
            victim: Man::on(position, attack.to)?,
            nature: attack.nature,
            because_of,
            false_roots: false_roots.into_iter().filter_map(men).collect(),
            stood_before,
            unanswered,
            held: chase::is_held_by_knight(position, attack.to),
        })
    }

    /// Why the attack is or is no chase, as the text after the attacker.
    fn write_reason(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.held {
            f.write_str(", on a rook that a horse holds")?;
        }
        if self.nature.is_chase() && self.stood_before {
            return f.write_str(", as it did before");
        }
        match (self.nature, self.because_of) {
            (Nature::ByGeneralOrPawn, _) => f.write_str(", which may chase for ever"),
            (Nature::UncrossedPawn, _) => f.write_str(", but the pawn has not crossed the river"),
            (Nature::AttackerPinned(_), Some(man)) => write!(f, ", but pinned by {man}"),
            (Nature::Protected(_), Some(man)) => write!(f, ", protected by {man}"),
            (Nature::AttackerPinned(_) | Nature::Protected(_), None) => Ok(()),
            (Nature::Exchange, _) => f.write_str(", an offer to exchange"),
            (Nature::Stronger, _) => f.write_str(", protected or not"),
            (Nature::Unprotected, _) => {
                f.write_str(", unprotected")?;
                for (index, (root, exposed_to)) in self.false_roots.iter().enumerate() {
                    let sep = if index == 0 { ':' } else { ',' };
                    match root.kind {
                        PieceKind::King => {
                            write!(
                                f,
                                "{sep} its general may not take it because of {exposed_to}"
                            )?;
                        }
                        _ => {
                            let square = root.square;
                            write!(
                                f,
                                "{sep} its protector on {square} is pinned by {exposed_to}"
                            )?;
                        }
                    }
                }
                Ok(())
            }
        }?;
        if self.unanswered && self.nature.is_chase() {
            f.write_str(", but the reply leaves it so")?;
        }
        Ok(())
    }
}

/// What a move does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveReport {
    /// The move.
    pub mv: Move,
    /// The men that check the enemy general after it.
    pub checkers: Vec<Man>,
    /// Whether it threatens mate with the next move; only the Chinese rules ask.
    pub threatens_mate: bool,
    /// The attacks on other men, without those that stood before and are no chases.
    pub attacks: Vec<AttackReport>,
}

impl MoveReport {
    /// Reports on the last move, if there is one, and takes it back; `reply` is the move
    /// that answers it.
    fn of_last(position: &mut Position, reply: Option<Move>, rules: RuleSet) -> Option<Self> {
        let mv = position.state().last_move?;
        let (mover, referee) = (!position.side(), rules.referee());
        let checkers = men_on(position, position.checkers());
        let threatens_mate = rules == RuleSet::ChineseRule
            && checkers.is_empty()
            && repetition::threatens_mate(position);
        let after = position.clone_recent(0);
        position.undo();
        let unanswered = |attack: &Attack| {
            referee.must_be_answered
                && reply.is_some_and(|reply| {
                    let mut later = after.clone();
                    later.make(reply);
                    repetition::still_chases(&later, referee, attack.from, attack.to)
                })
        };
        let stood = |attack: &Attack| {
            let from = if attack.from == mv.to() {
                mv.from()
            } else {
                attack.from
            };
            if attack.nature.is_chase() {
                return referee.is_chase(position, from, attack.to);
            }
            position
                .piece_on(from)
                .is_some_and(|piece| position.reach(piece, from).contains(attack.to))
        };
        let attacks = referee
            .attacks(&after, mover)
            .into_iter()
            .filter_map(|attack| {
                AttackReport::new(&after, attack, stood(&attack), unanswered(&attack))
            })
            .filter(|report| report.nature.is_chase() || !report.stood_before)
            .collect();
        Some(Self {
            mv,
            checkers,
            threatens_mate,
            attacks,
        })
    }

    /// Whether the move neither checks nor chases nor threatens mate.
    pub fn is_idle(&self) -> bool {
        self.checkers.is_empty()
            && !self.threatens_mate
            && !self.attacks.iter().any(AttackReport::is_chase)
    }

    fn write_attack(&self, f: &mut fmt::Formatter<'_>, report: &AttackReport) -> fmt::Result {
        let verb = if report.is_chase() {
            "chases"
        } else {
            "attacks"
        };
        write!(f, "{verb} {} ({}", report.victim, report.attacker.kind)?;
        if report.attacker.square != self.mv.to() {
            write!(f, " on {}", report.attacker.square)?;
        }
        report.write_reason(f)?;
        f.write_str(")")
    }
}

fn men_on(position: &Position, squares: Bitboard) -> Vec<Man> {
    let men = squares.into_iter();
    men.filter_map(|square| Man::on(position, square)).collect()
}

/// `h4h6 chases the cannon on i6 (rook, unprotected)`.
impl fmt::Display for MoveReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.mv)?;
        let mut comma = " ";
        if self.is_idle() {
            f.write_str(" is idle")?;
            comma = ": ";
        }
        for (index, checker) in self.checkers.iter().enumerate() {
            match index {
                0 => write!(f, " checks with {checker}")?,
                _ => write!(f, " and {checker}")?,
            }
            comma = "; ";
        }
        if self.threatens_mate {
            f.write_str(" threatens mate")?;
            comma = "; ";
        }
        for report in &self.attacks {
            f.write_str(comma)?;
            self.write_attack(f, report)?;
            comma = "; ";
        }
        Ok(())
    }
}

/// What each of the last `plies` moves does under a rule set, first to last; fewer if the
/// position remembers fewer.
pub fn explain(position: &Position, plies: usize, rules: RuleSet) -> Vec<MoveReport> {
    let mut walk = position.clone_recent(plies);
    let mut reply = repetition::first_of(position, plies);
    let mut reports = Vec::new();
    for _ in 0..plies {
        let Some(report) = MoveReport::of_last(&mut walk, reply, rules) else {
            break;
        };
        reply = Some(report.mv);
        reports.push(report);
    }
    reports.reverse();
    reports
}
