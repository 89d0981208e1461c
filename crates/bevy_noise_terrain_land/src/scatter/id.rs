//! Identities of objects.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// Which object it is: the same on every machine and in every session, drawn or not.
///
/// Objects keep theirs when the land changes under them, as long as they still stand there, and when their kind is
/// changed in anything but its place among [`kinds`](crate::scatter::TerrainScatter::kinds), its density and its seed. The
/// vertex spacing of the land matters too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect, Serialize, Deserialize)]
pub struct ScatterId {
    /// Index of its kind in the settings.
    pub kind: u8,
    /// The square of the plane that it stands in: x and z, in widths of a cell.
    pub cell: [i64; 2],
    /// Number of its place within the cell.
    pub candidate: u32,
}
