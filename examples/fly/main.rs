//! Everything in one program: fly over an endless world and shape it with the panel.
//!
//! ```sh
//! cargo run --all-features --example fly
//! cargo run --all-features --example fly -- --help
//! ```
//!
//! Without a display, or with `--headless`, it flies a scripted path off-screen and writes pictures and
//! streaming figures; without any graphics driver it still flies, and writes the figures alone.

mod cli;
mod figures;
mod flight;
mod headless;
mod report;
mod start;
mod window;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let options = cli::Options::parse();
    let start = match start::Start::new(&options) {
        Ok(start) => start,
        Err(error) => return fail(&error),
    };
    if options.headless || !examples_common::adapter::has_display() {
        headless::fly(&options, start).map_or_else(|error| fail(&error), |()| ExitCode::SUCCESS)
    } else {
        window::fly(&options, start)
    }
}

fn fail(error: &dyn std::error::Error) -> ExitCode {
    eprintln!("{error}");
    ExitCode::FAILURE
}
