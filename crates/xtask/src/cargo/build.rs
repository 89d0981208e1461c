//! A call of cargo under the line of progress.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::Instant;

use anyhow::{Result, anyhow};

use super::messages::{self, Artifact};
use super::output::{self, Line};
use crate::job::Job;
use crate::process;

/// Builds, and gives back what was built.
pub fn build(job: &Job, command: &mut Command) -> Result<Vec<Artifact>> {
    let (status, lines) = watch(job, command.arg(messages::FORMAT))?;
    process::judge(command, status)?;
    Ok(lines.iter().filter_map(|line| messages::artifact(line)).collect())
}

/// Runs a command of cargo, which must succeed.
pub fn call(job: &Job, command: &mut Command) -> Result<()> {
    let (status, lines) = watch(job, command)?;
    lines.iter().for_each(|line| job.note(line));
    process::judge(command, status)
}

/// Runs a command of cargo, and gives back how it ended and the lines of its standard output.
///
/// Cargo's count of units becomes progress, its status goes to the log, and warnings and errors to the log and, where
/// the job shows them, above the line.
pub fn watch(job: &Job, command: &mut Command) -> Result<(ExitStatus, Vec<String>)> {
    job.note(&process::line(command));
    command.envs(output::TELL_PROGRESS).stdout(Stdio::piped()).stderr(Stdio::piped());
    if console::colors_enabled_stderr() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    let mut running = process::start(command)?;
    let (standard, error) = (running.output(), running.error());
    let (begun, mut reached) = (Instant::now(), BTreeMap::new());
    let lines = thread::scope(|scope| {
        let lines = scope.spawn(|| {
            let lines = standard.map(|output| BufReader::new(output).lines().map_while(Result::ok).collect::<Vec<_>>());
            lines.unwrap_or_default()
        });
        if let Some(error) = error {
            output::read(error, |line| match line {
                Line::Progress(done, total) => {
                    let left = total.saturating_sub(done);
                    reached.entry(left).or_insert_with(|| begun.elapsed());
                    job.units(done, total);
                }
                // Another cargo holds the folder: that is worth knowing.
                Line::Status(text) if text.starts_with("Blocking") => job.hint(&text),
                Line::Status(text) => job.note(&text),
                Line::Other(text) => job.warn(&text),
            })?;
        }
        lines.join().map_err(|_| anyhow!("a thread of this program ended"))
    })?;
    let status = running.wait()?;
    if status.success() {
        let whole = begun.elapsed();
        job.learn(reached.into_iter().map(|(left, at)| (left, whole.saturating_sub(at))));
    }
    Ok((status, lines))
}
