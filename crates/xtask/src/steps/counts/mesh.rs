//! The plugin's meshing, optimised as an app has it, in a project outside the workspace.
//!
//! In the workspace the plugin is built for tests, hardly optimised. A release build of it would take one of Bevy; the
//! project has the Bevy and the plugin, without its renderer, of the step `server`.

use std::env;
use std::path::PathBuf;

use anyhow::Result;

use crate::job::Job;
use crate::steps::project;
use crate::workspace;

const MANIFEST: &str = r#"[dependencies]
bevy_noise_terrain = { package = "bevy_noise_terrain_land", path = PLUGIN, features = ["validation"] }

[profile.dev.package]
terrain_noise.opt-level = 3
bevy_noise_terrain_land.opt-level = 3
"#;

/// Makes the project and builds it.
pub fn build(job: &Job) -> Result<PathBuf> {
    let folder = env::temp_dir().join("bevy_noise_terrain_mesh_counts");
    let plugin = format!("{:?}", workspace::root().join("crates/bevy_noise_terrain_land"));
    project::write(&folder, "mesh_counts", &MANIFEST.replace("PLUGIN", &plugin), include_str!("mesh/project.rs"))?;
    let program = project::build(job, &folder, "mesh_counts")?;
    Ok(program.get_program().into())
}
