//! The step `features`: every part of the land compiles without the others, and a server has no renderer.
//!
//! Development dependencies are asked for as well, so that Bevy is the one that all other steps have. What a part takes for
//! granted of Bevy itself is seen by the steps `server` and `readme`, whose projects lie outside the workspace.

use std::collections::HashSet;

use anyhow::{Result, ensure};

use crate::cargo::{build, cargo};
use crate::job::Job;
use crate::process;

/// The package whose features are checked. `bevy_noise_terrain` hands its own on to it.
const LAND: &str = "bevy_noise_terrain_land";

/// Its features, each of which is checked alone. The empty one is a server.
const FEATURES: [&str; 10] =
    ["", "export", "ground", "picking", "presets", "render", "scatter", "sky", "validation", "water"];

/// What is checked of them; of the empty one, and by clippy of all, it is every target. A small test brings development
/// dependencies along.
const LIBRARY: [&str; 2] = ["--lib", "--test=one_thread"];

/// What a server may use.
const SERVER: [&str; 4] =
    ["bevy_noise_terrain", "bevy_noise_terrain_avian", "bevy_noise_terrain_net", "bevy_noise_terrain_rapier"];

/// Crates that a server must do without.
const RENDERER: [&str; 4] = ["wgpu", "bevy_render", "bevy_winit", "bevy_egui"];

/// Checks them all.
pub fn check(job: &Job) -> Result<()> {
    let whole = crates(job, &["--workspace", "--all-features"])?;
    for feature in FEATURES {
        let selection = ["--package", LAND, "--no-default-features", "--features", feature];
        compare(&crates(job, &selection)?, &whole)?;
        let targets: &[&str] = if feature.is_empty() { &["--all-targets"] } else { &LIBRARY };
        build::call(job, cargo(&["check"]).args(targets).args(selection))?;
    }
    for package in SERVER {
        let mut tree = cargo(&["tree", "--no-default-features", "--edges=normal", "--prefix=none", "--package"]);
        let tree = process::output(tree.arg(package).stderr(job.output()?))?;
        for name in RENDERER {
            let found = tree.lines().any(|line| line.split(' ').next() == Some(name));
            ensure!(!found, "without features {package} depends on {name}");
        }
    }
    Ok(())
}

/// All crates that a selection of packages takes, with their versions and features.
fn crates(job: &Job, selection: &[&str]) -> Result<HashSet<String>> {
    let mut tree = cargo(&["tree", "--edges=normal,build,dev", "--prefix=none", "--format={p} {f}"]);
    let tree = process::output(tree.args(selection).stderr(job.output()?))?;
    Ok(tree.lines().map(|line| line.trim_end_matches(" (*)").trim_end().to_owned()).collect())
}

/// Bevy would be built once more if a crate beneath it had other features.
fn compare(alone: &HashSet<String>, whole: &HashSet<String>) -> Result<()> {
    let is_ours = |line: &str| line.contains(" (/") || line.contains(":\\");
    let Some(other) = alone.difference(whole).find(|line| !is_ours(line)) else { return Ok(()) };
    let name = other.split(' ').next().unwrap_or(other);
    let of_whole: Vec<&str> =
        whole.iter().map(String::as_str).filter(|line| line.starts_with(&format!("{name} "))).collect();
    anyhow::bail!(
        "for the land alone there is `{other}`, and in the workspace `{}`: Bevy would be built for each. Make the \
         development dependencies in crates/bevy_noise_terrain_land/Cargo.toml ask for the same",
        of_whole.join("`, `")
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::workspace;

    #[test]
    fn other_features_are_told() {
        let set = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<HashSet<_>>();
        let whole = set(&["glam v0.32.1 default,std", "bevy_noise_terrain v0.1.0 (/here) render,water"]);
        let ours = "bevy_noise_terrain v0.1.0 (/here) render";
        assert!(compare(&set(&[ours, "glam v0.32.1 default,std"]), &whole).is_ok());
        let error = compare(&set(&[ours, "glam v0.32.1 std"]), &whole).unwrap_err().to_string();
        assert!(error.contains("`glam v0.32.1 std`") && error.contains("`glam v0.32.1 default,std`"), "{error}");
    }

    #[test]
    fn every_feature_is_checked() {
        let manifest = fs::read_to_string(workspace::root().join("crates").join(LAND).join("Cargo.toml")).unwrap();
        let features = manifest.split("[features]").nth(1).and_then(|rest| rest.split("\n[").next()).unwrap();
        let declared: Vec<_> =
            features.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name).collect();
        assert!(declared.len() > 8);
        for name in declared.into_iter().filter(|name| *name != "default") {
            assert!(FEATURES.contains(&name), "{name} is not checked");
        }
    }
}
