//! The commands of this repository, run as `cargo xtask <command>`.
//!
//! - [`cli`]: what can be asked for.
//! - [`fly`] (and scenes) and [`mod@test`]: the commands.
//! - [`packages`]: what the system must offer, what of it is missing, and how to get it.
//! - [`cargo`] and [`process`]: how cargo and other programs are called.
//! - [`steps`]: the steps of the test command.
//! - [`picture`]: is this a picture of a landscape?

mod cargo;
mod cli;
mod error;
mod fly;
mod packages;
mod picture;
mod process;
mod steps;
mod test;
mod workspace;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Command};

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Fly(options) => fly::fly(&options),
        Command::Scenes(options) => fly::scenes(&options),
        Command::Test(options) => test::run(&options),
        Command::Pictures { folder } => picture::show(&folder),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cargo xtask: {error}");
            ExitCode::FAILURE
        }
    }
}
