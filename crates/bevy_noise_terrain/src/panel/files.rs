//! The presets in the asset folder: found, loaded with all others, painted small, and watched.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use bevy::asset::io::AssetSourceId;
use bevy::asset::{AssetLoadError, AssetLoadFailedEvent, AssetPath};
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::tasks::futures_lite::StreamExt;
use bevy::tasks::{AsyncComputeTaskPool, IoTaskPool, Task, TaskPool, block_on};
use bevy_egui::egui::{self, TextureHandle, TextureOptions};

use super::raster::{self, MapView, Request};
use crate::preset_asset::{PresetError, TerrainPreset};

/// Where presets lie in the asset folder.
const FOLDER: &str = "presets";
/// How their names end.
pub const ENDING: &str = ".terrain.ron";
/// Pixels of a small picture.
const PICTURE: [usize; 2] = [88, 56];
/// Metres a pixel of a small picture.
const SCALE: f64 = 110.0;

/// A preset that was found.
pub struct Entry {
    pub name: String,
    pub handle: Handle<TerrainPreset>,
    /// Why it cannot be used.
    pub broken: Option<String>,
    pub picture: Option<TextureHandle>,
    painting: Option<Task<egui::ColorImage>>,
    painted: bool,
}

/// All presets.
#[derive(Default)]
pub struct Files {
    pub entries: Vec<Entry>,
    looking: Option<Task<Vec<PathBuf>>>,
    asked: bool,
}

impl Files {
    /// Looks for presets, again if need be.
    pub fn look(&mut self, server: &AssetServer) {
        let server = server.clone();
        self.asked = true;
        let pool = IoTaskPool::get_or_init(TaskPool::default);
        self.looking = Some(pool.spawn(async move {
            let mut paths = Vec::new();
            // No folder, no presets.
            if let Ok(source) = server.get_source(AssetSourceId::Default)
                && let Ok(mut found) = source.reader().read_directory(Path::new(FOLDER)).await
            {
                while let Some(path) = found.next().await {
                    paths.push(path);
                }
            }
            paths.sort();
            paths
        }));
    }

    /// Takes over what was found, loaded, painted or refused since the last frame.
    pub fn renew(
        &mut self,
        context: &egui::Context,
        server: &AssetServer,
        presets: &Assets<TerrainPreset>,
        changes: &mut MessageReader<AssetEvent<TerrainPreset>>,
        failures: &mut MessageReader<AssetLoadFailedEvent<TerrainPreset>>,
    ) {
        if !self.asked {
            self.look(server);
        }
        if self.looking.as_ref().is_some_and(Task::is_finished)
            && let Some(task) = self.looking.take()
        {
            self.list(block_on(task), server);
        }
        for change in changes.read() {
            if let AssetEvent::Added { id } | AssetEvent::Modified { id } = change
                && let Some(entry) = self.entries.iter_mut().find(|entry| entry.handle.id() == *id)
            {
                (entry.broken, entry.painted) = (None, false);
            }
        }
        for failure in failures.read() {
            if let Some(entry) = self.entries.iter_mut().find(|entry| entry.handle.id() == failure.id) {
                entry.broken = Some(words(&failure.error));
            }
        }
        // One picture at a time is soon enough.
        let busy = self.entries.iter().any(|entry| entry.painting.is_some());
        if let Some(entry) = self.entries.iter_mut().find(|entry| !entry.painted && presets.contains(&entry.handle))
            && !busy
        {
            entry.paint(presets);
        }
        for entry in &mut self.entries {
            entry.take_picture(context);
        }
    }

    fn list(&mut self, paths: Vec<PathBuf>, server: &AssetServer) {
        let mut known: HashMap<String, Entry> =
            self.entries.drain(..).map(|entry| (entry.name.clone(), entry)).collect();
        for path in paths {
            let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(ENDING));
            let Some(name) = name else { continue };
            let entry = known.remove(name).unwrap_or_else(|| Entry {
                name: name.to_owned(),
                handle: server.load(AssetPath::from_path(&path).into_owned()),
                broken: None,
                picture: None,
                painting: None,
                painted: false,
            });
            self.entries.push(entry);
        }
    }
}

impl Entry {
    fn paint(&mut self, presets: &Assets<TerrainPreset>) {
        self.painted = true;
        let Some(Ok(surface)) = presets.get(&self.handle).map(|preset| preset.terrain.surface()) else { return };
        let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
        let view = MapView { center: [0.0; 2], scale: SCALE };
        let request = Request { surface, view, size: PICTURE, section: [[0.0; 2]; 2] };
        self.painting = Some(pool.spawn(async move { raster::paint(&request).image }));
    }

    fn take_picture(&mut self, context: &egui::Context) {
        if self.painting.as_ref().is_some_and(Task::is_finished)
            && let Some(task) = self.painting.take()
        {
            self.picture = Some(context.load_texture(&self.name, block_on(task), TextureOptions::LINEAR));
        }
    }
}

/// What the loader itself had to say.
fn words(error: &AssetLoadError) -> String {
    match error {
        AssetLoadError::AssetLoaderError(error) => match error.error().downcast_ref::<PresetError>() {
            Some(error) => error.to_string(),
            None => error.error().to_string(),
        },
        other => other.to_string(),
    }
}

/// Reads a preset from any file.
pub fn read(path: &str) -> Result<TerrainPreset, String> {
    let text = std::fs::read_to_string(path.trim()).map_err(|error| format!("{path}: {error}"))?;
    TerrainPreset::from_ron(&text).map_err(|error| format!("{path}: {error}"))
}

/// Writes a preset to a file, its folder too if need be. It takes the place of the old file once it is complete: a full
/// disk leaves that as it was.
pub fn write(path: &str, preset: &TerrainPreset) -> Result<(), String> {
    let text = preset.to_ron().map_err(|error| error.to_string())?;
    let path = Path::new(path.trim());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let written = File::create(&part).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        // On disk before its name is.
        file.sync_all()
    });
    written.and_then(|()| std::fs::rename(&part, path)).map_err(|error| {
        // It may never have been made.
        let _ = std::fs::remove_file(&part);
        format!("{}: {error}", path.display())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_read_and_refused_with_their_place() {
        let folder = std::env::temp_dir().join(format!("terrain-panel-files-{}", std::process::id()));
        let path = folder.join("sub/mine.terrain.ron").display().to_string();
        let mut preset = TerrainPreset::default();
        preset.terrain.seed = 12;
        write(&path, &preset).unwrap();
        assert_eq!(read(&path).unwrap(), preset);
        std::fs::write(&path, "(\n  terrain: (seed: twelve),\n)").unwrap();
        let words = read(&path).unwrap_err();
        assert!(words.starts_with(&format!("{path}: terrain.seed, line 2, column ")), "{words}");
        assert!(read("/no/such/file").is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_save_that_fails_midway_leaves_the_old_preset() {
        let folder = std::env::temp_dir().join(format!("terrain-panel-save-{}", std::process::id()));
        let path = folder.join("mine.terrain.ron");
        let words = path.display().to_string();
        let mut preset = TerrainPreset::default();
        write(&words, &preset).unwrap();
        // Another name of the old file: what is written in place changes it too.
        let old = folder.join("old");
        std::fs::hard_link(&path, &old).unwrap();
        preset.terrain.seed = 12;
        write(&words, &preset).unwrap();
        assert_eq!(read(&words).unwrap(), preset);
        assert_eq!(read(&old.display().to_string()).unwrap(), TerrainPreset::default(), "the old file was written to");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2, "something was left behind");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
