//! The loop: takes lines, runs commands, writes answers.

mod probe;
mod setoption;

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::books::Books;
use super::dialect::{Dialect, Style};
use super::game::read_game;
use super::go::{describe, read_go};
use super::input::{Input, read_lines};
use super::moves::{Ranks, read_choice};
use super::options::{MAX_RATING, read_check, split_word};
use super::output::Output;
use super::parting::{Farewell, Terms};
use super::ucci;
use crate::engine::Engine;
use crate::eval::Evaluation;
use crate::nnue::{Network, embedded};
use crate::position::Position;
use crate::rules::DEFAULT_MOVE_LIMIT;
use crate::search::{Bound, Event, EventSink, Limits, MAX_LEVEL, SearchInfo};
use crate::types::{Score, Value};

/// What a typed command is about.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The position that was set.
    pub position: Position,
    /// What positions are worth.
    pub evaluation: Evaluation,
}

/// Runs a typed command on the scene with the words after its own: it writes lines,
/// returns soon after the flag is set, and says what is wrong with the words.
pub type Typed = fn(&Scene, &[&str], &AtomicBool, &mut dyn FnMut(&str)) -> Result<(), String>;

/// A command for a person at the keyboard, supplied by the program that runs the loop.
#[derive(Clone, Copy, Debug)]
pub struct TypedCommand {
    /// The word that calls it. The one called `perft` is also called by `go perft`.
    pub word: &'static str,
    /// Whether it is done in no time, so that it need not stop a search; what it writes
    /// then stays together.
    pub quick: bool,
    /// What it does.
    pub run: Typed,
}

impl TypedCommand {
    fn run(&self, scene: &Scene, words: &[&str], stop: &AtomicBool, output: &Output) {
        let mut lines = Vec::new();
        let mut write = |line: &str| {
            if self.quick {
                lines.push(line.to_owned());
            } else {
                output.line(line);
            }
        };
        let outcome = (self.run)(scene, words, stop, &mut write);
        output.lines(&lines);
        if let Err(error) = outcome {
            output.notice(&format!("{}: {error}", self.word));
        }
    }
}

/// Speaks UCI or UCCI until `quit`, the end of `input`, or the end of whoever reads `output`.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    typed: &'static [TypedCommand],
) {
    let (wake, inputs) = mpsc::channel();
    read_lines(input, wake.clone());
    let mut session = Session {
        engine: Engine::new(),
        output: Arc::new(Output::new(output, wake.clone())),
        wake,
        typed,
        waiting: VecDeque::new(),
        search: None,
        task: None,
        batch: false,
        unit_ms: 1,
        sixty_moves: true,
        move_limit: DEFAULT_MOVE_LIMIT,
        network: embedded(),
        classical: false,
        show_wdl: false,
        level: MAX_LEVEL,
        limit_strength: false,
        rating: MAX_RATING as u32,
        books: Books::default(),
        debug: false,
        resign: None,
        offers_draws: false,
        rank_base: 0,
        stop_is_due: false,
    };
    session.engine.set_stop_at_mate(true);
    session.engine.set_avoid_circles(true);
    for input in inputs {
        if session.take(input) == Next::Leave {
            break;
        }
    }
    session.close();
}

/// Whether the loop goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    Continue,
    Leave,
}

/// Whether this is a line that begins with the word.
fn calls(input: &Input, word: &str) -> bool {
    matches!(input, Input::Line(line) if split_word(line).0.eq_ignore_ascii_case(word.as_bytes()))
}

struct Session {
    engine: Engine,
    output: Arc<Output>,
    wake: Sender<Input>,
    typed: &'static [TypedCommand],
    /// What came while it had to wait for an answer.
    waiting: VecDeque<Input>,
    /// The last search.
    search: Option<Search>,
    /// The last typed command that runs beside the loop.
    task: Option<Task>,
    batch: bool,
    /// Milliseconds in a unit of UCCI's clocks.
    unit_ms: u64,
    /// Whether `move_limit` applies.
    sixty_moves: bool,
    /// After how many plies without a capture a game is drawn.
    move_limit: u32,
    /// The net to evaluate with, if there is one,
    network: Option<Arc<Network>>,
    /// and if it is to be used.
    classical: bool,
    /// Whether to tell the chances with every score.
    show_wdl: bool,
    /// How well to play by level, and by rating if that is what counts.
    level: f64,
    limit_strength: bool,
    rating: u32,
    books: Books,
    /// Whether to tell what is ignored and how `go` was understood.
    debug: bool,
    /// By how many centipawns the engine must be behind to resign, if it does.
    resign: Option<Value>,
    /// Whether draws are offered unasked.
    offers_draws: bool,
    /// The number of the first rank in UCI.
    rank_base: u64,
    /// The last `go` or long typed command was answered and no `stop` has come since: the
    /// one that comes may have crossed the answer on its way.
    stop_is_due: bool,
}

struct Search {
    printer: Arc<Printer>,
    /// Nothing but `stop` ends it.
    infinite: bool,
    /// It cannot end before `ponderhit`.
    pondering: bool,
}

struct Task {
    stop: Arc<AtomicBool>,
    ended: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Session {
    fn take(&mut self, input: Input) -> Next {
        if let Input::Line(line) = &input {
            self.output.heard(line);
        }
        match input {
            Input::Answered => {}
            // The word of a task that was stopped may come when the next one runs.
            Input::TaskEnded => {
                let ended = |task: &Task| task.ended.load(Ordering::Acquire);
                if self.task.as_ref().is_some_and(ended) {
                    self.end_task();
                }
            }
            Input::HungUp => return Next::Leave,
            input if self.must_wait(&input) => self.waiting.push_back(input),
            input => return self.handle(input),
        }
        self.work_off()
    }

    /// Runs what waits as far as nothing stands in its way. A `stop` that waits ends all
    /// that was asked for before it.
    fn work_off(&mut self) -> Next {
        loop {
            if !self.is_occupied() {
                match self.waiting.pop_front().map(|input| self.handle(input)) {
                    Some(Next::Continue) => continue,
                    Some(Next::Leave) => return Next::Leave,
                    None => return Next::Continue,
                }
            }
            let is_stopped = self.waiting.iter().any(|input| calls(input, "stop"));
            let Some(task) = &self.task else {
                if !is_stopped {
                    return Next::Continue;
                }
                self.engine.finish();
                continue;
            };
            // A typed command may take long to heed its flag: it is not waited for here.
            if is_stopped {
                task.stop.store(true, Ordering::Relaxed);
            }
            // `quit` does not wait for it; the end of input does, like any line before it.
            let quit = self.waiting.iter().position(|input| calls(input, "quit"));
            return match quit.and_then(|index| self.waiting.remove(index)) {
                Some(quit) => self.handle(quit),
                None => Next::Continue,
            };
        }
    }

    fn handle(&mut self, input: Input) -> Next {
        match input {
            Input::Line(line) => self.execute(&line),
            _ => Next::Leave,
        }
    }

    /// Whether something runs that further commands wait for: a typed command, or with
    /// UCCI's `batch` a search that ends of itself.
    fn is_occupied(&self) -> bool {
        let in_batch = self.batch && self.output.dialect() == Dialect::Ucci;
        let ends_of_itself = |search: &Search| !search.infinite && !search.pondering;
        self.task.is_some()
            || in_batch && self.is_searching() && self.search.as_ref().is_some_and(ends_of_itself)
    }

    fn is_searching(&self) -> bool {
        self.search
            .as_ref()
            .is_some_and(|search| !search.printer.answered.load(Ordering::Acquire))
    }

    /// Commands keep their order, but these that are about what runs never wait.
    fn must_wait(&self, input: &Input) -> bool {
        let about_what_runs = calls(input, "ponderhit") || calls(input, "isready");
        !about_what_runs && (self.is_occupied() || !self.waiting.is_empty())
    }

    fn execute(&mut self, line: &[u8]) -> Next {
        let text = String::from_utf8_lossy(line);
        let words: Vec<&str> = text.split_whitespace().collect();
        let [first, rest @ ..] = words.as_slice() else {
            return Next::Continue;
        };
        match first.to_ascii_lowercase().as_str() {
            "uci" => self.open(Dialect::Uci),
            "ucci" => self.open(Dialect::Ucci),
            "isready" => self.output.line("readyok"),
            "setoption" => self.set_option(split_word(line).1),
            "ucinewgame" | "uccinewgame" => self.engine.new_game(),
            "position" => self.set_position(&rest.join(" ")),
            "fen" | "startpos" => self.set_position(&text),
            "banmoves" => self.ban_moves(rest),
            "go" => match rest {
                [word, rest @ ..] if word.eq_ignore_ascii_case("perft") => {
                    self.run_typed("perft", rest);
                }
                _ => self.go(rest),
            },
            "stop" => self.stop(),
            "ponderhit" => self.ponder_hit(rest),
            "probe" => self.probe(&rest.join(" ")),
            "debug" => match rest.first().and_then(|word| read_check(word.as_bytes())) {
                Some(on) => self.debug = on,
                None => self.output.notice("debug needs on or off"),
            },
            "quit" => return self.quit(),
            word => self.run_typed(word, rest),
        }
        Next::Continue
    }

    fn open(&mut self, dialect: Dialect) {
        self.output.speak(dialect);
        for line in dialect.handshake() {
            self.output.line(&line);
        }
    }

    fn set_position(&mut self, text: &str) {
        self.engine.finish();
        let game = match read_game(text, self.ranks()) {
            Ok(game) => game,
            Err(error) => {
                self.output
                    .notice(&format!("position refused, the former one stays: {error}"));
                return;
            }
        };
        self.engine.set_position(game.position);
        for warning in game.warnings {
            self.output.notice(&format!("odd position: {warning}"));
        }
        if let Some(word) = game.stray {
            self.output.notice(&format!(
                "position: {word:?} is not understood, moves follow the word moves"
            ));
        }
        if let Some(refused) = game.refused {
            self.output
                .notice(&format!("illegal move, the list ends before it: {refused}"));
        }
    }

    fn ban_moves(&mut self, words: &[&str]) {
        let (moves, refused) = read_choice(self.engine.position(), words, self.ranks());
        for refused in refused {
            self.output.notice(&format!("banmoves: {refused}"));
        }
        self.engine.ban_moves(moves);
    }

    fn go(&mut self, words: &[&str]) {
        self.engine.finish();
        let go = read_go(self.engine.position(), words, self.unit_ms, self.ranks());
        for notice in &go.notices {
            self.output.notice(notice);
        }
        self.remark(&format!("go: {}", describe(&go.limits)));
        self.stop_is_due = true;
        if go.evaluate_only && self.output.dialect() == Dialect::Ucci {
            let score = ucci::score(Score::from_value(self.engine.evaluate()));
            self.output.line(&format!("info depth 0 score {score}"));
            self.output.line(ucci::NO_MOVE);
            return;
        }
        if self.answer_from_book(&go.limits) {
            return;
        }
        let printer = Arc::new(Printer {
            output: self.output.clone(),
            style: Style {
                numbered: self.engine.multipv() > 1,
                ..self.style()
            },
            farewell: Farewell::new(self.terms(), go.draw_offered),
            wake: self.wake.clone(),
            answered: AtomicBool::new(false),
        });
        self.search = Some(Search {
            printer: printer.clone(),
            infinite: go.limits.infinite,
            pondering: go.limits.ponder,
        });
        self.engine.go(go.limits, printer);
    }

    /// How moves count the ranks where they do not tell.
    fn ranks(&self) -> Ranks {
        if self.rank_base == 1 && self.output.dialect() == Dialect::Uci {
            Ranks::FromOne
        } else {
            Ranks::FromZero
        }
    }

    fn style(&self) -> Style {
        Style {
            ranks: self.ranks(),
            numbered: false,
            wdl: self.show_wdl,
        }
    }

    /// When to accept a draw, to offer one and to resign.
    fn terms(&self) -> Terms {
        Terms {
            resign: self.resign,
            offers: self.offers_draws,
            draw_value: self.engine.draw_value(),
            quiet_plies: u32::from(self.engine.position().state().halfmoves),
        }
    }

    /// Tells who debugs a client what would else pass in silence.
    fn remark(&self, text: &str) {
        if self.debug {
            self.output.notice(text);
        }
    }

    /// Answers with a move of a book, if a game is played and a book knows one.
    fn answer_from_book(&mut self, limits: &Limits) -> bool {
        if self.engine.multipv() > 1 || self.engine.analyses() {
            return false;
        }
        let (position, banned) = (self.engine.position(), self.engine.banned_moves());
        let rules = self.engine.rules();
        let moves = self.books.moves(position, &rules, limits, banned);
        let Some(chosen) = self.books.choose(&moves) else {
            return false;
        };
        let style = self.style();
        let words: Vec<String> = moves
            .iter()
            .map(|known| format!("{} {}", style.ranks.write(known.mv), known.weight))
            .collect();
        self.output.notice(&format!("book: {}", words.join(", ")));
        // Some clients want a score and a line before every answer.
        let info = SearchInfo {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            score: Score::from_value(self.engine.evaluate()),
            bound: Bound::Exact,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            pv: [chosen.mv].into_iter().collect(),
        };
        let dialect = self.output.dialect();
        if let Some(line) = dialect.info(&info, style) {
            self.output.line(&line);
        }
        self.output
            .line(&dialect.best_move(style.ranks, Some(chosen.mv), None, None));
        true
    }

    fn stop(&mut self) {
        let was_idle = !self.is_searching();
        self.engine.finish();
        if was_idle && !self.stop_is_due && self.output.dialect() == Dialect::Ucci {
            self.output.line(ucci::NO_MOVE);
        }
        self.stop_is_due = false;
    }

    fn end_task(&mut self) {
        if let Some(task) = self.task.take()
            && task.thread.join().is_err()
        {
            log::error!("a typed command panicked");
        }
    }

    fn ponder_hit(&mut self, words: &[&str]) {
        if let Some(search) = &mut self.search {
            search.pondering = false;
            if words.iter().any(|word| word.eq_ignore_ascii_case("draw")) {
                search.printer.farewell.offer();
            }
        }
        self.engine.ponder_hit();
    }

    fn quit(&mut self) -> Next {
        self.engine.finish();
        if self.output.dialect() == Dialect::Ucci {
            self.output.line("bye");
        }
        Next::Leave
    }

    /// Ends the search with its answer; a typed command is left to itself, unheard.
    fn close(&mut self) {
        if let Some(task) = &self.task {
            task.stop.store(true, Ordering::Relaxed);
        }
        self.engine.finish();
        self.output.close();
    }

    /// Runs a command for a person, or nothing if there is none of this name.
    fn run_typed(&mut self, word: &str, words: &[&str]) {
        let Some(&command) = self.typed.iter().find(|command| command.word == word) else {
            self.remark(&format!("no command of this name, ignored: {word}"));
            return;
        };
        let scene = Scene {
            position: self.engine.position().clone(),
            evaluation: self.engine.evaluation().clone(),
        };
        let output = self.output.clone();
        let stop = Arc::new(AtomicBool::new(false));
        if command.quick {
            command.run(&scene, words, &stop, &output);
            return;
        }
        self.engine.finish();
        self.stop_is_due = true;
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let wake = self.wake.clone();
        let ended = Arc::new(AtomicBool::new(false));
        let (heard, tell) = (stop.clone(), ended.clone());
        let thread = thread::spawn(move || {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            command.run(&scene, &words, &heard, &output);
            tell.store(true, Ordering::Release);
            let _ = wake.send(Input::TaskEnded);
        });
        self.task = Some(Task {
            stop,
            ended,
            thread,
        });
    }
}

/// Writes what one search tells.
struct Printer {
    output: Arc<Output>,
    style: Style,
    farewell: Farewell,
    wake: Sender<Input>,
    answered: AtomicBool,
}

impl EventSink for Printer {
    fn emit(&self, event: &Event) {
        match event {
            Event::Info(info) => {
                if info.multipv == 1 {
                    self.farewell.hear(info.score);
                }
                if let Some(line) = self.output.dialect().info(info, self.style) {
                    self.output.line(&line);
                }
            }
            Event::CurrentMove { mv, number } => self.output.line(&format!(
                "info currmove {} currmovenumber {number}",
                self.style.ranks.write(*mv)
            )),
            Event::Notice(text) => self.output.notice(text),
            Event::BestMove { best, ponder } => {
                // First, so that a client that has read the line finds the search ended.
                self.answered.store(true, Ordering::Release);
                let parting = self.farewell.parting();
                let dialect = self.output.dialect();
                let line = dialect.best_move(self.style.ranks, *best, *ponder, parting);
                self.output.line(&line);
                let _ = self.wake.send(Input::Answered);
            }
        }
    }
}
