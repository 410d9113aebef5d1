//! Iterative deepening at the root: aspiration windows, several lines, and when to stop.

use std::time::Duration;

use smallvec::SmallVec;

use super::history::Context;
use super::manner::{favoured, unfavoured};
use super::negamax::{Node, is_ordinary};
use super::params::{ASPIRATION_DEPTH, aspiration_window};
use super::repetition::{discounted, forfeits, undiscounted};
use super::table::{Hit, depends_on_path};
use super::worker::{RootMove, Worker};
use super::{Bound, Event, EventSink, Limits, SearchInfo, SearchOptions, SearchResult};
use crate::rules::Rules;
use crate::types::{INFINITE, MATE, MAX_EVAL, MAX_PLY, Move, MoveList, Score, Value, mated_in};

/// The moves being searched are named only after this time, and bounds told only then.
const QUIET_TIME: Duration = Duration::from_secs(3);

/// Whom a search serves: its settings and where its events go.
#[derive(Clone, Copy)]
pub(super) struct Client<'a> {
    pub(super) limits: &'a Limits,
    pub(super) options: &'a SearchOptions,
    pub(super) sink: &'a dyn EventSink,
}

/// How steady the best move and its value have been.
#[derive(Default)]
struct Steadiness {
    best: Option<Move>,
    value: Value,
    /// For how many iterations the best move has stood.
    iterations: u32,
}

impl Worker {
    /// Searches the position that was set up, telling the client, until a limit is reached.
    pub(super) fn iterate(&mut self, client: Client<'_>) -> SearchResult {
        self.fill_root_moves(client);
        if self.root_moves.is_empty() {
            return self.no_move(client);
        }
        let strength = client.options.strength;
        if let Some(strength) = strength {
            self.node_limit = self.node_limit.min(strength.nodes());
        }
        let asked = client.options.multipv.clamp(1, self.root_moves.len());
        let lines = strength.map_or(asked, |strength| {
            strength.lines().min(self.root_moves.len())
        });
        let deepest = client.limits.depth.unwrap_or(u32::MAX);
        let deepest = deepest.clamp(1, MAX_PLY as u32 - 1);
        let mut steadiness = Steadiness::default();
        let mut finished = self.root_moves.clone();
        let mut depth = 0;
        while depth < deepest {
            self.search_iteration(client, depth + 1, lines);
            if self.stopped {
                break;
            }
            depth += 1;
            self.tell_lines(client, depth, asked);
            if self.index > 0 {
                self.team.report(self.index, self.result(depth));
            }
            finished.clone_from(&self.root_moves);
            if self.is_done(client, lines, &mut steadiness) {
                break;
            }
        }
        if self.index > 0 && client.limits.depth.is_some() && !self.stopped {
            self.signals.reach_depth();
        }
        if self.stopped {
            // Another thread has done all of this iteration: its result counts.
            let overtaken = self.signals.depth_reached();
            if !overtaken && self.is_usable(lines, depth) {
                depth += 1;
            } else {
                self.fall_back(finished);
            }
            self.tell_lines(client, depth.max(1), asked);
        }
        self.keep_root(client, depth);
        if let Some(strength) = strength {
            self.choose_by_strength(strength, lines, client.options.luck);
            self.tell_lines(client, depth.max(1), asked);
        }
        self.result(depth)
    }

    /// Notes in the table what the search has found, for who asks for it later; not the worth
    /// of a move that was chosen from a few, or valued for more than the position.
    fn keep_root(&self, client: Client<'_>, depth: u32) {
        let limits = client.limits;
        let is_free = limits.search_moves.is_empty() && limits.ban_moves.is_empty();
        let best = &self.root_moves[0];
        let is_plain = best.favour == 0 && !best.repeats && best.is_known();
        if self.index > 0 || !is_free || !is_plain {
            return;
        }
        let (value, bound) = self.known_value(best);
        let entry = Hit {
            mv: Some(best.mv),
            value,
            depth: depth as i32,
            bound,
            pv: true,
        };
        self.table.store(self.position.key(), 0, entry);
    }

    /// Whether what an iteration found before it was cut short is better than the last
    /// complete one, `depth` deep. Several lines only make sense together, and a best
    /// move that turned out bad may be so alone: the others were not tried yet.
    fn is_usable(&self, lines: usize, depth: u32) -> bool {
        let best = &self.root_moves[0];
        if lines > 1 {
            depth == 0 && best.value > -INFINITE
        } else {
            best.value > -MAX_EVAL && best.bound != Bound::Upper
        }
    }

    /// Goes back to the last complete iteration, but does not play a move that the
    /// unfinished one saw lose while any other may do.
    fn fall_back(&mut self, finished: Vec<RootMove>) {
        let tried = std::mem::replace(&mut self.root_moves, finished);
        let lost = tried[0].value > -INFINITE && tried[0].value < -MAX_EVAL;
        let best = &self.root_moves[0];
        if lost && best.mv == tried[0].mv && (best.value >= -MAX_EVAL || !best.is_known()) {
            self.root_moves.rotate_left(1);
        }
    }

    fn search_iteration(&mut self, client: Client<'_>, depth: u32, lines: usize) {
        self.root_depth = depth;
        for root_move in &mut self.root_moves {
            if root_move.value > -INFINITE {
                root_move.previous = root_move.value;
            }
            root_move.value = -INFINITE;
        }
        for line in 0..lines {
            self.first_root_move = line;
            self.seldepth = 0;
            self.search_line(client, depth);
            if self.stopped {
                return;
            }
            self.root_moves[..=line].sort_by_key(|root_move| -root_move.value);
        }
    }

    /// Lists the moves to search. A restriction that leaves none is not obeyed.
    fn fill_root_moves(&mut self, client: Client<'_>) {
        let mut legal = MoveList::new();
        self.position.legal_moves(&mut legal);
        let Limits {
            search_moves,
            ban_moves,
            ..
        } = client.limits;
        let notice = |text: &str| client.sink.emit(&Event::Notice(text.to_owned()));
        let mut moves: Vec<Move> = legal.iter().filter(|mv| !ban_moves.contains(mv)).collect();
        if moves.is_empty() && !legal.is_empty() {
            notice("banmoves leaves no legal move and is ignored");
            moves = legal.iter().collect();
        }
        if !search_moves.is_empty() && !moves.is_empty() {
            let chosen = moves.iter().filter(|mv| search_moves.contains(mv));
            let chosen: Vec<Move> = chosen.copied().collect();
            if chosen.is_empty() {
                notice("searchmoves leaves no legal move and is ignored");
            } else {
                moves = chosen;
            }
        }
        if client.options.multipv == 1 && Rules::is_repeated(&self.position) {
            let fair = |mv: &Move| !forfeits(&self.rules, &self.position, *mv);
            let others: Vec<Move> = moves.iter().copied().filter(fair).collect();
            if !others.is_empty() {
                moves = others;
            }
        }
        self.root_moves = moves
            .into_iter()
            .map(|mv| RootMove::new(mv, client.options.favour(mv)))
            .collect();
        if client.options.avoid_circles {
            for root_move in &mut self.root_moves {
                self.position.make(root_move.mv);
                root_move.repeats = Rules::is_repeated(&self.position);
                self.position.undo();
            }
        }
    }

    /// The side to move has lost: mated or stalemated.
    fn no_move(&self, client: Client<'_>) -> SearchResult {
        let info = SearchInfo {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            score: Score::from_value(mated_in(0)),
            bound: Bound::Exact,
            nodes: 0,
            time: self.started.elapsed(),
            hashfull: self.table.hashfull(),
            pv: SmallVec::new(),
        };
        client.sink.emit(&Event::Info(info));
        SearchResult {
            best: None,
            ponder: None,
            value: mated_in(0),
            depth: 0,
            nodes: 0,
            pv: Vec::new(),
        }
    }

    /// One line of one iteration, in a window around its last value that widens on demand.
    fn search_line(&mut self, client: Client<'_>, depth: u32) {
        let first = self.first_root_move;
        let previous = self.root_moves[first].previous;
        let mut delta = aspiration_window();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= ASPIRATION_DEPTH && is_ordinary(previous) {
            (alpha, beta) = (previous - delta, previous + delta);
        }
        let mut failed_high = 0;
        loop {
            let shallower = (depth as i32 - failed_high).max(1);
            let value = self.search_root(client, alpha, beta, shallower);
            self.root_moves[first..].sort_by_key(|root_move| -root_move.value);
            if self.stopped {
                return;
            }
            if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (value - delta).max(-INFINITE);
                failed_high = 0;
            } else if value >= beta {
                beta = (value + delta).min(INFINITE);
                failed_high = (failed_high + 1).min(3);
            } else {
                return;
            }
            if client.options.multipv == 1 && self.started.elapsed() >= QUIET_TIME {
                self.tell_line(client, depth, 0);
            }
            delta += delta / 2;
            if !is_ordinary(value) {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Searches the root moves from the first that is not yet a better line.
    fn search_root(
        &mut self,
        client: Client<'_>,
        mut alpha: Value,
        beta: Value,
        depth: i32,
    ) -> Value {
        self.frames[0].pv.clear();
        self.frames[1].killers = [None; 2];
        self.frames[1].cutoffs = 0;
        self.frames[2].cutoffs = 0;
        let root = Node {
            ply: 0,
            alpha,
            beta,
            depth,
            cut: false,
        };
        let outlook = self.outlook(0, None, true);
        let mut best = -INFINITE;
        for index in self.first_root_move..self.root_moves.len() {
            let mv = self.root_moves[index].mv;
            let number = index - self.first_root_move + 1;
            if self.started.elapsed() >= QUIET_TIME {
                client.sink.emit(&Event::CurrentMove {
                    mv,
                    number: index + 1,
                });
            }
            let before = self.nodes;
            let RootMove {
                repeats, favour, ..
            } = self.root_moves[index];
            let bound = |value: Value| {
                let value = unfavoured(value, favour);
                if repeats { undiscounted(value) } else { value }
            };
            let node = Node {
                alpha: bound(alpha),
                beta: bound(beta),
                ..root
            };
            let step = self.step::<true>(&node, &outlook, &Context::default(), mv, number);
            self.make(0, mv);
            let value = self.search_child::<true>(&node, &step, best, &Context::default());
            self.undo();
            let value = if repeats { discounted(value) } else { value };
            let value = favoured(value, favour);
            let nodes = self.nodes - before;
            let seldepth = self.seldepth;
            let root_move = &mut self.root_moves[index];
            root_move.nodes += nodes;
            if self.stopped {
                return 0;
            }
            if number == 1 || value > alpha {
                root_move.value = value;
                root_move.bound = match value {
                    _ if value <= alpha => Bound::Upper,
                    _ if value >= beta => Bound::Lower,
                    _ => Bound::Exact,
                };
                root_move.seldepth = seldepth;
                root_move.pv.clear();
                root_move.pv.push(mv);
                root_move.pv.extend_from_slice(&self.frames[1].pv);
            } else {
                // Sorting is stable: the others keep their order.
                root_move.value = -INFINITE;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Whether no further iteration is wanted.
    fn is_done(&mut self, client: Client<'_>, lines: usize, steadiness: &mut Steadiness) -> bool {
        let best = &self.root_moves[0];
        let fall = steadiness.value - best.value;
        if steadiness.best == Some(best.mv) {
            steadiness.iterations += 1;
        } else {
            steadiness.iterations = 0;
            steadiness.best = Some(best.mv);
        }
        steadiness.value = best.value;
        if let Some(moves) = client.limits.mate
            && MATE - best.value.abs() <= 2 * moves.min(MAX_PLY as u32) as Value
        {
            return true;
        }
        if client
            .limits
            .soft_nodes
            .is_some_and(|soft| self.total_nodes() >= soft)
        {
            return true;
        }
        if lines == 1 && self.has_mated(client) {
            return true;
        }
        let share = best.nodes as f64 / self.nodes.max(1) as f64;
        let Some(mut soft) = self.budget.soft_for(steadiness.iterations, share, fall) else {
            return false;
        };
        if self.root_moves.len() == 1 && lines == 1 {
            // Nothing to decide.
            soft = Duration::ZERO;
        }
        match self.signals.time_on_clock() {
            Some(used) => used >= soft,
            None => {
                // Long enough already to answer as soon as the pondered move is played.
                self.stop_on_ponder_hit = self.started.elapsed() >= soft;
                false
            }
        }
    }

    /// Whether the game is as good as over and time would be wasted on more: a mate within
    /// the depth of this iteration, when it matters how long the search takes.
    fn has_mated(&self, client: Client<'_>) -> bool {
        let best = &self.root_moves[0];
        let timed = client.limits.clock.is_some() || client.limits.movetime.is_some();
        client.options.stop_at_mate
            && timed
            && client.limits.mate.is_none()
            && self.signals.time_on_clock().is_some()
            && best.bound == Bound::Exact
            && best.value > MAX_EVAL
            && MATE - best.value <= self.root_depth as Value
    }

    /// Tells the best lines.
    fn tell_lines(&self, client: Client<'_>, depth: u32, lines: usize) {
        for line in 0..lines {
            // Cut short, the first iteration may not have come to all lines.
            if line == 0 || self.root_moves[line].is_known() {
                self.tell_line(client, depth, line);
            }
        }
    }

    fn tell_line(&self, client: Client<'_>, depth: u32, line: usize) {
        let root_move = &self.root_moves[line];
        let (value, bound) = self.known_value(root_move);
        if line == 0 && depends_on_path(value) {
            let side = self.position.side();
            let loser = if value > 0 { !side } else { side };
            client.sink.emit(&Event::Notice(format!(
                "{loser} loses by {}: only a forbidden repetition is left to it",
                self.rules.set
            )));
        }
        client.sink.emit(&Event::Info(SearchInfo {
            depth,
            seldepth: root_move.seldepth.max(depth),
            multipv: line + 1,
            score: Score::from_value(value),
            bound,
            nodes: self.total_nodes(),
            time: self.started.elapsed(),
            hashfull: self.table.hashfull(),
            pv: SmallVec::from_slice(&root_move.pv),
        }));
    }

    /// The last value found for a root move; the static one where not even the first
    /// iteration came to it.
    fn known_value(&self, root_move: &RootMove) -> (Value, Bound) {
        let told = |value| unfavoured(value, root_move.favour);
        if root_move.value > -INFINITE {
            (told(root_move.value), root_move.bound)
        } else if root_move.previous > -INFINITE {
            (told(root_move.previous), Bound::Exact)
        } else {
            (self.root_value, Bound::Exact)
        }
    }

    fn result(&self, depth: u32) -> SearchResult {
        let best = &self.root_moves[0];
        SearchResult {
            best: Some(best.mv),
            ponder: self.expected_reply(best),
            value: self.known_value(best).0,
            depth,
            nodes: self.nodes,
            pv: best.pv.clone(),
        }
    }

    /// The second move of the line or, if the line is but one move long, the table's.
    fn expected_reply(&self, best: &RootMove) -> Option<Move> {
        if let Some(&reply) = best.pv.get(1) {
            return Some(reply);
        }
        let mut position = self.position.clone();
        position.make(best.mv);
        let reply = self.table.probe(position.key(), 1)?.mv?;
        position.is_legal(reply).then_some(reply)
    }
}
