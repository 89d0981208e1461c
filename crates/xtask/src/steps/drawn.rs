//! The program of the drawn tests, for steps that need some of them.

use std::ffi::OsString;

use anyhow::{Result, anyhow, ensure};

use crate::cargo::{self, build, cargo, metadata};
use crate::job::Job;
use crate::test::{program, programs};
use crate::workspace;

/// Its name.
pub const NAME: &str = "drawn";

/// Builds it.
pub fn program(job: &Job) -> Result<programs::Program> {
    let declared = programs::declared(&metadata::packages(&workspace::root())?);
    let declared = programs::choose(declared, &[NAME.to_owned()], "")?;
    let built = build::build(job, cargo(cargo::BUILD_TESTS).args(programs::selection(&declared)))?;
    programs::built(&declared, &built)?.pop().ok_or_else(|| anyhow!("no program of tests is called {NAME}"))
}

/// Runs some of its tests. Returns how many passed.
///
/// # Errors
/// If one fails.
pub fn run(job: &Job, program: &programs::Program, arguments: &[&str]) -> Result<u64> {
    let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
    let outcome = program::run(job, program, &arguments)?;
    ensure!(outcome.fault.is_none(), "{}", outcome.fault.unwrap_or_default());
    Ok(outcome.counts.ran())
}
