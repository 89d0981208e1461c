//! Which pieces a volume has: squares, each as detailed as the land around it.

use super::edition::Edition;
use super::nearby::distance;
use crate::chunk::CHUNK_QUADS;
use crate::edits::{Rect, VolumeHole};
use crate::lod::{Ranges, Viewer};
use crate::volumes::COARSEST;

/// A level is built when the viewer comes within this part of its range more, so that it is there when it is needed.
const AHEAD: f64 = 0.85;

/// The widest pieces are as wide as chunks of this level would be.
const WIDEST: u8 = 24;

/// Where a piece is, and its level of detail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub rect: Rect,
    pub level: u8,
}

/// The pieces that cover a volume, seen by viewers who see an edition of it already: a quadtree, in which squares of a level are
/// as wide as chunks of it, and those of the coarsest level may be wider.
pub(super) fn layout(hole: &VolumeHole, ranges: &Ranges, viewers: &[Viewer], shown: Option<&Edition>) -> Vec<Place> {
    let whole = hole.volume.rect(hole.spacing);
    let level = |rect: &Rect| level(ranges, distance(rect, viewers), shown.and_then(|shown| shown.finest_in(rect)));
    let width = |size: u8| hole.spacing * (CHUNK_QUADS << size) as f64;
    let widest = (whole.max[0] - whole.min[0]).max(whole.max[1] - whole.min[1]);
    let top = (0..WIDEST).find(|&size| width(size) >= widest).unwrap_or(WIDEST);
    // Sizes as if they were levels, and corners.
    let mut open = vec![(top, whole.min)];
    let mut places = Vec::new();
    while let Some((size, min)) = open.pop() {
        let max = [0, 1].map(|axis| (min[axis] + width(size)).min(whole.max[axis]));
        // Beyond the box, maybe by rounding.
        if (0..2).any(|axis| max[axis] - min[axis] < hole.spacing) {
            continue;
        }
        let rect = Rect { min, max };
        let level = level(&rect);
        if level < size.min(COARSEST) {
            let half = width(size - 1);
            open.extend(
                [[0.0, 0.0], [half, 0.0], [0.0, half], [half, half]].map(|[x, z]| (size - 1, [min[0] + x, min[1] + z])),
            );
        } else {
            places.push(Place { rect, level });
        }
    }
    places
}

/// The level of the finest land there, or a finer one.
fn level(ranges: &Ranges, distance: f64, shown: Option<u8>) -> u8 {
    let of = |distance: f64| (0..COARSEST).find(|&level| ranges.of(level) > distance).unwrap_or(COARSEST);
    let [fine, coarse] = [of(AHEAD * distance), of(distance)];
    // Between the two, whatever is shown is kept.
    shown.filter(|shown| (fine..=coarse).contains(shown)).unwrap_or(fine)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bevy::prelude::*;

    use super::{Rect, *};
    use crate::lod::TerrainLod;
    use crate::volumes::{Prepared, TerrainVolume, VolumeId, VolumeKey};

    #[test]
    fn a_level_is_built_ahead_of_need_and_none_is_coarser_than_sides_are_exact() {
        let ranges = Ranges::full(&TerrainLod::default());
        let end = ranges.of(0);
        assert_eq!(level(&ranges, 0.0, None), 0);
        // On the way out it stays as it is, on the way in it comes early.
        assert_eq!([level(&ranges, 1.1 * end, Some(0)), level(&ranges, 1.1 * end, Some(1))], [0, 1]);
        assert_eq!(level(&ranges, 1.3 * end, Some(0)), 1);
        for distance in [1e4, 1e6, f64::INFINITY] {
            assert!(level(&ranges, distance, None) <= COARSEST);
        }
    }

    #[test]
    fn pieces_cover_the_box_and_are_finer_near_the_viewer() {
        let volume = TerrainVolume { center: [3.0, -40.0], size: [500.0, 200.0], ..default() };
        let volume = Arc::new(Prepared::new(volume).unwrap());
        let hole = VolumeHole { key: VolumeKey::Listed(VolumeId(0)), volume, spacing: 1.0, is_drawn: true };
        let whole = hole.volume.rect(1.0);
        let area = |rect: &Rect| (rect.max[0] - rect.min[0]) * (rect.max[1] - rect.min[1]);
        let ranges = Ranges::full(&TerrainLod::default());
        let seen_from = |x: f64| {
            let viewers = [Viewer { position: [x, 0.0], height: 2.0, ..default() }];
            let places = layout(&hole, &ranges, &viewers, None);
            assert_eq!(places.iter().map(|place| area(&place.rect)).sum::<f64>(), area(&whole), "from {x}");
            for Place { rect, level } in &places {
                let cell = f64::from(1u32 << level);
                assert!([rect.min, rect.max].iter().flatten().all(|at| at % cell == 0.0), "{rect:?}");
                // Never coarser than the land beside it.
                assert!(*level == 0 || ranges.of(level - 1) <= distance(rect, &viewers), "{rect:?} {level}");
            }
            let levels = [0, 1, 2, 3, 4].map(|level| places.iter().filter(|place| place.level == level).count());
            (places.len(), levels)
        };
        assert_eq!(seen_from(-400.0), (20, [12, 8, 0, 0, 0]));
        assert_eq!(seen_from(10_000.0), (1, [0, 0, 0, 0, 1]));
    }
}
