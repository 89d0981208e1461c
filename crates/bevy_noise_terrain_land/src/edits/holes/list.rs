//! The holes of a terrain.

use std::sync::OnceLock;

use bevy::prelude::*;
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use serde::{Deserialize, Serialize};

use super::hole::Hole;
use super::outline::Outline;
use super::set::HoleSet;
#[cfg(feature = "presets")]
use crate::named_list::ListChanges;
use crate::named_list::{Item, Name, NamedList};
use crate::settings::SettingsError;

/// Names a hole of one terrain: later holes have greater ones. None is used twice, in whatever file the list has been.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Reflect, Serialize, Deserialize)]
pub struct HoleId(pub u64);

/// Areas of the land that are not there: a list of holes beside a terrain.
///
/// Insert it into the terrain's entity, and change it at any time: the land follows in the same frame, and
/// [`LandChanged`](crate::LandChanged) tells where. Where it is drawn, the first hole of all appears once the graphics card
/// knows how to draw it, some frames later.
///
/// ```
/// # use bevy_noise_terrain_land as bevy_noise_terrain;
/// # use bevy::{math::DVec3, prelude::*};
/// # use bevy_noise_terrain::edits::{Hole, TerrainHoles};
/// fn sink_a_shaft(mut holes: Single<&mut TerrainHoles>) -> Result {
///     let shaft = holes.apply(Hole::disc(DVec3::new(100.0, 0.0, -20.0), 3.0))?;
///     holes.undo(shaft);
///     Ok(())
/// }
/// # App::new().add_systems(Update, sink_a_shaft);
/// ```
///
/// A hole goes through the land at every level of detail, exactly along its outline. Nothing is drawn there, nothing casts a
/// shadow, no plant stands there, rays pass through, and bodies fall through. What is to be seen below is yours.
/// [`Surface::ground`](crate::Surface::ground) tells where there is ground; [`Surface::height`](crate::Surface::height) is that of
/// the land as if it had no holes.
///
/// Land without holes costs nothing, however many there are elsewhere.
#[derive(Component, Clone, Debug, Default, Reflect, Serialize, Deserialize)]
#[reflect(opaque)]
#[reflect(Component, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "NamedList<Outline>", into = "NamedList<Outline>")]
pub struct TerrainHoles {
    list: NamedList<Outline>,
    /// A snapshot, once somebody has asked for it.
    set: OnceLock<HoleSet>,
}

impl TerrainHoles {
    /// Adds a hole.
    ///
    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed; then nothing changes.
    pub fn apply(&mut self, hole: Hole) -> Result<HoleId, SettingsError> {
        let id = self.list.apply(hole)?;
        self.set.take();
        Ok(id)
    }

    /// Adds a hole by a name, as when it comes back after an [`undo`](Self::undo). It replaces one of the same name.
    ///
    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed; then nothing changes.
    pub fn insert(&mut self, id: HoleId, hole: Hole) -> Result<(), SettingsError> {
        self.list.insert(id, hole)?;
        self.set.take();
        Ok(())
    }

    /// Takes a hole away, as if it had never been there, and returns it; `None` if there is none of this name.
    pub fn undo(&mut self, id: HoleId) -> Option<Hole> {
        let hole = self.list.undo(id)?;
        self.set.take();
        Some(hole)
    }

    /// Takes all holes away. Their names stay taken.
    pub fn clear(&mut self) {
        self.list.clear();
        self.set.take();
    }

    /// A hole by its name.
    pub fn get(&self, id: HoleId) -> Option<&Hole> {
        self.list.get(id)
    }

    /// The holes, in the order of their names.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (HoleId, &Hole)> {
        self.list.iter()
    }

    /// The number of holes.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name that the next hole gets.
    pub fn next_id(&self) -> HoleId {
        self.list.next()
    }

    #[cfg(feature = "presets")]
    pub(crate) fn list(&self) -> &NamedList<Outline> {
        &self.list
    }

    /// Makes changes that were made to another list.
    #[cfg(feature = "presets")]
    pub(crate) fn merge(&mut self, changes: HoleChanges) -> Result<(), SettingsError> {
        self.list.merge(changes)?;
        self.set.take();
        Ok(())
    }

    /// A snapshot of all holes.
    pub(crate) fn set(&self) -> &HoleSet {
        self.set.get_or_init(|| HoleSet::new(self.list.items().map(|(id, hole)| (id, hole.clone()))))
    }
}

/// What has changed in a list of holes.
#[cfg(feature = "presets")]
pub(crate) type HoleChanges = ListChanges<Outline>;

impl Name for HoleId {
    const LAST: Self = Self(u64::MAX);

    fn next(self) -> Self {
        Self(self.0 + 1)
    }

    fn number(self) -> u64 {
        self.0
    }
}

impl Item for Outline {
    type Name = HoleId;
    type Settings = Hole;

    fn prepare(hole: Hole) -> Result<Self, SettingsError> {
        hole.validate()?;
        Ok(Self::new(hole))
    }

    fn settings(&self) -> &Hole {
        &self.hole
    }
}

/// Whether they hold the same holes by the same names.
impl PartialEq for TerrainHoles {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

impl From<NamedList<Outline>> for TerrainHoles {
    fn from(list: NamedList<Outline>) -> Self {
        Self { list, set: OnceLock::new() }
    }
}

impl From<TerrainHoles> for NamedList<Outline> {
    fn from(holes: TerrainHoles) -> Self {
        holes.list
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;
    use terrain_noise::{read_ron, write_ron_line};

    use super::*;

    #[test]
    fn a_list_is_read_as_it_was_written_and_nonsense_is_refused() {
        let mut holes = TerrainHoles::default();
        let first = holes.apply(Hole::disc(DVec3::new(1.0, 0.0, 2.0), 3.0)).unwrap();
        holes.apply(Hole::rectangle(DVec3::ZERO, [2.0, 4.0], 0.3)).unwrap();
        holes.apply(Hole::polygon([DVec3::ZERO, DVec3::X, DVec3::Z])).unwrap();
        assert!(holes.undo(first).is_some() && holes.undo(first).is_none());
        let text = write_ron_line(&holes).unwrap();
        let read: TerrainHoles = read_ron(&text).unwrap();
        assert!(read == holes && read.next_id() == HoleId(3), "{text}");
        let wrong = text.replace("(2.0,4.0)", "(2.0,-4.0)");
        assert_ne!(wrong, text);
        let error = read_ron::<TerrainHoles>(&wrong).unwrap_err().to_string();
        assert!(error.contains("0.hole.area.size.1: found -4, allowed is 0.01 to 20000 m"), "{error}");
        // What is refused changes nothing.
        let before = holes.clone();
        assert!(holes.apply(Hole::disc(DVec3::ZERO, -1.0)).is_err());
        assert!(holes.insert(HoleId(u64::MAX), Hole::default()).is_err());
        assert!(holes == before && holes.next_id() == HoleId(3));
    }
}
