//! How cargo is called: always so that Bevy is built once.
//!
//! Cargo builds a dependency again for every set of features asked of it, and what is asked depends
//! on the packages, features and kinds of target selected. So every call selects the whole workspace
//! from its root, all features, and development dependencies. `cargo build -p bevy_noise_terrain_net`
//! would ask less of a few small crates deep down and rebuild Bevy on top of them. The plugin may be
//! selected alone, with any features: its development dependencies ask for all that is asked here.
//!
//! Development dependencies come along as soon as a test, a bench or an example is selected, for all
//! packages at once. So documentation names one example: without any, `--lib` would leave them out.
//!
//! - [`build`]: a call of cargo under the line of progress.
//! - [`messages`] and [`output`]: its messages in JSON, and its progress and warnings as text.
//! - [`metadata`]: the packages of the workspace and their targets.

pub mod build;
pub mod messages;
pub mod metadata;
pub mod output;

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{toolchain, workspace};

/// `cargo fmt`: changes nothing, fails on unformatted files.
pub const FMT: &[&str] = &["fmt", "--all", "--", "--check"];

/// `cargo clippy` on every target, warnings denied.
pub const CLIPPY: &[&str] = &["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"];

/// `cargo doc`, of the libraries and one example; warnings are denied by `RUSTDOCFLAGS`.
pub const DOC: &[&str] = &["doc", "--workspace", "--no-deps", "--all-features", "--lib", "--example=minimal"];

/// Builds test programs: all of them, if `--tests` follows.
pub const BUILD_TESTS: &[&str] = &["test", "--workspace", "--all-features", "--no-run"];

/// Runs documentation tests.
pub const DOC_TESTS: &[&str] = &["test", "--workspace", "--all-features", "--no-fail-fast", "--doc"];

/// Builds a part of the workspace, which is named after it.
pub const BUILD: &[&str] = &["build", "--workspace", "--all-features"];

/// The commands that refuse a Rust older than a manifest asks for.
const BUILDING: [&str; 6] = ["build", "check", "clippy", "doc", "run", "test"];

/// The cargo that runs this tool, at the root of the workspace.
pub fn cargo(arguments: &[&str]) -> Command {
    cargo_in(&workspace::root(), arguments)
}

/// The cargo that runs this tool, in another project.
pub fn cargo_in(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(folder).stdin(Stdio::null());
    let Some((first, rest)) = arguments.split_first() else { return command };
    command.arg(first);
    if BUILDING.contains(first) && toolchain::ignores_rust_version() {
        command.arg("--ignore-rust-version");
    }
    command.args(rest);
    command
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::process;

    #[test]
    fn every_call_that_builds_asks_for_the_whole_workspace_and_all_features() {
        for call in [CLIPPY, DOC, BUILD_TESTS, DOC_TESTS, BUILD] {
            assert!(call.contains(&"--workspace") && call.contains(&"--all-features"), "{call:?}");
            assert!(!call.iter().any(|part| part.starts_with("-p") || *part == "--exclude"), "{call:?}");
        }
    }

    /// At level 1 a crate takes instances of generic functions from what it depends on, as they are.
    #[test]
    fn nothing_that_the_land_depends_on_is_at_level_0() {
        let manifest = fs::read_to_string(workspace::root().join("Cargo.toml")).unwrap();
        let at_0 = manifest.lines().filter_map(|line| line.strip_suffix(".opt-level = 0"));
        let at_0: Vec<&str> = at_0.collect();
        assert!(at_0.len() > 5, "{at_0:?}");
        let tree = ["tree", "--package=bevy_noise_terrain_land", "--all-features", "--edges=normal", "--prefix=none"];
        let tree = process::output(&mut cargo(&tree)).unwrap();
        let names: Vec<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
        assert!(names.contains(&"transvoxel"), "{tree}");
        let wrong: Vec<_> = at_0.iter().filter(|name| names.contains(name)).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
