//! One program of tests is run, as cargo would run it.

use std::ffi::OsString;
use std::process::Command;

use anyhow::Result;

use super::programs::Program;
use super::results::{self, Outcome};
use crate::job::Job;
use crate::process;
use crate::steps::{drawn, shaders};

/// Runs it in its package's folder, with the variables that cargo sets. Its output goes to the job's log.
pub fn run(job: &Job, program: &Program, arguments: &[OsString]) -> Result<Outcome> {
    let package = &program.package;
    let mut command = Command::new(&program.executable);
    command
        .args(arguments)
        .current_dir(package.folder())
        .env("CARGO_MANIFEST_DIR", package.folder())
        .env("CARGO_MANIFEST_PATH", &package.manifest_path)
        .env("CARGO_PKG_NAME", &package.name)
        .env("CARGO_PKG_VERSION", &package.version);
    if program.target == drawn::NAME {
        shaders::receive(&mut command)?;
    }
    job.note(&process::line(&command));
    let (mut done, mut total) = (0, 0);
    let status = job.wait_for(&mut command, |log| {
        let news = log.news();
        done += results::ended(&news);
        total += results::announced(&news);
        if total > 0 {
            job.count(done.min(total), total);
        }
    })?;
    Ok(Outcome::of(status, &job.said()?))
}
