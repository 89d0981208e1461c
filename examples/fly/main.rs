//! Fly over an endless world and shape it with the panel.
//!
//! Without a display, or with `--headless`, it flies a scripted path off-screen and writes pictures and
//! streaming figures; without any graphics driver it still flies, and writes the figures alone.

mod adapter;
mod cli;
mod figures;
mod flight;
mod headless;
#[path = "../common/light.rs"]
mod light;
#[path = "../common/offscreen.rs"]
mod offscreen;
mod plants;
mod report;
mod scene;
mod window;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let options = cli::Options::parse();
    if options.headless || !adapter::has_display() {
        match headless::fly(&options) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        }
    } else {
        window::fly(&options)
    }
}
