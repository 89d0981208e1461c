//! The volumes of a terrain.

use bevy::prelude::*;
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use serde::{Deserialize, Serialize};

use super::places::VolumeKey;
use super::prepared::Prepared;
use super::volume::TerrainVolume;
use crate::edits::VolumeHole;
#[cfg(feature = "presets")]
use crate::named_list::ListChanges;
use crate::named_list::{Item, Name, NamedList};
use crate::settings::SettingsError;

/// Names a volume of one terrain: later ones have greater names. None is used twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Reflect, Serialize, Deserialize)]
pub struct VolumeId(pub u32);

/// Boxes of the land with caves, overhangs and floating rocks: a list of volumes beside a terrain.
///
/// Insert it into the terrain's entity, and change it at any time. Each volume is drawn with the ground's own layers, and meets
/// the land at its sides; a change is built in the background and takes the screen in one frame.
///
/// ```
/// # use bevy_noise_terrain_land as bevy_noise_terrain;
/// # use bevy::{math::DVec3, prelude::*};
/// # use bevy_noise_terrain::volumes::{TerrainVolume, TerrainVolumes, VolumeShape};
/// fn dig(mut volumes: Single<&mut TerrainVolumes>) -> Result {
///     let shaft = VolumeShape::dig(DVec3::new(0.0, 60.0, 0.0), DVec3::new(9.0, 30.0, 0.0), 3.0);
///     let volume = TerrainVolume { shapes: vec![shaft], ..default() };
///     let id = volumes.apply(volume)?;
///     // Later, one more.
///     volumes.edit(id, |volume| volume.shapes.push(VolumeShape::dig(DVec3::ZERO, DVec3::Y, 2.0)))?;
///     Ok(())
/// }
/// # App::new().add_systems(Update, dig);
/// ```
///
/// [`Surface::raycast`](crate::Surface::raycast) finds its surface, [`Surface::is_solid`](crate::Surface::is_solid) tells rock from
/// air, and tiles under bodies have its triangles. Where it takes the ground away or buries it,
/// [`Surface::is_hole`](crate::Surface::is_hole) says so, and no plant stands. Volumes should not overlap: where two do, the one
/// with the greater name is seen.
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect, Serialize, Deserialize)]
#[reflect(opaque)]
#[reflect(Component, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TerrainVolumes(NamedList<Prepared>);

impl TerrainVolumes {
    /// Adds a volume.
    ///
    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed; then nothing changes.
    pub fn apply(&mut self, volume: TerrainVolume) -> Result<VolumeId, SettingsError> {
        self.0.apply(volume)
    }

    /// Adds a volume by a name, as when it comes back after an [`undo`](Self::undo). It replaces one of the same name.
    ///
    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed; then nothing changes.
    pub fn insert(&mut self, id: VolumeId, volume: TerrainVolume) -> Result<(), SettingsError> {
        self.0.insert(id, volume)
    }

    /// Changes a volume: how players dig. Returns whether there is one of this name.
    ///
    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed; then nothing changes.
    pub fn edit(&mut self, id: VolumeId, change: impl FnOnce(&mut TerrainVolume)) -> Result<bool, SettingsError> {
        let Some(volume) = self.get(id) else { return Ok(false) };
        let mut volume = volume.clone();
        change(&mut volume);
        self.insert(id, volume)?;
        Ok(true)
    }

    /// Takes a volume away, and returns it; `None` if there is none of this name.
    pub fn undo(&mut self, id: VolumeId) -> Option<TerrainVolume> {
        self.0.undo(id)
    }

    /// Takes all volumes away. Their names stay taken.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// A volume by its name.
    pub fn get(&self, id: VolumeId) -> Option<&TerrainVolume> {
        self.0.get(id)
    }

    /// The volumes, in the order of their names.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (VolumeId, &TerrainVolume)> {
        self.0.iter()
    }

    /// The number of volumes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name that the next volume gets.
    pub fn next_id(&self) -> VolumeId {
        self.0.next()
    }

    #[cfg(feature = "presets")]
    pub(crate) fn list(&self) -> &NamedList<Prepared> {
        &self.0
    }

    /// Makes changes that were made to another list.
    #[cfg(feature = "presets")]
    pub(crate) fn merge(&mut self, changes: VolumeChanges) -> Result<(), SettingsError> {
        self.0.merge(changes)
    }

    /// The holes that they take the place of, in land with vertices `spacing` metres apart.
    pub(crate) fn holes(&self, spacing: f64) -> impl Iterator<Item = VolumeHole> {
        self.0.items().map(move |(id, volume)| VolumeHole {
            key: VolumeKey::Listed(id),
            volume: volume.clone(),
            spacing,
            is_drawn: true,
        })
    }
}

/// What has changed in a list of volumes.
#[cfg(feature = "presets")]
pub(crate) type VolumeChanges = ListChanges<Prepared>;

impl Name for VolumeId {
    const LAST: Self = Self(u32::MAX);

    fn next(self) -> Self {
        Self(self.0 + 1)
    }

    fn number(self) -> u64 {
        self.0.into()
    }
}

impl Item for Prepared {
    type Name = VolumeId;
    type Settings = TerrainVolume;

    fn prepare(volume: TerrainVolume) -> Result<Self, SettingsError> {
        volume.validate()?;
        Self::new(volume)
    }

    fn settings(&self) -> &TerrainVolume {
        &self.volume
    }
}

/// Which volumes of a terrain are drawn.
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub(crate) struct DrawnVolumes(pub Vec<VolumeHole>);

impl DrawnVolumes {
    /// In the order of their names, so that equal ones are equal; none twice.
    #[cfg(feature = "render")]
    pub fn new(mut holes: Vec<VolumeHole>) -> Self {
        holes.sort_by_key(|hole| hole.key);
        holes.dedup_by_key(|hole| hole.key);
        Self(holes)
    }

    /// Whether this very volume is drawn.
    pub fn contains(&self, hole: &VolumeHole) -> bool {
        self.0.iter().any(|drawn| drawn.key == hole.key)
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;
    use terrain_noise::prelude::*;
    use terrain_noise::{read_ron, write_ron_line};

    use super::super::volume::VolumeShape;
    use super::*;

    #[test]
    fn a_list_is_read_as_it_was_written_and_nonsense_is_refused() {
        let mut volumes = TerrainVolumes::default();
        let noise = || Noise::from(perlin().fbm().octaves(3).feature_size(30.0));
        let shapes = vec![
            VolumeShape::Carve { noise: noise() },
            VolumeShape::Displace { noise: noise() },
            VolumeShape::dig(DVec3::ZERO, DVec3::X, 2.0),
        ];
        let id = volumes.apply(TerrainVolume { shapes, depth: 33.0, ..default() }).unwrap();
        let gone = volumes.apply(TerrainVolume::default()).unwrap();
        assert!(volumes.undo(gone).is_some() && volumes.undo(gone).is_none());
        let text = write_ron_line(&volumes).unwrap();
        let read: TerrainVolumes = read_ron(&text).unwrap();
        assert!(read == volumes && read.next_id() == VolumeId(2), "{text}");
        let error = read_ron::<TerrainVolumes>(&text.replace("33.0", "-33.0")).unwrap_err().to_string();
        assert!(error.contains("0.volume.depth: found -33, allowed is 1 to 500 m"), "{error}");
        // What is refused changes nothing.
        let before = volumes.clone();
        assert!(volumes.edit(id, |volume| volume.falloff = 0.0).is_err());
        assert!(volumes.insert(VolumeId(u32::MAX), default()).is_err());
        assert!(volumes == before);
        assert_eq!(volumes.edit(id, |volume| volume.falloff = 3.0), Ok(true));
        assert_eq!(volumes.edit(gone, |volume| volume.falloff = 3.0), Ok(false));
    }
}
