//! The program over real pipes, as GUIs drive it.

mod book;
mod clients;
#[path = "../common/mod.rs"]
mod common;
mod ending;
mod grammar;
mod levels;
mod log_file;
mod net;
mod noise;
mod options;
mod pipe;
mod play_site;
mod probe;
mod rules;
mod table;
mod tolerance;
mod typed;
mod ucci;
mod uci;
