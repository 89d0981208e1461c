//! Projects outside the workspace, as users have them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::cargo::{build, cargo_in};
use crate::job::Job;
use crate::workspace;

/// Writes a project: what `cargo new` writes, and these lines of its manifest and program.
pub fn write(folder: &Path, name: &str, manifest: &str, program: &str) -> Result<()> {
    let package = format!("[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    let written = fs::create_dir_all(folder.join("src"))
        .and_then(|()| fs::write(folder.join("Cargo.toml"), format!("{package}\n{manifest}")))
        .and_then(|()| fs::write(folder.join("src/main.rs"), program))
        // The same versions as here: what is tested is what this repository was tested with.
        .and_then(|()| fs::copy(workspace::root().join("Cargo.lock"), folder.join("Cargo.lock")));
    written.map(drop).with_context(|| format!("a project in {}", folder.display()))
}

/// Where all of them are built, so that what they have in common is built once.
pub fn target() -> PathBuf {
    workspace::target().join("outside")
}

/// Whether a package has been built there before.
pub fn has_built(package: &str) -> bool {
    let start = format!("{package}-");
    let built = fs::read_dir(target().join("debug/.fingerprint")).into_iter().flatten().flatten();
    built.map(|entry| entry.file_name()).any(|name| name.to_string_lossy().starts_with(&start))
}

/// Builds a project, and gives back its program. Debug information would take gigabytes, and changes nothing that is
/// tested.
pub fn build(job: &Job, folder: &Path, name: &str) -> Result<Command> {
    let target = target();
    let mut build = cargo_in(folder, &["build"]);
    build.env("CARGO_TARGET_DIR", &target).env("CARGO_PROFILE_DEV_DEBUG", "false").env("CARGO_INCREMENTAL", "0");
    build::call(job, &mut build)?;
    let mut program = Command::new(target.join("debug").join(name));
    program.stdin(Stdio::null());
    Ok(program)
}
