//! The program over real pipes, as GUIs drive it.

mod book;
#[path = "../common/mod.rs"]
mod common;
mod ending;
mod grammar;
mod levels;
mod log_file;
mod net;
mod noise;
mod pipe;
mod rules;
mod tolerance;
mod typed;
mod ucci;
mod uci;
