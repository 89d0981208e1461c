//! Why a save cannot be read or written.

use std::io;
use std::path::{Path, PathBuf};

use crate::preset_asset::PresetError;
use crate::settings::SettingsError;

/// Why a save or its journal cannot be read or written: the file, and for a damaged one the line.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct SaveError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    #[source]
    pub reason: SaveErrorReason,
}

/// What is wrong with a save or its journal.
#[derive(Debug, thiserror::Error)]
pub enum SaveErrorReason {
    /// It cannot be read or written, or its contents are no save.
    #[error(transparent)]
    File(#[from] PresetError),
    /// It is no journal of a terrain.
    #[error("line 1: found no journal of a terrain")]
    NoJournal,
    /// The journal is of a later version.
    #[error("line 1: found version {found}, allowed is {allowed}")]
    Version {
        /// The version it says.
        found: String,
        /// The version that can be read.
        allowed: u32,
    },
    /// A line of the journal is damaged although it was complete once: others come after it.
    #[error("line {line}: damaged")]
    Damaged {
        /// The line, from 1.
        line: usize,
    },
    /// A record of the journal is not the one that comes next.
    #[error("line {line}: found record {found}, allowed is {allowed}")]
    Order {
        /// The line, from 1.
        line: usize,
        /// The record's number.
        found: u64,
        /// The number that comes next.
        allowed: u64,
    },
    /// A record of the journal has an invalid value.
    #[error("line {line}: {error}")]
    Value {
        /// The line, from 1.
        line: usize,
        /// The value, and what is allowed.
        error: SettingsError,
    },
    /// Another program, or another terrain, writes it.
    #[error("another program or terrain is writing it")]
    InUse,
    /// Somebody else has put another save in its place.
    #[error("found another save than the one that was written here")]
    Replaced,
}

impl SaveErrorReason {
    pub(super) fn of(self, path: &Path) -> SaveError {
        SaveError { path: path.to_owned(), reason: self }
    }
}

impl From<io::Error> for SaveErrorReason {
    fn from(error: io::Error) -> Self {
        Self::File(error.into())
    }
}

impl From<terrain_noise::FileError> for SaveErrorReason {
    fn from(error: terrain_noise::FileError) -> Self {
        Self::File(error.into())
    }
}

impl From<SettingsError> for SaveErrorReason {
    fn from(error: SettingsError) -> Self {
        Self::File(error.into())
    }
}
