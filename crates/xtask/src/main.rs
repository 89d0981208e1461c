//! The commands of this repository, run as `cargo xtask <command>`.
//!
//! - [`cli`]: what can be asked for.
//! - [`fly`] (and scenes, and views) and [`mod@test`]: the commands.
//! - [`setup`]: what the system and the Rust toolchain must offer.
//! - [`cargo`] and [`process`]: how cargo and other programs are called.
//! - [`steps`]: the steps of the test command.
//! - [`picture`]: is this a picture of a landscape?

mod cargo;
mod cli;
mod fly;
mod picture;
mod process;
mod setup;
mod steps;
mod test;
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
    let done = match cli.command {
        Command::Fly(example) => fly::fly(&example.arguments, install),
        Command::Scenes(example) => fly::scenes(&example.arguments, install),
        Command::Views(example) => fly::views(&example.arguments, install),
        Command::Test(options) => test::run(&options, install),
        Command::Setup { what } => setup::ensure(what, install).inspect(|()| {
            if what == Scope::Everything {
                setup::offer_valgrind(install);
            }
        }),
        Command::Pictures { folder } => picture::show(&folder),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cargo xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
