//! One game between two engines.

use std::time::{Duration, Instant};

use super::arbiter::Arbiter;
use super::dialect::{Clock, Limit, Reply};
use super::openings::Opening;
use super::player::{Answer, Place, Player, Question, Stop};
use super::record::{EndKind, Ending, GameRecord, MoveRecord};
use super::settings::Terms;
use super::spec::{Protocol, TimeControl};
use crate::types::{Color, Move};

/// From this many plies without a capture on, `nobestmove` of a UCCI engine is taken for
/// the dead draw that the protocol lets it mean. ElephantEye says it after 50 rounds.
const DEAD_DRAW_PLIES: u16 = 100;

/// A side's time.
struct SideClock {
    tc: TimeControl,
    left: Duration,
    moves_left: u32,
}

impl SideClock {
    fn new(tc: TimeControl) -> Self {
        let (left, moves_left) = match tc {
            TimeControl::Clock { base, moves, .. } => (base, moves.unwrap_or(0)),
            _ => (Duration::ZERO, 0),
        };
        Self {
            tc,
            left,
            moves_left,
        }
    }

    /// The clock as `go` tells it, if the side has one.
    fn told(&self) -> Option<Clock> {
        match self.tc {
            TimeControl::Clock {
                moves, increment, ..
            } => Some(Clock {
                left: self.left,
                increment,
                moves: moves.map(|_| self.moves_left),
            }),
            _ => None,
        }
    }

    /// The time after which an answer is too late, margin included.
    fn patience(&self, terms: &Terms) -> Duration {
        let margin = Duration::from_millis(terms.margin);
        match self.tc {
            TimeControl::Clock { .. } => self.left + margin,
            TimeControl::MoveTime(time) => time + margin,
            TimeControl::Nodes(_) | TimeControl::Depth(_) => Duration::from_millis(terms.hang),
        }
    }

    /// Takes the time of a move off, and adds what the move earns.
    fn press(&mut self, elapsed: Duration) {
        if let TimeControl::Clock {
            moves,
            base,
            increment,
        } = self.tc
        {
            self.left = self.left.saturating_sub(elapsed) + increment;
            if let Some(moves) = moves {
                self.moves_left -= 1;
                if self.moves_left == 0 {
                    self.left += base;
                    self.moves_left = moves;
                }
            }
        }
    }
}

/// A game that is being played.
struct Game<'a> {
    terms: &'a Terms,
    arbiter: Arbiter<'a>,
    players: [&'a mut Player; 2],
    clocks: [SideClock; 2],
    moves: Vec<MoveRecord>,
    /// The side that has offered a draw with the last move.
    offer: Option<Color>,
    /// The side that has just moved and the answer that it expects.
    to_ponder: Option<(Color, Move)>,
}

/// Plays a game. `red` and `black` are the engines' numbers in the match. `None` if the
/// match is being broken off.
pub fn play(
    terms: &Terms,
    opening: &Opening,
    number: usize,
    (red, red_player): (usize, &mut Player),
    (black, black_player): (usize, &mut Player),
) -> Option<GameRecord> {
    let started = Instant::now();
    let mut record = GameRecord::new(number, red, black, opening);
    let mut game = Game {
        terms,
        arbiter: Arbiter::new(terms, opening)?,
        players: [red_player, black_player],
        clocks: [red, black].map(|engine| SideClock::new(terms.tcs[engine])),
        moves: Vec::new(),
        offer: None,
        to_ponder: None,
    };
    record.ending = game.run()?;
    game.calm()?;
    record.starts = game.players.each_mut().map(|player| player.take_starts());
    record.moves = game.moves;
    record.seconds = started.elapsed().as_secs_f64();
    Some(record)
}

impl Game<'_> {
    fn run(&mut self) -> Option<Ending> {
        for side in Color::ALL {
            if let Err(stop) = self.players[side.index()].new_game() {
                return self.failed(side, stop);
            }
        }
        loop {
            if let Some(end) = self.arbiter.end() {
                return Some(end);
            }
            self.start_pondering();
            let side = self.arbiter.side();
            match self.ask(side) {
                Ok(answer) => {
                    if let Some(end) = self.take(side, answer) {
                        return Some(end);
                    }
                }
                Err(stop) => return self.failed(side, stop),
            }
        }
    }

    /// The end of a game whose engine has failed; `None` if the match is being broken off.
    fn failed(&mut self, side: Color, stop: Stop) -> Option<Ending> {
        match stop {
            Stop::Interrupted => None,
            Stop::Failed(kind, text) => Some(self.fault(side, kind, &text)),
        }
    }

    /// A game lost by an engine that has done wrong. It is started anew for its next game.
    fn fault(&mut self, side: Color, kind: EndKind, text: &str) -> Ending {
        let player = &mut self.players[side.index()];
        Ending {
            last_lines: player.discard(),
            ..Ending::loss(side, kind, format!("{} {text}", player.spec().name))
        }
    }

    fn limit(&self, side: Color) -> Limit {
        let clock = &self.clocks[side.index()];
        match clock.tc {
            TimeControl::MoveTime(time) => Limit::MoveTime(time),
            TimeControl::Nodes(nodes) => Limit::Nodes(nodes),
            TimeControl::Depth(depth) => Limit::Depth(depth),
            TimeControl::Clock { increment, .. } => {
                let own = clock.told().unwrap_or(Clock {
                    left: clock.left,
                    increment,
                    moves: None,
                });
                // An opponent without a clock is described by one's own.
                Limit::Clocks(own, self.clocks[(!side).index()].told().unwrap_or(own))
            }
        }
    }

    fn ask(&mut self, side: Color) -> Result<Answer, Stop> {
        let limit = self.limit(side);
        let patience = self.clocks[side.index()].patience(self.terms);
        let player = &mut *self.players[side.index()];
        let spec = player.spec();
        let wants_bans = spec.banmoves && spec.proto == Protocol::Ucci;
        let bans = if wants_bans {
            self.arbiter.bans()
        } else {
            Vec::new()
        };
        player.think(&Question {
            place: self.arbiter.place(),
            bans: &bans,
            limit,
            draw: self.offer == Some(!side),
            patience,
        })
    }

    /// Judges an answer and plays its move.
    fn take(&mut self, side: Color, answer: Answer) -> Option<Ending> {
        let clock = &self.clocks[side.index()];
        let patience = clock.patience(self.terms);
        if answer.elapsed > patience {
            let text = format!(
                "lost on time: it answered after {:.3} s and had {:.3} s with the margin",
                answer.elapsed.as_secs_f64(),
                patience.as_secs_f64()
            );
            return Some(self.fault(side, EndKind::TimeForfeit, &text));
        }
        let (text, draw, resign) = match answer.reply {
            Reply::BestMove {
                mv, draw, resign, ..
            } => (mv, draw, resign),
            Reply::Resigns => (String::new(), false, true),
            Reply::NoMove | Reply::Other => return Some(self.no_move(side)),
        };
        if resign {
            let name = &self.players[side.index()].spec().name;
            let reason = format!("{name} resigned");
            return Some(Ending::loss(side, EndKind::Resignation, reason));
        }
        let mv = match answer.mv {
            Some(mv) if self.arbiter.position().is_legal(mv) => mv,
            refused => return Some(self.illegal(side, &text, refused)),
        };
        self.clocks[side.index()].press(answer.elapsed);
        self.arbiter.play(mv);
        let info = answer.info;
        let micros = answer.elapsed.as_micros() as u64;
        self.moves
            .push(MoveRecord(mv, info.score, info.depth, info.nodes, micros));
        if draw && self.offer == Some(!side) {
            let reason = "a draw was offered and accepted";
            return Some(Ending::draw(EndKind::DrawAgreed, reason));
        }
        self.offer = draw.then_some(side);
        self.to_ponder = answer.ponder.map(|expected| (side, expected));
        self.arbiter.adjudicate(info.score)
    }

    fn no_move(&mut self, side: Color) -> Ending {
        let plies = self.arbiter.position().state().halfmoves;
        let protocol = self.players[side.index()].spec().proto;
        if protocol == Protocol::Ucci && plies >= DEAD_DRAW_PLIES {
            let reason = format!("nobestmove after {plies} plies without a capture");
            return Ending::draw(EndKind::MoveLimit, reason);
        }
        let text = "gave no move though it has legal ones";
        self.fault(side, EndKind::NoMove, text)
    }

    fn illegal(&mut self, side: Color, text: &str, mv: Option<Move>) -> Ending {
        let position = self.arbiter.position();
        let why = mv.and_then(|mv| position.explain_illegal(mv));
        let why = why.map_or_else(|| "no move".into(), |why| why.to_string());
        let fen = position.fen();
        let said = format!("played `{text}` in {fen}: {why}");
        self.fault(side, EndKind::IllegalMove, &said)
    }

    /// Lets the side that has just moved think on, if it wants to and may.
    fn start_pondering(&mut self) {
        let Some((side, expected)) = self.to_ponder.take() else {
            return;
        };
        let player = &self.players[side.index()];
        let has_clock = self.clocks[side.index()].told().is_some();
        if player.spec().ponder != Some(true)
            || !has_clock
            || !self.arbiter.position().is_legal(expected)
        {
            return;
        }
        let mut then = self.arbiter.position().clone();
        then.make(expected);
        if then.has_no_moves() {
            return;
        }
        let limit = self.limit(side);
        let place = self.arbiter.place();
        let mut moves = place.moves.to_vec();
        moves.push(expected);
        let question = Question {
            place: Place {
                now: &then,
                fen: place.fen,
                moves: &moves,
            },
            bans: &[],
            limit,
            draw: false,
            patience: Duration::ZERO,
        };
        self.players[side.index()].ponder(&question, expected);
    }

    /// Stops what the engines may still think about. `None` if the match is being broken off.
    fn calm(&mut self) -> Option<()> {
        for player in &mut self.players {
            match player.stop_pondering() {
                Ok(()) => {}
                Err(Stop::Interrupted) => return None,
                Err(Stop::Failed(_, text)) => {
                    log::warn!("{} {text}; it is killed", player.spec().name);
                    player.discard();
                }
            }
        }
        Some(())
    }
}
