//! What has changed in a list of edits: for journals and for other machines.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::edit::Edit;
use super::list::{EditId, TerrainEdits};
use super::prepared::Prepared;
use crate::change_log::Revision;
use crate::settings::SettingsError;

/// What leads from one state of [`TerrainEdits`] to a later one: see [`TerrainEdits::changes_since`].
///
/// An edit that was added and removed again in between counts as removed: its name is taken.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EditChanges {
    /// Whether all earlier edits were removed before those below were added.
    #[serde(default)]
    pub cleared: bool,
    /// Each edit that was added or replaced, and the names of those that were removed, in the order of their names.
    #[serde(default)]
    pub edits: Vec<(EditId, Option<Edit>)>,
    /// The name that the next edit gets.
    pub next: EditId,
}

impl EditChanges {
    /// Whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        !self.cleared && self.edits.is_empty()
    }
}

impl TerrainEdits {
    /// The present state. It costs nothing, and neither does asking whether it is still the same.
    pub fn revision(&self) -> Revision {
        self.log().revision()
    }

    /// What has changed since an earlier state; `None` if these edits did not come from it, as when another list was put in
    /// their place, or if it is more than some 16 000 changes ago: then all of it may be other.
    ///
    /// It looks at what has changed alone, however many edits there are.
    ///
    /// ```
    /// # use bevy_noise_terrain_land as bevy_noise_terrain;
    /// # use bevy::math::DVec3;
    /// # use bevy_noise_terrain::edits::{Edit, TerrainEdits};
    /// let mut edits = TerrainEdits::default();
    /// edits.apply(Edit::raise(DVec3::ZERO, 5.0, 1.0))?;
    /// let (mut copy, before) = (edits.clone(), edits.revision());
    /// edits.apply(Edit::raise(DVec3::ZERO, 3.0, -2.0))?;
    ///
    /// let changes = edits.changes_since(before).unwrap();
    /// assert_eq!(changes.edits.len(), 1);
    /// copy.merge(changes)?;
    /// assert_eq!(copy, edits);
    /// # Ok::<(), bevy_noise_terrain::SettingsError>(())
    /// ```
    pub fn changes_since(&self, revision: Revision) -> Option<EditChanges> {
        let changed = self.log().since(revision)?;
        let edits = changed.keys.into_iter().map(|id| (id, self.get(id).cloned())).collect();
        Some(EditChanges { cleared: changed.cleared, edits, next: self.next_id() })
    }

    /// What leads from any list to this one.
    #[cfg(feature = "presets")]
    pub(crate) fn all_as_changes(&self) -> EditChanges {
        let edits = self.iter().map(|(id, edit)| (id, Some(edit.clone()))).collect();
        EditChanges { cleared: true, edits, next: self.next_id() }
    }

    /// Makes changes that were made to another list. Made twice, they do no harm.
    ///
    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed; then nothing changes.
    pub fn merge(&mut self, changes: EditChanges) -> Result<(), SettingsError> {
        let mut edits = Vec::with_capacity(changes.edits.len());
        for (index, (id, edit)) in changes.edits.into_iter().enumerate() {
            id.check().map_err(|error| error.below(index))?;
            let edit = edit.map(Prepared::new).transpose().map_err(|error| error.below(index))?;
            edits.push((id, edit.map(Arc::new)));
        }
        if changes.cleared {
            self.clear();
        }
        for (id, edit) in edits {
            self.set(id, edit);
        }
        self.skip_to(changes.next);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;
    use proptest::prelude::*;
    use terrain_noise::{read_ron, write_ron_line};

    use super::*;

    #[derive(Clone, Copy, Debug)]
    enum Step {
        Apply,
        Undo(usize),
        Again(usize),
        Clear,
        Tell,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            6 => Just(Step::Apply),
            3 => (0usize..40).prop_map(Step::Undo),
            2 => (0usize..40).prop_map(Step::Again),
            1 => Just(Step::Clear),
            4 => Just(Step::Tell),
        ]
    }

    proptest! {
        #[test]
        fn a_copy_that_is_told_of_changes_stays_the_same(steps in prop::collection::vec(step(), 1..60)) {
            let (mut edits, mut copy) = (TerrainEdits::default(), TerrainEdits::default());
            let mut told = edits.revision();
            let edit = |by: usize| Edit::raise(DVec3::ZERO, 2.0, by as f32);
            for (index, step) in steps.into_iter().chain([Step::Tell]).enumerate() {
                match step {
                    Step::Apply => drop(edits.apply(edit(index)).unwrap()),
                    Step::Undo(id) => drop(edits.undo(EditId(id as u64))),
                    Step::Again(id) => edits.insert(EditId(id as u64), edit(index)).unwrap(),
                    Step::Clear => edits.clear(),
                    Step::Tell => {
                        let changes = edits.changes_since(told).unwrap();
                        prop_assert!(!changes.is_empty() || told == edits.revision() || edits == copy);
                        copy.merge(changes.clone()).unwrap();
                        prop_assert_eq!(&copy, &edits);
                        prop_assert_eq!(copy.next_id(), edits.next_id());
                        copy.merge(changes).unwrap();
                        prop_assert_eq!(&copy, &edits);
                        told = edits.revision();
                    }
                }
            }
        }
    }

    #[test]
    fn only_what_changed_is_told() {
        let mut edits = TerrainEdits::default();
        for index in 0..1_000 {
            edits.apply(Edit::raise(DVec3::splat(f64::from(index)), 2.0, 1.0)).unwrap();
        }
        let before = edits.revision();
        assert!(edits.changes_since(before).unwrap().is_empty());
        let brief = edits.apply(Edit::default()).unwrap();
        edits.undo(brief);
        edits.undo(EditId(7));
        let changes = edits.changes_since(before).unwrap();
        assert_eq!(changes.edits, [(EditId(7), None), (brief, None)]);
        assert_eq!(changes.next, EditId(1_001));
        let other: TerrainEdits = read_ron(&write_ron_line(&edits).unwrap()).unwrap();
        assert_eq!(other.changes_since(before), None, "it did not come from it");
    }

    #[test]
    fn wrong_changes_change_nothing() {
        let mut edits = TerrainEdits::default();
        edits.apply(Edit::default()).unwrap();
        let (before, revision) = (edits.clone(), edits.revision());
        let wrong = Edit::default().falloff(-1.0);
        let changes =
            EditChanges { cleared: true, edits: vec![(EditId(1), None), (EditId(2), Some(wrong))], next: EditId(3) };
        let error = edits.merge(changes).unwrap_err();
        assert_eq!(error.to_string(), "1.edit.falloff: found -1, allowed is 0 to 100000 m");
        assert!(edits == before && edits.revision() == revision && edits.next_id() == EditId(1));
    }
}
