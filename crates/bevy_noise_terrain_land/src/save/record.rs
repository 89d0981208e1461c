//! A record of the journal: what has changed in a world.

use serde::{Deserialize, Serialize};
use terrain_noise::FileError;

use super::TerrainSave;
use super::error::SaveErrorReason;
use crate::edits::{Edit, EditAction, EditChanges, HoleChanges};
use crate::preset_asset::{PresetError, TerrainPreset};
use crate::scatter::RemovedChanges;
use crate::volumes::VolumeChanges;

/// What leads from one state of a save to the next. Made twice, it does no harm.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Record {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub world: Option<TerrainPreset>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edits: Option<EditChanges>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holes: Option<HoleChanges>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volumes: Option<VolumeChanges>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed: Option<RemovedChanges>,
}

impl Record {
    /// Whether it has all edits anew.
    pub fn is_whole(&self) -> bool {
        self.edits.as_ref().is_some_and(|changes| changes.cleared)
    }

    /// Whether it has an image, which takes long to write.
    pub fn has_image(&self) -> bool {
        let edits = self.edits.as_ref().map_or(&[][..], |changes| &changes.edits);
        let has_image = |edit: &Edit| matches!(edit.action, EditAction::Stamp { .. });
        edits.iter().any(|(_, edit)| edit.as_ref().is_some_and(has_image))
    }

    /// Its text, without an end of line.
    pub fn to_line(&self) -> Result<String, PresetError> {
        terrain_noise::write_ron_line(self).map_err(PresetError::Write)
    }

    /// Reads a text that begins in a line at a column, both from 1.
    pub fn from_line(text: &str, line: usize, column: usize) -> Result<Self, SaveErrorReason> {
        terrain_noise::read_ron(text).map_err(|error| {
            let placed = match error {
                FileError::Form { path, column: within, message, .. } => {
                    FileError::Form { path, line, column: column + within - 1, message }
                }
                other => other,
            };
            placed.into()
        })
    }

    /// Makes the changes of the record in this line.
    pub fn apply(self, save: &mut TerrainSave, line: usize) -> Result<(), SaveErrorReason> {
        let Self { world, edits, holes, volumes, removed } = self;
        let value = |error| SaveErrorReason::Value { line, error };
        if let Some(world) = world {
            world.validate().map_err(value)?;
            save.world = world;
        }
        if let Some(edits) = edits {
            save.edits.merge(edits).map_err(|error| value(error.below("edits")))?;
        }
        if let Some(holes) = holes {
            save.holes.merge(holes).map_err(|error| value(error.below("holes")))?;
        }
        if let Some(volumes) = volumes {
            save.volumes.merge(volumes).map_err(|error| value(error.below("volumes")))?;
        }
        if let Some(removed) = removed {
            save.removed.merge(&removed);
        }
        Ok(())
    }
}
