//! Objects that the app has taken away.

use std::collections::BTreeSet;
use std::sync::Arc;

use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use serde::{Deserialize, Serialize};

use super::id::ScatterId;
use super::placement::Cell;
use crate::change_log::{ChangeLog, Revision};

/// The objects that are taken away from a terrain with [`TerrainScatter`](super::TerrainScatter), which brings it along:
/// felled trees stay felled.
///
/// Change it at any time; what is drawn, asked for and collided with follows. It can be saved as a list of identities.
///
/// ```
/// # use bevy_noise_terrain_land as bevy_noise_terrain;
/// # use bevy_noise_terrain::scatter::{RemovedScatter, ScatterId};
/// let tree = ScatterId { kind: 2, cell: [10, -4], candidate: 33 };
/// let mut removed = RemovedScatter::default();
/// assert!(removed.remove(tree));
/// assert_eq!(removed.iter().collect::<Vec<_>>(), [tree]);
/// assert!(removed.restore(tree));
/// ```
#[derive(Component, Clone, Debug, Default, Reflect, Serialize, Deserialize)]
#[reflect(opaque)]
#[reflect(Component, Default, Serialize, Deserialize)]
#[serde(from = "Vec<ScatterId>", into = "Vec<ScatterId>")]
pub struct RemovedScatter {
    /// By cell: kinds and candidates. Shared with the tasks that place objects.
    cells: Arc<HashMap<Cell, BTreeSet<(u8, u32)>>>,
    log: ChangeLog<ScatterId>,
}

/// What leads from one state of [`RemovedScatter`] to a later one: see [`RemovedScatter::changes_since`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RemovedChanges {
    /// Whether all objects were put back before those below were taken away.
    pub cleared: bool,
    /// Objects that were taken away.
    pub removed: Vec<ScatterId>,
    /// Objects that were put back.
    pub restored: Vec<ScatterId>,
}

impl RemovedChanges {
    /// Whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        !self.cleared && self.removed.is_empty() && self.restored.is_empty()
    }
}

impl RemovedScatter {
    /// Takes an object away. Returns whether it was not yet.
    pub fn remove(&mut self, id: ScatterId) -> bool {
        let is_new = Arc::make_mut(&mut self.cells).entry(id.cell).or_default().insert((id.kind, id.candidate));
        if is_new {
            self.log.change(id);
        }
        is_new
    }

    /// Puts an object back. Returns whether it had been taken away.
    pub fn restore(&mut self, id: ScatterId) -> bool {
        if !self.contains(&id) {
            return false;
        }
        let cells = Arc::make_mut(&mut self.cells);
        let Some(removed) = cells.get_mut(&id.cell) else { return false };
        removed.remove(&(id.kind, id.candidate));
        if removed.is_empty() {
            cells.remove(&id.cell);
        }
        self.log.change(id);
        true
    }

    /// Puts all objects back.
    pub fn clear(&mut self) {
        if !self.is_empty() {
            self.cells = Arc::default();
            self.log.clear();
        }
    }

    /// The present state. It costs nothing, and neither does asking whether it is still the same.
    pub fn revision(&self) -> Revision {
        self.log.revision()
    }

    /// What has changed since an earlier state; `None` if this did not come from it, or if it is more than some 16 000
    /// changes ago: then all of it may be other. It looks at what has changed alone.
    pub fn changes_since(&self, revision: Revision) -> Option<RemovedChanges> {
        let changed = self.log.since(revision)?;
        let (removed, restored) = changed.keys.into_iter().partition(|id| self.contains(id));
        Some(RemovedChanges { cleared: changed.cleared, removed, restored })
    }

    /// What leads from any set to this one.
    #[cfg(feature = "presets")]
    pub(crate) fn all_as_changes(&self) -> RemovedChanges {
        RemovedChanges { cleared: true, removed: self.iter().collect(), restored: Vec::new() }
    }

    /// Makes changes that were made to another set. Made twice, they do no harm.
    pub fn merge(&mut self, changes: &RemovedChanges) {
        if changes.cleared {
            self.clear();
        }
        self.extend(changes.removed.iter().copied());
        for &id in &changes.restored {
            self.restore(id);
        }
    }

    /// Whether an object has been taken away.
    pub fn contains(&self, id: &ScatterId) -> bool {
        self.in_cell(id.cell).is_some_and(|removed| removed.contains(&(id.kind, id.candidate)))
    }

    /// How many objects have been taken away.
    pub fn len(&self) -> usize {
        self.cells.values().map(BTreeSet::len).sum()
    }

    /// Whether none has been taken away.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// All that have been taken away, in no order.
    pub fn iter(&self) -> impl Iterator<Item = ScatterId> {
        self.cells.iter().flat_map(|(&cell, removed)| {
            removed.iter().map(move |&(kind, candidate)| ScatterId { kind, cell, candidate })
        })
    }

    /// Kinds and candidates that are taken away from a cell.
    pub(super) fn in_cell(&self, cell: Cell) -> Option<&BTreeSet<(u8, u32)>> {
        self.cells.get(&cell)
    }

    /// The cells whose objects differ, with the kinds that do as bits.
    pub(crate) fn differences(&self, other: &Self) -> Vec<(Cell, u32)> {
        if Arc::ptr_eq(&self.cells, &other.cells) {
            return Vec::new();
        }
        let none = BTreeSet::new();
        let here = self.cells.iter().map(|(&cell, removed)| (cell, removed, other.in_cell(cell).unwrap_or(&none)));
        let only_there = other.cells.iter().filter(|(cell, _)| !self.cells.contains_key(*cell));
        here.chain(only_there.map(|(&cell, removed)| (cell, removed, &none)))
            .map(|(cell, a, b)| {
                (cell, a.symmetric_difference(b).fold(0, |kinds, (kind, _)| kinds | 1 << u32::from(*kind).min(31)))
            })
            .filter(|(_, kinds)| *kinds != 0)
            .collect()
    }
}

/// Whether they hold the same objects.
impl PartialEq for RemovedScatter {
    fn eq(&self, other: &Self) -> bool {
        self.revision() == other.revision() || self.cells == other.cells
    }
}

impl Extend<ScatterId> for RemovedScatter {
    fn extend<I: IntoIterator<Item = ScatterId>>(&mut self, ids: I) {
        for id in ids {
            self.remove(id);
        }
    }
}

impl FromIterator<ScatterId> for RemovedScatter {
    fn from_iter<I: IntoIterator<Item = ScatterId>>(ids: I) -> Self {
        let mut removed = Self::default();
        removed.extend(ids);
        removed
    }
}

impl From<Vec<ScatterId>> for RemovedScatter {
    fn from(ids: Vec<ScatterId>) -> Self {
        let mut removed: Self = ids.into_iter().collect();
        if !removed.is_empty() {
            removed.log = ChangeLog::unrelated();
        }
        removed
    }
}

impl From<RemovedScatter> for Vec<ScatterId> {
    /// In a fixed order: equal sets make equal files.
    fn from(removed: RemovedScatter) -> Self {
        let mut ids: Self = removed.iter().collect();
        ids.sort_unstable();
        ids
    }
}

#[cfg(test)]
mod tests {
    use terrain_noise::{read_ron, write_ron_line};

    use super::*;

    fn id(kind: u8, x: i64, candidate: u32) -> ScatterId {
        ScatterId { kind, cell: [x, -x], candidate }
    }

    #[test]
    fn what_is_removed_survives_a_file() {
        let ids = [id(1, 7, 3), id(0, 7, 3), id(15, i64::MAX, u32::MAX)];
        let mut removed: RemovedScatter = ids.into_iter().collect();
        assert!(!removed.remove(ids[0]) && removed.len() == 3);
        let text = write_ron_line(&removed).unwrap();
        assert_eq!(read_ron::<RemovedScatter>(&text).unwrap(), removed);
        for id in ids {
            assert!(removed.contains(&id) && removed.restore(id) && !removed.restore(id));
        }
        assert!(removed.is_empty() && removed.cells.is_empty());
    }

    #[test]
    fn differences_name_cells_and_kinds() {
        let before: RemovedScatter = [id(1, 7, 3), id(2, 8, 0)].into_iter().collect();
        let mut after = before.clone();
        assert!(before.differences(&after).is_empty());
        after.restore(id(2, 8, 0));
        after.remove(id(0, 7, 3));
        after.remove(id(3, 9, 3));
        let mut found = before.differences(&after);
        found.sort_unstable();
        assert_eq!(found, [([7, -7], 0b1), ([8, -8], 0b100), ([9, -9], 0b1000)]);
        let mut back = after.differences(&before);
        back.sort_unstable();
        assert_eq!(back, found);
    }

    #[test]
    fn a_copy_that_is_told_of_changes_stays_the_same() {
        let mut removed: RemovedScatter = [id(1, 7, 3), id(2, 8, 0)].into_iter().collect();
        let (mut copy, before) = (removed.clone(), removed.revision());
        removed.remove(id(0, 9, 1));
        removed.remove(id(0, 9, 2));
        removed.restore(id(0, 9, 2));
        removed.restore(id(2, 8, 0));
        let changes = removed.changes_since(before).unwrap();
        assert_eq!(changes.removed, [id(0, 9, 1)]);
        assert_eq!(changes.restored, [id(0, 9, 2), id(2, 8, 0)]);
        copy.merge(&changes);
        assert_eq!(copy, removed);
        removed.clear();
        removed.remove(id(4, 1, 1));
        let changes = removed.changes_since(before).unwrap();
        copy.merge(&changes);
        assert!(changes.cleared && copy == removed && copy.len() == 1);
        assert!(removed.changes_since(copy.revision()).is_none(), "the copy went its own way");
    }
}
