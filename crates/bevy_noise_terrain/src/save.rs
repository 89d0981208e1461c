//! A world with what players have changed, as a file (feature `presets`).

use std::io::Write;
use std::path::{Path, PathBuf};

use bevy::prelude::*;
use serde::{Deserialize, Deserializer, Serialize};

use crate::edits::TerrainEdits;
use crate::files;
use crate::ground::TerrainGround;
use crate::preset_asset::{PresetError, TerrainPreset};
use crate::scatter::{RemovedScatter, TerrainScatter};
#[cfg(feature = "sky")]
use crate::sky::TerrainSky;
use crate::terrain::NoiseTerrain;
use crate::water::TerrainWater;

/// The version of the format that is written.
const VERSION: u32 = 1;

/// A world and what players have changed in it: a few numbers for each change, whatever its size.
///
/// ```
/// # use bevy::math::DVec3;
/// # use bevy_noise_terrain::{TerrainSave, edits::Edit};
/// # let folder = std::env::temp_dir().join(format!("terrain-save-{}", std::process::id()));
/// # let path = folder.join("valley.save.ron");
/// let mut save = TerrainSave::default();
/// save.edits.apply(Edit::flatten(DVec3::new(100.0, 40.0, -20.0), 12.0).falloff(4.0))?;
/// save.write(&path)?;
/// assert_eq!(TerrainSave::read(&path)?, save);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// In an app, [`of`](Self::of) collects it from a terrain, and [`apply`](Self::apply) puts it back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TerrainSave {
    // It comes first, so that a file of a later version is refused for its version, not for a field that is new in it.
    #[serde(deserialize_with = "known_version")]
    version: u32,
    /// Shape, seed and looks.
    #[serde(default)]
    pub world: TerrainPreset,
    /// Changes of the land.
    #[serde(default)]
    pub edits: TerrainEdits,
    /// Objects that have been taken away.
    #[serde(default)]
    pub removed: RemovedScatter,
}

impl Default for TerrainSave {
    fn default() -> Self {
        Self { version: VERSION, world: default(), edits: default(), removed: default() }
    }
}

fn known_version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    // Version 1 is the first: there is nothing older to migrate yet.
    match u32::deserialize(deserializer)? {
        VERSION => Ok(VERSION),
        other => Err(serde::de::Error::custom(format_args!("found version {other}, allowed is {VERSION}"))),
    }
}

/// Why a save cannot be read or written. Tells the file, and for a damaged one the line.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct SaveError {
    /// The file.
    pub path: PathBuf,
    /// The reason.
    pub source: PresetError,
}

impl TerrainSave {
    /// What a terrain is now; `None` if the entity is none. The sky is that of the world.
    pub fn of(world: &World, terrain: Entity) -> Option<Self> {
        let terrain = world.get_entity(terrain).ok()?;
        let preset = TerrainPreset {
            terrain: terrain.get::<NoiseTerrain>()?.clone(),
            ground: terrain.get::<TerrainGround>().cloned().unwrap_or_default(),
            water: terrain.get::<TerrainWater>().cloned(),
            scatter: terrain.get::<TerrainScatter>().cloned(),
            #[cfg(feature = "sky")]
            sky: world.get_resource::<TerrainSky>().cloned(),
            #[cfg(not(feature = "sky"))]
            weather: default(),
        };
        let edits = terrain.get::<TerrainEdits>().cloned().unwrap_or_default();
        let removed = terrain.get::<RemovedScatter>().cloned().unwrap_or_default();
        Some(Self { version: VERSION, world: preset, edits, removed })
    }

    /// Makes a terrain what it was when it was saved. Components that do not differ are not marked as changed.
    pub fn apply(self, mut terrain: EntityCommands) {
        let Self { world, edits, removed, .. } = self;
        world.apply(terrain.reborrow());
        terrain.queue(move |mut terrain: EntityWorldMut| {
            let is_same = |own: Option<&TerrainEdits>| own.map_or(edits.is_empty(), |own| *own == edits);
            if !is_same(terrain.get()) {
                terrain.insert(edits);
            }
            if terrain.get::<RemovedScatter>().is_some_and(|own| *own != removed) {
                terrain.insert(removed);
            }
        });
    }

    /// Reads a file and checks every field.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, is of another format or of a later version; nothing else happens then.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, SaveError> {
        let path = path.as_ref();
        let read = || {
            let bytes = std::fs::read(path)?;
            Self::from_ron(std::str::from_utf8(&bytes)?)
        };
        read().map_err(|source| SaveError { path: path.to_owned(), source })
    }

    /// Writes a file. The old one stays until the new one is complete and on disk: whatever happens, one of them is there.
    ///
    /// # Errors
    /// If it cannot be written; the old file stays.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), SaveError> {
        let path = path.as_ref();
        let write = || {
            let text = self.to_ron()?;
            Ok(files::replace(path, |file| file.write_all(text.as_bytes()))?)
        };
        write().map_err(|source| SaveError { path: path.to_owned(), source })
    }

    /// Reads the text of a file and checks every field.
    ///
    /// # Errors
    /// With the path, the line and the reason.
    pub fn from_ron(text: &str) -> Result<Self, PresetError> {
        let save: Self = terrain_noise::read_ron(text)?;
        save.world.validate()?;
        Ok(save)
    }

    /// The text of a file.
    ///
    /// # Errors
    /// If RON cannot express a value.
    pub fn to_ron(&self) -> Result<String, PresetError> {
        terrain_noise::write_ron(self).map_err(PresetError::Write)
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;

    use super::*;
    use crate::edits::Edit;
    use crate::scatter::ScatterId;

    fn save() -> TerrainSave {
        let mut save = TerrainSave::default();
        save.world.terrain.seed = 12;
        save.edits.apply(Edit::raise(DVec3::new(1.0, 0.0, 2.0), 3.0, 0.1)).unwrap();
        save.edits.apply(Edit::path([DVec3::ZERO, DVec3::splat(9.0)], 2.0)).unwrap();
        save.removed.remove(ScatterId { kind: 1, cell: [-4, 9], candidate: 77 });
        save
    }

    #[test]
    fn damaged_foreign_and_later_files_are_refused_with_the_reason() {
        let text = save().to_ron().unwrap();
        assert_eq!(TerrainSave::from_ron(&text).unwrap(), save());
        let message = |text: &str| TerrainSave::from_ron(text).unwrap_err().to_string();
        for end in [1, 10, text.len() / 3, text.len() / 2, text.len() - 2] {
            let torn = message(&text[..end]);
            assert!(torn.contains("line "), "{torn}");
        }
        let later = message(&text.replace("version: 1", "version: 2"));
        assert!(later.contains("found version 2, allowed is 1"), "{later}");
        assert!(message("(terrain: (seed: 3))").contains("terrain"), "a preset is no save");
        let invalid = message(&text.replace("seed: 12", "seed: 12, lod: (spacing: 0.0)"));
        assert!(!invalid.is_empty());
        let radius = message(&text.replace("radius: 3.0", "radius: -3.0"));
        assert!(radius.contains("edit.area.radius: found -3, allowed is 0.01 to 100000 m"), "{radius}");
    }

    #[test]
    fn a_terrain_becomes_what_it_was() {
        let mut world = World::new();
        let terrain = world.spawn((NoiseTerrain::default(), RemovedScatter::default())).id();
        let blank = TerrainSave::of(&world, terrain).unwrap();
        save().apply(world.commands().entity(terrain));
        world.flush();
        let now = TerrainSave::of(&world, terrain).unwrap();
        assert_eq!((now.world.terrain.seed, &now.edits, &now.removed), (12, &save().edits, &save().removed));
        blank.clone().apply(world.commands().entity(terrain));
        world.flush();
        assert_eq!(TerrainSave::of(&world, terrain).unwrap(), blank);
    }
}
