//! `cargo xtask fly`, `cargo xtask scenes` and `cargo xtask views`: build an example and run it.

use std::env;
use std::ffi::OsString;
use std::process::Command;

use anyhow::Result;

use crate::cargo::{self, build, cargo, messages};
use crate::job::Job;
use crate::process::clock;
use crate::progress::{BUILD, Progress};
use crate::setup::{self, Scope};
use crate::{process, workspace};

/// Flies over the terrain.
pub fn fly(arguments: &[OsString], install: bool) -> Result<()> {
    let scope = if has_x11_display() { Scope::Window } else { Scope::Pictures };
    run("fly", arguments, scope, install)
}

/// Draws the scenes.
pub fn scenes(arguments: &[OsString], install: bool) -> Result<()> {
    run("scenes", arguments, Scope::Pictures, install)
}

/// Draws random places of all worlds.
pub fn views(arguments: &[OsString], install: bool) -> Result<()> {
    let arguments: Vec<OsString> = ["--views".into()].into_iter().chain(arguments.iter().cloned()).collect();
    run("scenes", &arguments, Scope::Pictures, install)
}

/// Makes sure of what the build needs, and of what the example can use, builds it and runs it.
fn run(name: &str, arguments: &[OsString], scope: Scope, install: bool) -> Result<()> {
    setup::ensure(Scope::Build, install)?;
    // Without a driver or a library the example still runs, and says what it could not do.
    if let Err(error) = setup::ensure(scope, install) {
        println!("cargo xtask: {error}\nGoing on without.\n");
    }
    let progress = Progress::new(name, vec![BUILD.into()]);
    let mut job = Job::begin(&progress, &workspace::logs(name), BUILD)?;
    job.shows_warnings = true;
    let mut example = program(&job, name)?;
    progress.warn(&format!("built in {}", clock(progress.end(true))));
    drop(progress);
    process::run(example.args(arguments))
}

/// Builds an example of this name, which is to run at the root.
pub fn program(job: &Job, name: &str) -> Result<Command> {
    let artifacts = build::build(job, cargo(cargo::BUILD).args(["--example", name]))?;
    let mut command = messages::program(&artifacts, name)?;
    command.current_dir(workspace::root());
    Ok(command)
}

/// Is there an X11 display, and no Wayland one that would be taken first?
fn has_x11_display() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")
}
