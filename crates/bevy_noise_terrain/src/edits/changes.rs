//! What has changed in a list of edits since a moment.

use super::list::{EditId, TerrainEdits};
use super::tree::EditTree;

/// What edits were at a moment: a pointer, however many there are. Compare it later with
/// [`TerrainEdits::changes_since`]. The default is that of a list without edits.
#[derive(Clone, Debug, Default)]
pub struct EditsSnapshot(EditTree);

impl TerrainEdits {
    /// What the edits are now.
    ///
    /// ```
    /// # use bevy::math::DVec3;
    /// # use bevy_noise_terrain::edits::{Edit, TerrainEdits};
    /// let mut edits = TerrainEdits::default();
    /// let first = edits.apply(Edit::raise(DVec3::ZERO, 4.0, 1.0))?;
    /// let before = edits.snapshot();
    /// assert!(edits.changes_since(&before).is_empty());
    /// let second = edits.apply(Edit::raise(DVec3::ZERO, 8.0, 1.0))?;
    /// edits.undo(first);
    /// assert_eq!(edits.changes_since(&before), [first, second]);
    /// # Ok::<(), bevy_noise_terrain::SettingsError>(())
    /// ```
    pub fn snapshot(&self) -> EditsSnapshot {
        EditsSnapshot(self.tree().clone())
    }

    /// The names of edits that were added, taken away or replaced since a snapshot, in rising order: [`get`](Self::get) tells
    /// what each is now. One that was taken away and put back may be among them.
    ///
    /// Looks at what has changed, and at what lies around it, not at the whole list.
    pub fn changes_since(&self, before: &EditsSnapshot) -> Vec<EditId> {
        self.tree().changes(&before.0).into_iter().map(EditId).collect()
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;
    use proptest::prelude::*;

    use super::*;
    use crate::edits::Edit;

    proptest! {
        #[test]
        fn whoever_follows_the_changes_has_the_same_list(
            // Crowded, so that many edits share a node.
            steps in prop::collection::vec((0u32..6, any::<prop::sample::Index>(), 0.1..40.0f64), 1..200),
        ) {
            let (mut edits, mut follower) = (TerrainEdits::default(), TerrainEdits::default());
            let mut before = edits.snapshot();
            for (step, (kind, which, radius)) in steps.into_iter().enumerate() {
                let names: Vec<EditId> = edits.iter().map(|(id, _)| id).collect();
                let at = DVec3::new(radius, 0.0, -radius);
                match kind {
                    0 if !names.is_empty() => {
                        edits.undo(*which.get(&names)).unwrap();
                    }
                    1 if !names.is_empty() => edits.insert(*which.get(&names), Edit::flatten(at, radius)).unwrap(),
                    2 => {
                        edits.apply(Edit::path([at, 3.0 * at, -2.0 * at], radius)).unwrap();
                    }
                    _ => {
                        edits.apply(Edit::raise(at, radius, 1.0)).unwrap();
                    }
                }
                if step % 3 == 0 {
                    for id in edits.changes_since(&before) {
                        match edits.get(id) {
                            Some(edit) => follower.insert(id, edit.clone()).unwrap(),
                            None => _ = follower.undo(id),
                        }
                    }
                    before = edits.snapshot();
                    prop_assert_eq!(&follower, &edits);
                    prop_assert!(edits.changes_since(&before).is_empty());
                }
            }
        }
    }

    #[test]
    fn digging_in_one_place_stays_cheap() {
        let mut edits = TerrainEdits::default();
        for _ in 0..20_000 {
            edits.apply(Edit::raise(DVec3::ZERO, 2.0, 0.1)).unwrap();
        }
        let before = edits.snapshot();
        let began = std::time::Instant::now();
        edits.undo(EditId(10_000));
        edits.apply(Edit::raise(DVec3::ZERO, 2.0, 0.1)).unwrap();
        assert_eq!(edits.changes_since(&before), [EditId(10_000), EditId(20_000)]);
        // Comparing each with each takes seconds.
        assert!(began.elapsed().as_secs_f64() < 0.5, "{:?}", began.elapsed());
    }
}
