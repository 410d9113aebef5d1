//! Making and unmaking moves.

use super::{Position, State};
use crate::types::{Color, Move};

/// After how many checks of a side since the last capture its further checks stop
/// counting towards the move limit (WXF/AXF manual).
const COUNTED_CHECKS: u16 = 10;

impl Position {
    /// Makes a pseudo-legal move.
    ///
    /// # Panics
    /// If no man stands on the move's first square. The general being left in check is
    /// not noticed here: ask [`Position::is_legal`] first.
    #[inline(always)]
    pub fn make(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else {
            panic!("no man on {from} to move");
        };
        self.history.push(self.state);
        let captured = self.piece_on(to);
        if let Some(victim) = captured {
            self.state.captured_slot = self.take::<true>(victim, to);
        }
        self.shift::<true>(self.side, piece, from, to);

        let answered_check = self.in_check();
        let state = &mut self.state;
        state.last_move = Some(mv);
        state.moved = Some(piece);
        state.captured = captured;
        if captured.is_some() {
            state.halfmoves = 0;
            state.reversible = 0;
            state.checks = [0; 2];
            state.beyond_ten = 0;
        } else {
            state.halfmoves = state.halfmoves.saturating_add(1);
            state.reversible = state.reversible.saturating_add(1);
        }
        let mover = self.side;
        self.turn();
        self.look_at_king();
        if captured.is_none() && (answered_check || self.in_check()) {
            self.count_checks(mover, answered_check);
        }
    }

    /// Counts a quiet check by `mover`, or its answer to one, for the move limit.
    fn count_checks(&mut self, mover: Color, answered_check: bool) {
        let in_check = self.in_check();
        let checks = &mut self.state.checks;
        if in_check {
            checks[mover as usize] = checks[mover as usize].saturating_add(1);
        }
        let beyond = in_check && checks[mover as usize] > COUNTED_CHECKS
            || answered_check && checks[!mover as usize] > COUNTED_CHECKS;
        self.state.beyond_ten = self.state.beyond_ten.saturating_add(u16::from(beyond));
    }

    /// Takes the last move back. Does nothing where there is none.
    #[inline(always)]
    pub fn undo(&mut self) {
        let Some(previous) = self.history.pop() else {
            return;
        };
        if let (Some(mv), Some(piece)) = (self.state.last_move, self.state.moved) {
            // The keys come back with the saved state.
            self.shift::<false>(!self.side, piece, mv.to(), mv.from());
            if let Some(victim) = self.state.captured {
                self.put::<false>(victim, mv.to(), self.state.captured_slot);
            }
        }
        self.turn_back(previous);
    }

    /// Passes the turn without a move, for null move pruning. The side to move must
    /// not be in check. Undone by [`Self::undo`].
    pub fn make_null(&mut self) {
        debug_assert!(!self.in_check());
        self.history.push(self.state);
        self.state.last_move = None;
        self.state.moved = None;
        self.state.captured = None;
        self.state.halfmoves = self.state.halfmoves.saturating_add(1);
        self.state.reversible = 0;
        self.turn();
        self.look_at_king();
    }

    #[inline]
    fn turn(&mut self) {
        self.side = !self.side;
        self.ply += 1;
        self.state.keys.toggle_side();
    }

    #[inline]
    fn turn_back(&mut self, previous: State) {
        self.side = !self.side;
        self.ply -= 1;
        self.state = previous;
    }
}
