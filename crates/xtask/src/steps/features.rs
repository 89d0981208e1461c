//! The step `features`: every part of the plugin compiles without the others, and a server has no renderer.
//!
//! Development dependencies are asked for as well, so that Bevy is checked once for all of them. What a part takes for
//! granted of Bevy itself is seen by the steps `server` and `readme`, whose projects lie outside the workspace.

use anyhow::{Result, ensure};

use super::call;
use crate::cargo::cargo;
use crate::process;

/// The plugin's features, each of which is checked alone. The empty one is a server.
const FEATURES: [&str; 11] =
    ["", "export", "ground", "panel", "picking", "presets", "render", "scatter", "sky", "validation", "water"];

/// What a server may use.
const SERVER: [&str; 4] =
    ["bevy_noise_terrain", "bevy_noise_terrain_avian", "bevy_noise_terrain_net", "bevy_noise_terrain_rapier"];

/// Crates that a server must do without.
const RENDERER: [&str; 4] = ["wgpu", "bevy_render", "bevy_winit", "bevy_egui"];

/// Checks them all.
pub fn check() -> Result<()> {
    for feature in FEATURES {
        let mut check = cargo(&["check", "--package=bevy_noise_terrain", "--no-default-features", "--all-targets"]);
        call(check.args(["--features", feature]))?;
    }
    for package in SERVER {
        let mut tree = cargo(&["tree", "--no-default-features", "--edges=normal", "--prefix=none", "--package"]);
        let tree = process::output(tree.arg(package))?;
        for name in RENDERER {
            let found = tree.lines().any(|line| line.split(' ').next() == Some(name));
            ensure!(!found, "without features {package} depends on {name}");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::workspace;

    #[test]
    fn every_feature_is_checked() {
        let manifest = fs::read_to_string(workspace::root().join("crates/bevy_noise_terrain/Cargo.toml")).unwrap();
        let features = manifest.split("[features]").nth(1).and_then(|rest| rest.split("\n[").next()).unwrap();
        let declared: Vec<_> =
            features.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name).collect();
        assert!(declared.len() > 8);
        for name in declared.into_iter().filter(|name| *name != "default") {
            assert!(FEATURES.contains(&name), "{name} is not checked");
        }
    }
}
