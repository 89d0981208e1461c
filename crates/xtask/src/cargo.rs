//! How cargo is called: always so that Bevy is built once.
//!
//! Cargo builds a dependency again for every set of features asked of it, and what is asked depends
//! on the packages, features and kinds of target selected. So every call selects the whole workspace
//! from its root, all features, and development dependencies. `cargo build -p bevy_noise_terrain_net`
//! would ask less of a few small crates deep down and rebuild Bevy on top of them; so would
//! `cargo doc` without `--examples`, which leaves development dependencies out. The plugin may be
//! selected alone, with any features: its development dependencies ask for all that is asked here.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::workspace;

/// `cargo fmt`: changes nothing, fails on unformatted files.
pub const FMT: &[&str] = &["fmt", "--all", "--", "--check"];

/// `cargo clippy` on every target, warnings denied.
pub const CLIPPY: &[&str] = &["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"];

/// `cargo doc`; warnings are denied by `RUSTDOCFLAGS`.
pub const DOC: &[&str] = &["doc", "--workspace", "--no-deps", "--all-features", "--lib", "--bins", "--examples"];

/// `cargo test`: unit, integration and documentation tests, and builds the examples.
pub const TEST: &[&str] = &["test", "--workspace", "--all-features"];

/// Builds a part of the workspace, which is named after it.
pub const BUILD: &[&str] = &["build", "--workspace", "--all-features"];

/// Builds the example `fly`.
pub const BUILD_FLY: &[&str] = &["build", "--all-features", "--example=fly"];

/// Builds all examples.
pub const BUILD_EXAMPLES: &[&str] = &["build", "--workspace", "--all-features", "--examples"];

/// Runs the example `fly`; its arguments follow.
pub const RUN_FLY: &[&str] = &["run", "--all-features", "--example=fly", "--"];

/// Runs the example `scenes`; its arguments follow.
pub const RUN_SCENES: &[&str] = &["run", "--all-features", "--example=scenes", "--"];

/// The cargo that runs this tool, at the root of the workspace.
pub fn cargo(arguments: &[&str]) -> Command {
    cargo_in(&workspace::root(), arguments)
}

/// The cargo that runs this tool, in another project.
pub fn cargo_in(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_that_builds_asks_for_all_features_and_no_single_package() {
        for call in [CLIPPY, DOC, TEST, BUILD, BUILD_FLY, BUILD_EXAMPLES, RUN_FLY, RUN_SCENES] {
            assert!(call.contains(&"--all-features"), "{call:?}");
            assert!(!call.iter().any(|part| part.starts_with("-p")), "{call:?}");
        }
    }
}
