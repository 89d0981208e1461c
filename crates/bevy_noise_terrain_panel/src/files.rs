//! The presets in the asset folder: lists and loads them, paints their thumbnails and follows their changes.

use std::io::Write;
use std::path::{Path, PathBuf};

use bevy::asset::io::AssetSourceId;
use bevy::asset::{AssetLoadError, AssetLoadFailedEvent, AssetPath};
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::tasks::futures_lite::StreamExt;
use bevy::tasks::{AsyncComputeTaskPool, IoTaskPool, Task, TaskPool, block_on};
use bevy_egui::egui::{self, TextureHandle, TextureOptions};
use bevy_noise_terrain::internal::replace_file;
use bevy_noise_terrain::{PresetError, TerrainPreset};

use super::raster::{self, Colors, MapView, Request};

/// The folder of presets in the asset folder.
const FOLDER: &str = "presets";
/// The end of their file names.
pub const ENDING: &str = ".terrain.ron";
/// Size of a thumbnail in pixels.
const PICTURE: [usize; 2] = [88, 56];
/// Metres per pixel of a thumbnail.
const SCALE: f64 = 110.0;

/// A preset in the folder.
pub struct Entry {
    pub name: String,
    pub handle: Handle<TerrainPreset>,
    /// Why it could not be loaded.
    pub broken: Option<String>,
    pub picture: Option<TextureHandle>,
    painting: Option<Task<egui::ColorImage>>,
    painted: bool,
}

/// All presets.
#[derive(Default)]
pub struct Files {
    pub entries: Vec<Entry>,
    scanning: Option<Task<Vec<PathBuf>>>,
    scanned: bool,
}

impl Files {
    /// Starts to list the folder.
    pub fn scan(&mut self, server: &AssetServer) {
        let server = server.clone();
        self.scanned = true;
        let pool = IoTaskPool::get_or_init(TaskPool::default);
        self.scanning = Some(pool.spawn(async move {
            let mut paths = Vec::new();
            // Without the folder there are no presets.
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

    /// Processes what was found, loaded, painted or rejected since the last frame.
    pub fn update(
        &mut self,
        context: &egui::Context,
        server: &AssetServer,
        presets: &Assets<TerrainPreset>,
        changes: &mut MessageReader<AssetEvent<TerrainPreset>>,
        failures: &mut MessageReader<AssetLoadFailedEvent<TerrainPreset>>,
    ) {
        if !self.scanned {
            self.scan(server);
        }
        if self.scanning.as_ref().is_some_and(Task::is_finished)
            && let Some(task) = self.scanning.take()
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
                entry.broken = Some(message(&failure.error));
            }
        }
        // One thumbnail at a time is fast enough.
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
        let request = Request { surface, colors: Colors::Height, view, size: PICTURE, section: [[0.0; 2]; 2] };
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

/// The message of the preset loader, without that of the asset server around it.
fn message(error: &AssetLoadError) -> String {
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

/// A folder as a person would write it: from the working directory on, if it lies there.
pub fn short_path(folder: &Path) -> PathBuf {
    // It may not exist yet.
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    here.ok().and_then(|here| folder.strip_prefix(here).ok().map(Path::to_owned)).unwrap_or(folder)
}

/// Writes a preset to a file and creates its folder. The old file is replaced only once the new one is complete, so
/// that a full disk does not destroy it.
pub fn write(path: &str, preset: &TerrainPreset) -> Result<(), String> {
    let text = preset.to_ron().map_err(|error| error.to_string())?;
    let path = Path::new(path.trim());
    replace_file(path, |file| file.write_all(text.as_bytes())).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_as_short_as_they_can_be() {
        let here = std::env::current_dir().unwrap();
        assert_eq!(short_path(&here.join("src/panel")), Path::new("src/panel"));
        assert_eq!(short_path(&here.join("src/../src")), Path::new("src"));
        assert_eq!(short_path(Path::new("/nowhere/at/all")), Path::new("/nowhere/at/all"));
    }

    #[test]
    fn files_are_written_read_and_rejected_with_line_and_column() {
        let folder = std::env::temp_dir().join(format!("terrain-panel-files-{}", std::process::id()));
        let path = folder.join("sub/mine.terrain.ron").display().to_string();
        let mut preset = TerrainPreset::default();
        preset.terrain.seed = 12;
        write(&path, &preset).unwrap();
        assert_eq!(read(&path).unwrap(), preset);
        std::fs::write(&path, "(\n  terrain: (seed: twelve),\n)").unwrap();
        let message = read(&path).unwrap_err();
        assert!(message.starts_with(&format!("{path}: terrain.seed, line 2, column ")), "{message}");
        assert!(read("/no/such/file").is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn saving_does_not_write_into_the_old_file() {
        let folder = std::env::temp_dir().join(format!("terrain-panel-save-{}", std::process::id()));
        let path = folder.join("mine.terrain.ron");
        let file = path.display().to_string();
        let mut preset = TerrainPreset::default();
        write(&file, &preset).unwrap();
        // A second link to the old file: writing in place would change it too.
        let old = folder.join("old");
        std::fs::hard_link(&path, &old).unwrap();
        preset.terrain.seed = 12;
        write(&file, &preset).unwrap();
        assert_eq!(read(&file).unwrap(), preset);
        assert_eq!(read(&old.display().to_string()).unwrap(), TerrainPreset::default(), "the old file was written to");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2, "something was left behind");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
