//! The step `server`: a program with as little of Bevy as there can be, outside the workspace.
//!
//! Inside it every test shares one set of features, and none would see what another set lacks: here Bevy has no
//! threads, so that a task runs inside the call that spawns it. The plugin has the feature that the step `counts` needs as well,
//! so that both share one build; that it compiles without any is for the step `features`.

use std::env;
use std::time::Duration;

use anyhow::{Result, ensure};

use super::project;
use crate::job::Job;
use crate::workspace;

/// How long the program may run.
const LIMIT: Duration = Duration::from_secs(180);

const MANIFEST: &str = r#"[dependencies]
bevy = { version = "0.20", default-features = false, features = ["std"] }
bevy_noise_terrain = { path = PLUGIN, default-features = false, features = ["validation"] }

[profile.dev.package]
terrain_noise.opt-level = 3
bevy_noise_terrain_land.opt-level = 3
"#;

/// Makes the project and runs it.
pub fn check(job: &Job) -> Result<()> {
    let folder = env::temp_dir().join("bevy_noise_terrain_server");
    let plugin = format!("{:?}", workspace::root().join("crates/bevy_noise_terrain"));
    project::write(&folder, "server", &MANIFEST.replace("PLUGIN", &plugin), include_str!("server/project.rs"))?;
    let mut program = project::build(job, &folder, "server")?;
    let lines = job.read(&mut program, LIMIT)?;
    for (start, what) in [("land is whole", "its land is whole"), ("trees stand", "trees stand on it")] {
        ensure!(lines.iter().any(|line| line.contains(start)), "the server did not say that {what}");
    }
    Ok(())
}
