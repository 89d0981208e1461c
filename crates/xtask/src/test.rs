//! `cargo xtask test`: all unit, integration, drawn and documentation tests.
//!
//! - [`programs`]: the programs of tests, by the manifests, and as cargo built them.
//! - [`program`]: one of them is run.
//! - [`documentation`]: the tests in the documentation.
//! - [`results`]: what they say of their tests.
//! - [`unchanged`]: what passed before and cannot have changed since.

mod documentation;
pub mod program;
pub mod programs;
mod results;
mod unchanged;

use std::path::Path;

use anyhow::{Result, ensure};

use self::programs::{Declared, Program};
use self::results::{Counts, Outcome};
use self::unchanged::{Around, Memory, Stamp};
use crate::cargo::messages::Artifact;
use crate::cargo::{self, build, cargo, metadata};
use crate::cli::Test;
use crate::job::Job;
use crate::process::clock;
use crate::progress::{BUILD, Progress};
use crate::setup::{self, Scope};
use crate::workspace;

/// What the tests in the documentation are called among the programs.
const DOCUMENTATION: &str = "documentation";

/// Something that runs, and what it was made of.
struct Run {
    name: String,
    /// None: the tests in the documentation.
    program: Option<Program>,
    /// None: nothing tells whether it has changed.
    stamp: Option<Stamp>,
}

/// Builds and runs the chosen programs. All of them run, whatever fails.
pub fn run(options: &Test, install: bool) -> Result<()> {
    setup::ensure(Scope::Pictures, install)?;
    let root = workspace::root();
    let packages = metadata::packages(&root)?;
    let declared = programs::choose(programs::declared(&packages), &options.programs, DOCUMENTATION)?;
    let has_documentation = options.programs.is_empty() || options.programs.iter().any(|name| name == DOCUMENTATION);
    let mut parts: Vec<String> = declared.iter().map(|declared| declared.name.clone()).collect();
    parts.extend((!declared.is_empty()).then(|| BUILD.to_owned()));
    parts.extend(has_documentation.then(|| DOCUMENTATION.to_owned()));

    let progress = Progress::new("test", parts);
    let logs = workspace::logs("test");
    let artifacts = if declared.is_empty() { Vec::new() } else { build_all(&progress, &logs, &declared)? };
    let around = Around::look(&root);
    let mut runs = Vec::new();
    for program in programs::built(&declared, &artifacts)? {
        let stamp = around.as_ref().and_then(|around| around.program(&program));
        runs.push(Run { name: program.name.clone(), program: Some(program), stamp });
    }
    // What is quick comes first: what it finds is known soon.
    runs.sort_by_key(|run| progress.expected(&run.name));
    if has_documentation {
        let stamp = around.as_ref().and_then(|around| around.documentation(&packages, &artifacts));
        runs.push(Run { name: DOCUMENTATION.into(), program: None, stamp });
    }
    let mut memory = Memory::load();
    if options.changed {
        leave_out_unchanged(&mut runs, &memory, &progress);
    }
    let (mut total, mut failed) = (Counts::default(), Vec::new());
    for run in &runs {
        let outcome = run_one(run, options, &progress, &logs)?;
        total += outcome.counts;
        match (outcome.fault, &run.stamp) {
            (Some(_), _) => {
                memory.forget(&run.name)?;
                failed.push(run.name.as_str());
            }
            // A part of the tests proves nothing about the rest.
            (None, Some(stamp)) if options.arguments.is_empty() => memory.keep(&run.name, stamp)?,
            (None, _) => {}
        }
    }
    progress.tell(&format!("All in {}; what they said is in {}\n{total}", clock(progress.elapsed()), logs.display()));
    ensure!(failed.is_empty(), "these failed: {}", failed.join(", "));
    ensure!(total.ran() > 0 || options.arguments.is_empty(), "no test fits these arguments");
    Ok(())
}

/// Builds what is declared.
fn build_all(progress: &Progress, logs: &Path, declared: &[Declared]) -> Result<Vec<Artifact>> {
    let mut job = Job::begin(progress, logs, BUILD)?;
    job.shows_warnings = true;
    let artifacts = build::build(&job, cargo(cargo::BUILD_TESTS).args(programs::selection(declared)))?;
    progress.tell(&format!("built in {}", clock(progress.end(true))));
    Ok(artifacts)
}

fn leave_out_unchanged(runs: &mut Vec<Run>, memory: &Memory, progress: &Progress) {
    runs.retain(|run| {
        let is_unchanged = run.stamp.as_ref().is_some_and(|stamp| memory.has_passed(&run.name, stamp));
        if is_unchanged {
            progress.leave_out(&run.name);
            progress.tell(&format!("{}: unchanged since it passed", run.name));
        }
        !is_unchanged
    });
}

/// Runs one, and tells how it ended.
fn run_one(run: &Run, options: &Test, progress: &Progress, logs: &Path) -> Result<Outcome> {
    let job = Job::begin(progress, logs, &run.name)?;
    let outcome = match &run.program {
        Some(program) => program::run(&job, program, &options.arguments)?,
        None => documentation::run(&job, &options.arguments)?,
    };
    let is_whole = outcome.fault.is_none() && options.arguments.is_empty();
    let took = clock(progress.end(is_whole));
    let (name, counts) = (&run.name, outcome.counts);
    match &outcome.fault {
        Some(fault) => {
            let excerpt = results::excerpt(&job.said()?);
            progress.tell(&format!("{excerpt}\n{name}: FAILED after {took}: {fault}; see {}", job.path().display()));
        }
        // A filter that fits none of its tests is not worth a line.
        None if counts.ran() == 0 && !options.arguments.is_empty() => {}
        None => progress.tell(&format!("{name}: {} in {took}", counts.in_words())),
    }
    Ok(outcome)
}
