//! Projects outside the workspace, as users have them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::Error;
use crate::workspace;

/// Writes a project: what `cargo new` writes, and these lines of its manifest and program.
pub fn write(folder: &Path, name: &str, manifest: &str, program: &str) -> Result<(), Error> {
    let package = format!("[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    let files: [(PathBuf, String); 2] = [
        (folder.join("Cargo.toml"), format!("{package}\n{manifest}")),
        (folder.join("src/main.rs"), program.to_owned()),
    ];
    for (path, text) in files {
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text));
        written.map_err(|source| Error::File { path, source })?;
    }
    // The same versions as here: what is tested is what this repository was tested with.
    let (from, to) = (workspace::root().join("Cargo.lock"), folder.join("Cargo.lock"));
    fs::copy(from, &to).map_err(|source| Error::File { path: to, source })?;
    Ok(())
}

/// Lets cargo build into this folder. Debug information would take gigabytes, and changes nothing that is tested.
pub fn build_in<'a>(target: &Path, build: &'a mut Command) -> &'a mut Command {
    build
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .env("CARGO_INCREMENTAL", "0")
        .stdin(Stdio::null())
}
