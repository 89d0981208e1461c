//! The edits of a terrain.

use std::collections::BTreeMap;
use std::ops::RangeBounds;
use std::sync::Arc;

use bevy::prelude::*;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::edit::Edit;
use super::prepared::Prepared;
use super::stamp::SeenImages;
use super::tree::EditTree;
use crate::change_log::ChangeLog;
use crate::settings::SettingsError;

/// Names an edit of one terrain: later edits have greater ones. None is used twice, in whatever file the list has been.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Reflect, Serialize, Deserialize)]
pub struct EditId(pub u64);

impl EditId {
    /// Whether an edit may have this name: after the greatest number no other could come.
    pub(super) fn check(self) -> Result<(), SettingsError> {
        if self.0 < u64::MAX {
            return Ok(());
        }
        Err(SettingsError::new("id", self.0, format_args!("0 to {}", u64::MAX - 1)))
    }
}

/// What players have changed: an ordered list of edits beside a terrain.
///
/// Insert it into the terrain's entity, and change it at any time: the touched chunks follow within a few frames, all in
/// the same one, and [`LandChanged`](crate::LandChanged) tells where.
///
/// ```
/// # use bevy_noise_terrain_land as bevy_noise_terrain;
/// # use bevy::{math::DVec3, prelude::*};
/// # use bevy_noise_terrain::edits::{Edit, TerrainEdits};
/// fn level_a_pad(mut edits: Single<&mut TerrainEdits>) -> Result {
///     let pad = edits.apply(Edit::flatten(DVec3::new(100.0, 40.0, -20.0), 12.0).falloff(4.0))?;
///     edits.undo(pad);
///     Ok(())
/// }
/// # App::new().add_systems(Update, level_a_pad);
/// ```
///
/// Edits are applied in their order, each to the land as those before it left it. Land without edits costs nothing, however
/// many there are elsewhere.
#[derive(Component, Clone, Default)]
pub struct TerrainEdits {
    edits: BTreeMap<EditId, Arc<Prepared>>,
    tree: EditTree,
    next: EditId,
    log: ChangeLog<EditId>,
}

impl TerrainEdits {
    /// Adds an edit after all others.
    ///
    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed; then nothing changes.
    pub fn apply(&mut self, edit: Edit) -> Result<EditId, SettingsError> {
        let id = self.next;
        self.insert(id, edit)?;
        Ok(id)
    }

    /// Puts an edit in the place that its name gives it, as when it comes back after an [`undo`](Self::undo) or from
    /// another machine. It replaces one of the same name.
    ///
    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed; then nothing changes.
    pub fn insert(&mut self, id: EditId, edit: Edit) -> Result<(), SettingsError> {
        id.check()?;
        let prepared = Arc::new(Prepared::new(edit)?);
        self.set(id, Some(prepared));
        Ok(())
    }

    /// Takes an edit away, as if it had never been there, and returns it; `None` if there is none of this name.
    pub fn undo(&mut self, id: EditId) -> Option<Edit> {
        let edit = self.get(id)?.clone();
        self.set(id, None);
        Some(edit)
    }

    /// Takes all edits away. Their names stay taken.
    pub fn clear(&mut self) {
        if self.is_empty() {
            return;
        }
        self.edits.clear();
        self.tree = EditTree::default();
        self.log.clear();
    }

    /// What has the name `id` from now on, if anything.
    pub(super) fn set(&mut self, id: EditId, edit: Option<Arc<Prepared>>) {
        if let Some(old) = self.edits.remove(&id) {
            self.tree.remove(id.0, &old);
        }
        if let Some(new) = edit {
            self.tree.insert(id.0, &new);
            self.edits.insert(id, new);
        }
        self.skip_to(EditId(id.0.saturating_add(1)));
        self.log.change(id);
    }

    /// Leaves out names below this one.
    pub(super) fn skip_to(&mut self, next: EditId) {
        self.next = self.next.max(next);
    }

    /// An edit by its name.
    pub fn get(&self, id: EditId) -> Option<&Edit> {
        self.edits.get(&id).map(|prepared| &prepared.edit)
    }

    /// The edits, in their order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (EditId, &Edit)> {
        self.edits.iter().map(|(&id, prepared)| (id, &prepared.edit))
    }

    /// Those of a range of names, in their order.
    pub fn range(&self, names: impl RangeBounds<EditId>) -> impl DoubleEndedIterator<Item = (EditId, &Edit)> {
        self.edits.range(names).map(|(&id, prepared)| (id, &prepared.edit))
    }

    /// The number of edits.
    pub fn len(&self) -> usize {
        self.edits.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// The name that the next edit gets.
    pub fn next_id(&self) -> EditId {
        self.next
    }

    pub(super) fn log(&self) -> &ChangeLog<EditId> {
        &self.log
    }

    /// The edits of a list, and the name that the next one gets if it is greater than all of theirs.
    pub(crate) fn from_list(next: EditId, list: Vec<(EditId, Edit)>) -> Result<Self, SettingsError> {
        let (mut edits, mut seen) = (Self::default(), SeenImages::default());
        for (index, (id, mut edit)) in list.into_iter().enumerate() {
            seen.resolve(&mut edit);
            edits.insert(id, edit).map_err(|error| error.below(index))?;
        }
        edits.skip_to(next);
        if edits.next > EditId::default() {
            edits.log = ChangeLog::unrelated();
        }
        Ok(edits)
    }

    /// A snapshot of all edits.
    pub(crate) fn tree(&self) -> &EditTree {
        &self.tree
    }
}

/// Whether they hold the same edits by the same names.
impl PartialEq for TerrainEdits {
    fn eq(&self, other: &Self) -> bool {
        self.revision() == other.revision() || self.iter().eq(other.iter())
    }
}

impl std::fmt::Debug for TerrainEdits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// What is written: the edits with their names, each image once, and the name that the next one gets.
#[derive(Serialize, Deserialize)]
#[serde(rename = "TerrainEdits", deny_unknown_fields)]
struct Written<L> {
    next: EditId,
    list: L,
}

impl Serialize for TerrainEdits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seen = SeenImages::default();
        let list: Vec<_> = self.iter().map(|(id, edit)| (id, seen.short_form(edit))).collect();
        Written { next: self.next, list }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for TerrainEdits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written { next, list } = Written::deserialize(deserializer)?;
        Self::from_list(next, list).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;
    use terrain_noise::{read_ron, write_ron_line};

    use super::*;
    use crate::edits::StampImage;

    #[test]
    fn a_list_survives_a_file() {
        let mut edits = TerrainEdits::default();
        let first = edits.apply(Edit::raise(DVec3::new(0.1, 2.0, 1e9 + 0.3), 3.0, -0.7)).unwrap();
        edits.apply(Edit::add(DVec3::ZERO, 5.0, terrain_noise::perlin(), 4).falloff(0.1)).unwrap();
        edits.apply(Edit::path([DVec3::ZERO, DVec3::new(5.0, 1.0 / 3.0, 7.0)], 2.0)).unwrap();
        edits.undo(first);
        let text = write_ron_line(&edits).unwrap();
        let mut read: TerrainEdits = read_ron(&text).unwrap();
        assert_eq!(read, edits);
        // Names go on where they were.
        let last = read.apply(Edit::default()).unwrap();
        assert_eq!(last, EditId(3));
        // However often an image is stamped, it is kept once.
        let image = StampImage::new([16, 16], &(0..256).map(|value| value * 250).collect::<Vec<u16>>()).unwrap();
        for k in 0..9 {
            edits.apply(Edit::stamp(DVec3::splat(f64::from(k)), 20.0, image.clone(), 4.0).turned(0.1)).unwrap();
        }
        let longer = write_ron_line(&edits).unwrap();
        assert_eq!(longer.matches("IHDR").count(), 1);
        assert_eq!(read_ron::<TerrainEdits>(&longer).unwrap(), edits);
        let error = read_ron::<TerrainEdits>(&text.replace("falloff:0.1", "falloff:-0.1")).unwrap_err();
        assert!(error.to_string().contains("0.edit.falloff: found -0.1, allowed is 0 to 100000 m"), "{error}");
    }

    #[test]
    fn no_name_comes_twice() {
        let mut edits = TerrainEdits::default();
        for _ in 0..3 {
            edits.apply(Edit::default()).unwrap();
        }
        edits.undo(EditId(2));
        let mut read: TerrainEdits = read_ron(&write_ron_line(&edits).unwrap()).unwrap();
        assert_eq!(read.apply(Edit::default()).unwrap(), EditId(3), "also when the last ones were undone");
        read.clear();
        read = read_ron(&write_ron_line(&read).unwrap()).unwrap();
        assert_eq!(read.apply(Edit::default()).unwrap(), EditId(4), "and when all are gone");
        read.insert(EditId(u64::MAX - 1), Edit::default()).unwrap();
        let error = read.apply(Edit::default()).unwrap_err().to_string();
        assert_eq!(error, "id: found 18446744073709551615, allowed is 0 to 18446744073709551614");
        assert_eq!(read.len(), 2);
    }
}
