//! The steps of `cargo xtask test`.

mod api;
mod counts;
mod display;
mod examples;
mod features;
mod headless;
mod input;
mod package;
mod project;
mod readme;
mod server;
mod shaders;
mod wasm;
mod window;

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::cargo::{self, cargo};
use crate::process;
use crate::setup::Scope;

/// One step, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Step {
    /// Is every file formatted?
    Fmt,
    /// Lints on every target, warnings denied
    Clippy,
    /// Every part of the plugin without the others; a server without a renderer
    Features,
    /// Documentation, warnings denied; the list of what is public
    Doc,
    /// Unit, integration and documentation tests
    Test,
    /// Instructions of the noise, of meshing and of a frame, against a table (with valgrind)
    Counts,
    /// Every shader, translated for Vulkan, Metal, Direct3D and OpenGL
    Shaders,
    /// A headless flight whose pictures must show a landscape
    Picture,
    /// Every example, without a window or in one on a virtual display
    Examples,
    /// A server with as little of Bevy as there can be: no threads, no window, no renderer
    Server,
    /// Everything but the upload of what is published: manifests, licences, sizes
    Package,
    /// The crates compile for browsers (with that target of Rust)
    Wasm,
    /// The README's lines in a new project with Bevy's default features, and its window (builds Bevy anew: the first time only
    /// when named)
    Readme,
    /// The example in a window on a virtual display (only when named)
    Window,
}

/// How a step ended that did not fail.
pub enum Outcome {
    /// All that it looks at is as it must be.
    Passed,
    /// This system lacks what it takes: why.
    Skipped(String),
}

impl Step {
    /// Does it run when no step is named? Windows in software take long and prove little more.
    pub fn runs_unasked(self) -> bool {
        self != Self::Window
    }

    /// What it needs of the system.
    pub fn scope(self) -> Option<Scope> {
        match self {
            Self::Fmt => None,
            Self::Clippy
            | Self::Features
            | Self::Doc
            | Self::Test
            | Self::Counts
            | Self::Server
            | Self::Package
            | Self::Wasm => Some(Scope::Build),
            Self::Picture | Self::Shaders => Some(Scope::Pictures),
            Self::Examples | Self::Readme | Self::Window => Some(Scope::Everything),
        }
    }

    /// What it needs of the Rust toolchain: a component, and the command of cargo that it brings.
    pub fn component(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Fmt => Some(("rustfmt", "fmt")),
            Self::Clippy => Some(("clippy", "clippy")),
            _ => None,
        }
    }

    /// Runs it. Was it named?
    pub fn run(self, is_named: bool) -> Result<Outcome> {
        match self {
            Self::Counts => return counts::check(),
            Self::Wasm => return wasm::check(),
            Self::Readme => return readme::check(is_named),
            Self::Fmt => call(&mut cargo(cargo::FMT))?,
            Self::Clippy => call(&mut cargo(cargo::CLIPPY))?,
            Self::Features => features::check()?,
            Self::Doc => {
                api::forget()?;
                call(cargo(cargo::DOC).env("RUSTDOCFLAGS", "-D warnings"))?;
                api::check()?;
            }
            Self::Test => call(&mut cargo(cargo::TEST))?,
            Self::Shaders => shaders::check()?,
            Self::Picture => headless::check()?,
            Self::Examples => examples::check()?,
            Self::Server => server::check()?,
            Self::Package => package::check()?,
            Self::Window => window::check()?,
        }
        Ok(Outcome::Passed)
    }
}

/// Shows the line, and runs it.
fn call(command: &mut Command) -> Result<()> {
    println!("{}", process::line(command));
    process::run(command)
}

/// Takes yesterday's pictures away, so that they prove nothing today.
fn empty(folder: &Path) -> Result<()> {
    let emptied = match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => fs::create_dir_all(folder),
    };
    emptied.with_context(|| folder.display().to_string())
}
