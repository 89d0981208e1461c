//! Which chunks should be loaded, and in which order.

use std::collections::BinaryHeap;

use super::ranges::LEAST_DETAIL;
use super::{Ranges, TerrainLod, Viewer};
use crate::chunk::{ChunkKey, Square};

/// A chunk that should be loaded, and its priority.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// Which chunk.
    pub key: ChunkKey,
    /// Least first: see [`wanted`].
    pub order: f64,
}

/// The detail that is possible with a given number of chunks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Demand {
    /// The detail that fits: [`TerrainLod::detail`] or less. Below 4 the finest levels are drawn partly or not at all.
    pub detail: f64,
    /// Whether that is less than the settings ask for.
    pub is_cut: bool,
}

/// The order of a chunk of `level` whose parent is `d` metres from the nearest viewer, where `top` is the coarsest level.
///
/// At first the ground near the viewers counts: if the range of `level` ended at `d`, it would limit the ranges of all
/// finer levels, and the chunk is ordered by the finest level that is still possible. Once every level reaches as far
/// as the least detail asks for, all levels grow evenly.
fn order(lod: &TerrainLod, top: u8, mut level: u8, d: f64) -> f64 {
    let width = |level: u8| ChunkKey::new(level, 0, 0).width(lod.spacing);
    let detail = d / width(level);
    if detail >= LEAST_DETAIL {
        return f64::from(top) + detail / LEAST_DETAIL;
    }
    let mut range = d;
    while level > 0 {
        let finer = lod.finer_range(level, range);
        if finer <= 0.0 {
            break;
        }
        (level, range) = (level - 1, finer);
    }
    f64::from(top - level) + (range / (LEAST_DETAIL * width(level))).min(1.0)
}

/// The detail that is reached once everything up to this order is loaded.
fn detail_of(order: f64, lod: &TerrainLod) -> f64 {
    let top = f64::from(lod.top_level());
    LEAST_DETAIL * if order >= top + 1.0 { order - top } else { order / (top + 1.0) }
}

/// A coarsest chunk, or the four children of a chunk.
struct Family {
    order: f64,
    key: ChunkKey,
    is_root: bool,
}

impl Family {
    fn rank(&self) -> (u64, ChunkKey) {
        // For non-negative numbers the bits sort like the numbers.
        (self.order.to_bits(), self.key)
    }
}

impl Ord for Family {
    /// Reversed: the heap yields the greatest, which must be the one with the least order.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.rank().cmp(&self.rank())
    }
}

impl PartialOrd for Family {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Family {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for Family {}

/// Lists the chunks that full detail needs where the viewers are and where they will be within `lookahead` seconds, in
/// the order in which to load them, at most `most` chunks. A chunk comes after its parent, together with its three
/// siblings. The land ends `reach` metres from the viewers, and `in_view` are its [`roots`](super::roots).
///
/// `fails` tells which chunks cannot be built. They, their siblings and all below them are never drawn, and so not wanted.
pub fn wanted(
    lod: &TerrainLod,
    viewers: &[Viewer],
    (reach, in_view): (f64, &[ChunkKey]),
    lookahead: f64,
    most: usize,
    fails: impl Fn(&ChunkKey) -> bool,
    wanted: &mut Vec<Wanted>,
) -> Demand {
    /// Roots beyond the view, for moving viewers, come after the coarsest levels of what is in view.
    const BEYOND: f64 = 2.0;
    wanted.clear();
    let full = Ranges::full(lod);
    let top = lod.top_level();
    let beyond = ChunkKey::new(top, 0, 0).width(lod.spacing);
    let mut open = BinaryHeap::new();
    for key in super::roots(viewers, lod, reach + beyond) {
        let order = if in_view.binary_search(&key).is_ok() { 0.0 } else { BEYOND };
        open.push(Family { order, key, is_root: true });
    }
    let mut is_cut = false;
    let mut last = 0.0;
    while let Some(Family { order: own, key, is_root }) = open.pop() {
        let children = key.children().filter(|_| !is_root);
        let members = children.as_ref().map_or(std::slice::from_ref(&key), |children| children.as_slice());
        if members.iter().any(&fails) {
            continue;
        }
        if wanted.len() + members.len() > most {
            is_cut = true;
            break;
        }
        last = own;
        for &key in members {
            wanted.push(Wanted { key, order: own });
            let Some(finer) = key.level.checked_sub(1) else { continue };
            let square = key.square(lod.spacing);
            let within = full.of(finer);
            let distances = viewers.iter().filter_map(|viewer| swept_distance(viewer, &square, lookahead, within));
            if let Some(d) = distances.reduce(f64::min) {
                let order = order(lod, top, finer, d).max(own.next_up());
                open.push(Family { order, key, is_root: false });
            }
        }
    }
    Demand { detail: if is_cut { detail_of(last, lod).min(lod.detail) } else { lod.detail }, is_cut }
}

/// Distance from the nearest point of a square to the path of a viewer in the next `lookahead` seconds, if it is less than
/// `within`.
///
/// Sampled at a few points of the path: it is only used for ordering and prefetching, where precision does not matter.
fn swept_distance(viewer: &Viewer, square: &Square, lookahead: f64, within: f64) -> Option<f64> {
    const STEPS: u32 = 4;
    let now = viewer.squared_distance(viewer.position, square);
    let [x, z] = viewer.velocity.map(|speed| speed * lookahead);
    let path = x * x + z * z;
    // Most squares are too far away, wherever the viewer flies.
    let nearest = if path == 0.0 || now >= (within + path.sqrt()).powi(2) {
        now
    } else {
        let at = |step: u32| {
            let share = f64::from(step) / f64::from(STEPS);
            [viewer.position[0] + x * share, viewer.position[1] + z * share]
        };
        (1..=STEPS).map(|step| viewer.squared_distance(at(step), square)).fold(now, f64::min)
    };
    Some(nearest.sqrt()).filter(|&d| d < within)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn in_view(viewers: &[Viewer]) -> Vec<ChunkKey> {
        let lod = TerrainLod::default();
        super::super::roots(viewers, &lod, lod.view_distance)
    }

    fn list(viewers: &[Viewer]) -> Vec<Wanted> {
        let mut list = Vec::new();
        let lod = TerrainLod::default();
        wanted(&lod, viewers, (lod.view_distance, &in_view(viewers)), 1.0, usize::MAX, |_| false, &mut list);
        list
    }

    #[test]
    fn nothing_is_wanted_in_a_family_that_lacks_a_chunk_nor_below_it() {
        let (lod, viewers) = (TerrainLod::default(), [Viewer::default()]);
        let roots = in_view(&viewers);
        let nearest = |level| ChunkKey::at(level, 1.0, 1.0, lod.spacing);
        for failed in [nearest(2), nearest(lod.top_level())] {
            let mut found = Vec::new();
            let view = (lod.view_distance, &roots[..]);
            wanted(&lod, &viewers, view, 1.0, usize::MAX, |key| *key == failed, &mut found);
            let is_root = failed.level == lod.top_level();
            let is_lost = |key: ChunkKey| {
                let mut ancestor = key;
                while ancestor.level < failed.level {
                    ancestor = ancestor.parent();
                }
                if is_root {
                    ancestor == failed
                } else {
                    ancestor.level == failed.level && ancestor.parent() == failed.parent()
                }
            };
            let expected: Vec<_> = list(&viewers).into_iter().filter(|item| !is_lost(item.key)).collect();
            assert!(expected.len() < list(&viewers).len());
            assert_eq!(found, expected, "{failed:?}");
        }
    }

    #[test]
    fn parents_come_first_and_siblings_together() {
        let list = list(&[Viewer { position: [1e6, -3e5], height: 2.0, velocity: [200.0, 50.0], ..Viewer::default() }]);
        let mut seen = HashSet::new();
        let top = TerrainLod::default().top_level();
        for item in &list {
            assert!(item.key.level == top || seen.contains(&item.key.parent()), "{:?} before its parent", item.key);
            assert!(seen.insert(item.key), "{:?} twice", item.key);
        }
        for item in list.iter().filter(|item| item.key.level < top) {
            assert!(item.key.parent().children().unwrap().iter().all(|sibling| seen.contains(sibling)));
        }
    }

    #[test]
    fn chunks_drawn_at_full_detail_are_wanted() {
        let viewers =
            [Viewer { height: 50.0, ..Viewer::default() }, Viewer { position: [5_000.0, 100.0], ..Viewer::default() }];
        let lod = TerrainLod::default();
        let keys: HashSet<_> = list(&viewers).into_iter().map(|item| item.key).collect();
        let mut shown = Vec::new();
        super::super::drawn(&lod, &viewers, &in_view(&viewers), &Ranges::full(&lod), &mut shown);
        assert!(shown.iter().all(|key| keys.contains(key)));
        assert!(shown.len() > 400, "{} chunks", shown.len());
    }

    #[test]
    fn the_ground_near_viewers_is_sharp_long_before_everything_is_loaded() {
        let (lod, viewers) = (TerrainLod::default(), [Viewer { height: 2.0, ..Viewer::default() }]);
        let list = list(&viewers);
        let roots = in_view(&viewers);
        let finest_range = |loaded: usize| {
            let keys: HashSet<_> = list[..loaded].iter().map(|item| item.key).collect();
            let can_split = |key: ChunkKey| key.children().unwrap().iter().all(|child| keys.contains(child));
            Ranges::reachable(&lod, &viewers, &roots, can_split).of(0)
        };
        assert_eq!(finest_range(list.len()), lod.full_range(0));
        let needed = (0..list.len()).step_by(8).find(|&loaded| finest_range(loaded) >= 32.0).unwrap();
        // 424 of 536; ordered by distance in widths it would be 489.
        assert!(10 * needed < 8 * list.len(), "{needed} of {} chunks", list.len());
    }

    #[test]
    fn a_limit_truncates_the_list_and_reduces_detail() {
        let viewers = [Viewer { height: 2.0, ..Viewer::default() }];
        let lod = TerrainLod { detail: 8.0, ..TerrainLod::default() };
        let cut = |most: usize| {
            let mut list = Vec::new();
            let view = (lod.view_distance, &in_view(&viewers)[..]);
            let demand = wanted(&lod, &viewers, view, 1.0, most, |_| false, &mut list);
            assert!(list.len() <= most && demand.is_cut == (most < 3_000), "{} of {most}: {demand:?}", list.len());
            (list, demand.detail)
        };
        let (all, detail) = cut(usize::MAX);
        assert_eq!(detail, 8.0);
        let mut before = 0.0;
        for most in [100, 200, 400, 600, 800, 1_200, 1_600] {
            let (list, detail) = cut(most);
            assert_eq!(list[..], all[..list.len()]);
            assert!(detail > before, "{most}: {detail}, before {before}");
            before = detail;
        }
        assert!((4.0..8.0).contains(&before), "{before}");
    }

    #[test]
    fn a_moving_viewer_wants_chunks_ahead() {
        let still = list(&[Viewer::default()]);
        let moving = list(&[Viewer { velocity: [300.0, 0.0], ..Viewer::default() }]);
        let fine = |list: &[Wanted], ahead: bool| {
            list.iter().filter(|item| item.key.level == 0 && (item.key.x >= 0) == ahead).count()
        };
        assert!(fine(&moving, true) > fine(&still, true));
        assert_eq!(fine(&moving, false), fine(&still, false));
    }
}
