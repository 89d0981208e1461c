//! Kills while saving, and what a frame with a stroke takes beside many edits that are saved.

#[path = "../../../../bevy_noise_terrain_land/tests/common/kills.rs"]
mod common;

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_noise_terrain::edits::{Edit, TerrainEdits};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::{TerrainAutosave, TerrainAutosavePlugin, TerrainSave, TerrainSaved};

use crate::chunks::elsewhere;
use crate::quantile;
pub use common::{Error, Kills, be_killed};

/// A folder that goes with the measurement.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Result<Self, Error> {
        let folder = std::env::temp_dir().join(format!("terrain-bench-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Kills this program, started anew, so many times.
pub fn run(times: u32) -> Result<Kills, Error> {
    let folder = Folder::new("kills")?;
    common::kill(times, &folder.0, |path, strokes| {
        let mut program = Command::new(std::env::current_exe()?);
        program.arg("--be-killed").arg(path).arg("--strokes").arg(strokes.to_string());
        Ok(program)
    })
}

/// Milliseconds, of 99 in 100.
pub struct Autosave {
    /// The main thread in a frame with a stroke.
    pub frame_p99_ms: f64,
    /// From a stroke until it is on disk.
    pub on_disk_p99_ms: f64,
}

#[derive(Resource, Default)]
struct Saves(usize);

/// Strokes on a terrain with `many` edits that saves itself.
pub fn autosave(many: u32, strokes: u32) -> Result<Autosave, Error> {
    let folder = Folder::new("autosave")?;
    let path = folder.0.join("world.save.ron");
    TerrainSave { edits: elsewhere(many)?, ..default() }.write(&path)?;
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TerrainAutosavePlugin))
        .init_resource::<Saves>()
        .add_observer(|_: On<TerrainSaved>, mut saves: ResMut<Saves>| saves.0 += 1);
    let parts = (NoiseTerrain::default(), TerrainEdits::default(), TerrainAutosave::new(path));
    let terrain = app.world_mut().spawn(parts).id();
    let wait = |app: &mut App, saves: usize| {
        while app.world().resource::<Saves>().0 < saves {
            app.update();
            std::thread::sleep(Duration::from_micros(200));
        }
    };
    // A file without a journal is written once as a whole.
    wait(&mut app, 1);
    let (mut frames, mut on_disk) = (Vec::new(), Vec::new());
    for stroke in 0..strokes {
        let saves = app.world().resource::<Saves>().0;
        let began = Instant::now();
        if let Some(mut edits) = app.world_mut().get_mut::<TerrainEdits>(terrain) {
            edits.apply(Edit::raise(DVec3::splat(f64::from(stroke)), 5.0, 0.5))?;
        }
        app.update();
        frames.push(began.elapsed().as_secs_f64() * 1e3);
        wait(&mut app, saves + 1);
        on_disk.push(began.elapsed().as_secs_f64() * 1e3);
    }
    frames.sort_by(f64::total_cmp);
    on_disk.sort_by(f64::total_cmp);
    Ok(Autosave { frame_p99_ms: quantile(&frames, 0.99), on_disk_p99_ms: quantile(&on_disk, 0.99) })
}
