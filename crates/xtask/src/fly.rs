//! `cargo xtask fly`, `cargo xtask scenes` and `cargo xtask views`: build an example and run it.

use std::env;
use std::ffi::OsString;

use anyhow::Result;

use crate::cargo::{self, cargo};
use crate::setup::{self, Scope};
use crate::{process, workspace};

/// Flies over the terrain.
pub fn fly(arguments: &[OsString], install: bool) -> Result<()> {
    let scope = if has_x11_display() { Scope::Window } else { Scope::Pictures };
    run(cargo::RUN_FLY, arguments, scope, install)
}

/// Draws the scenes.
pub fn scenes(arguments: &[OsString], install: bool) -> Result<()> {
    run(cargo::RUN_SCENES, arguments, Scope::Pictures, install)
}

/// Draws random places of all worlds.
pub fn views(arguments: &[OsString], install: bool) -> Result<()> {
    let arguments: Vec<OsString> = ["--views".into()].into_iter().chain(arguments.iter().cloned()).collect();
    run(cargo::RUN_SCENES, &arguments, Scope::Pictures, install)
}

/// Makes sure of what the build needs, and of what the example can use, and runs it.
fn run(call: &[&str], arguments: &[OsString], scope: Scope, install: bool) -> Result<()> {
    setup::ensure(Scope::Build, install)?;
    // Without a driver or a library the example still runs, and says what it could not do.
    if let Err(error) = setup::ensure(scope, install) {
        println!("cargo xtask: {error}\nGoing on without.\n");
    }
    workspace::announce_first_build();
    process::run(cargo(call).args(arguments))
}

/// Is there an X11 display, and no Wayland one that would be taken first?
fn has_x11_display() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")
}
