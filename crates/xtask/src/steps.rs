//! The steps of `cargo xtask test`.

mod display;
mod hand;
mod headless;
mod project;
mod readme;
mod server;
mod window;

use std::fmt;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use clap::ValueEnum;

use crate::cargo::{self, cargo};
use crate::error::Error;
use crate::packages::Need;
use crate::process::{self, clock};

/// One step, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Step {
    /// Is every file formatted?
    Fmt,
    /// Lints on every target, warnings denied
    Clippy,
    /// Documentation builds, warnings denied
    Doc,
    /// Unit, integration and documentation tests
    Test,
    /// A headless flight whose pictures must show a landscape
    Picture,
    /// A server with as little of Bevy as there can be: no threads, no window, no renderer
    Server,
    /// The README's lines in a new project, whose window must show the README's picture
    Readme,
    /// The example in a window on a virtual display (only when named)
    Window,
}

impl Step {
    /// Every step.
    pub const ALL: &[Self] =
        &[Self::Fmt, Self::Clippy, Self::Doc, Self::Test, Self::Picture, Self::Server, Self::Readme, Self::Window];

    /// Does it run when no step is named? Windows in software take long and prove little more.
    pub fn runs_unasked(self) -> bool {
        self != Self::Window
    }

    /// What it needs of the system.
    pub fn needs(self) -> Vec<Need> {
        match self {
            Self::Fmt => Vec::new(),
            Self::Clippy | Self::Doc | Self::Test | Self::Server => Need::BUILD.to_vec(),
            Self::Picture => [Need::BUILD, Need::PICTURES].concat(),
            Self::Readme => [Need::BUILD, Need::DEFAULT_BEVY, Need::WINDOW].concat(),
            Self::Window => [Need::BUILD, Need::WINDOW].concat(),
        }
    }

    /// What it needs of the Rust toolchain.
    pub fn component(self) -> Option<&'static str> {
        match self {
            Self::Fmt => Some("rustfmt"),
            Self::Clippy => Some("clippy"),
            Self::Doc | Self::Test | Self::Picture | Self::Server | Self::Readme | Self::Window => None,
        }
    }

    /// Runs it, with a headline and its time.
    pub fn run(self, number: usize, of: usize) -> Result<(), Error> {
        println!("\n==> {number}/{of} {self}: {}", self.headline());
        let begun = Instant::now();
        let done = match self {
            Self::Fmt => call(cargo::FMT),
            Self::Clippy => call(cargo::CLIPPY),
            Self::Doc => document(),
            Self::Test => call(cargo::TEST),
            Self::Picture => headless::check(),
            Self::Server => server::check(),
            Self::Readme => readme::check(),
            Self::Window => window::check(),
        };
        let after = begun.elapsed();
        match done {
            Ok(()) => {
                println!("<== {number}/{of} {self}: passed in {}", clock(after));
                Ok(())
            }
            Err(source) => Err(Error::Step { step: self, after, source: Box::new(source) }),
        }
    }

    fn headline(self) -> String {
        match self {
            Self::Fmt => process::line(&cargo(cargo::FMT)),
            Self::Clippy => process::line(&cargo(cargo::CLIPPY)),
            Self::Doc => format!("RUSTDOCFLAGS=\"-D warnings\" {}", process::line(&cargo(cargo::DOC))),
            Self::Test => process::line(&cargo(cargo::TEST)),
            Self::Picture => "fly without a display, and look at the pictures".to_owned(),
            Self::Server => "a server of one thread, in a project of its own".to_owned(),
            Self::Readme => "a new project with the lines of the README".to_owned(),
            Self::Window => "fly in a window on a virtual display".to_owned(),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Fmt => "fmt",
            Self::Clippy => "clippy",
            Self::Doc => "doc",
            Self::Test => "test",
            Self::Picture => "picture",
            Self::Server => "server",
            Self::Readme => "readme",
            Self::Window => "window",
        })
    }
}

fn call(arguments: &[&str]) -> Result<(), Error> {
    process::run(cargo(arguments).stdin(Stdio::null()))
}

fn document() -> Result<(), Error> {
    let mut rustdoc = cargo(cargo::DOC);
    process::run(rustdoc.env("RUSTDOCFLAGS", "-D warnings").stdin(Stdio::null()))
}

/// Takes yesterday's pictures away, so that they prove nothing today.
fn empty(folder: &Path) -> Result<(), Error> {
    let failed = |source| Error::File { path: folder.to_path_buf(), source };
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(failed)?;
    }
    fs::create_dir_all(folder).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_called_what_one_types() {
        for step in Step::ALL {
            assert_eq!(Step::from_str(&step.to_string(), false), Ok(*step));
        }
        assert_eq!(Step::ALL.len(), Step::value_variants().len());
    }

    #[test]
    fn formatting_needs_nothing_of_the_system() {
        assert!(Step::Fmt.needs().is_empty());
    }
}
