//! What players want, and the answers.

use bevy::prelude::*;
use bevy_noise_terrain::SettingsError;
use bevy_noise_terrain::edits::{Edit, EditId};
use bevy_replicon::prelude::ClientId;
use serde::{Deserialize, Serialize};

use crate::SharedTerrain;

/// Asks the server for a change of the land. Write this message on a client. On a server that plays along, and without any
/// connection, the machine asks itself.
///
/// ```
/// # use bevy::{math::DVec3, prelude::*};
/// # use bevy_noise_terrain::edits::Edit;
/// # use bevy_noise_terrain_net::{EditChange, EditRequest, SharedTerrain};
/// fn dig(mut requests: MessageWriter<EditRequest>) {
///     let pit = Edit::raise(DVec3::new(10.0, 0.0, 4.0), 3.0, -1.0);
///     requests.write(EditRequest { terrain: SharedTerrain(0), tag: 1, change: EditChange::Apply(pit) });
/// }
/// ```
///
/// The answer is [`EditAccepted`] or [`EditRefused`]. Nothing changes before it comes: the server decides.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct EditRequest {
    /// Which terrain.
    pub terrain: SharedTerrain,
    /// Any number: it comes back with the answer.
    pub tag: u32,
    /// What to change.
    pub change: EditChange,
}

/// A change of the land that somebody wants.
#[derive(Clone, Debug, PartialEq)]
pub enum EditChange {
    /// Adds an edit after all others.
    Apply(Edit),
    /// Takes an edit away.
    Undo(EditId),
}

/// On the machine that asked: a request has been granted. The change is in its
/// [`TerrainEdits`](bevy_noise_terrain::edits::TerrainEdits) by now.
#[derive(Event, Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditAccepted {
    /// Which terrain.
    pub terrain: SharedTerrain,
    /// The number of the request.
    pub tag: u32,
    /// The name of the edit that has been applied or taken away.
    pub id: EditId,
}

/// On the machine that asked: a request has been refused; nothing has changed.
#[derive(Event, Clone, Debug, PartialEq, Eq)]
pub struct EditRefused {
    /// Which terrain.
    pub terrain: SharedTerrain,
    /// The number of the request.
    pub tag: u32,
    /// Why.
    pub reason: Refusal,
}

/// On the server: somebody's request has been granted. For a record of who did what.
#[derive(Event, Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditGranted {
    /// Who asked.
    pub client: ClientId,
    /// Which terrain.
    pub terrain: SharedTerrain,
    /// The name of the edit.
    pub id: EditId,
    /// Whether it has been taken away; otherwise it is new.
    pub undone: bool,
}

/// Why a change is refused. Your own rules return it too: see [`EditRulesAppExt`](crate::EditRulesAppExt).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Refusal {
    /// The server shares no terrain of this number, or the client has not yet got all of its edits.
    #[error("the terrain is not shared yet")]
    NotJoined,
    /// A field of the edit is wrong.
    #[error("{path}: found {found}, allowed is {allowed}")]
    Invalid {
        /// The path of the field.
        path: String,
        /// The invalid value, as text.
        found: String,
        /// What is allowed, as text.
        allowed: String,
    },
    /// There is no edit of this name to take away.
    #[error("there is no edit {}", .0.0)]
    NoSuchEdit(EditId),
    /// Too many requests: see [`EditLimits`](crate::EditLimits).
    #[error("more than {per_second} changes a second")]
    TooFast {
        /// How many are allowed in a second.
        per_second: u32,
    },
    /// Of your own rules: too far from the one who asks.
    #[error("out of reach")]
    OutOfReach,
    /// Of your own rules: where nobody may change the land.
    #[error("out of bounds")]
    OutOfBounds,
    /// Of your own rules: any other reason.
    #[error("{0}")]
    Rule(String),
}

impl From<SettingsError> for Refusal {
    fn from(SettingsError { path, found, allowed }: SettingsError) -> Self {
        Self::Invalid { path, found, allowed }
    }
}
