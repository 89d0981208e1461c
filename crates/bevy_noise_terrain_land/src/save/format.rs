//! The text of a save, in each of its versions.
//!
//! | version | |
//! |---|---|
//! | 1 | edits are a list |
//! | 2 | edits tell the name that the next one gets; a journal may follow |
//! | 3 | holes and volumes |

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use terrain_noise::FileError;

use super::TerrainSave;
use super::error::SaveErrorReason;
use super::journal::Link;
use crate::edits::{Edit, EditId, TerrainEdits, TerrainHoles};
use crate::preset_asset::{PresetError, TerrainPreset};
use crate::scatter::RemovedScatter;
use crate::volumes::TerrainVolumes;

/// The version that is written.
const VERSION: u32 = 3;

/// A save, and the journal that follows it.
#[derive(Clone, Debug, Default)]
pub struct SaveFile {
    pub save: TerrainSave,
    pub link: Option<Link>,
}

/// A file as it is written.
#[derive(Serialize)]
#[serde(rename = "TerrainSave")]
struct Written<'a> {
    version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    journal: Option<Link>,
    world: &'a TerrainPreset,
    edits: &'a TerrainEdits,
    holes: &'a TerrainHoles,
    volumes: &'a TerrainVolumes,
    removed: &'a RemovedScatter,
}

// In each version the number comes first, so that a file of another one is refused for its version, not for a field that
// is new in it.

#[derive(Deserialize)]
#[serde(rename = "TerrainSave", deny_unknown_fields)]
struct Version3 {
    #[serde(rename = "version")]
    _version: Version<3>,
    #[serde(default)]
    journal: Option<Link>,
    #[serde(default)]
    world: TerrainPreset,
    #[serde(default)]
    edits: TerrainEdits,
    #[serde(default)]
    holes: TerrainHoles,
    #[serde(default)]
    volumes: TerrainVolumes,
    #[serde(default)]
    removed: RemovedScatter,
}

#[derive(Deserialize)]
#[serde(rename = "TerrainSave", deny_unknown_fields)]
struct Version2 {
    #[serde(rename = "version")]
    _version: Version<2>,
    #[serde(default)]
    journal: Option<Link>,
    #[serde(default)]
    world: TerrainPreset,
    #[serde(default)]
    edits: TerrainEdits,
    #[serde(default)]
    removed: RemovedScatter,
}

#[derive(Deserialize)]
#[serde(rename = "TerrainSave", deny_unknown_fields)]
struct Version1 {
    #[serde(rename = "version")]
    _version: Version<1>,
    #[serde(default)]
    world: TerrainPreset,
    #[serde(default)]
    edits: EditList,
    #[serde(default)]
    removed: RemovedScatter,
}

/// The number of a version, and no other.
struct Version<const N: u32>;

impl<'de, const N: u32> Deserialize<'de> for Version<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            found if found == N => Ok(Self),
            found => Err(serde::de::Error::custom(format_args!("found version {found}, allowed is 1 to {VERSION}"))),
        }
    }
}

/// Edits of version 1.
#[derive(Default)]
struct EditList(TerrainEdits);

impl<'de> Deserialize<'de> for EditList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = Vec::<(EditId, Edit)>::deserialize(deserializer)?;
        TerrainEdits::from_list(EditId::default(), list).map(Self).map_err(serde::de::Error::custom)
    }
}

impl From<Version1> for SaveFile {
    fn from(Version1 { world, edits, removed, .. }: Version1) -> Self {
        Self { save: TerrainSave { world, edits: edits.0, removed, ..TerrainSave::default() }, link: None }
    }
}

impl From<Version2> for SaveFile {
    fn from(Version2 { journal, world, edits, removed, .. }: Version2) -> Self {
        Self { save: TerrainSave { world, edits, removed, ..TerrainSave::default() }, link: journal }
    }
}

impl From<Version3> for SaveFile {
    fn from(Version3 { journal, world, edits, holes, volumes, removed, .. }: Version3) -> Self {
        Self { save: TerrainSave { world, edits, holes, volumes, removed }, link: journal }
    }
}

/// Whether a file was refused because it is of another version.
fn is_other_version(error: &FileError) -> bool {
    matches!(error, FileError::Form { path, .. } if path == "version")
}

impl SaveFile {
    /// Reads the text of a file of any version, and checks every field.
    pub fn from_ron(text: &str) -> Result<Self, SaveErrorReason> {
        let newest = Self::of_version::<Version3>(text);
        let file = newest
            .or_else(|error| Self::older::<Version2>(text, error))
            .or_else(|error| Self::older::<Version1>(text, error))?;
        file.save.world.validate()?;
        Ok(file)
    }

    fn of_version<V: DeserializeOwned + Into<Self>>(text: &str) -> Result<Self, FileError> {
        terrain_noise::read_ron::<V>(text).map(V::into)
    }

    /// Reads a file of an older version, if that is why it was refused with `error`.
    fn older<V: DeserializeOwned + Into<Self>>(text: &str, error: FileError) -> Result<Self, FileError> {
        if !is_other_version(&error) {
            return Err(error);
        }
        Self::of_version::<V>(text).map_err(|older| if is_other_version(&older) { error } else { older })
    }
}

/// The text of a file.
pub fn to_ron(save: &TerrainSave, link: Option<Link>) -> Result<String, PresetError> {
    terrain_noise::write_ron(&written(save, link)).map_err(PresetError::Write)
}

fn written(save: &TerrainSave, journal: Option<Link>) -> Written<'_> {
    let TerrainSave { world, edits, holes, volumes, removed } = save;
    Written { version: VERSION, journal, world, edits, holes, volumes, removed }
}

impl Serialize for TerrainSave {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        written(self, None).serialize(serializer)
    }
}

/// Of the version that is written alone: [`TerrainSave::from_ron`] reads older ones, too.
impl<'de> Deserialize<'de> for TerrainSave {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Version3::deserialize(deserializer).map(|file| SaveFile::from(file).save)
    }
}
