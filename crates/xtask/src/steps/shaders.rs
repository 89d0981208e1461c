//! The step `shaders`: every shader in every form that the plugin draws with, translated for the graphics interfaces of
//! other systems.
//!
//! The test `portable` composes them as Bevy does, for a device with no more than WebGPU's limits, and writes them to a
//! folder; where `cargo xtask test` has run, they are there already. A project outside the workspace translates them with
//! naga, in the version that Bevy uses: its writers for Metal and Direct3D are features that would build wgpu and Bevy anew
//! here.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs};

use anyhow::{Context, Result, ensure};

use super::{drawn, project};
use crate::job::Job;
use crate::workspace;

/// How long a translation of all may take.
const LIMIT: Duration = Duration::from_secs(300);

const MANIFEST: &str = r#"[dependencies]
naga = { version = "30", features = ["wgsl-in", "spv-out", "msl-out", "hlsl-out", "glsl-out"] }
"#;

/// Which of the drawn tests write the shaders.
const PORTABLE: &str = "portable::";

/// Lets the program write its shaders where the step looks for them.
pub fn receive(test: &mut Command) -> Result<()> {
    let folder = folder();
    super::empty(&folder)?;
    test.env("TERRAIN_SHADERS", folder);
    Ok(())
}

/// Composes and translates.
pub fn check(job: &Job) -> Result<()> {
    let program = drawn::program(job)?;
    if !are_of(&program.executable, &folder())? {
        drawn::run(job, &program, &[PORTABLE])?;
    }
    let project = env::temp_dir().join("bevy_noise_terrain_shaders");
    project::write(&project, "translate", MANIFEST, include_str!("shaders/project.rs"))?;
    let mut program = project::build(job, &project, "translate")?;
    let lines = job.read(program.arg(folder()), LIMIT)?;
    let last = lines.last().context("nothing was translated")?;
    ensure!(last.starts_with("translated "), "the last line was: {last}");
    Ok(())
}

fn folder() -> PathBuf {
    workspace::target().join("shaders")
}

/// Has the program written shaders since it was built? `cargo xtask test` lets it.
fn are_of(test: &Path, shaders: &Path) -> Result<bool> {
    let built = fs::metadata(test)?.modified()?;
    let files = fs::read_dir(shaders).into_iter().flatten().flatten();
    let times = files.filter_map(|file| file.metadata().ok()?.modified().ok());
    Ok(times.min().is_some_and(|oldest| oldest > built))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shaders_are_drawn_again_where_the_program_is_newer() {
        let folder = env::temp_dir().join(format!("xtask-shaders-{}", std::process::id()));
        let (test, shaders) = (folder.join("drawn"), folder.join("shaders"));
        fs::create_dir_all(&shaders).unwrap();
        let write = |path: &Path, seconds| {
            let file = fs::File::create(path).unwrap();
            file.set_modified(std::time::UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
        };
        write(&test, 10);
        assert!(!are_of(&test, &shaders).unwrap(), "there are none");
        write(&shaders.join("a.wgsl"), 11);
        assert!(are_of(&test, &shaders).unwrap());
        write(&shaders.join("b.wgsl"), 9);
        assert!(!are_of(&test, &shaders).unwrap(), "one is old");
        fs::remove_dir_all(folder).unwrap();
    }
}
