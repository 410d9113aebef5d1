//! The options of a match, from the command line, a TOML file or both.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::MatchError;
use super::openings::{self, Opening};
use super::spec::{EngineSpec, Protocol, TimeControl};
use super::spsa::{self, SpsaTerms};
use super::stats::Sprt;
use super::terms_text::{DrawRule, ResignRule, Rule};
use crate::notation::Notation;

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tournament {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first engine meets each of the others.
    Gauntlet,
}

/// What `vermilion match` takes; a configuration file has the same keys without the dashes.
#[derive(Clone, Debug, Default, clap::Args, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct MatchArgs {
    /// An engine: 'name=A cmd=PATH args="…" proto=ucci|uci|cyclone dir=DIR tc="movetime 50"
    /// base=0|1 banmoves=on ponder=on restart=on option.NAME=VALUE'; only cmd is needed
    #[arg(long = "engine", value_name = "SPEC")]
    #[serde(rename = "engine")]
    engines: Vec<EngineSpec>,
    /// Read options from a TOML file; those of the command line come first
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    config: Option<PathBuf>,
    /// Time control: BASE+INCREMENT or MOVES/BASE+INCREMENT in seconds, `movetime MS`,
    /// `nodes N` or `depth N`
    #[arg(long, value_name = "TC")]
    tc: Option<TimeControl>,
    /// Games of each pairing [default: 100]
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// Who meets whom if there are more than two engines [default: round-robin]
    #[arg(long, value_name = "KIND")]
    tournament: Option<Tournament>,
    /// Openings, one a line: a FEN or EPD, `FEN moves …`, `startpos moves …` or moves alone
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Shuffle the openings by this seed; without it they come in the order of the file
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Games played at the same time [default: 1]
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// Start the engines anew for every game
    #[arg(long)]
    restart: bool,
    /// Let engines think on the opponent's time (clock time controls)
    #[arg(long)]
    ponder: bool,
    /// What a repetition means: asian, chinese, simple, checkban or alwaysdraw [default: asian]
    #[arg(long, value_name = "RULE")]
    rule: Option<Rule>,
    /// Rounds without a capture after which the game is drawn, 0 for no such rule [default: 60]
    #[arg(long, value_name = "ROUNDS")]
    draw_moves: Option<u16>,
    /// Rounds after which a game is drawn in any case [default: 300]
    #[arg(long, value_name = "ROUNDS")]
    max_moves: Option<u32>,
    /// Give a win when both engines see it at SCORE centipawns for MOVES moves each
    #[arg(long, value_name = "MOVES,SCORE")]
    resign: Option<ResignRule>,
    /// Give a draw from move FROM when both see at most SCORE centipawns for MOVES moves each
    #[arg(long, value_name = "FROM,MOVES,SCORE")]
    draw: Option<DrawRule>,
    /// Stop when the sequential test of logistic Elo decides [alpha and beta: 0.05]
    #[arg(
        long,
        value_name = "ELO0,ELO1[,ALPHA,BETA]",
        allow_hyphen_values = true
    )]
    sprt: Option<Sprt>,
    /// Tune numbers of the one engine given: a name or a group of a build with `--features tune`
    /// (rfp, lmr, …), or any option of any engine as NAME,VALUE,MIN,MAX,STEP
    #[arg(long, value_name = "NUMBERS")]
    spsa: Vec<String>,
    /// The part of a step by which a win at the end moves a number [default: 0.01]
    #[arg(long, value_name = "RATE")]
    spsa_rate: Option<f64>,
    /// How far an engine may overstep its time, in milliseconds [default: 100]
    #[arg(long, value_name = "MS")]
    margin: Option<u64>,
    /// Time for a move at `nodes` or `depth`, in milliseconds [default: 60000]
    #[arg(long, value_name = "MS")]
    hang: Option<u64>,
    /// Time for an engine to start and to get ready, in milliseconds [default: 20000]
    #[arg(long, value_name = "MS")]
    startup: Option<u64>,
    /// Name of the event in the PGN
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// Write the games here: appended, or with --resume written whole
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write the moves of the PGN in this notation: iccs, wxf, wxf-letters, chinese,
    /// chinese-traditional, numeric or numeric-far [default: iccs]
    #[arg(long, value_name = "NOTATION")]
    notation: Option<Notation>,
    /// Write the report here as JSON; `-` for the last line of standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw Elo and LLR over the games into this SVG file (two engines)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Write all that goes between the runner and the engines here
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Keep a journal here, and go on with the match that it tells
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Print the standing every N games [default: 10]
    #[arg(long, value_name = "N")]
    report: Option<u32>,
}

/// All that decides how the games of a match go and how they count. A journal can be
/// continued only under the terms it was started with.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// The engines, with what the match says where they say nothing themselves.
    pub engines: Vec<EngineSpec>,
    /// The time control of each engine.
    pub tcs: Vec<TimeControl>,
    /// Games of each pairing.
    pub games: u32,
    /// Who meets whom.
    pub tournament: Tournament,
    /// How many openings there are.
    pub openings: usize,
    /// A fingerprint of the openings in the order in which they are played.
    pub openings_hash: u64,
    /// What a repetition means.
    pub rule: Rule,
    /// Rounds without a capture that draw; 0 for none.
    pub draw_moves: u16,
    /// Rounds that draw in any case.
    pub max_moves: u32,
    /// When a win is given.
    pub resign: Option<ResignRule>,
    /// When a draw is given.
    pub draw: Option<DrawRule>,
    /// The sequential test.
    pub sprt: Option<Sprt>,
    /// What is tuned.
    pub spsa: Option<SpsaTerms>,
    /// Milliseconds an engine may overstep its time.
    pub margin: u64,
    /// Milliseconds for a move at fixed nodes or depth.
    pub hang: u64,
    /// Milliseconds to start or get ready.
    pub startup: u64,
}

#[cfg(test)]
impl Terms {
    /// Two engines, A and B, that nobody starts.
    pub fn for_tests() -> Self {
        let engine = |name: &str| EngineSpec {
            name: name.into(),
            cmd: name.into(),
            ..EngineSpec::default()
        };
        Self {
            engines: vec![engine("A"), engine("B")],
            tcs: vec![TimeControl::Depth(1); 2],
            games: 2,
            tournament: Tournament::default(),
            openings: 1,
            openings_hash: 0,
            rule: Rule::default(),
            draw_moves: 60,
            max_moves: 300,
            resign: None,
            draw: None,
            sprt: None,
            spsa: None,
            margin: 100,
            hang: 10_000,
            startup: 10_000,
        }
    }
}

/// A match ready to be played.
pub struct Settings {
    /// What decides the games.
    pub terms: Terms,
    /// The openings in the order in which they are played.
    pub openings: Vec<Opening>,
    /// Games at the same time.
    pub concurrency: usize,
    /// Name of the event.
    pub event: String,
    /// Where the games go.
    pub pgn: Option<PathBuf>,
    /// How their moves are written.
    pub notation: Notation,
    /// Where the report goes.
    pub json: Option<PathBuf>,
    /// Where the plot goes.
    pub plot: Option<PathBuf>,
    /// Where the traffic goes.
    pub log: Option<PathBuf>,
    /// The journal.
    pub resume: Option<PathBuf>,
    /// Games between two standings.
    pub report: u32,
}

impl MatchArgs {
    /// Joins the command line with the configuration file, if one is named, checks the
    /// whole and reads the openings.
    ///
    /// # Errors
    /// If a file cannot be read, or the options do not make a match.
    pub fn settle(self) -> Result<Settings, MatchError> {
        let args = match &self.config {
            Some(path) => {
                let text = super::read(path)?;
                let file = toml::from_str(&text).map_err(|error| {
                    let start = error.span().map_or(0, |span| span.start);
                    let line = 1 + text.bytes().take(start).filter(|&b| b == b'\n').count();
                    MatchError::Config(path.clone(), line, error.message().to_owned())
                })?;
                self.over(file)
            }
            None => self,
        };
        args.check()?;
        let (openings, openings_hash) = openings::load(args.openings.as_deref(), args.seed)?;
        let (engines, tcs) = args.settled_engines()?;
        let terms = Terms {
            engines,
            tcs,
            games: args.games.unwrap_or(100),
            tournament: args.tournament.unwrap_or_default(),
            openings: openings.len(),
            openings_hash,
            rule: args.rule.unwrap_or_default(),
            draw_moves: args.draw_moves.unwrap_or(60),
            max_moves: args.max_moves.unwrap_or(300),
            resign: args.resign,
            draw: args.draw,
            sprt: args.sprt,
            spsa: args.tuning()?,
            margin: args.margin.unwrap_or(100),
            hang: args.hang.unwrap_or(60_000),
            startup: args.startup.unwrap_or(20_000),
        };
        Ok(Settings {
            terms,
            openings,
            concurrency: args.concurrency.unwrap_or(1),
            event: args.event.unwrap_or_else(|| "vermilion match".into()),
            pgn: args.pgn,
            notation: args.notation.unwrap_or_default(),
            json: args.json,
            plot: args.plot,
            log: args.log,
            resume: args.resume,
            report: args.report.unwrap_or(10),
        })
    }

    /// The options of `self`, and where it has none those of `file`. Engines of both play.
    fn over(self, file: Self) -> Self {
        macro_rules! first {
            ($($field:ident),+) => {
                Self {
                    engines: file.engines.into_iter().chain(self.engines).collect(),
                    config: None,
                    spsa: file.spsa.into_iter().chain(self.spsa).collect(),
                    restart: self.restart || file.restart,
                    ponder: self.ponder || file.ponder,
                    $($field: self.$field.or(file.$field)),+
                }
            };
        }
        first!(
            tc,
            games,
            tournament,
            openings,
            seed,
            concurrency,
            rule,
            draw_moves,
            max_moves,
            resign,
            draw,
            sprt,
            spsa_rate,
            margin,
            hang,
            startup,
            event,
            pgn,
            notation,
            json,
            plot,
            log,
            resume,
            report
        )
    }

    fn check(&self) -> Result<(), MatchError> {
        let refuse = |text: &str| Err(MatchError::Options(text.into()));
        if !self.spsa.is_empty() {
            if self.engines.len() != 1 {
                return refuse("--spsa tunes exactly one engine");
            }
            if self.sprt.is_some() {
                return refuse("--sprt and --spsa do not go together");
            }
        } else if self.engines.len() < 2 {
            return Err(MatchError::Options(format!(
                "a match needs two engines or more, {} given (--engine)",
                self.engines.len()
            )));
        }
        let two = self.engines.len() == 2 || !self.spsa.is_empty();
        if self.sprt.is_some() && !two {
            return refuse("--sprt needs exactly two engines");
        }
        if self.plot.is_some() && !two {
            return refuse("--plot needs exactly two engines");
        }
        for (option, value) in [
            ("--games", self.games.map(u64::from)),
            ("--concurrency", self.concurrency.map(|n| n as u64)),
            ("--max-moves", self.max_moves.map(u64::from)),
            ("--hang", self.hang),
            ("--startup", self.startup),
            ("--report", self.report.map(u64::from)),
        ] {
            if value == Some(0) {
                return Err(MatchError::Options(format!("{option} must be above 0")));
            }
        }
        Ok(())
    }

    /// What is tuned, if anything.
    fn tuning(&self) -> Result<Option<SpsaTerms>, MatchError> {
        let refuse = |text: String| Err(MatchError::Options(text));
        let mut numbers: Vec<spsa::Tuned> = Vec::new();
        for text in &self.spsa {
            match spsa::parse(text) {
                Ok(more) => numbers.extend(more),
                Err(why) => return refuse(format!("--spsa {text}: {why}")),
            }
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = numbers.iter().find(|number| !names.insert(&number.name)) {
            return refuse(format!("--spsa: {} is there twice", twice.name));
        }
        let rate = self.spsa_rate.unwrap_or(0.01);
        if !(rate > 0.0 && rate <= 1.0) {
            return refuse("--spsa-rate must be above 0 and at most 1".into());
        }
        Ok((!numbers.is_empty()).then(|| SpsaTerms {
            numbers,
            rate,
            seed: self.seed.unwrap_or(0),
        }))
    }

    /// The engines that are given; one that is tuned plays against itself.
    fn contestants(&self) -> Vec<EngineSpec> {
        match &self.engines[..] {
            [only] if !self.spsa.is_empty() => {
                let sides = ["first", "second"].map(|side| EngineSpec {
                    name: side.into(),
                    ..only.clone()
                });
                sides.into()
            }
            engines => engines.to_vec(),
        }
    }

    /// The engines with all that the match says for them, and their time controls.
    fn settled_engines(&self) -> Result<(Vec<EngineSpec>, Vec<TimeControl>), MatchError> {
        let mut names = BTreeSet::new();
        let settled = self.contestants().into_iter().enumerate();
        let settled = settled.map(|(index, mut spec)| {
            if spec.name.is_empty() {
                let stem = Path::new(&spec.cmd).file_stem().unwrap_or_default();
                spec.name = stem.to_string_lossy().into_owned();
            }
            let refuse = |text: String| {
                Err(MatchError::Options(format!(
                    "engine {} ({}): {text}",
                    index + 1,
                    spec.name
                )))
            };
            if !names.insert(spec.name.clone()) {
                return refuse("another engine has the same name; give name=".into());
            }
            if let Some(base @ 2..) = spec.base {
                return refuse(format!("base {base}: expected 0 or 1"));
            }
            if spec.banmoves && spec.proto != Protocol::Ucci {
                return refuse("banmoves is a command of UCCI only".into());
            }
            let Some(tc) = spec.tc.or(self.tc) else {
                return refuse("no time control; give --tc, or tc= for each engine".into());
            };
            spec.cmd = match find_program(&spec.cmd, spec.dir.as_deref()) {
                Ok(path) => path.to_string_lossy().into_owned(),
                Err(text) => return refuse(text),
            };
            spec.ponder = Some(spec.ponder.unwrap_or(self.ponder));
            spec.restart = Some(spec.restart.unwrap_or(self.restart));
            Ok((spec, tc))
        });
        settled.collect()
    }
}

/// The program as an absolute path: a path is taken from here, else from its working
/// directory; a bare name is looked for in `PATH`.
fn find_program(cmd: &str, dir: Option<&Path>) -> Result<PathBuf, String> {
    let here =
        std::env::current_dir().map_err(|error| format!("the current directory: {error}"))?;
    if let Some(dir) = dir
        && !dir.is_dir()
    {
        return Err(format!("dir {} is no directory", dir.display()));
    }
    let mut candidates = Vec::new();
    if Path::new(cmd).components().count() > 1 {
        candidates.push(here.join(cmd));
        candidates.extend(dir.map(|dir| here.join(dir).join(cmd)));
    } else {
        let path = std::env::var_os("PATH").unwrap_or_default();
        candidates.extend(std::env::split_paths(&path).map(|entry| here.join(entry).join(cmd)));
    }
    let with_suffix = candidates.iter().map(|path| {
        let mut name = path.clone().into_os_string();
        name.push(std::env::consts::EXE_SUFFIX);
        PathBuf::from(name)
    });
    candidates
        .iter()
        .cloned()
        .chain(with_suffix)
        .find(|path| path.is_file())
        .ok_or_else(|| format!("cmd {cmd}: no such program"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn here() -> String {
        std::env::current_exe()
            .expect("the test has a path")
            .to_string_lossy()
            .into_owned()
    }

    #[test]
    fn the_command_line_comes_before_the_file_and_engines_add_up() {
        let program = here();
        let file: MatchArgs = toml::from_str(&format!(
            "tc = '1+0.01'\ngames = 20\nsprt = '0,10'\n\
             [[engine]]\nname = 'A'\ncmd = '{program}'\nproto = 'ucci'\nbanmoves = true\n\
             [engine.options]\nusebook = false\nhashsize = 64\nstyle = 'solid'\n"
        ))
        .expect("a good file");
        let line = MatchArgs {
            games: Some(4),
            engines: vec![
                format!("name=B cmd={program} tc='nodes 5'")
                    .parse()
                    .expect("a good specification"),
            ],
            ..MatchArgs::default()
        };
        let settings = line.over(file).settle().expect("a good match");
        assert_eq!(settings.terms.games, 4);
        let tcs = settings.terms.tcs.iter().map(TimeControl::to_string);
        assert_eq!(tcs.collect::<Vec<_>>(), ["1+0.01", "nodes 5"]);
        let options = &settings.terms.engines[0].options;
        assert!(
            options.contains(&("usebook".into(), "false".into())),
            "{options:?}"
        );
        assert!(
            options.contains(&("hashsize".into(), "64".into())),
            "{options:?}"
        );
    }

    #[test]
    fn what_makes_no_match_is_named() {
        let program = here();
        let engines = |specs: &[&str]| {
            let engines = specs
                .iter()
                .map(|spec| format!("cmd={program} {spec}").parse().expect("readable"))
                .collect();
            MatchArgs {
                engines,
                tc: "depth 1".parse().ok(),
                ..MatchArgs::default()
            }
        };
        let error = |args: MatchArgs| match args.settle() {
            Ok(_) => panic!("settled"),
            Err(error) => error.to_string(),
        };
        assert!(error(engines(&["name=A"])).contains("two engines"));
        assert!(error(engines(&["name=A", "name=A"])).contains("same name"));
        assert!(error(engines(&["name=A", "name=B banmoves=on"])).contains("UCCI only"));
        assert!(error(engines(&["name=A", "name=B dir=/no/where"])).contains("/no/where"));
        let no_tc = MatchArgs {
            tc: None,
            ..engines(&["name=A tc='depth 1'", "name=B"])
        };
        assert!(error(no_tc).contains("engine 2 (B): no time control"));
        let three = MatchArgs {
            sprt: "0,10".parse().ok(),
            ..engines(&["name=A", "name=B", "name=C"])
        };
        assert!(error(three).contains("exactly two"));
        let missing = MatchArgs {
            engines: vec!["cmd=/no/such/engine".parse().expect("readable"); 2],
            ..MatchArgs::default()
        };
        assert!(error(missing).contains("no time control"));
    }
}
