//! The program: the protocol loop and the commands for people.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    let filter = env_logger::Env::default().default_filter_or("off");
    env_logger::Builder::from_env(filter)
        .target(env_logger::Target::Stderr)
        .init();
    cli::main()
}
