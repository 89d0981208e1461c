//! The packages of the workspace and their targets, as their manifests say.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::cargo_in;
use crate::process;

/// A package.
#[derive(Clone, Debug, Deserialize)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Where its manifest lies.
    pub manifest_path: PathBuf,
    /// All its targets.
    pub targets: Vec<Target>,
}

/// A library, a program, a test, ...
#[derive(Clone, Debug, Deserialize)]
pub struct Target {
    /// Its name.
    pub name: String,
    /// `lib`, `bin`, `test`, `example`, `bench`, ...
    pub kind: Vec<String>,
    /// Where its code begins.
    pub src_path: PathBuf,
    /// Is it run as a program of tests?
    pub test: bool,
    /// Does its documentation have tests?
    pub doctest: bool,
}

impl Package {
    /// The folder of its manifest.
    pub fn folder(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(&self.manifest_path)
    }
}

/// The packages of the workspace whose root this is.
pub fn packages(root: &Path) -> Result<Vec<Package>> {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Package>,
    }
    let text = process::output(&mut cargo_in(root, &["metadata", "--no-deps", "--format-version=1"]))?;
    Ok(serde_json::from_str::<Metadata>(&text).context("what `cargo metadata` says is not understood")?.packages)
}
