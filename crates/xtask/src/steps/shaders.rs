//! The step `shaders`: every shader in every form that the plugin draws with, translated for the graphics interfaces of
//! other systems.
//!
//! The test `portable` composes them as Bevy does, for a device with no more than WebGPU's limits, and writes them to a
//! folder. A project outside the workspace translates them with naga, in the version that Bevy uses: its writers for Metal
//! and Direct3D are features that would build wgpu and Bevy anew here.

use std::env;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::{headless, project};
use crate::cargo::{self, cargo};
use crate::{process, workspace};

/// How long a translation of all may take.
const LIMIT: Duration = Duration::from_secs(300);

const MANIFEST: &str = r#"[dependencies]
naga = { version = "29", features = ["wgsl-in", "spv-out", "msl-out", "hlsl-out", "glsl-out"] }
"#;

/// Composes and translates.
pub fn check() -> Result<()> {
    let shaders = workspace::target().join("shaders");
    super::empty(&shaders)?;
    let mut test = cargo(&[cargo::TEST, &["--test=drawn", "portable::"]].concat());
    super::call(headless::in_vulkan(&mut test).env("TERRAIN_SHADERS", &shaders))?;
    let folder = env::temp_dir().join("bevy_noise_terrain_shaders");
    project::write(&folder, "translate", MANIFEST, include_str!("shaders/project.rs"))?;
    let mut program = project::build(&folder, "translate")?;
    let lines = process::run_reading(program.arg(&shaders), LIMIT)?;
    let last = lines.last().context("nothing was translated")?;
    ensure!(last.starts_with("translated "), "the last line was: {last}");
    Ok(())
}
