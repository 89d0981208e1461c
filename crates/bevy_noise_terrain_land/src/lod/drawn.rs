//! The set of chunks that are drawn in a frame.

use super::{Ranges, TerrainLod, Viewer, distance};
use crate::chunk::ChunkKey;

/// Fills `drawn` with chunks that cover `roots`, each point of the plane exactly once. `roots` are sorted.
///
/// `ranges` must not reach further than the loaded chunks allow ([`Ranges::reachable`]).
pub fn drawn(lod: &TerrainLod, viewers: &[Viewer], roots: &[ChunkKey], ranges: &Ranges, drawn: &mut Vec<ChunkKey>) {
    drawn.clear();
    let mut open = roots.to_vec();
    while let Some(key) = open.pop() {
        match key.children() {
            Some(children) if ranges.splits(key, distance(viewers, &key.square(lod.spacing))) => {
                open.extend(children);
            }
            _ => drawn.push(key),
        }
    }
}

/// A chunk of one of two drawn sets that is not in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    Appears(ChunkKey),
    Vanishes(ChunkKey),
}

/// Compares two sets as [`drawn`] lists them, with coarsest chunks of level `top`.
///
/// Both lists go through the plane in the same order, so where they differ, a chunk of one covers the next chunks of the
/// other, or one of them has a root that the other lacks.
pub fn difference(top: u8, mut before: &[ChunkKey], mut now: &[ChunkKey], mut tell: impl FnMut(Difference)) {
    loop {
        let same = before.iter().zip(now).take_while(|(old, new)| old == new).count();
        (before, now) = (&before[same..], &now[same..]);
        let (old, new) = (before.first().copied(), now.first().copied());
        // How many chunks of each list come next that the other lacks. The greatest root comes first.
        let (vanishing, appearing) = match (old, new) {
            (None, None) => return,
            (Some(old), Some(new)) if covers(old, new) => (1, count(now, old)),
            (Some(old), Some(new)) if covers(new, old) => (count(before, new), 1),
            _ if old.map(|old| ancestor(old, top)) > new.map(|new| ancestor(new, top)) => (1, 0),
            _ => (0, 1),
        };
        before[..vanishing].iter().for_each(|&key| tell(Difference::Vanishes(key)));
        now[..appearing].iter().for_each(|&key| tell(Difference::Appears(key)));
        (before, now) = (&before[vanishing..], &now[appearing..]);
    }
}

/// How many of the next chunks a coarser one covers.
fn count(next: &[ChunkKey], coarse: ChunkKey) -> usize {
    next.iter().take_while(|&&fine| covers(coarse, fine)).count()
}

/// The chunk of a coarser `level` that covers this one.
fn ancestor(key: ChunkKey, level: u8) -> ChunkKey {
    let steps = level.saturating_sub(key.level);
    ChunkKey::new(level, key.x >> steps, key.z >> steps)
}

/// Whether a chunk covers another one, which is finer.
fn covers(coarse: ChunkKey, fine: ChunkKey) -> bool {
    coarse.level > fine.level && ancestor(fine, coarse.level) == coarse
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lod::roots;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// What is drawn around viewers with some of the detail, and without some of the coarsest chunks.
    fn set(lod: &TerrainLod, viewers: &[Viewer], detail: f64, lacking: usize) -> Vec<ChunkKey> {
        let mut roots = roots(viewers, lod, lod.view_distance);
        let mut index = 0;
        roots.retain(|_| {
            index += 1;
            lacking == 0 || index % lacking > 0
        });
        let (mut ranges, full) = (Ranges::coarsest(lod), Ranges::full(lod));
        ranges.approach(&full, &full, lod, detail);
        let mut set = Vec::new();
        drawn(lod, viewers, &roots, &ranges, &mut set);
        set
    }

    proptest! {
        #[test]
        fn what_appears_and_vanishes_leads_from_one_set_to_the_other(
            from in prop::array::uniform2(-3e4..3e4f64),
            steps in prop::collection::vec(prop::array::uniform2(-1e4..1e4f64), 1..3),
            details in prop::array::uniform2(0.0..1.2f64),
            lacking in prop::array::uniform2(0usize..5),
            height in 0.0..3_000.0f64,
        ) {
            let lod = TerrainLod { view_distance: 8_000.0, ..TerrainLod::default() };
            let viewer = |position| Viewer { position, height, ..Viewer::default() };
            let then: Vec<_> = steps.iter().map(|step| viewer([from[0] + step[0], from[1] + step[1]])).collect();
            let before = set(&lod, &[viewer(from)], details[0], lacking[0]);
            let now = set(&lod, &then, details[1], lacking[1]);
            let (mut appearing, mut vanishing) = (BTreeSet::new(), BTreeSet::new());
            difference(lod.top_level(), &before, &now, |difference| {
                let is_new = match difference {
                    Difference::Appears(key) => appearing.insert(key),
                    Difference::Vanishes(key) => vanishing.insert(key),
                };
                assert!(is_new, "{difference:?} twice");
            });
            let (before, now) = (BTreeSet::from_iter(before), BTreeSet::from_iter(now));
            prop_assert_eq!(appearing, &now - &before);
            prop_assert_eq!(vanishing, &before - &now);
        }
    }
}
