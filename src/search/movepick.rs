//! Moves one at a time, the most promising first, generated only when they are needed.

use smallvec::SmallVec;

use super::history::{Context, Histories};
use super::params::{check_bonus, check_bonus_see};
use crate::position::{GenKinds, Legality, Position, exchange_value};
use crate::types::{Move, MoveList};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TableMove,
    GenerateCaptures,
    GoodCaptures,
    FirstKiller,
    SecondKiller,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    GenerateEvasions,
    Evasions,
    GenerateChecks,
    Checks,
    Done,
}

/// The staged move picker.
///
/// Table move, captures that lose nothing by victim and history, killers, quiet moves by
/// history, captures that lose; in check all evasions by the same measures at once.
pub(super) struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    context: Context,
    legality: Legality,
    /// Moves of the current stage.
    moves: SmallVec<[Move; 64]>,
    /// For each of them its [`rank`], or [`TAKEN`].
    ranks: SmallVec<[i32; 64]>,
    bad_captures: SmallVec<[Move; 16]>,
    captures_only: bool,
    /// Whether quiet checks follow the captures.
    checks: bool,
}

/// Above every history score.
const CAPTURE_FIRST: i32 = 1 << 20;
/// The bits of a rank that hold the place in the list; a list has fewer than 256 moves.
const PLACES: i32 = (1 << 8) - 1;
/// In place of the rank of a move that has been given out, below every rank.
const TAKEN: i32 = i32::MIN;

/// A number that is larger for the better score, then for the earlier move, and tells
/// the place: the maximum of a plain list of numbers is what processors find fastest.
#[inline]
fn rank(score: i32, place: usize) -> i32 {
    score * (PLACES + 1) + (PLACES - place as i32)
}

impl Picker {
    /// All moves of a node of the main search.
    pub(super) fn new(
        position: &Position,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
        context: Context,
    ) -> Self {
        Self::with_stages(position, table_move, killers, context, false)
    }

    /// For quiescence: the captures that lose nothing, with `checks` also the quiet checks
    /// that lose nothing; in check every evasion.
    pub(super) fn quiescence(
        position: &Position,
        table_move: Option<Move>,
        context: Context,
        checks: bool,
    ) -> Self {
        let captures_only = !position.in_check();
        let table_move =
            table_move.filter(|mv| !captures_only || position.piece_on(mv.to()).is_some());
        let mut picker = Self::with_stages(position, table_move, [None; 2], context, captures_only);
        picker.checks = checks;
        picker
    }

    fn with_stages(
        position: &Position,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
        context: Context,
        captures_only: bool,
    ) -> Self {
        let legality = position.legality();
        let table_move = table_move.filter(|&mv| position.is_legal_with(mv, &legality));
        Self {
            stage: match table_move {
                Some(_) => Stage::TableMove,
                None => Self::after_table_move(position),
            },
            table_move,
            killers,
            context,
            legality,
            moves: SmallVec::new(),
            ranks: SmallVec::new(),
            bad_captures: SmallVec::new(),
            captures_only,
            checks: false,
        }
    }

    fn after_table_move(position: &Position) -> Stage {
        if position.in_check() {
            Stage::GenerateEvasions
        } else {
            Stage::GenerateCaptures
        }
    }

    /// Leaves out the quiet moves that have not come yet.
    pub(super) fn skip_quiets(&mut self) {
        match self.stage {
            Stage::FirstKiller | Stage::SecondKiller | Stage::GenerateQuiets | Stage::Quiets => {
                self.ranks.clear();
                self.stage = Stage::BadCaptures;
            }
            _ => {}
        }
    }

    /// The next move, always a legal one, each once.
    pub(super) fn next(&mut self, position: &Position, histories: &Histories) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Self::after_table_move(position);
                    return self.table_move;
                }
                Stage::GenerateCaptures => {
                    self.generate(position, histories, GenKinds::CAPTURES);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.best() {
                    Some(mv) if position.see_ge(mv, 0) => return Some(mv),
                    Some(_) if self.captures_only => {}
                    Some(mv) => self.bad_captures.push(mv),
                    None if self.captures_only && self.checks => self.stage = Stage::GenerateChecks,
                    None if self.captures_only => self.stage = Stage::Done,
                    None => self.stage = Stage::FirstKiller,
                },
                Stage::FirstKiller | Stage::SecondKiller => {
                    if let Some(mv) = self.killer(position) {
                        return Some(mv);
                    }
                }
                Stage::GenerateQuiets => {
                    self.generate(position, histories, GenKinds::QUIETS);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.best() {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::BadCaptures,
                },
                Stage::BadCaptures => {
                    // They are popped from the end, in the order in which they were found.
                    self.bad_captures.reverse();
                    self.stage = Stage::Done;
                }
                Stage::GenerateEvasions => {
                    self.generate(position, histories, GenKinds::ALL);
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => return self.best(),
                Stage::GenerateChecks => {
                    self.generate(position, histories, GenKinds::QUIETS);
                    self.stage = Stage::Checks;
                }
                Stage::Checks => match self.best() {
                    Some(mv) if position.see_ge(mv, 0) => return Some(mv),
                    Some(_) => {}
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return self.bad_captures.pop(),
            }
        }
    }

    fn killer(&mut self, position: &Position) -> Option<Move> {
        let (index, next) = match self.stage {
            Stage::FirstKiller => (0, Stage::SecondKiller),
            _ => (1, Stage::GenerateQuiets),
        };
        self.stage = next;
        let mv = self.killers[index]?;
        let playable = Some(mv) != self.table_move
            && position.piece_on(mv.to()).is_none()
            && position.is_legal_with(mv, &self.legality);
        if !playable {
            self.killers[index] = None;
            return None;
        }
        Some(mv)
    }

    fn generate(&mut self, position: &Position, histories: &Histories, kinds: GenKinds) {
        let mut list = MoveList::new();
        position.generate(kinds, &self.legality, &mut list);
        self.moves.clear();
        self.ranks.clear();
        let evasions = kinds == GenKinds::ALL;
        for mv in list.iter() {
            let tried = Some(mv) == self.table_move
                || kinds == GenKinds::QUIETS && self.killers.contains(&Some(mv));
            if tried || self.captures_only && self.is_idle(position, mv) {
                continue;
            }
            let mut score = score(position, histories, mv, &self.context);
            if kinds == GenKinds::QUIETS
                && !self.captures_only
                && position.gives_check(mv)
                && position.see_ge(mv, -check_bonus_see())
            {
                score += check_bonus();
            }
            if evasions && position.piece_on(mv.to()).is_some() {
                score += CAPTURE_FIRST;
            }
            self.ranks.push(rank(score, self.moves.len()));
            self.moves.push(mv);
        }
    }

    /// Whether quiescence has no use for a move: it neither captures nor checks.
    #[inline]
    fn is_idle(&self, position: &Position, mv: Move) -> bool {
        self.stage == Stage::GenerateChecks && !position.gives_check(mv)
    }

    /// Takes the best of the moves that are left.
    #[inline]
    fn best(&mut self) -> Option<Move> {
        let best = self.ranks.iter().fold(TAKEN, |best, &rank| best.max(rank));
        if best == TAKEN {
            return None;
        }
        let place = (PLACES - (best & PLACES)) as usize;
        self.ranks[place] = TAKEN;
        Some(self.moves[place])
    }
}

fn score(position: &Position, histories: &Histories, mv: Move, context: &Context) -> i32 {
    let Some(piece) = position.piece_on(mv.from()) else {
        return 0;
    };
    match position.piece_on(mv.to()) {
        Some(victim) => {
            let worth = exchange_value(victim, mv.to()) * 16;
            worth - exchange_value(piece, mv.from())
                + histories.capture(piece, mv, victim.kind()) / 4
        }
        None => histories.quiet(position.side(), piece, mv, context),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn picked(position: &Position, mut picker: Picker) -> Vec<Move> {
        let histories = Histories::new().expect("a few megabytes");
        std::iter::from_fn(|| picker.next(position, &histories)).collect()
    }

    /// Every kind of node that a random game meets, checks included.
    fn some_positions() -> Vec<Position> {
        let mut position = Position::startpos();
        let mut random: u64 = 7;
        let mut positions = Vec::new();
        for _ in 0..400 {
            let mut list = MoveList::new();
            position.legal_moves(&mut list);
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let Some(mv) = list.get((random >> 33) as usize % list.len().max(1)) else {
                position = Position::startpos();
                continue;
            };
            position.make(mv);
            positions.push(position.clone());
        }
        positions
    }

    #[test]
    fn every_legal_move_comes_exactly_once() {
        let mut checks = 0;
        for position in some_positions() {
            let mut list = MoveList::new();
            position.legal_moves(&mut list);
            let all: Vec<Move> = list.iter().collect();
            checks += usize::from(position.in_check());
            // A killer that is the table move, one that is no move here, and a fair pair.
            for (table, killers) in [
                (None, [None, None]),
                (all.first().copied(), [all.first().copied(), None]),
                (
                    all.last().copied(),
                    [all.first().copied(), all.get(1).copied()],
                ),
                (Move::parse("e0e9").ok(), [Move::parse("a0a9").ok(), None]),
            ] {
                let picker = Picker::new(&position, table, killers, Context::default());
                let moves = picked(&position, picker);
                assert_eq!(moves.len(), all.len());
                let set: HashSet<Move> = moves.iter().copied().collect();
                assert_eq!(set, all.iter().copied().collect());
                if let Some(mv) = table.filter(|mv| all.contains(mv)) {
                    assert_eq!(moves[0], mv);
                }
            }
        }
        assert!(checks > 5);
    }

    #[test]
    fn quiescence_gets_fair_captures_and_checks_or_every_evasion() {
        let mut checking = 0;
        for position in some_positions() {
            let mut list = MoveList::new();
            let kinds = if position.in_check() {
                GenKinds::ALL
            } else {
                GenKinds::CAPTURES
            };
            position.generate(kinds, &position.legality(), &mut list);
            let picker = |checks| Picker::quiescence(&position, None, Context::default(), checks);
            let moves = picked(&position, picker(false));
            let set: HashSet<Move> = moves.iter().copied().collect();
            assert_eq!(set.len(), moves.len());
            let fair = |mv: &Move| position.in_check() || position.see_ge(*mv, 0);
            assert_eq!(set, list.iter().filter(fair).collect());

            let with_checks = picked(&position, picker(true));
            assert_eq!(with_checks[..moves.len()], moves);
            let mut quiets = MoveList::new();
            if !position.in_check() {
                position.generate(GenKinds::QUIETS, &position.legality(), &mut quiets);
            }
            let fair = |mv: &Move| position.gives_check(*mv) && position.see_ge(*mv, 0);
            let checks: HashSet<Move> = quiets.iter().filter(fair).collect();
            checking += checks.len();
            assert_eq!(with_checks.len(), moves.len() + checks.len());
            assert!(checks.iter().all(|mv| with_checks.contains(mv)));
        }
        assert!(checking > 10);
    }
}
