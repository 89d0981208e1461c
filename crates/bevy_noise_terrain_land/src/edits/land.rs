//! Everything that players and games have changed in the land.

use super::holes::HoleSet;
use super::tree::{Change, EditTree};

/// A snapshot of edits and holes: a pointer each.
#[derive(Clone, Debug, Default)]
pub(crate) struct LandEdits {
    pub edits: EditTree,
    pub holes: HoleSet,
}

impl From<EditTree> for LandEdits {
    fn from(edits: EditTree) -> Self {
        Self { edits, holes: HoleSet::default() }
    }
}

impl LandEdits {
    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty() && self.holes.is_empty()
    }

    /// Whether it is the same snapshot.
    #[cfg(feature = "scatter")]
    pub fn is(&self, other: &Self) -> bool {
        self.edits.is(&other.edits) && self.holes.is(&other.holes)
    }

    /// Where two snapshots may differ, but for edges that coarse samples widen.
    pub fn difference(&self, other: &Self) -> Vec<Change> {
        let mut changes = self.edits.difference(&other.edits);
        changes.extend(self.holes.difference(&other.holes).into_iter().map(Change::hole));
        changes
    }
}
