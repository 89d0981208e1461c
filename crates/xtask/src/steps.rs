//! The steps of `cargo xtask check`.

mod api;
mod costs;
mod counts;
mod display;
pub mod drawn;
mod examples;
mod features;
mod headless;
mod input;
mod package;
mod project;
mod readme;
mod scenes;
mod server;
pub mod shaders;
mod wasm;
mod window;

use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::cargo::{self, build, cargo};
use crate::job::Job;
use crate::setup::Scope;

/// One step, in the order in which they run: what fails quickly comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Step {
    /// Is every file formatted?
    Fmt,
    /// Everything but the upload of what is published: manifests, licences, sizes
    Package,
    /// Lints on every target, warnings denied
    Clippy,
    /// Documentation, warnings denied; the list of what is public
    Doc,
    /// Every part of the plugin without the others; a server without a renderer
    Features,
    /// A server with as little of Bevy as there can be: no threads, no window, no renderer
    Server,
    /// The crates compile for browsers (with that target of Rust)
    Wasm,
    /// Instructions of the noise, of meshing and of a frame, against a table (with valgrind)
    Counts,
    /// Every shader, translated for Vulkan, Metal, Direct3D and OpenGL
    Shaders,
    /// What shaders cost on a card that is not there, against a table (with Mesa's driver for AMD cards)
    Costs,
    /// Every scene of the README against an approved picture; no world becomes flat
    Scenes,
    /// Every example, without a window or in one on a virtual display; pictures of a flight
    Examples,
    /// The README's lines in a new project with Bevy's default features, and its window (builds Bevy anew: the first time only
    /// when named)
    Readme,
    /// The example in a window on a virtual display (only when named)
    Window,
}

/// When a step runs. `cargo xtask test` is none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// With every `cargo xtask check`.
    Check,
    /// Only when it is named.
    Named,
}

/// How a step ended that did not fail.
pub enum Outcome {
    /// All that it looks at is as it must be.
    Passed,
    /// This system lacks what it takes: why.
    Skipped(String),
}

impl Step {
    /// When it runs.
    pub fn tier(self) -> Tier {
        match self {
            Self::Fmt
            | Self::Package
            | Self::Clippy
            | Self::Doc
            | Self::Features
            | Self::Server
            | Self::Wasm
            | Self::Counts
            | Self::Shaders
            | Self::Costs
            | Self::Scenes
            | Self::Examples
            | Self::Readme => Tier::Check,
            // Windows in software take long and prove little more.
            Self::Window => Tier::Named,
        }
    }

    /// What it needs of the system.
    pub fn scope(self) -> Option<Scope> {
        match self {
            Self::Fmt => None,
            Self::Clippy | Self::Features | Self::Doc | Self::Counts | Self::Server | Self::Package | Self::Wasm => {
                Some(Scope::Build)
            }
            Self::Shaders | Self::Costs | Self::Scenes => Some(Scope::Pictures),
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
    pub fn run(self, job: &Job, is_named: bool) -> Result<Outcome> {
        match self {
            Self::Counts => return counts::check(job),
            Self::Costs => return costs::check(job),
            Self::Wasm => return wasm::check(job),
            Self::Readme => return readme::check(job, is_named),
            Self::Fmt => job.run(&mut cargo(cargo::FMT))?,
            Self::Clippy => build::call(job, &mut cargo(cargo::CLIPPY))?,
            Self::Features => features::check(job)?,
            Self::Doc => {
                api::forget()?;
                build::call(job, cargo(cargo::DOC).env("RUSTDOCFLAGS", "-D warnings"))?;
                api::check()?;
            }
            Self::Shaders => shaders::check(job)?,
            Self::Scenes => scenes::check(job)?,
            Self::Examples => examples::check(job)?,
            Self::Server => server::check(job)?,
            Self::Package => package::check(job)?,
            Self::Window => window::check(job)?,
        }
        Ok(Outcome::Passed)
    }
}

/// Takes yesterday's pictures away, so that they prove nothing today.
pub fn empty(folder: &Path) -> Result<()> {
    let emptied = match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => fs::create_dir_all(folder),
    };
    emptied.with_context(|| folder.display().to_string())
}
