//! A step of the history that changes edits of the land.

use std::sync::Arc;

use bevy_noise_terrain::edits::{Edit, EditId, TerrainEdits};

/// Undo or redo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Back,
    Forth,
}

/// The edits that a step has changed, before and after it. Cheap to clone.
#[derive(Clone, Debug)]
pub struct EditStep(Arc<[Change]>);

#[derive(Debug)]
struct Change {
    id: EditId,
    before: Option<Edit>,
    after: Option<Edit>,
}

impl EditStep {
    /// The step that has added these edits; `None` if none of them is there.
    pub fn added(edits: &TerrainEdits, ids: impl IntoIterator<Item = EditId>) -> Option<Self> {
        let added = |id| Some(Change { id, before: None, after: Some(edits.get(id)?.clone()) });
        Self::of(ids.into_iter().filter_map(added))
    }

    /// The step that takes all edits away; `None` if there are none.
    pub fn clearing(edits: &TerrainEdits) -> Option<Self> {
        Self::of(edits.iter().map(|(id, edit)| Change { id, before: Some(edit.clone()), after: None }))
    }

    fn of(changes: impl Iterator<Item = Change>) -> Option<Self> {
        let changes: Arc<[Change]> = changes.collect();
        (!changes.is_empty()).then_some(Self(changes))
    }

    /// Takes the step, back or forth. What others have changed meanwhile stays.
    pub fn apply(&self, edits: &mut TerrainEdits, way: Way) {
        for Change { id, before, after } in self.0.iter() {
            let (from, to) = if way == Way::Back { (after, before) } else { (before, after) };
            if edits.get(*id) != from.as_ref() {
                continue;
            }
            match to {
                // It was valid when it was made.
                Some(edit) => drop(edits.insert(*id, edit.clone())),
                None => drop(edits.undo(*id)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;

    use super::*;

    fn raised(by: f32) -> Edit {
        Edit::raise(DVec3::ZERO, 5.0, by)
    }

    #[test]
    fn redo_brings_the_same_edits_back_under_their_names() {
        let mut edits = TerrainEdits::default();
        let own = edits.apply(raised(1.0)).unwrap();
        let ids = [edits.apply(raised(2.0)).unwrap(), edits.apply(raised(3.0)).unwrap()];
        let all = edits.clone();
        let step = EditStep::added(&edits, ids).unwrap();
        for _ in 0..2 {
            step.apply(&mut edits, Way::Back);
            assert_eq!(edits.iter().map(|(id, _)| id).collect::<Vec<_>>(), [own]);
            step.apply(&mut edits, Way::Forth);
            assert_eq!(edits, all);
        }
        let cleared = EditStep::clearing(&edits).unwrap();
        cleared.apply(&mut edits, Way::Forth);
        assert!(edits.is_empty() && EditStep::clearing(&edits).is_none() && EditStep::added(&edits, ids).is_none());
        cleared.apply(&mut edits, Way::Back);
        assert_eq!(edits, all);
        // Names are not given twice.
        assert_eq!(edits.apply(raised(4.0)).unwrap(), EditId(3));
    }

    #[test]
    fn what_others_have_changed_stays() {
        let mut edits = TerrainEdits::default();
        let ids = [1.0, 2.0, 3.0].map(|by| edits.apply(raised(by)).unwrap());
        let step = EditStep::added(&edits, ids).unwrap();
        edits.insert(ids[0], raised(9.0)).unwrap();
        edits.undo(ids[1]);
        // An equal list that has been loaded is no change.
        let mut loaded = TerrainEdits::default();
        for (id, edit) in edits.iter() {
            loaded.insert(id, edit.clone()).unwrap();
        }
        step.apply(&mut loaded, Way::Back);
        assert_eq!(loaded.iter().collect::<Vec<_>>(), [(ids[0], &raised(9.0))]);
        step.apply(&mut loaded, Way::Forth);
        assert_eq!(loaded.get(ids[0]), Some(&raised(9.0)));
        assert_eq!((loaded.get(ids[1]), loaded.get(ids[2])), (Some(&raised(2.0)), Some(&raised(3.0))));
    }
}
