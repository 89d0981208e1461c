//! Which chunks should be there soon, and in which order.

use super::{LodSettings, Ranges, Viewer};
use crate::chunk::{ChunkKey, Square};

/// A chunk that should be there, and how much it is missed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// Which chunk.
    pub key: ChunkKey,
    /// Its distance in its own widths: what is large on screen, so coarse or near, has the least.
    pub order: f64,
}

/// Everything that full detail needs where the viewers are and where they will be within `lookahead`
/// seconds, most missed first. A chunk comes after its parent, and with its three siblings.
pub fn wanted(lod: &LodSettings, viewers: &[Viewer], lookahead: f64, wanted: &mut Vec<Wanted>) {
    wanted.clear();
    let full = Ranges::full(lod);
    let top = ChunkKey::new(lod.top_level(), 0, 0).width(lod.spacing);
    let roots = super::roots(viewers, lod, lod.view_distance + top);
    let mut open: Vec<Wanted> = roots.into_iter().map(|key| Wanted { key, order: 0.0 }).collect();
    while let Some(parent) = open.pop() {
        wanted.push(parent);
        let square = parent.key.square(lod.spacing);
        let d = viewers.iter().map(|viewer| swept_distance(viewer, &square, lookahead)).fold(f64::INFINITY, f64::min);
        if !full.splits(parent.key, d) {
            continue;
        }
        let order = (d / square.width).max(parent.order.next_up());
        open.extend(parent.key.children().into_iter().flatten().map(|key| Wanted { key, order }));
    }
    wanted.sort_unstable_by(|a, b| a.order.total_cmp(&b.order).then(a.key.cmp(&b.key)));
}

/// Distance from the nearest point of a square to the way a viewer makes in `lookahead` seconds.
///
/// Sampled at a few points of the way: it orders and prefetches, nothing depends on its exactness.
fn swept_distance(viewer: &Viewer, square: &Square, lookahead: f64) -> f64 {
    const STEPS: u32 = 4;
    let steps = if viewer.velocity == [0.0; 2] { 0 } else { STEPS };
    let squared = |step: u32| {
        let time = lookahead * f64::from(step) / f64::from(STEPS);
        let [x, z] = square.outside([0, 1].map(|axis| viewer.position[axis] + viewer.velocity[axis] * time));
        x * x + z * z
    };
    let nearest = (1..=steps).map(squared).fold(squared(0), f64::min);
    (nearest + viewer.height * viewer.height).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn list(viewers: &[Viewer]) -> Vec<Wanted> {
        let mut list = Vec::new();
        wanted(&LodSettings::default(), viewers, 1.0, &mut list);
        list
    }

    #[test]
    fn parents_come_first_and_siblings_together() {
        let list = list(&[Viewer { position: [1e6, -3e5], height: 2.0, velocity: [200.0, 50.0], ..Viewer::default() }]);
        let mut seen = HashSet::new();
        let top = LodSettings::default().top_level();
        for item in &list {
            assert!(item.key.level == top || seen.contains(&item.key.parent()), "{:?} before its parent", item.key);
            assert!(seen.insert(item.key), "{:?} twice", item.key);
        }
        for item in list.iter().filter(|item| item.key.level < top) {
            assert!(item.key.parent().children().unwrap().iter().all(|sibling| seen.contains(sibling)));
        }
    }

    #[test]
    fn what_is_drawn_at_full_detail_is_wanted() {
        let viewers =
            [Viewer { height: 50.0, ..Viewer::default() }, Viewer { position: [5_000.0, 100.0], ..Viewer::default() }];
        let lod = LodSettings::default();
        let keys: HashSet<_> = list(&viewers).into_iter().map(|item| item.key).collect();
        let mut shown = Vec::new();
        super::super::drawn(
            &lod,
            &viewers,
            &super::super::roots(&viewers, &lod, lod.view_distance),
            &Ranges::full(&lod),
            &mut shown,
        );
        assert!(shown.iter().all(|key| keys.contains(key)));
        assert!(shown.len() > 400, "{} chunks", shown.len());
    }

    #[test]
    fn a_moving_viewer_wants_what_lies_ahead() {
        let still = list(&[Viewer::default()]);
        let moving = list(&[Viewer { velocity: [300.0, 0.0], ..Viewer::default() }]);
        let fine = |list: &[Wanted], ahead: bool| {
            list.iter().filter(|item| item.key.level == 0 && (item.key.x >= 0) == ahead).count()
        };
        assert!(fine(&moving, true) > fine(&still, true));
        assert_eq!(fine(&moving, false), fine(&still, false));
    }
}
