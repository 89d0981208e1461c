//! Which chunks should be there soon, and in which order.

use super::{LodSettings, Ranges, Viewer};
use crate::chunk::{ChunkKey, Square};

/// A chunk that should be there, and how much it is missed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// Which chunk.
    pub key: ChunkKey,
    /// The finest level that needs it, counted from the coarsest, and the share of that level's full range from
    /// which on it does: least for what everything else waits for.
    pub order: f64,
}

/// When a chunk of `level` is needed whose parent is `d` metres from the nearest viewer, as [`Wanted::order`].
///
/// If `level` reached to `d` alone, finer levels could reach so far and no further: the finest of them decides.
fn order(lod: &LodSettings, mut level: u8, d: f64) -> f64 {
    let mut range = d;
    while level > 0 {
        let finer = lod.finer_range(level, range);
        if finer <= 0.0 {
            break;
        }
        (level, range) = (level - 1, finer);
    }
    f64::from(lod.top_level() - level) + (range / lod.full_range(level)).min(1.0)
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
        let order = order(lod, parent.key.level - 1, d).max(parent.order.next_up());
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
    fn the_ground_underfoot_is_sharp_long_before_all_is_there() {
        let (lod, viewers) = (LodSettings::default(), [Viewer { height: 2.0, ..Viewer::default() }]);
        let list = list(&viewers);
        let roots = super::super::roots(&viewers, &lod, lod.view_distance);
        let finest_range = |loaded: usize| {
            let keys: HashSet<_> = list[..loaded].iter().map(|item| item.key).collect();
            Ranges::reachable(&lod, &viewers, &roots, |key| keys.contains(&key)).of(0)
        };
        assert_eq!(finest_range(list.len()), lod.full_range(0));
        let needed = (0..list.len()).step_by(8).find(|&loaded| finest_range(loaded) >= 32.0).unwrap();
        assert!(10 * needed < 7 * list.len(), "{needed} of {} chunks", list.len());
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
