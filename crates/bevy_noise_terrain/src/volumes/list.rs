//! The volumes of a terrain.

use std::collections::BTreeMap;
use std::sync::Arc;

use bevy::prelude::*;
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::prepared::Prepared;
use super::volume::TerrainVolume;
use crate::edits::VolumeHole;
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
#[derive(Component, Clone, Default, Reflect)]
#[reflect(opaque)]
#[reflect(Component, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TerrainVolumes {
    volumes: BTreeMap<VolumeId, Arc<Prepared>>,
    next: VolumeId,
}

impl TerrainVolumes {
    /// Adds a volume.
    ///
    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed; then nothing changes.
    pub fn apply(&mut self, volume: TerrainVolume) -> Result<VolumeId, SettingsError> {
        let id = self.next;
        self.insert(id, volume)?;
        Ok(id)
    }

    /// Adds a volume by a name, as when it comes back after an [`undo`](Self::undo). It replaces one of the same name.
    ///
    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed; then nothing changes.
    pub fn insert(&mut self, id: VolumeId, volume: TerrainVolume) -> Result<(), SettingsError> {
        if id.0 == u32::MAX {
            // After the greatest number no other could come.
            return Err(SettingsError::new("id", id.0, format_args!("0 to {}", u32::MAX - 1)));
        }
        volume.validate()?;
        self.volumes.insert(id, Arc::new(Prepared::new(volume)?));
        self.next = self.next.max(VolumeId(id.0 + 1));
        Ok(())
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
        Some(self.volumes.remove(&id)?.volume.clone())
    }

    /// Takes all volumes away. Their names stay taken.
    pub fn clear(&mut self) {
        self.volumes.clear();
    }

    /// A volume by its name.
    pub fn get(&self, id: VolumeId) -> Option<&TerrainVolume> {
        self.volumes.get(&id).map(|prepared| &prepared.volume)
    }

    /// The volumes, in the order of their names.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (VolumeId, &TerrainVolume)> {
        self.volumes.iter().map(|(&id, prepared)| (id, &prepared.volume))
    }

    /// The number of volumes.
    pub fn len(&self) -> usize {
        self.volumes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.volumes.is_empty()
    }

    /// The holes that they take the place of, in land with vertices `spacing` metres apart.
    pub(crate) fn holes(&self, spacing: f64, is_drawn: impl Fn(VolumeId) -> bool) -> impl Iterator<Item = VolumeHole> {
        self.volumes.iter().map(move |(&id, volume)| VolumeHole {
            id,
            volume: volume.clone(),
            spacing,
            is_drawn: is_drawn(id),
        })
    }
}

/// Which volumes of a terrain are drawn.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DrawnVolumes(pub Vec<VolumeId>);

impl DrawnVolumes {
    pub fn contains(&self, id: VolumeId) -> bool {
        self.0.contains(&id)
    }
}

/// Whether they hold the same volumes by the same names.
impl PartialEq for TerrainVolumes {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl std::fmt::Debug for TerrainVolumes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// What is written: the volumes with their names, and the name that the next one gets.
#[derive(Serialize, Deserialize)]
#[serde(rename = "TerrainVolumes", deny_unknown_fields)]
struct Written<L> {
    next: VolumeId,
    list: L,
}

impl Serialize for TerrainVolumes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let list: Vec<_> = self.iter().collect();
        Written { next: self.next, list }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for TerrainVolumes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written { next, list } = Written::<Vec<(VolumeId, TerrainVolume)>>::deserialize(deserializer)?;
        let mut volumes = Self::default();
        for (index, (id, volume)) in list.into_iter().enumerate() {
            volumes.insert(id, volume).map_err(|error| serde::de::Error::custom(error.below(index)))?;
        }
        volumes.next = volumes.next.max(next);
        Ok(volumes)
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;
    use terrain_noise::prelude::*;

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
        let text = ron::to_string(&volumes).unwrap();
        let read: TerrainVolumes = ron::from_str(&text).unwrap();
        assert!(read == volumes && read.next == VolumeId(2), "{text}");
        let error = ron::from_str::<TerrainVolumes>(&text.replace("33.0", "-33.0")).unwrap_err().to_string();
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
