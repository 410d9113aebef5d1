//! Judging a repeated position: which side has done nothing but what it may not do.

use smallvec::SmallVec;

use super::chase::{self, Referee};
use super::{DrawReason, LossReason, RuleSet, Verdict};
use crate::position::Position;
use crate::types::{Bitboard, Color, Move, MoveList, Square};

/// How many plies ago the present position occurred, nearest first.
pub(super) fn occurrences(position: &Position) -> impl Iterator<Item = usize> + '_ {
    let key = position.key();
    // A move and its reversal take two plies of each side.
    (4..=usize::from(position.state().reversible))
        .step_by(2)
        .filter(move |&plies| {
            position
                .past_state(plies)
                .is_some_and(|state| state.keys.full == key)
        })
}

/// What the rule set says about the last `plies` plies, at the start and at the end of
/// which the same position stood; a draw or a loss.
pub(super) fn verdict(position: &Position, plies: usize, rules: RuleSet) -> Verdict {
    if rules == RuleSet::AlwaysDraw {
        return Verdict::Draw(DrawReason::Repetition);
    }
    let checks = Checks::of(position, plies);
    if rules != RuleSet::SimpleAsian {
        match checks.all {
            [true, true] => return Verdict::Draw(DrawReason::MutualCheck),
            [true, false] => return Verdict::Loss(Color::Red, LossReason::PerpetualCheck),
            [false, true] => return Verdict::Loss(Color::Black, LossReason::PerpetualCheck),
            [false, false] => {}
        }
    }
    match rules {
        RuleSet::AsianRule => perpetual_chase(position, plies, rules.referee(), checks),
        RuleSet::ChineseRule | RuleSet::SimpleAsian => only_attacks(position, plies, rules),
        RuleSet::CheckBan | RuleSet::AlwaysDraw => Verdict::Draw(DrawReason::Repetition),
    }
}

/// Which sides have given check, by colour.
#[derive(Clone, Copy)]
struct Checks {
    /// With every move.
    all: [bool; 2],
    /// With at least one move.
    any: [bool; 2],
}

impl Checks {
    fn of(position: &Position, plies: usize) -> Self {
        let mut checks = Self {
            all: [true; 2],
            any: [false; 2],
        };
        let mut mover = !position.side();
        for state in (0..plies).filter_map(|ago| position.past_state(ago)) {
            let check = !state.checkers.is_empty();
            checks.all[mover.index()] &= check;
            checks.any[mover.index()] |= check;
            mover = !mover;
        }
        checks
    }
}

/// The Asian rules where neither side checks with every move: chases of one and the same
/// man by every move of a side (13 to 36).
///
/// A move that checks is a check, whatever else it does, so that a side that mixes
/// checks with chases does not chase for ever (12).
fn perpetual_chase(position: &Position, plies: usize, referee: Referee, checks: Checks) -> Verdict {
    let mut pursuits = checks.any.map(Pursuit::new);
    let mut walk = Walk::new(position, plies);
    for _ in 0..plies {
        if pursuits.iter().all(Pursuit::is_over) {
            return Verdict::Draw(DrawReason::Repetition);
        }
        let pursuit = &mut pursuits[walk.mover().index()];
        pursuit.narrow(&walk.step_back(referee, pursuit.wanted()));
    }
    // A rook that a horse holds may not be chased at all (19), even by a side that is
    // chased itself.
    let held = pursuits.each_ref().map(Pursuit::held_rook);
    let chased = pursuits.each_ref().map(Pursuit::victim);
    let reasons: [fn(Square) -> LossReason; 2] =
        [LossReason::ChaseOfHeldRook, LossReason::PerpetualChase];
    for (victims, reason) in [held, chased].into_iter().zip(reasons) {
        match victims {
            [Some(_), Some(_)] => return Verdict::Draw(DrawReason::MutualChase),
            [Some(victim), None] => return Verdict::Loss(Color::Red, reason(victim)),
            [None, Some(victim)] => return Verdict::Loss(Color::Black, reason(victim)),
            [None, None] => {}
        }
    }
    Verdict::Draw(DrawReason::Repetition)
}

/// A man that a side's moves have chased; men are named by where they stand at the end.
#[derive(Clone, Copy)]
pub(super) struct Chase {
    victim: Square,
    /// The men that have chased it with every move.
    chasers: Bitboard,
    /// Whether it is a rook that a horse has held at every move.
    held: bool,
}

type Chases = SmallVec<[Chase; 4]>;

/// The men that every move of a side has chased so far.
struct Pursuit {
    /// `None` before the first move.
    chases: Option<Chases>,
}

impl Pursuit {
    /// Nothing chased can be common to all moves of a side that has checked.
    fn new(has_checked: bool) -> Self {
        Self {
            chases: has_checked.then(Chases::new),
        }
    }

    /// Whether no man is chased by every move.
    fn is_over(&self) -> bool {
        self.chases.as_ref().is_some_and(SmallVec::is_empty)
    }

    /// The men that every move has chased so far.
    fn wanted(&self) -> Bitboard {
        match &self.chases {
            Some(chases) => chases.iter().map(|chase| chase.victim).collect(),
            None => Bitboard::ALL,
        }
    }

    /// Takes one more move into account.
    fn narrow(&mut self, step: &Chases) {
        let Some(chases) = &mut self.chases else {
            self.chases = Some(step.clone());
            return;
        };
        chases.retain(|chase| {
            let same = step.iter().find(|other| other.victim == chase.victim);
            if let Some(other) = same {
                chase.chasers &= other.chasers;
                chase.held &= other.held;
            }
            same.is_some()
        });
    }

    fn held_rook(&self) -> Option<Square> {
        let chase = self.chases.as_ref()?.iter().find(|chase| chase.held)?;
        Some(chase.victim)
    }

    /// A man that the side has chased for ever.
    ///
    /// Several men that chase one are no excuse (33), but several that take turns at
    /// several others are (32, diagram 74).
    fn victim(&self) -> Option<Square> {
        match self.chases.as_ref()?.as_slice() {
            [chase] => Some(chase.victim),
            chases => {
                let by_one = |chase: &&Chase| !chase.chasers.is_empty();
                Some(chases.iter().find(by_one)?.victim)
            }
        }
    }
}

/// The rules that count attacks on whatever men: every move of one side only attacks.
fn only_attacks(position: &Position, plies: usize, rules: RuleSet) -> Verdict {
    let mut attacking = [true; 2];
    let mut walk = Walk::new(position, plies);
    for _ in 0..plies {
        let mover = walk.mover().index();
        if attacking == [false; 2] {
            return Verdict::Draw(DrawReason::Repetition);
        }
        if !attacking[mover] {
            walk.step_back(rules.referee(), Bitboard::EMPTY);
            continue;
        }
        let threat = walk.position.in_check()
            || rules == RuleSet::ChineseRule && threatens_mate(&mut walk.position);
        let chases = walk.step_back(rules.referee(), Bitboard::ALL);
        attacking[mover] &= threat || !chases.is_empty();
    }
    match attacking {
        [true, true] => Verdict::Draw(DrawReason::MutualAttack),
        [true, false] => Verdict::Loss(Color::Red, LossReason::OnlyAttacks),
        [false, true] => Verdict::Loss(Color::Black, LossReason::OnlyAttacks),
        [false, false] => Verdict::Draw(DrawReason::Repetition),
    }
}

/// Whether the side that has just moved would mate with its next move if the other side,
/// which is not in check, passed.
pub(super) fn threatens_mate(position: &mut Position) -> bool {
    position.make_null();
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mates = moves.iter().any(|mv| {
        position.gives_check(mv) && {
            position.make(mv);
            let mate = position.has_no_moves();
            position.undo();
            mate
        }
    });
    position.undo();
    mates
}

/// The first of the last `plies` moves.
pub(super) fn first_of(position: &Position, plies: usize) -> Option<Move> {
    position.past_state(plies.checked_sub(1)?)?.last_move
}

/// A game played backwards, with every man known by where it stands at the end.
pub(super) struct Walk {
    /// The position reached.
    pub position: Position,
    /// For each man on the board, where it stands at the end.
    names: [Square; 90],
    /// The move made in this position; at the end, the one that comes if the moves are
    /// repeated.
    reply: Option<Move>,
}

impl Walk {
    /// The end of the game, with its last `plies` plies to take back.
    pub fn new(position: &Position, plies: usize) -> Self {
        Self {
            position: position.clone_recent(plies),
            names: Square::ALL,
            reply: first_of(position, plies),
        }
    }

    /// Whose move is taken back next.
    pub fn mover(&self) -> Color {
        !self.position.side()
    }

    /// Takes a move back and tells which of the men named `wanted` it chased.
    ///
    /// Only what is new is a chase: the same man must not have chased the same victim
    /// before the move. Nor, if the referee says so, may it still do so after the reply.
    pub fn step_back(&mut self, referee: Referee, wanted: Bitboard) -> Chases {
        let mover = self.mover();
        let mut found = SmallVec::new();
        if !wanted.is_empty() {
            let enemies = self
                .position
                .men(!mover)
                .without(self.position.king(!mover));
            let victims: Bitboard = enemies
                .into_iter()
                .filter(|square| wanted.contains(self.names[square.index()]))
                .collect();
            found = referee.chases(&self.position, mover, victims);
        }
        let held = |&(_, to): &(Square, Square)| chase::is_held_by_knight(&self.position, to);
        let held: Bitboard = found
            .iter()
            .filter(|pair| held(pair))
            .map(|&(_, to)| to)
            .collect();
        if referee.must_be_answered {
            found.retain(|&mut (from, to)| self.is_answered(referee, from, to));
        }
        let mv = self.position.state().last_move;
        self.position.undo();
        self.reply = mv;
        let mut chases = Chases::new();
        for (from, to) in found {
            let before = mv.filter(|mv| mv.to() == from).map_or(from, Move::from);
            if referee.is_chase(&self.position, before, to) {
                continue;
            }
            let (victim, chaser) = (self.names[to.index()], self.names[from.index()]);
            match chases.iter_mut().find(|chase| chase.victim == victim) {
                Some(chase) => chase.chasers = chase.chasers.with(chaser),
                None => chases.push(Chase {
                    victim,
                    chasers: Bitboard::square(chaser),
                    held: held.contains(to),
                }),
            }
        }
        if let Some(mv) = mv {
            self.names[mv.from().index()] = self.names[mv.to().index()];
        }
        chases
    }

    /// Whether the reply ends the chase of the man on `to` by the man on `from`, or answers
    /// it by a check for which the capture must wait.
    fn is_answered(&mut self, referee: Referee, from: Square, to: Square) -> bool {
        let Some(reply) = self.reply else {
            return false;
        };
        self.position.make(reply);
        let answered = !still_chases(&self.position, referee, from, to);
        self.position.undo();
        answered
    }
}

/// Whether a chase is still on after the last move, which was the reply to it.
pub(super) fn still_chases(
    position: &Position,
    referee: Referee,
    from: Square,
    to: Square,
) -> bool {
    let moved = position.state().last_move.filter(|mv| mv.from() == to);
    let to = moved.map_or(to, Move::to);
    referee.is_chase(position, from, to)
        && Move::new(from, to).is_some_and(|capture| position.is_legal(capture))
}
