//! Options: what `setoption` does.

use std::sync::Arc;
use std::time::Duration;

use super::Session;
use crate::eval::Evaluation;
use crate::nnue::{embedded, load};
use crate::protocol::dialect::Dialect;
use crate::protocol::log_file::{LogFile, path_from_bytes};
use crate::protocol::options::{
    BEST, CLASSICAL, DEFAULT_FILE, Kind, NET, OptionId, OptionSpec, read_check, read_number,
    read_setoption,
};
use crate::rules::Rules;
use crate::search::Strength;
use crate::types::{DRAW, Value};

/// What a draw is worth in this style, in centipawns.
fn style(name: &str) -> Option<Value> {
    match name {
        "solid" => Some(20),
        "normal" => Some(DRAW),
        "risky" => Some(-30),
        _ => None,
    }
}

/// By how many centipawns moves look better than they are, at most.
fn randomness(name: &str) -> Option<Value> {
    match name {
        "none" => Some(0),
        "tiny" => Some(5),
        "small" => Some(10),
        "medium" => Some(20),
        "large" => Some(40),
        "huge" => Some(80),
        _ => None,
    }
}

/// The share of the time that is left to others.
fn idle(name: &str) -> Option<f64> {
    match name {
        "none" => Some(0.0),
        "small" => Some(0.1),
        "medium" => Some(0.25),
        "large" => Some(0.5),
        _ => None,
    }
}

impl Session {
    /// Sets an option from what follows the word `setoption`.
    pub(super) fn set_option(&mut self, arguments: &[u8]) {
        self.engine.finish();
        #[cfg(feature = "tune")]
        if crate::protocol::tune::set(arguments) {
            return;
        }
        // Setting an option that was never announced is legal, and clients do it.
        let Some((spec, value)) = read_setoption(arguments) else {
            let text = String::from_utf8_lossy(arguments);
            self.remark(&format!(
                "no option of this name, ignored: setoption {}",
                text.trim()
            ));
            return;
        };
        match spec.kind {
            Kind::Check { .. } => match read_check(value) {
                Some(on) => self.set_check(spec.id, on),
                None => self.refuse_value(spec, value, "true or false"),
            },
            Kind::Spin { min, max, .. } => match read_number(&String::from_utf8_lossy(value)) {
                Some(number) => self.set_spin(spec.id, number.clamp(min, max).unsigned_abs()),
                None => self.refuse_value(spec, value, "a number"),
            },
            Kind::Combo { values, .. } => {
                let text = String::from_utf8_lossy(value);
                let chosen = values.iter().find(|name| name.eq_ignore_ascii_case(&text));
                if !self.set_combo(spec.id, chosen.copied().unwrap_or(&text), chosen.is_some()) {
                    let names = values.join(", ");
                    self.refuse_value(spec, value, &format!("one of {names}"));
                }
            }
            Kind::Button => match spec.id {
                OptionId::NewGame => self.engine.new_game(),
                _ => self.engine.clear_hash(),
            },
            Kind::Text { .. } => match spec.id {
                OptionId::EvalFile => self.set_eval_file(value),
                OptionId::BookFiles => {
                    for notice in self.books.open(value) {
                        self.output.notice(&notice);
                    }
                }
                _ => self.set_log_file(value),
            },
        }
    }

    fn refuse_value(&self, spec: &OptionSpec, value: &[u8], expected: &str) {
        let name = match self.output.dialect() {
            Dialect::Uci => spec.uci.or(spec.ucci),
            Dialect::Ucci => spec.ucci.or(spec.uci),
        };
        self.output.notice(&format!(
            "option {} needs {expected}, not {:?}",
            name.unwrap_or_default(),
            String::from_utf8_lossy(value)
        ));
    }

    /// Whether the option has a value of this name, spelt as announced or an alias.
    fn set_combo(&mut self, id: OptionId, value: &str, is_announced: bool) -> bool {
        match id {
            OptionId::BookChoice if is_announced => self.books.best = value == BEST,
            OptionId::Evaluation if is_announced => {
                self.classical = value == CLASSICAL;
                self.choose_evaluation();
                if value == NET && self.network.is_none() {
                    self.output
                        .notice("there is no net, the classical evaluation is used");
                }
            }
            OptionId::Style => match style(value) {
                Some(draw_value) => self.engine.set_draw_value(draw_value),
                None => return false,
            },
            OptionId::Randomness => match randomness(value) {
                Some(centipawns) => self.engine.set_randomness(centipawns),
                None => return false,
            },
            OptionId::Idle => match idle(value) {
                Some(share) => self.engine.set_idle(share),
                None => return false,
            },
            OptionId::RepetitionRule => {
                let Ok(set) = value.parse() else {
                    return false;
                };
                self.engine.set_rules(Rules {
                    set,
                    ..self.engine.rules()
                });
            }
            OptionId::Variant => return is_announced,
            _ => return false,
        }
        true
    }

    fn set_check(&mut self, id: OptionId, on: bool) {
        match id {
            OptionId::UseMilliseconds => self.unit_ms = if on { 1 } else { 1000 },
            OptionId::Batch => self.batch = on,
            OptionId::SixtyMoveRule => {
                self.sixty_moves = on;
                self.limit_moves();
            }
            OptionId::UseBook => self.books.on = on,
            OptionId::StopAtMate => self.engine.set_stop_at_mate(on),
            OptionId::LimitStrength => {
                self.limit_strength = on;
                self.choose_strength();
            }
            OptionId::ShowWdl => self.show_wdl = on,
            OptionId::Ponder => self.engine.set_ponder(on),
            OptionId::Debug => self.debug = on,
            OptionId::DrawOffers => self.offers_draws = on,
            OptionId::AnalyseMode => self.engine.set_analyses(on),
            OptionId::Promotion if on => self
                .output
                .notice("promotion is refused: advisors and elephants do not promote in this game"),
            _ => {}
        }
    }

    fn set_spin(&mut self, id: OptionId, number: u64) {
        match id {
            OptionId::Rule60MaxPly => {
                self.move_limit = number as u32;
                self.limit_moves();
            }
            OptionId::DrawMoves => {
                self.sixty_moves = number > 0;
                if self.sixty_moves {
                    self.move_limit = 2 * number as u32;
                }
                self.limit_moves();
            }
            OptionId::SkillLevel => {
                self.level = number as f64;
                self.choose_strength();
            }
            OptionId::Elo => {
                self.rating = number as u32;
                self.choose_strength();
            }
            OptionId::Resign => self.resign = (number > 0).then_some(number as Value),
            OptionId::RankBase => self.rank_base = number,
            OptionId::MultiPv => self.engine.set_multipv(number as usize),
            OptionId::Threads => {
                if let Err(error) = self.engine.set_threads(number as usize) {
                    self.output.notice(&error.to_string());
                }
            }
            OptionId::MoveOverhead => self.engine.set_move_overhead(Duration::from_millis(number)),
            _ => {
                if let Err(error) = self.engine.set_hash(number as usize) {
                    self.output.notice(&error.to_string());
                }
            }
        }
    }

    fn choose_strength(&mut self) {
        self.engine.set_strength(if self.limit_strength {
            Strength::of_rating(self.rating)
        } else {
            Strength::of_level(self.level)
        });
    }

    fn limit_moves(&mut self) {
        let move_limit = if self.sixty_moves { self.move_limit } else { 0 };
        self.engine.set_rules(Rules {
            move_limit,
            ..self.engine.rules()
        });
    }

    fn choose_evaluation(&mut self) {
        self.engine.set_evaluation(match &self.network {
            Some(network) if !self.classical => Evaluation::net(network.clone()),
            _ => Evaluation::Classical,
        });
    }

    fn set_eval_file(&mut self, value: &[u8]) {
        if value.is_empty() || value == b"<empty>" || value == DEFAULT_FILE.as_bytes() {
            self.network = embedded();
            self.choose_evaluation();
            return;
        }
        let path = path_from_bytes(value);
        match load(&path) {
            Ok(network) => {
                let (path, what) = (path.display(), network.description());
                self.output
                    .notice(&format!("the net of {path} is loaded: {what}"));
                self.network = Some(Arc::new(network));
                self.choose_evaluation();
            }
            Err(error) => self
                .output
                .notice(&format!("the former evaluation stays: {error}")),
        }
    }

    fn set_log_file(&self, value: &[u8]) {
        if value.is_empty() || value == b"<empty>" {
            self.output.set_log(None);
            return;
        }
        let path = path_from_bytes(value);
        match LogFile::open(&path) {
            Ok(log) => self.output.set_log(Some(log)),
            Err(error) => self
                .output
                .notice(&format!("no log file {}: {error}", path.display())),
        }
    }
}
