//! The tests in the documentation: rustdoc builds and runs them.

use std::ffi::OsString;

use anyhow::Result;

use super::results::Outcome;
use crate::cargo::{self, build, cargo};
use crate::job::Job;

/// Runs them all, of all packages: to select some would build Bevy with other features.
pub fn run(job: &Job, arguments: &[OsString]) -> Result<Outcome> {
    let mut command = cargo(cargo::DOC_TESTS);
    if !arguments.is_empty() {
        command.arg("--").args(arguments);
    }
    let (status, lines) = build::watch(job, &mut command)?;
    let said = lines.join("\n");
    job.note(&said);
    Ok(Outcome::of(status, &said))
}
