//! The commands of this repository, run as `cargo xtask <command>`.
//!
//! - [`cli`]: what can be asked for.
//! - [`fly`] (and scenes, and views), [`mod@test`] and [`check`]: the commands.
//! - [`steps`]: the steps of `check`.
//! - [`setup`]: what the system and the Rust toolchain must offer.
//! - [`toolchain`]: which Rust builds the workspace.
//! - [`cargo`] and [`process`]: how cargo and other programs are called.
//! - [`job`] and [`progress`]: a piece of work with its log, under the line that says how far it is.
//! - [`picture`]: is this a picture of a landscape?

mod cargo;
mod check;
mod cli;
mod fly;
mod job;
mod picture;
mod process;
mod progress;
mod setup;
mod steps;
mod test;
mod toolchain;
mod workspace;

use std::env;
use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Command};
use crate::setup::Scope;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let forbidden = env::var_os("XTASK_NO_INSTALL").is_some_and(|value| !value.is_empty());
    let install = !cli.no_install && !forbidden;
    match toolchain::hand_over(install) {
        Ok(None) => {}
        Ok(Some(status)) => return if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE },
        Err(error) => return fail(&error),
    }
    let done = match cli.command {
        Command::Fly(example) => fly::fly(&example.arguments, install),
        Command::Scenes(example) => fly::scenes(&example.arguments, install),
        Command::Views(example) => fly::views(&example.arguments, install),
        Command::Test(options) => test::run(&options, install),
        Command::Check(options) => check::run(&options, install),
        Command::Setup { what } => setup::ensure(what, install).inspect(|()| {
            if what == Scope::Everything {
                setup::offer_valgrind(install);
            }
        }),
        Command::Pictures { folder } => picture::show(&folder),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

fn fail(error: &anyhow::Error) -> ExitCode {
    eprintln!("cargo xtask: {error:#}");
    ExitCode::FAILURE
}
