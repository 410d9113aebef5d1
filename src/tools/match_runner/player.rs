//! An engine at the board: started when needed, told positions, asked for moves.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::dialect::{self, Announced, GoWords, Info, Limit, RankBase, Reply};
use super::process::{EngineProcess, Interrupt, ProcessError, TrafficLog};
use super::record::EndKind;
use super::spec::{EngineSpec, Protocol};
use crate::position::Position;
use crate::types::Move;

/// How long an engine may take to answer `stop`.
const STOP_GRACE: Duration = Duration::from_secs(2);
/// How long a UCCI engine may take for its first `readyok`. Some know no `isready`; they
/// are taken to be ready, and not asked again.
const UCCI_READY: Duration = Duration::from_secs(5);

/// Why an engine cannot go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// It has failed: the game is lost.
    Failed(EndKind, String),
    /// The match is being broken off: the game does not count.
    Interrupted,
}

impl Stop {
    fn new(error: ProcessError, doing: &str) -> Self {
        let kind = match error {
            ProcessError::Interrupted => return Self::Interrupted,
            ProcessError::NotStarted(_) => EndKind::StartFailure,
            ProcessError::Silent => EndKind::Hang,
            ProcessError::Gone(_) => EndKind::Crash,
            ProcessError::Endless => EndKind::EndlessOutput,
        };
        Self::Failed(kind, format!("{error} {doing}"))
    }
}

/// A position to be told to an engine.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The position itself.
    pub now: &'a Position,
    /// What it was after the last capture.
    pub fen: &'a str,
    /// The moves since.
    pub moves: &'a [Move],
}

/// What an engine is asked.
pub struct Question<'a> {
    /// Where.
    pub place: Place<'a>,
    /// Root moves that it may not play.
    pub bans: &'a [Move],
    /// How long.
    pub limit: Limit,
    /// The opponent has offered a draw.
    pub draw: bool,
    /// When to give up, from the start of the search on.
    pub patience: Duration,
}

/// What it answers.
pub struct Answer {
    /// Its words.
    pub reply: Reply,
    /// The move, if the words are one.
    pub mv: Option<Move>,
    /// The reply that it expects.
    pub ponder: Option<Move>,
    /// The time it took.
    pub elapsed: Duration,
    /// What it said about the move.
    pub info: Info,
}

/// A process that has shaken hands.
struct Running {
    process: EngineProcess,
    announced: Announced,
    in_seconds: bool,
    answers_isready: bool,
    /// The move it ponders on.
    ponders_on: Option<Move>,
}

/// An engine of the match in one of the places at which games are played.
pub struct Player {
    spec: EngineSpec,
    label: String,
    startup: Duration,
    log: Option<Arc<TrafficLog>>,
    interrupt: Interrupt,
    running: Option<Running>,
    base: Option<RankBase>,
    /// Options that change from game to game.
    options: Vec<(String, String)>,
    starts: u32,
}

impl Player {
    /// An engine that has not been started. `label` names it in the traffic log.
    pub fn new(
        spec: EngineSpec,
        label: String,
        startup: Duration,
        log: Option<Arc<TrafficLog>>,
        interrupt: Interrupt,
    ) -> Self {
        let base = given_base(&spec);
        Self {
            spec,
            label,
            startup,
            log,
            interrupt,
            running: None,
            base,
            options: Vec::new(),
            starts: 0,
        }
    }

    /// How it was described.
    pub fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// How often it was started since this was last asked.
    pub fn take_starts(&mut self) -> u32 {
        std::mem::take(&mut self.starts)
    }

    /// Options to be set before the next game.
    pub fn set_options(&mut self, options: Vec<(String, String)>) {
        self.options = options;
    }

    /// Whether it runs and has announced this option.
    pub fn announces(&self, option: &str) -> bool {
        let running = self.running.as_ref();
        running.is_some_and(|running| running.announced.option(option).is_some())
    }

    /// Gets it ready for a game: started if it does not run, and told.
    ///
    /// # Errors
    /// If it fails to start or to answer.
    pub fn new_game(&mut self) -> Result<(), Stop> {
        if let Some(running) = &mut self.running
            && !running.process.is_alive()
        {
            log::warn!("{} has ended between two games", self.label);
            self.running = None;
        }
        if self.spec.restart == Some(true) {
            self.quit();
        }
        let startup = self.startup;
        if self.running.is_none() {
            self.starts += 1;
            let running = self.start().map_err(|error| match error {
                ProcessError::Interrupted => Stop::Interrupted,
                ProcessError::Silent => Stop::Failed(
                    EndKind::StartFailure,
                    format!("did not answer the handshake within {startup:?}"),
                ),
                error => Stop::Failed(EndKind::StartFailure, format!("{error} at the start")),
            });
            running?;
        }
        let Some(running) = &mut self.running else {
            return Ok(());
        };
        for (name, value) in &self.options {
            let line = dialect::set_option(self.spec.proto, name, value);
            running.process.send(&line);
        }
        running.process.send(match self.spec.proto {
            Protocol::Ucci => "setoption newgame",
            Protocol::Uci | Protocol::Cyclone => "ucinewgame",
        });
        running
            .wait_ready(self.spec.proto, startup)
            .map_err(|error| Stop::new(error, "before the game"))
    }

    fn start(&mut self) -> Result<(), ProcessError> {
        let process = EngineProcess::start(
            &self.spec,
            self.label.clone(),
            self.log.clone(),
            Arc::clone(&self.interrupt),
        )?;
        // Kept from here on, so that its last words are there if the handshake fails.
        let running = self.running.insert(Running {
            process,
            announced: Announced::default(),
            in_seconds: false,
            answers_isready: true,
            ponders_on: None,
        });
        running.shake_hands(&self.spec, self.startup)?;
        if self.base.is_none() && !running.announced.has_variants() {
            log::debug!("{}: coordinates unknown until its first move", self.label);
        }
        Ok(())
    }

    /// Asks for a move. An answer that comes after `patience` is an answer still, for the
    /// game to judge by its time.
    ///
    /// # Errors
    /// If it does not answer, not even to `stop`, or breaks down.
    pub fn think(&mut self, question: &Question) -> Result<Answer, Stop> {
        let (protocol, base) = (self.spec.proto, self.base);
        let Some(running) = &mut self.running else {
            return Err(Stop::Failed(EndKind::Crash, "is not running".into()));
        };
        let start = match running.ponders_on.take() {
            Some(expected) if question.place.now.state().last_move == Some(expected) => {
                let hit = match protocol {
                    Protocol::Ucci if question.draw => "ponderhit draw",
                    _ => "ponderhit",
                };
                running.process.send(hit)
            }
            Some(_) => {
                running.end_search(protocol)?;
                running.ask(protocol, base, question, false)
            }
            None => running.ask(protocol, base, question, false),
        };
        let (mut info, mut pv) = (Info::default(), Vec::new());
        let deadline = start + question.patience;
        let mut heard = running.listen(deadline, &mut info, &mut pv);
        if heard == Err(ProcessError::Silent) {
            running.process.send("stop");
            heard = running.listen(Instant::now() + STOP_GRACE, &mut info, &mut pv);
        }
        let (reply, at) = heard.map_err(|error| {
            let doing = format!("within {:?}, nor to stop", question.patience);
            match error {
                ProcessError::Silent => Stop::new(error, &doing),
                error => Stop::new(error, "while it was to move"),
            }
        })?;
        let mut answer = Answer {
            reply,
            mv: None,
            ponder: None,
            elapsed: at.saturating_duration_since(start),
            info,
        };
        if let Reply::BestMove { mv, ponder, .. } = &answer.reply {
            answer.mv = self.understand(question.place.now, mv, &pv);
            let base = self.base.unwrap_or(RankBase::Zero);
            answer.ponder = ponder.as_deref().and_then(|text| base.read(text));
        }
        Ok(answer)
    }

    /// Lets it think on the opponent's time, on the position after `expected`.
    pub fn ponder(&mut self, question: &Question, expected: Move) {
        if let Some(running) = &mut self.running {
            running.ask(self.spec.proto, self.base, question, true);
            running.ponders_on = Some(expected);
        }
    }

    /// Ends a search on the opponent's time, if there is one.
    ///
    /// # Errors
    /// If it does not stop.
    pub fn stop_pondering(&mut self) -> Result<(), Stop> {
        match &mut self.running {
            Some(running) => match running.ponders_on.take() {
                Some(_) => running.end_search(self.spec.proto),
                None => Ok(()),
            },
            None => Ok(()),
        }
    }

    /// Reads a move in the engine's coordinates, which are found out here if nobody has
    /// given them: of the two readings of its move and the line that it goes with, the
    /// one that is legal further.
    fn understand(&mut self, position: &Position, text: &str, pv: &[String]) -> Option<Move> {
        if let Some(base) = self.base {
            return base.read(text);
        }
        let line = match pv.first() {
            Some(first) if first == text => pv,
            _ => &[text.to_owned()][..],
        };
        let legal = |base| legal_plies(position, line, base);
        let (zero, one) = (legal(RankBase::Zero), legal(RankBase::One));
        let base = match zero.cmp(&one) {
            std::cmp::Ordering::Greater => RankBase::Zero,
            std::cmp::Ordering::Less => RankBase::One,
            std::cmp::Ordering::Equal => {
                let running = self.running.as_ref()?;
                return running.announced.likely_base().read(text);
            }
        };
        self.base = Some(base);
        base.read(text)
    }

    /// Kills it after a failure and returns its last lines. The next game starts it anew.
    pub fn discard(&mut self) -> Vec<String> {
        self.base = given_base(&self.spec);
        self.running
            .take()
            .map_or_else(Vec::new, |running| running.process.tail())
    }

    /// Lets it go.
    pub fn quit(&mut self) {
        if let Some(running) = self.running.take() {
            running.process.quit();
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.quit();
    }
}

/// The coordinates that need not be found out: UCCI and UCI-Cyclone have ranks from 0.
fn given_base(spec: &EngineSpec) -> Option<RankBase> {
    match (spec.base, spec.proto) {
        (Some(1), _) => Some(RankBase::One),
        (Some(_), _) | (None, Protocol::Ucci | Protocol::Cyclone) => Some(RankBase::Zero),
        (None, Protocol::Uci) => None,
    }
}

fn legal_plies(position: &Position, line: &[String], base: RankBase) -> usize {
    let mut position = position.clone();
    let mut plies = 0;
    for text in line {
        match base.read(text) {
            Some(mv) if position.is_legal(mv) => position.make(mv),
            _ => break,
        }
        plies += 1;
    }
    plies
}

impl Running {
    fn shake_hands(&mut self, spec: &EngineSpec, startup: Duration) -> Result<(), ProcessError> {
        let (hello, done) = match spec.proto {
            Protocol::Ucci => ("ucci", "ucciok"),
            Protocol::Uci | Protocol::Cyclone => ("uci", "uciok"),
        };
        let deadline = self.process.send(hello) + startup;
        loop {
            let line = self.process.receive(deadline)?;
            if dialect::begins_with(&line.text, done) {
                break;
            }
            self.announced.take(&line.text);
        }
        if spec.proto == Protocol::Ucci {
            let announced = self.announced.option("usemillisec").is_some();
            if announced && spec.milliseconds().is_none() {
                self.process.send("setoption usemillisec true");
            }
            self.in_seconds = !spec.milliseconds().unwrap_or(announced);
        } else if self.announced.has_variants() {
            self.set(spec, "UCI_Variant", "xiangqi");
        }
        if spec.ponder == Some(true) && self.announced.option("ponder").is_some() {
            let name = match spec.proto {
                Protocol::Ucci => "ponder",
                Protocol::Uci | Protocol::Cyclone => "Ponder",
            };
            self.set(spec, name, "true");
        }
        for (name, value) in &spec.options {
            self.set(spec, name, value);
        }
        self.wait_ready(spec.proto, startup)
    }

    fn set(&mut self, spec: &EngineSpec, name: &str, value: &str) {
        if self.announced.option(name).is_none() {
            log::warn!("{} has not announced the option {name}", spec.name);
        }
        let line = dialect::set_option(spec.proto, name, value);
        self.process.send(&line);
    }

    fn wait_ready(&mut self, protocol: Protocol, startup: Duration) -> Result<(), ProcessError> {
        if !self.answers_isready {
            return Ok(());
        }
        let patience = match protocol {
            Protocol::Ucci => startup.min(UCCI_READY),
            Protocol::Uci | Protocol::Cyclone => startup,
        };
        let deadline = self.process.send("isready") + patience;
        loop {
            match self.process.receive(deadline) {
                Ok(line) if dialect::begins_with(&line.text, "readyok") => return Ok(()),
                Ok(_) => {}
                Err(ProcessError::Silent) if protocol == Protocol::Ucci => {
                    self.answers_isready = false;
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Tells the position and starts a search; says when.
    fn ask(
        &mut self,
        protocol: Protocol,
        base: Option<RankBase>,
        question: &Question,
        ponder: bool,
    ) -> Instant {
        // What it has said since its last answer belongs to nothing.
        self.process.waiting().for_each(drop);
        let place = &question.place;
        let position = match base {
            Some(base) => dialect::position(protocol, place.fen, place.moves, base),
            // Its coordinates are unknown: a position without moves needs none.
            None => dialect::position(protocol, &place.now.fen(), &[], RankBase::Zero),
        };
        self.process.send(&position);
        if !question.bans.is_empty() {
            self.process.send(&dialect::ban_moves(question.bans));
        }
        let words = GoWords {
            ponder,
            draw: question.draw,
            in_seconds: self.in_seconds,
        };
        let go = dialect::go(protocol, place.now.side(), question.limit, words);
        self.process.send(&go)
    }

    /// Reads up to the answer to a search.
    fn listen(
        &mut self,
        deadline: Instant,
        info: &mut Info,
        pv: &mut Vec<String>,
    ) -> Result<(Reply, Instant), ProcessError> {
        loop {
            let line = self.process.receive(deadline)?;
            match dialect::reply(&line.text, info, pv) {
                Reply::Other => {}
                reply => return Ok((reply, line.at)),
            }
        }
    }

    /// Stops a search whose answer nobody wants.
    fn end_search(&mut self, protocol: Protocol) -> Result<(), Stop> {
        let (mut info, mut pv) = (Info::default(), Vec::new());
        // It may have answered without having been asked to.
        let answered = self
            .process
            .waiting()
            .any(|line| dialect::reply(&line.text, &mut info, &mut pv) != Reply::Other);
        if answered {
            return Ok(());
        }
        let deadline = self.process.send("stop") + STOP_GRACE;
        let ended = self.listen(deadline, &mut info, &mut pv);
        // If `stop` crossed the answer, `nobestmove` follows, which answers nothing else.
        let ended = ended.and_then(|_| match protocol {
            Protocol::Ucci => self.wait_ready(protocol, STOP_GRACE),
            Protocol::Uci | Protocol::Cyclone => Ok(()),
        });
        ended.map_err(|error| Stop::new(error, "when told to stop pondering"))
    }
}
