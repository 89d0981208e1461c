//! The step `wasm`: the crates compile for browsers, where that target of Rust is installed.
//!
//! They are checked, not linked and not run: a browser is needed for that.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::Outcome;
use crate::cargo::{build, cargo};
use crate::job::Job;
use crate::{process, workspace};

const TARGET: &str = "wasm32-unknown-unknown";

/// What is checked: the core, and the plugin with all that draws. The panel's clipboard and files want more of a system.
const CHECKS: [&[&str]; 3] = [
    &["--package=terrain_noise"],
    &["--package=bevy_noise_terrain", "--no-default-features"],
    &["--package=bevy_noise_terrain"],
];

/// Checks them, or says what is missing.
pub fn check(job: &Job) -> Result<Outcome> {
    if !is_installed()? {
        let what = format!("Rust's target {TARGET} is not installed (rustup target add {TARGET})");
        return Ok(Outcome::Skipped(what));
    }
    // Without development dependencies, which open windows of other systems.
    let target = workspace::target().join("wasm");
    for check in CHECKS {
        let mut command = cargo(&["check", "--lib", "--target", TARGET]);
        build::call(job, command.args(check).env("CARGO_TARGET_DIR", &target))?;
    }
    Ok(Outcome::Passed)
}

/// Whether the compiler finds the standard library of the target.
fn is_installed() -> Result<bool> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    command.args(["--print", "target-libdir", "--target", TARGET]).current_dir(workspace::root());
    Ok(PathBuf::from(process::output(&mut command)?.trim()).is_dir())
}
