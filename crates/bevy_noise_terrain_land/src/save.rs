//! A world with what players have changed, as a file (feature `presets`).
//!
//! - `format`: the text of a save, in each of its versions.
//! - `record`, `journal`: changes since a save, as lines of a file.
//! - `store`: a save and its journals as files beside each other.
//! - `snapshot`: what a terrain is now.
//! - `session`: what of it is on disk, and what is on its way.
//! - `autosave`: the component.

mod autosave;
mod error;
mod folding;
mod format;
mod journal;
mod record;
mod session;
mod snapshot;
mod store;

pub use autosave::{TerrainAutosave, TerrainAutosavePlugin, TerrainLoaded, TerrainSaveFailed, TerrainSaved};
pub use error::{SaveError, SaveErrorReason};
pub use store::SaveReplay;

use std::path::Path;

use bevy::prelude::*;

use crate::edits::{TerrainEdits, TerrainHoles};
use crate::preset_asset::{PresetError, TerrainPreset};
use crate::scatter::RemovedScatter;
use crate::volumes::TerrainVolumes;
use format::SaveFile;
use snapshot::{Snapshot, Weather};

/// A world and what players have changed in it: a few numbers for each change, whatever its size.
///
/// ```
/// # use bevy_noise_terrain_land as bevy_noise_terrain;
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
/// In an app, [`of`](Self::of) collects it from a terrain, and [`apply`](Self::apply) puts it back;
/// [`TerrainAutosave`] does both, and loses nothing in between.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TerrainSave {
    /// Shape, seed and looks.
    pub world: TerrainPreset,
    /// Changes of the land.
    pub edits: TerrainEdits,
    /// Where the land is not there.
    pub holes: TerrainHoles,
    /// Caves and the like that were added. Those that the land itself has are a part of [`world`](Self::world).
    pub volumes: TerrainVolumes,
    /// Objects that have been taken away.
    pub removed: RemovedScatter,
}

impl TerrainSave {
    /// What a terrain is now; `None` if the entity is none. Wind and sky are those of the app.
    pub fn of(app: &World, terrain: Entity) -> Option<Self> {
        let terrain = app.get_entity(terrain).ok()?;
        // One by one: a world may never have heard of some of them.
        let looks = (terrain.get()?, terrain.get(), terrain.get(), terrain.get());
        let changes = (terrain.get(), terrain.get(), terrain.get(), terrain.get());
        let parts = (looks.0, looks.1, looks.2, looks.3, changes.0, changes.1, changes.2, changes.3, terrain.get());
        let now = Snapshot::new(parts, Weather::of(app));
        Some(now.save(now.world(None)))
    }

    /// Makes a terrain what it was when it was saved. Components that do not differ are not marked as changed.
    pub fn apply(self, mut terrain: EntityCommands) {
        let Self { world, edits, holes, volumes, removed } = self;
        world.apply(terrain.reborrow());
        terrain.queue(move |mut terrain: EntityWorldMut| {
            put(&mut terrain, edits, |own, new| own == new && own.next_id() == new.next_id());
            put(&mut terrain, holes, |own, new| own == new && own.next_id() == new.next_id());
            put(&mut terrain, volumes, |own, new| own == new && own.next_id() == new.next_id());
            put(&mut terrain, removed, PartialEq::eq);
        });
    }

    /// Reads a file with its journal, if it has one, and checks every field. Files of all versions are read.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, is of another format or of a later version; nothing else happens then.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, SaveError> {
        Self::read_with_journal(path).map(|(save, _)| save)
    }

    /// Reads a file as [`read`](Self::read) does, and tells what its journal added.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, is of another format or of a later version; nothing else happens then.
    pub fn read_with_journal(path: impl AsRef<Path>) -> Result<(Self, SaveReplay), SaveError> {
        store::read(path.as_ref())
    }

    /// Writes a file. The old one stays until the new one is complete and on disk: whatever happens, one of them is there.
    /// Journals of the old one are no longer read. Leave a file to [`TerrainAutosave`] while it keeps it.
    ///
    /// # Errors
    /// If it cannot be written; the old file stays.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), SaveError> {
        store::write_file(path.as_ref(), self, None)
    }

    /// Reads the text of a file of any version and checks every field.
    ///
    /// # Errors
    /// With the path, the line and the reason.
    pub fn from_ron(text: &str) -> Result<Self, SaveErrorReason> {
        SaveFile::from_ron(text).map(|file| file.save)
    }

    /// The text of a file.
    ///
    /// # Errors
    /// If RON cannot express a value.
    pub fn to_ron(&self) -> Result<String, PresetError> {
        format::to_ron(self, None)
    }
}

/// Inserts a component, unless the terrain has the same one, or none where it would be empty.
fn put<C: Component + Default>(terrain: &mut EntityWorldMut, new: C, is_same: impl Fn(&C, &C) -> bool) {
    if !is_same(terrain.get().unwrap_or(&C::default()), &new) {
        terrain.insert(new);
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;
    use terrain_noise::{read_ron, write_ron_line};

    use super::*;
    use crate::edits::{Edit, EditId, Hole};
    use crate::scatter::ScatterId;
    use crate::terrain::NoiseTerrain;
    use crate::volumes::{TerrainVolume, VolumeScatter, VolumeShape};

    fn save() -> TerrainSave {
        let mut save = TerrainSave::default();
        save.world.terrain.seed = 12;
        save.edits.apply(Edit::raise(DVec3::new(1.0, 0.0, 2.0), 3.0, 0.1)).unwrap();
        save.edits.apply(Edit::path([DVec3::ZERO, DVec3::splat(9.0)], 2.0)).unwrap();
        save.removed.remove(ScatterId { kind: 1, cell: [-4, 9], candidate: 77 });
        save
    }

    fn save_with_caves() -> TerrainSave {
        let mut save = save();
        save.world.volumes = Some(VolumeScatter::default());
        save.holes.apply(Hole::disc(DVec3::splat(7.0), 2.0)).unwrap();
        let shapes = vec![VolumeShape::dig(DVec3::ZERO, DVec3::Y, 2.5)];
        save.volumes.apply(TerrainVolume { shapes, ..default() }).unwrap();
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
        let later = message(&text.replace("version: 3", "version: 4").replace("edits: (", "changes: ("));
        assert!(later.contains("found version 4, allowed is 1 to 3"), "{later}");
        assert!(message("(terrain: (seed: 3))").contains("terrain"), "a preset is no save");
        let invalid = message(&text.replace("seed: 12", "seed: 12, lod: (spacing: 0.0)"));
        assert!(!invalid.is_empty());
        let radius = message(&text.replace("radius: 3.0", "radius: -3.0"));
        assert!(radius.contains("edit.area.radius: found -3, allowed is 0.01 to 100000 m"), "{radius}");
    }

    /// As it was written before edits told the name of the next one.
    const VERSION_1: &str = "(
    version: 1,
    world: (terrain: (seed: 12)),
    edits: [
        ((0), (
            area: Disc(center: (1.0, 2.0), radius: 3.0),
            falloff: 0.0,
            action: Raise(by: 0.1),
            clear_plants: false,
        )),
        ((1), (
            area: Path(points: [(0.0, 0.0, 0.0), (9.0, 9.0, 9.0)], width: 2.0),
            falloff: 0.0,
            action: Grade,
            clear_plants: true,
        )),
    ],
    removed: [(kind: 1, cell: (-4, 9), candidate: 77)],
)";

    #[test]
    fn files_of_version_1_are_read() {
        let read = TerrainSave::from_ron(VERSION_1).unwrap();
        assert_eq!(read, save());
        assert_eq!(read.edits.next_id(), save().edits.next_id());
        let message = |text: &str| TerrainSave::from_ron(text).unwrap_err().to_string();
        let radius = message(&VERSION_1.replace("radius: 3.0", "radius: -3.0"));
        assert!(radius.contains("0.edit.area.radius: found -3, allowed is 0.01 to 100000 m"), "{radius}");
        let word = message(&VERSION_1.replace("radius: 3.0", "radius: wide"));
        assert!(word.starts_with("edits.0.1.area.radius, line 6, column "), "{word}");
        // A list without the name of the next is none of the present version.
        assert!(message(&VERSION_1.replace("version: 1", "version: 2")).starts_with("edits, line 4, "));
    }

    #[test]
    fn files_of_version_2_are_read() {
        let text = save().to_ron().unwrap().replace("version: 3", "version: 2");
        let (from, to) = (text.find("    holes: ").unwrap(), text.find("    removed: ").unwrap());
        let text = format!("{}{}", &text[..from], &text[to..]);
        assert_eq!(TerrainSave::from_ron(&text).unwrap(), save());
        let caves = save_with_caves().to_ron().unwrap().replace("version: 3", "version: 2");
        let error = TerrainSave::from_ron(&caves).unwrap_err().to_string();
        assert!(error.contains("holes"), "{error}");
    }

    #[test]
    fn holes_and_volumes_are_kept() {
        let save = save_with_caves();
        let text = save.to_ron().unwrap();
        let read = TerrainSave::from_ron(&text).unwrap();
        assert_eq!(read, save);
        assert_eq!((read.holes.next_id(), read.volumes.next_id()), (save.holes.next_id(), save.volumes.next_id()));
        let error = TerrainSave::from_ron(&text.replace("radius: 2.5", "radius: -2.5")).unwrap_err().to_string();
        assert!(error.contains("volume.shapes.0.radius: found -2.5, allowed is 0.1 to 100 m"), "{error}");
        let mut world = World::new();
        let terrain = world.spawn(NoiseTerrain::default()).id();
        save.clone().apply(world.commands().entity(terrain));
        world.flush();
        assert_eq!(TerrainSave::of(&world, terrain).unwrap(), save);
    }

    #[test]
    fn names_stay_taken_in_a_file() {
        let mut save = save();
        save.edits.undo(EditId(1));
        let read = TerrainSave::from_ron(&save.to_ron().unwrap()).unwrap();
        assert_eq!((&read, read.edits.next_id()), (&save, EditId(2)));
        let other: TerrainSave = read_ron(&write_ron_line(&save).unwrap()).unwrap();
        assert_eq!(other, save, "within another file");
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
